//! Plays a tournament: workers ask the coordinator for pairs, and what is finished goes to the log.

use super::{
    EntrantError, GameLine, Opening, PairLine, Report, Settings, Tournament, TournamentError,
    entrant,
    log::{self, Log, LogLine},
    openings::openings_of,
    report::Builder,
};
use crate::{
    Analyst, EngineChoice, Evaluation, EvaluatorChoice, Home, Limits,
    matches::{AtBoard, Contender},
};
use arena::{
    process::Now,
    referee::{self, Conditions, Oracle, Reason, World},
    tournament::{Assignment, Coordinator, Next, Order, Pairing, Plan, opening_of},
};
use game::{Control, Kind, Outcome, Position, Side};
use othello::sample::SplitMix64;
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

/// Why a tournament was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Finished,
    /// The sequential test has decided.
    Decided,
    /// Somebody wanted it to stop; it can be resumed.
    Stopped,
}

/// What is told while a tournament is played.
pub enum News<'a> {
    /// A pair is on the device. The report is made if somebody asks for it.
    Pair(&'a PairLine, &'a dyn Fn() -> Report),
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
            Self::Game { pairing, game, .. } => f
                .debug_struct("Game")
                .field("pairing", pairing)
                .field("game", game)
                .finish_non_exhaustive(),
        }
    }
}

