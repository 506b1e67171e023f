//! Adding, reading and deleting games.

use crate::{
    Store, StoreError,
    columns::{self, Column, NO_SCORE},
    names::{self, NameKind},
};
use game::{Footprint, Kind, Packed, Position, UnpackError};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// The number of a game in its database. It is never used twice.
pub type GameId = u32;

/// A batch is worth its columns from this many games on; until then games are replayed.
const TAIL_MAX: usize = 512;

/// A game on its way into the database.
#[derive(Debug, Clone)]
pub struct NewGame {
    pub packed: Packed,
    pub black: String,
    pub white: String,
    pub event: String,
    /// yyyymmdd, with zeros for what is not known.
    pub date: u32,
    /// Black's discs minus White's; not known for a game that was not finished.
    pub score: Option<i8>,
    /// Ratings; 0 where they are not known.
    pub black_elo: u16,
    pub white_elo: u16,
    /// Tags that have no field, in order.
    pub tags: Vec<(String, String)>,
    /// The whole record in a notation of its game, if it says more than the fields above.
    pub annotated: Option<Vec<u8>>,
    prints: Vec<Footprint>,
}

impl NewGame {
    /// A game without names. Its positions are hashed here, so that this is what several threads
    /// should do at once.
    pub fn new(packed: Packed) -> Result<Self, UnpackError> {
        let prints = packed.footprints()?;
        Ok(Self {
            packed,
            black: String::new(),
            white: String::new(),
            event: String::new(),
            date: 0,
            score: None,
            black_elo: 0,
            white_elo: 0,
            tags: Vec::new(),
            annotated: None,
            prints,
        })
    }

    /// Equal for games with the same players, date, start and moves.
    fn identity(&self) -> u64 {
        let mut digest = Sha256::new();
        for text in [&self.black, &self.white] {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        digest.update(self.date.to_le_bytes());
        digest.update([self.packed.kind as u8]);
        if let Some(start) = &self.packed.start {
            digest.update(start.to_string());
        }
        digest.update(&self.packed.moves);
        let digest = digest.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        // Zero stands for a deleted game.
        u64::from_le_bytes(first).max(1)
    }
}

/// What became of games that were to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Added {
    pub stored: usize,
    /// Games that were there already, or twice among the new ones.
    pub duplicates: usize,
}

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
}

/// A game as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    pub id: GameId,
    pub packed: Packed,
    pub black: String,
    pub white: String,
    pub event: String,
    pub date: u32,
    pub score: Option<i8>,
    pub black_elo: u16,
    pub white_elo: u16,
    pub tags: Vec<(String, String)>,
    /// See [`NewGame::annotated`].
    pub annotated: Option<Vec<u8>>,
}

/// A row of the table, as far as columns have it too.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: GameId,
    pub(crate) identity: u64,
    pub(crate) black: u32,
    pub(crate) white: u32,
    pub(crate) event: u32,
    pub(crate) date: u32,
    pub(crate) score: Option<i8>,
    pub(crate) length: u16,
    pub(crate) black_elo: u16,
    pub(crate) white_elo: u16,
}

impl Row {
    pub(crate) fn score_cell(&self) -> i8 {
        self.score.unwrap_or(NO_SCORE)
    }
}

/// Identities of the games that are in the database, as far as this program has looked.
#[derive(Debug, Default)]
pub(crate) struct Known {
    identities: HashSet<u64>,
    /// Batches and games up to these have been looked at.
    batch: i64,
    game: GameId,
}

impl Known {
    /// Looks at what this and other programs have added since.
    fn refresh(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let newest = "SELECT id FROM batches WHERE id > ?1 ORDER BY id";
        let mut statement = connection.prepare_cached(newest)?;
        let batches = statement.query_map([self.batch], |row| row.get(0))?;
        for batch in batches.collect::<rusqlite::Result<Vec<i64>>>()? {
            let identities: Vec<u64> = columns::read(connection, batch, Column::Identity)?;
            self.identities
                .extend(identities.iter().filter(|it| **it != 0));
            self.batch = batch;
        }
        let tail = "SELECT id, identity FROM games WHERE batch IS NULL AND id > ?1 ORDER BY id";
        let mut statement = connection.prepare_cached(tail)?;
        let mut rows = statement.query([self.game])?;
        while let Some(row) = rows.next()? {
            self.game = row.get(0)?;
            self.identities.insert(row.get::<_, i64>(1)? as u64);
        }
        Ok(())
    }
}

const KINDS: [Kind; 1] = [Kind::Othello];

pub(crate) fn kind_of(number: u8) -> Kind {
    KINDS
        .into_iter()
        .find(|kind| *kind as u8 == number)
        .unwrap_or(Kind::Othello)
}

/// What [`read_game`] reads, in its order.
pub(crate) const GAME_COLUMNS: &str = "id, kind, black, white, event, date, score, black_elo, white_elo, start, moves, tags, \
     annotated";

