//! Solving to the end. Scores here are whole discs for the side to move.
//!
//! Four layers by empty squares, each with no more machinery than it pays for: [`last`] (1 to 4,
//! hand-written), [`shallow`] (5, parity order only; 6 to 12, fastest first with a small
//! cache), and the full search with table, evaluation and selectivity above. [`order`] tells how
//! much a move will cost.
//!
//! The layers up to 12 are nine tenths of a solver's work and are compiled once for each tier of
//! processors ([`othello::tier`]); [`shallow::Shallow`] is the door. Every tier visits the same
//! nodes.

/// Does the same with the kernels of whichever tier it is.
macro_rules! with_kernels {
    ($tier:expr, |$kernels:ident| $body:expr) => {
        match $tier {
            ::othello::tier::Tier::Portable($kernels) => $body,
            #[cfg(target_arch = "x86_64")]
            ::othello::tier::Tier::Avx2($kernels) => $body,
            #[cfg(target_arch = "x86_64")]
            ::othello::tier::Tier::Avx512($kernels) => $body,
            #[cfg(target_arch = "aarch64")]
            ::othello::tier::Tier::Neon($kernels) => $body,
        }
    };
}

pub(crate) mod hope;
pub(crate) mod last;
pub(crate) mod order;
pub(crate) mod shallow;
