//! The configuration: what may stand in it, its defaults ([`Config`]), the table of its keys
//! (`keys`) and its file, changed without hurting what the user wrote there (`file`).

mod file;
mod keys;
mod nearest;
mod reading;
#[cfg(test)]
mod tests;

pub use file::{ConfigError, ConfigFile, UnreadableError, load};

use crate::{
    BookChoice, EngineChoice, EvaluatorChoice, LateMoves, Limits, OPPONENTS, Profile, Tuning,
    live::Addresses,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// How the page looks and works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UiConfig {
    pub theme: Theme,
    pub reduced_motion: bool,
    /// Which overlays are offered.
    pub overlays: Vec<OverlayName>,
    /// Letters that were changed, by what they do.
    pub keys: BTreeMap<String, String>,
    /// Whether Review asks for a better move before it shows one.
    pub try_first: bool,
    /// Whether somebody has been welcomed.
    pub welcomed: bool,
}

/// How the engine works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineConfig {
    /// The table of analyses in megabytes.
    pub tt_mb: u32,
    /// Search threads; 0 is one for each core but one, which the browser needs.
    pub threads: u32,
    /// With so many empty squares or fewer, analyses are exact.
    pub endgame_exact_empties: u32,
    /// What searches, unless a game, an analysis or a command says otherwise.
    pub engine: EngineName,
    /// Half of the first window of a midgame search, in centidiscs.
    pub aspiration_cp: u32,
    /// How readily late moves are asked less deep at first.
    pub lmr: LateMoves,
}

impl EngineConfig {
    /// What every search is told.
    pub const fn tuning(self) -> Tuning {
        Tuning {
            aspiration: self.aspiration_cp,
            late_moves: self.lmr,
        }
    }
}

/// The keys that choose the evaluation and its weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvaluationConfig {
    pub evaluator: EvaluatorChoice,
    /// A file of weights; empty for the shipped ones.
    pub weights: String,
}

impl EvaluationConfig {
    /// Where the weights are; `None` is the shipped ones. A path that does not begin at the root
    /// begins at the home folder, where the configuration is.
    pub fn file(&self, home: &Path) -> Option<PathBuf> {
        (!self.weights.is_empty()).then(|| home.join(&self.weights))
    }
}

/// A search by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum EngineName {
    /// Alpha-beta with an exact endgame solver.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
}

impl EngineName {
    /// All, with their names on command lines, in files and in reports.
    pub const NAMES: [(&str, Self); 2] = [("alphabeta", Self::AlphaBeta), ("mcts", Self::Mcts)];

    /// Whether its scores are what a position is worth with best play. Those of a Monte Carlo search
    /// are averages: they are shown as its own and never kept as the value of a position.
    pub const fn gives_values(self) -> bool {
        matches!(self, Self::AlphaBeta)
    }

    /// The search, with where its chance comes from if it needs any.
    pub const fn with_seed(self, seed: u64) -> EngineChoice {
        match self {
            Self::AlphaBeta => EngineChoice::AlphaBeta,
            Self::Mcts => EngineChoice::Mcts { seed },
        }
    }
}

/// What a new game is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayConfig {
    pub level: Profile,
    /// Which side a person plays.
    pub people: crate::People,
    /// Each side's time; 0, with no increment, is no clock.
    pub initial_ms: u64,
    /// What each move adds.
    pub increment_ms: u64,
    /// Whether values are shown from the start.
    pub show_values: bool,
    /// Whether a move that costs much is asked about, after the reply.
    pub blunder_alert: bool,
    /// Whether it is asked about before it stands.
    pub ask_before: bool,
}

/// How the server listens.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiConfig {
    /// A port; 0 is any free one.
    pub port: u16,
    /// The token; an empty one is made anew at each start.
    pub token: String,
    /// Requests a second from programs with the token.
    pub rate_limit_rps: u32,
}

