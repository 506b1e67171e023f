//! What an engine is asked, as text: engines are asked about positions whose rules we need not know.

use super::{Language, Trouble};
use crate::protocol::Moves;
use game::{ChessPosition, Clock, NodeId, Position, Record, Side};

/// A position, the way there, and how long to think.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// Where the game began, in the game's notation; `None` is the usual start.
    pub root: Option<String>,
    /// The moves that led to the position, in coordinates, passes included.
    pub moves: Moves,
    /// Only these moves are looked at; none means all. Engines that cannot do it say so.
    pub only: Vec<String>,
    /// Whether castling is written as in Chess960.
    pub is_chess960: bool,
    pub limits: Limits,
}

/// What ends a search. Without any limit the engine thinks until it is stopped, or as long as it
/// likes if its language knows no other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time_ms: Option<u64>,
    /// The clocks of a game, in which the engine finds its time itself.
    pub clocks: Option<Clocks>,
    /// How many of the best moves are wanted; 0 is one.
    pub lines: u32,
    /// How much later than its time an answer may come.
    pub margin_ms: u64,
    /// After so long an engine that was given no time is told to stop: nobody waits for ever.
    pub patience_ms: Option<u64>,
}

/// The clocks of a game, Black's and White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clocks {
    /// The side to move, whose time runs.
    pub side: Side,
    /// A side without a limit has much.
    pub left_ms: [u64; 2],
    pub increment_ms: [u64; 2],
    /// Moves until more time is added, for the side to move.
    pub moves_to_go: Option<u32>,
}

/// A side without a limit is told that it has a day.
const UNLIMITED_MS: u64 = 86_400_000;

impl Limits {
    /// Whether nothing ends the search but a stop.
    pub const fn is_endless(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.time_ms.is_none()
            && self.clocks.is_none()
    }
}

impl Language {
    /// Why a search with these limits cannot be asked for in this language.
    pub const fn refusal(self, limits: &Limits) -> Option<&'static str> {
        match self {
            Self::Gtp if limits.depth.is_some() || limits.nodes.is_some() => Some(
                "GTP has no command for a depth or a number of nodes; give a time, or set the \
                 strength by the engine's own arguments",
            ),
            Self::NBoard if limits.nodes.is_some() => Some(
                "the NBoard protocol has no command for a number of nodes; give a depth or a time",
            ),
            Self::Uci | Self::Gtp | Self::NBoard => None,
        }
    }

    /// Whether a game can begin at any position.
    pub const fn has_positions(self) -> bool {
        !matches!(self, Self::Gtp)
    }
}

impl Clocks {
    /// What the clocks of a game show; `None` if the side to move has no limit.
    pub fn of(clock: &Clock, side: Side, now_ms: u64) -> Option<Self> {
        clock.remaining_ms(side, now_ms)?;
        let left = |side| clock.remaining_ms(side, now_ms).unwrap_or(UNLIMITED_MS);
        let increment = |side| match clock.control(side) {
            game::TimeControl::Game { increment_ms, .. } => increment_ms,
            // What a move leaves over is lost, and the next one has its time again.
            game::TimeControl::PerMove { .. } | game::TimeControl::Unlimited => 0,
        };
        let moves_to_go = match clock.control(side) {
            game::TimeControl::PerMove { .. } => Some(1),
            _ => clock.moves_to_go(side),
        };
        Some(Self {
            side,
            left_ms: Side::BOTH.map(left),
            increment_ms: Side::BOTH.map(increment),
            moves_to_go,
        })
    }

    /// What the side to move has.
    pub const fn own_ms(&self) -> u64 {
        self.left_ms[self.side.index()]
    }
}

impl Question {
    /// About a position whose history does not matter.
    pub fn at(position: &Position) -> Self {
        let is_usual = *position == position.kind().start();
        Self {
            root: (!is_usual).then(|| position.to_string()),
            is_chess960: position.chess().is_some_and(ChessPosition::is_chess960),
            ..Self::default()
        }
    }

    /// About a place in a game, with the moves that led there.
    pub fn of(record: &Record, node: NodeId) -> Self {
        let path = record.path(node);
        let made = path.windows(2).filter_map(|pair| {
            let action = record.node(pair[1])?.action()?;
            Some(record.position(pair[0])?.uci(action))
        });
        Self {
            moves: made.collect(),
            ..Self::at(record.start())
        }
    }

    /// The game of a question about Othello, checked by the rules.
    pub fn othello_game(&self) -> Result<othello::Game, Trouble> {
        let cannot = |reason: String| Trouble::Cannot { reason };
        let start = match &self.root {
            None => othello::Position::START,
            Some(text) => text
                .parse()
                .map_err(|error| cannot(format!("it plays Othello, and {error}")))?,
        };
        let mut game = othello::Game::from_position(start);
        for text in self.moves.iter() {
            let action: othello::Move = text.parse().map_err(|error| cannot(format!("{error}")))?;
            let made = game.play(action);
            made.map_err(|error| cannot(error.to_string()))?;
        }
        Ok(game)
    }

    /// Whether it asks about the same place of the same game, whatever the limits are.
    pub fn is_about(&self, other: &Self) -> bool {
        (&self.root, &self.moves, &self.only) == (&other.root, &other.moves, &other.only)
    }

    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_told_from_its_beginning() {
        let mut record = Record::new(Position::OTHELLO_START);
        let f5 = record.add_text(record.root(), "f5").unwrap();
        let d6 = record.add_text(f5, "d6").unwrap();
        let question = Question::of(&record, d6);
        assert_eq!(
            (question.root, question.moves.to_string()),
            (None, "f5 d6".to_owned())
        );
        let later = record.position(d6).unwrap();
        assert_eq!(Question::at(later).root, Some(later.to_string()));
    }

    #[test]
    fn clocks_are_those_of_the_game() {
        let controls = ["60+2".parse().unwrap(), "-".parse().unwrap()];
        let mut clock = Clock::with_controls(controls);
        clock.start(Side::Black, 0);
        let clocks = Clocks::of(&clock, Side::Black, 1_000).unwrap();
        assert_eq!(clocks.left_ms, [59_000, UNLIMITED_MS]);
        assert_eq!(clocks.increment_ms, [2_000, 0]);
        assert_eq!(clocks.own_ms(), 59_000);
        assert_eq!(Clocks::of(&clock, Side::White, 1_000), None);
    }
}
