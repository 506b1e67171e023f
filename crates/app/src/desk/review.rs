//! A whole game looked at, move by move, while other things go on.

use super::{
    Desk, DeskError, Event, Job, JobState, Shared, State, Subject,
    coaching::review_effort,
    error::othello_of,
    jobs::Advance,
    kept::{LineReview, game_of},
    tools::{AnalystTools, lane},
};
use crate::{
    Session,
    config::EngineName,
    explain::{Effort, Witness},
    review::{GameReview, GraphPoint, JudgedMove, Voice, first_look},
    worker::{Priority, Progress, Task, Ticket, Turn},
};
use coach::explain::{ExplainError, Judgement};
use game::{Control, NodeId, Outcome, Position, Report, Source};
use othello::Square;
use std::{cell::RefCell, sync::Weak};

/// A move of a reviewed game.
#[derive(Debug, Clone)]
pub struct ReviewedMove {
    /// The node that it led to.
    pub node: NodeId,
    pub source: Source,
    /// What the coach says of it.
    pub judged: JudgedMove,
}

/// A reviewed game, as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct Review {
    pub session: String,
    /// Whether all moves are in.
    pub is_complete: bool,
    /// What the positions of the line are worth, in its order, as far as they have been looked at.
    pub graph: Vec<(NodeId, GraphPoint)>,
    /// In the order of the game. They come in from its end.
    pub moves: Vec<ReviewedMove>,
    /// How the game ended, if it did with the line.
    pub outcome: Option<Outcome>,
    /// How to speak of the sides.
    pub voice: Voice,
    /// What it looks at, and the depth that it was asked for.
    line: Vec<NodeId>,
    depth: Option<u32>,
}

impl Review {
    /// What can be said about the game.
    pub fn game(&self) -> GameReview<'_> {
        GameReview {
            moves: self.moves.iter().map(|it| &it.judged).collect(),
            outcome: self.outcome,
        }
    }

    /// Keeps the value of a place of the line unless the same or more is known of it.
    fn plot(&mut self, line: &[NodeId], node: NodeId, point: GraphPoint) {
        let place = |it: NodeId| line.iter().position(|&at| at == it);
        let at = self
            .graph
            .binary_search_by_key(&place(node), |&(it, _)| place(it));
        match at {
            Ok(at) if self.graph[at].1.is_judged && !point.is_judged => {}
            Ok(at) => self.graph[at].1 = point,
            Err(at) => self.graph.insert(at, (node, point)),
        }
    }
}

/// Deeper than any game is long.
const DEPTH_MAX: u32 = 60;

/// Refuses a depth that no review has.
pub(super) fn check_depth(depth: Option<u32>) -> Result<(), DeskError> {
    if depth.is_some_and(|depth| !(1..=DEPTH_MAX).contains(&depth)) {
        let message = format!("depth: expected 1 to {DEPTH_MAX}");
        return Err(DeskError::Invalid(message));
    }
    Ok(())
}

impl Desk {
    /// Begins to look at every move of the line shown. An unfinished review of another line of the
    /// session is cancelled; one of this line, as deep, goes on and is the answer.
    pub fn start_review(&self, id: &str, depth: Option<u32>) -> Result<Job, DeskError> {
        check_depth(depth)?;
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let config = state.settings.engine();
        let plan = Plan::of(state.session(&id)?);
        let is_wanted = |it: &Review| it.line == plan.line && it.depth == depth;
        if state.reviews.get(&id).is_some_and(is_wanted)
            && let Some(job) = state.unfinished_jobs_of(&id).first()
            && let Some(job) = state.job(*job)
        {
            return Ok(job.clone());
        }
        for job in state.unfinished_jobs_of(&id) {
            self.shared.cancel_job(&mut state, job, "Cancelled.")?;
        }
        let session = state.session(&id)?;
        let review = Review {
            session: id.clone(),
            outcome: plan.outcome(session),
            voice: session.voice(),
            line: plan.line.clone(),
            depth,
            ..Review::default()
        };
        let voice = review.voice;
        let kept = RefCell::new(LineReview::of(session, &plan.line));
        let subject = Subject::Review {
            session: id.clone(),
        };
        let (total, ticket) = (plan.n_steps() as u64, Ticket::default());
        let shared = &self.shared;
        let job = shared.list_job(&mut state, subject, total, plan.message(0), ticket.clone());
        state.reviews.insert(id.clone(), review);
        let task = Reviewer {
            shared: self.shared.weak(),
            job: job.id,
            session: id,
            plan,
            done: 0,
            voice,
            kept,
            effort: Effort {
                depth: depth.unwrap_or(Effort::REVIEW.depth),
                ..review_effort(config)
            },
        };
        let (lane, task) = (lane(EngineName::AlphaBeta), Box::new(task));
        shared
            .analyst
            .submit_with(ticket, lane, Priority::Batch, task);
        Ok(job)
    }

