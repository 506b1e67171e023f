//! The configuration file: read, completed, changed.
//!
//! Missing keys are added with their defaults; unknown ones are kept and warned about, and so are
//! comments and the order of things. A value that cannot be used is warned about and replaced by
//! its default in memory only. A file that is not TOML is never touched.

use super::{
    Config,
    keys::{KEYS, Key},
    reading,
};
use crate::home;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};
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

/// The file cannot be read, or is not TOML.
#[derive(Debug, thiserror::Error)]
#[error("{0}; mend the file, or move it away to have the defaults")]
pub struct UnreadableError(String);

/// The file and what it says.
#[derive(Debug)]
pub struct ConfigFile {
    pub(super) path: PathBuf,
    /// `None` if the file is broken.
    document: Option<DocumentMut>,
    config: Config,
    warnings: Vec<String>,
}

/// What a file says, without touching it, and what is odd about it; a missing one says nothing.
/// This is for commands that only want to know: they begin no file, and stop at a broken one.
pub fn load(path: &Path) -> Result<(Config, Vec<String>), UnreadableError> {
    let source = match fs::read_to_string(path) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let what = format!("{}: cannot be read: {error}", path.display());
            return Err(UnreadableError(what));
        }
    };
    let read = reading::read(path, &source).map_err(UnreadableError)?;
    Ok((read.config, read.warnings))
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
        match reading::read(&file.path, &source) {
            Ok(read) => {
                let mut document = read.document;
                file.config = read.config;
                file.warnings = read.warnings;
                let n_added = add_missing(&mut document, &file.config);
                file.document = Some(document);
                if n_added > 0
                    && let Err(error) = file.save()
                {
                    file.warn(error.to_string());
                }
            }
            Err(broken) => file.warn(format!(
                "{broken}; the defaults are used and the file is left as it is"
            )),
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
