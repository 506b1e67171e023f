//! Who is better, and how sure we are: pure arithmetic on counted results.
//!
//! Games are best played in pairs from the same opening with colours swapped. What the opening
//! gives to one side then cancels within a pair, so that a [`Pentanomial`] of pairs says more than
//! the [`Trinomial`] of the same games. [`Estimate`] is what a finished match says; [`Sprt`] tells
//! during a match when it may stop. [`joint_ratings`] puts the results of many matches on one scale.
//!
//! ```
//! use arena::stats::{Decision, EloModel, Estimate, GameResult, Pentanomial, Sprt};
//!
//! let mut pairs = Pentanomial::default();
//! for _ in 0..300 {
//!     pairs.record(GameResult::Win, GameResult::Draw);
//!     pairs.record(GameResult::Win, GameResult::Loss);
//!     pairs.record(GameResult::Draw, GameResult::Loss);
//!     pairs.record(GameResult::Win, GameResult::Win);
//! }
//! assert_eq!(
//!     Estimate::of(pairs).to_string(),
//!     "Elo +88.7 ± 11.7, normalised +109.9 ± 13.9, LOS 100.0 %, draws 25.0 %, 2400 games"
//! );
//! let test = Sprt::new(EloModel::Normalised, 0.0, 5.0, 0.05, 0.05)?;
//! assert_eq!(test.judge(pairs).decision, Decision::AcceptH1);
//! # Ok::<(), arena::stats::SprtError>(())
//! ```
//!
//! No function here returns NaN, whatever the counts. Without spread a sample says nothing about
//! its error; then errors are `None` and ratings may be infinite, which prints as `> +800`.

mod counts;
mod estimate;
mod glicko;
mod likelihood;
mod ratings;
mod sprt;

pub use counts::{GameResult, Pentanomial, Results, Trinomial};
pub use estimate::{Elo, Estimate};
pub use glicko::{Glicko, GlickoGame};
pub use ratings::{Encounter, JointFit, Rating, RatingError, joint_ratings, rating_against};
pub use sprt::{Decision, EloModel, Sprt, SprtError, Verdict};

/// So much normalised Elo is one standard deviation of a game's score: chosen such that it agrees
/// with logistic Elo between near equals who never draw.
const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The score that a logistic Elo difference predicts.
fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
