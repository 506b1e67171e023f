//! Kernels in plain Rust: parallel-prefix fills over all squares of a direction at once.

use super::tier::Border;
use crate::Square;

/// Opponent discs on file a or h cannot be crossed by a line that has a horizontal part.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// All empty squares where `mover` flips at least one disc.
#[inline]
pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let reached = reach::<1>(mover, inner)
        | reach::<7>(mover, inner)
        | reach::<8>(mover, opponent)
        | reach::<9>(mover, inner);
    reached & !(mover | opponent)
}

/// Squares just beyond an unbroken run of opponent discs that starts next to a mover's disc, in
/// the direction `SHIFT` and its opposite.
#[inline]
fn reach<const SHIFT: u32>(mover: u64, opponent: u64) -> u64 {
    let (up, down) = runs::<SHIFT>(mover, opponent);
    (up << SHIFT) | (down >> SHIFT)
}

/// The unbroken runs of opponent discs next to any square of `from`, in the direction `SHIFT` and
/// in its opposite. A run has at most six discs, so 1 + 1 + 2 + 2 steps do.
#[inline]
fn runs<const SHIFT: u32>(from: u64, opponent: u64) -> (u64, u64) {
    let mut up = opponent & (from << SHIFT);
    let mut down = opponent & (from >> SHIFT);
    up |= opponent & (up << SHIFT);
    down |= opponent & (down >> SHIFT);
    let pairs_up = opponent & (opponent << SHIFT);
    let pairs_down = pairs_up >> SHIFT;
    up |= pairs_up & (up << (2 * SHIFT));
    down |= pairs_down & (down >> (2 * SHIFT));
    up |= pairs_up & (up << (2 * SHIFT));
    down |= pairs_down & (down >> (2 * SHIFT));
    (up, down)
}

/// The opponent discs that turn when `mover` plays on `square`; none if it is not a legal move.
#[inline]
pub(crate) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
    let from = square.bit().0;
    let inner = opponent & INNER_FILES;
    bracketed::<1>(from, mover, inner)
        | bracketed::<7>(from, mover, inner)
        | bracketed::<8>(from, mover, opponent)
        | bracketed::<9>(from, mover, inner)
}

/// The runs from one square that end at a mover's disc.
#[inline]
fn bracketed<const SHIFT: u32>(from: u64, mover: u64, opponent: u64) -> u64 {
    let (up, down) = runs::<SHIFT>(from, opponent);
    let up_bracketed = mover & (up << SHIFT) != 0;
    let down_bracketed = mover & (down >> SHIFT) != 0;
    (if up_bracketed { up } else { 0 }) | (if down_bracketed { down } else { 0 })
}

/// See [`super::tier::Kernels::border`].
#[inline(always)]
pub(super) const fn border(discs: u64) -> Border {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    /// Brings the file's bits together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    const fn corner(discs: u64) -> u16 {
        ((discs & 7) | (discs >> 5 & 0x38) | (discs >> 10 & 0x1c0)) as u16
    }
    Border {
        edges: [
            discs as u8,
            (discs >> 56) as u8,
            ((discs & FILE_A).wrapping_mul(GATHER) >> 56) as u8,
            ((discs >> 7 & FILE_A).wrapping_mul(GATHER) >> 56) as u8,
        ],
        corners: [
            corner(discs),
            corner(discs >> 5),
            corner(discs >> 40),
            corner(discs >> 45),
        ],
    }
}
