//! A file of games cut into the texts of single games, without reading their moves.

use super::{BLACK_WINS, DRAWN, UNKNOWN, WHITE_WINS};
use std::io::{self, BufRead};

/// A longer game is not kept in memory: it is told as too long.
pub const GAME_BYTES_MAX: usize = 4 << 20;

/// Cuts a file into games. A game ends where tags begin after its moves, or at an empty line after
/// its result; a comment that is never closed ends where an empty line and an `Event` tag follow.
#[derive(Debug)]
pub struct Splitter<R> {
    reader: R,
    /// Lines that were read.
    n_lines: u64,
    /// The line that belongs to the next game.
    pending: Vec<u8>,
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
    has_moves: bool,
    /// Whether a comment is open.
    is_comment: bool,
    was_blank: bool,
    has_result: bool,
}

impl<R: BufRead> Splitter<R> {
    pub const fn new(reader: R) -> Self {
        Self {
            reader,
            n_lines: 0,
            pending: Vec::new(),
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
            let is_pending = !self.pending.is_empty();
            if is_pending {
                buffer.append(&mut self.pending);
            } else if self.reader.read_until(b'\n', buffer)? == 0 {
                break;
            } else {
                self.n_lines += 1;
                if self.n_lines == 1 && buffer[line_start..].starts_with(b"\xef\xbb\xbf") {
                    buffer.drain(line_start..line_start + 3);
                }
            }
            let line = &buffer[line_start..];
            if seen.ends_before(line) {
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
            seen.look(line);
            if buffer.len() - start > GAME_BYTES_MAX {
                is_cut = true;
                buffer.truncate(line_start);
            }
        }
        Ok((first_line != 0).then_some(Slice {
            range: start..buffer.len(),
            line: first_line,
            is_cut,
        }))
    }
}

impl Seen {
    /// Whether a line begins the next game.
    fn ends_before(&self, line: &[u8]) -> bool {
        if !self.has_moves {
            return false;
        }
        if self.is_comment {
            return self.was_blank && line.starts_with(b"[Event \"");
        }
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        is_tag(line) || (self.has_result && self.was_blank && !is_blank)
    }

    fn look(&mut self, line: &[u8]) {
        let text = line.trim_ascii();
        if text.is_empty() {
            self.was_blank = true;
            return;
        }
        self.was_blank = false;
        if !self.is_comment && (line[0] == b'%' || (!self.has_moves && is_tag(line))) {
            return;
        }
        self.has_moves = true;
        let mut rest = text;
        while let Some(at) = rest.iter().position(|byte| match byte {
            b'}' => self.is_comment,
            b'{' | b';' => !self.is_comment,
            _ => false,
        }) {
            if rest[at] == b';' {
                break;
            }
            self.is_comment = !self.is_comment;
            rest = &rest[at + 1..];
        }
        let ends = |result: &str| text.ends_with(result.as_bytes());
        self.has_result = !self.is_comment
            && (ends(WHITE_WINS) || ends(BLACK_WINS) || ends(DRAWN) || ends(UNKNOWN));
    }
}

/// A bracket and a letter at the beginning of a line.
fn is_tag(line: &[u8]) -> bool {
    matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic())
}
