//! How SQLite keeps a database: for whoever looks for the cause of a problem.

use crate::StoreError;
use rusqlite::{Connection, OpenFlags, types::Value};
use std::path::Path;

/// Settings and sizes of a database file. No game of it is read, and nothing is written.
const NAMES: [&str; 10] = [
    "user_version",
    "journal_mode",
    "synchronous",
    "page_size",
    "page_count",
    "freelist_count",
    "cache_size",
    "auto_vacuum",
    "foreign_keys",
    "encoding",
];

/// The pragmas of a database that is there, as SQLite tells them to a new connection.
pub fn pragmas(path: &Path) -> Result<Vec<(&'static str, String)>, StoreError> {
    let of = |error: rusqlite::Error| StoreError::of(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(of)?;
    let told = NAMES.map(|name| {
        let value = connection.pragma_query_value(None, name, |row| row.get::<_, Value>(0));
        value.map(|value| (name, text(value))).map_err(of)
    });
    told.into_iter().collect()
}

fn text(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text,
        Value::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_tells_how_it_is_kept_and_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kibitz.db");
        assert!(pragmas(&path).is_err(), "none is made");
        assert!(!path.exists());
        drop(crate::Store::open(&path).unwrap());
        let before = std::fs::read(&path).unwrap();
        let told = pragmas(&path).unwrap();
        assert_eq!(told.len(), NAMES.len());
        let value = |name: &str| &told.iter().find(|(it, _)| *it == name).unwrap().1;
        assert_ne!(value("user_version"), "0");
        assert_ne!(value("page_count"), "0");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::write(
            &path,
            b"no database at all, but long enough to be looked at",
        )
        .unwrap();
        assert!(pragmas(&path).is_err());
    }
}
