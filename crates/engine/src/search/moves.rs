//! The move list of a node and the order in which moves are tried.

use super::{Worker, lazy::Busy, tree::Node};
use crate::{
    endgame::{
        last::{ODD_SQUARES, parity_of},
        shallow::corner_discs,
    },
    eval::Evaluator,
    search::tree::WORST,
    table::hash_of,
};
use arrayvec::ArrayVec;
use othello::{Bitboard, Board, Square};

/// No reachable position has more legal moves.
const MAX_MOVES: usize = 34;

/// A move, its board and its place in the order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    pub(crate) flips: Bitboard,
    pub(crate) board: Board,
    pub(crate) key: i32,
}

pub(super) type Candidates = ArrayVec<Candidate, MAX_MOVES>;

/// A move that takes the last opponent disc ends the game won.
const WIPE_OUT: i32 = 1 << 29;

/// All moves of a board, not yet ordered.
#[inline]
pub(super) fn candidates(board: Board, legal: Bitboard) -> Candidates {
    legal
        .into_iter()
        .map(|square| {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            Candidate {
                square,
                flips,
                board: next,
                key: 0,
            }
        })
        .collect()
}

/// How much goes into ordering, and what counts how much against the evaluation (centidiscs).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ordering {
    /// Plies of the search that values a move.
    depth: u32,
    /// Taken off for each reply, corners twice: few replies mean a small tree.
    mobility: i32,
    /// Added for a move into a quadrant with an odd number of empties.
    parity: i32,
    /// Added for each of the mover's discs on a corner or beside his own.
    corner: i32,
}

impl Ordering {
    /// By the evaluation alone.
    pub(super) const STATIC: Self = Self {
        depth: 0,
        mobility: 0,
        parity: 0,
        corner: 0,
    };

    /// More effort where more hangs on it. To the end the size of the tree matters more than the
    /// value: mobility 500 against 200 saved 14 % of the nodes, corners 2 %, and one ply less 3 %
    /// (FFO 40–44, and 50 tournament positions with 20 empties).
    #[inline]
    pub(super) fn of(depth: u32, to_the_end: bool, is_pv: bool) -> Self {
        if to_the_end {
            let plies = match depth {
                0..=18 => 0,
                19..=22 => 1,
                23..=26 => 2,
                _ => 3,
            };
            Self {
                depth: plies + u32::from(is_pv),
                mobility: 500,
                parity: 100,
                corner: 300,
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
                corner: 0,
            }
        }
    }
}

/// The moves of a node in the order in which they are searched.
pub(super) struct Queue {
    candidates: Candidates,
    /// The table's two moves come first, then the others are ordered.
    stage: usize,
    /// Moves that another thread is searching, for later.
    deferred: Candidates,
    may_defer: bool,
}

impl Queue {
    const UNORDERED: usize = 2;

    /// All moves of a node; whether those are put off that another thread is searching.
    #[inline(always)]
    pub(super) fn new(candidates: Candidates, may_defer: bool) -> Self {
        Self {
            candidates,
            stage: 0,
            deferred: Candidates::new(),
            may_defer,
        }
    }

    /// Whether the moves that are left have been given their places.
    #[inline(always)]
    pub(super) const fn is_ordered(&self) -> bool {
        self.stage > Self::UNORDERED
    }

    /// How many moves are left.
    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.candidates.len() + self.deferred.len()
    }

    /// The moves that are left.
    pub(super) fn into_rest(mut self) -> Candidates {
        self.candidates.extend(self.deferred);
        self.candidates
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// The next move to search, with a sign that lets other threads know; nothing if there is none
    /// left or the search was aborted.
    #[inline(always)]
    pub(super) fn next_move(
        &mut self,
        queue: &mut Queue,
        node: &Node,
        state: &E::State,
        is_first: bool,
    ) -> Option<(Candidate, Option<Busy<'a>>)> {
        let shared = self.shared;
        loop {
            let child = if let Some(&square) = node.table_moves.get(queue.stage) {
                queue.stage += 1;
                let Some(child) = take(&mut queue.candidates, square) else {
                    continue;
                };
                child
            } else {
                if queue.stage == Queue::UNORDERED {
                    queue.stage += 1;
                    if queue.candidates.len() > 1 {
                        let ordering = Ordering::of(node.depth, node.to_the_end, node.is_pv);
                        self.order(
                            node.board,
                            state,
                            &mut queue.candidates,
                            ordering,
                            node.alpha,
                        );
                        if self.aborted {
                            return None;
                        }
                    }
                }
                let Some(child) = take_best(&mut queue.candidates) else {
                    if queue.deferred.is_empty() {
                        return None;
                    }
                    queue.candidates = std::mem::take(&mut queue.deferred);
                    queue.may_defer = false;
                    continue;
                };
                child
            };
            if !queue.may_defer {
                return Some((child, None));
            }
            let busy = shared.lazy.begin(hash_of(child.board), node.depth);
            if is_first || busy.is_some() {
                return Some((child, busy));
            }
            queue.deferred.push(child);
        }
    }

    /// Gives every candidate its key. Values more than a margin below `alpha` need not be told
    /// apart, which keeps their searches short.
    pub(super) fn order(
        &mut self,
        board: Board,
        state: &E::State,
        candidates: &mut Candidates,
        ordering: Ordering,
        alpha: i32,
    ) {
        let parity = parity_of(board.empties());
        let odd = Bitboard(ODD_SQUARES[(parity & 15) as usize]);
        let floor = (alpha - ORDER_MARGIN).max(WORST);
        for candidate in candidates {
            if self.aborted {
                return;
            }
            let next = candidate.board;
            candidate.key = if next.mover().is_empty() {
                WIPE_OUT
            } else {
                let replies = next.legal_moves();
                let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
                let value = if ordering.depth == 0 && !next.empties().is_empty() {
                    self.rough_value(state, candidate.square, candidate.flips, next)
                } else {
                    let evaluator = self.shared.evaluator;
                    let state = evaluator.play(state, candidate.square, candidate.flips);
                    -self.value(next, &state, ordering.depth, WORST, -floor)
                };
                let parity = if odd.contains(candidate.square) {
                    ordering.parity
                } else {
                    0
                };
                let corner = ordering.corner * corner_discs(next.opponent()).len() as i32;
                value - ordering.mobility * mobility + parity + corner
            };
        }
    }
}

/// How far below alpha the order still matters, in centidiscs.
const ORDER_MARGIN: i32 = 800;

/// Takes a given move out of the list.
#[inline]
pub(super) fn take(candidates: &mut Candidates, square: Option<Square>) -> Option<Candidate> {
    let at = candidates
        .iter()
        .position(|candidate| Some(candidate.square) == square)?;
    Some(candidates.swap_remove(at))
}

/// Takes the best remaining candidate.
#[inline]
pub(super) fn take_best(candidates: &mut Candidates) -> Option<Candidate> {
    let (at, _) = candidates
        .iter()
        .enumerate()
        .max_by_key(|(_, candidate)| candidate.key)?;
    Some(candidates.swap_remove(at))
}
