//! EPD: a position of chess on a line, with what is to be said about it.
//!
//! ```
//! let epd: game::epd::Epd = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"kings; and a pawn\";".parse()?;
//! assert_eq!(epd.operand("id"), Some("kings; and a pawn"));
//! assert_eq!(epd.best_moves()?[0].to_string(), "e2e4");
//! assert_eq!(epd.to_string().parse(), Ok(epd));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{ChessPosition, Kind, Move, ParseMoveError, Position, Record, Tags};
use std::{fmt, str::FromStr};

/// A position with operations. The counters of moves are the operations `hmvc` and `fmvn`; a line
/// that has them in the place of a FEN's is understood, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    pub position: ChessPosition,
    /// In the order of the line, without `hmvc` and `fmvn`, which are the position's.
    pub operations: Vec<Operation>,
}

/// Something that is said about a position: `bm Nf3 Nc3`, `id "mate in 3"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it is about, such as `bm` (best moves), `am` (moves to avoid), `id`, `ce` (centipawns).
    pub code: String,
    pub operands: Vec<Operand>,
}

/// One of the things that an operation says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    pub text: String,
    /// Whether it stands in quotation marks.
    pub is_quoted: bool,
}

/// A line that is no EPD.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseEpdError {
    /// Counted from 1, in letters.
    pub column: usize,
    /// What was found and what would be right.
    pub problem: String,
}

/// Lines are not longer: the standard allows 1,024 bytes, and people write more.
const BYTES_MAX: usize = 16_384;

const HALF_MOVES: &str = "hmvc";
const MOVE_NUMBER: &str = "fmvn";

/// A line and a place in it.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn wrong(&self, problem: impl Into<String>) -> ParseEpdError {
        let before = self.line.get(..self.at).unwrap_or(self.line);
        ParseEpdError {
            column: before.chars().count() + 1,
            problem: problem.into(),
        }
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// The letters up to a space or to what ends an operation.
    fn word(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|it: char| it.is_whitespace() || it == ';');
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn operand(&mut self) -> Result<Operand, ParseEpdError> {
        if !self.rest().starts_with('"') {
            let text = self.word().to_owned();
            return Ok(Operand {
                text,
                is_quoted: false,
            });
        }
        let inside = &self.rest()[1..];
        let Some(end) = inside.find('"') else {
            return Err(self.wrong("this quotation mark is never closed; expected \""));
        };
        self.at += end + 2;
        Ok(Operand {
            text: inside[..end].to_owned(),
            is_quoted: true,
        })
    }

    /// An operation with its end; `None` at the end of the line.
    fn operation(&mut self) -> Result<Option<Operation>, ParseEpdError> {
        self.skip_space();
        if self.rest().is_empty() {
            return Ok(None);
        }
        let begin = self.at;
        let code = self.word().to_owned();
        let is_code = code.starts_with(|it: char| it.is_ascii_alphabetic());
        if !is_code {
            self.at = begin;
            return Err(self.wrong(format!(
                "{code:?} names no operation; expected one such as bm, id or c0"
            )));
        }
        let mut operands = Vec::new();
        loop {
            self.skip_space();
            match self.rest().chars().next() {
                // The last mark is often left out.
                None => break,
                Some(';') => {
                    self.at += 1;
                    break;
                }
                Some(_) => operands.push(self.operand()?),
            }
        }
        Ok(Some(Operation { code, operands }))
    }
}

impl FromStr for Epd {
    type Err = ParseEpdError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut cursor = Cursor { line, at: 0 };
        if line.len() > BYTES_MAX {
            return Err(cursor.wrong(format!("the line has more than {BYTES_MAX} bytes")));
        }
        let fields = [(); 4].map(|()| cursor.word());
        if fields.iter().any(|it| it.is_empty()) {
            return Err(cursor.wrong(
                "the position ends here; expected pieces, side to move, castling and en passant",
            ));
        }
        let mut counters = [None, None];
        // A FEN has its counters here; they are digits, and no operation begins with one.
        for counter in &mut counters {
            let begin = cursor.at;
            match cursor.word().parse::<u32>() {
                Ok(number) => *counter = Some(number),
                Err(_) => {
                    cursor.at = begin;
                    break;
                }
            }
        }
        let mut operations = Vec::new();
        while let Some(operation) = cursor.operation()? {
            let number = || operation.operands.first()?.text.parse::<u32>().ok();
            match (operation.code.as_str(), number()) {
                (HALF_MOVES, Some(number)) => counters[0] = Some(number),
                (MOVE_NUMBER, Some(number)) => counters[1] = Some(number),
                _ => operations.push(operation),
            }
        }
        let [half, full] = counters;
        let (half, full) = (half.unwrap_or(0), full.unwrap_or(1));
        let fen = format!("{} {half} {full}", fields.join(" "));
        let position = fen
            .parse::<ChessPosition>()
            .map_err(|error| ParseEpdError {
                column: 1,
                problem: error.to_string(),
            })?;
        Ok(Self {
            position,
            operations,
        })
    }
}

