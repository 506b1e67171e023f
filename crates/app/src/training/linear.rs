//! A TD(λ) training of the classic weights: a JSON file, and its state beside it.

use super::{
    News, Outside, TrainingError, changes,
    crew::{Crew, message},
    files::{beside, twice},
};
use crate::{
    Disk,
    input::{InputError, SETTINGS_MAX, read_text_from},
};
use engine::eval::classic::{Classic, WeightsError};
use learn::{
    linear::{Episode, Linear, Settings, play},
    playing::{GameFailure, against_random},
};
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// Short searches fit into this.
const HASH_MB: usize = 4;

/// A training and where its weights go.
#[derive(Debug)]
pub struct LinearRun {
    weights: PathBuf,
    state: PathBuf,
    linear: Linear,
    /// The games of the state on disk, if it has this very training.
    saved_at: Option<u64>,
    disk: Disk,
    learn: Learn,
}

/// How a game is learned from; a test puts one that panics in its place.
type Learn = fn(&mut Linear, Result<Episode, GameFailure>);

fn learn(linear: &mut Linear, game: Result<Episode, GameFailure>) {
    linear.absorb(&[game]);
}

impl LinearRun {
    /// A new training from given weights (JSON) or the documented ones. A state beside the weights
    /// is replaced.
    pub fn start(
        disk: Disk,
        weights: &Path,
        settings: Settings,
        from: Option<&str>,
    ) -> Result<Self, WeightsError> {
        let start = from.map_or_else(|| Ok(Classic::default()), Classic::from_json)?;
        Ok(Self {
            weights: weights.to_owned(),
            state: beside(weights, ".state"),
            linear: Linear::new(settings, &start),
            saved_at: None,
            disk,
            learn,
        })
    }

