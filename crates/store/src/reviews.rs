//! Reviews of lines of moves, and what those of many games show together.

use crate::{
    Filter, GameId, JobStep, Order, Store, StoreError,
    games::{squeezed, unsqueezed},
    jobs, names,
    plan::Plan,
};
use game::{Kind, Packed, Side};
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// Stands for a line of moves from its start: equal for all games with these moves, whoever played
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineKey(u64);

impl LineKey {
    pub fn of(packed: &Packed) -> Self {
        let mut digest = Sha256::new();
        digest.update([packed.kind as u8]);
        if let Some(start) = &packed.start {
            digest.update(start.to_string());
        }
        digest.update([0]);
        digest.update(&packed.moves);
        let digest = digest.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(u64::from_le_bytes(first))
    }

    const fn cell(self) -> i64 {
        self.0 as i64
    }
}

/// What a side did in a phase of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewPart {
    pub side: Side,
    /// As the maker names it.
    pub phase: String,
    pub moves: u32,
    /// Moves where there was something to choose from.
    pub choices: u32,
    /// What the moves cost together, in hundredths.
    pub loss: i64,
    /// The sum of the accuracies, from 0 to 100, of the moves with a choice.
    pub accuracy: f64,
}

/// A move that gave something away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptMistake {
    /// Which move of the game it is, from 1; passes are not counted.
    pub number: u32,
    pub side: Side,
    /// Phase, severity and class as the maker names them; a mistake may have no class.
    pub phase: String,
    pub severity: String,
    pub class: Option<String>,
    /// What it cost, in hundredths of discs.
    pub loss: i64,
}

/// What a review of a line found, or has found so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    pub line: LineKey,
    /// Who made it, with what: another engine or effort is another review.
    pub maker: String,
    /// Whether every move was looked at.
    pub is_done: bool,
    /// When it came this far; seconds since 1970.
    pub at: i64,
    /// The opening's name; empty if it has none.
    pub opening: String,
    pub parts: Vec<ReviewPart>,
    pub mistakes: Vec<KeptMistake>,
    /// As the maker writes it.
    pub data: Vec<u8>,
}

/// One side of a reviewed game.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedSide {
    pub game: GameId,
    /// yyyymmdd, with zeros for what is not known.
    pub date: u32,
    pub side: Side,
    pub name: String,
    /// The opening's name; empty if it has none.
    pub opening: String,
    pub parts: Vec<ReviewPart>,
    pub mistakes: Vec<KeptMistake>,
}

impl ReviewedSide {
    /// The mean accuracy of the moves with a choice, from 0 to 100.
    pub fn accuracy(&self) -> Option<f64> {
        let choices: u32 = self.parts.iter().map(|it| it.choices).sum();
        let sum: f64 = self.parts.iter().map(|it| it.accuracy).sum();
        (choices > 0).then(|| sum / f64::from(choices))
    }
}

fn side_of(number: u8) -> Side {
    if number == Side::White as u8 {
        Side::White
    } else {
        Side::Black
    }
}

/// Keeps a review in the place of what its maker had found before, and says which game it is of.
pub(crate) fn keep(
    c: &Connection,
    it: &Review,
    game: Option<GameId>,
    step: Option<&JobStep>,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO reviews(line, maker, is_done, at, opening, data) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(line, maker) DO UPDATE SET \
               is_done = excluded.is_done, at = excluded.at, opening = excluded.opening, \
               data = excluded.data RETURNING id";
    let id: i64 = c.prepare_cached(sql)?.query_row(
        params![
            it.line.cell(),
            it.maker,
            it.is_done,
            it.at,
            it.opening,
            squeezed(it.data.clone())
        ],
        |row| row.get(0),
    )?;
    forget_parts(c, id)?;
    let sql = "INSERT INTO review_parts(review, side, phase, moves, choices, loss, accuracy) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = c.prepare_cached(sql)?;
    for part in &it.parts {
        let ReviewPart {
            side,
            phase,
            moves,
            choices,
            loss,
            accuracy,
        } = part;
        insert.execute(params![
            id,
            *side as u8,
            phase,
            moves,
            choices,
            loss,
            accuracy
        ])?;
    }
    let sql = "INSERT OR REPLACE INTO mistakes(review, number, side, phase, severity, class, loss) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = c.prepare_cached(sql)?;
    for mistake in &it.mistakes {
        insert.execute(params![
            id,
            mistake.number,
            mistake.side as u8,
            mistake.phase,
            mistake.severity,
            mistake.class,
            mistake.loss
        ])?;
    }
    if let Some(game) = game {
        let sql = "INSERT OR REPLACE INTO reviewed(game, line) \
                   SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM games WHERE id = ?1)";
        c.prepare_cached(sql)?
            .execute(params![game, it.line.cell()])?;
    }
    step.map_or(Ok(()), |step| jobs::settle(c, step))
}

