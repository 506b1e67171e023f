//! The configuration file: read, completed, changed.
//!
//! Missing keys are added with their defaults; unknown ones are kept and warned about, and so are
//! comments and the order of things. A value that cannot be used is warned about and replaced by
//! its default in memory only. A file that is not TOML is never touched. What the user writes into
//! the file while the program runs is read before the program changes it.

use super::{
    Config,
    keys::{KEYS, Key},
    reading,
};
use crate::disk::Disk;
use std::{
    collections::BTreeMap,
    io,
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
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    /// The file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
}

/// The file cannot be read, or is not TOML.
#[derive(Debug, thiserror::Error)]
#[error("{0}; mend the file, or move it away to have the defaults")]
pub struct UnreadableError(String);

/// Far more than anybody writes by hand.
const BYTES_MAX: u64 = 1 << 20;

/// The file and what it says.
#[derive(Debug)]
pub struct ConfigFile {
    disk: Disk,
    pub(super) path: PathBuf,
    /// What the file held when it was last read or written.
    source: String,
    /// `None` if the file is broken.
    document: Option<DocumentMut>,
    config: Config,
    warnings: Vec<String>,
}

/// The text of the file, if there is one.
fn text(disk: &Disk, path: &Path) -> io::Result<Option<String>> {
    match disk.read(path, BYTES_MAX) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a file says, without touching it, and what is odd about it; a missing one says nothing.
/// This is for commands that only want to know: they begin no file, and stop at a broken one.
pub fn load(path: &Path) -> Result<(Config, Vec<String>), UnreadableError> {
    let source = text(&Disk::real(), path)
        .map_err(|error| UnreadableError(format!("{}: {error}", path.display())))?
        .unwrap_or_default();
    let read = reading::read(path, &source).map_err(UnreadableError)?;
    Ok((read.config, read.warnings))
}

impl ConfigFile {
    /// Reads the file, or begins one. Always gives a configuration; what is wrong with the file is
    /// in the warnings.
    pub fn open(path: PathBuf) -> Self {
        Self::open_on(Disk::real(), path)
    }

    /// [`ConfigFile::open`] on a given disk.
    pub fn open_on(disk: Disk, path: PathBuf) -> Self {
        let mut file = Self {
            disk,
            path,
            source: String::new(),
            document: None,
            config: Config::default(),
            warnings: Vec::new(),
        };
        match text(&file.disk, &file.path) {
            Ok(source) => file.take(source.unwrap_or_default()),
            Err(error) => file.warn(format!("{}: cannot be read: {error}", file.path.display())),
        }
        if let Some(document) = &mut file.document
            && add_missing(document, &file.config) > 0
            && let Err(error) = file.save()
        {
            file.warn(error.to_string());
        }
        file
    }

    /// Understands a text, as far as it can be understood.
    fn take(&mut self, source: String) {
        match reading::read(&self.path, &source) {
            Ok(read) => {
                self.document = Some(read.document);
                self.config = read.config;
                self.warnings = read.warnings;
            }
            Err(broken) => self.warn(format!(
                "{broken}; the defaults are used and the file is left as it is"
            )),
        }
        self.source = source;
    }

    /// Reads the file again if the user has changed it since; whether that was so. A file that is
    /// broken now is an error, and what was configured before stays in use. One that is gone will
    /// be written again.
    pub fn refresh(&mut self) -> Result<bool, ConfigError> {
        let source = text(&self.disk, &self.path).map_err(|source| ConfigError::Read {
            path: self.path.display().to_string(),
            source,
        })?;
        let Some(source) = source.filter(|source| *source != self.source) else {
            return Ok(false);
        };
        let mut fresh = Self {
            disk: self.disk.clone(),
            path: self.path.clone(),
            source: String::new(),
            document: None,
            config: Config::default(),
            warnings: Vec::new(),
        };
        fresh.take(source);
        if fresh.document.is_none() {
            return Err(ConfigError::Broken(fresh.warnings.join("; ")));
        }
        *self = fresh;
        Ok(true)
    }

    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What is odd about the file, in sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Changes the configuration and writes what changed, on top of what the user has written into
    /// the file meanwhile. Nothing is changed if that fails.
    pub fn change(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), ConfigError> {
        self.refresh()?;
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

    fn save(&mut self) -> Result<(), ConfigError> {
        let Some(document) = &self.document else {
            return Ok(());
        };
        let text = document.to_string();
        let write = || self.disk.replace_private(&self.path, text.as_bytes());
        let written = write().or_else(|error| match self.path.parent() {
            // The user may have deleted the folder.
            Some(folder) if error.kind() == io::ErrorKind::NotFound => {
                self.disk.make_folder(folder)?;
                write()
            }
            _ => Err(error),
        });
        written.map_err(|source| ConfigError::Write {
            path: self.path.display().to_string(),
            source,
        })?;
        self.source = text;
        Ok(())
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
    match table.get_mut(key.name) {
        // In place: inserting would lose a comment on the line above.
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(key.name, Item::Value(value));
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
