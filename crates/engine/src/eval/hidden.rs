//! The hidden layer: what the configurations of a board mean together.
//!
//! The sum of weights values each configuration by itself. A unit of this layer adds one small
//! number for every configuration, and what it adds up to counts between nothing and [`FULL`] only:
//! that a strong edge is worth less beside a lost corner can be expressed. A row of the table holds
//! the numbers of all units for one configuration, so that a configuration costs one load. Stages
//! of a phase share their rows; every number of empty squares has its own bias and weight of each
//! unit: who makes the last move is worth two discs near the end.
//!
//! All arithmetic is of integers: every build finds the same values.
//!
//! A large shape has more configurations than there are positions to learn from. The row of a
//! configuration is therefore the sum of a row of its own and of two for the halves of its squares,
//! which many configurations share. A layer is learned and kept in files in these parts, in which
//! most rows of rare configurations are zeros; searches use the sums.

use super::{
    pattern::{STAGES, UNITS_PER_DISC, stage_of},
    shapes::{Geometry, N_WEIGHTS, REACH},
    weights,
};
use std::{
    borrow::Cow,
    sync::{LazyLock, OnceLock},
};

/// How many units there are.
pub const UNITS: usize = 32;

/// What a unit counts at most; its rows are in units of one over this.
pub const FULL: i16 = 256;

/// The first stage of each phase: a phase has rows of its own.
pub const PHASE_STARTS: [usize; 5] = [0, 7, 11, 16, 22];

/// How many phases there are.
pub const PHASES: usize = PHASE_STARTS.len();

/// The phase that a stage belongs to.
#[inline]
pub const fn phase_of(stage: usize) -> usize {
    PHASE_OF[stage] as usize
}

const PHASE_OF: [u8; STAGES] = {
    let mut phases = [0; STAGES];
    let mut stage = 0;
    while stage < STAGES {
        let mut phase = 0;
        while phase + 1 < PHASES && PHASE_STARTS[phase + 1] <= stage {
            phase += 1;
        }
        phases[stage] = phase as u8;
        stage += 1;
    }
    phases
};

/// What one configuration adds to each unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Row(pub [i8; UNITS]);

impl Row {
    pub const ZERO: Self = Self([0; UNITS]);

    /// Both together. Sums of a layer's parts do not overflow; those of a made-up file may.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|unit| {
            self.0[unit].wrapping_add(other.0[unit])
        }))
    }

    /// What has to be added to `other` to make this.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|unit| {
            self.0[unit].wrapping_sub(other.0[unit])
        }))
    }
}

/// Which halves each weight of a stage has.
#[derive(Debug)]
pub struct Halves {
    /// For every weight its two halves; [`Halves::NONE`] for weights without.
    pub of: Vec<[u32; 2]>,
    /// How many there are.
    pub len: usize,
}

/// Shapes of fewer squares have no halves: their configurations are common enough.
const HALVED_FROM: usize = 6;

impl Halves {
    /// In the place of a half that a weight does not have.
    pub const NONE: u32 = u32::MAX;

    /// The halves of the shipped shapes.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Halves> = LazyLock::new(|| Halves::of(Geometry::shipped()));
        &SHIPPED
    }

    fn of(geometry: &Geometry) -> Self {
        let mut of = vec![[Self::NONE; 2]; N_WEIGHTS];
        let mut len = 0;
        for shape in &geometry.shapes {
            let n_squares = shape.squares.len();
            if n_squares < HALVED_FROM {
                continue;
            }
            let n_low = 3usize.pow(n_squares as u32 / 2);
            for index in 0..shape.size {
                let low = len + index % n_low;
                let high = len + n_low + index / n_low;
                of[shape.offset + index] = [low as u32, high as u32];
            }
            len += n_low + shape.size / n_low;
        }
        Self { of, len }
    }

    /// What the halves of a weight add up to.
    pub fn sum(&self, index: usize, rows: &[Row]) -> Row {
        let halves = self.of[index].iter().filter(|&&half| half != Self::NONE);
        halves.fold(Row::ZERO, |sum, &half| sum.plus(rows[half as usize]))
    }
}

/// What a number of empty squares has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Head {
    /// What each unit has before any configuration is added.
    pub bias: [i16; UNITS],
    /// What each unit is worth when it is full, in 1/[`UNITS_PER_DISC`] of a disc.
    pub weight: [i16; UNITS],
}

impl Head {
    pub const ZERO: Self = Self {
        bias: [0; UNITS],
        weight: [0; UNITS],
    };
}

/// The rows of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// A row for every weight of a stage, its halves included.
    pub rows: Vec<Row>,
    /// The rows of all halves, which files are made from.
    pub halves: Vec<Row>,
}

/// How many heads there are: one for every number of empty squares up to the start.
pub const HEADS: usize = 2 * STAGES + 1;

/// The rows of all phases and a head for every number of empty squares.
pub struct Hidden {
    /// Unpacked when they are first asked for: 15 megabytes each, and many a program values boards
    /// of one phase only.
    phases: [OnceLock<Phase>; PHASES],
    packed: [Cow<'static, [u8]>; PHASES],
    heads: Box<[Head; HEADS]>,
}

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hidden").finish_non_exhaustive()
    }
}

