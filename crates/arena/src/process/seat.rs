//! A foreign engine at a board.

use super::{Clocks, Engine, Limits, Question, Trouble};
use crate::{
    player::{Choice, Failure, Player, Situation},
    thought::Thought,
};
use game::{Control, TimeControl};

/// A foreign engine as a player of games.
#[derive(Debug)]
pub struct Foreign {
    engine: Engine,
    /// What it is called where it does not say so itself.
    name: String,
    /// What ends its searches, beside the clock if there is one.
    limits: Limits,
}

impl Foreign {
    pub const fn new(engine: Engine, name: String, limits: Limits) -> Self {
        Self {
            engine,
            name,
            limits,
        }
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
        // One that fails here fails again at its move, where it costs the game.
        self.engine.new_game().ok();
    }

    fn prepare(&mut self) -> Result<(), Failure> {
        let prepared = self.engine.prepare();
        prepared.map_err(|trouble| failure(&trouble, false))
    }

    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        let Situation {
            record,
            node,
            position,
            clock,
            control,
        } = situation;
        let Control {
            now_ms,
            stop,
            observe,
        } = control;
        let clocks = Clocks::of(clock, position.side(), now_ms());
        let limits = match clock.control(position.side()) {
            // Engines keep a time for each move better if it is told as one.
            TimeControl::PerMove { ms } => Limits {
                time_ms: Some(ms),
                ..self.limits
            },
            TimeControl::Game { .. } | TimeControl::Unlimited => Limits {
                clocks,
                ..self.limits
            },
        };
        let is_timed = clocks.is_some();
        let question = Question::of(record, node).with_limits(limits);
        // Who it is stands fast only when it has been started.
        self.engine
            .start()
            .map_err(|trouble| failure(&trouble, is_timed))?;
        let source = self.engine.identity().source(&self.name);
        let report = |thought: &Thought| thought.report(position, source.clone());
        let thought = self
            .engine
            .think(&question, stop, &mut |thought| {
                if let Some(report) = report(thought) {
                    observe(&report);
                }
            })
            .map_err(|trouble| failure(&trouble, is_timed))?;
        // A game needs its word; the first move of a line is none.
        let no_move = || Failure::Illegal("it answered without a move".to_owned());
        let text = thought.best.as_deref().ok_or_else(no_move)?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigned);
        }
        let illegal = |reason: String| Failure::Illegal(format!("{text:?}: {reason}"));
        let action = position
            .parse_move(text)
            .map_err(|error| illegal(error.to_string()))?;
        Ok(Choice {
            action,
            report: report(&thought),
        })
    }
}

/// What trouble means for a game, in which the player's clock ran or not.
fn failure(trouble: &Trouble, is_timed: bool) -> Failure {
    match trouble {
        Trouble::NoAnswer { .. } | Trouble::IgnoredStop { .. } if is_timed => Failure::TimedOut,
        Trouble::NoAnswer { .. } | Trouble::IgnoredStop { .. } | Trouble::NoGreeting { .. } => {
            Failure::NoAnswer
        }
        Trouble::Interrupted { .. } => Failure::Stopped,
        other => Failure::Crashed(other.to_string()),
    }
}
