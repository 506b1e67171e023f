//! The move list of a node and the order in which moves are tried.

use super::{
    Worker,
    lazy::Busy,
    tree::{Node, Reductions},
};
use crate::{
    endgame::{
        hope::Hope,
        last::{ODD_SQUARES, parity_of},
    },
    eval::Evaluator,
    search::tree::{BEST, WORST},
    table::hash_of,
};
use arrayvec::ArrayVec;
use othello::{Bitboard, Board, Square};

/// No reachable position has more legal moves.
pub(super) const MAX_MOVES: usize = 34;

/// A move, its board and its place in the order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    /// How many plies less deep it is asked at first.
    pub(crate) reduction: u8,
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
                reduction: 0,
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
    /// Taken off for what the edges and corners say, a 16th of a reply at a time.
    border: i32,
    /// What comes before the rest, if anything.
    second_look: Option<SecondLook>,
}

/// The best moves of a first order, which goes by the static value alone, are looked at again: by a
/// better value, and by the size of the tree after the move in place of the number of replies.
#[derive(Debug, Clone, Copy)]
struct SecondLook {
    /// So many of the best moves; more than three gain nothing.
    most: usize,
    /// Plies of the search that values a move.
    depth: u32,
}

impl Ordering {
    /// By the evaluation alone.
    pub(super) const STATIC: Self = Self {
        depth: 0,
        mobility: 0,
        parity: 0,
        border: 0,
        second_look: None,
    };

    /// More effort where more hangs on it. To the end the size of the tree matters more than the
    /// value. Mobility 500 against 200 saved 14 % of the nodes; 1,000 with the border that was learned
    /// for fewer squares, here and in the second look, another 8 % (60 positions of our own, 22
    /// empties; 5 % with 500). Twice as much again is no better. Where all moves will be searched the
    /// border is not worth the look-up, but the static value is: without it 1 % more nodes.
    #[inline]
    pub(super) fn of(node: &Node) -> Self {
        let Node { depth, is_pv, .. } = *node;
        if node.to_the_end {
            let is_worth_it = is_pv || node.hope == Hope::Refutes;
            let plies = match depth {
                0..=18 => 0,
                19..=22 => 1,
                23..=26 => 2,
                _ => 3,
            };
            Self {
                depth: 0,
                mobility: 1000,
                parity: 200,
                border: if is_worth_it { 62 } else { 0 },
                second_look: (is_worth_it && depth >= SECOND_LOOK_FROM).then_some(SecondLook {
                    most: if is_pv { MAX_MOVES } else { 3 },
                    depth: plies + u32::from(is_pv),
                }),
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
                ..Self::STATIC
            }
        }
    }
}

/// From so many empty squares on, where a move should refute. From 15 on it saves 2 % of the nodes more
/// than from 16 on, in the same time; from 14 on another 1 % and costs 6 % more time (positions of our
/// own, 22 empties).
const SECOND_LOOK_FROM: u32 = 15;

/// What twice as large a tree counts against the evaluation, in centidiscs.
const DOUBLED_TREE: u32 = 1984;

/// And what a 16th of a reply counts by the border.
const BORDER_AGAIN: i32 = 32;

/// What a tree of this size counts. The logarithm is straight between powers of two and made of
/// integers: every processor has the same order.
#[inline]
const fn size_penalty(size: u32) -> i32 {
    let size = size + 1;
    let doublings = size.ilog2();
    let beyond = (DOUBLED_TREE * (size - (1 << doublings))) >> doublings;
    (DOUBLED_TREE * doublings + beyond) as i32
}

/// The moves of a node in the order in which they are searched.
pub(super) struct Queue {
    candidates: Candidates,
    /// The table's two moves come first, then the others are ordered.
    stage: usize,
    /// By how much the moves are reduced whose turn has not come yet. A move has its place in the
    /// order whoever searches it: with a count of its own each thread would take three moves at full
    /// depth, and two threads visit a fifth more nodes.
    reductions: Reductions,
    /// Moves that another thread is searching, for later.
    deferred: Candidates,
    may_defer: bool,
    /// All moves that are left were put off before, and know their reductions.
    is_second_round: bool,
}

impl Queue {
    const UNORDERED: usize = 2;

