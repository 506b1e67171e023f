//! Where the program keeps its files, and how it replaces one without ever leaving half of it.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

/// The folder of everything that outlives a run: configuration, games, logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(PathBuf);

/// There is no folder to keep files in.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither an option nor the system says where.
    #[error("cannot tell your home folder; say where to keep files with --home or KIBITZ_HOME")]
    Unknown,
    /// It cannot be made.
    #[error("cannot make the folder {path}: {source}")]
    Make {
        /// Which.
        path: String,
        /// Why not.
        source: io::Error,
    },
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
        Ok(Self(path))
    }

    /// Finds the folder and makes it if need be.
    pub fn open(wanted: Option<&Path>) -> Result<Self, HomeError> {
        let home = Self::find(wanted)?;
        for folder in [home.path().to_owned(), home.sessions(), home.logs()] {
            make_private(&folder).map_err(|source| HomeError::Make {
                path: folder.display().to_string(),
                source,
            })?;
        }
        Ok(home)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The configuration.
    pub fn config_file(&self) -> PathBuf {
        self.0.join("config.toml")
    }

    /// Games, one file each.
    pub fn sessions(&self) -> PathBuf {
        self.0.join("sessions")
    }

    /// Logs, one file a day.
    pub fn logs(&self) -> PathBuf {
        self.0.join("logs")
    }
}

/// Makes a folder that only its owner can look into, where the system knows such a thing.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Replaces a file in one step: readers see the old contents or the new, whatever happens in
/// between. The file is readable by its owner only.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&temporary)?;
    file.write_all(contents)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)?;
    // The new name is only safe once the folder is; where folders cannot be synced, it is anyway.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_kept_private() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(&folder.path().join("a/b"))).unwrap();
        let path = home.config_file();
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let names: Vec<_> = fs::read_dir(home.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names.len(), 3, "{names:?}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
    }

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
