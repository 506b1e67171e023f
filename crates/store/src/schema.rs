//! The tables and how they came to be: one step for each version, run at the opening.

use crate::{StoreError, batches};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::{fs::File, io, path::Path, time::Duration};

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

/// Lets a connection wait while another program writes.
pub(crate) fn wait_for_others(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(wait))
}

/// Each step leads from the version before it to its own: the first makes version 1. A step that
/// has been released is never changed.
const STEPS: &[&str] = &[
    include_str!("../migrations/1.sql"),
    include_str!("../migrations/2.sql"),
    include_str!("../migrations/3.sql"),
    include_str!("../migrations/4.sql"),
    include_str!("../migrations/5.sql"),
    include_str!("../migrations/6.sql"),
];

/// The first version whose arrays have today's shape.
const ARRAYS_SINCE: u32 = 5;

/// The version that this program reads and writes.
pub const VERSION: u32 = STEPS.len() as u32;

/// The mark of our databases in SQLite's header, from version 6 on: "Kbtz".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Kbtz");

/// Tables that every version before the mark has.
const FIRST_TABLES: [&str; 4] = ["names", "games", "batches", "columns"];

/// Whether a database may be made where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Making {
    Allowed,
    Refused,
}

pub(crate) fn open(path: &Path, making: Making) -> Result<Connection, StoreError> {
    let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
    let missing = || StoreError::Missing {
        path: path.to_owned(),
    };
    let mut flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if making == Making::Refused {
        if !path.try_exists().unwrap_or(true) {
            return Err(missing());
        }
        flags.remove(OpenFlags::SQLITE_OPEN_CREATE);
    }
    let mut connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
    wait_for_others(&mut connection).map_err(wrong)?;
    let owner = owner(&connection).map_err(wrong)?;
    match owner {
        Owner::Other => {
            return Err(StoreError::Foreign {
                path: path.to_owned(),
            });
        }
        Owner::Nobody if making == Making::Refused => return Err(missing()),
        Owner::Nobody | Owner::Kibitz => {}
    }
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

/// Whose database a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// It has nothing inside.
    Nobody,
    Kibitz,
    Other,
}

fn owner(connection: &Connection) -> rusqlite::Result<Owner> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    match number("PRAGMA application_id")? {
        APPLICATION_ID => return Ok(Owner::Kibitz),
        0 => {}
        _ => return Ok(Owner::Other),
    }
    if number("SELECT count(*) FROM sqlite_master")? == 0 {
        return Ok(Owner::Nobody);
    }
    let sql = "SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
    let mut is_ours = version(connection)? > 0;
    for table in FIRST_TABLES {
        is_ours &= connection.query_row(sql, [table], |row| row.get::<_, bool>(0))?;
    }
    Ok(if is_ours { Owner::Kibitz } else { Owner::Other })
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Keeps the database as it was before the steps, beside it. The copy has its name only when it is
/// whole and on disk.
fn copy_aside(connection: &Connection, path: &Path, found: u32) -> Result<(), StoreError> {
    let copy = path.with_extension(format!("before-{VERSION}-was-{found}.db"));
    if copy.exists() {
        return Ok(());
    }
    // Another program may do the same at this moment.
    let id = std::process::id();
    let half = path.with_extension(format!("before-{VERSION}-was-{found}.{id}.new"));
    let unwritten = |error: io::Error| StoreError::Disk {
        path: copy.clone(),
        detail: error.to_string(),
    };
    // What a program with the same number left behind.
    std::fs::remove_file(&half).ok();
    let copied = connection
        .execute("VACUUM INTO ?1", [half.to_string_lossy()])
        .map_err(|error| StoreError::of(&copy, &error))
        .and_then(|_| {
            let synced = File::open(&half).and_then(|it| it.sync_all());
            let named = synced.and_then(|()| std::fs::rename(&half, &copy));
            named.map_err(unwritten)
        });
    if copied.is_err() {
        std::fs::remove_file(&half).ok();
    }
    copied
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
