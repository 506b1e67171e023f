//! Descriptions of engines: where their builds are, what their settings mean, which settings go
//! together.

use super::{Id, Platform};
use crate::{Disk, Home};
use arena::process::Language;
use std::{collections::BTreeMap, fmt, io, path::Path};

/// A file of descriptions has no more bytes than this.
const BYTES_MAX: u64 = 4 << 20;

/// What comes with the program. It has no builds: a build is described only with a SHA-256 that
/// somebody of the project has checked, and none has been so far.
const SHIPPED: &str = include_str!("engines.toml");

/// The game that an engine plays.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Game {
    Chess,
    Othello,
}

impl Game {
    /// What an engine plays that does not say: the languages are those of one game each.
    pub const fn of(language: Language) -> Self {
        match language {
            Language::Uci => Self::Chess,
            Language::Gtp | Language::NBoard => Self::Othello,
        }
    }

    /// The name in files and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Othello => "othello",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a download is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
pub enum Archive {
    #[serde(rename = "zip")]
    Zip,
    #[serde(rename = "tar")]
    Tar,
    #[serde(rename = "tar.gz", alias = "tgz")]
    TarGz,
    #[serde(rename = "tar.xz", alias = "txz")]
    TarXz,
    #[serde(rename = "tar.zst")]
    TarZst,
    /// The file is the program itself.
    #[serde(rename = "none", alias = "binary", alias = "")]
    Single,
}

/// One file to download, for one kind of computer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Build {
    pub url: String,
    /// Of the download, in hexadecimal digits.
    pub sha256: String,
    /// The program inside the archive.
    pub binary: String,
    pub extract: Archive,
    /// Bytes of the download, for the progress before the server tells.
    pub size: Option<u64>,
}

/// A file of weights that an engine needs or can use.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Network {
    pub url: String,
    /// Of the download, in hexadecimal digits.
    pub sha256: String,
    /// The name that the file has in the engine's folder.
    pub file: String,
    /// Bytes of the download.
    pub size: Option<u64>,
    #[serde(default)]
    pub description: String,
    /// The setting by which the engine is told where the file is.
    pub option: Option<String>,
    /// The argument before the file, for an engine that has no settings.
    pub arg: Option<String>,
}

/// What is downloaded, and how it is recognised.
#[derive(Debug, Clone, Copy)]
pub struct Remote<'a> {
    pub url: &'a str,
    pub sha256: &'a str,
    pub size: Option<u64>,
}

/// A value of a setting, as text. Files may have numbers and truths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting(pub String);

impl<'de> serde::Deserialize<'de> for Setting {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(text) => Ok(Self(text)),
            toml::Value::Integer(number) => Ok(Self(number.to_string())),
            toml::Value::Boolean(truth) => Ok(Self(truth.to_string())),
            toml::Value::Float(number) => Ok(Self(number.to_string())),
            _ => Err(D::Error::custom("expected a text, a number, true or false")),
        }
    }
}

/// What a setting is for.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(default)]
pub struct OptionNote {
    pub description: String,
    /// A value that suits most computers; `auto` is one thread for each core but one.
    pub recommended: Option<Setting>,
}

/// An engine that can be had.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Definition {
    pub name: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub author: String,
    #[serde(default)]
    pub license: String,
    #[serde(default)]
    pub homepage: String,
    #[serde(default)]
    pub description: String,
    pub elo_estimate: Option<u32>,
    /// Whether it needs a file of weights that it does not bring along.
    #[serde(default)]
    pub requires_network: bool,
    #[serde(default = "uci", deserialize_with = "language")]
    pub protocol: Language,
    pub game: Option<Game>,
    /// Arguments that it is started with.
    #[serde(default)]
    pub args: Vec<String>,
    /// Names under which it may lie on the disk.
    #[serde(default)]
    pub find: Vec<String>,
    #[serde(default)]
    pub builds: BTreeMap<String, Build>,
    /// Networks by name. An engine that requires one is installed with the first.
    #[serde(default)]
    pub networks: BTreeMap<String, Network>,
    #[serde(default)]
    pub options: BTreeMap<String, OptionNote>,
    #[serde(default)]
    pub profiles: BTreeMap<String, BTreeMap<String, Setting>>,
}

const fn uci() -> Language {
    Language::Uci
}

fn language<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
    let text = <String as serde::Deserialize>::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

impl Definition {
    pub fn game(&self) -> Game {
        self.game.unwrap_or_else(|| Game::of(self.protocol))
    }

    /// The best build for a computer, with its key; `None` if there is none for it.
    pub fn build(&self, platform: &Platform) -> Option<(String, &Build)> {
        let mut keys = platform.keys().into_iter();
        keys.find_map(|key| {
            let build = self.builds.get(&key)?;
            Some((key, build))
        })
    }

