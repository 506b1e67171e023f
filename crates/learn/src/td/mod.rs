//! Temporal differences at the leaves of searches: TD(λ)-Leaf over the pattern weights.
//!
//! Games of the engine against itself, with some random moves, are learned from when they are over,
//! from the last position back to the first. What a position should have been worth is a mixture
//! of the final score and of what the search found one move later; what it was worth is the
//! evaluation at the end of its principal variation, and the weights there are moved.
//!
//! Chance follows from the seed and a game's number. Games are played in batches with the weights
//! as they were when the batch began, and learned from in the order of their numbers. So the result
//! does not depend on how many of them were played at the same time, and a run that ended between
//! two batches goes on as if it had not.

pub mod adam;
pub mod checkpoint;
mod game;
mod layout;
mod learner;
mod monitor;
pub mod score;
mod stats;
mod trace;
mod trainer;

pub use game::{History, Position, play};
pub use layout::Layout;
pub use learner::{Learner, Update, target};
pub use monitor::{FailureWindow, MatchPoint, WindowPoint};
pub use stats::Tally;
pub use trainer::{Event, Trainer};

use crate::{
    course::Course,
    playing::Searcher,
    settings::{MoveLimit, Schedule, settings},
};
use engine::Engine;
use std::sync::atomic::AtomicBool;

settings! {
    /// Everything that the result of a training depends on.
    pub struct Settings {
        /// How many games to play
        games: u64 = 1_000_000, "a number of games", |_| true;
        /// Where chance comes from, with the game's number
        seed: u64 = 1, "a whole number", |_| true;
        /// What ends the search for a move; depth and nodes give the same result every time
        limit: MoveLimit = MoveLimit::Time(15), "time:MS, depth:PLIES or nodes:N, such as time:15", |_| true;
        /// Solve positions with at most so many empty squares whatever the limit
        exact_empties: u32 = 0, "a number of squares up to 30", |v| *v <= 30;
        /// Begin each game with so many random moves
        random_plies: u32 = 0, "a number of moves up to 50", |v| *v <= 50;
        /// Share of random moves by game number
        epsilon: Schedule = default_epsilon(), "shares from 0 to 1 by first game, such as 0:0.15,300000:0.05,700000:0", |_| true;
        /// Games that are played with the same weights
        batch: u64 = 64, "a number of games from 1 to 65536", |v| (1..=65_536).contains(v);
        /// Decay of traces, and the final score's share of a target
        lambda: f64 = 0.3, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
        /// Traces smaller than this are dropped
        trace_floor: f64 = 0.01, "a number above 0 and below 1", |v| *v > 0.0 && *v < 1.0;
        /// Step length of Adam in discs
        alpha: f64 = 0.025, "a number above 0 and up to 10", |v| *v > 0.0 && *v <= 10.0;
        /// Decay of Adam's first moment
        beta1: f64 = 0.9, "a number from 0 to below 1", |v| (0.0..1.0).contains(v);
        /// Decay of Adam's second moment
        beta2: f64 = 0.999, "a number from 0 to below 1", |v| (0.0..1.0).contains(v);
        /// Adam's safeguard against division by nothing
        adam_epsilon: f64 = 1e-8, "a number above 0 and up to 1", |v| *v > 0.0 && *v <= 1.0;
        /// Save a checkpoint every so many games
        checkpoint_every: u64 = 100_000, "a number of games from 1 on", |v| *v > 0;
        /// Log statistics every so many games
        stats_every: u64 = 100, "a number of games from 1 on", |v| *v > 0;
        /// Log details every so many games; each is a point of the learning curve
        detail_every: u64 = 10_000, "a number of games from 1 on", |v| *v > 0;
        /// Log how the weights converge every so many games
        convergence_every: u64 = 100_000, "a number of games from 1 on", |v| *v > 0;
        /// Say that learning stagnates after so many games without a smaller error
        stagnation_games: u64 = 50_000, "a number of games from 1 on", |v| *v > 0;
        /// Warn of evaluations beyond so many discs
        divergence_discs: f64 = 100.0, "a number of discs above 64", |v| *v > 64.0 && v.is_finite();
        /// Play against random moves every so many games
        match_every: u64 = 10_000, "a number of games from 1 on", |v| *v > 0;
        /// Games of each match against random moves; 0 for none
        match_games: u64 = 100, "a number of games up to 10000", |v| *v <= 10_000;
        /// Warn if the share of points against random moves is below this
        match_win_rate: f64 = 0.95, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
        /// Failed games are counted in windows of so many games
        failure_window: u64 = 10_000, "a number of games from 1 on", |v| *v > 0;
        /// Pause if more than this share of a window failed
        failure_share: f64 = 0.01, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
        /// Megabytes of transposition table for each thread; 0 shares 128 with a time limit, and takes 4 without
        hash_mb: u32 = 0, "a number of megabytes up to 4096", |v| *v <= 4096;
    }
}

