//! Notes on positions: found by the position, whatever the moves before it, and by their words.

use crate::{Store, StoreError, names::match_of};
use game::{Position, Trail};
use rusqlite::{OptionalExtension as _, params};

/// A note and the position that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The position as it stood when the note was first written.
    pub position: String,
    /// Markdown of the user.
    pub text: String,
}

impl Store {
    /// Writes the note of a position; an empty text removes it. It is on disk when this returns.
    pub fn set_note(&mut self, position: &Position, text: &str) -> Result<(), StoreError> {
        let key = Trail::of(position).key as i64;
        let done = if text.trim().is_empty() {
            self.connection
                .execute("DELETE FROM notes WHERE hash = ?1", [key])
        } else {
            let sql = "INSERT INTO notes(hash, position, text) VALUES (?1, ?2, ?3) \
                       ON CONFLICT(hash) DO UPDATE SET text = excluded.text";
            self.connection
                .execute(sql, params![key, position.to_string(), text])
        };
        done.map(|_| ()).map_err(|error| self.wrong(&error))
    }

    /// The note of a position, whichever way the board is turned.
    pub fn note(&self, position: &Position) -> Result<Option<Note>, StoreError> {
        let key = Trail::of(position).key as i64;
        self.connection
            .query_row(
                "SELECT position, text FROM notes WHERE hash = ?1",
                [key],
                read,
            )
            .optional()
            .map_err(|error| self.wrong(&error))
    }

    /// Notes that have all these words, the best matches first.
    pub fn search_notes(&self, text: &str, most: usize) -> Result<Vec<Note>, StoreError> {
        let Some(query) = match_of(text) else {
            return Err(StoreError::Text {
                text: text.to_owned(),
            });
        };
        let sql = "SELECT position, notes.text FROM notes_fts \
                   JOIN notes ON notes.hash = notes_fts.rowid \
                   WHERE notes_fts MATCH ?1 ORDER BY notes_fts.rank LIMIT ?2";
        let search = || -> rusqlite::Result<Vec<Note>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![query, most as i64], read)?;
            rows.collect()
        };
        search().map_err(|error| self.wrong(&error))
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Note> {
    Ok(Note {
        position: row.get(0)?,
        text: row.get(1)?,
    })
}