    /// What is said about a setting, by its name in any letters.
    pub fn note(&self, option: &str) -> Option<&OptionNote> {
        let mut notes = self.options.iter();
        let found = notes.find(|(name, _)| name.eq_ignore_ascii_case(option))?;
        Some(found.1)
    }
}

/// Why a file of descriptions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("{path} is not a list of engines: {reason}")]
    Broken { path: String, reason: String },
    /// A build or a network that cannot be trusted.
    #[error("{path}: engine {id}, build {build}: {reason}")]
    Build {
        path: String,
        id: String,
        build: String,
        reason: String,
    },
    #[error("{path}: {id:?} cannot be the name of an engine: {reason}")]
    Id {
        path: String,
        id: String,
        reason: String,
    },
}

#[derive(serde::Deserialize)]
struct File {
    #[serde(default)]
    engines: BTreeMap<String, Definition>,
}

/// All descriptions that are known; later files replace those of the same name.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    definitions: BTreeMap<Id, Definition>,
}

impl Registry {
    /// Reads a file's text. A build without a right SHA-256, or from an address that is not secure,
    /// is an error: it must not look as if it could be installed.
    pub fn parse(text: &str, path: &str) -> Result<Self, RegistryError> {
        let file: File = toml::from_str(text).map_err(|error| RegistryError::Broken {
            path: path.to_owned(),
            reason: error.to_string().trim().replace('\n', " "),
        })?;
        let mut definitions = BTreeMap::new();
        for (id, definition) in file.engines {
            let id: Id = id
                .parse()
                .map_err(|error: super::IdError| RegistryError::Id {
                    path: path.to_owned(),
                    id: id.clone(),
                    reason: error.to_string(),
                })?;
            let builds = definition
                .builds
                .iter()
                .map(|(name, it)| (name, it.check()));
            let networks = definition.networks.iter();
            let networks = networks.map(|(name, it)| (name, it.check()));
            for (build, checked) in builds.chain(networks) {
                if let Err(reason) = checked {
                    return Err(RegistryError::Build {
                        path: path.to_owned(),
                        id: id.to_string(),
                        build: build.clone(),
                        reason,
                    });
                }
            }
            definitions.insert(id, definition);
        }
        Ok(Self { definitions })
    }

    /// The descriptions that come with the program.
    pub fn shipped() -> Self {
        // A test reads it, so that this cannot be empty by mistake.
        Self::parse(SHIPPED, "the shipped list").unwrap_or_default()
    }

    fn extend(&mut self, other: Self) {
        self.definitions.extend(other.definitions);
    }

    pub fn get(&self, id: &Id) -> Option<&Definition> {
        self.definitions.get(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Id, &Definition)> {
        self.definitions.iter()
    }

    /// The description that fits a program: by what it calls itself, or by the name of its file.
    pub fn describe(&self, name: &str, file: &Path) -> Option<(&Id, &Definition)> {
        let stem = file
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        let fits = |it: &str| {
            let word = it.to_ascii_lowercase();
            name.to_ascii_lowercase().starts_with(&word)
                || stem.to_ascii_lowercase().starts_with(&word)
        };
        let mut all = self.definitions.iter();
        all.find(|(_, definition)| definition.find.iter().any(|it| fits(it)))
    }
}

impl Remote<'_> {
    fn check(&self) -> Result<(), String> {
        let is_hash = self.sha256.len() == 64 && self.sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hash {
            return Err("expected a SHA-256 of 64 hexadecimal digits".to_owned());
        }
        crate::net::check_url(self.url).map(|_| ())
    }
}

impl Network {
    /// What is downloaded for it.
    pub fn remote(&self) -> Remote<'_> {
        Remote {
            url: &self.url,
            sha256: &self.sha256,
            size: self.size,
        }
    }

    fn check(&self) -> Result<(), String> {
        self.remote().check()?;
        let wrong = |reason: &str| format!("file {:?} {reason}", self.file);
        let path = super::install::inner_path(&self.file).map_err(wrong)?;
        if path.components().count() != 1 {
            return Err(wrong("lies in a folder; expected a name alone"));
        }
        if self.option.is_some() == self.arg.is_some() {
            return Err(
                "expected an option or an arg that names the file to the engine".to_owned(),
            );
        }
        Ok(())
    }
}

impl Build {
    /// What is downloaded for it.
    pub fn remote(&self) -> Remote<'_> {
        Remote {
            url: &self.url,
            sha256: &self.sha256,
            size: self.size,
        }
    }

    fn check(&self) -> Result<(), String> {
        self.remote().check()?;
        super::install::inner_path(&self.binary)
            .map(|_| ())
            .map_err(|reason| format!("binary {:?} {reason}", self.binary))
    }
}

