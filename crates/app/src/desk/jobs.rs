//! Work that takes a while, as data: what it is about, how far it is, how long it will take.

use super::{Desk, DeskError, Event, Shared, State};
use crate::{library::KeptState, worker::Ticket};

/// Jobs that are over are forgotten beyond so many.
const JOBS_KEPT: usize = 50;

/// What a job is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Every move of a session's line is valued.
    Review { session: String },
    /// Games are read from a file.
    Import {
        /// The file's name, if it came with one.
        name: Option<String>,
    },
    /// Games of the library are reviewed, so many; counted in games.
    Reviews { games: u64 },
    /// The games of a file go into the database.
    Collect { name: String },
    /// Games are fetched from a server far away; counted in months, if anybody knows them.
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

impl Subject {
    /// The session that the job works for, if it is one's own.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Review { session } => Some(session),
            Self::Import { .. }
            | Self::Reviews { .. }
            | Self::Collect { .. }
            | Self::Fetch { .. }
            | Self::Install { .. }
            | Self::Tournament { .. } => None,
        }
    }

    /// Whether the work can wait in the middle. A file that is read holds its memory all the while.
    pub const fn can_pause(&self) -> bool {
        match self {
            Self::Review { .. }
            | Self::Reviews { .. }
            | Self::Collect { .. }
            | Self::Fetch { .. }
            | Self::Tournament { .. } => true,
            Self::Import { .. } | Self::Install { .. } => false,
        }
    }

    /// What is told when the user has ended the work.
    const fn ended_by_user(&self) -> &'static str {
        match self {
            Self::Tournament { .. } => "Stopped; it can be resumed.",
            _ => "Cancelled.",
        }
    }
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Waits for its turn.
    Waiting,
    Running,
    /// Stands still until the user lets it go on.
    Paused,
    Finished,
    Cancelled,
    Failed,
}

impl JobState {
    /// Whether nothing will happen any more.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

/// Work that takes a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: u64,
    pub subject: Subject,
    pub state: JobState,
    pub done: u64,
    pub total: u64,
    pub message: String,
    /// How long it will go on at the pace so far; `None` if that is not known, or if it stands
    /// still.
    pub remaining_ms: Option<u64>,
}

/// A job on the list.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) job: Job,
    ticket: Ticket,
    /// How long it has worked before it last began to.
    worked_ms: u64,
    /// When it last began to work; `None` while it waits or stands still.
    since_ms: Option<u64>,
}

impl Listed {
    fn enter(&mut self, state: JobState, now_ms: u64) {
        if let Some(since_ms) = self.since_ms.take() {
            self.worked_ms += now_ms.saturating_sub(since_ms);
        }
        if state == JobState::Running {
            self.since_ms = Some(now_ms);
        }
        self.job.state = state;
        let Job { done, total, .. } = self.job;
        let is_known = state == JobState::Running && done > 0;
        self.job.remaining_ms = is_known.then(|| {
            let left = u128::from(self.worked_ms) * u128::from(total.saturating_sub(done));
            u64::try_from(left / u128::from(done)).unwrap_or(u64::MAX)
        });
    }
}

/// What a job has to tell.
#[derive(Debug, Clone)]
pub(super) struct Advance {
    pub(super) state: JobState,
    pub(super) done: u64,
    pub(super) message: String,
}

impl Desk {
    /// All jobs of this run, the newest last.
    pub fn jobs(&self) -> Vec<Job> {
        let state = self.shared.lock();
        state.jobs.iter().map(|listed| listed.job.clone()).collect()
    }

    /// Stops a job; what it had found stays.
    pub fn cancel_job(&self, id: u64) -> Result<Job, DeskError> {
        let cancelled = {
            let mut state = self.shared.lock();
            let message = state.listed(id)?.job.subject.ended_by_user();
            self.shared.cancel_job(&mut state, id, message)
        };
        self.shared.keep_job_state(id, KeptState::Over);
        cancelled
    }

    /// Has a job stand still until it is resumed. A job that is over stays as it is.
    pub fn pause_job(&self, id: u64) -> Result<Job, DeskError> {
        let mut state = self.shared.lock();
        let listed = state.listed(id)?;
        if !listed.job.subject.can_pause() {
            let message = "this work cannot be paused; cancel it, and begin again later";
            return Err(DeskError::Conflict(message.to_owned()));
        }
        if !listed.job.state.is_over() {
            listed.ticket.pause();
            listed.enter(JobState::Paused, self.shared.now_ms());
            self.shared.steer(listed);
        }
        let job = listed.job.clone();
        self.shared.tell(Event::Job(job.clone()));
        drop(state);
        if job.state == JobState::Paused {
            self.shared.keep_job_state(id, KeptState::Paused);
        }
        Ok(job)
    }

    /// Lets a job go on that was paused.
    pub fn resume_job(&self, id: u64) -> Result<Job, DeskError> {
        let mut state = self.shared.lock();
        let listed = state.listed(id)?;
        let was_paused = listed.job.state == JobState::Paused;
        if was_paused {
            listed.enter(JobState::Waiting, self.shared.now_ms());
            self.shared.let_go_on(listed);
        }
        let job = listed.job.clone();
        self.shared.tell(Event::Job(job.clone()));
        drop(state);
        if was_paused {
            self.shared.keep_job_state(id, KeptState::Open);
        }
        Ok(job)
    }
}

