//! The configuration file: read, completed, changed.
//!
//! Missing keys are added with their defaults; unknown ones are kept and warned about, and so are
//! comments and the order of things. A value that cannot be used is warned about and replaced by
//! its default in memory only. A file that is not TOML is never touched.

use super::{
    Config,
    keys::{KEYS, Key, RESERVED},
};
use crate::home;
use std::{collections::BTreeMap, fs, io, path::PathBuf};
use toml_edit::{DocumentMut, Item, Table, Value};

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
    pub(super) path: PathBuf,
    /// `None` if the file is broken.
    document: Option<DocumentMut>,
    config: Config,
    warnings: Vec<String>,
}

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
