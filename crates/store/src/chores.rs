//! Times that are remembered by what was done: how far games were fetched from elsewhere.

use crate::{Store, StoreError};
use rusqlite::{OptionalExtension as _, params};

impl Store {
    /// Up to which time games of a source are here, in seconds since 1970; `None` if nothing was
    /// fetched from there.
    pub fn fetched_until(&self, source: &str) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT at FROM chores WHERE what = ?1";
        let found = self
            .connection
            .query_row(sql, [chore(source)], |row| row.get(0));
        found.optional().map_err(|error| self.wrong(&error))
    }

    /// Notes that games of a source are here up to a time. Whoever calls has stored them before: if
    /// the program ends in between, they are fetched again and recognised.
    pub fn set_fetched_until(&mut self, source: &str, at: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO chores(what, at) VALUES (?1, ?2) \
                   ON CONFLICT(what) DO UPDATE SET at = ?2";
        let noted = self.connection.execute(sql, params![chore(source), at]);
        noted.map(|_| ()).map_err(|error| self.wrong(&error))
    }
}

fn chore(source: &str) -> String {
    format!("fetch {source}")
}
