//! The tables and how they came to be: one step for each version, run at the opening.

use crate::{StoreError, batches};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::{path::Path, time::Duration};

/// How often and how long a writer waits for another program's transaction: ten seconds in all.
/// SQLite's own waits grow to a tenth of a second, which is longer than most transactions.
const WAITS: i32 = 5_000;
const WAIT: Duration = Duration::from_millis(2);

#[expect(
    clippy::disallowed_methods,
    reason = "SQLite asks for a real pause while another program writes"
)]
fn wait(times: i32) -> bool {
    std::thread::sleep(WAIT);
    times < WAITS
}

/// Each step leads from the version before it to its own: the first makes version 1. A step that
/// has been released is never changed.
const STEPS: &[&str] = &[
    include_str!("../migrations/1.sql"),
    include_str!("../migrations/2.sql"),
    include_str!("../migrations/3.sql"),
    include_str!("../migrations/4.sql"),
];

/// The first version whose arrays have today's shape.
const ARRAYS_SINCE: u32 = 4;

/// The version that this program reads and writes.
pub const VERSION: u32 = STEPS.len() as u32;

pub(crate) fn open(path: &Path) -> Result<Connection, StoreError> {
    let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
    let mut connection =
        Connection::open_with_flags(path, OpenFlags::default() | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(wrong)?;
    connection.busy_handler(Some(wait)).map_err(wrong)?;
    let found = version(&connection).map_err(wrong)?;
    if found > VERSION {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: VERSION,
        });
    }
    // Large pages: a column's array is then a few dozen pages and not a thousand. This must stand
    // before the first table.
    let pragmas = "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; \
                   PRAGMA synchronous = NORMAL; PRAGMA cache_size = -131072; \
                   PRAGMA mmap_size = 268435456; PRAGMA foreign_keys = ON;";
    connection.execute_batch(pragmas).map_err(wrong)?;
    if found < VERSION {
        if found > 0 {
            copy_aside(&connection, path, found)?;
        }
        migrate(&mut connection).map_err(wrong)?;
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Keeps the database as it was before the steps, beside it.
fn copy_aside(connection: &Connection, path: &Path, found: u32) -> Result<(), StoreError> {
    let copy = path.with_extension(format!("before-{VERSION}-was-{found}.db"));
    if copy.exists() {
        return Ok(());
    }
    let target = copy.to_string_lossy();
    connection
        .execute("VACUUM INTO ?1", [target])
        .map(|_| ())
        .map_err(|error| StoreError::of(&copy, &error))
}

fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    // Of several programs that start at once, one does the work, and the others find it done.
    let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: u32 = step.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (index, sql) in STEPS.iter().enumerate().skip(found as usize) {
        step.execute_batch(sql)?;
        step.pragma_update(None, "user_version", index as u32 + 1)?;
    }
    if found > 0 && found < ARRAYS_SINCE {
        batches::rebuild(&step)?;
    }
    step.commit()
}
