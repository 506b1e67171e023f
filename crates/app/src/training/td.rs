//! A TD(λ)-Leaf training in a folder: games on all cores, checkpoints, a log.

use super::{
    News, Outside, TrainingError, changes,
    crew::{Crew, SET_ASIDE_MB, message},
    files::{numbered_files, twice},
    log::Log,
    measured::{Measured, ratio},
};
use crate::{
    Disk,
    input::{CHECKPOINT_MAX, read_from},
};
use learn::{
    playing::{GameFailure, against_random},
    settings::Settings as _,
    td::{Event, History, Settings, Trainer, play},
};
use std::{
    collections::BTreeMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// A training and the folder that it lives in.
#[derive(Debug)]
pub struct TdRun {
    folder: PathBuf,
    trainer: Trainer,
    /// The games of the newest checkpoint on disk that has this very state.
    saved_at: Option<u64>,
    disk: Disk,
    learn: Learn,
}

/// How a batch is learned from; a test puts one that panics in its place.
type Learn = fn(&mut Trainer, Vec<Result<History, GameFailure>>, &mut dyn FnMut(u64, Event));

fn learn(
    trainer: &mut Trainer,
    batch: Vec<Result<History, GameFailure>>,
    tell: &mut dyn FnMut(u64, Event),
) {
    trainer.absorb(batch, tell);
}

/// How a session of training ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TdEnd {
    /// All games are played.
    Finished,
    Interrupted,
    /// Too many games failed.
    Paused {
        failed: u64,
        games: u64,
        pattern: String,
    },
}

const CHECKPOINT: &str = "checkpoint";
const BIN: &str = "bin";

impl TdRun {
    /// A new training; not in a folder that has one.
    pub fn start(disk: Disk, folder: &Path, settings: Settings) -> Result<Self, TrainingError> {
        if let Some(&(games, _)) = numbered_files(&disk, folder, CHECKPOINT, BIN)?.first() {
            return Err(TrainingError::Occupied {
                folder: folder.to_owned(),
                games,
            });
        }
        Ok(Self {
            folder: folder.to_owned(),
            trainer: Trainer::new(settings)?,
            saved_at: None,
            disk,
            learn,
        })
    }

