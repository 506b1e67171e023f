//! A whole game looked at, move by move, while other things go on.

use super::{
    Desk, DeskError, Event, Job, JobState, Shared, Subject,
    coaching::quick_effort,
    jobs::Step,
    tools::{AnalystTools, lane},
};
use crate::{
    Session,
    config::{EngineConfig, EngineName},
    explain::{Effort, Witness},
    worker::{Priority, Progress, Task, Ticket, Turn},
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
        let subject = Subject::Review {
            session: id.clone(),
        };
        let message = format!("Looking at {} moves.", todo.len());
        let (total, ticket) = (todo.len() as u64, Ticket::default());
        let job = self
            .shared
            .list_job(&mut state, subject, total, message, ticket.clone());
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
        let analyst = &self.shared.analyst;
        analyst.submit_with(ticket, lane, Priority::Batch, task);
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
        shared.job_runs(self.job);
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
        let Position::Othello(position) = todo.position.clone();
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
            shared.on_review_failed(self, reason);
        }
    }
}

impl Shared {
    fn on_review(&self, reviewer: &Reviewer, reviewed: Option<ReviewedMove>, job_state: JobState) {
        let mut state = self.lock();
        let (done, total) = (reviewer.done, reviewer.todo.len());
        let step = Step {
            state: job_state,
            done: done as u64,
            message: match job_state {
                JobState::Finished => format!("Looked at {total} moves."),
                _ => format!("Looked at {done} of {total} moves."),
            },
        };
        // A cancelled job has nothing to say.
        let Some(job) = self.advance_job(&mut state, reviewer.job, step) else {
            return;
        };
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

    fn on_review_failed(&self, reviewer: &Reviewer, reason: &str) {
        let mut state = self.lock();
        let step = Step {
            state: JobState::Failed,
            done: reviewer.done as u64,
            message: format!("The review failed: {reason}. The log has more."),
        };
        if let Some(job) = self.advance_job(&mut state, reviewer.job, step) {
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
