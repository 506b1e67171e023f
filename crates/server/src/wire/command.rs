//! What the browser asks for, and how it is refused.

use super::{EngineName, GameKind, Glyph, Mode, People};
use crate::wire;
use app::session;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is swapped for a cookie.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Login {
    /// What stood behind `#code=` in the address; it works once.
    Code(String),
    /// The token of `server.json`.
    Token(String),
}

/// Neither is for logs.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").finish_non_exhaustive()
    }
}

/// An address that lets one browser in, once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    pub url: String,
    /// After so many seconds it is good no more.
    pub expires_s: u64,
}

/// It is not for logs.
impl std::fmt::Debug for Invitation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invitation").finish_non_exhaustive()
    }
}

/// Time for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeControlWish {
    /// Each side's time, in milliseconds.
    pub initial_ms: u64,
    /// What each move adds, in milliseconds.
    pub increment_ms: u64,
}

/// A place in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct From {
    pub session: String,
    pub node: u32,
}

/// A foreign engine to play against.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct OpponentWish {
    /// Its name on the shelf.
    pub engine: String,
    /// Settings for this game in the engine's own words, names and values: `UCI_Elo`, `Skill Level`.
    pub options: Option<Vec<(String, String)>>,
    /// It looks so many plies ahead …
    pub depth: Option<u32>,
    /// … and at so many positions, beside the clock and the time for a move.
    pub nodes: Option<u64>,
}

/// A new session. What is left out comes from the settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct NewGame {
    /// Which game; Othello if left out.
    pub kind: Option<GameKind>,
    /// A foreign engine that plays in the place of a level.
    pub opponent: Option<OpponentWish>,
    /// Play if left out.
    pub mode: Option<Mode>,
    pub level: Option<String>,
    /// What searches for the level; as configured if left out.
    pub engine: Option<EngineName>,
    /// How long the engine may think about a move, in milliseconds (100 to 600000); the level's
    /// own time if left out. It puts no clock on the person.
    pub move_ms: Option<u64>,
    /// Which sides a person plays; Black in Play and both in Analyse if left out.
    pub people: Option<People>,
    /// No clock if left out.
    pub time_control: Option<TimeControlWish>,
    /// Where to begin: 64 squares, a space and the side to move; for chess a FEN, or `chess960:` and
    /// a number from 0 to 959.
    pub position: Option<String>,
    /// Moves to make first, such as `f5d6c3` or `e4 e5 Nf3`.
    pub moves: Option<String>,
    /// A place in another game: the moves up to there come along, and that game stays as it is.
    pub from: Option<From>,
    /// A game from an import: its `id` from `ImportResult` …
    pub import: Option<String>,
    /// … and which of its games, counted from 0; 0 if left out.
    pub game: Option<u32>,
    /// The session that the asker shows until now: its clock and its engine stop, and it is deleted
    /// if nothing was done in it. Without it, no other session is touched.
    pub leaves: Option<String>,
}

/// Changes to a session; what is left out stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct SessionChange {
    /// What it is for.
    pub mode: Option<Mode>,
    pub level: Option<String>,
    /// Which sides a person plays.
    pub people: Option<People>,
    /// Show or hide values in Play.
    pub show_values: Option<bool>,
    /// A title; an empty one takes it away.
    pub title: Option<String>,
    /// Whether the coach may ask about moves that cost much.
    pub asks: Option<bool>,
}

/// A move to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveWish {
    /// Such as `f5`, or `ps` for a pass.
    #[serde(rename = "move")]
    pub action: String,
    /// Where; the current node if left out. A move that is already there is followed, a new one
    /// becomes a variation.
    #[serde(default)]
    #[ts(optional)]
    pub node: Option<u32>,
}

/// One step, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    First,
    Previous,
    /// One forth, where the line shown in the move list goes.
    Next,
    /// To the end of that line.
    Last,
}

/// Where to go: a node or a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum GotoWish {
    Node(u32),
    /// A step from the current one.
    Step(Step),
}

/// A comment for a node; an empty one takes it away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommentWish {
    pub text: String,
}

/// Signs for a node; none take them away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlyphsWish {
    pub glyphs: Vec<Glyph>,
}

/// Moves to keep as a variation, from a node on; passes may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineWish {
    pub moves: Vec<String>,
}

/// A position that was set up by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PositionWish {
    /// 64 squares, a space and the side to move.
    pub position: String,
}

/// What can be done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PositionCheck {
    /// Why nobody can play on from it; `null` if somebody can.
    pub problem: Option<String>,
    /// What is odd about it, in sentences.
    pub notes: Vec<String>,
    /// The position as it is read.
    pub position: String,
}

/// How far to promote a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct PromoteWish {
    /// All the way, so that it is the main line; else before its elder sibling.
    pub to_main: Option<bool>,
}

/// What went wrong, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// 400: the request cannot be understood.
    Malformed,
    /// 401: no valid token or cookie.
    NotLoggedIn,
    /// 403: asked under a name that is not ours.
    WrongHost,
    /// 403: asked by a foreign page.
    WrongOrigin,
    /// 404: there is no such address.
    NotFound,
    /// 404: there is no such session.
    NoSuchSession,
    /// 404: there is no such node in the session.
    NoSuchNode,
    /// 404: there is no such job.
    NoSuchJob,
    /// 404: there is no such tournament, or not that game in it.
    NoSuchTournament,
    /// 404: that import is not there any more.
    NoSuchImport,
    /// 404: there is no such game in the database.
    NoSuchGame,
    /// 405: the address does not understand this method.
    MethodNotAllowed,
    /// 409: not possible in this state, such as a move while the engine thinks.
    Conflict,
    /// 408: the body took too long to arrive.
    TooSlow,
    TooLarge,
    /// 415: not the content type that is expected.
    WrongContentType,
    /// 422: the rules forbid the move.
    IllegalMove,
    /// 422: understood, but a value is not possible, such as a level that does not exist.
    Invalid,
    /// 422: nothing could be read from the text or file.
    Unreadable,
    /// 429: too many requests.
    TooManyRequests,
    /// 500: our mistake; the log has more.
    Internal,
    /// 500: the disk failed. A change of a game is made and kept in memory; the message says more.
    NotSaved,
    /// 507: the same, because the disk is full.
    NoSpace,
    /// 503: the database of games cannot be used; the message says why.
    NoLibrary,
    /// 503: too busy, or going down.
    Unavailable,
}

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    pub code: ErrorCode,
    /// For people: a sentence that says what would be right.
    pub message: String,
}

pub(crate) const fn step_of(step: wire::Step) -> session::Step {
    match step {
        wire::Step::First => session::Step::First,
        wire::Step::Previous => session::Step::Previous,
        wire::Step::Next => session::Step::Next,
        wire::Step::Last => session::Step::Last,
    }
}
