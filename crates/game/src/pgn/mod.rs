//! PGN, the notation of chess games: a file into games ([`Splitter`]), a game's text into its moves
//! and annotations ([`read`]), and a record into text ([`write()`]).
//!
//! shakmaty knows the rules. Its companion `pgn-reader` skips what it does not understand and does
//! not say where; here a game that cannot be read is told with its line, and nothing is skipped.

mod read;
mod split;
mod write;

pub use read::{PgnError, PgnGame, read};
pub use split::{GAME_BYTES_MAX, Slice, Splitter};
pub use write::write;

/// The results of PGN as text.
const WHITE_WINS: &str = "1-0";
const BLACK_WINS: &str = "0-1";
const DRAWN: &str = "1/2-1/2";
const UNKNOWN: &str = "*";
