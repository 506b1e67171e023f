//! What values positions: the flags that every command with an engine shares.

use anyhow::Context as _;
use app::{
    Evaluation, EvaluatorChoice,
    input::{InputError, WEIGHTS_MAX, read_bounded},
};
use std::path::{Path, PathBuf};

/// Which evaluation, with which weights.
#[derive(Debug, clap::Args)]
pub(crate) struct EvaluationArgs {
    /// What values a position
    #[arg(long, value_enum, value_name = "NAME", default_value_t = EvaluatorName::Pattern)]
    evaluator: EvaluatorName,
    /// Weights in place of the shipped ones: a weights file, or JSON for the classic evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl EvaluationArgs {
    /// Reads the weights.
    pub(crate) fn load(&self) -> anyhow::Result<Evaluation> {
        load(self.evaluator, self.weights.as_deref())
    }
}

/// An evaluator as it is called on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EvaluatorName {
    /// Trained patterns
    Pattern,
    /// Six features that players count by hand
    Classic,
}

/// The contents of a file of weights, whatever evaluation they are for.
pub(crate) fn read_weights(path: &Path) -> Result<Vec<u8>, InputError> {
    read_bounded(path, WEIGHTS_MAX)
}

/// The evaluator with the weights of a file, or with the shipped ones.
pub(crate) fn load(name: EvaluatorName, weights: Option<&Path>) -> anyhow::Result<Evaluation> {
    let choice = match name {
        EvaluatorName::Pattern => EvaluatorChoice::Pattern,
        EvaluatorName::Classic => EvaluatorChoice::Classic,
    };
    let Some(path) = weights else {
        return Ok(Evaluation::new(choice, None)?);
    };
    let bytes = read_weights(path)?;
    Evaluation::new(choice, Some(&bytes)).with_context(|| format!("cannot use {}", path.display()))
}
