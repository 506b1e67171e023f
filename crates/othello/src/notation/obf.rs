//! OBF: a position a line with the scores of its moves, as endgame test suites use it.
//!
//! `<64 squares> <side>; G8:+18; H1:+12; --:-127; % a comment`. Scores are discs for the side to
//! move. The text of each score is kept, so that a file comes back as it was.

use super::lines::Lines;
use super::{ParseMoveError, ParsePositionError, Problem, excerpt};
use crate::{Move, Position};
use std::io::BufRead;
use std::{fmt, str::FromStr};

/// Why a line is not OBF.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObfError {
    /// The board or the side to move.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// The move of an entry.
    #[error("entry {index}: {error}")]
    Move {
        /// Which entry after the position, counted from 1.
        index: usize,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// The score of an entry.
    #[error("entry {index}: {error}")]
    Score {
        /// Which entry after the position, counted from 1.
        index: usize,
        /// What is wrong with it.
        error: ParseDiscsError,
    },
}

/// The text is not a score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a score; expected discs such as +18, -2 or +0.50")]
pub struct ParseDiscsError {
    /// What was read, shortened if long.
    pub text: String,
}

/// A score in discs as it was written: `+18`, `-127`, `+0.50`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DiscsText(String);

impl DiscsText {
    /// The value in discs.
    pub fn discs(&self) -> f64 {
        self.0.parse().unwrap_or_default()
    }

    /// The value in centidiscs, rounded.
    pub fn centidiscs(&self) -> i32 {
        (self.discs() * 100.0).round() as i32
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whole discs, with a sign: `+18`.
impl From<i32> for DiscsText {
    fn from(discs: i32) -> Self {
        Self(format!("{discs:+}"))
    }
}

impl fmt::Display for DiscsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A sign or none, digits, and perhaps a point and more digits.
impl FromStr for DiscsText {
    type Err = ParseDiscsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const LENGTH_MAX: usize = 16;
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if text.len() <= LENGTH_MAX && digits(whole) && digits(fraction) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseDiscsError {
                text: excerpt(text),
            })
        }
    }
}

/// A move and, if known, what it is worth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScoredMove {
    /// The move; `--` is read as a pass.
    pub action: Move,
    /// Its value in discs for the side to move.
    pub score: Option<DiscsText>,
}

/// A position with what is known of its moves.
///
/// ```
/// use othello::notation::ObfEntry;
/// let line = "---------------------------OX------XO--------------------------- X; F5:+0; D3:+0;";
/// let entry: ObfEntry = line.parse().unwrap();
/// assert_eq!(entry.moves.len(), 2);
/// assert_eq!(entry.to_string(), line);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObfEntry {
    pub position: Position,
    /// Its moves in the file's order, usually the best first.
    pub moves: Vec<ScoredMove>,
    /// A comment at the end of the line, with its `%` or `#`; only its first line is written.
    pub comment: Option<String>,
}

/// A line of an OBF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObfLine {
    /// A blank line or one that begins with `%` or `#`, as written.
    Comment(String),
    Entry(ObfEntry),
}

impl FromStr for ObfEntry {
    type Err = ObfError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let comment_at = text.find(['%', '#']).unwrap_or(text.len());
        let (data, comment) = text.split_at(comment_at);
        let comment = comment.trim_ascii();
        let (board, entries) = data.split_once(';').unwrap_or((data, ""));
        let moves = entries
            .split(';')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .enumerate()
            .map(|(i, entry)| parse_scored_move(i + 1, entry))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            position: board.parse()?,
            moves,
            comment: (!comment.is_empty()).then(|| comment.to_owned()),
        })
    }
}

