//! Notes on positions and on games. A position's is found whatever the moves before it; both are
//! found by their words.

use crate::{
    GameId, Store, StoreError,
    names::{NumberSet, match_of},
};
use game::{Position, Trail};
use rusqlite::{Connection, OptionalExtension as _, params};

/// A note and the position that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The position as it stood when the note was first written.
    pub position: String,
    /// Markdown of the user.
    pub text: String,
}

/// A note and the game that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNote {
    pub game: GameId,
    /// Markdown of the user.
    pub text: String,
}

/// So many notes that have the words are compared: to rank one takes a look at its length, and a
/// word that is in more of them says little.
const RANKED_MAX: i64 = 2_000;

/// Writes the note of a position; an empty text removes it.
pub(crate) fn set(c: &Connection, position: &Position, text: &str) -> rusqlite::Result<()> {
    let key = Trail::of(position).key as i64;
    if text.trim().is_empty() {
        c.execute("DELETE FROM notes WHERE hash = ?1", [key])?;
        return Ok(());
    }
    let sql = "INSERT INTO notes(hash, position, text) VALUES (?1, ?2, ?3) \
               ON CONFLICT(hash) DO UPDATE SET text = excluded.text";
    c.prepare_cached(sql)?
        .execute(params![key, position.to_string(), text])?;
    Ok(())
}

/// Writes the note of a game; an empty text removes it.
pub(crate) fn set_of_game(c: &Connection, game: GameId, text: &str) -> rusqlite::Result<()> {
    if text.trim().is_empty() {
        c.execute("DELETE FROM game_notes WHERE game = ?1", [game])?;
        return Ok(());
    }
    let sql = "INSERT INTO game_notes(game, text) VALUES (?1, ?2) \
               ON CONFLICT(game) DO UPDATE SET text = excluded.text";
    c.prepare_cached(sql)?.execute(params![game, text])?;
    Ok(())
}

/// The games whose notes have these words.
pub(crate) fn games_with(c: &Connection, text: &str) -> rusqlite::Result<NumberSet> {
    let Some(query) = match_of(text) else {
        return Ok(NumberSet::default());
    };
    let sql = "SELECT rowid FROM game_notes_fts WHERE game_notes_fts MATCH ?1";
    let mut statement = c.prepare_cached(sql)?;
    let rows = statement.query_map([query], |row| row.get::<_, u32>(0))?;
    rows.collect()
}

impl Store {
    /// The note of a position, whichever way the board is turned.
    pub fn note(&self, position: &Position) -> Result<Option<Note>, StoreError> {
        let key = Trail::of(position).key as i64;
        let sql = "SELECT position, text FROM notes WHERE hash = ?1";
        let found = self.connection.query_row(sql, [key], read).optional();
        found.map_err(|error| self.wrong(&error))
    }

    /// The note of a game.
    pub fn game_note(&self, game: GameId) -> Result<Option<String>, StoreError> {
        let sql = "SELECT text FROM game_notes WHERE game = ?1";
        let found = self.connection.query_row(sql, [game], |row| row.get(0));
        found.optional().map_err(|error| self.wrong(&error))
    }

    /// Notes on positions that have all these words, the best matches first. Of words that are in
    /// very many notes, some thousand are compared.
    pub fn search_notes(&self, text: &str, most: usize) -> Result<Vec<Note>, StoreError> {
        let sql = "SELECT position, notes.text FROM \
                   (SELECT rowid AS found, rank AS score FROM notes_fts \
                    WHERE notes_fts MATCH ?1 LIMIT ?3) \
                   JOIN notes ON notes.hash = found ORDER BY score LIMIT ?2";
        self.search_text(sql, text, most, read)
    }

    /// Notes on games that have all these words, the best matches first. Of words that are in very
    /// many notes, those on the newest games are compared.
    pub fn search_game_notes(&self, text: &str, most: usize) -> Result<Vec<GameNote>, StoreError> {
        let sql = "SELECT game, game_notes.text FROM \
                   (SELECT rowid AS found, rank AS score FROM game_notes_fts \
                    WHERE game_notes_fts MATCH ?1 ORDER BY rowid DESC LIMIT ?3) \
                   JOIN game_notes ON game_notes.game = found ORDER BY score LIMIT ?2";
        self.search_text(sql, text, most, |row| {
            Ok(GameNote {
                game: row.get(0)?,
                text: row.get(1)?,
            })
        })
    }

    fn search_text<T>(
        &self,
        sql: &str,
        text: &str,
        most: usize,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let Some(query) = match_of(text) else {
            let text = text.to_owned();
            return Err(StoreError::Text { text });
        };
        let search = || -> rusqlite::Result<Vec<T>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![query, most as i64, RANKED_MAX], read)?;
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
