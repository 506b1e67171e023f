//! The fit of all stages: each from its own positions and its neighbours', in two sweeps.
//!
//! The first sweep goes from the middle of the game to both ends, each stage pulled towards the one
//! before it; the second pulls every stage towards the mean of the two beside it. At 24 empties,
//! where the first sweep begins with no stage to lean on, the second takes the error on games held
//! out from 5.49 to 5.47 discs.

use crate::{
    data::{Labelled, Origin},
    fit::{Design, Sample, Settings, fit},
};
use engine::eval::{
    pattern::{Pattern, STAGES, UNITS_PER_DISC, stage_of},
    shapes::{Geometry, N_WEIGHTS},
};

/// Where the chain of stages starts: at 24 empties, where tournament games are solved exactly.
const FIRST_STAGE: usize = 12;

/// How a fit of all stages is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StagesSettings {
    /// The fit of one stage.
    pub stage: Settings,
    /// Strength of the pull towards the neighbours' mean in the second sweep, in samples; 0 leaves
    /// the sweep out.
    pub smoothing: f32,
    /// What a position of the next stage counts; of the one after that, its square.
    pub neighbour_weight: f32,
    /// What a searched value counts against an exact one.
    pub search_weight: f32,
    /// What a value from later in the game counts.
    pub later_weight: f32,
}

impl Default for StagesSettings {
    fn default() -> Self {
        Self {
            stage: Settings {
                ridge: 6.0,
                max_iterations: 40,
            },
            smoothing: 24.0,
            neighbour_weight: 0.3,
            search_weight: 0.6,
            later_weight: 0.02,
        }
    }
}

/// How well a stage came out, in discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageError {
    pub stage: usize,
    /// Positions of the stage itself that were learned from.
    pub n_train: usize,
    /// Mean absolute error on everything that was learned from, neighbours included.
    pub train: f64,
    /// Positions that were held out.
    pub n_held_out: usize,
    /// Mean absolute error on them.
    pub held_out: f64,
}

/// Fits all stages; `observe` is told each one's errors as it is done.
pub fn fit_stages(
    data: &[Labelled],
    settings: StagesSettings,
    mut observe: impl FnMut(StageError),
) -> Pattern {
    let geometry = Geometry::shipped();
    let (sharing, n) = (geometry.sharing(), N_WEIGHTS);
    let mut tables = vec![vec![0.0; n]; STAGES];
    let down = (0..=FIRST_STAGE).rev().map(|stage| (stage, stage + 1));
    let up = (FIRST_STAGE + 1..STAGES).map(|stage| (stage, stage - 1));
    let smooths = settings.smoothing > 0.0;
    for (stage, before) in down.chain(up) {
        let prior = if stage == FIRST_STAGE {
            vec![0.0; n]
        } else {
            tables[before].clone()
        };
        let samples = Samples::of(data, stage, settings);
        let design = Design::new(&samples.train, &sharing);
        tables[stage] = fit(&design, &prior, &prior, settings.stage, |_, _| true);
        if !smooths {
            observe(samples.error(&design, &tables[stage], &sharing));
        }
    }
    if !smooths {
        return quantised(&tables, &sharing);
    }
    let first = tables.clone();
    let second = Settings {
        ridge: settings.smoothing,
        ..settings.stage
    };
    for (stage, table) in tables.iter_mut().enumerate() {
        let below = &first[stage.saturating_sub(1)];
        let above = &first[(stage + 1).min(STAGES - 1)];
        let prior: Vec<f32> = below
            .iter()
            .zip(above)
            .map(|(a, b)| (a + b) / 2.0)
            .collect();
        let samples = Samples::of(data, stage, settings);
        let design = Design::new(&samples.train, &sharing);
        *table = fit(&design, &first[stage], &prior, second, |_, _| true);
        observe(samples.error(&design, table, &sharing));
    }
    quantised(&tables, &sharing)
}

/// What a stage learns from, its neighbours' positions included, and what measures it.
struct Samples {
    stage: usize,
    /// How many of those to learn from are the stage's own.
    n_own: usize,
    train: Vec<Sample>,
    held_out: Vec<Sample>,
}

impl Samples {
    fn of(data: &[Labelled], stage: usize, settings: StagesSettings) -> Self {
        let mut samples = Self {
            stage,
            n_own: 0,
            train: Vec::new(),
            held_out: Vec::new(),
        };
        for labelled in data {
            let distance = stage_of(labelled.board.empties().len()).abs_diff(stage);
            let origin = match labelled.origin {
                Origin::Exact => 1.0,
                Origin::Search(_) => settings.search_weight,
                Origin::Later => settings.later_weight,
            };
            let sample = Sample {
                board: labelled.board,
                value: f32::from(labelled.value) / 100.0,
                weight: origin * settings.neighbour_weight.powi(distance as i32),
            };
            if labelled.held_out {
                if distance == 0 && labelled.origin != Origin::Later {
                    samples.held_out.push(sample);
                }
            } else if distance <= 2 && sample.weight > 0.0 {
                samples.n_own += usize::from(distance == 0);
                samples.train.push(sample);
            }
        }
        samples
    }

    /// How well a table came out that was fitted to `design`.
    fn error(&self, design: &Design, table: &[f32], sharing: &[u32]) -> StageError {
        StageError {
            stage: self.stage,
            n_train: self.n_own,
            train: design.mean_absolute_error(table),
            n_held_out: self.held_out.len(),
            held_out: Design::new(&self.held_out, sharing).mean_absolute_error(table),
        }
    }
}

fn quantised(tables: &[Vec<f32>], sharing: &[u32]) -> Pattern {
    let weights = tables
        .iter()
        .flat_map(|table| {
            sharing.iter().map(|&shared| {
                let weight = table[shared as usize] * UNITS_PER_DISC as f32;
                weight
                    .round()
                    .clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
            })
        })
        .collect();
    Pattern::from_weights(weights).expect("one table of the geometry's size per stage")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::Evaluator as _;
    use othello::sample::random_boards;

    /// A value that patterns can express is learned, and boards never seen are valued by it too.
    #[test]
    fn a_simple_truth_is_learned() {
        let value = |board: othello::Board| {
            let corners = othello::Bitboard::CORNERS;
            let held = |set: othello::Bitboard| (set & corners).len() as i16;
            1000 * (held(board.mover()) - held(board.opponent()))
        };
        let data: Vec<Labelled> = random_boards(3)
            .filter(|board| (16..26).contains(&board.empties().len()))
            .take(20_000)
            .map(|board| Labelled {
                board,
                value: value(board),
                origin: Origin::Exact,
                held_out: false,
            })
            .collect();
        let settings = StagesSettings {
            stage: Settings {
                ridge: 1.0,
                max_iterations: 20,
            },
            ..StagesSettings::default()
        };
        let mut n_stages = 0;
        let pattern = fit_stages(&data, settings, |_| n_stages += 1);
        assert_eq!(n_stages, STAGES);
        let fresh = random_boards(4).filter(|board| board.empties().len() == 20);
        let (mut error, mut size) = (0, 0);
        for board in fresh.take(500) {
            let truth = i32::from(value(board));
            error += (pattern.evaluate(&pattern.root(board), board) - truth).abs();
            size += truth.abs();
        }
        assert!(2 * error < size, "error {error} of {size} centidiscs");
    }
}
