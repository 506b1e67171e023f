//! A set of squares as 64 bits.

use crate::Square;
use std::{fmt, iter::FusedIterator, ops};

/// A set of squares; bit `n` is the square with index `n`.
///
/// ```
/// use othello::{Bitboard, Square};
/// let diagonal: Bitboard = Square::all().filter(|s| s.file() == s.rank()).collect();
/// assert_eq!(diagonal.len(), 8);
/// assert_eq!((diagonal & Bitboard::CORNERS).to_string(), "a1 h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self(!0);
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);
    /// The four squares diagonally next to a corner.
    pub const X_SQUARES: Self = Self(0x0042_0000_0000_4200);
    /// The eight squares next to a corner along an edge.
    pub const C_SQUARES: Self = Self(0x4281_0000_0000_8142);
    /// The rim: all squares of the outer files and ranks.
    pub const EDGES: Self = Self(0xff81_8181_8181_81ff);

    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` belongs to the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit().0 != 0
    }

    /// Whether both sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of `self` is in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= square.bit().0;
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !square.bit().0;
    }

    /// Every square next to one of the set in any of the eight directions, the set itself included.
    #[inline]
    #[must_use]
    pub const fn dilated(self) -> Self {
        let rows = self.0 | (self.0 << 1) & !Self::FILE_A.0 | (self.0 >> 1) & !Self::FILE_H.0;
        Self(rows | rows << 8 | rows >> 8)
    }

    /// The squares next to one of the set, those of the set that touch no other excluded.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Self {
        let sides = (self.0 << 1) & !Self::FILE_A.0 | (self.0 >> 1) & !Self::FILE_H.0;
        let rows = self.0 | sides;
        Self(sides | rows << 8 | rows >> 8)
    }
}

/// Iterates from the lowest square to the highest.
#[derive(Debug, Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, s| set | s.bit())
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl ops::$trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
        impl ops::$assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Self) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl ops::Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl ops::Sub for Bitboard {
    type Output = Self;
    /// The squares of `self` that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Square names in order, separated by spaces.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.into_iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x}: {self})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_and_collection_are_inverse() {
        for bits in [0, 1, 1 << 63, !0, 0x1234_5678_9abc_def0] {
            let set = Bitboard(bits);
            assert_eq!(set.into_iter().collect::<Bitboard>(), set);
            assert_eq!(set.into_iter().len(), set.len() as usize);
        }
    }

    #[test]
    fn neighbours_do_not_wrap_around_the_edges() {
        for square in Square::all() {
            let near = square.bit().neighbours();
            for other in Square::all() {
                let distance = square
                    .file()
                    .abs_diff(other.file())
                    .max(square.rank().abs_diff(other.rank()));
                assert_eq!(near.contains(other), distance == 1, "{square} {other}");
            }
            assert_eq!(square.bit().dilated(), near | square.bit());
        }
    }
}
