//! Tournaments: what is asked for, how they stand, their boards and games.

use super::{GameKind, Job, PositionView, Report, Side};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

mod making;

pub(crate) use making::{
    tournament_boards, tournament_games, tournament_settings, tournament_summary, tournament_view,
    tuning_view,
};

/// The plan of a tournament: who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    RoundRobin,
    DoubleRoundRobin,
    /// The first engines against all the others.
    Gauntlet,
    Swiss,
    Knockout,
}

impl TournamentFormat {
    const ALL: [(Self, &'static str); 5] = [
        (Self::RoundRobin, "round-robin"),
        (Self::DoubleRoundRobin, "double-round-robin"),
        (Self::Gauntlet, "gauntlet"),
        (Self::Swiss, "swiss"),
        (Self::Knockout, "knockout"),
    ];

    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(format, _)| *format == self);
        found.map_or("round-robin", |(_, name)| name)
    }
}

/// Somebody who takes part: an engine of the user's, or our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentEngine {
    /// What it is called in the tables.
    pub name: String,
    /// An engine of the user's, by its id.
    #[serde(default)]
    #[ts(optional)]
    pub engine: Option<String>,
    /// Our own engine: which level.
    #[serde(default)]
    #[ts(optional)]
    pub level: Option<String>,
    /// Time of its own, such as `10+0.1`.
    #[serde(default)]
    #[ts(optional)]
    pub time: Option<String>,
    /// Its searches end at this depth.
    #[serde(default)]
    #[ts(optional)]
    pub depth: Option<u32>,
    /// Its searches end after so many positions.
    #[serde(default)]
    #[ts(optional)]
    pub nodes: Option<u64>,
}

/// Where games begin: a file of openings, and how it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentOpenings {
    /// A file on the computer that Kibitz runs on.
    pub file: String,
    /// Shuffled by the seed, else in the order of the file.
    #[serde(default)]
    pub random: bool,
    /// No more moves of each opening than this, both sides counted.
    #[serde(default)]
    #[ts(optional)]
    pub plies: Option<u32>,
}

/// When the engines' own values lose or draw a game, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentThreshold {
    pub score: u32,
    /// So many moves in a row.
    pub moves: u32,
    /// Losing: whether the opponent must have thought the same.
    #[serde(default)]
    pub two_sided: bool,
    /// Drawing: not before this move.
    #[serde(default)]
    pub from_move: u32,
}

/// Stop as soon as it is clear whether the first engine is better than the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentTest {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    /// `logistic`, `normalised` or `bayesian`.
    pub model: String,
}

/// Tables of chess endings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentTables {
    /// A folder on the computer that Kibitz runs on.
    pub folder: String,
    /// A win that takes more than fifty moves is a win all the same.
    #[serde(default)]
    pub ignore_fifty_moves: bool,
}

/// A tournament to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentWish {
    pub name: String,
    pub game: GameKind,
    pub format: TournamentFormat,
    /// How often everybody meets everybody; rounds of a Swiss.
    pub rounds: u32,
    /// Games whenever two meet from an opening: 2 with colours reversed, or 1.
    pub games: u32,
    /// Gauntlet: how many of the first engines meet all the others.
    pub seeds: u32,
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: u32,
    /// Everybody's time, such as `10+0.1`.
    #[serde(default)]
    #[ts(optional)]
    pub time: Option<String>,
    /// How much later than its flag a move may come.
    #[serde(default)]
    pub margin_ms: u64,
    /// A longer game is drawn.
    #[serde(default)]
    #[ts(optional)]
    pub max_moves: Option<u32>,
    /// Othello: from so many empty squares on our solver ends games.
    #[serde(default)]
    pub solve_empties: u32,
    #[serde(default)]
    pub ponder: bool,
    /// Engines are started anew for every game.
    #[serde(default)]
    pub restart: bool,
    /// Each game keeps to a core of its own.
    #[serde(default)]
    pub affinity: bool,
    #[serde(default)]
    #[ts(optional)]
    pub openings: Option<TournamentOpenings>,
    #[serde(default)]
    #[ts(optional)]
    pub resign: Option<TournamentThreshold>,
    #[serde(default)]
    #[ts(optional)]
    pub draw: Option<TournamentThreshold>,
    #[serde(default)]
    #[ts(optional)]
    pub tables: Option<TournamentTables>,
    #[serde(default)]
    #[ts(optional)]
    pub sprt: Option<TournamentTest>,
    pub engines: Vec<TournamentEngine>,
}

/// Where a tournament stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum TournamentState {
    Running,
    /// No new games begin until it is resumed.
    Paused,
    /// Games under way go on, then it stops.
    Finishing,
    /// It can be resumed.
    Stopped,
    Finished,
    /// Its test has decided.
    Decided,
    /// Another program plays it.
    Elsewhere,
}

