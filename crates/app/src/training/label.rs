//! Positions of games valued on all cores, in batches that survive an interruption.

use super::files::beside;
use crate::{
    AnalystError, Disk,
    disk::OpenFile,
    input::{InputError, SETTINGS_MAX, read_text_from},
};
use engine::{Engine, eval::pattern::Pattern};
use learn::{
    data::{Appender, DataError, Labelled},
    label::{Plan, Progress, Source, label, pick},
};
use rayon::prelude::*;
use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Games per batch: what an interruption can lose.
const BATCH: usize = 1024;

/// Size of each worker's table. Positions are labelled one by one, so little is enough.
const HASH_MB: usize = 16;

/// What is to be labelled, and how.
#[derive(Debug, Clone)]
pub struct LabelTask {
    pub games: Vec<Source>,
    /// Which of the games are held out, in words.
    pub held_out: String,
    pub plan: Plan,
    /// The contents of a file of weights in place of the shipped ones.
    pub weights: Option<Vec<u8>>,
}

impl LabelTask {
    /// All that the labels depend on, in one line.
    fn describe(&self) -> String {
        let weights = self.weights.as_deref();
        self.plan
            .describe(self.games.len(), &self.held_out, weights)
    }
}

/// How far a labelling is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelNews {
    /// Games done, those of earlier runs included.
    pub games: usize,
    /// Positions that this run has added.
    pub positions: usize,
}

/// Why positions are not labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A file cannot be used.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// The data file is not one to append to.
    #[error("{path}: {source}", path = path.display())]
    Data { path: PathBuf, source: DataError },
    #[error(transparent)]
    Input(#[from] InputError),
    /// Something else stands where the progress is noted.
    #[error(
        "{path} is not the progress of a labelling; remove it to append to the data",
        path = path.display()
    )]
    NotProgress { path: PathBuf },
    /// Another labelling of the same file is not finished.
    #[error(
        "{out} has an unfinished labelling of other games, flags or weights ({plan}); finish that \
         first, or remove {progress} to append to what there is",
        out = out.display(), progress = progress.display()
    )]
    OtherPlan {
        out: PathBuf,
        progress: PathBuf,
        /// The plan of the other one.
        plan: String,
    },
    /// Labelled positions have been taken away.
    #[error(
        "{out} has {found} bytes and should have {expected}; remove {progress} to append to what \
         there is",
        out = out.display(), progress = progress.display()
    )]
    TooShort {
        out: PathBuf,
        progress: PathBuf,
        found: u64,
        /// As many as the noted progress speaks of.
        expected: u64,
    },
    /// An engine could not be set up.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
}

/// A labelling under way and its two files: the data, and a small one beside it that says how far
/// it has come.
pub struct LabelRun {
    disk: Disk,
    task: LabelTask,
    out: PathBuf,
    data: Appender<Box<dyn OpenFile>>,
    progress_path: PathBuf,
    progress: Progress,
}

