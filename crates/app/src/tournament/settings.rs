//! What a tournament is asked to be: its file, in TOML.

use crate::engines::{Game, Setting};
use arena::{
    referee::{Draw, Resign, Rules},
    stats::{EloModel, Sprt},
    tournament::{Format, Order, PlanError, Settings as PlanSettings},
};
use game::{Kind, TimeControl};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Everything that a tournament follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(default = "unnamed")]
    pub name: String,
    pub game: Game,
    /// `round-robin`, `double-round-robin`, `gauntlet`, `swiss` or `knockout`.
    #[serde(default = "round_robin")]
    pub format: String,
    /// How often everybody meets everybody; rounds of a Swiss tournament.
    #[serde(default = "one")]
    pub rounds: u32,
    /// Pairs of games whenever two meet.
    #[serde(default = "one")]
    pub pairs: u32,
    /// 2: every opening with both colours. 1: single games, whose colours take turns.
    #[serde(default = "two")]
    pub games: u32,
    /// Gauntlet: how many of the first engines meet all the others.
    #[serde(default = "one")]
    pub seeds: u32,
    #[serde(default)]
    pub seed: u64,
    /// Games at the same time.
    #[serde(default = "one")]
    pub concurrency: u32,
    /// Everybody's time, such as `10+0.1`; an engine may have its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// How much later than its flag a move may come.
    #[serde(default)]
    pub margin_ms: u64,
    /// Moves of each side, after which a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Othello: from so many empty squares on, our solver says how a game ends.
    #[serde(default)]
    pub solve_empties: u32,
    /// Chess: tables of endings say how a game ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebases: Option<TablebaseSettings>,
    /// Engines think about the move that they expect while their opponent thinks.
    #[serde(default)]
    pub ponder: bool,
    /// Engines are started anew for every game.
    #[serde(default)]
    pub restart: bool,
    /// Every worker and its engines keep to a core of their own.
    #[serde(default)]
    pub affinity: bool,
    /// An engine that has no clock is given up after so long.
    #[serde(default = "patience")]
    pub patience_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    #[serde(default, rename = "engine")]
    pub engines: Vec<EngineSettings>,
}

/// The file of openings, and how it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSettings {
    /// Transcripts, boards, OBF, GGF, WTHOR; EPD, FEN, PGN; a Polyglot book.
    pub file: PathBuf,
    /// `random` or `sequential`.
    #[serde(default = "sequential")]
    pub order: String,
    /// The first one to be used, counted from 1.
    #[serde(default = "one")]
    pub start: u32,
    /// No more plies of each than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// Tables of endings (Syzygy), and what they may decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseSettings {
    pub folders: Vec<PathBuf>,
    /// Asked only about positions with so many men or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u32>,
    /// A win that takes more than fifty moves is a win all the same.
    #[serde(default)]
    pub ignore_fifty_moves: bool,
}

/// When a player's own values lose it the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignSettings {
    pub score: u32,
    pub moves: u32,
    #[serde(default)]
    pub two_sided: bool,
}

/// When the values of both players draw the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSettings {
    pub score: u32,
    pub moves: u32,
    #[serde(default)]
    pub from_move: u32,
}

/// Stop as soon as it is clear whether the first engine is `elo0` or `elo1` better than the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSettings {
    pub elo0: f64,
    pub elo1: f64,
    #[serde(default = "five_percent")]
    pub alpha: f64,
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// `logistic`, `normalised` or `bayesian`.
    #[serde(default = "logistic")]
    pub model: String,
    /// Whether games are counted one by one in the place of pairs.
    #[serde(default)]
    pub trinomial: bool,
}

/// Who plays: a program (`command`), an engine that was added (`engine`), or our own (`level`,
/// `depth` or `nodes` alone).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// `uci`, `gtp` or `nboard`; the game's usual one if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_mb: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Setting>,
}

/// The time of all engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times<'a> {
    None,
    /// Everybody has the same.
    One(&'a str),
    Several,
}

