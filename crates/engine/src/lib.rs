//! How a tree is pruned and a leaf is valued.
//!
//! A position and [`Limits`] go in, a [`Report`] comes out: [`Engine`] is the door. Behind it are a
//! midgame search, an exact endgame solver, a transposition table, threads, and evaluators chosen
//! at compile time. What is deliberately absent: files, sockets, printing, a clock that was not
//! handed in, and any state that outlives an [`Engine`].

#![forbid(unsafe_code)]

mod analysis;
pub mod bench;
pub mod book;
pub mod checksum;
mod endgame;
pub mod eval;
mod json;
pub mod levels;
mod limits;
pub mod mcts;
pub mod ordering;
mod search;
mod stability;
mod table;
#[cfg(test)]
mod testing;
pub mod time;

pub use analysis::{Bound, Control, Engine, EngineError, Line, Report, TableStats};
pub use limits::{Goal, LateMoves, Limits, Selectivity, UnknownLateMoves};
pub use table::TableError;
