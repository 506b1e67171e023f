//! Solving to the end. Scores here are whole discs for the side to move.
//!
//! Four layers by empty squares, each with no more machinery than it pays for: [`last`] (1 to 4,
//! hand-written), [`shallow`] (5, parity order only; 6 to 11, fastest first with a small
//! cache), and the full search with table, evaluation and selectivity above.

pub(crate) mod last;
pub(crate) mod shallow;