    /// The training whose weights these are; nothing if it has not begun.
    pub fn resume(disk: Disk, weights: &Path) -> Result<Option<Self>, TrainingError> {
        let state = beside(weights, ".state");
        let text = match read_text_from(&disk, &state, SETTINGS_MAX) {
            Ok(text) => text,
            Err(InputError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let linear = Linear::from_text(&text).map_err(|source| TrainingError::State {
            path: state.clone(),
            source,
        })?;
        Ok(Some(Self {
            weights: weights.to_owned(),
            state,
            // The weights may be older than the state: a crash can come between the two.
            saved_at: None,
            linear,
            disk,
            learn,
        }))
    }

    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// The weights as they are, in the order of their names.
    pub fn weights(&self) -> Vec<(&'static str, f64)> {
        let weights = self.linear.classic().unwrap_or_default().weights();
        let names = engine::eval::classic::FEATURE_NAMES;
        names.into_iter().zip(weights).collect()
    }

    /// Goes on with other constants; what changed, in words.
    pub fn set_settings(&mut self, settings: Settings) -> Vec<String> {
        let changes = changes(self.linear.settings(), &settings);
        if !changes.is_empty() {
            self.linear.set_settings(settings);
            self.saved_at = None;
        }
        changes
    }

    /// Plays and learns until all games are done or the stop flag is set, and saves; whether all
    /// are done.
    pub fn run(
        &mut self,
        threads: usize,
        outside: &mut Outside<'_>,
    ) -> Result<bool, TrainingError> {
        let mut crew = Crew::new(threads, HASH_MB)?;
        loop {
            // Weights that cannot be used are set back while learning.
            let classic = self.linear.classic().unwrap_or_default();
            if self.linear.match_due() && !self.play_match(&mut crew, &classic, outside) {
                break;
            }
            if self.linear.checkpoint_due() && self.saved_at != Some(self.linear.games()) {
                let last = self.linear.is_done();
                self.save(outside, last)?;
            }
            if self.linear.is_done() {
                return Ok(true);
            }
            let Some(batch) = self.play_batch(&mut crew, &classic, outside) else {
                break;
            };
            let resets = self.linear.resets();
            for game in batch {
                self.absorb(game, outside);
            }
            if self.linear.resets() > resets {
                let text = "weights ran away and are set back; try a smaller --alpha";
                (outside.observe)(News::Warning(text));
            }
            (outside.observe)(News::Progress {
                games: self.linear.games(),
                error: self.linear.curve().last().map(|point| point.error),
                win_rate: self.linear.matches().last().map(|point| point.win_rate),
            });
        }
        if self.saved_at != Some(self.linear.games()) {
            self.save(outside, true)?;
        }
        Ok(false)
    }

    /// Whether it was played to its end.
    fn play_match(
        &mut self,
        crew: &mut Crew,
        classic: &Classic,
        outside: &mut Outside<'_>,
    ) -> bool {
        let (settings, games) = (self.linear.settings(), self.linear.games());
        let (now_us, stop) = (outside.now_us, outside.stop);
        let points = crew.play(classic, 0..settings.match_games, |engine, index| {
            let searcher = settings.searcher(engine, now_us, stop);
            against_random(searcher, settings.seed, games, index)
        });
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let points: Vec<f64> = points.into_iter().map(|it| it.unwrap_or(0.0)).collect();
        self.linear.add_match(&points);
        true
    }

    /// The next batch, or nothing if the stop flag was set: then it never happened.
    fn play_batch(
        &self,
        crew: &mut Crew,
        classic: &Classic,
        outside: &Outside<'_>,
    ) -> Option<Vec<Result<Episode, GameFailure>>> {
        let settings = self.linear.settings();
        let (now_us, stop) = (outside.now_us, outside.stop);
        let stopped = || stop.load(Ordering::Relaxed);
        let batch = crew.play(classic, self.linear.next_batch(), |engine, number| {
            if stopped() {
                return Err(GameFailure::Stopped);
            }
            play(settings.searcher(engine, now_us, stop), settings, number)
        });
        (!stopped()).then_some(batch)
    }

    /// Learns from a game on a copy, so that a panic costs this game and nothing else.
    fn absorb(&mut self, game: Result<Episode, GameFailure>, outside: &mut Outside<'_>) {
        let number = self.linear.games();
        if let Err(failure) = &game {
            let text = format!("game {number} failed and is skipped: {failure}");
            (outside.observe)(News::Warning(&text));
        }
        let mut learned = self.linear.clone();
        let absorbed = catch_unwind(AssertUnwindSafe(|| (self.learn)(&mut learned, game)));
        match absorbed {
            Ok(()) => self.linear = learned,
            Err(panic) => {
                let reason = message(panic.as_ref());
                let text =
                    format!("learning from game {number} panicked ({reason}); going on without it");
                (outside.observe)(News::Warning(&text));
                self.linear.absorb(&[Err(GameFailure::Panic(reason))]);
            }
        }
    }

    /// Saves, at the second attempt if need be. First the state, then the weights: whenever the
    /// power fails, going on makes both agree. A saving that does not matter yet may fail: there
    /// will be another.
    fn save(&mut self, outside: &mut Outside<'_>, matters: bool) -> Result<(), TrainingError> {
        let classic = self.linear.classic().unwrap_or_default();
        for (path, text) in [
            (&self.state, self.linear.to_text()),
            (&self.weights, classic.to_json()),
        ] {
            let shown = path.display();
            let observe = &mut *outside.observe;
            let saved = twice(
                || self.disk.replace(path, text.as_bytes()),
                |error| {
                    let text = format!("saving {shown} failed once: {error}");
                    observe(News::Warning(&text));
                },
            );
            match saved {
                Ok(()) => {}
                Err(source) if matters => {
                    return Err(TrainingError::File {
                        what: "save",
                        path: path.clone(),
                        source,
                    });
                }
                Err(error) => {
                    let text =
                        format!("cannot save {shown}: {error}; going on until the next time");
                    (outside.observe)(News::Warning(&text));
                    return Ok(());
                }
            }
        }
        self.saved_at = Some(self.linear.games());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
