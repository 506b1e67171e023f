//! HTTP: wire types.

#![forbid(unsafe_code)]

pub mod wire;
