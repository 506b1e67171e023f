//! The kernels: which moves are legal, which discs a move flips.
//!
//! [`portable`] is always compiled and stays the reference of the others; a file per instruction
//! set has the same signatures and is chosen when the build targets it, so that kernels inline
//! into their callers. This is the only module of the crate with `unsafe`.
//!
//! Instructions per perft(9) from the start, counted by callgrind: see `docs/BENCHMARKS.md`, where
//! `--cfg portable_kernels` measures the plain kernels in any build. On ARM64 the portable kernels
//! stand until a NEON variant shows a gain.

#[cfg_attr(
    all(
        target_arch = "x86_64",
        target_feature = "avx2",
        not(portable_kernels),
        not(test)
    ),
    expect(dead_code, reason = "compiled everywhere, called by the tests")
)]
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(portable_kernels)))]
#[expect(
    unsafe_code,
    reason = "intrinsics; each block names what makes it sound"
)]
mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(portable_kernels)))]
pub(crate) use avx2::{flips, legal_moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", not(portable_kernels))))]
pub(crate) use portable::{flips, legal_moves};

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
