//! The hidden layer of the pattern evaluation, learned from what the sum of weights leaves over.
//!
//! Plain stochastic gradient descent, one position a step, with a step length of its own for every
//! number (Duchi, Hazan and Singer, *Adaptive Subgradient Methods*, 2011): most configurations are
//! rare, and the few positions that have one must not move it as often as a common one.
//!
//! The rows of halves ([`Halves`]) took the error on games held out from 5.20 to 5.13 discs, with
//! 440,000 positions around 24 empty squares.

use crate::{
    data::{Labelled, Origin},
    stages::StageError,
};
use engine::eval::{
    Evaluator as _,
    hidden::{
        FULL, HEADS, Halves, Head, Hidden, PHASE_STARTS, PHASES, Phase, Row, UNITS, phase_of,
    },
    pattern::{Indices, Pattern, STAGES, UNITS_PER_DISC, mobility_terms, stage_of},
    shapes::{Geometry, LANE_OFFSETS, LANES, N_WEIGHTS},
};
use othello::{Board, sample::SplitMix64};
use rayon::prelude::*;

/// How the layer is learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HiddenSettings {
    /// How often all positions are gone through.
    pub epochs: usize,
    /// Length of the first steps; it shrinks evenly to a twentieth.
    pub rate: f32,
    /// How strongly rows are pulled back to nothing.
    pub decay: f32,
    /// What a configuration has moved before its first position, squared: more makes rare ones move
    /// less.
    pub caution: f32,
    /// What a searched value counts against an exact one.
    pub search_weight: f32,
    /// Begin with the layer that the weights have in place of one made by chance.
    pub go_on: bool,
    /// Where chance comes from: first rows, and the order of positions.
    pub seed: u64,
}

impl Default for HiddenSettings {
    fn default() -> Self {
        Self {
            epochs: 6,
            rate: 0.06,
            decay: 0.1,
            caution: 100.0,
            search_weight: 0.6,
            go_on: false,
            seed: 1,
        }
    }
}

/// What is told after each pass over the positions of a phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochError {
    /// The phase by its first and last stage.
    pub stages: (usize, usize),
    /// Passes that are done.
    pub epoch: usize,
    pub n_train: usize,
    /// Mean absolute error of the pass, each position before it was learned from, in discs.
    pub train: f64,
    pub n_held_out: usize,
    pub held_out: f64,
}

/// A position as the layer sees it.
struct Sample {
    terms: [u32; TERMS],
    /// What the layer should say, in discs.
    residual: f32,
    weight: f32,
    /// Which head of the phase is its own.
    head: u8,
}

/// The lanes of shapes and the two of mobility.
const TERMS: usize = LANES + 2;

/// Neighbouring stages so far outside of a phase are learned from, too.
const OVERLAP: usize = 1;

/// Learns a layer on top of `base`, whose own hidden layer counts only if the settings go on from it.
/// Errors are those of the whole evaluation. Phases are learned at the same time; each is the same with any number of
/// threads.
pub fn fit_hidden(
    data: &[Labelled],
    base: &Pattern,
    settings: HiddenSettings,
    observe: &(dyn Fn(EpochError) + Sync),
) -> Hidden {
    let learned: Vec<Learner> = (0..PHASES)
        .into_par_iter()
        .map(|phase| Learner::learn(data, base, phase, settings, observe))
        .collect();
    let mut heads = Box::new([Head::ZERO; HEADS]);
    for (n_empties, head) in learned.iter().flat_map(Learner::heads) {
        heads[n_empties] = head;
    }
    let phases = std::array::from_fn(|phase| learned[phase].rows());
    Hidden::new(phases, heads)
}

