//! A foreign engine at a board.

use super::{Clocks, Engine, Limits, Question, Trouble};
use crate::{
    player::{Choice, Failure, Player, Situation},
    thought::Thought,
};
use game::Control;

/// A foreign engine as a player of games.
#[derive(Debug)]
pub struct Foreign {
    engine: Engine,
    /// What it is called where it does not say so itself.
    name: String,
    /// What ends its searches where there is no clock.
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

    /// Starts the engine, so that the first move does not wait for it.
    pub fn start(&mut self) -> Result<(), Trouble> {
        self.engine.start()
    }

    /// The next move is one of another game. An engine that failed is forgiven: every game begins
    /// with a chance.
    pub fn new_game(&mut self) {
        self.engine.forgive();
        // One that fails here fails again at its move, where it costs the game.
        self.engine.new_game().ok();
    }

    /// Ends the engine; it starts again when it is asked for a move.
    pub fn stop(&mut self) {
        self.engine.stop();
    }
}

impl Player for Foreign {
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
        let limits = match clocks {
            None => self.limits,
            Some(_) => Limits {
                clocks,
                lines: self.limits.lines,
                ..Limits::default()
            },
        };
        let question = Question::of(record, node).with_limits(limits);
        // Who it is stands fast only when it has been started.
        self.engine.start().map_err(|trouble| failure(&trouble))?;
        let source = self.engine.identity().source(&self.name);
        let report = |thought: &Thought| thought.report(position, source.clone());
        let thought = self
            .engine
            .think(&question, stop, &mut |thought| {
                if let Some(report) = report(thought) {
                    observe(&report);
                }
            })
            .map_err(|trouble| failure(&trouble))?;
        let text = thought.choice().ok_or(Failure::NoAnswer)?;
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

/// What trouble means for a game.
fn failure(trouble: &Trouble) -> Failure {
    match trouble {
        Trouble::NoAnswer { .. } | Trouble::IgnoredStop { .. } => Failure::TimedOut,
        Trouble::Interrupted { .. } => Failure::Stopped,
        other => Failure::Crashed(other.to_string()),
    }
}
