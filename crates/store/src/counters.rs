//! Numbers that only grow, by which programs that share a database know what others did.

use rusqlite::{Connection, OptionalExtension as _, params};

/// The greatest number of a deleted game.
pub(crate) const LAST_GAME: &str = "game";
/// How many games were deleted.
pub(crate) const DELETED: &str = "deleted";
/// How often arrays that were there already were written anew.
pub(crate) const REWRITTEN: &str = "rewritten";

pub(crate) fn read(c: &Connection, what: &str) -> rusqlite::Result<i64> {
    let sql = "SELECT n FROM counters WHERE what = ?1";
    let n = c.prepare_cached(sql)?.query_row([what], |row| row.get(0));
    n.optional().map(Option::unwrap_or_default)
}

pub(crate) fn add(c: &Connection, what: &str, n: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO counters(what, n) VALUES (?1, ?2) \
               ON CONFLICT(what) DO UPDATE SET n = n + excluded.n";
    c.prepare_cached(sql)?.execute(params![what, n]).map(|_| ())
}

/// Makes a counter at least so great.
pub(crate) fn raise(c: &Connection, what: &str, n: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO counters(what, n) VALUES (?1, ?2) \
               ON CONFLICT(what) DO UPDATE SET n = max(n, excluded.n)";
    c.prepare_cached(sql)?.execute(params![what, n]).map(|_| ())
}