/// What is wrong with the settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    #[error("{0}")]
    Toml(String),
    #[error("{key} cannot be {found:?}; expected {expected}")]
    Value {
        key: String,
        found: String,
        expected: &'static str,
    },
    #[error("{0}")]
    Wrong(String),
    #[error(transparent)]
    Plan(#[from] PlanError),
}

fn unnamed() -> String {
    "Tournament".to_owned()
}
fn round_robin() -> String {
    Format::RoundRobin.name().to_owned()
}
fn sequential() -> String {
    "sequential".to_owned()
}
fn logistic() -> String {
    "logistic".to_owned()
}
const fn one() -> u32 {
    1
}
const fn two() -> u32 {
    2
}
const fn patience() -> u64 {
    60_000
}
const fn five_percent() -> f64 {
    0.05
}

/// More workers than any machine has cores.
const CONCURRENCY_MAX: u32 = 1024;

fn value(key: &str, found: &str, expected: &'static str) -> SettingsError {
    SettingsError::Value {
        key: key.to_owned(),
        found: found.chars().take(60).collect(),
        expected,
    }
}

fn at_least_one(key: &str, found: u32, expected: &'static str) -> Result<(), SettingsError> {
    let is_right = found > 0;
    is_right
        .then_some(())
        .ok_or_else(|| value(key, &found.to_string(), expected))
}

impl Settings {
    /// Settings with everything as usual.
    pub fn new(name: &str, game: Game) -> Self {
        Self {
            name: name.to_owned(),
            game,
            format: round_robin(),
            rounds: 1,
            pairs: 1,
            games: 2,
            seeds: 1,
            seed: 0,
            concurrency: 1,
            time: None,
            margin_ms: 0,
            max_moves: None,
            solve_empties: 0,
            tablebases: None,
            ponder: false,
            restart: false,
            affinity: false,
            patience_ms: patience(),
            openings: None,
            resign: None,
            draw: None,
            sprt: None,
            engines: Vec::new(),
        }
    }

