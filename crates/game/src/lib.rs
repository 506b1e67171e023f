//! What the workbench shares, whatever the game: positions and moves, records of games with
//! variations, outcomes, reports of an analysis, time controls and clocks.
//!
//! [`Position`] and [`Move`] are closed enums, one member per game; everything above them (move
//! trees, clocks, reports) exists once. What is deliberately absent: searching, processes,
//! databases, JSON, and any clock that was not handed in.
//!
//! ```
//! use game::{Position, Record};
//!
//! let mut record = Record::new(Position::OTHELLO_START);
//! let f5 = record.add_text(record.root(), "f5")?;
//! let d6 = record.add_text(f5, "d6")?;
//! let f6 = record.add_text(f5, "f6")?;
//! assert_eq!(record.children(f5), [d6, f6]);
//! record.promote_to_main(f6)?;
//! assert_eq!(record.main_line().last(), Some(f6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod annotations;
mod chess;
mod clock;
mod convert;
pub mod eco;
pub mod endings;
pub mod epd;
mod outcome;
mod packed;
pub mod pgn;
pub mod polyglot;
mod position;
mod record;
mod report;
mod score;
mod tags;
mod time;

pub use annotations::AnnotationError;
pub use chess::{
    ChessMove, ChessNumberError, ChessPosition, IllegalChessMoveError, Man, ParseChessMoveError,
    ParseFenError, Role,
};
pub use clock::{Clock, ClockError};
pub use convert::{ConvertError, Lost};
pub use othello::Side;
pub use outcome::{Claim, Ending, Outcome, ParseTerminationError, Termination};
pub use packed::{Footprint, Packed, ParsePatternError, Pattern, Trail, UnpackError, Way};
pub use position::{IllegalMoveError, Kind, Move, ParseMoveError, ParsePositionError, Position};
pub use record::{
    AddMoveError, Descendants, Glyph, Node, NodeId, Note, Record, Stop, Tour, TreeError,
};
pub use report::{Bound, Chances, Control, Line, Reach, Report, Source, Statistics};
pub use score::Score;
pub use tags::Tags;
pub use time::{ParseTimeControlError, TimeControl};
