//! The desk: everything that lives longer than a request.
//!
//! Games with their trees, the engines on their own threads, the running analysis, jobs, imports
//! and settings. Every method is one wish. What changes is told to a listener, in the order in
//! which it changes; the listener is called with the desk locked and must not wait or call back.
//!
//! Two threads search: one plays the levels' moves, undisturbed by what else is asked, the other
//! does everything else, the most urgent first. A third watches clocks and saves games.

mod analysis;
mod coaching;
mod games;
mod import;
mod keeper;
mod moves;
mod review;
mod tools;

pub use analysis::{AnalysisState, AnalysisStatus, AnalysisWish, Hint};
pub use coaching::{PreviewStep, Why};
pub use games::{Change, Exported, NewGame, Start};
pub use import::{Import, ImportProblem, ImportedGame};
pub use review::{Review, ReviewedMove};

use crate::{
    Config, ConfigFile, Home, Profile, Session,
    config::ConfigError,
    engine_levels::UnknownProfileError,
    session::SessionError,
    worker::{Ticket, Worker},
};
use coach::explain::Openings;
use game::{Clock, NodeId, Report};
use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread::JoinHandle,
};
use tools::{AnalystTools, PlayerTools};

/// Milliseconds since whenever, from outside.
pub type NowMs = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Whom to tell.
pub type Listener = Box<dyn Fn(Event) + Send + Sync>;

/// A session as it is at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The session.
    pub session: Session,
    /// The analysis that runs or ran last for its current node.
    pub analysis: Option<AnalysisState>,
    /// The opening: its title, how many plies belong to it.
    pub opening: Option<(String, usize)>,
    /// When this was: what a running clock has to be read at.
    pub now_ms: u64,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub id: String,
    /// Its revision.
    pub revision: u64,
    /// What it is for.
    pub mode: crate::Mode,
    /// Moves of its main line.
    pub plies: usize,
    /// Its status sentence.
    pub status: String,
    /// Whether it is the current one.
    pub is_current: bool,
}

/// Where the engine's thinking stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingState {
    /// At work.
    Running,
    /// It has moved.
    Finished,
    /// It was stopped.
    Stopped,
    /// It failed.
    Failed,
}

/// The engine choosing a move.
#[derive(Debug, Clone)]
pub struct Thinking {
    /// The session.
    pub session: String,
    /// Where.
    pub node: NodeId,
    /// Where it stands.
    pub state: ThinkingState,
    /// Its level.
    pub level: Profile,
    /// Who is to move.
    pub side: game::Side,
    /// What it found, where values may be seen.
    pub report: Option<Report>,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Not as it should be.
    Warning,
    /// Something failed.
    Error,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// Values every move of a game.
    Review,
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Waits for its turn.
    Waiting,
    /// At work.
    Running,
    /// Done.
    Finished,
    /// Somebody stopped it.
    Cancelled,
    /// It failed.
    Failed,
}

impl JobState {
    /// Whether nothing will happen any more.
    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// Work that takes a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub id: u64,
    /// What it does.
    pub kind: JobKind,
    /// The session it works for.
    pub session: String,
    /// Where it stands.
    pub state: JobState,
    /// Pieces done.
    pub done: usize,
    /// Pieces in all.
    pub total: usize,
    /// A sentence.
    pub message: String,
}

/// What changed.
#[derive(Debug, Clone)]
pub enum Event {
    /// A session.
    Session(Box<Snapshot>),
    /// Which session is the current one.
    Current(String),
    /// The analysis.
    Analysis(AnalysisState),
    /// The engine thinks, or has stopped to.
    Thinking(Thinking),
    /// A clock was started, stopped, or has run out.
    Clock {
        /// The session.
        session: String,
        /// Its clock.
        clock: Clock,
        /// When to read it.
        now_ms: u64,
    },
    /// A job.
    Job(Job),
    /// A review.
    Review(Review),
    /// The settings.
    Settings(SettingsView),
    /// Something to tell the user.
    Notice(NoticeLevel, String),
}

/// The configuration and what is odd about its file.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsView {
    /// What is configured.
    pub config: Config,
    /// Sentences.
    pub warnings: Vec<String>,
}

