//! Parts of the board that have a name.

use crate::{Bitboard, Square};
use std::fmt;

/// A part of the board, or of a position as a whole, that the value of a position can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Around one of the corners.
    Corner(Square),
    TopEdge,
    BottomEdge,
    LeftEdge,
    RightEdge,
    Diagonals,
    /// The rows and columns inside of the edges.
    Centre,
    /// How many moves each side has.
    Mobility,
    /// What belongs to the stage of the game and to no place.
    Stage,
}

impl Area {
    pub const ALL: [Self; 12] = [
        Self::Corner(Square::CORNERS[0]),
        Self::Corner(Square::CORNERS[1]),
        Self::Corner(Square::CORNERS[2]),
        Self::Corner(Square::CORNERS[3]),
        Self::TopEdge,
        Self::BottomEdge,
        Self::LeftEdge,
        Self::RightEdge,
        Self::Diagonals,
        Self::Centre,
        Self::Mobility,
        Self::Stage,
    ];

    /// The squares to highlight; none for what has no place.
    pub fn squares(self) -> Bitboard {
        let all = |wanted: &dyn Fn(Square) -> bool| Square::all().filter(|&s| wanted(s)).collect();
        match self {
            Self::Corner(corner) => {
                let near = |a: u8, b: u8| a.abs_diff(b) <= 2;
                all(&|s| near(s.file(), corner.file()) && near(s.rank(), corner.rank()))
            }
            Self::TopEdge => all(&|s| s.rank() == 0),
            Self::BottomEdge => all(&|s| s.rank() == 7),
            Self::LeftEdge => all(&|s| s.file() == 0),
            Self::RightEdge => all(&|s| s.file() == 7),
            Self::Diagonals => all(&|s| s.file() == s.rank() || s.file() + s.rank() == 7),
            Self::Centre => Bitboard::ALL - Bitboard::EDGES,
            Self::Mobility | Self::Stage => Bitboard::EMPTY,
        }
    }
}

/// As in a sentence: `the a1 corner`.
impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Corner(corner) => return write!(f, "the {corner} corner"),
            Self::TopEdge => "the top edge",
            Self::BottomEdge => "the bottom edge",
            Self::LeftEdge => "the left edge",
            Self::RightEdge => "the right edge",
            Self::Diagonals => "the diagonals",
            Self::Centre => "the centre",
            Self::Mobility => "mobility",
            Self::Stage => "the stage of the game",
        };
        f.write_str(text)
    }
}
