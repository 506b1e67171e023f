//! Files of games into the store: read in order, hashed on all cores, written by one thread.
//!
//! A chunk of games and how far the file was read are stored together, so that an import that was
//! stopped or killed goes on where it was. At most a few chunks are in memory at once.

use super::{
    reading::{Chunk, names_stamp, read_othello, read_pgn},
    unpack::{Counted, FileFormat, Unpacked, Unreadable, members},
};
use othello::notation::{Format, WthorDirectory};
use std::{
    fmt,
    fs::{File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    time::UNIX_EPOCH,
};
use store::{Added, ImportState, NewGame, Store, StoreError, Writer};

/// Chunks that wait for the writer beside the one that is being made: none, for one of chess takes
/// 40 MB.
const WAITING: usize = 0;

/// Problems that are kept to be told one by one.
pub(super) const PROBLEMS_MAX: usize = 1_000;

/// An import that cannot go on. What was stored before stays, and the same call goes on after it.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the writing thread told.
    #[error(transparent)]
    Shared(#[from] Arc<StoreError>),
    #[error(transparent)]
    Query(#[from] super::QueryError),
    /// The result cannot be written.
    #[error("cannot write the games: {0}")]
    Write(io::Error),
    /// A stored game cannot be replayed.
    #[error("the game cannot be replayed: {0}")]
    Record(game::AnnotationError),
}

/// A record, or a whole file, that could not be stored. It is left out; the others go in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The file, with the name inside of it if it is an archive.
    pub file: PathBuf,
    /// None for a file that could not be read at all.
    pub place: Option<RecordPlace>,
    /// What was found and what would be right.
    pub message: String,
}

impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "record {}", place.record)?;
            if let Some(line) = place.line {
                write!(f, ", line {line}")?;
            }
            if let Some(column) = place.column {
                write!(f, ", column {column}")?;
            }
            write!(f, ": ")?;
        }
        f.write_str(&self.message)
    }
}

/// Where a record stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPlace {
    /// Counted from 1; bad records count too.
    pub record: u64,
    /// Counted from 1; files that are no text have none.
    pub line: Option<u64>,
    /// Counted from 1, in letters; where it is known.
    pub column: Option<u64>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Files that were read.
    pub files: u64,
    /// Files, and files in archives, that could not be read, or not to their end.
    pub unread: u64,
    /// Records that were read, good ones and bad ones.
    pub games: u64,
    pub stored: u64,
    pub duplicates: u64,
    /// How many records and files could not be read, and the first of them.
    pub n_problems: u64,
    pub problems: Vec<ImportProblem>,
    /// Whether the user stopped it.
    pub is_stopped: bool,
}

/// How far an import is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// The file that is read.
    pub path: &'a Path,
    /// Bytes of all files that were read, and that there are: their quotient is what is done.
    pub read_bytes: u64,
    pub total_bytes: u64,
    pub report: &'a ImportReport,
}

/// The outside of an import: a progress that is told after each chunk, and a wish to stop.
#[derive(Clone, Copy)]
pub struct Importing<'a> {
    pub tell: &'a dyn Fn(Progress<'_>),
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Whether files that were read before are read from their beginning.
    pub anew: bool,
}

impl std::fmt::Debug for Importing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Importing")
    }
}

/// Where imported games go: a database of one's own, or that of the program's writing thread.
pub trait Shelf {
    fn import_state(&self, source: &str) -> Result<Option<ImportState>, LibraryError>;
    /// How many games were ever deleted.
    fn n_deleted(&self) -> Result<i64, LibraryError>;
    /// Deletes the games of a file whose players have no names.
    fn delete_nameless(&mut self, source: &str, read_as: &[&str]) -> Result<(), LibraryError>;
    /// Stores games and how far the import has come, together.
    fn add(&mut self, games: Vec<NewGame>, state: &mut ImportState) -> Result<Added, LibraryError>;
    /// Up to which time games of a source far away are here, in seconds since 1970.
    fn fetched_until(&self, source: &str) -> Result<Option<i64>, LibraryError>;
    /// Notes up to which time they are, after they were stored.
    fn set_fetched_until(&mut self, source: &str, at: i64) -> Result<(), LibraryError>;
}

impl Shelf for Store {
    fn import_state(&self, source: &str) -> Result<Option<ImportState>, LibraryError> {
        Ok(Self::import_state(self, source)?)
    }

    fn n_deleted(&self) -> Result<i64, LibraryError> {
        Ok(Self::n_deleted(self)?)
    }

    fn delete_nameless(&mut self, source: &str, read_as: &[&str]) -> Result<(), LibraryError> {
        Self::delete_nameless(self, source, read_as)?;
        Ok(())
    }

    fn add(&mut self, games: Vec<NewGame>, state: &mut ImportState) -> Result<Added, LibraryError> {
        Ok(Self::add(self, &games, Some(state))?)
    }

    fn fetched_until(&self, source: &str) -> Result<Option<i64>, LibraryError> {
        Ok(Self::fetched_until(self, source)?)
    }

