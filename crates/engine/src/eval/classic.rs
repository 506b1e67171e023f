//! The classic evaluation: six features that players count by hand, blended by the stage of the
//! game, with weights that are plain JSON and can be trained.
//!
//! Early in the game mobility, square values and frontier count; towards the end discs, corners
//! and the squares next to empty corners take over.

use super::Evaluator;
use crate::json;
use othello::{Bitboard, Board, Square};
use serde_json::Value;
use std::fmt::Write as _;

/// How many features there are.
pub const N_FEATURES: usize = 6;

/// What the features are called in JSON, in the order of every array of features or weights.
pub const FEATURE_NAMES: [&str; N_FEATURES] = [
    "mobility",
    "psqt",
    "frontier",
    "parity",
    "corners",
    "corner_closeness",
];

/// How many units of the weighted sum make one disc.
///
/// The documented weights have no unit: at the end of a game they make a disc 90 and a corner
/// 20 000. The divisor brings the sum to the scale of final scores, where the windows and margins
/// of the search live; it changes no order of positions short of the clamp. Least squares against
/// the final scores of 1500 games of self-play at three plies give 715 units a disc with 30 to 39
/// empty squares, 1019 with 20 to 29 and 1383 with 10 to 19: one constant from the middle serves
/// all stages, so that values of neighbouring stages stay comparable within a search.
pub const UNITS_PER_DISC: f64 = 1000.0;

/// No weight is larger either way: sums then stay far inside what numbers can hold.
const MAX_WEIGHT: f64 = 1e9;

/// The value of each square by itself; row by row, though it is the same by columns.
#[rustfmt::skip]
const SQUARE_VALUES: [i8; 64] = [
    100, -20, 10,  5,  5, 10, -20, 100,
    -20, -50, -2, -2, -2, -2, -50, -20,
     10,  -2,  0,  0,  0,  0,  -2,  10,
      5,  -2,  0,  0,  0,  0,  -2,   5,
      5,  -2,  0,  0,  0,  0,  -2,   5,
     10,  -2,  0,  0,  0,  0,  -2,  10,
    -20, -50, -2, -2, -2, -2, -50, -20,
    100, -20, 10,  5,  5, 10, -20, 100,
];

/// The squares of each value other than 0: six population counts instead of a walk over discs.
const VALUE_CLASSES: [(i32, Bitboard); 6] = [
    squares_worth(100),
    squares_worth(10),
    squares_worth(5),
    squares_worth(-2),
    squares_worth(-20),
    squares_worth(-50),
];

const fn squares_worth(value: i8) -> (i32, Bitboard) {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        if SQUARE_VALUES[square] == value {
            set |= 1 << square;
        }
        square += 1;
    }
    (value as i32, Bitboard(set))
}

/// The six features of a board for the side to move, each as its difference between the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Legal moves, ours minus theirs.
    pub mobility: i32,
    /// Square values under our discs minus those under theirs.
    pub psqt: i32,
    /// Their discs that touch an empty square minus ours: fewer of our own are better.
    pub frontier: i32,
    /// Our discs minus theirs.
    pub parity: i32,
    /// 25 for each corner, ours minus theirs.
    pub corners: i32,
    /// -12 for each disc next to an empty corner, ours minus theirs.
    pub corner_closeness: i32,
}

impl Features {
    /// Counts the features of a board.
    #[inline]
    pub fn of(board: Board) -> Self {
        let (mover, opponent) = (board.mover(), board.opponent());
        let surplus =
            |squares: Bitboard| (mover & squares).len() as i32 - (opponent & squares).len() as i32;
        let beside_empty_corners = (board.empties() & Bitboard::CORNERS).neighbours();
        Self {
            mobility: board.mobility() as i32 - board.swapped().mobility() as i32,
            psqt: VALUE_CLASSES
                .iter()
                .map(|&(value, squares)| value * surplus(squares))
                .sum(),
            frontier: -surplus(board.empties().neighbours()),
            parity: board.disc_difference(),
            corners: 25 * surplus(Bitboard::CORNERS),
            corner_closeness: -12 * surplus(beside_empty_corners),
        }
    }