/// A wish that was refused.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// No session of that name.
    #[error("there is no session {0:?}; use \"current\" or an id from the list")]
    NoSuchSession(String),
    /// No job of that number.
    #[error("there is no job {0}")]
    NoSuchJob(u64),
    /// No import of that name, or not that many games in it.
    #[error("{0}")]
    NoSuchImport(String),
    /// The session does not allow it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No level of that name.
    #[error(transparent)]
    Level(#[from] UnknownProfileError),
    /// Not possible now.
    #[error("{0}")]
    Conflict(String),
    /// Understood, but not possible at all.
    #[error("{0}")]
    Invalid(String),
    /// The move is against the rules.
    #[error("{0}")]
    IllegalMove(String),
    /// Nothing could be read from the text.
    #[error("{0}")]
    Unreadable(String),
    /// The settings cannot be changed.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A search failed.
    #[error("the engine failed: {0}; the log has more")]
    Engine(String),
    /// The program is ending.
    #[error("the program is ending")]
    Closing,
}

/// The desk could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The openings that the program comes with are damaged.
    #[error(transparent)]
    Openings(#[from] coach::explain::OpeningsError),
}

/// An engine move under way.
#[derive(Debug)]
struct EngineMove {
    session: String,
    node: NodeId,
    ticket: Ticket,
}

#[derive(Debug)]
struct State {
    config: ConfigFile,
    sessions: HashMap<String, Session>,
    current: String,
    analysis: Option<analysis::Running>,
    /// Of the latest analysis.
    generation: u64,
    /// What was found last beside the running analysis and is still to be seen: where, and what.
    seen: Option<(String, NodeId, Report)>,
    engine_move: Option<EngineMove>,
    blunder_check: Option<Ticket>,
    jobs: Vec<(Job, Ticket)>,
    n_jobs: u64,
    reviews: HashMap<String, Review>,
    imports: VecDeque<Arc<Import>>,
    n_imports: u64,
    /// Sessions that changed since they were saved.
    unsaved: BTreeSet<String>,
    is_closing: bool,
}

struct Shared {
    home: Home,
    now_ms: NowMs,
    listener: Listener,
    openings: Openings,
    state: Mutex<State>,
    /// Revisions on disk by session; held while a file is written.
    saved: Mutex<HashMap<String, u64>>,
    /// Wakes the keeper of clocks and files.
    wake: Condvar,
    player: Worker<PlayerTools>,
    analyst: Worker<AnalystTools>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

/// The desk; see the module. Clones are the same desk.
#[derive(Debug, Clone)]
pub struct Desk {
    shared: Arc<Shared>,
}

impl Desk {
    /// Sets the desk up: the last session is taken out of its drawer, or a new one is begun.
    pub fn open(
        home: Home,
        config: ConfigFile,
        now_ms: NowMs,
        listener: Listener,
    ) -> Result<Self, OpenError> {
        let shared = Arc::new(Shared {
            openings: Openings::shipped()?,
            state: Mutex::new(State {
                config,
                sessions: HashMap::new(),
                current: String::new(),
                analysis: None,
                generation: 0,
                seen: None,
                engine_move: None,
                blunder_check: None,
                jobs: Vec::new(),
                n_jobs: 0,
                reviews: HashMap::new(),
                imports: VecDeque::new(),
                n_imports: 0,
                unsaved: BTreeSet::new(),
                is_closing: false,
            }),
            saved: Mutex::new(HashMap::new()),
            wake: Condvar::new(),
            player: Worker::start("kibitz-player").map_err(OpenError::Thread)?,
            analyst: Worker::start("kibitz-analyst").map_err(OpenError::Thread)?,
            keeper: Mutex::new(None),
            home,
            now_ms,
            listener,
        });
        let desk = Self { shared };
        desk.take_out_last_session();
        let keeper = keeper::start(&desk.shared).map_err(OpenError::Thread)?;
        *lock(&desk.shared.keeper) = Some(keeper);
        desk.warm_up();
        Ok(desk)
    }

    /// The settings.
    pub fn settings(&self) -> SettingsView {
        self.shared.lock().settings()
    }

    /// Changes the settings and writes them down.
    pub fn change_settings(
        &self,
        change: impl FnOnce(&mut Config) -> Result<(), DeskError>,
    ) -> Result<SettingsView, DeskError> {
        let mut state = self.shared.lock();
        let mut wanted = state.config.config().clone();
        change(&mut wanted)?;
        state.config.change(|config| *config = wanted)?;
        let view = state.settings();
        self.shared.tell(Event::Settings(view.clone()));
        Ok(view)
    }

