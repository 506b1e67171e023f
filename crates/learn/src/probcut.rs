//! How well a shallow search predicts a deep one: what Multi-ProbCut rests on.
//!
//! Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*
//! (1997). Positions are searched without predictions, and the values of all depths on the way are
//! compared. The spread of the differences is described by a formula with six numbers.

use engine::{Control, Engine, Limits, Selectivity, eval::Evaluator};
use othello::Board;
use std::sync::atomic::AtomicBool;

/// The values of one position by depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    pub n_empties: u32,
    /// For the side to move, in centidiscs, at depth 0 (the static value), 1, 2 and so on.
    pub values: Vec<i32>,
    /// The exact value, if it was asked for.
    pub exact: Option<i32>,
}

/// Values a position at all depths up to `deep`, but not to its end, and exactly if `solve` says
/// so. The engine is cleared before.
pub fn measure<E: Evaluator>(
    engine: &mut Engine<E>,
    board: Board,
    deep: u32,
    solve: bool,
) -> Measured {
    engine.clear();
    let n_empties = board.empties().len();
    let mut values = vec![engine.evaluate(board)];
    let limits = Limits {
        depth: Some(deep.min(n_empties.saturating_sub(1))),
        selectivity: Selectivity::EXACT,
        ..Limits::default()
    };
    let stop = AtomicBool::new(false);
    if limits.depth > Some(0) {
        let mut observe = |report: &engine::Report| {
            // Depths come one after another; the last may be told twice.
            if report.depth as usize == values.len() {
                values.push(report.score);
            }
        };
        let control = Control {
            now_ms: &|| 0,
            stop: &stop,
            observe: &mut observe,
        };
        engine.search(board, &limits, control);
    }
    let exact = solve.then(|| {
        let control = Control {
            now_ms: &|| 0,
            stop: &stop,
            observe: &mut |_| {},
        };
        engine.search(board, &Limits::default(), control).score
    });
    Measured {
        n_empties,
        values,
        exact,
    }
}

/// Differences of two depths in a band of empty squares, in discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The first number of empty squares of the band.
    pub band: u32,
    /// The mean number of empty squares.
    pub n_empties: f64,
    pub shallow: u32,
    /// The predicted depth; to the end if `is_end`, as a mean.
    pub deep: f64,
    /// Whether the deep value is the exact one.
    pub is_end: bool,
    pub n: usize,
    /// The mean of deep minus shallow.
    pub mean: f64,
    pub deviation: f64,
    /// The correlation of both values; 0 if either does not vary.
    pub correlation: f64,
}

/// Fewer positions say nothing about a spread.
const POSITIONS_MIN: usize = 30;

/// One cell for each band of `width` numbers of empty squares and each pair of depths of the same
/// parity, as far as there are enough positions.
pub fn tabulate(measured: &[Measured], width: u32) -> Vec<Cell> {
    let width = width.max(1);
    let n_depths = measured.iter().map(|it| it.values.len()).max().unwrap_or(0);
    let mut cells = Vec::new();
    for band in (0..=64 / width).map(|band| band * width) {
        let inside: Vec<&Measured> = measured
            .iter()
            .filter(|it| (band..band + width).contains(&it.n_empties))
            .collect();
        for shallow in 0..n_depths {
            for deep in (shallow + 2..n_depths).step_by(2) {
                let pairs = inside.iter().filter_map(|it| {
                    let deep_value = *it.values.get(deep)?;
                    Some((it.n_empties, deep as u32, it.values[shallow], deep_value))
                });
                cells.extend(cell(band, shallow as u32, false, pairs));
            }
            // Exact values have the parity of the number of empty squares.
            let pairs = inside.iter().filter_map(|it| {
                let value = *it.values.get(shallow)?;
                let same_parity = it.n_empties % 2 == shallow as u32 % 2;
                let exact = it.exact.filter(|_| same_parity)?;
                Some((it.n_empties, it.n_empties, value, exact))
            });
            cells.extend(cell(band, shallow as u32, true, pairs));
        }
    }
    cells
}

fn cell(
    band: u32,
    shallow: u32,
    is_end: bool,
    pairs: impl Iterator<Item = (u32, u32, i32, i32)>,
) -> Option<Cell> {
    let rows: Vec<[f64; 4]> = pairs
        .map(|(empties, deep, low, high)| {
            [
                f64::from(empties),
                f64::from(deep),
                f64::from(low) / 100.0,
                f64::from(high) / 100.0,
            ]
        })
        .collect();
    if rows.len() < POSITIONS_MIN {
        return None;
    }
    let n = rows.len() as f64;
    let mean_of = |value: &dyn Fn(&[f64; 4]) -> f64| rows.iter().map(value).sum::<f64>() / n;
    let mean = mean_of(&|row| row[3] - row[2]);
    let variance = mean_of(&|row| (row[3] - row[2] - mean).powi(2)) * n / (n - 1.0);
    let (low, high) = (mean_of(&|row| row[2]), mean_of(&|row| row[3]));
    let low_variance = mean_of(&|row| (row[2] - low).powi(2));
    let high_variance = mean_of(&|row| (row[3] - high).powi(2));
    let covariance = mean_of(&|row| (row[2] - low) * (row[3] - high));
    let scale = (low_variance * high_variance).sqrt();
    Some(Cell {
        band,
        n_empties: mean_of(&|row| row[0]),
        shallow,
        deep: mean_of(&|row| row[1]),
        is_end,
        n: rows.len(),
        mean,
        deviation: variance.sqrt(),
        correlation: if scale > 0.0 { covariance / scale } else { 0.0 },
    })
}