    /// What a review has found so far.
    pub fn review(&self, id: &str) -> Result<Review, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        if let Some(review) = state.reviews.get(&id) {
            return Ok(review.clone());
        }
        let session = state.session(&id)?;
        let plan = Plan::of(session);
        let mut review = Review {
            session: id.clone(),
            outcome: plan.outcome(session),
            voice: session.voice(),
            ..Review::default()
        };
        let game = game_of(session, &plan.line);
        drop(state);
        // A review that was made before the program was last started.
        let found = game.and_then(|game| self.shared.kept_review(&game, review.voice));
        let Some(found) = found else {
            return Ok(Review {
                session: id,
                ..Review::default()
            });
        };
        review.is_complete = found.is_done;
        for judged in found.moves.into_iter().rev() {
            let todo = plan.moves.iter().find(|it| it.number == judged.number);
            if let Some(todo) = todo {
                let source = found.source.clone();
                let node = todo.node;
                let seen = Seen::Move(ReviewedMove {
                    node,
                    source,
                    judged,
                });
                review.keep(&plan.line, seen);
            }
        }
        let mut state = self.shared.lock();
        let known = state.reviews.entry(id).or_insert(review);
        Ok(known.clone())
    }
}

/// Whether one look at a move says more than another: it is more certain, or as certain and looked
/// further.
pub(super) fn is_surer(now: &Judgement, before: &Judgement) -> bool {
    let sure = |it: &Judgement| (it.certainty, it.best.reach());
    sure(now) > sure(before)
}

impl State {
    /// The reviewed move that was played from a place.
    pub(super) fn reviewed_from(&self, id: &str, node: NodeId) -> Option<&ReviewedMove> {
        let record = self.sessions.get(id)?.record();
        let parent = |of: NodeId| record.node(of).and_then(|it| it.parent());
        let mut moves = self.reviews.get(id)?.moves.iter();
        moves.find(|it| parent(it.node) == Some(node))
    }
}

impl Shared {
    /// A look at a reviewed move that was more certain than the review's own takes its place, so that
    /// list, graph and card say the same.
    pub(super) fn improve_review(&self, id: &str, node: NodeId, judgement: Judgement) {
        let mut state = self.lock();
        let Some(known) = state.reviewed_from(id, node).cloned() else {
            return;
        };
        let is_same = known.judged.square() == judgement.played.square;
        if !is_same || !is_surer(&judgement, &known.judged.judgement) {
            return;
        }
        let reviewed = ReviewedMove {
            judged: JudgedMove {
                judgement,
                ..known.judged
            },
            ..known
        };
        if let Some(session) = state.sessions.get_mut(id) {
            Seen::Move(reviewed.clone()).teach(session);
            session.changed();
        }
        if let Some(review) = state.reviews.get_mut(id) {
            review.replace(reviewed);
            let review = review.clone();
            self.tell(Event::Review(review));
        }
        self.tell_session(&state, id);
        self.save_later(&mut state, id);
    }
}

/// What there is to look at: the positions of the line shown, then its moves. Both from the end,
/// where the game can be solved: what is known there helps with the moves before.
struct Plan {
    line: Vec<NodeId>,
    positions: Vec<(NodeId, Position)>,
    moves: Vec<Todo>,
}

/// A move to look at.
struct Todo {
    node: NodeId,
    position: Position,
    number: u32,
    square: Square,
}

