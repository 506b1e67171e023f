//! What stands on a board of chess and what a move does there, for those who draw it.

use super::{ChessMove, ChessPosition, side_of};
use othello::Side;
use shakmaty::{CastlingSide, Position as _, Square};

/// A kind of man.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// The letter of the notation, small.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    const fn of(role: shakmaty::Role) -> Self {
        match role {
            shakmaty::Role::Pawn => Self::Pawn,
            shakmaty::Role::Knight => Self::Knight,
            shakmaty::Role::Bishop => Self::Bishop,
            shakmaty::Role::Rook => Self::Rook,
            shakmaty::Role::Queen => Self::Queen,
            shakmaty::Role::King => Self::King,
        }
    }
}

/// A man on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Man {
    /// 0 is a1, 7 is h1, 63 is h8.
    pub square: u8,
    pub role: Role,
    pub side: Side,
}

impl ChessPosition {
    /// All men, along the squares.
    pub fn men(&self) -> Vec<Man> {
        let board = self.0.board();
        let man = |(square, piece): (Square, shakmaty::Piece)| Man {
            square: square as u8,
            role: Role::of(piece.role),
            side: side_of(piece.color),
        };
        board.iter().map(man).collect()
    }

    /// The square of the king that is in check, if one is.
    pub fn check(&self) -> Option<u8> {
        let king = self.0.board().king_of(self.0.turn())?;
        self.0.is_check().then_some(king as u8)
    }
}

impl ChessMove {
    /// Where the man stands that is moved.
    pub fn from(self) -> u8 {
        self.squares().0 as u8
    }

    /// Where it ends: of castling, where the king does.
    pub fn to(self) -> u8 {
        let (from, to) = self.squares();
        if self.0 & Self::CASTLES == 0 {
            return to as u8;
        }
        let side = CastlingSide::from_queen_side(to < from);
        let color = if from.rank() == shakmaty::Rank::First {
            shakmaty::Color::White
        } else {
            shakmaty::Color::Black
        };
        side.king_to(color) as u8
    }

    /// The rook's square, if it castles: a second way to point at the move.
    pub fn castling_rook(self) -> Option<u8> {
        (self.0 & Self::CASTLES != 0).then(|| self.squares().1 as u8)
    }

    /// What a pawn becomes by it.
    pub fn promotion(self) -> Option<Role> {
        self.becomes().map(Role::of)
    }
}
