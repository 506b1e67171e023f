//! The trained evaluation: a sum of weights, one per pattern instance, by stage of the game.

use super::{
    Evaluator,
    shapes::{Geometry, LANES, MOBILITY_SIZE},
};
use othello::{Bitboard, Board, Square};
use std::{collections::BTreeMap, sync::Arc};

/// Two plies a stage; stage 0 is the full board, stage 29 the start.
pub const STAGES: usize = 30;

/// Weights are in 1/256 of a disc.
pub const UNITS_PER_DISC: i32 = 256;

/// The stage of a position by its empty squares.
#[inline]
pub const fn stage_of(n_empties: u32) -> usize {
    let stage = n_empties as usize / 2;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The base-3 indices of all instances, as two halves so that changing sides is a swap: `own` has
/// the mover's discs as ones, `other` the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Indices {
    own: [u16; LANES],
    other: [u16; LANES],
}

impl Indices {
    /// The indices of a board from scratch.
    pub fn of(board: Board) -> Self {
        let contribution = &Geometry::shipped().contribution;
        let sum = |set: Bitboard| {
            let mut total = [0; LANES];
            for square in set {
                add(&mut total, &contribution[square.index()]);
            }
            total
        };
        Self {
            own: sum(board.mover()),
            other: sum(board.opponent()),
        }
    }

    /// The indices after the mover plays `square` and turns `flips`, seen by the other side.
    #[inline]
    #[must_use]
    pub fn play(&self, geometry: &Geometry, square: Square, flips: Bitboard) -> Self {
        let mut turned = [0; LANES];
        for flipped in flips {
            add(&mut turned, &geometry.contribution[flipped.index()]);
        }
        let placed = &geometry.contribution[square.index()];
        let mut next = Self {
            own: [0; LANES],
            other: [0; LANES],
        };
        for lane in 0..LANES {
            next.own[lane] = self.other[lane].wrapping_sub(turned[lane]);
            next.other[lane] = self.own[lane]
                .wrapping_add(turned[lane])
                .wrapping_add(placed[lane]);
        }
        next
    }

    /// The same board seen by the other side.
    #[inline]
    #[must_use]
    pub const fn swapped(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
        }
    }

    /// The index of every lane.
    #[inline]
    pub fn lanes(&self) -> [u16; LANES] {
        let mut lanes = [0; LANES];
        for ((lane, own), other) in lanes.iter_mut().zip(&self.own).zip(&self.other) {
            *lane = own.wrapping_add(other.wrapping_mul(2));
        }
        lanes
    }
}

#[inline]
fn add(total: &mut [u16; LANES], terms: &[u16; LANES]) {
    for (sum, term) in total.iter_mut().zip(terms) {
        *sum = sum.wrapping_add(*term);
    }
}

/// Which weights of a stage count the two sides' legal moves.
#[inline]
pub fn mobility_terms(geometry: &Geometry, board: Board) -> [usize; 2] {
    let capped = |board: Board| (board.mobility() as usize).min(MOBILITY_SIZE - 1);
    [
        geometry.mobility_offset + capped(board),
        geometry.mobility_offset + MOBILITY_SIZE + capped(board.swapped()),
    ]
}

/// A part of the board, or of the evaluation, that pattern instances belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Instances that contain one corner.
    Corner(Square),
    /// Instances along the edge a1–h1, with both of its corners.
    TopEdge,
    /// The edge a8–h8.
    BottomEdge,
    /// The edge a1–a8.
    LeftEdge,
    /// The edge h1–h8.
    RightEdge,
    /// All diagonals.
    Diagonals,
    /// Rows and columns inside of the edges.
    Centre,
    /// The numbers of legal moves.
    Mobility,
    /// The stage's constant, and what rounding takes or gives.
    Stage,
}

impl Area {
    /// The area of an instance by its squares.
    fn of(squares: Bitboard) -> Self {
        let corners: Vec<Square> = (squares & Bitboard::CORNERS).into_iter().collect();
        let straight = |same: fn(Square) -> u8| {
            let mut lines = squares.into_iter().map(same);
            let first = lines.next();
            lines.all(|line| Some(line) == first)
        };
        match corners[..] {
            _ if squares.is_empty() => Self::Stage,
            [corner] => Self::Corner(corner),
            [one, other] if one.rank() == other.rank() && one.rank() == 0 => Self::TopEdge,
            [one, other] if one.rank() == other.rank() => Self::BottomEdge,
            [one, other] if one.file() == other.file() && one.file() == 0 => Self::LeftEdge,
            [one, other] if one.file() == other.file() => Self::RightEdge,
            _ if straight(Square::rank) || straight(Square::file) => Self::Centre,
            _ => Self::Diagonals,
        }
    }
}

/// The evaluator: quantised weights of all stages. Clones share them.
#[derive(Clone)]
pub struct Pattern {
    geometry: &'static Geometry,
    /// `STAGES` tables of `geometry.n_weights` each, and zeros as far as any index can reach.
    weights: Arc<[i16]>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pattern")
            .field("n_weights", &self.weights.len())
            .finish_non_exhaustive()
    }
}

