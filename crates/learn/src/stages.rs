//! The fit of all stages: each from its own positions and its neighbours', pulled towards the stage
//! before it.

use crate::{
    data::{Labelled, Origin},
    fit::{Design, Sample, Settings, fit, sharing},
};
use engine::eval::{
    pattern::{Pattern, STAGES, UNITS_PER_DISC, stage_of},
    shapes::Geometry,
};

/// Where the chain of stages starts: at 24 empties, where tournament games are solved exactly.
const FIRST_STAGE: usize = 12;

/// How a fit of all stages is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StagesSettings {
    /// The fit of one stage.
    pub stage: Settings,
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
                ridge: 12.0,
                max_iterations: 20,
            },
            neighbour_weight: 0.3,
            search_weight: 0.6,
            later_weight: 0.2,
        }
    }
}

/// How well a stage came out, in discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageError {
    /// The stage.
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
    let sharing = sharing();
    let n = Geometry::shipped().n_weights;
    let mut tables = vec![vec![0.0; n]; STAGES];
    let down = (0..=FIRST_STAGE).rev().map(|stage| (stage, stage + 1));
    let up = (FIRST_STAGE + 1..STAGES).map(|stage| (stage, stage - 1));
    for (stage, before) in down.chain(up) {
        let prior = if stage == FIRST_STAGE {
            vec![0.0; n]
        } else {
            tables[before].clone()
        };
        let (train, held_out) = samples(data, stage, settings);
        let n_train = train.iter().filter(|(own, _)| *own).count();
        let train: Vec<Sample> = train.into_iter().map(|(_, sample)| sample).collect();
        let design = Design::new(&train, &sharing);
        let table = fit(&design, &prior, settings.stage, |_, _| true);
        let check = Design::new(&held_out, &sharing);
        observe(StageError {
            stage,
            n_train,
            train: design.mean_absolute_error(&table),
            n_held_out: held_out.len(),
            held_out: check.mean_absolute_error(&table),
        });
        tables[stage] = table;
    }
    quantised(&tables, &sharing)
}

/// What a stage learns from, marked by whether it is the stage's own, and what measures it.
fn samples(
    data: &[Labelled],
    stage: usize,
    settings: StagesSettings,
) -> (Vec<(bool, Sample)>, Vec<Sample>) {
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
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
                held_out.push(sample);
            }
        } else if distance <= 2 && sample.weight > 0.0 {
            train.push((distance == 0, sample));
        }
    }
    (train, held_out)
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
