//! What is known beside the games: analyses with who made them, counted moves, features, tags,
//! saved searches, and the names of the user.

use crate::{
    GameId, Store, StoreError,
    names::{self, NameKind, Names, NumberSet},
};
use game::{Bound, Kind, Position, Reach, Report, Score, Source, Trail};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashSet;

/// What an analysis found about a position, and who found it how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The position as it was analysed.
    pub position: String,
    pub source: Source,
    /// What ended the search, as whoever asked writes it.
    pub limits: String,
    pub reach: Reach,
    pub selective_depth: Option<u32>,
    /// For the side to move.
    pub score: Score,
    pub bound: Bound,
    /// Moves in coordinates; the first is the best.
    pub line: String,
    pub nodes: u64,
    pub time_ms: u64,
}

impl Analysis {
    /// What of a report is kept.
    pub fn of(report: &Report, limits: &str) -> Self {
        let best = report.lines.first();
        let line = best.map_or(&[][..], |line| &line.moves[..]);
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        Self {
            position: report.position.to_string(),
            source: report.source.clone(),
            limits: limits.to_owned(),
            reach: Reach {
                solved: report.solved,
                depth: report.depth,
            },
            selective_depth: report.selective_depth,
            score: report.score,
            bound: report.bound,
            line: line.join(" "),
            nodes: report.nodes,
            time_ms: report.time_ms,
        }
    }
}

/// The value of a move, for the side that makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valued {
    pub score: Score,
    pub reach: Reach,
    pub source: Source,
}

/// How often a move was tried in games against oneself and in trees, and how that ended for the
/// side that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveCount {
    pub from: Position,
    pub action: game::Move,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The mean of the games' scores, in hundredths.
    pub score: f64,
    pub novelty: f64,
}

/// Features of a position for the side to move, and the version of the engine that counted them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features {
    pub position: Position,
    pub mobility: i32,
    pub potential_mobility: i32,
    pub frontier: i32,
    pub stability: i32,
    pub parity: i32,
    pub corners: i32,
    pub x_squares: i32,
    pub version: String,
}

/// Moves of a position that are kept: those with fewer visits are forgotten.
pub(crate) const MOVES_MAX: i64 = 64;

pub(crate) fn keep_position(c: &Connection, position: &Position) -> rusqlite::Result<i64> {
    let trail = Trail::of(position);
    let sql = "INSERT OR IGNORE INTO positions(hash, kind, text) VALUES (?1, ?2, ?3)";
    let key = trail.key as i64;
    c.prepare_cached(sql)?
        .execute(params![key, trail.kind() as u8, position.to_string()])?;
    Ok(key)
}

pub(crate) fn keep_analysis(c: &Connection, report: &Report, limits: &str) -> rusqlite::Result<()> {
    let key = keep_position(c, &report.position)?;
    let it = Analysis::of(report, limits);
    let bound = match it.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let sql = "INSERT OR REPLACE INTO analyses(hash, kind, engine, version, weights, limits, depth, \
               selective_depth, is_solved, score, bound, line, position, nodes, time_ms) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    c.prepare_cached(sql)?.execute(params![
        key,
        report.position.kind() as u8,
        it.source.engine,
        it.source.version,
        it.source.weights.unwrap_or_default(),
        it.limits,
        it.reach.depth,
        it.selective_depth,
        it.reach.solved,
        it.score.to_number(),
        bound,
        it.line,
        it.position,
        it.nodes as i64,
        it.time_ms as i64,
    ])?;
    Ok(())
}

/// The analyses of a position, solved ones first, then the deepest.
pub(crate) fn analyses_of(c: &Connection, key: u64, kind: Kind) -> rusqlite::Result<Vec<Analysis>> {
    let sql = "SELECT position, engine, version, weights, limits, depth, selective_depth, \
               is_solved, score, bound, line, nodes, time_ms FROM analyses \
               WHERE hash = ?1 AND kind = ?2 ORDER BY is_solved DESC, depth DESC";
    let mut statement = c.prepare_cached(sql)?;
    let rows = statement.query_map(params![key as i64, kind as u8], |row| {
        let weights: String = row.get(3)?;
        Ok(Analysis {
            position: row.get(0)?,
            source: Source {
                engine: row.get(1)?,
                version: row.get(2)?,
                weights: (!weights.is_empty()).then_some(weights),
            },
            limits: row.get(4)?,
            reach: Reach {
                depth: row.get(5)?,
                solved: row.get(7)?,
            },
            selective_depth: row.get(6)?,
            score: Score::from_number(row.get(8)?),
            bound: match row.get::<_, u8>(9)? {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            line: row.get(10)?,
            nodes: row.get::<_, i64>(11)? as u64,
            time_ms: row.get::<_, i64>(12)? as u64,
        })
    })?;
    rows.collect()
}

/// The best known value of a move, by the position that it leads to.
pub(crate) fn value_of(c: &Connection, key: u64, kind: Kind) -> rusqlite::Result<Option<Valued>> {
    let best = analyses_of(c, key, kind)?.into_iter().next();
    Ok(best.map(|it| Valued {
        score: -it.score,
        reach: it.reach,
        source: it.source,
    }))
}

pub(crate) fn count_move(c: &Connection, it: &MoveCount) -> rusqlite::Result<()> {
    let Ok(after) = it.from.play(it.action) else {
        return Ok(());
    };
    let (from, to) = (keep_position(c, &it.from)?, Trail::of(&after).key as i64);
    let visits = (it.wins + it.draws + it.losses) as i64;
    let sql = "INSERT INTO moves(from_hash, move, to_hash, visits, wins, draws, losses, avg_score, \
               novelty) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO UPDATE SET \
               avg_score = (avg_score * visits + excluded.avg_score * excluded.visits) \
               / max(1, visits + excluded.visits), visits = visits + excluded.visits, \
               wins = wins + excluded.wins, draws = draws + excluded.draws, \
               losses = losses + excluded.losses, novelty = excluded.novelty";
    c.prepare_cached(sql)?.execute(params![
        from,
        it.action.to_string(),
        to,
        visits,
        it.wins as i64,
        it.draws as i64,
        it.losses as i64,
        it.score,
        it.novelty,
    ])?;
    // SQLite would plan the deletion anew for every position, which takes longer than the rest.
    let count = "SELECT count(*) FROM moves WHERE from_hash = ?1";
    let n: i64 = c
        .prepare_cached(count)?
        .query_row([from], |row| row.get(0))?;
    if n <= MOVES_MAX {
        return Ok(());
    }
    let few = "DELETE FROM moves WHERE from_hash = ?1 AND move NOT IN \
               (SELECT move FROM moves WHERE from_hash = ?1 ORDER BY visits DESC, move LIMIT ?2)";
    c.prepare_cached(few)?.execute([from, MOVES_MAX])?;
    Ok(())
}

pub(crate) fn keep_features(c: &Connection, it: &Features) -> rusqlite::Result<()> {
    let key = keep_position(c, &it.position)?;
    let sql = "INSERT OR REPLACE INTO features(hash, mobility, pot_mob, frontier, stability, \
               parity, corners, x_squares, computed_engine_ver) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    c.prepare_cached(sql)?.execute(params![
        key,
        it.mobility,
        it.potential_mobility,
        it.frontier,
        it.stability,
        it.parity,
        it.corners,
        it.x_squares,
        it.version,
    ])?;
    Ok(())
}

