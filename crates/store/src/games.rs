//! Adding, reading and deleting games.

use crate::{
    Store, StoreError, batches,
    classes::Print,
    columns::{self, Column, NO_SCORE},
    counters::{self, DELETED, LAST_GAME, REWRITTEN},
    imports::{ImportState, save_import},
    names::{self, NameKind, Names},
};
use game::{Footprint, Kind, Packed, Position, Side, UnpackError};
use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use sha2::{Digest as _, Sha256};
use std::{cell::RefCell, collections::HashSet};

/// The number of a game in its database. It is never used twice.
pub type GameId = u32;

/// A game as the database has it, or is to have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameData {
    pub packed: Packed,
    pub black: String,
    pub white: String,
    pub event: String,
    /// yyyymmdd, with zeros for what is not known.
    pub date: u32,
    /// The first player's score: Black's discs minus White's in Othello; 1, 0 or -1 for White in
    /// chess. Not known for a game that was not finished.
    pub score: Option<i8>,
    /// Ratings; 0 where they are not known.
    pub black_elo: u16,
    pub white_elo: u16,
    /// Tags that have no field, or that their field does not hold as they were written, in order.
    pub tags: Vec<(String, String)>,
    /// What the record says beside its main line: [`game::Record::annotations`].
    pub annotated: Option<Vec<u8>>,
    /// The file that the game came from; empty if it came from none.
    pub source: String,
}

impl GameData {
    /// A game without names.
    pub const fn new(packed: Packed) -> Self {
        Self {
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
            source: String::new(),
        }
    }