/// The shipped descriptions, then those that were fetched, then the user's own: all files
/// `engines/*.toml` of the home. A file that cannot be used is left out and told.
pub fn load_registry(home: &Home) -> (Registry, Vec<RegistryError>) {
    let (mut registry, mut errors) = (Registry::shipped(), Vec::new());
    let mut paths = vec![home.registry_cache()];
    let names = home.disk().names(&home.engines()).unwrap_or_default();
    let own = names.into_iter().map(|name| home.engines().join(name));
    paths.extend(own.filter(|path| path.extension().is_some_and(|it| it == "toml")));
    for path in paths {
        match read(home.disk(), &path) {
            Ok(Some(more)) => registry.extend(more),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    (registry, errors)
}

fn read(disk: &Disk, path: &Path) -> Result<Option<Registry>, RegistryError> {
    let name = path.display().to_string();
    let text = match disk.read(path, BYTES_MAX) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(RegistryError::Read { path: name, source }),
    };
    Registry::parse(&text, &name).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Feature;

    const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn with_build(key: &str, url: &str, hash: &str, binary: &str) -> String {
        format!(
            "[engines.x]\nname = \"X\"\n[engines.x.builds.{key}]\nurl = {url:?}\nsha256 = {hash:?}\n\
             binary = {binary:?}\nextract = \"tar.gz\"\n"
        )
    }

    #[test]
    fn the_shipped_list_can_be_read_and_offers_nothing_unchecked() {
        let registry = Registry::parse(SHIPPED, "shipped").unwrap();
        assert!(registry.iter().count() >= 6);
        let stockfish = registry.get(&"stockfish".parse().unwrap()).unwrap();
        assert!(!stockfish.note("hash").unwrap().description.is_empty());
        assert!(stockfish.profiles.contains_key("analysis"));
        for (id, definition) in registry.iter() {
            assert!(
                definition.builds.is_empty(),
                "{id} has a build that nobody checked"
            );
            assert!(!definition.find.is_empty(), "{id}");
        }
    }

    #[test]
    fn the_best_build_that_runs_here_is_chosen() {
        let text = [
            "linux-amd64-bmi2",
            "linux-amd64-avx2",
            "linux-amd64",
            "darwin-arm64",
        ]
        .map(|key| {
            let table = with_build(key, "https://a.example/x", HASH, key);
            table.replace("[engines.x]\nname = \"X\"\n", "")
        })
        .concat();
        let text = format!("[engines.x]\nname = \"X\"\n{text}");
        let registry = Registry::parse(&text, "test").unwrap();
        let definition = registry.get(&"x".parse().unwrap()).unwrap();
        let chosen = |os: &str, arch: &str, features: &[Feature], has_slow_pext| {
            let platform = Platform {
                os: os.to_owned(),
                arch: arch.to_owned(),
                features: features.to_vec(),
                has_slow_pext,
            };
            definition.build(&platform).map(|(key, _)| key)
        };
        let all = &Feature::ALL;
        assert_eq!(
            chosen("linux", "amd64", all, false).unwrap(),
            "linux-amd64-bmi2"
        );
        assert_eq!(
            chosen("linux", "amd64", all, true).unwrap(),
            "linux-amd64-avx2"
        );
        assert_eq!(chosen("linux", "amd64", &[], false).unwrap(), "linux-amd64");
        assert_eq!(
            chosen("darwin", "arm64", &[], false).unwrap(),
            "darwin-arm64"
        );
        assert_eq!(chosen("windows", "amd64", all, false), None);
    }

    #[test]
    fn builds_that_cannot_be_trusted_are_refused_with_their_place() {
        let error = |text: &str| Registry::parse(text, "my.toml").unwrap_err().to_string();
        let build =
            |url: &str, hash: &str, binary: &str| with_build("linux-amd64", url, hash, binary);
        assert_eq!(
            error(&build("https://a.example/x", "abc123...", "x")),
            "my.toml: engine x, build linux-amd64: expected a SHA-256 of 64 hexadecimal digits"
        );
        assert!(error(&build("http://a.example/x", HASH, "x")).contains("https"));
        assert!(error(&build("ftp://a.example/x", HASH, "x")).contains("https"));
        assert!(error(&build("https://a.example/x", HASH, "../x")).contains("leads out"));
        assert!(error(&build("https://a.example/x", HASH, "/bin/sh")).contains("leads out"));
        assert!(error("[engines.\"../x\"]\nname = \"X\"\n").contains("cannot be the name"));
        let broken = error("[engines.x]\nnam = 3\n");
        assert!(
            broken.starts_with("my.toml is not a list of engines"),
            "{broken}"
        );
        assert!(!broken.contains('\n'));
    }
}
