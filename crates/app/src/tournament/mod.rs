//! Tournaments between any engines, in either game, that survive whatever happens.
//!
//! A tournament is a folder: what was asked for ([`Settings`], as TOML) and a log to which every
//! finished pair of games is added, with a checksum, and waited for until it is on the device
//! ([`log`]). To resume one is to read the log and to play what is not in it: the plan of
//! [`arena::tournament`] says from the number of a pair who plays it and from which opening, so that
//! a tournament that was killed and resumed has the games of one that was not, if its engines are
//! deterministic. [`Runner`] plays, [`Report`] says how it stands.

mod describe;
mod entrant;
mod export;
pub mod html;
pub mod json;
pub mod log;
mod openings;
mod oracles;
mod report;
mod runner;
mod settings;
pub mod tuning;
mod worker;

pub use describe::{crosstable_csv, describe};
pub use entrant::EntrantError;
pub use export::{game_record, write_game};
pub use log::{GameLine, PairLine};
pub use openings::{Opening, OpeningsError, read_openings};
pub use report::{ColourScore, Curve, Incident, OpeningScore, Point, Report, Row, Test, TimeUse};
pub use runner::{Controls, End, News, Runner, Watch};
pub use settings::{
    DrawSettings, EngineSettings, OpeningSettings, ResignSettings, Settings, SettingsError,
    SprtSettings, TablebaseSettings,
};

use crate::{Disk, Home, input::SETTINGS_MAX};
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A tournament on the disk.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// Its number among the tournaments of a home.
    pub id: u64,
    pub settings: Settings,
    folder: PathBuf,
    disk: Disk,
}

/// Why a tournament cannot be made, read or played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    #[error("there is no tournament {wanted}; {known}")]
    Unknown { wanted: String, known: String },
    #[error("cannot use {path}: {source}", path = path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{path}: {source}", path = path.display())]
    Settings {
        path: PathBuf,
        source: SettingsError,
    },
    #[error(transparent)]
    Invalid(#[from] SettingsError),
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    #[error("{path}: {problem}", path = path.display())]
    Log { path: PathBuf, problem: String },
    #[error("{path} has no tables of endings; expected files such as KQvK.rtbw", path = .0.display())]
    Tables(PathBuf),
    #[error("there is no tuning {wanted}; begin one with kibitz tune run FILE.toml")]
    NoTuning { wanted: String },
    #[error("tuning {0} is being played by another program")]
    BusyTuning(u64),
    #[error("tournament {0} is being played by another program")]
    Busy(u64),
}

impl Tournament {
    fn folder_of(home: &Home) -> PathBuf {
        home.path().join("tournaments")
    }

    /// Makes the folder of a new tournament, if its engines and openings are there. Paths of the
    /// settings become absolute.
    pub fn create(home: &Home, settings: Settings) -> Result<Self, TournamentError> {
        settings.check()?;
        let settings = settings.with_absolute_paths();
        let no_clock: arena::process::Now = Arc::new(|| 0);
        entrant::contenders(&settings, home, &no_clock)?;
        openings::openings_of(&settings)?;
        let all = Self::folder_of(home);
        let disk = home.disk().clone();
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |source| TournamentError::File { path, source }
        };
        disk.make_folder(&all).map_err(wrong(&all))?;
        let id = ids(&disk, &all).last().map_or(1, |last| last + 1);
        let folder = all.join(id.to_string());
        disk.make_folder(&folder).map_err(wrong(&folder))?;
        let file = folder.join(SETTINGS_FILE);
        let text = settings.to_toml()?;
        disk.replace(&file, text.as_bytes()).map_err(wrong(&file))?;
        Ok(Self {
            id,
            settings,
            folder,
            disk,
        })
    }

    /// A tournament by its number, or the latest one.
    pub fn open(home: &Home, id: Option<u64>) -> Result<Self, TournamentError> {
        let all = Self::folder_of(home);
        let disk = home.disk().clone();
        let known = ids(&disk, &all);
        let found = match id {
            Some(id) => known.contains(&id).then_some(id),
            None => known.last().copied(),
        };
        let id = found.ok_or_else(|| TournamentError::Unknown {
            wanted: id.map_or_else(|| "yet".to_owned(), |id| id.to_string()),
            known: match (known.first(), known.last()) {
                (Some(first), Some(last)) => format!("there are {first} to {last}"),
                _ => "begin one with kibitz tournament run FILE.toml".to_owned(),
            },
        })?;
        let folder = all.join(id.to_string());
        let path = folder.join(SETTINGS_FILE);
        let bytes = disk.read(&path, SETTINGS_MAX);
        let bytes = bytes.map_err(|source| TournamentError::File {
            path: path.clone(),
            source,
        })?;
        let settings = Settings::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|source| TournamentError::Settings { path, source })?;
        Ok(Self {
            id,
            settings,
            folder,
            disk,
        })
    }

    /// All tournaments of a home that can be read, the oldest first.
    pub fn all(home: &Home) -> Vec<Self> {
        let known = ids(home.disk(), &Self::folder_of(home));
        let open = |id| Self::open(home, Some(id)).ok();
        known.into_iter().filter_map(open).collect()
    }

    /// Whether some program plays it just now.
    pub fn is_claimed(&self) -> bool {
        is_claimed(&self.folder)
    }

    /// The file of its finished pairs.
    pub fn log_file(&self) -> PathBuf {
        self.folder.join("pairs.log")
    }

    /// How it stands, by its log.
    pub fn report(&self) -> Result<Report, TournamentError> {
        let mut builder = report::Builder::new(&self.settings)?;
        log::read(&self.disk, &self.log_file(), |line| {
            builder.take(line, |_| {});
        })?;
        Ok(builder.report())
    }

    /// Tells every finished pair that counts.
    pub fn for_each_pair(&self, mut take: impl FnMut(&PairLine)) -> Result<(), TournamentError> {
        let mut builder = report::Builder::new(&self.settings)?;
        let path = self.log_file();
        log::read(&self.disk, &path, |line| builder.take(line, &mut take))?;
        Ok(())
    }
}

const SETTINGS_FILE: &str = "tournament.toml";
const LOCK_FILE: &str = "lock";

fn is_claimed(folder: &Path) -> bool {
    let lock = std::fs::File::open(folder.join(LOCK_FILE));
    lock.is_ok_and(|lock| lock.try_lock_shared().is_err())
}

fn ids(disk: &Disk, folder: &Path) -> Vec<u64> {
    let names = disk.names(folder).unwrap_or_default();
    let mut ids: Vec<u64> = names
        .iter()
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect();
    ids.sort_unstable();
    ids
}
