//! The configuration file: what may stand in it, its defaults, and changing it without hurting
//! what somebody wrote there.
//!
//! Missing keys are added with their defaults; unknown ones are kept and warned about, and so are
//! comments and the order of things. A value that cannot be used is warned about and replaced by
//! its default in memory only. A file that is not TOML is never touched.

use crate::{Profile, home};
use std::{collections::BTreeMap, fs, io, path::PathBuf};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// How the page looks and works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UiConfig {
    /// Colours.
    pub theme: Theme,
    /// No animations.
    pub reduced_motion: bool,
    /// Which overlays are offered.
    pub overlays: Vec<OverlayName>,
    /// Letters that were changed, by what they do.
    pub keys: BTreeMap<String, String>,
    /// Whether somebody has been welcomed.
    pub welcomed: bool,
}

/// How the engine works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineConfig {
    /// The table of analyses in megabytes.
    pub tt_mb: u32,
    /// Search threads; 0 is one for each core but one, which the browser needs.
    pub threads: u32,
    /// With so many empty squares or fewer, analyses are exact.
    pub endgame_exact_empties: u32,
}

/// What a new game is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayConfig {
    /// The engine's level.
    pub level: Profile,
    /// Which side a person plays.
    pub people: crate::People,
    /// Each side's time; 0, with no increment, is no clock.
    pub initial_ms: u64,
    /// What each move adds.
    pub increment_ms: u64,
    /// Whether values are shown from the start.
    pub show_values: bool,
    /// Whether blunders are told.
    pub blunder_alert: bool,
}

/// How the server listens.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiConfig {
    /// A port; 0 is any free one.
    pub port: u16,
    /// The token; an empty one is made anew at each start.
    pub token: String,
    /// Requests a second from programs with the token.
    pub rate_limit_rps: u32,
}

/// A token is not for logs.
impl std::fmt::Debug for ApiConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiConfig")
            .field("port", &self.port)
            .field("rate_limit_rps", &self.rate_limit_rps)
            .finish_non_exhaustive()
    }
}

/// What is logged, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogConfig {
    /// `error`, `warn`, `info`, `debug` or `trace`.
    pub level: String,
    /// Days of logs that are kept.
    pub keep_days: u32,
}

/// Colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// What the system prefers.
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
    /// High contrast.
    HighContrast,
}

/// What can be laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayName {
    /// How many moves a move leaves.
    Mobility,
    /// Odd and even regions.
    Parity,
    /// Safe discs.
    Stability,
    /// Moves that open or close a corner.
    Corners,
    /// Discs next to empty squares.
    Frontier,
}

impl Theme {
    /// All, with their names in the file.
    pub const NAMES: [(&str, Self); 4] = [
        ("system", Self::System),
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("high_contrast", Self::HighContrast),
    ];
}

impl OverlayName {
    /// All, with their names in the file.
    pub const NAMES: [(&str, Self); 5] = [
        ("mobility", Self::Mobility),
        ("parity", Self::Parity),
        ("stability", Self::Stability),
        ("corners", Self::Corners),
        ("frontier", Self::Frontier),
    ];
}

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The page.
    pub ui: UiConfig,
    /// The engine.
    pub engine: EngineConfig,
    /// New games.
    pub play: PlayConfig,
    /// The server.
    pub api: ApiConfig,
    /// The log.
    pub log: LogConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ui: UiConfig {
                theme: Theme::System,
                reduced_motion: false,
                overlays: vec![
                    OverlayName::Mobility,
                    OverlayName::Parity,
                    OverlayName::Stability,
                ],
                keys: BTreeMap::new(),
                welcomed: false,
            },
            engine: EngineConfig {
                tt_mb: 128,
                threads: 0,
                endgame_exact_empties: 18,
            },
            play: PlayConfig {
                level: Profile::default(),
                people: crate::People::Black,
                initial_ms: 0,
                increment_ms: 0,
                show_values: false,
                blunder_alert: true,
            },
            api: ApiConfig {
                port: 0,
                token: String::new(),
                rate_limit_rps: 10,
            },
            log: LogConfig {
                level: "info".to_owned(),
                keep_days: 14,
            },
        }
    }
}