/// One thing to do.
enum Step<'a> {
    Look(NodeId, &'a Position),
    Judge(&'a Todo),
}

impl Plan {
    fn of(session: &Session) -> Self {
        let record = session.record();
        let line = session.line();
        let mut number = 0;
        let mut moves = Vec::new();
        for &node in &line {
            let placed = record.node(node).and_then(|at| {
                let square = at.action()?.othello()?.square()?;
                Some((square, record.position(at.parent()?)?.clone()))
            });
            if let Some((square, position)) = placed {
                number += 1;
                moves.push(Todo {
                    node,
                    position,
                    number,
                    square,
                });
            }
        }
        moves.reverse();
        let positions = line.iter().rev().filter_map(|&node| {
            let position = record.position(node).filter(|it| !it.is_over())?;
            Some((node, position.clone()))
        });
        Self {
            positions: positions.collect(),
            moves,
            line,
        }
    }

    /// How the game ended, if it did with the line: by the rules, or before them.
    fn outcome(&self, session: &Session) -> Option<Outcome> {
        let end = *self.line.last()?;
        let played = session.played_end().filter(|&(node, _)| node == end);
        let played = played.map(|(_, outcome)| outcome);
        played.or_else(|| session.record().outcome_at(end))
    }

    fn n_steps(&self) -> usize {
        if self.moves.is_empty() {
            0
        } else {
            self.positions.len() + self.moves.len()
        }
    }

    fn step(&self, done: usize) -> Option<Step<'_>> {
        if self.moves.is_empty() {
            return None;
        }
        match self.positions.get(done) {
            Some((node, position)) => Some(Step::Look(*node, position)),
            None => self.moves.get(done - self.positions.len()).map(Step::Judge),
        }
    }

    fn message(&self, done: usize) -> String {
        let n_moves = self.moves.len();
        match done.checked_sub(self.positions.len()) {
            _ if n_moves == 0 => "There is no move to look at.".to_owned(),
            None => format!("A first look at {} positions.", self.positions.len()),
            Some(judged) if judged < n_moves => {
                format!("Looked at {judged} of {n_moves} moves.")
            }
            Some(_) => "Every move was looked at.".to_owned(),
        }
    }
}

/// One step at a time, so that more urgent questions come in between.
struct Reviewer {
    shared: Weak<Shared>,
    job: u64,
    session: String,
    plan: Plan,
    done: usize,
    voice: Voice,
    effort: Effort,
    /// Where what is found goes, if the line can be kept.
    kept: RefCell<Option<LineReview>>,
}

/// What a step found out.
enum Seen {
    Value(NodeId, GraphPoint, Report),
    Move(ReviewedMove),
}

/// Not every value of the first look is told by itself: there are many of them within a second.
const LOOKS_TOLD: usize = 6;

impl Reviewer {
    /// Does the next step; `None` if it was interrupted.
    fn see(
        &self,
        step: &Step<'_>,
        shared: &Shared,
        tools: &mut AnalystTools,
        turn: Turn<'_>,
    ) -> Result<Option<Seen>, String> {
        let (analyst, explainer) = tools.reviewer().map_err(|error| error.to_string())?;
        let now_ms = || shared.now_ms();
        match step {
            Step::Look(node, position) => {
                let othello = othello_of(position).map_err(|error| error.to_string())?;
                let control = Control {
                    now_ms: &now_ms,
                    stop: turn.stop,
                    observe: &mut |_| {},
                };
                let report = first_look(analyst, othello, control);
                if turn.stop.load(std::sync::atomic::Ordering::Relaxed) {
                    return Ok(None);
                }
                let point = GraphPoint::new(othello, report.score, report.reach(), false);
                Ok(Some(Seen::Value(*node, point, report)))
            }
            Step::Judge(todo) => {
                let source = analyst.source().clone();
                let mut kept = self.kept.borrow_mut();
                let known = kept
                    .as_mut()
                    .and_then(|it| it.known(shared, &source, self.effort, todo.number));
                if let Some(mut judged) = known {
                    judged.judgement = judged.judgement.spoken(self.voice);
                    return Ok(Some(Seen::Move(ReviewedMove {
                        node: todo.node,
                        source,
                        judged,
                    })));
                }
                let book = shared.brain.book();
                let mut witness = Witness::new(analyst, self.effort, &now_ms, turn.stop);
                witness = witness.reading(&book);
                let position = othello_of(&todo.position).map_err(|error| error.to_string())?;
                match explainer.judge(&mut witness, position, todo.square) {
                    Ok(judgement) => {
                        let judged = JudgedMove {
                            number: todo.number,
                            position,
                            judgement: judgement.spoken(self.voice),
                        };
                        if let Some(kept) = kept.as_mut() {
                            kept.add(shared, &source, self.effort, &judged);
                        }
                        Ok(Some(Seen::Move(ReviewedMove {
                            node: todo.node,
                            source,
                            judged,
                        })))
                    }
                    Err(ExplainError::Analyst(_)) => Ok(None),
                    Err(error) => Err(error.to_string()),
                }
            }
        }
    }
}

