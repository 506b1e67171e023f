//! Whether learning goes well: its curve, and what failed.

use std::collections::BTreeMap;

/// A point of the learning curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowPoint {
    /// After so many games.
    pub games: u64,
    /// Mean size of the errors since the last point, in discs.
    pub error: f64,
    /// Standard deviation of the evaluations, in discs.
    pub deviation: f64,
    /// Mean final score for Black.
    pub difference: f64,
}

/// The result of a match against random moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchPoint {
    /// After so many games of learning.
    pub games: u64,
    /// The share of the points.
    pub win_rate: f64,
}

impl MatchPoint {
    /// From the points of the match's games.
    pub fn of(games: u64, points: &[f64]) -> Self {
        let win_rate = points.iter().sum::<f64>() / points.len().max(1) as f64;
        Self { games, win_rate }
    }
}

/// The smallest error so far, and when that was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    pub(crate) best_error: f64,
    pub(crate) best_games: u64,
    /// When stagnation was last spoken of.
    pub(crate) warned_games: u64,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            best_error: f64::INFINITY,
            best_games: 0,
            warned_games: 0,
        }
    }
}

/// An error smaller by less than this share is no improvement.
const IMPROVEMENT: f64 = 0.001;

impl Progress {
    /// Takes a point in. If it is time to say so, the games since the last improvement.
    pub(crate) fn add(&mut self, games: u64, error: f64, stagnation_games: u64) -> Option<u64> {
        if error < self.best_error * (1.0 - IMPROVEMENT) {
            *self = Self {
                best_error: error,
                best_games: games,
                warned_games: games,
            };
            return None;
        }
        if games.saturating_sub(self.warned_games) < stagnation_games {
            return None;
        }
        self.warned_games = games;
        Some(games - self.best_games)
    }
}

/// Failed games among the last ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailureWindow {
    /// Games of the window so far.
    pub(crate) games: u64,
    /// How many failed in which way.
    pub(crate) failures: BTreeMap<String, u64>,
}

impl FailureWindow {
    /// Counts a game. The window begins anew once it is full.
    pub fn add(&mut self, failure: Option<String>, window: u64) {
        if self.games >= window {
            *self = Self::default();
        }
        self.games += 1;
        if let Some(failure) = failure {
            *self.failures.entry(failure).or_default() += 1;
        }
    }

    /// How many of them failed.
    pub fn n_failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// Whether more failed than this share of a whole window.
    pub fn exceeds(&self, share: f64, window: u64) -> bool {
        self.n_failed() as f64 > share * window as f64
    }

    /// The ways in which games failed, the most frequent first.
    pub fn pattern(&self) -> String {
        let mut ways: Vec<_> = self.failures.iter().collect();
        ways.sort_by_key(|&(_, n)| std::cmp::Reverse(*n));
        let ways: Vec<String> = ways.iter().map(|(way, n)| format!("{n} × {way}")).collect();
        ways.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stagnation_is_told_once_in_a_while() {
        let mut progress = Progress::default();
        let mut told = Vec::new();
        let errors = [9.0, 8.0, 8.0, 8.1, 7.9999, 8.0, 8.0, 7.0, 7.0, 7.0];
        for (i, error) in errors.into_iter().enumerate() {
            let games = 10 * (i as u64 + 1);
            told.extend(progress.add(games, error, 30).map(|since| (games, since)));
        }
        assert_eq!(told, [(50, 30)]);
        assert_eq!((progress.best_games, progress.warned_games), (80, 80));
    }

    #[test]
    fn more_failures_than_the_share_are_too_many() {
        let mut window = FailureWindow::default();
        let mut add = |failed: bool| {
            window.add(failed.then(|| "panic: oops".to_owned()), 1_000);
            window.exceeds(0.01, 1_000)
        };
        for i in 0..10 {
            assert!(!add(true), "failure {i}");
            assert!(!add(false));
        }
        assert!(add(true), "one more than one in a hundred");
    }

    #[test]
    fn a_new_window_forgets_and_the_pattern_counts() {
        let mut window = FailureWindow::default();
        for failure in ["a", "b", "b"] {
            window.add(Some(failure.to_owned()), 3);
        }
        assert_eq!(window.pattern(), "2 × b; 1 × a");
        window.add(None, 3);
        assert_eq!((window.games, window.n_failed()), (1, 0));
    }
}
