//! The move list of a node and the order in which moves are tried.

use super::Worker;
use crate::{
    endgame::last::{ODD_SQUARES, parity_of},
    eval::Evaluator,
    search::tree::{BEST, WORST},
    table::{Entry, hash_of},
};
use arrayvec::ArrayVec;
use othello::{Bitboard, Board, Square};

/// No reachable position has more legal moves.
const MAX_MOVES: usize = 34;

/// A move with what ordering it had to compute anyway.
#[derive(Clone)]
pub(crate) struct Candidate<S> {
    pub(crate) square: Square,
    pub(crate) board: Board,
    pub(crate) state: S,
    pub(crate) hash: u64,
    pub(crate) key: i32,
}

pub(super) type Candidates<S> = ArrayVec<Candidate<S>, MAX_MOVES>;

/// Table moves come before all others.
const TABLE_MOVE: i32 = 1 << 30;
/// A move that takes the last opponent disc ends the game won.
const WIPE_OUT: i32 = 1 << 29;

/// How much goes into ordering, and what counts how much against the evaluation (centidiscs).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ordering {
    /// Plies of the search that values a move.
    depth: u32,
    /// Taken off for each reply, corners twice: few replies mean a small tree.
    mobility: i32,
    /// Added for a move into a quadrant with an odd number of empties.
    parity: i32,
}

impl Ordering {
    /// More effort where more hangs on it.
    #[inline]
    pub(super) fn of(depth: u32, to_the_end: bool, is_pv: bool) -> Self {
        if to_the_end {
            let plies = match depth {
                0..=15 => 0,
                16..=18 => 1,
                19..=22 => 2,
                23..=26 => 3,
                _ => 4,
            };
            Self {
                depth: plies + u32::from(is_pv),
                mobility: 120,
                parity: 60,
            }
        } else {
            let plies = match depth {
                0..=6 => 0,
                7..=9 => 1,
                10..=14 => 2,
                _ => 3,
            };
            Self {
                depth: plies + u32::from(is_pv && depth > 5),
                mobility: 10,
                parity: 0,
            }
        }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// All moves, unsorted, with the keys that order them.
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

    /// Higher is tried earlier.
    #[inline]
    fn key(&mut self, next: Board, state: &E::State, odd: bool, ordering: Ordering) -> i32 {
        let replies = next.legal_moves();
        let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
        let value = -self.value(next, state, ordering.depth, WORST, BEST);
        value - ordering.mobility * mobility + if odd { ordering.parity } else { 0 }
    }
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