/// The spread as a formula: a parabola over a mix of empty squares and the two depths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// What empty squares, the deep and the shallow depth count.
    pub mix: [f64; 3],
    /// The parabola's coefficients, the square first.
    pub curve: [f64; 3],
}

/// How far a model is from what it was fitted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// Root mean square of the relative error.
    pub relative: f64,
    /// The worst relative error.
    pub worst: f64,
}

impl Model {
    /// A guess from which fits start.
    const START: Self = Self {
        mix: [-0.05, 0.2, -0.25],
        curve: [0.016, 0.28, 2.88],
    };

    /// The standard deviation in discs.
    pub fn sigma(&self, n_empties: f64, deep: f64, shallow: f64) -> f64 {
        let x = self.mix[0] * n_empties + self.mix[1] * deep + self.mix[2] * shallow;
        self.curve[0] * x * x + self.curve[1] * x + self.curve[2]
    }

    fn residual(&self, cell: &Cell) -> f64 {
        let sigma = self.sigma(cell.n_empties, cell.deep, f64::from(cell.shallow));
        sigma / cell.deviation - 1.0
    }

    /// The model's relative errors on these cells; zero without any.
    pub fn misfit(&self, cells: &[Cell]) -> Misfit {
        let errors: Vec<f64> = usable(cells)
            .map(|cell| self.residual(cell).abs())
            .collect();
        let square: f64 = errors.iter().map(|error| error * error).sum();
        Misfit {
            relative: (square / errors.len().max(1) as f64).sqrt(),
            worst: errors.into_iter().fold(0.0, f64::max),
        }
    }

    const fn parameters(&self) -> [f64; 6] {
        let ([a, b, c], [d, e, f]) = (self.mix, self.curve);
        [a, b, c, d, e, f]
    }

