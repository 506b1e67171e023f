//! Tests through the doors of the crate: real sockets, real engines, a folder for each.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod abuse;
mod analysis;
mod client;
mod crowd;
mod door;
mod games;
mod import;
mod laws;
mod library;
#[path = "../../../../fuzz/src/seeded.rs"]
mod seeded;
mod streams;
mod tournaments;
mod weights;
mod wire;
