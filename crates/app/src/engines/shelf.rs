//! The engines that the user has: one folder each.

use super::{Definition, Game, Registry, Setting};
use crate::{Disk, Home, disk::Kind};
use arena::process::{Engine, Keeper, Language, Now, Program, Setup};
use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The name of an engine's folder, and of the engine on command lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

/// The text cannot name an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    #[error(
        "expected 1 to 64 letters, digits, points, dashes and underscores, beginning with a letter \
         or digit"
    )]
    Form,
    /// Our own engines have names of their own.
    #[error("{0} is our own engine")]
    Own(String),
}

/// Names that mean our own engine.
const OWN: [&str; 3] = ["alphabeta", "kibitz", "mcts"];

impl FromStr for Id {
    type Err = IdError;

    /// Spaces become dashes, and capitals small letters.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let id = words.join("-").to_ascii_lowercase();
        let is_fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if !(1..=64).contains(&id.len())
            || !id.chars().all(is_fit)
            || !id.starts_with(|c: char| c.is_ascii_alphanumeric())
        {
            return Err(IdError::Form);
        }
        if OWN.contains(&id.as_str()) {
            return Err(IdError::Own(id));
        }
        Ok(Self(id))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Id {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What an engine is: its `engine.toml`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Entry {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// `uci`, `gtp` or `nboard`.
    pub protocol: String,
    pub game: Game,
    /// From the engine's folder if not from the root.
    pub path: PathBuf,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The description that explains its settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described_as: Option<String>,
    /// Where it was downloaded, and the SHA-256 of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Entry {
    pub fn language(&self) -> Result<Language, EntryError> {
        self.protocol.parse().map_err(|_| EntryError::Protocol {
            found: self.protocol.clone(),
        })
    }

    /// Whether its files are ours, and go with it.
    pub const fn is_installed(&self) -> bool {
        self.sha256.is_some()
    }
}

/// What the user changed about an engine: its `config.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Overrides {
    /// Settings that go together; see [`Definition::profiles`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Setting>,
}

impl serde::Serialize for Setting {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.parse::<i64>(), self.0.parse::<bool>()) {
            (Ok(number), _) if number.to_string() == self.0 => serializer.serialize_i64(number),
            (_, Ok(truth)) => serializer.serialize_bool(truth),
            _ => serializer.serialize_str(&self.0),
        }
    }
}

/// What is wrong with an engine's own file.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("{path} cannot be understood: {reason}")]
    Broken { path: String, reason: String },
    #[error("{found:?} is not a protocol; expected uci, gtp or nboard")]
    Protocol { found: String },
}

/// Why something could not be done with the engines.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    #[error("there is no engine {name:?}; {known}")]
    Unknown { name: String, known: String },
    #[error("there is an engine {0} already; remove it first, or choose another name")]
    Exists(Id),
    #[error("{0:?} cannot be the name of an engine: {1}")]
    Name(String, IdError),
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
    #[error("cannot remove {path}: {source}")]
    Remove { path: String, source: io::Error },
    #[error("{name} has no profile {profile:?}; {known}")]
    Profile {
        name: String,
        profile: String,
        known: String,
    },
}

const ENTRY: &str = "engine.toml";
const OVERRIDES: &str = "config.toml";

/// A file of an engine has no more bytes than this.
const BYTES_MAX: u64 = 1 << 20;

/// The engines that the user has added or installed.
#[derive(Debug, Clone)]
pub struct Shelf {
    disk: Disk,
    folder: PathBuf,
}

impl Shelf {
    pub fn new(home: &Home) -> Self {
        Self {
            disk: home.disk().clone(),
            folder: home.engines(),
        }
    }

    pub(super) const fn disk(&self) -> &Disk {
        &self.disk
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where an engine's files are.
    pub fn folder_of(&self, id: &Id) -> PathBuf {
        self.folder.join(id.as_str())
    }

    /// All engines, with what is wrong with those that cannot be used.
    pub fn list(&self) -> Vec<(Id, Result<Entry, EntryError>)> {
        let names = self.disk.names(&self.folder).unwrap_or_default();
        let ids = names.iter().filter_map(|name| {
            let text = name.to_str()?;
            let id: Id = text.parse().ok()?;
            // A folder in other letters is not one that we made.
            let is_ours = id.as_str() == text
                && self
                    .disk
                    .kind(&self.folder_of(&id))
                    .is_ok_and(|it| it == Kind::Folder);
            is_ours.then_some(id)
        });
        ids.map(|id| {
            let entry = self.read_entry(&id);
            (id, entry)
        })
        .collect()
    }

    /// The engine that a name means: its own name, or what it calls itself.
    pub fn find(&self, name: &str) -> Result<(Id, Entry), ShelfError> {
        let (id, entry) = self.find_any(name)?;
        Ok((id, entry?))
    }

    /// The same for an engine whose description may be damaged: it can be removed.
    pub fn find_any(&self, name: &str) -> Result<(Id, Result<Entry, EntryError>), ShelfError> {
        let mut known = Vec::new();
        for (id, entry) in self.list() {
            let is_it = id.as_str().eq_ignore_ascii_case(name)
                || entry
                    .as_ref()
                    .is_ok_and(|it| it.name.eq_ignore_ascii_case(name));
            if is_it {
                return Ok((id, entry));
            }
            known.push(id.to_string());
        }
        Err(ShelfError::Unknown {
            name: name.chars().take(80).collect(),
            known: if known.is_empty() {
                "our own are alphabeta and mcts, and none has been added yet; see kibitz engines list".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            },
        })
    }

    fn read_entry(&self, id: &Id) -> Result<Entry, EntryError> {
        self.read(&self.folder_of(id).join(ENTRY))
    }

    fn read<T: serde::de::DeserializeOwned>(&self, path: &Path) -> Result<T, EntryError> {
        let name = || path.display().to_string();
        let bytes = self
            .disk
            .read(path, BYTES_MAX)
            .map_err(|source| EntryError::Read {
                path: name(),
                source,
            })?;
        toml::from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| EntryError::Broken {
            path: name(),
            reason: error.to_string().trim().replace('\n', " "),
        })
    }