    fn set_fetched_until(&mut self, source: &str, at: i64) -> Result<(), LibraryError> {
        Ok(Self::set_fetched_until(self, source, at)?)
    }
}

impl Shelf for &Writer {
    fn import_state(&self, source: &str) -> Result<Option<ImportState>, LibraryError> {
        let source = source.to_owned();
        Ok(self.with(move |store| store.import_state(&source))??)
    }

    fn n_deleted(&self) -> Result<i64, LibraryError> {
        Ok(self.with(|store| store.n_deleted())??)
    }

    fn delete_nameless(&mut self, source: &str, read_as: &[&str]) -> Result<(), LibraryError> {
        let source = source.to_owned();
        let read_as: Vec<String> = read_as.iter().map(|&it| it.to_owned()).collect();
        self.with(move |store| {
            let read_as: Vec<&str> = read_as.iter().map(String::as_str).collect();
            store.delete_nameless(&source, &read_as)
        })??;
        Ok(())
    }

    fn add(&mut self, games: Vec<NewGame>, state: &mut ImportState) -> Result<Added, LibraryError> {
        let mut theirs = state.clone();
        let (added, theirs) = self.with(move |store| {
            let added = store.add(&games, Some(&mut theirs));
            (added, theirs)
        })?;
        *state = theirs;
        Ok(added?)
    }

    fn fetched_until(&self, source: &str) -> Result<Option<i64>, LibraryError> {
        let source = source.to_owned();
        Ok(self.with(move |store| store.fetched_until(&source))??)
    }

    fn set_fetched_until(&mut self, source: &str, at: i64) -> Result<(), LibraryError> {
        let source = source.to_owned();
        Ok(self.with(move |store| store.set_fetched_until(&source, at))??)
    }
}

/// Reads files into the store, one after the other. Of files that were read before, only what is
/// new is read. A file that cannot be read is told in the report, and the others are read.
pub fn import(
    shelf: &mut dyn Shelf,
    files: &[PathBuf],
    outside: Importing<'_>,
) -> Result<ImportReport, LibraryError> {
    let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |it| it.len());
    let mut run = Run {
        outside,
        report: ImportReport::default(),
        before_bytes: 0,
        total_bytes: files.iter().map(length).sum(),
        names: Vec::new(),
    };
    for path in files {
        if (outside.is_stopped)() {
            run.report.is_stopped = true;
            break;
        }
        run.file(shelf, path)?;
        run.before_bytes += length(path);
    }
    // Names that lie beside games were read with them.
    if run.report.games == 0 && !run.report.is_stopped {
        for (path, message) in std::mem::take(&mut run.names) {
            run.refuse(path, message);
        }
    }
    Ok(run.report)
}

struct Run<'a> {
    outside: Importing<'a>,
    report: ImportReport,
    /// Bytes of the files before this one.
    before_bytes: u64,
    total_bytes: u64,
    /// Files that have names and no games, and what to say about them.
    names: Vec<(PathBuf, String)>,
}

