//! Players and events: each text is stored once, and games have its number.

use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::{HashMap, HashSet};

/// What a name names. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    Player = 0,
    Event = 1,
}

/// The number of no name.
pub(crate) const NAMELESS: u32 = 0;

/// Numbers that were looked up already. They never change, so that other programs' new names are
/// all that this can lack.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<(NameKind, String), u32>,
}

impl Names {
    /// More names than this are forgotten, so that an import of any size fits into the memory.
    const MOST: usize = 200_000;

    /// The number of a name, which is made if it is new.
    pub(crate) fn number(
        &mut self,
        connection: &Connection,
        kind: NameKind,
        text: &str,
    ) -> rusqlite::Result<u32> {
        if text.is_empty() {
            return Ok(NAMELESS);
        }
        // A look-up with a borrowed text would need a map per kind; names are short.
        let key = (kind, text.to_owned());
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let known = connection
            .prepare_cached("SELECT id FROM names WHERE kind = ?1 AND text = ?2")?
            .query_row(params![kind as u8, text], |row| row.get(0))
            .optional()?;
        let number = match known {
            Some(number) => number,
            None => {
                connection
                    .prepare_cached("INSERT INTO names(kind, text) VALUES (?1, ?2)")?
                    .execute(params![kind as u8, text])?;
                connection.last_insert_rowid() as u32
            }
        };
        if self.numbers.len() >= Self::MOST {
            self.numbers.clear();
        }
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// Forgets everything: after a transaction that was taken back, numbers may be wrong.
    pub(crate) fn forget(&mut self) {
        self.numbers.clear();
    }
}

/// The text of a number.
pub(crate) fn text_of(connection: &Connection, number: u32) -> rusqlite::Result<String> {
    if number == NAMELESS {
        return Ok(String::new());
    }
    let text = connection
        .prepare_cached("SELECT text FROM names WHERE id = ?1")?
        .query_row([number], |row| row.get(0))
        .optional()?;
    Ok(text.unwrap_or_default())
}

/// A text of the user as a query of the full-text index: every word must occur, as written; a
/// word may end with `*`. `None` if there is no word.
pub(crate) fn match_of(text: &str) -> Option<String> {
    let words = text.split_whitespace().filter_map(|word| {
        let (stem, star) = match word.strip_suffix('*') {
            Some(stem) => (stem, "*"),
            None => (word, ""),
        };
        let stem = stem.replace('"', "\"\"");
        let has_letters = stem.chars().any(char::is_alphanumeric);
        has_letters.then(|| format!("\"{stem}\"{star}"))
    });
    let query: Vec<String> = words.collect();
    (!query.is_empty()).then(|| query.join(" "))
}

/// The numbers of all names of a kind that have these words.
pub(crate) fn search(
    connection: &Connection,
    kind: NameKind,
    text: &str,
) -> rusqlite::Result<HashSet<u32>> {
    let Some(query) = match_of(text) else {
        return Ok(HashSet::new());
    };
    let sql = "SELECT names.id FROM names_fts JOIN names ON names.id = names_fts.rowid \
               WHERE names_fts MATCH ?1 AND names.kind = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![query, kind as u8], |row| row.get(0))?;
    rows.collect()
}
