//! The slow, obviously right generator: it walks squares one step at a time.
//!
//! It exists to prove the production kernels and shares no code with them: no shifts of whole
//! boards, no masks, only files and ranks.

use crate::{Bitboard, Board, Square};

const STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// Discs that turn when the mover plays on `square`; none if the square is taken or not legal.
pub fn flips(board: Board, square: Square) -> Bitboard {
    let mut flipped = Bitboard::EMPTY;
    if board.mover().contains(square) || board.opponent().contains(square) {
        return flipped;
    }
    for (file_step, rank_step) in STEPS {
        let mut run = Vec::new();
        let mut at = step(square, file_step, rank_step);
        while let Some(s) = at.filter(|&s| board.opponent().contains(s)) {
            run.push(s);
            at = step(s, file_step, rank_step);
        }
        if at.is_some_and(|s| board.mover().contains(s)) {
            for s in run {
                flipped.insert(s);
            }
        }
    }
    flipped
}

/// All squares where the mover may play.
pub fn legal_moves(board: Board) -> Bitboard {
    Square::all()
        .filter(|&square| !flips(board, square).is_empty())
        .collect()
}

fn step(square: Square, file_step: i8, rank_step: i8) -> Option<Square> {
    let file = square.file().checked_add_signed(file_step)?;
    let rank = square.rank().checked_add_signed(rank_step)?;
    Square::at(file, rank)
}
