//! A book that grows on several threads: who searches what, and when the file is written.

use super::{BookError, tree_of};
use crate::{
    Analyst, AnalystError, Disk, EngineChoice, Evaluation, Limits,
    input::{BOOK_MAX, InputError, read_from},
    ordered::in_order,
};
use engine::book::{AddError, Answer, Recipe, Tree};
use game::{Control, Move, Score};
use othello::Position;
use std::{
    io::{self, Read as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// How many moves of a position are valued.
const LINES: usize = 8;
/// Each thread's table: more than searches of the usual depths fill. What a search finds depends on
/// it, so that it is the same for everybody.
const HASH_MB: usize = 16;
/// The file is written after so much time, however quick the searches are.
const SAVE_MS: u64 = 5_000;

/// How much a book is to grow, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// How many positions it has in the end; [`Wish::MOST_POSITIONS`] if nobody says.
    pub positions: Option<usize>,
    /// See [`Recipe`]; as before if nobody says.
    pub depth: Option<u32>,
    /// See [`Recipe`]; as before if nobody says.
    pub plies: Option<u32>,
    /// When it ends at the latest, on the clock handed in.
    pub until_ms: Option<u64>,
    /// How many positions are searched at the same time; the book does not depend on it.
    pub workers: usize,
}

impl Wish {
    /// No book has more positions.
    pub const MOST_POSITIONS: usize = 1_000_000;
}

/// Why a book grows no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It has as many positions as were asked for.
    Enough,
    /// The time is over.
    OutOfTime,
    /// Somebody set the stop flag.
    Stopped,
    /// There is no position left that is near enough to the start.
    Complete,
}

/// How far a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub positions: usize,
    /// What the start is worth to Black.
    pub value: Option<Score>,
}

/// Why a book cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum GrowError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    #[error("cannot write {path}: {source}", path = path.display())]
    Write { path: PathBuf, source: io::Error },
    /// Somebody else works on it.
    #[error(
        "{path} was changed by another program while the book grew; nothing was written over it",
        path = path.display()
    )]
    Changed { path: PathBuf },
    /// A search gave nothing that a book can keep.
    #[error("the search of {position} is of no use: {source}")]
    Search {
        position: Position,
        source: AddError,
    },
}

/// A book in a file that can grow.
#[derive(Debug)]
pub struct GrownBook {
    disk: Disk,
    path: PathBuf,
    tree: Tree,
    /// The beginning of the file as it was read or written last.
    stamp: Option<Vec<u8>>,
    saved_ms: Option<u64>,
}

