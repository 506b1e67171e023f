//! A foreign engine values every position of a game, for the graph and the signs beside the moves.

use super::{Leash, Post, Purpose, Task};
use crate::{
    desk::{Desk, DeskError, Event, Job, JobState, Shared, Subject, jobs::Advance},
    engines::Id,
    worker::Ticket,
};
use arena::process::{Engine, Limits, Question};
use game::{NodeId, Position};
use std::sync::Weak;

/// How long an engine looks at each position if nobody says it, and what can be asked for.
const USUAL_MS: u64 = 500;
const MOVE_MS: std::ops::RangeInclusive<u64> = 20..=60_000;

/// A game whose positions are valued.
#[derive(Clone)]
struct Valuing {
    shared: Weak<Shared>,
    job: u64,
    session: String,
    id: Id,
    /// From the last position to the first, so that what comes later helps what comes before.
    places: Vec<(NodeId, Position, Question)>,
    ticket: Ticket,
}

impl Desk {
    /// Has an engine value every position of the line shown, with so long for each. The values come
    /// one by one as changes of the session; the job tells how far it is.
    pub fn value_game(
        &self,
        id: &str,
        engine: &str,
        move_ms: Option<u64>,
    ) -> Result<Job, DeskError> {
        let shared = &self.shared;
        let move_ms = move_ms.unwrap_or(USUAL_MS);
        if !MOVE_MS.contains(&move_ms) {
            let message = "the time for a position is from 20 milliseconds to a minute";
            return Err(DeskError::Invalid(message.to_owned()));
        }
        let engine: Id = engine
            .parse()
            .map_err(|error| DeskError::Invalid(format!("{engine:?} names no engine: {error}")))?;
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        for job in state.unfinished_jobs_of(&id) {
            shared
                .cancel_job(&mut state, job, "Cancelled: begun anew.")
                .ok();
        }
        let session = state.session(&id)?;
        let limits = Limits {
            time_ms: Some(move_ms),
            lines: 1,
            ..Limits::default()
        };
        let record = session.record();
        let place = |node: &NodeId| {
            let question = Question::of(record, *node).with_limits(limits);
            let is_over = record.is_over_at(*node);
            let position = record.position(*node).filter(|_| !is_over)?;
            Some((*node, position.clone(), question))
        };
        let places: Vec<_> = session.line().iter().rev().filter_map(place).collect();
        let (total, ticket) = (places.len() as u64, Ticket::default());
        let session = id.clone();
        let subject = Subject::Review { session };
        let message = "Waiting for the engine.".to_owned();
        let job = shared.list_job(&mut state, subject, total, message, ticket.clone());
        drop(state);
        let post = Post {
            session: id.clone(),
            id: engine.clone(),
            purpose: Purpose::Valuing,
        };
        let valuing = Valuing {
            shared: shared.weak(),
            job: job.id,
            session: id,
            id: engine,
            places,
            ticket,
        };
        let task = || -> Task {
            let valuing = valuing.clone();
            Box::new(move |seat, leash| valuing.run(seat.engine_mut(), leash))
        };
        let failed = valuing.clone();
        let engaged = shared.engage(&post, Vec::new(), task, move |reason| {
            failed.end(Err(reason));
        });
        match engaged {
            Some(_) => Ok(job),
            None => Err(DeskError::Engine(
                "the engine could not be started".to_owned(),
            )),
        }
    }
}

impl Valuing {
    fn run(&self, engine: &mut Engine, leash: &Leash) {
        if let Some(shared) = self.shared.upgrade() {
            shared.job_runs(self.job);
        }
        engine.forgive();
        for (n_done, (node, position, question)) in self.places.iter().enumerate() {
            if self.ticket.is_cancelled() || leash.is_over() {
                return;
            }
            let thought = match engine.think(question, self.ticket.stop_flag(), &mut |_| {}) {
                Ok(thought) => thought,
                Err(trouble) => return self.end(Err(&trouble.to_string())),
            };
            let source = engine.identity().source(self.id.as_str());
            let (Some(shared), Some(report)) =
                (self.shared.upgrade(), thought.report(position, source))
            else {
                continue;
            };
            shared.keep_report(&report);
            let mut state = shared.lock();
            if let Some(session) = state.sessions.get_mut(&self.session)
                && session.learn(*node, &report)
            {
                session.changed();
                shared.save_later(&mut state, &self.session);
                shared.tell_session(&state, &self.session);
            }
            drop(state);
            let message = format!("{} of {} positions.", n_done + 1, self.places.len());
            self.advance(JobState::Running, n_done + 1, message);
        }
        self.end(Ok(()));
    }

    fn end(&self, result: Result<(), &str>) {
        match result {
            Ok(()) => {
                let message = format!("{} positions were valued.", self.places.len());
                self.advance(JobState::Finished, self.places.len(), message);
            }
            Err(reason) => {
                let message = format!("{} {reason}. What was found stays.", self.id);
                self.advance(JobState::Failed, 0, message);
            }
        }
    }

    fn advance(&self, job_state: JobState, done: usize, message: String) {
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let step = Advance {
            state: job_state,
            done: done as u64,
            message,
        };
        let mut state = shared.lock();
        if let Some(job) = shared.advance_job(&mut state, self.job, step) {
            shared.tell(Event::Job(job));
        }
    }
}
