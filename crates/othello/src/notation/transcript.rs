//! Games as a row of squares: `f5d6c3…`, as users type and paste them.
//!
//! Also read: `F5 D6`, `f5-d6`, `f5,d6`, move numbers (`1. f5 d6 2. c3`, `1) f5`, `1 f5 2 d6`),
//! passes written (`ps`, `pass`, `pa`, `--`, `@@`) or left out. A line that begins with a board
//! string and the side to move starts from that position; that is how games which do not begin
//! at the usual start are written, so nothing but names and results is lost.

use super::lines::{Lines, without_comment};
use super::problem::play_recorded;
use super::{IllegalRecordedMove, ParsePositionError, Problem, excerpt};
use crate::{Game, Move, Position};
use std::fmt::Write as _;
use std::io::BufRead;

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// Something that is no move, number or separator.
    #[error(
        "unexpected {found:?} at character {at}, where move {index} should be; expected a square such as f5, a pass or a move number"
    )]
    Unexpected {
        /// The text from there on, shortened.
        found: String,
        /// Its place in the line, counted from 1.
        at: usize,
        /// The number of the move that was expected, counted from 1.
        index: usize,
    },
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalRecordedMove),
    /// The board before the moves cannot be read.
    #[error(transparent)]
    Start(#[from] ParsePositionError),
}

/// Reads a game, from the usual start or from the position that the text begins with.
///
/// ```
/// use othello::notation::parse_transcript;
/// let game = parse_transcript("1. F5 d6 2. c3 d3").unwrap();
/// assert_eq!(game.transcript(), "f5d6c3d3");
/// let error = parse_transcript("f5 a1").unwrap_err();
/// assert_eq!(error.to_string(), "move 2 (\"a1\") is not legal for White; legal: f4 d6 f6");
/// ```
pub fn parse_transcript(text: &str) -> Result<Game, TranscriptError> {
    let (start, offset) = split_start(text)?;
    parse_moves(start, text, offset).into_result()
}

/// A game as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptPart {
    /// The moves before the one that stopped the reading, or all of them.
    pub game: Game,
    /// What stopped the reading, and the byte of the text where it stands.
    pub stopped: Option<(usize, TranscriptError)>,
}

impl TranscriptPart {
    fn into_result(self) -> Result<Game, TranscriptError> {
        match self.stopped {
            None => Ok(self.game),
            Some((_, error)) => Err(error),
        }
    }
}

/// Reads a game up to the first move that cannot be read or played.
///
/// ```
/// use othello::notation::parse_transcript_part;
/// let part = parse_transcript_part("f5 d6 a1 c3").unwrap();
/// assert_eq!(part.game.transcript(), "f5d6");
/// assert_eq!(part.stopped.unwrap().0, 6);
/// ```
pub fn parse_transcript_part(text: &str) -> Result<TranscriptPart, TranscriptError> {
    let (start, offset) = split_start(text)?;
    Ok(parse_moves(start, text, offset))
}

/// Reads the moves of a game that began at `start`.
pub fn parse_transcript_from(start: Position, text: &str) -> Result<Game, TranscriptError> {
    parse_moves(start, text, 0).into_result()
}

/// The compact form: moves without passes, after the start position if it is not the usual one.
///
/// A pass at the very end cannot be told from the moves before it, so it is written.
pub fn compact_transcript(game: &Game) -> String {
    let mut text = start_prefix(game);
    text.push_str(&game.transcript());
    if game.moves().next_back() == Some(Move::Pass) {
        text.push_str("ps");
    }
    text
}

/// The form for people: `1. f5 d6 2. c3 d3`, passes written.
pub fn numbered_transcript(game: &Game) -> String {
    let mut text = start_prefix(game);
    for (ply, action) in game.moves().enumerate() {
        let space = if ply == 0 { "" } else { " " };
        let number = ply / 2 + 1;
        let result = if ply % 2 == 0 {
            write!(text, "{space}{number}. {action}")
        } else {
            write!(text, "{space}{action}")
        };
        result.expect("a String takes all text");
    }
    text
}

/// Reads a file of transcripts, one a line; blank lines and what follows a `#` are skipped.
pub fn read_transcripts<R: BufRead>(reader: R) -> Transcripts<R> {
    Transcripts {
        lines: Lines::new(reader),
    }
}

/// Games from lines; see [`read_transcripts`].
#[derive(Debug)]
pub struct Transcripts<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Iterator for Transcripts<R> {
    type Item = Result<Game, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lines.next_record(|line| {
            let text = without_comment(line);
            (!text.is_empty()).then(|| parse_transcript(text).map_err(Into::into))
        })
    }
}

fn start_prefix(game: &Game) -> String {
    match game.start() {
        Position::START => String::new(),
        start => format!("{start} "),
    }
}

/// The position that a text begins with, and where its moves begin. No transcript has 64
/// characters of a board in a row, so there is nothing to confuse.
fn split_start(text: &str) -> Result<(Position, usize), ParsePositionError> {
    const N_BOARD: usize = 64;
    let n_board = text
        .bytes()
        .take(N_BOARD)
        .take_while(|byte| b"XxOo*-.".contains(byte))
        .count();
    if n_board < N_BOARD {
        return Ok((Position::START, 0));
    }
    let rest = &text[n_board..];
    let spaces = rest.len() - rest.trim_start().len();
    let side = rest.trim_start().chars().next().map_or(0, char::len_utf8);
    let offset = n_board + spaces + side;
    Ok((text[..offset].parse()?, offset))
}

