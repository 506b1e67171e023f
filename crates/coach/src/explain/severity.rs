//! How bad a move was.

use super::winning_chances;
use game::{Glyph, Score};

/// How bad a move was, by the winning chances that it cost, and in Othello by discs as well: a game
/// that is lost anyway can still be lost by forty discs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing to speak of.
    Fine,
    /// `?!`: 5 in 100 and more, or 6 discs.
    Inaccuracy,
    /// `?`: 10 in 100 and more, or 12 discs.
    Mistake,
    /// `??`: 20 in 100 and more. Discs alone are no blunder: the result does not hang on them.
    Blunder,
}

/// Lost discs, in hundredths, from which a move is worth speaking of whatever the result.
const MANY_DISCS: i32 = 600;

impl Severity {
    /// Of a move with this value where the best one is worth `best`, with so many empty squares
    /// before it. `solved` says whether both values are proven.
    pub fn of_scores(best: Score, played: Score, empties: u32, solved: bool) -> Self {
        let chances = [best, played].map(|it| winning_chances(it, empties, solved));
        Self::of_loss(chances[0] - chances[1], best - played)
    }

    /// Of a move of Othello that cost so much of the winning chances and so many discs, whichever
    /// is worse.
    pub fn of_loss(lost: f64, discs: Score) -> Self {
        let by_discs = match discs.hundredths() {
            discs if discs >= 2 * MANY_DISCS => Self::Mistake,
            discs if discs >= MANY_DISCS => Self::Inaccuracy,
            _ => Self::Fine,
        };
        Self::of(lost).max(by_discs)
    }

    /// Of a move of chess. A pawn more is worth what 100 points of rating are: the chances follow
    /// the curve of ratings.
    pub fn of_pawns(best: Score, played: Score) -> Self {
        let chance = |score: Score| 1.0 / (1.0 + 10_f64.powf(-score.units() / 4.0));
        Self::of(chance(best) - chance(played))
    }

    /// By lost winning chances, from 0 to 1.
    pub fn of(lost: f64) -> Self {
        match lost {
            lost if lost >= 0.20 => Self::Blunder,
            lost if lost >= 0.10 => Self::Mistake,
            lost if lost >= 0.05 => Self::Inaccuracy,
            _ => Self::Fine,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The glyph for a record.
    pub const fn glyph(self) -> Option<Glyph> {
        match self {
            Self::Fine => None,
            Self::Inaccuracy => Some(Glyph::DUBIOUS),
            Self::Mistake => Some(Glyph::MISTAKE),
            Self::Blunder => Some(Glyph::BLUNDER),
        }
    }
}
