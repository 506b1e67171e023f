//! Reviews that outlive the program: those of many games of the library as one job, and those of
//! games on the desk, which are shown again at once and go on where they were.

use super::{
    Desk, DeskError, Event, Job, JobState, NoticeLevel, Shared, Subject,
    coaching::review_effort,
    jobs::Advance,
    lock,
    tools::{AnalystTools, lane},
};
use crate::{
    Session,
    config::EngineName,
    explain::Effort,
    library::{
        self, JobId, KeptReview, KeptState, Library, REVIEW_JOB, ReviewJob, ReviewJobError,
        ReviewStep, kept, line_key, maker, recalled, reports_of,
    },
    review::{JudgedMove, Voice},
    worker::{Priority, Progress, Task, Ticket, Turn},
};
use game::{NodeId, Source};
use othello::Game;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, Weak},
};

/// As many games as one job reviews.
const GAMES_MAX: usize = 10_000;

/// Where reviews are kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// None until the desk is told; then what is found is forgotten with the program.
    library: OnceLock<Arc<Library>>,
    /// The number that a job of the desk has in the database.
    jobs: Mutex<HashMap<u64, JobId>>,
}

impl Kept {
    /// Waits until what was found is on disk.
    pub(super) fn flush(&self) {
        if let Some(Err(error)) = self.library.get().map(|it| it.flush()) {
            tracing::warn!(%error, "the last steps of reviews are not on disk");
        }
    }
}

impl Desk {
    /// Keeps reviews in a library from now on, and goes on with the jobs that the last run left
    /// there.
    pub fn keep_reviews_in(&self, library: &Arc<Library>) {
        if self.shared.kept.library.set(Arc::clone(library)).is_err() {
            return;
        }
        match library.open_jobs() {
            Ok(jobs) => {
                for kept in jobs.into_iter().filter(|it| it.kind == REVIEW_JOB) {
                    if let Some(reviews) = ReviewJob::take_up(Arc::clone(library), kept) {
                        self.shared.submit_reviews(reviews);
                    }
                }
            }
            Err(error) => {
                let message = format!("Unfinished reviews cannot be read: {error}");
                self.shared.notice(NoticeLevel::Warning, message);
            }
        }
    }

    /// Begins to review games of the library, in this order, as one job. A game that was reviewed
    /// with the same engine and effort is not valued again. The job goes on after a restart.
    pub fn review_games(
        &self,
        games: Vec<library::GameId>,
        depth: Option<u32>,
    ) -> Result<Job, DeskError> {
        let none = || DeskError::Conflict("there is no database to keep reviews in".to_owned());
        let library = self.shared.kept.library.get().ok_or_else(none)?;
        if games.is_empty() {
            return Err(DeskError::Invalid("there is no game to review".to_owned()));
        }
        if games.len() > GAMES_MAX {
            let message = format!("at most {GAMES_MAX} games are reviewed as one job");
            return Err(DeskError::Invalid(message));
        }
        super::review::check_depth(depth)?;
        let effort = {
            let state = self.shared.lock();
            state.check_open()?;
            review_effort(state.settings.engine())
        };
        let effort = Effort {
            depth: depth.unwrap_or(Effort::REVIEW.depth),
            ..effort
        };
        let begun = ReviewJob::begin(Arc::clone(library), REVIEW_JOB, games, effort);
        let begun = begun.map_err(|error| DeskError::Conflict(error.to_string()))?;
        Ok(self.shared.submit_reviews(begun))
    }
}

impl Shared {
    /// Writes down that a job stands still, goes on, or is over. The state must not be locked.
    pub(super) fn keep_job_state(&self, job: u64, state: KeptState) {
        let kept = lock(&self.kept.jobs).get(&job).copied();
        if let (Some(job), Some(library)) = (kept, self.kept.library.get())
            && let Err(error) = library.write(library::Event::JobState { job, state })
        {
            let message = format!("What became of the job is not on disk: {error}");
            self.notice(NoticeLevel::Warning, message);
        }
    }

    fn submit_reviews(self: &Arc<Self>, reviews: ReviewJob) -> Job {
        let kept = reviews.job();
        let is_paused = kept.state == KeptState::Paused;
        let subject = Subject::Reviews { games: kept.total };
        let (message, ticket) = (reviews.message(), Ticket::default());
        let step = Advance {
            state: if is_paused {
                JobState::Paused
            } else {
                JobState::Waiting
            },
            done: kept.done,
            message: message.clone(),
        };
        let job = {
            let mut state = self.lock();
            let job = self.list_job(&mut state, subject, kept.total, message, ticket.clone());
            lock(&self.kept.jobs).insert(job.id, kept.id);
            let job = self.advance_job(&mut state, job.id, step).unwrap_or(job);
            self.tell(Event::Job(job.clone()));
            job
        };
        if is_paused {
            ticket.pause();
        }
        let task = Box::new(Reviewer {
            shared: self.weak(),
            job: job.id,
            ticket: ticket.clone(),
            reviews,
        });
        let lane = lane(EngineName::AlphaBeta);
        self.analyst
            .submit_with(ticket, lane, Priority::Batch, task);
        job
    }