fn tags_text(tags: &[(String, String)]) -> Option<String> {
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let lines = tags
        .iter()
        .map(|(name, value)| format!("{}\t{}", clean(name), clean(value)));
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

pub(crate) fn read_game(
    connection: &Connection,
    row: &rusqlite::Row<'_>,
) -> rusqlite::Result<StoredGame> {
    let kind = kind_of(row.get(1)?);
    let start: Option<String> = row.get(9)?;
    let start = start.and_then(|text| kind.parse_position(&text).ok());
    let tags: Option<String> = row.get(11)?;
    let tags = tags.unwrap_or_default();
    let tags = tags.lines().filter_map(|line| line.split_once('\t'));
    Ok(StoredGame {
        id: row.get(0)?,
        packed: Packed {
            kind,
            start,
            moves: row.get(10)?,
        },
        black: names::text_of(connection, row.get(2)?)?,
        white: names::text_of(connection, row.get(3)?)?,
        event: names::text_of(connection, row.get(4)?)?,
        date: row.get(5)?,
        score: row.get(6)?,
        black_elo: row.get::<_, Option<u16>>(7)?.unwrap_or(0),
        white_elo: row.get::<_, Option<u16>>(8)?.unwrap_or(0),
        tags: tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        annotated: row.get(12)?,
    })
}

/// The line of a game alone.
pub(crate) fn packed_of(connection: &Connection, id: GameId) -> rusqlite::Result<Option<Packed>> {
    connection
        .prepare_cached("SELECT kind, start, moves FROM games WHERE id = ?1")?
        .query_row([id], |row| {
            let kind = kind_of(row.get(0)?);
            let start: Option<String> = row.get(1)?;
            Ok(Packed {
                kind,
                start: start.and_then(|text| kind.parse_position(&text).ok()),
                moves: row.get(2)?,
            })
        })
        .optional()
}

impl Store {
    pub(crate) fn wrong(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// Adds games that are not there yet. All of them, and how far the import has come, are stored
    /// together or not at all; they are on disk when this returns.
    pub fn add(
        &mut self,
        games: &[NewGame],
        import: Option<&mut ImportState>,
    ) -> Result<Added, StoreError> {
        let result = self.try_add(games, import);
        result.map_err(|error| {
            // Numbers of names that were taken back with the transaction must not be used.
            self.names.forget();
            self.known = Known::default();
            self.wrong(&error)
        })
    }

    fn try_add(
        &mut self,
        games: &[NewGame],
        import: Option<&mut ImportState>,
    ) -> rusqlite::Result<Added> {
        let step = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        self.known.refresh(&step)?;
        let mut fresh = Vec::with_capacity(games.len());
        for game in games {
            let identity = game.identity();
            if self.known.identities.insert(identity) {
                fresh.push((game, identity));
            }
        }
        let added = Added {
            stored: fresh.len(),
            duplicates: games.len() - fresh.len(),
        };
        let batch = (fresh.len() >= TAIL_MAX)
            .then(|| new_batch(&step, Kind::Othello, fresh.len()))
            .transpose()?;
        let mut rows = Vec::with_capacity(fresh.len());
        for (game, identity) in &fresh {
            let number = |kind, text: &str| self.names.number(&step, kind, text);
            rows.push(insert(&step, number, game, *identity, batch)?);
        }
        match batch {
            Some(batch) => {
                let prints: Vec<&[Footprint]> = fresh.iter().map(|it| &it.0.prints[..]).collect();
                columns::write_batch(&step, batch, &rows, &prints)?;
                self.known.batch = self.known.batch.max(batch);
            }
            None => fold_tail(&step)?,
        }
        if let Some(import) = import {
            import.stored += added.stored as u64;
            import.duplicates += added.duplicates as u64;
            save_import(&step, import)?;
        }
        step.commit()?;
        Ok(added)
    }

    /// How far a file was read, if it was ever begun.
    pub fn import_state(&self, source: &str) -> Result<Option<ImportState>, StoreError> {
        let sql = "SELECT source, records, stored, duplicates, problems, is_done \
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
            })
        };
        let found = self.connection.query_row(sql, [source], read).optional();
        found.map_err(|error| self.wrong(&error))
    }

    /// A game by its number.
    pub fn game(&self, id: GameId) -> Result<StoredGame, StoreError> {
        let sql = format!("SELECT {GAME_COLUMNS} FROM games WHERE id = ?1");
        let read = || {
            self.connection
                .prepare_cached(&sql)?
                .query_row([id], |row| read_game(&self.connection, row))
                .optional()
        };
        let found = read().map_err(|error| self.wrong(&error))?;
        found.ok_or(StoreError::NoSuchGame(id))
    }

    /// Deletes a game; whether it was there.
    pub fn delete(&mut self, id: GameId) -> Result<bool, StoreError> {
        let result = (|| {
            let step = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found: Option<(Option<i64>, i64)> = step
                .query_row(
                    "SELECT batch, identity FROM games WHERE id = ?1",
                    [id],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            let Some((batch, identity)) = found else {
                return Ok(false);
            };
            if let Some(batch) = batch {
                let mut ids: Vec<u32> = columns::read(&step, batch, Column::Id)?;
                let mut identities: Vec<u64> = columns::read(&step, batch, Column::Identity)?;
                if let Some(at) = ids.iter().position(|it| *it == id) {
                    ids[at] = 0;
                    identities[at] = 0;
                    columns::write(&step, batch, Column::Id, &ids)?;
                    columns::write(&step, batch, Column::Identity, &identities)?;
                }
            }
            step.execute("DELETE FROM games WHERE id = ?1", [id])?;
            step.commit()?;
            self.known.identities.remove(&(identity as u64));
            Ok(true)
        })();
        result.map_err(|error: rusqlite::Error| self.wrong(&error))
    }
}

