//! The desk: everything that lives longer than a request.
//!
//! Games with their trees, the engines on their own threads, the running analysis, jobs, imports
//! and settings. Every method is one wish. What changes is told to a listener, in the order in
//! which it changes; the listener is called with the desk locked and must not wait or call back.
//!
//! There are two locks. The [`Pen`] is held by the thread that changes a game or a file, also
//! while it writes to the disk. The state is locked for moments only, never during a call of the
//! file system, so that looking at a game never waits for the disk. The pen is taken first.
//!
//! Two workers search: one plays the levels' moves, undisturbed by what else is asked, the other
//! does everything else, the most urgent first, with a lane for each engine. Another thread watches
//! clocks and saves games.

mod analysis;
mod asking;
mod attempt;
mod books;
mod brain;
mod chess;
mod coaching;
mod collection;
mod edits;
mod error;
mod event;
mod export;
mod foreign;
mod found;
mod games;
mod import;
mod jobs;
mod keeper;
mod kept;
mod moves;
mod pasted;
mod pen;
mod played;
mod questions;
mod review;
mod reviewed;
mod setup;
mod tools;
mod tournaments;
mod watched;
mod watching;

#[cfg(test)]
mod tests;

pub use analysis::{AnalysisKey, AnalysisState, AnalysisStatus, AnalysisWish};
pub use attempt::{Attempt, Found, TRY_TOLERANCE};
pub use books::BookMoves;
pub use coaching::{Look, PreviewStep, Why};
pub use collection::{FetchState, FileImport, GameDetails, ImportCounts, Received, Upload};
pub use error::{CloseError, DeskError, NotSaved, OpenError, is_full};
pub use event::{Event, NoticeLevel, SettingsView, Snapshot, Summary, Thinking, ThinkingState};
pub use export::{ExportFormat, Exported};
pub use foreign::{
    EngineEntry, EngineNetwork, EngineOption, EngineOptions, EngineSource, EnginesView, Judgement,
    KnownEngine, Thinker,
};
pub use games::{Change, NewGame, OpponentWish, Start};
pub use import::{Admission, Import, ImportProblem, ImportedGame};
pub use jobs::{Job, JobState, Subject};
pub use questions::Hint;
pub use review::{Review, ReviewedMove};
pub use setup::{CheckedPosition, check_position};
pub use tournaments::{
    Board, PlayedGame, PlayedGames, TournamentState, TournamentSummary, TournamentView, Wanted,
};
pub use watching::Watching;

use crate::{
    Config, ConfigFile, Evaluation, Home, Origin, Session,
    archive::Archive,
    diag, selftest,
    worker::{Ticket, Worker},
};
use arena::process::Keeper;
use brain::Brain;
use coach::explain::Openings;
use collection::Collection;
use game::{NodeId, Position, Report};
use othello::notation::WthorDirectory;
use pen::{Pen, Unsaved};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread::JoinHandle,
};
use tools::{AnalystTools, PlayerTools, n_threads};

/// Milliseconds since whenever, from outside.
pub type NowMs = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Is told of every change, in the order of changes and with the desk locked.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// What comes in from outside, so that a test can replay it.
pub struct Surroundings {
    pub now_ms: NowMs,
    /// A number that is another one each time: where the chance of a level comes from.
    pub chance: Box<dyn Fn() -> u64 + Send + Sync>,
    pub listener: Listener,
    /// Megabytes that this computer has to give, if it is known.
    pub memory_mb: Option<u64>,
    /// Who ends foreign engines if this program cannot.
    pub keeper: Keeper,
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// An engine move under way.
#[derive(Debug)]
struct EngineMove {
    node: NodeId,
    call: MoveCall,
}

/// How an engine that chooses a move is called back.
#[derive(Debug)]
enum MoveCall {
    Own(Ticket),
    Foreign(Arc<foreign::Leash>),
}

impl MoveCall {
    /// Nobody waits for the move any more.
    fn back(&self) {
        match self {
            Self::Own(ticket) => ticket.cancel(),
            Self::Foreign(leash) => leash.end(),
        }
    }

