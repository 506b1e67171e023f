//! Multi-ProbCut: skips subtrees that a shallow search predicts to be outside the window.
//!
//! Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*
//! (1997). A shallow value predicts the deep one with a normal error; where the prediction is
//! outside the window by more than `confidence` standard deviations, the node is cut.

/// How many standard deviations a prediction must be off, level by level. The last never cuts.
pub(crate) const LEVELS: [(f32, &str); 6] = [
    (1.1, "73%"),
    (1.5, "87%"),
    (2.0, "95%"),
    (2.6, "99%"),
    (3.3, "99.9%"),
    (f32::INFINITY, "100%"),
];

/// The level without guesses.
pub(crate) const EXACT_LEVEL: u8 = LEVELS.len() as u8 - 1;

/// The shallow depth that predicts a deep one; the same parity, because values of odd and even
/// depths differ by the tempo.
#[inline]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    let shallow = 2 * (depth / 4) + (depth & 1);
    if shallow == 0 { depth - 2 } else { shallow }
}

/// Standard deviation in centidiscs of the difference between a search of `shallow` and one of
/// `deep` plies with `n_empties`.
#[inline]
pub(crate) fn sigma(n_empties: u32, deep: u32, shallow: u32) -> f32 {
    let (n, deep, shallow) = (n_empties as f32, deep as f32, shallow as f32);
    let x = SIGMA[0] * n + SIGMA[1] * deep + SIGMA[2] * shallow;
    100.0 * (SIGMA[3] * x * x + SIGMA[4] * x + SIGMA[5]).max(0.5)
}

const SIGMA: [f32; 6] = [-0.05, 0.2, -0.25, 0.02, 0.35, 3.6];
