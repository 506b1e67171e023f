//! The games that the user keeps: lists, the explorer, imports, notes, saved searches.

use super::{FetchState, GameKind, Job, game_kind, job};
use crate::wire;
use app::{
    desk,
    library::{self, ExportFormat, ListedGame, StoredGame, date_text},
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum GamesOrder {
    #[default]
    Newest,
    Oldest,
    /// The greatest sum of ratings first.
    Strongest,
    /// In the order in which they were added.
    Added,
}

/// A game of the database in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameRow {
    pub id: u32,
    pub kind: GameKind,
    /// Empty where it is not known, as `white` and `event`.
    pub black: String,
    pub white: String,
    pub event: String,
    /// `1996.05.17`, `1996.05`, `1996`, or empty.
    pub date: String,
    /// `38–26` in Othello, `1-0` in chess; `null` if it is not known.
    pub result: Option<String>,
    pub black_elo: Option<u16>,
    pub white_elo: Option<u16>,
    /// Moves, passes not counted.
    pub plies: u32,
    /// The name of the opening, in Othello.
    pub opening: Option<String>,
    /// The words that the user gave to it.
    pub tags: Vec<String>,
    pub has_note: bool,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GamesFound {
    /// How many games there are on all pages.
    pub total: u32,
    pub games: Vec<GameRow>,
    /// How long the search took, in microseconds.
    pub took_us: u64,
}

/// A game of the database, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameDetails {
    pub game: GameRow,
    /// What else its file said: name and value.
    pub facts: Vec<(String, String)>,
    /// The main line, as players write it.
    pub moves: Vec<String>,
    /// Markdown of the user; empty if there is none.
    pub note: String,
}

/// A query under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearch {
    pub name: String,
    pub query: String,
}

/// What there is in the database, and whether it can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LibraryState {
    /// Why it cannot be used; `null` if it can.
    pub problem: Option<String>,
    pub games: u64,
    pub notes: u64,
    pub bytes: u64,
    /// The names under which the user plays.
    pub names: Vec<String>,
    pub searches: Vec<SavedSearch>,
    pub fetch: FetchState,
}

/// A record of a file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RecordProblem {
    pub file: String,
    /// The number of the game in its file, counted from 1; `null` if the whole file cannot be read.
    pub record: Option<u64>,
    /// Counted from 1; `null` in files that are no text.
    pub line: Option<u64>,
    /// The column, counted from 1, where it is known.
    pub column: Option<u64>,
    /// What was found and what would be right.
    pub message: String,
}

/// A file whose games go into the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileImport {
    /// Counts the bytes of the file.
    pub job: Job,
    pub name: String,
    pub bytes: u64,
    /// Games that were read, good ones and bad ones.
    pub read: u64,
    pub new: u64,
    /// Games that were there already.
    pub known: u64,
    pub n_problems: u64,
    /// The first thousand. Each of these games was left out; the others went in.
    pub problems: Vec<RecordProblem>,
    /// How long it has worked.
    pub worked_ms: u64,
}

/// What became of a file that was handed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileReceived {
    /// The job that reads its games; `null` for a file of names.
    pub job: Option<Job>,
    /// What else there is to say, as a sentence.
    pub note: Option<String>,
}

/// A stored game is opened in Review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct OpenWish {
    /// The session that the window leaves.
    pub leaves: Option<String>,
}

/// Some games of the database, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChosenGames {
    /// At most 5,000 numbers of games.
    pub games: Vec<u32>,
}

/// How many games were deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DeletedGames {
    pub deleted: u32,
}

/// A word is given to games, or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TagWish {
    /// At most 5,000 numbers of games.
    pub games: Vec<u32>,
    /// At most 60 characters.
    pub tag: String,
    pub is_set: bool,
}

/// The note on a game; an empty text removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteWish {
    /// Markdown, at most 20,000 characters.
    pub text: String,
}

/// The note on a position; an empty text removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PositionNote {
    /// A board and the side to move, or a FEN.
    pub position: String,
    /// Markdown, at most 20,000 characters.
    pub text: String,
}

/// A note that has the words that were looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundNote {
    /// The position that it is about; `null` for a note on a game.
    pub position: Option<String>,
    /// The game that it is about; `null` for a note on a position.
    pub game: Option<GameRow>,
    pub text: String,
}

/// A query to save.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchWish {
    /// At most 2,000 characters.
    pub query: String,
}

/// The names under which the user plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnNames {
    /// At most 50 of them.
    pub names: Vec<String>,
}

/// A part of reviewed games: a month, a name of mistakes, an opening, a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InsightBar {
    /// `2024.05`, `corner opened`, `Tiger`, `endgame`; empty for what has no name.
    pub name: String,
    /// Games that have something of it.
    pub games: u64,
    /// Moves that were looked at; 0 for a name of mistakes.
    pub moves: u64,
    pub mistakes: u64,
    /// What all moves cost together, or those mistakes, in hundredths of discs.
    pub loss: i64,
    /// From 0 to 100; `null` for a name of mistakes.
    pub accuracy: Option<f64>,
    /// The words that, added to the query, find its games.
    pub query: Option<String>,
}