    /// Reads a file of settings and checks it.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let read: Result<Self, toml::de::Error> = toml::from_str(text);
        let settings = read.map_err(|error| SettingsError::Toml(error.to_string()))?;
        settings.check()?;
        Ok(settings)
    }

    /// As it is kept beside the games.
    pub fn to_toml(&self) -> Result<String, SettingsError> {
        toml::to_string(self).map_err(|error| SettingsError::Toml(error.to_string()))
    }

    /// Whether everything that can be told without looking at files is right.
    pub fn check(&self) -> Result<(), SettingsError> {
        arena::tournament::Plan::new(self.plan()?)?;
        self.order()?;
        self.sprt()?;
        if !(1..=CONCURRENCY_MAX).contains(&self.concurrency) {
            let found = self.concurrency.to_string();
            return Err(value("concurrency", &found, "1 to 1024"));
        }
        if !(1..=2).contains(&self.games) {
            return Err(value("games", &self.games.to_string(), "1 or 2"));
        }
        if self.solve_empties > 24 {
            let found = self.solve_empties.to_string();
            return Err(value("solve_empties", &found, "0 to 24"));
        }
        if self.tablebases.is_some() && self.game != Game::Chess {
            let problem = "tables of endings are for chess; Othello has solve_empties";
            return Err(SettingsError::Wrong(problem.to_owned()));
        }
        for (at, engine) in self.engines.iter().enumerate() {
            if engine.name.trim().is_empty() {
                return Err(SettingsError::Wrong(format!(
                    "engine {} has no name",
                    at + 1
                )));
            }
            if self.engines[..at].iter().any(|it| it.name == engine.name) {
                return Err(SettingsError::Wrong(format!(
                    "two engines are called {:?}; give each a name of its own",
                    engine.name
                )));
            }
            self.control(at)?;
        }
        Ok(())
    }

    /// Whether a new tournament makes sense. What was begun before this was asked can be read all the
    /// same.
    pub fn check_new(&self) -> Result<(), SettingsError> {
        self.check()?;
        let has_controls = |text: &str| text.chars().any(char::is_control);
        for name in [&self.name]
            .into_iter()
            .chain(self.engines.iter().map(|it| &it.name))
        {
            if has_controls(name) {
                let expected = "a name in one line, without control characters";
                return Err(value("name", name, expected));
            }
        }
        if let Some(it) = self.resign {
            let behind = "how far behind, in hundredths, from 1 on";
            at_least_one("resign.score", it.score, behind)?;
            at_least_one("resign.moves", it.moves, "moves in a row, from 1 on")?;
        }
        if let Some(it) = self.draw {
            at_least_one("draw.moves", it.moves, "moves in a row, from 1 on")?;
        }
        if let Some(it) = &self.openings {
            at_least_one("openings.start", it.start, "a number from 1 on")?;
        }
        Ok(())
    }

    pub const fn kind(&self) -> Kind {
        match self.game {
            Game::Chess => Kind::Chess,
            Game::Othello => Kind::Othello,
        }
    }

    /// What the plan follows from.
    pub fn plan(&self) -> Result<PlanSettings, SettingsError> {
        let format = Format::named(&self.format, self.seeds as usize).ok_or_else(|| {
            let expected = "round-robin, double-round-robin, gauntlet, swiss or knockout";
            value("format", &self.format, expected)
        })?;
        Ok(PlanSettings {
            format,
            n_players: self.engines.len(),
            rounds: self.rounds,
            pairs: self.pairs,
            is_double: self.games == 2,
        })
    }

    /// In which order openings come.
    pub fn order(&self) -> Result<Order, SettingsError> {
        match self.openings.as_ref().map(|it| it.order.as_str()) {
            None | Some("sequential") => Ok(Order::Sequential),
            Some("random") => Ok(Order::Random),
            Some(other) => Err(value("openings.order", other, "random or sequential")),
        }
    }

    /// The time of an engine as text; `None` without a clock.
    pub fn time_of(&self, engine: usize) -> Option<&str> {
        let own = self.engines.get(engine).and_then(|it| it.time.as_deref());
        own.or(self.time.as_deref())
    }

    /// Whether everybody has the same time.
    pub fn times(&self) -> Times<'_> {
        let mut all = (0..self.engines.len().max(1)).map(|at| self.time_of(at));
        match all.next().flatten() {
            first if !all.all(|it| it == first) => Times::Several,
            Some(time) => Times::One(time),
            None => Times::None,
        }
    }

    /// The time of an engine.
    pub fn control(&self, engine: usize) -> Result<TimeControl, SettingsError> {
        let Some(text) = self.time_of(engine) else {
            return Ok(TimeControl::Unlimited);
        };
        text.parse()
            .map_err(|error: game::ParseTimeControlError| SettingsError::Wrong(error.to_string()))
    }

    /// What ends games besides the rules.
    pub fn rules(&self) -> Rules {
        Rules {
            margin_ms: self.margin_ms,
            resign: self.resign.map(|it| Resign {
                score: it.score,
                moves: it.moves,
                two_sided: it.two_sided,
            }),
            draw: self.draw.map(|it| Draw {
                score: it.score,
                moves: it.moves,
                from_move: it.from_move,
            }),
            max_moves: self.max_moves,
            claims: true,
        }
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Result<Option<Sprt>, SettingsError> {
        let Some(it) = &self.sprt else {
            return Ok(None);
        };
        let model = match it.model.as_str() {
            "logistic" => EloModel::Logistic,
            "normalised" | "normalized" => EloModel::Normalised,
            "bayesian" => EloModel::Bayesian,
            other => {
                let expected = "logistic, normalised or bayesian";
                return Err(value("sprt.model", other, expected));
            }
        };
        let sprt = Sprt::new(model, it.elo0, it.elo1, it.alpha, it.beta);
        sprt.map(Some)
            .map_err(|error| SettingsError::Wrong(format!("sprt: {error}")))
    }

    /// The same with paths that do not depend on the folder in which the program was started.
    #[must_use]
    pub fn with_absolute_paths(mut self) -> Self {
        let absolute = |path: &mut PathBuf| {
            if let Ok(found) = std::path::absolute(&*path) {
                *path = found;
            }
        };
        if let Some(openings) = &mut self.openings {
            absolute(&mut openings.file);
        }
        if let Some(tables) = &mut self.tablebases {
            tables.folders.iter_mut().for_each(absolute);
        }
        for engine in &mut self.engines {
            if let Some(command) = &mut engine.command {
                *command = found_program(command, engine.folder.as_deref());
            }
            for path in [&mut engine.folder, &mut engine.weights]
                .into_iter()
                .flatten()
            {
                absolute(path);
            }
        }
        self
    }
}

