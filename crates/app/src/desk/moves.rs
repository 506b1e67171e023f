//! The engine's moves, and what it thinks of a person's.

use super::{
    Desk, DeskError, EngineMove, Event, NoticeLevel, Shared, Snapshot, State, Thinking,
    ThinkingState,
    coaching::quick_effort,
    error::NOT_OTHELLO,
    tools::{AnalystTools, PlayerTools, lane, n_threads},
};
use crate::{
    Control, Mode, Pace, Profile, Remaining, Session,
    config::{EngineConfig, EngineName},
    explain::Witness,
    player::remaining,
    session::{Awaiting, Blunder},
    worker::{Priority, Progress, Task, Turn},
};
use coach::explain::{ExplainError, Severity};
use game::{NodeId, Position, Report, Score};
use std::sync::{Arc, Weak};

/// Less than this is not worth an alert, whatever it does to winning chances.
const BLUNDER_LOSS: Score = Score::centi(400);

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
        under_way.ticket.hurry();
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
        let level = self.shared.lock().settings.config.play.level;
        self.shared
            .player
            .submit(0, Priority::Batch, Box::new(WarmUp(level)));
    }
}

struct WarmUp(Profile);

impl Task<PlayerTools> for WarmUp {
    fn run(&mut self, tools: &mut PlayerTools, _: Turn<'_>) -> Progress {
        if let Err(error) = tools.player(self.0, None, 0, 1) {
            tracing::error!(%error, "the engine cannot be set up");
        }
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(reason, "setting the engine up panicked");
    }
}

/// The level's move at a node.
struct Reply {
    shared: Weak<Shared>,
    session: String,
    node: NodeId,
    position: Position,
    level: Profile,
    engine: Option<EngineName>,
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
        let player = match tools.player(self.level, self.engine, self.seed, self.threads) {
            Ok(player) => player,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let now_ms = || shared.now_ms();
        let mut observe = |report: &Report| {
            if self.shows_values {
                shared.tell(Event::Thinking(
                    self.thinking(ThinkingState::Running, Some(report.clone())),
                ));
            }
        };
        let control = Control {
            now_ms: &now_ms,
            stop: turn.stop,
            observe: &mut observe,
        };
        let Some(position) = self.position.othello() else {
            self.fail(NOT_OTHELLO);
            return Progress::Done;
        };
        // The clock went on while this waited for another game's move.
        match player.decide(position, shared.pace_of(&self.session), control) {
            Ok(decision) => shared.on_decision(self, &decision),
            Err(error) => self.fail(&error.to_string()),
        }
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        let (position, seed) = (&self.position, self.seed);
        tracing::error!(%position, seed, reason, "the engine failed to move");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_engine_failed(self, reason);
        }
    }
}

impl Reply {
    fn thinking(&self, state: ThinkingState, report: Option<Report>) -> Thinking {
        Thinking {
            session: self.session.clone(),
            node: self.node,
            state,
            level: self.level,
            side: self.position.side(),
            report,
        }
    }
}

impl Shared {
    /// Lets the engine think if it is its turn.
    pub(super) fn start_engine_if_due(self: &Arc<Self>, state: &mut State, id: &str) {
        let session = state.sessions.get(id);
        let is_due = session.is_some_and(|session| {
            session.awaiting() == Awaiting::Engine && session.thinking().is_none()
        });
        if is_due {
            self.start_engine(state, id);
        }
    }

