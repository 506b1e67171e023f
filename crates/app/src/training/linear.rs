//! A TD(λ) training of the classic weights: a JSON file, and its state beside it.

use super::{News, Outside, TrainingError, crew::Crew, files::twice};
use crate::{
    Disk,
    input::{InputError, SETTINGS_MAX, read_text_bounded},
};
use engine::eval::classic::{Classic, WeightsError};
use learn::{
    linear::{Linear, Settings, play},
    playing::{GameFailure, against_random},
    settings::Settings as _,
};
use std::{
    io,
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
    saved_at: Option<u64>,
}

impl LinearRun {
    /// A new training from given weights (JSON) or the documented ones. A state beside the weights
    /// is replaced.
    pub fn start(
        weights: &Path,
        settings: Settings,
        from: Option<&str>,
    ) -> Result<Self, WeightsError> {
        let start = from.map_or_else(|| Ok(Classic::default()), Classic::from_json)?;
        Ok(Self {
            weights: weights.to_owned(),
            state: state_of(weights),
            linear: Linear::new(settings, &start),
            saved_at: None,
        })
    }

    /// The training whose weights these are; nothing if it has not begun.
    pub fn resume(weights: &Path) -> Result<Option<Self>, TrainingError> {
        let state = state_of(weights);
        let text = match read_text_bounded(&state, SETTINGS_MAX) {
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
            saved_at: Some(linear.games()),
            linear,
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
        let changes = self.linear.settings().differences(&settings);
        if !changes.is_empty() {
            self.linear.set_settings(settings);
            self.saved_at = None;
        }
        changes
            .into_iter()
            .map(|(name, old, new)| format!("{name} {old} -> {new}"))
            .collect()
    }

    /// Plays and learns until all games are done or somebody stops it, and saves; whether all are
    /// done.
    pub fn run(
        &mut self,
        threads: usize,
        outside: &mut Outside<'_>,
    ) -> Result<bool, TrainingError> {
        let mut crew = Crew::new(threads, HASH_MB)?;
        let (now_us, stop) = (outside.now_us, outside.stop);
        let stopped = || stop.load(Ordering::Relaxed);
        loop {
            // Weights that cannot be used are set back while learning.
            let classic = self.linear.classic().unwrap_or_default();
            let settings = self.linear.settings();
            if self.linear.match_due() {
                let games = self.linear.games();
                let points = crew.play(&classic, 0..settings.match_games, |engine, index| {
                    let searcher = settings.searcher(engine, now_us, stop);
                    against_random(searcher, settings.seed, games, index)
                });
                if stopped() {
                    break;
                }
                let points: Vec<f64> = points.into_iter().map(|it| it.unwrap_or(0.0)).collect();
                self.linear.add_match(&points);
            }
            if self.linear.checkpoint_due() && self.saved_at != Some(self.linear.games()) {
                self.save(outside)?;
            }
            if self.linear.is_done() {
                return Ok(true);
            }
            let settings = self.linear.settings();
            let batch = crew.play(&classic, self.linear.next_batch(), |engine, number| {
                if stopped() {
                    return Err(GameFailure::Stopped);
                }
                play(settings.searcher(engine, now_us, stop), settings, number)
            });
            if stopped() {
                break;
            }
            let resets = self.linear.resets();
            self.linear.absorb(&batch);
            for (failure, number) in batch.iter().zip(self.linear.games() - batch.len() as u64..) {
                if let Err(failure) = failure {
                    let text = format!("game {number} failed and is skipped: {failure}");
                    (outside.observe)(News::Warning(&text));
                }
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
            self.save(outside)?;
        }
        Ok(false)
    }

    /// First the state, then the weights: whenever the power fails, going on makes both agree.
    fn save(&mut self, outside: &mut Outside<'_>) -> Result<(), TrainingError> {
        let classic = self.linear.classic().unwrap_or_default();
        for (path, text) in [
            (&self.state, self.linear.to_text()),
            (&self.weights, classic.to_json()),
        ] {
            let observe = &mut *outside.observe;
            twice(
                || Disk::real().replace(path, text.as_bytes()),
                |error| {
                    let text = format!("saving {} failed once: {error}", path.display());
                    observe(News::Warning(&text));
                },
            )
            .map_err(|source| TrainingError::File {
                what: "save",
                path: path.clone(),
                source,
            })?;
        }
        self.saved_at = Some(self.linear.games());
        Ok(())
    }
}

fn state_of(weights: &Path) -> PathBuf {
    let mut name = weights.file_name().unwrap_or_default().to_owned();
    name.push(".state");
    weights.with_file_name(name)
}
