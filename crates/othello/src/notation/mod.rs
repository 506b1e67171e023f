//! Text and bytes to positions and games, and back.
//!
//! Each notation has a reader that yields items one by one, in bounded memory, from any
//! [`std::io::BufRead`]. An item is what was read or a [`Problem`] that says where and what was
//! expected; one bad item never costs the others. [`Record`] is the shape between two notations.

mod board;
mod format;
mod ggf;
mod lines;
mod moves;
mod obf;
mod problem;
mod record;
mod text;
mod transcript;
mod wthor;

pub use board::{ParsePositionError, board_string};
pub use format::{
    Boards, Format, ParseFormatError, WriteRecordError, detect, read_boards, read_records,
};
pub use ggf::{GgfError, GgfGame, GgfMove, GgfReader, GgfTag, GgfWriter, read_ggf};
pub use moves::ParseMoveError;
pub use obf::{
    DiscsText, ObfEntry, ObfError, ObfLine, ObfReader, ParseDiscsError, ScoredMove, read_obf,
};
pub use problem::{At, IllegalRecordedMove, Place, Problem, ProblemKind, RECORD_BYTES_MAX};
pub use record::{MoveNote, Record, RecordError, WthorDirectory};
pub use text::RawText;
pub use transcript::{
    TranscriptError, TranscriptPart, Transcripts, compact_transcript, numbered_transcript,
    parse_transcript, parse_transcript_from, parse_transcript_part, read_transcripts,
};
pub use wthor::{
    GAME_BYTES, HEADER_BYTES, MOVES_MAX, PLAYER_BYTES, TOURNAMENT_BYTES, WthorDate, WthorError,
    WthorGame, WthorHeader, WthorName, WthorNames, WthorNamesReader, WthorPlayers, WthorReader,
    WthorReplay, WthorTournaments, WthorWriter, read_wthor, read_wthor_names,
};

/// Foreign text as it may stand in an error message: one line, never long.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut short: String = text.chars().take(LIMIT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
