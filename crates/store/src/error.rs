//! What can go wrong with a database, in words that say what to do.

use game::UnpackError;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// A database that cannot be used, or refuses what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was made by a newer program.
    #[error(
        "{} was made by a newer Kibitz (database version {found}, this one knows {known}); it was \
         not touched: use the newer program, or name another file with --db", path.display()
    )]
    Newer {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    /// There is no such file, or it is empty.
    #[error(
        "there is no database {}; kibitz import makes one from files of games", path.display()
    )]
    Missing { path: PathBuf },
    /// A database of another program.
    #[error(
        "{} is a database of another program; it was not touched: name another file with --db",
        path.display()
    )]
    Foreign { path: PathBuf },
    /// The beginning of the file is not that of a database.
    #[error(
        "{} is no database, or its beginning is damaged; it was not touched: name another file, or \
         put a copy in its place", path.display()
    )]
    NoDatabase { path: PathBuf },
    /// A part of the file is unreadable.
    #[error(
        "{} is damaged ({detail}); it was not touched. `kibitz db check` says how much of it can be \
         read, `kibitz db compact` mends it if the games are whole, and a copy of the file has the \
         rest", path.display()
    )]
    Damaged { path: PathBuf, detail: String },
    /// Another program holds the database for longer than the patience of this one.
    #[error("{} is in use by another program; try again when it has finished", path.display())]
    Busy { path: PathBuf },
    /// The disk is full.
    #[error("there is no space left for {}; nothing of the last step was stored", path.display())]
    Full { path: PathBuf },
    /// The disk fails, or is so full that not even the file beside the database can grow.
    #[error(
        "the disk refuses {} ({detail}); it may be full or gone. Nothing of the last step was stored",
        path.display()
    )]
    Disk { path: PathBuf, detail: String },
    /// The file or its folder cannot be written to.
    #[error("{} cannot be written to ({detail})", path.display())]
    ReadOnly { path: PathBuf, detail: String },
    /// The folder is missing, or the file cannot be opened for another reason.
    #[error("cannot open {}: {detail}", path.display())]
    Unopened { path: PathBuf, detail: String },
    /// A stored game does not follow the rules any more.
    #[error("game {id} of the database: {source}")]
    Game { id: u32, source: UnpackError },
    /// There is no such game.
    #[error("the database has no game {0}")]
    NoSuchGame(u32),
    /// A search text that the full-text index cannot read.
    #[error("cannot search for {text:?}: expected words, each of which may end with *")]
    Text { text: String },
    /// The writing thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(String),
    /// The writing thread has ended.
    #[error("the database is closed; the program is ending")]
    Closed,
    /// Anything else that SQLite reports.
    #[error("database error in {}: {detail}", path.display())]
    Sql { path: PathBuf, detail: String },
}

/// SQLite says no more than that it cannot.
fn why_unopened(path: &Path, detail: &str) -> String {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    if path.is_dir() {
        return "it is a folder; name a file in it".to_owned();
    }
    match folder {
        Some(folder) if !folder.is_dir() => {
            format!("there is no folder {}", folder.display())
        }
        _ => format!(
            "it or its folder cannot be read or written to, and Kibitz writes beside the file while \
             it is open ({detail})"
        ),
    }
}

impl StoreError {
    pub(crate) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, detail) = (path.to_owned(), error.to_string());
        let code = match error {
            rusqlite::Error::SqliteFailure(failure, _) => Some(failure.code),
            _ => None,
        };
        match code {
            Some(ErrorCode::NotADatabase) => Self::NoDatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, detail },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::SystemIoFailure) => Self::Disk { path, detail },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::ReadOnly { path, detail }
            }
            Some(ErrorCode::CannotOpen) => {
                let detail = why_unopened(&path, &detail);
                Self::Unopened { path, detail }
            }
            _ => Self::Sql { path, detail },
        }
    }
}
