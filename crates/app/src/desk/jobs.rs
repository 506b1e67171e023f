//! Work that takes a while, as data.

use super::{Desk, DeskError, Event};

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
}
