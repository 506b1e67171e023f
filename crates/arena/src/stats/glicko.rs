//! Glicko-2 (Glickman, *Example of the Glicko-2 system*, 2022), for ladders that go on for ever: a
//! rating with its deviation and its volatility, moved by the games of one period.

/// What is known about a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    pub rating: f64,
    /// Standard deviation of the rating.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

/// A game of a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlickoGame {
    /// As the opponent was before the period.
    pub opponent: Glicko,
    /// 1, ½ or 0.
    pub points: f64,
}

impl Default for Glicko {
    /// A player who has not played.
    fn default() -> Self {
        Self {
            rating: 1_500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

/// Points of rating in a unit of the internal scale.
const SCALE: f64 = 173.717_8;

/// How freely the volatility changes.
const TAU: f64 = 0.5;

/// The volatility is found to this precision.
const PRECISION: f64 = 1e-6;

impl Glicko {
    /// The player after a period with these games. Without games only the deviation grows.
    #[must_use]
    pub fn after(self, games: &[GlickoGame]) -> Self {
        let mu = (self.rating - 1_500.0) / SCALE;
        let phi = self.deviation / SCALE;
        if games.is_empty() {
            return Self {
                deviation: SCALE * phi.hypot(self.volatility),
                ..self
            };
        }
        let (mut information, mut slope) = (0.0, 0.0);
        for game in games {
            let weight = weight(game.opponent.deviation / SCALE);
            let distance = mu - (game.opponent.rating - 1_500.0) / SCALE;
            let expected = 1.0 / (1.0 + (-weight * distance).exp());
            information += weight * weight * expected * (1.0 - expected);
            slope += weight * (game.points - expected);
        }
        let variance = 1.0 / information;
        let improvement = variance * slope;
        let volatility = volatility(self.volatility, phi, variance, improvement);
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / (before * before) + 1.0 / variance).sqrt();
        Self {
            rating: SCALE * (mu + phi * phi * slope) + 1_500.0,
            deviation: SCALE * phi,
            volatility,
        }
    }
}

/// How much a game against an opponent of this deviation counts.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (std::f64::consts::PI * std::f64::consts::PI)).sqrt()
}

/// The volatility that explains the improvement best: the root of a function, by the Illinois
/// variant of regula falsi.
fn volatility(old: f64, phi: f64, variance: f64, improvement: f64) -> f64 {
    let a = (old * old).ln();
    let excess = improvement * improvement - phi * phi - variance;
    let f = |x: f64| {
        let power = x.exp();
        let sum = phi * phi + variance + power;
        let gain = improvement * improvement - phi * phi - variance - power;
        power * gain / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
    };
    let mut low = a;
    let mut high = if excess > 0.0 {
        excess.ln()
    } else {
        (1..)
            .map(|step| a - f64::from(step) * TAU)
            .find(|x| f(*x) >= 0.0)
            .unwrap_or(a)
    };
    let (mut at_low, mut at_high) = (f(low), f(high));
    while (high - low).abs() > PRECISION {
        let middle = low + (low - high) * at_low / (at_high - at_low);
        let at_middle = f(middle);
        if at_middle * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (middle, at_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko {
            rating,
            deviation,
            ..Glicko::default()
        }
    }

    #[test]
    fn the_example_of_the_paper() {
        let games = [
            (1_400.0, 30.0, 1.0),
            (1_550.0, 100.0, 0.0),
            (1_700.0, 300.0, 0.0),
        ];
        let games = games.map(|(rating, deviation, points)| GlickoGame {
            opponent: player(rating, deviation),
            points,
        });
        let found = player(1_500.0, 200.0).after(&games);
        assert!((found.rating - 1_464.06).abs() < 0.01, "{found:?}");
        assert!((found.deviation - 151.52).abs() < 0.01, "{found:?}");
        assert!((found.volatility - 0.059_99).abs() < 0.000_01, "{found:?}");
    }

    #[test]
    fn who_does_not_play_is_less_known() {
        let rested = player(1_700.0, 100.0).after(&[]);
        assert!(rested.deviation > 100.0);
        assert!((rested.rating - 1_700.0).abs() < 1e-9);
    }

    #[test]
    fn surprises_end() {
        let strong = GlickoGame {
            opponent: player(2_800.0, 30.0),
            points: 1.0,
        };
        let found = player(800.0, 50.0).after(&[strong; 200]);
        assert!(found.rating.is_finite() && found.rating > 800.0);
        assert!(found.volatility > 0.06);
    }
}
