//! One side of a match as it is written: `evaluator=pattern,depth=8`.

use crate::{
    configured::Configured,
    engines::{self, Engines},
    evaluation::{self, Wish},
};
use app::{
    Evaluation, EvaluatorChoice, LateMoves, Limits, Pace, Profile, Selectivity,
    config::EngineName,
    engines::{Game, Id},
    matches::{Contender, ForeignContender, OwnContender},
};
use std::{fmt, path::Path, str::FromStr};

/// What `key=value` pairs say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    text: String,
    evaluation: Wish,
    engine: Option<EngineName>,
    /// An engine that was added, in place of ours.
    foreign: Option<String>,
    level: Option<Profile>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    exact: Option<u32>,
    selectivity: Option<Selectivity>,
    end_selectivity: Option<Selectivity>,
    late_moves: Option<LateMoves>,
    aspiration: Option<u32>,
    hash_mb: u32,
    threads: u16,
    seed: u64,
}

/// Every key, with what it takes.
const KEYS: &[(&str, &str)] = &[
    ("evaluator", "pattern or classic"),
    ("weights", "a file"),
    (
        "engine",
        "alphabeta, mcts or the name of an engine that was added",
    ),
    ("level", "the name of a level"),
    ("depth", "plies from 1 to 60"),
    ("nodes", "a number from 1"),
    ("time-ms", "milliseconds per move from 1"),
    ("exact", "empty squares from 0 to 60"),
    ("selectivity", "0 (most pruning by prediction) to 5 (none)"),
    (
        "end-selectivity",
        "0 (most pruning by prediction) to 5 (none)",
    ),
    ("lmr", "conservative, normal or aggressive"),
    ("aspiration-cp", "centidiscs from 1 to 6400"),
    ("hash-mb", "megabytes from 1 to 65536"),
    ("threads", "a number from 1 to 256"),
    ("seed", "a number"),
];

/// Enough for games of fractions of a second a move.
const DEFAULT_HASH_MB: u32 = 16;

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for Config {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut config = Self {
            text: text.to_owned(),
            evaluation: Wish::default(),
            engine: None,
            foreign: None,
            level: None,
            depth: None,
            nodes: None,
            time_ms: None,
            exact: None,
            selectivity: None,
            end_selectivity: None,
            late_moves: None,
            aspiration: None,
            hash_mb: DEFAULT_HASH_MB,
            threads: 1,
            seed: 0,
        };
        let mut seen = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(format!("{pair:?} is not key=value; {}", keys()));
            };
            let (key, value) = (key.trim(), value.trim());
            let Some(&(known, expected)) = KEYS.iter().find(|(known, _)| *known == key) else {
                return Err(format!("there is no key {key:?}; {}", keys()));
            };
            if seen.contains(&known) {
                return Err(format!("{known} is given twice"));
            }
            seen.push(known);
            if known == "level" {
                // Its own message lists the names.
                config.level = Some(
                    value
                        .parse::<Profile>()
                        .map_err(|error| error.to_string())?,
                );
            } else if config.set(known, value).is_none() {
                return Err(format!("{known} cannot be {value:?}; expected {expected}"));
            }
        }
        let of_ours = |key: &&str| !["engine", "depth", "nodes", "time-ms"].contains(key);
        if let (Some(name), Some(key)) = (&config.foreign, seen.iter().copied().find(of_ours)) {
            return Err(format!(
                "{key} is for our own engine; {name} takes depth, nodes and time-ms"
            ));
        }
        let has_limit = config.level.is_some()
            || config.depth.is_some()
            || config.nodes.is_some()
            || config.time_ms.is_some();
        if !has_limit {
            return Err(
                "nothing ends its searches; give depth, nodes, time-ms or level".to_owned(),
            );
        }
        Ok(config)
    }
}

fn keys() -> String {
    let names: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
    format!("expected some of {}", names.join(", "))
}