/// How far the whole evaluation is from the data, by stage.
pub fn stage_errors(data: &[Labelled], pattern: &Pattern) -> Vec<StageError> {
    let errors: Vec<f64> = data
        .par_iter()
        .map(|labelled| {
            let value = pattern.evaluate(&pattern.root(labelled.board), labelled.board);
            f64::from((value - i32::from(labelled.value)).abs()) / 100.0
        })
        .collect();
    let mut sums = [(0, 0.0, 0, 0.0); STAGES];
    for (labelled, error) in data.iter().zip(errors) {
        if labelled.origin == Origin::Later {
            continue;
        }
        let (n_train, train, n_held_out, held_out) =
            &mut sums[stage_of(labelled.board.empties().len())];
        if labelled.held_out {
            *n_held_out += 1;
            *held_out += error;
        } else {
            *n_train += 1;
            *train += error;
        }
    }
    let mean = |sum: f64, n: usize| sum / n.max(1) as f64;
    let stages = sums.into_iter().enumerate();
    stages
        .map(
            |(stage, (n_train, train, n_held_out, held_out))| StageError {
                stage,
                n_train,
                train: mean(train, n_train),
                n_held_out,
                held_out: mean(held_out, n_held_out),
            },
        )
        .collect()
}

/// The stages of a phase.
fn stages_of(phase: usize) -> (usize, usize) {
    let next = PHASE_STARTS.get(phase + 1).copied().unwrap_or(STAGES);
    (PHASE_STARTS[phase], next - 1)
}

/// The positions of a phase: those to learn from and those held out.
fn samples(
    data: &[Labelled],
    base: &Pattern,
    phase: usize,
    settings: HiddenSettings,
) -> (Vec<Sample>, Vec<Sample>) {
    let sharing = Geometry::shipped().sharing();
    let (first, last) = stages_of(phase);
    let near = first.saturating_sub(OVERLAP)..=last + OVERLAP;
    let sample = |labelled: &&Labelled| {
        let board = labelled.board;
        let linear = base.estimate(&base.root(board), board);
        let n_empties = board.empties().len();
        Sample {
            terms: terms(board, &sharing),
            residual: (i32::from(labelled.value) - linear) as f32 / 100.0,
            weight: match labelled.origin {
                Origin::Exact => 1.0,
                _ => settings.search_weight,
            },
            // A neighbour's position has the nearest head of the same parity.
            head: {
                let stage = stage_of(n_empties).clamp(first, last) - first;
                2 * stage as u8 + (n_empties % 2) as u8
            },
        }
    };
    let (held_out, train): (Vec<&Labelled>, Vec<&Labelled>) = data
        .iter()
        .filter(|labelled| {
            let stage = stage_of(labelled.board.empties().len());
            let measures = !labelled.held_out || phase_of(stage) == phase;
            labelled.origin != Origin::Later && near.contains(&stage) && measures
        })
        .partition(|labelled| labelled.held_out);
    (
        train.par_iter().map(sample).collect(),
        held_out.par_iter().map(sample).collect(),
    )
}

fn terms(board: Board, sharing: &[u32]) -> [u32; TERMS] {
    let lanes = Indices::of(board).lanes();
    let mobility = mobility_terms(board);
    std::array::from_fn(|term| match term.checked_sub(LANES) {
        Some(side) => mobility[side] as u32,
        None => sharing[LANE_OFFSETS[term] + usize::from(lanes[term])],
    })
}

/// One number for each unit.
type Numbers = [f32; UNITS];

/// Numbers that move by steps of their own length.
#[derive(Debug, Clone)]
struct Moving {
    numbers: Vec<Numbers>,
    /// The squares of all gradients so far.
    traces: Vec<Numbers>,
}

impl Moving {
    fn new(numbers: Vec<Numbers>, trace: f32) -> Self {
        Self {
            traces: vec![[trace; UNITS]; numbers.len()],
            numbers,
        }
    }

    #[inline]
    fn step(&mut self, at: usize, gradient: &Numbers, rate: f32, decay: f32) {
        let (numbers, traces) = (&mut self.numbers[at], &mut self.traces[at]);
        for unit in 0..UNITS {
            traces[unit] += gradient[unit] * gradient[unit];
            let pulled = gradient[unit] + decay * numbers[unit];
            numbers[unit] -= rate * pulled / traces[unit].sqrt();
        }
    }
}

/// What is learned of one phase.
struct Learner {
    settings: HiddenSettings,
    first_stage: usize,
    /// A row for every weight of a stage.
    own: Moving,
    halves: Moving,
    biases: Moving,
    weights: Moving,
}