impl GrownBook {
    /// Opens a file; one that is not there is begun when the first position was searched. A file
    /// that is no grown book is refused.
    pub fn open(disk: Disk, path: &Path) -> Result<Self, GrowError> {
        let mut book = Self {
            disk,
            path: path.to_owned(),
            tree: Tree::new(),
            stamp: None,
            saved_ms: None,
        };
        book.stamp = book.beginning()?;
        if book.stamp.is_some() {
            let bytes = read_from(&book.disk, path, BOOK_MAX).map_err(BookError::from)?;
            book.tree = tree_of(path, &bytes)?;
        }
        Ok(book)
    }

    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Searches positions until the wish is fulfilled, and writes the file now and then. Searches
    /// that are under way at a stop are lost, nothing else is.
    ///
    /// The same wishes make the same file, whatever the number of workers and interruptions.
    pub fn grow(
        &mut self,
        evaluation: &Evaluation,
        wish: &Wish,
        now_ms: &(dyn Fn() -> u64 + Sync),
        stop: &AtomicBool,
        mut told: impl FnMut(Progress),
    ) -> Result<Ended, GrowError> {
        let most = wish.positions.unwrap_or(usize::MAX);
        let most = most.min(Wish::MOST_POSITIONS);
        if self.tree.len() >= most {
            return Ok(Ended::Enough);
        }
        let one = || Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, HASH_MB, 1);
        let workers = (0..wish.workers.max(1)).map(|_| one());
        let mut analysts = workers.collect::<Result<Vec<_>, _>>()?;
        let before = self.tree.recipe();
        let recipe = Recipe {
            depth: wish.depth.unwrap_or(before.depth),
            plies: wish.plies.unwrap_or(before.plies),
        };
        let source = analysts.first().map(|it| it.source().to_string());
        self.tree.grow_by(recipe, &source.unwrap_or_default());
        let searching = Searching {
            depth: recipe.depth,
            until_ms: wish.until_ms,
            now_ms,
            stop,
        };
        let ended = loop {
            if self.tree.len() >= most {
                break Ended::Enough;
            }
            if searching.is_late() {
                break Ended::OutOfTime;
            }
            if stop.load(Ordering::Relaxed) {
                break Ended::Stopped;
            }
            let mut planned = self.tree.plan();
            if planned.is_empty() {
                break Ended::Complete;
            }
            planned.truncate(most - self.tree.len());
            self.search(&mut analysts, &planned, &searching, &mut told)?;
        };
        if !self.tree.is_empty() {
            self.save()?;
        }
        Ok(ended)
    }

    /// Searches positions side by side and keeps what is found, in their order.
    fn search(
        &mut self,
        analysts: &mut [Analyst],
        planned: &[Position],
        searching: &Searching<'_>,
        told: &mut impl FnMut(Progress),
    ) -> Result<(), GrowError> {
        let entry = self.tree.entry(&self.tree.values(), Position::START);
        let value = entry.map(|it| Score::centi(it.value));
        let look = |analyst: &mut &mut Analyst, number: u64| {
            let position = planned[number as usize];
            let answer = searching.look(analyst, position)?;
            Some((position, answer))
        };
        let mut failure = None;
        let workers = analysts.iter_mut().collect();
        in_order(
            workers,
            0..planned.len() as u64,
            look,
            |(position, answer)| {
                if let Err(error) = self.keep(position, &answer, (searching.now_ms)()) {
                    failure = Some(error);
                    // Searches under way are of no use any more.
                    searching.stop.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(());
                }
                told(Progress {
                    positions: self.tree.len(),
                    value,
                });
                ControlFlow::Continue(())
            },
        );
        failure.map_or(Ok(()), Err)
    }

    fn keep(&mut self, position: Position, answer: &Answer, now_ms: u64) -> Result<(), GrowError> {
        let added = self.tree.add(position, answer);
        added.map_err(|source| GrowError::Search { position, source })?;
        // The first position shows whether the file can be written at all.
        let is_due = |saved_ms| now_ms.saturating_sub(saved_ms) >= SAVE_MS;
        if self.saved_ms.is_none_or(is_due) {
            self.save()?;
            self.saved_ms = Some(now_ms);
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), GrowError> {
        let found = self.beginning()?;
        if found.is_some() && found != self.stamp {
            return Err(GrowError::Changed {
                path: self.path.clone(),
            });
        }
        let bytes = self.tree.to_bytes();
        self.disk
            .replace(&self.path, &bytes)
            .map_err(|source| GrowError::Write {
                path: self.path.clone(),
                source,
            })?;
        self.stamp = Some(bytes.into_iter().take(Tree::STAMP).collect());
        Ok(())
    }

    /// The beginning of the file, if there is one.
    fn beginning(&self) -> Result<Option<Vec<u8>>, GrowError> {
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            let file = self.disk.open(&self.path)?;
            file.take(Tree::STAMP as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => {
                let path = self.path.clone();
                Err(BookError::from(InputError::Read { path, source }).into())
            }
        }
    }
}

/// How positions are searched, and what ends it.
struct Searching<'a> {
    depth: u32,
    until_ms: Option<u64>,
    now_ms: &'a (dyn Fn() -> u64 + Sync),
    stop: &'a AtomicBool,
}

