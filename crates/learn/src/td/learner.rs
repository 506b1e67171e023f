//! The weights, and how a game moves them.

use super::{
    History, Layout, Settings,
    adam::{Adam, MemoryError},
    score,
    trace::Traces,
};
use engine::eval::pattern::Pattern;
use othello::Side;

/// Weights and optimizer. The evaluator that searches use holds the only copy of the weights, so
/// that learning and searching cannot disagree.
#[derive(Debug)]
pub struct Learner {
    pattern: Pattern,
    adam: Adam,
    traces: Traces,
    /// Changes of a weight so far.
    pub(crate) n_updates: u64,
    /// Weights that were changed at least once.
    pub(crate) n_touched: u64,
}

/// What learning from a game brought to light.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Update {
    pub n: u64,
    /// Sum of the errors' sizes, in discs.
    pub error: f64,
    /// Sum of the evaluations before learning, in discs for the side to move at the leaf.
    pub value: f64,
    /// Sum of their squares.
    pub value_squared: f64,
    /// The largest of them.
    pub value_max: f64,
    pub value_min: f64,
    /// Weights that were reset because a number had become none.
    pub repaired: u64,
}

/// What a position should be worth: the final score's share and that of the value one move later;
/// the last position should be worth the final score. All for the same side.
#[inline]
pub fn target(lambda: f32, final_score: f32, next_value: Option<f32>) -> f32 {
    match next_value {
        None => final_score,
        Some(next) => lambda * final_score + (1.0 - lambda) * next,
    }
}

const fn sign(side: Side) -> f32 {
    match side {
        Side::Black => 1.0,
        Side::White => -1.0,
    }
}

impl Learner {
    /// All weights worth nothing, the optimizer at rest.
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            pattern: Pattern::blank(),
            adam: Adam::new(Layout::shipped().n_weights())?,
            traces: Traces::default(),
            n_updates: 0,
            n_touched: 0,
        })
    }

    /// From what a checkpoint has.
    pub(crate) fn from_parts(pattern: Pattern, adam: Adam, n_updates: u64, n_touched: u64) -> Self {
        Self {
            pattern,
            adam,
            traces: Traces::default(),
            n_updates,
            n_touched,
        }
    }

    /// The evaluator with the weights as they are.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub fn adam(&self) -> &Adam {
        &self.adam
    }

    /// The optimizer's state, to damage or mend it.
    #[cfg(test)]
    pub(crate) fn adam_mut(&mut self) -> &mut Adam {
        &mut self.adam
    }

    /// A weight by its number.
    #[inline]
    pub fn weight(&self, number: usize) -> u16 {
        let (stage, [index, _]) = Layout::shipped().places(number);
        score::from_signed(self.pattern.stage(stage)[index])
    }

    #[inline]
    fn set_weight(&mut self, number: usize, weight: u16) {
        let (stage, images) = Layout::shipped().places(number);
        for index in images {
            self.pattern
                .set_weight(stage, index, score::to_signed(weight));
        }
    }

    /// The share of weights that were ever changed.
    pub fn touched_share(&self) -> f64 {
        self.n_touched as f64 / Layout::shipped().n_learned() as f64
    }

    /// Changes per weight that was ever changed.
    pub fn updates_per_touched(&self) -> f64 {
        self.n_updates as f64 / self.n_touched.max(1) as f64
    }

    /// Learns from a game, from its last position back to its first. All values are Black's.
    pub fn learn(&mut self, history: &History, settings: &Settings) -> Update {
        let lambda = settings.lambda as f32;
        let n_terms = Layout::shipped().n_terms();
        let mut update = Update {
            value_max: f64::NEG_INFINITY,
            value_min: f64::INFINITY,
            ..Update::default()
        };
        let mut next_value = None;
        self.traces.reset();
        let steps = history.positions.iter().zip(history.terms.chunks(n_terms));
        for (position, terms) in steps.rev() {
            let leaf_sign = sign(position.leaf_side);
            let value = self.value(terms);
            let error = target(lambda, history.result as f32, next_value) - leaf_sign * value;
            self.traces.decay(lambda, settings.trace_floor as f32);
            for &term in terms {
                self.traces.visit(term, leaf_sign);
            }
            update.repaired += self.apply(error, settings);
            update.count(error, value);
            next_value = Some(sign(position.side) * position.value);
        }
        update
    }

    /// The sum of some weights in discs.
    fn value(&self, terms: &[u32]) -> f32 {
        let discs = |&term: &u32| score::to_discs(self.weight(term as usize));
        terms.iter().map(discs).sum()
    }

    /// Moves every weight that has a trace; how many had to be reset.
    fn apply(&mut self, error: f32, settings: &Settings) -> u64 {
        let step = self.adam.step(settings.adam());
        let mut repaired = 0;
        let traces = std::mem::take(&mut self.traces);
        for (number, trace) in traces.iter() {
            let number = number as usize;
            self.n_updates += 1;
            let untouched = self.adam.v[number] <= 0.0;
            let weight = match self.adam.delta(&step, number, error * trace) {
                Some(delta) => score::from_discs(score::to_discs(self.weight(number)) + delta),
                None => {
                    repaired += 1;
                    score::CENTRE
                }
            };
            self.set_weight(number, weight);
            match (untouched, self.adam.v[number] <= 0.0) {
                (true, false) => self.n_touched += 1,
                (false, true) => self.n_touched -= 1,
                _ => {}
            }
        }
        self.traces = traces;
        repaired
    }
}

