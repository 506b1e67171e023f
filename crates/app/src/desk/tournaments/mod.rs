//! Tournaments on the desk: they are played in this program, whether a window looks or not. What is
//! finished is in the log of the tournament; after a restart the user resumes what is not.

mod live;
mod played;

pub use live::Board;
pub use played::{PlayedGame, PlayedGames, Wanted};

use super::{
    Desk, DeskError, Event, Job, JobState, NoticeLevel, Shared, State, Subject, jobs::Advance, lock,
};
use crate::{
    library::Library,
    tournament::{
        Controls, End, News, Report, Runner, Settings, Tournament, TournamentError, Watch,
    },
    worker::Ticket,
};
use arena::stats::Decision;
use live::Boards;
use std::{
    collections::{BTreeMap, HashMap},
    io::{Seek as _, SeekFrom},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::JoinHandle,
};

/// The list of running work hears of a tournament no more often than this.
const TELL_EVERY_MS: u64 = 250;

/// Where a tournament stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentState {
    Running,
    /// Games under way go on; no new ones begin until the user lets it go on.
    Paused,
    /// Games under way go on, then it stops.
    Finishing,
    /// It can be resumed.
    Stopped,
    Finished,
    /// Its sequential test has decided.
    Decided,
    /// Another program plays it.
    Elsewhere,
}

/// A tournament in a list.
#[derive(Debug, Clone)]
pub struct TournamentSummary {
    pub id: u64,
    pub settings: Settings,
    pub state: TournamentState,
    /// Finished pairs, of so many, and the games in them.
    pub pairs: u64,
    pub pairs_asked: u64,
    pub games: u64,
    /// Why it cannot be read or was left, if that is so.
    pub problem: Option<String>,
}

/// A tournament with everything that is known about it.
#[derive(Debug, Clone)]
pub struct TournamentView {
    pub summary: TournamentSummary,
    pub report: Arc<Report>,
    /// The job that plays it.
    pub job: Option<Job>,
}

/// A tournament that is played by this program.
struct AtWork {
    runner: Runner,
    controls: Controls,
    job: u64,
    boards: Boards,
    told_ms: AtomicU64,
}

/// What the desk has of tournaments. Taken after the state, never before it.
#[derive(Default)]
pub(super) struct Tournaments {
    at_work: BTreeMap<u64, Arc<AtWork>>,
    threads: Vec<JoinHandle<()>>,
    /// What the logs of others say, with their lengths.
    read: BTreeMap<u64, (u64, Arc<Report>)>,
    /// Why a tournament was left, if not by the user.
    problems: BTreeMap<u64, String>,
    /// Games that were opened in this run, by tournament, pair and game.
    opened: HashMap<(u64, u64, usize), String>,
}

impl std::fmt::Debug for Tournaments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tournaments").finish_non_exhaustive()
    }
}

fn refusal(error: TournamentError) -> DeskError {
    match error {
        TournamentError::Unknown { .. } => DeskError::NoSuchTournament(error.to_string()),
        TournamentError::Busy(_) => DeskError::Conflict(error.to_string()),
        TournamentError::File { .. } | TournamentError::Log { .. } => {
            DeskError::Engine(error.to_string())
        }
        other => DeskError::Invalid(other.to_string()),
    }
}

impl Desk {
    /// All tournaments of the home, the newest first.
    pub fn tournaments(&self) -> Vec<TournamentSummary> {
        let mut all = Tournament::all(&self.shared.home);
        all.reverse();
        let summary = |tournament: Tournament| {
            let (report, problem) = match self.shared.report_of(&tournament) {
                Ok(report) => (Some(report), None),
                Err(error) => (None, Some(error.to_string())),
            };
            self.shared.summary(tournament, report.as_deref(), problem)
        };
        all.into_iter().map(summary).collect()
    }

