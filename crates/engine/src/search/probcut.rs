//! Multi-ProbCut: skips subtrees that a shallow search predicts to be outside the window.
//!
//! Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*
//! (1997). A shallow value predicts the deep one with a normal error; where the prediction is
//! outside the window by more than `confidence` standard deviations, the node is cut.

/// A rung of the selectivity ladder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    /// How many standard deviations outside the window a prediction must be.
    pub(crate) confidence: f32,
    /// The share of a normal distribution within so many deviations.
    pub(crate) percent: f32,
}

/// From the fastest to the one that never cuts.
pub(crate) const LEVELS: [Level; 6] = [
    Level::new(1.1, 73.0),
    Level::new(1.5, 87.0),
    Level::new(2.0, 95.0),
    Level::new(2.6, 99.0),
    Level::new(3.3, 99.9),
    Level::new(f32::INFINITY, 100.0),
];

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
pub(super) const MAX_NESTING: u8 = 2;

/// The shallow depth that predicts a deep one; the same parity, because values of odd and even
/// depths differ by the tempo. For searches to the end very shallow ones pay best: the static
/// value up to 16 empties. Probes as deep as in the midgame took a quarter more nodes on FFO 40–44
/// (111 M against 88 M, weights and margins alike).
#[inline]
pub(crate) const fn shallow_depth(depth: u32, to_the_end: bool) -> u32 {
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
pub(crate) fn sigma(n_empties: u32, deep: u32, shallow: u32) -> f32 {
    let (n, deep, shallow) = (n_empties as f32, deep as f32, shallow as f32);
    let x = SIGMA[0] * n + SIGMA[1] * deep + SIGMA[2] * shallow;
    // Centidiscs; narrower to the end, where that saved 2 % of the nodes.
    let scale = if deep >= n { 85.0 } else { 100.0 };
    scale * (SIGMA[3] * x * x + SIGMA[4] * x + SIGMA[5]).max(0.4)
}

/// Set by hand: the shape is a guess, its scale the one that needed the fewest nodes on FFO 40–44.
/// Not fitted to the evaluation's errors: those measure about twice as wide (`kibitz train probcut`;
/// 6.8 discs against 3.0 here at 21 empties, static against depth 8), so that a level cuts with less
/// certainty than its percentage says.
const SIGMA: [f32; 6] = [-0.05, 0.2, -0.25, 0.016, 0.28, 2.88];
