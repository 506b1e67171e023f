//! Tests through the doors of the crate.

mod wire;
