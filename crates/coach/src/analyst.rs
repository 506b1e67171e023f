//! Whom the coach asks what a position is worth.

use game::{Report, Score};
use othello::{Area, Position, Square};

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

    /// The moves of the opening book at a position; none where it ends, or without a book.
    fn book_moves(&mut self, _position: Position) -> Vec<Square> {
        Vec::new()
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
