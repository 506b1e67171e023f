//! Files of games into the store: read in order, hashed on all cores, written by one thread.
//!
//! A chunk of games and how far the file was read are stored together, so that an import that was
//! stopped or killed goes on where it was. At most a few chunks are in memory at once.

use super::{
    convert::{othello_game, pgn_game},
    unpack::{Counted, FileFormat, Unpacked, members},
};
use game::pgn;
use othello::notation::{At, ProblemKind, Record, WthorDirectory, WthorNames, read_records};
use rayon::prelude::*;
use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
};
use store::{Added, ImportState, NewGame, Store, StoreError, Writer};

/// Games that are hashed and stored together, or fewer if their text is longer than this.
const CHUNK: usize = 16_384;
const CHUNK_BYTES: usize = 12 << 20;

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
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Query(#[from] super::QueryError),
    /// The archive cannot be unpacked.
    #[error("cannot unpack {}: {detail}", path.display())]
    Archive { path: PathBuf, detail: String },
    /// The result cannot be written.
    #[error("cannot write the games: {0}")]
    Write(io::Error),
    /// A stored game cannot be replayed.
    #[error("the game cannot be replayed: {0}")]
    Record(game::AnnotationError),
    /// A file of names is no file of games.
    #[error("{} has {what} and no games; expected a file of games (.wtb) beside it", path.display())]
    Names { path: PathBuf, what: &'static str },
}

/// A record that could not be stored. It is left out; the others go in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    pub file: PathBuf,
    pub place: RecordPlace,
    /// What was found and what would be right.
    pub message: String,
}

impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, message, .. } = self;
        write!(f, "record {}", place.record)?;
        if let Some(line) = place.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {message}")
    }
}

/// Where a record stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPlace {
    /// Counted from 1; bad records count too.
    pub record: u64,
    /// Counted from 1; files that are no text have none.
    pub line: Option<u64>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    pub files: u64,
    /// Records that were read, good ones and bad ones.
    pub games: u64,
    pub stored: u64,
    pub duplicates: u64,
    /// How many records could not be read, and the first of them.
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
}

impl std::fmt::Debug for Importing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Importing")
    }
}

/// Where imported games go: a database of one's own, or that of the program's writing thread.
pub trait Shelf {
    fn import_state(&self, source: &str) -> Result<Option<ImportState>, LibraryError>;
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
/// new is read.
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
    };
    for path in files {
        if (outside.is_stopped)() {
            run.report.is_stopped = true;
            break;
        }
        run.file(shelf, path)?;
        run.report.files += 1;
        run.before_bytes += length(path);
    }
    Ok(run.report)
}

/// Some records of a file, hashed.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) games: Vec<NewGame>,
    pub(super) problems: Vec<(RecordPlace, String)>,
    pub(super) n_problems: u64,
    pub(super) n_records: u64,
    is_last: bool,
}

struct Run<'a> {
    outside: Importing<'a>,
    report: ImportReport,
    /// Bytes of the files before this one.
    before_bytes: u64,
    total_bytes: u64,
}