fn default_epsilon() -> Schedule {
    Schedule::new(vec![(0, 0.15), (300_000, 0.05), (700_000, 0.0)])
        .expect("steps ascend from 0, and shares are shares")
}

impl Settings {
    /// The table for each of so many threads, in megabytes.
    pub fn hash_mb_per_thread(&self, threads: usize) -> usize {
        /// All tables together, where searches are long enough to fill them.
        const TOGETHER_MB: usize = 128;
        /// Short searches fit into this, and clearing it takes no time. Nor does it depend on the
        /// number of threads: results of limits without a clock must not.
        const SMALL_MB: usize = 4;
        match self.hash_mb {
            0 if self.limit.is_time() => (TOGETHER_MB / threads.max(1)).max(1),
            0 => SMALL_MB,
            given => given as usize,
        }
    }

    /// What is due when.
    pub fn course(&self) -> Course {
        Course {
            games: self.games,
            batch: self.batch,
            checkpoint_every: self.checkpoint_every,
            match_every: self.match_every,
            match_games: self.match_games,
        }
    }

    /// An engine that plays as these settings want it.
    pub fn searcher<'a, E>(
        &self,
        engine: &'a mut Engine<E>,
        now_us: &'a (dyn Fn() -> u64 + Sync),
        stop: &'a AtomicBool,
    ) -> Searcher<'a, E> {
        Searcher {
            engine,
            limit: self.limit,
            exact_empties: self.exact_empties,
            now_us,
            stop,
        }
    }

    fn adam(&self) -> adam::Constants {
        adam::Constants {
            alpha: self.alpha as f32,
            beta1: self.beta1 as f32,
            beta2: self.beta2 as f32,
            epsilon: self.adam_epsilon as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings as _;

    #[test]
    fn the_documented_constants_are_the_defaults() {
        let settings = Settings::default();
        for (name, value) in [
            ("games", "1000000"),
            ("limit", "time:15"),
            ("epsilon", "0:0.15,300000:0.05,700000:0"),
            ("lambda", "0.3"),
            ("alpha", "0.025"),
            ("beta1", "0.9"),
            ("beta2", "0.999"),
            ("adam_epsilon", "0.00000001"),
            ("checkpoint_every", "100000"),
            ("stats_every", "100"),
            ("detail_every", "10000"),
            ("convergence_every", "100000"),
            ("stagnation_games", "50000"),
            ("match_win_rate", "0.95"),
            ("failure_window", "10000"),
            ("failure_share", "0.01"),
        ] {
            assert_eq!(settings.get(name).as_deref(), Some(value), "{name}");
        }
        assert_eq!(Settings::from_text(&settings.to_text()), Ok(settings));
    }

    #[test]
    fn tables_together_take_what_is_documented_and_do_not_depend_on_threads_without_a_clock() {
        let mut settings = Settings::default();
        assert_eq!(settings.hash_mb_per_thread(2), 64);
        assert_eq!(settings.hash_mb_per_thread(4), 32);
        settings.limit = MoveLimit::Depth(3);
        assert_eq!(
            settings.hash_mb_per_thread(1),
            settings.hash_mb_per_thread(9)
        );
        settings.hash_mb = 7;
        assert_eq!(settings.hash_mb_per_thread(3), 7);
    }
}
