//! Weights from positions with values.

use super::{Reading, SourceError};
use crate::output::{self, OutputError};
use engine::eval::weights::WeightsError;
use learn::{
    data::Labelled,
    stages::{StageError, StagesSettings, fit_stages},
};
use std::path::PathBuf;

/// What weights are fitted to, and how.
#[derive(Debug, Clone)]
pub struct FitPlan {
    /// Files of valued positions.
    pub data: Vec<PathBuf>,
    pub settings: StagesSettings,
    /// Whether held-out positions are learned from, too: for weights to ship, not to measure.
    pub with_held_out: bool,
    /// Where the weights go.
    pub out: PathBuf,
}

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Positions cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The weights cannot be packed.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Fits weights to the positions of all files and writes them. `observe` is told the error of each
/// stage when it is fitted; all of them come back.
pub fn fit(
    plan: &FitPlan,
    reading: &mut Reading<'_>,
    mut observe: impl FnMut(StageError),
) -> Result<Vec<StageError>, FitError> {
    let mut data: Vec<Labelled> = Vec::new();
    for path in &plan.data {
        data.extend(reading.data(path)?);
    }
    if plan.with_held_out {
        for labelled in &mut data {
            labelled.held_out = false;
        }
    }
    let mut stages = Vec::new();
    let pattern = fit_stages(&data, plan.settings, |error| {
        stages.push(error);
        observe(error);
    });
    output::write(&plan.out, &pattern.to_bytes()?)?;
    Ok(stages)
}