fn forget_parts(c: &Connection, review: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM review_parts WHERE review = ?1")?
        .execute([review])?;
    c.prepare_cached("DELETE FROM mistakes WHERE review = ?1")?
        .execute([review])?;
    Ok(())
}

/// Forgets that a game was reviewed, and the reviews of its line unless another game has it.
pub(crate) fn forget(c: &Connection, game: GameId) -> rusqlite::Result<()> {
    let line: Option<i64> = c
        .query_row("SELECT line FROM reviewed WHERE game = ?1", [game], |row| {
            row.get(0)
        })
        .optional()?;
    let Some(line) = line else { return Ok(()) };
    c.execute("DELETE FROM reviewed WHERE game = ?1", [game])?;
    let others: i64 = c.query_row(
        "SELECT count(*) FROM reviewed WHERE line = ?1",
        [line],
        |row| row.get(0),
    )?;
    if others > 0 {
        return Ok(());
    }
    let mut statement = c.prepare("SELECT id FROM reviews WHERE line = ?1")?;
    let ids = statement.query_map([line], |row| row.get(0))?;
    for id in ids.collect::<rusqlite::Result<Vec<i64>>>()? {
        forget_parts(c, id)?;
    }
    c.execute("DELETE FROM reviews WHERE line = ?1", [line])?;
    Ok(())
}

/// The reviewed games that a filter's wishes about reviews leave; `None` if it has none.
pub(crate) fn wanted(c: &Connection, filter: &Filter) -> rusqlite::Result<Option<HashSet<GameId>>> {
    if !filter.is_reviewed && filter.mistake.is_none() && filter.phase.is_none() {
        return Ok(None);
    }
    let sql = "SELECT DISTINCT reviewed.game FROM reviewed \
               JOIN reviews ON reviews.line = reviewed.line AND reviews.is_done \
               WHERE (?1 IS NULL AND ?2 IS NULL) OR EXISTS (SELECT 1 FROM mistakes \
               WHERE review = reviews.id AND (?1 IS NULL OR class = ?1) \
               AND (?2 IS NULL OR phase = ?2))";
    let mut statement = c.prepare_cached(sql)?;
    let rows = statement.query_map(params![filter.mistake, filter.phase], |row| row.get(0))?;
    rows.collect::<rusqlite::Result<HashSet<GameId>>>()
        .map(Some)
}

fn parts_of(c: &Connection, review: i64) -> rusqlite::Result<Vec<ReviewPart>> {
    let sql = "SELECT side, phase, moves, choices, loss, accuracy FROM review_parts \
               WHERE review = ?1";
    let mut statement = c.prepare_cached(sql)?;
    let rows = statement.query_map([review], |row| {
        Ok(ReviewPart {
            side: side_of(row.get(0)?),
            phase: row.get(1)?,
            moves: row.get(2)?,
            choices: row.get(3)?,
            loss: row.get(4)?,
            accuracy: row.get(5)?,
        })
    })?;
    rows.collect()
}

fn mistakes_of(c: &Connection, review: i64) -> rusqlite::Result<Vec<KeptMistake>> {
    let sql = "SELECT number, side, phase, severity, class, loss FROM mistakes \
               WHERE review = ?1 ORDER BY number";
    let mut statement = c.prepare_cached(sql)?;
    let rows = statement.query_map([review], |row| {
        Ok(KeptMistake {
            number: row.get(0)?,
            side: side_of(row.get(1)?),
            phase: row.get(2)?,
            severity: row.get(3)?,
            class: row.get(4)?,
            loss: row.get(5)?,
        })
    })?;
    rows.collect()
}

