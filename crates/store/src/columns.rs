//! The arrays of a batch of games: which column has which number, and numbers as bytes.

use crate::games::Row;
use game::Footprint;
use rusqlite::{Connection, OptionalExtension as _, params};

/// A property of games that a batch has as an array. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// The game's id; 0 for one that was deleted.
    Id,
    /// The digest by which duplicates are known.
    Identity,
    Black,
    White,
    Event,
    Date,
    /// The first player's score, or [`NO_SCORE`].
    Score,
    /// Number of moves without passes.
    Length,
    BlackElo,
    WhiteElo,
    /// Upper half of the key of the game's position of this class, or [`NO_HASH`].
    Hash(u8),
    /// The move that followed there.
    Next(u8),
}

/// A score that is not known.
pub(crate) const NO_SCORE: i8 = i8::MIN;

/// Stands where a game has no position of a class.
pub(crate) const NO_HASH: u32 = 0;

impl Column {
    const fn number(self) -> i64 {
        match self {
            Self::Id => 0,
            Self::Identity => 1,
            Self::Black => 2,
            Self::White => 3,
            Self::Event => 4,
            Self::Date => 5,
            Self::Score => 6,
            Self::Length => 7,
            Self::BlackElo => 8,
            Self::WhiteElo => 9,
            Self::Hash(class) => 64 + class as i64,
            Self::Next(class) => 160 + class as i64,
        }
    }

    const fn key(self, batch: i64) -> i64 {
        256 * batch + self.number()
    }
}

/// What of a key stands in a column. Zero means "none", and is not a hash.
pub(crate) const fn hash_of(key: u64) -> u32 {
    let hash = (key >> 32) as u32;
    if hash == NO_HASH { 1 } else { hash }
}

/// An integer that a column consists of.
pub(crate) trait Cell: Copy {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! cells {
    ($($kind:ty)*) => {$(
        impl Cell for $kind {
            const BYTES: usize = size_of::<Self>();

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, Self::from_le_bytes)
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

cells!(u8 i8 u16 u32 u64);

pub(crate) fn to_bytes<T: Cell>(cells: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(cells.len() * T::BYTES);
    for cell in cells {
        cell.write(&mut bytes);
    }
    bytes
}

pub(crate) fn from_bytes<T: Cell>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::BYTES).map(T::read).collect()
}

/// A column of a batch. One that was never written has no cells.
pub(crate) fn read<T: Cell>(
    connection: &Connection,
    batch: i64,
    column: Column,
) -> rusqlite::Result<Vec<T>> {
    with_bytes(connection, batch, column, |bytes| from_bytes(bytes)).map(Option::unwrap_or_default)
}

/// Looks at a column's bytes without keeping them.
pub(crate) fn with_bytes<T>(
    connection: &Connection,
    batch: i64,
    column: Column,
    look: impl FnOnce(&[u8]) -> T,
) -> rusqlite::Result<Option<T>> {
    connection
        .prepare_cached("SELECT data FROM columns WHERE id = ?1")?
        .query_row([column.key(batch)], |row| {
            Ok(look(row.get_ref(0)?.as_blob()?))
        })
        .optional()
}

pub(crate) fn write<T: Cell>(
    connection: &Connection,
    batch: i64,
    column: Column,
    cells: &[T],
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO columns(id, data) VALUES (?1, ?2)")?
        .execute(params![column.key(batch), to_bytes(cells)])?;
    Ok(())
}

/// Writes all columns of a new batch; `prints` are the footprints of each game.
pub(crate) fn write_batch(
    connection: &Connection,
    batch: i64,
    rows: &[Row],
    prints: &[&[Footprint]],
) -> rusqlite::Result<()> {
    fn of<T: Cell>(rows: &[Row], cell: impl Fn(&Row) -> T) -> Vec<T> {
        rows.iter().map(cell).collect()
    }
    let c = connection;
    write(c, batch, Column::Id, &of(rows, |row| row.id))?;
    write(c, batch, Column::Identity, &of(rows, |row| row.identity))?;
    write(c, batch, Column::Black, &of(rows, |row| row.black))?;
    write(c, batch, Column::White, &of(rows, |row| row.white))?;
    write(c, batch, Column::Event, &of(rows, |row| row.event))?;
    write(c, batch, Column::Date, &of(rows, |row| row.date))?;
    write(c, batch, Column::Score, &of(rows, Row::score_cell))?;
    write(c, batch, Column::Length, &of(rows, |row| row.length))?;
    write(c, batch, Column::BlackElo, &of(rows, |row| row.black_elo))?;
    write(c, batch, Column::WhiteElo, &of(rows, |row| row.white_elo))?;
    let mut hashes = vec![NO_HASH; Footprint::CLASSES * rows.len()];
    let mut nexts = vec![Footprint::END; Footprint::CLASSES * rows.len()];
    for (index, prints) in prints.iter().enumerate() {
        for print in *prints {
            let cell = usize::from(print.class) * rows.len() + index;
            if let (Some(hash), Some(next)) = (hashes.get_mut(cell), nexts.get_mut(cell)) {
                (*hash, *next) = (hash_of(print.key), print.next);
            }
        }
    }
    for class in 0..Footprint::CLASSES {
        let cells = class * rows.len()..(class + 1) * rows.len();
        let hashes = &hashes[cells.clone()];
        if hashes.iter().any(|hash| *hash != NO_HASH) {
            write(c, batch, Column::Hash(class as u8), hashes)?;
            write(c, batch, Column::Next(class as u8), &nexts[cells])?;
        }
    }
    Ok(())
}
