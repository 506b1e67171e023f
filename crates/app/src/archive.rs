//! The archive: games on disk are listed, loaded, saved and deleted here and nowhere else.
//!
//! One TOML file a game. A file that cannot be used (made by a newer version, damaged, not text)
//! is told and left as it is; its number is not used again.

use crate::{
    Home, Session,
    disk::{Disk, TEMPORARY},
    session::{Header, LoadError, SerialiseError},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

/// As many games as the archive keeps.
pub const SESSIONS_MAX: usize = 5_000;

/// No game of the size that a session may have comes near this.
const BYTES_MAX: u64 = 64 << 20;

/// Greater numbers are not given to games, so that there is always a next one.
const NUMBER_MAX: u64 = 999_999_999;

/// What the archive could not do.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// There is no such game.
    #[error("there is no session {0:?}; use \"current\" or an id from the list")]
    Missing(String),
    /// There is a file, but not a game that this program can read.
    #[error("the game in {path} cannot be used: {why}. The file is left as it is")]
    Unusable {
        path: PathBuf,
        /// What is wrong with it.
        why: LoadError,
    },
    /// A file of this name is there that the archive has not written.
    #[error("{0} is there already and belongs to another game; it is left as it is")]
    Taken(PathBuf),
    /// There are too many games.
    #[error(
        "there are {SESSIONS_MAX} games in {0}, as many as Kibitz keeps; delete some to begin another"
    )]
    TooMany(PathBuf),
    /// The game cannot be written down.
    #[error("the game cannot be written down: {0}")]
    Serialise(#[from] SerialiseError),
    /// The disk does not do what it should.
    #[error("cannot {what} {path}: {source}")]
    Disk {
        what: &'static str,
        /// With which file or folder.
        path: PathBuf,
        source: io::Error,
    },
}