    /// A review of a line that was kept, to be shown. One that cannot be read is as good as none.
    pub(super) fn kept_review(&self, game: &Game, voice: Voice) -> Option<KeptReview> {
        let found = self.kept.library.get()?.review_of_moves(game, voice);
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "a kept review cannot be read");
            None
        })
    }
}

/// Reviews of many games, a move at a time, so that more urgent questions come in between.
struct Reviewer {
    shared: Weak<Shared>,
    job: u64,
    ticket: Ticket,
    reviews: ReviewJob,
}

impl Reviewer {
    fn tell(&self, shared: &Shared, state: JobState, message: String) {
        let step = Advance {
            state,
            done: self.reviews.job().done,
            message,
        };
        let mut locked = shared.lock();
        if let Some(job) = shared.advance_job(&mut locked, self.job, step) {
            shared.tell(Event::Job(job));
        }
    }
}

impl Task<AnalystTools> for Reviewer {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        shared.job_runs(self.job);
        tools.may_use(turn.threads);
        let (analyst, explainer) = match tools.reviewer() {
            Ok(tools) => tools,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let now_ms = || shared.now_ms();
        match self.reviews.step(analyst, explainer, &now_ms, turn.stop) {
            Ok(ReviewStep::Finished) => {
                self.tell(&shared, JobState::Finished, self.reviews.message());
                Progress::Done
            }
            Ok(ReviewStep::Judged | ReviewStep::GameDone) => {
                self.tell(&shared, JobState::Running, self.reviews.message());
                Progress::Again
            }
            Ok(ReviewStep::Stopped) => Progress::Again,
            // What was found is kept in memory; the user lets it go on when there is space again.
            Err(ReviewJobError::Library(error)) => {
                self.ticket.pause();
                let message = format!("Paused, because what was found is not on disk: {error}");
                self.tell(&shared, JobState::Paused, message);
                Progress::Again
            }
            Err(error) => {
                self.fail(&error.to_string());
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(job = self.job, reason, "a review of many games failed");
        if let Some(shared) = self.shared.upgrade() {
            let message = format!("The review failed: {reason}. The log has more.");
            self.tell(&shared, JobState::Failed, message);
        }
    }
}

/// The review of a line on the desk: what was found before, and what is found now, goes where
/// reviews are kept.
#[derive(Debug)]
pub(super) struct LineReview {
    game: Game,
    /// What the same maker has found before; looked up once.
    before: Option<Vec<JudgedMove>>,
    judged: Vec<JudgedMove>,
}

impl LineReview {
    /// Of the line that a session shows; `None` if it is none of Othello from its start.
    pub(super) fn of(session: &Session, line: &[NodeId]) -> Option<Self> {
        let game = game_of(session, line)?;
        Some(Self {
            game,
            before: None,
            judged: Vec::new(),
        })
    }

    /// A move that was valued before, if it was.
    pub(super) fn known(
        &mut self,
        shared: &Shared,
        source: &Source,
        effort: Effort,
        number: u32,
    ) -> Option<JudgedMove> {
        let library = shared.kept.library.get()?;
        if self.before.is_none() {
            let (line, maker) = (line_key(&self.game), maker(source, effort));
            let found = library.review_of_line(line, &maker).ok().flatten();
            let found = found.and_then(|it| recalled(&it, &self.game, Voice::Colours));
            self.before = Some(found.map(|it| it.moves).unwrap_or_default());
        }
        let found = self.before.iter().flatten();
        let found = found.into_iter().find(|it| it.number == number).cloned()?;
        self.judged.push(found.clone());
        Some(found)
    }

    /// Keeps a move that was valued now, with those before. It is on disk within a moment.
    pub(super) fn add(
        &mut self,
        shared: &Shared,
        source: &Source,
        effort: Effort,
        judged: &JudgedMove,
    ) {
        let Some(library) = shared.kept.library.get() else {
            return;
        };
        self.judged.push(judged.clone());
        let at = Library::now_seconds();
        let review = kept(&self.game, source, effort, &self.judged, at);
        library.record(library::Event::Review {
            review: Box::new(review),
            game: None,
            step: None,
        });
        for report in reports_of(judged, source) {
            let (report, limits) = (Box::new(report), library::limits(effort));
            library.record(library::Event::Analysis { report, limits });
        }
    }
}

/// The line that a session shows as a game of Othello.
pub(super) fn game_of(session: &Session, line: &[NodeId]) -> Option<Game> {
    let record = session.record().only_to(*line.last()?);
    record.to_othello_game().filter(|it| it.ply() > 0)
}
