//! Whether a database is sound, and how large it is.

use crate::{
    GameId, Store, StoreError,
    classes::hash_of,
    columns::{self, Column},
    games::packed_of,
    often::{Directory, Often},
};
use std::collections::{HashMap, HashSet};

/// What a class says: which places have which hash and move, and how often.
type Cells = HashMap<(u32, u32, u8), usize>;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    pub games: u64,
    /// Games whose positions were replayed and compared with the columns.
    pub replayed: u64,
    /// What is wrong; empty for a sound database.
    pub problems: Vec<String>,
}

/// How much there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    pub games: u64,
    pub names: u64,
    pub batches: u64,
    /// How much a database has of everything.
    pub tail: u64,
    pub notes: u64,
    pub bytes: u64,
}

impl Store {
    /// Checks the file and the rows, and replays every `every`-th game of each batch. What cannot
    /// be read is a problem, and the rest is looked at all the same.
    pub fn check(&self, every: usize) -> Result<Checked, StoreError> {
        self.try_check(every.max(1))
            .map_err(|error| self.wrong(&error))
    }

    fn try_check(&self, every: usize) -> rusqlite::Result<Checked> {
        let c = &self.connection;
        let mut checked = Checked::default();
        let verdict = c.query_row("PRAGMA quick_check", [], |row| row.get::<_, String>(0));
        match verdict {
            Ok(verdict) if verdict == "ok" => {}
            Ok(verdict) => checked.problems.push(format!("SQLite says: {verdict}")),
            Err(error) => checked.problems.push(format!("SQLite says: {error}")),
        }
        match self.count("SELECT count(*) FROM games") {
            Ok(games) => checked.games = games,
            Err(error) => checked
                .problems
                .push(format!("the games cannot be counted: {error}")),
        }
        let mut statement = c.prepare("SELECT id, n FROM batches ORDER BY id")?;
        let batches = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (batch, n) in batches.collect::<rusqlite::Result<Vec<(i64, i64)>>>()? {
            if let Err(error) = self.check_batch(batch, n, every, &mut checked) {
                let problem = format!("batch {batch} of {n} games cannot be read: {error}");
                checked.problems.push(problem);
            }
        }
        Ok(checked)
    }

    fn check_batch(
        &self,
        batch: i64,
        n: i64,
        every: usize,
        checked: &mut Checked,
    ) -> rusqlite::Result<()> {
        let c = &self.connection;
        let ids: Vec<GameId> = columns::read(c, batch, Column::Id)?;
        if ids.len() as i64 != n {
            let found = ids.len();
            let problem = format!("batch {batch} has numbers for {found} of its {n} games");
            checked.problems.push(problem);
        }
        let sql = "SELECT count(*) FROM games WHERE batch = ?1";
        let rows: i64 = c.query_row(sql, [batch], |row| row.get(0))?;
        let alive = ids.iter().filter(|id| **id != 0).count();
        if rows != alive as i64 {
            let problem = format!("batch {batch} has {alive} games in columns, {rows} in rows");
            checked.problems.push(problem);
        }
        let sample = ids.iter().enumerate().step_by(every);
        let sample: Vec<(u32, GameId)> = sample
            .filter(|(_, id)| **id != 0)
            .map(|(place, id)| (place as u32, *id))
            .collect();
        let wanted: HashSet<u32> = sample.iter().map(|it| it.0).collect();
        let mut classes: HashMap<u16, Cells> = HashMap::new();
        for class in columns::classes_of(c, batch, Column::Class)? {
            let cells = columns::with_class(c, batch, class, |found| {
                let mut cells = Cells::new();
                for cell in found.all().filter(|it| wanted.contains(&it.0)) {
                    *cells.entry(cell).or_default() += 1;
                }
                cells
            })?;
            classes.insert(class, cells.unwrap_or_default());
        }
        self.check_often(batch, &ids, checked)?;
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for (cell, n) in classes.values().flatten() {
            *counts.entry(cell.0).or_default() += n;
        }
        for (place, id) in sample {
            checked.replayed += 1;
            let n_cells = counts.get(&place).copied().unwrap_or(0);
            match self.compare(id, place, n_cells, &classes) {
                Ok(problem) => checked.problems.extend(problem),
                Err(error) => checked
                    .problems
                    .push(format!("game {id} cannot be read: {error}")),
            }
        }
        Ok(())
    }

    /// Compares what a batch has counted with the arrays that it was counted from.
    fn check_often(
        &self,
        batch: i64,
        ids: &[GameId],
        checked: &mut Checked,
    ) -> rusqlite::Result<()> {
        let c = &self.connection;
        for class in columns::classes_of(c, batch, Column::Often)? {
            let all = columns::with_bytes(c, batch, Column::Often(class), |bytes| {
                Directory::new(bytes).and_then(|it| it.all())
            })?;
            let Some(all) = all.flatten() else {
                let problem = format!("batch {batch}: the counts of class {class} cannot be read");
                checked.problems.push(problem);
                continue;
            };
            let is_alive = |place: u32| ids.get(place as usize).is_some_and(|id| *id != 0);
            let wrong = columns::with_class(c, batch, class, |found| {
                let is_wrong = |(key, often): &&(u64, Often)| {
                    let is_it = |place| is_alive(place) && !often.others.contains(&place);
                    let n = found.find((key >> 32) as u32, is_it).len() as u64;
                    // A game may have met the position and another one with its bits.
                    n > often.games() || n + (often.others.len() as u64) < often.games()
                };
                all.iter().filter(is_wrong).count()
            })?;
            if wrong != Some(0) {
                let problem = format!("batch {batch}: counts of class {class} are wrong");
                checked.problems.push(problem);
            }
        }
        Ok(())
    }

    /// What is wrong with a game in its columns.
    fn compare(
        &self,
        id: GameId,
        place: u32,
        n_cells: usize,
        classes: &HashMap<u16, Cells>,
    ) -> rusqlite::Result<Option<String>> {
        let Some(packed) = packed_of(&self.connection, id)? else {
            return Ok(Some(format!("game {id} is in a batch and has no row")));
        };
        let prints = match packed.footprints() {
            Ok(prints) => prints,
            Err(error) => return Ok(Some(format!("game {id}: {error}"))),
        };
        let is_there = |print: &game::Footprint| {
            let cell = (place, hash_of(print.key), print.next);
            classes
                .get(&print.class)
                .is_some_and(|it| it.contains_key(&cell))
        };
        let wrong = prints.iter().position(|print| !is_there(print));
        let wrong = wrong
            .map(|ply| format!("game {id}: its position after {ply} moves is not in its column"));
        let superfluous = (n_cells != prints.len()).then(|| {
            let wanted = prints.len();
            format!("game {id} has {wanted} positions, and {n_cells} of them in columns")
        });
        Ok(wrong.or(superfluous))
    }

    fn count(&self, sql: &str) -> rusqlite::Result<u64> {
        let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        self.connection.query_row(sql, [], count).map(|n| n as u64)
    }

    /// Counts what the database has.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let stats = || -> rusqlite::Result<Stats> {
            Ok(Stats {
                games: self.count("SELECT count(*) FROM games")?,
                names: self.count("SELECT count(*) FROM names")?,
                batches: self.count("SELECT count(*) FROM batches")?,
                tail: self.count("SELECT count(*) FROM games WHERE batch IS NULL")?,
                notes: self.count("SELECT count(*) FROM notes")?,
                bytes: self.count(
                    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
                )?,
            })
        };
        stats().map_err(|error| self.wrong(&error))
    }
}
