//! A hidden layer from positions with values.

use super::{FitError, Reading};
use crate::output;
use engine::eval::pattern::Pattern;
use learn::{
    data::Labelled,
    hidden::{EpochError, HiddenSettings, fit_hidden, stage_errors},
    stages::StageError,
};
use std::path::PathBuf;

/// What a hidden layer is learned from, and how.
#[derive(Debug, Clone)]
pub struct HiddenPlan {
    /// Files of valued positions.
    pub data: Vec<PathBuf>,
    pub settings: HiddenSettings,
    /// The weights that the layer is put on, as a file's bytes; `None` is the shipped ones.
    pub base: Option<Vec<u8>>,
    /// Where the weights go, those of `base` with the layer.
    pub out: PathBuf,
}

/// Learns a hidden layer from the positions of all files and writes both. `observe`
/// is told the error of each phase after each pass; the errors of all stages come back.
pub fn hidden(
    plan: &HiddenPlan,
    reading: &mut Reading<'_>,
    observe: &(dyn Fn(EpochError) + Sync),
) -> Result<Vec<StageError>, FitError> {
    let base = match &plan.base {
        Some(bytes) => Pattern::from_bytes(bytes)?,
        None => Pattern::shipped()?,
    };
    let mut data: Vec<Labelled> = Vec::new();
    for path in &plan.data {
        data.extend(reading.data(path)?);
    }
    let layer = fit_hidden(&data, &base, plan.settings, observe);
    let pattern = base.with_hidden(Some(layer));
    output::write(&plan.out, &pattern.to_bytes()?)?;
    Ok(stage_errors(&data, &pattern))
}