    /// The engine moves at once, with what it has found.
    fn hurry(&self) {
        match self {
            Self::Own(ticket) => ticket.hurry(),
            Self::Foreign(leash) => leash.nudge(),
        }
    }
}

#[derive(Debug)]
struct State {
    settings: SettingsView,
    sessions: HashMap<String, Session>,
    /// When a session was last used, counted in uses.
    used: HashMap<String, u64>,
    n_uses: u64,
    current: String,
    /// The game that was begun by itself, in memory, because there was none.
    own: Option<String>,
    /// How many windows show a session, by the streams that they listen to.
    watchers: HashMap<String, usize>,
    /// Games that their window has left untouched, and when each is deleted if it still is.
    left: BTreeMap<String, u64>,
    /// By session and engine: several engines may analyse one session side by side.
    analyses: BTreeMap<AnalysisKey, analysis::Running>,
    /// Of the latest analysis.
    generation: u64,
    /// What was found last beside the running analyses and is still to be seen, by session: where,
    /// and what.
    seen: HashMap<String, (NodeId, Report)>,
    /// By session: each game waits for its own move.
    engine_moves: HashMap<String, EngineMove>,
    /// The look at the latest move of a person, by session.
    blunder_checks: HashMap<String, Ticket>,
    jobs: Vec<jobs::Listed>,
    n_jobs: u64,
    reviews: HashMap<String, Review>,
    imports: VecDeque<Arc<Import>>,
    /// Names for the numbers of WTHOR games, from files that were imported in this run.
    names: Arc<WthorDirectory>,
    n_imports: u64,
    /// Bytes of the imports that are being read.
    importing: usize,
    /// Sessions of which the disk has an older state, or none.
    unsaved: BTreeMap<String, Unsaved>,
    is_closing: bool,
}

impl State {
    fn new(settings: SettingsView) -> Self {
        Self {
            settings,
            sessions: HashMap::new(),
            used: HashMap::new(),
            n_uses: 0,
            current: String::new(),
            own: None,
            watchers: HashMap::new(),
            left: BTreeMap::new(),
            analyses: BTreeMap::new(),
            generation: 0,
            seen: HashMap::new(),
            engine_moves: HashMap::new(),
            blunder_checks: HashMap::new(),
            jobs: Vec::new(),
            n_jobs: 0,
            reviews: HashMap::new(),
            imports: VecDeque::new(),
            names: Arc::default(),
            n_imports: 0,
            importing: 0,
            unsaved: BTreeMap::new(),
            is_closing: false,
        }
    }
}

struct Shared {
    home: Home,
    outside: Surroundings,
    openings: Openings,
    /// Taken before the state, never after it.
    pen: Mutex<Pen>,
    state: Mutex<State>,
    /// What both searching threads think with.
    brain: Brain,
    /// Wakes the keeper of clocks and files.
    wake: Condvar,
    player: Worker<PlayerTools>,
    analyst: Worker<AnalystTools>,
    /// The one thread that reads imported files. An allocator keeps what each thread has freed for
    /// that thread: with imports on any of the server's threads, each of them kept the memory of
    /// the largest import (360 MB after ten minutes of large files).
    reader: rayon::ThreadPool,
    collection: Collection,
    keeper: Mutex<Option<JoinHandle<()>>>,
    kept: kept::Kept,
    /// The processes of foreign engines. Taken after the state, never before it.
    hosts: Mutex<foreign::Hosts>,
    /// Taken after the state, never before it.
    tournaments: Mutex<tournaments::Tournaments>,
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
    /// Sets the desk up: the last session is taken out of the archive, or a new one is begun.
    pub fn open(home: Home, config: ConfigFile, outside: Surroundings) -> Result<Self, OpenError> {
        let archive = Archive::open(&home)?;
        let (brain, problems) = Brain::new(config.config(), &home);
        let (for_player, for_analyst) = (brain.clone(), brain.clone());
        let settings = SettingsView::of(&config, outside.memory_mb);
        let threads = n_threads(settings.config.engine.threads);
        let shared = Arc::new(Shared {
            openings: Openings::shipped()?,
            state: Mutex::new(State::new(settings)),
            pen: Mutex::new(Pen { archive, config }),
            wake: Condvar::new(),
            player: Worker::start(&[("kibitz-player", 1)], 1, move || {
                PlayerTools::new(for_player.clone())
            })
            .map_err(OpenError::Thread)?,
            analyst: Worker::start(&tools::LANES, threads, move || {
                AnalystTools::new(for_analyst.clone())
            })
            .map_err(OpenError::Thread)?,
            reader: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .thread_name(|_| "kibitz-reader".to_owned())
                .build()
                .map_err(|error| OpenError::Thread(std::io::Error::other(error)))?,
            brain,
            collection: Collection::new(&home).map_err(OpenError::Thread)?,
            keeper: Mutex::new(None),
            kept: kept::Kept::default(),
            hosts: Mutex::default(),
            tournaments: Mutex::default(),
            home,
            outside,
        });
        let desk = Self { shared };
        for problem in problems {
            desk.shared.notice(NoticeLevel::Warning, problem);
        }
        desk.shared.take_out_newest(&mut desk.shared.pen())?;
        let keeper = keeper::start(&desk.shared).map_err(OpenError::Thread)?;
        *lock(&desk.shared.keeper) = Some(keeper);
        let weak = desk.shared.weak();
        desk.shared.brain.tell(move |level, message| {
            if let Some(shared) = weak.upgrade() {
                shared.notice(level, message);
            }
        });
        desk.warm_up();
        desk.take_up_engine_move();
        Ok(desk)
    }

