//! Games, positions and notes in one SQLite file, and every position of them found in
//! milliseconds.
//!
//! The only crate that knows SQL. It does not know the rules of any game: lines of moves come and
//! go as [`game::Packed`], and positions are compared by their [`game::Footprint`]s. What is
//! deliberately absent: reading files of games, threads and clocks; `app` does that.
//!
//! A game is a row, and beside the rows stand columns: for every batch of games one array per
//! property (players, date, result) and one per class of positions (the hash that each game has
//! there, and its next move). A search reads a few arrays and compares; it needs no index that
//! would have to be kept in order. Games that were added one by one have no columns yet and are
//! replayed; when there are enough of them, they become a batch. `docs/STORE.md` tells why.

#![forbid(unsafe_code)]

mod check;
mod columns;
mod error;
mod find;
mod games;
mod names;
mod notes;
mod pragmas;
mod schema;

pub use check::{Checked, Stats};
pub use error::StoreError;
pub use find::{Continuation, Explored, Filter, Found, Order, Page};
pub use games::{Added, GameId, ImportState, NewGame, StoredGame};
pub use notes::Note;
pub use pragmas::pragmas;

use games::Known;
use names::Names;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// A database that is open, with what this program has learned of its names and games.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    names: Names,
    known: Known,
}

impl Store {
    /// Opens the database, or makes it. One of an older version is copied and brought up to date;
    /// one of a newer version is refused and not touched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = schema::open(path)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            names: Names::default(),
            known: Known::default(),
        })
    }

    /// The file of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
