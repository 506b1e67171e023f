//! Making weights: labelling positions of games on all cores, fitting, and learning from games of
//! the engine against itself.

mod crew;
mod files;
mod linear;
mod log;
mod measured;
mod source;
mod td;

use crate::{AnalystError, input::InputError};
use engine::{Engine, eval::pattern::Pattern};
use learn::label::{label, pick};
use rayon::prelude::*;
use std::{
    io,
    path::PathBuf,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

pub use learn::{
    data::{Appender, Contents, Cut, DataError, Labelled, Origin, read},
    fit::Settings as FitSettings,
    label::{Plan, Progress as LabelProgress, Source},
    linear::{Linear, Point as LinearPoint, Settings as LinearSettings},
    settings::{Constant, MoveLimit, SettingError, Settings as TrainingSettings},
    stages::{StageError, StagesSettings, fit_stages},
    td::{MatchPoint, Settings as TdSettings, Tally, Trainer, WindowPoint, checkpoint},
};
pub use linear::LinearRun;
pub use measured::Measured;
pub use source::{Reading, SourceError, wthor_games};
pub use td::{TdEnd, TdRun};

/// The outside world of a training: a clock, a way to stop it, somebody to tell.
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

/// Games per batch: what an interruption can lose.
const BATCH: usize = 1024;

/// Size of each worker's table. Positions are labelled one by one, so little is enough.
const HASH_MB: usize = 16;

/// Values positions of games as planned, from game `first` on, which begins a batch. `keep` is given each batch, in the order of the games
/// whatever the number of workers, with the number of games done; it ends the work by returning
/// false.
pub fn label_games<K>(
    sources: &[Source],
    first: usize,
    plan: &Plan,
    weights: Option<&[u8]>,
    workers: usize,
    mut keep: K,
) -> Result<(), AnalystError>
where
    K: FnMut(&[Labelled], usize) -> bool,
{
    let engines = (0..workers)
        .map(|_| {
            let pattern = match weights {
                Some(bytes) => Pattern::from_bytes(bytes)?,
                None => Pattern::shipped()?,
            };
            Ok(Mutex::new(Engine::new(pattern, HASH_MB, 1)?))
        })
        .collect::<Result<Vec<_>, AnalystError>>()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .build()
        .map_err(AnalystError::Workers)?;
    let batches = sources.chunks(BATCH).enumerate();
    for (batch, games) in batches.skip(first.div_ceil(BATCH)) {
        let first = batch * BATCH;
        let labelled: Vec<Labelled> = pool.install(|| {
            games
                .par_iter()
                .enumerate()
                .flat_map_iter(|(i, source)| {
                    let worker = rayon::current_thread_index().unwrap_or(0);
                    let mut engine = engines[worker]
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    let picked = pick(source, (first + i) as u64, plan);
                    picked
                        .into_iter()
                        .filter_map(|(board, known)| {
                            if known.is_none() {
                                // A value depends on the position, not on who came before.
                                engine.clear();
                            }
                            label(&mut engine, board, known, source.held_out, plan)
                        })
                        .collect::<Vec<_>>()
                })
                .collect()
        });
        if !keep(&labelled, first + games.len()) {
            break;
        }
    }
    Ok(())
}
