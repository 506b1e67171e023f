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
        let seen = self.version_of_data().map_err(|error| self.wrong(&error))?;
        copy_rows(&mut new, &self.path).map_err(|error| self.wrong(&error))?;
        let kept = self.free_name();
        let copied = Connection::open(&kept).and_then(|mut copy| put(&self.connection, &mut copy));
        let path = self.path.clone();
        // What another program has written since then is not in the new file.
        let now = self.version_of_data().map_err(|error| self.wrong(&error))?;
        let is_whole = copied.map_err(|error| StoreError::of(&kept, &error))?;
        if !is_whole || now != seen {
            remove(&kept);
            return Err(StoreError::Busy { path });
        }
        match put(&new, &mut self.connection) {
            Ok(true) => Ok(kept),
            Ok(false) => Err(StoreError::Busy { path }),
            Err(error) => Err(StoreError::of(&path, &error)),
        }
    }

    /// A number that changes when another connection writes.
    fn version_of_data(&self) -> rusqlite::Result<i64> {
        let sql = "PRAGMA data_version";
        self.connection.query_row(sql, [], |row| row.get(0))
    }

    /// Where the damaged file is kept: beside it, in the place of no other.
    fn free_name(&self) -> PathBuf {
        let names = (1_u32..).map(|n| match n {
            1 => self.path.with_extension("damaged.db"),
            n => self.path.with_extension(format!("damaged-{n}.db")),
        });
        let mut free = names.filter(|it| !it.exists());
        free.next()
            .unwrap_or_else(|| self.path.with_extension("damaged.db"))
    }
}

/// Puts all pages of one database in the place of another's, damaged ones and those in the log
/// included; whether nobody was in the way. A copy by the system would end the locks that this program
/// has on the file.
fn put(from: &Connection, to: &mut Connection) -> rusqlite::Result<bool> {
    let step = Backup::new(from, to)?.step(-1)?;
    Ok(matches!(step, StepResult::Done))
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
