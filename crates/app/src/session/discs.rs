//! What only Othello has: squares, discs that turn, discs at the edge of the empty squares.

use game::{Move, Position};

/// A move that may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    pub action: Move,
    /// Its square, 0 to 63.
    pub square: u8,
    /// The discs that it turns.
    pub flips: Vec<u8>,
}

/// All placements of a position with what they turn.
pub fn legal_moves(position: &Position) -> Vec<LegalMove> {
    let Some(position) = position.othello() else {
        return Vec::new();
    };
    let board = position.board;
    board
        .legal_moves()
        .into_iter()
        .map(|square| LegalMove {
            action: square.into(),
            square: square.index() as u8,
            flips: squares(board.flips(square)),
        })
        .collect()
}

/// A set as numbers, for those who do not know bits.
fn squares(set: othello::Bitboard) -> Vec<u8> {
    set.into_iter().map(|square| square.index() as u8).collect()
}

/// Every disc that touches an empty square, with the number of those it touches.
pub fn frontier(position: &Position) -> Vec<(u8, u8)> {
    let Some(position) = position.othello() else {
        return Vec::new();
    };
    let board = position.board;
    board
        .occupied()
        .into_iter()
        .filter_map(|square| {
            let touched = square.bit().neighbours() & board.empties();
            (!touched.is_empty()).then(|| (square.index() as u8, touched.len() as u8))
        })
        .collect()
}

/// The discs that the move leading from one position to the next turned.
pub fn flips_of(before: &Position, action: Move) -> Vec<u8> {
    let square = action.othello().and_then(othello::Move::square);
    let (Some(position), Some(square)) = (before.othello(), square) else {
        return Vec::new();
    };
    squares(position.board.flips(square))
}

/// The square of a move; `None` for a pass.
pub fn square_of(action: Move) -> Option<u8> {
    let square = action.othello()?.square()?;
    Some(square.index() as u8)
}
