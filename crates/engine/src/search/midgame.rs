//! The midgame: principal variation search to a depth, with the evaluation at its leaves.

use super::{
    Worker,
    moves::{Ordering, take_best},
    probcut::{self, EXACT_LEVEL, LEVELS},
};
use crate::{
    eval::Evaluator,
    stability,
    table::{Draft, Entry, hash_of},
};
use othello::Board;

/// Below this depth the table costs more than it saves.
const TABLE_FROM: u32 = 3;
/// Cutting by guess needs room for a shallower search.
const PROBCUT_FROM: u32 = 3;

impl<E: Evaluator> Worker<'_, E> {
    /// The value in centidiscs at `depth` if inside the window, else a bound on its side of it.
    pub(super) fn midgame(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let n_empties = board.empties().len();
        if depth >= n_empties {
            // Whole discs around the window: a value above alpha is at least the next disc.
            let (low, high) = (alpha.div_euclid(100), -((-beta).div_euclid(100)));
            return 100 * self.endgame(board, state, low, high);
        }
        match depth {
            0 => {
                self.nodes += 1;
                self.shared.evaluator.evaluate(state, board)
            }
            1 | 2 => self.near_leaf(board, state, depth, alpha, beta),
            _ => self.interior(board, state, depth, alpha, beta),
        }
    }

    /// One or two plies: sorting and storing would cost more than the leaves.
    fn near_leaf(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.enter();
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return 100 * board.final_score();
            }
            let state = self.shared.evaluator.pass(state);
            return -self.near_leaf(passed, &state, depth, -beta, -alpha);
        }
        let mut best = i32::MIN;
        for square in legal {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            let next_state = self.shared.evaluator.play(state, square, flips);
            let value = if next.mover().is_empty() {
                6400
            } else if depth == 1 {
                self.nodes += 1;
                -self.shared.evaluator.evaluate(&next_state, next)
            } else {
                -self.near_leaf(next, &next_state, depth - 1, -beta, -alpha)
            };
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn interior(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        // Step 1. Count the node; stop if asked to.
        self.enter();
        if self.aborted {
            return alpha;
        }
        let n_empties = board.empties().len();

        // Step 2. Stable discs bound the final score, and no evaluation should exceed it.
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
            return -self.midgame(passed, &state, depth, -beta, -alpha);
        }

        // Step 4. What the table knows.
        let hash = hash_of(board);
        let draft = Draft {
            depth: depth as u8,
            level: self.level,
        };
        let known = self.shared.table.probe(hash);
        let is_pv = beta - alpha > 1;
        if let Some(entry) = known
            && entry.draft.covers(draft)
        {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            alpha = alpha.max(lower);
            beta = beta.min(upper);
        }

        // Step 5. Cut by prediction.
        if !is_pv
            && depth >= PROBCUT_FROM
            && let Some(value) = self.probcut(board, state, depth, n_empties, alpha)
        {
            return value;
        }

        // Step 6. Order the moves; any child known to refute ends it here.
        let ordering = Ordering {
            depth: order_depth(depth, is_pv),
            mobility: 10,
            parity: 0,
        };
        let mut candidates = self.candidates(board, state, legal, known.as_ref(), ordering);
        if self.aborted {
            return alpha;
        }
        if depth > TABLE_FROM {
            let wanted = Draft {
                depth: depth as u8 - 1,
                level: self.level,
            };
            for candidate in &candidates {
                if let Some(entry) = self.shared.table.probe(candidate.hash)
                    && entry.draft.covers(wanted)
                    && -i32::from(entry.upper) >= beta
                {
                    return -i32::from(entry.upper);
                }
            }
        }

        // Step 7. Search the first move with the whole window, the others with none.
        let start = alpha;
        let mut best = i32::MIN;
        let mut best_square = None;
        while let Some(child) = take_best(&mut candidates) {
            let value = if best_square.is_none() || !is_pv {
                -self.midgame(child.board, &child.state, depth - 1, -beta, -alpha)
            } else {
                let value =
                    -self.midgame(child.board, &child.state, depth - 1, -alpha - 1, -alpha);
                if value > alpha && value < beta && !self.aborted {
                    -self.midgame(child.board, &child.state, depth - 1, -beta, -alpha)
                } else {
                    value
                }
            };
            if self.aborted {
                return alpha;
            }
            if value > best {
                best = value;
                best_square = Some(child.square);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }

        // Step 8. Remember it.
        self.shared.table.store(
            hash,
            Entry {
                lower: if best > start { best as i16 } else { -6400 },
                upper: if best < beta { best as i16 } else { 6400 },
                draft,
                moves: [best_square, None],
            },
        );
        best
    }

    /// A bound outside the null window at `alpha` that a shallow search makes likely enough.
    /// `depth` is the remaining depth, or the number of empties for a search to the end.
    pub(super) fn probcut(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        n_empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        if self.level == EXACT_LEVEL || self.probing >= 2 {
            return None;
        }
        let confidence = LEVELS[self.level as usize].0;
        let shallow = probcut::shallow_depth(depth);
        let margin = (confidence * probcut::sigma(n_empties, depth, shallow)) as i32;
        let static_margin = (confidence * probcut::sigma(n_empties, depth, 0)) as i32;
        let value = self.shared.evaluator.evaluate(state, board);
        let beta = alpha + 1;
        self.probing += 1;
        let mut cut = None;
        let high = beta + margin;
        if high < 6400 && value >= beta - static_margin / 2 {
            let found = self.midgame(board, state, shallow, high - 1, high);
            if found >= high {
                cut = Some(beta);
            }
        }
        let low = alpha - margin;
        if cut.is_none() && low > -6400 && value <= alpha + static_margin / 2 {
            let found = self.midgame(board, state, shallow, low, low + 1);
            if found <= low {
                cut = Some(alpha);
            }
        }
        self.probing -= 1;
        if self.aborted { None } else { cut }
    }
}

/// How deep to look when ordering: more where more hangs on it.
#[inline]
fn order_depth(depth: u32, is_pv: bool) -> u32 {
    let base = match depth {
        0..=6 => 0,
        7..=9 => 1,
        10..=14 => 2,
        _ => 3,
    };
    if is_pv && depth > 5 { base + 1 } else { base }
}
