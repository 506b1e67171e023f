//! What a position is worth, and the one place where that becomes text.

use std::fmt;

/// A value for the side to move: hundredths of the game's unit (centidiscs in Othello), or a
/// forced mate.
///
/// Scores are ordered from being mated at once to mating at once. `{}` writes all digits in ASCII,
/// for tables, files and logs; `{:#}` rounds to tenths and has a real minus sign, for sentences.
///
/// ```
/// use game::Score;
/// assert_eq!(Score::centi(600).to_string(), "+6");
/// assert_eq!(Score::centi(-125).to_string(), "-1.25");
/// assert_eq!(format!("{:#}", Score::centi(-150)), "−1.5");
/// assert_eq!(Score::mate_in(3).to_string(), "#3");
/// assert_eq!(-Score::mate_in(3), Score::mated_in(3));
/// assert!(Score::mate_in(3) > Score::mate_in(9) && Score::mate_in(9) > Score::centi(600));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(
    /// Hundredths within ±[`CENTI_MAX`]; beyond them `i32::MAX` minus the moves to the mate, or the
    /// negative of that. One number, so that order and sign need no cases.
    i32,
);

/// The greatest number of hundredths. Greater ones would be mates.
const CENTI_MAX: i32 = 999_999_999;

/// The longest mate that has a number of its own.
const MATE_MOVES_MAX: u32 = 1_000_000;

impl Score {
    /// Neither side is better.
    pub const ZERO: Self = Self(0);

    /// What a forced mate counts where a number of hundredths is needed: more than any evaluation.
    pub const MATE_HUNDREDTHS: i32 = 1_000_000;

    /// A value in hundredths.
    pub const fn centi(hundredths: i32) -> Self {
        if hundredths > CENTI_MAX {
            Self(CENTI_MAX)
        } else if hundredths < -CENTI_MAX {
            Self(-CENTI_MAX)
        } else {
            Self(hundredths)
        }
    }

    /// The side to move mates in so many moves.
    pub const fn mate_in(moves: u32) -> Self {
        let moves = if moves > MATE_MOVES_MAX {
            MATE_MOVES_MAX
        } else {
            moves
        };
        Self(i32::MAX - moves as i32)
    }

    /// The side to move is mated in so many moves.
    pub const fn mated_in(moves: u32) -> Self {
        Self(-Self::mate_in(moves).0)
    }

    /// Moves to a forced mate: positive if the side to move mates, negative or 0 if it is mated;
    /// `None` if no mate is known.
    pub const fn mate(self) -> Option<i32> {
        if self.0 > CENTI_MAX {
            Some(i32::MAX - self.0)
        } else if self.0 < -CENTI_MAX {
            Some(-(i32::MAX + self.0))
        } else {
            None
        }
    }

    /// Hundredths of the game's unit; a mate counts [`Score::MATE_HUNDREDTHS`], however long it
    /// takes.
    pub const fn hundredths(self) -> i32 {
        match self.mate() {
            None => self.0,
            Some(_) if self.0 > 0 => Self::MATE_HUNDREDTHS,
            Some(_) => -Self::MATE_HUNDREDTHS,
        }
    }

    /// The score as one number that keeps order, sign and mates: for files. Hundredths are
    /// themselves.
    pub const fn to_number(self) -> i32 {
        self.0
    }

    /// The score that [`Score::to_number`] gave the number of.
    pub const fn from_number(number: i32) -> Self {
        // `i32::MIN` has no negative, which every score needs.
        Self(if number == i32::MIN {
            -i32::MAX
        } else {
            number
        })
    }

    /// Whole units: discs in Othello.
    pub fn units(self) -> f64 {
        f64::from(self.hundredths()) / 100.0
    }

    /// The same value as another side sees it: `side_to_move` is the one whose score this is.
    #[must_use]
    pub fn seen_by(self, side: othello::Side, side_to_move: othello::Side) -> Self {
        if side == side_to_move { self } else { -self }
    }

    /// The size of the value as an amount of discs, in tenths: `1 disc`, `2.5 discs`.
    pub fn amount_of_discs(self) -> String {
        match Tenths::of(self).0.abs() {
            10 => "1 disc".to_owned(),
            tenths if tenths % 10 == 0 => format!("{} discs", tenths / 10),
            tenths => format!("{}.{} discs", tenths / 10, tenths % 10),
        }
    }
}