impl fmt::Debug for LabelRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabelRun")
            .field("out", &self.out)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl LabelRun {
    /// Begins, or goes on with what an earlier run of the same task left: a batch that it did not
    /// finish is taken off the data.
    pub fn open(disk: Disk, out: &Path, task: LabelTask) -> Result<Self, LabelError> {
        let progress_path = beside(out, ".progress");
        let opening = |source| LabelError::File {
            what: "open",
            path: out.to_owned(),
            source,
        };
        let plan = task.describe();
        let left = left_over(&disk, &progress_path)?;
        if let Some(left) = left.as_ref().filter(|left| left.plan != plan) {
            return Err(LabelError::OtherPlan {
                out: out.to_owned(),
                progress: progress_path,
                plan: left.plan.clone(),
            });
        }
        let mut file = disk.grow(out).map_err(opening)?;
        if let Some(left) = &left {
            let found = file.seek(io::SeekFrom::End(0)).map_err(opening)?;
            if found < left.bytes {
                return Err(LabelError::TooShort {
                    out: out.to_owned(),
                    progress: progress_path,
                    found,
                    expected: left.bytes,
                });
            }
            file.truncate(left.bytes).map_err(opening)?;
        }
        let data = Appender::new(file).map_err(|source| LabelError::Data {
            path: out.to_owned(),
            source,
        })?;
        let games = left.map_or(0, |left| left.games);
        let mut run = Self {
            disk,
            task,
            out: out.to_owned(),
            data,
            progress_path,
            progress: Progress {
                plan,
                games,
                bytes: 0,
            },
        };
        run.note(games)?;
        Ok(run)
    }

    /// All games of the task.
    pub fn n_games(&self) -> usize {
        self.task.games.len()
    }

    /// Games whose positions are in the data file.
    pub fn n_done(&self) -> usize {
        self.progress.games
    }

    /// Labels batch after batch until all are done or `stop` is set; whether all are done.
    pub fn run(
        &mut self,
        workers: usize,
        stop: &AtomicBool,
        mut observe: impl FnMut(LabelNews),
    ) -> Result<bool, LabelError> {
        let crew = Crew::new(self.task.weights.as_deref(), workers)?;
        let mut positions = 0;
        while self.n_done() < self.n_games() {
            // A batch ends where it does for a run that was never interrupted.
            let first = self.n_done();
            let end = (first / BATCH + 1)
                .saturating_mul(BATCH)
                .min(self.n_games());
            let labelled = crew.label(&self.task, first..end);
            positions += labelled.len();
            self.keep(&labelled, end)?;
            observe(LabelNews {
                games: end,
                positions,
            });
            if stop.load(Ordering::Relaxed) && end < self.n_games() {
                return Ok(false);
            }
        }
        match self.disk.remove(&self.progress_path) {
            Ok(()) => Ok(true),
            // All is done. Should the note come back after a crash, it says so.
            Err(_) if matches!(self.disk.exists(&self.progress_path), Ok(false)) => Ok(true),
            Err(source) => Err(LabelError::File {
                what: "remove",
                path: self.progress_path.clone(),
                source,
            }),
        }
    }

    fn keep(&mut self, batch: &[Labelled], games: usize) -> Result<(), LabelError> {
        let written = self.data.append(batch);
        written.map_err(|source| not_written(&self.out, source))?;
        self.note(games)
    }

    /// Writes down how far it is. The data is on the device before, so that the note never speaks
    /// of positions that a crash has lost.
    fn note(&mut self, games: usize) -> Result<(), LabelError> {
        let synced = self.data.sync().and_then(|()| self.data.length());
        let bytes = synced.map_err(|source| not_written(&self.out, source))?;
        let progress = Progress {
            games,
            bytes,
            ..self.progress.clone()
        };
        let text = progress.to_text();
        let noted = self.disk.replace(&self.progress_path, text.as_bytes());
        noted.map_err(|source| not_written(&self.progress_path, source))?;
        self.progress = progress;
        Ok(())
    }
}

fn not_written(path: &Path, source: io::Error) -> LabelError {
    LabelError::File {
        what: "write",
        path: path.to_owned(),
        source,
    }
}

