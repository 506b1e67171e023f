//! The move list of a node and the order in which moves are tried.

use super::Worker;
use crate::{
    endgame::last::{ODD_SQUARES, parity_of, quadrant},
    eval::Evaluator,
    table::{Entry, hash_of},
};
use arrayvec::ArrayVec;
use othello::{Bitboard, Board, Square};

/// No reachable position has more legal moves.
pub(super) const MAX_MOVES: usize = 34;

/// A move with what ordering it had to compute anyway.
pub(super) struct Candidate<S> {
    pub(super) square: Square,
    pub(super) board: Board,
    pub(super) state: S,
    pub(super) hash: u64,
    pub(super) key: i32,
}

pub(super) type Candidates<S> = ArrayVec<Candidate<S>, MAX_MOVES>;

/// Table moves come before all others.
const TABLE_MOVE: i32 = 1 << 30;
/// A move that takes the last opponent disc ends the game won.
const WIPE_OUT: i32 = 1 << 29;

impl<E: Evaluator> Worker<'_, E> {
    /// All moves, unsorted, with keys from the table, mobility, geometry and an evaluation by a
    /// search of `order_depth` plies.
    pub(super) fn candidates(
        &mut self,
        board: Board,
        state: &E::State,
        legal: Bitboard,
        known: Option<&Entry>,
        ordering: Ordering,
    ) -> Candidates<E::State> {
        let table_moves = known.map_or([None; 2], |entry| entry.moves);
        let parity = parity_of(board.empties());
        let odd = Bitboard(ODD_SQUARES[(parity & 15) as usize]);
        let mut candidates = Candidates::new();
        for square in legal {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            let next_state = self.shared.evaluator.play(state, square, flips);
            let key = if table_moves[0] == Some(square) {
                TABLE_MOVE
            } else if table_moves[1] == Some(square) {
                TABLE_MOVE - 1
            } else if next.mover().is_empty() {
                WIPE_OUT
            } else {
                let _ = quadrant;
                self.key(next, &next_state, odd.contains(square), ordering)
            };
            candidates.push(Candidate {
                square,
                board: next,
                state: next_state,
                hash: hash_of(next),
                key,
            });
        }
        candidates
    }

    /// Higher is tried earlier. In centidiscs of the evaluation; the other terms are weighed
    /// against it.
    #[inline]
    fn key(&mut self, next: Board, state: &E::State, odd: bool, ordering: Ordering) -> i32 {
        let replies = next.legal_moves();
        let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
        let value = match ordering.depth {
            0 => -self.shared.evaluator.evaluate(state, next),
            depth => {
                let bound = 6400;
                -self.midgame(next, state, depth, -bound, bound)
            }
        };
        value - ordering.mobility * mobility + if odd { ordering.parity } else { 0 }
    }
}

/// How much goes into ordering, and what counts how much (centidiscs).
#[derive(Clone, Copy)]
pub(super) struct Ordering {
    pub(super) depth: u32,
    pub(super) mobility: i32,
    pub(super) parity: i32,
}

/// Takes the best remaining candidate.
#[inline]
pub(super) fn take_best<S>(candidates: &mut Candidates<S>) -> Option<Candidate<S>> {
    let (at, _) = candidates
        .iter()
        .enumerate()
        .max_by_key(|(_, candidate)| candidate.key)?;
    Some(candidates.swap_remove(at))
}
