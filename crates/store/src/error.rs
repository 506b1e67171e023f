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
    /// The file is not a database, or a part of it is unreadable.
    #[error(
        "{} is damaged or no database ({detail}); `kibitz db check` says what can be read",
        path.display()
    )]
    Damaged { path: PathBuf, detail: String },
    /// Another program holds the database for longer than the patience of this one.
    #[error("{} is in use by another program; try again when it has finished", path.display())]
    Busy { path: PathBuf },
    /// The disk is full.
    #[error("there is no space left for {}; nothing of the last step was stored", path.display())]
    Full { path: PathBuf },
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
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, detail }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
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
