//! Tournaments between any engines, in either game, that survive whatever happens.
//!
//! A tournament is a folder: what was asked for ([`Settings`], as TOML) and a log to which every
//! finished pair of games is added, with a checksum, and waited for until it is on the device
//! ([`log`]). To resume one is to read the log and to play what is not in it: the plan of
//! [`arena::tournament`] says from the number of a pair who plays it and from which opening, so that
//! a tournament that was killed and resumed has the games of one that was not, if its engines are
//! deterministic. [`Runner`] plays, [`Report`] says how it stands.

mod curve;
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
#[cfg(test)]
mod tests;
pub mod tuning;
mod worker;

pub use curve::{Curve, Point};
pub use describe::{crosstable_csv, describe};
pub use entrant::EntrantError;
pub use export::{game_record, write_game};
use log::LogLine;
pub use log::{GameLine, PairLine};
pub use openings::{Opening, OpeningsError, read_openings};
pub use report::{ColourScore, Incident, OpeningScore, Report, Row, Test, TimeUse};
pub use runner::{Controls, End, News, Runner, Watch};
pub use settings::{
    DrawSettings, EngineSettings, OpeningSettings, ResignSettings, Settings, SettingsError,
    SprtSettings, TablebaseSettings, Times,
};

use crate::{Disk, Home, disk::Kind, input::SETTINGS_MAX};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
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

/// A file that the games of a tournament are added to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesFile {
    pub file: PathBuf,
    /// How long it was when the tournament began: games of others may be in it.
    pub start: u64,
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
    #[error(
        "{path} has other openings than when the tournament began, and its pairs would not be \
         comparable; put the old file back, or begin a new tournament",
        path = .0.display()
    )]
    ChangedOpenings(PathBuf),
    #[error("there is no tuning {wanted}; begin one with kibitz tune run FILE.toml")]
    NoTuning { wanted: String },
    #[error(
        "step {step}: in both games of a pair the engine failed; the last time it {detail}. Nothing \
         can be learned from such games; the step is played again on resume"
    )]
    FaultyTuning { step: u64, detail: String },
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
        settings.check_new()?;
        let settings = settings.with_absolute_paths();
        let no_clock: arena::process::Now = Arc::new(|| 0);
        let contenders = entrant::contenders(&settings, home, &no_clock)?;
        let openings = openings::openings_of(&settings)?;
        entrant::check_openings(&settings, &contenders, &openings)?;
        let disk = home.disk().clone();
        let text = settings.to_toml()?;
        let (id, folder) = make_numbered(&disk, &Self::folder_of(home))?;
        // Whoever sees the settings sees a whole tournament.
        if settings.openings.is_some() {
            let file = folder.join(OPENINGS_FILE);
            let sum = openings::sum(&openings);
            let written = disk.replace(&file, sum.as_bytes());
            written.map_err(file_error(&file))?;
        }
        let file = folder.join(SETTINGS_FILE);
        disk.replace(&file, text.as_bytes())
            .map_err(file_error(&file))?;
        Ok(Self {
            id,
            settings,
            folder,
            disk,
        })
    }

    /// Whether these are the openings that it began with.
    fn check_same_openings(&self, openings: &[Opening]) -> Result<(), TournamentError> {
        let (path, Some(asked)) = (self.folder.join(OPENINGS_FILE), &self.settings.openings) else {
            return Ok(());
        };
        // One of an earlier version does not say.
        if !self.disk.exists(&path).map_err(file_error(&path))? {
            return Ok(());
        }
        let kept = self.disk.read(&path, 1 << 10).map_err(file_error(&path))?;
        if kept == openings::sum(openings).as_bytes() {
            Ok(())
        } else {
            Err(TournamentError::ChangedOpenings(asked.file.clone()))
        }
    }

    /// A tournament by its number, or the latest one.
    pub fn open(home: &Home, id: Option<u64>) -> Result<Self, TournamentError> {
        let all = Self::folder_of(home);
        let disk = home.disk().clone();
        let known = ids(&disk, &all, SETTINGS_FILE);
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
        let known = ids(home.disk(), &Self::folder_of(home), SETTINGS_FILE);
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

    /// The file that its games are added to, if there is one.
    pub fn games_file(&self) -> Option<GamesFile> {
        let bytes = self.disk.read(&self.folder.join(GAMES_FILE), SETTINGS_MAX);
        toml::from_str(&String::from_utf8_lossy(&bytes.ok()?)).ok()
    }

    /// Keeps which file its games are added to, so that a resume goes on with it.
    pub fn keep_games_file(&self, games: &GamesFile) -> Result<(), TournamentError> {
        let path = self.folder.join(GAMES_FILE);
        let text = toml::to_string(games);
        let text = text.map_err(|error| SettingsError::Toml(error.to_string()))?;
        let written = self.disk.replace(&path, text.as_bytes());
        written.map_err(file_error(&path))
    }

    /// Tells every finished pair, in the order in which they were finished.
    pub fn for_each_finished(
        &self,
        mut take: impl FnMut(&PairLine),
    ) -> Result<(), TournamentError> {
        log::read(&self.disk, &self.log_file(), |line| {
            if let LogLine::Pair(pair) = &line {
                take(pair);
            }
        })?;
        Ok(())
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
const GAMES_FILE: &str = "games.toml";
/// What the openings were when the tournament began.
const OPENINGS_FILE: &str = "openings.sum";

/// Takes a lock for good. Somebody who only asks whether it is taken holds it for a moment, so that
/// it is tried for a little while.
fn claim(lock: &std::fs::File) -> bool {
    (0..CLAIM_TRIES).any(|at| {
        if at > 0 {
            std::thread::park_timeout(Duration::from_millis(10));
        }
        lock.try_lock().is_ok()
    })
}

const CLAIM_TRIES: u32 = 20;

fn is_claimed(folder: &Path) -> bool {
    let lock = std::fs::File::open(folder.join(LOCK_FILE));
    lock.is_ok_and(|lock| lock.try_lock_shared().is_err())
}

/// The numbers of the folders that have their settings: a program may be making others.
fn ids(disk: &Disk, folder: &Path, settings: &str) -> Vec<u64> {
    let is_whole = |id: &u64| {
        let file = folder.join(id.to_string()).join(settings);
        disk.kind(&file).is_ok_and(|it| it == Kind::File)
    };
    numbers(disk, folder).into_iter().filter(is_whole).collect()
}

fn numbers(disk: &Disk, folder: &Path) -> Vec<u64> {
    let names = disk.names(folder).unwrap_or_default();
    let number = |name: &OsString| name.to_str()?.parse().ok();
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// Makes a folder with the next number, which no other program gets.
fn make_numbered(disk: &Disk, all: &Path) -> Result<(u64, PathBuf), TournamentError> {
    disk.make_folder(all).map_err(file_error(all))?;
    let mut id = numbers(disk, all).last().map_or(1, |last| last + 1);
    loop {
        let folder = all.join(id.to_string());
        match disk.make_new_folder(&folder) {
            Ok(()) => return Ok((id, folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => id += 1,
            Err(error) => return Err(file_error(&folder)(error)),
        }
    }
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> TournamentError {
    let path = path.to_owned();
    move |source| TournamentError::File {
        path: path.clone(),
        source,
    }
}
