//! Engines on all threads that play games side by side with the same evaluator.

use super::TrainingError;
use engine::{Engine, EngineError, eval::Evaluator};
use learn::playing::GameFailure;
use rayon::{
    ThreadPool,
    iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _},
};
use std::{
    any::Any,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

/// One engine per thread; between batches without an evaluator, so that learning may change it.
#[derive(Debug)]
pub(super) struct Crew {
    pool: ThreadPool,
    engines: Vec<Engine<()>>,
    /// What the smallest table has got.
    pub(super) hash_mb: usize,
}

/// What must be left when the tables have their memory: a checkpoint and the games of a batch.
pub(super) const SET_ASIDE_MB: usize = 130;

impl Crew {
    /// Tables have `hash_mb` megabytes each, or less if there is not so much memory.
    pub(super) fn new(threads: usize, hash_mb: usize) -> Result<Self, TrainingError> {
        let threads = threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        // Whatever the tables take, the rest of a training needs some, too.
        let mut set_aside = Vec::<u8>::new();
        let hash_mb = match set_aside.try_reserve_exact(SET_ASIDE_MB << 20) {
            Ok(()) => hash_mb,
            Err(_) => 1,
        };
        let (engines, sizes): (Vec<_>, Vec<_>) = (0..threads)
            .map(|_| Engine::with_table_up_to((), hash_mb))
            .collect::<Result<Vec<_>, EngineError>>()?
            .into_iter()
            .unzip();
        drop(set_aside);
        Ok(Self {
            pool,
            engines,
            hash_mb: sizes.into_iter().min().unwrap_or(hash_mb),
        })
    }

    /// Plays all games; the results are in the order of their numbers. A game that panics has
    /// failed, no more.
    pub(super) fn play<E, T>(
        &mut self,
        evaluator: &E,
        numbers: Range<u64>,
        play: impl Fn(&mut Engine<&E>, u64) -> Result<T, GameFailure> + Sync,
    ) -> Vec<Result<T, GameFailure>>
    where
        E: Evaluator,
        T: Send,
    {
        let engines: Vec<Mutex<Engine<&E>>> = self
            .engines
            .drain(..)
            .map(|engine| Mutex::new(engine.with_evaluator(evaluator)))
            .collect();
        let numbers: Vec<u64> = numbers.collect();
        let games = self.pool.install(|| {
            let one = |number: u64| {
                let worker = rayon::current_thread_index().unwrap_or(0);
                // A game clears what an earlier one left, also if that one panicked.
                let mut engine = engines[worker]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                catch_unwind(AssertUnwindSafe(|| play(&mut engine, number)))
                    .unwrap_or_else(|panic| Err(GameFailure::Panic(message(panic.as_ref()))))
            };
            numbers.into_par_iter().with_max_len(1).map(one).collect()
        });
        self.engines = engines
            .into_iter()
            .map(|engine| engine.into_inner().unwrap_or_else(PoisonError::into_inner))
            .map(|engine| engine.with_evaluator(()))
            .collect();
        games
    }
}

pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::classic::Classic;

    #[test]
    fn results_are_in_order_and_panics_are_failures() {
        let mut crew = Crew::new(3, 1).unwrap();
        let classic = Classic::default();
        for _ in 0..2 {
            let games = crew.play(&classic, 10..40, |engine, number| {
                assert_ne!(number, 20, "twenty is too much");
                assert!(engine.evaluate(othello::Board::START).abs() < 6400);
                Ok(number)
            });
            assert_eq!(games.len(), 30);
            for (game, number) in games.iter().zip(10..) {
                match game {
                    Ok(played) => assert_eq!(*played, number),
                    Err(failure) => {
                        assert_eq!(number, 20);
                        assert!(failure.to_string().contains("twenty is too much"));
                    }
                }
            }
        }
    }
}
