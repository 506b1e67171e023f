//! The pattern shapes as data, and the geometry that follows from them.
//!
//! A shape is a list of squares; its instances are its distinct images under the eight symmetries
//! of the board, and all of them share one table of weights, indexed by the base-3 number of the
//! discs on the squares (0 empty, 1 mover, 2 opponent; the first square is the lowest digit).

pub use crate::arch::LaneOffsets;
use othello::{Bitboard, Square, Symmetry};
use std::sync::LazyLock;

/// One lane of an accumulator per instance; 64 make four AVX2 registers of 16-bit indices.
pub const LANES: usize = 64;

/// Weights by number of legal moves; no position has more than 33.
pub const MOBILITY_SIZE: usize = 34;

/// The shipped shapes. The last one has no square: its single weight is the stage's constant.
pub const SHAPES: [&str; 16] = [
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "e1 d1 c1 b1 a1 b2 a2 a3 a4 a5",
    "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1",
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "e1 f2 g3 h4",
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4",
    "",
];

/// A shape with its place in the table of a stage.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its squares, lowest digit first.
    pub squares: Vec<Square>,
    /// Where its weights start.
    pub offset: usize,
    /// How many weights it has: 3 to the number of squares.
    pub size: usize,
    /// The digit permutation of the symmetry that maps the shape onto itself, if there is one:
    /// configurations that differ by it are the same and share a weight.
    mirror: Option<Vec<usize>>,
}

impl Shape {
    /// The configuration that stands for `index` and its mirror image: the smaller of the two.
    pub fn canonical(&self, index: usize) -> usize {
        index.min(self.mirrored(index))
    }

    /// The mirror image of a configuration; of a shape without symmetry, the configuration itself.
    pub fn mirrored(&self, index: usize) -> usize {
        let Some(mirror) = &self.mirror else {
            return index;
        };
        let mut digits = [0; 10];
        let mut rest = index;
        for digit in digits.iter_mut().take(self.squares.len()) {
            *digit = rest % 3;
            rest /= 3;
        }
        mirror
            .iter()
            .rev()
            .fold(0, |sum, &from| sum * 3 + digits[from])
    }
}

/// Everything derived from a list of shapes.
#[derive(Debug)]
pub struct Geometry {
    /// The shapes in order.
    pub shapes: Vec<Shape>,
    /// For each lane, the shape it belongs to.
    pub lane_shape: [usize; LANES],
    /// For each lane, where its shape's weights start.
    pub lane_offset: LaneOffsets,
    /// For each square, what a disc there adds to the index of every lane.
    pub contribution: Box<[[u16; LANES]; 64]>,
    /// Where the two mobility tables start: [`MOBILITY_SIZE`] weights for the mover's number of
    /// legal moves, then as many for the opponent's.
    pub mobility_offset: usize,
    /// How many weights a stage has.
    pub n_weights: usize,
    /// How many lanes are in use.
    pub n_lanes: usize,
}

impl Geometry {
    /// The geometry of the shipped shapes.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Geometry> = LazyLock::new(|| Geometry::new(&SHAPES));
        &SHIPPED
    }

    /// For every weight of a stage, the weight that stands for it and its mirror images.
    pub fn sharing(&self) -> Vec<u32> {
        let mut table: Vec<u32> = (0..self.n_weights as u32).collect();
        for shape in &self.shapes {
            for index in 0..shape.size {
                table[shape.offset + index] = (shape.offset + shape.canonical(index)) as u32;
            }
        }
        table
    }

    fn new(texts: &[&str]) -> Self {
        let mut geometry = Self {
            shapes: Vec::new(),
            lane_shape: [0; LANES],
            lane_offset: LaneOffsets::new([0; LANES]),
            contribution: Box::new([[0; LANES]; 64]),
            mobility_offset: 0,
            n_weights: 0,
            n_lanes: 0,
        };
        let mut offsets = [0; LANES];
        for text in texts {
            geometry.add_shape(text, &mut offsets);
        }
        // Unused lanes always have index 0; let them point at the constant's neighbour: a weight
        // that stays 0.
        geometry.lane_shape[geometry.n_lanes..].fill(usize::MAX);
        offsets[geometry.n_lanes..].fill(geometry.n_weights as u32);
        geometry.lane_offset = LaneOffsets::new(offsets);
        geometry.mobility_offset = geometry.n_weights + 1;
        geometry.n_weights = geometry.mobility_offset + 2 * MOBILITY_SIZE;
        geometry
    }

    fn add_shape(&mut self, text: &str, offsets: &mut [u32; LANES]) {
        let squares: Vec<Square> = text
            .split_whitespace()
            .map(|name| name.parse().expect("shapes are made of squares"))
            .collect();
        let set: Bitboard = squares.iter().copied().collect();
        let mirror = Symmetry::ALL
            .into_iter()
            .skip(1)
            .find(|symmetry| !squares.is_empty() && symmetry.bitboard(set) == set)
            .map(|symmetry| {
                squares
                    .iter()
                    .map(|&square| {
                        let image = symmetry.square(square);
                        squares.iter().position(|&s| s == image).unwrap_or(0)
                    })
                    .collect()
            });
        let size = 3usize.pow(squares.len() as u32);
        let mut seen = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = symmetry.bitboard(set);
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            let lane = self.n_lanes;
            let mut power = 1;
            for &square in &squares {
                self.contribution[symmetry.square(square).index()][lane] = power;
                power = power.wrapping_mul(3);
            }
            self.lane_shape[lane] = self.shapes.len();
            offsets[lane] = self.n_weights as u32;
            self.n_lanes += 1;
        }
        self.shapes.push(Shape {
            squares,
            offset: self.n_weights,
            size,
            mirror,
        });
        self.n_weights += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_fit_the_lanes_and_cover_the_board() {
        let geometry = Geometry::shipped();
        assert_eq!(geometry.n_lanes, 63);
        for square in Square::all() {
            let lanes = geometry.contribution[square.index()];
            assert!(
                lanes.iter().filter(|&&power| power > 0).count() >= 4,
                "{square}"
            );
        }
    }

    #[test]
    fn canonical_configurations_are_idempotent_and_halve_symmetric_tables() {
        for shape in &Geometry::shipped().shapes {
            let mut n_canonical = 0;
            for index in 0..shape.size {
                let canonical = shape.canonical(index);
                assert_eq!(shape.canonical(canonical), canonical);
                n_canonical += usize::from(canonical == index);
            }
            if shape.mirror.is_some() {
                assert!(n_canonical < shape.size * 3 / 4, "{:?}", shape.squares);
            }
        }
    }
}
