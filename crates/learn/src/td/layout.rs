//! Which weights a board has, as numbers among all weights of all stages.

use engine::eval::{
    pattern::{Indices, STAGES, mobility_terms, stage_of},
    shapes::{Geometry, LANE_OFFSETS, MOBILITY_OFFSET, N_LANES, N_WEIGHTS},
};
use othello::Board;
use std::sync::LazyLock;

/// The numbering of weights: stage by stage as the evaluator has them. Of a configuration and its
/// mirror image only one is learned.
#[derive(Debug)]
pub struct Layout {
    /// Weights of a stage.
    n_stage: usize,
    /// For every weight of a stage, the one that is learned in its place.
    learned: Vec<u32>,
    /// For every weight of a stage, its mirror image, which may be itself.
    mirrored: Vec<u32>,
    /// The learned weights of a stage, ascending.
    kept: Vec<u32>,
}

impl Layout {
    /// The layout of the evaluator's shapes.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Layout> = LazyLock::new(Layout::new);
        &SHIPPED
    }

    fn new() -> Self {
        let geometry = Geometry::shipped();
        let learned = geometry.sharing();
        let mut mirrored: Vec<u32> = (0..N_WEIGHTS as u32).collect();
        for shape in &geometry.shapes {
            for index in 0..shape.size {
                mirrored[shape.offset + index] = (shape.offset + shape.mirrored(index)) as u32;
            }
        }
        // The evaluator has lanes to spare; the weight before mobility is theirs and stays 0.
        let spare = MOBILITY_OFFSET as u32 - 1;
        let kept = (0..N_WEIGHTS as u32)
            .filter(|&index| learned[index as usize] == index && index != spare)
            .collect();
        Self {
            n_stage: N_WEIGHTS,
            learned,
            mirrored,
            kept,
        }
    }

    /// How many numbers there are, mirror images included.
    pub const fn n_weights(&self) -> usize {
        STAGES * self.n_stage
    }

    /// How many weights are learned.
    pub fn n_learned(&self) -> usize {
        STAGES * self.kept.len()
    }

    /// How many weights the value of a board is the sum of: one for each instance of a shape, one
    /// for each side's mobility.
    pub fn n_terms(&self) -> usize {
        N_LANES + 2
    }

    /// The numbers of all learned weights, ascending.
    pub fn learned(&self) -> impl Iterator<Item = usize> {
        let n = self.n_stage;
        (0..STAGES)
            .flat_map(move |stage| (self.kept.iter()).map(move |&index| stage * n + index as usize))
    }

    /// Stage and index of a weight, and the index of its mirror image.
    #[inline]
    pub fn places(&self, weight: usize) -> (usize, [usize; 2]) {
        let (stage, index) = (weight / self.n_stage, weight % self.n_stage);
        (stage, [index, self.mirrored[index] as usize])
    }

    /// Appends the numbers of the weights of a board; returns its stage.
    pub fn push_terms(&self, board: Board, terms: &mut Vec<u32>) -> usize {
        let stage = stage_of(board.empties().len());
        let base = (stage * self.n_stage) as u32;
        let lanes = Indices::of(board).lanes();
        for (&index, offset) in lanes.iter().zip(LANE_OFFSETS).take(N_LANES) {
            terms.push(base + self.learned[offset + usize::from(index)]);
        }
        for index in mobility_terms(board) {
            terms.push(base + index as u32);
        }
        stage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Symmetry, sample::random_boards};

    fn terms(board: Board) -> Vec<u32> {
        let mut terms = Vec::new();
        Layout::shipped().push_terms(board, &mut terms);
        terms.sort_unstable();
        terms
    }

    #[test]
    fn symmetric_boards_have_the_same_learned_weights() {
        let layout = Layout::shipped();
        for board in random_boards(31).take(300) {
            let ours = terms(board);
            assert_eq!(ours.len(), layout.n_terms());
            for symmetry in Symmetry::ALL {
                assert_eq!(terms(symmetry.board(board)), ours);
            }
        }
    }

    #[test]
    fn learned_weights_and_their_images_are_all_there_are() {
        let layout = Layout::shipped();
        let mut seen = vec![false; layout.n_weights()];
        for weight in layout.learned() {
            let (stage, indices) = layout.places(weight);
            for index in indices {
                seen[stage * layout.n_stage + index] = true;
            }
        }
        let spare = seen.iter().filter(|seen| !**seen).count();
        assert_eq!(spare, STAGES, "one weight of unused lanes in every stage");
        assert_eq!(layout.learned().count(), layout.n_learned());
    }
}