    /// The training of a folder as its newest usable checkpoint has it, and what is wrong with
    /// newer ones; nothing if the folder has none.
    pub fn resume(disk: Disk, folder: &Path) -> Result<Option<(Self, Vec<String>)>, TrainingError> {
        let mut problems = Vec::new();
        for (games, path) in numbered_files(&disk, folder, CHECKPOINT, BIN)? {
            match load(&disk, &path, games) {
                Ok(trainer) => {
                    let run = Self {
                        folder: folder.to_owned(),
                        trainer,
                        saved_at: Some(games),
                        disk,
                        learn,
                    };
                    return Ok(Some((run, problems)));
                }
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            return Ok(None);
        }
        Err(TrainingError::Unusable {
            folder: folder.to_owned(),
            problems: problems.join("; "),
        })
    }

    pub fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// Goes on with other constants; what changed, in words.
    pub fn set_settings(&mut self, settings: Settings) -> Vec<String> {
        let changes = changes(self.trainer.settings(), &settings);
        if !changes.is_empty() {
            self.trainer.set_settings(settings);
            // What is on disk has the old ones.
            self.saved_at = None;
        }
        changes
    }

    /// Plays and learns until all games are done or the stop flag is set, and saves. `stamp` names
    /// the log; all memory together stays below `memory_mb`.
    pub fn run(
        &mut self,
        threads: usize,
        memory_mb: usize,
        stamp: &str,
        outside: &mut Outside<'_>,
    ) -> Result<(TdEnd, Measured), TrainingError> {
        let logs = self.folder.join("logs");
        let file_error = |what, path: &Path| {
            let path = path.to_owned();
            move |source| TrainingError::File { what, path, source }
        };
        self.disk
            .make_folder(&logs)
            .map_err(file_error("create", &logs))?;
        let log_path = logs.join(format!("training_{stamp}.log"));
        let log = Log::create(&self.disk, &log_path).map_err(file_error("create", &log_path))?;
        let wanted_mb = self.trainer.settings().hash_mb_per_thread(threads);
        let planned_mb = planned_hash_mb(wanted_mb, threads, memory_mb);
        let crew = Crew::new(threads, planned_mb)?;
        let mut session = Session {
            started_us: (outside.now_us)(),
            before_ms: self.trainer.elapsed_ms(),
            first_game: self.trainer.games(),
            measured: Measured {
                threads,
                hash_mb: crew.hash_mb,
                ..Measured::default()
            },
            searched: (0, 0),
            unlearnable: BTreeMap::new(),
            crew,
            log,
            outside,
        };
        session.introduce(&self.trainer, wanted_mb);
        let end = self.work(&mut session)?;
        session.say(&format!("end: {end:?}"));
        let Session {
            log,
            mut measured,
            started_us,
            outside,
            ..
        } = session;
        measured.seconds = seconds(started_us, (outside.now_us)());
        if let Err(error) = log.close() {
            let text = format!("cannot write {}: {error}", log_path.display());
            (outside.observe)(News::Warning(&text));
        }
        Ok((end, measured))
    }

    fn work(&mut self, session: &mut Session<'_, '_>) -> Result<TdEnd, TrainingError> {
        loop {
            if self.trainer.match_due() && !session.play_match(&mut self.trainer) {
                break;
            }
            if self.trainer.checkpoint_due() && self.saved_at != Some(self.trainer.games()) {
                let last = self.trainer.is_done();
                self.save(session, last)?;
            }
            if self.trainer.is_done() {
                return Ok(TdEnd::Finished);
            }
            let Some(games) = session.play_batch(&self.trainer) else {
                break;
            };
            let absorbed = catch_unwind(AssertUnwindSafe(|| {
                session.absorb(&mut self.trainer, games, self.learn)
            }));
            match absorbed {
                Ok(None) => {}
                Ok(Some(pause)) => {
                    self.save(session, true)?;
                    return Ok(pause);
                }
                Err(panic) => self.go_back(session, message(panic.as_ref()))?,
            }
        }
        if self.saved_at != Some(self.trainer.games()) {
            self.save(session, true)?;
        }
        Ok(TdEnd::Interrupted)
    }

    /// A panic may leave half of a game in the weights: the training goes on from the newest
    /// checkpoint. The game that was being learned from is left out the next time, or the same
    /// would happen for ever.
    fn go_back(
        &mut self,
        session: &mut Session<'_, '_>,
        reason: String,
    ) -> Result<(), TrainingError> {
        let number = self.trainer.games().saturating_sub(1);
        session.warn(&format!(
            "learning from game {number} panicked ({reason}); going on from the last checkpoint \
             without it"
        ));
        let settings = self.trainer.settings().clone();
        session.unlearnable.insert(number, reason);
        let (trainer, saved_at) = match Self::resume(self.disk.clone(), &self.folder)? {
            Some((run, _)) => (run.trainer, run.saved_at),
            None => (Trainer::new(settings.clone())?, None),
        };
        self.trainer = trainer;
        self.trainer.set_settings(settings);
        self.saved_at = saved_at;
        Ok(())
    }

    /// Saves a checkpoint, at the second attempt if need be. One that does not matter yet may
    /// fail: there will be another.
    fn save(&mut self, session: &mut Session<'_, '_>, matters: bool) -> Result<(), TrainingError> {
        let started_us = (session.outside.now_us)();
        let elapsed_us = started_us.saturating_sub(session.started_us);
        self.trainer
            .set_elapsed_ms(session.before_ms + elapsed_us / 1000);
        let games = self.trainer.games();
        let path = self.folder.join(format!("{CHECKPOINT}_{games:06}.{BIN}"));
        let (trainer, disk) = (&self.trainer, &self.disk);
        let mut first_failure = None;
        let attempt = || -> io::Result<u64> {
            let bytes = trainer.to_checkpoint()?;
            disk.replace(&path, &bytes)?;
            Ok(bytes.len() as u64)
        };
        let saved = twice(attempt, |error| first_failure = Some(error.to_string()));
        if let Some(error) = first_failure {
            session.warn(&format!("saving {} failed once: {error}", path.display()));
        }
        match saved {
            Ok(bytes) => {
                self.saved_at = Some(games);
                let took = seconds(started_us, (session.outside.now_us)());
                let measured = &mut session.measured;
                measured.saves += 1;
                measured.save_seconds += took;
                measured.slowest_save_seconds = measured.slowest_save_seconds.max(took);
                measured.checkpoint_bytes = bytes;
                session.summarise(&self.trainer, &path, took);
                Ok(())
            }
            Err(source) if matters => Err(TrainingError::File {
                what: "save",
                path,
                source,
            }),
            Err(error) => {
                session.warn(&format!(
                    "cannot save {}: {error}; going on until the next checkpoint",
                    path.display()
                ));
                Ok(())
            }
        }
    }
}

/// The training of a checkpoint after so many games, or what is wrong with it.
fn load(disk: &Disk, path: &Path, games: u64) -> Result<Trainer, String> {
    let bytes = read_from(disk, path, CHECKPOINT_MAX).map_err(|error| error.to_string())?;
    let shown = path.display();
    let trainer = Trainer::from_checkpoint(&bytes).map_err(|error| format!("{shown}: {error}"))?;
    if trainer.games() != games {
        return Err(format!("{shown}: it is of {} games", trainer.games()));
    }
    Ok(trainer)
}

/// Megabytes of table for each thread that leave enough of all memory for the rest.
fn planned_hash_mb(wanted_mb: usize, threads: usize, memory_mb: usize) -> usize {
    /// Weights 24 and moments 97; then a checkpoint about to be written, the games of a batch and
    /// the program.
    const REST_MB: usize = 24 + 97 + SET_ASIDE_MB;
    let left = memory_mb.saturating_sub(REST_MB) / threads.max(1);
    wanted_mb.min(left).max(1)
}

fn seconds(from_us: u64, to_us: u64) -> f64 {
    to_us.saturating_sub(from_us) as f64 / 1e6
}

/// One run of the program: what is not worth keeping.
struct Session<'a, 'o> {
    started_us: u64,
    /// Milliseconds of earlier sessions.
    before_ms: u64,
    first_game: u64,
    measured: Measured,
    /// Searches and their microseconds since the last details.
    searched: (u64, u64),
    /// Games that learning panicked with, and what the panic said.
    unlearnable: BTreeMap<u64, String>,
    crew: Crew,
    log: Log,
    outside: &'a mut Outside<'o>,
}

impl Session<'_, '_> {
    fn say(&self, text: &str) {
        let elapsed = seconds(self.started_us, (self.outside.now_us)());
        self.log.line(format!("[{elapsed:10.3}] {text}"));
    }