impl Pattern {
    /// An evaluator from all weights, stage after stage; `None` if their number is wrong.
    pub fn from_weights(mut weights: Vec<i16>) -> Option<Self> {
        let geometry = Geometry::shipped();
        if weights.len() != STAGES * geometry.n_weights {
            return None;
        }
        weights.resize(weights.len() + geometry.lane_offset.reach(), 0);
        Some(Self {
            geometry,
            weights: weights.into(),
        })
    }

    /// The weights of one stage.
    pub fn stage(&self, stage: usize) -> &[i16] {
        let n = self.geometry.n_weights;
        &self.weights[stage * n..(stage + 1) * n]
    }

    /// What each area adds to the static value of a board, in centidiscs for the side to move. The
    /// sum over all areas is exactly what [`Evaluator::evaluate`] says: what rounding and the limit
    /// of ±64 discs leave over belongs to [`Area::Stage`].
    pub fn attribute(&self, board: Board) -> BTreeMap<Area, i32> {
        let geometry = self.geometry;
        let indices = Indices::of(board);
        let stage = self.stage(stage_of(board.empties().len()));
        let mut units: BTreeMap<Area, i32> = BTreeMap::new();
        let lanes = indices.lanes();
        for (lane, &index) in lanes.iter().enumerate().take(geometry.n_lanes) {
            let squares = Square::all()
                .filter(|square| geometry.contribution[square.index()][lane] > 0)
                .collect();
            let shape = &geometry.shapes[geometry.lane_shape[lane]];
            let weight = stage[shape.offset + usize::from(index)];
            *units.entry(Area::of(squares)).or_default() += i32::from(weight);
        }
        let mobility = mobility_terms(geometry, board).map(|term| i32::from(stage[term]));
        units.insert(Area::Mobility, mobility.iter().sum());
        let mut parts: BTreeMap<Area, i32> = units
            .into_iter()
            .map(|(area, units)| (area, units * 100 / UNITS_PER_DISC))
            .collect();
        let value = self.evaluate(&indices, board);
        let others: i32 = parts
            .iter()
            .filter(|(area, _)| **area != Area::Stage)
            .map(|(_, part)| part)
            .sum();
        parts.insert(Area::Stage, value - others);
        parts
    }
}

impl Evaluator for Pattern {
    type State = Indices;

    fn root(&self, board: Board) -> Indices {
        Indices::of(board)
    }

    #[inline]
    fn play(&self, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.play(self.geometry, square, flips)
    }

    #[inline]
    fn pass(&self, state: &Indices) -> Indices {
        state.swapped()
    }

    #[inline]
    fn evaluate(&self, state: &Indices, board: Board) -> i32 {
        let stage = stage_of(board.empties().len());
        let weights = &self.weights[stage * self.geometry.n_weights..];
        let [own, other] = mobility_terms(self.geometry, board);
        let sum = self.geometry.lane_offset.sum(weights, &state.lanes())
            + i32::from(weights[own])
            + i32::from(weights[other]);
        (sum * 100 / UNITS_PER_DISC).clamp(-6400, 6400)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;

    #[test]
    fn the_parts_of_a_value_add_up_to_it() {
        let pattern = Pattern::shipped().unwrap();
        for board in random_boards(42).take(2_000) {
            let parts = pattern.attribute(board);
            let value = pattern.evaluate(&pattern.root(board), board);
            assert_eq!(parts.values().sum::<i32>(), value);
            // What is not the constant is rounded at most once for each of its parts.
            let stage = pattern.stage(stage_of(board.empties().len()));
            let constant = pattern
                .geometry
                .shapes
                .last()
                .map(|shape| stage[shape.offset]);
            let constant = i32::from(constant.unwrap()) * 100 / UNITS_PER_DISC;
            let rounding = (parts[&Area::Stage] - constant).abs();
            assert!(
                rounding <= parts.len() as i32 || value.abs() == 6400,
                "{rounding}"
            );
        }
    }

    #[test]
    fn the_parts_turn_with_the_board() {
        let pattern = Pattern::shipped().unwrap();
        for board in random_boards(43).take(300) {
            let parts = pattern.attribute(board);
            assert_eq!(parts.len(), 12);
            let mirrored = pattern.attribute(othello::Symmetry::FlipFiles.board(board));
            for (area, part) in parts {
                let image = match area {
                    Area::Corner(corner) => {
                        Area::Corner(othello::Symmetry::FlipFiles.square(corner))
                    }
                    Area::LeftEdge => Area::RightEdge,
                    Area::RightEdge => Area::LeftEdge,
                    same => same,
                };
                assert_eq!(mirrored[&image], part, "{area:?}");
            }
        }
    }

    #[test]
    fn incremental_indices_equal_recomputed_ones() {
        let geometry = Geometry::shipped();
        for board in random_boards(41).take(2_000) {
            let indices = Indices::of(board);
            assert_eq!(indices.swapped(), Indices::of(board.swapped()));
            for square in board.legal_moves() {
                let flips = board.flips(square);
                let next = board.play_unchecked(square, flips);
                assert_eq!(indices.play(geometry, square, flips), Indices::of(next));
            }
            for (lane, &index) in indices.lanes().iter().enumerate() {
                let size = geometry
                    .shapes
                    .get(geometry.lane_shape[lane])
                    .map_or(1, |shape| shape.size);
                assert!((index as usize) < size);
            }
        }
    }
}
