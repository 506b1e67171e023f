//! What the server tells unasked.

use super::{AnalysisState, Clock, Report, Review, SessionPatch, SessionView, Settings};
use super::{analysis_state, clock, report, review, session_view, settings};
use crate::wire;
use app::desk;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a job is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum JobSubject {
    /// Every move of a session's line is valued; counted in moves.
    Review { session: String },
    /// Games are read from a file; counted in bytes.
    Import {
        /// The file's name, if it came with one.
        name: Option<String>,
    },
    /// Games of the library are reviewed, so many; counted in games.
    Reviews { games: u64 },
    /// The games of a file go into the database; counted in bytes.
    Collect { name: String },
    /// Games are fetched from a server far away; counted in months, or not at all (`total` is 0).
    Fetch { name: String },
    /// An engine is downloaded and put in place; counted in bytes.
    Install {
        engine: String,
        /// What it is called.
        name: String,
    },
    /// Engines play against each other; counted in pairs of games.
    Tournament {
        id: u64,
        /// What it is called.
        name: String,
    },
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum JobState {
    /// Waits for its turn.
    Waiting,
    Running,
    /// It stands still until it is resumed.
    Paused,
    Finished,
    /// Somebody stopped it; what it had done stays.
    Cancelled,
    /// It failed; `message` says why.
    Failed,
}

/// Work that takes a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    pub id: u64,
    pub subject: JobSubject,
    pub state: JobState,
    pub done: u64,
    /// … of so many.
    pub total: u64,
    pub message: String,
    /// How long it will go on at the pace so far; `null` if that is not known.
    pub remaining_ms: Option<u64>,
    /// Whether it can be paused.
    pub can_pause: bool,
}

/// Where the engine's thinking stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ThinkingState {
    /// It began, or has found something new.
    Running,
    /// It has moved: a session view follows or has come already.
    Finished,
    /// It was stopped: somebody went elsewhere.
    Stopped,
    /// It failed; a notice says why.
    Failed,
}

/// The engine choosing its move. Without scores as long as those are hidden.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Thinking {
    pub session: String,
    /// The position it thinks about.
    pub node: u32,
    pub state: ThinkingState,
    pub level: String,
    /// What it has found, where values may be seen.
    pub report: Option<Report>,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum NoticeLevel {
    Info,
    /// Something is not as it should be.
    Warning,
    Error,
}

/// Something to tell the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// How much it matters.
    pub level: NoticeLevel,
    pub message: String,
}

/// One message of the event stream. A new stream begins with the settings, all jobs and the
/// current session as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", content = "data", rename_all = "camelCase")]
pub enum ServerEvent {
    /// A session has changed.
    Session(Box<SessionView>),
    /// The same for a stream that has asked for patches and has seen the session before.
    Patch(Box<SessionPatch>),
    /// Another session became the current one.
    Current {
        session: String,
    },
    /// A session was deleted.
    Deleted {
        session: String,
    },
    /// An analysis has something new.
    Analysis(AnalysisState),
    /// The engine thinks, or has stopped to.
    Thinking(Thinking),
    /// A clock was started, stopped or has run out.
    Clock {
        session: String,
        clock: Clock,
    },
    /// A job began, came on or ended.
    Job(Job),
    /// A review has come on.
    Review(Review),
    /// The settings have changed.
    Settings(Settings),
    /// Engines were added, removed or tried: ask for the list again.
    Engines,
    /// A tournament began, stands still, goes on or ended: ask for the list again.
    Tournaments,
    /// What engines found about positions is in the database: ask the explorer again.
    Values,
    Notice(Notice),
    Bye,
}

pub(crate) fn job(job: &desk::Job) -> wire::Job {
    wire::Job {
        id: job.id,
        subject: match &job.subject {
            desk::Subject::Review { session } => wire::JobSubject::Review {
                session: session.clone(),
            },
            desk::Subject::Import { name } => wire::JobSubject::Import { name: name.clone() },
            desk::Subject::Reviews { games } => wire::JobSubject::Reviews { games: *games },
            desk::Subject::Collect { name } => wire::JobSubject::Collect { name: name.clone() },
            desk::Subject::Fetch { name } => wire::JobSubject::Fetch { name: name.clone() },
            desk::Subject::Install { engine, name } => wire::JobSubject::Install {
                engine: engine.clone(),
                name: name.clone(),
            },
            desk::Subject::Tournament { id, name } => wire::JobSubject::Tournament {
                id: *id,
                name: name.clone(),
            },
        },
        state: match job.state {
            desk::JobState::Waiting => wire::JobState::Waiting,
            desk::JobState::Running => wire::JobState::Running,
            desk::JobState::Paused => wire::JobState::Paused,
            desk::JobState::Finished => wire::JobState::Finished,
            desk::JobState::Cancelled => wire::JobState::Cancelled,
            desk::JobState::Failed => wire::JobState::Failed,
        },
        done: job.done,
        total: job.total,
        message: job.message.clone(),
        remaining_ms: job.remaining_ms,
        can_pause: job.subject.can_pause() && !job.state.is_over(),
    }
}

pub(crate) fn event(event: desk::Event) -> wire::ServerEvent {
    match event {
        desk::Event::Session(snapshot) => ServerEvent::Session(Box::new(session_view(&snapshot))),
        desk::Event::Current(session) => ServerEvent::Current { session },
        desk::Event::Deleted(session) => ServerEvent::Deleted { session },
        desk::Event::Analysis(state) => ServerEvent::Analysis(analysis_state(&state)),
        desk::Event::Thinking(thinking) => ServerEvent::Thinking(wire::Thinking {
            session: thinking.session,
            node: thinking.node.index(),
            state: match thinking.state {
                desk::ThinkingState::Running => wire::ThinkingState::Running,
                desk::ThinkingState::Finished => wire::ThinkingState::Finished,
                desk::ThinkingState::Stopped => wire::ThinkingState::Stopped,
                desk::ThinkingState::Failed => wire::ThinkingState::Failed,
            },
            level: thinking.level.name.to_owned(),
            report: thinking.report.as_ref().map(report),
        }),
        desk::Event::Clock {
            session,
            clock: told,
            now_ms,
        } => ServerEvent::Clock {
            session,
            clock: clock(&told, now_ms),
        },
        desk::Event::Job(told) => ServerEvent::Job(job(&told)),
        desk::Event::Review(told) => ServerEvent::Review(review(&told)),
        desk::Event::Engines => ServerEvent::Engines,
        desk::Event::Tournaments => ServerEvent::Tournaments,
        desk::Event::Values => ServerEvent::Values,
        desk::Event::Settings(told) => ServerEvent::Settings(settings(&told)),
        desk::Event::Notice(level, message) => ServerEvent::Notice(wire::Notice {
            level: match level {
                desk::NoticeLevel::Info => wire::NoticeLevel::Info,
                desk::NoticeLevel::Warning => wire::NoticeLevel::Warning,
                desk::NoticeLevel::Error => wire::NoticeLevel::Error,
            },
            message,
        }),
    }
}
