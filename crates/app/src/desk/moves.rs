//! The engine's moves.

use super::{
    Desk, DeskError, EngineMove, Event, MoveCall, NoticeLevel, Shared, Snapshot, State, Thinking,
    ThinkingState,
    tools::{PlayerTools, n_threads},
};
use crate::{
    Control, Profile, Session,
    session::{Awaiting, Manner, Opponent},
    worker::{Priority, Progress, Task, Turn},
};
use arena::player::{Choice, Failure, Situation};
use game::{Clock, NodeId, Position, Record, Report, TimeControl};
use std::sync::{Arc, Weak};

impl Desk {
    /// Lets the level move at the current node, whoever's turn it is. The move comes as an event.
    pub fn engine_move(&self, id: &str) -> Result<Snapshot, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let session = state.session(&id)?;
        if session.awaiting() == Awaiting::Nobody {
            return Err(DeskError::Conflict("the game is over".to_owned()));
        }
        if session.thinking().is_none() {
            self.shared.start_engine(&mut state, &id);
        }
        self.shared.finish(&state, &id, Ok(()))
    }

    /// Has the engine move at once with what it has found.
    pub fn move_now(&self, id: &str) -> Result<Snapshot, DeskError> {
        let (state, id) = self.with_session(id)?;
        let Some(under_way) = state.engine_moves.get(&id) else {
            return Err(DeskError::Conflict("the engine is not thinking".to_owned()));
        };
        under_way.call.hurry();
        self.shared.finish(&state, &id, Ok(()))
    }

    /// Lets the engine make the move that it owed when the program ended.
    pub(super) fn take_up_engine_move(&self) {
        let mut state = self.shared.lock();
        let id = state.current.clone();
        // Further back the user only looks.
        let is_end = |session: &Session| session.record().children(session.cursor()).is_empty();
        if state.sessions.get(&id).is_some_and(is_end) {
            self.shared.start_engine_if_due(&mut state, &id);
        }
    }

    /// Gets the playing engine ready before somebody waits for it.
    pub(super) fn warm_up(&self) {
        let level = self.shared.lock().settings.config.opponent();
        self.shared
            .player
            .submit(0, Priority::Batch, Box::new(WarmUp(level)));
    }
}

struct WarmUp(Profile);

impl Task<PlayerTools> for WarmUp {
    fn run(&mut self, tools: &mut PlayerTools, _: Turn<'_>) -> Progress {
        if let Err(error) = tools.player(self.0, Manner::default(), 0, 1) {
            tracing::error!(%error, "the engine cannot be set up");
        }
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(reason, "setting the engine up panicked");
    }
}

/// The engine's move at a node.
#[derive(Clone)]
pub(super) struct Reply {
    pub(super) shared: Weak<Shared>,
    pub(super) session: String,
    node: NodeId,
    /// The moves that led there, and nothing beside them.
    pub(super) game: Record,
    level: Profile,
    pub(super) manner: Manner,
    /// The foreign engine that chooses it; else the level does.
    pub(super) opponent: Option<Opponent>,
    seed: u64,
    threads: usize,
    shows_values: bool,
    /// Whether its engine's scores are values of positions.
    gives_values: bool,
}

impl Task<PlayerTools> for Reply {
    fn run(&mut self, tools: &mut PlayerTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let player = match tools.player(self.level, self.manner, self.seed, self.threads) {
            Ok(player) => player,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let now_ms = || shared.now_ms();
        let mut observe = |report: &Report| self.tell_found(&shared, report);
        let control = Control {
            now_ms: &now_ms,
            stop: turn.stop,
            observe: &mut observe,
        };
        // The clock went on while this waited for another game's move.
        let clock = shared.clock_of(&self.session);
        let situation = Situation::at(&self.game, self.game.main_end(), &clock, control);
        let asked = situation.ok_or(Failure::NoAnswer);
        match asked.and_then(|it| it.ask(player)) {
            Ok(choice) => shared.on_choice(self, &choice),
            Err(failure) => self.fail(&failure.to_string()),
        }
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        self.fail_move(reason);
    }
}

impl Reply {
    pub(super) fn fail_move(&self, reason: &str) {
        let (position, seed) = (self.position(), self.seed);
        tracing::error!(%position, seed, reason, "the engine failed to move");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_engine_failed(self, reason);
        }
    }

