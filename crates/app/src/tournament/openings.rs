//! Where games begin: openings from files of every kind.

use super::SettingsError;
use crate::input::{InputError, OPENINGS_MAX, read_bounded};
use arena::tournament::Sequence;
use engine::checksum::checksum;
use game::{Kind, Move, Position, Record, epd::Epd, pgn, polyglot};
use othello::{
    notation::{WthorDirectory, detect, read_records},
    sample::SplitMix64,
};
use std::{
    collections::HashSet,
    fmt::Write as _,
    io::Cursor,
    path::{Path, PathBuf},
};

/// A start and the moves from there. Small: a file may have many thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// `None` is the usual start.
    start: Option<Box<Position>>,
    moves: Box<[Move]>,
}

/// Why a file has no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{path}: {problem}", path = path.display())]
    File { path: PathBuf, problem: String },
}

impl Opening {
    /// The usual start without moves.
    pub fn usual() -> Self {
        Self {
            start: None,
            moves: Box::default(),
        }
    }

    fn of(record: &Record, plies: Option<u32>) -> Self {
        let start = record.start();
        let is_usual = *start == start.kind().start();
        let most = plies.map_or(usize::MAX, |plies| plies as usize);
        Self {
            start: (!is_usual).then(|| Box::new(start.clone())),
            moves: record.main_moves().take(most).collect(),
        }
    }

    /// The opening as the beginning of a game.
    pub fn record(&self, kind: Kind) -> Record {
        let start = self.start.as_deref().cloned();
        let mut record = Record::new(start.unwrap_or_else(|| kind.start()));
        let root = record.root();
        // They were legal when they were read.
        record.add_line(root, self.moves.iter().copied()).ok();
        record
    }

    /// Whether it begins at another position than the usual start.
    pub(super) const fn is_elsewhere(&self) -> bool {
        self.start.is_some()
    }

    fn is_over(&self, kind: Kind) -> bool {
        let record = self.record(kind);
        record.is_over_at(record.main_end())
    }
}

/// The openings of a tournament; without a file the usual start.
pub(super) fn openings_of(settings: &super::Settings) -> Result<Vec<Opening>, OpeningsError> {
    match &settings.openings {
        None => Ok(vec![Opening::usual()]),
        Some(it) => read_openings(&it.file, settings.kind(), it.plies, settings.seed),
    }
}

/// In which order the openings of a tournament come.
pub(super) fn sequence_of(
    settings: &super::Settings,
    n_openings: usize,
) -> Result<Sequence, SettingsError> {
    let start = settings.openings.as_ref().map_or(1, |it| it.start);
    let start = u64::from(start.saturating_sub(1));
    let order = settings.order()?;
    Ok(Sequence::new(n_openings, order, start, settings.seed))
}

/// What tells openings from others.
pub(super) fn sum(openings: &[Opening]) -> String {
    let mut text = String::new();
    for opening in openings {
        if let Some(start) = &opening.start {
            write!(text, "{start}").ok();
        }
        for action in &opening.moves {
            write!(text, " {action}").ok();
        }
        text.push('\n');
    }
    format!("{} {:016x}\n", openings.len(), checksum(text.as_bytes()))
}

/// Reads a file of openings: for Othello transcripts, boards, OBF, GGF and WTHOR; for chess EPD, FEN
/// and PGN, or a Polyglot book, from which lines are drawn by the seed. `plies` cuts long ones.
pub fn read_openings(
    path: &Path,
    kind: Kind,
    plies: Option<u32>,
    seed: u64,
) -> Result<Vec<Opening>, OpeningsError> {
    let wrong = |problem: String| OpeningsError::File {
        path: path.to_owned(),
        problem,
    };
    let is_book = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("bin"));
    let openings = match kind {
        Kind::Othello => othello_openings(path, plies)?,
        Kind::Chess if is_book => book_openings(path, plies, seed)?,
        Kind::Chess => chess_openings(path, plies)?,
    };
    if openings.is_empty() {
        let expected = match kind {
            Kind::Othello => "transcripts such as f5d6c3, one a line",
            Kind::Chess => "positions as EPD or FEN, one a line, or games as PGN",
        };
        return Err(wrong(format!("it has no openings; expected {expected}")));
    }
    match openings.iter().position(|it| it.is_over(kind)) {
        Some(at) => Err(wrong(format!(
            "opening {} leaves nothing to play: the game is over",
            at + 1
        ))),
        None => Ok(openings),
    }
}

fn othello_openings(path: &Path, plies: Option<u32>) -> Result<Vec<Opening>, OpeningsError> {
    let bytes = read_bounded(path, OPENINGS_MAX)?;
    let format = detect(&bytes, path.to_str());
    let directory = WthorDirectory::default();
    let records = read_records(format, Cursor::new(bytes), &directory);
    let read = |record: Result<othello::notation::Record, _>| match record {
        Ok(record) => Ok(Opening::of(&Record::from(&record.game), plies)),
        Err(error) => Err(OpeningsError::File {
            path: path.to_owned(),
            problem: format!("{error}"),
        }),
    };
    records.map(read).collect()
}

