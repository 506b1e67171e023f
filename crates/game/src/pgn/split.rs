//! A file of games cut into the texts of single games, without reading their moves.

use super::{BLACK_WINS, DRAWN, UNKNOWN, WHITE_WINS};
use std::io::{self, BufRead, Read as _};

/// A longer game is not kept in memory: it is told as too long.
pub const GAME_BYTES_MAX: usize = 4 << 20;

/// Cuts a file into games. A game ends where tags begin after its moves, at an empty line after its
/// result, or, if it has tags alone, at an empty line and tags that it has already; a comment that is
/// never closed ends where an empty line and an `Event` tag follow. However long a line is, no more
/// than [`GAME_BYTES_MAX`] of it is in memory.
#[derive(Debug)]
pub struct Splitter<R> {
    reader: R,
    /// Lines that were read.
    n_lines: u64,
    /// The line that belongs to the next game.
    pending: Vec<u8>,
    /// Whether the last line that was read is longer, and the reader stands inside of it.
    is_inside: bool,
}

/// The text of a game in a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    pub range: std::ops::Range<usize>,
    /// The number of its first line, counted from 1.
    pub line: u64,
    /// Whether it is longer than [`GAME_BYTES_MAX`]; then only its beginning is there.
    pub is_cut: bool,
}

/// What has been seen of a game.
#[derive(Default)]
struct Seen {
    has_tags: bool,
    has_moves: bool,
    /// Whether a comment is open.
    is_comment: bool,
    /// Whether the rest of the line is a comment.
    is_rest: bool,
    was_blank: bool,
    has_result: bool,
}

impl<R: BufRead> Splitter<R> {
    pub const fn new(reader: R) -> Self {
        Self {
            reader,
            n_lines: 0,
            pending: Vec::new(),
            is_inside: false,
        }
    }

    /// Appends the next game's text to a buffer; `None` at the end of the file.
    pub fn next_into(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<Slice>> {
        let start = buffer.len();
        let mut seen = Seen::default();
        let mut first_line = 0;
        let mut is_cut = false;
        loop {
            let line_start = buffer.len();
            if !self.line_into(buffer)? {
                break;
            }
            let (before, line) = buffer[start..].split_at(line_start - start);
            if seen.ends_before(line, before) {
                self.pending = line.to_vec();
                buffer.truncate(line_start);
                break;
            }
            if first_line == 0 {
                if line.iter().all(u8::is_ascii_whitespace) {
                    buffer.truncate(line_start);
                    continue;
                }
                first_line = self.n_lines;
            }
            let is_text = seen.look(line);
            if self.is_inside || buffer.len() - start > GAME_BYTES_MAX {
                is_cut = true;
                buffer.truncate(line_start);
                self.skip_line(is_text.then_some(&mut seen))?;
            }
        }
        Ok((first_line != 0).then_some(Slice {
            range: start..buffer.len(),
            line: first_line,
            is_cut,
        }))
    }

    /// Appends the next line, or the beginning of one that is longer than a game may be; whether
    /// there is one.
    fn line_into(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        if !self.pending.is_empty() {
            buffer.append(&mut self.pending);
            return Ok(true);
        }
        let line_start = buffer.len();
        let most = GAME_BYTES_MAX + 1;
        let mut limited = self.reader.by_ref().take(most as u64);
        let n = limited.read_until(b'\n', buffer)?;
        if n == 0 {
            return Ok(false);
        }
        // Spaces before a game may be more than a game may have.
        self.n_lines += u64::from(!self.is_inside);
        self.is_inside = n == most && buffer.last() != Some(&b'\n');
        if self.n_lines == 1 && buffer[line_start..].starts_with(b"\xef\xbb\xbf") {
            buffer.drain(line_start..line_start + 3);
        }
        Ok(true)
    }

    /// Reads the line to its end, if the reader stands inside of one.
    fn skip_line(&mut self, mut seen: Option<&mut Seen>) -> io::Result<()> {
        while self.is_inside {
            let some = match self.reader.fill_buf() {
                Ok(some) => some,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = memchr::memchr(b'\n', some);
            let text = &some[..end.unwrap_or(some.len())];
            if let Some(seen) = &mut seen {
                seen.scan(text.trim_ascii_end());
            }
            let n = end.map_or(some.len(), |at| at + 1);
            self.is_inside = n > 0 && end.is_none();
            self.reader.consume(n);
        }
        Ok(())
    }
}

impl Seen {
    /// Whether a line begins the next game; `before` is the text of this one.
    fn ends_before(&self, line: &[u8], before: &[u8]) -> bool {
        if !self.has_moves {
            // Tags of one game may stand apart, but none comes twice.
            return self.was_blank && self.has_tags && is_tag(line) && has_tag(before, line);
        }
        if self.is_comment {
            return self.was_blank && line.starts_with(b"[Event \"");
        }
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        is_tag(line) || (self.has_result && self.was_blank && !is_blank)
    }

    /// Looks at a line; whether it has moves or comments.
    fn look(&mut self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        if text.is_empty() {
            self.was_blank = true;
            return false;
        }
        self.was_blank = false;
        if !self.is_comment && line[0] == b'%' {
            return false;
        }
        if !self.is_comment && !self.has_moves && is_tag(line) {
            self.has_tags = true;
            return false;
        }
        self.has_moves = true;
        self.is_rest = false;
        self.scan(text);
        true
    }

    /// Looks at a line's text, or at what follows of it.
    fn scan(&mut self, text: &[u8]) {
        let mut rest = text;
        while !self.is_rest
            && let Some(at) = match self.is_comment {
                true => memchr::memchr(b'}', rest),
                false => memchr::memchr2(b'{', b';', rest),
            }
        {
            if rest[at] == b';' {
                self.is_rest = true;
            } else {
                self.is_comment = !self.is_comment;
            }
            rest = &rest[at + 1..];
        }
        let ends = |result: &str| text.ends_with(result.as_bytes());
        self.has_result = !self.is_comment
            && (ends(WHITE_WINS) || ends(BLACK_WINS) || ends(DRAWN) || ends(UNKNOWN));
    }
}

/// Whether some lines have the tag that a line begins with, or the line has the first tag of the
/// standard.
fn has_tag(lines: &[u8], line: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let n = 1 + line[1..].iter().take_while(is_name).count();
    let name = &line[..n];
    let has_it = |it: &[u8]| it.starts_with(name) && it.get(n).is_some_and(|byte| !is_name(&byte));
    name == b"[Event" || lines.split(|byte| *byte == b'\n').any(has_it)
}

/// A bracket and a letter at the beginning of a line.
fn is_tag(line: &[u8]) -> bool {
    matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic())
}