    /// In the order of [`FEATURE_NAMES`].
    #[inline]
    pub fn to_array(self) -> [i32; N_FEATURES] {
        [
            self.mobility,
            self.psqt,
            self.frontier,
            self.parity,
            self.corners,
            self.corner_closeness,
        ]
    }
}

/// How much each feature counts with so many empty squares, before weights: the first three fade
/// from 1 with 54 and more to 0 with 10 and fewer, the last three grow as they fade.
#[inline]
pub fn stage_mix(n_empties: u32) -> [f64; N_FEATURES] {
    let early = ((f64::from(n_empties) - 10.0) / 44.0).clamp(0.0, 1.0);
    let late = 1.0 - early;
    [early, early, early, late, late, late]
}

/// The features of a board times the stage mix: what the weights are multiplied with, and the
/// gradient of the score by the weights.
pub fn terms(board: Board) -> [f64; N_FEATURES] {
    let mix = stage_mix(board.empties().len());
    let features = Features::of(board).to_array();
    std::array::from_fn(|i| mix[i] * f64::from(features[i]))
}

/// Weights that cannot be used, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The text is not a JSON object.
    #[error("weights are not readable: {0}; expected an object with the numbers {keys}", keys = key_list())]
    Json(#[source] serde_json::Error),
    /// A key that means nothing.
    #[error("unknown weight {key:?}; the weights are {keys}", keys = key_list())]
    UnknownKey {
        /// The key, shortened if long.
        key: String,
    },
    /// A key that stands there twice.
    #[error("weight {key:?} is given twice; expected it once")]
    DuplicateKey { key: &'static str },
    /// A key that is not there.
    #[error("weight {key:?} is missing; the weights are {keys}", keys = key_list())]
    MissingKey { key: &'static str },
    /// A value that is not a number.
    #[error("weight {key:?} is {found}; expected a number, such as 140.0")]
    NotANumber {
        key: &'static str,
        /// What the value is.
        found: &'static str,
    },
    /// A number that nothing can be computed with.
    #[error("weight {key:?} is {value}; expected a finite number from -1e9 to 1e9")]
    OutOfRange { key: &'static str, value: f64 },
}

fn key_list() -> String {
    FEATURE_NAMES.join(", ")
}

/// The evaluator: six weights, multiplied out for every number of empty squares.
#[derive(Clone)]
pub struct Classic {
    weights: [f64; N_FEATURES],
    /// Centidiscs for one unit of each feature, by the number of empty squares.
    centidiscs: Box<[[f64; N_FEATURES]; 65]>,
}

impl Classic {
    /// Weights in the order of [`FEATURE_NAMES`] that play well without any training.
    pub const DEFAULT_WEIGHTS: [f64; N_FEATURES] = [140.0, 10.0, 40.0, 90.0, 800.0, 40.0];

    /// An evaluator with these weights, in the order of [`FEATURE_NAMES`].
    pub fn new(weights: [f64; N_FEATURES]) -> Result<Self, WeightsError> {
        for (key, value) in FEATURE_NAMES.into_iter().zip(weights) {
            // NaN compares as false: it is out of range, too.
            if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&value) {
                return Err(WeightsError::OutOfRange { key, value });
            }
        }
        Ok(Self::multiplied_out(weights))
    }

    fn multiplied_out(weights: [f64; N_FEATURES]) -> Self {
        let mut centidiscs = Box::new([[0.0; N_FEATURES]; 65]);
        for (n_empties, row) in (0..).zip(centidiscs.iter_mut()) {
            let mix = stage_mix(n_empties);
            *row = std::array::from_fn(|i| mix[i] * weights[i] * 100.0 / UNITS_PER_DISC);
        }
        Self {
            weights,
            centidiscs,
        }
    }

    /// Reads weights from a JSON object with exactly the keys of [`FEATURE_NAMES`].
    pub fn from_json(text: &str) -> Result<Self, WeightsError> {
        let (entries, error) = json::entries(text);
        if let Some(error) = error {
            return Err(WeightsError::Json(error));
        }
        let mut read = [None; N_FEATURES];
        for (key, value) in entries {
            let Some(at) = FEATURE_NAMES.iter().position(|name| *name == key) else {
                return Err(WeightsError::UnknownKey {
                    key: json::excerpt(&key),
                });
            };
            let key = FEATURE_NAMES[at];
            if read[at].is_some() {
                return Err(WeightsError::DuplicateKey { key });
            }
            read[at] = Some(number(key, &value)?);
        }
        let mut weights = [0.0; N_FEATURES];
        for ((weight, read), key) in weights.iter_mut().zip(read).zip(FEATURE_NAMES) {
            *weight = read.ok_or(WeightsError::MissingKey { key })?;
        }
        Self::new(weights)
    }

    /// The weights as JSON that [`Classic::from_json`] reads back to the last bit.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        for (i, (key, weight)) in FEATURE_NAMES.into_iter().zip(self.weights).enumerate() {
            let comma = if i + 1 < N_FEATURES { "," } else { "" };
            // Debug writes the shortest digits that read back, and `.0` for whole numbers.
            // Writing to a string cannot fail.
            let _written = writeln!(text, "  \"{key}\": {weight:?}{comma}");
        }
        text.push_str("}\n");
        text
    }

    /// The weights in the order of [`FEATURE_NAMES`].
    pub const fn weights(&self) -> [f64; N_FEATURES] {
        self.weights
    }

    /// The weighted sum in its own units, neither scaled nor clamped: what training fits.
    pub fn score(&self, board: Board) -> f64 {
        self.weights
            .iter()
            .zip(terms(board))
            .map(|(weight, term)| weight * term)
            .sum()
    }
}