impl Config {
    /// `None` if the value is not one for this key.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        fn number<T: FromStr + PartialOrd + Copy>(value: &str, from: T, to: T) -> Option<T> {
            let number = value.parse().ok()?;
            (from <= number && number <= to).then_some(number)
        }
        let selectivity = |value: &str| value.parse().ok().and_then(Selectivity::new);
        match key {
            "evaluator" => {
                let found = evaluation::find(&EvaluatorChoice::NAMES, value)?;
                self.evaluation.evaluator = Some(found);
            }
            "weights" => {
                self.evaluation.weights = Some((!value.is_empty()).then(|| value.into())?);
            }
            "engine" => match evaluation::find(&EngineName::NAMES, value) {
                Some(own) => self.engine = Some(own),
                None => self.foreign = Some(value.parse::<Id>().ok()?.to_string()),
            },
            "depth" => self.depth = Some(number(value, 1, 60)?),
            "nodes" => self.nodes = Some(number(value, 1, u64::MAX)?),
            "time-ms" => self.time_ms = Some(number(value, 1, u64::MAX)?),
            "exact" => self.exact = Some(number(value, 0, 60)?),
            "selectivity" => self.selectivity = Some(selectivity(value)?),
            "end-selectivity" => self.end_selectivity = Some(selectivity(value)?),
            "lmr" => self.late_moves = Some(value.parse().ok()?),
            "aspiration-cp" => {
                let range = Limits::ASPIRATION;
                self.aspiration = Some(number(value, *range.start(), *range.end())?);
            }
            "hash-mb" => self.hash_mb = number(value, 1, 1 << 16)?,
            "threads" => self.threads = number(value, 1, 256)?,
            "seed" => self.seed = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    fn contender(&self, configured: &Configured, evaluation: Evaluation) -> OwnContender {
        let usual = configured.config.engine;
        let engine = self.engine.unwrap_or(usual.engine);
        let profile = self.level.unwrap_or(app::STRONGEST);
        // A level's own depth and exact ends hold as far as nothing else is said; its time does
        // not, so that a match replays. Without a level only what is said holds.
        let level = self.level.as_ref();
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.time_ms.is_some();
        let own = level.filter(|_| !is_limited);
        let own_exact = level.map_or(0, |level| level.exact_empties);
        let default = Limits::default();
        let limits = Limits {
            depth: self.depth.or(own.and_then(|level| level.depth)),
            nodes: self.nodes.or(own.and_then(Profile::replay_nodes)),
            time_ms: self.time_ms,
            exact_empties: self.exact.unwrap_or(own_exact),
            selectivity: self.selectivity.unwrap_or(default.selectivity),
            end_selectivity: self.end_selectivity.unwrap_or(default.end_selectivity),
            late_moves: self.late_moves.unwrap_or(usual.lmr),
            aspiration: self.aspiration.unwrap_or(usual.aspiration_cp),
            ..default
        };
        OwnContender {
            evaluation,
            engine: engine.with_seed(self.seed),
            hash_mb: self.hash_mb as usize,
            threads: self.threads.into(),
            profile,
            pace: Pace::Limits(limits),
        }
    }
}

/// Both sides, ready to play; weights that they share are read once.
pub(crate) fn contenders(
    configured: &Configured,
    home: Option<&Path>,
    a: &Config,
    b: &Config,
) -> anyhow::Result<[Contender; 2]> {
    let [of_a, of_b] = [a, b].map(|side| side.evaluation.resolve(configured));
    let own = |side: &Config, evaluation| Contender::Own(side.contender(configured, evaluation));
    let mut shared: Option<Evaluation> = None;
    let first = match &a.foreign {
        Some(name) => a.foreign(name, home)?,
        None => own(a, shared.insert(of_a.load()?).clone()),
    };
    let second = match (&b.foreign, shared) {
        (Some(name), _) => b.foreign(name, home)?,
        (None, Some(shared)) if of_a == of_b => own(b, shared),
        (None, _) => own(b, of_b.load()?),
    };
    Ok([first, second])
}

