//! Foreign engines: which there are, and their settings.

use super::{GameKind, game_kind};
use crate::wire;
use app::{Domain, desk, engines};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An engine that the user has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineEntry {
    /// Its name in addresses.
    pub id: String,
    pub title: String,
    pub game: GameKind,
    /// `UCI`, `GTP` or `NBoard`; empty if its file cannot be read.
    pub protocol: String,
    pub path: String,
    /// Whether we downloaded it; else it is a program of the user's.
    pub is_installed: bool,
    pub is_running: bool,
    /// Why it cannot be used, or what went wrong last: a sentence.
    pub trouble: Option<String>,
    /// Files of weights that can be installed for it.
    pub networks: Vec<EngineNetwork>,
}

/// A file of weights that a list describes for an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineNetwork {
    pub name: String,
    pub description: String,
    /// Bytes of the download, if that is known.
    pub bytes: Option<u64>,
    /// Whether it is there and the engine uses it.
    pub is_in_use: bool,
}

/// A button among an engine's settings, to press.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PressWish {
    pub button: String,
}

/// An engine that a list describes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KnownEngine {
    pub id: String,
    pub name: String,
    pub game: GameKind,
    pub description: String,
    pub homepage: String,
    /// The build that fits this computer; `null` if there is no checked one.
    pub build: Option<String>,
    /// Bytes of the download, if that is known.
    pub bytes: Option<u64>,
}

/// A program on this computer that was not added yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundEngine {
    /// The engine that it seems to be.
    pub id: String,
    pub path: String,
}

/// All engines that there are, can be added, or can be installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Engines {
    pub added: Vec<EngineEntry>,
    pub known: Vec<KnownEngine>,
    pub found: Vec<FoundEngine>,
    /// Whether the user has allowed downloads.
    pub may_download: bool,
    /// What this computer is, for downloads.
    pub platform: String,
    /// Lists of engines that cannot be used, and why.
    pub problems: Vec<String>,
}

/// A program to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddEngineWish {
    /// What the user wants to call it.
    pub name: String,
    pub path: String,
    /// `uci`, `gtp` or `nboard`; the engine is asked if left out.
    #[serde(default)]
    #[ts(optional)]
    pub protocol: Option<String>,
    /// What it is started with; as its description says if left out.
    #[serde(default)]
    #[ts(optional)]
    pub args: Option<Vec<String>>,
}

/// Whether downloads that the user asks for are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsentWish {
    pub allowed: bool,
}

/// How a whole game is valued by an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValueGameWish {
    /// A foreign engine by its name on the shelf.
    pub engine: String,
    /// How long it looks at each position, in milliseconds (20 to 60000); half a second if left out.
    #[serde(default)]
    #[ts(optional)]
    pub move_ms: Option<u64>,
}

/// What a setting can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum OptionKind {
    Check,
    Spin { min: i64, max: i64 },
    Combo { choices: Vec<String> },
    Button,
    Text,
}

/// A setting of an engine, as it names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineOption {
    pub name: String,
    pub option: OptionKind,
    /// What the engine is started with; `null` for a button.
    pub value: Option<String>,
    /// What the engine itself would take.
    pub usual: Option<String>,
    pub is_changed: bool,
    /// What it is for, if somebody wrote it down; else empty.
    pub description: String,
}

/// The settings of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineOptions {
    pub id: String,
    pub title: String,
    pub author: Option<String>,
    /// Settings that go together, by name.
    pub profiles: Vec<String>,
    pub profile: Option<String>,
    pub options: Vec<EngineOption>,
}

/// Changes of settings; what is left out stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct EngineOptionsChange {
    /// Forget all earlier changes.
    pub reset_all: Option<bool>,
    /// Settings that are again what the engine says.
    pub reset: Option<Vec<String>>,
    /// Settings that go together; an empty name is no profile.
    pub profile: Option<String>,
    pub set: Option<Vec<(String, String)>>,
}

