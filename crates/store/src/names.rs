//! Players and events: each text is stored once, and games have its number.

use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashMap;

/// What a name names. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    Player = 0,
    Event = 1,
    /// A file that games came from.
    Source = 2,
    /// A word that the user gives to games.
    Tag = 3,
}

/// The number of no name.
pub(crate) const NAMELESS: u32 = 0;

/// Numbers that were looked up already. They never change, so that other programs' new names are
/// all that this can lack.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<(NameKind, String), u32>,
    /// How long the names are together.
    bytes: usize,
}

impl Names {
    /// More names than this, or longer ones, are forgotten, so that an import of any size fits into
    /// the memory.
    const MOST: usize = 200_000;
    const BYTES_MOST: usize = 16 << 20;

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
        let number = match find(connection, kind, text)? {
            Some(number) => number,
            None => {
                connection
                    .prepare_cached("INSERT INTO names(kind, text) VALUES (?1, ?2)")?
                    .execute(params![kind as u8, text])?;
                connection.last_insert_rowid() as u32
            }
        };
        if self.numbers.len() >= Self::MOST || self.bytes >= Self::BYTES_MOST {
            self.forget();
        }
        self.bytes += text.len();
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// Forgets everything: after a transaction that was taken back, numbers may be wrong.
    pub(crate) fn forget(&mut self) {
        self.numbers.clear();
        self.bytes = 0;
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
    // A zero would end the query.
    let is_between = |letter: char| letter.is_whitespace() || letter.is_control();
    let words = text.split(is_between).filter_map(|word| {
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

/// The parts of a text that may be found in different names: words, and words in double quotes, which
/// stand in one name.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for (at, some) in text.split('"').enumerate() {
        if at % 2 == 1 {
            parts.push(some);
        } else {
            parts.extend(some.split_whitespace());
        }
    }
    parts.retain(|it| match_of(it).is_some());
    parts
}

/// Some numbers of names. Asking for one is one look at a bit: whole columns are asked about.
#[derive(Debug, Default)]
pub(crate) struct NumberSet {
    words: Vec<u64>,
    n: usize,
}

impl NumberSet {
    pub(crate) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.n += usize::from(!self.contains(number));
        self.words[word] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Sets the marks of the cells whose numbers are in the set. A few numbers are compared one by
    /// one, which takes vector instructions; of many, each cell is one look at a bit.
    pub(crate) fn mark(&self, marks: &mut [bool], cells: impl Iterator<Item = u32> + Clone) {
        const FEW: usize = 6;
        if self.n > FEW {
            for (mark, cell) in marks.iter_mut().zip(cells) {
                *mark |= self.contains(cell);
            }
            return;
        }
        for number in self.iter() {
            for (mark, cell) in marks.iter_mut().zip(cells.clone()) {
                *mark |= cell == number;
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.words).filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit: u32| 64 * at + bit)
        })
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.n == 0
    }
}

impl NumberSet {
    /// The numbers that are in all of some sets; none if there are no sets.
    pub(crate) fn common(sets: &[Self]) -> Self {
        let Some((first, others)) = sets.split_first() else {
            return Self::default();
        };
        let is_common = |it: &u32| others.iter().all(|set| set.contains(*it));
        first.iter().filter(is_common).collect()
    }
}

impl FromIterator<u32> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

/// The number of a name that is there already.
pub(crate) fn find(
    connection: &Connection,
    kind: NameKind,
    text: &str,
) -> rusqlite::Result<Option<u32>> {
    connection
        .prepare_cached("SELECT id FROM names WHERE kind = ?1 AND text = ?2")?
        .query_row(params![kind as u8, text], |row| row.get(0))
        .optional()
}

/// The numbers of all names of some kinds that have these words.
pub(crate) fn search(
    connection: &Connection,
    kinds: &[NameKind],
    text: &str,
) -> rusqlite::Result<NumberSet> {
    let Some(query) = match_of(text) else {
        return Ok(NumberSet::default());
    };
    let sql = "SELECT names.id, names.kind FROM names_fts \
               JOIN names ON names.id = names_fts.rowid WHERE names_fts MATCH ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([query])?;
    let mut set = NumberSet::default();
    while let Some(row) = rows.next()? {
        let kind: u8 = row.get(1)?;
        if kinds.iter().any(|it| *it as u8 == kind) {
            set.insert(row.get(0)?);
        }
    }
    Ok(set)
}
