//! What values positions and what searches them: the flags that every command with an engine
//! shares. What they leave open, the configuration says.

use crate::{
    configured::{Configured, HomeArgs},
    failure,
};
use app::{
    Evaluation, EvaluatorChoice, People,
    config::EngineName,
    input::{InputError, WEIGHTS_MAX, read_bounded},
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// Which evaluation, with which weights.
#[derive(Debug, clap::Args)]
pub(crate) struct EvaluationArgs {
    /// What values a position; without it, what the configuration says, else pattern
    #[arg(long, value_name = "NAME", value_parser = evaluators())]
    evaluator: Option<EvaluatorChoice>,
    /// Weights in place of the configured or shipped ones: a weights file, or JSON for the classic
    /// evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

impl EvaluationArgs {
    /// The configuration, for what flags leave open.
    pub(crate) fn configured(&self) -> anyhow::Result<Configured> {
        self.home.read()
    }

    /// The same for a command that must work with a broken file, too; the file's problem is told.
    pub(crate) fn configured_or_default(&self) -> Configured {
        self.home.read().unwrap_or_else(|error| {
            failure::complain(&error.to_string());
            Configured::default()
        })
    }

    /// The folder that was asked for.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.folder()
    }

    pub(crate) fn load(&self, configured: &Configured) -> anyhow::Result<Evaluation> {
        let wish = Wish {
            evaluator: self.evaluator,
            weights: self.weights.clone(),
        };
        wish.resolve(configured).load()
    }
}

/// What was said about an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Wish {
    pub(crate) evaluator: Option<EvaluatorChoice>,
    pub(crate) weights: Option<PathBuf>,
}

/// The contents of a file of weights, whatever evaluation they are for.
pub(crate) fn read_weights(path: &Path) -> Result<Vec<u8>, InputError> {
    read_bounded(path, WEIGHTS_MAX)
}

/// An evaluation and where its weights are; `None` is the shipped ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    evaluator: EvaluatorChoice,
    weights: Option<PathBuf>,
}

impl Wish {
    /// Fills what was not said from the configuration. Its weights are for its evaluator only.
    pub(crate) fn resolve(&self, configured: &Configured) -> Resolved {
        let usual = configured.config.evaluation.evaluator;
        let evaluator = self.evaluator.unwrap_or(usual);
        let weights = match &self.weights {
            Some(file) => Some(file.clone()),
            None if evaluator == usual => configured.weights(),
            None => None,
        };
        Resolved { evaluator, weights }
    }
}

impl Resolved {
    pub(crate) fn load(&self) -> anyhow::Result<Evaluation> {
        Ok(Evaluation::load(self.evaluator, self.weights.as_deref())?)
    }
}

/// Reads the name of an evaluator.
fn evaluators() -> impl TypedValueParser<Value = EvaluatorChoice> {
    named(
        &EvaluatorChoice::NAMES,
        [
            "trained patterns",
            "six features that players count by hand",
        ],
    )
}

/// Reads the name of a search.
pub(crate) fn engines() -> impl TypedValueParser<Value = EngineName> {
    named(
        &EngineName::NAMES,
        [
            "alpha-beta with an exact endgame solver",
            "Monte Carlo tree search",
        ],
    )
}

/// Reads which sides people play.
pub(crate) fn people() -> impl TypedValueParser<Value = People> {
    named(
        &People::NAMES,
        [
            "you have Black",
            "you have White",
            "the engine only gives hints",
            "the engine plays itself",
        ],
    )
}

fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    names: &'static [(&'static str, T); N],
    help: [&'static str; N],
) -> impl TypedValueParser<Value = T> {
    let values = names.iter().zip(help);
    let values = values.map(|((name, _), help)| PossibleValue::new(*name).help(help));
    PossibleValuesParser::new(values).map(|text| {
        let found = find(names, &text);
        found.expect("clap lets only these names through")
    })
}

/// What a name stands for.
pub(crate) fn find<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    let found = names.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value)
}
