//! The trained evaluation: a sum of weights, one per pattern instance, by stage of the game, and a
//! hidden layer on the same instances.

use super::{
    Evaluator,
    hidden::{Hidden, Row, Units},
    shapes::{
        Geometry, LANE_OFFSETS, LANES, MOBILITY_OFFSET, MOBILITY_SIZE, N_LANES, N_WEIGHTS, REACH,
    },
};
use othello::{Area, Bitboard, Board, Square};
use std::collections::BTreeMap;

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
        let geometry = Geometry::shipped();
        let sum = |set: Bitboard| {
            let mut total = [0; LANES];
            add_all(&mut total, geometry, set);
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
        add_all(&mut turned, geometry, flips);
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

/// Adds what discs on all squares of a set contribute. Three squares a round, the later ones of
/// which may be none: few moves turn more, and a loop whose end is foreseen is worth more than the
/// additions saved (a tenth more evaluations a second than with one a round).
#[inline]
fn add_all(total: &mut [u16; LANES], geometry: &Geometry, set: Bitboard) {
    let mut left = set.0;
    while left != 0 {
        let rows = [(); 3].map(|()| {
            let square = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            &geometry.contribution[square]
        });
        for lane in 0..LANES {
            for row in rows {
                total[lane] = total[lane].wrapping_add(row[lane]);
            }
        }
    }
}

/// Which weights of a stage count the two sides' legal moves.
#[inline]
pub fn mobility_terms(board: Board) -> [usize; 2] {
    let capped = |board: Board| (board.mobility() as usize).min(MOBILITY_SIZE - 1);
    [
        MOBILITY_OFFSET + capped(board),
        MOBILITY_OFFSET + MOBILITY_SIZE + capped(board.swapped()),
    ]
}

/// The area of a pattern's instance by its squares: a corner if it contains one, an edge if it
/// contains both of the edge's corners, the centre for rows and columns inside of the edges.
fn area_of(squares: Bitboard) -> Area {
    let corners: Vec<Square> = (squares & Bitboard::CORNERS).into_iter().collect();
    let straight = |same: fn(Square) -> u8| {
        let mut lines = squares.into_iter().map(same);
        let first = lines.next();
        lines.all(|line| Some(line) == first)
    };
    match corners[..] {
        _ if squares.is_empty() => Area::Stage,
        [corner] => Area::Corner(corner),
        [one, other] if one.rank() == other.rank() && one.rank() == 0 => Area::TopEdge,
        [one, other] if one.rank() == other.rank() => Area::BottomEdge,
        [one, other] if one.file() == other.file() && one.file() == 0 => Area::LeftEdge,
        [one, other] if one.file() == other.file() => Area::RightEdge,
        _ if straight(Square::rank) || straight(Square::file) => Area::Centre,
        _ => Area::Diagonals,
    }
}

/// The weights of all stages, and as many more as an index of the last one can reach.
const PADDED: usize = (STAGES - 1) * N_WEIGHTS + REACH;

/// The evaluator: quantised weights of all stages.
pub struct Pattern {
    geometry: &'static Geometry,
    /// `STAGES` tables of `N_WEIGHTS` each, and zeros as far as any index can reach.
    weights: Vec<i16>,
    hidden: Option<Hidden>,
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
        if weights.len() != STAGES * N_WEIGHTS {
            return None;
        }
        weights.resize(PADDED, 0);
        Some(Self {
            geometry: Geometry::shipped(),
            weights,
            hidden: None,
        })
    }

    /// The same weights with a hidden layer, or without one.
    #[must_use]
    pub fn with_hidden(self, hidden: Option<Hidden>) -> Self {
        Self { hidden, ..self }
    }

    /// The hidden layer, if there is one.
    pub const fn hidden(&self) -> Option<&Hidden> {
        self.hidden.as_ref()
    }

    /// An evaluator that values every position at 0: where learning starts.
    pub fn blank() -> Self {
        Self {
            geometry: Geometry::shipped(),
            weights: vec![0; PADDED],
            hidden: None,
        }
    }

    /// Changes one weight. Mirror images have weights of their own here, and are to be kept equal.
    ///
    /// # Panics
    ///
    /// If there is no such stage or weight.
    #[inline]
    pub fn set_weight(&mut self, stage: usize, index: usize, weight: i16) {
        assert!(
            stage < STAGES && index < N_WEIGHTS,
            "weight {index} of stage {stage}"
        );
        self.weights[stage * N_WEIGHTS + index] = weight;
    }

    /// The weights of one stage.
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.weights[stage * N_WEIGHTS..(stage + 1) * N_WEIGHTS]
    }

    /// The value of a board without the hidden layer, in centidiscs for the side to move.
    pub fn estimate(&self, state: &Indices, board: Board) -> i32 {
        let n_empties = board.empties().len();
        centidiscs(self.sum(&state.lanes(), mobility_terms(board), n_empties))
    }

    /// What each area adds to the static value of a board, in centidiscs for the side to move. The
    /// sum over all areas is exactly what [`Evaluator::evaluate`] says: what the hidden layer adds,
    /// which belongs to no area alone, and what rounding and the limit of ±64 discs leave over is
    /// part of [`Area::Stage`].
    pub fn attribute(&self, board: Board) -> BTreeMap<Area, i32> {
        let geometry = self.geometry;
        let indices = Indices::of(board);
        let stage = self.stage(stage_of(board.empties().len()));
        let mut units: BTreeMap<Area, i32> = BTreeMap::new();
        let lanes = indices.lanes();
        for (lane, &index) in lanes.iter().enumerate().take(N_LANES) {
            let squares = Square::all()
                .filter(|square| geometry.contribution[square.index()][lane] > 0)
                .collect();
            let shape = &geometry.shapes[geometry.lane_shape[lane]];
            let weight = stage[shape.offset + usize::from(index)];
            *units.entry(area_of(squares)).or_default() += i32::from(weight);
        }
        let mobility = mobility_terms(board).map(|term| i32::from(stage[term]));
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

    super::search_with_this_evaluation!();

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
        self.value(state.lanes(), board)
    }

    #[inline]
    fn evaluate_after(&self, state: &Indices, square: Square, flips: Bitboard, next: Board) -> i32 {
        self.value(self.lanes_after(state, square, flips), next)
    }

    #[inline]
    fn evaluate_after_near(
        &self,
        state: &Indices,
        square: Square,
        flips: Bitboard,
        next: Board,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let lanes = std::hint::black_box(self.lanes_after(state, square, flips));
        let mobility = mobility_terms(next);
        let n_empties = next.empties().len();
        let estimate = self.sum(&lanes, mobility, n_empties);
        let rough = centidiscs(estimate);
        if rough <= alpha - FAR || rough >= beta + FAR {
            return rough;
        }
        centidiscs(estimate + self.hidden_part(&lanes, mobility, n_empties))
    }

    #[inline]
    fn estimate_after(&self, state: &Indices, square: Square, flips: Bitboard, next: Board) -> i32 {
        let lanes = std::hint::black_box(self.lanes_after(state, square, flips));
        let n_empties = next.empties().len();
        centidiscs(self.sum(&lanes, mobility_terms(next), n_empties))
    }
}