    fn warn(&mut self, text: &str) {
        self.say(&format!("WARNING {text}"));
        (self.outside.observe)(News::Warning(text));
    }

    fn introduce(&mut self, trainer: &Trainer, wanted_mb: usize) {
        let Measured {
            threads, hash_mb, ..
        } = self.measured;
        self.say(&format!(
            "from game {} on, {threads} threads, {hash_mb} MB of table each",
            trainer.games()
        ));
        for line in trainer.settings().to_text().lines() {
            self.say(&format!("setting {line}"));
        }
        if hash_mb < wanted_mb {
            self.warn(&format!(
                "not enough memory for {wanted_mb} MB of table for each of {threads} threads; \
                 they have {hash_mb} MB"
            ));
        }
    }

    /// Whether it was played to its end.
    fn play_match(&mut self, trainer: &mut Trainer) -> bool {
        let started_us = (self.outside.now_us)();
        let settings = trainer.settings();
        let games = trainer.games();
        let (now_us, stop) = (self.outside.now_us, self.outside.stop);
        let points = self.crew.play(
            trainer.learner().pattern(),
            0..settings.match_games,
            |engine, index| {
                let searcher = settings.searcher(engine, now_us, stop);
                against_random(searcher, settings.seed, games, index)
            },
        );
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        self.measured.match_seconds += seconds(started_us, (self.outside.now_us)());
        let n_failed = points.iter().filter(|it| it.is_err()).count();
        if let Some(failure) = points.iter().find_map(|it| it.as_ref().err()) {
            self.warn(&format!(
                "{n_failed} games against random moves failed and count as lost: {failure}"
            ));
        }
        let points: Vec<f64> = points.into_iter().map(|it| it.unwrap_or(0.0)).collect();
        let weak = trainer.add_match(&points);
        if let Some(point) = trainer.matches().last() {
            let percent = 100.0 * point.win_rate;
            self.say(&format!(
                "match against random moves: {percent:.1} % of {} games",
                points.len()
            ));
        }
        if let Some(Event::WeakMatch { win_rate }) = weak {
            self.warn(&format!(
                "after {games} games only {:.1} % of the points against random moves",
                100.0 * win_rate
            ));
        }
        true
    }

    /// The next batch, or nothing if the stop flag was set: then it never happened.
    fn play_batch(&mut self, trainer: &Trainer) -> Option<Vec<Result<History, GameFailure>>> {
        let started_us = (self.outside.now_us)();
        let settings = trainer.settings();
        let (now_us, stop) = (self.outside.now_us, self.outside.stop);
        let unlearnable = &self.unlearnable;
        let games = self.crew.play(
            trainer.learner().pattern(),
            trainer.next_batch(),
            |engine, number| {
                if stop.load(Ordering::Relaxed) {
                    return Err(GameFailure::Stopped);
                }
                if let Some(reason) = unlearnable.get(&number) {
                    return Err(GameFailure::Panic(reason.clone()));
                }
                play(settings.searcher(engine, now_us, stop), settings, number)
            },
        );
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        self.measured.play_seconds += seconds(started_us, (self.outside.now_us)());
        for game in &games {
            self.measured.games += 1;
            match game {
                Ok(history) => {
                    self.measured.searches += history.searches;
                    self.measured.search_seconds += history.search_us as f64 / 1e6;
                    self.searched.0 += history.searches;
                    self.searched.1 += history.search_us;
                }
                Err(_) => self.measured.failed += 1,
            }
        }
        Some(games)
    }