    pub fn settings(&self) -> SettingsView {
        self.shared.lock().settings.clone()
    }

    /// Changes the settings and writes them down, on top of what the user has written into the
    /// file meanwhile. Nothing is changed if that fails.
    pub fn change_settings(
        &self,
        change: impl FnOnce(&mut Config) -> Result<(), DeskError>,
    ) -> Result<SettingsView, DeskError> {
        let mut pen = self.shared.pen();
        if pen.config.refresh()? {
            let message = "config.toml was edited while Kibitz ran; what it says now is in use.";
            self.shared.notice(NoticeLevel::Info, message.to_owned());
        }
        let before = pen.config.config().clone();
        let mut wanted = before.clone();
        let changed = change(&mut wanted).and_then(|()| {
            books::check_chess_book(&before, &wanted, self.shared.home.path())?;
            let prepared = Brain::prepare(&before, &wanted, &self.shared.home)?;
            pen.config.change(|config| *config = wanted)?;
            let config = pen.config.config();
            for warning in self.shared.brain.adopt(config, prepared) {
                self.shared.notice(NoticeLevel::Warning, warning);
            }
            let threads = n_threads(config.engine.threads);
            self.shared.analyst.set_threads(threads);
            Ok(())
        });
        let view = self.shared.publish_settings(&pen);
        changed.map(|()| view)
    }

    /// Where the weights came from that value positions now.
    pub fn weights(&self) -> Origin {
        self.shared.brain.origin()
    }

    /// What values positions now.
    pub fn evaluation(&self) -> Result<Evaluation, DeskError> {
        let evaluation = self.shared.brain.evaluation();
        evaluation.map_err(|error| DeskError::Engine(error.to_string()))
    }

    /// Tries rules, solver, weights and disk.
    pub fn self_test(&self) -> Result<Vec<selftest::Check>, DeskError> {
        let shared = &self.shared;
        let now_ms = || shared.now_ms();
        Ok(selftest::run(
            Some(&shared.home),
            &self.evaluation()?,
            &now_ms,
        ))
    }

