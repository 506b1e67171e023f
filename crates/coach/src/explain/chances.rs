//! How likely a score wins.

use game::Score;

/// Discs that make the odds e to 1, by empty squares: `BASE + SLOPE * empties`.
///
/// Fitted by `cargo run --release -p app --example fit_chances -- DIR 2400` on 2439 tournament games
/// of 1977 to 2022: for every second number of empty squares from 10 to 56 the scale of a logistic
/// curve that makes the games' results most likely given the score of a search of depth 8 (4.5
/// discs with 10 empty squares, 8.8 with 24, 11.1 with 40), then a straight line through those
/// scales: 3.437 + 0.1975 × empties.
const BASE: f64 = 3.4;
const SLOPE: f64 = 0.2;

/// How likely the side to move wins, from 0 to 1; a draw counts half.
///
/// A proven score decides: a win is a win by any number of discs. Otherwise the curve is what
/// happened in games of people: the nearer the end, the more a disc means.
pub fn winning_chances(score: Score, empties: u32, solved: bool) -> f64 {
    if solved || empties == 0 {
        return match score.hundredths().signum() {
            1 => 1.0,
            -1 => 0.0,
            _ => 0.5,
        };
    }
    let scale = BASE + SLOPE * f64::from(empties);
    1.0 / (1.0 + (-score.units() / scale).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_score_and_are_fair() {
        for empties in 1..=60 {
            let mut before = 0.0;
            for discs in -64..=64 {
                let chance = winning_chances(Score::centi(100 * discs), empties, false);
                assert!(chance > before && chance < 1.0 + 1e-9);
                let other = winning_chances(Score::centi(-100 * discs), empties, false);
                assert!((chance + other - 1.0).abs() < 1e-9);
                before = chance;
            }
        }
    }

    #[test]
    fn a_disc_means_more_near_the_end_and_everything_when_proven() {
        let chance = |empties| winning_chances(Score::centi(400), empties, false);
        assert!(chance(10) > chance(40));
        assert!((winning_chances(Score::centi(200), 20, true) - 1.0).abs() < 1e-9);
        assert!(winning_chances(Score::centi(-200), 20, true) < 1e-9);
        assert!((winning_chances(Score::centi(0), 20, true) - 0.5).abs() < 1e-9);
    }
}