impl Phase {
    /// Puts zeros behind the rows, as far as an index can reach.
    ///
    /// # Panics
    ///
    /// If there are more or fewer rows than weights of a stage, or than halves.
    fn padded(mut self) -> Self {
        let n_halves = Halves::shipped().len;
        assert!(
            self.rows.len() == N_WEIGHTS && self.halves.len() == n_halves,
            "the rows of a phase"
        );
        self.rows.reserve_exact(REACH - N_WEIGHTS);
        self.rows.resize(REACH, Row::ZERO);
        self
    }
}

impl Hidden {
    /// A layer from its numbers.
    ///
    /// # Panics
    ///
    /// If there are more or fewer rows than weights of a stage, or than halves.
    pub fn new(phases: [Phase; PHASES], heads: Box<[Head; HEADS]>) -> Self {
        Self {
            phases: phases.map(|phase| OnceLock::from(phase.padded())),
            packed: [const { Cow::Borrowed(&[]) }; PHASES],
            heads,
        }
    }

    /// A layer whose rows are still packed as in a file.
    pub(super) const fn packed(
        packed: [Cow<'static, [u8]>; PHASES],
        heads: Box<[Head; HEADS]>,
    ) -> Self {
        Self {
            phases: [const { OnceLock::new() }; PHASES],
            packed,
            heads,
        }
    }

    #[inline]
    fn phase(&self, phase: usize) -> &Phase {
        self.phases[phase].get_or_init(|| weights::unpack(&self.packed[phase]).padded())
    }

    /// The rows of a phase's halves.
    pub fn halves(&self, phase: usize) -> &[Row] {
        &self.phase(phase).halves
    }

    /// The rows of a phase, one for every weight of a stage.
    pub fn rows(&self, phase: usize) -> &[Row] {
        &self.phase(phase).rows[..N_WEIGHTS]
    }

    /// The head for so many empty squares.
    pub fn head(&self, n_empties: usize) -> &Head {
        &self.heads[n_empties]
    }

    /// The rows and the head that value a board with so many empty squares.
    #[inline]
    pub(super) fn of(&self, n_empties: u32) -> (&[Row; REACH], &Head) {
        let rows = self
            .phase(phase_of(stage_of(n_empties)))
            .rows
            .first_chunk()
            .expect("every phase is padded");
        (rows, &self.heads[(n_empties as usize).min(HEADS - 1)])
    }
}

/// What the units add up to, before they are clipped, as many together as an AVX2 register holds:
/// the compiler makes vector instructions of loops over one such block, not of longer ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units([[i16; BLOCK]; UNITS / BLOCK]);

const BLOCK: usize = 16;

impl Units {
    #[inline(always)]
    pub(super) fn new(head: &Head) -> Self {
        let (blocks, []) = head.bias.as_chunks() else {
            unreachable!("the units are whole blocks");
        };
        Self(std::array::from_fn(|block| blocks[block]))
    }

    #[inline(always)]
    pub(super) fn add(&mut self, row: &Row) {
        for (block, numbers) in self.0.iter_mut().zip(row.0.as_chunks::<BLOCK>().0) {
            for at in 0..BLOCK {
                block[at] = block[at].wrapping_add(i16::from(numbers[at]));
            }
        }
    }

    /// What they are worth, in 1/[`UNITS_PER_DISC`] of a disc.
    #[inline(always)]
    pub(super) fn value(&self, head: &Head) -> i32 {
        let mut sum = 0;
        for (block, weights) in self.0.iter().zip(head.weight.as_chunks::<BLOCK>().0) {
            for at in 0..BLOCK {
                sum += i32::from(block[at].clamp(0, FULL)) * i32::from(weights[at]);
            }
        }
        sum / i32::from(FULL)
    }
}

const _: () = assert!(UNITS_PER_DISC == 256 && UNITS.is_multiple_of(BLOCK));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_belongs_to_one_shape() {
        let halves = Halves::shipped();
        let mut owners = vec![None; halves.len];
        for (number, shape) in Geometry::shipped().shapes.iter().enumerate() {
            for index in 0..shape.size {
                for half in halves.of[shape.offset + index] {
                    if half == Halves::NONE {
                        assert!(shape.squares.len() < HALVED_FROM);
                        continue;
                    }
                    let owner = &mut owners[half as usize];
                    assert!(owner.is_none_or(|owner| owner == number));
                    *owner = Some(number);
                }
            }
        }
        assert!(owners.iter().all(Option::is_some));
    }

    #[test]
    fn phases_begin_where_they_say() {
        for (phase, &first) in PHASE_STARTS.iter().enumerate() {
            assert_eq!(phase_of(first), phase);
            assert!(first == 0 || phase_of(first - 1) == phase - 1);
        }
        assert_eq!(phase_of(STAGES - 1), PHASES - 1);
    }
}
