//! GGF, the Generic Game Format of the GGS server and of NBoard.
//!
//! `(;GM[Othello]PB[..]PW[..]RE[+2.000]TY[8]BO[8 --- … --- *]B[F5//0.01]W[f6/-1.5/2.3];)`: a game
//! is a row of tags, and a move is a tag too. [`GgfGame`] keeps every tag as it was written and
//! gives typed views of the ones that matter, so that writing loses nothing but white space
//! between tags. Archives put the number of games in front, `2 (;…;)(;…;)` for a synchro pair;
//! that number is kept with the first game.
//!
//! A value ends at the next `]`; there are no escapes. A value that contains `(;GM[` can only be
//! one whose end is missing: reading starts again there, so that one broken game never swallows
//! the next.

use super::problem::play_recorded;
use super::{
    At, IllegalRecordedMove, ParseMoveError, ParsePositionError, Place, Problem, ProblemKind,
    RECORD_BYTES_MAX, RawText, excerpt,
};
use crate::{Game, Move, Position, Side};
use std::io::{self, BufRead, ErrorKind};
use std::num::NonZeroU32;

/// Why bytes are not a GGF game, or a GGF game is not one of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// Text that belongs to no game.
    #[error("unexpected {found:?}; expected a game that begins with (;")]
    Outside {
        /// What stood there, shortened.
        found: String,
    },
    /// A game without an end.
    #[error("the game does not end; expected ;)")]
    Unterminated,
    /// Something that is no tag.
    #[error("unexpected {found:?} at byte {at} of the game; expected a tag such as PB[name]")]
    Tag {
        /// What stood there, shortened.
        found: String,
        /// Its place, counted from the game's first byte as 0.
        at: usize,
    },
    /// A name or value that GGF cannot hold.
    #[error(
        "{text:?} cannot be written; expected a name of letters and digits, and a value without ] and (;GM["
    )]
    Unwritable {
        /// The name or value, shortened.
        text: String,
    },
    #[error("the game is {found:?}; expected Othello")]
    OtherGame {
        /// The value of `GM`.
        found: String,
    },
    /// A board of another size.
    #[error("board type {found:?} is not supported; expected 8x8")]
    BoardType {
        /// The value of `TY` or the size in `BO`.
        found: String,
    },
    /// The start position cannot be read.
    #[error("in BO: {0}")]
    Board(ParsePositionError),
    /// A move that is none.
    #[error("move {index}: {error}")]
    Move {
        /// Its number, counted from 1.
        index: usize,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// A move by the side that is not to move.
    #[error("move {index} ({text:?}) is by {side}; expected a move by {}", side.other())]
    Turn {
        /// Its number, counted from 1.
        index: usize,
        /// The move as written.
        text: String,
        /// Who made it, according to its tag.
        side: Side,
    },
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalRecordedMove),
}

/// A tag as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GgfTag {
    name: String,
    value: RawText,
}

impl GgfTag {
    /// A tag that can be written and read back.
    pub fn new(name: &str, value: impl Into<RawText>) -> Result<Self, GgfError> {
        let value = value.into();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(GgfError::Unwritable {
                text: excerpt(name),
            });
        }
        let closes = value.as_bytes().contains(&b']');
        let restarts = value
            .as_bytes()
            .windows(RESTART.len())
            .any(|window| window == RESTART);
        if closes || restarts {
            return Err(GgfError::Unwritable {
                text: excerpt(&value.to_str()),
            });
        }
        Ok(Self {
            name: name.to_owned(),
            value,
        })
    }

    /// `PB`, `RE`, `B`, …
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands in the brackets.
    pub const fn value(&self) -> &RawText {
        &self.value
    }
}

/// A move with what the player's program said about it, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GgfMove {
    /// The side that the tag names.
    pub side: Side,
    pub action: Move,
    /// The evaluation, for the side that moved.
    pub eval: Option<String>,
    /// The time used, in seconds or minutes:seconds.
    pub time: Option<String>,
}

