//! Somebody who can be asked what a position is worth: an engine with the evaluator of choice.

use engine::{
    Control, Engine, Limits, Report, ThreadsError, eval::pattern::Pattern,
    eval::weights::WeightsError,
};
use othello::Board;

/// Which evaluation values the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvaluatorChoice {
    /// The trained patterns.
    #[default]
    Pattern,
}

/// How an analyst is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings<'a> {
    /// Which evaluation.
    pub evaluator: EvaluatorChoice,
    /// A weights file's contents in place of the shipped weights.
    pub weights: Option<&'a [u8]>,
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// Search threads; one is deterministic.
    pub threads: usize,
}

/// Why there is no analyst.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The threads of a batch job cannot be started.
    #[error("cannot start the workers: {0}")]
    Workers(#[source] rayon::ThreadPoolBuildError),
}

/// An engine whose evaluator was chosen at run time; the choice is made once, not in the tree.
#[derive(Debug)]
pub struct Analyst(Kind);

#[derive(Debug)]
enum Kind {
    Pattern(Engine<Pattern>),
}

impl Analyst {
    /// Sets an analyst up.
    pub fn new(settings: &Settings<'_>) -> Result<Self, AnalystError> {
        let kind = match settings.evaluator {
            EvaluatorChoice::Pattern => {
                let pattern = match settings.weights {
                    Some(bytes) => Pattern::from_bytes(bytes)?,
                    None => Pattern::shipped()?,
                };
                Kind::Pattern(Engine::new(pattern, settings.hash_mb, settings.threads)?)
            }
        };
        Ok(Self(kind))
    }

    /// Searches a position.
    pub fn search(&mut self, board: Board, limits: &Limits, control: Control<'_>) -> Report {
        match &mut self.0 {
            Kind::Pattern(engine) => engine.search(board, limits, control),
        }
    }

    /// The static value of a position in centidiscs.
    pub fn evaluate(&self, board: Board) -> i32 {
        match &self.0 {
            Kind::Pattern(engine) => engine.evaluate(board),
        }
    }

    /// Forgets earlier searches.
    pub fn clear(&mut self) {
        match &mut self.0 {
            Kind::Pattern(engine) => engine.clear(),
        }
    }
}
