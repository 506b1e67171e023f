//! One node of the tree, midgame and endgame alike: principal variation search.
//!
//! Values are centidiscs for the side to move. A search whose depth reaches the number of empty
//! squares is a search to the end: its leaves are final scores (multiples of 100), found by the
//! layers of [`crate::endgame`] once few squares are left.

use super::{
    Worker,
    lazy::DEFER_FROM,
    moves::{Candidate, Candidates, Queue, candidates},
    probcut::{EXACT_LEVEL, PREDICTED_DEPTH},
    split,
};
use crate::{
    endgame::hope::Hope,
    eval::Evaluator,
    limits::LateMoves,
    stability,
    table::{Draft, Entry, hash_of},
};
use othello::{Bitboard, Board, Square};

/// The best and worst possible values.
pub(crate) const WORST: i32 = -6400;
pub(crate) const BEST: i32 = 6400;

/// Up to so many empties the shallow solver is faster than anything with an evaluation. One less
/// saves 5 % of the nodes and costs 10 % of the time, one more costs 30 % and 24 % (positions of our
/// own, 20 empties, x86-64-v4).
pub(crate) const SHALLOW_UP_TO: u32 = 12;

/// Which moves are reduced, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LateRule {
    /// In nodes of this depth and deeper.
    from_depth: u32,
    /// Moves after the first so many are late: a ply less.
    late_after: u32,
    /// Moves after the first so many are later still: another ply less.
    later_after: u32,
}

impl LateRule {
    /// The rule by its name. Against none, 10,000 nodes a move, the normal one makes 51.1 % ± 3.9 of
    /// 200 pairs; with two plies less in place of one it makes 49.4 % ± 3.7.
    pub(crate) const fn of(late_moves: LateMoves) -> Self {
        match late_moves {
            LateMoves::Conservative => Self {
                from_depth: 7,
                late_after: 6,
                later_after: u32::MAX,
            },
            LateMoves::Normal => Self {
                from_depth: 5,
                late_after: 3,
                later_after: u32::MAX,
            },
            LateMoves::Aggressive => Self {
                from_depth: 5,
                late_after: 2,
                later_after: 6,
            },
        }
    }

    /// For a node of `depth` in which moves may be reduced.
    #[inline]
    pub(super) const fn at(self, depth: u32) -> Reductions {
        if depth < self.from_depth {
            return Reductions::NONE;
        }
        Reductions {
            not_for: self.late_after,
            not_twice_for: self.later_after,
        }
    }
}

/// By how much the moves of a node are reduced, one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reductions {
    /// How many of the moves to come are not late yet.
    not_for: u32,
    /// How many of the moves to come are not later still.
    not_twice_for: u32,
}

impl Reductions {
    /// None at all: no node has so many moves.
    pub(super) const NONE: Self = Self {
        not_for: u32::MAX,
        not_twice_for: u32::MAX,
    };

    /// How many plies less deep the next move is asked at first.
    #[inline]
    pub(super) fn next(&mut self) -> u8 {
        let plies = u8::from(self.not_for == 0) + u8::from(self.not_twice_for == 0);
        self.not_for = self.not_for.saturating_sub(1);
        self.not_twice_for = self.not_twice_for.saturating_sub(1);
        plies
    }
}

/// Below this depth the table costs more than it saves.
const NEAR_LEAF_DEPTH: u32 = 2;

/// A node whose moves are about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) hash: u64,
    pub(super) depth: u32,
    pub(super) to_the_end: bool,
    pub(super) is_pv: bool,
    pub(super) hope: Hope,
    pub(super) alpha: i32,
    beta: i32,
    pub(super) table_moves: [Option<Square>; 2],
}

/// What a node has found so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) best: i32,
    pub(super) square: Option<Square>,
    pub(super) alpha: i32,
}

impl Found {
    /// Takes a child's value in; whether it refutes.
    #[inline]
    pub(super) fn take(&mut self, square: Square, value: i32, beta: i32) -> bool {
        if value > self.best {
            self.best = value;
            self.square = Some(square);
            self.alpha = self.alpha.max(value);
        }
        self.best >= beta
    }