/// The accuracy of one game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InsightPoint {
    pub game: u32,
    /// `1996.05.17`, `1996.05`, `1996`, or empty.
    pub date: String,
    /// From 0 to 100.
    pub accuracy: f64,
}

/// What the reviews of many games show together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Insights {
    /// How many games were reviewed …
    pub games: u64,
    /// … of so many.
    pub total: u64,
    /// From 0 to 100; `null` before the first review.
    pub accuracy: Option<f64>,
    /// In the order of dates.
    pub over_time: Vec<InsightPoint>,
    pub months: Vec<InsightBar>,
    /// Mistakes by name, the dearest first.
    pub classes: Vec<InsightBar>,
    /// The most frequent first.
    pub openings: Vec<InsightBar>,
    /// In the order of a game.
    pub phases: Vec<InsightBar>,
}

/// Games to review as one job: the newest that have no review yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewManyWish {
    /// Which games, as in a list.
    pub query: String,
    /// At most so many, up to 1,000.
    pub most: u32,
}

/// What a selection of games is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum GamesFormat {
    /// Chess, with variations and comments.
    Pgn,
    /// Othello, with evaluations and times.
    Ggf,
    /// Othello, a line of moves for each game.
    Transcript,
    /// Either, as one page to read and print.
    Html,
}

pub(crate) const fn format_of(format: GamesFormat) -> ExportFormat {
    match format {
        GamesFormat::Pgn => ExportFormat::Pgn,
        GamesFormat::Ggf => ExportFormat::Ggf,
        GamesFormat::Transcript => ExportFormat::Transcript,
        GamesFormat::Html => ExportFormat::Html,
    }
}

pub(crate) const fn order_of(order: GamesOrder) -> library::Order {
    match order {
        GamesOrder::Newest => library::Order::Newest,
        GamesOrder::Oldest => library::Order::Oldest,
        GamesOrder::Strongest => library::Order::Strongest,
        GamesOrder::Added => library::Order::Added,
    }
}

/// A game of which the row alone is known.
pub(crate) fn stored_row(game: &StoredGame) -> wire::GameRow {
    let known = |elo: u16| (elo != 0).then_some(elo);
    wire::GameRow {
        id: game.id,
        kind: game_kind(game.packed.kind),
        black: game.black.clone(),
        white: game.white.clone(),
        event: game.event.clone(),
        date: date_text(game.date),
        result: library::score_text(game),
        black_elo: known(game.black_elo),
        white_elo: known(game.white_elo),
        plies: game.length.into(),
        opening: None,
        tags: Vec::new(),
        has_note: false,
    }
}

pub(crate) fn game_row(listed: &ListedGame) -> wire::GameRow {
    wire::GameRow {
        opening: listed.opening.clone(),
        tags: listed.tags.clone(),
        has_note: listed.has_note,
        ..stored_row(&listed.game)
    }
}

pub(crate) fn game_details(details: &desk::GameDetails) -> wire::GameDetails {
    let tags = details.record.tags.iter();
    wire::GameDetails {
        game: game_row(&details.listed),
        facts: tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        moves: library::main_moves(&details.record),
        note: details.note.clone().unwrap_or_default(),
    }
}

pub(crate) fn file_import(import: &desk::FileImport) -> wire::FileImport {
    let problem = |it: &library::ImportProblem| {
        let name = it.file.file_name().unwrap_or_default();
        wire::RecordProblem {
            file: name.to_string_lossy().into_owned(),
            record: it.place.map(|it| it.record),
            line: it.place.and_then(|it| it.line),
            column: it.place.and_then(|it| it.column),
            message: it.message.clone(),
        }
    };
    wire::FileImport {
        job: job(&import.job),
        name: import.name.clone(),
        bytes: import.n_bytes,
        read: import.counts.read,
        new: import.counts.new,
        known: import.counts.known,
        n_problems: import.counts.problems,
        problems: import.problems.iter().map(problem).collect(),
        worked_ms: import.worked_ms,
    }
}

fn insight_bar(bar: &library::Bar) -> wire::InsightBar {
    wire::InsightBar {
        name: bar.name.clone(),
        games: bar.games,
        moves: bar.moves,
        mistakes: bar.mistakes,
        loss: bar.loss,
        accuracy: bar.accuracy,
        query: bar.query.clone(),
    }
}

pub(crate) fn insights(insights: &library::Insights) -> wire::Insights {
    let bars = |bars: &[library::Bar]| bars.iter().map(insight_bar).collect();
    let point = |point: &library::GamePoint| wire::InsightPoint {
        game: point.game,
        date: date_text(point.date),
        accuracy: point.accuracy,
    };
    wire::Insights {
        games: insights.games,
        total: insights.total,
        accuracy: insights.accuracy,
        over_time: insights.over_time.iter().map(point).collect(),
        months: bars(&insights.months),
        classes: bars(&insights.classes),
        openings: bars(&insights.openings),
        phases: bars(&insights.phases),
    }
}