impl Pattern {
    /// The lanes after a move, without the halves of a new state: they follow from the old ones.
    #[inline]
    fn lanes_after(&self, state: &Indices, square: Square, flips: Bitboard) -> [u16; LANES] {
        let placed = &self.geometry.contribution[square.index()];
        let mut lanes = [0; LANES];
        for lane in 0..LANES {
            let own = state.own[lane].wrapping_add(placed[lane]);
            lanes[lane] = state.other[lane].wrapping_add(own.wrapping_mul(2));
        }
        // A turned disc counted one for the side that moves next, and counts two now.
        add_all(&mut lanes, self.geometry, flips);
        lanes
    }

    /// The weights of a stage, as far as an index can reach.
    #[inline]
    fn reach_of(&self, stage: usize) -> &[i16; REACH] {
        self.weights[stage * N_WEIGHTS..]
            .first_chunk()
            .expect("the last stage is padded")
    }

    /// The value of a board whose indices are `lanes`.
    #[inline]
    fn value(&self, lanes: [u16; LANES], board: Board) -> i32 {
        // Through memory: taking 64 indices out of vector registers one by one is slower than
        // storing and loading them.
        let lanes = std::hint::black_box(lanes);
        let mobility = mobility_terms(board);
        let n_empties = board.empties().len();
        let sum = self.sum(&lanes, mobility, n_empties);
        centidiscs(sum + self.hidden_part(&lanes, mobility, n_empties))
    }

    /// The sum of weights.
    #[inline]
    fn sum(&self, lanes: &[u16; LANES], mobility: [usize; 2], n_empties: u32) -> i32 {
        let weights = self.reach_of(stage_of(n_empties));
        let [own, other] = mobility.map(|term| i32::from(weights[term]));
        sum_of_lanes::<0>(weights, lanes)
            + sum_of_lanes::<16>(weights, lanes)
            + sum_of_lanes::<32>(weights, lanes)
            + sum_of_lanes::<48>(weights, lanes)
            + own
            + other
    }

    /// What the hidden layer adds to it.
    #[inline]
    fn hidden_part(&self, lanes: &[u16; LANES], mobility: [usize; 2], n_empties: u32) -> i32 {
        let Some(hidden) = &self.hidden else {
            return 0;
        };
        let (rows, head) = hidden.of(n_empties);
        let mut units = Units::new(head);
        for term in mobility {
            units.add(&rows[term]);
        }
        add_rows::<0>(rows, lanes, &mut units);
        add_rows::<16>(rows, lanes, &mut units);
        add_rows::<32>(rows, lanes, &mut units);
        add_rows::<48>(rows, lanes, &mut units);
        units.value(head)
    }
}

/// An estimate so many centidiscs outside of a window is not looked at more closely. With 600 in place
/// of 800 a search visits 4 % more nodes a second and plays as well (50.7 % ± 2.3 of 600 pairs at
/// 20,000 nodes a move).
const FAR: i32 = 600;

/// A sum of weights as a value.
#[inline]
fn centidiscs(units: i32) -> i32 {
    (units * 100 / UNITS_PER_DISC).clamp(-6400, 6400)
}

