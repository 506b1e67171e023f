//! Games from Lichess and Chess.com, as jobs: one after the other, on a thread of their own, because
//! a server far away may be slow for hours and files should not wait for it.

use super::{
    super::{Desk, DeskError, Event, Job, JobState, Shared, Subject, jobs::Advance, lock},
    importing::{ImportCounts, words},
};
use crate::{
    Patience,
    library::{ImportReport, Library},
    live::{self, Addresses, Outside, Token, TokenError, Tokens},
    worker::{Priority, Progress, Task, Ticket, Turn},
};
use std::{
    sync::{Weak, atomic::Ordering},
    time::Duration,
};

/// Whether games can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchState {
    /// Whether the user has allowed requests.
    pub may_fetch: bool,
    pub has_lichess_token: bool,
}

fn token_error(error: &TokenError) -> DeskError {
    DeskError::Invalid(error.to_string())
}

impl Desk {
    pub fn fetch_state(&self) -> FetchState {
        let tokens = Tokens::of(&self.shared.home);
        FetchState {
            may_fetch: self.shared.lock().settings.config.network.enabled,
            // A broken file is told when it is needed.
            has_lichess_token: tokens.lichess().is_ok_and(|it| it.is_some()),
        }
    }

    /// Keeps the user's token for Lichess, or forgets it. It is never told to anybody but Lichess.
    pub fn set_lichess_token(&self, text: Option<&str>) -> Result<FetchState, DeskError> {
        let token = text.map(str::parse::<Token>).transpose();
        let token = token.map_err(|error| token_error(&error))?;
        let tokens = Tokens::of(&self.shared.home);
        tokens
            .set_lichess(token)
            .map_err(|error| token_error(&error))?;
        Ok(self.fetch_state())
    }

    /// Begins to fetch games; the job tells how far it is.
    pub fn fetch_games(&self, wish: live::Wish) -> Result<Job, DeskError> {
        let shared = &self.shared;
        shared.library()?;
        let token = Tokens::of(&shared.home).lichess();
        let token = token.map_err(|error| token_error(&error))?;
        let name = wish.source.name();
        let mut state = shared.lock();
        state.check_open()?;
        let network = state.settings.config.network.clone();
        if !network.enabled {
            let message = "asking Lichess or Chess.com needs your consent; allow it first";
            return Err(DeskError::Conflict(message.to_owned()));
        }
        let subject = Subject::Fetch { name: name.clone() };
        let is_same = |job: &Job| job.subject == subject && !job.state.is_over();
        if state.jobs.iter().any(|it| is_same(&it.job)) {
            let message = format!("{name} is being fetched already");
            return Err(DeskError::Conflict(message));
        }
        let ticket = Ticket::default();
        let message = "Waits for its turn.".to_owned();
        let job = shared.list_job(&mut state, subject, 0, message, ticket.clone());
        lock(&shared.collection.imports).begin_named(job.id, name);
        drop(state);
        let task = Box::new(Fetcher {
            shared: shared.weak(),
            job: job.id,
            wish,
            addresses: network.addresses,
            token,
            before: ImportCounts::default(),
        });
        let fetcher = &shared.collection.fetcher;
        fetcher.submit_with(ticket, 0, Priority::Batch, task);
        Ok(job)
    }
}

/// Fetches the games of one wish.
struct Fetcher {
    shared: Weak<Shared>,
    job: u64,
    wish: live::Wish,
    addresses: Addresses,
    token: Option<Token>,
    /// What was done before it was last interrupted.
    before: ImportCounts,
}

impl Task<()> for Fetcher {
    fn run(&mut self, (): &mut (), turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let library = match shared.library() {
            Ok(library) => library,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        shared.job_runs(self.job);
        #[expect(
            clippy::disallowed_methods,
            reason = "a server far away is asked again after real time"
        )]
        let pause = |ms: u64| std::thread::sleep(Duration::from_millis(ms));
        let n_told = std::cell::Cell::new(0);
        let tell = |progress: live::Progress<'_>| {
            let counts = self.before.plus(ImportCounts::of(progress.report));
            shared.on_fetched(self.job, progress, counts, &n_told);
        };
        let outside = Outside {
            // The user's consent was looked at when the wish came; withdrawn since, it counts now.
            may_fetch: shared.lock().settings.config.network.enabled,
            addresses: self.addresses.clone(),
            token: self.token.clone(),
            patience: Patience::usual(&pause),
            stop: turn.stop,
            now_ms: &|| 1000 * Library::now_seconds().max(0) as u64,
            tell: &tell,
        };
        let fetched = library.fetch(&shared.home, &self.wish, &outside);
        match fetched {
            Ok(fetched) if fetched.report.is_stopped && turn.stop.load(Ordering::SeqCst) => {
                self.before = self.before.plus(ImportCounts::of(&fetched.report));
                shared.note_problems(self.job, self.before, &fetched.report, &n_told);
                Progress::Again
            }
            Ok(fetched) => {
                let counts = self.before.plus(ImportCounts::of(&fetched.report));
                shared.note_problems(self.job, counts, &fetched.report, &n_told);
                let unfinished = match fetched.unfinished {
                    0 => String::new(),
                    n => format!(" {n} are still being played; fetch again later."),
                };
                let message = words(counts) + &unfinished;
                shared.end_collecting(self.job, JobState::Finished, message);
                Progress::Done
            }
            Err(error) => {
                self.fail(&error.to_string());
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let source = self.wish.source.name();
        tracing::warn!(job = self.job, %source, reason, "a fetch failed");
        let message = format!("{reason}. What has come is kept; fetch again to go on.");
        shared.end_collecting(self.job, JobState::Failed, message);
    }
}

impl Shared {
    fn note_problems(
        &self,
        job: u64,
        counts: ImportCounts,
        report: &ImportReport,
        n_told: &std::cell::Cell<usize>,
    ) {
        let problems = report.problems.get(n_told.get()..).unwrap_or_default();
        n_told.set(report.problems.len());
        lock(&self.collection.imports).update(job, counts, problems);
    }

    fn on_fetched(
        &self,
        job: u64,
        progress: live::Progress<'_>,
        counts: ImportCounts,
        n_told: &std::cell::Cell<usize>,
    ) {
        self.note_problems(job, counts, progress.report, n_told);
        let (done, total) = progress.months.unwrap_or_default();
        let step = Advance {
            state: JobState::Running,
            done,
            message: progress.message.to_owned(),
        };
        let mut state = self.lock();
        if let Some(listed) = state.jobs.iter_mut().find(|it| it.job.id == job) {
            listed.job.total = total;
        }
        if let Some(job) = self.advance_job(&mut state, job, step) {
            self.tell(Event::Job(job));
        }
    }
}