fn number(key: &'static str, value: &Value) -> Result<f64, WeightsError> {
    value.as_f64().ok_or_else(|| WeightsError::NotANumber {
        key,
        found: json::kind(value),
    })
}

impl Default for Classic {
    fn default() -> Self {
        Self::multiplied_out(Self::DEFAULT_WEIGHTS)
    }
}

impl std::fmt::Debug for Classic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("Classic");
        for (key, weight) in FEATURE_NAMES.into_iter().zip(self.weights) {
            fields.field(key, &weight);
        }
        fields.finish()
    }
}

impl Evaluator for Classic {
    /// Nothing is worth carrying along: all features are a few operations on two bitboards.
    type State = ();

    super::search_with_this_evaluation!();

    fn root(&self, _board: Board) {}

    #[inline]
    fn play(&self, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline]
    fn pass(&self, _state: &()) {}

    #[inline]
    fn evaluate(&self, _state: &(), board: Board) -> i32 {
        let row = &self.centidiscs[board.empties().len() as usize];
        let features = Features::of(board).to_array();
        let mut sum = 0.0;
        for (weight, feature) in row.iter().zip(features) {
            sum += weight * f64::from(feature);
        }
        // Half away from zero, so that both sides see the same number.
        sum.round().clamp(-6400.0, 6400.0) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Engine, Limits};
    use othello::{Symmetry, reference, sample::random_boards};
    use std::sync::atomic::AtomicBool;

    fn value(classic: &Classic, board: Board) -> i32 {
        classic.evaluate(&(), board)
    }

    /// The table as documents print it.
    const PRINTED: &str = "
         100 -20  10   5   5  10 -20 100
         -20 -50  -2  -2  -2  -2 -50 -20
          10  -2   0   0   0   0  -2  10
           5  -2   0   0   0   0  -2   5
           5  -2   0   0   0   0  -2   5
          10  -2   0   0   0   0  -2  10
         -20 -50  -2  -2  -2  -2 -50 -20
         100 -20  10   5   5  10 -20 100";