/// A change that is not possible.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read as TOML, and is not touched.
    #[error("config.toml cannot be changed because it is broken: {0}")]
    Broken(String),
    /// A value out of its bounds.
    #[error("{0}")]
    Invalid(String),
    /// The file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Which.
        path: String,
        /// Why not.
        source: io::Error,
    },
}

/// The file and what it says.
#[derive(Debug)]
pub struct ConfigFile {
    path: PathBuf,
    /// `None` if the file is broken.
    document: Option<DocumentMut>,
    config: Config,
    warnings: Vec<String>,
}

/// A setting of the file: where it stands, its default, its comment, and what it may be.
struct Key {
    section: &'static str,
    name: &'static str,
    comment: &'static str,
    read: fn(&Value, &mut Config) -> Result<(), String>,
    write: fn(&Config) -> Value,
}

/// Keys that are known from the plan of the program and do nothing yet: no reason to warn.
const RESERVED: &[&str] = &[
    "engine.aspiration_cp",
    "engine.lmr",
    "engine.accel_enabled",
    "db",
    "feature_flags",
    "postgres",
    "trainer",
    "network",
    "ui.keys",
];

fn whole(value: &Value, least: u32, most: u32) -> Result<u32, String> {
    value
        .as_integer()
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

fn truth(value: &Value) -> Result<bool, String> {
    value
        .as_bool()
        .ok_or_else(|| "expected true or false".to_owned())
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "expected a text".to_owned())
}

fn one_of<T: Copy>(value: &Value, names: &[(&str, T)]) -> Result<T, String> {
    let wanted = value.as_str();
    let found = names.iter().find(|(name, _)| wanted == Some(name));
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|&(name, _)| name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn name_of<T: Copy + PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or("", |&(name, _)| name)
}

/// A time in seconds, to the millisecond.
fn milliseconds(value: &Value, most_seconds: u32) -> Result<u64, String> {
    let seconds = value
        .as_float()
        .or_else(|| value.as_integer().map(|n| n as f64))
        .filter(|seconds| (0.0..=f64::from(most_seconds)).contains(seconds));
    seconds
        .map(|seconds| (seconds * 1000.0).round() as u64)
        .ok_or_else(|| format!("expected seconds from 0 to {most_seconds}"))
}

fn seconds(ms: u64) -> Value {
    if ms.is_multiple_of(1000) {
        Value::from((ms / 1000) as i64)
    } else {
        Value::from(ms as f64 / 1000.0)
    }
}

const PEOPLE: [(&str, crate::People); 3] = [
    ("black", crate::People::Black),
    ("white", crate::People::White),
    ("both", crate::People::Both),
];

const LOG_LEVELS: [(&str, &str); 5] = [
    ("error", "error"),
    ("warn", "warn"),
    ("info", "info"),
    ("debug", "debug"),
    ("trace", "trace"),
];

/// A day: longer clocks are mistakes.
const MOST_SECONDS: u32 = 86_400;