impl Shared {
    /// Puts a job on the list that waits for its turn, and tells of it. Of those that are over the
    /// oldest is forgotten when there are many, with what it had found.
    pub(super) fn list_job(
        &self,
        state: &mut State,
        subject: Subject,
        total: u64,
        message: String,
        ticket: Ticket,
    ) -> Job {
        if state.jobs.len() >= JOBS_KEPT {
            let is_over = |listed: &Listed| listed.job.state.is_over();
            let oldest = state.jobs.iter().position(is_over);
            if let Some(forgotten) = oldest.map(|at| state.jobs.remove(at))
                && let Some(session) = forgotten.job.subject.session()
                && subject.session() != Some(session)
            {
                state.reviews.remove(session);
            }
        }
        state.n_jobs += 1;
        let job = Job {
            id: state.n_jobs,
            subject,
            state: JobState::Waiting,
            done: 0,
            total,
            message,
            remaining_ms: None,
        };
        state.jobs.push(Listed {
            job: job.clone(),
            ticket,
            worked_ms: 0,
            since_ms: None,
        });
        self.tell(Event::Job(job.clone()));
        job
    }

    /// Tells the worker of a job that it does not stand still any more.
    fn let_go_on(&self, listed: &Listed) {
        match listed.job.subject {
            Subject::Review { .. } | Subject::Reviews { .. } => {
                self.analyst.resume(&listed.ticket);
            }
            Subject::Collect { .. } => self.collection.importer.resume(&listed.ticket),
            Subject::Fetch { .. } => self.collection.fetcher.resume(&listed.ticket),
            Subject::Tournament { .. } => self.steer(listed),
            // They are done on threads that do not wait.
            Subject::Import { .. } | Subject::Install { .. } => {}
        }
    }

    /// Tells a tournament, which has flags of its own, what its job is to do.
    fn steer(&self, listed: &Listed) {
        if let Subject::Tournament { id, .. } = listed.job.subject {
            self.steer_tournament(id, listed.job.state);
        }
    }

    /// Notes that a job works which has waited.
    pub(super) fn job_runs(&self, id: u64) {
        let mut state = self.lock();
        if let Ok(listed) = state.listed(id)
            && listed.job.state == JobState::Waiting
        {
            listed.enter(JobState::Running, self.now_ms());
            self.tell(Event::Job(listed.job.clone()));
        }
    }

    /// Notes that a job has come further. `None` if it is over: it has nothing to say any more.
    /// The caller tells of it, after what it has found.
    pub(super) fn advance_job(&self, state: &mut State, id: u64, step: Advance) -> Option<Job> {
        let listed = state.listed(id).ok()?;
        if listed.job.state.is_over() {
            return None;
        }
        listed.job.done = step.done;
        listed.job.message = step.message;
        // What was under way when the user paused it may still come in.
        let stands_still = listed.job.state == JobState::Paused && !step.state.is_over();
        let entered = if stands_still {
            JobState::Paused
        } else {
            step.state
        };
        listed.enter(entered, self.now_ms());
        Some(listed.job.clone())
    }

    pub(super) fn cancel_job(
        &self,
        state: &mut State,
        id: u64,
        message: &str,
    ) -> Result<Job, DeskError> {
        let listed = state.listed(id)?;
        if !listed.job.state.is_over() {
            listed.ticket.cancel();
            listed.enter(JobState::Cancelled, self.now_ms());
            message.clone_into(&mut listed.job.message);
            // One that stands still would never notice.
            self.let_go_on(listed);
        }
        let job = listed.job.clone();
        self.tell(Event::Job(job.clone()));
        Ok(job)
    }
}

impl State {
    fn listed(&mut self, id: u64) -> Result<&mut Listed, DeskError> {
        let found = self.jobs.iter_mut().find(|listed| listed.job.id == id);
        found.ok_or(DeskError::NoSuchJob(id))
    }

    /// All jobs, and how long each has worked.
    pub(super) fn worked_jobs(&self, now_ms: u64) -> Vec<(Job, u64)> {
        let worked = |listed: &Listed| {
            let since = listed.since_ms.map_or(0, |it| now_ms.saturating_sub(it));
            (listed.job.clone(), listed.worked_ms + since)
        };
        self.jobs.iter().map(worked).collect()
    }

    /// A job by its number, unless it is forgotten.
    pub(super) fn job(&self, id: u64) -> Option<&Job> {
        let mut jobs = self.jobs.iter().map(|listed| &listed.job);
        jobs.find(|job| job.id == id)
    }

    /// The jobs that work for a session and are not over.
    pub(super) fn unfinished_jobs_of(&self, id: &str) -> Vec<u64> {
        let jobs = self.jobs.iter().map(|listed| &listed.job);
        jobs.filter(|job| job.subject.session() == Some(id) && !job.state.is_over())
            .map(|job| job.id)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_time_that_was_worked() {
        let mut listed = Listed {
            job: Job {
                id: 1,
                subject: Subject::Import { name: None },
                state: JobState::Waiting,
                done: 0,
                total: 10,
                message: String::new(),
                remaining_ms: None,
            },
            ticket: Ticket::default(),
            worked_ms: 0,
            since_ms: None,
        };
        // Waiting and standing still do not count.
        listed.enter(JobState::Running, 50_000);
        assert_eq!(listed.job.remaining_ms, None, "nothing is done yet");
        listed.job.done = 2;
        listed.enter(JobState::Running, 51_000);
        assert_eq!(listed.job.remaining_ms, Some(4_000));
        listed.enter(JobState::Paused, 51_000);
        assert_eq!(listed.job.remaining_ms, None);
        listed.enter(JobState::Waiting, 900_000);
        listed.enter(JobState::Running, 910_000);
        listed.job.done = 4;
        listed.enter(JobState::Running, 911_000);
        assert_eq!(listed.job.remaining_ms, Some(3_000));
        listed.enter(JobState::Finished, 911_000);
        assert_eq!(listed.job.remaining_ms, None);
    }
}
