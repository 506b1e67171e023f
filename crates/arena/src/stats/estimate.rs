//! What a match says about the difference in strength, with its error.

use super::{NORMALISED_ELO, Results, Trinomial, likelihood::Distribution};
use std::fmt;

/// Half of the 95 % of a normal distribution, in standard deviations.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// A rating difference as it is printed: `+12.3`, and beyond 800 only `> +800` or `< -800`.
///
/// At 800 Elo 99 % of the points are won. A greater number says nothing more than that, and if
/// every game was won it is infinite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// What is not told apart any more.
    pub const LIMIT: f64 = 800.0;
}

/// One digit after the point, or as many as the format asks for.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        if self.0 > Self::LIMIT {
            write!(f, "> +{}", Self::LIMIT)
        } else if self.0 < -Self::LIMIT {
            write!(f, "< -{}", Self::LIMIT)
        } else {
            // Adding 0 turns -0 into 0.
            write!(f, "{:+.digits$}", self.0 + 0.0)
        }
    }
}

/// The outcome of a match. Errors are half of the 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub games: u64,
    /// Points per game; ½ if no game was played.
    pub score: f64,
    /// The error of the score; `None` if no game was played.
    pub score_error: Option<f64>,
    /// Logistic Elo, `-400·log10(1/score - 1)`; infinite if every game was won or lost.
    pub elo: Elo,
    /// Its error; `None` if either end of the interval is infinite, or all results were the same.
    pub elo_error: Option<f64>,
    /// Normalised Elo: the score's distance from ½ in standard deviations of a game, on a scale
    /// that resembles Elo. How many games it takes to see a difference depends on this alone.
    pub normalised_elo: Elo,
    /// Its error; `None` if it is infinite or no game was played.
    pub normalised_elo_error: Option<f64>,
    /// How likely it is that the engine is the better one, from 0 to 1; ½ if nothing is known.
    pub los: f64,
    /// The share of drawn games.
    pub draw_ratio: f64,
}

impl Estimate {
    /// The estimate from games or pairs.
    pub fn of(results: impl Into<Results>) -> Self {
        let results = results.into();
        let games = results.trinomial();
        if games.games() == 0 {
            return Self::of_nothing();
        }
        let counts = results.histogram();
        let sample = Distribution::new(&counts);
        let n_samples: f64 = counts.iter().sum();
        let score = score(games);
        let variance = sample.variance();
        let error = (variance / n_samples).sqrt();
        let deviation_per_game = (variance * results.games_per_sample()).sqrt();
        let normalised = ratio(score - 0.5, deviation_per_game) * NORMALISED_ELO;
        let score_error = Z_95 * error;
        let elo_error =
            (elo_of_score(score + score_error) - elo_of_score(score - score_error)) / 2.0;
        Self {
            games: games.games(),
            score,
            score_error: Some(score_error),
            elo: Elo(elo_of_score(score)),
            // Results that are all the same say nothing about how they vary.
            elo_error: Some(elo_error).filter(|error| error.is_finite() && variance > 0.0),
            normalised_elo: Elo(normalised),
            normalised_elo_error: normalised
                .is_finite()
                .then(|| Z_95 * NORMALISED_ELO / (games.games() as f64).sqrt()),
            los: normal_below(ratio(score - 0.5, error)),
            draw_ratio: games.draws as f64 / games.games() as f64,
        }
    }

    const fn of_nothing() -> Self {
        Self {
            games: 0,
            score: 0.5,
            score_error: None,
            elo: Elo(0.0),
            elo_error: None,
            normalised_elo: Elo(0.0),
            normalised_elo_error: None,
            los: 0.5,
            draw_ratio: 0.0,
        }
    }
}

/// `Elo +4.3 ± 2.1, normalised +6.2 ± 3.0, LOS 99.8 %, draws 25.0 %, 2400 games`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elo {}", WithError(self.elo, self.elo_error))?;
        let normalised = WithError(self.normalised_elo, self.normalised_elo_error);
        write!(f, ", normalised {normalised}")?;
        write!(f, ", LOS {:.1} %", self.los * 100.0)?;
        write!(f, ", draws {:.1} %", self.draw_ratio * 100.0)?;
        let plural = if self.games == 1 { "" } else { "s" };
        write!(f, ", {} game{plural}", self.games)
    }
}

/// A rating with its error, if that is known and the rating is not off the scale.
struct WithError(Elo, Option<f64>);

impl fmt::Display for WithError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.1 {
            Some(error) if self.0.0.abs() <= Elo::LIMIT => write!(f, " ± {error:.1}"),
            _ => Ok(()),
        }
    }
}

/// From whole numbers, so that all wins are exactly 1 and as many wins as losses exactly ½.
fn score(games: Trinomial) -> f64 {
    (2 * games.wins + games.draws) as f64 / (2 * games.games()) as f64
}

/// Infinite outside of (0, 1).
fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// A quotient where nothing in nothing is nothing, not NaN.
pub(super) fn ratio(numerator: f64, denominator: f64) -> f64 {
    if numerator == 0.0 {
        0.0
    } else {
        numerator / denominator
    }
}

/// The probability that a standard normal variable is below `x`, by the series of Marsaglia,
/// *Evaluating the Normal Distribution* (2004); its error is below 1e-15.
pub(super) fn normal_below(x: f64) -> f64 {
    // Beyond, the rest is less than what a double next to 1 can tell.
    if x.abs() > 8.5 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    fn games(wins: u64, draws: u64, losses: u64) -> Estimate {
        Estimate::of(Trinomial {
            wins,
            draws,
            losses,
        })
    }

    #[test]
    fn nothing_prints_as_not_a_number() {
        let lines = [
            games(0, 0, 0),
            games(10, 0, 0),
            games(0, 0, 1),
            games(0, 7, 0),
            games(5, 0, 5),
            games(1_000, 1, 0),
            Estimate::of(Pentanomial {
                win_loss: 10,
                ..Pentanomial::default()
            }),
        ];
        let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        expect_test::expect![[r#"
            Elo +0.0, normalised +0.0, LOS 50.0 %, draws 0.0 %, 0 games
            Elo > +800, normalised > +800, LOS 100.0 %, draws 0.0 %, 10 games
            Elo < -800, normalised < -800, LOS 0.0 %, draws 0.0 %, 1 game
            Elo +0.0, normalised +0.0 ± 257.4, LOS 50.0 %, draws 100.0 %, 7 games
            Elo +0.0 ± 251.8, normalised +0.0 ± 215.3, LOS 50.0 %, draws 0.0 %, 10 games
            Elo > +800, normalised > +800, LOS 100.0 %, draws 0.1 %, 1001 games
            Elo +0.0, normalised +0.0 ± 152.3, LOS 50.0 %, draws 0.0 %, 20 games
        "#]]
        .assert_eq(&text.concat());
    }

    #[test]
    fn swapping_the_engines_changes_the_sign() {
        let (one, other) = (games(120, 200, 80), games(80, 200, 120));
        assert!((one.elo.0 + other.elo.0).abs() < 1e-9);
        assert!((one.normalised_elo.0 + other.normalised_elo.0).abs() < 1e-9);
        assert!((one.los + other.los - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (Z_95, 0.975),
            (-3.0, 0.001_349_898_031_630_09),
            (6.0, 0.999_999_999_013_412_4),
            (-40.0, 0.0),
            (f64::INFINITY, 1.0),
        ] {
            assert!((normal_below(x) - below).abs() < 1e-14, "{x}");
        }
    }
}
