//! Batches of games: how they come to be, grow together, and are made anew.

use crate::{
    GameId, Store, StoreError,
    classes::Print,
    columns::{self, Column},
    counters::{self, REWRITTEN},
    games::{Row, tail},
    mending,
};
use game::Kind;
use rusqlite::{Connection, TransactionBehavior, params};
use std::path::PathBuf;

/// A batch is worth its columns from this many games on; until then games are replayed.
pub(crate) const LEAST: usize = 512;

/// Games of a batch that is made from rows.
const MOST: usize = 16_384;

/// Batches smaller than this are put together once there are [`SMALL_MAX`] of them.
const SMALL: i64 = 8_192;
const SMALL_MAX: usize = 16;

pub(crate) fn new_batch(connection: &Connection, kind: Kind, n: usize) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO batches(kind, n) VALUES (?1, ?2)")?
        .execute(params![kind as u8, n as i64])?;
    Ok(connection.last_insert_rowid())
}

/// Number and size of the batches of a kind, the newest first.
pub(crate) fn of_kind(connection: &Connection, kind: Kind) -> rusqlite::Result<Vec<(i64, i64)>> {
    let sql = "SELECT id, n FROM batches WHERE kind = ?1 ORDER BY id DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([kind as u8], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Gives columns to the games of a kind that have none, once there are enough of them.
pub(crate) fn fold_tail(connection: &Connection, kind: Kind) -> rusqlite::Result<()> {
    loop {
        let count = "SELECT count(*) FROM games WHERE batch IS NULL AND kind = ?1";
        let n: i64 = connection
            .prepare_cached(count)?
            .query_row([kind as u8], |row| row.get(0))?;
        if (n as usize) < LEAST {
            return Ok(());
        }
        let games = tail(connection, kind, MOST)?;
        let batch = new_batch(connection, kind, games.len())?;
        let rows: Vec<Row> = games.iter().map(|it| it.0.clone()).collect();
        let prints: Vec<&[Print]> = games.iter().map(|it| &it.1[..]).collect();
        columns::write_batch(connection, batch, &rows, &prints)?;
        let mut own = connection.prepare_cached("UPDATE games SET batch = ?1 WHERE id = ?2")?;
        for row in &rows {
            own.execute(params![batch, row.id])?;
        }
    }
}

/// Puts small batches together: every batch costs a search one look. Their games are counted anew,
/// up to so many at once that they fit into the memory.
pub(crate) fn merge_small(connection: &Connection, kind: Kind) -> rusqlite::Result<()> {
    let mut small = of_kind(connection, kind)?;
    small.retain(|(_, n)| *n < SMALL);
    if small.len() < SMALL_MAX {
        return Ok(());
    }
    small.reverse();
    let mut n_games = 0;
    for (batch, n) in small {
        n_games += n;
        if n_games > MOST as i64 {
            break;
        }
        dissolve(connection, batch)?;
    }
    fold_tail(connection, kind)
}

/// Gives a batch up: its games have no columns any more.
fn dissolve(connection: &Connection, batch: i64) -> rusqlite::Result<()> {
    let ids: Vec<GameId> = columns::read(connection, batch, Column::Id)?;
    let mut free = connection.prepare_cached("UPDATE games SET batch = NULL WHERE id = ?1")?;
    for id in ids.into_iter().filter(|id| *id != 0) {
        free.execute([id])?;
    }
    let (from, to) = columns::keys_of(batch);
    connection.execute("DELETE FROM columns WHERE id BETWEEN ?1 AND ?2", [from, to])?;
    connection.execute("DELETE FROM batches WHERE id = ?1", [batch])?;
    counters::add(connection, REWRITTEN, 1)
}

/// Makes all batches anew from the rows.
pub(crate) fn rebuild(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM columns", [])?;
    connection.execute("DELETE FROM batches", [])?;
    connection.execute("UPDATE games SET batch = NULL WHERE batch IS NOT NULL", [])?;
    counters::add(connection, REWRITTEN, 1)?;
    for kind in Kind::ALL {
        fold_tail(connection, kind)?;
    }
    Ok(())
}

impl Store {
    /// Makes everything that follows from the games anew, and gives free space back to the disk. A
    /// file whose arrays or indexes are damaged is mended by that; a copy of it as it was is kept, and
    /// its place is told.
    pub fn compact(&mut self) -> Result<Option<PathBuf>, StoreError> {
        let result = match self.try_compact() {
            Ok(()) => Ok(None),
            Err(error) if mending::is_damage(&error) => self.mend().map(Some),
            Err(error) => Err(self.wrong(&error)),
        };
        self.changed();
        result
    }

    fn try_compact(&mut self) -> rusqlite::Result<()> {
        let step = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        rebuild(&step)?;
        step.commit()?;
        self.connection
            .execute_batch("INSERT INTO names_fts(names_fts) VALUES ('optimize'); VACUUM;")?;
        self.checkpoint()
    }
}