/// What the first rows, biases and weights are at most; weights are in discs.
const FIRST_ROW: f32 = 0.02;
const FIRST_BIAS: f32 = 0.6;
const FIRST_WEIGHT: f32 = 4.0;

/// Rows and biases move by so much of the rate, weights by so many times of it.
const ROW_RATE: f32 = 0.25;
const WEIGHT_RATE: f32 = 4.0;

/// Errors in discs beyond this pull no harder.
const LARGE_ERROR: f32 = 24.0;

/// Gradients are counted in errors of so many discs.
const ERROR_SCALE: f32 = 8.0;

impl Learner {
    fn learn(
        data: &[Labelled],
        base: &Pattern,
        phase: usize,
        settings: HiddenSettings,
        observe: &(dyn Fn(EpochError) + Sync),
    ) -> Self {
        let (train, held_out) = samples(data, base, phase, settings);
        let (first, last) = stages_of(phase);
        let mut random = SplitMix64::new(settings.seed.wrapping_add(phase as u64));
        let mut learner = Self::new(settings, first, last, &mut random);
        if let Some(layer) = base.hidden().filter(|_| settings.go_on) {
            learner.take_over(layer, phase);
        }
        let mut order: Vec<u32> = (0..train.len() as u32).collect();
        for epoch in 0..settings.epochs {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at as u32 + 1) as usize);
            }
            let done = epoch as f32 / settings.epochs as f32;
            let rate = settings.rate * (1.0 - done).max(0.05);
            let mut sum = 0.0;
            for &at in &order {
                sum += f64::from(learner.step(&train[at as usize], rate).abs());
            }
            let missed: f64 = held_out
                .iter()
                .map(|sample| f64::from((learner.value(sample).1 - sample.residual).abs()))
                .sum();
            observe(EpochError {
                stages: (first, last),
                epoch: epoch + 1,
                n_train: train.len(),
                train: sum / train.len().max(1) as f64,
                n_held_out: held_out.len(),
                held_out: missed / held_out.len().max(1) as f64,
            });
        }
        learner.fill_heads(&train);
        learner
    }

    /// Heads that no position has moved are still what chance made them: each becomes that of the
    /// nearest number of empty squares of the same parity, or says nothing if there is none.
    fn fill_heads(&mut self, train: &[Sample]) {
        let n_heads = self.weights.numbers.len();
        let mut met = vec![false; n_heads];
        for sample in train {
            met[usize::from(sample.head)] = true;
        }
        for head in (0..n_heads).filter(|&head| !met[head]) {
            let nearest = (0..n_heads)
                .filter(|&other| met[other] && other % 2 == head % 2)
                .min_by_key(|&other| other.abs_diff(head));
            if let Some(nearest) = nearest {
                self.biases.numbers[head] = self.biases.numbers[nearest];
                self.weights.numbers[head] = self.weights.numbers[nearest];
            } else {
                self.weights.numbers[head] = [0.0; UNITS];
            }
        }
    }

    fn new(
        settings: HiddenSettings,
        first_stage: usize,
        last_stage: usize,
        random: &mut SplitMix64,
    ) -> Self {
        let n_heads = 2 * (last_stage - first_stage + 1);
        let mut within = |size: f32| (random.unit_f64() as f32 - 0.5) * 2.0 * size;
        let mut random_rows = |n: usize| -> Vec<Numbers> {
            let row = |_| std::array::from_fn(|_| within(FIRST_ROW));
            (0..n).map(row).collect()
        };
        // Configurations that no position has stay at nothing; the halves are what tells the units
        // apart at first.
        let own = vec![[0.0; UNITS]; N_WEIGHTS];
        let halves = random_rows(Halves::shipped().len);
        let bias = std::array::from_fn(|_| (within(1.0) + 1.0) * FIRST_BIAS / 2.0);
        let weight = std::array::from_fn(|_| within(FIRST_WEIGHT));
        Self {
            settings,
            first_stage,
            own: Moving::new(own, settings.caution),
            halves: Moving::new(halves, settings.caution),
            biases: Moving::new(vec![bias; n_heads], 0.01),
            weights: Moving::new(vec![weight; n_heads], 1.0),
        }
    }

    /// Begins with what a layer has learned before, as exactly as files keep it.
    fn take_over(&mut self, layer: &Hidden, phase: usize) {
        let full = f32::from(FULL);
        let below = layer.halves(phase);
        let sharing = Geometry::shipped().sharing();
        for (row, &shared) in layer.rows(phase).iter().zip(&sharing) {
            let own = row.minus(Halves::shipped().sum(shared as usize, below));
            self.own.numbers[shared as usize] = own.0.map(|number| f32::from(number) / full);
        }
        for (numbers, row) in self.halves.numbers.iter_mut().zip(below) {
            *numbers = row.0.map(|number| f32::from(number) / full);
        }
        let heads = self
            .biases
            .numbers
            .iter_mut()
            .zip(&mut self.weights.numbers);
        for (at, (bias, weight)) in heads.enumerate() {
            let head = layer.head(2 * self.first_stage + at);
            *bias = head.bias.map(|number| f32::from(number) / full);
            *weight = head
                .weight
                .map(|number| f32::from(number) / UNITS_PER_DISC as f32);
        }
    }

    /// What the units add up to, and what the layer says.
    #[inline]
    fn value(&self, sample: &Sample) -> (Numbers, f32) {
        let head = usize::from(sample.head);
        let mut units = self.biases.numbers[head];
        let mut add = |numbers: &Numbers| {
            for unit in 0..UNITS {
                units[unit] += numbers[unit];
            }
        };
        let of = Halves::shipped();
        for &term in &sample.terms {
            add(&self.own.numbers[term as usize]);
            for half in of.of[term as usize] {
                if half != Halves::NONE {
                    add(&self.halves.numbers[half as usize]);
                }
            }
        }
        let weights = &self.weights.numbers[head];
        let parts = units.iter().zip(weights);
        let value = parts.map(|(unit, weight)| unit.clamp(0.0, 1.0) * weight);
        (units, value.sum())
    }

    /// Learns from a position; how far the layer was off.
    #[inline]
    fn step(&mut self, sample: &Sample, rate: f32) -> f32 {
        let head = usize::from(sample.head);
        let (units, value) = self.value(sample);
        let error = value - sample.residual;
        let pull = sample.weight * error.clamp(-LARGE_ERROR, LARGE_ERROR) / ERROR_SCALE;
        let weights = &self.weights.numbers[head];
        let to_units: Numbers = std::array::from_fn(|unit| {
            let is_inside = units[unit] > 0.0 && units[unit] < 1.0;
            if is_inside { pull * weights[unit] } else { 0.0 }
        });
        let to_weights: Numbers = std::array::from_fn(|unit| pull * units[unit].clamp(0.0, 1.0));
        self.weights
            .step(head, &to_weights, WEIGHT_RATE * rate, 0.0);
        let rate = ROW_RATE * rate;
        self.biases.step(head, &to_units, rate, 0.0);
        let (of, decay) = (Halves::shipped(), self.settings.decay);
        for &term in &sample.terms {
            self.own.step(term as usize, &to_units, rate, decay);
            for half in of.of[term as usize] {
                if half != Halves::NONE {
                    self.halves.step(half as usize, &to_units, rate, decay);
                }
            }
        }
        error
    }

    /// The rows as the evaluator has them; mirror images have the same.
    fn rows(&self) -> Phase {
        let fixed = |numbers: &Numbers, most: f32| {
            numbers.map(|number| (number * f32::from(FULL)).round().clamp(-most, most) as i8)
        };
        // Two halves together fit into a row.
        let halves = self.halves.numbers.iter();
        let halves: Vec<Row> = halves.map(|half| Row(fixed(half, 63.0))).collect();
        let sharing = Geometry::shipped().sharing();
        let row = |&shared: &u32| {
            let below = Halves::shipped().sum(shared as usize, &halves);
            let own = fixed(&self.own.numbers[shared as usize], 127.0);
            Row(std::array::from_fn(|unit| {
                below.0[unit].saturating_add(own[unit])
            }))
        };
        Phase {
            rows: sharing.iter().map(row).collect(),
            halves,
        }
    }

    fn heads(&self) -> Vec<(usize, Head)> {
        let fixed = |numbers: &Numbers, scale: f32| {
            numbers.map(|number| (number * scale).round().clamp(-32_000.0, 32_000.0) as i16)
        };
        let pairs = self.biases.numbers.iter().zip(&self.weights.numbers);
        pairs
            .enumerate()
            .map(|(at, (bias, weight))| {
                let head = Head {
                    bias: fixed(bias, f32::from(FULL)),
                    weight: fixed(weight, UNITS_PER_DISC as f32),
                };
                (2 * self.first_stage + at, head)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Bitboard, sample::random_boards};

    /// A value that no sum of weights can express: whether both sides hold a corner, or neither.
    fn value(board: Board) -> i16 {
        let holds = |set: Bitboard| !(set & Bitboard::CORNERS).is_empty();
        if holds(board.mover()) == holds(board.opponent()) {
            1000
        } else {
            -1000
        }
    }

    fn data(seed: u64, n: usize, held_out: bool) -> Vec<Labelled> {
        random_boards(seed)
            .filter(|board| (22..32).contains(&board.empties().len()))
            .take(n)
            .map(|board| Labelled {
                board,
                value: value(board),
                origin: Origin::Exact,
                held_out,
            })
            .collect()
    }

    #[test]
    fn numbers_of_squares_without_positions_take_the_nearest_head() {
        let met = data(5, 2_000, false);
        let settings = HiddenSettings {
            epochs: 1,
            ..HiddenSettings::default()
        };
        let hidden = fit_hidden(&met, &Pattern::blank(), settings, &|_| {});
        // Positions have 22 to 31 empty squares; those of 30 and 31 reach into the next phase.
        assert_eq!(hidden.head(42), hidden.head(32));
        assert_eq!(hidden.head(43), hidden.head(33));
        assert_ne!(hidden.head(32), hidden.head(33));
        assert_eq!(hidden.head(50).weight, [0; UNITS]);
    }

    #[test]
    fn what_was_learned_before_is_where_learning_goes_on() {
        let settings = HiddenSettings {
            epochs: 2,
            ..HiddenSettings::default()
        };
        let met = data(6, 2_000, false);
        let learned = fit_hidden(&met, &Pattern::blank(), settings, &|_| {});
        let heads =
            |layer: &Hidden| -> Vec<Head> { (0..HEADS - 1).map(|n| *layer.head(n)).collect() };
        let (rows, before) = (learned.rows(2).to_vec(), heads(&learned));
        let base = Pattern::blank().with_hidden(Some(learned));
        let go_on = |epochs| {
            let settings = HiddenSettings {
                epochs,
                go_on: true,
                ..settings
            };
            fit_hidden(&met, &base, settings, &|_| {})
        };
        let same = go_on(0);
        assert_eq!(same.rows(2), rows);
        assert_eq!(heads(&same), before);
        assert_ne!(go_on(1).rows(2), rows);
    }

    #[test]
    fn what_no_sum_can_express_is_learned() {
        let mut both = data(3, 20_000, false);
        both.extend(data(4, 1_000, true));
        let blank = Pattern::blank();
        let hidden = fit_hidden(&both, &blank, HiddenSettings::default(), &|_| {});
        let again = fit_hidden(&both, &blank, HiddenSettings::default(), &|_| {});
        for phase in 0..PHASES {
            assert_eq!(hidden.rows(phase), again.rows(phase), "phase {phase}");
        }
        let pattern = blank.with_hidden(Some(hidden));
        let errors = stage_errors(&both, &pattern);
        let n: usize = errors.iter().map(|stage| stage.n_held_out).sum();
        let sum: f64 = errors
            .iter()
            .map(|stage| stage.held_out * stage.n_held_out as f64)
            .sum();
        assert_eq!(n, 1_000);
        assert!(sum / 1_000.0 < 5.0, "{} discs", sum / 1_000.0);
    }
}
