//! Temporal differences for the classic evaluation: TD(λ) over its six weights.
//!
//! After each move of a game against itself, `δ = r + v(s') − v(s)`, `e ← λe + f(s)` and
//! `w ← w + αδe`; `r` is +1, 0 or -1 when the game is over and 0 before. All values are Black's.
//!
//! The features of the evaluation have very different sizes, and its weights are in thousandths of
//! a disc. Learning happens where both are about one: a feature counts in multiples of its
//! [`TYPICAL`] size, a value in won games of [`DISCS_PER_WIN`] discs. The step length would have to
//! be another for each feature otherwise.

use crate::{
    course::Course,
    playing::{GameFailure, Purpose, Searcher, chance, random_move, score_for_black},
    settings::{MoveLimit, SettingError, Settings as _, settings},
    td::MatchPoint,
};
use engine::{
    Engine,
    checksum::checksum,
    eval::classic::{Classic, FEATURE_NAMES, N_FEATURES, UNITS_PER_DISC, WeightsError, terms},
};
use othello::{Board, Game, Move, Side};
use std::{fmt::Write as _, ops::Range, sync::atomic::AtomicBool};

/// The size that each feature commonly has where it counts.
pub const TYPICAL: [f64; N_FEATURES] = [10.0, 100.0, 10.0, 20.0, 50.0, 24.0];

/// What a won game is worth, so that values of searches stay on the scale of final scores.
pub const DISCS_PER_WIN: f64 = 20.0;

settings! {
    /// Everything that the result of a training depends on.
    pub struct Settings {
        /// How many games to play
        games: u64 = 2_000, "a number of games", |_| true;
        /// Where chance comes from, with the game's number
        seed: u64 = 1, "a whole number", |_| true;
        /// What ends the search for a move; depth and nodes give the same result every time
        limit: MoveLimit = MoveLimit::Depth(2), "time:MS, depth:PLIES or nodes:N, such as depth:2", |_| true;
        /// Solve positions with at most so many empty squares whatever the limit
        exact_empties: u32 = 12, "a number of squares up to 30", |v| *v <= 30;
        /// Share of random moves
        epsilon: f64 = 0.15, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
        /// Games that are played with the same weights
        batch: u64 = 8, "a number of games from 1 to 65536", |v| (1..=65_536).contains(v);
        /// Decay of the eligibility traces
        lambda: f64 = 0.7, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
        /// Length of a learning step
        alpha: f64 = 1e-4, "a number above 0 and up to 1", |v| *v > 0.0 && *v <= 1.0;
        /// Save every so many games; each is a point of the learning curve
        checkpoint_every: u64 = 100, "a number of games from 1 on", |v| *v > 0;
        /// Play against random moves every so many games
        match_every: u64 = 500, "a number of games from 1 on", |v| *v > 0;
        /// Games of each match against random moves; 0 for none
        match_games: u64 = 50, "a number of games up to 10000", |v| *v <= 10_000;
    }
}

impl Settings {
    /// What is due when.
    pub fn course(&self) -> Course {
        Course {
            games: self.games,
            batch: self.batch,
            checkpoint_every: self.checkpoint_every,
            match_every: self.match_every,
            match_games: self.match_games,
        }
    }

    /// An engine that plays as these settings want it.
    pub fn searcher<'a, E>(
        &self,
        engine: &'a mut Engine<E>,
        now_us: &'a (dyn Fn() -> u64 + Sync),
        stop: &'a AtomicBool,
    ) -> Searcher<'a, E> {
        Searcher {
            engine,
            limit: self.limit,
            exact_empties: self.exact_empties,
            now_us,
            stop,
        }
    }
}

/// A finished game as learning wants it.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// Black's features of every position in which a side moved, in typical sizes.
    pub features: Vec<[f64; N_FEATURES]>,
    /// +1 if Black won, -1 if White did.
    pub reward: f64,
}

/// Plays the game with this number.
pub fn play(
    mut searcher: Searcher<'_, &Classic>,
    settings: &Settings,
    number: u64,
) -> Result<Episode, GameFailure> {
    searcher.engine.clear();
    let mut random = chance(settings.seed, Purpose::SelfPlay, number);
    let mut features = Vec::new();
    let mut game = Game::new();
    while !game.is_over() {
        let position = game.position();
        let board = position.board;
        let action = if board.must_pass() {
            Move::Pass
        } else {
            features.push(features_for_black(board, position.side));
            if random.unit_f64() < settings.epsilon {
                Move::Place(random_move(board, &mut random).ok_or(GameFailure::NoMove)?)
            } else {
                Move::Place(searcher.search(board)?.1)
            }
        };
        game.play(action).map_err(|_| GameFailure::IllegalMove)?;
    }
    Ok(Episode {
        features,
        reward: f64::from(score_for_black(&game).signum()),
    })
}

