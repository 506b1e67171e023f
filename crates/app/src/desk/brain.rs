//! What the searching threads think with: one evaluation and one way of searching for all of them.
//!
//! A change of the settings is put here; the tools of both threads look before every search and
//! make a new engine, with an empty table, when the evaluation is another one.

use super::{DeskError, lock};
use crate::{
    AnalystError, Config, Evaluation, EvaluatorChoice, Home, Origin, Tuning, config::EngineName,
};
use std::sync::{Arc, Mutex};

/// Shared by the desk and the threads; clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Brain(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    choice: EvaluatorChoice,
    /// Shipped weights are unpacked when the first engine needs them, so that the page need not
    /// wait for it.
    evaluation: Option<Evaluation>,
    tuning: Tuning,
    opponent: EngineName,
}

impl Inner {
    fn new(config: &Config, evaluation: Option<Evaluation>) -> Self {
        let used = evaluation.as_ref().map(|it| it.origin().evaluator);
        Self {
            choice: used.unwrap_or(config.evaluation.evaluator),
            evaluation,
            tuning: config.engine.tuning(),
            opponent: config.engine.engine,
        }
    }
}

impl Brain {
    /// As configured. Weights that cannot be used are replaced by the shipped ones; the sentence
    /// says so.
    pub(super) fn new(config: &Config, home: &Home) -> (Self, Option<String>) {
        let (evaluation, problem) = match load(config, home) {
            Ok(evaluation) => (evaluation, None),
            Err(error) => {
                let message = format!("{error}. The shipped weights are used instead.");
                (None, Some(message))
            }
        };
        let inner = Inner::new(config, evaluation);
        (Self(Arc::new(Mutex::new(inner))), problem)
    }

    pub(super) fn evaluation(&self) -> Result<Evaluation, AnalystError> {
        let mut inner = lock(&self.0);
        if let Some(evaluation) = &inner.evaluation {
            return Ok(evaluation.clone());
        }
        let evaluation = Evaluation::shipped(inner.choice)?;
        Ok(inner.evaluation.insert(evaluation).clone())
    }

    /// Where the weights came from, without unpacking any.
    pub(super) fn origin(&self) -> Origin {
        let inner = lock(&self.0);
        match &inner.evaluation {
            Some(evaluation) => evaluation.origin().clone(),
            None => Origin {
                evaluator: inner.choice,
                file: None,
            },
        }
    }

    pub(super) fn tuning(&self) -> Tuning {
        lock(&self.0).tuning
    }

    /// What searches for a level.
    pub(super) fn opponent(&self) -> EngineName {
        lock(&self.0).opponent
    }

    /// Makes ready what a changed configuration asks for; nothing is changed yet. Weights that
    /// cannot be used refuse the change.
    pub(super) fn prepare(
        before: &Config,
        wanted: &Config,
        home: &Home,
    ) -> Result<Prepared, DeskError> {
        if before.evaluation == wanted.evaluation {
            return Ok(Prepared::Same);
        }
        let evaluation = load(wanted, home);
        let evaluation = evaluation.map_err(|error| DeskError::Invalid(error.to_string()))?;
        Ok(Prepared::Other(evaluation))
    }

    /// Puts a changed configuration to use: the next search goes by it.
    pub(super) fn adopt(&self, config: &Config, prepared: Prepared) {
        let mut inner = lock(&self.0);
        let evaluation = match prepared {
            Prepared::Same => inner.evaluation.clone(),
            Prepared::Other(evaluation) => evaluation,
        };
        *inner = Inner::new(config, evaluation);
    }
}

/// An evaluation that waits for its configuration to be written.
#[derive(Debug)]
pub(super) enum Prepared {
    Same,
    /// `None` is the shipped one.
    Other(Option<Evaluation>),
}

/// The configured file's evaluation; `None` without a file.
fn load(config: &Config, home: &Home) -> Result<Option<Evaluation>, AnalystError> {
    let wanted = &config.evaluation;
    let file = wanted.file(home.path());
    file.map(|file| Evaluation::load(wanted.evaluator, Some(&file)))
        .transpose()
}
