//! Files of games into the store: read in order, hashed on all cores, written by one thread.
//!
//! A chunk of games and how far the file was read are stored together, so that an import that was
//! stopped or killed goes on where it was. At most a few chunks are in memory at once.

use super::date_number;
use game::Packed;
use othello::notation::{
    Format, Problem, ProblemKind, Record, WthorDirectory, detect, read_records,
};
use rayon::prelude::*;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};
use store::{ImportState, NewGame, Store, StoreError};

/// Games that are hashed and stored together.
const CHUNK: usize = 16_384;

/// Chunks that wait for the writer.
const WAITING: usize = 1;

/// Problems that are kept to be told one by one.
const PROBLEMS_MAX: usize = 1_000;

/// How much of a file is looked at to tell its format.
const BUFFER_BYTES: usize = 1 << 16;

/// An import that cannot go on. What was stored before stays, and the same call goes on after it.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// A file of names is no file of games.
    #[error("{} has {what} and no games; expected a file of games (.wtb) beside it", path.display())]
    Names { path: PathBuf, what: &'static str },
}

/// A record that could not be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    pub file: PathBuf,
    /// Where it is and what was expected.
    pub message: String,
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

/// The outside of an import: a progress that is told after each chunk, and a wish to stop.
#[derive(Clone, Copy)]
pub struct Importing<'a> {
    /// Gets the file, the bytes read of it, and the report so far.
    pub tell: &'a dyn Fn(&Path, u64, &ImportReport),
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Importing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Importing")
    }
}

/// Reads files into the store, one after the other. Of files that were read before, only what is
/// new is read.
pub fn import(
    store: &mut Store,
    files: &[PathBuf],
    outside: Importing<'_>,
) -> Result<ImportReport, LibraryError> {
    let mut report = ImportReport::default();
    for path in files {
        if (outside.is_stopped)() {
            report.is_stopped = true;
            break;
        }
        import_file(store, path, outside, &mut report)?;
        report.files += 1;
    }
    Ok(report)
}

/// Counts what was read of a file.
struct Counted<R> {
    inner: R,
    n: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.n
            .fetch_add(n as u64, std::sync::atomic::Ordering::Relaxed);
        Ok(n)
    }
}

/// Some records of a file, hashed.
struct Chunk {
    games: Vec<NewGame>,
    problems: Vec<String>,
    n_problems: u64,
    n_records: u64,
    is_last: bool,
}

fn import_file(
    store: &mut Store,
    path: &Path,
    outside: Importing<'_>,
    report: &mut ImportReport,
) -> Result<(), LibraryError> {
    let unread = |source| LibraryError::Read {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(unread)?;
    let about = file.metadata().map_err(unread)?;
    let n_read = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = Counted {
        inner: file,
        n: std::sync::Arc::clone(&n_read),
    };
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, counted);
    let head = reader.fill_buf().map_err(unread)?.to_vec();
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let format = detect(&head, name.as_deref());
    let names = |what| LibraryError::Names {
        path: path.to_owned(),
        what,
    };
    match format {
        Format::WthorPlayers => return Err(names("names of players")),
        Format::WthorTournaments => return Err(names("names of tournaments")),
        _ => {}
    }
    let directory = match format {
        Format::Wthor => wthor_names(path),
        _ => WthorDirectory::default(),
    };
    let source = source_name(path, about.len(), &head);
    let mut state = store.import_state(&source)?.unwrap_or_else(|| ImportState {
        source,
        ..ImportState::default()
    });
    if state.is_done {
        report.games += state.records;
        report.duplicates += state.stored + state.duplicates;
        report.n_problems += state.problems;
        return Ok(());
    }
    let (sender, chunks) = sync_channel::<Chunk>(WAITING);
    let skip = state.records;
    std::thread::scope(|scope| {
        let directory = &directory;
        scope.spawn(move || read_chunks(format, reader, directory, skip, &sender));
        let bytes = || n_read.load(std::sync::atomic::Ordering::Relaxed);
        store_chunks(store, path, &chunks, &mut state, outside, report, &bytes)
    })
}

/// The writer's side: stores chunks until there are no more, or the user stops.
fn store_chunks(
    store: &mut Store,
    path: &Path,
    chunks: &Receiver<Chunk>,
    state: &mut ImportState,
    outside: Importing<'_>,
    report: &mut ImportReport,
    bytes: &dyn Fn() -> u64,
) -> Result<(), LibraryError> {
    for chunk in chunks {
        state.records += chunk.n_records;
        state.problems += chunk.n_problems;
        state.is_done = chunk.is_last;
        let added = store.add(&chunk.games, Some(state))?;
        report.games += chunk.n_records;
        report.stored += added.stored as u64;
        report.duplicates += added.duplicates as u64;
        report.n_problems += chunk.n_problems;
        let room = PROBLEMS_MAX.saturating_sub(report.problems.len());
        let problems = chunk.problems.into_iter().take(room);
        report
            .problems
            .extend(problems.map(|message| ImportProblem {
                file: path.to_owned(),
                message,
            }));
        (outside.tell)(path, bytes(), report);
        if (outside.is_stopped)() {
            report.is_stopped = true;
            break;
        }
    }
    Ok(())
}