    /// What a bug report needs, without secrets.
    pub fn diagnostics(
        &self,
        build: diag::Build,
        private: diag::Private,
    ) -> Result<diag::Bundle, DeskError> {
        let shared = &self.shared;
        let now_ms = || shared.now_ms();
        Ok(diag::collect(&diag::Subject {
            home: &shared.home,
            evaluation: &self.evaluation()?,
            build,
            private,
            now_ms: &now_ms,
        }))
    }

    /// The folder with its files.
    pub fn home(&self) -> &Home {
        &self.shared.home
    }

    /// Ends everything that runs and saves what has changed. Wishes are refused from now on. The
    /// error names the games whose last change is lost when the program ends.
    pub fn close(&self) -> Result<(), CloseError> {
        let shared = &self.shared;
        {
            let mut state = shared.lock();
            state.is_closing = true;
            let now_ms = shared.now_ms();
            let State {
                sessions, unsaved, ..
            } = &mut *state;
            for (id, session) in sessions {
                // Time stands still while the program does not run.
                if session
                    .clock()
                    .is_some_and(|clock| clock.running().is_some())
                {
                    session.stop_clock(now_ms);
                    Unsaved::note(unsaved, id, now_ms);
                }
            }
            shared.wake.notify_all();
        }
        shared.close_tournaments();
        shared.collection.close();
        for host in shared.dismiss(None) {
            host.join();
        }
        shared.player.close();
        shared.analyst.close();
        shared.kept.flush();
        // The keeper's panics have nobody to go to.
        lock(&shared.keeper).take().map(JoinHandle::join);
        let mut pen = shared.pen();
        let ids: Vec<String> = shared.lock().unsaved.keys().cloned().collect();
        let saved = ids.iter().map(|id| shared.save(&mut pen, id));
        let left: Vec<NotSaved> = saved.filter_map(Result::err).collect();
        if left.is_empty() {
            Ok(())
        } else {
            Err(CloseError(left))
        }
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

    fn now_ms(&self) -> u64 {
        (self.outside.now_ms)()
    }

    fn tell(&self, event: Event) {
        (self.outside.listener)(event);
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
        let analyses = state.analyses_of(session.id());
        let analyses = analyses.filter(|it| it.node == session.cursor());
        let moves: Vec<othello::Move> = session
            .record()
            .moves_to(session.cursor())
            .into_iter()
            .filter_map(game::Move::othello)
            .collect();
        let opening = match session.record().start() {
            Position::Othello(start) => {
                let found = self.openings.recognise(*start, &moves);
                found.map(|it| (it.opening.title(), it.plies))
            }
            Position::Chess(_) => {
                let found = game::eco::of_line(session.record(), session.cursor());
                found.map(|(it, ply)| (it.title(), ply))
            }
        };
        let unsaved = state.unsaved.get(session.id());
        let position = session.position().othello();
        let book = position.map(|position| crate::book::squares(&self.brain.book(), position));
        Snapshot {
            session: session.clone(),
            analyses: analyses.cloned().collect(),
            opening,
            book: book.unwrap_or_default(),
            engine: session
                .manner()
                .engine
                .unwrap_or(state.settings.config.engine.engine),
            now_ms: self.now_ms(),
            not_saved: unsaved.and_then(Unsaved::problem),
        }
    }

    /// After a change of a session: whatever depends on it follows, and everybody is told.
    fn settle(self: &Arc<Self>, state: &mut State, id: &str) {
        self.drop_stale_engine_move(state, id);
        self.follow(state, id);
        self.tell_session(state, id);
        self.wake.notify_all();
    }

    /// A change that may be lost in a crash: it is saved when there is time.
    fn save_later(&self, state: &mut State, id: &str) {
        Unsaved::note(&mut state.unsaved, id, self.now_ms());
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

    fn session(&mut self, id: &str) -> Result<&mut Session, DeskError> {
        let session = self.sessions.get_mut(id);
        session.ok_or_else(|| DeskError::NoSuchSession(id.to_owned()))
    }
}
