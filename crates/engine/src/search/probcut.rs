//! Multi-ProbCut: skips subtrees that a shallow search predicts to be outside the window.
//!
//! Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*
//! (1997). A shallow value predicts the deep one with a normal error; where the prediction is
//! outside the window by more than `confidence` standard deviations, the node is cut.

use super::{
    Worker,
    tree::{BEST, WORST},
};
use crate::eval::Evaluator;
use othello::{Bitboard, Board, Square};

/// A rung of the selectivity ladder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    /// How many standard deviations outside the window a prediction must be.
    pub(crate) confidence: f32,
    /// How many of a hundred such cuts are right: the share of a normal distribution below so many
    /// deviations.
    pub(crate) percent: f32,
}

/// From the fastest to the one that never cuts. The ladder is for searches to the end, where low
/// confidence pays: a mistake is found out on the next rung.
pub(crate) const LEVELS: [Level; 6] = [
    Level::new(0.45, 67.0),
    Level::new(0.6, 73.0),
    Level::new(0.8, 79.0),
    Level::new(1.05, 85.0),
    Level::new(1.35, 91.0),
    Level::new(f32::INFINITY, 100.0),
];

/// What midgame searches cut with, unless told otherwise. Against margins set by hand, 10,000 nodes
/// a move, 300 pairs each: 50.3 % ± 3.7 with this, 48.3 % ± 3.7 with the level below.
pub(crate) const MIDGAME_LEVEL: u8 = 3;

impl Level {
    const fn new(confidence: f32, percent: f32) -> Self {
        Self {
            confidence,
            percent,
        }
    }
}

/// The level without guesses.
pub(crate) const EXACT_LEVEL: u8 = LEVELS.len() as u8 - 1;

/// How deep probes of probes go: their trees are small and need no pruning by guess.
const MAX_NESTING: u8 = 2;

/// The shallow depth that predicts a deep one; the same parity, because values of odd and even
/// depths differ by the tempo. For searches to the end very shallow ones pay best: the static
/// value up to 16 empties. Probes as deep as in the midgame took a quarter more nodes on FFO 40–44
/// (111 M against 88 M, weights and margins alike).
#[inline]
const fn shallow_depth(depth: u32, to_the_end: bool) -> u32 {
    let parity = depth & 1;
    if to_the_end {
        2 * (depth / 17) + parity
    } else {
        2 * (depth / 4) + parity
    }
}

/// Standard deviation in centidiscs of the difference between a search of `shallow` and one of
/// `deep` plies with `n_empties`.
#[inline]
const fn sigma(n_empties: u32, deep: u32, shallow: u32) -> f32 {
    let (n, deep, shallow) = (n_empties as f32, deep as f32, shallow as f32);
    let c = if deep >= n {
        &SIGMA_END
    } else {
        &SIGMA_MIDGAME
    };
    let x = c[0] * n + c[1] * deep + c[2] * shallow;
    100.0 * (c[3] * x * x + c[4] * x + c[5])
}

/// The deepest searches for which the static value of a move may stand.
pub(super) const PREDICTED_DEPTH: u32 = 2;

/// How far outside of a null window a static value must be to stand for a search of `depth` plies, 1
/// to [`PREDICTED_DEPTH`], at a level of guesses. The mean of static values is 0.7 discs too low; to
/// correct that changes no match.
#[inline]
fn static_margin(level: u8, n_empties: u32, depth: u32) -> i32 {
    let margins = &STATIC_MARGINS[usize::from(level)][(depth - 1) as usize];
    i32::from(margins[(n_empties as usize).min(MOST_EMPTIES)])
}

/// The deviations of these searches, measured over 39,000 boards, are a tenth (16 empties) to two
/// fifths (48) greater than those of [`sigma`]. By as many nodes a search plays as well with 1 (50.3 % ± 3.1 and 50.9 % ± 3.1 of
/// 400 pairs at 20,000 a move, 49.2 % ± 5.3 of 120 at 200,000), but worse to the same depth.
const STATIC_SHARE: f32 = 1.25;

const MOST_EMPTIES: usize = 60;

/// As integers from the beginning: it is looked up at most nodes of a midgame search.
static STATIC_MARGINS: [[[i16; MOST_EMPTIES + 1]; PREDICTED_DEPTH as usize]; EXACT_LEVEL as usize] = {
    let mut margins = [[[0; MOST_EMPTIES + 1]; PREDICTED_DEPTH as usize]; EXACT_LEVEL as usize];
    let mut level = 0;
    while level < margins.len() {
        let mut depth = 1;
        while depth <= PREDICTED_DEPTH {
            let mut n = 0;
            while n <= MOST_EMPTIES {
                let sigma = STATIC_SHARE * sigma(n as u32, depth, 0);
                margins[level][depth as usize - 1][n] = (LEVELS[level].confidence * sigma) as i16;
                n += 1;
            }
            depth += 1;
        }
        level += 1;
    }
    margins
};

// Fitted by `kibitz train probcut` with the commands in docs/TRAINING.md; positive everywhere.
const SIGMA_MIDGAME: [f32; 6] = [
    -0.135_391, 0.343_521, -0.799_281, 0.040_656, 0.910_612, 6.103_577,
];
const SIGMA_END: [f32; 6] = [
    -0.126_423, 0.123_577, -0.742_134, 0.062_225, 0.932_7, 7.304_651,
];