/// The four fields, the counters unless they are a game's first, and the operations.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (position, counters) = fields.split_at(fields.len().min(4));
        f.write_str(&position.join(" "))?;
        for (code, usual, number) in [(HALF_MOVES, "0", 0), (MOVE_NUMBER, "1", 1)] {
            let number = counters.get(number).copied().unwrap_or(usual);
            if number != usual {
                write!(f, " {code} {number};")?;
            }
        }
        for Operation { code, operands } in &self.operations {
            write!(f, " {code}")?;
            for operand in operands {
                // Quotation marks cannot stand inside of others.
                let text = operand.text.replace('"', "'");
                let has_marks = operand.is_quoted
                    || text.is_empty()
                    || text.contains(|it: char| it.is_whitespace() || it == ';' || it == '"');
                if has_marks {
                    write!(f, " \"{text}\"")?;
                } else {
                    write!(f, " {text}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

impl Epd {
    /// A position without a word about it.
    pub const fn new(position: ChessPosition) -> Self {
        Self {
            position,
            operations: Vec::new(),
        }
    }

    /// The first operand of an operation.
    pub fn operand(&self, code: &str) -> Option<&str> {
        let operation = self.operations.iter().find(|it| it.code == code)?;
        Some(&operation.operands.first()?.text)
    }

    /// Adds an operation with one operand behind the others.
    pub fn say(&mut self, code: &str, text: &str, is_quoted: bool) {
        self.operations.push(Operation {
            code: code.to_owned(),
            operands: vec![Operand {
                text: text.to_owned(),
                is_quoted,
            }],
        });
    }

    /// The moves of `bm`; an error names the first that is no move here.
    pub fn best_moves(&self) -> Result<Vec<Move>, ParseMoveError> {
        let position = Position::Chess(self.position.clone());
        let named = self.operations.iter().filter(|it| it.code == "bm");
        named
            .flat_map(|it| &it.operands)
            .map(|it| position.parse_move(&it.text))
            .collect()
    }

    /// The position as a game without moves: `id` is its event, everything else is its comment.
    pub fn to_record(&self) -> Record {
        let mut record = Record::new(Position::Chess(self.position.clone()));
        if let Some(id) = self.operand("id") {
            record.tags.set(Tags::EVENT, id);
        }
        let others = Self {
            position: ChessPosition::START,
            operations: self
                .operations
                .iter()
                .filter(|it| it.code != "id")
                .cloned()
                .collect(),
        };
        let text = others.to_string();
        let said = text.splitn(5, ' ').nth(4).unwrap_or_default();
        if let (false, Some(note)) = (said.is_empty(), record.note_mut(record.root())) {
            note.comment = Some(said.to_owned());
        }
        record
    }

    /// The last position of a game's main line, with its event as `id`; `None` if it is no chess.
    pub fn of_end(record: &Record) -> Option<Self> {
        let position = record.position(record.main_end())?;
        let mut epd = Self::new(position.chess()?.clone());
        let known = record.tags.get(Tags::EVENT).filter(|it| *it != "?");
        if let Some(event) = known {
            epd.say("id", event, true);
        }
        Some(epd)
    }

    /// Whether a line looks like EPD or FEN: the ranks of a board of chess come first.
    pub fn is_likely(line: &str) -> bool {
        let board = line.split_whitespace().next().unwrap_or_default();
        let is_man = |it: char| it.is_ascii_digit() || "pnbrqkPNBRQK/".contains(it);
        board.matches('/').count() == 7
            && board.chars().all(is_man)
            && Kind::Chess.parse_position(line.trim()).is_ok()
            || line.parse::<Self>().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_they_were() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"kings; and a pawn\";",
            "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 31; ce 25; pv Ke7 Ke2; c0 \"\";",
        ] {
            let epd: Epd = line.parse().unwrap();
            assert_eq!(epd.to_string(), line);
        }
        let with_counters: Epd = "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31 am Kd7".parse().unwrap();
        assert_eq!(
            with_counters.to_string(),
            "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 31; am Kd7;"
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let told = |line: &str| line.parse::<Epd>().unwrap_err().to_string();
        assert_eq!(
            told("4k3/8/8/8/8/8/4P3/4K3 w - - id \"open"),
            "column 32: this quotation mark is never closed; expected \""
        );
        assert!(told("4k3/8/8/8/8/8/4P3/4K3 w -").starts_with("column 26: the position ends"));
        assert!(told("8/8/8/8/8/8/8/8 w - - bm e4;").contains("is not a chess position"));
        assert!(told("4k3/8/8/8/8/8/4P3/4K3 w - - ?! e4").contains("names no operation"));
    }

    #[test]
    fn a_position_becomes_a_game_and_a_game_a_position() {
        let epd: Epd = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"test 7\"; c0 \"why\";"
            .parse()
            .unwrap();
        let record = epd.to_record();
        assert_eq!(record.tags.get(Tags::EVENT), Some("test 7"));
        let root = record.node(record.root()).unwrap();
        assert_eq!(root.note.comment.as_deref(), Some("bm e4; c0 \"why\";"));
        let end = Epd::of_end(&record).unwrap();
        assert_eq!(end.position, epd.position);
        assert_eq!(end.operand("id"), Some("test 7"));
        assert!(Epd::is_likely("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"));
        assert!(!Epd::is_likely("f5d6c3"));
    }
}