impl Searching<'_> {
    fn is_late(&self) -> bool {
        self.until_ms.is_some_and(|until| (self.now_ms)() >= until)
    }

    /// What a position's moves are worth; `None` if it was not searched to the end.
    fn look(&self, analyst: &mut Analyst, position: Position) -> Option<Answer> {
        let limits = Limits {
            depth: Some(self.depth),
            lines: LINES,
            exact_empties: 0,
            ..Limits::default()
        };
        let control = Control {
            now_ms: &|| 0,
            stop: self.stop,
            // Between two depths there is time to look at the clock.
            observe: &mut |_| {
                if self.is_late() {
                    self.stop.store(true, Ordering::Relaxed);
                }
            },
        };
        // What other positions left in the table would make an answer depend on who got which.
        analyst.clear();
        let report = analyst.search(position, &limits, control);
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let value = |line: &game::Line| {
            let square = line
                .moves
                .first()
                .copied()
                .and_then(Move::othello)?
                .square();
            Some((square?, line.score.hundredths()))
        };
        Some(Answer {
            depth: report.depth.max(1),
            moves: report.lines.iter().filter_map(value).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        EvaluatorChoice,
        disk::testing::{Call, Failure, Fault, Memory},
    };
    use std::sync::Arc;

    const PATH: &str = "/books/own.book";

    fn wish(positions: usize, workers: usize) -> Wish {
        Wish {
            positions: Some(positions),
            depth: Some(3),
            plies: None,
            until_ms: None,
            workers,
        }
    }

    fn classic() -> Evaluation {
        Evaluation::shipped(EvaluatorChoice::Classic).unwrap()
    }

    fn open(memory: &Arc<Memory>) -> Result<GrownBook, GrowError> {
        GrownBook::open(memory.disk(), Path::new(PATH))
    }

    /// Grows the book on a disk.
    fn grow(memory: &Arc<Memory>, wish: &Wish) -> Result<Ended, GrowError> {
        let stop = AtomicBool::new(false);
        open(memory)?.grow(&classic(), wish, &|| 0, &stop, |_| {})
    }

    fn disk() -> Arc<Memory> {
        let memory = Memory::new();
        memory.disk().make_folder(Path::new("/books")).unwrap();
        memory
    }

    fn file(memory: &Memory) -> Vec<u8> {
        memory.contents(Path::new(PATH)).unwrap()
    }

    #[test]
    fn a_file_depends_neither_on_workers_nor_on_interruptions() {
        let whole = disk();
        assert_eq!(grow(&whole, &wish(90, 1)).unwrap(), Ended::Enough);
        let tree = Tree::from_bytes(&file(&whole)).unwrap();
        assert_eq!(tree.len(), 90);
        assert!(
            tree.source().contains("classic:shipped"),
            "{}",
            tree.source()
        );
        let parts = disk();
        for positions in [1, 2, 40, 41, 90] {
            grow(&parts, &wish(positions, 3)).unwrap();
        }
        assert_eq!(file(&parts), file(&whole));
        // As many as asked for: nothing is searched, and the file stays.
        assert_eq!(grow(&parts, &wish(50, 1)).unwrap(), Ended::Enough);
        assert_eq!(file(&parts), file(&whole));

        let stopped = disk();
        let stop = AtomicBool::new(false);
        let mut book = open(&stopped).unwrap();
        let end = |progress: Progress| {
            stop.fetch_or(progress.positions == 33, Ordering::Relaxed);
        };
        let ended = book.grow(&classic(), &wish(90, 2), &|| 0, &stop, end);
        assert_eq!(ended.unwrap(), Ended::Stopped);
        let n = Tree::from_bytes(&file(&stopped)).unwrap().len();
        assert!((33..90).contains(&n), "{n}");
        grow(&stopped, &wish(90, 2)).unwrap();
        assert_eq!(file(&stopped), file(&whole));
    }

    #[test]
    fn settings_stay_time_ends_it_and_a_small_book_is_complete() {
        let memory = disk();
        let small = Wish {
            plies: Some(3),
            positions: None,
            ..wish(0, 1)
        };
        assert_eq!(grow(&memory, &small).unwrap(), Ended::Complete);
        let n = open(&memory).unwrap().tree().len();
        let silent = Wish {
            depth: None,
            plies: None,
            positions: None,
            ..small
        };
        assert_eq!(grow(&memory, &silent).unwrap(), Ended::Complete);
        let book = open(&memory).unwrap();
        assert_eq!(book.tree().len(), n);
        assert_eq!(book.tree().recipe(), Recipe { depth: 3, plies: 3 });
        let late = Wish {
            plies: Some(20),
            until_ms: Some(0),
            ..small
        };
        assert_eq!(grow(&memory, &late).unwrap(), Ended::OutOfTime);
    }

    #[test]
    fn what_is_no_grown_book_or_changes_meanwhile_is_left_alone() {
        let memory = disk();
        memory.put(Path::new(PATH), b"{}");
        let error = grow(&memory, &wish(5, 1)).unwrap_err().to_string();
        assert!(error.ends_with("own.book: not a grown book: it does not begin with KBTZBOOK"));
        assert_eq!(file(&memory), b"{}");

        let memory = disk();
        grow(&memory, &wish(5, 1)).unwrap();
        let mut late = open(&memory).unwrap();
        grow(&memory, &wish(9, 1)).unwrap();
        let other = file(&memory);
        let stop = AtomicBool::new(false);
        let error = late.grow(&classic(), &wish(8, 1), &|| 0, &stop, |_| {});
        assert!(matches!(error, Err(GrowError::Changed { .. })), "{error:?}");
        assert_eq!(file(&memory), other);
    }

    #[test]
    fn a_disk_that_cannot_be_written_to_is_told_at_once() {
        let memory = disk();
        memory.fail(Fault::always(Call::Write, Failure::NoSpace));
        let error = grow(&memory, &wish(500, 2)).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot write /books/own.book: "),
            "{error}"
        );
    }
}