fn new_batch(connection: &Connection, kind: Kind, n: usize) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO batches(kind, n) VALUES (?1, ?2)")?
        .execute(params![kind as u8, n as i64])?;
    Ok(connection.last_insert_rowid())
}

fn insert(
    connection: &Connection,
    mut number: impl FnMut(NameKind, &str) -> rusqlite::Result<u32>,
    game: &NewGame,
    identity: u64,
    batch: Option<i64>,
) -> rusqlite::Result<Row> {
    let row = Row {
        id: 0,
        identity,
        black: number(NameKind::Player, &game.black)?,
        white: number(NameKind::Player, &game.white)?,
        event: number(NameKind::Event, &game.event)?,
        date: game.date,
        score: game.score,
        length: game.packed.moves.len() as u16,
        black_elo: game.black_elo,
        white_elo: game.white_elo,
    };
    let known = |elo: u16| (elo != 0).then_some(elo);
    let sql = "INSERT INTO games(kind, batch, black, white, event, date, score, black_elo, \
               white_elo, start, moves, identity, tags, annotated) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    connection.prepare_cached(sql)?.execute(params![
        game.packed.kind as u8,
        batch,
        row.black,
        row.white,
        row.event,
        row.date,
        row.score,
        known(row.black_elo),
        known(row.white_elo),
        game.packed.start.as_ref().map(Position::to_string),
        game.packed.moves,
        identity as i64,
        tags_text(&game.tags),
        game.annotated,
    ])?;
    let id = connection.last_insert_rowid() as GameId;
    Ok(Row { id, ..row })
}

/// Gives columns to the games that have none, once there are enough of them.
fn fold_tail(connection: &Connection) -> rusqlite::Result<()> {
    let count = "SELECT count(*) FROM games WHERE batch IS NULL";
    let n: i64 = connection
        .prepare_cached(count)?
        .query_row([], |row| row.get(0))?;
    if (n as usize) < TAIL_MAX {
        return Ok(());
    }
    let (rows, prints) = tail(connection)?;
    let batch = new_batch(connection, Kind::Othello, rows.len())?;
    let prints: Vec<&[Footprint]> = prints.iter().map(Vec::as_slice).collect();
    columns::write_batch(connection, batch, &rows, &prints)?;
    connection.execute("UPDATE games SET batch = ?1 WHERE batch IS NULL", [batch])?;
    Ok(())
}

/// The games without columns and their footprints. A game that cannot be replayed has none, and
/// `db check` tells of it.
pub(crate) fn tail(connection: &Connection) -> rusqlite::Result<(Vec<Row>, Vec<Vec<Footprint>>)> {
    let sql = "SELECT id, identity, black, white, event, date, score, black_elo, white_elo, kind, \
               start, moves FROM games WHERE batch IS NULL ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement.query([])?;
    let (mut rows, mut prints) = (Vec::new(), Vec::new());
    while let Some(row) = found.next()? {
        let kind = kind_of(row.get(9)?);
        let start: Option<String> = row.get(10)?;
        let packed = Packed {
            kind,
            start: start.and_then(|text| kind.parse_position(&text).ok()),
            moves: row.get(11)?,
        };
        rows.push(Row {
            id: row.get(0)?,
            identity: row.get::<_, i64>(1)? as u64,
            black: row.get(2)?,
            white: row.get(3)?,
            event: row.get(4)?,
            date: row.get(5)?,
            score: row.get(6)?,
            length: packed.moves.len() as u16,
            black_elo: row.get::<_, Option<u16>>(7)?.unwrap_or(0),
            white_elo: row.get::<_, Option<u16>>(8)?.unwrap_or(0),
        });
        prints.push(packed.footprints().unwrap_or_default());
    }
    Ok((rows, prints))
}

fn save_import(connection: &Connection, import: &ImportState) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO imports(source, records, stored, duplicates, problems, \
               is_done) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.prepare_cached(sql)?.execute(params![
        import.source,
        import.records as i64,
        import.stored as i64,
        import.duplicates as i64,
        import.problems as i64,
        import.is_done,
    ])?;
    Ok(())
}
