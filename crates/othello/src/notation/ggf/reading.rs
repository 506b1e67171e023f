//! Games out of a stream of bytes.

use super::{GgfError, GgfGame, GgfTag, RESTART};
use crate::notation::{At, Place, Problem, ProblemKind, RECORD_BYTES_MAX, RawText, excerpt};
use std::io::{BufRead, ErrorKind};
use std::num::NonZeroU32;

/// Reads games one after the other, whatever their lines.
pub fn read_ggf<R: BufRead>(reader: R) -> GgfReader<R> {
    GgfReader {
        reader,
        framer: Framer::default(),
        place: Place {
            record: 0,
            at: At::Byte(0),
        },
        done: false,
    }
}

/// Games of a GGF file; see [`read_ggf`].
#[derive(Debug)]
pub struct GgfReader<R> {
    reader: R,
    framer: Framer,
    place: Place,
    done: bool,
}

impl<R: BufRead> Iterator for GgfReader<R> {
    type Item = Result<GgfGame, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let (at, result) = self.next_frame()?;
        self.place = Place {
            record: self.place.record + 1,
            at: At::Byte(at),
        };
        let place = self.place;
        Some(result.map_err(|kind| Problem { place, kind }))
    }
}

impl<R> GgfReader<R> {
    /// Where the game that was read last begins.
    pub const fn place(&self) -> Place {
        self.place
    }
}

impl<R: BufRead> GgfReader<R> {
    fn next_frame(&mut self) -> Option<(u64, Result<GgfGame, ProblemKind>)> {
        while !self.done {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.done = true;
                    return Some((self.framer.offset, Err(error.into())));
                }
            };
            if chunk.is_empty() {
                self.done = true;
                return self.framer.finish();
            }
            let mut used = 0;
            let mut frame = None;
            while used < chunk.len() && frame.is_none() {
                frame = self.framer.push(chunk[used]);
                used += 1;
            }
            self.reader.consume(used);
            if frame.is_some() {
                return frame;
            }
        }
        None
    }
}

impl GgfGame {
    /// Reads the game in the bytes from `(;` to `;)`.
    fn parse(count: Option<NonZeroU32>, bytes: &[u8]) -> Result<Self, GgfError> {
        let end = bytes.len() - b";)".len();
        let mut game = Self {
            count,
            tags: Vec::new(),
        };
        let mut at = b"(;".len();
        loop {
            at += count_while(&bytes[at..end], |byte| byte.is_ascii_whitespace());
            if at == end {
                return Ok(game);
            }
            let (tag, length) = parse_tag(&bytes[at..end]).ok_or_else(|| GgfError::Tag {
                found: excerpt(&String::from_utf8_lossy(&bytes[at..end])),
                at,
            })?;
            game.tags.push(tag);
            at += length;
        }
    }
}

/// A tag at the beginning of the bytes, and its length.
fn parse_tag(bytes: &[u8]) -> Option<(GgfTag, usize)> {
    let name_end = count_while(bytes, |byte| byte.is_ascii_alphanumeric());
    let after_name = name_end + count_while(&bytes[name_end..], |b| b.is_ascii_whitespace());
    if name_end == 0 || bytes.get(after_name) != Some(&b'[') {
        return None;
    }
    let value_at = after_name + 1;
    let length = bytes[value_at..].iter().position(|&byte| byte == b']')?;
    let tag = GgfTag {
        name: String::from_utf8_lossy(&bytes[..name_end]).into_owned(),
        value: RawText::from(&bytes[value_at..value_at + length]),
    };
    Some((tag, value_at + length + 1))
}

fn count_while(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    let other = bytes.iter().position(|&byte| !wanted(byte));
    other.unwrap_or(bytes.len())
}

/// Where the framer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Outside,
    Tags,
    Value,
}

/// Cuts a stream of bytes into games.
#[derive(Debug, Default)]
struct Framer {
    state: State,
    /// Bytes read so far.
    offset: u64,
    /// Where the current game, or the text before it, began.
    began: u64,
    /// The current game, or the text before it.
    buffer: Vec<u8>,
    /// The current game is over the limit and no longer kept.
    too_long: bool,
    /// The last eight bytes, the newest lowest.
    window: u64,
    /// The number before the current game.
    count: Option<NonZeroU32>,
}

type Frame = Option<(u64, Result<GgfGame, ProblemKind>)>;

