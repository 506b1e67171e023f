//! A whole game looked at, move by move, while other things go on.

use super::{
    Desk, DeskError, Event, Job, JobKind, JobState, Shared,
    coaching::quick_effort,
    error::NOT_OTHELLO,
    tools::{AnalystTools, lane},
};
use crate::{
    Session,
    config::{EngineConfig, EngineName},
    explain::{Effort, Witness},
    worker::{Priority, Progress, Task, Turn},
};
use coach::explain::{ExplainError, Judgement};
use game::{Bound, Line, Move, NodeId, Position, Report, Side, Source};
use othello::Square;
use std::sync::Weak;

/// A move of a reviewed game.
#[derive(Debug, Clone)]
pub struct ReviewedMove {
    /// The node that it led to.
    pub node: NodeId,
    pub side: Side,
    pub action: Move,
    /// The position before it.
    pub before: Position,
    pub source: Source,
    /// What the coach says of it.
    pub judgement: Judgement,
}

/// A reviewed game, as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct Review {
    pub session: String,
    /// Whether all moves are in.
    pub is_complete: bool,
    /// In the order of the game.
    pub moves: Vec<ReviewedMove>,
}

/// Deeper than any game is long.
const DEPTH_MAX: u32 = 60;

impl Desk {
    /// Begins to look at every move of the line shown. An unfinished review of the same session
    /// is cancelled.
    pub fn start_review(&self, id: &str, depth: Option<u32>) -> Result<Job, DeskError> {
        if depth.is_some_and(|depth| !(1..=DEPTH_MAX).contains(&depth)) {
            let message = format!("depth: expected 1 to {DEPTH_MAX}");
            return Err(DeskError::Invalid(message));
        }
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        for job in state.unfinished_jobs_of(&id) {
            self.shared.cancel_job(&mut state, job, "Cancelled.")?;
        }
        let config = state.settings.engine();
        let todo = todo_of(state.session(&id)?);
        state.n_jobs += 1;
        let job = Job {
            id: state.n_jobs,
            kind: JobKind::Review,
            session: id.clone(),
            state: JobState::Waiting,
            done: 0,
            total: todo.len(),
            message: format!("Looking at {} moves.", todo.len()),
        };
        let review = Review {
            session: id.clone(),
            ..Review::default()
        };
        state.reviews.insert(id.clone(), review);
        let task = Reviewer {
            shared: self.shared.weak(),
            job: job.id,
            session: id,
            todo,
            done: 0,
            effort: Effort {
                depth: depth.unwrap_or(Effort::QUICK.depth),
                ..quick_effort(config)
            },
            config,
        };
        let (lane, task) = (lane(EngineName::AlphaBeta), Box::new(task));
        let ticket = self.shared.analyst.submit(lane, Priority::Batch, task);
        state.keep_job(job.clone(), ticket);
        self.shared.tell(Event::Job(job.clone()));
        Ok(job)
    }

    /// What a review has found so far.
    pub fn review(&self, id: &str) -> Result<Review, DeskError> {
        let (state, id) = self.with_session(id)?;
        let none = || Review {
            session: id.clone(),
            ..Review::default()
        };
        Ok(state.reviews.get(&id).cloned().unwrap_or_else(none))
    }
}

/// The moves of the line shown.
fn todo_of(session: &Session) -> Vec<Todo> {
    let record = session.record();
    let todo = |node| {
        let at = record.node(node)?;
        Some(Todo {
            node,
            position: record.position(at.parent()?)?.clone(),
            square: at.action()?.othello()?.square()?,
        })
    };
    session.line().into_iter().filter_map(todo).collect()
}

/// A move to look at.
struct Todo {
    node: NodeId,
    position: Position,
    square: Square,
}

/// One move at a time, so that more urgent questions come in between.
struct Reviewer {
    shared: Weak<Shared>,
    job: u64,
    session: String,
    todo: Vec<Todo>,
    done: usize,
    effort: Effort,
    config: EngineConfig,
}