const KEYS: &[Key] = &[
    Key {
        section: "engine",
        name: "tt_mb",
        comment: "memory of an analysis, in megabytes",
        read: |value, config| {
            config.engine.tt_mb = whole(value, 1, 65_536)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.tt_mb).into(),
    },
    Key {
        section: "engine",
        name: "threads",
        comment: "search threads; 0 is one for each core but one, which the browser needs",
        read: |value, config| {
            config.engine.threads = whole(value, 0, 256)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.threads).into(),
    },
    Key {
        section: "engine",
        name: "endgame_exact_empties",
        comment: "with so many empty squares or fewer, analyses are exact",
        read: |value, config| {
            config.engine.endgame_exact_empties = whole(value, 0, 60)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.endgame_exact_empties).into(),
    },
    Key {
        section: "strength",
        name: "profile",
        comment: "elo_400, elo_800, elo_1400, elo_2000, elo_2300 or max",
        read: |value, config| {
            let profile = text(value)?.parse::<Profile>();
            config.play.level = profile.map_err(|error| error.to_string())?;
            Ok(())
        },
        write: |config| config.play.level.name.into(),
    },
    Key {
        section: "play",
        name: "people",
        comment: "your side: black, white or both",
        read: |value, config| {
            config.play.people = one_of(value, &PEOPLE)?;
            Ok(())
        },
        write: |config| name_of(config.play.people, &PEOPLE).into(),
    },
    Key {
        section: "play",
        name: "initial_seconds",
        comment: "each side's time; 0 is no clock",
        read: |value, config| {
            config.play.initial_ms = milliseconds(value, MOST_SECONDS)?;
            Ok(())
        },
        write: |config| seconds(config.play.initial_ms),
    },
    Key {
        section: "play",
        name: "increment_seconds",
        comment: "what each move adds",
        read: |value, config| {
            config.play.increment_ms = milliseconds(value, MOST_SECONDS)?;
            Ok(())
        },
        write: |config| seconds(config.play.increment_ms),
    },
    Key {
        section: "play",
        name: "show_values",
        comment: "show what moves are worth from the start",
        read: |value, config| {
            config.play.show_values = truth(value)?;
            Ok(())
        },
        write: |config| config.play.show_values.into(),
    },
    Key {
        section: "play",
        name: "blunder_alert",
        comment: "tell blunders after the engine's reply",
        read: |value, config| {
            config.play.blunder_alert = truth(value)?;
            Ok(())
        },
        write: |config| config.play.blunder_alert.into(),
    },
    Key {
        section: "ui",
        name: "theme",
        comment: "system, dark, light or high_contrast",
        read: |value, config| {
            config.ui.theme = one_of(value, &Theme::NAMES)?;
            Ok(())
        },
        write: |config| name_of(config.ui.theme, &Theme::NAMES).into(),
    },
    Key {
        section: "ui",
        name: "reduced_motion",
        comment: "no animations, whatever the system says",
        read: |value, config| {
            config.ui.reduced_motion = truth(value)?;
            Ok(())
        },
        write: |config| config.ui.reduced_motion.into(),
    },
    Key {
        section: "ui",
        name: "overlays",
        comment: "of mobility, parity, stability, corners, frontier",
        read: |value, config| {
            let items = value.as_array().ok_or("expected a list of names")?;
            let names = items.iter().map(|item| one_of(item, &OverlayName::NAMES));
            config.ui.overlays = names.collect::<Result<_, _>>()?;
            Ok(())
        },
        write: |config| {
            let names = config.ui.overlays.iter();
            let names = names.map(|&overlay| name_of(overlay, &OverlayName::NAMES));
            Value::Array(names.collect::<Array>())
        },
    },
    Key {
        section: "ui",
        name: "welcomed",
        comment: "whether the welcome was shown",
        read: |value, config| {
            config.ui.welcomed = truth(value)?;
            Ok(())
        },
        write: |config| config.ui.welcomed.into(),
    },
    Key {
        section: "api",
        name: "bind",
        comment: "the loopback interface, and nothing else",
        read: |value, _| match text(value)?.parse::<std::net::IpAddr>() {
            Ok(address) if address.is_loopback() => Ok(()),
            _ => Err("expected the loopback address 127.0.0.1".to_owned()),
        },
        write: |_| "127.0.0.1".into(),
    },
    Key {
        section: "api",
        name: "port",
        comment: "0 is any free one",
        read: |value, config| {
            config.api.port = whole(value, 0, 65_535)? as u16;
            Ok(())
        },
        write: |config| i64::from(config.api.port).into(),
    },
    Key {
        section: "api",
        name: "token",
        comment: "empty is a new one at each start",
        read: |value, config| {
            let token = text(value)?;
            let is_fit = token.is_empty()
                || (token.len() >= 16 && token.bytes().all(|b| b.is_ascii_alphanumeric()));
            if !is_fit {
                return Err("expected at least 16 letters and digits, or nothing".to_owned());
            }
            token.clone_into(&mut config.api.token);
            Ok(())
        },
        write: |config| config.api.token.as_str().into(),
    },
    Key {
        section: "api",
        name: "rate_limit_rps",
        comment: "requests a second from programs with the token",
        read: |value, config| {
            config.api.rate_limit_rps = whole(value, 1, 100_000)?;
            Ok(())
        },
        write: |config| i64::from(config.api.rate_limit_rps).into(),
    },
    Key {
        section: "log",
        name: "level",
        comment: "error, warn, info, debug or trace",
        read: |value, config| {
            one_of(value, &LOG_LEVELS)?.clone_into(&mut config.log.level);
            Ok(())
        },
        write: |config| config.log.level.as_str().into(),
    },
    Key {
        section: "log",
        name: "keep_days",
        comment: "days of logs that are kept",
        read: |value, config| {
            config.log.keep_days = whole(value, 1, 3_650)?;
            Ok(())
        },
        write: |config| i64::from(config.log.keep_days).into(),
    },
];

