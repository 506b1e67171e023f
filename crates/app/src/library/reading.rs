//! The reader's side of an import: records in order, read and hashed on all cores, chunk by chunk.

use super::{
    convert::{ggf_game, othello_game, pgn_game},
    import::{PROBLEMS_MAX, RecordPlace, changed_at},
};
use game::pgn;
use othello::notation::{
    At, Format, GgfGame, Problem, ProblemKind, Record, WthorDirectory, WthorNames, read_ggf,
    read_records,
};
use rayon::prelude::*;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
    sync::mpsc::SyncSender,
};
use store::NewGame;

/// Games that are stored together, or fewer if their names, tags and annotations take more than this.
const CHUNK: usize = 16_384;
const CHUNK_BYTES: usize = 12 << 20;

/// Text of games that is read on all cores at once; a chunk is made of several.
const TEXT_BYTES: usize = 2 << 20;

/// Some records of a file, hashed.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) games: Vec<NewGame>,
    pub(super) problems: Vec<(RecordPlace, String)>,
    pub(super) n_problems: u64,
    pub(super) n_records: u64,
    text_bytes: usize,
    pub(super) is_last: bool,
    /// Whether there may be more that could not be read.
    pub(super) is_broken: bool,
}

/// A record of an Othello file.
enum Found {
    /// GGF says more than the shape between notations holds.
    Ggf(GgfGame),
    Other(Box<Record>),
}

impl Found {
    fn text_bytes(&self) -> usize {
        match self {
            Self::Ggf(game) => {
                let values = game.tags.iter().map(|it| it.value().as_bytes().len());
                values.sum()
            }
            Self::Other(record) => text_bytes_of(record),
        }
    }

    fn game(&self, source: &str) -> Result<NewGame, String> {
        match self {
            Self::Ggf(game) => ggf_game(game, source),
            Self::Other(record) => othello_game(record, source),
        }
    }
}

fn found_in<'a, R: BufRead + 'a>(
    format: Format,
    reader: R,
    directory: &'a WthorDirectory,
) -> Box<dyn Iterator<Item = Result<Found, Problem>> + 'a> {
    match format {
        Format::Ggf => Box::new(read_ggf(reader).map(|it| it.map(Found::Ggf))),
        format => {
            let records = read_records(format, reader, directory);
            Box::new(records.map(|it| it.map(|it| Found::Other(Box::new(it)))))
        }
    }
}

/// The reader's side for Othello: records in order, hashed on all cores, chunk by chunk. It ends
/// when the writer has gone.
pub(super) fn read_othello(
    format: Format,
    reader: impl BufRead,
    directory: &WthorDirectory,
    source: &str,
    skip: u64,
    sender: &SyncSender<Chunk>,
) {
    let mut records = found_in(format, reader, directory);
    // A source that breaks off among what is skipped says so only once, and it must be heard.
    let is_broken = |it: &Problem| matches!(it.kind, ProblemKind::Io { .. });
    let skipped = records.by_ref().take(skip as usize);
    let broken = skipped.filter_map(Result::err).find(is_broken);
    let mut records = broken.map(Err).into_iter().chain(records);
    let mut before = skip;
    loop {
        let mut found: Vec<(RecordPlace, Found)> = Vec::with_capacity(CHUNK);
        let mut chunk = Chunk::default();
        let mut text_bytes = 0;
        while chunk.n_records < CHUNK as u64 && text_bytes < CHUNK_BYTES && !chunk.is_last {
            match records.next() {
                None => chunk.is_last = true,
                Some(Ok(record)) => {
                    chunk.n_records += 1;
                    let place = RecordPlace {
                        record: before + chunk.n_records,
                        line: None,
                        column: None,
                    };
                    text_bytes += record.text_bytes();
                    found.push((place, record));
                }
                Some(Err(problem)) => {
                    let place = RecordPlace {
                        record: problem.place.record,
                        line: match problem.place.at {
                            At::Line(line) => Some(line),
                            At::Byte(_) => None,
                        },
                        column: None,
                    };
                    chunk.note(place, problem.kind.to_string());
                    // A source that cannot be read any further says so only once, and that is no
                    // record.
                    chunk.is_broken = matches!(problem.kind, ProblemKind::Io { .. });
                    chunk.is_last = chunk.is_broken;
                    chunk.n_records += u64::from(!chunk.is_broken);
                }
            }
        }
        let made = found
            .par_iter()
            .map(|(place, record)| record.game(source).map_err(|message| (*place, message)));
        chunk.take(made.collect());
        before += chunk.n_records;
        let is_last = chunk.is_last;
        if sender.send(chunk).is_err() || is_last {
            return;
        }
    }
}