pub(crate) fn set_tag(
    c: &Connection,
    names: &mut Names,
    game: GameId,
    tag: &str,
    is_set: bool,
) -> rusqlite::Result<()> {
    let number = names.number(c, NameKind::Tag, tag.trim())?;
    let sql = if is_set {
        "INSERT OR IGNORE INTO game_tags(tag, game) VALUES (?1, ?2)"
    } else {
        "DELETE FROM game_tags WHERE tag = ?1 AND game = ?2"
    };
    c.prepare_cached(sql)?.execute([number, game])?;
    Ok(())
}

/// The games that have all these tags; `None` if none is asked for.
pub(crate) fn tagged(c: &Connection, tags: &[String]) -> rusqlite::Result<Option<HashSet<GameId>>> {
    let mut all: Option<HashSet<GameId>> = None;
    for tag in tags {
        let number = names::find(c, NameKind::Tag, tag.trim())?;
        let mut statement = c.prepare_cached("SELECT game FROM game_tags WHERE tag = ?1")?;
        let rows = statement.query_map([number], |row| row.get(0))?;
        let some = rows.collect::<rusqlite::Result<HashSet<GameId>>>()?;
        all = Some(match all {
            Some(all) => &all & &some,
            None => some,
        });
    }
    Ok(all)
}

/// The names under which the user plays.
pub(crate) fn selves(c: &Connection) -> rusqlite::Result<NumberSet> {
    let mut statement = c.prepare_cached("SELECT name FROM selves")?;
    let rows = statement.query_map([], |row| row.get::<_, u32>(0))?;
    rows.collect()
}

pub(crate) fn save_search(c: &Connection, name: &str, query: Option<&str>) -> rusqlite::Result<()> {
    match query {
        Some(query) => {
            let sql = "INSERT OR REPLACE INTO searches(name, query) VALUES (?1, ?2)";
            c.execute(sql, [name, query])?;
        }
        None => {
            c.execute("DELETE FROM searches WHERE name = ?1", [name])?;
        }
    }
    Ok(())
}

impl Store {
    /// The analyses of a position, whichever way the board is turned.
    pub fn analyses(&self, position: &Position) -> Result<Vec<Analysis>, StoreError> {
        let trail = Trail::of(position);
        analyses_of(&self.connection, trail.key, trail.kind()).map_err(|error| self.wrong(&error))
    }

    /// The words that the user gave to a game.
    pub fn tags(&self, game: GameId) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT text FROM game_tags JOIN names ON names.id = game_tags.tag \
                   WHERE game = ?1 ORDER BY text";
        self.texts(sql, params![game])
    }

    /// The query that was saved under a name.
    pub fn saved_search(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT query FROM searches WHERE name = ?1";
        let found = self.connection.query_row(sql, [name], |row| row.get(0));
        found.optional().map_err(|error| self.wrong(&error))
    }

    /// The names of saved searches.
    pub fn saved_searches(&self) -> Result<Vec<String>, StoreError> {
        self.texts("SELECT name FROM searches ORDER BY name", params![])
    }

    /// The names under which the user plays.
    pub fn selves(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT text FROM selves JOIN names ON names.id = selves.name ORDER BY text";
        self.texts(sql, params![])
    }

    /// Says under which names the user plays, in the place of what was said before. It is on disk
    /// when this returns.
    pub fn set_selves(&mut self, texts: &[String]) -> Result<(), StoreError> {
        self.durably(|step, names, _| {
            step.execute("DELETE FROM selves", [])?;
            for text in texts {
                let number = names.number(step, NameKind::Player, text.trim())?;
                step.execute("INSERT OR IGNORE INTO selves(name) VALUES (?1)", [number])?;
            }
            Ok(())
        })
    }

    fn texts(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<String>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(params, |row| row.get(0))?;
            rows.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }
}