fn parse_moves(start: Position, text: &str, offset: usize) -> TranscriptPart {
    let mut game = Game::from_position(start);
    let mut index = 0;
    let mut rest = skip_separators(&text[offset..]);
    while !rest.is_empty() {
        if let Some(after) = skip_number(rest) {
            rest = skip_separators(after);
            continue;
        }
        index += 1;
        let byte = text.len() - rest.len();
        let read = next_move(rest).ok_or_else(|| TranscriptError::Unexpected {
            found: excerpt(rest),
            at: text[..byte].chars().count() + 1,
            index,
        });
        let played = read.and_then(|(action, after)| {
            play_recorded(&mut game, index, action)?;
            Ok(after)
        });
        match played {
            Ok(after) => rest = skip_separators(after),
            Err(error) => {
                return TranscriptPart {
                    game,
                    stopped: Some((byte, error)),
                };
            }
        }
    }
    TranscriptPart {
        game,
        stopped: None,
    }
}

/// Two dashes are a pass, one is a separator.
fn skip_separators(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
        match rest.strip_prefix('-') {
            Some(after) if !after.starts_with('-') => rest = after,
            _ => return rest,
        }
    }
}

/// A move number: up to three digits and then dots, a bracket or white space.
fn skip_number(text: &str) -> Option<&str> {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = &text[n_digits..];
    let ends = after.starts_with(|c: char| c == '.' || c == ')' || c.is_whitespace());
    ((1..=3).contains(&n_digits) && ends).then(|| after.trim_start_matches(['.', ')']))
}

/// The move at the beginning of the text, and what follows it.
fn next_move(text: &str) -> Option<(Move, &str)> {
    [4, 2].into_iter().find_map(|length| {
        let (token, after) = text.split_at_checked(length)?;
        Some((token.parse().ok()?, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_gives_the_same_game() {
        for text in [
            "f5d6c3d3",
            "F5D6C3D3",
            "F5 D6 C3 D3",
            "f5-d6-c3-d3",
            "f5,d6, c3;d3",
            "1. f5 2. d6 3. c3 4. d3",
            "1.f5 d6 2.c3 d3",
            "1. f5 1... d6 2. c3 d3",
            "1) f5 2) d6 3) c3 4) d3",
            "  1 f5 2 d6 3 c3 4 d3 ",
        ] {
            assert_eq!(parse_transcript(text).unwrap().transcript(), "f5d6c3d3");
        }
        assert_eq!(parse_transcript("").unwrap(), Game::new());
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        // White must pass: a1 cannot be bracketed, but Black can take b1.
        let start: Position = format!("XO{} O", "-".repeat(62)).parse().unwrap();
        let implied = parse_transcript_from(start, "c1").unwrap();
        let written = parse_transcript_from(start, "--c1").unwrap();
        assert_eq!(implied, written);
        assert_eq!(numbered_transcript(&written), format!("{start} 1. ps c1"));
        let error = |text| parse_transcript_from(start, text).unwrap_err().to_string();
        let expected = "move 1 (\"d1\") is not legal for Black; legal: c1";
        assert_eq!(error("d1"), expected);
        let expected = "move 2 (\"ps\") is not legal for Black; legal: c1";
        assert_eq!(error("ps ps"), expected);
        let passed = parse_transcript_from(start, "ps").unwrap();
        assert_eq!(parse_transcript(&compact_transcript(&passed)), Ok(passed));
    }

    #[test]
    fn errors_name_the_move_and_the_place() {
        let error = |text: &str| parse_transcript(text).unwrap_err().to_string();
        assert_eq!(
            error("f5 d6 zz"),
            "unexpected \"zz\" at character 7, where move 3 should be; expected a square such as \
             f5, a pass or a move number"
        );
        assert_eq!(
            error("f5 ps"),
            "move 2 (\"ps\") is not legal for White; legal: f4 d6 f6"
        );
        assert_eq!(
            error("e6f4e3f6g5d6e7f5c5 a1"),
            "move 10 (\"a1\") is not legal for White; legal: none, the game is over"
        );
        assert!(error(&"-".repeat(64)).contains("side to move"));
        assert!(error("33-31").contains("character 1"));
    }

    #[test]
    fn a_bad_line_costs_only_itself() {
        let file = "# two good games\nf5d6 # parallel\n\nf5a1\r\nf5f6\n";
        let games: Vec<_> = read_transcripts(file.as_bytes()).collect();
        assert_eq!(games[0].as_ref().unwrap().transcript(), "f5d6");
        assert_eq!(
            games[1].as_ref().unwrap_err().to_string(),
            "record 2, line 4: move 2 (\"a1\") is not legal for White; legal: f4 d6 f6"
        );
        assert_eq!(games[2].as_ref().unwrap().transcript(), "f5f6");
        assert_eq!(games.len(), 3);
    }

    #[test]
    fn other_starts_round_trip() {
        let start = Position::START.play("f5".parse().unwrap()).unwrap();
        let mut game = Game::from_position(start);
        game.place("d6".parse().unwrap()).unwrap();
        game.place("c3".parse().unwrap()).unwrap();
        for text in [compact_transcript(&game), numbered_transcript(&game)] {
            assert_eq!(parse_transcript(&text).unwrap(), game, "{text}");
        }
        assert!(numbered_transcript(&game).ends_with(" O 1. d6 c3"));
    }
}
