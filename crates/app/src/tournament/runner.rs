//! Plays a tournament: workers ask the coordinator for pairs, and what is finished goes to the log.

use super::{
    GameLine, Opening, PairLine, Report, Tournament, TournamentError, entrant,
    log::{self, Log, LogLine},
    openings::{openings_of, sequence_of},
    oracles::Foresight,
    report::Builder,
    worker::Worker,
};
pub use crate::matches::End;
use crate::{Home, matches::Contender};
use arena::{
    process::Now,
    referee,
    tournament::{Assignment, Coordinator, Next, Pairing, Plan, Sequence},
};
use std::{
    collections::BTreeSet,
    fs::File,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How a running tournament is influenced from outside.
#[derive(Debug, Default)]
pub struct Controls {
    /// Games under way are given up; their pairs are played again when the tournament is resumed.
    pub stop: AtomicBool,
    /// Pairs under way are finished, and no others begun.
    pub finish: AtomicBool,
    /// No pair is begun as long as this is set.
    pub pause: AtomicBool,
}

/// What is told while a tournament is played.
pub enum News<'a> {
    /// A pair is on the device. The report is made if somebody asks for it.
    Pair(&'a PairLine, &'a dyn Fn() -> Report),
    /// Something that the user should know.
    Note(&'a str),
    /// Something happened in a game.
    Game {
        /// Which of the games that are played at the same time.
        worker: usize,
        pairing: Pairing,
        /// 0 is the first game of the pair.
        game: usize,
        news: referee::News<'a>,
    },
}

impl std::fmt::Debug for News<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pair(pair, _) => f.debug_tuple("Pair").field(pair).finish(),
            Self::Note(text) => f.debug_tuple("Note").field(text).finish(),
            Self::Game { pairing, game, .. } => f
                .debug_struct("Game")
                .field("pairing", pairing)
                .field("game", game)
                .finish_non_exhaustive(),
        }
    }
}

/// Whoever wants to know. Called on the threads that play.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub tell: &'a (dyn Fn(News<'_>) + Sync),
    /// Whether what the players of a worker's game find on their way is wanted just now.
    pub wants_thoughts: &'a (dyn Fn(usize) -> bool + Sync),
}

impl<'a> Watch<'a> {
    /// Of one who does not ask what the players find on their way.
    pub fn of_results(tell: &'a (dyn Fn(News<'_>) + Sync)) -> Self {
        Self {
            tell,
            wants_thoughts: &|_| false,
        }
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// A tournament that is about to be played. Only one program plays a tournament at a time.
#[derive(Debug)]
pub struct Runner {
    pub(super) tournament: Tournament,
    pub(super) contenders: Vec<Contender>,
    pub(super) openings: Vec<Opening>,
    sequence: Sequence,
    pub(super) foresight: Foresight,
    /// How it stands; whoever asks need not wait for the games.
    standing: Mutex<Builder>,
    _lock: File,
}

impl Runner {
    /// Checks that everything is there, and claims the tournament.
    pub fn new(tournament: Tournament, home: &Home, now: &Now) -> Result<Self, TournamentError> {
        let settings = &tournament.settings;
        let path = tournament.folder.join(super::LOCK_FILE);
        let lock = File::create(&path).map_err(|source| TournamentError::File { path, source })?;
        if !super::claim(&lock) {
            return Err(TournamentError::Busy(tournament.id));
        }
        let contenders = entrant::contenders(settings, home, now)?;
        let openings = openings_of(settings)?;
        entrant::check_openings(settings, &contenders, &openings)?;
        tournament.check_same_openings(&openings)?;
        let foresight = Foresight::of(settings)?;
        Ok(Self {
            sequence: sequence_of(settings, openings.len())?,
            standing: Mutex::new(Builder::new(settings)?),
            tournament,
            contenders,
            openings,
            foresight,
            _lock: lock,
        })
    }

    pub const fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// How the tournament stands, while it is played and afterwards. Before the log was read it is
    /// as if nothing had been played.
    pub fn report(&self) -> Report {
        self.standing().report()
    }

    /// The pairs that are finished and count, without the work of a whole report.
    pub fn n_pairs(&self) -> u64 {
        self.standing().n_pairs()
    }

    fn standing(&self) -> MutexGuard<'_, Builder> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays all that is not in the log yet. `seconds` is the time since 1970.
    pub fn run(
        &self,
        controls: &Controls,
        now_ms: &(dyn Fn() -> u64 + Sync),
        seconds: &(dyn Fn() -> u64 + Sync),
        watch: Watch<'_>,
    ) -> Result<End, TournamentError> {
        let desk = Dealer::open(self, controls, seconds, watch)?;
        let n_workers = self.tournament.settings.concurrency as usize;
        thread::scope(|scope| {
            for number in 0..n_workers {
                let desk = &desk;
                scope.spawn(move || {
                    if self.tournament.settings.affinity {
                        arena::process::keep_to_core(number);
                    }
                    let mut worker = Worker::new(self, number);
                    worker.work(desk, controls, now_ms, watch);
                });
            }
        });
        desk.end()
    }

    pub(super) fn opening(&self, pairing: &Pairing) -> usize {
        self.sequence.at(pairing.opening)
    }
}

/// Who deals out the pairs of this process.
pub(super) struct Dealer<'a> {
    runner: &'a Runner,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the test has decided, so that games under way are not wanted any more.
    pub(super) is_decided: AtomicBool,
    controls: &'a Controls,
    seconds: &'a (dyn Fn() -> u64 + Sync),
    watch: Watch<'a>,
}

