//! How we explain and teach: what a player should see in a position, and why one move is better
//! than another.
//!
//! The coach asks an [`Analyst`] that is handed in through the door; it owns no engine, no
//! database, no clock and no file. All answers are plain data: squares, lines, tags and texts, for
//! whoever draws or prints them. The features counted here explain moves; they drive no search.

#![forbid(unsafe_code)]

mod analyst;
pub mod explain;

pub use analyst::{Analyst, Area, Attribution, Question};