impl Run<'_> {
    /// Tells of a file that cannot be read.
    fn refuse(&mut self, file: PathBuf, message: String) {
        self.report.unread += 1;
        self.report.n_problems += 1;
        if self.report.problems.len() < PROBLEMS_MAX {
            self.report.problems.push(ImportProblem {
                file,
                place: None,
                message,
            });
        }
    }

    fn file(&mut self, shelf: &mut dyn Shelf, path: &Path) -> Result<(), LibraryError> {
        let opened = File::open(path).and_then(|file| {
            let known = file.metadata()?;
            Ok((file, known))
        });
        let (file, known) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.refuse(path.to_owned(), format!("cannot be read: {error}"));
                return Ok(());
            }
        };
        let counted = Counted::new(file);
        let n_read = Arc::clone(&counted.n_read);
        let unread_before = self.report.unread;
        let mut is_any = false;
        members(path, counted, &mut |member| {
            if self.report.is_stopped {
                return Ok(());
            }
            let member: Unpacked<'_> = match member {
                Ok(member) => member,
                Err(Unreadable { file, reason }) => {
                    self.refuse(file, reason);
                    return Ok(());
                }
            };
            match member.format {
                FileFormat::Names(what) => {
                    let expected = "expected a file of games (.wtb) beside it";
                    let message = format!("it has {what} and no games; {expected}");
                    self.names.push((member.label, message));
                }
                FileFormat::Archive(what) => {
                    let expected = "expected a file of games, plain or as .zst, .gz, .bz2 or .zip";
                    let message = format!("it is {what}; {expected}: unpack it first");
                    self.refuse(member.label, message);
                }
                format => {
                    is_any = true;
                    let source = Source::of(&member, path, &known);
                    let told = |_: &Chunk| n_read.load(std::sync::atomic::Ordering::Relaxed);
                    self.member(shelf, path, member, format, source, &told)?;
                }
            }
            Ok(())
        })?;
        self.report.files += u64::from(is_any || self.report.unread == unread_before);
        Ok(())
    }

    fn member(
        &mut self,
        shelf: &mut dyn Shelf,
        path: &Path,
        member: Unpacked<'_>,
        format: FileFormat,
        source: Source,
        n_read: &dyn Fn(&Chunk) -> u64,
    ) -> Result<(), LibraryError> {
        let mut deleted = shelf.n_deleted()?;
        let state = shelf.import_state(&source.full)?;
        // A file that was read is read again if somebody wishes that, if games were deleted since,
        // and if there is something to tell about it.
        let is_current = |it: &ImportState| it.deleted == deleted && it.problems == 0;
        let state = state.filter(|it| !self.outside.anew && (!it.is_done || is_current(it)));
        if state.is_none() && source.was_nameless(shelf)? {
            shelf.delete_nameless(&member.name, &[&source.nameless, &source.before])?;
            deleted = shelf.n_deleted()?;
        }
        let mut state = state.unwrap_or_else(|| ImportState {
            source: source.full,
            deleted,
            ..ImportState::default()
        });
        if state.is_done {
            self.report.games += state.records;
            self.report.duplicates += state.stored + state.duplicates;
            return Ok(());
        }
        let directory = match format {
            FileFormat::Othello(Format::Wthor) => member.directory(path),
            _ => WthorDirectory::default(),
        };
        let (sender, chunks) = sync_channel::<Chunk>(WAITING);
        let skip = state.records;
        let (name, label, reader) = (member.name, member.label, member.reader);
        std::thread::scope(|scope| {
            let (directory, name) = (&directory, &name[..]);
            let read = move || match format {
                FileFormat::Othello(format) => {
                    read_othello(format, reader, directory, name, skip, &sender);
                }
                _ => read_pgn(reader, name, skip, &sender),
            };
            scope.spawn(read);
            self.store_chunks(shelf, (path, &label), &chunks, &mut state, n_read)
        })
    }

    /// The writer's side: stores chunks until there are no more, or the user stops. Beside the path
    /// stands what problems call the file.
    fn store_chunks(
        &mut self,
        shelf: &mut dyn Shelf,
        (path, label): (&Path, &Path),
        chunks: &Receiver<Chunk>,
        state: &mut ImportState,
        n_read: &dyn Fn(&Chunk) -> u64,
    ) -> Result<(), LibraryError> {
        for mut chunk in chunks {
            state.records += chunk.n_records;
            state.problems += chunk.n_problems;
            state.is_done = chunk.is_last && !chunk.is_broken;
            let added = shelf.add(std::mem::take(&mut chunk.games), state)?;
            let report = &mut self.report;
            report.games += chunk.n_records;
            report.stored += added.stored as u64;
            report.duplicates += added.duplicates as u64;
            report.n_problems += chunk.n_problems;
            report.unread += u64::from(chunk.is_broken);
            let read_bytes = self.before_bytes + n_read(&chunk);
            let room = PROBLEMS_MAX.saturating_sub(report.problems.len());
            let problems = chunk.problems.into_iter().take(room);
            report
                .problems
                .extend(problems.map(|(place, message)| ImportProblem {
                    file: label.to_owned(),
                    place: Some(place),
                    message,
                }));
            (self.outside.tell)(Progress {
                path,
                read_bytes: read_bytes.min(self.total_bytes),
                total_bytes: self.total_bytes,
                report,
            });
            if (self.outside.is_stopped)() {
                report.is_stopped = true;
                break;
            }
        }
        Ok(())
    }
}

/// A file by its name, length, beginning and the time of its last change: one that has changed is
/// read again, and its games that are there already are counted as duplicates.
struct Source {
    /// As databases knew it that did not look at the time.
    before: String,
    /// Without the names of WTHOR players and tournaments, which stand in other files.
    nameless: String,
    full: String,
}

impl Source {
    fn of(member: &Unpacked<'_>, path: &Path, known: &Metadata) -> Self {
        let sum = engine::checksum::checksum(&member.head);
        let before = format!("{} {} {sum:016x}", member.name, known.len());
        let nameless = format!("{before} {:x}", changed_at(known));
        let names = match member.format {
            FileFormat::Othello(Format::Wthor) => names_stamp(path),
            _ => String::new(),
        };
        Self {
            full: format!("{nameless}{names}"),
            before,
            nameless,
        }
    }

    /// Whether the file was read before there were names for its players.
    fn was_nameless(&self, shelf: &dyn Shelf) -> Result<bool, LibraryError> {
        Ok(self.full != self.nameless
            && (shelf.import_state(&self.nameless)?.is_some()
                || shelf.import_state(&self.before)?.is_some()))
    }
}

/// When a file was last changed, in nanoseconds since 1970; 0 where the system does not say.
pub(super) fn changed_at(known: &Metadata) -> u128 {
    let at = known.modified().ok();
    let at = at.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    at.map_or(0, |it| it.as_nanos())
}

#[cfg(test)]
mod tests;