impl Run<'_> {
    fn file(&mut self, shelf: &mut dyn Shelf, path: &Path) -> Result<(), LibraryError> {
        let unread = |source| LibraryError::Read {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unread)?;
        let bytes = file.metadata().map_err(unread)?.len();
        let counted = Counted::new(file);
        let n_read = Arc::clone(&counted.n_read);
        let mut is_any = false;
        let mut only_names = None;
        members(path, counted, &mut |member: Unpacked<'_>| {
            if self.report.is_stopped {
                return Ok(());
            }
            match member.format {
                FileFormat::Names(what) => only_names = Some(what),
                format => {
                    is_any = true;
                    let source = source_name(&member.name, bytes, &member.head);
                    let told = |_: &Chunk| n_read.load(std::sync::atomic::Ordering::Relaxed);
                    self.member(shelf, path, member, format, source, &told)?;
                }
            }
            Ok(())
        })?;
        match only_names {
            Some(what) if !is_any => Err(LibraryError::Names {
                path: path.to_owned(),
                what,
            }),
            _ => Ok(()),
        }
    }

    fn member(
        &mut self,
        shelf: &mut dyn Shelf,
        path: &Path,
        member: Unpacked<'_>,
        format: FileFormat,
        source: String,
        n_read: &dyn Fn(&Chunk) -> u64,
    ) -> Result<(), LibraryError> {
        let mut state = shelf.import_state(&source)?.unwrap_or_else(|| ImportState {
            source,
            ..ImportState::default()
        });
        if state.is_done {
            self.report.games += state.records;
            self.report.duplicates += state.stored + state.duplicates;
            self.report.n_problems += state.problems;
            return Ok(());
        }
        let directory = match format {
            FileFormat::Othello(othello::notation::Format::Wthor) => member.directory(path),
            _ => WthorDirectory::default(),
        };
        let (sender, chunks) = sync_channel::<Chunk>(WAITING);
        let skip = state.records;
        let (name, reader) = (member.name, member.reader);
        std::thread::scope(|scope| {
            let (directory, name) = (&directory, &name[..]);
            let read = move || match format {
                FileFormat::Othello(format) => {
                    read_othello(format, reader, directory, name, skip, &sender);
                }
                _ => read_pgn(reader, name, skip, &sender),
            };
            scope.spawn(read);
            self.store_chunks(shelf, path, &chunks, &mut state, n_read)
        })
    }

    /// The writer's side: stores chunks until there are no more, or the user stops.
    fn store_chunks(
        &mut self,
        shelf: &mut dyn Shelf,
        path: &Path,
        chunks: &Receiver<Chunk>,
        state: &mut ImportState,
        n_read: &dyn Fn(&Chunk) -> u64,
    ) -> Result<(), LibraryError> {
        for mut chunk in chunks {
            state.records += chunk.n_records;
            state.problems += chunk.n_problems;
            state.is_done = chunk.is_last;
            let added = shelf.add(std::mem::take(&mut chunk.games), state)?;
            let report = &mut self.report;
            report.games += chunk.n_records;
            report.stored += added.stored as u64;
            report.duplicates += added.duplicates as u64;
            report.n_problems += chunk.n_problems;
            let read_bytes = self.before_bytes + n_read(&chunk);
            let room = PROBLEMS_MAX.saturating_sub(report.problems.len());
            let problems = chunk.problems.into_iter().take(room);
            let file = path.to_owned();
            report
                .problems
                .extend(problems.map(|(place, message)| ImportProblem {
                    file: file.clone(),
                    place,
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

/// The reader's side for Othello: records in order, hashed on all cores, chunk by chunk. It ends
/// when the writer has gone.
fn read_othello(
    format: othello::notation::Format,
    reader: impl BufRead,
    directory: &WthorDirectory,
    source: &str,
    skip: u64,
    sender: &SyncSender<Chunk>,
) {
    let mut records = read_records(format, reader, directory).skip(skip as usize);
    let mut before = skip;
    loop {
        let mut found: Vec<(RecordPlace, Record)> = Vec::with_capacity(CHUNK);
        let mut chunk = Chunk::default();
        while chunk.n_records < CHUNK as u64 && !chunk.is_last {
            match records.next() {
                None => chunk.is_last = true,
                Some(Ok(record)) => {
                    chunk.n_records += 1;
                    let place = RecordPlace {
                        record: before + chunk.n_records,
                        line: None,
                    };
                    found.push((place, record));
                }
                Some(Err(problem)) => {
                    chunk.n_records += 1;
                    let place = RecordPlace {
                        record: problem.place.record,
                        line: match problem.place.at {
                            At::Line(line) => Some(line),
                            At::Byte(_) => None,
                        },
                    };
                    chunk.note(place, problem.kind.to_string());
                    // A source that cannot be read any further says so only once.
                    chunk.is_last = matches!(problem.kind, ProblemKind::Io { .. });
                }
            }
        }
        let made = found.par_iter().map(|(place, record)| {
            othello_game(record, source).map_err(|message| (*place, message))
        });
        chunk.take(made.collect());
        before += chunk.n_records;
        let is_last = chunk.is_last;
        if sender.send(chunk).is_err() || is_last {
            return;
        }
    }
}

/// The reader's side for chess.
fn read_pgn(reader: impl BufRead, source: &str, skip: u64, sender: &SyncSender<Chunk>) {
    let mut splitter = pgn::Splitter::new(reader);
    let mut text = Vec::new();
    for _ in 0..skip {
        text.clear();
        if !matches!(splitter.next_into(&mut text), Ok(Some(_))) {
            break;
        }
    }
    let mut before = skip;
    loop {
        text.clear();
        let mut slices = Vec::with_capacity(CHUNK);
        let mut chunk = Chunk::default();
        while slices.len() < CHUNK && text.len() < CHUNK_BYTES && !chunk.is_last {
            match splitter.next_into(&mut text) {
                Ok(Some(slice)) => slices.push(slice),
                Ok(None) => chunk.is_last = true,
                Err(error) => {
                    let place = RecordPlace {
                        record: before + slices.len() as u64 + 1,
                        line: None,
                    };
                    chunk.note(
                        place,
                        format!("the file cannot be read any further: {error}"),
                    );
                    chunk.is_last = true;
                }
            }
        }
        chunk.take_pgn(&text, &slices, source, before);
        before += chunk.n_records;
        let is_last = chunk.is_last;
        if sender.send(chunk).is_err() || is_last {
            return;
        }
    }
}

impl Chunk {
    fn note(&mut self, place: RecordPlace, problem: String) {
        self.n_problems += 1;
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push((place, problem));
        }
    }

    /// Reads games of a text on all cores. So many records were before them.
    pub(super) fn take_pgn(
        &mut self,
        text: &[u8],
        slices: &[pgn::Slice],
        source: &str,
        before: u64,
    ) {
        self.n_records = slices.len() as u64;
        let made = slices.par_iter().enumerate().map(|(at, slice)| {
            let text = &text[slice.range.clone()];
            let place = |line| RecordPlace {
                record: before + at as u64 + 1,
                line: Some(line),
            };
            if slice.is_cut {
                let most = pgn::GAME_BYTES_MAX >> 20;
                let message = format!("the game is longer than {most} MB");
                return Err((place(slice.line), message));
            }
            let game = pgn::read(text, slice.line);
            let game = game.map_err(|error| (place(error.line), error.problem))?;
            Ok(pgn_game(game, source))
        });
        self.take(made.collect());
    }

    fn take(&mut self, made: Vec<Result<NewGame, (RecordPlace, String)>>) {
        self.games.reserve(made.len());
        for game in made {
            match game {
                Ok(game) => self.games.push(game),
                Err((place, message)) => self.note(place, message),
            }
        }
    }
}

/// The names of WTHOR players and tournaments, from the files that lie beside the games.
pub(super) fn names_beside(path: &Path) -> WthorDirectory {
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |names: [&str; 2]| {
        let open = |name| File::open(folder.join(name)).ok();
        names.into_iter().find_map(open).map(BufReader::new)
    };
    WthorDirectory {
        players: names_of(open(["WTH.JOU", "wth.jou"])),
        tournaments: names_of(open(["WTH.TRN", "wth.trn"])),
    }
}

/// Names as far as they can be read.
pub(super) fn names_of<const WIDTH: usize>(file: Option<impl Read>) -> WthorNames<WIDTH> {
    let names = file.and_then(|it| WthorNames::read(it).ok());
    names.map(|it| it.0).unwrap_or_default()
}

/// A file by its name, length and beginning: one that has grown is read again, and its games that
/// are there already are counted as duplicates.
fn source_name(name: &str, bytes: u64, head: &[u8]) -> String {
    let sum = engine::checksum::checksum(head);
    format!("{name} {bytes} {sum:016x}")
}
