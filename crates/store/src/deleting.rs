//! Deleting games with everything that was known about them.

use crate::{
    GameId, Store, StoreError,
    classes::Print,
    columns::{self, Column},
    counters::{self, DELETED, LAST_GAME, REWRITTEN},
    games::{Row, printed, row_of},
    names::{self, NAMELESS, NameKind},
    often, reviews,
};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Games whose footprints are in memory at once.
const AT_ONCE: usize = 4_096;

impl Store {
    /// Deletes games with their notes, tags and reviews, all of them or none; how many were there.
    /// It is on disk when this returns.
    pub fn delete(&mut self, ids: &[GameId]) -> Result<usize, StoreError> {
        self.durably(|step, _, _| delete_games(step, ids))
    }

    /// Deletes the games of a file whose players have no names, to make room for the same games with
    /// names; how many. Those that the user wrote on, tagged or had reviewed stay. `read_as` are the
    /// names under which the file was read before, which are forgotten; if another file of that name
    /// was read, nobody knows whose the games are, and nothing is deleted.
    pub fn delete_nameless(&mut self, source: &str, read_as: &[&str]) -> Result<usize, StoreError> {
        self.durably(|step, _, _| {
            let files = "SELECT source FROM imports WHERE substr(source, 1, ?1) = ?2";
            let begins = format!("{source} ");
            let mut files = step.prepare_cached(files)?;
            let files = files.query_map(params![begins.chars().count() as i64, begins], |row| {
                row.get::<_, String>(0)
            })?;
            let files = files.collect::<rusqlite::Result<Vec<_>>>()?;
            if files.iter().any(|it| !read_as.contains(&&it[..])) {
                return Ok(0);
            }
            for file in read_as {
                step.execute("DELETE FROM imports WHERE source = ?1", [file])?;
            }
            let Some(source) = names::find(step, NameKind::Source, source)? else {
                return Ok(0);
            };
            let sql = "SELECT id FROM games WHERE source = ?1 AND black = ?2 AND white = ?2 \
                       AND id NOT IN (SELECT game FROM game_notes) \
                       AND id NOT IN (SELECT game FROM game_tags) \
                       AND id NOT IN (SELECT game FROM reviewed)";
            let mut statement = step.prepare_cached(sql)?;
            let ids = statement.query_map([source, NAMELESS], |row| row.get(0))?;
            let ids = ids.collect::<rusqlite::Result<Vec<GameId>>>()?;
            delete_games(step, &ids)
        })
    }
}

fn delete_games(step: &Connection, ids: &[GameId]) -> rusqlite::Result<usize> {
    let mut by_batch: BTreeMap<i64, Vec<GameId>> = BTreeMap::new();
    let mut n_deleted = 0;
    for id in ids {
        let sql = "SELECT batch FROM games WHERE id = ?1";
        let found: Option<Option<i64>> = step
            .prepare_cached(sql)?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let Some(batch) = found else { continue };
        n_deleted += 1;
        match batch {
            // A game that is named twice is still there the second time.
            Some(batch) => by_batch.entry(batch).or_default().push(*id),
            None => delete_row(step, *id)?,
        }
    }
    for (batch, mut gone) in by_batch {
        let named = gone.len();
        gone.sort_unstable();
        gone.dedup();
        n_deleted -= named - gone.len();
        for some in gone.chunks(AT_ONCE) {
            let games = some
                .iter()
                .map(|id| row_of(step, *id))
                .collect::<Result<Vec<_>, _>>()?;
            let games = games.into_iter().flatten().map(printed);
            uncount(step, batch, &games.collect::<Vec<_>>())?;
        }
        clear(step, batch, &gone.iter().copied().collect())?;
        for id in gone {
            delete_row(step, id)?;
        }
        counters::add(step, REWRITTEN, 1)?;
    }
    counters::add(step, DELETED, n_deleted as i64)?;
    Ok(n_deleted)
}

fn delete_row(step: &Connection, id: GameId) -> rusqlite::Result<()> {
    reviews::forget(step, id)?;
    for sql in [
        "DELETE FROM games WHERE id = ?1",
        "DELETE FROM game_notes WHERE game = ?1",
        "DELETE FROM game_tags WHERE game = ?1",
    ] {
        step.prepare_cached(sql)?.execute([id])?;
    }
    counters::raise(step, LAST_GAME, id.into())
}

/// Takes games out of what their batch has counted.
fn uncount(step: &Connection, batch: i64, gone: &[(Row, Vec<Print>)]) -> rusqlite::Result<()> {
    let prints = gone.iter().flat_map(|it| &it.1);
    let classes: BTreeSet<u16> = prints.map(|it| it.class).collect();
    for class in classes {
        let column = Column::Often(class);
        let less = columns::with_bytes(step, batch, column, |bytes| {
            often::without(bytes, class, gone)
        })?;
        if let Some(bytes) = less.flatten() {
            columns::write_bytes(step, batch, column, &bytes)?;
        }
    }
    Ok(())
}

/// Takes the numbers of games out of their batch.
fn clear(step: &Connection, batch: i64, gone: &HashSet<GameId>) -> rusqlite::Result<()> {
    let mut ids: Vec<u32> = columns::read(step, batch, Column::Id)?;
    let mut identities: Vec<u64> = columns::read(step, batch, Column::Identity)?;
    for (id, identity) in ids.iter_mut().zip(&mut identities) {
        if gone.contains(id) {
            (*id, *identity) = (0, 0);
        }
    }
    columns::write(step, batch, Column::Id, ids.into_iter())?;
    columns::write(step, batch, Column::Identity, identities.into_iter())
}