/// Whoever wants to know. Called on the threads that play.
pub type Watch<'a> = &'a (dyn Fn(News<'_>) + Sync);

/// A tournament that is about to be played. Only one program plays a tournament at a time.
#[derive(Debug)]
pub struct Runner {
    tournament: Tournament,
    contenders: Vec<Contender>,
    openings: Vec<Opening>,
    order: Order,
    evaluation: Option<Evaluation>,
    _lock: File,
}

impl Runner {
    /// Checks that everything is there, and claims the tournament.
    pub fn new(tournament: Tournament, home: &Home, now: &Now) -> Result<Self, TournamentError> {
        let settings = &tournament.settings;
        let path = tournament.folder.join("lock");
        let lock = File::create(&path).map_err(|source| TournamentError::File { path, source })?;
        if lock.try_lock().is_err() {
            return Err(TournamentError::Busy(tournament.id));
        }
        let contenders = entrant::contenders(settings, home, now)?;
        let openings = openings_of(settings)?;
        let solves = settings.kind() == Kind::Othello && settings.solve_empties > 0;
        let evaluation = solves.then(|| Evaluation::shipped(EvaluatorChoice::Pattern));
        let evaluation = evaluation.transpose().map_err(|source| {
            TournamentError::Entrant(EntrantError::Analyst {
                name: "solver".to_owned(),
                source,
            })
        })?;
        Ok(Self {
            order: settings.order()?,
            tournament,
            contenders,
            openings,
            evaluation,
            _lock: lock,
        })
    }

    pub const fn tournament(&self) -> &Tournament {
        &self.tournament
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

    fn opening(&self, pairing: &Pairing) -> usize {
        let settings = &self.tournament.settings;
        let start = settings
            .openings
            .as_ref()
            .map_or(0, |it| it.start.saturating_sub(1));
        let seed = settings.seed;
        opening_of(
            pairing.opening,
            self.openings.len(),
            self.order,
            start.into(),
            seed,
        )
    }
}

/// Who deals out the pairs of this process.
struct Dealer<'a> {
    runner: &'a Runner,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the test has decided, so that games under way are not wanted any more.
    is_decided: AtomicBool,
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
    builder: Builder,
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
        let mut builder = Builder::new(settings)?;
        let (mut done, mut points) = (BTreeSet::new(), Vec::new());
        let path = runner.tournament.log_file();
        let good = log::read(disk, &path, |line| {
            if let LogLine::Pair(pair) = &line {
                done.insert(pair.pairing.number);
                points.push((pair.pairing.number, pair.points()));
            }
            builder.take(line, |_| {});
        })?;
        for (number, points) in points {
            plan.record(number, points);
        }
        let wrong = |source| TournamentError::File {
            path: path.clone(),
            source,
        };
        let mut log = Log::open(disk, &path, good).map_err(wrong)?;
        if !done.is_empty() {
            let line = LogLine::Note {
                seconds: seconds(),
                text: format!(
                    "Went on behind {} finished pairs; nothing was lost.",
                    done.len()
                ),
            };
            log.add(&line).map_err(wrong)?;
            builder.take(line, |_| {});
        }
        Ok(Self {
            runner,
            is_decided: AtomicBool::new(builder.is_decided()),
            state: Mutex::new(State {
                plan,
                done,
                next: 0,
                returned: Vec::new(),
                n_playing: 0,
                log,
                builder,
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
    fn wait(&self) {
        let state = self.lock();
        drop(self.changed.wait_timeout(state, Duration::from_millis(50)));
    }

    /// The tournament cannot go on.
    fn fail(&self, error: TournamentError) {
        self.lock().error.get_or_insert(error);
        self.changed.notify_all();
    }

    fn end(self) -> Result<End, TournamentError> {
        let mut state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if state.builder.is_decided() {
            return Ok(End::Decided);
        }
        Ok(match state.advance() {
            Next::Over if state.returned.is_empty() => End::Finished,
            Next::Over | Next::Play(_) | Next::Wait => End::Stopped,
        })
    }
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
        if state.error.is_some() || self.is_leaving() || state.builder.is_decided() {
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
            state.plan.record(pairing.number, pair.points());
            state.builder.take(line.clone(), |_| {});
            if state.builder.is_decided() {
                self.is_decided.store(true, Ordering::Relaxed);
            }
            (self.watch)(News::Pair(pair, &|| state.builder.report()));
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

/// Plays one game after the other, with engines of its own.
struct Worker<'a> {
    runner: &'a Runner,
    number: usize,
    /// The players at the board: only two engines run for each worker.
    seats: Vec<(usize, AtBoard)>,
    solver: Option<Solver>,
}

impl<'a> Worker<'a> {
    fn new(runner: &'a Runner, number: usize) -> Self {
        let solver = runner.evaluation.as_ref().and_then(|evaluation| {
            let made = Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, 16, 1);
            Some(Solver {
                analyst: Mutex::new(made.ok()?),
                empties: runner.tournament.settings.solve_empties,
            })
        });
        Self {
            runner,
            number,
            seats: Vec::new(),
            solver,
        }
    }

    fn work(
        &mut self,
        desk: &Dealer<'_>,
        controls: &Controls,
        now_ms: &(dyn Fn() -> u64 + Sync),
        watch: Watch<'_>,
    ) {
        loop {
            match desk.next() {
                Assignment::Over => break,
                Assignment::Wait => desk.wait(),
                Assignment::Play(pairing) => {
                    let played = self.play(desk, pairing, controls, now_ms, watch);
                    match played {
                        Some(games) => {
                            if !desk.finished(pairing, games) {
                                break;
                            }
                        }
                        None => {
                            desk.give_back(pairing);
                            if controls.stop.load(Ordering::Relaxed) {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sees to it that both players of a pair sit at the board, and nobody else.
    fn sit_down(&mut self, players: [usize; 2]) -> Result<(), EntrantError> {
        self.seats.retain(|(player, _)| players.contains(player));
        for player in players {
            if !self.seats.iter().any(|(it, _)| *it == player) {
                let seat = self.runner.contenders[player].seat();
                let seat = seat.map_err(|source| EntrantError::Analyst {
                    name: self.runner.tournament.settings.engines[player].name.clone(),
                    source,
                })?;
                self.seats.push((player, seat));
            }
        }
        Ok(())
    }

    /// Plays a pair; `None` if it was stopped.
    fn play(
        &mut self,
        desk: &Dealer<'_>,
        pairing: Pairing,
        controls: &Controls,
        now_ms: &(dyn Fn() -> u64 + Sync),
        watch: Watch<'_>,
    ) -> Option<Vec<GameLine>> {
        let settings = &self.runner.tournament.settings;
        let first_side = settings.kind().start().side();
        let opening = self.runner.openings[self.runner.opening(&pairing)].record(settings.kind());
        let n_games = if pairing.is_double { 2 } else { 1 };
        let mut games = Vec::with_capacity(n_games);
        for game in 0..n_games {
            if settings.restart {
                self.seats.clear();
            }
            if let Err(error) = self.sit_down(pairing.players) {
                desk.fail(error.into());
                return None;
            }
            let first = if game == 0 {
                first_side
            } else {
                first_side.other()
            };
            self.reseed(&pairing, game, settings.seed);
            let world = World {
                now_ms,
                stop: &controls.stop,
                is_wanted: &|| !desk.is_decided.load(Ordering::Relaxed),
                watch: &|news| {
                    watch(News::Game {
                        worker: self.number,
                        pairing,
                        game,
                        news,
                    });
                },
            };
            let oracle = self.solver.as_ref().map(|it| it as &dyn Oracle);
            let conditions = conditions(settings, &pairing, first, oracle)?;
            let seats = std::mem::take(&mut self.seats);
            let (seats, played) = play_game(seats, &pairing, first, &opening, &conditions, &world);
            self.seats = seats;
            games.push(GameLine::of(&played?, first));
        }
        Some(games)
    }

    /// Each player of each game has chance of its own, whoever plays it when.
    fn reseed(&mut self, pairing: &Pairing, game: usize, seed: u64) {
        for (player, seat) in &mut self.seats {
            let index = u64::from(*player == pairing.players[1]);
            let game = pairing.number << 2 | (game as u64) << 1 | index;
            seat.reseed(SplitMix64::new(seed ^ game.rotate_right(16)).next_u64());
        }
    }
}

fn conditions<'a>(
    settings: &Settings,
    pairing: &Pairing,
    first: Side,
    oracle: Option<&'a dyn Oracle>,
) -> Option<Conditions<'a>> {
    let [a, b] = pairing.players;
    let controls = [settings.control(a).ok()?, settings.control(b).ok()?];
    Some(Conditions {
        controls: match first {
            Side::Black => controls,
            Side::White => [controls[1], controls[0]],
        },
        rules: settings.rules(),
        oracle,
    })
}

/// One game between the two who sit there; the seats come back.
fn play_game(
    mut seats: Vec<(usize, AtBoard)>,
    pairing: &Pairing,
    first: Side,
    opening: &game::Record,
    conditions: &Conditions<'_>,
    world: &World<'_>,
) -> (Vec<(usize, AtBoard)>, Option<referee::Played>) {
    seats.sort_by_key(|(player, _)| *player != pairing.players[0]);
    let played = match &mut seats[..] {
        [(_, a), (_, b)] => {
            let players: [&mut dyn arena::player::Player; 2] = match first {
                Side::Black => [a.player(), b.player()],
                Side::White => [b.player(), a.player()],
            };
            referee::play(opening, players, conditions, world)
        }
        _ => None,
    };
    (seats, played)
}

/// Our solver, which knows how games of Othello with few empty squares end.
struct Solver {
    analyst: Mutex<Analyst>,
    empties: u32,
}

impl Oracle for Solver {
    fn outcome(&self, position: &Position) -> Option<(Outcome, Reason)> {
        let position = position.othello()?;
        if position.board.empties().len() > self.empties {
            return None;
        }
        let limits = Limits {
            exact_empties: 60,
            ..Limits::default()
        };
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        let mut analyst = self.analyst.lock().unwrap_or_else(PoisonError::into_inner);
        analyst.clear();
        let score = analyst.search_raw(position, &limits, control).score;
        let for_black = match position.side {
            Side::Black => score,
            Side::White => -score,
        };
        let outcome = Outcome::counted(for_black, Reason::Solved.termination());
        Some((outcome, Reason::Solved))
    }
}
