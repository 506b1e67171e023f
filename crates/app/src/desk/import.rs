//! Games from outside, in whatever notation they come.

use super::{
    Desk, DeskError, Event, JobState, Shared, Subject, chess,
    jobs::Advance,
    pasted::{Pasted, read_pasted},
};
use crate::{session::discs_of, worker::Ticket};
use game::{Kind, Tags};
use othello::notation::{
    At, Format, Problem, ProblemKind, Record, WthorDirectory, WthorNames, detect, read_records,
};
use std::{
    cell::Cell,
    collections::VecDeque,
    io::{self, BufRead, Read},
    sync::Arc,
};

/// What kept imports may take in memory together; the newest is always kept.
const KEPT_BYTES_MAX: usize = 24 << 20;

/// What may be read at the same time, in bytes of the files. One file of any size is always read.
const READING_BYTES_MAX: usize = 48 << 20;

/// A smaller file is read in a moment, and is no job.
const JOB_BYTES_MIN: usize = 1 << 20;

/// After so many games a job tells how far it is.
const GAMES_PER_STEP: u64 = 1_000;

/// How many games of an import are kept: two years of all tournaments.
const GAMES_MAX: usize = 20_000;

/// A text of at most so many bytes is read as people paste it.
const PASTED_BYTES_MAX: usize = 100_000;

/// How many problems are told one by one.
const PROBLEMS_MAX: usize = 100;

/// A game that was read, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedGame {
    /// One line about it.
    pub title: String,
    pub players: [Option<String>; 2],
    pub event: Option<String>,
    /// As the file has it.
    pub date: Option<String>,
    /// Such as `34–30` or `1–0`.
    pub result: Option<String>,
    pub plies: usize,
    pub kind: Kind,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The number of the item, counted from 1.
    pub record: u64,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column, counted from 1, where it is known.
    pub column: Option<u64>,
    /// The byte, counted from 0.
    pub byte: Option<u64>,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// A game of one of the games.
#[derive(Debug)]
pub(super) enum Imported {
    Othello(Box<Record>),
    Chess(game::Record),
}

impl Imported {
    /// About what it takes in memory.
    fn memory(&self) -> usize {
        match self {
            Self::Othello(record) => memory_of(record),
            Self::Chess(record) => chess::memory_of(record),
        }
    }

    fn describe(&self) -> ImportedGame {
        match self {
            Self::Othello(record) => describe(record),
            Self::Chess(record) => describe_chess(record),
        }
    }
}

/// What an import found.
#[derive(Debug)]
pub struct Import {
    pub id: String,
    /// What it was taken for, in words.
    pub format: &'static str,
    pub(super) records: Vec<Imported>,
    /// About what the games take in memory.
    bytes: usize,
    /// How many could not be read.
    pub n_problems: usize,
    /// The first of them.
    pub problems: Vec<ImportProblem>,
    /// What else there is to say: names that are kept for games to come.
    pub note: Option<String>,
}

impl Import {
    /// A file that has no games.
    const fn noted(note: String) -> Self {
        Self {
            id: String::new(),
            format: "WTHOR names",
            records: Vec::new(),
            bytes: 0,
            n_problems: 0,
            problems: Vec::new(),
            note: Some(note),
        }
    }

    /// How many games were read.
    pub fn n_games(&self) -> usize {
        self.records.len()
    }

    /// The first `most` games, in short.
    pub fn games(&self, most: usize) -> impl Iterator<Item = ImportedGame> {
        self.records.iter().take(most).map(Imported::describe)
    }
}

/// The right to read so many bytes; it ends when this is dropped.
#[derive(Debug)]
pub struct Admission {
    desk: Desk,
    bytes: usize,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.desk.shared.lock().importing -= self.bytes;
    }
}

impl Desk {
    /// Asks whether a file of this size may be read now, ideally before it is in memory.
    pub fn admit_import(&self, bytes: usize) -> Result<Admission, DeskError> {
        let mut state = self.shared.lock();
        state.check_open()?;
        if state.importing > 0 && state.importing + bytes > READING_BYTES_MAX {
            let message = "other files are being read; try again in a moment";
            return Err(DeskError::Busy(message.to_owned()));
        }
        state.importing += bytes;
        Ok(Admission {
            desk: self.clone(),
            bytes,
        })
    }