    const fn from_parameters([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self {
            mix: [a, b, c],
            curve: [d, e, f],
        }
    }

    /// Fits the model to cells, relative errors all counting the same, by the method of Levenberg
    /// and Marquardt. `None` if there are fewer cells than numbers to find.
    pub fn fit(cells: &[Cell]) -> Option<Self> {
        const ROUNDS: usize = 400;
        let cells: Vec<Cell> = usable(cells).copied().collect();
        if cells.len() < 6 {
            return None;
        }
        let loss =
            |model: &Self| -> f64 { cells.iter().map(|cell| model.residual(cell).powi(2)).sum() };
        let mut best = Self::START;
        let mut least = loss(&best);
        let mut damping = 1e-2;
        for _ in 0..ROUNDS {
            let (matrix, vector) = best.normal_equations(&cells);
            let mut damped = matrix;
            for (i, row) in damped.iter_mut().enumerate() {
                row[i] += damping * (matrix[i][i] + 1e-9);
            }
            let Some(step) = solve(damped, vector) else {
                damping *= 4.0;
                continue;
            };
            let mut parameters = best.parameters();
            for (parameter, change) in parameters.iter_mut().zip(step) {
                *parameter -= change;
            }
            let next = Self::from_parameters(parameters);
            let found = loss(&next);
            if found < least {
                (best, least) = (next, found);
                damping = (damping / 3.0).max(1e-12);
            } else {
                damping = (damping * 2.0).min(1e12);
            }
        }
        Some(best)
    }

    /// Of the linear least squares around the present parameters.
    fn normal_equations(&self, cells: &[Cell]) -> ([[f64; 6]; 6], [f64; 6]) {
        let (mut matrix, mut vector) = ([[0.0; 6]; 6], [0.0; 6]);
        for cell in cells {
            let terms = [cell.n_empties, cell.deep, f64::from(cell.shallow)];
            let x: f64 = self.mix.iter().zip(terms).map(|(m, term)| m * term).sum();
            let slope = 2.0 * self.curve[0] * x + self.curve[1];
            let gradient = [
                slope * terms[0],
                slope * terms[1],
                slope * terms[2],
                x * x,
                x,
                1.0,
            ]
            .map(|it| it / cell.deviation);
            let residual = self.residual(cell);
            for i in 0..6 {
                vector[i] += gradient[i] * residual;
                for j in 0..6 {
                    matrix[i][j] += gradient[i] * gradient[j];
                }
            }
        }
        (matrix, vector)
    }
}

/// Without spread there is no relative error.
fn usable(cells: &[Cell]) -> impl Iterator<Item = &Cell> {
    cells.iter().filter(|cell| cell.deviation > 0.0)
}

/// Gaussian elimination with the largest pivot; `None` if there is none.
fn solve(mut matrix: [[f64; 6]; 6], mut vector: [f64; 6]) -> Option<[f64; 6]> {
    for column in 0..6 {
        let pivot = (column..6)
            .max_by(|&a, &b| f64::total_cmp(&matrix[a][column].abs(), &matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-300 {
            return None;
        }
        matrix.swap(column, pivot);
        vector.swap(column, pivot);
        let pivot_row = matrix[column];
        for row in column + 1..6 {
            let factor = matrix[row][column] / pivot_row[column];
            for (term, above) in matrix[row].iter_mut().zip(pivot_row) {
                *term -= factor * above;
            }
            vector[row] -= factor * vector[column];
        }
    }
    let mut solution = [0.0; 6];
    for row in (0..6).rev() {
        let known: f64 = (row + 1..6).map(|k| matrix[row][k] * solution[k]).sum();
        solution[row] = (vector[row] - known) / matrix[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::classic::Classic;
    use othello::sample::{SplitMix64, random_boards};

    #[test]
    fn depths_are_those_of_separate_searches() {
        let mut engine = Engine::new(Classic::default(), 1, 1).unwrap();
        let boards = random_boards(5)
            .filter(|board| board.empties().len() == 9 && !board.legal_moves().is_empty());
        for board in boards.take(8) {
            let measured = measure(&mut engine, board, 4, true);
            assert_eq!(measured.n_empties, 9);
            assert_eq!(measured.values.len(), 5);
            assert_eq!(measured.values[0], engine.evaluate(board));
            for depth in 1..=4 {
                engine.clear();
                let limits = Limits {
                    depth: Some(depth),
                    selectivity: Selectivity::EXACT,
                    ..Limits::default()
                };
                let control = Control {
                    now_ms: &|| 0,
                    stop: &AtomicBool::new(false),
                    observe: &mut |_| {},
                };
                let report = engine.search(board, &limits, control);
                assert_eq!(measured.values[depth as usize], report.score);
            }
            let exact = measured.exact.unwrap();
            assert_eq!(exact % 100, 0);
        }
    }

    /// A normal variable, roughly: the sum of twelve uniform ones.
    fn normal(random: &mut SplitMix64) -> f64 {
        (0..12).map(|_| random.unit_f64()).sum::<f64>() - 6.0
    }

    #[test]
    fn cells_have_the_moments_of_their_differences() {
        let mut random = SplitMix64::new(3);
        let measured: Vec<Measured> = (0..20_000)
            .map(|i| {
                let static_value = 1_000.0 * normal(&mut random);
                let deep = static_value + 150.0 + 300.0 * normal(&mut random);
                Measured {
                    n_empties: 20 + i % 4,
                    values: vec![static_value as i32, 0, deep as i32],
                    exact: None,
                }
            })
            .collect();
        let cells = tabulate(&measured, 4);
        assert_eq!(cells.len(), 1);
        let Cell {
            band,
            n_empties,
            shallow,
            deep,
            n,
            mean,
            deviation,
            correlation,
            ..
        } = cells[0];
        assert_eq!((band, shallow, n), (20, 0, 20_000));
        assert!((n_empties - 21.5).abs() < 1e-9 && (deep - 2.0).abs() < 1e-9);
        assert!((mean - 1.5).abs() < 0.1, "{mean}");
        assert!((deviation - 3.0).abs() < 0.1, "{deviation}");
        let expected = 10.0 / f64::hypot(10.0, 3.0);
        assert!((correlation - expected).abs() < 0.01, "{correlation}");
    }

    #[test]
    fn a_model_is_found_again() {
        let truth = Model {
            mix: [-0.03, 0.15, -0.3],
            curve: [0.02, 0.4, 3.5],
        };
        let mut cells = Vec::new();
        for band in (12..52).step_by(4) {
            for shallow in 0..5 {
                for deep in (shallow + 2..10).step_by(2) {
                    let n_empties = f64::from(band) + 1.5;
                    let deep = f64::from(deep);
                    cells.push(Cell {
                        band,
                        n_empties,
                        shallow,
                        deep,
                        is_end: false,
                        n: 100,
                        mean: 0.0,
                        deviation: truth.sigma(n_empties, deep, f64::from(shallow)),
                        correlation: 1.0,
                    });
                }
            }
        }
        let found = Model::fit(&cells).unwrap();
        let misfit = found.misfit(&cells);
        assert!(misfit.worst < 0.01, "{misfit:?} {found:?}");
        assert_eq!(Model::fit(&cells[..5]), None);
        cells[0].deviation = 0.0;
        assert!(
            Model::fit(&cells)
                .unwrap()
                .misfit(&cells)
                .relative
                .is_finite()
        );
    }
}
