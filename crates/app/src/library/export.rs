//! Games of the database as files.

use super::{LibraryError, html, record_of, result_text};
use game::{Kind, Record, pgn};
use std::{io::Write, str::FromStr};
use store::{GameId, Store, StoreError, StoredGame};

/// What games can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Chess games with variations, comments and signs.
    Pgn,
    /// Othello: the main line with evaluations and times.
    Ggf,
    /// Othello: moves alone, a line a game.
    Transcript,
    /// Games of either kind as one page to read and print.
    Html,
}

/// The name of no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no format of games; expected pgn, ggf, transcript or html")]
pub struct ParseExportFormatError(String);

impl FromStr for ExportFormat {
    type Err = ParseExportFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pgn" => Ok(Self::Pgn),
            "ggf" => Ok(Self::Ggf),
            "transcript" | "txt" => Ok(Self::Transcript),
            "html" | "htm" => Ok(Self::Html),
            other => Err(ParseExportFormatError(other.to_owned())),
        }
    }
}

impl ExportFormat {
    /// Whether a game of this kind can be written.
    pub fn holds(self, kind: Kind) -> bool {
        match self {
            Self::Pgn => kind == Kind::Chess,
            Self::Ggf | Self::Transcript => kind == Kind::Othello,
            Self::Html => true,
        }
    }

    /// The end of a file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Ggf => "ggf",
            Self::Transcript => "txt",
            Self::Html => "html",
        }
    }
}

/// What an export wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    pub games: u64,
    /// Games of the selection that the format does not hold: those of the other game.
    pub left_out: u64,
    /// Games that the database has, but that cannot be read.
    pub problems: Vec<String>,
}

/// Writes games, in the order of their numbers here. One that is gone is left out.
pub fn export(
    store: &Store,
    ids: &[GameId],
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<Exported, LibraryError> {
    let mut exported = Exported::default();
    if format == ExportFormat::Html {
        let beginning = html::BEGINNING.as_bytes();
        out.write_all(beginning).map_err(LibraryError::Write)?;
    }
    for &id in ids {
        let game = match store.game(id) {
            Err(StoreError::NoSuchGame(_)) => continue,
            found => found?,
        };
        if !format.holds(game.packed.kind) {
            exported.left_out += 1;
            continue;
        }
        let note = match format {
            ExportFormat::Html => store.game_note(id)?,
            _ => None,
        };
        match text_of(&game, note.as_deref(), format) {
            Ok(text) => {
                out.write_all(&text).map_err(LibraryError::Write)?;
                exported.games += 1;
            }
            Err(problem) => exported.problems.push(format!("game {id}: {problem}")),
        }
    }
    out.flush().map_err(LibraryError::Write)?;
    Ok(exported)
}

fn text_of(game: &StoredGame, note: Option<&str>, format: ExportFormat) -> Result<Vec<u8>, String> {
    let record = record_of(game).map_err(|error| error.to_string())?;
    match format {
        ExportFormat::Pgn => {
            let text = pgn::write(&record).map_err(|error| error.to_string())?;
            Ok(text.into_bytes())
        }
        ExportFormat::Ggf => {
            let (ggf, _) = record.to_ggf().map_err(|error| error.to_string())?;
            let mut bytes = Vec::new();
            let written = ggf.write_to(&mut bytes);
            written.map_err(|error| error.to_string())?;
            bytes.push(b'\n');
            Ok(bytes)
        }
        ExportFormat::Transcript => Ok(format!("{}\n", line_of(&record)).into_bytes()),
        ExportFormat::Html => Ok(html::game(game, &record, note).into_bytes()),
    }
}

/// The main line as players write it: `f5d6c3`, or `e4 e5 Nf3`.
pub fn moves_text(game: &StoredGame) -> String {
    let record = game.packed.replay();
    record.map_or_else(|error| error.to_string(), |record| line_of(&record))
}

pub(super) fn line_of(record: &Record) -> String {
    if let Some(game) = record.to_othello_game() {
        return game.transcript();
    }
    main_moves(record).join(" ")
}

/// The moves of the main line, as players write them.
pub fn main_moves(record: &Record) -> Vec<String> {
    let mut words = Vec::new();
    let mut before = record.start();
    for node in record.main_line().filter_map(|id| record.node(id)) {
        words.extend(node.action().map(|action| before.san(action)));
        before = node.position();
    }
    words
}

/// `38–26` in Othello, `1-0` in chess; nothing if the result is not known.
pub fn score_text(game: &StoredGame) -> Option<String> {
    let score = game.score?;
    Some(match game.packed.kind {
        Kind::Othello => {
            // Empty squares go to the winner, so that both add up to 64.
            let black = (64 + i32::from(score)) / 2;
            format!("{black}–{}", 64 - black)
        }
        Kind::Chess => result_text(game.winner()).to_owned(),
    })
}