    /// A tournament as it stands.
    pub fn tournament(&self, id: u64) -> Result<TournamentView, DeskError> {
        let shared = &self.shared;
        let tournament = Tournament::open(&shared.home, Some(id)).map_err(refusal)?;
        let report = shared.report_of(&tournament).map_err(refusal)?;
        let job = shared.at_work(id).map(|it| it.job);
        let job = job.and_then(|job| shared.lock().job(job).cloned());
        Ok(TournamentView {
            summary: shared.summary(tournament, Some(&report), None),
            report,
            job,
        })
    }

    /// The boards of a tournament that is played here with how many pairs are finished, and the
    /// settings that name its players.
    pub fn tournament_boards(&self, id: u64) -> Result<(Settings, (Vec<Board>, u64)), DeskError> {
        let Some(work) = self.shared.at_work(id) else {
            let tournament = Tournament::open(&self.shared.home, Some(id)).map_err(refusal)?;
            return Ok((tournament.settings, (Vec::new(), 0)));
        };
        let boards = work.boards.all(self.shared.now_ms());
        let settings = work.runner.tournament().settings.clone();
        Ok((settings, (boards, work.runner.n_pairs())))
    }

    /// Makes a tournament and begins to play it.
    pub fn new_tournament(&self, settings: Settings) -> Result<TournamentView, DeskError> {
        self.shared.lock().check_open()?;
        let tournament = Tournament::create(&self.shared.home, settings).map_err(refusal)?;
        let id = tournament.id;
        self.play_tournament(tournament)?;
        self.tournament(id)
    }

    /// Goes on with a tournament: one that was paused, or one that was stopped.
    pub fn resume_tournament(&self, id: u64) -> Result<TournamentView, DeskError> {
        match self.shared.at_work(id) {
            Some(work) if work.controls.finish.load(Ordering::Relaxed) => {
                let message = "its last games are being finished; resume it afterwards";
                return Err(DeskError::Conflict(message.to_owned()));
            }
            Some(work) => {
                self.resume_job(work.job)?;
            }
            None => {
                let opened = Tournament::open(&self.shared.home, Some(id));
                self.play_tournament(opened.map_err(refusal)?)?;
            }
        }
        self.tournament(id)
    }

    /// Begins no new games until the tournament is resumed.
    pub fn pause_tournament(&self, id: u64) -> Result<TournamentView, DeskError> {
        let work = self.shared.played_here(id)?;
        self.pause_job(work.job)?;
        self.tournament(id)
    }

    /// Finishes the games under way and stops; or gives them up and stops at once. They are played
    /// again when the tournament is resumed.
    pub fn stop_tournament(&self, id: u64, at_once: bool) -> Result<TournamentView, DeskError> {
        let work = self.shared.played_here(id)?;
        if at_once {
            self.cancel_job(work.job)?;
        } else {
            work.controls.finish.store(true, Ordering::Relaxed);
            work.controls.pause.store(false, Ordering::Relaxed);
            self.shared.tell(Event::Tournaments);
        }
        self.tournament(id)
    }

    fn play_tournament(&self, tournament: Tournament) -> Result<(), DeskError> {
        let shared = &self.shared;
        let id = tournament.id;
        let name = tournament.settings.name.clone();
        let concurrency = tournament.settings.concurrency as usize;
        let now = shared.process_clock();
        let runner = Runner::new(tournament, &shared.home, &now).map_err(refusal)?;
        let asked = runner.report().pairs_asked;
        let mut state = shared.lock();
        state.check_open()?;
        let subject = Subject::Tournament { id, name };
        let message = "Games are played.".to_owned();
        let job = shared.list_job(&mut state, subject, asked, message, Ticket::default());
        let work = Arc::new(AtWork {
            runner,
            controls: Controls::default(),
            job: job.id,
            boards: Boards::new(concurrency),
            told_ms: AtomicU64::new(0),
        });
        let mut tournaments = lock(&shared.tournaments);
        tournaments.problems.remove(&id);
        tournaments.at_work.insert(id, Arc::clone(&work));
        let its = Arc::clone(shared);
        let spawned = std::thread::Builder::new()
            .name("kibitz-arena".to_owned())
            .spawn(move || its.play_to_the_end(id, work));
        match spawned {
            Ok(thread) => {
                tournaments.threads.retain(|it| !it.is_finished());
                tournaments.threads.push(thread);
            }
            Err(error) => {
                tournaments.at_work.remove(&id);
                drop(tournaments);
                let message = format!("no thread: {error}");
                shared.cancel_job(&mut state, job.id, &message)?;
                return Err(DeskError::Engine(message));
            }
        }
        drop(tournaments);
        shared.tell(Event::Tournaments);
        Ok(())
    }
}

