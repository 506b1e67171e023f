//! How far files were read into the database.

use crate::{
    Store, StoreError,
    counters::{self, DELETED},
};
use rusqlite::{Connection, OptionalExtension as _, params};

/// How far a file was read into the database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportState {
    /// The file, by its name and what it has inside; the caller decides.
    pub source: String,
    /// Records of the file that need not be read again, good or bad.
    pub records: u64,
    pub stored: u64,
    pub duplicates: u64,
    pub problems: u64,
    pub is_done: bool,
    /// How many games had been deleted from the database when the reading began.
    pub deleted: i64,
}

impl Store {
    /// How far a file was read, if it was ever begun.
    pub fn import_state(&self, source: &str) -> Result<Option<ImportState>, StoreError> {
        let sql = "SELECT source, records, stored, duplicates, problems, is_done, deleted \
                   FROM imports WHERE source = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            let count = |at| row.get::<_, i64>(at).map(|n| n as u64);
            Ok(ImportState {
                source: row.get(0)?,
                records: count(1)?,
                stored: count(2)?,
                duplicates: count(3)?,
                problems: count(4)?,
                is_done: row.get(5)?,
                deleted: row.get(6)?,
            })
        };
        let found = self.connection.query_row(sql, [source], read).optional();
        found.map_err(|error| self.wrong(&error))
    }

    /// How many games were ever deleted.
    pub fn n_deleted(&self) -> Result<i64, StoreError> {
        counters::read(&self.connection, DELETED).map_err(|error| self.wrong(&error))
    }
}

pub(crate) fn save_import(connection: &Connection, import: &ImportState) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO imports(source, records, stored, duplicates, problems, \
               is_done, deleted) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    connection.prepare_cached(sql)?.execute(params![
        import.source,
        import.records as i64,
        import.stored as i64,
        import.duplicates as i64,
        import.problems as i64,
        import.is_done,
        import.deleted,
    ])?;
    Ok(())
}
