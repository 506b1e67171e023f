//! Positions and moves of any game that the workbench knows.

use crate::{
    Ending,
    chess::{ChessMove, ChessPosition, IllegalChessMoveError, ParseChessMoveError, ParseFenError},
};
use othello::Side;
use std::fmt;

/// The games that a [`Position`] can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Othello,
    Chess,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Othello, Self::Chess];

    /// The name in files, databases and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Othello => "othello",
            Self::Chess => "chess",
        }
    }

    /// The usual start position.
    pub const fn start(self) -> Position {
        match self {
            Self::Othello => Position::OTHELLO_START,
            Self::Chess => Position::CHESS_START,
        }
    }

    /// Who moves first in the usual start position.
    pub const fn first_side(self) -> Side {
        match self {
            Self::Othello => Side::Black,
            Self::Chess => Side::White,
        }
    }

    /// Reads a position in the notation of this game: a board string, or a FEN.
    pub fn parse_position(self, text: &str) -> Result<Position, ParsePositionError> {
        match self {
            Self::Othello => Ok(Position::Othello(text.parse()?)),
            Self::Chess => Ok(Position::Chess(text.parse()?)),
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
    /// Pieces, the side to move, and what may still be done with kings and pawns.
    Chess(ChessPosition),
}

/// A move of one of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc placed, or a pass.
    Othello(othello::Move),
    /// From a square to another.
    Chess(ChessMove),
}

/// The text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not an Othello board string.
    #[error(transparent)]
    Othello(#[from] othello::notation::ParsePositionError),
    /// A chess position that is no FEN.
    #[error(transparent)]
    Chess(#[from] ParseFenError),
}

/// The text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// Not an Othello move.
    #[error(transparent)]
    Othello(#[from] othello::notation::ParseMoveError),
    /// Not a move of chess.
    #[error(transparent)]
    Chess(#[from] ParseChessMoveError),
}

/// A move that the rules forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMoveError {
    /// By the rules of Othello.
    #[error(transparent)]
    Othello(#[from] othello::IllegalMoveError),
    /// By the rules of chess.
    #[error(transparent)]
    Chess(#[from] IllegalChessMoveError),
    /// A move of another game.
    #[error("it is a move of {0}")]
    Foreign(Kind),
}

impl Position {
    /// The start position of Othello.
    pub const OTHELLO_START: Self = Self::Othello(othello::Position::START);

    /// The start position of chess.
    pub const CHESS_START: Self = Self::Chess(ChessPosition::START);

    /// Which game this is a position of.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Othello(_) => Kind::Othello,
            Self::Chess(_) => Kind::Chess,
        }
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        match self {
            Self::Othello(position) => position.side,
            Self::Chess(position) => position.side(),
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
            (Self::Chess(position), Move::Chess(action)) => Ok(Self::Chess(position.play(action)?)),
            (_, action) => Err(IllegalMoveError::Foreign(action.kind())),
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
            Self::Chess(_) => None,
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
            Self::Chess(position) => {
                let moves = position.legal_moves();
                moves.into_iter().map(Move::Chess).collect()
            }
        }
    }

    /// Whether the rules end the game here, as far as the position alone can tell. A record knows
    /// what was before: see [`Record::is_over_at`](crate::Record::is_over_at).
    pub fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// Which rule ends the game here, as far as the position alone can tell.
    pub(crate) fn ending(&self) -> Option<Ending> {
        match self {
            Self::Othello(position) => {
                let is_over = position.board.is_game_over();
                is_over.then_some(Ending::NoMoves)
            }
            Self::Chess(position) => position.ending(),
        }
    }

    /// A move as engines of this game write it: as it is printed, but in Chess960 castling is the
    /// king's way to its rook.
    pub fn uci(&self, action: Move) -> String {
        match (self, action) {
            (Self::Chess(position), Move::Chess(action)) => position.uci(action),
            _ => action.to_string(),
        }
    }

    /// The position of chess, if it is one: for work that only chess has.
    pub const fn chess(&self) -> Option<&ChessPosition> {
        match self {
            Self::Othello(_) => None,
            Self::Chess(position) => Some(position),
        }
    }

    /// The key of databases and books.
    pub fn hash(&self) -> u64 {
        match self {
            Self::Othello(position) => position.hash(),
            Self::Chess(position) => position.hash(),
        }
    }

    /// Reads a move in the notation of this position's game. One of Othello need not be legal; one
    /// of chess has a meaning only where it is.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        match self {
            Self::Othello(_) => Ok(Move::Othello(text.parse()?)),
            Self::Chess(position) => Ok(Move::Chess(position.parse_move(text)?)),
        }
    }

    /// A move as players of this game write it: `f5`, or `Nf3`.
    pub fn san(&self, action: Move) -> String {
        match (self, action) {
            (Self::Chess(position), Move::Chess(action)) => position.san(action),
            _ => None,
        }
        .unwrap_or_else(|| action.to_string())
    }

    /// The Othello position, if it is one: for work that only Othello has.
    pub const fn othello(&self) -> Option<othello::Position> {
        match self {
            Self::Othello(position) => Some(*position),
            Self::Chess(_) => None,
        }
    }
}

impl Move {
    /// Which game this is a move of.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Othello(_) => Kind::Othello,
            Self::Chess(_) => Kind::Chess,
        }
    }

    /// The move of chess, if it is one.
    pub const fn chess(self) -> Option<ChessMove> {
        match self {
            Self::Othello(_) => None,
            Self::Chess(action) => Some(action),
        }
    }

    /// The Othello move, if it is one.
    pub const fn othello(self) -> Option<othello::Move> {
        match self {
            Self::Othello(action) => Some(action),
            Self::Chess(_) => None,
        }
    }
}

/// The notation of the game: a board string for Othello, a FEN for chess.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Othello(position) => position.fmt(f),
            Self::Chess(position) => position.fmt(f),
        }
    }
}

/// In coordinates, the same text whatever the position: `f5`, `ps` for a pass, `g1f3`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Othello(action) => action.fmt(f),
            Self::Chess(action) => action.fmt(f),
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
    fn chess_follows_its_rules() {
        let start = Kind::Chess.start();
        assert_eq!(start.legal_moves().len(), 20);
        let line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"];
        let mut position = start.clone();
        let mut written = Vec::new();
        for text in line {
            let action = position.parse_move(text).unwrap();
            written.push((position.san(action), action.to_string()));
            position = position.play(action).unwrap();
        }
        assert_eq!(written[6], ("O-O".to_owned(), "e1g1".to_owned()));
        assert_eq!(written[2], ("Nf3".to_owned(), "g1f3".to_owned()));
        assert_eq!(position.side(), Side::Black);
        let text = position.to_string();
        assert_eq!(Kind::Chess.parse_position(&text), Ok(position.clone()));
        // Polyglot's published key of the start position.
        assert_eq!(start.hash(), 0x463b_9618_1691_fc9c);
        let told = position.parse_move("Ke5").unwrap_err().to_string();
        assert!(
            told.starts_with("\"Ke5\" is not a chess move here"),
            "{told}"
        );
        let foreign = start.play(Move::Othello(othello::Move::Pass));
        assert_eq!(foreign.unwrap_err().to_string(), "it is a move of othello");
        assert!(Kind::Chess.parse_position("8/8/8").is_err());
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
