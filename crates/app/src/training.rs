//! Making weights: labelling positions of games on all cores, and fitting.

use crate::AnalystError;
use engine::{Engine, eval::pattern::Pattern};
use learn::label::{label, pick};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

pub use learn::{
    data::{Appender, DataError, Labelled, Origin, read},
    fit::Settings as FitSettings,
    label::{Plan, Source},
    stages::{StageError, StagesSettings, fit_stages},
};

/// Games per batch: what an interruption can lose.
const BATCH: usize = 1024;

/// Size of each worker's table. Positions are labelled one by one, so little is enough.
const HASH_MB: usize = 16;

/// Values positions of games as planned. `keep` is given each batch, in the order of the games
/// whatever the number of workers, with the number of games done; it ends the work by returning
/// false.
pub fn label_games<K>(
    sources: &[Source],
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
    for (batch, games) in sources.chunks(BATCH).enumerate() {
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