    /// Reads games from a text or a file that was admitted; its name may tell the notation. The
    /// oldest imports are forgotten when all together take too much memory.
    pub fn import(
        &self,
        _admission: &Admission,
        bytes: &[u8],
        name: Option<&str>,
    ) -> Result<Arc<Import>, DeskError> {
        if let Some(format) = names_format(bytes, name) {
            let mut state = self.shared.lock();
            state.check_open()?;
            let (names, note) = read_names(format, bytes, &state.names)?;
            state.names = Arc::new(names);
            return Ok(Arc::new(Import::noted(note)));
        }
        let names = Arc::clone(&self.shared.lock().names);
        let reading = Reading::begin(&self.shared, bytes.len(), name);
        let found = self
            .shared
            .reader
            .install(|| read(bytes, name, &names, &reading));
        reading.end(&found);
        let (format, records, n_problems, problems) = found?;
        let mut state = self.shared.lock();
        state.check_open()?;
        state.n_imports += 1;
        let import = Arc::new(Import {
            id: format!("i{}", state.n_imports),
            format,
            bytes: records.iter().map(Imported::memory).sum(),
            records,
            n_problems,
            problems,
            note: None,
        });
        state.imports.push_back(Arc::clone(&import));
        while state.imports.len() > 1 && kept_bytes(&state.imports) > KEPT_BYTES_MAX {
            state.imports.pop_front();
        }
        Ok(import)
    }
}

fn kept_bytes(imports: &VecDeque<Arc<Import>>) -> usize {
    imports.iter().map(|import| import.bytes).sum()
}

/// About what a game takes in memory.
fn memory_of(record: &Record) -> usize {
    /// A move with the discs that it turned.
    const MOVE_BYTES: usize = 16;
    let texts = record
        .players
        .iter()
        .chain(&record.ratings)
        .chain([&record.event, &record.date, &record.time, &record.comment])
        .chain(record.notes.iter().flat_map(|it| [&it.eval, &it.time]));
    let texts: usize = texts.flatten().map(String::len).sum();
    let notes = size_of_val(&record.notes[..]);
    size_of::<Record>() + record.game.ply() * MOVE_BYTES + notes + texts
}

/// The job of a large file.
struct Reading<'a> {
    shared: &'a Shared,
    n_bytes: usize,
    /// The job's number and its ticket; `None` for a file that is read in a moment.
    job: Option<(u64, Ticket)>,
}

impl<'a> Reading<'a> {
    fn begin(shared: &'a Shared, n_bytes: usize, name: Option<&str>) -> Self {
        let job = (n_bytes >= JOB_BYTES_MIN).then(|| {
            let subject = Subject::Import {
                name: name.map(str::to_owned),
            };
            let (total, ticket) = (n_bytes as u64, Ticket::default());
            let message = "Waiting for its turn.".to_owned();
            let mut state = shared.lock();
            let job = shared.list_job(&mut state, subject, total, message, ticket.clone());
            (job.id, ticket)
        });
        Self {
            shared,
            n_bytes,
            job,
        }
    }

    fn runs(&self) {
        if let Some((id, _)) = self.job {
            self.shared.job_runs(id);
        }
    }

    /// Tells how far it is. An error if the user has cancelled it.
    fn came_to(&self, n_bytes: usize, n_games: usize) -> Result<(), DeskError> {
        let Some((id, ticket)) = &self.job else {
            return Ok(());
        };
        if ticket.is_cancelled() {
            let message = "the import was cancelled; no game of it was kept";
            return Err(DeskError::Conflict(message.to_owned()));
        }
        self.tell(
            *id,
            JobState::Running,
            n_bytes,
            format!("Read {n_games} games."),
        );
        Ok(())
    }

    fn end(&self, found: &Result<Found, DeskError>) {
        let Some((id, _)) = self.job else {
            return;
        };
        match found {
            Ok((_, records, n_problems, _)) => {
                let n = records.len();
                let message = format!("Read {n} games; {n_problems} could not be read.");
                self.tell(id, JobState::Finished, self.n_bytes, message);
            }
            Err(error) => {
                let message = format!("Nothing was read: {error}.");
                self.tell(id, JobState::Failed, 0, message);
            }
        }
    }