impl ConfigFile {
    /// Reads the file, or begins one. Always gives a configuration; what is wrong with the file is
    /// in the warnings.
    pub fn open(path: PathBuf) -> Self {
        let mut file = Self {
            path,
            document: None,
            config: Config::default(),
            warnings: Vec::new(),
        };
        let source = match fs::read_to_string(&file.path) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                file.warn(format!("{}: cannot be read: {error}", file.path.display()));
                return file;
            }
        };
        match source.parse::<DocumentMut>() {
            Ok(mut document) => {
                file.read(&document, &source);
                let n_added = add_missing(&mut document, &file.config);
                file.document = Some(document);
                if n_added > 0
                    && let Err(error) = file.save()
                {
                    file.warn(error.to_string());
                }
            }
            Err(error) => {
                let place = error.span().map_or_else(String::new, |span| {
                    let (line, column) = place(&source, span.start);
                    format!(":{line}:{column}")
                });
                file.warn(format!(
                    "{}{place}: {}; the defaults are used and the file is left as it is",
                    file.path.display(),
                    error.message().trim()
                ));
            }
        }
        file
    }

    /// What is configured.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What is odd about the file, in sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Changes the configuration and writes what changed. Nothing is changed if that fails.
    pub fn change(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), ConfigError> {
        let mut config = self.config.clone();
        change(&mut config);
        let Some(document) = &self.document else {
            return Err(ConfigError::Broken(self.warnings.join("; ")));
        };
        let before = document.clone();
        let mut document = before.clone();
        for key in KEYS {
            let value = (key.write)(&config);
            // What goes out must be able to come in again.
            let mut checked = Config::default();
            (key.read)(&value, &mut checked).map_err(|expected| {
                ConfigError::Invalid(format!("{}.{}: {expected}", key.section, key.name))
            })?;
            if (key.write)(&self.config).to_string() != value.to_string() {
                set(&mut document, key, value);
            }
        }
        if config.ui.keys != self.config.ui.keys {
            check_letters(&config.ui.keys)?;
            set_letters(&mut document, &config.ui.keys);
        }
        self.document = Some(document);
        if let Err(error) = self.save() {
            self.document = Some(before);
            return Err(error);
        }
        self.config = config;
        Ok(())
    }

    fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    fn save(&self) -> Result<(), ConfigError> {
        let Some(document) = &self.document else {
            return Ok(());
        };
        home::write_atomically(&self.path, document.to_string().as_bytes()).map_err(|source| {
            ConfigError::Write {
                path: self.path.display().to_string(),
                source,
            }
        })
    }

    fn read(&mut self, document: &DocumentMut, source: &str) {
        let shown = self.path.display().to_string();
        let mut warn = |span: Option<std::ops::Range<usize>>, what: String| {
            let place = span.map_or_else(String::new, |span| {
                let (line, column) = place(source, span.start);
                format!(":{line}:{column}")
            });
            self.warnings.push(format!("{shown}{place}: {what}"));
        };
        // Values keep their places only in the immutable twin.
        let spanned = toml_edit::Document::parse(source.to_owned()).ok();
        let span_of = |section: &str, name: &str| {
            let item = spanned.as_ref()?.get(section)?.get(name)?;
            item.span()
        };
        for key in KEYS {
            let Some(item) = document.get(key.section).and_then(|it| it.get(key.name)) else {
                continue;
            };
            let read = match item.as_value() {
                Some(value) => (key.read)(value, &mut self.config),
                None => Err("expected a value".to_owned()),
            };
            if let Err(expected) = read {
                let name = format!("{}.{}", key.section, key.name);
                let found = item.to_string();
                let found = excerpt(found.trim());
                warn(
                    span_of(key.section, key.name),
                    format!("{name} is {found}, but {expected}; the default is used"),
                );
            }
        }
        read_letters(document, &mut self.config);
        for (section, item) in document.iter() {
            let is_ours = KEYS.iter().any(|key| key.section == section);
            if !is_ours {
                if !RESERVED.contains(&section) {
                    let span = spanned.as_ref().and_then(|it| it.get(section)?.span());
                    warn(span, format!("there is no setting {section}; it is kept"));
                }
                continue;
            }
            let Some(table) = item.as_table_like() else {
                let span = spanned.as_ref().and_then(|it| it.get(section)?.span());
                warn(span, format!("{section} should be a section; it is kept"));
                continue;
            };
            for (name, _) in table.iter() {
                let full = format!("{section}.{name}");
                let is_known = KEYS
                    .iter()
                    .any(|key| key.section == section && key.name == name);
                if !is_known && !RESERVED.contains(&&full[..]) {
                    let what = format!("there is no setting {full}; it is kept");
                    warn(span_of(section, name), what);
                }
            }
        }
    }
}

