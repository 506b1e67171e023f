//! What the desk tells: sessions as they are, thinking, notices.

use super::{AnalysisState, Job, Review};
use crate::{
    Config, ConfigFile, Profile, Session,
    config::{EngineConfig, EngineName},
    memory::table_limit_mb,
};
use game::{Clock, NodeId, Report};

/// A session as it is at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub session: Session,
    /// The analyses that run or ran last for its current node, one for each engine.
    pub analyses: Vec<AnalysisState>,
    /// The opening: its title, how many plies belong to it.
    pub opening: Option<(String, usize)>,
    /// The moves that the book has at the current node, heaviest first.
    pub book: Vec<othello::Square>,
    /// What searches for the level.
    pub engine: EngineName,
    /// When this was: what a running clock has to be read at.
    pub now_ms: u64,
    /// Why the latest change is not on disk, where it is not: a sentence.
    pub not_saved: Option<String>,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub id: String,
    pub revision: u64,
    /// What it is for.
    pub mode: crate::Mode,
    /// Which game is played.
    pub kind: game::Kind,
    /// Moves of its main line.
    pub plies: usize,
    /// What the user calls it.
    pub title: Option<String>,
    /// The names of Black's and White's players, if it has any.
    pub players: Option<[String; 2]>,
    /// How the game ended, or what is going on in it; for a file that cannot be used, why not.
    pub status: String,
    /// Whether it can be opened.
    pub is_usable: bool,
    /// Whether it is the current one.
    pub is_current: bool,
}

/// Where the engine's thinking stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingState {
    Running,
    Finished,
    Stopped,
    Failed,
}

/// The engine choosing a move.
#[derive(Debug, Clone)]
pub struct Thinking {
    pub session: String,
    pub node: NodeId,
    pub state: ThinkingState,
    pub level: Profile,
    /// Who is to move.
    pub side: game::Side,
    /// What it found, where values may be seen.
    pub report: Option<Report>,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeLevel {
    Info,
    /// Not as it should be.
    Warning,
    Error,
}

/// What the desk tells its listener; each event carries the new state.
#[derive(Debug, Clone)]
pub enum Event {
    Session(Box<Snapshot>),
    /// Which session is the current one.
    Current(String),
    /// A session was deleted.
    Deleted(String),
    Analysis(AnalysisState),
    /// The engine thinks, or has stopped to.
    Thinking(Thinking),
    /// A clock was started, stopped, or has run out.
    Clock {
        session: String,
        clock: Clock,
        /// When to read it.
        now_ms: u64,
    },
    Job(Job),
    Review(Review),
    Settings(SettingsView),
    /// Engines were added, removed or tried: the list is worth another look.
    Engines,
    /// A tournament began, stands still, goes on or ended: the list is worth another look.
    Tournaments,
    /// What engines found about positions is in the database: the explorer is worth another look.
    Values,
    /// Something to tell the user.
    Notice(NoticeLevel, String),
}

/// The configuration and what is odd about its file.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsView {
    pub config: Config,
    pub warnings: Vec<String>,
    /// The largest table that this computer has room for, if it is known.
    table_limit_mb: Option<u32>,
}

impl SettingsView {
    /// What a file says. A table that this computer has no room for is told.
    pub(super) fn of(file: &ConfigFile, memory_mb: Option<u64>) -> Self {
        let table_limit_mb = memory_mb.map(table_limit_mb);
        let mut warnings = file.warnings().to_vec();
        let wanted = file.config().engine.tt_mb;
        if let Some(limit) = table_limit_mb.filter(|&limit| wanted > limit) {
            warnings.push(format!(
                "engine.tt_mb is {wanted}, but this computer has room for {limit} MB; analyses use \
                 {limit} MB"
            ));
        }
        Self {
            config: file.config().clone(),
            warnings,
            table_limit_mb,
        }
    }

    /// How the engine works, with a table that this computer has room for.
    pub(super) fn engine(&self) -> EngineConfig {
        let mut engine = self.config.engine;
        engine.tt_mb = engine.tt_mb.min(self.table_limit_mb.unwrap_or(u32::MAX));
        engine
    }
}