    fn tell(&self, id: u64, job_state: JobState, n_bytes: usize, message: String) {
        let step = Advance {
            state: job_state,
            done: n_bytes as u64,
            message,
        };
        let mut state = self.shared.lock();
        if let Some(job) = self.shared.advance_job(&mut state, id, step) {
            self.shared.tell(Event::Job(job));
        }
    }
}

/// Bytes, and how many of them have been read.
struct Counted<'a> {
    left: &'a [u8],
    n_read: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.left.read(buffer)?;
        self.n_read.set(self.n_read.get() + n);
        Ok(n)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.left)
    }

    fn consume(&mut self, n: usize) {
        self.left = &self.left[n..];
        self.n_read.set(self.n_read.get() + n);
    }
}

/// The notation in words, the games, how many could not be read, and the first of those.
type Found = (&'static str, Vec<Imported>, usize, Vec<ImportProblem>);

/// The format of a file of names, if it is one.
fn names_format(bytes: &[u8], name: Option<&str>) -> Option<Format> {
    let format = detect(bytes, name);
    matches!(format, Format::WthorPlayers | Format::WthorTournaments).then_some(format)
}

/// All names that are known with a file of them, and a sentence about it.
fn read_names(
    format: Format,
    bytes: &[u8],
    known: &WthorDirectory,
) -> Result<(WthorDirectory, String), DeskError> {
    let unreadable = |problem: Problem| DeskError::Unreadable(problem.to_string());
    let mut names = known.clone();
    let (n, what, problem) = if format == Format::WthorPlayers {
        let (players, problem) = WthorNames::read(bytes).map_err(unreadable)?;
        names.players = players;
        (names.players.names.len(), "players", problem)
    } else {
        let (tournaments, problem) = WthorNames::read(bytes).map_err(unreadable)?;
        names.tournaments = tournaments;
        (names.tournaments.names.len(), "tournaments", problem)
    };
    if let Some(problem) = problem {
        return Err(unreadable(problem));
    }
    let note = format!("The names of {n} {what} are kept for the WTHOR games that come next.");
    Ok((names, note))
}

fn read(
    bytes: &[u8],
    name: Option<&str>,
    names: &WthorDirectory,
    reading: &Reading<'_>,
) -> Result<Found, DeskError> {
    reading.runs();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(DeskError::Unreadable("there is nothing to read".to_owned()));
    }
    if chess::is_chess(bytes, name) {
        let found = chess::read(bytes, GAMES_MAX);
        let games = found.games.into_iter().map(Imported::Chess).collect();
        return finished(found.words, games, found.n_problems, found.problems);
    }
    // A pasted text has no name that could promise anything.
    let format = detect(bytes, name);
    let words = words(format);
    if let Some(text) = pasted_text(format, bytes) {
        let Pasted { records, problems } = read_pasted(text);
        let n_problems = problems.len();
        let games = records
            .into_iter()
            .map(|it| Imported::Othello(Box::new(it)))
            .collect();
        return finished(words, games, n_problems, problems);
    }
    let mut records = Vec::new();
    let (mut n_problems, mut problems) = (0, Vec::new());
    let n_read = Cell::new(0);
    let source = Counted {
        left: bytes,
        n_read: &n_read,
    };
    for (item, n) in read_records(format, source, names).zip(0_u64..) {
        if n % GAMES_PER_STEP == 0 {
            reading.came_to(n_read.get(), records.len())?;
        }
        match item {
            Ok(record) if records.len() < GAMES_MAX => {
                records.push(Imported::Othello(Box::new(record)));
            }
            Ok(_) => {
                problems.push(ImportProblem {
                    record: GAMES_MAX as u64 + 1,
                    line: None,
                    column: None,
                    byte: None,
                    message: format!("only the first {GAMES_MAX} games were read"),
                });
                n_problems += 1;
                break;
            }
            Err(problem) => {
                n_problems += 1;
                if problems.len() < PROBLEMS_MAX {
                    problems.push(told(&problem, bytes));
                }
                // A source that cannot be read any further says so only once.
                if matches!(problem.kind, ProblemKind::Io { .. }) {
                    break;
                }
            }
        }
    }
    finished(words, records, n_problems, problems)
}