    /// Tells what the engine has found on its way, where values may be seen.
    pub(super) fn tell_found(&self, shared: &Shared, report: &Report) {
        if self.shows_values {
            let thinking = self.thinking(ThinkingState::Running, Some(report.clone()));
            shared.tell(Event::Thinking(thinking));
        }
    }

    fn position(&self) -> &Position {
        let end = self.game.position(self.game.main_end());
        end.unwrap_or_else(|| self.game.start())
    }

    fn thinking(&self, state: ThinkingState, report: Option<Report>) -> Thinking {
        Thinking {
            session: self.session.clone(),
            node: self.node,
            state,
            level: self.level,
            side: self.position().side(),
            report,
        }
    }
}

impl Shared {
    /// Lets the engine think if it is its turn.
    pub(super) fn start_engine_if_due(self: &Arc<Self>, state: &mut State, id: &str) {
        let session = state.sessions.get(id);
        let is_due = session.is_some_and(|session| {
            session.awaiting() == Awaiting::Engine
                && session.thinking().is_none()
                && !session.is_held()
        });
        if is_due {
            self.start_engine(state, id);
        }
    }

    fn start_engine(self: &Arc<Self>, state: &mut State, id: &str) {
        if let Some(before) = state.engine_moves.remove(id) {
            before.call.back();
        }
        let threads = n_threads(state.settings.config.engine.threads);
        let Some(session) = state.sessions.get_mut(id) else {
            return;
        };
        session.set_thinking(true);
        let reply = Reply {
            shared: self.weak(),
            session: id.to_owned(),
            node: session.cursor(),
            game: session.record().only_to(session.cursor()),
            level: *session.level(),
            manner: session.manner(),
            opponent: session.opponent().cloned(),
            seed: session.seed(),
            threads,
            shows_values: session.shows_values(),
            gives_values: session.opponent().is_none()
                && session
                    .manner()
                    .engine
                    .unwrap_or_else(|| self.brain.opponent())
                    .gives_values(),
        };
        let node = reply.node;
        self.tell(Event::Thinking(
            reply.thinking(ThinkingState::Running, None),
        ));
        let call = if reply.opponent.is_some() {
            match self.ask_opponent(&reply) {
                Some(leash) => MoveCall::Foreign(leash),
                None => {
                    session.set_thinking(false);
                    let message = "The engine could not be started; the log has more.".to_owned();
                    self.notice(NoticeLevel::Error, message);
                    return;
                }
            }
        } else {
            MoveCall::Own(self.player.submit(0, Priority::Ask, Box::new(reply)))
        };
        let under_way = EngineMove { node, call };
        state.engine_moves.insert(id.to_owned(), under_way);
        self.tell_session(state, id);
    }

    /// Ends an engine's thinking that nobody waits for any more.
    pub(super) fn drop_stale_engine_move(&self, state: &mut State, id: &str) {
        let thinking = state
            .sessions
            .get(id)
            .and_then(|session| session.thinking());
        let is_stale = |it: &EngineMove| Some(it.node) != thinking;
        if !state.engine_moves.get(id).is_some_and(is_stale) {
            return;
        }
        let Some(stale) = state.engine_moves.remove(id) else {
            return;
        };
        stale.call.back();
        let session = state.sessions.get(id);
        if let Some((session, position)) =
            session.and_then(|session| Some((session, session.record().position(stale.node)?)))
        {
            self.tell(Event::Thinking(Thinking {
                session: id.to_owned(),
                node: stale.node,
                state: ThinkingState::Stopped,
                level: *session.level(),
                side: position.side(),
                report: None,
            }));
        }
    }

