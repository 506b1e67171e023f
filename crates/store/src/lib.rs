//! Games, positions and notes in one SQLite file, and every position of them found in
//! milliseconds.
//!
//! The only crate that knows SQL. It does not know the rules of any game: lines of moves come and
//! go as [`game::Packed`], and positions are compared by their [`game::Footprint`]s. What is
//! deliberately absent: reading files of games, and clocks other than for waiting; `app` does that.
//!
//! A game is a row, and beside the rows stand columns: for every batch of games one array per
//! property (players, date, result) and one per class of positions (the hash that each game has
//! there, and its next move); positions that many games of the batch met are counted. A search reads a few arrays and compares; it needs no index that
//! would have to be kept in order. Games that were added one by one have no columns yet and are
//! replayed; when there are enough of them, they become a batch. `docs/STORE.md` tells why.

#![forbid(unsafe_code)]

mod batches;
mod check;
mod chores;
mod classes;
mod columns;
mod counters;
mod deleting;
mod error;
mod explore;
mod find;
mod games;
mod imports;
mod jobs;
mod knowledge;
mod masks;
mod mending;
mod names;
mod notes;
mod often;
mod pages;
mod plan;
mod pragmas;
mod proof;
mod reviews;
mod schema;
mod writer;

pub use check::{Checked, Stats};
pub use error::StoreError;
pub use explore::{Continuation, Explored, OwnResults};
pub use find::{Filter, Found, Order, Page};
pub use games::{Added, GameData, GameId, NewGame, StoredGame};
pub use imports::ImportState;
pub use jobs::{JobId, JobStep, KeptJob, KeptState};
pub use knowledge::{Analysis, Features, MoveCount, Valued};
pub use notes::{GameNote, Note};
pub use pragmas::pragmas;
pub use reviews::{KeptMistake, LineKey, Review, ReviewPart, ReviewedSide};
pub use schema::VERSION;
pub use writer::{Event, Flushed, Ticket, Writer, WriterSettings};

use classes::Print;
use columns::Memory;
use counters::REWRITTEN;
use game::Kind;
use games::{Known, Row};
use names::Names;
use rusqlite::Connection;
use schema::Making;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Games without columns, with their footprints.
type Tail = Arc<Vec<(Row, Vec<Print>)>>;

/// A database that is open, with what this program has learned of its names and games.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    names: Names,
    known: Known,
    memory: Memory,
    /// Whether every commit is synced.
    is_synced: bool,
    tails: RefCell<HashMap<Kind, Tail>>,
    /// Changes by other programs that were seen; SQLite counts them.
    seen: Cell<i64>,
    /// How often arrays had been rewritten when they were read.
    rewritten: Cell<i64>,
}

impl Store {
    /// Opens the database, or makes it. One of an older version is copied and brought up to date;
    /// one of a newer version is refused and not touched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::of(schema::open(path, Making::Allowed)?, path))
    }

    /// The same for a database that must be there: none is made.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::of(schema::open(path, Making::Refused)?, path))
    }

    fn of(connection: Connection, path: &Path) -> Self {
        Self {
            connection,
            path: path.to_owned(),
            names: Names::default(),
            known: Known::default(),
            memory: Memory::default(),
            is_synced: false,
            tails: RefCell::default(),
            seen: Cell::new(0),
            rewritten: Cell::new(0),
        }
    }

    /// The file of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets what was read, after a change of this program. A batch that was only added leaves
    /// the others as they were, and a search does not read them again.
    fn changed(&self) {
        self.tails.borrow_mut().clear();
        self.memory.forget_own();
        let rewritten = counters::read(&self.connection, REWRITTEN);
        // If that cannot be read, a search will say so.
        if rewritten.is_err() || rewritten.is_ok_and(|now| self.rewritten.replace(now) != now) {
            self.memory.forget();
        }
    }

    /// Forgets what was read if another program has changed something.
    fn refresh(&self) -> rusqlite::Result<()> {
        let now = self
            .connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))?;
        if self.seen.replace(now) != now {
            self.changed();
        }
        Ok(())
    }

    /// A number that is another one after every change that somebody else has made: another
    /// connection of this program, or another program.
    pub fn version(&self) -> Result<i64, StoreError> {
        let version = || {
            self.refresh()?;
            Ok(self.seen.get())
        };
        version().map_err(|error: rusqlite::Error| self.wrong(&error))
    }

    /// The games of a kind without columns.
    fn tail_of(&self, kind: Kind) -> rusqlite::Result<Tail> {
        if let Some(tail) = self.tails.borrow().get(&kind) {
            return Ok(Arc::clone(tail));
        }
        let tail = Arc::new(games::tail(&self.connection, kind, batches::LEAST)?);
        self.tails.borrow_mut().insert(kind, Arc::clone(&tail));
        Ok(tail)
    }

    /// Lets a bulk load use less memory: it reads nothing twice. What is mapped counts, too: with it,
    /// an import of a million games took 194 MB.
    pub fn use_little_memory(&self) -> Result<(), StoreError> {
        let sql = "PRAGMA cache_size = -16384; PRAGMA mmap_size = 0";
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| self.wrong(&error))
    }

    /// Moves what is in the log into the file, and waits for the disk.
    pub fn settle(&self) -> Result<(), StoreError> {
        self.checkpoint().map_err(|error| self.wrong(&error))
    }

    /// Has commits append to the log and do nothing else: whoever asks for this moves the log into the
    /// file, when nobody waits. SQLite by itself would do so in a commit of every 16 MB.
    fn leave_log_alone(&self) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "wal_autocheckpoint", 0)
    }

    /// Moves what is in the log into the file beside other writers. The log is cut short if nobody
    /// reads it at the moment, and nobody is kept waiting for that.
    fn settle_quietly(&mut self) -> rusqlite::Result<()> {
        let passive = "PRAGMA wal_checkpoint(PASSIVE)";
        self.connection.query_row(passive, [], |_| Ok(()))?;
        self.connection.busy_timeout(std::time::Duration::ZERO)?;
        let cut = self.checkpoint();
        schema::wait_for_others(&mut self.connection)?;
        cut
    }

    fn checkpoint(&self) -> rusqlite::Result<()> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}