    /// The folder with its files.
    pub fn home(&self) -> &Home {
        &self.shared.home
    }

    /// All jobs of this run, the newest last.
    pub fn jobs(&self) -> Vec<Job> {
        let state = self.shared.lock();
        state.jobs.iter().map(|(job, _)| job.clone()).collect()
    }

    /// Stops a job; what it had found stays.
    pub fn cancel_job(&self, id: u64) -> Result<Job, DeskError> {
        let mut state = self.shared.lock();
        let found = state.jobs.iter_mut().find(|(job, _)| job.id == id);
        let Some((job, ticket)) = found else {
            return Err(DeskError::NoSuchJob(id));
        };
        if !job.state.is_over() {
            ticket.cancel();
            job.state = JobState::Cancelled;
            "Cancelled.".clone_into(&mut job.message);
        }
        let job = job.clone();
        self.shared.tell(Event::Job(job.clone()));
        Ok(job)
    }

    /// Ends everything that runs and saves what has changed. Wishes are refused from now on.
    pub fn close(&self) {
        let shared = &self.shared;
        {
            let mut state = shared.lock();
            state.is_closing = true;
            let now_ms = (shared.now_ms)();
            for session in state.sessions.values_mut() {
                // Time stands still while the program does not run.
                if session
                    .clock()
                    .is_some_and(|clock| clock.running().is_some())
                {
                    session.stop_clock(now_ms);
                }
            }
            let ids: Vec<String> = state.sessions.keys().cloned().collect();
            state.unsaved.extend(ids);
            shared.wake.notify_all();
        }
        shared.player.close();
        shared.analyst.close();
        // The keeper saves what is left before it ends; its panics have nobody to go to.
        lock(&shared.keeper).take().map(JoinHandle::join);
    }
}

/// A lock whose holder panicked protects plain data all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn tell(&self, event: Event) {
        (self.listener)(event);
    }

    /// Tells the user, and the log.
    fn notice(&self, level: NoticeLevel, message: String) {
        match level {
            NoticeLevel::Info => tracing::info!(notice = message),
            NoticeLevel::Warning => tracing::warn!(notice = message),
            NoticeLevel::Error => tracing::error!(notice = message),
        }
        self.tell(Event::Notice(level, message));
    }

    fn snapshot(&self, state: &State, session: &Session) -> Snapshot {
        let analysis = state.analysis.as_ref().map(|running| &running.state);
        let of_this =
            |it: &&AnalysisState| it.session == session.id() && it.node == session.cursor();
        let moves: Vec<othello::Move> = session
            .record()
            .moves_to(session.cursor())
            .into_iter()
            .filter_map(game::Move::othello)
            .collect();
        let start = session.record().start().othello();
        let opening = start.and_then(|start| {
            let found = self.openings.recognise(start, &moves)?;
            Some((found.opening.title(), found.plies))
        });
        Snapshot {
            session: session.clone(),
            analysis: analysis.filter(of_this).cloned(),
            opening,
            now_ms: (self.now_ms)(),
        }
    }

    /// After a change of a session: whatever depends on it follows, and everybody is told.
    fn settle(self: &Arc<Self>, state: &mut State, id: &str) {
        state.unsaved.insert(id.to_owned());
        self.drop_stale_engine_move(state, id);
        self.follow(state, id);
        self.tell_session(state, id);
        self.wake.notify_all();
    }

    fn tell_session(&self, state: &State, id: &str) {
        if let Some(session) = state.sessions.get(id) {
            self.tell(Event::Session(Box::new(self.snapshot(state, session))));
        }
    }

    fn weak(self: &Arc<Self>) -> Weak<Self> {
        Arc::downgrade(self)
    }
}

impl State {
    fn settings(&self) -> SettingsView {
        SettingsView {
            config: self.config.config().clone(),
            warnings: self.config.warnings().to_vec(),
        }
    }

    /// A session's name, `current` resolved.
    fn resolve(&self, id: &str) -> String {
        if id == "current" {
            self.current.clone()
        } else {
            id.to_owned()
        }
    }

    fn check_open(&self) -> Result<(), DeskError> {
        if self.is_closing {
            Err(DeskError::Closing)
        } else {
            Ok(())
        }
    }
}
