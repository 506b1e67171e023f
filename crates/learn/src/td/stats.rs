//! What is counted while games go by.

use super::{History, Update};
use std::fmt;

/// Declares the sums once: as fields, and as a list of numbers for checkpoints.
macro_rules! tally {
    ($($(#[$doc:meta])* $field:ident,)*) => {
        /// Sums over games. Everything is a number of its own, so that a checkpoint can keep them.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Tally {
            $($(#[$doc])* pub $field: f64,)*
        }

        impl Tally {
            /// How many numbers it has.
            pub(crate) const LEN: usize = [$(stringify!($field)),*].len();

            pub(crate) fn to_array(self) -> [f64; Self::LEN] {
                [$(self.$field),*]
            }

            pub(crate) fn from_array([$($field),*]: [f64; Self::LEN]) -> Self {
                Self { $($field),* }
            }
        }
    };
}

tally! {
    /// Games that were finished.
    games,
    /// Games that were not.
    failed,
    black_wins,
    white_wins,
    /// Sum of the final scores for Black.
    difference,
    moves,
    /// Moves that a search found.
    searches,
    updates,
    /// Sum of the errors' sizes, in discs.
    error,
    /// Sum of the evaluations, in discs.
    value,
    /// Sum of their squares.
    value_squared,
    value_max,
    value_min,
    /// Sum of search depths in the first twenty moves, and so on.
    opening_depth,
    opening_searches,
    /// From move 21 on.
    midgame_depth,
    midgame_searches,
    /// From move 41 on.
    endgame_depth,
    endgame_searches,
    /// Look-ups in the transposition table.
    probes,
    /// Those that found something.
    hits,
    /// Weights that had to be reset.
    repaired,
}

impl Tally {
    /// Counts a game and what learning from it brought.
    pub fn add(&mut self, history: &History, update: &Update) {
        self.games += 1.0;
        self.black_wins += f64::from(history.result > 0);
        self.white_wins += f64::from(history.result < 0);
        self.difference += f64::from(history.result);
        self.moves += history.positions.len() as f64;
        self.searches += history.searches as f64;
        if update.n > 0 {
            let first = self.updates < 0.5;
            self.value_max = keep(first, self.value_max, update.value_max, f64::max);
            self.value_min = keep(first, self.value_min, update.value_min, f64::min);
        }
        self.updates += update.n as f64;
        self.error += update.error;
        self.value += update.value;
        self.value_squared += update.value_squared;
        self.repaired += update.repaired as f64;
        let [opening, midgame, endgame] = history.depths;
        self.opening_depth += opening.0 as f64;
        self.opening_searches += opening.1 as f64;
        self.midgame_depth += midgame.0 as f64;
        self.midgame_searches += midgame.1 as f64;
        self.endgame_depth += endgame.0 as f64;
        self.endgame_searches += endgame.1 as f64;
        self.probes += history.probes[0] as f64;
        self.hits += history.probes[1] as f64;
    }

    /// Mean final score for Black.
    pub fn mean_difference(&self) -> f64 {
        ratio(self.difference, self.games)
    }

    /// Shares of Black's wins, White's wins and draws.
    pub fn shares(&self) -> [f64; 3] {
        let draws = self.games - self.black_wins - self.white_wins;
        [self.black_wins, self.white_wins, draws].map(|n| ratio(n, self.games))
    }

    /// Mean number of moves of a game.
    pub fn mean_moves(&self) -> f64 {
        ratio(self.moves, self.games)
    }

    /// Mean size of the errors, in discs.
    pub fn mean_error(&self) -> f64 {
        ratio(self.error, self.updates)
    }

    /// Mean of the evaluations, in discs.
    pub fn mean_value(&self) -> f64 {
        ratio(self.value, self.updates)
    }

    /// Standard deviation of the evaluations, in discs.
    pub fn value_deviation(&self) -> f64 {
        let mean = self.mean_value();
        let variance = ratio(self.value_squared, self.updates) - mean * mean;
        variance.max(0.0).sqrt()
    }

    /// Mean search depth in opening, midgame and endgame.
    pub fn depths(&self) -> [f64; 3] {
        [
            ratio(self.opening_depth, self.opening_searches),
            ratio(self.midgame_depth, self.midgame_searches),
            ratio(self.endgame_depth, self.endgame_searches),
        ]
    }

    /// The share of look-ups in the transposition table that found something.
    pub fn hit_rate(&self) -> f64 {
        ratio(self.hits, self.probes)
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn keep(first: bool, old: f64, new: f64, choose: fn(f64, f64) -> f64) -> f64 {
    if first { new } else { choose(old, new) }
}

/// The short line of every few games.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white, draws] = self.shares().map(|share| 100.0 * share);
        write!(
            f,
            "difference {:+.2}, black {black:.1} %, white {white:.1} %, draws {draws:.1} %, \
             moves {:.1}",
            self.mean_difference(),
            self.mean_moves()
        )
    }
}

impl Tally {
    /// The long line of every many games.
    pub fn details(&self) -> String {
        let [opening, midgame, endgame] = self.depths();
        format!(
            "evaluation mean {:+.2} deviation {:.2} from {:+.2} to {:+.2}, error {:.3}, \
             depth {opening:.1} {midgame:.1} {endgame:.1}, table hits {:.1} %, failed {}, \
             repaired {}",
            self.mean_value(),
            self.value_deviation(),
            self.value_min,
            self.value_max,
            self.mean_error(),
            100.0 * self.hit_rate(),
            self.failed,
            self.repaired
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_become_shares_and_means() {
        let mut tally = Tally::default();
        for result in [10, -4, 0, 2] {
            let history = History {
                result,
                searches: 3,
                depths: [(4, 2), (3, 1), (0, 0)],
                probes: [10, 4],
                ..History::default()
            };
            let update = Update {
                n: 2,
                error: 3.0,
                value: 2.0,
                value_squared: 10.0,
                value_max: f64::from(result),
                value_min: -3.0,
                repaired: 0,
            };
            tally.add(&history, &update);
        }
        assert_eq!(
            tally.to_string(),
            "difference +2.00, black 50.0 %, white 25.0 %, draws 25.0 %, moves 0.0"
        );
        assert_eq!(
            tally.details(),
            "evaluation mean +1.00 deviation 2.00 from -3.00 to +10.00, error 1.500, \
             depth 2.0 3.0 0.0, table hits 40.0 %, failed 0, repaired 0"
        );
        assert_eq!(Tally::from_array(tally.to_array()), tally);
    }

    #[test]
    fn nothing_counted_is_no_division() {
        let tally = Tally::default();
        assert!(!tally.details().contains("NaN") && !tally.to_string().contains("NaN"));
    }
}
