//! Games that come from elsewhere bit by bit: gathered as PGN, stored some at a time.

use super::{
    LibraryError, Shelf,
    import::{ImportProblem, ImportReport, PROBLEMS_MAX},
    reading::Chunk,
};
use game::pgn;
use std::path::Path;
use store::ImportState;

/// Games that wait are stored when they are so many, or have so many bytes.
const WAITING_MAX: usize = 200;
const WAITING_BYTES_MAX: usize = 4 << 20;

/// Takes games of one source into a database. Games that are there already are counted.
pub struct Intake<'a> {
    shelf: &'a mut dyn Shelf,
    state: ImportState,
    /// Games that are not stored yet.
    text: Vec<u8>,
    slices: Vec<pgn::Slice>,
    report: ImportReport,
}

impl std::fmt::Debug for Intake<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Intake")
            .field("state", &self.state)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<'a> Intake<'a> {
    /// For a source under the name that games remember. What was stored from it before is known.
    pub fn begin(shelf: &'a mut dyn Shelf, source: &str) -> Result<Self, LibraryError> {
        let state = shelf.import_state(source)?;
        let state = state.unwrap_or_else(|| ImportState {
            source: source.to_owned(),
            ..ImportState::default()
        });
        Ok(Self {
            shelf,
            state,
            text: Vec::new(),
            slices: Vec::new(),
            report: ImportReport::default(),
        })
    }

    /// Whether the last run came to the end of the source.
    pub const fn was_finished(&self) -> bool {
        self.state.is_done
    }

    /// Takes the text of one game.
    pub fn take(&mut self, game: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(game);
        self.slices.push(pgn::Slice {
            range: start..self.text.len(),
            line: 1,
            is_cut: game.len() > pgn::GAME_BYTES_MAX,
        });
    }

    /// Counts a game that is too long to be taken.
    pub fn refuse(&mut self) {
        let end = self.text.len();
        self.slices.push(pgn::Slice {
            range: end..end,
            line: 1,
            is_cut: true,
        });
    }

    pub fn n_waiting(&self) -> usize {
        self.slices.len()
    }

    /// Whether so much waits that it should be stored.
    pub fn is_full(&self) -> bool {
        self.slices.len() >= WAITING_MAX || self.text.len() >= WAITING_BYTES_MAX
    }

    /// Stores what waits; what is said in `is_done` is whether the source has no more.
    pub fn store(&mut self, is_done: bool) -> Result<(), LibraryError> {
        if self.slices.is_empty() && self.state.is_done == is_done {
            return Ok(());
        }
        let mut chunk = Chunk::default();
        let source = self.state.source.clone();
        chunk.take_pgn(&self.text, &self.slices, &source, self.report.games);
        self.text.clear();
        self.slices.clear();
        self.state.records += chunk.n_records;
        self.state.problems += chunk.n_problems;
        self.state.is_done = is_done;
        let games = std::mem::take(&mut chunk.games);
        let added = self.shelf.add(games, &mut self.state)?;
        let report = &mut self.report;
        report.games += chunk.n_records;
        report.stored += added.stored as u64;
        report.duplicates += added.duplicates as u64;
        report.n_problems += chunk.n_problems;
        let room = PROBLEMS_MAX.saturating_sub(report.problems.len());
        let problems = chunk.problems.into_iter().take(room);
        report
            .problems
            .extend(problems.map(|(place, message)| ImportProblem {
                file: Path::new(&source).to_owned(),
                place: Some(place),
                message,
            }));
        Ok(())
    }

    /// Up to which time games of the source are here, in seconds since 1970.
    pub fn fetched_until(&self) -> Result<Option<i64>, LibraryError> {
        self.shelf.fetched_until(&self.state.source)
    }

    /// Notes up to which time they are; they were stored before.
    pub fn set_fetched_until(&mut self, at: i64) -> Result<(), LibraryError> {
        self.shelf.set_fetched_until(&self.state.source, at)
    }

    pub const fn report(&self) -> &ImportReport {
        &self.report
    }
}