struct State {
    plan: Plan,
    /// Pairs that are in the log, as far as they are not below `next`.
    done: BTreeSet<u64>,
    next: u64,
    /// Pairs that somebody began and could not finish.
    returned: Vec<Pairing>,
    n_playing: usize,
    log: Log,
    /// What the user was told.
    told: BTreeSet<String>,
    error: Option<TournamentError>,
    path: std::path::PathBuf,
}

impl<'a> Dealer<'a> {
    fn open(
        runner: &'a Runner,
        controls: &'a Controls,
        seconds: &'a (dyn Fn() -> u64 + Sync),
        watch: Watch<'a>,
    ) -> Result<Self, TournamentError> {
        let Tournament { settings, disk, .. } = &runner.tournament;
        let mut plan = Plan::new(settings.plan()?).map_err(super::SettingsError::from)?;
        let mut builder = runner.standing();
        *builder = Builder::new(settings)?;
        let (mut done, mut points) = (BTreeSet::new(), Vec::new());
        let path = runner.tournament.log_file();
        let wrong = |source| TournamentError::File {
            path: path.clone(),
            source,
        };
        let mut n_damaged = 0;
        if plan.follows_results() {
            // Who plays behind a damaged pair depends on how it ends this time.
            let extent = log::read(disk, &path, |_| {})?;
            if let Some(first) = extent.damaged.first() {
                n_damaged = extent.n_damaged();
                log::cut(disk, &path, first.start).map_err(wrong)?;
            }
        }
        let extent = log::read(disk, &path, |line| {
            if let LogLine::Pair(pair) = &line {
                done.insert(pair.pairing.number);
                points.push((pair.pairing.number, pair.points(), pair.games_sum()));
            }
            builder.take(line, |_| {});
        })?;
        for (number, points, games) in points {
            plan.record_games(number, points, games);
        }
        let mut log = Log::open(disk, &path, &extent).map_err(wrong)?;
        let is_over = plan.pairing(done.len() as u64) == Next::Over || builder.is_decided();
        if let Some(text) = went_on(done.len(), is_over, n_damaged + extent.n_damaged()) {
            let line = LogLine::Note {
                seconds: seconds(),
                text,
            };
            log.add(&line).map_err(wrong)?;
            builder.take(line, |_| {});
        }
        let is_decided = AtomicBool::new(builder.is_decided());
        drop(builder);
        Ok(Self {
            runner,
            is_decided,
            state: Mutex::new(State {
                plan,
                done,
                next: 0,
                returned: Vec::new(),
                n_playing: 0,
                log,
                told: BTreeSet::new(),
                error: None,
                path,
            }),
            changed: Condvar::new(),
            controls,
            seconds,
            watch,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_leaving(&self) -> bool {
        self.controls.stop.load(Ordering::Relaxed) || self.controls.finish.load(Ordering::Relaxed)
    }

    /// Waits until something may have changed.
    pub(super) fn wait(&self) {
        let state = self.lock();
        drop(self.changed.wait_timeout(state, Duration::from_millis(50)));
    }

    /// Tells the user something once, and keeps it with the tournament.
    pub(super) fn note_once(&self, text: &str) {
        let mut state = self.lock();
        if !state.told.insert(text.to_owned()) {
            return;
        }
        if !self.runner.standing().has_note(text) {
            let line = LogLine::Note {
                seconds: (self.seconds)(),
                text: text.to_owned(),
            };
            if let Err(source) = state.log.add(&line) {
                let path = state.path.clone();
                state.error = Some(TournamentError::File { path, source });
            } else {
                self.runner.standing().take(line, |_| {});
            }
        }
        drop(state);
        (self.watch.tell)(News::Note(text));
    }

    /// The tournament cannot go on.
    pub(super) fn fail(&self, error: TournamentError) {
        self.lock().error.get_or_insert(error);
        self.changed.notify_all();
    }

    fn end(self) -> Result<End, TournamentError> {
        let (n_rounds, missing, by_seed) = {
            let plan = &self.lock().plan;
            let by_seed = plan.won_by_seed().to_vec();
            (plan.settings().rounds, plan.rounds_missing(), by_seed)
        };
        for [winner, loser] in by_seed {
            let name = |player: usize| &self.runner.tournament.settings.engines[player].name;
            self.note_once(&format!(
                "Nobody won the encounter of {0} and {1}, however often it was repeated; {0} went on as \
                 the better seed.",
                name(winner),
                name(loser)
            ));
        }
        if missing > 0 {
            self.note_once(&format!(
                "Ended after {} of {n_rounds} rounds: the rules leave nobody to meet.",
                n_rounds - missing
            ));
        }
        let mut state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if self.is_decided.into_inner() {
            return Ok(End::Decided);
        }
        Ok(match state.advance() {
            Next::Over if state.returned.is_empty() => End::Finished,
            Next::Over | Next::Play(_) | Next::Wait => End::Stopped,
        })
    }
}

/// What is noted when a tournament is played on.
fn went_on(n_pairs: usize, is_over: bool, n_damaged: u64) -> Option<String> {
    if n_damaged > 0 {
        return Some(format!(
            "Went on behind {n_pairs} finished pairs. {n_damaged} bytes of the log were damaged; they \
             are kept in pairs.log.damaged, and the pairs that they stood for are played again."
        ));
    }
    let is_told = n_pairs > 0 && !is_over;
    is_told.then(|| format!("Went on behind {n_pairs} finished pairs; nothing was lost."))
}

impl State {
    /// The next pair that is not in the log.
    fn advance(&mut self) -> Next {
        while self.done.remove(&self.next) {
            self.next += 1;
        }
        self.plan.pairing(self.next)
    }
}

impl Coordinator for Dealer<'_> {
    type Played = Vec<GameLine>;

    fn next(&self) -> Assignment {
        let mut state = self.lock();
        let is_decided = self.is_decided.load(Ordering::Relaxed);
        if state.error.is_some() || self.is_leaving() || is_decided {
            return Assignment::Over;
        }
        if self.controls.pause.load(Ordering::Relaxed) {
            return Assignment::Wait;
        }
        if let Some(pairing) = state.returned.pop() {
            state.n_playing += 1;
            return Assignment::Play(pairing);
        }
        match state.advance() {
            Next::Play(pairing) => {
                state.next += 1;
                state.n_playing += 1;
                Assignment::Play(pairing)
            }
            // What is under way may be given back, or decide what comes next.
            Next::Wait => Assignment::Wait,
            Next::Over if state.n_playing > 0 => Assignment::Wait,
            Next::Over => Assignment::Over,
        }
    }

    fn finished(&self, pairing: Pairing, played: Vec<GameLine>) -> bool {
        let mut state = self.lock();
        let line = LogLine::Pair(PairLine {
            pairing,
            seconds: (self.seconds)(),
            opening: Some(self.runner.opening(&pairing)),
            games: played,
        });
        state.n_playing -= 1;
        if let Err(source) = state.log.add(&line) {
            let path = state.path.clone();
            state.error = Some(TournamentError::File { path, source });
            self.changed.notify_all();
            return false;
        }
        if let LogLine::Pair(pair) = &line {
            let (points, games) = (pair.points(), pair.games_sum());
            state.plan.record_games(pairing.number, points, games);
            let mut standing = self.runner.standing();
            standing.take(line.clone(), |_| {});
            if standing.is_decided() {
                self.is_decided.store(true, Ordering::Relaxed);
            }
            drop(standing);
            (self.watch.tell)(News::Pair(pair, &|| self.runner.report()));
        }
        drop(state);
        self.changed.notify_all();
        true
    }

    fn give_back(&self, pairing: Pairing) {
        let mut state = self.lock();
        state.n_playing -= 1;
        state.returned.push(pairing);
        drop(state);
        self.changed.notify_all();
    }
}
