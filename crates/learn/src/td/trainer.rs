//! The course of a training: which game comes next, what is learned, counted and told. It plays
//! nothing and reads no clock: who runs it does.

use super::{
    FailureWindow, History, Learner, MatchPoint, Settings, Tally, WindowPoint, adam::MemoryError,
    monitor::Progress,
};
use crate::playing::GameFailure;
use std::ops::Range;

/// A training under way: all that a checkpoint keeps.
#[derive(Debug)]
pub struct Trainer {
    pub(crate) settings: Settings,
    pub(crate) learner: Learner,
    /// Games done, failed ones included; the number of the next.
    pub(crate) games: u64,
    /// Since the last short line.
    pub(crate) recent: Tally,
    /// Since the last point of the curve.
    pub(crate) window: Tally,
    pub(crate) total: Tally,
    pub(crate) progress: Progress,
    pub(crate) failures: FailureWindow,
    pub(crate) curve: Vec<WindowPoint>,
    pub(crate) matches: Vec<MatchPoint>,
    /// Milliseconds of training so far. Nothing that is learned depends on it.
    pub(crate) elapsed_ms: u64,
}

/// Something to be told.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A game was given up and skipped.
    Failed { number: u64, failure: GameFailure },
    /// Statistics of the last few games.
    Statistics(Tally),
    /// Statistics of the last many games.
    Details(Tally),
    /// How the weights converge.
    Convergence {
        /// Mean final score for Black and deviation of the evaluations, in the last window and in
        /// the one before it.
        trend: Vec<WindowPoint>,
        /// Share of the weights that were ever changed.
        touched_share: f64,
        /// Changes for each of them.
        updates_per_touched: f64,
    },
    /// The error has not become smaller for so many games.
    Stagnation { games: u64, best_error: f64 },
    /// Evaluations beyond all measure.
    Divergence {
        /// The smallest and the largest, in discs.
        values: [f64; 2],
    },
    /// Weights had to be reset.
    Repaired { number: u64, weights: u64 },
    /// The match against random moves went badly.
    WeakMatch {
        /// The share of the points.
        win_rate: f64,
    },
    /// Too many games failed: stop and look.
    Pause {
        failed: u64,
        /// Games of the window so far.
        games: u64,
        pattern: String,
    },
}

impl Trainer {
    /// A training that has not begun.
    pub fn new(settings: Settings) -> Result<Self, MemoryError> {
        Ok(Self {
            settings,
            learner: Learner::new()?,
            games: 0,
            recent: Tally::default(),
            window: Tally::default(),
            total: Tally::default(),
            progress: Progress::default(),
            failures: FailureWindow::default(),
            curve: Vec::new(),
            matches: Vec::new(),
            elapsed_ms: 0,
        })
    }

    /// The constants in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Goes on with other constants.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Games done, failed ones included.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether all games are played.
    pub fn is_done(&self) -> bool {
        self.settings.course().is_done(self.games)
    }

    /// Sums over all games.
    pub fn total(&self) -> &Tally {
        &self.total
    }

    pub fn curve(&self) -> &[WindowPoint] {
        &self.curve
    }

    /// The matches against random moves.
    pub fn matches(&self) -> &[MatchPoint] {
        &self.matches
    }

