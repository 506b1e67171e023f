//! The endgame above the shallow layers: the same tree with table, evaluation for the order, and
//! predictions while the selectivity level allows them. Scores are whole discs.

use super::{
    Worker,
    moves::{Ordering, take_best},
};
use crate::{
    eval::Evaluator,
    stability,
    table::{Draft, Entry, hash_of},
};
use othello::Board;

/// Up to so many empties the shallow solver is faster than anything with an evaluation.
const SHALLOW_UP_TO: u32 = 11;

/// A prediction needs enough game left to be worth its price.
const PROBCUT_FROM: u32 = 14;

impl<E: Evaluator> Worker<'_, E> {
    /// The final score at the level in force if inside the window, else a bound on its side of it.
    pub(super) fn endgame(
        &mut self,
        board: Board,
        state: &E::State,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let n_empties = board.empties().len();
        if n_empties <= SHALLOW_UP_TO {
            return self.shallow.solve(board, alpha, beta);
        }

        // Step 1. Count the node; stop if asked to.
        self.enter();
        if self.aborted {
            return alpha;
        }

        // Step 2. Stable discs.
        if let Some(bound) = stability::cutoff(board, alpha, n_empties) {
            return bound;
        }

        // Step 3. Pass or end.
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return board.final_score();
            }
            let state = self.shared.evaluator.pass(state);
            return -self.endgame(passed, &state, -beta, -alpha);
        }

        // Step 4. What the table knows.
        let hash = hash_of(board);
        let draft = Draft {
            depth: n_empties as u8,
            level: self.level,
        };
        let known = self.shared.table.probe(hash);
        let is_pv = beta - alpha > 1;
        if let Some(entry) = known
            && entry.draft.covers(draft)
        {
            let (lower, upper) = (i32::from(entry.lower) / 100, i32::from(entry.upper) / 100);
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
            && n_empties >= PROBCUT_FROM
            && let Some(value) = self.probcut(board, state, n_empties, n_empties, 100 * alpha)
        {
            return if value > 100 * alpha { beta } else { alpha };
        }

        // Step 6. Order the moves; any child known to refute ends it here.
        let ordering = Ordering {
            depth: order_depth(n_empties, is_pv),
            mobility: 120,
            parity: 60,
        };
        let mut candidates = self.candidates(board, state, legal, known.as_ref(), ordering);
        if self.aborted {
            return alpha;
        }
        for candidate in &candidates {
            let wanted = Draft {
                depth: n_empties as u8 - 1,
                level: self.level,
            };
            if let Some(entry) = self.shared.table.probe(candidate.hash)
                && entry.draft.covers(wanted)
                && -i32::from(entry.upper) / 100 >= beta
            {
                return -i32::from(entry.upper) / 100;
            }
        }

        // Step 7. Search the first move with the whole window, the others with none.
        let start = alpha;
        let mut best = i32::MIN;
        let mut best_square = None;
        while let Some(child) = take_best(&mut candidates) {
            let score = if best_square.is_none() || !is_pv {
                -self.endgame(child.board, &child.state, -beta, -alpha)
            } else {
                let score = -self.endgame(child.board, &child.state, -alpha - 1, -alpha);
                if score > alpha && score < beta && !self.aborted {
                    -self.endgame(child.board, &child.state, -beta, -alpha)
                } else {
                    score
                }
            };
            if self.aborted {
                return alpha;
            }
            if score > best {
                best = score;
                best_square = Some(child.square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }

        // Step 8. Remember it.
        self.shared.table.store(
            hash,
            Entry {
                lower: if best > start { 100 * best as i16 } else { -6400 },
                upper: if best < beta { 100 * best as i16 } else { 6400 },
                draft,
                moves: [best_square, None],
            },
        );
        best
    }
}

#[inline]
fn order_depth(n_empties: u32, is_pv: bool) -> u32 {
    let base = match n_empties {
        0..=15 => 0,
        16..=18 => 1,
        19..=22 => 2,
        23..=26 => 3,
        _ => 4,
    };
    if is_pv { base + 1 } else { base }
}
