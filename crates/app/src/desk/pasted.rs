//! Text as people paste it: boards drawn in eight rows, games over several lines, and games with a
//! slip in them, of which the moves before it are kept.

use super::import::ImportProblem;
use othello::notation::{Record, TranscriptPart, parse_transcript_part};

/// Games and positions that were read, and what could not be.
#[derive(Debug, Default)]
pub(super) struct Pasted {
    pub(super) records: Vec<Record>,
    pub(super) problems: Vec<ImportProblem>,
}

/// No game has more lines: a move or a pass on each.
const LINES_OF_A_GAME: usize = 128;

/// A game that is being put together: its text, and where each of its lines begins in it.
struct Piece {
    text: String,
    /// Byte in the text, number of the line.
    lines: Vec<(usize, u64)>,
}

impl Piece {
    fn new(line: &str, number: u64) -> Self {
        Self {
            text: line.to_owned(),
            lines: vec![(0, number)],
        }
    }

    fn with(&self, line: &str, number: u64) -> Self {
        let mut lines = self.lines.clone();
        lines.push((self.text.len() + 1, number));
        Self {
            text: format!("{} {line}", self.text),
            lines,
        }
    }

    /// The line and the column of a byte of the text, counted from 1.
    fn place(&self, byte: usize) -> (u64, u64) {
        let found = self.lines.iter().rev().find(|(from, _)| *from <= byte);
        let &(from, line) = found.unwrap_or(&(0, 1));
        let column = self.text.get(from..byte).map_or(0, |it| it.chars().count());
        (line, column as u64 + 1)
    }
}

/// How far a text goes as a game: the moves that could be read, and whether that was all.
fn reach(text: &str) -> (usize, bool) {
    match parse_transcript_part(text) {
        Ok(part) => (part.game.ply(), part.stopped.is_none()),
        Err(_) => (0, false),
    }
}

/// Reads what is no other notation. Lines that make one game together are one. Else a line that is
/// a game of its own is one, and a line that only makes sense behind the one before belongs to it.
pub(super) fn read_pasted(text: &str) -> Pasted {
    let text = drawn_board(text).unwrap_or_else(|| text.to_owned());
    let lines: Vec<(u64, &str)> = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let mut pasted = Pasted::default();
    if lines.len() <= LINES_OF_A_GAME {
        let all: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let all = all.join(" ");
        if reach(&all).1 {
            pasted.take(Some(Piece::new(&all, 1)));
            return pasted;
        }
    }
    let mut open: Option<Piece> = None;
    for (number, line) in lines {
        let alone = reach(line);
        let joined = open.as_ref().map(|piece| piece.with(line, number));
        let continues = joined.as_ref().zip(open.as_ref()).filter(|(joined, open)| {
            let (before, was_whole) = reach(&open.text);
            let (after, is_whole) = reach(&joined.text);
            was_whole && !alone.1 && (is_whole || after - before.min(after) > alone.0)
        });
        if continues.is_some() {
            open = joined;
        } else {
            pasted.take(open.replace(Piece::new(line, number)));
        }
    }
    pasted.take(open);
    pasted
}

impl Pasted {
    fn take(&mut self, piece: Option<Piece>) {
        let Some(piece) = piece else { return };
        let record = (self.records.len() + self.problems.len()) as u64 + 1;
        let problem = |line, column, message| ImportProblem {
            record,
            line: Some(line),
            column,
            byte: None,
            message,
        };
        match parse_transcript_part(&piece.text) {
            Ok(TranscriptPart { game, stopped }) => {
                let kept = game.ply();
                if let Some((byte, error)) = stopped {
                    let (line, column) = piece.place(byte);
                    let message = match kept {
                        0 => error.to_string(),
                        1 => format!("{error}. The move before it was kept"),
                        _ => format!("{error}. The {kept} moves before it were kept"),
                    };
                    self.problems.push(problem(line, Some(column), message));
                    if kept == 0 {
                        return;
                    }
                }
                self.records.push(game.into());
            }
            Err(error) => {
                let line = piece.place(0).0;
                self.problems.push(problem(line, None, error.to_string()));
            }
        }
    }
}

/// A board in eight rows as one line with what follows it; `None` if the text does not begin with
/// one. Numbers beside the rows, letters above and below and bars between the squares are left out.
fn drawn_board(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let mut rows = String::new();
    let mut n_rows = 0;
    while n_rows < 8 {
        let line = lines.next()?;
        if let Some(row) = row(line) {
            rows.push_str(&row);
            n_rows += 1;
        } else if n_rows > 0 || !is_frame(line) {
            return None;
        }
    }
    let rest: Vec<&str> = lines.filter(|line| !is_frame(line)).collect();
    let (side, rest) = match rest.first().and_then(|line| side(line)) {
        Some(side) => (side, &rest[1..]),
        // Without passes, sides take turns from four discs on.
        None if rows.chars().filter(|it| *it != '-').count() % 2 == 0 => ('X', &rest[..]),
        None => ('O', &rest[..]),
    };
    Some(format!("{rows} {side} {}", rest.join(" ")))
}

