//! The text of one game into its moves, their footprints and everything that is said about them.

use super::{BLACK_WINS, DRAWN, UNKNOWN, WHITE_WINS};
use crate::{
    AnnotationError, Footprint, Glyph, Kind, Outcome, Packed, Position, Record, Side, Tags,
    Termination,
    annotations::{Op, Writer},
    chess::{self, Steps},
    packed::chess_start,
};
use shakmaty::{Chess, Position as _};
use std::borrow::Cow;

/// A game as its text has it.
#[derive(Debug, Clone)]
pub struct PgnGame {
    pub tags: Tags,
    pub packed: Packed,
    /// The footprints of the main line.
    pub prints: Vec<Footprint>,
    /// See [`Record::annotations`].
    pub annotations: Option<Vec<u8>>,
    pub outcome: Option<Outcome>,
}

impl PgnGame {
    /// The game as a record.
    pub fn into_record(self) -> Result<Record, AnnotationError> {
        let mut record = match &self.annotations {
            Some(annotations) => self.packed.annotated(annotations)?,
            None => self.packed.replay()?,
        };
        record.tags = self.tags;
        record.outcome = self.outcome;
        Ok(record)
    }
}

/// A game that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PgnError {
    /// Counted from 1, in the whole file.
    pub line: u64,
    /// Counted from 1, in letters.
    pub column: u64,
    /// What was found and what would be right.
    pub problem: String,
}

/// Reads the text of one game. `first_line` is the number of its first line, for errors.
///
/// ```
/// let game = game::pgn::read(b"[White \"Ann\"]\n\n1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *", 1)?;
/// assert_eq!(game.tags.get("White"), Some("Ann"));
/// assert_eq!(game.packed.moves.len(), 3);
/// assert_eq!(game.into_record()?.n_nodes(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(text: &[u8], first_line: u64) -> Result<PgnGame, PgnError> {
    let text = match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        // Older files are Latin-1, where every byte is a letter.
        Err(_) => Cow::Owned(
            text.iter()
                .map(|byte| char::from(*byte))
                .collect::<String>(),
        ),
    };
    let mut cursor = Cursor {
        text: text.as_bytes(),
        whole: &text,
        at: 0,
    };
    let failed = |cursor: &Cursor<'_>, problem: String| {
        let before = cursor.part(0, cursor.at.min(cursor.text.len()));
        let n = before.bytes().filter(|byte| *byte == b'\n').count();
        let of_line = before.rsplit('\n').next().unwrap_or_default();
        PgnError {
            line: first_line + n as u64,
            column: of_line.chars().count() as u64 + 1,
            problem,
        }
    };
    let tags = cursor.tags();
    let tags = tags.map_err(|problem| failed(&cursor, problem))?;
    let start = start_of(&tags).map_err(|problem| failed(&cursor, problem))?;
    let mut game = Movetext::new(start.as_ref(), cursor);
    if let Err(problem) = game.read() {
        return Err(failed(&game.cursor, problem));
    }
    Ok(game.finish(tags, start))
}

/// A start position that is not the usual one. Variants with other rules are refused.
fn start_of(tags: &Tags) -> Result<Option<Position>, String> {
    let standard = [
        "standard",
        "chess960",
        "fischerandom",
        "from position",
        "chess",
    ];
    if let Some(variant) = tags.get(Tags::VARIANT) {
        let is_known = standard.iter().any(|it| it.eq_ignore_ascii_case(variant));
        if !is_known {
            return Err(format!(
                "the variant is {variant:?}; expected standard chess or Chess960"
            ));
        }
    }
    let Some(fen) = tags.get(Tags::FEN) else {
        return Ok(None);
    };
    let position = Kind::Chess.parse_position(fen);
    let position = position.map_err(|error| format!("the tag FEN: {error}"))?;
    let usual = position.to_string() == Position::CHESS_START.to_string();
    Ok((!usual).then_some(position))
}