impl Shared {
    fn at_work(&self, id: u64) -> Option<Arc<AtWork>> {
        lock(&self.tournaments).at_work.get(&id).cloned()
    }

    fn played_here(&self, id: u64) -> Result<Arc<AtWork>, DeskError> {
        self.at_work(id).ok_or_else(|| {
            DeskError::Conflict(format!("tournament {id} is not being played; resume it"))
        })
    }

    /// Has a tournament follow what the list of running work says about it.
    pub(super) fn steer_tournament(&self, id: u64, job: JobState) {
        if let Some(work) = self.at_work(id) {
            let Controls { stop, pause, .. } = &work.controls;
            pause.store(job == JobState::Paused, Ordering::Relaxed);
            if job == JobState::Cancelled {
                stop.store(true, Ordering::Relaxed);
            }
            self.tell(Event::Tournaments);
        }
    }

    /// How a tournament stands. What an unchanged log says is not read twice.
    fn report_of(&self, tournament: &Tournament) -> Result<Arc<Report>, TournamentError> {
        if let Some(work) = self.at_work(tournament.id) {
            return Ok(Arc::new(work.runner.report()));
        }
        let file = tournament.log_file();
        let disk = self.home.disk();
        let length = disk
            .open(&file)
            .and_then(|mut file| file.seek(SeekFrom::End(0)))
            .unwrap_or(0);
        let known = lock(&self.tournaments).read.get(&tournament.id).cloned();
        if let Some((_, report)) = known.filter(|(read, _)| *read == length) {
            return Ok(report);
        }
        let report = Arc::new(tournament.report()?);
        let kept = (length, Arc::clone(&report));
        lock(&self.tournaments).read.insert(tournament.id, kept);
        Ok(report)
    }

    fn summary(
        &self,
        tournament: Tournament,
        report: Option<&Report>,
        problem: Option<String>,
    ) -> TournamentSummary {
        let Tournament { id, .. } = tournament;
        let left = lock(&self.tournaments).problems.get(&id).cloned();
        let (pairs, pairs_asked, games) =
            report.map_or((0, 0, 0), |it| (it.pairs, it.pairs_asked, it.games));
        TournamentSummary {
            id,
            state: self.state_of(&tournament, report),
            settings: tournament.settings,
            pairs,
            pairs_asked,
            games,
            problem: problem.or(left),
        }
    }

    fn state_of(&self, tournament: &Tournament, report: Option<&Report>) -> TournamentState {
        if let Some(work) = self.at_work(tournament.id) {
            let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
            return if is_set(&work.controls.finish) || is_set(&work.controls.stop) {
                TournamentState::Finishing
            } else if is_set(&work.controls.pause) {
                TournamentState::Paused
            } else {
                TournamentState::Running
            };
        }
        let Some(report) = report else {
            return TournamentState::Stopped;
        };
        let test = report.test.as_ref();
        let is_decided = test.is_some_and(|it| it.verdict.decision != Decision::Continue);
        if is_decided && tournament.settings.engines.len() == 2 {
            TournamentState::Decided
        } else if report.pairs >= report.pairs_asked || report.rounds_missing > 0 {
            TournamentState::Finished
        } else if tournament.is_claimed() {
            TournamentState::Elsewhere
        } else {
            TournamentState::Stopped
        }
    }

