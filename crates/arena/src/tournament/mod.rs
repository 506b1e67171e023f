//! Who meets whom in a tournament: pure code from settings, a seed and results to numbered pairs.
//!
//! A [`Plan`] is asked for pair after pair. The number of a pair says everything about it: the
//! players, their colours, the opening. To play a tournament is to play its pairs in any order that
//! the plan allows; to resume one is to play the pairs whose results are not known. [`Coordinator`]
//! is the question "who plays the next pair?", so that those who play need not know who plans.

pub mod dutch;
mod future;
mod knockout;
pub mod matching;
mod openings;
mod plan;
mod robin;
mod settings;
mod swiss;

pub use openings::{Order, Sequence, shuffled};
pub use plan::{Next, Pairing, Plan};
pub use settings::{Format, PlanError, Settings};

/// What the players of a pair won, in half points: of the first and of the second player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Points(pub [u32; 2]);

/// Whoever deals out the pairs of a tournament: in this process, or on another machine.
pub trait Coordinator: Sync {
    /// What a finished pair is.
    type Played;

    /// The pair that the asker is to play next. [`Assignment::Wait`] means that others must finish
    /// theirs first.
    fn next(&self) -> Assignment;

    /// A pair is finished. Once this returns true, its games are kept and it is never played
    /// again; false means that the tournament cannot go on.
    fn finished(&self, pairing: Pairing, played: Self::Played) -> bool;

    /// The asker gives a pair back that it was not able to finish.
    fn give_back(&self, pairing: Pairing);
}

/// The answer to "who plays the next pair?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    Play(Pairing),
    /// Ask again a little later.
    Wait,
    /// There is nothing more to play.
    Over,
}