impl Task<AnalystTools> for Reviewer {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let Some(todo) = self.todo.get(self.done) else {
            shared.on_review(self, None, JobState::Finished);
            return Progress::Done;
        };
        tools.may_use(turn.threads);
        let (analyst, explainer) = match tools.both(self.config) {
            Ok(both) => both,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let source = analyst.source().clone();
        let now_ms = || shared.now_ms();
        let mut witness = Witness::new(analyst, self.effort, &now_ms, turn.stop);
        let Some(position) = todo.position.othello() else {
            self.fail(NOT_OTHELLO);
            return Progress::Done;
        };
        match explainer.judge(&mut witness, position, todo.square) {
            Ok(judgement) => {
                let reviewed = ReviewedMove {
                    node: todo.node,
                    side: todo.position.side(),
                    action: todo.square.into(),
                    before: todo.position.clone(),
                    source,
                    judgement,
                };
                self.done += 1;
                let is_last = self.done == self.todo.len();
                let state = if is_last {
                    JobState::Finished
                } else {
                    JobState::Running
                };
                shared.on_review(self, Some(reviewed), state);
                if is_last {
                    Progress::Done
                } else {
                    Progress::Again
                }
            }
            // Interrupted: this move comes again.
            Err(ExplainError::Analyst(_)) => Progress::Again,
            Err(error) => {
                self.fail(&error.to_string());
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        let position = self
            .todo
            .get(self.done)
            .map(|todo| todo.position.to_string());
        tracing::error!(job = self.job, position, reason, "a review failed");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_review_failed(self.job, reason);
        }
    }
}

impl Shared {
    fn on_review(&self, reviewer: &Reviewer, reviewed: Option<ReviewedMove>, job_state: JobState) {
        let mut state = self.lock();
        let found = state
            .jobs
            .iter_mut()
            .find(|(job, _)| job.id == reviewer.job);
        // A cancelled job has nothing to say.
        let Some((job, _)) = found.filter(|(job, _)| !job.state.is_over()) else {
            return;
        };
        job.state = job_state;
        job.done = reviewer.done;
        job.message = match job_state {
            JobState::Finished => format!("Looked at {} moves.", job.total),
            _ => format!("Looked at {} of {} moves.", job.done, job.total),
        };
        let job = job.clone();
        let id = &reviewer.session;
        if let (Some(reviewed), Some(session)) = (&reviewed, state.sessions.get_mut(id)) {
            let before = session
                .record()
                .node(reviewed.node)
                .and_then(|it| it.parent());
            if let Some(before) = before {
                session.learn(before, &reviewed.report());
            }
            if let Some(report) = reviewed.report_after() {
                session.learn(reviewed.node, &report);
            }
            session.changed();
        }
        if let Some(review) = state.reviews.get_mut(id) {
            review.moves.extend(reviewed);
            review.is_complete = job_state == JobState::Finished;
            let review = review.clone();
            self.tell(Event::Review(review));
        }
        self.tell_session(&state, id);
        self.save_later(&mut state, id);
        self.tell(Event::Job(job));
    }

    fn on_review_failed(&self, job: u64, reason: &str) {
        let mut state = self.lock();
        let found = state.jobs.iter_mut().find(|(it, _)| it.id == job);
        if let Some((job, _)) = found.filter(|(job, _)| !job.state.is_over()) {
            job.state = JobState::Failed;
            job.message = format!("The review failed: {reason}. The log has more.");
            let job = job.clone();
            self.tell(Event::Job(job));
        }
    }
}

impl ReviewedMove {
    /// What the search before the move said.
    pub fn report(&self) -> Report {
        let Judgement { best, played, .. } = &self.judgement;
        let line = |candidate: &coach::explain::Candidate| Line {
            score: candidate.score,
            bound: Bound::Exact,
            moves: candidate.moves.iter().copied().map(Move::from).collect(),
        };
        let mut lines = vec![line(best)];
        if played.square != best.square {
            lines.push(line(played));
        }
        Report {
            lines,
            score: best.score,
            depth: best.depth,
            solved: best.solved,
            ..Report::new(self.before.clone(), self.source.clone())
        }
    }

    /// What it said about the position after the move; `None` if there is no such position.
    fn report_after(&self) -> Option<Report> {
        let played = &self.judgement.played;
        // The position right after the move is the opponent's, even where all it can do is pass.
        let after = self.before.play(self.action).ok()?;
        Some(Report {
            score: -played.score,
            depth: played.depth.saturating_sub(1),
            solved: played.solved,
            ..Report::new(after, self.source.clone())
        })
    }
}