    fn play_to_the_end(self: &Arc<Self>, id: u64, work: Arc<AtWork>) {
        self.job_runs(work.job);
        let now_ms = || self.now_ms();
        let seconds = || u64::try_from(Library::now_seconds()).unwrap_or(0);
        // A panic in a worker is a defect of ours; the log has all that was finished.
        let watch = Watch {
            tell: &|news| self.take_news(&work, &news),
            wants_thoughts: &|worker| work.boards.wants_thoughts(worker, self.now_ms()),
        };
        let ended = catch_unwind(AssertUnwindSafe(|| {
            work.runner.run(&work.controls, &now_ms, &seconds, watch)
        }));
        let report = work.runner.report();
        let so_far = format!("{} of {} pairs", report.pairs, report.pairs_asked);
        let (job_state, message) = match &ended {
            Ok(Ok(End::Finished)) => (JobState::Finished, format!("Finished: {so_far}.")),
            Ok(Ok(End::Decided)) => (
                JobState::Finished,
                format!("The test has decided after {} pairs.", report.pairs),
            ),
            Ok(Ok(End::Stopped)) => (
                JobState::Cancelled,
                format!("Stopped after {so_far}; it can be resumed."),
            ),
            Ok(Err(error)) => (JobState::Failed, format!("{error}; {so_far} are kept.")),
            Err(_) => (
                JobState::Failed,
                format!("A defect of Kibitz stopped it; {so_far} are kept. The log has more."),
            ),
        };
        let job = work.job;
        {
            let mut tournaments = lock(&self.tournaments);
            tournaments.at_work.remove(&id);
            if job_state == JobState::Failed {
                tournaments.problems.insert(id, message.clone());
            }
        }
        // Whoever resumes it finds it unclaimed.
        drop(work);
        if job_state == JobState::Failed {
            self.notice(NoticeLevel::Error, message.clone());
        }
        let mut state = self.lock();
        let step = Advance {
            state: job_state,
            done: report.pairs,
            message,
        };
        if let Some(told) = self.advance_job(&mut state, job, step) {
            self.tell(Event::Job(told));
        }
        self.tell(Event::Tournaments);
    }

    fn take_news(&self, work: &AtWork, news: &News<'_>) {
        let now_ms = self.now_ms();
        match news {
            News::Game {
                worker,
                pairing,
                game,
                news,
            } => {
                let kind = work.runner.tournament().settings.kind();
                work.boards
                    .take(*worker, kind, *pairing, *game, news, now_ms);
            }
            News::Note(_) => self.tell(Event::Tournaments),
            News::Pair(..) => {
                let told_ms = work.told_ms.load(Ordering::Relaxed);
                if now_ms.saturating_sub(told_ms) >= TELL_EVERY_MS {
                    work.told_ms.store(now_ms, Ordering::Relaxed);
                    self.tell_progress(work);
                }
            }
        }
    }

    fn tell_progress(&self, work: &AtWork) {
        let done = work.runner.n_pairs();
        let mut state: std::sync::MutexGuard<'_, State> = self.lock();
        let step = Advance {
            state: JobState::Running,
            done,
            message: "Games are played.".to_owned(),
        };
        if let Some(told) = self.advance_job(&mut state, work.job, step) {
            self.tell(Event::Job(told));
        }
    }

    /// Gives up the games under way of all tournaments; they are played again on resume.
    pub(super) fn close_tournaments(&self) {
        let threads = {
            let mut tournaments = lock(&self.tournaments);
            for work in tournaments.at_work.values() {
                work.controls.stop.store(true, Ordering::Relaxed);
            }
            std::mem::take(&mut tournaments.threads)
        };
        for thread in threads {
            // Its panics were caught.
            thread.join().ok();
        }
    }
}
