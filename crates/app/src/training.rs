//! Making weights: labelling positions of games on all cores, fitting, checking, and learning from
//! games of the engine against itself.

mod check;
mod crew;
mod files;
mod fit;
mod hidden;
mod label;
mod linear;
mod log;
mod measured;
mod order;
mod source;
mod td;

use crate::input::InputError;
use std::{io, path::PathBuf, sync::atomic::AtomicBool};

pub use check::{Checked, StaticError, check};
pub use fit::{FitError, FitPlan, fit};
pub use hidden::{HiddenPlan, hidden};
pub use label::{LabelError, LabelNews, LabelRun, LabelTask};
pub use learn::{
    data::{Appender, Contents, Cut, DataError, Labelled, Origin, read},
    fit::Settings as FitSettings,
    hidden::{EpochError, HiddenSettings},
    label::{Plan, Shift, Source},
    linear::{Linear, Point as LinearPoint, Settings as LinearSettings},
    order::{OrderCost, OrderPlan, OrderSettings, Spent},
    settings::{Constant, MoveLimit, SettingError, Settings as TrainingSettings},
    stages::{StageError, StagesSettings},
    td::{MatchPoint, Settings as TdSettings, Tally, Trainer, WindowPoint, checkpoint},
};
pub use linear::LinearRun;
pub use measured::Measured;
pub use order::{OrderError, OrderNews, OrderReport, OrderTask, order};
pub use source::{HoldOut, Reading, SourceError, wthor_games};
pub use td::{TdEnd, TdRun};

/// The outside world of a training: a clock, a way to stop it, a listener.
pub struct Outside<'a> {
    /// Microseconds since whenever the caller likes.
    pub now_us: &'a (dyn Fn() -> u64 + Sync),
    /// Set it to end the training in a way that loses nothing.
    pub stop: &'a AtomicBool,
    /// Told how it goes.
    pub observe: &'a mut dyn FnMut(News<'_>),
}

impl std::fmt::Debug for Outside<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

/// Something that a training has to say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum News<'a> {
    /// How far it is.
    Progress {
        games: u64,
        /// Mean size of the last errors.
        error: Option<f64>,
        /// The last share of points against random moves.
        win_rate: Option<f64>,
    },
    /// Something that should not be.
    Warning(&'a str),
}

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A file or folder cannot be used.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// There is a training in the folder already.
    #[error(
        "{folder} has a training of {games} games: --resume goes on with it; for a fresh start name \
         another folder or remove its checkpoints",
        folder = folder.display()
    )]
    Occupied {
        folder: PathBuf,
        /// The games of its newest checkpoint.
        games: u64,
    },
    /// All there is to go on with is damaged.
    #[error(
        "no usable checkpoint in {folder}: {problems}; for a fresh start name another folder or \
         remove its checkpoints",
        folder = folder.display()
    )]
    Unusable {
        folder: PathBuf,
        /// What is wrong with each.
        problems: String,
    },
    /// The state beside the weights cannot be used.
    #[error("cannot go on with {path}: {source}", path = path.display())]
    State {
        path: PathBuf,
        /// What is wrong with it.
        source: learn::linear::StateError,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Memory(#[from] learn::td::adam::MemoryError),
    /// There is no memory for an engine's table.
    #[error(transparent)]
    Engine(#[from] engine::EngineError),
    /// The threads cannot be started.
    #[error("cannot start the workers: {0}")]
    Workers(#[from] rayon::ThreadPoolBuildError),
}

/// What differs between constants, in words.
fn changes<S: TrainingSettings>(old: &S, new: &S) -> Vec<String> {
    let differences = old.differences(new).into_iter();
    differences
        .map(|(name, old, new)| format!("{name} {old} -> {new}"))
        .collect()
}
