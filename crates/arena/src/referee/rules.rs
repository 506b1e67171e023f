//! What ends a game besides the rules of the game: what the players think of it, its length, and
//! whoever knows the result already.

use super::Reason;
use game::{Outcome, Position, Score, Side, TimeControl};

/// A player's own values decide the game: it thinks that it has lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resign {
    /// Hundredths of the game's unit, positive; being so far behind or further.
    pub score: u32,
    /// So many moves of that player in a row.
    pub moves: u32,
    /// Whether the opponent must have thought the same, seen from its side, as long.
    pub two_sided: bool,
}

/// The values of both players decide the game: it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Hundredths of the game's unit, positive; being no further apart.
    pub score: u32,
    /// So many moves of each player in a row.
    pub moves: u32,
    /// Not before this move of the game, the opening counted.
    pub from_move: u32,
}

/// What ends a game besides the rules of the game and failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How much later than its flag a move may come; with a time for each move at least
    /// [`MOVE_MARGIN_MS`].
    pub margin_ms: u64,
    pub resign: Option<Resign>,
    pub draw: Option<Draw>,
    /// Moves of each side, the opening counted; a longer game is drawn.
    pub max_moves: Option<u32>,
    /// Chess: the draws that a player may claim, by fifty moves and by repetition, are given at
    /// once. Without it, the rules end such games at 75 moves and at the fifth repetition.
    pub claims: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            margin_ms: 0,
            resign: None,
            draw: None,
            max_moves: None,
            claims: true,
        }
    }
}

/// A time for each move is how long an engine searches, as it is told; its answer is on its way after
/// that, on a busy machine for some milliseconds.
pub const MOVE_MARGIN_MS: u64 = 100;

impl Rules {
    /// How much later than its flag a move of a player with this time may come.
    pub(super) fn margin_of_ms(&self, control: TimeControl) -> u64 {
        match control {
            TimeControl::PerMove { .. } => self.margin_ms.max(MOVE_MARGIN_MS),
            TimeControl::Game { .. } | TimeControl::Unlimited => self.margin_ms,
        }
    }
}

/// Somebody who knows how some positions end: a table of endings, or a solver.
pub trait Oracle: Sync {
    /// The outcome with best play, if it is known for certain. Its reason is
    /// [`Reason::Tablebase`] or [`Reason::Solved`].
    fn outcome(&self, position: &Position) -> Option<(Outcome, Reason)>;
}

/// What the players thought of a game, as far as rules ask about it.
#[derive(Debug, Default)]
pub(super) struct Opinions {
    /// How many moves in a row each side thought that it has lost, and that it has won.
    lost: [u32; 2],
    won: [u32; 2],
    /// Plies in a row on which the mover thought that the game is drawn.
    drawn: u32,
}

impl Opinions {
    /// The mover's value of its move; a mover that says nothing has no opinion.
    pub(super) fn count(&mut self, rules: &Rules, side: Side, score: Option<Score>) {
        let hundredths = score.map(Score::hundredths);
        let of = |limit: u32, is_so: &dyn Fn(i32, i32) -> bool| {
            hundredths.is_some_and(|it| is_so(it, i32::try_from(limit).unwrap_or(i32::MAX)))
        };
        let next = |count: u32, is_so: bool| if is_so { count + 1 } else { 0 };
        if let Some(resign) = rules.resign {
            let at = side.index();
            self.lost[at] = next(self.lost[at], of(resign.score, &|it, limit| it <= -limit));
            self.won[at] = next(self.won[at], of(resign.score, &|it, limit| it >= limit));
        }
        if let Some(draw) = rules.draw {
            self.drawn = next(self.drawn, of(draw.score, &|it, limit| it.abs() <= limit));
        }
    }

    /// What they decide, after so many moves of each side.
    pub(super) fn verdict(&self, rules: &Rules, moves: u32) -> Option<(Outcome, Reason)> {
        if let Some(resign) = rules.resign.filter(|it| it.moves > 0) {
            for side in Side::BOTH {
                let agreed = self.won[side.other().index()] >= resign.moves;
                if self.lost[side.index()] >= resign.moves && (agreed || !resign.two_sided) {
                    let outcome = Outcome::lost_by(side, Reason::LostScore.termination());
                    return Some((outcome, Reason::LostScore));
                }
            }
        }
        let draw = rules.draw.filter(|it| it.moves > 0)?;
        let is_drawn = self.drawn >= 2 * draw.moves && moves >= draw.from_move;
        is_drawn.then(|| drawn(Reason::DrawnScore))
    }
}

pub(super) const fn drawn(reason: Reason) -> (Outcome, Reason) {
    (Outcome::decided(None, reason.termination()), reason)
}