    fn start_engine(self: &Arc<Self>, state: &mut State, id: &str) {
        if let Some(before) = state.engine_moves.remove(id) {
            before.ticket.cancel();
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
            position: session.position().clone(),
            level: *session.level(),
            engine: session.manner().engine,
            seed: session.seed(),
            threads,
            shows_values: session.shows_values(),
            gives_values: session
                .manner()
                .engine
                .unwrap_or_else(|| self.brain.opponent())
                .gives_values(),
        };
        let node = reply.node;
        self.tell(Event::Thinking(
            reply.thinking(ThinkingState::Running, None),
        ));
        let ticket = self.player.submit(0, Priority::Ask, Box::new(reply));
        let under_way = EngineMove { node, ticket };
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
        stale.ticket.cancel();
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

    fn on_decision(self: &Arc<Self>, reply: &Reply, decision: &crate::Decision) {
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
            if let Some(report) = decision.report.as_ref().filter(|_| reply.gives_values) {
                session.learn(reply.node, report);
            }
            Ok(session.make(reply.node, decision.action.into(), now_ms)?)
        };
        match self.commit(&mut pen, id, &edit) {
            Ok((mut state, _)) => {
                tracing::debug!(session = id, action = %decision.action, "the engine moved");
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
                if let Some(before) = node.and_then(|it| it.parent()) {
                    self.check_for_blunder(&mut state, id, before, reply.node);
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

    /// Looks at a person's move once the engine has replied to it.
    fn check_for_blunder(
        self: &Arc<Self>,
        state: &mut State,
        id: &str,
        before: NodeId,
        after: NodeId,
    ) {
        let config = &state.settings.config;
        if !config.play.blunder_alert {
            return;
        }
        let config = state.settings.engine();
        let Some(session) = state.sessions.get(id) else {
            return;
        };
        let record = session.record();
        let played = record.node(after).and_then(|it| it.action());
        let (Some(position), Some(played)) = (record.position(before), played) else {
            return;
        };
        let is_persons = session.mode() == Mode::Play && session.people().play(position.side());
        let Some(square) = played.othello().and_then(othello::Move::square) else {
            return;
        };
        if !is_persons {
            return;
        }
        let check = BlunderCheck {
            shared: self.weak(),
            session: id.to_owned(),
            node: after,
            position: position.clone(),
            played: square,
            config,
        };
        let lane = lane(EngineName::AlphaBeta);
        let ticket = self.analyst.submit(lane, Priority::Batch, Box::new(check));
        if let Some(before) = state.blunder_checks.insert(id.to_owned(), ticket) {
            before.cancel();
        }
    }
}

impl Shared {
    fn pace_of(&self, id: &str) -> Pace {
        let state = self.lock();
        let session = state.sessions.get(id);
        session.map_or(Pace::Own, |session| pace(session, self.now_ms()))
    }
}

/// How long a level may think: as the user has chosen, as long as the clock has that much for all
/// the moves to come; else by the clock, or as long as the level likes.
fn pace(session: &Session, now_ms: u64) -> Pace {
    let position = session.position();
    let remaining = session
        .clock()
        .and_then(|it| remaining(it, position.side(), now_ms));
    let is_affordable = |move_ms: &u64| match remaining {
        None => true,
        Some(Remaining::PerMove { ms }) => *move_ms <= ms,
        Some(Remaining::Game { remaining_ms, .. }) => {
            let empties = position.othello().map_or(60, |it| it.board.empties().len());
            move_ms.saturating_mul(u64::from(empties / 2 + 1)) <= remaining_ms
        }
    };
    match session.manner().move_ms.filter(is_affordable) {
        Some(ms) => Pace::Clock(Remaining::PerMove { ms }),
        None => remaining.map_or(Pace::Own, Pace::Clock),
    }
}

/// A look at a move that a person made.
struct BlunderCheck {
    shared: Weak<Shared>,
    session: String,
    node: NodeId,
    position: Position,
    played: othello::Square,
    config: EngineConfig,
}

impl Task<AnalystTools> for BlunderCheck {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        tools.may_use(turn.threads);
        let (analyst, explainer) = match tools.glance(self.config) {
            Ok(both) => both,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let now_ms = || shared.now_ms();
        let mut witness = Witness::new(analyst, quick_effort(self.config), &now_ms, turn.stop);
        let Some(position) = self.position.othello() else {
            self.fail(NOT_OTHELLO);
            return Progress::Done;
        };
        match explainer.judge(&mut witness, position, self.played) {
            Ok(judgement) => {
                let is_blunder =
                    judgement.loss >= BLUNDER_LOSS && judgement.severity() >= Severity::Mistake;
                if is_blunder {
                    let best = &judgement.best;
                    shared.on_blunder(
                        &self.session,
                        Blunder {
                            node: self.node,
                            loss: judgement.loss,
                            best: best.square.into(),
                            reach: best.reach(),
                        },
                    );
                }
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
    }
}

impl Shared {
    fn on_blunder(&self, id: &str, blunder: Blunder) {
        let mut state = self.lock();
        let Some(session) = state.sessions.get_mut(id) else {
            return;
        };
        // It is news only as long as the game goes on from there.
        if session
            .record()
            .path(session.cursor())
            .contains(&blunder.node)
        {
            session.set_blunder(Some(blunder));
            self.tell_session(&state, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        People,
        session::{Manner, Setup},
    };
    use game::{Record, TimeControl};

    #[test]
    fn a_chosen_time_counts_as_long_as_the_clock_has_it() {
        let paced = |move_ms: Option<u64>, time_control: TimeControl| {
            let session = Session::new(Setup {
                id: "s1".to_owned(),
                record: Record::new(Position::OTHELLO_START),
                ply: None,
                mode: Mode::Play,
                people: People::White,
                level: Profile::default(),
                manner: Manner {
                    engine: None,
                    move_ms,
                },
                seed: 1,
                time_control,
                show_values: false,
            });
            pace(&session, 0)
        };
        let minutes = |n: u64| TimeControl::Game {
            initial_ms: n * 60_000,
            increment_ms: 0,
            period_moves: None,
        };
        let by_clock = |n: u64| {
            Pace::Clock(Remaining::Game {
                remaining_ms: n * 60_000,
                increment_ms: 0,
            })
        };
        let each = |ms| Pace::Clock(Remaining::PerMove { ms });
        assert_eq!(paced(None, TimeControl::Unlimited), Pace::Own);
        assert_eq!(paced(Some(3_000), TimeControl::Unlimited), each(3_000));
        assert_eq!(paced(None, minutes(5)), by_clock(5));
        // 31 moves of three seconds fit into five minutes, of thirty they do not.
        assert_eq!(paced(Some(3_000), minutes(5)), each(3_000));
        assert_eq!(paced(Some(30_000), minutes(5)), by_clock(5));
    }
}