    /// Milliseconds of training so far, of all sessions up to the last saving.
    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed_ms
    }

    /// Notes the time that training took altogether.
    pub fn set_elapsed_ms(&mut self, elapsed_ms: u64) {
        self.elapsed_ms = elapsed_ms;
    }

    /// The numbers of the games to play next, all with the weights as they are now. A batch ends
    /// where something is due; that does not depend on where a run was interrupted.
    pub fn next_batch(&self) -> Range<u64> {
        self.settings.course().next_batch(self.games)
    }

    /// Whether a checkpoint is due now.
    pub fn checkpoint_due(&self) -> bool {
        self.settings.course().checkpoint_due(self.games)
    }

    /// Whether a match against random moves is due now.
    pub fn match_due(&self) -> bool {
        let last = self.matches.last().map(|it| it.games);
        self.settings.course().match_due(self.games, last)
    }

    /// Takes the points of a match in.
    pub fn add_match(&mut self, points: &[f64]) -> Option<Event> {
        let point = MatchPoint::of(self.games, points);
        self.matches.push(point);
        let win_rate = point.win_rate;
        // Before learning there is nothing to drop from.
        let weak = self.games > 0 && win_rate < self.settings.match_win_rate;
        weak.then_some(Event::WeakMatch { win_rate })
    }

    /// Learns from a batch in the order of its games; `tell` hears what happens. Returns whether
    /// to go on: not if too many games failed.
    pub fn absorb(
        &mut self,
        batch: Vec<Result<History, GameFailure>>,
        mut tell: impl FnMut(u64, Event),
    ) -> bool {
        let mut go_on = true;
        for game in batch {
            let number = self.games;
            self.games += 1;
            let failure = match game {
                Ok(history) => {
                    self.learn(&history, number, &mut tell);
                    None
                }
                Err(failure) => {
                    for tally in [&mut self.recent, &mut self.window, &mut self.total] {
                        tally.failed += 1.0;
                    }
                    let text = failure.to_string();
                    tell(self.games, Event::Failed { number, failure });
                    Some(text)
                }
            };
            let settings = &self.settings;
            self.failures.add(failure, settings.failure_window);
            if self
                .failures
                .exceeds(settings.failure_share, settings.failure_window)
            {
                let failures = std::mem::take(&mut self.failures);
                go_on = false;
                let pause = Event::Pause {
                    failed: failures.n_failed(),
                    games: failures.games,
                    pattern: failures.pattern(),
                };
                tell(self.games, pause);
            }
            self.milestones(&mut tell);
        }
        go_on
    }

    fn learn(&mut self, history: &History, number: u64, tell: &mut impl FnMut(u64, Event)) {
        let update = self.learner.learn(history, &self.settings);
        for tally in [&mut self.recent, &mut self.window, &mut self.total] {
            tally.add(history, &update);
        }
        if update.repaired > 0 {
            let weights = update.repaired;
            tell(self.games, Event::Repaired { number, weights });
        }
    }

    /// What is due after this very game.
    fn milestones(&mut self, tell: &mut impl FnMut(u64, Event)) {
        let games = self.games;
        let settings = &self.settings;
        if games.is_multiple_of(settings.stats_every) {
            let recent = std::mem::take(&mut self.recent);
            tell(games, Event::Statistics(recent));
            let values = [recent.value_min, recent.value_max];
            if values
                .iter()
                .any(|value| value.abs() > settings.divergence_discs || !value.is_finite())
            {
                tell(games, Event::Divergence { values });
            }
        }
        if games.is_multiple_of(settings.detail_every) {
            let window = std::mem::take(&mut self.window);
            tell(games, Event::Details(window));
            let error = window.mean_error();
            self.curve.push(WindowPoint {
                games,
                error,
                deviation: window.value_deviation(),
                difference: window.mean_difference(),
            });
            if let Some(since) = self.progress.add(games, error, settings.stagnation_games) {
                let best_error = self.progress.best_error;
                tell(
                    games,
                    Event::Stagnation {
                        games: since,
                        best_error,
                    },
                );
            }
        }
        if games.is_multiple_of(settings.convergence_every) {
            let convergence = self.convergence();
            tell(games, convergence);
        }
    }

    /// How the weights converge, as of now.
    pub fn convergence(&self) -> Event {
        let trend = self.curve[self.curve.len().saturating_sub(2)..].to_vec();
        Event::Convergence {
            trend,
            touched_share: self.learner.touched_share(),
            updates_per_touched: self.learner.updates_per_touched(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        settings::{MoveLimit, Schedule},
        td::play,
    };
    use engine::Engine;
    use std::sync::atomic::AtomicBool;

    fn small() -> Settings {
        Settings {
            games: 40,
            limit: MoveLimit::Depth(1),
            epsilon: Schedule::new(vec![(0, 0.3)]).unwrap(),
            batch: 8,
            stats_every: 10,
            detail_every: 20,
            convergence_every: 20,
            checkpoint_every: 20,
            match_every: 20,
            match_games: 0,
            ..Settings::default()
        }
    }

    fn run(trainer: &mut Trainer, until: u64) -> Vec<(u64, Event)> {
        let mut events = Vec::new();
        while trainer.games() < until.min(trainer.settings.games) {
            let batch: Vec<_> = {
                let mut engine = Engine::new(trainer.learner().pattern(), 1, 1).unwrap();
                let stop = AtomicBool::new(false);
                trainer
                    .next_batch()
                    .map(|number| {
                        let settings = trainer.settings();
                        play(
                            settings.searcher(&mut engine, &|| 0, &stop),
                            settings,
                            number,
                        )
                    })
                    .collect()
            };
            trainer.absorb(batch, |games, event| events.push((games, event)));
        }
        events
    }

    #[test]
    fn batches_end_where_something_is_due() {
        let mut trainer = Trainer::new(small()).unwrap();
        let mut ends = vec![trainer.next_batch().end];
        while !trainer.is_done() {
            let batch = trainer.next_batch();
            trainer.absorb(batch.map(|_| Err(GameFailure::NoMove)).collect(), |_, _| {});
            ends.push(trainer.next_batch().end);
        }
        assert_eq!(ends, [8, 16, 20, 24, 32, 40, 40]);
        assert!(trainer.next_batch().is_empty());
    }

    #[test]
    fn a_short_training_tells_its_story() {
        let mut trainer = Trainer::new(small()).unwrap();
        let events = run(&mut trainer, 40);
        let told = |wanted: fn(&Event) -> bool| -> Vec<u64> {
            let those = events.iter().filter(|(_, event)| wanted(event));
            those.map(|(games, _)| *games).collect()
        };
        assert_eq!(
            told(|e| matches!(e, Event::Statistics(_))),
            [10, 20, 30, 40]
        );
        assert_eq!(told(|e| matches!(e, Event::Details(_))), [20, 40]);
        assert_eq!(told(|e| matches!(e, Event::Convergence { .. })), [20, 40]);
        assert_eq!(trainer.curve().len(), 2);
        assert!((trainer.total().games - 40.0).abs() < 1e-9);
        assert!(trainer.learner().touched_share() > 0.0);
    }

    #[test]
    fn failed_games_are_skipped_counted_and_in_the_end_too_many() {
        let settings = Settings {
            games: 1_000,
            failure_window: 100,
            failure_share: 0.05,
            ..small()
        };
        let mut trainer = Trainer::new(settings).unwrap();
        let mut events = Vec::new();
        let mut fail = |trainer: &mut Trainer, n: usize| {
            let batch = (0..n).map(|_| Err(GameFailure::Panic("oops".to_owned())));
            trainer.absorb(batch.collect(), |_, event| events.push(event))
        };
        assert!(fail(&mut trainer, 5), "five in a hundred are allowed");
        assert!(!fail(&mut trainer, 1), "six are not");
        assert!(
            fail(&mut trainer, 5),
            "who goes on anyway begins a new window"
        );
        assert_eq!(trainer.games(), 11);
        assert_eq!(trainer.learner().adam().t, 0, "nothing was learned");
        let pauses: Vec<&Event> = events
            .iter()
            .filter(|event| matches!(event, Event::Pause { .. }))
            .collect();
        assert_eq!(
            pauses,
            [&Event::Pause {
                failed: 6,
                games: 6,
                pattern: "6 × panic: oops".to_owned()
            }]
        );
    }

    #[test]
    fn divergence_is_told_with_the_statistics_long_before_the_details() {
        let settings = Settings {
            divergence_discs: 0.01,
            detail_every: 1_000,
            ..small()
        };
        let mut trainer = Trainer::new(settings).unwrap();
        let events = run(&mut trainer, 40);
        let told: Vec<u64> = events
            .iter()
            .filter(|(_, event)| matches!(event, Event::Divergence { .. }))
            .map(|(games, _)| *games)
            .collect();
        assert!(told.contains(&40), "{told:?}");
        assert!(
            told.iter().all(|games| games.is_multiple_of(10)),
            "{told:?}"
        );
    }

    #[test]
    fn matches_are_due_once_and_weak_ones_are_told() {
        let settings = Settings {
            match_games: 4,
            ..small()
        };
        let mut trainer = Trainer::new(settings).unwrap();
        assert!(trainer.match_due());
        assert_eq!(
            trainer.add_match(&[0.0; 4]),
            None,
            "before learning all is well"
        );
        assert!(!trainer.match_due());
        run(&mut trainer, 20);
        assert!(trainer.match_due());
        let weak = trainer.add_match(&[1.0, 1.0, 1.0, 0.5]);
        assert_eq!(weak, Some(Event::WeakMatch { win_rate: 0.875 }));
    }
}
