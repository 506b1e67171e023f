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
pub(crate) const fn sigma(n_empties: u32, deep: u32, shallow: u32) -> f32 {
    let (n, deep, shallow) = (n_empties as f32, deep as f32, shallow as f32);
    let c = if deep >= n {
        &SIGMA_END
    } else {
        &SIGMA_MIDGAME
    };
    let x = c[0] * n + c[1] * deep + c[2] * shallow;
    100.0 * (c[3] * x * x + c[4] * x + c[5])
}

/// The deepest searches for which the static value alone may stand.
pub(super) const PREDICTED_DEPTH: u32 = 2;

/// How far outside of a null window a static value must be to stand for a search of `depth` plies, 1
/// to [`PREDICTED_DEPTH`], at a level of guesses. The deviations of the pattern evaluation, measured
/// over 79,000 boards, are those of [`sigma`] to a fifth; its mean is 0.7 discs too low, and to
/// correct that changes no match.
#[inline]
pub(super) fn static_margin(level: u8, n_empties: u32, depth: u32) -> i32 {
    let margins = &STATIC_MARGINS[usize::from(level)][(depth - 1) as usize];
    i32::from(margins[(n_empties as usize).min(MOST_EMPTIES)])
}

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
                let sigma = sigma(n as u32, depth, 0);
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