impl Store {
    /// What a maker has found about a line.
    pub fn review(&self, line: LineKey, maker: &str) -> Result<Option<Review>, StoreError> {
        let sql = "SELECT id, line, maker, is_done, at, opening, data FROM reviews \
                   WHERE line = ?1 AND maker = ?2";
        self.one_review(sql, params![line.cell(), maker])
    }

    /// The best review of a line: a finished one before others, then the newest.
    pub fn best_review(&self, line: LineKey) -> Result<Option<Review>, StoreError> {
        let sql = "SELECT id, line, maker, is_done, at, opening, data FROM reviews \
                   WHERE line = ?1 ORDER BY is_done DESC, at DESC, id DESC LIMIT 1";
        self.one_review(sql, params![line.cell()])
    }

    fn one_review(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
    ) -> Result<Option<Review>, StoreError> {
        let c = &self.connection;
        let read = || -> rusqlite::Result<Option<Review>> {
            let mut statement = c.prepare_cached(sql)?;
            let mut rows = statement.query(params)?;
            let Some(row) = rows.next()? else {
                return Ok(None);
            };
            let id = row.get(0)?;
            Ok(Some(Review {
                line: LineKey(row.get::<_, i64>(1)? as u64),
                maker: row.get(2)?,
                is_done: row.get(3)?,
                at: row.get(4)?,
                opening: row.get(5)?,
                data: unsqueezed(row.get(6)?),
                parts: parts_of(c, id)?,
                mistakes: mistakes_of(c, id)?,
            }))
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// The sides of the reviewed games that pass a filter: those of the player that the filter
    /// names, else the user's own, else, where the database does not know under which names the
    /// user plays, both. Of several finished reviews of a game the newest counts.
    pub fn reviewed_sides(&self, filter: &Filter) -> Result<Vec<ReviewedSide>, StoreError> {
        self.check_text(filter)?;
        let filter = Filter {
            is_reviewed: true,
            ..filter.clone()
        };
        let read = || {
            self.refresh()?;
            let plan = Plan::of(&self.connection, &filter)?;
            let mut sides = Vec::new();
            for id in plan.ids(self)? {
                self.sides_of(id, &plan, &mut sides)?;
            }
            sides.sort_by_key(|it| (it.date, it.game));
            Ok(sides)
        };
        read().map_err(|error: rusqlite::Error| self.wrong(&error))
    }

    fn sides_of(
        &self,
        id: GameId,
        plan: &Plan<'_>,
        sides: &mut Vec<ReviewedSide>,
    ) -> rusqlite::Result<()> {
        let c = &self.connection;
        let sql = "SELECT reviews.id, reviews.opening, games.date, games.black, games.white \
                   FROM reviewed JOIN reviews ON reviews.line = reviewed.line AND reviews.is_done \
                   JOIN games ON games.id = reviewed.game WHERE reviewed.game = ?1 \
                   ORDER BY reviews.at DESC, reviews.id DESC LIMIT 1";
        let mut statement = c.prepare_cached(sql)?;
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else {
            return Ok(());
        };
        let review: i64 = row.get(0)?;
        let (parts, mistakes) = (parts_of(c, review)?, mistakes_of(c, review)?);
        for (side, column) in [(Side::Black, 3), (Side::White, 4)] {
            let number: u32 = row.get(column)?;
            if !plan.is_about(number) {
                continue;
            }
            sides.push(ReviewedSide {
                game: id,
                date: row.get(2)?,
                side,
                name: names::text_of(c, number)?,
                opening: row.get(1)?,
                parts: parts.iter().filter(|it| it.side == side).cloned().collect(),
                mistakes: mistakes
                    .iter()
                    .filter(|it| it.side == side)
                    .cloned()
                    .collect(),
            });
        }
        Ok(())
    }

    /// The games of a kind that pass a filter and have no finished review, the newest first.
    pub fn unreviewed(
        &self,
        filter: &Filter,
        kind: Kind,
        most: usize,
    ) -> Result<Vec<GameId>, StoreError> {
        let done = Filter {
            is_reviewed: true,
            ..Filter::default()
        };
        let done: HashSet<GameId> = self.find_ids(&done, Order::Added)?.into_iter().collect();
        let filter = Filter {
            kind: Some(kind),
            ..filter.clone()
        };
        let mut ids = self.find_ids(&filter, Order::Newest)?;
        ids.retain(|id| !done.contains(id));
        ids.truncate(most);
        Ok(ids)
    }
}
