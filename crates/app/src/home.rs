//! Where the program keeps its files.

use crate::disk::Disk;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The folder of everything that outlives a run: configuration, games, logs.
#[derive(Debug, Clone)]
pub struct Home {
    path: PathBuf,
    disk: Disk,
}

/// There is no folder to keep files in.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither an option nor the system says where.
    #[error("cannot tell your home folder; say where to keep files with --home or KIBITZ_HOME")]
    Unknown,
    /// It cannot be made.
    #[error("cannot make the folder {path}: {source}")]
    Make { path: String, source: io::Error },
}

impl Home {
    /// Finds the folder without making it: the one that was asked for, `$KIBITZ_HOME`, or
    /// `.kibitz` in the user's own folder.
    pub fn find(wanted: Option<&Path>) -> Result<Self, HomeError> {
        let from_variable = || {
            let set = std::env::var_os("KIBITZ_HOME").filter(|value| !value.is_empty());
            set.map(PathBuf::from)
        };
        let of_user = || std::env::home_dir().map(|home| home.join(".kibitz"));
        let path = wanted
            .map(Path::to_owned)
            .or_else(from_variable)
            .or_else(of_user)
            .ok_or(HomeError::Unknown)?;
        let disk = Disk::real();
        Ok(Self { path, disk })
    }

    /// Finds the folder and makes it if need be.
    pub fn open(wanted: Option<&Path>) -> Result<Self, HomeError> {
        let Self { path, disk } = Self::find(wanted)?;
        Self::open_on(disk, path)
    }

    /// Makes the folder on a given disk.
    pub fn open_on(disk: Disk, path: PathBuf) -> Result<Self, HomeError> {
        let home = Self { path, disk };
        for folder in [home.path().to_owned(), home.sessions(), home.logs()] {
            home.disk
                .make_folder(&folder)
                .map_err(|source| HomeError::Make {
                    path: folder.display().to_string(),
                    source,
                })?;
        }
        Ok(home)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The disk that it is on.
    pub const fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The database of games.
    pub fn database(&self) -> PathBuf {
        self.path.join("kibitz.db")
    }

    /// Files whose games are being read into the database, one folder each.
    pub fn imports(&self) -> PathBuf {
        self.path.join("imports")
    }

    pub fn config_file(&self) -> PathBuf {
        self.path.join("config.toml")
    }

    /// Engines, one folder each, and the user's own descriptions of engines.
    pub fn engines(&self) -> PathBuf {
        self.path.join("engines")
    }

    /// The descriptions of engines that were fetched last.
    pub fn registry_cache(&self) -> PathBuf {
        self.path.join("registry-cache.toml")
    }

    /// The user's tokens for servers far away.
    pub fn tokens(&self) -> PathBuf {
        self.path.join("tokens.toml")
    }

    /// Locked by whoever fetches games.
    pub fn fetch_lock(&self) -> PathBuf {
        self.path.join("fetch.lock")
    }

    /// Games, one file each.
    pub fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }

    /// Logs, one file a day.
    pub fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_in_the_way_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        let error = Home::open(Some(&path.join("home")))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("cannot make the folder"), "{error}");
    }
}
