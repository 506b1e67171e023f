//! The pattern shapes as data, and the geometry that follows from them.
//!
//! A shape is a list of squares; its instances are its distinct images under the eight symmetries
//! of the board, and all of them share one table of weights, indexed by the base-3 number of the
//! discs on the squares (0 empty, 1 mover, 2 opponent; the first square is the lowest digit).

use othello::{Bitboard, Square, Symmetry};
use std::sync::LazyLock;

/// One lane of an accumulator per instance; 64 make four AVX2 registers of 16-bit indices.
pub const LANES: usize = 64;

/// Weights by number of legal moves; no position has more than 33.
pub const MOBILITY_SIZE: usize = 34;

/// The shipped shapes. The last one has no square: its single weight is the stage's constant.
///
/// Squares that change most often in a search come first. A move then changes low digits, so that
/// the next position's weights lie in the same cache lines: by a simulated cache of 32 KB, trees of
/// three plies miss it 2.1 to 3.7 times a leaf instead of 3.9 to 5.4 with corners first.
pub const SHAPES: [&str; 16] = [
    "c3 c2 b3 b2 b1 a2 c1 a3 a1",
    "b2 b1 a2 e1 d1 a4 a5 c1 a3 a1",
    "b2 g2 b1 g1 d1 e1 c1 f1 a1 h1",
    "c2 f2 d2 e2 d1 e1 c1 f1 a1 h1",
    "c2 f2 b2 g2 d2 e2 a2 h2",
    "c3 f3 b3 g3 d3 e3 a3 h3",
    "c4 f4 b4 g4 d4 e4 a4 h4",
    "c3 f6 b2 g7 d4 e5 a1 h8",
    "c2 g6 d3 f5 e4 b1 h7",
    "e3 f4 d2 g5 c1 h6",
    "f3 e2 g4 d1 h5",
    "f2 g3 e1 h4",
    "c2 b2 d2 e2 b1 a2 d1 e1 c1 a1",
    "c2 b3 b2 b1 a2 d1 a4 c1 a3 a1",
    "c3 c2 b3 d3 c4 b2 d4 b1 a2 a1",
    "",
];

/// How many instances each shape has. It follows from the squares, but as a constant it makes every
/// lane's table a fixed distance away, and every index provably inside of it.
const N_INSTANCES: [usize; SHAPES.len()] = [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4, 8, 4, 4, 1];

/// How many lanes are in use.
pub const N_LANES: usize = LAYOUT.n_lanes;

/// For each lane, where its shape's weights start. Unused lanes always have index 0 and point
/// behind the constant: at a weight that stays 0.
pub const LANE_OFFSETS: [usize; LANES] = LAYOUT.lane_offsets;

/// Where the two mobility tables start: [`MOBILITY_SIZE`] weights for the mover's number of legal
/// moves, then as many for the opponent's.
pub const MOBILITY_OFFSET: usize = LAYOUT.n_shape_weights + 1;

/// How many weights a stage has.
pub const N_WEIGHTS: usize = MOBILITY_OFFSET + 2 * MOBILITY_SIZE;

/// So many weights from the start of a stage on are enough for any 16-bit index.
pub(super) const REACH: usize = LAYOUT.n_shape_weights + u16::MAX as usize + 1;

/// Where everything is in the weights of a stage.
struct Layout {
    lane_offsets: [usize; LANES],
    n_lanes: usize,
    /// The weights of all shapes together.
    n_shape_weights: usize,
}

const LAYOUT: Layout = {
    let mut layout = Layout {
        lane_offsets: [0; LANES],
        n_lanes: 0,
        n_shape_weights: 0,
    };
    let mut shape = 0;
    while shape < SHAPES.len() {
        let end = layout.n_lanes + N_INSTANCES[shape];
        while layout.n_lanes < end {
            layout.lane_offsets[layout.n_lanes] = layout.n_shape_weights;
            layout.n_lanes += 1;
        }
        // Two letters a square, and a blank between two.
        layout.n_shape_weights += 3usize.pow((SHAPES[shape].len() as u32).div_ceil(3));
        shape += 1;
    }
    let mut unused = layout.n_lanes;
    while unused < LANES {
        layout.lane_offsets[unused] = layout.n_shape_weights;
        unused += 1;
    }
    layout
};

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
    /// For each square, what a disc there adds to the index of every lane; nothing for the square
    /// behind the last, which stands for none.
    pub contribution: Box<[[u16; LANES]; 65]>,
}

impl Geometry {
    /// The geometry of the shipped shapes.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Geometry> = LazyLock::new(Geometry::new);
        &SHIPPED
    }

    /// For every weight of a stage, the weight that stands for it and its mirror images.
    pub fn sharing(&self) -> Vec<u32> {
        let mut table: Vec<u32> = (0..N_WEIGHTS as u32).collect();
        for shape in &self.shapes {
            for index in 0..shape.size {
                table[shape.offset + index] = (shape.offset + shape.canonical(index)) as u32;
            }
        }
        table
    }

    fn new() -> Self {
        let mut geometry = Self {
            shapes: Vec::new(),
            lane_shape: [usize::MAX; LANES],
            contribution: Box::new([[0; LANES]; 65]),
        };
        for (text, n_instances) in SHAPES.into_iter().zip(N_INSTANCES) {
            geometry.add_shape(text, n_instances);
        }
        geometry
    }

    fn add_shape(&mut self, text: &str, n_instances: usize) {
        let first_lane = N_INSTANCES[..self.shapes.len()].iter().sum::<usize>();
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
            let lane = first_lane + seen.len();
            seen.push(image);
            let mut power = 1;
            for &square in &squares {
                self.contribution[symmetry.square(square).index()][lane] = power;
                power = power.wrapping_mul(3);
            }
            self.lane_shape[lane] = self.shapes.len();
        }
        self.shapes.push(Shape {
            squares,
            offset: LANE_OFFSETS[first_lane],
            size,
            mirror,
        });
        assert_eq!(seen.len(), n_instances, "instances of {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_fit_the_lanes_and_cover_the_board() {
        let geometry = Geometry::shipped();
        assert_eq!(N_LANES, 63);
        let sizes: usize = geometry.shapes.iter().map(|shape| shape.size).sum();
        assert_eq!(MOBILITY_OFFSET, sizes + 1);
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
