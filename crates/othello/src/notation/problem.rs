//! What was wrong with one item of a file, and where: the other items are not concerned.

use super::{GgfError, ObfError, ParsePositionError, RecordError, TranscriptError, WthorError};
use crate::{Bitboard, Game, Move, Side};
use std::{fmt, io};

/// The longest record that a reader keeps in memory; a longer one is skipped and reported.
pub const RECORD_BYTES_MAX: usize = 1 << 20;

/// One item that could not be read. Readers go on with the next one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Problem {
    pub place: Place,
    /// What is wrong, and what was expected.
    #[source]
    pub kind: ProblemKind,
}

/// Where an item stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The item's number, counted from 1; bad items count too.
    pub record: u64,
    /// How to find it.
    pub at: At,
}

/// A line for text, a byte for everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// Line number, counted from 1.
    Line(u64),
    /// Byte offset, counted from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}, ", self.record)?;
        match self.at {
            At::Line(line) => write!(f, "line {line}"),
            At::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// What can be wrong with an item.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The source failed; nothing more can be read from it.
    #[error("reading failed: {message}")]
    Io {
        /// The kind of failure.
        kind: io::ErrorKind,
        message: String,
    },
    /// Longer than any honest record.
    #[error("longer than {RECORD_BYTES_MAX} bytes; expected one record, skipped")]
    TooLong,
    /// Bytes that are not text where text is needed.
    #[error("not UTF-8 text from byte {valid_up_to} of the line on; expected ASCII")]
    NotText {
        /// How many bytes of the line are text.
        valid_up_to: usize,
    },
    /// Not a board string.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// Not an OBF line.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// Not a GGF game.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// Not a WTHOR file or record.
    #[error(transparent)]
    Wthor(#[from] WthorError),
    /// A record that another format cannot hold.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl From<io::Error> for ProblemKind {
    fn from(error: io::Error) -> Self {
        Self::Io {
            kind: error.kind(),
            message: error.to_string(),
        }
    }
}

/// A move of a recorded game that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {index} ({text:?}) is not legal for {side}; legal: {}", what_is_legal(*legal, *over))]
pub struct IllegalRecordedMove {
    /// Its number among the written moves, counted from 1.
    pub index: usize,
    /// The move as written.
    pub text: String,
    /// Who was to move, after a pass that was due.
    pub side: Side,
    /// What that side could have played.
    pub legal: Bitboard,
    /// Whether the game was over before this move.
    pub over: bool,
}

fn what_is_legal(legal: Bitboard, over: bool) -> String {
    match (over, legal.is_empty()) {
        (true, _) => "none, the game is over".to_owned(),
        (false, true) => "pass".to_owned(),
        (false, false) => legal.to_string(),
    }
}

/// Plays a written move; a due pass before a placed disc need not have been written.
pub(super) fn play_recorded(
    game: &mut Game,
    index: usize,
    action: Move,
) -> Result<(), IllegalRecordedMove> {
    let played = match action {
        Move::Place(square) => game.place(square),
        Move::Pass => game.play(Move::Pass),
    };
    played.map_err(|_| {
        let mut position = game.position();
        let over = game.is_over();
        if action != Move::Pass && !over && position.board.legal_moves().is_empty() {
            position = position.swapped();
        }
        IllegalRecordedMove {
            index,
            text: action.to_string(),
            side: position.side,
            legal: position.board.legal_moves(),
            over,
        }
    })
}
