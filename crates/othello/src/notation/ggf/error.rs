//! What can be wrong with a GGF game.

use crate::Side;
use crate::notation::{IllegalRecordedMove, ParseMoveError, ParsePositionError};

/// Why bytes are not a GGF game, or a GGF game is not one of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// Text that belongs to no game.
    #[error("unexpected {found:?}; expected a game that begins with (;")]
    Outside {
        /// What stood there, shortened.
        found: String,
    },
    /// A game without an end.
    #[error("the game does not end; expected ;)")]
    Unterminated,
    /// Something that is no tag.
    #[error("unexpected {found:?} at byte {at} of the game; expected a tag such as PB[name]")]
    Tag {
        /// What stood there, shortened.
        found: String,
        /// Its place, counted from the game's first byte as 0.
        at: usize,
    },
    /// A name or value that GGF cannot hold.
    #[error(
        "{text:?} cannot be written; expected a name of letters and digits, and a value without ] and (;GM["
    )]
    Unwritable {
        /// The name or value, shortened.
        text: String,
    },
    #[error("the game is {found:?}; expected Othello")]
    OtherGame {
        /// The value of `GM`.
        found: String,
    },
    /// A board of another size.
    #[error("board type {found:?} is not supported; expected 8x8")]
    BoardType {
        /// The value of `TY` or the size in `BO`.
        found: String,
    },
    /// The start position cannot be read.
    #[error("in BO: {0}")]
    Board(ParsePositionError),
    /// A move that is none.
    #[error("move {index}: {error}")]
    Move {
        /// Its number, counted from 1.
        index: usize,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// A move by the side that is not to move.
    #[error("move {index} ({text:?}) is by {side}; expected a move by {}", side.other())]
    Turn {
        /// Its number, counted from 1.
        index: usize,
        /// The move as written.
        text: String,
        /// Who made it, according to its tag.
        side: Side,
    },
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalRecordedMove),
}