    /// The best move and its value if that is greater than `alpha`; others are not told apart.
    pub(super) fn above(&self, alpha: i32) -> Option<(Square, i32)> {
        let square = self.square.filter(|_| self.best > alpha)?;
        Some((square, self.best))
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value at `depth` if inside the window, else a bound on its side of it.
    pub(crate) fn value(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let n_empties = board.empties().len();
        if depth >= n_empties {
            if n_empties > SHALLOW_UP_TO {
                return self.node(board, state, n_empties, alpha, beta);
            }
            // Whole discs around the window: a score above alpha is at least the next disc.
            let (low, high) = (alpha.div_euclid(100), -((-beta).div_euclid(100)));
            if !self.is_limited {
                return 100 * self.shallow.solve(board, low, high, self.hope);
            }
            let nodes = self.nodes_left();
            let solved = self
                .shallow
                .solve_within(board, low, high, self.hope, nodes);
            let Some(score) = solved else {
                self.run_out_of_nodes();
                return alpha;
            };
            return 100 * score;
        }
        match depth {
            0 => {
                self.nodes += 1;
                self.shared.evaluator.evaluate(state, board)
            }
            1..=NEAR_LEAF_DEPTH => self.near_leaf(board, state, depth, alpha, beta),
            _ => self.node(board, state, depth, alpha, beta),
        }
    }

    /// One or two plies: sorting and storing would cost more than the leaves.
    fn near_leaf(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.enter();
        if self.aborted {
            return alpha;
        }
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return 100 * board.final_score();
            }
            let state = self.shared.evaluator.pass(state);
            return -self.near_leaf(passed, &state, depth, -beta, -alpha);
        }
        let mut found = Found {
            best: i32::MIN,
            square: None,
            alpha,
        };
        let n_empties = board.empties().len();
        let mut left = legal;
        while let Some(square) = self.history.take_next(n_empties, &mut left) {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            let value = if next.mover().is_empty() {
                BEST
            } else if depth == 1 {
                self.leaf_value(state, square, flips, next, (found.alpha, beta))
            } else {
                let (depth, window) = (depth - 1, (-beta, -found.alpha));
                -match self.predicted(state, square, flips, next, depth, window) {
                    Some(value) => value,
                    None => {
                        let state = self.shared.evaluator.play(state, square, flips);
                        self.value(next, &state, depth, window.0, window.1)
                    }
                }
            };
            if self.aborted {
                return alpha;
            }
            if found.take(square, value, beta) {
                self.counts.cutoffs += 1;
                self.history.reward(n_empties, square, depth);
                break;
            }
        }
        found.best
    }

    /// The static value, for who made it, of a move after which the game goes on: exact near the
    /// window.
    #[inline]
    pub(super) fn leaf_value(
        &mut self,
        state: &E::State,
        square: Square,
        flips: Bitboard,
        next: Board,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        self.nodes += 1;
        let window = (-beta, -alpha);
        -self
            .shared
            .evaluator
            .evaluate_after_near(state, square, flips, next, window)
    }

    /// The same, roughly: for the order of moves.
    #[inline]
    pub(super) fn rough_value(
        &mut self,
        state: &E::State,
        square: Square,
        flips: Bitboard,
        next: Board,
    ) -> i32 {
        self.nodes += 1;
        -self
            .shared
            .evaluator
            .estimate_after(state, square, flips, next)
    }

    fn node(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        // Step 1. Count the node; stop if asked to.
        let hope = self.hope;
        self.enter();
        if self.aborted {
            return alpha;
        }
        let n_empties = board.empties().len();
        let to_the_end = depth >= n_empties;

        // Step 2. The opponent's stable discs bound the final score.
        if let Some(bound) = stability::cutoff(board, alpha.div_euclid(100), n_empties) {
            return 100 * bound;
        }

        // Step 3. Pass or end.
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return 100 * board.final_score();
            }
            let state = self.shared.evaluator.pass(state);
            self.hope = hope.passed();
            return -self.node(passed, &state, depth, -beta, -alpha);
        }

        // Step 4. What the table knows.
        let hash = hash_of(board);
        let draft = Draft {
            depth: depth as u8,
            level: self.level,
        };
        let known = self.probe(hash);
        let is_pv = beta - alpha > 1;
        if let Some(entry) = known
            && entry.draft.covers(draft)
        {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper || upper <= alpha {
                self.counts.table.bounds_used += 1;
                return if lower >= beta { lower } else { upper };
            }
            alpha = alpha.max(lower);
            beta = beta.min(upper);
        }

        // Step 5. Cut by prediction.
        if !is_pv && let Some(value) = self.probcut(board, state, depth, n_empties, alpha) {
            return value;
        }

        // Step 6. Any child known to refute ends it here.
        let candidates = candidates(board, legal);
        let child_draft = Draft {
            depth: draft.depth - 1,
            ..draft
        };
        let are_shallow = to_the_end && n_empties <= SHALLOW_UP_TO + 1;
        let refutation = if are_shallow {
            // What the shallow solver finds is not in the table.
            self.solved_refutation(&candidates, beta)
        } else if depth - 1 <= NEAR_LEAF_DEPTH {
            // Nor is what is searched so shallow.
            None
        } else {
            self.known_refutation(&candidates, child_draft, beta)
        };
        if let Some(value) = refutation {
            self.counts.table.bounds_used += 1;
            return value;
        }

        // Step 7. Search the moves.
        let node = Node {
            board,
            hash,
            depth,
            to_the_end,
            is_pv,
            hope,
            alpha,
            beta,
            table_moves: known.map_or([None; 2], |entry| entry.moves),
        };
        let is_together = depth >= DEFER_FROM
            && !self.is_aside
            && self.shared.lazy.is_on()
            && self.path.enter(hash, draft, alpha, beta);
        let found = self.search_moves(&node, state, candidates, is_together);
        if is_together && let Some(value) = self.path.leave() {
            // Another thread was first.
            self.aborted = false;
            self.look();
            return value;
        }
        let Some(found) = found else {
            return alpha;
        };

        // Step 8. Remember it.
        if !self.is_aside {
            self.remember(hash, draft, found, alpha, beta);
        }
        found.best
    }

    /// The first move with the whole window, the others with none: the table's moves before
    /// anything is spent on ordering the rest; the rest in parallel where that pays, and last those
    /// that another thread is at. Nothing if the search was aborted.
    #[inline(always)]
    fn search_moves(
        &mut self,
        node: &Node,
        state: &E::State,
        candidates: Candidates,
        is_together: bool,
    ) -> Option<Found> {
        let Node {
            depth,
            to_the_end,
            is_pv,
            alpha,
            beta,
            ..
        } = *node;
        let mut found = Found {
            best: i32::MIN,
            square: None,
            alpha,
        };
        let may_reduce = !to_the_end && !is_pv && self.level != EXACT_LEVEL;
        let reductions = if may_reduce {
            self.shared.late_rule.at(depth)
        } else {
            Reductions::NONE
        };
        let mut queue = Queue::new(candidates, reductions, is_together);
        loop {
            let is_first = found.square.is_none();
            let Some((child, busy)) = self.next_move(&mut queue, node, state, is_first) else {
                return (!self.aborted).then_some(found);
            };
            self.hope = node.hope.after_move(is_first);
            let value = self.reduced_value(state, &child, depth - 1, found, beta);
            drop(busy);
            if self.aborted {
                return None;
            }
            if found.take(child.square, value, beta) {
                self.counts.cutoffs += 1;
                return Some(found);
            }
            if is_together && self.path.is_last_done(self.shared.table) {
                return None;
            }
            if queue.is_ordered()
                && split::pays(depth, to_the_end, queue.len())
                && self.shared.splits.are_wanted(self.at.as_deref())
                && !self.is_aside
            {
                let rest = queue.into_rest();
                found = split::search_rest(self, state, rest, depth - 1, found, beta);
                return (!self.aborted).then_some(found);
            }
        }
    }

    /// Stores what a node found between these bounds.
    #[inline(always)]
    fn remember(&mut self, hash: u64, draft: Draft, found: Found, alpha: i32, beta: i32) {
        let best = found.best;
        let entry = Entry {
            lower: if best > alpha {
                best as i16
            } else {
                WORST as i16
            },
            upper: if best < beta {
                best as i16
            } else {
                BEST as i16
            },
            draft,
            moves: [found.square, None],
        };
        let table = &mut self.counts.table;
        table.stores += 1;
        table.replacements += u64::from(self.shared.table.store(hash, entry));
    }

    #[inline]
    fn probe(&mut self, hash: u64) -> Option<Entry> {
        let entry = self.shared.table.probe(hash);
        self.counts.table.probes += 1;
        self.counts.table.hits += u64::from(entry.is_some());
        entry
    }

    /// A child's value for its parent, first asked as many plies less deep as it is reduced: only a
    /// move that does better than those before it is worth the full depth.
    #[inline]
    pub(super) fn reduced_value(
        &mut self,
        state: &E::State,
        child: &Candidate,
        depth: u32,
        found: Found,
        beta: i32,
    ) -> i32 {
        let reduction = u32::from(child.reduction);
        let value = self.child_value(state, child, depth - reduction, found, beta);
        if reduction == 0 || value <= found.alpha || self.aborted {
            return value;
        }
        self.child_value(state, child, depth, found, beta)
    }

    /// A child's value for its parent: the first with the whole window, later ones with a null
    /// window first.
    #[inline]
    pub(super) fn child_value(
        &mut self,
        state: &E::State,
        child: &Candidate,
        depth: u32,
        found: Found,
        beta: i32,
    ) -> i32 {
        let alpha = found.alpha;
        let n_empties = child.board.empties().len();
        if matches!(depth, 1..=PREDICTED_DEPTH) && depth < n_empties {
            let (square, flips, next) = (child.square, child.flips, child.board);
            let window = (-beta, -alpha);
            if let Some(value) = self.predicted(state, square, flips, next, depth, window) {
                return -value;
            }
        }
        let state = &self.shared.evaluator.play(state, child.square, child.flips);
        if found.square.is_some() && beta - alpha > 1 {
            let value = -self.value(child.board, state, depth, -alpha - 1, -alpha);
            if value <= alpha || value >= beta || self.aborted {
                return value;
            }
        }
        -self.value(child.board, state, depth, -beta, -alpha)
    }

    /// Enhanced transposition cut-off: a child that the table already knows to be bad enough for
    /// the opponent.
    fn known_refutation(
        &mut self,
        candidates: &Candidates,
        draft: Draft,
        beta: i32,
    ) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let entry = self.probe(hash_of(candidate.board))?;
            let value = -i32::from(entry.upper);
            (entry.draft.covers(draft) && value >= beta).then_some(value)
        })
    }

    /// The same for children that the shallow solver may remember.
    fn solved_refutation(&self, candidates: &Candidates, beta: i32) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let value = -100 * self.shallow.upper_bound(candidate.board)?;
            (value >= beta).then_some(value)
        })
    }
}

#[cfg(test)]
mod tests;
