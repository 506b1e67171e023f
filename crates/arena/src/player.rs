//! The one door through which a game is played, by any player: a level of our engine, a foreign
//! program, a person, a script in a test.

use game::{Clock, Control, Move, NodeId, Position, Record, Report, Score, Side, Termination};
use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What a player is asked about: a place in a game where it is to move, and the world around it.
pub struct Situation<'a> {
    /// The game so far.
    pub record: &'a Record,
    /// Where in it the player is to move.
    pub node: NodeId,
    pub position: &'a Position,
    /// The clocks of both sides. The player's own runs.
    pub clock: &'a Clock,
    /// The time on that clock, a way to stop, and a listener for what the player finds on its way.
    pub control: Control<'a>,
    /// Whether that listener wants to hear something just now. To put a report together may cost
    /// more than a quick move.
    pub wants_thoughts: &'a dyn Fn() -> bool,
}

impl fmt::Debug for Situation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Situation")
            .field("node", &self.node)
            .field("position", &self.position)
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}

impl<'a> Situation<'a> {
    /// A place of a game; `None` if the record has no such place.
    pub fn at(
        record: &'a Record,
        node: NodeId,
        clock: &'a Clock,
        control: Control<'a>,
    ) -> Option<Self> {
        Some(Self {
            record,
            node,
            position: record.position(node)?,
            clock,
            control,
            wants_thoughts: &|| true,
        })
    }

    /// The same, for a listener who does not always want to hear something.
    #[must_use]
    pub fn with_wish(self, wants_thoughts: &'a dyn Fn() -> bool) -> Self {
        Self {
            wants_thoughts,
            ..self
        }
    }

    /// Asks a player for its move. Whatever the player does, this is a move that the rules allow, or
    /// a failure: a panic is caught, an illegal move is told as one.
    pub fn ask(self, player: &mut dyn Player) -> Result<Choice, Failure> {
        let position = self.position;
        // A player that panicked is asked again only if its owner knows that it can be.
        let asked = catch_unwind(AssertUnwindSafe(|| player.choose(self)));
        let choice =
            asked.unwrap_or_else(|panic| Err(Failure::Crashed(words_of_panic(&*panic))))?;
        match position.play(choice.action) {
            Ok(_) => Ok(choice),
            Err(error) => Err(Failure::Illegal(error.to_string())),
        }
    }

    /// Whose move it is.
    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// What the player has left; `None` without a limit.
    pub fn remaining_ms(&self) -> Option<u64> {
        let now_ms = (self.control.now_ms)();
        self.clock.remaining_ms(self.side(), now_ms)
    }
}

/// A move and what it was chosen from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move. The referee checks it.
    pub action: Move,
    /// What the player thinks of the position; `None` if it does not say.
    pub report: Option<Report>,
}

impl Choice {
    /// A move without a word about it.
    pub fn silent(action: impl Into<Move>) -> Self {
        Self {
            action: action.into(),
            report: None,
        }
    }

    /// The move's value for its player, if the player told it. It is the move's own: a weak level
    /// may have chosen one that it knew to be worse than the best.
    pub fn score(&self) -> Option<Score> {
        let line = self.report.as_ref()?.line(self.action)?;
        Some(line.score)
    }
}

/// No move came. That is a result of the game, not of the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("crashed: {0}")]
    Crashed(String),
    /// The player used up its time.
    #[error("used up its time")]
    TimedOut,
    /// The player answered with something that is no legal move.
    #[error("made an illegal move: {0}")]
    Illegal(String),
    /// The player is there, but says nothing.
    #[error("gave no answer")]
    NoAnswer,
    /// The player gives up.
    #[error("resigned")]
    Resigned,
    /// The player was told to stop, or stopped by itself.
    #[error("stopped")]
    Stopped,
}

impl Failure {
    /// How a game ends by it.
    pub const fn termination(&self) -> Termination {
        match self {
            Self::TimedOut => Termination::TimeForfeit,
            Self::Illegal(_) => Termination::IllegalMove,
            Self::Resigned => Termination::Resignation,
            Self::Crashed(_) | Self::NoAnswer | Self::Stopped => Termination::Abandoned,
        }
    }
}

/// The one door through which a game is played: engine, level, person or script. Whoever referees
/// asks by [`Situation::ask`].
pub trait Player {
    /// Another game begins: what is remembered of earlier ones must not change it.
    fn new_game(&mut self) {}

    /// Gets ready to be asked about a place of a game, before its clock runs: what is between the
    /// player and the referee is not the player's time.
    fn prepare(&mut self, record: &Record, node: NodeId) -> Result<(), Failure> {
        let _ = (record, node);
        Ok(())
    }

    /// The opponent is to move here, after the player's own move: the player may think meanwhile.
    /// This does not wait.
    fn ponder(&mut self, record: &Record, node: NodeId, clock: &Clock, now_ms: u64) {
        let _ = (record, node, clock, now_ms);
    }

    /// The game is over: nothing more is thought about it.
    fn game_over(&mut self) {}

    /// Chooses a move. The player is not asked where the rules leave it nothing to choose
    /// ([`Position::forced`]).
    ///
    /// Once the stop flag of the situation is set, the player answers soon, with a move or with
    /// [`Failure::Stopped`].
    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure>;
}

/// What a panic said.
pub fn words_of_panic(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    text.or(owned).unwrap_or("a panic without words").to_owned()
}
