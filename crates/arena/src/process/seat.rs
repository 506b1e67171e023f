//! A foreign engine at a board.

use super::{Clocks, Engine, Limits, Question, Trouble, plain};
use crate::player::{Choice, Failure, Player, Situation};
use game::{Clock, Control, NodeId, Record, Side, TimeControl};

/// A foreign engine as a player of games.
#[derive(Debug)]
pub struct Foreign {
    engine: Engine,
    /// What it is called where it does not say so itself.
    name: String,
    /// What ends its searches, beside the clock if there is one.
    limits: Limits,
    /// The place of the game that was asked about last, and that question: the next one differs in
    /// its last moves.
    told: Option<(NodeId, Question)>,
    ponders: bool,
}

impl Foreign {
    pub const fn new(engine: Engine, name: String, limits: Limits) -> Self {
        Self {
            engine,
            name,
            limits,
            told: None,
            ponders: false,
        }
    }

    /// Whether it is to think on its opponent's time, where its referee allows that.
    #[must_use]
    pub const fn pondering(mut self, ponders: bool) -> Self {
        self.ponders = ponders;
        self
    }

    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, for questions beside its games.
    pub const fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Changes what ends its searches.
    pub const fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The question about a place of a game. What was told before is not put together again.
    fn question(&mut self, record: &Record, node: NodeId) -> &mut Question {
        let told = self.told.take();
        let question = told
            .and_then(|(at, question)| continued(record, node, at, question))
            .unwrap_or_else(|| Question::of(record, node));
        &mut self.told.insert((node, question)).1
    }

    /// What ends a search at a place of a game, and whether a clock does.
    fn limits_at(&self, clock: &Clock, side: Side, now_ms: u64) -> (Limits, bool) {
        let clocks = Clocks::of(clock, side, now_ms);
        let margin_ms = clock.margin_ms(side);
        let limits = match clock.control(side) {
            // Engines keep a time for each move better if it is told as one.
            TimeControl::PerMove { ms } => Limits {
                time_ms: Some(ms),
                margin_ms,
                ..self.limits
            },
            TimeControl::Game { .. } | TimeControl::Unlimited => Limits {
                clocks,
                margin_ms,
                ..self.limits
            },
        };
        (limits, clocks.is_some())
    }

    /// Starts the engine, so that the first move does not wait for it.
    pub fn start(&mut self) -> Result<(), Trouble> {
        self.engine.start()
    }

    /// Ends the engine; it starts again when it is asked for a move.
    pub fn stop(&mut self) {
        self.engine.stop();
    }
}

impl Player for Foreign {
    /// An engine that failed is forgiven: every game begins with a chance.
    fn new_game(&mut self) {
        self.engine.forgive();
        self.told = None;
        // One that fails here fails again at its move, where it costs the game.
        self.engine.new_game().ok();
    }

    fn prepare(&mut self, record: &Record, node: NodeId) -> Result<(), Failure> {
        self.question(record, node);
        let Some((_, question)) = &self.told else {
            return Ok(());
        };
        let prepared = self.engine.prepare(question);
        prepared.map_err(|trouble| failure(&trouble, false))
    }

    fn ponder(&mut self, record: &Record, node: NodeId, clock: &Clock, now_ms: u64) {
        let Some(position) = record.position(node) else {
            return;
        };
        let Some(expected) = self.engine.expected().filter(|_| self.ponders) else {
            return;
        };
        // What it expects may be nonsense; then it waits as others do.
        let Ok(reply) = position.parse_move(expected) else {
            return;
        };
        let (limits, _) = self.limits_at(clock, position.side().other(), now_ms);
        let mut question = Question::of(record, node).with_limits(limits);
        question.moves.push(&position.uci(reply));
        // One that fails here fails again at its move, where it costs the game.
        self.engine.ponder(question).ok();
    }

    fn game_over(&mut self) {
        // An engine that does not stop is found out when it is asked again.
        self.engine.stop_pondering().ok();
    }

    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        let Situation {
            record,
            node,
            position,
            clock,
            control,
            wants_thoughts,
        } = situation;
        let Control {
            now_ms,
            stop,
            observe,
        } = control;
        let (limits, is_timed) = self.limits_at(clock, position.side(), now_ms());
        self.question(record, node).limits = limits;
        let Some((_, question)) = self.told.take() else {
            return Err(Failure::NoAnswer);
        };
        // Who it is stands fast only when it has been started.
        self.engine
            .start()
            .map_err(|trouble| failure(&trouble, is_timed))?;
        let source = self.engine.identity().source(&self.name);
        let thought = self
            .engine
            .think(&question, stop, &mut |thought| {
                if wants_thoughts()
                    && let Some(report) = thought.report(position, source.clone())
                {
                    observe(&report);
                }
            })
            .map_err(|trouble| failure(&trouble, is_timed))?;
        self.told = Some((node, question));
        if !self.ponders {
            // It answers while the opponent thinks; one that fails fails again at its move.
            self.engine.ask_ready().ok();
        }
        // A game needs its word; the first move of a line is none where the language has a word.
        let no_move = || Failure::Illegal("it answered without a move".to_owned());
        let text = thought.best.as_deref().ok_or_else(no_move)?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigned);
        }
        let illegal = |reason: String| Failure::Illegal(format!("{text:?}: {reason}"));
        let action = position
            .parse_move(text)
            .map_err(|error| illegal(error.to_string()))?;
        let report = thought.report(position, source);
        if let Some(report) = &report {
            observe(report);
        }
        Ok(Choice { action, report })
    }
}

/// A question about an earlier place with the moves that were made since; `None` if the places are
/// too far apart to tell.
fn continued(
    record: &Record,
    node: NodeId,
    at: NodeId,
    mut question: Question,
) -> Option<Question> {
    let mut moves = Vec::with_capacity(4);
    let mut place = node;
    while place != at {
        let made = record.node(place)?;
        let before = made.parent()?;
        moves.push(record.position(before)?.uci(made.action()?));
        if moves.len() > 4 {
            return None;
        }
        place = before;
    }
    question.moves.extend(moves.iter().rev());
    Some(question)
}

/// What trouble means for a game, in which the player's clock ran or not.
fn failure(trouble: &Trouble, is_timed: bool) -> Failure {
    match trouble {
        Trouble::NoAnswer { .. } | Trouble::IgnoredStop { .. } if is_timed => Failure::TimedOut,
        Trouble::NoAnswer { .. } | Trouble::IgnoredStop { .. } | Trouble::NoGreeting { .. } => {
            Failure::NoAnswer
        }
        Trouble::Interrupted { .. } => Failure::Stopped,
        other => Failure::Crashed(plain(&other.to_string())),
    }
}