fn parse_scored_move(index: usize, entry: &str) -> Result<ScoredMove, ObfError> {
    let (action, score) = match entry.split_once(':') {
        Some((action, score)) => (action.trim(), Some(score.trim())),
        None => (entry, None),
    };
    let action = action
        .parse()
        .map_err(|error| ObfError::Move { index, error })?;
    let score = score
        .map(str::parse)
        .transpose()
        .map_err(|error| ObfError::Score { index, error })?;
    Ok(ScoredMove { action, score })
}

/// `G8:+18`, the square in capitals as the published files have it.
impl fmt::Display for ScoredMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Move::Place(square) => f.write_str(&square.to_string().to_ascii_uppercase())?,
            Move::Pass => f.write_str("--")?,
        }
        self.score
            .iter()
            .try_for_each(|score| write!(f, ":{score}"))
    }
}

/// One line, without its end.
impl fmt::Display for ObfEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        for scored in &self.moves {
            write!(f, " {scored};")?;
        }
        // A line break in a comment would begin another entry, one without a mark a bad move.
        let comment = self.comment.as_ref().and_then(|text| text.lines().next());
        comment.map_or(Ok(()), |text| {
            let mark = if text.starts_with(['%', '#']) {
                ""
            } else {
                "% "
            };
            write!(f, " {mark}{text}")
        })
    }
}

impl fmt::Display for ObfLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comment(comment) => f.write_str(comment),
            Self::Entry(entry) => entry.fmt(f),
        }
    }
}

/// Reads an OBF file line by line, comments and blank lines included.
pub fn read_obf<R: BufRead>(reader: R) -> ObfReader<R> {
    ObfReader {
        lines: Lines::new(reader),
    }
}

/// Lines of an OBF file; see [`read_obf`].
#[derive(Debug)]
pub struct ObfReader<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Iterator for ObfReader<R> {
    type Item = Result<ObfLine, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lines.next_record(|line| {
            Some(if line.is_empty() || line.starts_with(['%', '#']) {
                Ok(ObfLine::Comment(line.to_owned()))
            } else {
                line.parse().map(ObfLine::Entry).map_err(Into::into)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                        G8:+18; H1:12; A2:-0.50; B1; --:-127; % hard";

    #[test]
    fn a_line_comes_back_as_it_was() {
        let entry: ObfEntry = LINE.parse().unwrap();
        assert_eq!(entry.to_string(), LINE);
        let scores: Vec<_> = entry
            .moves
            .iter()
            .map(|m| m.score.as_ref().map(DiscsText::centidiscs))
            .collect();
        let expected = [Some(1800), Some(1200), Some(-50), None, Some(-12700)];
        assert_eq!(scores, expected);
        assert_eq!(entry.moves[4].action, Move::Pass);
    }

    #[test]
    fn files_keep_comments_and_survive_bad_lines() {
        let file = format!("% a comment\n\n{LINE}\nrubbish\n{LINE}\n");
        let lines: Vec<_> = read_obf(file.as_bytes()).collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(
            lines[3].as_ref().unwrap_err().to_string(),
            "record 4, line 4: unexpected 'r' at character 1; expected X, *, B (black), O, W \
             (white), - or . (empty)"
        );
        let kept: Vec<String> = lines.into_iter().flatten().map(|l| l.to_string()).collect();
        assert_eq!(kept, ["% a comment", "", LINE, LINE]);
    }

    #[test]
    fn a_comment_stays_a_comment() {
        let mut entry: ObfEntry = LINE.parse().unwrap();
        entry.comment = Some("no mark\nsecond line".to_owned());
        assert!(entry.to_string().ends_with("--:-127; % no mark"));
    }

    #[test]
    fn errors_name_the_entry() {
        let error = |from: &str, to: &str| {
            let line = LINE.replace(from, to);
            line.parse::<ObfEntry>().unwrap_err().to_string()
        };
        assert!(error("H1", "J1").starts_with("entry 2: \"J1\" is not a move"));
        assert_eq!(
            error("+18", "many"),
            "entry 1: \"many\" is not a score; expected discs such as +18, -2 or +0.50"
        );
    }
}