impl<E: Evaluator> Worker<'_, E> {
    /// A bound outside the null window at `alpha` that a shallow search makes likely enough.
    pub(super) fn probcut(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        n_empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        if self.level == EXACT_LEVEL || self.probing >= MAX_NESTING {
            return None;
        }
        let confidence = LEVELS[self.level as usize].confidence;
        let shallow = shallow_depth(depth, depth >= n_empties);
        let margin = (confidence * sigma(n_empties, depth, shallow)) as i32;
        // A static value far on the other side makes the probe a waste.
        let too_far = (confidence * sigma(n_empties, depth, 0)) as i32 / 2;
        let value = self.shared.evaluator.evaluate(state, board);
        let beta = alpha + 1;
        let (low, high) = (alpha - margin, beta + margin);
        if shallow == 0 {
            return outside(value, low, high, alpha);
        }
        if shallow <= PREDICTED_DEPTH {
            // The static value may predict the probe as well.
            let margin = static_margin(self.level, n_empties, shallow);
            let bound = outside(value, low - margin, high + margin, alpha);
            if bound.is_some() {
                return bound;
            }
        }
        self.probing += 1;
        let mut cut = None;
        if high < BEST && value >= beta - too_far {
            let found = self.value(board, state, shallow, high - 1, high);
            if found >= high {
                cut = Some(beta);
            }
        }
        if cut.is_none() && low > WORST && value <= alpha + too_far {
            let found = self.value(board, state, shallow, low, low + 1);
            if found <= low {
                cut = Some(alpha);
            }
        }
        self.probing -= 1;
        if self.aborted { None } else { cut }
    }

    /// A bound outside of a null window that the static value of `next`, the board after a move, makes
    /// likely enough: a search of one or two plies need not be made then. It takes two fifths of
    /// the nodes off a midgame search; docs/BENCHMARKS.md says what it costs in strength to the same depth.
    #[inline]
    pub(super) fn predicted(
        &mut self,
        state: &E::State,
        square: Square,
        flips: Bitboard,
        next: Board,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        // Without a move the static value knows nothing.
        if beta - alpha > 1 || self.level == EXACT_LEVEL || next.legal_moves().is_empty() {
            return None;
        }
        let margin = static_margin(self.level, next.empties().len(), depth);
        let (low, high) = (alpha - margin, beta + margin);
        let evaluator = self.shared.evaluator;
        let value = evaluator.evaluate_after_near(state, square, flips, next, (low, high));
        let bound = outside(value, low, high, alpha)?;
        self.nodes += 1;
        Some(bound)
    }
}

/// The bound on that side of the null window at `alpha` on which a value is so far outside that it
/// counts. Bounds that no value can pass tell nothing.
#[inline]
const fn outside(value: i32, low: i32, high: i32, alpha: i32) -> Option<i32> {
    if value >= high && high < BEST {
        Some(alpha + 1)
    } else if value <= low && low > WORST {
        Some(alpha)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::pattern::Pattern, search::moves::candidates, testing::with_worker};
    use othello::sample::random_boards;

    #[test]
    fn margins_of_static_values_are_what_the_deviation_says() {
        for level in 0..EXACT_LEVEL {
            for depth in 1..=PREDICTED_DEPTH {
                for n_empties in 0..=60 {
                    let sigma = STATIC_SHARE * sigma(n_empties, depth, 0);
                    let margin = (LEVELS[usize::from(level)].confidence * sigma) as i32;
                    assert_eq!(static_margin(level, n_empties, depth), margin);
                    assert!(
                        margin > 0,
                        "level {level}, depth {depth}, {n_empties} empties"
                    );
                }
            }
        }
    }

    #[test]
    fn bounds_that_every_value_or_none_passes_tell_nothing() {
        assert_eq!(outside(500, -400, 450, 20), Some(21));
        assert_eq!(outside(-500, -400, 450, 20), Some(20));
        assert_eq!(outside(449, -400, 450, 20), None);
        assert_eq!(outside(BEST, -400, BEST, 20), None);
        assert_eq!(outside(WORST, WORST, 450, 20), None);
    }

    /// A move is predicted to be outside of a window only where its static value is so by the margin,
    /// and never where nothing may be guessed.
    #[test]
    fn a_move_is_predicted_by_its_static_value_or_not_at_all() {
        let evaluator = Pattern::shipped().unwrap();
        let (mut n_above, mut n_below, mut n_open) = (0, 0, 0);
        let boards = random_boards(71).filter(|board| (16..=50).contains(&board.empties().len()));
        let questions = [-3000, -300, 0, 300, 3000]
            .into_iter()
            .flat_map(|alpha| (1..=PREDICTED_DEPTH).map(move |depth| (alpha, depth)));
        with_worker(&evaluator, |worker| {
            for board in boards.take(100) {
                let state = &evaluator.root(board);
                for child in candidates(board, board.legal_moves()) {
                    let (square, flips, next) = (child.square, child.flips, child.board);
                    for (alpha, depth) in questions.clone() {
                        let mut ask = |level| {
                            worker.level = level;
                            let window = (alpha, alpha + 1);
                            worker.predicted(state, square, flips, next, depth, window)
                        };
                        assert_eq!(ask(EXACT_LEVEL), None);
                        let margin = static_margin(3, next.empties().len(), depth);
                        let window = (alpha - margin, alpha + 1 + margin);
                        let value =
                            evaluator.evaluate_after_near(state, square, flips, next, window);
                        let expected = if next.legal_moves().is_empty() {
                            None
                        } else if value > alpha + margin {
                            Some(alpha + 1)
                        } else if value <= alpha - margin {
                            Some(alpha)
                        } else {
                            None
                        };
                        assert_eq!(ask(3), expected, "{board:?} {square} {alpha} {depth}");
                        n_above += u32::from(expected == Some(alpha + 1));
                        n_below += u32::from(expected == Some(alpha));
                        n_open += u32::from(expected.is_none());
                    }
                }
            }
        });
        let least = n_above.min(n_below).min(n_open);
        assert!(least > 100, "{n_above} {n_below} {n_open}");
    }
}
