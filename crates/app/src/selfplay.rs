//! Self-play on all cores.

use crate::{AnalystError, ordered::in_order};
use engine::{Engine, eval::pattern::Pattern};
use othello::Game;
use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::AtomicBool},
};

use learn::selfplay::{opening_of, openings_fingerprint, play, weights_fingerprint};
pub use learn::{
    games::{GamesAppender, GamesError, GamesReader, RecordedGame, is_games},
    selfplay::Settings,
};

/// What is to be played.
#[derive(Debug, Clone)]
pub struct SelfPlay {
    settings: Settings,
    openings: Vec<Game>,
    pattern: Arc<Pattern>,
    hash_mb: usize,
}

/// A game that ended in a bug. It says what is needed to see it again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {number} failed with {settings}: {reason}")]
pub struct FailedGameError {
    pub number: u64,
    /// How it was played.
    pub settings: String,
    /// What the panic said.
    pub reason: String,
}

/// Why no more games are played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// An engine could not be set up.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    #[error(transparent)]
    Game(#[from] FailedGameError),
}

impl SelfPlay {
    /// Games with the weights of a file's contents, or with the shipped ones. Without openings
    /// games begin at the usual start.
    pub fn new(
        settings: Settings,
        openings: Vec<Game>,
        weights: Option<&[u8]>,
        hash_mb: usize,
    ) -> Result<Self, AnalystError> {
        let pattern = match weights {
            Some(bytes) => Pattern::from_bytes(bytes)?,
            None => Pattern::shipped()?,
        };
        Ok(Self {
            settings,
            openings,
            pattern: Arc::new(pattern),
            hash_mb,
        })
    }

    /// All that the games depend on, as text: who appends to a file compares it.
    pub fn description(&self) -> String {
        let openings = if self.openings.is_empty() {
            "none".to_owned()
        } else {
            format!("{:016x}", openings_fingerprint(&self.openings))
        };
        format!(
            "{} hash-mb={} openings={openings} weights={:016x}",
            self.settings,
            self.hash_mb,
            weights_fingerprint(&self.pattern)
        )
    }

    /// Plays the games with these numbers. `keep` is given each, in order whatever the number of
    /// workers, and ends the work by a break. Setting the stop flag ends it, too; games that are
    /// not finished then are lost.
    pub fn play(
        &self,
        numbers: std::ops::Range<u64>,
        workers: usize,
        now_ms: &(dyn Fn() -> u64 + Sync),
        stop: &AtomicBool,
        mut keep: impl FnMut(&RecordedGame) -> ControlFlow<()>,
    ) -> Result<(), SelfPlayError> {
        let engines = (0..workers.max(1))
            .map(|_| Ok(Engine::new(Arc::clone(&self.pattern), self.hash_mb, 1)?))
            .collect::<Result<Vec<_>, AnalystError>>()?;
        let mut failure = None;
        let play_number = |engine: &mut Engine<Arc<Pattern>>, number: u64| {
            let opening = opening_of(&self.openings, number, self.settings.seed);
            // The next game clears the engine, whatever state a panic left.
            let game =
                AssertUnwindSafe(|| play(engine, opening, number, &self.settings, now_ms, stop));
            let failed = |panic: Box<dyn std::any::Any + Send>| FailedGameError {
                number: number + 1,
                settings: self.description(),
                reason: arena::player::words_of_panic(&*panic),
            };
            catch_unwind(game).map_err(failed).transpose()
        };
        in_order(engines, numbers, play_number, |played| match played {
            Ok(game) => keep(&game),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Limits;

    fn self_play(seed: u64) -> SelfPlay {
        let settings = Settings {
            limits: Limits {
                depth: Some(1),
                exact_empties: 6,
                ..Limits::default()
            },
            random_plies: 6,
            epsilon: 0.1,
            seed,
        };
        SelfPlay::new(settings, Vec::new(), None, 1).unwrap()
    }

    fn games(seed: u64, numbers: std::ops::Range<u64>, workers: usize) -> Vec<RecordedGame> {
        let mut games = Vec::new();
        let keep = |game: &RecordedGame| {
            games.push(game.clone());
            ControlFlow::Continue(())
        };
        let stop = AtomicBool::new(false);
        self_play(seed)
            .play(numbers, workers, &|| 0, &stop, keep)
            .unwrap();
        games
    }

    #[test]
    fn games_do_not_depend_on_the_workers_or_on_where_they_were_begun() {
        let one = games(3, 0..8, 1);
        assert_eq!(one, games(3, 0..8, 3));
        assert_eq!(one[5..], games(3, 5..8, 2));
        assert_ne!(one, games(4, 0..8, 2));
    }

    #[test]
    fn the_description_tells_settings_apart() {
        let text = self_play(3).description();
        let start = "seed=3 depth=1 exact=6 random-plies=6 epsilon=0.1 hash-mb=1 openings=none ";
        assert!(text.starts_with(start), "{text}");
        assert_ne!(text, self_play(4).description());
    }
}