/// How much memory is taken by what may be of any length in a record.
fn text_bytes_of(record: &Record) -> usize {
    let texts = [
        &record.players[0],
        &record.players[1],
        &record.event,
        &record.date,
        &record.time,
        &record.comment,
    ];
    let notes = record.notes.iter().flat_map(|it| [&it.eval, &it.time]);
    let texts = texts.into_iter().chain(notes).flatten();
    texts.map(String::len).sum()
}

/// The reader's side for chess.
pub(super) fn read_pgn(reader: impl BufRead, source: &str, skip: u64, sender: &SyncSender<Chunk>) {
    let mut splitter = pgn::Splitter::new(reader);
    let mut text = Vec::new();
    for _ in 0..skip {
        text.clear();
        if !matches!(splitter.next_into(&mut text), Ok(Some(_))) {
            break;
        }
    }
    let mut before = skip;
    let mut slices = Vec::new();
    loop {
        let mut chunk = Chunk::default();
        while chunk.n_records < CHUNK as u64 && chunk.text_bytes < CHUNK_BYTES && !chunk.is_last {
            let room = CHUNK - chunk.n_records as usize;
            text.clear();
            slices.clear();
            let mut broken = None;
            while slices.len() < room && text.len() < TEXT_BYTES && !chunk.is_last {
                match splitter.next_into(&mut text) {
                    Ok(Some(slice)) => slices.push(slice),
                    Ok(None) => chunk.is_last = true,
                    Err(error) => {
                        broken = Some(error);
                        chunk.is_last = true;
                    }
                }
            }
            chunk.take_pgn(&text, &slices, source, before);
            if let Some(error) = broken {
                let place = RecordPlace {
                    record: before + chunk.n_records + 1,
                    line: None,
                    column: None,
                };
                chunk.is_broken = true;
                let problem = format!("the file cannot be read any further: {error}");
                chunk.note(place, problem);
            }
        }
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

    /// Reads games of a text on all cores. So many records were before the chunk.
    pub(super) fn take_pgn(
        &mut self,
        text: &[u8],
        slices: &[pgn::Slice],
        source: &str,
        before: u64,
    ) {
        let before = before + self.n_records;
        self.n_records += slices.len() as u64;
        let made = slices.par_iter().enumerate().map(|(at, slice)| {
            let text = &text[slice.range.clone()];
            let place = |line, column| RecordPlace {
                record: before + at as u64 + 1,
                line: Some(line),
                column,
            };
            if slice.is_cut {
                let most = pgn::GAME_BYTES_MAX >> 20;
                let message = format!("the game is longer than {most} MB");
                return Err((place(slice.line, None), message));
            }
            let game = pgn::read(text, slice.line);
            let game = game.map_err(|error| {
                let place = place(error.line, Some(error.column));
                (place, error.problem)
            })?;
            Ok(pgn_game(game, source))
        });
        self.take(made.collect());
    }

    fn take(&mut self, made: Vec<Result<NewGame, (RecordPlace, String)>>) {
        self.games.reserve(made.len());
        for game in made {
            match game {
                Ok(game) => {
                    self.text_bytes += game.text_bytes();
                    self.games.push(game);
                }
                Err((place, message)) => self.note(place, message),
            }
        }
    }
}

/// The names that the files of WTHOR names have, players before tournaments.
const NAME_FILES: [[&str; 2]; 2] = [["WTH.JOU", "wth.jou"], ["WTH.TRN", "wth.trn"]];

fn open_beside(path: &Path, names: [&str; 2]) -> Option<File> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |name| File::open(folder.join(name)).ok();
    names.into_iter().find_map(open)
}

/// The names of WTHOR players and tournaments, from the files that lie beside the games.
pub(super) fn names_beside(path: &Path) -> WthorDirectory {
    let [players, tournaments] = NAME_FILES;
    let open = |names| open_beside(path, names).map(BufReader::new);
    WthorDirectory {
        players: names_of(open(players)),
        tournaments: names_of(open(tournaments)),
    }
}

/// Which files of names lie beside the games: another one makes another text, and none an empty one.
pub(super) fn names_stamp(path: &Path) -> String {
    let stamp = |names: [&str; 2]| {
        let known = open_beside(path, names)?.metadata().ok()?;
        let at = changed_at(&known);
        Some(format!(" {} {} {at:x}", names[0], known.len()))
    };
    let stamps = NAME_FILES.map(stamp);
    stamps.map(Option::unwrap_or_default).concat()
}

/// Names as far as they can be read.
pub(super) fn names_of<const WIDTH: usize>(file: Option<impl Read>) -> WthorNames<WIDTH> {
    let names = file.and_then(|it| WthorNames::read(it).ok());
    names.map(|it| it.0).unwrap_or_default()
}
