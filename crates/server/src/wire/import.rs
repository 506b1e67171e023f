//! Games from outside, and back.

use super::{GameKind, game_kind};
use crate::wire;
use app::desk;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What goes into the address of an import; the body is the file or the text itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct ImportWish {
    /// The file's name, if it has one: its ending may tell the format.
    pub name: Option<String>,
}

/// A game that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportedGame {
    /// Its number in the import, counted from 0: `game` of `NewGame`.
    pub game: u32,
    /// One line: players, event, date, result, or the first moves.
    pub title: String,
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    /// As the file has it.
    pub date: Option<String>,
    /// Such as `34–30` or `1–0`.
    pub result: Option<String>,
    pub plies: u32,
    pub kind: GameKind,
}

/// Something that could not be read. The other games are not concerned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportProblem {
    /// The number of the game or position in the file, counted from 1.
    pub record: u64,
    /// The line, counted from 1; `null` in files that have none.
    pub line: Option<u64>,
    /// The column, counted from 1, where it is known.
    pub column: Option<u64>,
    /// The byte, counted from 0, in files without lines.
    pub byte: Option<u64>,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// What an import found. Open a game with `POST /api/sessions` and `{import, game}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    /// The import's name. The last few imports are kept until the program ends.
    pub id: String,
    /// What it was taken for, in words: "GGF", "transcript", "WTHOR games" …
    pub format: String,
    /// How many games were read.
    pub total: u32,
    /// The first thousand of them.
    pub games: Vec<ImportedGame>,
    /// How many could not be read.
    pub n_problems: u32,
    /// The first hundred problems.
    pub problems: Vec<ImportProblem>,
    /// What else there is to say: a file of names has no games, and is kept for those to come.
    pub note: Option<String>,
}

/// A notation to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// The moves of the line shown, `f5d6c3…`.
    Transcript,
    /// The line shown, with players and comments.
    Ggf,
    /// The position at the current node.
    Board,
    /// The same, with the known values of its moves.
    Obf,
    /// A game of chess with everything that is said about it.
    Pgn,
    /// The position of chess at the current node.
    Fen,
    /// The same, with its value if that is known.
    Epd,
}

/// The text of an export and what its format could not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    pub format: ExportFormat,
    /// A name for a file.
    pub file_name: String,
    pub text: String,
}

pub(crate) fn import(import: &desk::Import) -> wire::ImportResult {
    /// What a list can show.
    const MOST: usize = 1_000;
    wire::ImportResult {
        id: import.id.clone(),
        format: import.format.to_owned(),
        total: import.n_games() as u32,
        games: import
            .games(MOST)
            .enumerate()
            .map(|(i, game)| {
                let [black, white] = game.players;
                wire::ImportedGame {
                    game: i as u32,
                    title: game.title,
                    black,
                    white,
                    event: game.event,
                    date: game.date,
                    result: game.result,
                    plies: game.plies as u32,
                    kind: game_kind(game.kind),
                }
            })
            .collect(),
        n_problems: import.n_problems as u32,
        problems: import
            .problems
            .iter()
            .map(|problem| wire::ImportProblem {
                record: problem.record,
                line: problem.line,
                column: problem.column,
                byte: problem.byte,
                message: problem.message.clone(),
            })
            .collect(),
        note: import.note.clone(),
    }
}
