//! What can be wrong with a WTHOR file or game.

use super::HEADER_BYTES;
use crate::{Position, notation::IllegalRecordedMove};

/// Why bytes are not a WTHOR file, or a game not a WTHOR game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// The header is not there.
    #[error("the file has {found} bytes; expected a header of {HEADER_BYTES}")]
    NoHeader {
        /// How many there are.
        found: usize,
    },
    /// A board of another size.
    #[error("board size {found} is not supported; expected 8 (or 0, which means 8)")]
    BoardSize { found: u8 },
    /// The file ends too early.
    #[error("the file ends after {found} of the {announced} records that its header announces")]
    Truncated {
        found: u64,
        /// What the header says.
        announced: u64,
    },
    /// The file goes on too long.
    #[error("there is more after the {announced} records that the header announces")]
    Trailing {
        /// What the header says.
        announced: u64,
    },
    /// A move byte that names no square.
    #[error("move {index} is the byte {found}; expected 10 x row + column, 11 to 88")]
    Move {
        /// The move's number, counted from 1.
        index: usize,
        found: u8,
    },
    /// No move, although more follow.
    #[error("move {index} is missing, but others follow; expected zeros only after the last move")]
    Gap {
        /// The move's number, counted from 1.
        index: usize,
    },
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalRecordedMove),
    /// WTHOR games begin at the usual position.
    #[error("the game begins at {start}; WTHOR can only hold games from the usual start")]
    Start { start: Position },
    /// More records than the header can count.
    #[error("{found} records; the header can count {max}")]
    TooMany {
        /// How many there are.
        found: u64,
        max: u64,
    },
}
