//! The kernels: which moves are legal, which discs a move flips.
//!
//! [`portable`] stays the reference of the others; a file per instruction set has the same
//! signatures. [`crate::Board`] has the kernels that the build targets, so that they inline into
//! their callers. [`tier`] chooses at run time, for code that is compiled once for each of them.
//! This is the only module of the crate with `unsafe`.
//!
//! Instructions per perft(9) from the start, counted by callgrind: see `docs/BENCHMARKS.md`, where
//! `--cfg portable_kernels` measures the plain kernels in any build.

pub mod last;
pub(crate) mod portable;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod rays;

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "intrinsics; each block names what makes it sound"
)]
mod avx2;

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "intrinsics; each block names what makes it sound"
)]
mod avx512;

#[cfg(target_arch = "aarch64")]
#[expect(
    unsafe_code,
    reason = "intrinsics; each block names what makes it sound"
)]
mod neon;

#[expect(
    unsafe_code,
    reason = "calls of what the processor was asked for; a list that is not written before use"
)]
pub mod tier;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(portable_kernels)))]
#[expect(unsafe_code, reason = "the build targets what it calls")]
mod built {
    use super::avx2;
    use crate::Square;

    #[inline]
    pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
        // SAFETY: this module is compiled only when the whole build targets AVX2.
        unsafe { avx2::legal_moves(mover, opponent) }
    }

    #[inline]
    pub(crate) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
        // SAFETY: this module is compiled only when the whole build targets AVX2.
        unsafe { avx2::flips(square, mover, opponent) }
    }
}

#[cfg(all(target_arch = "aarch64", not(portable_kernels)))]
#[expect(unsafe_code, reason = "every ARM64 processor has what it calls")]
mod built {
    use super::neon;
    use crate::Square;

    #[inline]
    pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
        // SAFETY: NEON is part of ARM64.
        unsafe { neon::legal_moves(mover, opponent) }
    }

    #[inline]
    pub(crate) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
        // SAFETY: NEON is part of ARM64.
        unsafe { neon::flips(square, mover, opponent) }
    }
}

/// Where no other kernels are made for the build.
#[cfg(any(
    portable_kernels,
    not(any(
        all(target_arch = "x86_64", target_feature = "avx2"),
        target_arch = "aarch64"
    ))
))]
mod built {
    pub(crate) use super::portable::{flips, legal_moves};
}

pub(crate) use built::{flips, legal_moves};

#[cfg(test)]
mod tests {
    use super::portable;
    use crate::{reference, sample::random_boards};

    /// Every kernel in use, on the same boards, against the portable one and the square walker.
    #[test]
    fn kernels_agree_with_their_twins() {
        for board in random_boards(1).take(20_000) {
            let (mover, opponent) = (board.mover().0, board.opponent().0);
            let expected = reference::legal_moves(board);
            assert_eq!(portable::legal_moves(mover, opponent), expected.0);
            assert_eq!(super::legal_moves(mover, opponent), expected.0);
            for square in board.empties() {
                let expected = reference::flips(board, square).0;
                assert_eq!(portable::flips(square, mover, opponent), expected);
                assert_eq!(super::flips(square, mover, opponent), expected);
            }
        }
    }
}