/// Text that a person may have written or pasted: larger ones are files of one game a line.
fn pasted_text(format: Format, bytes: &[u8]) -> Option<&str> {
    let is_small = bytes.len() <= PASTED_BYTES_MAX;
    (format == Format::Transcript && is_small)
        .then(|| std::str::from_utf8(bytes).ok())
        .flatten()
}

/// Something was read, or there is a reason why not.
fn finished(
    words: &'static str,
    mut records: Vec<Imported>,
    n_problems: usize,
    mut problems: Vec<ImportProblem>,
) -> Result<Found, DeskError> {
    problems.truncate(PROBLEMS_MAX);
    if records.is_empty() {
        let why = problems.first().map_or_else(
            || "it has no games".to_owned(),
            |problem| {
                let place = match (problem.line, problem.column, problem.byte) {
                    (Some(line), Some(column), _) => format!("line {line}, column {column}: "),
                    (Some(line), None, _) => format!("line {line}: "),
                    (None, _, Some(byte)) => format!("byte {byte}: "),
                    (None, _, None) => String::new(),
                };
                format!("{place}{}", problem.message)
            },
        );
        let message = format!("read as {words}, this has no game: {why}");
        return Err(DeskError::Unreadable(message));
    }
    records.shrink_to_fit();
    Ok((words, records, n_problems, problems))
}

const fn words(format: Format) -> &'static str {
    match format {
        Format::Board => "board strings",
        Format::Transcript => "transcripts",
        Format::Obf => "OBF",
        Format::Ggf => "GGF",
        Format::Wthor => "WTHOR games",
        Format::WthorPlayers => "WTHOR player names",
        Format::WthorTournaments => "WTHOR tournament names",
    }
}

fn told(problem: &Problem, bytes: &[u8]) -> ImportProblem {
    let (line, byte) = match problem.place.at {
        At::Line(line) => (Some(line), None),
        At::Byte(byte) => (None, Some(byte)),
    };
    let message = problem.kind.to_string();
    ImportProblem {
        record: problem.place.record,
        line,
        column: line.and_then(|line| column(bytes, line, &message)),
        byte,
        message,
    }
}

/// Where the text that a problem quotes stands in its line, if it stands there once.
fn column(bytes: &[u8], line: u64, message: &str) -> Option<u64> {
    let index = usize::try_from(line.checked_sub(1)?).ok()?;
    let line = bytes.split(|&byte| byte == b'\n').nth(index)?;
    let line = std::str::from_utf8(line).ok()?;
    let quoted = message.split('"').nth(1).filter(|text| !text.is_empty())?;
    let mut places = line.match_indices(quoted);
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    Some(line[..at].chars().count() as u64 + 1)
}

fn describe(record: &Record) -> ImportedGame {
    let discs = record
        .result
        .map(discs_of)
        .or_else(|| record.game.outcome().map(|it| (it.black, it.white)));
    let moves: String = record.game.transcript().chars().take(24).collect();
    let mut parts = Vec::new();
    if record.players.iter().any(Option::is_some) {
        let name = |i: usize| record.players[i].as_deref().unwrap_or("?");
        parts.push(format!("{} – {}", name(0), name(1)));
    }
    parts.extend(record.event.clone());
    parts.extend(record.date.clone());
    if let Some((black, white)) = discs {
        parts.push(format!("{black}–{white}"));
    }
    if parts.is_empty() && !moves.is_empty() {
        parts.push(moves);
    }
    if parts.is_empty() {
        let empties = record.game.position().board.empties().len();
        parts.push(format!("a position with {empties} empty squares"));
    }
    ImportedGame {
        title: parts.join(", "),
        players: record.players.clone(),
        event: record.event.clone(),
        date: record.date.clone(),
        result: discs.map(|(black, white)| format!("{black}–{white}")),
        plies: record.game.ply(),
        kind: Kind::Othello,
    }
}

fn describe_chess(record: &game::Record) -> ImportedGame {
    let tag = |name| {
        let known = record.tags.get(name).filter(|it| !it.starts_with('?'));
        known.map(str::to_owned)
    };
    ImportedGame {
        title: chess::title(record),
        players: [tag(Tags::BLACK), tag(Tags::WHITE)],
        event: tag(Tags::EVENT),
        date: tag(Tags::DATE),
        result: chess::result(record).map(str::to_owned),
        plies: record.main_moves().count(),
        kind: Kind::Chess,
    }
}