/// What an earlier run noted, if it was not finished.
fn left_over(disk: &Disk, path: &Path) -> Result<Option<Progress>, LabelError> {
    let text = match read_text_from(disk, path, SETTINGS_MAX) {
        Ok(text) => text,
        Err(InputError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let progress = Progress::from_text(&text).ok_or_else(|| LabelError::NotProgress {
        path: path.to_owned(),
    })?;
    Ok(Some(progress))
}

/// One engine for each worker; all share the weights.
struct Crew {
    pool: rayon::ThreadPool,
    engines: Vec<Mutex<Engine<Arc<Pattern>>>>,
}

impl Crew {
    fn new(weights: Option<&[u8]>, workers: usize) -> Result<Self, AnalystError> {
        let pattern = Arc::new(match weights {
            Some(bytes) => Pattern::from_bytes(bytes)?,
            None => Pattern::shipped()?,
        });
        let engines = (0..workers.max(1))
            .map(|_| Ok(Mutex::new(Engine::new(Arc::clone(&pattern), HASH_MB, 1)?)))
            .collect::<Result<Vec<_>, AnalystError>>()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(engines.len())
            .build()
            .map_err(AnalystError::Workers)?;
        Ok(Self { pool, engines })
    }

    /// The positions of some games with their values, in the order of the games whatever the number
    /// of workers.
    fn label(&self, task: &LabelTask, games: std::ops::Range<usize>) -> Vec<Labelled> {
        let one = |number: usize| {
            let source = &task.games[number];
            let worker = rayon::current_thread_index().unwrap_or(0);
            let mut engine = self.engines[worker]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let picked = pick(source, number as u64, &task.plan);
            picked
                .into_iter()
                .filter_map(|(board, known)| {
                    if known.is_none() {
                        // A value depends on the position, not on the one before it.
                        engine.clear();
                    }
                    label(&mut engine, board, known, source.held_out, &task.plan)
                })
                .collect::<Vec<_>>()
        };
        self.pool
            .install(|| games.into_par_iter().flat_map_iter(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::testing::{Call, Crash, Failure, Fault, Memory};
    use learn::label::Shift;
    use othello::{Game, Move, sample::SplitMix64};

    const OUT: &str = "/data/some.data";

    /// Random games, more than a batch of them.
    fn task() -> LabelTask {
        let mut random = SplitMix64::new(7);
        let mut game = || {
            let mut game = Game::new();
            while !game.is_over() {
                let legal = game.position().board.legal_moves();
                let at = random.below(legal.len().max(1)) as usize;
                let square = legal.into_iter().nth(at);
                game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
            }
            Source {
                game,
                proven: None,
                held_out: false,
                values: Vec::new(),
            }
        };
        LabelTask {
            games: (0..BATCH + 100).map(|_| game()).collect(),
            held_out: "none".to_owned(),
            plan: Plan {
                empties: 3..=4,
                deviation: 0.5,
                exact_empties: 4,
                depth: 0,
                share: 0.02,
                from_later: false,
                recorded: None,
                shift: Shift::default(),
                seed: 3,
            },
            weights: None,
        }
    }

    fn memory() -> Arc<Memory> {
        let memory = Memory::new();
        memory.disk().make_folder(Path::new("/data")).unwrap();
        memory
    }

    fn finish(memory: &Arc<Memory>, task: &LabelTask) -> Result<bool, LabelError> {
        let mut run = LabelRun::open(memory.disk(), Path::new(OUT), task.clone())?;
        run.run(1, &AtomicBool::new(false), |_| {})
    }

    #[test]
    fn a_labelling_survives_the_failure_of_any_call() {
        let task = task();
        let reference = memory();
        assert!(finish(&reference, &task).unwrap());
        let expected = reference.contents(Path::new(OUT)).unwrap();
        assert!(expected.len() > 500, "{}", expected.len());
        assert_eq!(reference.paths(), [Path::new(OUT)]);
        let mut n_faults = 0;
        for (call, failure) in [
            (Call::Open, Failure::NoDescriptors),
            (Call::Read, Failure::Device),
            (Call::Write, Failure::ShortWrite),
            (Call::Sync, Failure::Device),
            (Call::Rename, Failure::NoSpace),
            (Call::Remove, Failure::ReadOnly),
        ] {
            for after in 0.. {
                let memory = memory();
                memory.fail(Fault::nth(call, after, failure));
                let ended = finish(&memory, &task);
                if memory.n_faults() == 0 {
                    break;
                }
                n_faults += 1;
                memory.heal();
                let at = format!("{call:?} {after}");
                let crashes = [Crash::NamesLost, Crash::NamesKept].map(|it| memory.after(it));
                for memory in [memory].into_iter().chain(crashes) {
                    // The same command goes on, also if the machine stopped at that moment.
                    if ended.is_err() {
                        assert!(finish(&memory, &task).unwrap(), "{at}");
                        assert_eq!(memory.paths(), [Path::new(OUT)], "{at}");
                    }
                    assert!(memory.contents(Path::new(OUT)).unwrap() == expected, "{at}");
                }
            }
        }
        assert!(n_faults >= 20, "{n_faults}");
    }

    #[test]
    fn what_stands_in_the_way_of_a_labelling_is_named() {
        let task = task();
        let memory = memory();
        let stop = AtomicBool::new(true);
        let mut run = LabelRun::open(memory.disk(), Path::new(OUT), task.clone()).unwrap();
        assert!(!run.run(1, &stop, |_| {}).unwrap(), "stopped after a batch");
        assert_eq!(run.n_done(), BATCH);
        drop(run);
        let message = |task: &LabelTask| finish(&memory, task).unwrap_err().to_string();
        let mut other = task.clone();
        other.plan.seed = 4;
        let text = message(&other);
        assert!(
            text.contains("an unfinished labelling of other games"),
            "{text}"
        );
        memory.put(Path::new(OUT), b"");
        let text = message(&task);
        assert!(text.contains("has 0 bytes and should have"), "{text}");
        memory.put(Path::new("/data/some.data.progress"), b"rubbish");
        let text = message(&task);
        assert!(
            text.contains("is not the progress of a labelling"),
            "{text}"
        );
    }
}