impl std::ops::Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// By how many hundredths one value is better than another. A mate counts as in
/// [`Score::hundredths`]: of two moves that both mate, neither gives anything away.
impl std::ops::Sub for Score {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::centi(self.hundredths() - other.hundredths())
    }
}

/// The sum of parts of an evaluation.
impl std::iter::Sum for Score {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        Self::centi(parts.fold(0_i32, |sum, part| sum.saturating_add(part.hundredths())))
    }
}

/// A value in tenths of a unit, halves away from zero.
struct Tenths(i32);

impl Tenths {
    fn of(score: Score) -> Self {
        let hundredths = score.hundredths();
        Self((hundredths + 5 * hundredths.signum()) / 10)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0.signum() {
            1 => "+",
            -1 if f.alternate() => "−",
            -1 => "-",
            _ => "",
        };
        let text = if let Some(moves) = self.mate() {
            let sign = if self.0 < 0 { sign } else { "" };
            format!("#{sign}{}", moves.unsigned_abs())
        } else if f.alternate() {
            match Tenths::of(*self).0.unsigned_abs() {
                0 => "0".to_owned(),
                tenths if tenths % 10 == 0 => format!("{sign}{}", tenths / 10),
                tenths => format!("{sign}{}.{}", tenths / 10, tenths % 10),
            }
        } else {
            match self.0.unsigned_abs() {
                whole if whole % 100 == 0 => format!("{sign}{}", whole / 100),
                size => format!("{sign}{}.{:02}", size / 100, size % 100),
            }
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the worst to the best.
    fn in_order() -> Vec<Score> {
        vec![
            Score::mated_in(0),
            Score::mated_in(1),
            Score::mated_in(40),
            Score::centi(i32::MIN),
            Score::centi(-6400),
            Score::centi(-1),
            Score::ZERO,
            Score::centi(1),
            Score::centi(6400),
            Score::centi(i32::MAX),
            Score::mate_in(40),
            Score::mate_in(1),
            Score::mate_in(0),
        ]
    }

    #[test]
    fn scores_are_ordered_and_turning_them_round_turns_the_order_round() {
        let scores = in_order();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        let turned: Vec<Score> = scores.iter().rev().map(|&score| -score).collect();
        assert_eq!(turned, scores);
    }

    #[test]
    fn a_difference_is_what_is_given_away() {
        let loss = |best: Score, played: Score| (best - played).hundredths();
        assert_eq!(loss(Score::centi(300), Score::centi(-100)), 400);
        assert_eq!(loss(Score::mate_in(2), Score::mate_in(9)), 0);
        assert_eq!(
            loss(Score::mate_in(2), Score::centi(500)),
            Score::MATE_HUNDREDTHS - 500
        );
        assert_eq!(
            loss(Score::mate_in(1), Score::mated_in(1)),
            2 * Score::MATE_HUNDREDTHS
        );
    }

    #[test]
    fn mates_say_how_many_moves_they_take() {
        for moves in [0, 1, 7, MATE_MOVES_MAX] {
            assert_eq!(Score::mate_in(moves).mate(), Some(moves as i32));
            assert_eq!(Score::mated_in(moves).mate(), Some(-(moves as i32)));
        }
        assert_eq!(Score::centi(i32::MAX).mate(), None);
        assert_eq!(Score::mate_in(u32::MAX), Score::mate_in(MATE_MOVES_MAX));
    }

    #[test]
    fn texts_are_exact_or_short() {
        for (score, exact, short) in [
            (Score::centi(600), "+6", "+6"),
            (Score::centi(-400), "-4", "−4"),
            (Score::centi(-150), "-1.50", "−1.5"),
            (Score::centi(-5), "-0.05", "−0.1"),
            (Score::centi(-3), "-0.03", "0"),
            (Score::ZERO, "0", "0"),
            (Score::centi(249), "+2.49", "+2.5"),
            (Score::mate_in(3), "#3", "#3"),
            (Score::mated_in(3), "#-3", "#−3"),
        ] {
            assert_eq!(score.to_string(), exact);
            assert_eq!(format!("{score:#}"), short);
        }
        assert_eq!(format!("{:>6}", Score::centi(-125)), " -1.25");
    }

    #[test]
    fn amounts_have_their_unit() {
        for (centi, text) in [
            (100, "1 disc"),
            (-100, "1 disc"),
            (400, "4 discs"),
            (250, "2.5 discs"),
            (96, "1 disc"),
            (0, "0 discs"),
        ] {
            assert_eq!(Score::centi(centi).amount_of_discs(), text);
        }
    }
}
