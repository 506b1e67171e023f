//! The arrays of a batch of games: which column has which number, numbers as bytes, and the ones
//! that this program has read already.

use crate::{
    classes::{Class, Entries, Print},
    games::Row,
    often::{Directory, Maker, Often},
    pages::Pages,
};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    marker::PhantomData,
    sync::Arc,
};

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
    /// Positions of this class; see `classes`.
    Class(u16),
    /// The frequent ones among them, counted; see `often`.
    Often(u16),
}

/// A score that is not known.
pub(crate) const NO_SCORE: i8 = i8::MIN;

/// Classes of positions are smaller than this.
pub(crate) const CLASSES: usize = 4_096;

/// Numbers of rows in a batch, and rows of a column at most.
const PER_BATCH: i64 = 1 << 17;
const PARTS: i64 = 2;

const FIRST_CLASS: i64 = 64;
const FIRST_OFTEN: i64 = 8_192;

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
            Self::Class(class) => FIRST_CLASS + class as i64,
            Self::Often(class) => FIRST_OFTEN + class as i64,
        }
    }

    /// The number of its row. The next number is for the rest of an array that was cut.
    pub(crate) const fn key(self, batch: i64) -> i64 {
        PER_BATCH * batch + PARTS * self.number()
    }
}

/// The keys of all columns of a batch.
pub(crate) const fn keys_of(batch: i64) -> (i64, i64) {
    (PER_BATCH * batch, PER_BATCH * batch + PER_BATCH - 1)
}

/// The classes that a batch has, or those with frequent positions.
pub(crate) fn classes_of(
    connection: &Connection,
    batch: i64,
    column: fn(u16) -> Column,
) -> rusqlite::Result<Vec<u16>> {
    let sql = "SELECT id FROM columns WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let (from, to) = (column(0), column(CLASSES as u16 - 1));
    let (from, to) = (from.key(batch), to.key(batch));
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([from, to], |row| row.get::<_, i64>(0))?;
    let classes = rows.map(|id| id.map(|id| ((id - from) / PARTS) as u16));
    let mut classes = classes.collect::<rusqlite::Result<Vec<u16>>>()?;
    classes.dedup();
    Ok(classes)
}