    /// Who won, if that is known; `Some(None)` is a draw.
    pub fn winner(&self) -> Option<Option<Side>> {
        let first = self.packed.kind.first_side();
        self.score.map(|score| match score {
            0 => None,
            1.. => Some(first),
            _ => Some(first.other()),
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

/// A game on its way into the database, with its positions hashed. Everything that takes time is
/// done when it is made, so that the thread that writes has little to do.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// The game without its tags and annotations, which are kept as the table has them.
    pub game: GameData,
    tags: Option<String>,
    annotated: Option<Vec<u8>>,
    identity: u64,
    prints: Vec<Print>,
}

impl NewGame {
    /// Replays the game. Several threads should do this at once.
    pub fn new(game: GameData) -> Result<Self, UnpackError> {
        let prints = game.packed.footprints()?;
        Ok(Self::with_footprints(game, &prints))
    }

    /// For whoever has the footprints of the main line already.
    pub fn with_footprints(mut game: GameData, prints: &[Footprint]) -> Self {
        Self {
            identity: game.identity(),
            prints: prints.iter().map(Print::from).collect(),
            tags: tags_text(&std::mem::take(&mut game.tags)),
            annotated: game.annotated.take().map(squeezed),
            game,
        }
    }

    /// How much memory is taken by what may be of any length: names, tags and annotations.
    pub fn text_bytes(&self) -> usize {
        let GameData {
            black,
            white,
            event,
            ..
        } = &self.game;
        let annotated = self.annotated.as_ref().map_or(0, Vec::len);
        let tags = self.tags.as_ref().map_or(0, String::len);
        annotated + tags + black.len() + white.len() + event.len()
    }
}

/// A game of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    pub id: GameId,
    pub game: GameData,
    /// The number of moves, passes left out.
    pub length: u16,
}

impl std::ops::Deref for StoredGame {
    type Target = GameData;

    fn deref(&self) -> &GameData {
        &self.game
    }
}

/// What became of games that were to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Added {
    pub stored: usize,
    /// Games that were there already, or twice among the new ones.
    pub duplicates: usize,
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

    /// The sum of both players' ratings.
    pub(crate) fn ratings(&self) -> u32 {
        u32::from(self.black_elo) + u32::from(self.white_elo)
    }
}

/// Identities of the games that are in the database, as far as this program has looked.
#[derive(Debug, Default)]
pub(crate) struct Known {
    identities: HashSet<u64>,
    /// Batches and games up to these have been looked at.
    batch: i64,
    game: GameId,
    /// How many games had been deleted then, and how often arrays had been written anew.
    deleted: i64,
    rewritten: i64,
}

impl Known {
    /// Looks at what this and other programs have added since.
    fn refresh(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let deleted = counters::read(connection, DELETED)?;
        let rewritten = counters::read(connection, REWRITTEN)?;
        if (deleted, rewritten) != (self.deleted, self.rewritten) {
            // Games were deleted, which may come again, or batches have other numbers.
            *self = Self {
                deleted,
                rewritten,
                ..Self::default()
            };
        }
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

pub(crate) fn kind_of(number: u8) -> Kind {
    Kind::ALL
        .into_iter()
        .find(|kind| *kind as u8 == number)
        .unwrap_or(Kind::Othello)
}

/// What [`read_game`] reads, in its order.
pub(crate) const GAME_COLUMNS: &str = "id, kind, black, white, event, date, score, black_elo, white_elo, start, moves, tags, \
     annotated, source, length";

fn tags_text(tags: &[(String, String)]) -> Option<String> {
    let is_clean = |letter: char| !matches!(letter, '\t' | '\n' | '\r');
    let clean = |letter| if is_clean(letter) { letter } else { ' ' };
    let bytes = tags
        .iter()
        .map(|(name, value)| name.len() + value.len() + 2);
    let mut text = String::with_capacity(bytes.sum());
    for (name, value) in tags {
        if !text.is_empty() {
            text.push('\n');
        }
        text.extend(name.chars().map(clean));
        text.push('\t');
        text.extend(value.chars().map(clean));
    }
    (!text.is_empty()).then_some(text)
}

pub(crate) fn read_game(
    connection: &Connection,
    row: &rusqlite::Row<'_>,
) -> rusqlite::Result<StoredGame> {
    let kind = kind_of(row.get(1)?);
    let tags: Option<String> = row.get(11)?;
    let tags = tags.unwrap_or_default();
    let tags = tags.lines().filter_map(|line| line.split_once('\t'));
    let annotated: Option<Vec<u8>> = row.get(12)?;
    let source: Option<u32> = row.get(13)?;
    let game = GameData {
        packed: packed_from(kind, row.get(9)?, row.get(10)?),
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
        annotated: annotated.map(unsqueezed),
        source: names::text_of(connection, source.unwrap_or(names::NAMELESS))?,
    };
    Ok(StoredGame {
        id: row.get(0)?,
        game,
        length: row.get(14)?,
    })
}

/// A line of the table. A start that cannot be read is found by `db check`, because the moves do
/// not fit the usual one.
fn packed_from(kind: Kind, start: Option<String>, moves: Vec<u8>) -> Packed {
    Packed {
        kind,
        start: start.and_then(|text| kind.parse_position(&text).ok()),
        moves,
    }
}

/// Annotations longer than this are worth compressing.
const SQUEEZED_FROM: usize = 200;

/// The quickest that still writes letters in fewer bits than a byte.
const SQUEEZED_LEVEL: i32 = 1;

/// How compressed bytes begin.
const SQUEEZED: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// No annotations are longer: a game's text is at most 4 MB.
const ANNOTATED_MAX: usize = 64 << 20;

thread_local! {
    /// What compresses annotations. To make one takes longer than to compress a game.
    static SQUEEZER: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
}

pub(crate) fn squeezed(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < SQUEEZED_FROM {
        return bytes;
    }
    let less = SQUEEZER.with_borrow_mut(|squeezer| {
        if squeezer.is_none() {
            *squeezer = zstd::bulk::Compressor::new(SQUEEZED_LEVEL).ok();
        }
        let less = squeezer.as_mut()?.compress(&bytes).ok()?;
        (less.len() < bytes.len()).then(|| less.into_boxed_slice().into_vec())
    });
    less.unwrap_or(bytes)
}

pub(crate) fn unsqueezed(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(&SQUEEZED) {
        return zstd::bulk::decompress(&bytes, ANNOTATED_MAX).unwrap_or(bytes);
    }
    bytes
}

/// The line of a game alone.
pub(crate) fn packed_of(connection: &Connection, id: GameId) -> rusqlite::Result<Option<Packed>> {
    connection
        .prepare_cached("SELECT kind, start, moves FROM games WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(packed_from(kind_of(row.get(0)?), row.get(1)?, row.get(2)?))
        })
        .optional()
}

impl Store {
    pub(crate) fn wrong(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// Adds games that are not there yet. All of them, and how far the import has come, are stored
    /// together or not at all.
    pub fn add(
        &mut self,
        games: &[NewGame],
        import: Option<&mut ImportState>,
    ) -> Result<Added, StoreError> {
        let result = self.try_add(games, import);
        self.changed();
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
        let added = insert_games(&step, &mut self.names, &mut self.known, games)?;
        if let Some(import) = import {
            import.stored += added.stored as u64;
            import.duplicates += added.duplicates as u64;
            save_import(&step, import)?;
        }
        step.commit()?;
        Ok(added)
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
}

/// The number of the next game: greater than any that is there, or ever was.
fn next_id(c: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(id), 0) FROM games";
    let greatest: i64 = c.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(greatest.max(counters::read(c, LAST_GAME)?) + 1)
}

/// Stores what is new among some games, within the caller's transaction.
pub(crate) fn insert_games(
    step: &Connection,
    names: &mut Names,
    known: &mut Known,
    games: &[NewGame],
) -> rusqlite::Result<Added> {
    known.refresh(step)?;
    let mut added = Added::default();
    let mut id = next_id(step)?;
    for kind in Kind::ALL {
        let mut fresh: Vec<&NewGame> = Vec::with_capacity(games.len());
        for game in games.iter().filter(|it| it.game.packed.kind == kind) {
            if known.identities.insert(game.identity) {
                fresh.push(game);
            } else {
                added.duplicates += 1;
            }
        }
        if fresh.is_empty() {
            continue;
        }
        added.stored += fresh.len();
        let batch = (fresh.len() >= batches::LEAST)
            .then(|| batches::new_batch(step, kind, fresh.len()))
            .transpose()?;
        let mut rows = Vec::with_capacity(fresh.len());
        for game in &fresh {
            rows.push(insert(step, names, game, batch, id)?);
            id += 1;
        }
        match batch {
            Some(batch) => {
                let prints: Vec<&[Print]> = fresh.iter().map(|it| &it.prints[..]).collect();
                columns::write_batch(step, batch, &rows, &prints)?;
                known.batch = known.batch.max(batch);
            }
            None => batches::fold_tail(step, kind)?,
        }
        batches::merge_small(step, kind)?;
    }
    Ok(added)
}

fn insert(
    connection: &Connection,
    names: &mut Names,
    new: &NewGame,
    batch: Option<i64>,
    id: i64,
) -> rusqlite::Result<Row> {
    let game = &new.game;
    let mut number = |kind, text: &str| names.number(connection, kind, text);
    let row = Row {
        id: id as GameId,
        identity: new.identity,
        black: number(NameKind::Player, &game.black)?,
        white: number(NameKind::Player, &game.white)?,
        event: number(NameKind::Event, &game.event)?,
        date: game.date,
        score: game.score,
        length: new.prints.len().saturating_sub(1) as u16,
        black_elo: game.black_elo,
        white_elo: game.white_elo,
    };
    let source = number(NameKind::Source, &game.source)?;
    let known = |elo: u16| (elo != 0).then_some(elo);
    let sql = "INSERT INTO games(id, kind, batch, black, white, event, date, score, black_elo, \
               white_elo, start, moves, identity, tags, annotated, source, length) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
               ?17)";
    connection.prepare_cached(sql)?.execute(params![
        row.id,
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
        row.identity as i64,
        new.tags,
        new.annotated,
        (source != names::NAMELESS).then_some(source),
        row.length,
    ])?;
    Ok(row)
}

/// What [`read_row`] reads, in its order.
const ROW_COLUMNS: &str = "id, identity, black, white, event, date, score, length, black_elo, \
     white_elo, kind, start, moves";

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Row, Packed)> {
    let packed = packed_from(kind_of(row.get(10)?), row.get(11)?, row.get(12)?);
    let row = Row {
        id: row.get(0)?,
        identity: row.get::<_, i64>(1)? as u64,
        black: row.get(2)?,
        white: row.get(3)?,
        event: row.get(4)?,
        date: row.get(5)?,
        score: row.get(6)?,
        length: row.get(7)?,
        black_elo: row.get::<_, Option<u16>>(8)?.unwrap_or(0),
        white_elo: row.get::<_, Option<u16>>(9)?.unwrap_or(0),
    };
    Ok((row, packed))
}

/// A game's row and line.
pub(crate) fn row_of(
    connection: &Connection,
    id: GameId,
) -> rusqlite::Result<Option<(Row, Packed)>> {
    let sql = format!("SELECT {ROW_COLUMNS} FROM games WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row([id], read_row).optional()
}

/// The first games of a kind without columns, and their footprints. A game that cannot be replayed
/// has none, and `db check` tells of it.
pub(crate) fn tail(
    connection: &Connection,
    kind: Kind,
    most: usize,
) -> rusqlite::Result<Vec<(Row, Vec<Print>)>> {
    let sql = format!(
        "SELECT {ROW_COLUMNS} FROM games WHERE batch IS NULL AND kind = ?1 ORDER BY id LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let games = statement.query_map(params![kind as u8, most as i64], read_row)?;
    let games = games.collect::<rusqlite::Result<Vec<(Row, Packed)>>>()?;
    Ok(games.into_par_iter().map(printed).collect())
}

/// A game with the footprints of its line.
pub(crate) fn printed((mut row, packed): (Row, Packed)) -> (Row, Vec<Print>) {
    let prints = packed.footprints().unwrap_or_default();
    row.length = prints.len().saturating_sub(1) as u16;
    (row, prints.iter().map(Print::from).collect())
}