/// A program as a shell finds it that stands in the engine's folder: by its path, or in the folders of
/// `PATH`.
fn found_program(command: &Path, folder: Option<&Path>) -> PathBuf {
    let inside = folder.map(|it| it.join(command));
    if let Some(inside) = inside.filter(|it| it.is_file()) {
        return std::path::absolute(&inside).unwrap_or(inside);
    }
    if command.components().count() > 1 || command.is_file() {
        return std::path::absolute(command).unwrap_or_else(|_| command.to_owned());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(command))
        .find(|path| path.is_file())
        .unwrap_or_else(|| command.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAGUE: &str = r#"
        name = "Autumn league"
        game = "othello"
        rounds = 3
        seed = 7
        time = "1+0.01"
        [openings]
        file = "xot.txt"
        order = "random"
        [sprt]
        elo0 = 0
        elo1 = 5
        [[engine]]
        name = "a"
        level = "elo_800"
        [[engine]]
        name = "b"
        command = "/bin/true"
        protocol = "gtp"
        options = { Hash = 16 }
    "#;

    #[test]
    fn settings_are_read_as_they_are_written() {
        let settings = Settings::parse(LEAGUE).unwrap();
        assert_eq!(settings.engines[1].options["Hash"].0, "16");
        assert_eq!(settings.order(), Ok(Order::Random));
        let again = Settings::parse(&settings.to_toml().unwrap()).unwrap();
        assert_eq!(again, settings);
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        let error = |from: &str, to: &str| {
            let text = LEAGUE.replace(from, to);
            assert_ne!(text, LEAGUE);
            Settings::parse(&text).unwrap_err().to_string()
        };
        assert_eq!(
            error("rounds = 3", "format = \"ladder\""),
            "format cannot be \"ladder\"; expected round-robin, double-round-robin, gauntlet, \
             swiss or knockout"
        );
        assert!(error("rounds = 3", "round = 3").contains("unknown field `round`"));
        assert!(error("1+0.01", "quick").contains("\"quick\" is not a time control"));
        assert_eq!(
            error("name = \"b\"", "name = \"a\""),
            "two engines are called \"a\"; give each a name of its own"
        );
        assert!(error("elo1 = 5", "elo1 = -5").contains("elo0 < elo1"));
        // Read, but not begun.
        let new_error = |from: &str, to: &str| {
            let settings = Settings::parse(&LEAGUE.replace(from, to)).unwrap();
            settings.check_new().unwrap_err().to_string()
        };
        assert_eq!(
            new_error("[sprt]", "[resign]\nscore = 0\nmoves = 3\n[sprt]"),
            "resign.score cannot be \"0\"; expected how far behind, in hundredths, from 1 on"
        );
        assert!(new_error("[sprt]", "[draw]\nscore = 0\nmoves = 0\n[sprt]").contains("draw.moves"));
        assert!(new_error("\"b\"", "\"b\\u001b[2J\"").contains("control characters"));
    }
}
