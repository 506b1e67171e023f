//! How bad a move was.

use super::winning_chances;
use game::{Glyph, Score};

/// How bad a move was, by the winning chances that it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing to speak of: less than 5 in 100.
    Fine,
    /// `?!`: 5 in 100 and more.
    Inaccuracy,
    /// `?`: 10 in 100 and more.
    Mistake,
    /// `??`: 20 in 100 and more.
    Blunder,
}

impl Severity {
    /// Of a move with this value where the best one is worth `best`, with so many empty squares
    /// before it. `solved` says whether both values are proven.
    pub fn of_scores(best: Score, played: Score, empties: u32, solved: bool) -> Self {
        let [best, played] = [best, played].map(|it| winning_chances(it, empties, solved));
        Self::of(best - played)
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
