//! Work that takes a while, as data.

use super::{Desk, DeskError, Event, Shared, State};
use crate::worker::Ticket;

/// Jobs that are over are forgotten beyond so many.
const JOBS_KEPT: usize = 50;

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
    Running,
    Finished,
    Cancelled,
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
    pub id: u64,
    pub kind: JobKind,
    /// The session it works for.
    pub session: String,
    pub state: JobState,
    pub done: usize,
    pub total: usize,
    pub message: String,
}

impl Desk {
    /// All jobs of this run, the newest last.
    pub fn jobs(&self) -> Vec<Job> {
        let state = self.shared.lock();
        state.jobs.iter().map(|(job, _)| job.clone()).collect()
    }

    /// Stops a job; what it had found stays.
    pub fn cancel_job(&self, id: u64) -> Result<Job, DeskError> {
        let mut state = self.shared.lock();
        self.shared.cancel_job(&mut state, id, "Cancelled.")
    }
}

impl Shared {
    pub(super) fn cancel_job(
        &self,
        state: &mut State,
        id: u64,
        message: &str,
    ) -> Result<Job, DeskError> {
        let found = state.jobs.iter_mut().find(|(job, _)| job.id == id);
        let Some((job, ticket)) = found else {
            return Err(DeskError::NoSuchJob(id));
        };
        if !job.state.is_over() {
            ticket.cancel();
            job.state = JobState::Cancelled;
            message.clone_into(&mut job.message);
        }
        self.tell(Event::Job(job.clone()));
        Ok(job.clone())
    }
}

impl State {
    /// The jobs that work for a session and are not over.
    pub(super) fn unfinished_jobs_of(&self, id: &str) -> Vec<u64> {
        let jobs = self.jobs.iter().map(|(job, _)| job);
        jobs.filter(|job| job.session == id && !job.state.is_over())
            .map(|job| job.id)
            .collect()
    }

    /// Puts a job on the list. Of those that are over the oldest is forgotten when there are many,
    /// with what it had found.
    pub(super) fn keep_job(&mut self, job: Job, ticket: Ticket) {
        if self.jobs.len() >= JOBS_KEPT {
            let oldest = self.jobs.iter().position(|(job, _)| job.state.is_over());
            if let Some((forgotten, _)) = oldest.map(|at| self.jobs.remove(at))
                && forgotten.session != job.session
            {
                self.reviews.remove(&forgotten.session);
            }
        }
        self.jobs.push((job, ticket));
    }
}
