//! Tests through the doors of the crate: real sockets, real engines, a folder for each.

mod analysis;
mod client;
mod door;
mod games;
mod import;
mod wire;