/// The squares of a row; `None` if the line is none.
fn row(line: &str) -> Option<String> {
    let squares: String = line
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches(|c: char| ('1'..='8').contains(&c))
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '|')
        .map(|c| match c {
            'x' | 'X' | '*' | 'b' | 'B' | '●' => 'X',
            'o' | 'O' | '0' | 'w' | 'W' | '○' => 'O',
            '.' | '_' | '-' => '-',
            _ => '?',
        })
        .collect();
    let is_row = squares.chars().count() == 8 && !squares.contains('?');
    is_row.then_some(squares)
}

/// A line that only decorates a board: empty, or its letters.
fn is_frame(line: &str) -> bool {
    let letters: String = line.chars().filter(|it| it.is_alphabetic()).collect();
    let rest = line.chars().any(|it| it.is_ascii_digit());
    !rest && (letters.is_empty() || letters.eq_ignore_ascii_case("abcdefgh"))
}

/// Who is to move, as a line says it: `X`, `black`, `White to move`.
fn side(line: &str) -> Option<char> {
    let word = line.split_whitespace().next()?.to_ascii_lowercase();
    match word.trim_matches(|c: char| !c.is_alphanumeric() && c != '*') {
        "x" | "b" | "*" | "black" => Some('X'),
        "o" | "w" | "0" | "white" => Some('O'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        let pasted = read_pasted(text);
        assert!(pasted.problems.is_empty(), "{:?}", pasted.problems);
        pasted
            .records
            .iter()
            .map(|it| it.game.transcript())
            .collect()
    }

    #[test]
    fn a_game_over_several_lines_is_one_game() {
        assert_eq!(moves("f5d6\nc3d3\nc4"), ["f5d6c3d3c4"]);
        assert_eq!(moves("1. f5 d6\n2. c3 d3\n\n3. c4"), ["f5d6c3d3c4"]);
        assert_eq!(moves("f5\nd6\nc3\nd3\nc4"), ["f5d6c3d3c4"]);
        // Each of these lines is a game of its own.
        assert_eq!(moves("f5d6c3\nf5f6e6\nd3c5"), ["f5d6c3", "f5f6e6", "d3c5"]);
        assert_eq!(moves("f5d6 # a comment\n# another\nc3"), ["f5d6c3"]);
    }

    #[test]
    fn a_bad_move_is_told_with_its_place_and_the_moves_before_it_are_kept() {
        for (text, place, kept) in [
            ("f5d6c3a1d3", (1, 7), "f5d6c3"),
            ("f5 d6\nc3 a1 d3", (2, 4), "f5d6c3"),
            ("f5 d6\nc3 zz", (2, 4), "f5d6c3"),
        ] {
            let pasted = read_pasted(text);
            let [problem] = &pasted.problems[..] else {
                panic!("{text}: {:?}", pasted.problems);
            };
            assert_eq!(
                (problem.line, problem.column),
                (Some(place.0), Some(place.1))
            );
            assert!(
                problem.message.ends_with("moves before it were kept"),
                "{}",
                problem.message
            );
            assert_eq!(pasted.records[0].game.transcript(), kept);
        }
        let nothing = read_pasted("a1f5");
        assert_eq!((nothing.records.len(), nothing.problems.len()), (0, 1));
    }

    #[test]
    fn a_board_of_eight_lines_is_a_position() {
        let plain =
            "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\n";
        let drawn = "  a b c d e f g h\n1 . . . . . . . .\n2 . . . . . . . .\n3 . . . . . . . .\n\
                     4 . . . O X . . . 4\n5 . . . X O . . .\n6 . . . . . . . .\n\
                     7 . . . . . . . .\n8 . . . . . . . .\n  a b c d e f g h\nBlack to move\n";
        for text in [plain.to_owned(), format!("{plain}X"), drawn.to_owned()] {
            let pasted = read_pasted(&text);
            assert!(pasted.problems.is_empty(), "{:?}", pasted.problems);
            assert_eq!(pasted.records[0].game.position(), othello::Position::START);
        }
        let played = read_pasted(&format!("{plain}X\nf5 d6"));
        assert_eq!(played.records[0].game.transcript(), "f5d6");
        let white = read_pasted(&format!("{plain}white"));
        assert_eq!(white.records[0].game.position().side, othello::Side::White);
    }
}