/// A place in the text.
struct Cursor<'a> {
    text: &'a [u8],
    whole: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    /// A part of the text; empty if it would cut a letter.
    fn part(&self, from: usize, to: usize) -> &'a str {
        self.whole.get(from..to).unwrap_or_default()
    }

    fn find(&self, byte: u8) -> Option<usize> {
        let at = memchr::memchr(byte, self.rest())?;
        Some(self.at + at)
    }

    fn line_end(&self) -> usize {
        self.find(b'\n').unwrap_or(self.text.len())
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            let is_escape = byte == b'%' && (self.at == 0 || self.text[self.at - 1] == b'\n');
            if is_escape {
                self.at = self.line_end();
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn tags(&mut self) -> Result<Tags, String> {
        let mut tags = Tags::default();
        loop {
            self.skip_space();
            if self.peek() != Some(b'[') {
                return Ok(tags);
            }
            let (name, value) = self.tag()?;
            tags.set(name, &value);
        }
    }

    fn tag(&mut self) -> Result<(&'a str, Cow<'a, str>), String> {
        let end = self.line_end();
        let shown = |this: &Self| this.part(this.at, end).chars().take(60).collect::<String>();
        let wrong = |this: &Self| {
            let found = shown(this);
            format!("{found:?} is no tag; expected one such as [Event \"World Open\"]")
        };
        let from = self.at + 1;
        let Some(quote) = self.find(b'"').filter(|at| *at < end) else {
            return Err(wrong(self));
        };
        let name = self.part(from, quote).trim();
        if name.is_empty() || name.contains(|it: char| it.is_whitespace() || it == ']') {
            return Err(wrong(self));
        }
        let Some((close, next)) = self.tag_end(quote + 1, end) else {
            return Err(wrong(self));
        };
        let value = self.part(quote + 1, close);
        let value = if memchr::memchr(b'\\', value.as_bytes()).is_some() {
            Cow::Owned(unescaped(value))
        } else {
            Cow::Borrowed(value)
        };
        self.at = next;
        Ok((name, value))
    }

    /// The quote that closes a tag's value, and what follows the tag. Quotes and backslashes should
    /// stand behind a backslash, but people and programs forget that: the quote that closes stands
    /// before the bracket at the end of the line, or before the next tag.
    fn tag_end(&self, from: usize, end: usize) -> Option<(usize, usize)> {
        let mut first = None;
        let mut last = None;
        let mut at = from;
        while at < end {
            match (self.text[at], self.text.get(at + 1)) {
                (b'\\', Some(b'"' | b'\\')) => {
                    if self.text[at + 1] == b'"' {
                        last = Some(at + 1);
                    }
                    at += 2;
                    continue;
                }
                (b'"', _) => last = Some(at),
                _ => {
                    at += 1;
                    continue;
                }
            }
            let after = self.text[at + 1..end].trim_ascii_start();
            if let Some(rest) = after.strip_prefix(b"]") {
                let found = (at, end - rest.len());
                match rest.trim_ascii_start() {
                    [] | [b'[', ..] => return Some(found),
                    // Moves on the same line, or a bracket inside of the value.
                    _ => first = first.or(Some(found)),
                }
            }
            at += 1;
        }
        first.or_else(|| last.map(|at| (at, end)))
    }
}

/// A value without the backslashes before quotes and backslashes; others are part of it.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let escaped = match letter {
            '\\' => letters.next_if(|it| matches!(it, '"' | '\\')),
            _ => None,
        };
        out.push(escaped.unwrap_or(letter));
    }
    out
}

/// A variation that is being read: where it stands, and where it stood before its last move.
struct Branch {
    position: Chess,
    previous: Option<Chess>,
}

/// The moves of a game and what is said between them.
struct Movetext<'a> {
    cursor: Cursor<'a>,
    main: Steps,
    /// The main line before its last move.
    previous: Option<Chess>,
    branches: Vec<Branch>,
    moves: Vec<u8>,
    prints: Vec<Footprint>,
    writer: Writer,
    result: Option<&'static str>,
}

/// Signs that annotators write in the text in the place of numbers.
const SIGNS: [(&str, u8); 13] = [
    ("+--", 20),
    ("--+", 21),
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("∞", 13),
    ("±", 16),
];

/// What ends a word.
const fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'!' | b'?' | b'$' | b'.' | b'*'
        )
}

impl<'a> Movetext<'a> {
    fn new(start: Option<&Position>, cursor: Cursor<'a>) -> Self {
        // Moves and what is said about them take less room than their text.
        let n_bytes = cursor.rest().len();
        Self {
            cursor,
            main: Steps::new(chess_start(start)),
            previous: None,
            branches: Vec::new(),
            moves: Vec::with_capacity(96),
            prints: Vec::with_capacity(96),
            writer: Writer::expecting(n_bytes),
            result: None,
        }
    }

