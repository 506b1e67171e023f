//! Positions and moves of any game that the workbench knows.

use othello::Side;
use std::fmt;

/// The games that a [`Position`] can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Othello,
}

impl Kind {
    /// The name in files, databases and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Othello => "othello",
        }
    }

    /// The usual start position.
    pub const fn start(self) -> Position {
        match self {
            Self::Othello => Position::OTHELLO_START,
        }
    }

    /// Reads a position in the notation of this game: for Othello a board string.
    pub fn parse_position(self, text: &str) -> Result<Position, ParsePositionError> {
        match self {
            Self::Othello => Ok(Position::Othello(text.parse()?)),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A position of one of the games. Taken by reference: other games' positions are larger.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Position {
    /// Discs and the side to move.
    Othello(othello::Position),
}

/// A move of one of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc placed, or a pass.
    Othello(othello::Move),
}

/// The text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not an Othello board string.
    #[error(transparent)]
    Othello(#[from] othello::notation::ParsePositionError),
}

/// The text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// Not an Othello move.
    #[error(transparent)]
    Othello(#[from] othello::notation::ParseMoveError),
}

/// A move that the rules forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMoveError {
    /// By the rules of Othello.
    #[error(transparent)]
    Othello(#[from] othello::IllegalMoveError),
}

impl Position {
    /// The start position of Othello.
    pub const OTHELLO_START: Self = Self::Othello(othello::Position::START);

    /// Which game this is a position of.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Othello(_) => Kind::Othello,
        }
    }

    /// Whose turn it is.
    pub const fn side(&self) -> Side {
        match self {
            Self::Othello(position) => position.side,
        }
    }

    /// The position after a move, checked.
    pub fn play(&self, action: Move) -> Result<Self, IllegalMoveError> {
        match (&self, action) {
            (Self::Othello(position), Move::Othello(othello::Move::Place(square))) => {
                Ok(Self::Othello(position.play(square)?))
            }
            (Self::Othello(position), Move::Othello(othello::Move::Pass)) => {
                Ok(Self::Othello(position.pass()?))
            }
        }
    }

    /// The only thing that may be done here where no player has anything to choose: a pass that is
    /// due.
    pub fn forced(&self) -> Option<Move> {
        match self {
            Self::Othello(position) => position
                .board
                .must_pass()
                .then_some(Move::Othello(othello::Move::Pass)),
        }
    }

    /// All legal moves, a pass that is due among them; none once the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if let Some(forced) = self.forced() {
            return vec![forced];
        }
        match self {
            Self::Othello(position) => position
                .board
                .legal_moves()
                .into_iter()
                .map(Move::from)
                .collect(),
        }
    }

    /// Whether the rules end the game here, as far as the position alone can tell. A record knows
    /// what was before: see [`Record::is_over_at`](crate::Record::is_over_at).
    pub fn is_over(&self) -> bool {
        match self {
            Self::Othello(position) => position.board.is_game_over(),
        }
    }

    /// The key of databases and books.
    pub fn hash(&self) -> u64 {
        match self {
            Self::Othello(position) => position.hash(),
        }
    }

    /// Reads a move in the notation of this position's game. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        match self {
            Self::Othello(_) => Ok(Move::Othello(text.parse()?)),
        }
    }

    /// The Othello position, if it is one: for work that only Othello has.
    pub const fn othello(&self) -> Option<othello::Position> {
        match self {
            Self::Othello(position) => Some(*position),
        }
    }
}

impl Move {
    /// Which game this is a move of.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Othello(_) => Kind::Othello,
        }
    }

    /// The Othello move, if it is one.
    pub const fn othello(self) -> Option<othello::Move> {
        match self {
            Self::Othello(action) => Some(action),
        }
    }
}

/// The notation of the game: a board string for Othello.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Othello(position) => position.fmt(f),
        }
    }
}

/// In coordinates, the same text whatever the position: `f5`, or `ps` for a pass.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Othello(action) => action.fmt(f),
        }
    }
}

impl From<othello::Position> for Position {
    fn from(position: othello::Position) -> Self {
        Self::Othello(position)
    }
}

impl From<othello::Move> for Move {
    fn from(action: othello::Move) -> Self {
        Self::Othello(action)
    }
}

impl From<othello::Square> for Move {
    fn from(square: othello::Square) -> Self {
        Self::Othello(square.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playing_follows_the_rules_of_the_game() {
        let start = Kind::Othello.start();
        let f5 = start.parse_move("F5").unwrap();
        assert!(start.legal_moves().contains(&f5));
        let next = start.play(f5).unwrap();
        assert_eq!(next.side(), Side::White);
        assert_eq!(next.hash(), next.othello().unwrap().hash());
        let error = next.play(f5).unwrap_err();
        assert_eq!(error.to_string(), "f5 is occupied");
        let text = next.to_string();
        assert_eq!(Kind::Othello.parse_position(&text), Ok(next));
    }

    #[test]
    fn a_due_pass_is_the_only_legal_move() {
        let board = othello::sample::random_boards(1)
            .find(|board| board.must_pass())
            .unwrap();
        let side = Side::Black;
        let position = Position::Othello(othello::Position { board, side });
        let pass = Move::Othello(othello::Move::Pass);
        assert_eq!(position.forced(), Some(pass));
        assert_eq!(position.legal_moves(), [pass]);
        let passed = position.play(pass).unwrap();
        assert_eq!(passed.side(), Side::White);
        assert!(!passed.legal_moves().contains(&pass));
        assert_eq!(passed.forced(), None);
    }
}
