//! What the order of moves near the end is learned from: what it looks at, and a solver that tells
//! what a move would have cost.

use crate::endgame::{
    hope::Hope,
    last::{parity_of, quadrant},
    order,
    shallow::Shallow,
};
use crate::search::tree::SHALLOW_UP_TO;
use othello::{Board, Square};

/// The numbers of a file of weights, a signed byte each.
pub const N_WEIGHTS: usize = order::N_WEIGHTS;

/// What a reply counts in the units of the file.
pub const REPLY: i32 = order::REPLY;

/// What an odd quadrant takes off.
pub const ODD: i32 = order::ODD;

/// The place in the file of the mirror image, which has the same weight: an edge read backwards, a
/// corner with ranks for files.
pub fn mirrored(place: u16) -> u16 {
    order::mirrored(place)
}

/// All that the order of moves knows about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The opponent's legal moves afterwards.
    pub replies: u8,
    /// Whether the square is in a quadrant with an odd number of empty ones.
    pub is_odd: bool,
    /// The places in the file of the edges and corners afterwards; of mirror images the lesser.
    pub border: [u16; 8],
}

impl Look {
    /// Looks at a legal move that leads to the board `next`.
    pub fn at(board: Board, square: Square, next: Board) -> Self {
        Self {
            replies: next.legal_moves().len() as u8,
            is_odd: parity_of(board.empties()) & quadrant(square) != 0,
            border: order::places(next).map(|place| place.min(mirrored(place))),
        }
    }
}

/// What a [`Prover`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Whether the score is greater than what was asked about.
    pub is_above: bool,
    /// Positions that it took to know.
    pub nodes: u64,
}

/// The solver without evaluation and shared table, which forgets all after every question: a node
/// count depends on the question alone.
#[derive(Debug)]
pub struct Prover(Shallow);

impl Prover {
    /// With more empty squares the solver leaves moves out.
    pub const EMPTIES_MAX: u32 = SHALLOW_UP_TO;

    #[expect(
        clippy::new_without_default,
        reason = "it has a megabyte of cache, which nobody should make by the way"
    )]
    pub fn new() -> Self {
        Self(Shallow::new())
    }

    /// Whether the score of a board with at most [`Prover::EMPTIES_MAX`] empty squares is greater
    /// than `alpha`, in discs for the side to move.
    pub fn ask(&mut self, board: Board, alpha: i32) -> Answer {
        debug_assert!(board.empties().len() <= Self::EMPTIES_MAX);
        let Self(shallow) = self;
        shallow.forget();
        let before = shallow.nodes;
        // It is the board after a move that may refute, as after the first move that is tried.
        let is_above = shallow.solve(board, alpha, alpha + 1, Hope::Refuted) > alpha;
        Answer {
            is_above,
            nodes: shallow.nodes - before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::negamax;
    use othello::sample::random_boards;

    #[test]
    fn answers_are_right_and_do_not_depend_on_earlier_questions() {
        let boards = random_boards(8).filter(|board| board.empties().len() <= 8);
        let boards: Vec<Board> = boards.take(200).collect();
        let mut prover = Prover::new();
        for &board in &boards {
            let value = negamax(board);
            for alpha in [value - 1, value] {
                let answer = prover.ask(board, alpha);
                assert_eq!(answer.is_above, value > alpha, "{board:?}");
                assert_eq!(answer, Prover::new().ask(board, alpha), "{board:?}");
            }
        }
    }
}
