//! Slow twins for the tests of this crate.

use othello::Board;

/// Full-width negamax without any pruning.
pub(crate) fn negamax(board: Board) -> i32 {
    let legal = board.legal_moves();
    if legal.is_empty() {
        let passed = board.swapped();
        return if passed.legal_moves().is_empty() {
            board.final_score()
        } else {
            -negamax(passed)
        };
    }
    legal
        .into_iter()
        .map(|square| -negamax(board.play_unchecked(square, board.flips(square))))
        .max()
        .expect("there is a legal move")
}