/// A game: its tags in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GgfGame {
    /// The number that stood before the game: how many games begin here in an archive.
    pub count: Option<NonZeroU32>,
    /// All tags, moves among them.
    pub tags: Vec<GgfTag>,
}

impl GgfGame {
    /// The first value of a tag, as text.
    pub fn tag(&self, name: &str) -> Option<String> {
        let tag = self.tags.iter().find(|tag| tag.name == name)?;
        Some(tag.value.to_str().into_owned())
    }

    pub fn push(&mut self, name: &str, value: impl Into<RawText>) -> Result<(), GgfError> {
        self.tags.push(GgfTag::new(name, value)?);
        Ok(())
    }

    /// The name of a player: `PB` or `PW`.
    pub fn player(&self, side: Side) -> Option<String> {
        self.tag(["PB", "PW"][side.index()])
    }

    /// The rating of a player: `RB` or `RW`.
    pub fn rating(&self, side: Side) -> Option<f64> {
        parse_number(&self.tag(["RB", "RW"][side.index()])?)
    }

    /// The final disc difference for Black, komi included: `RE` without its reason.
    pub fn result(&self) -> Option<f64> {
        parse_number(self.tag("RE")?.split(':').next()?)
    }

    /// How the game ended if not by its last move: what follows the colon in `RE`, such as `r`
    /// (resigned) or `t` (time).
    pub fn result_reason(&self) -> Option<String> {
        let text = self.tag("RE")?;
        text.split_once(':').map(|(_, reason)| reason.to_owned())
    }

    /// Discs that Black gives for moving first: `KM`.
    pub fn komi(&self) -> Option<f64> {
        parse_number(&self.tag("KM")?)
    }

    /// The time control as written: `TI`.
    pub fn time(&self) -> Option<String> {
        self.tag("TI")
    }

    /// When the game was played, as written: `DT`.
    pub fn date(&self) -> Option<String> {
        self.tag("DT")
    }

    /// Where the game was played: `PC`.
    pub fn location(&self) -> Option<String> {
        self.tag("PC")
    }

    /// The start position: `BO`, or the usual one if there is none.
    pub fn start(&self) -> Result<Position, GgfError> {
        let Some(text) = self.tag("BO") else {
            return Ok(Position::START);
        };
        let text = text.trim_start();
        let size_end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (size, board) = text.split_at(size_end);
        if size != "8" {
            return Err(GgfError::BoardType {
                found: excerpt(size),
            });
        }
        board.parse().map_err(GgfError::Board)
    }

    /// The moves as written, in order.
    pub fn moves(&self) -> impl Iterator<Item = Result<GgfMove, GgfError>> {
        let written = self.tags.iter().filter_map(|tag| match &tag.name[..] {
            "B" => Some((Side::Black, &tag.value)),
            "W" => Some((Side::White, &tag.value)),
            _ => None,
        });
        written
            .enumerate()
            .map(|(i, (side, value))| parse_move(i + 1, side, &value.to_str()))
    }

    /// The game itself, replayed by the rules; a due pass need not have been written.
    pub fn game(&self) -> Result<Game, GgfError> {
        self.check_variant()?;
        let mut game = Game::from_position(self.start()?);
        for (i, written) in self.moves().enumerate() {
            let written = written?;
            play_turn(&mut game, i + 1, &written)?;
        }
        Ok(game)
    }

    /// Othello on 8×8. `TY` is such as `8`, `s8r20` or `8a`: prefixes, the size, a variant.
    fn check_variant(&self) -> Result<(), GgfError> {
        if let Some(found) = self.tag("GM").filter(|game| !is_othello(game)) {
            return Err(GgfError::OtherGame {
                found: excerpt(&found),
            });
        }
        match self.tag("TY") {
            Some(found) if board_size(&found) != "8" => Err(GgfError::BoardType {
                found: excerpt(&found),
            }),
            _ => Ok(()),
        }
    }