impl Config {
    fn foreign(&self, name: &str, home: Option<&Path>) -> anyhow::Result<Contender> {
        let engines = Engines::open(home)?;
        let (id, entry) = engines.shelf.find(name)?;
        if entry.game != Game::Othello {
            anyhow::bail!("{id} plays {}; a match is played in Othello", entry.game);
        }
        let now = engines::now();
        let engine = engines.engine(&id, &entry, &now)?;
        Ok(Contender::Foreign(ForeignContender {
            name: id.to_string(),
            setup: engine.setup().clone(),
            limits: arena::process::Limits {
                depth: self.depth,
                nodes: self.nodes,
                time_ms: self.time_ms,
                ..arena::process::Limits::default()
            },
            ponders: false,
            now,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Config>().unwrap_err()
    }

    fn limits(text: &str) -> Limits {
        let config: Config = text.parse().unwrap();
        let evaluation = Evaluation::shipped(EvaluatorChoice::Classic).unwrap();
        match config.contender(&Configured::default(), evaluation).pace {
            Pace::Limits(limits) => limits,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn errors_list_what_would_be_right() {
        let keys = "expected some of evaluator, weights, engine, level, depth, nodes, time-ms, \
                    exact, selectivity, end-selectivity, lmr, aspiration-cp, hash-mb, threads, seed";
        assert_eq!(error("dept=4"), format!("there is no key \"dept\"; {keys}"));
        assert_eq!(error("fast"), format!("\"fast\" is not key=value; {keys}"));
        assert_eq!(
            error("evaluator=neural,depth=3"),
            "evaluator cannot be \"neural\"; expected pattern or classic"
        );
        assert_eq!(
            error("depth=61"),
            "depth cannot be \"61\"; expected plies from 1 to 60"
        );
        assert_eq!(
            error("depth=8,lmr=bold"),
            "lmr cannot be \"bold\"; expected conservative, normal or aggressive"
        );
        assert_eq!(
            error("depth=8,aspiration-cp=0"),
            "aspiration-cp cannot be \"0\"; expected centidiscs from 1 to 6400"
        );
        assert_eq!(error("depth=3,depth=4"), "depth is given twice");
        assert_eq!(
            error("evaluator=classic"),
            "nothing ends its searches; give depth, nodes, time-ms or level"
        );
        assert!(error("level=elo_1600").contains("elo_1400"));
        for key in KEYS.iter().map(|(key, _)| key) {
            assert!(
                error(&format!("{key}=?,weights=")).contains(" cannot be ")
                    || *key == "weights"
                    || *key == "level"
            );
        }
    }

    #[test]
    fn limits_are_those_that_are_named() {
        let only_depth = limits("depth=6");
        assert_eq!(
            only_depth,
            Limits {
                depth: Some(6),
                ..Limits::default()
            }
        );
        let timed = limits("time-ms=50, exact=14");
        assert_eq!(
            (timed.depth, timed.time_ms, timed.exact_empties),
            (None, Some(50), 14)
        );
        let level = limits("level=elo_2000");
        assert_eq!(
            (level.depth, level.time_ms, level.exact_empties),
            (Some(9), None, 16)
        );
        let full = limits("level=full");
        assert_eq!((full.depth, full.time_ms), (None, None));
        assert!(full.nodes.is_some(), "something ends it");
        let timed = limits("level=full,time-ms=1000");
        assert_eq!((timed.nodes, timed.time_ms), (None, Some(1000)));
        let changed = limits("level=elo_2000,nodes=500,exact=3");
        assert_eq!(
            (changed.depth, changed.nodes, changed.exact_empties),
            (None, Some(500), 3)
        );
        let bold = limits("depth=8,lmr=aggressive,aspiration-cp=6400");
        assert_eq!(
            (bold.late_moves, bold.aspiration),
            (LateMoves::Aggressive, 6400)
        );
        assert_eq!(
            limits("depth=1,end-selectivity=0").end_selectivity,
            Selectivity::FASTEST
        );
    }
}