/// An integer that a column consists of.
pub(crate) trait Number: Copy {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
    /// All numbers of a column. Chunks of a fixed size let whole columns be compared with vector
    /// instructions.
    fn all(bytes: &[u8]) -> impl Iterator<Item = Self> + Clone;
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! cells {
    ($($kind:ty)*) => {$(
        impl Number for $kind {
            const BYTES: usize = size_of::<Self>();

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, Self::from_le_bytes)
            }

            fn all(bytes: &[u8]) -> impl Iterator<Item = Self> + Clone {
                let chunks = bytes.as_chunks::<{ size_of::<Self>() }>().0;
                chunks.iter().map(|it| Self::from_le_bytes(*it))
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

cells!(u8 i8 u16 u32 u64);

/// A property of a batch's games.
#[derive(Debug, Clone)]
pub(crate) struct Cells<T> {
    bytes: Arc<Vec<u8>>,
    kind: PhantomData<T>,
}

impl<T: Number> Cells<T> {
    pub(crate) fn get(&self, place: u32) -> Option<T> {
        let from = place as usize * T::BYTES;
        self.bytes.get(from..from + T::BYTES).map(T::read)
    }

    /// All of them, in the order of places.
    pub(crate) fn all(&self) -> impl Iterator<Item = T> + Clone {
        T::all(&self.bytes)
    }
}

/// Properties that were read, up to a limit; they do not change while no game is deleted and nobody
/// makes the batches anew.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    columns: RefCell<HashMap<i64, Arc<Vec<u8>>>>,
    held_bytes: Cell<usize>,
    /// The places of the user's own games in batches.
    own: RefCell<HashMap<i64, Arc<Vec<u32>>>>,
}

impl Memory {
    /// More than this is forgotten: enough for the properties of a million games.
    const MOST_BYTES: usize = 48 << 20;

    pub(crate) fn forget(&self) {
        self.columns.borrow_mut().clear();
        self.held_bytes.set(0);
        self.forget_own();
    }

    /// Forgets which games are the user's own: under which names the user plays may have changed.
    pub(crate) fn forget_own(&self) {
        self.own.borrow_mut().clear();
    }

    /// The places of the user's own games in a batch, which `find` finds the first time.
    pub(crate) fn own(
        &self,
        batch: i64,
        find: impl FnOnce() -> rusqlite::Result<Vec<u32>>,
    ) -> rusqlite::Result<Arc<Vec<u32>>> {
        if let Some(known) = self.own.borrow().get(&batch) {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(find()?);
        self.own.borrow_mut().insert(batch, Arc::clone(&found));
        Ok(found)
    }

    pub(crate) fn read<T: Number>(
        &self,
        connection: &Connection,
        batch: i64,
        column: Column,
    ) -> rusqlite::Result<Cells<T>> {
        let key = column.key(batch);
        let known = self.columns.borrow().get(&key).cloned();
        let bytes = match known {
            Some(bytes) => bytes,
            None => {
                let read = with_bytes(connection, batch, column, <[u8]>::to_vec)?;
                let bytes = Arc::new(read.unwrap_or_default());
                let mut columns = self.columns.borrow_mut();
                if self.held_bytes.get() + bytes.len() > Self::MOST_BYTES {
                    columns.clear();
                    self.held_bytes.set(0);
                }
                self.held_bytes.set(self.held_bytes.get() + bytes.len());
                columns.insert(key, Arc::clone(&bytes));
                bytes
            }
        };
        let kind = PhantomData;
        Ok(Cells { bytes, kind })
    }
}

/// A property of a batch, not kept. One that was never written has no cells.
pub(crate) fn read<T: Number>(
    connection: &Connection,
    batch: i64,
    column: Column,
) -> rusqlite::Result<Vec<T>> {
    let read = |bytes: &[u8]| T::all(bytes).collect();
    with_bytes(connection, batch, column, read).map(Option::unwrap_or_default)
}

/// Looks at a column's bytes without keeping them.
pub(crate) fn with_bytes<T>(
    connection: &Connection,
    batch: i64,
    column: Column,
    look: impl FnOnce(&[u8]) -> T,
) -> rusqlite::Result<Option<T>> {
    let key = column.key(batch);
    let sql = "SELECT data, is_cut FROM columns WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([key])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let data = row.get_ref(0)?.as_blob()?;
    if row.get::<_, Option<bool>>(1)? != Some(true) {
        return Ok(Some(look(data)));
    }
    let mut whole = data.to_vec();
    connection
        .prepare_cached("SELECT data FROM columns WHERE id = ?1")?
        .query_row([key + 1], |row| {
            whole.extend_from_slice(row.get_ref(0)?.as_blob()?);
            Ok(())
        })
        .optional()?;
    Ok(Some(look(&whole)))
}

/// Looks at a class of a batch; `None` if no game of it met the class.
pub(crate) fn with_class<T>(
    connection: &Connection,
    batch: i64,
    class: u16,
    look: impl FnOnce(Class<'_>) -> T,
) -> rusqlite::Result<Option<T>> {
    let seen = with_bytes(connection, batch, Column::Class(class), |bytes| {
        Class::new(bytes).map(look)
    })?;
    Ok(seen.flatten())
}

/// What a batch knows about a position that many of its games met.
pub(crate) fn often(
    connection: &Connection,
    batch: i64,
    class: u16,
    key: u64,
) -> rusqlite::Result<Option<Often>> {
    let seen = with_bytes(connection, batch, Column::Often(class), |bytes| {
        Directory::new(bytes).and_then(|it| it.find(key))
    })?;
    Ok(seen.flatten())
}

pub(crate) fn write<T: Number>(
    connection: &Connection,
    batch: i64,
    column: Column,
    cells: impl Iterator<Item = T>,
) -> rusqlite::Result<()> {
    write_bytes(connection, batch, column, &bytes_of(cells))
}

fn bytes_of<T: Number>(cells: impl Iterator<Item = T>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(T::BYTES * cells.size_hint().0);
    for cell in cells {
        cell.write(&mut bytes);
    }
    bytes
}

/// Writes an array that is there already, or not, in one piece.
pub(crate) fn write_bytes(
    connection: &Connection,
    batch: i64,
    column: Column,
    bytes: &[u8],
) -> rusqlite::Result<()> {
    let key = column.key(batch);
    connection
        .prepare_cached("INSERT OR REPLACE INTO columns(id, data) VALUES (?1, ?2)")?
        .execute(params![key, bytes])?;
    connection
        .prepare_cached("DELETE FROM columns WHERE id = ?1")?
        .execute([key + 1])?;
    Ok(())
}

/// Writes the arrays of a new batch, in the order of their numbers.
struct Pen<'a> {
    connection: &'a Connection,
    batch: i64,
    pages: Pages,
}

impl<'a> Pen<'a> {
    fn new(connection: &'a Connection, batch: i64) -> rusqlite::Result<Self> {
        let page_bytes: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        Ok(Self {
            connection,
            batch,
            pages: Pages::new(page_bytes as usize),
        })
    }

    fn cells<T: Number>(
        &mut self,
        column: Column,
        cells: impl Iterator<Item = T>,
    ) -> rusqlite::Result<()> {
        self.bytes(column, &bytes_of(cells))
    }

    fn bytes(&mut self, column: Column, bytes: &[u8]) -> rusqlite::Result<()> {
        let key = column.key(self.batch);
        let sql = "INSERT INTO columns(id, data, is_cut) VALUES (?1, ?2, ?3)";
        let mut insert = self.connection.prepare_cached(sql)?;
        match self.pages.cut(key, bytes.len()) {
            None => insert.execute(params![key, bytes, None::<bool>])?,
            Some(at) => {
                let (first, rest) = bytes.split_at(at);
                insert.execute(params![key, first, true])?;
                insert.execute(params![key + 1, rest, None::<bool>])?
            }
        };
        Ok(())
    }
}

/// Writes all columns of a new batch; `prints` are those of each game.
pub(crate) fn write_batch(
    c: &Connection,
    batch: i64,
    rows: &[Row],
    prints: &[&[Print]],
) -> rusqlite::Result<()> {
    let mut pen = Pen::new(c, batch)?;
    let all = rows.iter();
    pen.cells(Column::Id, all.clone().map(|row| row.id))?;
    pen.cells(Column::Identity, all.clone().map(|row| row.identity))?;
    pen.cells(Column::Black, all.clone().map(|row| row.black))?;
    pen.cells(Column::White, all.clone().map(|row| row.white))?;
    pen.cells(Column::Event, all.clone().map(|row| row.event))?;
    pen.cells(Column::Date, all.clone().map(|row| row.date))?;
    pen.cells(Column::Score, all.clone().map(Row::score_cell))?;
    pen.cells(Column::Length, all.clone().map(|row| row.length))?;
    pen.cells(Column::BlackElo, all.clone().map(|row| row.black_elo))?;
    pen.cells(Column::WhiteElo, all.map(|row| row.white_elo))?;
    write_classes(&mut pen, rows, prints)
}

/// Footprints by class: counted, then put in order, game after game; then the frequent ones.
fn write_classes(pen: &mut Pen<'_>, rows: &[Row], prints: &[&[Print]]) -> rusqlite::Result<()> {
    let slot = |print: &Print| usize::from(print.class) % CLASSES;
    let mut starts = vec![0_usize; CLASSES + 1];
    for print in prints.iter().copied().flatten() {
        starts[slot(print) + 1] += 1;
    }
    for class in 0..CLASSES {
        starts[class + 1] += starts[class];
    }
    let mut fill = starts.clone();
    let mut cells = vec![(0_u32, 0_u32); starts[CLASSES]];
    for (place, prints) in prints.iter().enumerate() {
        for print in *prints {
            let at = &mut fill[slot(print)];
            cells[*at] = (place as u32, print.hash | u32::from(print.next) << 24);
            *at += 1;
        }
    }
    let mut entries = Entries::default();
    let mut maker = Maker::new(rows, prints);
    let mut often = Vec::new();
    for class in 0..CLASSES {
        let cells = &cells[starts[class]..starts[class + 1]];
        if cells.is_empty() {
            continue;
        }
        entries.clear();
        for (place, packed) in cells {
            entries.push(*place, packed & 0xff_ffff, (packed >> 24) as u8);
        }
        let (bytes, class) = (entries.to_bytes(rows.len()), class as u16);
        pen.bytes(Column::Class(class), &bytes)?;
        let hashes = cells
            .iter()
            .map(|(place, packed)| (*place, packed & 0xff_ffff));
        often.extend(maker.class(class, hashes).map(|bytes| (class, bytes)));
    }
    // In the order of their numbers, so that pages are filled one after the other.
    for (class, bytes) in often {
        pen.bytes(Column::Often(class), &bytes)?;
    }
    Ok(())
}