    /// Learns from a batch and tells about it; how to end if that is necessary.
    fn absorb(
        &mut self,
        trainer: &mut Trainer,
        games: Vec<Result<History, GameFailure>>,
        learn: Learn,
    ) -> Option<TdEnd> {
        let started_us = (self.outside.now_us)();
        let mut events = Vec::new();
        learn(trainer, games, &mut |games, event| {
            events.push((games, event));
        });
        self.measured.update_seconds += seconds(started_us, (self.outside.now_us)());
        let mut end = None;
        let mut error = trainer.curve().last().map(|point| point.error);
        for (games, event) in events {
            if let Event::Statistics(recent) = &event {
                error = Some(recent.mean_error());
            }
            end = self.tell(trainer, games, event).or(end);
        }
        (self.outside.observe)(News::Progress {
            games: trainer.games(),
            error,
            win_rate: trainer.matches().last().map(|point| point.win_rate),
        });
        end
    }

    fn tell(&mut self, trainer: &Trainer, games: u64, event: Event) -> Option<TdEnd> {
        match event {
            Event::Failed { number, failure } => {
                self.warn(&format!("game {number} failed and is skipped: {failure}"));
            }
            Event::Statistics(recent) => {
                let pace = self.pace(trainer, games);
                self.say(&format!("game {games}: {recent}, {pace}"));
            }
            Event::Details(window) => {
                let (searches, us) = std::mem::take(&mut self.searched);
                let search_ms = ratio(us as f64 / 1000.0, searches as f64);
                let details = window.details();
                self.say(&format!(
                    "details to game {games}: {details}, search {search_ms:.2} ms a move"
                ));
            }
            Event::Convergence {
                trend,
                touched_share,
                updates_per_touched,
            } => {
                let trend: Vec<String> = trend
                    .iter()
                    .map(|point| {
                        format!(
                            "to game {} difference {:+.2} deviation {:.2} error {:.3}",
                            point.games, point.difference, point.deviation, point.error
                        )
                    })
                    .collect();
                self.say(&format!(
                    "convergence: {}; {:.2} % of the weights changed, {updates_per_touched:.0} \
                     times each (200 are wanted)",
                    trend.join(", "),
                    100.0 * touched_share
                ));
            }
            Event::Stagnation { games, best_error } => self.warn(&format!(
                "learning stagnates: for {games} games no smaller error than {best_error:.3} discs"
            )),
            Event::Divergence {
                values: [low, high],
            } => self.warn(&format!(
                "evaluations diverge: they go from {low:.1} to {high:.1} discs"
            )),
            Event::Repaired { number, weights } => self.warn(&format!(
                "{weights} weights were no numbers any more in game {number} and are reset"
            )),
            Event::WeakMatch { .. } => {}
            Event::Pause {
                failed,
                games,
                pattern,
            } => {
                self.warn(&format!("{failed} of {games} games failed: {pattern}"));
                return Some(TdEnd::Paused {
                    failed,
                    games,
                    pattern,
                });
            }
        }
        None
    }

    /// Elapsed time of all sessions, speed of this one, and time left.
    fn pace(&self, trainer: &Trainer, games: u64) -> String {
        let session = seconds(self.started_us, (self.outside.now_us)());
        let elapsed = self.before_ms as f64 / 1000.0 + session;
        let speed = ratio(games.saturating_sub(self.first_game) as f64, session);
        let left = trainer.settings().games.saturating_sub(games) as f64;
        format!(
            "elapsed {elapsed:.0} s, {speed:.2} games/s, {} left",
            duration(ratio(left, speed))
        )
    }

    fn summarise(&mut self, trainer: &Trainer, path: &Path, took: f64) {
        let total = trainer.total();
        let games = trainer.games();
        let pace = self.pace(trainer, games.max(self.first_game));
        self.say(&format!(
            "saved {} in {took:.2} s; all {games} games: {total}, {}, {pace}",
            path.display(),
            total.details()
        ));
    }
}

/// Seconds as a user of the log wants them: "55 h 33 min".
fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        0 => format!("{seconds:.0} s"),
        1..=119 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests;