    fn read(&mut self) -> Result<(), String> {
        loop {
            self.cursor.skip_space();
            let Some(byte) = self.cursor.peek() else {
                break;
            };
            match byte {
                b'{' => self.brace()?,
                b';' => {
                    let (from, to) = (self.cursor.at + 1, self.cursor.line_end());
                    self.comment(self.cursor.part(from, to));
                    self.cursor.at = to;
                }
                b'(' => self.open()?,
                b')' => self.close()?,
                b'$' => self.numbered_glyph()?,
                b'!' | b'?' => self.suffix(),
                b'.' => self.cursor.at += 1,
                b'0'..=b'9' | b'*' | 0xc2 if self.number_or_result()? => {}
                b'[' | b']' | b'}' => {
                    let found = char::from(byte);
                    return Err(format!("{found:?} has no meaning here; expected a move"));
                }
                _ => self.word()?,
            }
        }
        if self.branches.is_empty() {
            return Ok(());
        }
        Err("the text ends inside a variation; expected )".to_owned())
    }

    fn brace(&mut self) -> Result<(), String> {
        let from = self.cursor.at + 1;
        let end = self.cursor.find(b'}');
        let end = end.ok_or("the comment that begins here is never closed; expected }")?;
        self.comment(self.cursor.part(from, end));
        self.cursor.at = end + 1;
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        // A variation that has no move yet is opened by its comment.
        let opens = self.branches.last().is_some_and(|it| it.previous.is_none());
        let op = if opens { Op::Before } else { Op::Comment };
        self.writer.text(op, text);
    }

    fn open(&mut self) -> Result<(), String> {
        let previous = match self.branches.last() {
            Some(branch) => branch.previous.as_ref(),
            None => self.previous.as_ref(),
        };
        let position = previous.ok_or("( stands before any move; expected a move")?;
        if self.writer.is_too_deep() {
            return Err("too many variations inside each other".to_owned());
        }
        let position = position.clone();
        self.branches.push(Branch {
            position,
            previous: None,
        });
        self.writer.op(Op::Open);
        self.cursor.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        if self.branches.pop().is_none() {
            return Err("this ) closes no variation".to_owned());
        }
        self.writer.op(Op::Close);
        self.cursor.at += 1;
        Ok(())
    }

    fn numbered_glyph(&mut self) -> Result<(), String> {
        let rest = &self.cursor.rest()[1..];
        let n = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        let digits = self.cursor.part(self.cursor.at + 1, self.cursor.at + 1 + n);
        let number: u8 = digits
            .parse()
            .map_err(|_| format!("${digits} is no glyph; expected $0 to $255"))?;
        self.writer.glyph(Glyph(number));
        self.cursor.at += 1 + n;
        Ok(())
    }

    fn suffix(&mut self) {
        let (glyph, n) = match self.cursor.rest() {
            [b'!', b'!', ..] => (Glyph::BRILLIANT, 2),
            [b'!', b'?', ..] => (Glyph::INTERESTING, 2),
            [b'?', b'?', ..] => (Glyph::BLUNDER, 2),
            [b'?', b'!', ..] => (Glyph::DUBIOUS, 2),
            [b'!', ..] => (Glyph::GOOD, 1),
            _ => (Glyph::MISTAKE, 1),
        };
        self.writer.glyph(glyph);
        self.cursor.at += n;
    }

