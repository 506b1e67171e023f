//! Work that goes on after a restart: what is to be done, about which games, and what is done.

use crate::{GameId, Store, StoreError};
use rusqlite::{Connection, params};

/// The number of a job in its database. It is never used twice while the job's row is there.
pub type JobId = i64;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptState {
    /// To be done, or being done.
    Open,
    /// Stands still until the user lets it go on.
    Paused,
    /// Nothing will happen any more: it is finished, or the user has cancelled it.
    Over,
}

impl KeptState {
    const fn cell(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Paused => 1,
            Self::Over => 2,
        }
    }

    const fn of(cell: u8) -> Self {
        match cell {
            0 => Self::Open,
            1 => Self::Paused,
            _ => Self::Over,
        }
    }
}

/// A job that the database remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptJob {
    pub id: JobId,
    /// What kind of work it is, and what exactly, as whoever does it writes it.
    pub kind: String,
    pub spec: String,
    pub state: KeptState,
    /// When it was begun; seconds since 1970.
    pub at: i64,
    /// How many games it is about, how many of them are done, and of how many nothing came.
    pub total: u64,
    pub done: u64,
    pub problems: u64,
}

/// A game of a job that is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStep {
    pub job: JobId,
    pub place: u32,
    /// Why nothing came of it.
    pub problem: Option<String>,
}

pub(crate) fn settle(c: &Connection, step: &JobStep) -> rusqlite::Result<()> {
    let sql = "UPDATE job_games SET is_done = 1, problem = ?3 WHERE job = ?1 AND place = ?2";
    c.prepare_cached(sql)?
        .execute(params![step.job, step.place, step.problem])?;
    Ok(())
}

pub(crate) fn set_state(c: &Connection, job: JobId, state: KeptState) -> rusqlite::Result<()> {
    let sql = "UPDATE jobs SET state = ?2 WHERE id = ?1";
    c.execute(sql, params![job, state.cell()])?;
    Ok(())
}

const JOB_COLUMNS: &str = "SELECT id, kind, spec, state, at, \
     (SELECT count(*) FROM job_games WHERE job = jobs.id), \
     (SELECT count(*) FROM job_games WHERE job = jobs.id AND is_done), \
     (SELECT count(*) FROM job_games WHERE job = jobs.id AND problem IS NOT NULL) FROM jobs";

fn read_job(row: &rusqlite::Row<'_>) -> rusqlite::Result<KeptJob> {
    let count = |at| row.get::<_, i64>(at).map(|n| n as u64);
    Ok(KeptJob {
        id: row.get(0)?,
        kind: row.get(1)?,
        spec: row.get(2)?,
        state: KeptState::of(row.get(3)?),
        at: row.get(4)?,
        total: count(5)?,
        done: count(6)?,
        problems: count(7)?,
    })
}

impl Store {
    /// Writes down what is to be done, about these games in this order. It is on disk when this
    /// returns.
    pub fn begin_job(
        &mut self,
        kind: &str,
        spec: &str,
        games: &[GameId],
        at: i64,
    ) -> Result<KeptJob, StoreError> {
        self.durably(|step, _, _| {
            let sql = "INSERT INTO jobs(kind, spec, state, at) VALUES (?1, ?2, 0, ?3)";
            step.execute(sql, params![kind, spec, at])?;
            let id = step.last_insert_rowid();
            let sql = "INSERT INTO job_games(job, place, game, is_done) VALUES (?1, ?2, ?3, 0)";
            let mut insert = step.prepare_cached(sql)?;
            for (place, game) in games.iter().enumerate() {
                insert.execute(params![id, place as i64, game])?;
            }
            drop(insert);
            step.query_row(&format!("{JOB_COLUMNS} WHERE id = ?1"), [id], read_job)
        })
    }

    /// The jobs that are not over, the oldest first.
    pub fn open_jobs(&self) -> Result<Vec<KeptJob>, StoreError> {
        let sql = format!("{JOB_COLUMNS} WHERE state != 2 ORDER BY id");
        self.jobs(&sql, params![])
    }

    /// A job by its number.
    pub fn job(&self, id: JobId) -> Result<Option<KeptJob>, StoreError> {
        let sql = format!("{JOB_COLUMNS} WHERE id = ?1");
        Ok(self.jobs(&sql, params![id])?.into_iter().next())
    }

    fn jobs(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<KeptJob>, StoreError> {
        let read = || -> rusqlite::Result<Vec<KeptJob>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(params, read_job)?;
            rows.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// The next game of a job: its place and its number.
    pub fn next_of_job(&self, id: JobId) -> Result<Option<(u32, GameId)>, StoreError> {
        let sql = "SELECT place, game FROM job_games WHERE job = ?1 AND NOT is_done \
                   ORDER BY place LIMIT 1";
        let read = || -> rusqlite::Result<Option<(u32, GameId)>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query([id])?;
            let row = rows.next()?;
            row.map(|row| Ok((row.get(0)?, row.get(1)?))).transpose()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// The games of a job of which nothing came, and why.
    pub fn problems_of_job(&self, id: JobId) -> Result<Vec<(GameId, String)>, StoreError> {
        let sql = "SELECT game, problem FROM job_games \
                   WHERE job = ?1 AND problem IS NOT NULL ORDER BY place";
        let read = || -> rusqlite::Result<Vec<(GameId, String)>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }
}
