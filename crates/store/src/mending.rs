//! A damaged file made anew from what is whole in it.
//!
//! Arrays and full-text indexes follow from the rows. If pages of these alone are damaged, nothing is
//! lost: the rows are copied into a new file, the rest is made there, and the new file's pages take
//! the place of the old ones, in one transaction that other programs see as any other.

use crate::{Store, StoreError, batches, games::Known, schema};
use rusqlite::{
    Connection, ErrorCode,
    backup::{Backup, StepResult},
};
use std::path::{Path, PathBuf};

/// The tables whose rows are copied: all but those that follow from others.
const KEPT: [&str; 20] = [
    "names",
    "games",
    "imports",
    "notes",
    "game_notes",
    "positions",
    "analyses",
    "moves",
    "features",
    "game_tags",
    "reviews",
    "review_parts",
    "mistakes",
    "reviewed",
    "jobs",
    "job_games",
    "searches",
    "selves",
    "chores",
    "counters",
];

/// Whether a part of the file cannot be read.
pub(crate) const fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::SqliteFailure(failure, _) if matches!(failure.code, ErrorCode::DatabaseCorrupt)
    )
}

fn remove(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        // Most of the time there is none.
        std::fs::remove_file(name).ok();
    }
}

impl Store {
    /// Makes the file anew from its rows; gives the copy of the damaged one. Nothing is changed if a
    /// row cannot be read.
    pub(crate) fn mend(&mut self) -> Result<PathBuf, StoreError> {
        let fresh = self.path.with_extension("mended.new");
        remove(&fresh);
        let mended = self.mend_by(&fresh);
        remove(&fresh);
        self.names.forget();
        self.known = Known::default();
        mended
    }

    fn mend_by(&mut self, fresh: &Path) -> Result<PathBuf, StoreError> {
        let mut new = schema::open(fresh, schema::Making::Allowed)?;
        copy_rows(&mut new, &self.path).map_err(|error| self.wrong(&error))?;
        // What is in the log belongs to the copy; if it cannot be moved, it stays beside the file.
        self.checkpoint().ok();
        let kept = self.path.with_extension("damaged.db");
        std::fs::copy(&self.path, &kept).map_err(|error| StoreError::Disk {
            path: kept.clone(),
            detail: error.to_string(),
        })?;
        let (path, connection) = (self.path.clone(), &mut self.connection);
        let backup = Backup::new(&new, connection);
        let backup = backup.map_err(|error| StoreError::of(&path, &error))?;
        match backup.step(-1) {
            Ok(StepResult::Done) => Ok(kept),
            Ok(_) => Err(StoreError::Busy { path }),
            Err(error) => Err(StoreError::of(&path, &error)),
        }
    }
}

fn copy_rows(new: &mut Connection, damaged: &Path) -> rusqlite::Result<()> {
    new.execute("ATTACH ?1 AS damaged", [damaged.to_string_lossy()])?;
    let step = new.transaction()?;
    for table in KEPT {
        let sql = format!("INSERT OR REPLACE INTO main.{table} SELECT * FROM damaged.{table}");
        step.execute(&sql, [])?;
    }
    batches::rebuild(&step)?;
    step.commit()?;
    new.execute("DETACH damaged", []).map(|_| ())
}