impl Update {
    fn count(&mut self, error: f32, value: f32) {
        let (error, value) = (f64::from(error), f64::from(value));
        self.n += 1;
        self.error += error.abs();
        self.value += value;
        self.value_squared += value * value;
        self.value_max = self.value_max.max(value);
        self.value_min = self.value_min.min(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::td::Position;
    use othello::{Board, sample::random_boards};

    /// A game of so many positions on these boards with these values, each its own leaf.
    fn history(boards: &[(Board, Side, f32)], result: i32) -> History {
        let mut history = History {
            result,
            ..History::default()
        };
        for &(board, side, value) in boards {
            let stage = Layout::shipped().push_terms(board, &mut history.terms) as u8;
            history.positions.push(Position {
                board,
                side,
                value,
                leaf: board,
                leaf_side: side,
                stage,
            });
        }
        history
    }

    fn far_apart() -> (Board, Board) {
        let mut boards = random_boards(2);
        let mut with = |empties: u32| {
            boards
                .find(|board| board.empties().len() == empties && !board.legal_moves().is_empty())
                .unwrap()
        };
        (with(50), with(20))
    }

    #[test]
    fn targets_by_hand() {
        assert!((target(0.3, 10.0, None) - 10.0).abs() < 1e-6);
        assert!((target(0.3, 10.0, Some(-20.0)) - (3.0 - 14.0)).abs() < 1e-6);
        assert!((target(1.0, 10.0, Some(-20.0)) - 10.0).abs() < 1e-6);
        assert!((target(0.0, 10.0, Some(-20.0)) + 20.0).abs() < 1e-6);
    }

    /// One position that Black won by 12: the first step of Adam is alpha long for every weight,
    /// whatever the error, up for Black's leaf and down for White's.
    #[test]
    fn one_position_moves_its_own_weights_by_alpha() {
        let (board, _) = far_apart();
        for (side, up) in [(Side::Black, 1.0), (Side::White, -1.0)] {
            let mut learner = Learner::new().unwrap();
            let game = history(&[(board, side, 0.0)], 12);
            let update = learner.learn(&game, &Settings::default());
            assert_eq!((update.n, update.repaired), (1, 0));
            assert!((update.error - 12.0).abs() < 1e-6);
            // 0.025 of a disc is 6.4 steps.
            let expected = (f32::from(score::CENTRE) + up * 6.0) as u16;
            let mut moved: Vec<u32> = game.terms.clone();
            moved.sort_unstable();
            moved.dedup();
            for number in Layout::shipped().learned() {
                let is_moved = moved.binary_search(&(number as u32)).is_ok();
                let weight = if is_moved { expected } else { score::CENTRE };
                assert_eq!(learner.weight(number), weight, "{number}");
            }
            assert_eq!(learner.n_updates, moved.len() as u64);
            assert_eq!(learner.n_touched, moved.len() as u64);
        }
    }

    /// Two positions, computed by hand. Black moves first and sees +4, White then sees -6 (+6 for
    /// Black), Black wins by 10. Going back: White's position should be worth 10, is worth 0:
    /// error 10. Its weights have trace -1, Black's view. Then Black's: 0.3 · 10 + 0.7 · 6 = 7.2,
    /// is worth 0: error 7.2; its own trace is 1, the other's -0.3.
    #[test]
    fn traces_and_signs_by_hand() {
        let (first, second) = far_apart();
        let game = history(
            &[(first, Side::Black, 4.0), (second, Side::White, -6.0)],
            10,
        );
        let settings = Settings::default();
        let mut learner = Learner::new().unwrap();
        let update = learner.learn(&game, &settings);
        assert!((update.error - 17.2).abs() < 1e-5);
        let n_terms = Layout::shipped().n_terms();
        // A weight that occurs once in the whole game, for each of the two.
        let single = |terms: &[u32]| {
            let once = |term: &&u32| game.terms.iter().filter(|t| t == term).count() == 1;
            *terms.iter().find(once).unwrap() as usize
        };
        let early = single(&game.terms[..n_terms]);
        let late = single(&game.terms[n_terms..]);
        let adam = learner.adam();
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5 * b.abs().max(1.0);
        assert!(close(adam.m[early], 0.1 * 7.2));
        assert!(close(adam.v[early], 0.001 * 7.2 * 7.2));
        let (g1, g2) = (-10.0, -0.3 * 7.2);
        assert!(close(adam.m[late], 0.9 * 0.1 * g1 + 0.1 * g2));
        assert!(close(
            adam.v[late],
            0.999 * 0.001 * g1 * g1 + 0.001 * g2 * g2
        ));
        assert_eq!(adam.t, 2);
        assert!(learner.weight(early) > score::CENTRE);
        assert!(learner.weight(late) < score::CENTRE);
    }

    #[test]
    fn mirror_images_move_together() {
        let (board, _) = far_apart();
        let mut learner = Learner::new().unwrap();
        learner.learn(
            &history(&[(board, Side::Black, 0.0)], 30),
            &Settings::default(),
        );
        let value = |board: Board| {
            use engine::eval::Evaluator as _;
            let pattern = learner.pattern();
            pattern.evaluate(&pattern.root(board), board)
        };
        assert!(value(board) > 0);
        for symmetry in othello::Symmetry::ALL {
            assert_eq!(value(symmetry.board(board)), value(board));
        }
    }

    #[test]
    fn repeated_lessons_are_learned() {
        let (board, _) = far_apart();
        let mut learner = Learner::new().unwrap();
        let game = history(&[(board, Side::White, 0.0)], -20);
        let first = learner.learn(&game, &Settings::default());
        let mut last = first;
        for _ in 0..200 {
            last = learner.learn(&game, &Settings::default());
        }
        assert!(last.error < 0.1 * first.error, "{} discs off", last.error);
    }

    #[test]
    fn broken_moments_reset_their_weight_and_nothing_else() {
        let (board, _) = far_apart();
        let mut learner = Learner::new().unwrap();
        let game = history(&[(board, Side::Black, 0.0)], 12);
        learner.learn(&game, &Settings::default());
        // The two weights of mobility are never the same one.
        let &[.., sound, broken] = game.terms.as_slice() else {
            panic!("a position has weights");
        };
        let [sound, broken] = [sound, broken].map(|term| term as usize);
        learner.adam_mut().m[broken] = f32::NAN;
        let update = learner.learn(&game, &Settings::default());
        assert_eq!(update.repaired, 1);
        assert_eq!(learner.weight(broken), score::CENTRE);
        assert!(learner.weight(sound) > score::CENTRE);
        assert_eq!(learner.learn(&game, &Settings::default()).repaired, 0);
    }

    #[test]
    fn weights_stop_at_the_ends_of_their_range() {
        let (board, _) = far_apart();
        let mut learner = Learner::new().unwrap();
        let settings = Settings {
            alpha: 10.0,
            ..Settings::default()
        };
        let game = history(&[(board, Side::Black, 0.0)], 64);
        let &[.., high, low] = game.terms.as_slice() else {
            panic!("a position has weights");
        };
        let [high, low] = [high, low].map(|term| term as usize);
        learner.set_weight(high, u16::MAX - 100);
        learner.set_weight(low, 100);
        // Worth about nothing together: an error of 64 discs, and ten discs up for everything.
        learner.learn(&game, &settings);
        assert_eq!(learner.weight(high), u16::MAX);
        assert_eq!(learner.weight(low), 100 + 2560);
    }
}