    /// Whether what begins with a digit was a move number or a result; castling with zeros is not.
    fn number_or_result(&mut self) -> Result<bool, String> {
        let rest = self.cursor.rest();
        // Most numbers are those of moves, and need not be compared with every result.
        let results: &[(&str, &'static str)] = match rest {
            [b'0' | b'1', b'-' | b'/', ..] | [b'*' | 0xc2, ..] => &[
                (WHITE_WINS, WHITE_WINS),
                (BLACK_WINS, BLACK_WINS),
                (DRAWN, DRAWN),
                ("½-½", DRAWN),
                (UNKNOWN, UNKNOWN),
            ],
            _ => &[],
        };
        for &(text, result) in results {
            let after = rest.get(text.len()).copied();
            if rest.starts_with(text.as_bytes()) && after.is_none_or(|it| is_end(it) || it == b',')
            {
                self.cursor.at += text.len();
                // Inside a variation it is an annotator's remark on how that would end.
                if self.branches.is_empty() {
                    self.result = Some(result);
                } else {
                    self.writer.text(Op::Comment, result);
                }
                return Ok(true);
            }
        }
        let n = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        let after = rest.get(n).copied();
        if n == 0 || after == Some(b'-') {
            return Ok(false);
        }
        self.cursor.at += n;
        let is_number = after.is_none_or(|it| is_end(it) || it.is_ascii_alphabetic());
        if is_number {
            Ok(true)
        } else {
            self.cursor.at -= n;
            Err(self.no_move("it is no move number"))
        }
    }

    fn shown(&self) -> String {
        let n = self
            .cursor
            .rest()
            .iter()
            .take_while(|it| !is_end(**it))
            .count();
        let word = self.cursor.rest().get(..n.max(1)).unwrap_or_default();
        String::from_utf8_lossy(word).chars().take(20).collect()
    }

    fn no_move(&self, reason: &str) -> String {
        let word = self.shown();
        let position = match self.branches.last() {
            Some(branch) => &branch.position,
            None => &self.main.position,
        };
        let number = position.fullmoves();
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        format!("{word:?} at move {number}{dots}: {reason}; expected a move such as Nf3")
    }

    /// A move, or one of the few other words that people write.
    fn word(&mut self) -> Result<(), String> {
        let rest = self.cursor.rest();
        let signs = match rest {
            [b'+' | b'-' | b'=' | 0xc2 | 0xe2, ..] => &SIGNS[..],
            _ => &[],
        };
        if let Some((sign, number)) = signs
            .iter()
            .find(|(sign, _)| rest.starts_with(sign.as_bytes()))
            .filter(|_| !rest.starts_with(b"--") || rest.starts_with(b"--+"))
        {
            self.writer.glyph(Glyph(*number));
            self.cursor.at += sign.len();
            return Ok(());
        }
        if rest.starts_with(b"e.p.") || rest.starts_with(b"ep ") {
            self.cursor.at += if rest[1] == b'.' { 4 } else { 2 };
            return Ok(());
        }
        let n = rest.iter().take_while(|it| !is_end(**it)).count();
        let word = &rest[..n];
        match word {
            b"--" | b"Z0" | b"null" | b"@@@@" => return self.null_move(),
            b"N" => {
                self.writer.glyph(Glyph(146));
                self.cursor.at += n;
                return Ok(());
            }
            b"" => return Err(self.no_move("it has no meaning here")),
            _ => {}
        }
        if self.result.is_some() && self.branches.is_empty() {
            return Err(self.no_move("the game has ended before"));
        }
        self.play(word).map_err(|reason| self.no_move(reason))?;
        self.cursor.at += n;
        Ok(())
    }

    fn play(&mut self, word: &[u8]) -> Result<(), &'static str> {
        match self.branches.last_mut() {
            None => {
                let action = chess::find_san(&self.main.position, word)?;
                self.previous = Some(self.main.position.clone());
                let byte = chess::pack(&self.main.position, action, &mut self.moves);
                self.prints.push(self.main.footprint(byte));
                self.main.play(action);
                self.writer.step();
            }
            Some(branch) => {
                let action = chess::find_san(&branch.position, word)?;
                branch.previous = Some(branch.position.clone());
                chess::pack(&branch.position, action, self.writer.variation_step());
                branch.position.play_unchecked(action);
            }
        }
        Ok(())
    }

    /// A move that only annotators make. The rules know no such thing: the rest of the variation is
    /// kept as a comment.
    fn null_move(&mut self) -> Result<(), String> {
        if self.branches.is_empty() {
            return Err(self.no_move("the rules know no such move"));
        }
        let from = self.cursor.at;
        let (mut depth, mut is_comment) = (0_usize, false);
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'{' => is_comment = true,
                b'}' => is_comment = false,
                b'(' if !is_comment => depth += 1,
                b')' if !is_comment && depth == 0 => break,
                b')' if !is_comment => depth -= 1,
                _ => {}
            }
            self.cursor.at += 1;
        }
        let text = self.cursor.part(from, self.cursor.at);
        let text = text.replace('{', "(").replace('}', ")");
        self.comment(&text);
        Ok(())
    }

    fn finish(mut self, tags: Tags, start: Option<Position>) -> PgnGame {
        self.prints.push(self.main.footprint(Footprint::END));
        let result = self.result.filter(|it| *it != UNKNOWN);
        let result = result.or_else(|| tags.get(Tags::RESULT));
        let winner = match result {
            Some(WHITE_WINS) => Some(Some(Side::White)),
            Some(BLACK_WINS) => Some(Some(Side::Black)),
            Some(DRAWN | "½-½" | "1/2") => Some(None),
            _ => None,
        };
        let termination = tags.get(Tags::TERMINATION).and_then(|it| it.parse().ok());
        let termination = termination.unwrap_or(Termination::Normal);
        PgnGame {
            outcome: winner.map(|winner| Outcome::decided(winner, termination)),
            annotations: self.writer.finish(self.prints.len() - 1),
            packed: Packed {
                kind: Kind::Chess,
                start,
                moves: self.moves,
            },
            prints: self.prints,
            tags,
        }
    }
}