/// The reader's side: records in order, hashed on all cores, chunk by chunk. It ends when the
/// writer has gone.
fn read_chunks<R: BufRead>(
    format: Format,
    reader: R,
    directory: &WthorDirectory,
    skip: u64,
    sender: &SyncSender<Chunk>,
) {
    let mut records = read_records(format, reader, directory).skip(skip as usize);
    loop {
        let mut found: Vec<Record> = Vec::with_capacity(CHUNK);
        let mut chunk = Chunk {
            games: Vec::new(),
            problems: Vec::new(),
            n_problems: 0,
            n_records: 0,
            is_last: false,
        };
        while chunk.n_records < CHUNK as u64 && !chunk.is_last {
            match records.next() {
                None => chunk.is_last = true,
                Some(Ok(record)) => {
                    chunk.n_records += 1;
                    found.push(record);
                }
                Some(Err(problem)) => {
                    chunk.n_records += 1;
                    chunk.note(&problem);
                    // A source that cannot be read any further says so only once.
                    chunk.is_last = matches!(problem.kind, ProblemKind::Io { .. });
                }
            }
        }
        let made: Vec<Result<NewGame, String>> = found.par_iter().map(new_game).collect();
        for game in made {
            match game {
                Ok(game) => chunk.games.push(game),
                Err(message) => {
                    chunk.n_problems += 1;
                    chunk.problems.push(message);
                }
            }
        }
        let is_last = chunk.is_last;
        if sender.send(chunk).is_err() || is_last {
            return;
        }
    }
}

impl Chunk {
    fn note(&mut self, problem: &Problem) {
        self.n_problems += 1;
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem.to_string());
        }
    }
}

fn new_game(record: &Record) -> Result<NewGame, String> {
    let packed = Packed::from(&record.game);
    let mut game = NewGame::new(packed).map_err(|error| error.to_string())?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    game.black = text(&record.players[0]);
    game.white = text(&record.players[1]);
    game.event = text(&record.event);
    game.date = record.date.as_deref().map_or(0, date_number);
    let by_rules = record
        .game
        .outcome()
        .map(|it| it.score_for(othello::Side::Black));
    let score = record.result.map(|it| it / 100).or(by_rules);
    game.score = score.map(|it| it.clamp(-64, 64) as i8);
    let elo = |text: &Option<String>| {
        let number = text.as_deref().and_then(|it| it.trim().parse::<f64>().ok());
        number.map_or(0, |it| it.clamp(0.0, f64::from(u16::MAX)) as u16)
    };
    game.black_elo = elo(&record.ratings[0]);
    game.white_elo = elo(&record.ratings[1]);
    let tags = [("TimeControl", &record.time), ("Comment", &record.comment)];
    let tags = tags
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.clone()?)));
    game.tags = tags.map(|(name, value)| (name.to_owned(), value)).collect();
    let is_annotated = record
        .notes
        .iter()
        .any(|it| it.eval.is_some() || it.time.is_some());
    if is_annotated || !record.candidates.is_empty() {
        game.annotated = annotated(record);
    }
    Ok(game)
}

/// The whole record as GGF, which holds evaluations and times of moves.
fn annotated(record: &Record) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    record.to_ggf().ok()?.write_to(&mut bytes).ok()?;
    Some(bytes)
}

/// The names of WTHOR players and tournaments, from the files that lie beside the games.
fn wthor_names(path: &Path) -> WthorDirectory {
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |names: [&str; 2]| {
        let open = |name| File::open(folder.join(name)).ok();
        names.into_iter().find_map(open).map(BufReader::new)
    };
    let players = open(["WTH.JOU", "wth.jou"]);
    let tournaments = open(["WTH.TRN", "wth.trn"]);
    WthorDirectory {
        players: players
            .and_then(|it| othello::notation::WthorNames::read(it).ok())
            .map(|it| it.0)
            .unwrap_or_default(),
        tournaments: tournaments
            .and_then(|it| othello::notation::WthorNames::read(it).ok())
            .map(|it| it.0)
            .unwrap_or_default(),
    }
}

/// A file by its name, length and beginning: one that has grown is read again, and its games that
/// are there already are counted as duplicates.
fn source_name(path: &Path, bytes: u64, head: &[u8]) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let sum = engine::checksum::checksum(head);
    format!("{name} {bytes} {sum:016x}")
}
