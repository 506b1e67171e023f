//! Whom the coach asks what a position is worth.

use game::{Report, Score};
use othello::{Bitboard, Position, Square};
use std::fmt;

/// What is asked about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// How many of the best moves should get a line of their own.
    pub lines: usize,
    /// How many discs were placed between the position that is being explained and this one. An
    /// analyst looks so many plies less deep, so that values of both can be compared.
    pub plies_played: u32,
    /// Look no deeper than this, so that two moves are compared at the same depth; a position that
    /// can be solved quickly is solved all the same. `None` leaves it to the analyst.
    pub depth_max: Option<u32>,
}

impl Question {
    /// About the position that is being explained itself.
    pub const fn about_root(lines: usize) -> Self {
        Self {
            lines,
            plies_played: 0,
            depth_max: None,
        }
    }
}

/// Somebody who can value positions: our engine, another program, a database of earlier answers.
pub trait Analyst {
    /// Why there is no answer.
    type Error: std::error::Error;

    /// Values a position where the game is not over; a pass that is due is the first move of its
    /// line.
    fn analyse(&mut self, position: Position, question: Question) -> Result<Report, Self::Error>;

    /// Which parts of the board the evaluation gets its value of a position from; `None` if the
    /// evaluation cannot be taken apart.
    fn attribute(&mut self, position: Position) -> Option<Attribution>;
}

/// A part of the board, or of the evaluation, that a value can come from.
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

/// A static value of a position taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// What each area adds to the value for the side to move.
    pub parts: Vec<(Area, Score)>,
}

impl Attribution {
    /// The value: the sum of all parts.
    pub fn total(&self) -> Score {
        self.parts.iter().map(|&(_, part)| part).sum()
    }

    /// What one area adds; nothing if it is not mentioned.
    pub fn part(&self, area: Area) -> Score {
        let of_area = self.parts.iter().filter(|(known, _)| *known == area);
        of_area.map(|&(_, part)| part).sum()
    }
}
