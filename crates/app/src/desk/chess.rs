//! Chess as it comes to the desk and leaves it: FEN, EPD, PGN and moves.

use super::{DeskError, import::ImportProblem};
use game::{
    ChessPosition, Kind, Position, Record, Tags,
    epd::Epd,
    pgn::{self, PgnGame, Splitter},
};

/// A start position: a FEN, an EPD, or `chess960:` and a number.
pub(super) fn start(text: Option<&str>) -> Result<Position, DeskError> {
    let invalid = |error: &dyn std::fmt::Display| DeskError::Invalid(error.to_string());
    let text = text.map(str::trim).unwrap_or_default();
    if text.is_empty() || text.eq_ignore_ascii_case("startpos") {
        return Ok(Kind::Chess.start());
    }
    if let Some(number) = text.strip_prefix("chess960:") {
        let number: u32 = number.trim().parse().map_err(|_| {
            invalid(&format!(
                "{number:?} is no number; Chess960 has positions 0 to 959"
            ))
        })?;
        let position = ChessPosition::chess960(number).map_err(|error| invalid(&error))?;
        return Ok(Position::Chess(position));
    }
    match text.parse::<Epd>() {
        Ok(epd) => Ok(Position::Chess(epd.position)),
        Err(error) => Err(invalid(&error.problem)),
    }
}

/// A game from a position with moves as players or engines write them; numbers are left out.
pub(super) fn game(start: Position, moves: &str) -> Result<Record, DeskError> {
    let mut record = Record::new(start);
    let mut end = record.root();
    for word in moves.split_whitespace() {
        let text = word.rsplit('.').next().unwrap_or(word);
        if text.is_empty() {
            continue;
        }
        end = record
            .add_text(end, text)
            .map_err(|error| DeskError::IllegalMove(error.to_string()))?;
    }
    Ok(record)
}

/// Games of chess that were read, and what could not be.
#[derive(Debug, Default)]
pub(super) struct ChessText {
    pub(super) words: &'static str,
    pub(super) games: Vec<Record>,
    pub(super) n_problems: usize,
    pub(super) problems: Vec<ImportProblem>,
}

/// Whether a text is one of chess: a PGN with tags or a first move, or lines of FEN or EPD.
pub(super) fn is_chess(bytes: &[u8], name: Option<&str>) -> bool {
    let ending = name.and_then(|it| it.rsplit_once('.')).map(|it| it.1);
    let is_named = |ending: &str| {
        ["pgn", "epd", "fen"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(ending))
    };
    if ending.is_some_and(is_named) {
        return true;
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4_096)]);
    let Some(first) = text.lines().map(str::trim).find(|it| !it.is_empty()) else {
        return false;
    };
    let is_tag = first.starts_with('[') && first.ends_with(']') && first.contains('"');
    is_tag || Epd::is_likely(first) || begins_with_move(first)
}

/// Whether a line begins with a move of chess that no game of Othello could begin with.
fn begins_with_move(line: &str) -> bool {
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let rest = rest.trim_start_matches(['.', ' ']);
    let word = rest.split_whitespace().next().unwrap_or_default();
    let is_chess = Kind::Chess.start().parse_move(word).is_ok();
    let is_othello = othello::notation::parse_transcript_from(othello::Position::START, word);
    is_chess && is_othello.is_err()
}

/// Reads all games of a text, at most so many.
pub(super) fn read(bytes: &[u8], most: usize) -> ChessText {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().map(str::trim).find(|it| !it.is_empty());
    if first.is_some_and(Epd::is_likely) {
        return read_lines(&text, most);
    }
    read_pgn(bytes, most)
}

fn read_lines(text: &str, most: usize) -> ChessText {
    let mut found = ChessText {
        words: "chess positions",
        ..ChessText::default()
    };
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.parse::<Epd>() {
            Ok(epd) if found.games.len() < most => found.games.push(epd.to_record()),
            Ok(_) => break,
            Err(error) => found.complain(number, Some(error.column as u64), error.problem),
        }
    }
    found
}

fn read_pgn(bytes: &[u8], most: usize) -> ChessText {
    let mut found = ChessText {
        words: "PGN",
        ..ChessText::default()
    };
    let mut splitter = Splitter::new(bytes);
    let mut text = Vec::new();
    // Memory never fails to be read.
    while let Ok(Some(slice)) = splitter.next_into(&mut text) {
        if slice.is_cut {
            let most = pgn::GAME_BYTES_MAX >> 20;
            found.complain(slice.line, None, format!("a game longer than {most} MB"));
        } else if found.games.len() >= most {
            found.complain(
                slice.line,
                None,
                format!("only the first {most} games were read"),
            );
            break;
        } else {
            match pgn::read(&text[slice.range], slice.line) {
                Ok(game) => found.keep(game, slice.line),
                Err(error) => found.complain(error.line, Some(error.column), error.problem),
            }
        }
        text.clear();
    }
    found
}

impl ChessText {
    fn keep(&mut self, game: PgnGame, line: u64) {
        match game.into_record() {
            Ok(record) => self.games.push(record),
            Err(error) => self.complain(line, None, error.to_string()),
        }
    }

    fn complain(&mut self, line: u64, column: Option<u64>, message: String) {
        /// How many are told one by one.
        const TOLD: usize = 100;
        self.n_problems += 1;
        if self.problems.len() < TOLD {
            self.problems.push(ImportProblem {
                record: (self.games.len() + self.n_problems) as u64,
                line: Some(line),
                column,
                byte: None,
                message,
            });
        }
    }
}

/// A line about a game: players, event, date, result.
pub(super) fn title(record: &Record) -> String {
    let tag = |name| record.tags.get(name).filter(|it| !it.starts_with('?'));
    let mut parts = Vec::new();
    if let (Some(white), Some(black)) = (tag(Tags::WHITE), tag(Tags::BLACK)) {
        parts.push(format!("{white} – {black}"));
    }
    parts.extend(tag(Tags::EVENT).map(str::to_owned));
    parts.extend(tag(Tags::DATE).map(str::to_owned));
    parts.extend(result(record).map(str::to_owned));
    if parts.is_empty() {
        let moves = record.main_line().take(6).filter_map(|id| {
            let node = record.node(id)?;
            Some(record.position(node.parent()?)?.san(node.action()?))
        });
        let moves: Vec<String> = moves.collect();
        parts.push(if moves.is_empty() {
            "a position of chess".to_owned()
        } else {
            moves.join(" ")
        });
    }
    parts.join(", ")
}

/// `1–0`, where the record says it.
pub(super) fn result(record: &Record) -> Option<&'static str> {
    let outcome = record.outcome?;
    Some(match outcome.winner {
        Some(game::Side::White) => "1–0",
        Some(game::Side::Black) => "0–1",
        None => "½–½",
    })
}

/// About what a game takes in memory.
pub(super) fn memory_of(record: &Record) -> usize {
    /// A place with its position.
    const NODE_BYTES: usize = 300;
    record.n_nodes() * NODE_BYTES + 1_000
}