    /// Counts square by square, for one side alone.
    fn walk(board: Board) -> [i32; N_FEATURES] {
        let printed: Vec<i32> = PRINTED
            .split_whitespace()
            .map(|number| number.parse().unwrap())
            .collect();
        let adjacent = |a: Square, b: Square| {
            a != b && a.file().abs_diff(b.file()) <= 1 && a.rank().abs_diff(b.rank()) <= 1
        };
        let is_empty = |square: Square| board.empties().contains(square);
        let mut counts = [0; N_FEATURES];
        for square in Square::all() {
            if is_empty(square) {
                counts[0] += i32::from(!reference::flips(board, square).is_empty());
            }
            if !board.mover().contains(square) {
                continue;
            }
            counts[1] += printed[square.index()];
            counts[2] -= i32::from(Square::all().any(|s| is_empty(s) && adjacent(s, square)));
            counts[3] += 1;
            for corner in Square::CORNERS {
                counts[4] += 25 * i32::from(corner == square);
                counts[5] -= 12 * i32::from(is_empty(corner) && adjacent(corner, square));
            }
        }
        counts
    }

    #[test]
    fn features_equal_a_walk_over_the_squares() {
        for board in random_boards(21).take(3_000) {
            let (ours, theirs) = (walk(board), walk(board.swapped()));
            let expected: [i32; N_FEATURES] = std::array::from_fn(|i| ours[i] - theirs[i]);
            assert_eq!(Features::of(board).to_array(), expected, "{board:?}");
        }
    }

    #[test]
    fn the_value_is_the_documented_formula() {
        let classic = Classic::default();
        for board in random_boards(22).take(3_000) {
            let f = Features::of(board);
            let mid = ((f64::from(board.empties().len()) - 10.0) / 44.0).clamp(0.0, 1.0);
            let [mobility, psqt, frontier] = [f.mobility, f.psqt, f.frontier].map(f64::from);
            let [parity, corners, closeness] =
                [f.parity, f.corners, f.corner_closeness].map(f64::from);
            let score = mid * (140.0 * mobility + 10.0 * psqt + 40.0 * frontier)
                + (1.0 - mid) * (90.0 * parity + 800.0 * corners + 40.0 * closeness);
            assert!((classic.score(board) - score).abs() < 1e-6);
            let centidiscs = (score * 100.0 / UNITS_PER_DISC).clamp(-6400.0, 6400.0);
            assert!((f64::from(value(&classic, board)) - centidiscs).abs() <= 0.5 + 1e-6);
        }
    }

    #[test]
    fn the_sides_and_the_symmetries_agree() {
        let classic = Classic::default();
        for board in random_boards(23).take(2_000) {
            let ours = value(&classic, board);
            assert_eq!(value(&classic, board.swapped()), -ours);
            for symmetry in Symmetry::ALL {
                assert_eq!(value(&classic, symmetry.board(board)), ours);
            }
        }
    }

    #[test]
    fn a_corner_strictly_improves() {
        let classic = Classic::default();
        let only_corners = Classic::new([0.0, 0.0, 0.0, 0.0, 800.0, 0.0]).unwrap();
        for board in random_boards(24).take(5_000) {
            for corner in board.opponent() & Bitboard::CORNERS {
                let owned = Board::new_unchecked(
                    board.mover() | corner.bit(),
                    board.opponent() - corner.bit(),
                );
                // By the formula a corner counts only once fewer than 54 squares are empty.
                if board.empties().len() < 54 {
                    assert!(only_corners.score(owned) > only_corners.score(board));
                }
                if board.empties().len() < 40 {
                    assert!(classic.score(owned) > classic.score(board), "{board:?}");
                    assert!(value(&classic, owned) >= value(&classic, board));
                }
            }
        }
    }