    /// A foreign engine gives the game up.
    pub(super) fn on_resigned(self: &Arc<Self>, reply: &Reply) {
        let (loser, now_ms) = (reply.position().side(), self.now_ms());
        let id = &reply.session;
        let mut pen = self.pen();
        let is_awaited = |session: &Session| {
            session.thinking() == Some(reply.node) && session.cursor() == reply.node
        };
        if !self.lock().sessions.get(id).is_some_and(is_awaited) {
            return;
        }
        let edit = |session: &mut Session| {
            session.give_up(loser, now_ms);
            Ok(())
        };
        match self.commit(&mut pen, id, &edit) {
            Ok((mut state, _)) => {
                state.engine_moves.remove(id);
                self.tell(Event::Thinking(
                    reply.thinking(ThinkingState::Finished, None),
                ));
                self.settle(&mut state, id);
                self.tell_clock(&state, id);
            }
            Err(error) => self.on_engine_failed(reply, &error.to_string()),
        }
    }

    pub(super) fn on_choice(self: &Arc<Self>, reply: &Reply, choice: &Choice) {
        let now_ms = self.now_ms();
        let id = &reply.session;
        let mut pen = self.pen();
        // The user may have gone elsewhere while this was decided.
        let is_awaited = |session: &Session| {
            session.thinking() == Some(reply.node) && session.cursor() == reply.node
        };
        if !self.lock().sessions.get(id).is_some_and(is_awaited) {
            return;
        }
        let edit = |session: &mut Session| {
            // Only what a search with best play found is a value of the position.
            if let Some(report) = choice.report.as_ref().filter(|_| reply.gives_values) {
                session.learn(reply.node, report);
            }
            Ok(session.make(reply.node, choice.action, now_ms)?)
        };
        match self.commit(&mut pen, id, &edit) {
            Ok((mut state, _)) => {
                tracing::debug!(session = id, action = %choice.action, "the engine moved");
                state.engine_moves.remove(id);
                self.tell(Event::Thinking(
                    reply.thinking(ThinkingState::Finished, None),
                ));
                self.settle(&mut state, id);
                self.tell_clock(&state, id);
                // A person without a move passes, and it is the engine's turn again.
                self.start_engine_if_due(&mut state, id);
                let session = state.sessions.get(id);
                let node = session.and_then(|it| it.record().node(reply.node));
                if node.and_then(|it| it.parent()).is_some() {
                    self.look_at_move(&mut state, id, reply.node);
                }
            }
            Err(error) => self.on_engine_failed(reply, &error.to_string()),
        }
    }

    fn on_engine_failed(&self, reply: &Reply, reason: &str) {
        let mut state = self.lock();
        let is_its_own = |it: &EngineMove| it.node == reply.node;
        if state
            .engine_moves
            .get(&reply.session)
            .is_some_and(is_its_own)
        {
            state.engine_moves.remove(&reply.session);
        }
        if let Some(session) = state.sessions.get_mut(&reply.session)
            && session.thinking() == Some(reply.node)
        {
            session.set_thinking(false);
        }
        self.tell(Event::Thinking(reply.thinking(ThinkingState::Failed, None)));
        let message = format!("The engine failed to move: {reason}. The log has more.");
        self.notice(NoticeLevel::Error, message);
        self.tell_session(&state, &reply.session);
    }
}

impl Shared {
    /// The clock of a session as it is now; one that gives all the time there is if it has none.
    pub(super) fn clock_of(&self, id: &str) -> Clock {
        let state = self.lock();
        let clock = state.sessions.get(id).and_then(Session::clock).cloned();
        clock.unwrap_or_else(|| Clock::new(TimeControl::Unlimited))
    }
}
