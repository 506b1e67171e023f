//! One of the 64 squares, and the geometry that players name: corners, X and C squares.

use crate::Bitboard;
use std::{fmt, str::FromStr};

/// A square of the board: `A1` is index 0, `H1` is 7, `A8` is 56, `H8` is 63.
///
/// ```
/// use othello::Square;
/// let f5: Square = "f5".parse().unwrap();
/// assert_eq!((f5.index(), f5.file(), f5.rank()), (37, 5, 4));
/// assert_eq!(f5.to_string(), "f5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not a square name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a square; expected a letter a-h and a digit 1-8, such as f5")]
pub struct ParseSquareError {
    /// What was read, shortened if long.
    pub text: String,
}

impl Square {
    pub const CORNERS: [Self; 4] = [Self(0), Self(7), Self(56), Self(63)];

    /// The square with this index, if it is below 64.
    #[inline]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square with the low six bits of `index`.
    #[inline]
    pub const fn from_low_bits(index: u32) -> Self {
        Self((index & 63) as u8)
    }

    /// The square on this file (0 = a) and rank (0 = first), if both are below 8.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 {
            Some(Self(rank * 8 + file))
        } else {
            None
        }
    }

    /// 0 for `A1` to 63 for `H8`. The mask lets the compiler drop bounds checks of 64-entry tables.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Column, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Row, 0 (first, at the top of a diagram) to 7.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds just this square.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// All squares from `A1` to `H8`.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// What players call this square.
    #[inline]
    pub const fn kind(self) -> SquareKind {
        let b = self.bit().0;
        if b & Bitboard::CORNERS.0 != 0 {
            SquareKind::Corner
        } else if b & Bitboard::X_SQUARES.0 != 0 {
            SquareKind::X
        } else if b & Bitboard::C_SQUARES.0 != 0 {
            SquareKind::C
        } else if b & Bitboard::EDGES.0 != 0 {
            SquareKind::Edge
        } else {
            SquareKind::Inner
        }
    }

    /// The corner of this square's quarter of the board: the one that an X or C square endangers.
    #[inline]
    #[must_use]
    pub const fn nearest_corner(self) -> Self {
        let file = if self.file() < 4 { 0 } else { 7 };
        let rank = if self.rank() < 4 { 0 } else { 56 };
        Self(rank + file)
    }
}

/// The names that players give to the special squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SquareKind {
    /// A1, H1, A8, H8.
    Corner,
    /// Diagonally next to a corner: B2, G2, B7, G7.
    X,
    /// Next to a corner along the edge: B1, A2, …
    C,
    /// The other squares of the rim.
    Edge,
    Inner,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file(), b'1' + self.rank()];
        f.pad(str::from_utf8(&name).unwrap_or("??"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let [file, rank] = *text.as_bytes() {
            let file = file.to_ascii_lowercase().wrapping_sub(b'a');
            let rank = rank.wrapping_sub(b'1');
            if let Some(square) = Self::at(file, rank) {
                return Ok(square);
            }
        }
        Err(ParseSquareError {
            text: crate::notation::excerpt(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_in_either_case() {
        for square in Square::all() {
            let name = square.to_string();
            assert_eq!(name.parse(), Ok(square));
            assert_eq!(name.to_uppercase().parse(), Ok(square));
        }
        for bad in ["", "f", "i1", "a0", "a9", "f55", "5f", "é"] {
            assert!(bad.parse::<Square>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn kinds_count_as_on_a_board() {
        let count = |kind| Square::all().filter(|s| s.kind() == kind).count();
        assert_eq!(count(SquareKind::Corner), 4);
        assert_eq!(count(SquareKind::X), 4);
        assert_eq!(count(SquareKind::C), 8);
        assert_eq!(count(SquareKind::Edge), 16);
        assert_eq!(count(SquareKind::Inner), 32);
        let b7: Square = "b7".parse().unwrap();
        assert_eq!(b7.nearest_corner().to_string(), "a8");
    }
}