impl Task<AnalystTools> for Reviewer {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let Some(step) = self.plan.step(self.done) else {
            shared.on_review(self, None, JobState::Finished);
            return Progress::Done;
        };
        shared.job_runs(self.job);
        tools.may_use(turn.threads);
        match self.see(&step, &shared, tools, turn) {
            Ok(Some(seen)) => {
                self.done += 1;
                let is_last = self.done == self.plan.n_steps();
                let (state, progress) = if is_last {
                    (JobState::Finished, Progress::Done)
                } else {
                    (JobState::Running, Progress::Again)
                };
                shared.on_review(self, Some(seen), state);
                progress
            }
            // Interrupted: this step comes again.
            Ok(None) => Progress::Again,
            Err(reason) => {
                self.fail(&reason);
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        let position = self.plan.step(self.done).map(|step| match step {
            Step::Look(_, position) => position.to_string(),
            Step::Judge(todo) => todo.position.to_string(),
        });
        tracing::error!(job = self.job, position, reason, "a review failed");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_review_failed(self, reason);
        }
    }
}

impl Shared {
    fn on_review(&self, reviewer: &Reviewer, seen: Option<Seen>, job_state: JobState) {
        let mut state = self.lock();
        let step = Advance {
            state: job_state,
            done: reviewer.done as u64,
            message: reviewer.plan.message(reviewer.done),
        };
        // A cancelled job has nothing to say.
        let Some(job) = self.advance_job(&mut state, reviewer.job, step) else {
            return;
        };
        let id = &reviewer.session;
        if let (Some(seen), Some(session)) = (&seen, state.sessions.get_mut(id)) {
            seen.teach(session);
        }
        let n_looks = reviewer.plan.positions.len();
        let is_told = reviewer.done >= n_looks || reviewer.done.is_multiple_of(LOOKS_TOLD);
        if let Some(review) = state.reviews.get_mut(id) {
            if let Some(seen) = seen {
                review.keep(&reviewer.plan.line, seen);
            }
            review.is_complete = job_state == JobState::Finished;
            if is_told {
                let review = review.clone();
                self.tell(Event::Review(review));
            }
        }
        if is_told {
            if let Some(session) = state.sessions.get_mut(id) {
                session.changed();
            }
            self.tell_session(&state, id);
            self.save_later(&mut state, id);
            self.tell(Event::Job(job));
        }
    }

    fn on_review_failed(&self, reviewer: &Reviewer, reason: &str) {
        let mut state = self.lock();
        let step = Advance {
            state: JobState::Failed,
            done: reviewer.done as u64,
            message: format!("The review failed: {reason}. The log has more."),
        };
        if let Some(job) = self.advance_job(&mut state, reviewer.job, step) {
            self.tell(Event::Job(job));
        }
    }
}

impl Seen {
    /// Has a session remember the values.
    fn teach(&self, session: &mut Session) {
        match self {
            Self::Value(node, _, report) => {
                session.learn(*node, report);
            }
            Self::Move(reviewed) => {
                let node = session.record().node(reviewed.node);
                if let Some(before) = node.and_then(|it| it.parent()) {
                    session.learn(before, &reviewed.report());
                }
                if let Some(report) = reviewed.report_after() {
                    session.learn(reviewed.node, &report);
                }
            }
        }
    }
}

impl Review {
    fn keep(&mut self, line: &[NodeId], seen: Seen) {
        match seen {
            Seen::Value(node, point, _) => self.plot(line, node, point),
            Seen::Move(reviewed) => {
                let judged = &reviewed.judged;
                self.plot(line, reviewed.node, reviewed.point());
                // The first move's best value is that of the start.
                if judged.number == 1
                    && let Some(&start) = line.first()
                {
                    let best = &judged.judgement.best;
                    let point = GraphPoint::new(judged.position, best.score, best.reach(), true);
                    self.plot(line, start, point);
                }
                self.moves.insert(0, reviewed);
            }
        }
    }

    /// A move that was looked at again.
    fn replace(&mut self, reviewed: ReviewedMove) {
        let mut graph = self.graph.iter_mut();
        if let Some((_, point)) = graph.find(|(node, _)| *node == reviewed.node) {
            *point = reviewed.point();
        }
        let mut moves = self.moves.iter_mut();
        if let Some(known) = moves.find(|it| it.node == reviewed.node) {
            *known = reviewed;
        }
    }
}