impl Framer {
    /// Takes a byte; gives a game or a problem if it ends one.
    fn push(&mut self, byte: u8) -> Frame {
        if self.buffer.is_empty() && !self.too_long {
            self.began = self.offset;
        }
        self.offset += 1;
        self.window = self.window << 8 | u64::from(byte);
        self.keep(byte);
        match self.state {
            State::Outside if self.ends_with(b"(;") => self.begin_game(),
            State::Outside => None,
            State::Tags if self.ends_with(b";)") => self.end_game(),
            State::Tags if self.ends_with(b"(;") => self.restart(State::Tags, b"(;"),
            State::Tags => {
                if byte == b'[' {
                    self.state = State::Value;
                }
                None
            }
            State::Value if self.ends_with(RESTART) => self.restart(State::Value, RESTART),
            State::Value => {
                if byte == b']' {
                    self.state = State::Tags;
                    // `]` belongs to the value: it must not take part in what ends or begins.
                    self.window = 0;
                }
                None
            }
        }
    }

    /// The end of the stream.
    fn finish(&mut self) -> Frame {
        let blank = self.buffer.trim_ascii().is_empty() && !self.too_long;
        match self.state {
            State::Outside if blank => None,
            State::Outside => Some((self.began, Err(self.outside_problem()))),
            State::Tags | State::Value => Some((self.began, Err(self.unfinished_problem()))),
        }
    }

    fn keep(&mut self, byte: u8) {
        // Between games only white space and a number are expected: a little is enough to report.
        let limit = match self.state {
            State::Outside => 256,
            State::Tags | State::Value => RECORD_BYTES_MAX,
        };
        let leading_space = self.state == State::Outside
            && self.buffer.is_empty()
            && !self.too_long
            && byte.is_ascii_whitespace();
        if leading_space {
            return;
        }
        if self.buffer.len() < limit {
            self.buffer.push(byte);
        } else {
            self.too_long = true;
        }
    }

    fn ends_with(&self, pattern: &[u8]) -> bool {
        let wanted = pattern.iter().fold(0, |w, &b| w << 8 | u64::from(b));
        let mask = (1u64 << (8 * pattern.len())) - 1;
        self.window & mask == wanted
    }

    /// `(;` after the text between games, which is a number or a problem.
    fn begin_game(&mut self) -> Frame {
        let before = self.buffer.strip_suffix(b"(;").unwrap_or(&self.buffer);
        let before = String::from_utf8_lossy(before.trim_ascii()).into_owned();
        let known = !self.too_long && (before.is_empty() || parse_count(&before).is_some());
        let problem = (!known).then(|| (self.began, Err(self.outside_problem())));
        self.count = parse_count(&before).filter(|_| known);
        self.start_buffer(State::Tags, b"(;");
        problem
    }

    fn end_game(&mut self) -> Frame {
        let result = if self.too_long {
            Err(ProblemKind::TooLong)
        } else {
            GgfGame::parse(self.count.take(), &self.buffer).map_err(Into::into)
        };
        let began = self.began;
        self.start_buffer(State::Outside, b"");
        Some((began, result))
    }

    /// A game begins inside another, whose end must be missing.
    fn restart(&mut self, state: State, text: &[u8]) -> Frame {
        let problem = (self.began, Err(self.unfinished_problem()));
        self.count = None;
        self.start_buffer(state, text);
        Some(problem)
    }

    fn start_buffer(&mut self, state: State, text: &[u8]) {
        self.state = state;
        self.too_long = false;
        self.began = self.offset - text.len() as u64;
        self.buffer.clear();
        self.buffer.extend_from_slice(text);
        // What begins a game must not take part in what ends it: `(;)` is no game.
        self.window = 0;
    }

    fn outside_problem(&self) -> ProblemKind {
        let text = String::from_utf8_lossy(&self.buffer);
        let text = text.strip_suffix("(;").unwrap_or(&text);
        ProblemKind::Ggf(GgfError::Outside {
            found: excerpt(text.trim_ascii()),
        })
    }

    fn unfinished_problem(&self) -> ProblemKind {
        if self.too_long {
            ProblemKind::TooLong
        } else {
            GgfError::Unterminated.into()
        }
    }
}

/// The number before a game, without signs or leading zeros so that it comes back as it was.
fn parse_count(text: &str) -> Option<NonZeroU32> {
    let plain = text.starts_with(|c: char| ('1'..='9').contains(&c));
    text.parse().ok().filter(|_| plain)
}
