//! Laws of records and clocks that hold whatever is done to them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chess;
mod convert;
mod laws;
mod pgn;
mod time;
mod tree;
