//! Games of the database as files.

use super::{LibraryError, record_of};
use game::{Kind, Position, Record, pgn};
use std::{io::Write, str::FromStr};
use store::{Filter, Order, Store, StoredGame};

/// What games can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Chess games with variations, comments and signs.
    Pgn,
    /// Othello: the main line with evaluations and times.
    Ggf,
    /// Othello: moves alone, a line a game.
    Transcript,
}

/// The name of no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no format of games; expected pgn, ggf or transcript")]
pub struct ParseExportFormatError(String);

impl FromStr for ExportFormat {
    type Err = ParseExportFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pgn" => Ok(Self::Pgn),
            "ggf" => Ok(Self::Ggf),
            "transcript" | "txt" => Ok(Self::Transcript),
            other => Err(ParseExportFormatError(other.to_owned())),
        }
    }
}

impl ExportFormat {
    const fn kind(self) -> Kind {
        match self {
            Self::Pgn => Kind::Chess,
            Self::Ggf | Self::Transcript => Kind::Othello,
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

/// Writes the games that pass a filter, in the order in which they were added.
pub fn export(
    store: &Store,
    filter: &Filter,
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<Exported, LibraryError> {
    let mut exported = Exported::default();
    for id in store.find_ids(filter, Order::Added)? {
        let game = store.game(id)?;
        if game.packed.kind != format.kind() {
            exported.left_out += 1;
            continue;
        }
        match text_of(&game, format) {
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

fn text_of(game: &StoredGame, format: ExportFormat) -> Result<Vec<u8>, String> {
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
    }
}

/// The main line as players write it: `f5d6c3`, or `e4 e5 Nf3`.
pub fn moves_text(game: &StoredGame) -> String {
    let record = game.packed.replay();
    record.map_or_else(|error| error.to_string(), |record| line_of(&record))
}

fn line_of(record: &Record) -> String {
    if let Some(game) = record.to_othello_game() {
        return game.transcript();
    }
    let position = |id| record.position(id).cloned();
    let mut words = Vec::new();
    let mut before: Option<Position> = Some(record.start().clone());
    for id in record.main_line() {
        let action = record.node(id).and_then(game::Node::action);
        if let (Some(before), Some(action)) = (&before, action) {
            words.push(before.san(action));
        }
        before = position(id);
    }
    words.join(" ")
}