    /// Writes the game, without a line end.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        if let Some(count) = self.count {
            write!(out, "{count} ")?;
        }
        out.write_all(b"(;")?;
        for tag in &self.tags {
            write!(out, "{}[", tag.name)?;
            out.write_all(tag.value.as_bytes())?;
            out.write_all(b"]")?;
        }
        out.write_all(b";)")
    }

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

fn is_othello(game: &str) -> bool {
    game.trim().eq_ignore_ascii_case("othello") || game.trim().eq_ignore_ascii_case("reversi")
}

fn board_size(board_type: &str) -> &str {
    let from_size = board_type.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = from_size.find(|c: char| !c.is_ascii_digit());
    &from_size[..end.unwrap_or(from_size.len())]
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
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

/// `F5`, `F5/1.5` or `F5/1.5/0.01`.
fn parse_move(index: usize, side: Side, text: &str) -> Result<GgfMove, GgfError> {
    let mut parts = text.splitn(3, '/');
    let action = parts.next().unwrap_or_default().trim();
    let mut note = || {
        let part = parts.next()?.trim();
        (!part.is_empty()).then(|| part.to_owned())
    };
    Ok(GgfMove {
        side,
        action: action
            .parse()
            .map_err(|error| GgfError::Move { index, error })?,
        eval: note(),
        time: note(),
    })
}

/// Plays a move whose side is known: the other side's due pass comes first if it was not written.
fn play_turn(game: &mut Game, index: usize, written: &GgfMove) -> Result<(), GgfError> {
    if written.side != game.position().side {
        let passed = written.action != Move::Pass && game.play(Move::Pass).is_ok();
        if !passed {
            return Err(GgfError::Turn {
                index,
                text: written.action.to_string(),
                side: written.side,
            });
        }
    }
    Ok(play_recorded(game, index, written.action)?)
}

/// Writes games one after the other, each on its line; games of a counted group share one.
#[derive(Debug)]
pub struct GgfWriter<W> {
    out: W,
    /// Games still to come on the current line.
    pending: u32,
}

impl<W: io::Write> GgfWriter<W> {
    /// Writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, pending: 0 }
    }

    pub fn write(&mut self, game: &GgfGame) -> io::Result<()> {
        if let Some(count) = game.count {
            self.end_line()?;
            self.pending = count.get();
        }
        game.write_to(&mut self.out)?;
        self.pending = self.pending.saturating_sub(1);
        match self.pending {
            0 => self.out.write_all(b"\n"),
            _ => Ok(()),
        }
    }

    /// Ends the last line and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_line()?;
        Ok(self.out)
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.pending) > 0 {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }
}

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