/// What a trial of an engine showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineTrial {
    pub name: Option<String>,
    /// Until it was ready.
    pub start_ms: u64,
    /// What it would play from the start.
    pub choice: Option<String>,
    /// From the word to stop to its answer; `null` if its protocol has no such word.
    pub stop_ms: Option<u64>,
}

/// The last lines of a conversation, `> ` told and `< ` heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineLog {
    pub lines: Vec<String>,
}

const fn kind(game: engines::Game) -> GameKind {
    match game {
        engines::Game::Chess => game_kind(game::Kind::Chess),
        engines::Game::Othello => game_kind(game::Kind::Othello),
    }
}

fn network(network: &desk::EngineNetwork) -> wire::EngineNetwork {
    wire::EngineNetwork {
        name: network.name.clone(),
        description: network.description.clone(),
        bytes: network.n_bytes,
        is_in_use: network.is_in_use,
    }
}

pub(crate) fn engine_entry(entry: &desk::EngineEntry) -> wire::EngineEntry {
    wire::EngineEntry {
        id: entry.id.to_string(),
        title: entry.title.clone(),
        game: kind(entry.game),
        protocol: entry.language.clone(),
        path: entry.path.display().to_string(),
        is_installed: entry.source == desk::EngineSource::Installed,
        is_running: entry.is_running,
        trouble: entry.trouble.clone(),
        networks: entry.networks.iter().map(network).collect(),
    }
}

pub(crate) fn engines(view: &desk::EnginesView) -> wire::Engines {
    wire::Engines {
        added: view.added.iter().map(engine_entry).collect(),
        known: view
            .known
            .iter()
            .map(|it| wire::KnownEngine {
                id: it.id.to_string(),
                name: it.name.clone(),
                game: kind(it.game),
                description: it.description.clone(),
                homepage: it.homepage.clone(),
                build: it.build.as_ref().map(|(key, _)| key.clone()),
                bytes: it.build.as_ref().and_then(|(_, bytes)| *bytes),
            })
            .collect(),
        found: view
            .found
            .iter()
            .map(|it| wire::FoundEngine {
                id: it.id.to_string(),
                path: it.path.display().to_string(),
            })
            .collect(),
        may_download: view.may_download,
        platform: view.platform.clone(),
        problems: view.problems.clone(),
    }
}

pub(crate) fn engine_options(options: &desk::EngineOptions) -> wire::EngineOptions {
    let option = |row: &desk::EngineOption| wire::EngineOption {
        name: row.option.name.clone(),
        option: match &row.option.domain {
            Domain::Check { .. } => wire::OptionKind::Check,
            Domain::Spin { min, max, .. } => wire::OptionKind::Spin {
                min: *min,
                max: *max,
            },
            Domain::Combo { choices, .. } => wire::OptionKind::Combo {
                choices: choices.clone(),
            },
            Domain::Button => wire::OptionKind::Button,
            Domain::Text { .. } => wire::OptionKind::Text,
        },
        value: row.value.clone(),
        usual: row.option.default_text(),
        is_changed: row.is_changed,
        description: row.description.clone(),
    };
    wire::EngineOptions {
        id: options.id.to_string(),
        title: options.title.clone(),
        author: options.author.clone(),
        profiles: options.profiles.clone(),
        profile: options.profile.clone(),
        options: options.options.iter().map(option).collect(),
    }
}

pub(crate) fn options_change(change: wire::EngineOptionsChange) -> engines::options::Change {
    engines::options::Change {
        reset_all: change.reset_all.unwrap_or(false),
        reset: change.reset.unwrap_or_default(),
        profile: change
            .profile
            .map(|it| Some(it).filter(|name| !name.is_empty())),
        set: change.set.unwrap_or_default(),
    }
}

pub(crate) fn trial(trial: &engines::Trial) -> wire::EngineTrial {
    wire::EngineTrial {
        name: trial.identity.name.clone(),
        start_ms: trial.start_ms,
        choice: trial.thought.choice().map(str::to_owned),
        stop_ms: trial.stop_ms,
    }
}