/// The weights of sixteen lanes: few enough for the loop to be unrolled, so that every offset is a
/// constant and no index needs checking.
#[inline]
fn sum_of_lanes<const FIRST: usize>(weights: &[i16; REACH], lanes: &[u16; LANES]) -> i32 {
    let mut sum = 0;
    for lane in FIRST..FIRST + 16 {
        sum += i32::from(weights[LANE_OFFSETS[lane] + usize::from(lanes[lane])]);
    }
    sum
}

/// The same for the rows of the hidden layer. Written out: the compiler keeps a loop, which looks up
/// and checks where each lane's rows begin.
#[inline]
fn add_rows<const FIRST: usize>(rows: &[Row; REACH], lanes: &[u16; LANES], units: &mut Units) {
    macro_rules! add {
        ($($lane:literal)*) => {
            $({
                let offset = const { LANE_OFFSETS[FIRST + $lane] };
                units.add(&rows[offset + usize::from(lanes[FIRST + $lane])]);
            })*
        };
    }
    add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::hidden::{FULL, UNITS, phase_of};
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
            let hidden = plain_hidden_part(&pattern, board);
            let constant = (i32::from(constant.unwrap()) + hidden) * 100 / UNITS_PER_DISC;
            let rounding = (parts[&Area::Stage] - constant).abs();
            assert!(
                rounding <= parts.len() as i32 || value.abs() == 6400,
                "{rounding}"
            );
        }
    }

    /// What the hidden layer adds, unit by unit.
    fn plain_hidden_part(pattern: &Pattern, board: Board) -> i32 {
        let Some(hidden) = pattern.hidden() else {
            return 0;
        };
        let n_empties = board.empties().len();
        let rows = hidden.rows(phase_of(stage_of(n_empties)));
        let head = hidden.head(n_empties as usize);
        let lanes = Indices::of(board).lanes();
        let of_lanes = (0..N_LANES).map(|lane| {
            let shape = &pattern.geometry.shapes[pattern.geometry.lane_shape[lane]];
            shape.offset + usize::from(lanes[lane])
        });
        let terms: Vec<usize> = of_lanes.chain(mobility_terms(board)).collect();
        let unit = |unit: usize| {
            let added: i32 = terms.iter().map(|&at| i32::from(rows[at].0[unit])).sum();
            let sum = i32::from(head.bias[unit]) + added;
            sum.clamp(0, i32::from(FULL)) * i32::from(head.weight[unit])
        };
        (0..UNITS).map(unit).sum::<i32>() / i32::from(FULL)
    }

    /// The unrolled sum against a plain one over the shapes' own offsets.
    #[test]
    fn a_value_is_the_sum_of_its_weights() {
        let pattern = Pattern::shipped().unwrap();
        for board in random_boards(44).take(2_000) {
            let stage = pattern.stage(stage_of(board.empties().len()));
            let lanes = Indices::of(board).lanes();
            let patterns = (0..N_LANES).map(|lane| {
                let shape = &pattern.geometry.shapes[pattern.geometry.lane_shape[lane]];
                stage[shape.offset + usize::from(lanes[lane])]
            });
            let mobility = mobility_terms(board).map(|term| stage[term]);
            let sum: i32 = patterns.chain(mobility).map(i32::from).sum();
            let root = pattern.root(board);
            let clamped = |sum: i32| (sum * 100 / UNITS_PER_DISC).clamp(-6400, 6400);
            assert_eq!(pattern.estimate(&root, board), clamped(sum));
            let sum = sum + plain_hidden_part(&pattern, board);
            assert_eq!(pattern.evaluate(&root, board), clamped(sum));
        }
    }

    #[test]
    fn values_near_the_window_are_exact() {
        let pattern = Pattern::shipped().unwrap();
        for board in random_boards(45).take(500) {
            let root = pattern.root(board);
            for square in board.legal_moves() {
                let flips = board.flips(square);
                let next = board.play_unchecked(square, flips);
                let exact = pattern.evaluate_after(&root, square, flips, next);
                let estimate = pattern.estimate_after(&root, square, flips, next);
                for alpha in [-6400, estimate - FAR - 1, estimate, estimate + FAR, 6300] {
                    let window = (alpha, alpha + 1);
                    let value = pattern.evaluate_after_near(&root, square, flips, next, window);
                    let is_far = estimate <= alpha - FAR || estimate > alpha + FAR;
                    assert_eq!(value, if is_far { estimate } else { exact }, "{window:?}");
                }
            }
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
        let pattern = Pattern::shipped().unwrap();
        for board in random_boards(41).take(2_000) {
            let indices = Indices::of(board);
            assert_eq!(indices.swapped(), Indices::of(board.swapped()));
            for square in board.legal_moves() {
                let flips = board.flips(square);
                let next = board.play_unchecked(square, flips);
                assert_eq!(indices.play(geometry, square, flips), Indices::of(next));
                assert_eq!(
                    pattern.evaluate_after(&indices, square, flips, next),
                    pattern.evaluate(&Indices::of(next), next)
                );
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