    /// All moves of a node; whether those are put off that another thread is searching.
    #[inline(always)]
    pub(super) fn new(candidates: Candidates, reductions: Reductions, may_defer: bool) -> Self {
        Self {
            candidates,
            stage: 0,
            reductions,
            deferred: Candidates::new(),
            may_defer,
            is_second_round: false,
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
        if !self.is_second_round {
            self.candidates
                .sort_unstable_by_key(|candidate| (-candidate.key, candidate.square.index()));
            for candidate in &mut self.candidates {
                candidate.reduction = self.reductions.next();
            }
        }
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
            let mut child = if let Some(&square) = node.table_moves.get(queue.stage) {
                queue.stage += 1;
                let Some(child) = take(&mut queue.candidates, square) else {
                    continue;
                };
                child
            } else {
                if queue.stage == Queue::UNORDERED {
                    queue.stage += 1;
                    if queue.candidates.len() > 1 {
                        self.order_moves(node, state, &mut queue.candidates);
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
                    queue.is_second_round = true;
                    continue;
                };
                child
            };
            if !queue.is_second_round {
                child.reduction = queue.reductions.next();
            }
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

    /// Gives the moves of a node their keys: by the order that an earlier visit found, or anew.
    #[inline(always)]
    fn order_moves(&mut self, node: &Node, state: &E::State, candidates: &mut Candidates) {
        let ordering = Ordering::of(node);
        if node.to_the_end || node.depth < REMEMBERED_FROM {
            return self.order(node.board, state, candidates, ordering, node.alpha);
        }
        let orders = self.shared.orders;
        if let Some(places) = orders.probe(node.hash) {
            for candidate in candidates.iter_mut() {
                candidate.key = -i32::from(places.of(candidate.square));
            }
            return;
        }
        self.order(node.board, state, candidates, ordering, node.alpha);
        if !self.aborted && !self.is_aside {
            candidates.sort_unstable_by_key(|it| (-it.key, it.square.index()));
            orders.store(node.hash, candidates.iter().map(|it| it.square));
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
        for candidate in candidates.iter_mut() {
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
                    self.searched_value(state, candidate, ordering.depth, floor)
                };
                let parity = if odd.contains(candidate.square) {
                    ordering.parity
                } else {
                    0
                };
                let border = if ordering.border == 0 {
                    0
                } else {
                    ordering.border * self.shallow.border_key(next)
                };
                value - ordering.mobility * mobility + parity - border
            };
        }
        if let Some(second_look) = ordering.second_look {
            self.look_again(state, candidates, second_look, floor);
        }
    }

    /// Gives the best candidates new keys, which are greater than those of all others.
    fn look_again(
        &mut self,
        state: &E::State,
        candidates: &mut Candidates,
        look: SecondLook,
        floor: i32,
    ) {
        candidates.sort_unstable_by_key(|candidate| (-candidate.key, candidate.square.index()));
        for candidate in candidates.iter_mut().take(look.most) {
            if self.aborted {
                return;
            }
            let next = candidate.board;
            if candidate.key == WIPE_OUT {
                continue;
            }
            let value = if look.depth == 0 {
                let open = (WORST, BEST);
                self.leaf_value(state, candidate.square, candidate.flips, next, open)
            } else {
                self.searched_value(state, candidate, look.depth, floor)
            };
            let size = self.shallow.tree_size(next, next.legal_moves());
            let border = BORDER_AGAIN * self.shallow.border_key(next);
            candidate.key = LOOKED_AT_AGAIN + value - size_penalty(size) - border;
        }
    }

    /// What a search of a few plies finds of a move.
    #[inline]
    fn searched_value(
        &mut self,
        state: &E::State,
        candidate: &Candidate,
        depth: u32,
        floor: i32,
    ) -> i32 {
        let evaluator = self.shared.evaluator;
        let state = evaluator.play(state, candidate.square, candidate.flips);
        -self.value(candidate.board, &state, depth, WORST, -floor)
    }
}

/// Lifts the keys of a second look above those of the first.
const LOOKED_AT_AGAIN: i32 = 1 << 24;

/// Nodes of less depth are put into order again, which takes a static value a move. At 20,000 nodes a
/// move orders remembered from 3, 4 and 5 on make 57.1 %, 57.2 % and 56.2 % against none, those of
/// searches alone (from 7 on) 54.9 %, and those with exactly the depth of search that the node asks
/// for 52.2 % (1,000 pairs each, ± 1.9); from 3 on a node takes a twentieth more time. To the end,
/// where alpha decides how much of an order has to be found, they save no node.
const REMEMBERED_FROM: u32 = 4;

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