/// A value as it may stand in a message: one line, never long.
fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(40).collect()
}

/// Line and column of a byte, both counted from 1.
fn place(source: &str, byte: usize) -> (usize, usize) {
    let before = source.get(..byte).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// How many keys were missing.
fn add_missing(document: &mut DocumentMut, config: &Config) -> usize {
    let mut n_added = 0;
    for key in KEYS {
        let section = document
            .entry(key.section)
            .or_insert_with(|| Item::Table(Table::new()));
        // Something else of that name stays; it was warned about.
        let Some(table) = section.as_table_like_mut() else {
            continue;
        };
        if !table.contains_key(key.name) {
            set(document, key, (key.write)(config));
            n_added += 1;
        }
    }
    n_added
}

/// Sets a value where it stands, with its comment, or adds it with ours.
fn set(document: &mut DocumentMut, key: &Key, mut value: Value) {
    let section = document
        .entry(key.section)
        .or_insert_with(|| Item::Table(Table::new()));
    let is_inline = section.is_inline_table();
    let Some(table) = section.as_table_like_mut() else {
        return;
    };
    match table.get(key.name).and_then(Item::as_value) {
        Some(old) => *value.decor_mut() = old.decor().clone(),
        // A comment would swallow the rest of an inline table.
        None if is_inline => {}
        None => value.decor_mut().set_suffix(format!("  # {}", key.comment)),
    }
    table.insert(key.name, Item::Value(value));
}

fn read_letters(document: &DocumentMut, config: &mut Config) {
    let letters = document.get("ui").and_then(|ui| ui.get("keys"));
    let Some(letters) = letters.and_then(Item::as_table_like) else {
        return;
    };
    for (name, item) in letters.iter() {
        if let Some(letter) = item.as_str() {
            config.ui.keys.insert(name.to_owned(), letter.to_owned());
        }
    }
}

fn check_letters(letters: &BTreeMap<String, String>) -> Result<(), ConfigError> {
    let is_word =
        |text: &str| (1..=40).contains(&text.len()) && !text.contains(|c: char| c.is_control());
    let is_fit = letters.len() <= 100
        && letters
            .iter()
            .all(|(name, letter)| is_word(name) && is_word(letter) && letter.chars().count() <= 20);
    if is_fit {
        Ok(())
    } else {
        let what = "ui.keys: expected at most 100 names with a key each";
        Err(ConfigError::Invalid(what.to_owned()))
    }
}

fn set_letters(document: &mut DocumentMut, letters: &BTreeMap<String, String>) {
    let mut table = Table::new();
    for (name, letter) in letters {
        table.insert(name, Item::Value(letter.as_str().into()));
    }
    if let Some(ui) = document.get_mut("ui").and_then(Item::as_table_like_mut) {
        ui.insert("keys", Item::Table(table));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(source: &str) -> (tempfile::TempDir, ConfigFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, source).unwrap();
        (folder, ConfigFile::open(path))
    }

    fn stored(file: &ConfigFile) -> String {
        fs::read_to_string(&file.path).unwrap()
    }

    #[test]
    fn a_missing_file_is_made_with_every_key_and_its_default() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::open(folder.path().join("config.toml"));
        assert_eq!(*file.config(), Config::default());
        assert!(file.warnings().is_empty());
        let text = stored(&file);
        for key in KEYS {
            assert!(text.contains(&format!("{} = ", key.name)), "{}", key.name);
        }
        assert!(
            text.contains("tt_mb = 128  # memory of an analysis"),
            "{text}"
        );
        let again = ConfigFile::open(file.path.clone());
        assert!(again.warnings().is_empty(), "{:?}", again.warnings());
        assert_eq!(again.config(), file.config());
        assert_eq!(stored(&again), text);
    }

    #[test]
    fn comments_order_and_unknown_keys_survive() {
        let (_folder, mut file) = open(
            "# mine\n[ui]\ntheme = 'dark' # at night\nsparkles = 3\n\n[other]\nx = 1\n\n[db]\npath = 'x'\n",
        );
        assert_eq!(file.config().ui.theme, Theme::Dark);
        let [sparkles, other] = file.warnings() else {
            panic!("{:?}", file.warnings());
        };
        assert!(
            sparkles.ends_with(":4:12: there is no setting ui.sparkles; it is kept"),
            "{sparkles}"
        );
        assert!(other.contains("there is no setting other"), "{other}");
        file.change(|config| config.ui.theme = Theme::Light)
            .unwrap();
        let text = stored(&file);
        assert!(
            text.starts_with("# mine\n[ui]\ntheme = \"light\" # at night\nsparkles = 3\n"),
            "{text}"
        );
        assert!(text.contains("[other]\nx = 1\n"), "{text}");
        assert!(text.contains("[db]\npath = 'x'\n"), "{text}");
        assert!(
            text.contains("[engine]\ntt_mb = 128"),
            "missing keys were added: {text}"
        );
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_told_with_its_place_and_kept() {
        let (_folder, file) =
            open("[engine]\ntt_mb = \"lots\"\n[strength]\nprofile = \"elo_1600\"\n");
        assert_eq!(file.config().engine.tt_mb, 128);
        let [tt_mb, profile] = file.warnings() else {
            panic!("{:?}", file.warnings());
        };
        assert!(
            tt_mb.ends_with(
                "config.toml:2:9: engine.tt_mb is \"lots\", but expected a whole number from 1 to 65536; the default is used"
            ),
            "{tt_mb}"
        );
        assert!(profile.contains(":4:11: strength.profile"), "{profile}");
        assert!(profile.contains("elo_400, elo_800"), "{profile}");
        assert!(stored(&file).starts_with("[engine]\ntt_mb = \"lots\"\n"));
    }

    #[test]
    fn a_broken_file_is_told_with_its_place_and_never_touched() {
        let broken = "[ui]\ntheme = = 3\n";
        let (_folder, mut file) = open(broken);
        assert_eq!(*file.config(), Config::default());
        let warning = file.warnings().join("");
        assert!(warning.contains("config.toml:2:9: "), "{warning}");
        let error = file
            .change(|config| config.ui.theme = Theme::Dark)
            .unwrap_err();
        assert!(error.to_string().contains("config.toml:2:9"), "{error}");
        assert_eq!(stored(&file), broken);
    }

    #[test]
    fn sections_of_the_wrong_kind_do_no_harm() {
        let (_folder, mut file) = open("ui = 3\nengine = { tt_mb = 64 }\n");
        assert_eq!(file.config().engine.tt_mb, 64);
        assert!(
            file.warnings()
                .iter()
                .any(|it| it.contains("ui should be a section"))
        );
        file.change(|config| config.engine.tt_mb = 32).unwrap();
        let again = ConfigFile::open(file.path.clone());
        assert_eq!(again.config().engine.tt_mb, 32);
        assert!(stored(&again).contains("ui = 3"));
    }

    #[test]
    fn impossible_changes_change_nothing() {
        let (_folder, mut file) = open("");
        let before = stored(&file);
        let error = file.change(|config| config.engine.tt_mb = 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "engine.tt_mb: expected a whole number from 1 to 65536"
        );
        let long = "x".repeat(100);
        file.change(|config| config.ui.keys.extend([(long, "h".to_owned())]))
            .unwrap_err();
        assert_eq!(file.config().engine.tt_mb, 128);
        assert_eq!(stored(&file), before);
    }

    #[test]
    fn letters_and_times_come_back() {
        let (_folder, mut file) = open("");
        file.change(|config| {
            config.ui.keys.insert("hint".to_owned(), "j".to_owned());
            config.play.initial_ms = 90_500;
            config.play.increment_ms = 2_000;
        })
        .unwrap();
        let again = ConfigFile::open(file.path.clone());
        assert!(again.warnings().is_empty(), "{:?}", again.warnings());
        assert_eq!(again.config(), file.config());
    }
}
