//! What only Othello has: squares, discs that turn, discs at the edge of the empty squares.

use super::LegalMove;
use game::{Move, Position};

/// All placements of a position with what they turn.
pub(super) fn placements(position: othello::Position) -> Vec<LegalMove> {
    let board = position.board;
    board
        .legal_moves()
        .into_iter()
        .map(|square| LegalMove {
            action: square.into(),
            text: square.to_string(),
            square: square.index() as u8,
            flips: squares(board.flips(square)),
            chess: None,
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
