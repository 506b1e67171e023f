//! *Look again?*: a person's move that costs much is asked about, after the engine's reply or, if
//! the user wants that, before it stands.

use super::{
    Desk, DeskError, Shared, Snapshot, State,
    coaching::effort,
    error::NOT_OTHELLO,
    tools::{AnalystTools, lane},
};
use crate::{
    Mode, Session,
    config::{EngineConfig, EngineName},
    explain::{Effort, Witness},
    session::{Awaiting, Blunder},
    worker::{Priority, Progress, Task, Turn},
};
use coach::explain::ExplainError;
use game::{NodeId, Position};
use std::sync::{Arc, Weak};

impl Desk {
    /// The last move of the person stands: nothing more is asked about it, and where it waited the
    /// engine replies.
    pub fn keep_move(&self, id: &str) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        let edit = |session: &mut Session| {
            session.release(now_ms);
            session.set_blunder(None);
            Ok(())
        };
        self.edit(&mut pen, id, edit, |state, id| {
            shared.tell_clock(state, id);
            shared.start_engine_if_due(state, id);
        })
    }
}

impl Shared {
    /// After a person's move: the engine replies at once, or the move is looked at before.
    pub(super) fn answer_move(self: &Arc<Self>, state: &mut State, id: &str) {
        let play = &state.settings.config.play;
        let asks_before = play.blunder_alert && play.ask_before;
        let now_ms = self.now_ms();
        let due = state.sessions.get_mut(id).filter(|session| {
            let waits = session.awaiting() == Awaiting::Engine && session.thinking().is_none();
            asks_before && waits && session.asks()
        });
        if let Some(session) = due {
            session.hold(now_ms);
            let node = session.cursor();
            if self.look_at_move(state, id, node) {
                self.tell_session(state, id);
                self.tell_clock(state, id);
                return;
            }
            self.release(state, id, node);
        }
        self.start_engine_if_due(state, id);
    }

    /// Looks at the person's move that led to a place. Whether there is one to look at.
    pub(super) fn look_at_move(
        self: &Arc<Self>,
        state: &mut State,
        id: &str,
        after: NodeId,
    ) -> bool {
        if !state.settings.config.play.blunder_alert {
            return false;
        }
        let config = state.settings.engine();
        let Some(session) = state.sessions.get(id).filter(|it| it.asks()) else {
            return false;
        };
        let Some((before, square)) = persons_move(session, after) else {
            return false;
        };
        let check = BlunderCheck {
            shared: self.weak(),
            session: id.to_owned(),
            node: after,
            position: before.clone(),
            played: square,
            is_held: session.is_held(),
            config,
        };
        let priority = if check.is_held {
            Priority::Ask
        } else {
            Priority::Batch
        };
        let lane = lane(EngineName::AlphaBeta);
        let ticket = self.analyst.submit(lane, priority, Box::new(check));
        if let Some(before) = state.blunder_checks.insert(id.to_owned(), ticket) {
            before.cancel();
        }
        true
    }

    /// A move that waited for a look at it stands.
    fn release(self: &Arc<Self>, state: &mut State, id: &str, node: NodeId) {
        let now_ms = self.now_ms();
        let Some(session) = state.sessions.get_mut(id) else {
            return;
        };
        if session.cursor() == node && session.release(now_ms) {
            self.tell_session(state, id);
            self.tell_clock(state, id);
            self.start_engine_if_due(state, id);
        }
    }

    fn on_looked(self: &Arc<Self>, check: &BlunderCheck, blunder: Option<Blunder>) {
        let mut state = self.lock();
        let Some(session) = state.sessions.get_mut(&check.session) else {
            return;
        };
        // It is news only as long as the game goes on from there.
        let is_behind = session
            .record()
            .path(session.cursor())
            .contains(&check.node);
        match blunder.filter(|_| is_behind) {
            Some(blunder) => {
                session.set_blunder(Some(blunder));
                self.tell_session(&state, &check.session);
            }
            None if check.is_held => self.release(&mut state, &check.session, check.node),
            None => {}
        }
    }
}

/// The position before a move of a person against the engine, and where it went.
fn persons_move(session: &Session, after: NodeId) -> Option<(&Position, othello::Square)> {
    let node = session.record().node(after)?;
    let before = session.record().position(node.parent()?)?;
    let square = node.action()?.othello()?.square()?;
    let is_persons = session.mode() == Mode::Play && session.is_persons(before.side());
    is_persons.then_some((before, square))
}

/// A look at a move that a person made.
struct BlunderCheck {
    shared: Weak<Shared>,
    session: String,
    node: NodeId,
    position: Position,
    played: othello::Square,
    /// Whether the move waits for the answer.
    is_held: bool,
    config: EngineConfig,
}

impl BlunderCheck {
    fn effort(&self) -> Effort {
        if self.is_held {
            Effort::HELD.solving(self.config.endgame_exact_empties)
        } else {
            effort(self.config)
        }
    }
}

impl Task<AnalystTools> for BlunderCheck {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        tools.may_use(turn.threads);
        let (analyst, explainer) = match tools.coach() {
            Ok(both) => both,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let now_ms = || shared.now_ms();
        let mut witness = Witness::new(analyst, self.effort(), &now_ms, turn.stop);
        let Some(position) = self.position.othello() else {
            self.fail(NOT_OTHELLO);
            return Progress::Done;
        };
        match explainer.judge(&mut witness, position, self.played) {
            Ok(judgement) => {
                let blunder = judgement.is_alarming().then(|| Blunder {
                    node: self.node,
                    loss: judgement.loss,
                    best: judgement.best.square.into(),
                    reach: judgement.best.reach(),
                });
                shared.on_looked(self, blunder);
                Progress::Done
            }
            Err(ExplainError::Analyst(_)) => Progress::Again,
            Err(error) => {
                self.fail(&error.to_string());
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        let (position, played) = (&self.position, self.played);
        tracing::error!(%position, %played, reason, "looking for a blunder failed");
        // Nobody waits for an answer that does not come.
        if let Some(shared) = self.shared.upgrade() {
            shared.on_looked(self, None);
        }
    }
}