fn features_for_black(board: Board, side: Side) -> [f64; N_FEATURES] {
    let sign = match side {
        Side::Black => 1.0,
        Side::White => -1.0,
    };
    let terms = terms(board);
    std::array::from_fn(|i| sign * terms[i] / TYPICAL[i])
}

/// Moves parameters by one game, position after position; the mean size of the errors.
pub fn learn(
    parameters: &mut [f64; N_FEATURES],
    episode: &Episode,
    alpha: f64,
    lambda: f64,
) -> f64 {
    let mut trace = [0.0; N_FEATURES];
    let mut sum = 0.0;
    for (t, features) in episode.features.iter().enumerate() {
        let value = dot(parameters, features);
        let target = match episode.features.get(t + 1) {
            Some(next) => dot(parameters, next),
            None => episode.reward,
        };
        let delta = target - value;
        sum += delta.abs();
        for i in 0..N_FEATURES {
            trace[i] = lambda * trace[i] + features[i];
            parameters[i] += alpha * delta * trace[i];
        }
    }
    sum / episode.features.len().max(1) as f64
}

fn dot(a: &[f64; N_FEATURES], b: &[f64; N_FEATURES]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A point of the learning curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// After so many games.
    pub games: u64,
    /// Mean size of the errors since the last point, in won games.
    pub error: f64,
}

/// A training under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    settings: Settings,
    parameters: [f64; N_FEATURES],
    games: u64,
    failed: u64,
    resets: u64,
    /// Sum of the errors since the last point, and their number.
    recent: (f64, u64),
    curve: Vec<Point>,
    matches: Vec<MatchPoint>,
}

const FIRST_LINE: &str = "kibitz linear training, format 1";

/// Why a text is not a training to go on with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Something else, or of a newer program.
    #[error("not the state of a linear training: it does not begin with {FIRST_LINE:?}")]
    NotState,
    /// Cut short or changed.
    #[error("the state is damaged: its checksum does not match")]
    Checksum,
    /// A line that means nothing.
    #[error("line {line} of the state means nothing: {text:?}")]
    Line {
        /// Its number, from 1.
        line: usize,
        text: String,
    },
    /// A constant that this program does not know or take.
    #[error("the state's settings: {0}")]
    Setting(#[from] SettingError),
}

impl Linear {
    /// Begins with the documented weights, or with others.
    pub fn new(settings: Settings, start: &Classic) -> Self {
        let weights = start.weights();
        Self {
            settings,
            parameters: std::array::from_fn(|i| {
                weights[i] * TYPICAL[i] / (DISCS_PER_WIN * UNITS_PER_DISC)
            }),
            games: 0,
            failed: 0,
            resets: 0,
            recent: (0.0, 0),
            curve: Vec::new(),
            matches: Vec::new(),
        }
    }

    /// The evaluator with the weights as they are.
    pub fn classic(&self) -> Result<Classic, WeightsError> {
        Classic::new(std::array::from_fn(|i| {
            self.parameters[i] * DISCS_PER_WIN * UNITS_PER_DISC / TYPICAL[i]
        }))
    }

    /// The constants in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Goes on with other constants.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Games done, failed ones included.
    pub fn games(&self) -> u64 {
        self.games
    }

    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// How often the weights had to be set back to the documented ones.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    pub fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// The matches against random moves.
    pub fn matches(&self) -> &[MatchPoint] {
        &self.matches
    }

    /// Whether all games are played.
    pub fn is_done(&self) -> bool {
        self.settings.course().is_done(self.games)
    }

    /// The numbers of the games to play next, all with the weights as they are now.
    pub fn next_batch(&self) -> Range<u64> {
        self.settings.course().next_batch(self.games)
    }

    /// Whether saving is due.
    pub fn checkpoint_due(&self) -> bool {
        self.settings.course().checkpoint_due(self.games)
    }

    /// Whether a match against random moves is due.
    pub fn match_due(&self) -> bool {
        let last = self.matches.last().map(|it| it.games);
        self.settings.course().match_due(self.games, last)
    }