/// A tournament in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentSummary {
    pub id: u64,
    pub name: String,
    pub game: GameKind,
    pub state: TournamentState,
    /// Finished pairs, of so many, and the games in them.
    pub pairs: u64,
    pub pairs_asked: u64,
    pub games: u64,
    pub engines: Vec<String>,
    /// What it is, in words: game, plan, time, openings.
    pub description: String,
    /// Why it cannot be read or was left: a sentence.
    pub problem: Option<String>,
}

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentRow {
    /// Its place among the engines.
    pub player: usize,
    pub games: u64,
    pub points: f64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Above the mean of all, with half of the 95 % interval.
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    /// How likely it is that it is better than the next one, 0 to 1.
    pub ahead_of_next: Option<f64>,
    /// Games lost by a crash, an illegal move, silence or the clock.
    pub faults: u64,
    /// Share of points with the first move and without, 0 to 1.
    pub first_share: Option<f64>,
    pub second_share: Option<f64>,
    /// Mean and longest thinking and latency, in milliseconds.
    pub mean_ms: f64,
    pub longest_ms: u64,
    pub mean_latency_ms: f64,
    pub longest_latency_ms: u64,
}

/// Points of the row's player against the column's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentCell {
    pub points: f64,
    pub games: u64,
    /// How likely it is that the row's player is better, 0 to 1.
    pub superiority: Option<f64>,
}

/// A curve to be drawn: places on the abscissa, values, and half of their 95 % intervals.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentCurve {
    pub pairs: Vec<u64>,
    pub values: Vec<f64>,
    pub errors: Vec<Option<f64>>,
}

/// Where the sequential test stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentVerdict {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: String,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    /// `null` as long as it is open; then whether the first engine is better.
    pub decided: Option<bool>,
    /// Pairs by points of the first engine: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
}

/// Something that a person should know about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentIncident {
    /// When it happened, in seconds since 1970.
    pub seconds: u64,
    /// The pair and the game in it, counted from 0; `null` if it is about the tournament.
    pub pair: Option<u64>,
    pub game: Option<usize>,
    pub text: String,
    /// Whether an engine did something that none should.
    pub is_fault: bool,
}

/// How often games ended for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentEnd {
    pub reason: String,
    pub games: u64,
}

/// How an opening went for the side with the first move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentOpening {
    /// Counted from 1, in the order of the file.
    pub opening: usize,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// A tournament as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentView {
    pub summary: TournamentSummary,
    /// The work that plays it, while it is played.
    pub job: Option<Job>,
    pub standings: Vec<TournamentRow>,
    /// By players in the order of the engines.
    pub crosstable: Vec<Vec<TournamentCell>>,
    pub test: Option<TournamentVerdict>,
    pub llr_curve: TournamentCurve,
    /// The first engine against the second.
    pub elo_curve: TournamentCurve,
    /// With more than two engines: each of them.
    pub rating_curves: Vec<TournamentCurve>,
    /// What happened, the newest first.
    pub incidents: Vec<TournamentIncident>,
    pub ends: Vec<TournamentEnd>,
    /// Openings that were played most, at most fifty.
    pub openings: Vec<TournamentOpening>,
    /// What the first move is worth.
    pub first_move_elo: Option<f64>,
    pub first_move_error: Option<f64>,
    pub draw_share: Option<f64>,
    /// Who has won a knockout.
    pub champion: Option<usize>,
}

/// A game under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentBoard {
    /// Which of the games that are played at the same time.
    pub worker: usize,
    pub pair: u64,
    pub game: usize,
    /// The names of both players.
    pub black: String,
    pub white: String,
    pub position: PositionView,
    /// Where the last move ended, 0 to 63.
    pub last: Option<u8>,
    pub plies: usize,
    /// `null` without a limit.
    pub black_ms: Option<u64>,
    pub white_ms: Option<u64>,
    /// What each found last.
    pub black_thinks: Option<Report>,
    pub white_thinks: Option<Report>,
}

/// The boards of a tournament, and how many pairs are finished: when that changes, the rest is worth
/// another look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentBoards {
    pub pairs: u64,
    pub boards: Vec<TournamentBoard>,
}

/// A finished game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGame {
    pub pair: u64,
    pub game: usize,
    pub round: u32,
    /// Which of the file's openings, counted from 1.
    pub opening: Option<usize>,
    pub black: String,
    pub white: String,
    /// Who has won; `null` is a draw.
    pub winner: Option<Side>,
    /// Discs of Black more than of White, where they were counted.
    pub discs: Option<i32>,
    pub reason: String,
    pub plies: usize,
}

/// A part of the finished games, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGames {
    pub total: usize,
    pub games: Vec<TournamentGame>,
}

/// How a tournament is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TournamentStop {
    /// Gives up the games under way; they are played again on resume.
    #[serde(default)]
    pub at_once: bool,
}

/// What a tournament is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum TournamentExport {
    /// Games of chess with values and times.
    Pgn,
    /// Games of Othello with values and times.
    Ggf,
    /// Games of Othello, moves alone.
    Transcript,
    /// The crosstable, for spreadsheets.
    Csv,
    Json,
    /// A page that needs nothing else.
    Html,
}

/// A number that is tuned, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TunedParameter {
    pub name: String,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    pub value: f64,
    /// By steps in the place of pairs.
    pub curve: TournamentCurve,
}

/// A tuning of an engine's parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TuningView {
    pub id: u64,
    pub name: String,
    pub game: GameKind,
    /// Finished steps, of so many.
    pub done: u64,
    pub steps: u64,
    pub is_running: bool,
    pub parameters: Vec<TunedParameter>,
}