fn chess_openings(path: &Path, plies: Option<u32>) -> Result<Vec<Opening>, OpeningsError> {
    let bytes = read_bounded(path, OPENINGS_MAX)?;
    let wrong = |problem: String| OpeningsError::File {
        path: path.to_owned(),
        problem,
    };
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.is_some_and(Epd::is_likely) {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        return lines
            .map(|(at, line)| {
                let epd: Result<Epd, _> = line.trim().parse();
                let epd = epd.map_err(|error| wrong(format!("line {}, {error}", at + 1)))?;
                Ok(Opening::of(&epd.to_record(), plies))
            })
            .collect();
    }
    let mut splitter = pgn::Splitter::new(Cursor::new(&bytes));
    let (mut buffer, mut openings) = (Vec::new(), Vec::new());
    loop {
        buffer.clear();
        let slice = splitter.next_into(&mut buffer);
        let Some(slice) = slice.map_err(|error| wrong(error.to_string()))? else {
            return Ok(openings);
        };
        let game = pgn::read(&buffer[slice.range.clone()], slice.line);
        let game = game.map_err(|error| wrong(error.to_string()))?;
        let record = game
            .into_record()
            .map_err(|error| wrong(error.to_string()))?;
        openings.push(Opening::of(&record, plies));
    }
}

/// How deep lines of a book are followed if nobody says.
const BOOK_PLIES: u32 = 8;

/// So many lines are drawn from a book, and so often one that is known already.
const BOOK_LINES: usize = 1_000;
const BOOK_TRIES: usize = 20_000;

fn book_openings(
    path: &Path,
    plies: Option<u32>,
    seed: u64,
) -> Result<Vec<Opening>, OpeningsError> {
    let wrong = |problem: String| OpeningsError::File {
        path: path.to_owned(),
        problem,
    };
    let bytes = read_bounded(path, OPENINGS_MAX)?;
    let mut book =
        polyglot::Book::open(Cursor::new(bytes)).map_err(|error| wrong(error.to_string()))?;
    let mut random = SplitMix64::new(seed);
    let (mut known, mut openings) = (HashSet::new(), Vec::new());
    for _ in 0..BOOK_TRIES {
        let mut record = Record::new(Position::CHESS_START);
        let mut at = record.root();
        for _ in 0..plies.unwrap_or(BOOK_PLIES) {
            let Some(Position::Chess(position)) = record.position(at) else {
                break;
            };
            let moves = book
                .moves(position)
                .map_err(|error| wrong(error.to_string()))?;
            let total: u32 = moves.iter().map(|it| u32::from(it.weight)).sum();
            if total == 0 {
                break;
            }
            let mut chance = random.below(total);
            let chosen = moves.iter().find(|it| {
                let weight = u32::from(it.weight);
                let is_it = chance < weight;
                chance = chance.saturating_sub(weight);
                is_it
            });
            let Some(next) = chosen.and_then(|it| record.add(at, Move::Chess(it.action)).ok())
            else {
                break;
            };
            at = next;
        }
        let opening = Opening::of(&record, None);
        if known.insert(opening.moves.clone()) {
            openings.push(opening);
        }
        if openings.len() >= BOOK_LINES {
            break;
        }
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str, kind: Kind) -> Result<Vec<Opening>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let found = read_openings(&path, kind, Some(6), 1);
        found.map_err(|error| error.to_string().replace(&path.display().to_string(), name))
    }

    #[test]
    fn openings_of_both_games_are_read() {
        let found = read("a.txt", "f5d6c3\nf5f6e6f4\n", Kind::Othello).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].record(Kind::Othello).main_moves().count(), 4);
        let epd = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n";
        let found = read("a.epd", epd, Kind::Chess).unwrap();
        assert_eq!(
            found[0].record(Kind::Chess).start().side(),
            game::Side::Black
        );
        let pgn = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n\n1. d4 *\n";
        let found = read("a.pgn", pgn, Kind::Chess).unwrap();
        let plies: Vec<usize> = found.iter().map(|it| it.moves.len()).collect();
        assert_eq!(plies, [6, 1], "cut after six plies");
    }

    #[test]
    fn useless_files_are_told() {
        let error = read("a.txt", "", Kind::Othello).unwrap_err();
        assert!(error.contains("it has no openings"), "{error}");
        let error = read("a.txt", "f5d6a1\n", Kind::Othello).unwrap_err();
        assert!(error.starts_with("a.txt: "), "{error}");
        let over = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n";
        let error = read("a.epd", over, Kind::Chess).unwrap_err();
        assert!(
            error.contains("opening 1 leaves nothing to play"),
            "{error}"
        );
    }
}
