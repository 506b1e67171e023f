//! Settings, levels, and what this program is.

use super::{People, TimeControlWish};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// Colours of the whole page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// What the system prefers.
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
    /// High contrast.
    HighContrast,
}

/// What can be laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OverlayName {
    /// How many moves a move leaves.
    Mobility,
    /// Odd and even regions.
    Parity,
    /// Safe discs.
    Stability,
    /// Moves that open or close a corner.
    Corners,
    /// Discs next to empty squares.
    Frontier,
}

/// How the page looks and works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UiSettings {
    /// Colours.
    pub theme: Theme,
    /// No animations, whatever the system says.
    pub reduced_motion: bool,
    /// Which overlays the rail offers.
    pub overlays: Vec<OverlayName>,
    /// Letters by what they do, such as `hint` → `h`; only those that were changed.
    pub keys: BTreeMap<String, String>,
}

/// What values positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Evaluator {
    /// Trained patterns.
    Pattern,
    /// Six features that players count by hand.
    Classic,
}

/// What searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// Alpha-beta with an exact endgame solver.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
}

/// How readily late moves are searched less deep at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LateMoves {
    /// Later and less.
    Conservative,
    /// As measured best.
    Normal,
    /// Sooner and more.
    Aggressive,
}

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineSettings {
    /// The table of a search, in megabytes.
    pub tt_mb: u32,
    /// Search threads; 0 is one for each core but one.
    pub threads: u32,
    /// With so many empty squares or fewer, analyses are exact.
    pub endgame_exact_empties: u32,
    /// What searches for levels and analyses.
    pub engine: EngineName,
    /// What values positions.
    pub evaluator: Evaluator,
    /// A file of weights, from the home folder if not from the root; empty is the shipped ones.
    pub weights: String,
    /// Half of the first window of a search, in centidiscs.
    pub aspiration_cp: u32,
    /// Late move reductions.
    pub lmr: LateMoves,
}

/// What a new game is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlaySettings {
    /// The engine's level.
    pub level: String,
    /// Which side a person plays.
    pub people: People,
    /// The clock; `null` is none.
    pub time_control: Option<TimeControlWish>,
    /// Whether values are shown from the start.
    pub show_values: bool,
    /// Whether blunders are told.
    pub blunder_alert: bool,
}

/// What the configuration file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The page.
    pub ui: UiSettings,
    /// The engine.
    pub engine: EngineSettings,
    /// New games.
    pub play: PlaySettings,
    /// Whether this is the first start: nobody has played here yet.
    pub is_first_launch: bool,
    /// What is odd about the configuration file, in sentences.
    pub warnings: Vec<String>,
}

/// Changes to the page's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct UiSettingsChange {
    /// Colours.
    pub theme: Option<Theme>,
    /// No animations.
    pub reduced_motion: Option<bool>,
    /// Which overlays the rail offers.
    pub overlays: Option<Vec<OverlayName>>,
    /// All changed letters.
    pub keys: Option<BTreeMap<String, String>>,
}

/// Changes to the engine's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct EngineSettingsChange {
    /// Megabytes, 1 to 65536.
    pub tt_mb: Option<u32>,
    /// 0 to 256.
    pub threads: Option<u32>,
    /// 0 to 60.
    pub endgame_exact_empties: Option<u32>,
    /// What searches for levels and analyses.
    pub engine: Option<EngineName>,
    /// What values positions. Weights of the other evaluator do not fit: change both together.
    pub evaluator: Option<Evaluator>,
    /// A file of weights; it is read before anything is changed, and refused if it does not fit.
    pub weights: Option<String>,
    /// 1 to 6400.
    pub aspiration_cp: Option<u32>,
    /// Late move reductions.
    pub lmr: Option<LateMoves>,
}

/// Changes to what a new game is like.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct PlaySettingsChange {
    /// The engine's level.
    pub level: Option<String>,
    /// Which side a person plays.
    pub people: Option<People>,
    /// The clock; 0 and 0 is none.
    pub time_control: Option<TimeControlWish>,
    /// Whether values are shown from the start.
    pub show_values: Option<bool>,
    /// Whether blunders are told.
    pub blunder_alert: Option<bool>,
}

/// Changes to the settings; what is left out stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct SettingsChange {
    /// The page.
    pub ui: Option<UiSettingsChange>,
    /// The engine.
    pub engine: Option<EngineSettingsChange>,
    /// New games.
    pub play: Option<PlaySettingsChange>,
    /// Somebody has seen the welcome: this is not the first launch any more.
    pub welcomed: Option<bool>,
}

/// A level of play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Level {
    /// Such as `elo_1400`.
    pub name: String,
    /// What to show for it.
    pub title: String,
    /// A sentence about how it plays.
    pub description: String,
    /// Plies that it looks ahead.
    pub depth: Option<u32>,
    /// Milliseconds that it takes at most.
    pub time_ms: u64,
    /// Whether it is the one for new games.
    pub is_default: bool,
}

/// What this program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// `Kibitz`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// `GPL-3.0-or-later`.
    pub license: String,
    /// Where it keeps its files.
    pub home: String,
    /// What values positions now.
    pub weights: WeightsInUse,
}

/// The weights in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WeightsInUse {
    /// As reports name them: `pattern:shipped`, or `classic:mine.json#0123abcd`.
    pub name: String,
    /// What they are for.
    pub evaluator: Evaluator,
    /// Their file; `null` for those that the program comes with.
    pub file: Option<String>,
    /// Eight digits that tell the file's contents from others'.
    pub checksum: Option<String>,
}

/// One thing that the self-test tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SelfTestCheck {
    /// `rules`, `solver`, `weights` or `disk`.
    pub name: String,
    /// Whether it went well.
    pub ok: bool,
    /// What was found, or what is wrong and what to do about it.
    pub text: String,
}

/// Whether the program works on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SelfTest {
    /// Whether everything went well.
    pub ok: bool,
    /// What was tried.
    pub checks: Vec<SelfTestCheck>,
}

/// Whether the server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Always true.
    pub ok: bool,
}