/// What can only be the beginning of a game, even inside a value.
const RESTART: &[u8; 5] = b"(;GM[";

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

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]\
        RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]KM[1.5]\
        BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
        B[d3//0.01]W[c5/-1.50/0.2]B[f6];)";

    fn read(text: &[u8]) -> Vec<Result<GgfGame, Problem>> {
        read_ggf(text).collect()
    }

    fn write(games: &[GgfGame]) -> Vec<u8> {
        let mut writer = GgfWriter::new(Vec::new());
        for game in games {
            writer.write(game).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn typed_views_of_a_game() {
        let game = read(GAME.as_bytes()).remove(0).unwrap();
        assert_eq!(game.player(Side::Black).as_deref(), Some("Saio1200"));
        assert_eq!(game.rating(Side::White), Some(2199.72));
        assert_eq!(game.result(), Some(0.0));
        assert_eq!(game.komi(), Some(1.5));
        assert_eq!(game.time().as_deref(), Some("05:00//02:00"));
        assert_eq!(game.start(), Ok(Position::START));
        let moves: Vec<_> = game.moves().map(Result::unwrap).collect();
        assert_eq!(moves[0].eval, None);
        assert_eq!(moves[0].time.as_deref(), Some("0.01"));
        assert_eq!(moves[1].eval.as_deref(), Some("-1.50"));
        assert_eq!(game.game().unwrap().transcript(), "d3c5f6");
        assert_eq!(write(&[game]), format!("{GAME}\n").into_bytes());
    }

    #[test]
    fn games_of_many_lines_and_many_games_of_a_line() {
        let text = format!("1 {GAME}\n2 {GAME}{GAME}\n{GAME} {GAME}\n");
        let spread = text.replace("]P", "] \n P");
        let games: Vec<_> = read(spread.as_bytes()).into_iter().flatten().collect();
        let counts: Vec<_> = games.iter().map(|game| game.count).collect();
        assert_eq!(
            counts,
            [NonZeroU32::new(1), NonZeroU32::new(2), None, None, None]
        );
        let expected = format!("1 {GAME}\n2 {GAME}{GAME}\n{GAME}\n{GAME}\n");
        assert_eq!(String::from_utf8(write(&games)).unwrap(), expected);
    }

    #[test]
    fn one_bad_game_never_costs_the_others() {
        for (bad, expected) in [
            ("(;GM[Othello]PB[open", "the game does not end; expected ;)"),
            ("(;GM[Othello]PB[x]", "the game does not end; expected ;)"),
            (
                "rubbish",
                "unexpected \"rubbish\"; expected a game that begins with (;",
            ),
            (
                "(;GM[Othello]?;)",
                "unexpected \"?\" at byte 13 of the game; expected a tag such as PB[name]",
            ),
        ] {
            let text = format!("{GAME}\n{bad}\n{GAME}\n{bad}");
            let games = read(text.as_bytes());
            let problems: Vec<_> = games.iter().filter_map(|g| g.as_ref().err()).collect();
            assert_eq!(games.len(), 4, "{bad}: {problems:?}");
            assert!(games[0].is_ok() && games[2].is_ok(), "{bad}");
            assert_eq!(problems[0].kind.to_string(), expected);
            assert_eq!(problems[0].place.at, At::Byte(GAME.len() as u64 + 1));
        }
    }

    #[test]
    fn a_game_over_the_limit_is_skipped() {
        let long = "x".repeat(RECORD_BYTES_MAX);
        let text = format!("(;GM[Othello]C[{long}];){GAME}(;C[{long}{GAME}");
        let games = read(text.as_bytes());
        let summary: Vec<_> = games
            .into_iter()
            .map(|game| game.map_err(|problem| problem.kind).map(|_| ()))
            .collect();
        let too_long = Err(ProblemKind::TooLong);
        assert_eq!(summary, [too_long.clone(), Ok(()), too_long, Ok(())]);
    }

    #[test]
    fn what_cannot_be_played_is_kept_and_explained() {
        let error = |from: &str, to: &str| {
            let game = read(GAME.replace(from, to).as_bytes()).remove(0).unwrap();
            game.game().unwrap_err().to_string()
        };
        assert_eq!(
            error("TY[8]", "TY[s10r28]"),
            "board type \"s10r28\" is not supported; expected 8x8"
        );
        assert_eq!(
            error("[Othello]", "[Amazons]"),
            "the game is \"Amazons\"; expected Othello"
        );
        assert!(error("BO[8 -", "BO[8 ?").starts_with("in BO: unexpected '?'"));
        assert!(error("B[f6]", "B[zz]").starts_with("move 3: \"zz\" is not a move"));
        assert_eq!(
            error("B[f6]", "W[f6]"),
            "move 3 (\"f6\") is by White; expected a move by Black"
        );
        assert!(error("B[f6]", "B[a1]").starts_with("move 3 (\"a1\") is not legal for Black"));
    }

    #[test]
    fn tags_that_cannot_be_written_are_refused() {
        assert!(GgfTag::new("C", "a ] b").is_err());
        assert!(GgfTag::new("C", "a (;GM[ b").is_err());
        assert!(GgfTag::new("", "x").is_err());
        assert!(GgfTag::new("C", "a (; b ;) [").is_ok());
    }
}