    /// Takes the points of a match in.
    pub fn add_match(&mut self, points: &[f64]) {
        self.matches.push(MatchPoint::of(self.games, points));
    }

    /// Learns from a batch in the order of its games; failed ones are counted and skipped.
    pub fn absorb(&mut self, batch: &[Result<Episode, GameFailure>]) {
        for game in batch {
            self.games += 1;
            match game {
                Ok(episode) => self.learn(episode),
                Err(_) => self.failed += 1,
            }
            if self.games.is_multiple_of(self.settings.checkpoint_every) {
                let (sum, n) = std::mem::take(&mut self.recent);
                self.curve.push(Point {
                    games: self.games,
                    error: sum / n.max(1) as f64,
                });
            }
        }
    }

    fn learn(&mut self, episode: &Episode) {
        let Settings { alpha, lambda, .. } = self.settings;
        self.recent.0 += learn(&mut self.parameters, episode, alpha, lambda);
        self.recent.1 += 1;
        if self.classic().is_err() {
            // A step length far too large; better to begin anew than to learn from infinity.
            let fresh = Self::new(Settings::default(), &Classic::default());
            self.parameters = fresh.parameters;
            self.recent = (0.0, 0);
            self.resets += 1;
        }
    }

    /// The training as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        // Writing to a string cannot fail. Debug writes the digits that read back.
        for line in self.settings.to_text().lines() {
            let _written = writeln!(text, "set {line}");
        }
        let _written = writeln!(text, "games {}", self.games);
        let _written = writeln!(text, "failed {}", self.failed);
        let _written = writeln!(text, "resets {}", self.resets);
        let _written = writeln!(text, "recent {:?} {}", self.recent.0, self.recent.1);
        for (name, parameter) in FEATURE_NAMES.into_iter().zip(self.parameters) {
            let _written = writeln!(text, "parameter {name} {parameter:?}");
        }
        for point in &self.curve {
            let _written = writeln!(text, "point {} {:?}", point.games, point.error);
        }
        for point in &self.matches {
            let _written = writeln!(text, "match {} {:?}", point.games, point.win_rate);
        }
        let _written = writeln!(text, "checksum {:016x}", checksum(text.as_bytes()));
        text
    }

    /// Reads [`Linear::to_text`].
    pub fn from_text(text: &str) -> Result<Self, StateError> {
        if text.lines().next() != Some(FIRST_LINE) {
            return Err(StateError::NotState);
        }
        let (body, sum) = text.rsplit_once("checksum ").ok_or(StateError::Checksum)?;
        if u64::from_str_radix(sum.trim_end(), 16) != Ok(checksum(body.as_bytes())) {
            return Err(StateError::Checksum);
        }
        let mut linear = Self::new(Settings::default(), &Classic::default());
        for (index, line) in body.lines().enumerate().skip(1) {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            if key == "set" {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                linear.settings.set(name, value)?;
            } else if linear.read_line(key, rest).is_none() {
                return Err(StateError::Line {
                    line: index + 1,
                    text: line.chars().take(80).collect(),
                });
            }
        }
        Ok(linear)
    }

    fn read_line(&mut self, key: &str, rest: &str) -> Option<()> {
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let real = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_finite());
        match key {
            "games" => self.games = first.parse().ok()?,
            "failed" => self.failed = first.parse().ok()?,
            "resets" => self.resets = first.parse().ok()?,
            "recent" => self.recent = (real(first)?, second.parse().ok()?),
            "parameter" => {
                let at = FEATURE_NAMES.iter().position(|name| *name == first)?;
                self.parameters[at] = real(second)?;
            }
            "point" => self.curve.push(Point {
                games: first.parse().ok()?,
                error: real(second)?,
            }),
            "match" => self.matches.push(MatchPoint {
                games: first.parse().ok()?,
                win_rate: real(second)?,
            }),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two positions with one feature each, computed by hand with α = 0.5 and λ = 0.5.
    ///
    /// v(s₀) = 0.2 · 1, v(s₁) = 0.4 · 2. First δ = 0.8 − 0.2 = 0.6, e = (1, 0):
    /// w₀ = 0.2 + 0.5 · 0.6 = 0.5. Then δ = 1 − 0.8 = 0.2, e = (0.5, 2):
    /// w₀ = 0.5 + 0.5 · 0.2 · 0.5 = 0.55, w₁ = 0.4 + 0.5 · 0.2 · 2 = 0.6.
    #[test]
    fn one_game_by_hand() {
        let mut parameters = [0.2, 0.4, 0.0, 0.0, 0.0, 0.0];
        let episode = Episode {
            features: vec![
                [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                [0.0, 2.0, 0.0, 0.0, 0.0, 0.0],
            ],
            reward: 1.0,
        };
        let error = learn(&mut parameters, &episode, 0.5, 0.5);
        assert!((error - 0.4).abs() < 1e-12);
        assert!((parameters[0] - 0.55).abs() < 1e-12);
        assert!((parameters[1] - 0.6).abs() < 1e-12);
        assert!(parameters[2..].iter().all(|&w| w.abs() < 1e-12));
    }

    fn settings() -> Settings {
        Settings {
            games: 60,
            limit: MoveLimit::Depth(1),
            batch: 8,
            alpha: 0.002,
            checkpoint_every: 20,
            match_games: 0,
            ..Settings::default()
        }
    }

    fn run(linear: &mut Linear, until: u64) {
        while linear.games() < until {
            let classic = linear.classic().unwrap();
            let mut engine = Engine::new(&classic, 1, 1).unwrap();
            let stop = AtomicBool::new(false);
            let batch: Vec<_> = linear
                .next_batch()
                .map(|number| {
                    let settings = linear.settings();
                    play(
                        settings.searcher(&mut engine, &|| 0, &stop),
                        settings,
                        number,
                    )
                })
                .collect();
            linear.absorb(&batch);
        }
    }

    #[test]
    fn weights_start_as_documented_and_survive_the_scaling() {
        let linear = Linear::new(settings(), &Classic::default());
        let weights = linear.classic().unwrap().weights();
        for (weight, documented) in weights.into_iter().zip(Classic::DEFAULT_WEIGHTS) {
            assert!((weight - documented).abs() < 1e-9);
        }
    }

    #[test]
    fn a_resumed_training_is_the_same() {
        let mut whole = Linear::new(settings(), &Classic::default());
        run(&mut whole, 60);
        let start = Linear::new(settings(), &Classic::default());
        assert_ne!(
            whole.parameters.map(f64::to_bits),
            start.parameters.map(f64::to_bits)
        );
        assert_eq!(whole.curve().len(), 3);
        let mut before = Linear::new(settings(), &Classic::default());
        run(&mut before, 24);
        let mut after = Linear::from_text(&before.to_text()).unwrap();
        assert_eq!(after, before);
        run(&mut after, 60);
        assert_eq!(after.to_text(), whole.to_text());
    }

    #[test]
    fn learning_makes_the_error_smaller() {
        let mut linear = Linear::new(settings(), &Classic::new([0.0; 6]).unwrap());
        let quiet = Settings {
            games: 400,
            checkpoint_every: 100,
            ..settings()
        };
        linear.set_settings(quiet);
        run(&mut linear, 400);
        let winners = linear.classic().unwrap().weights();
        assert!(winners[4] > 0.0, "corners are worth having: {winners:?}");
    }

    #[test]
    fn damaged_states_are_refused() {
        let text = Linear::new(settings(), &Classic::default()).to_text();
        assert_eq!(Linear::from_text("{}"), Err(StateError::NotState));
        let cut = &text[..text.len() / 2];
        assert_eq!(Linear::from_text(cut), Err(StateError::Checksum));
        let changed = text.replace("games 60", "games 61");
        assert_eq!(Linear::from_text(&changed), Err(StateError::Checksum));
        let resealed = |body: &str| {
            let body = format!("{FIRST_LINE}\n{body}\n");
            Linear::from_text(&format!(
                "{body}checksum {:016x}\n",
                checksum(body.as_bytes())
            ))
            .unwrap_err()
        };
        assert!(matches!(
            resealed("games x"),
            StateError::Line { line: 2, .. }
        ));
        assert!(matches!(
            resealed("parameter mobility NaN"),
            StateError::Line { .. }
        ));
        assert!(matches!(resealed("set alpha 7"), StateError::Setting(_)));
    }

    #[test]
    fn weights_that_run_away_are_set_back() {
        let mut linear = Linear::new(settings(), &Classic::default());
        linear.parameters = [1e300; N_FEATURES];
        let episode = Episode {
            features: vec![[1e10; N_FEATURES]; 3],
            reward: 1.0,
        };
        linear.absorb(&[Ok(episode), Err(GameFailure::NoMove)]);
        assert_eq!(
            (linear.resets(), linear.failed(), linear.games()),
            (1, 1, 2)
        );
        assert!(linear.classic().is_ok());
    }
}