    #[test]
    fn the_stages_fade_as_documented() {
        for n_empties in 0..=64 {
            let [a, b, c, d, e, f] = stage_mix(n_empties);
            assert!(a.to_bits() == b.to_bits() && b.to_bits() == c.to_bits());
            assert!(d.to_bits() == e.to_bits() && e.to_bits() == f.to_bits());
            assert!((a + d - 1.0).abs() < 1e-12);
        }
        assert_eq!(stage_mix(10).map(f64::to_bits)[0], 0.0f64.to_bits());
        assert_eq!(stage_mix(54).map(f64::to_bits)[0], 1.0f64.to_bits());
        assert!((stage_mix(32)[0] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn weights_round_trip() {
        let odd = [0.1, -3.0, 1e-300, 1e9, 0.0, 123_456_789.125];
        for weights in [Classic::DEFAULT_WEIGHTS, odd] {
            let text = Classic::new(weights).unwrap().to_json();
            let read = Classic::from_json(&text).unwrap().weights();
            assert_eq!(read.map(f64::to_bits), weights.map(f64::to_bits), "{text}");
        }
        // In any order, and whole numbers are numbers.
        let read = Classic::from_json(
            r#"{"corners": 800, "corner_closeness": 40, "mobility": 140.0, "psqt": 10,
                "frontier": 4e1, "parity": 90}"#,
        );
        assert_eq!(
            read.unwrap().weights().map(f64::to_bits),
            Classic::DEFAULT_WEIGHTS.map(f64::to_bits)
        );
    }

    #[test]
    fn bad_weights_are_told_apart() {
        let good = Classic::default().to_json();
        let complaint = |text: &str| Classic::from_json(text).unwrap_err().to_string();
        for (from, to, expected) in [
            (
                "\"psqt\"",
                "\"pqst\"",
                "unknown weight \"pqst\"; the weights are mobility, psqt",
            ),
            (
                "\"psqt\": 10.0,",
                "",
                "weight \"psqt\" is missing; the weights are mobility, psqt",
            ),
            (
                "10.0",
                "\"10\"",
                "weight \"psqt\" is a string; expected a number",
            ),
            ("10.0", "null", "weight \"psqt\" is null; expected a number"),
            (
                "10.0",
                "[1]",
                "weight \"psqt\" is a list; expected a number",
            ),
            (
                "10.0",
                "1e10",
                "weight \"psqt\" is 10000000000; expected a finite number from",
            ),
            ("10.0", "1e999", "after \"psqt\": number out of range"),
            (
                "10.0",
                "NaN",
                "weights are not readable: after \"psqt\": expected value",
            ),
            (
                "\"psqt\"",
                "\"mobility\"",
                "weight \"mobility\" is given twice",
            ),
            (
                "{",
                "[",
                "expected an object with the numbers mobility, psqt",
            ),
        ] {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good);
            let found = complaint(&text);
            assert!(found.contains(expected), "{found}");
        }
        for (value, expected) in [(f64::NAN, "is NaN"), (f64::NEG_INFINITY, "is -inf")] {
            let mut weights = Classic::DEFAULT_WEIGHTS;
            weights[2] = value;
            let found = Classic::new(weights).unwrap_err().to_string();
            assert!(
                found.contains("\"frontier\"") && found.contains(expected),
                "{found}"
            );
        }
    }

    #[test]
    fn a_search_takes_a_corner_that_is_there() {
        let mut engine = Engine::new(Classic::default(), 1, 1).unwrap();
        let mut seen = 0;
        for board in random_boards(25).take(4_000) {
            let corners = board.legal_moves() & Bitboard::CORNERS;
            if corners.is_empty() || !(11..=20).contains(&board.empties().len()) {
                continue;
            }
            let limits = Limits {
                depth: Some(1),
                ..Limits::default()
            };
            let report = engine.search(
                board,
                &limits,
                Control {
                    now_ms: &|| 0,
                    stop: &AtomicBool::new(false),
                    observe: &mut |_| {},
                },
            );
            let best = report.best().and_then(othello::Move::square).unwrap();
            assert!(corners.contains(best), "{best} in {board:?}");
            seen += 1;
        }
        assert!(seen > 100);
    }
}