impl ArchiveError {
    /// What the disk said, where it was the disk.
    pub fn disk_error(&self) -> Option<&io::Error> {
        match self {
            Self::Disk { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A game in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub id: String,
    /// What its file says, or why it says nothing.
    pub header: Result<Header, String>,
}

/// The games of a home.
#[derive(Debug)]
pub struct Archive {
    disk: Disk,
    folder: PathBuf,
    /// What is known of the files that are there.
    known: BTreeMap<u64, Result<Header, LoadError>>,
    /// Numbers that are not to be given to a new game.
    used: BTreeSet<u64>,
    /// Numbers that this archive has begun to write. A file whose write failed at the very end is
    /// there, and is ours.
    begun: BTreeSet<u64>,
}

impl Archive {
    /// Opens the archive of a home. Unfinished files that a crash left there are removed: nobody
    /// else writes into this folder.
    pub fn open(home: &Home) -> Result<Self, ArchiveError> {
        let mut archive = Self {
            disk: home.disk().clone(),
            folder: home.sessions(),
            known: BTreeMap::new(),
            used: BTreeSet::new(),
            begun: BTreeSet::new(),
        };
        for name in archive.names()? {
            if name.ends_with(TEMPORARY) {
                // It does no harm if it stays.
                archive.disk.remove(&archive.folder.join(name)).ok();
            }
        }
        Ok(archive)
    }

    /// The names in the folder; the numbers among them are used from now on.
    fn names(&mut self) -> Result<Vec<String>, ArchiveError> {
        let listed = match self.disk.names(&self.folder) {
            // The user has deleted the folder: there are no games any more.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed,
        };
        let names = listed.map_err(|source| ArchiveError::Disk {
            what: "list the games in",
            path: self.folder.clone(),
            source,
        })?;
        let names: Vec<String> = names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .collect();
        let numbers = names.iter().filter_map(|name| {
            let (id, _) = name.split_once('.')?;
            session_number(id)
        });
        self.used.extend(numbers);
        Ok(names)
    }

    /// The numbers of the games that are there, ascending.
    fn numbers(&mut self) -> Result<BTreeSet<u64>, ArchiveError> {
        let names = self.names()?;
        let numbers = names
            .iter()
            .filter_map(|name| session_number(name.strip_suffix(".toml")?));
        Ok(numbers.collect())
    }

    /// The names of all games, the newest first, whether or not they can be used.
    pub fn ids(&mut self) -> Result<Vec<String>, ArchiveError> {
        let numbers = self.numbers()?;
        Ok(numbers.iter().rev().map(|n| format!("s{n}")).collect())
    }

    /// Whether there is a file for a game.
    pub fn contains(&self, id: &str) -> Result<bool, ArchiveError> {
        if session_number(id).is_none() {
            return Ok(false);
        }
        let path = self.path(id);
        let exists = self.disk.exists(&path);
        exists.map_err(|source| ArchiveError::Disk {
            what: "read",
            path,
            source,
        })
    }

    /// All games, the newest first. Only what was not looked at before is read, and of that only
    /// the beginning is understood.
    pub fn list(&mut self) -> Result<Vec<Listed>, ArchiveError> {
        let numbers = self.numbers()?;
        self.known.retain(|number, _| numbers.contains(number));
        let mut listed = Vec::new();
        for &number in numbers.iter().rev() {
            let id = format!("s{number}");
            let known = self.known.get(&number).cloned();
            let header = match known {
                Some(known) => known.map_err(|why| why.to_string()),
                None => self.look(number, &id),
            };
            listed.push(Listed { id, header });
        }
        Ok(listed)
    }

    fn look(&mut self, number: u64, id: &str) -> Result<Header, String> {
        let text = match self.read(&self.path(id)) {
            Ok(text) => text,
            // It may work the next time.
            Err(ReadError::Disk(error)) => return Err(format!("it cannot be read: {error}")),
            Err(ReadError::Text(why)) => {
                self.known.insert(number, Err(why.clone()));
                return Err(why.to_string());
            }
        };
        let header = Header::read(id, &text);
        self.known.insert(number, header.clone());
        header.map_err(|why| why.to_string())
    }

    fn read(&self, path: &Path) -> Result<String, ReadError> {
        let bytes = self.disk.read(path, BYTES_MAX).map_err(ReadError::Disk)?;
        String::from_utf8(bytes).map_err(|_| ReadError::Text(LoadError::NotText))
    }

    /// A game from its file.
    pub fn load(&mut self, id: &str) -> Result<Session, ArchiveError> {
        let missing = || ArchiveError::Missing(id.chars().take(20).collect());
        // Names are ours; nothing else is a file name.
        let number = session_number(id).ok_or_else(missing)?;
        let path = self.path(id);
        let read = self.read(&path);
        let loaded = match read {
            Ok(text) => Session::from_text(id, &text),
            Err(ReadError::Text(why)) => Err(why),
            Err(ReadError::Disk(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(missing());
            }
            Err(ReadError::Disk(source)) => {
                let what = "read";
                return Err(ArchiveError::Disk { what, path, source });
            }
        };
        self.used.insert(number);
        let header = loaded.as_ref().map(Session::header).map_err(Clone::clone);
        self.known.insert(number, header);
        loaded.map_err(|why| ArchiveError::Unusable { path, why })
    }

    /// Writes a game down; when this returns, it is on the device. A folder that the user has
    /// deleted is made again: the answer says so, for then other games are gone, too.
    pub fn save(&mut self, session: &Session, now_ms: u64) -> Result<bool, ArchiveError> {
        let id = session.id();
        let number = session_number(id).ok_or_else(|| ArchiveError::Missing(id.to_owned()))?;
        let path = self.path(id);
        let text = session.to_text(now_ms)?;
        let failed = |source| ArchiveError::Disk {
            what: "write",
            path: path.clone(),
            source,
        };
        match self.known.get(&number) {
            Some(Ok(_)) => {}
            Some(Err(why)) => {
                let why = why.clone();
                return Err(ArchiveError::Unusable { path, why });
            }
            None if !self.begun.contains(&number) && self.disk.exists(&path).map_err(failed)? => {
                return Err(ArchiveError::Taken(path));
            }
            None => {
                self.begun.insert(number);
            }
        }
        let write = || self.disk.replace_private(&path, text.as_bytes());
        let mut made_again = false;
        let written = write().or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            self.disk.make_folder(&self.folder)?;
            made_again = true;
            write()
        });
        written.map_err(failed)?;
        if made_again {
            self.known.clear();
        }
        self.used.insert(number);
        self.known.insert(number, Ok(session.header()));
        Ok(made_again)
    }

    /// Deletes a game for good, whether or not it can be read.
    pub fn delete(&mut self, id: &str) -> Result<(), ArchiveError> {
        let number = session_number(id);
        let number = number.ok_or_else(|| ArchiveError::Missing(id.chars().take(20).collect()))?;
        let path = self.path(id);
        let removed = self.disk.remove(&path);
        removed.map_err(|source| ArchiveError::Disk {
            what: "delete",
            path,
            source,
        })?;
        self.known.remove(&number);
        Ok(())
    }

    /// A name for a new game that no other game has or had, as far as the folder and this run of
    /// the program tell.
    pub fn new_id(&mut self) -> Result<String, ArchiveError> {
        if self.numbers()?.len() >= SESSIONS_MAX {
            return Err(ArchiveError::TooMany(self.folder.clone()));
        }
        let greatest = self.used.last().copied().unwrap_or(0);
        let free = if greatest < NUMBER_MAX {
            greatest + 1
        } else {
            // There are fewer games than numbers.
            (1..).find(|n| !self.used.contains(n)).unwrap_or(NUMBER_MAX)
        };
        self.used.insert(free);
        Ok(format!("s{free}"))
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.toml"))
    }
}

enum ReadError {
    Disk(io::Error),
    Text(LoadError),
}

/// The number in a session's name.
fn session_number(id: &str) -> Option<u64> {
    let digits = id.strip_prefix('s')?;
    let is_plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| is_plain)?;
    (1..=NUMBER_MAX).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests;