    /// What the user changed; nothing if there is no file.
    pub fn overrides(&self, id: &Id) -> Result<Overrides, EntryError> {
        match self.read(&self.folder_of(id).join(OVERRIDES)) {
            Err(EntryError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(Overrides::default())
            }
            other => other,
        }
    }

    /// Writes down what the user changed.
    pub fn set_overrides(&self, id: &Id, overrides: &Overrides) -> Result<(), ShelfError> {
        self.write(&self.folder_of(id).join(OVERRIDES), overrides)
    }

    fn write(&self, path: &Path, value: &impl serde::Serialize) -> Result<(), ShelfError> {
        let failed = |source| ShelfError::Write {
            path: path.display().to_string(),
            source,
        };
        let text = toml::to_string(value).map_err(|error| failed(io::Error::other(error)))?;
        self.disk.replace(path, text.as_bytes()).map_err(failed)
    }

    /// Adds an engine that is on the disk already.
    pub fn add(&self, id: &Id, entry: &Entry) -> Result<(), ShelfError> {
        let folder = self.folder_of(id);
        let failed = |source| ShelfError::Write {
            path: folder.display().to_string(),
            source,
        };
        if self.disk.kind(&folder).map_err(failed)? != Kind::Missing {
            return Err(ShelfError::Exists(id.clone()));
        }
        self.disk.make_folder(&folder).map_err(failed)?;
        self.write(&folder.join(ENTRY), entry).inspect_err(|_| {
            // Half an engine is none.
            self.disk.remove_folder(&folder).ok();
        })
    }

    /// Writes the entry of an engine that is being installed.
    pub(super) fn write_entry(&self, folder: &Path, entry: &Entry) -> Result<(), ShelfError> {
        self.write(&folder.join(ENTRY), entry)
    }

    /// Writes the settings of an engine that is being installed.
    pub(super) fn write_overrides(
        &self,
        folder: &Path,
        overrides: &Overrides,
    ) -> Result<(), ShelfError> {
        self.write(&folder.join(OVERRIDES), overrides)
    }

    /// Removes an engine with its settings, and with its files if we installed it. A program that
    /// was added by its path stays where it is.
    pub fn remove(&self, id: &Id) -> Result<(), ShelfError> {
        let folder = self.folder_of(id);
        self.disk
            .remove_folder(&folder)
            .map_err(|source| ShelfError::Remove {
                path: folder.display().to_string(),
                source,
            })
    }

    /// The settings that an engine is started with: of its profile, then the user's own.
    pub fn options(
        &self,
        id: &Id,
        entry: &Entry,
        registry: &Registry,
        n_threads: u32,
    ) -> Result<Vec<(String, String)>, ShelfError> {
        let overrides = self.overrides(id)?;
        let definition = definition_of(entry, id, registry);
        let mut settings: BTreeMap<String, String> = BTreeMap::new();
        if let Some(profile) = &overrides.profile {
            let found = definition.and_then(|it| it.profiles.get(profile));
            let found = found.ok_or_else(|| ShelfError::Profile {
                name: entry.name.clone(),
                profile: profile.clone(),
                known: profiles(definition),
            })?;
            settings.extend(resolved(found, n_threads));
        }
        settings.extend(resolved(&overrides.options, n_threads));
        Ok(settings.into_iter().collect())
    }

    /// An engine that is not started yet, with its settings.
    pub fn engine(
        &self,
        id: &Id,
        entry: &Entry,
        options: Vec<(String, String)>,
        keeper: Keeper,
        now: Now,
    ) -> Result<Engine, ShelfError> {
        let language = entry.language()?;
        let program = Program {
            args: entry.args.clone(),
            ..Program::new(self.folder_of(id).join(&entry.path))
        };
        let setup = Setup {
            options,
            keeper,
            ..Setup::new(program, language)
        };
        Ok(Engine::new(setup, now))
    }
}

/// The names of the profiles, for a sentence.
fn profiles(definition: Option<&Definition>) -> String {
    let names: Vec<&str> = definition
        .map(|it| it.profiles.keys().map(String::as_str).collect())
        .unwrap_or_default();
    if names.is_empty() {
        "there are none for it".to_owned()
    } else {
        format!("there are {}", names.join(", "))
    }
}

/// What describes an engine.
pub(crate) fn definition_of<'a>(
    entry: &Entry,
    id: &Id,
    registry: &'a Registry,
) -> Option<&'a Definition> {
    let named = entry.described_as.as_ref().and_then(|it| it.parse().ok());
    registry.get(named.as_ref().unwrap_or(id))
}

/// `auto` is a number, of threads; to any other setting it is a word.
fn resolved(
    settings: &BTreeMap<String, Setting>,
    n_threads: u32,
) -> impl Iterator<Item = (String, String)> {
    settings.iter().map(move |(name, Setting(value))| {
        let value = if super::options::is_auto(name, value) {
            n_threads.max(1).to_string()
        } else {
            value.clone()
        };
        (name.clone(), value)
    })
}
