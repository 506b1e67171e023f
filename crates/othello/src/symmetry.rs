//! The eight symmetries of the board and a canonical form that symmetric boards share.

use crate::{Bitboard, Board, Position, Square};

/// A rotation or reflection of the board.
///
/// ```
/// use othello::{Board, Symmetry};
/// // The start position is its own image under half of the symmetries.
/// let fixed = Symmetry::ALL.into_iter().filter(|s| s.board(Board::START) == Board::START);
/// assert_eq!(fixed.count(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Symmetry {
    Identity,
    FlipFiles,
    FlipRanks,
    Rotate180,
    /// Mirrored at the line a1–h8.
    Transpose,
    /// A quarter turn clockwise as seen with a1 at the top left: a1 goes to h1.
    RotateClockwise,
    /// A quarter turn against the clock: a1 goes to a8.
    RotateCounterclockwise,
    /// Mirrored at the line a8–h1.
    AntiTranspose,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::FlipFiles,
        Self::FlipRanks,
        Self::Rotate180,
        Self::Transpose,
        Self::RotateClockwise,
        Self::RotateCounterclockwise,
        Self::AntiTranspose,
    ];

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::RotateClockwise => Self::RotateCounterclockwise,
            Self::RotateCounterclockwise => Self::RotateClockwise,
            other => other,
        }
    }

    /// The image of a set of squares.
    #[inline]
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let b = set.0;
        Bitboard(match self {
            Self::Identity => b,
            Self::FlipFiles => flip_files(b),
            Self::FlipRanks => b.swap_bytes(),
            Self::Rotate180 => b.reverse_bits(),
            Self::Transpose => transpose(b),
            Self::RotateClockwise => flip_files(transpose(b)),
            Self::RotateCounterclockwise => transpose(b).swap_bytes(),
            Self::AntiTranspose => transpose(b).reverse_bits(),
        })
    }

    /// The image of a square.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        Square::from_low_bits(self.bitboard(square.bit()).0.trailing_zeros())
    }

    /// The image of a board.
    #[inline]
    pub const fn board(self, board: Board) -> Board {
        Board::new_unchecked(
            self.bitboard(board.mover()),
            self.bitboard(board.opponent()),
        )
    }

    /// The image of a position; colours and turn stay.
    #[inline]
    pub const fn position(self, position: Position) -> Position {
        Position {
            board: self.board(position.board),
            side: position.side,
        }
    }
}

impl Board {
    /// The least of the eight images and the symmetry that leads there: equal for symmetric boards.
    pub fn canonical(self) -> (Self, Symmetry) {
        let mut least = (self, Symmetry::Identity);
        for symmetry in Symmetry::ALL.into_iter().skip(1) {
            let image = symmetry.board(self);
            if image < least.0 {
                least = (image, symmetry);
            }
        }
        least
    }
}

/// Mirrors each row: swaps neighbours, then pairs, then halves.
const fn flip_files(b: u64) -> u64 {
    let b = (b >> 1) & 0x5555_5555_5555_5555 | (b & 0x5555_5555_5555_5555) << 1;
    let b = (b >> 2) & 0x3333_3333_3333_3333 | (b & 0x3333_3333_3333_3333) << 2;
    (b >> 4) & 0x0f0f_0f0f_0f0f_0f0f | (b & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Swaps files and ranks: the off-diagonal 4×4, then 2×2, then 1×1 blocks (Hacker's Delight 7-3).
const fn transpose(b: u64) -> u64 {
    let t = (b ^ (b >> 28)) & 0x0000_0000_f0f0_f0f0;
    let b = b ^ t ^ (t << 28);
    let t = (b ^ (b >> 14)) & 0x0000_cccc_0000_cccc;
    let b = b ^ t ^ (t << 14);
    let t = (b ^ (b >> 7)) & 0x00aa_00aa_00aa_00aa;
    b ^ t ^ (t << 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_boards;

    #[test]
    fn squares_move_as_the_names_say() {
        let image = |symmetry: Symmetry, from: &str| -> String {
            symmetry.square(from.parse().unwrap()).to_string()
        };
        for (symmetry, a1, b1) in [
            (Symmetry::Identity, "a1", "b1"),
            (Symmetry::FlipFiles, "h1", "g1"),
            (Symmetry::FlipRanks, "a8", "b8"),
            (Symmetry::Rotate180, "h8", "g8"),
            (Symmetry::Transpose, "a1", "a2"),
            (Symmetry::RotateClockwise, "h1", "h2"),
            (Symmetry::RotateCounterclockwise, "a8", "a7"),
            (Symmetry::AntiTranspose, "h8", "h7"),
        ] {
            assert_eq!(image(symmetry, "a1"), a1, "{symmetry:?}");
            assert_eq!(image(symmetry, "b1"), b1, "{symmetry:?}");
        }
    }

    #[test]
    fn rules_commute_with_symmetry_and_canonical_form_is_shared() {
        for board in random_boards(3).take(5_000) {
            let (canonical, to) = board.canonical();
            assert_eq!(to.board(board), canonical);
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(symmetry.inverse().board(image), board);
                assert_eq!(image.legal_moves(), symmetry.bitboard(board.legal_moves()));
                assert_eq!(image.canonical().0, canonical);
                for square in board.legal_moves() {
                    let flips = symmetry.bitboard(board.flips(square));
                    assert_eq!(image.flips(symmetry.square(square)), flips);
                }
            }
        }
    }
}