/// A token is not for logs.
impl std::fmt::Debug for ApiConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiConfig")
            .field("port", &self.port)
            .field("rate_limit_rps", &self.rate_limit_rps)
            .finish_non_exhaustive()
    }
}

/// What is logged, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogConfig {
    /// `error`, `warn`, `info`, `debug` or `trace`.
    pub level: String,
    /// Days of logs that are kept.
    pub keep_days: u32,
}

/// Whether the program may fetch anything at all. It never does so unasked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetworkConfig {
    pub enabled: bool,
    /// Where games are fetched from.
    pub addresses: Addresses,
}

/// Colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// What the system prefers.
    System,
    Dark,
    Light,
    HighContrast,
}

/// What can be laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayName {
    /// How many moves a move leaves.
    Mobility,
    /// Odd and even regions.
    Parity,
    Stability,
    /// Moves that open or close a corner.
    Corners,
    /// Discs next to empty squares.
    Frontier,
}

impl Theme {
    /// All, with their names in the file.
    pub const NAMES: [(&str, Self); 4] = [
        ("system", Self::System),
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("high_contrast", Self::HighContrast),
    ];
}

impl OverlayName {
    /// All, with their names in the file.
    pub const NAMES: [(&str, Self); 5] = [
        ("mobility", Self::Mobility),
        ("parity", Self::Parity),
        ("stability", Self::Stability),
        ("corners", Self::Corners),
        ("frontier", Self::Frontier),
    ];
}

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub ui: UiConfig,
    pub engine: EngineConfig,
    /// What values positions; it stands in the file's section of the engine.
    pub evaluation: EvaluationConfig,
    /// Which opening book; it stands in the file's section of the engine, too.
    pub book: BookChoice,
    /// A Polyglot book that the explorer shows for chess, from the home folder if its path does not
    /// begin at the root; empty for none. It stands in the file's section of the engine, too.
    pub chess_book: String,
    pub play: PlayConfig,
    pub api: ApiConfig,
    pub log: LogConfig,
    pub network: NetworkConfig,
}

impl Config {
    /// Whom a game is against if nobody says. Who has been welcomed by nobody and has chosen no level
    /// meets the weakest opponent: a newcomer must be able to win.
    pub fn opponent(&self) -> Profile {
        let is_chosen = self.ui.welcomed || self.play.level != Profile::default();
        if is_chosen {
            self.play.level
        } else {
            OPPONENTS[0]
        }
    }

    /// Whoever has been welcomed goes on with the opponent that they began with.
    pub fn welcome(&mut self) {
        self.play.level = self.opponent();
        self.ui.welcomed = true;
    }

    /// Chooses whom a game is against: also the level that would have been it anyway, which nobody
    /// could tell from no choice.
    pub fn choose_level(&mut self, level: Profile) {
        self.play.level = level;
        self.ui.welcomed = true;
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ui: UiConfig {
                theme: Theme::System,
                reduced_motion: false,
                overlays: vec![
                    OverlayName::Mobility,
                    OverlayName::Parity,
                    OverlayName::Stability,
                ],
                keys: BTreeMap::new(),
                try_first: true,
                welcomed: false,
            },
            engine: EngineConfig {
                tt_mb: 128,
                threads: 0,
                endgame_exact_empties: 18,
                engine: EngineName::AlphaBeta,
                aspiration_cp: Limits::DEFAULT_ASPIRATION,
                lmr: LateMoves::Normal,
            },
            evaluation: EvaluationConfig::default(),
            book: BookChoice::Shipped,
            chess_book: String::new(),
            play: PlayConfig {
                level: Profile::default(),
                people: crate::People::Black,
                initial_ms: 0,
                increment_ms: 0,
                show_values: false,
                blunder_alert: true,
                ask_before: false,
            },
            api: ApiConfig {
                port: 0,
                token: String::new(),
                rate_limit_rps: 10,
            },
            log: LogConfig {
                level: "info".to_owned(),
                keep_days: 14,
            },
            network: NetworkConfig::default(),
        }
    }
}
