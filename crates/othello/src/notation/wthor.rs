//! WTHOR, the base of tournament games since 1977: games (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`).
//!
//! Every file begins with a header of 16 bytes; a game has 68 bytes, a player's name 20, a
//! tournament's 26. Numbers are little-endian. A move is 10 × row + column, counted from 1, and 0
//! after the last; passes are not written. All bytes are kept, so what was read is written back
//! the same.
//!
//! Replaying needs no memory of its own: [`WthorGame::replay`] walks a board, and
//! [`WthorGame::replay_into`] reuses a [`Game`].

use super::problem::play_recorded;
use super::text::{decode, encode_latin1};
use super::{At, IllegalRecordedMove, Place, Problem, ProblemKind};
use crate::{Bitboard, Board, Game, Move, Position, Side, Square};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

/// Bytes of the header of every file.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a game.
pub const GAME_BYTES: usize = 68;
/// Bytes of a player's name.
pub const PLAYER_BYTES: usize = 20;
/// Bytes of a tournament's name.
pub const TOURNAMENT_BYTES: usize = 26;
/// Moves of a game, at most: the empty squares of the start position.
pub const MOVES_MAX: usize = 60;

const _: () = assert!(2 + 2 + 2 + 1 + 1 + MOVES_MAX == GAME_BYTES);

/// Why bytes are not a WTHOR file, or a game not a WTHOR game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// The header is not there.
    #[error("the file has {found} bytes; expected a header of {HEADER_BYTES}")]
    NoHeader {
        /// How many there are.
        found: usize,
    },
    /// A board of another size.
    #[error("board size {found} is not supported; expected 8 (or 0, which means 8)")]
    BoardSize { found: u8 },
    /// The file ends too early.
    #[error("the file ends after {found} of the {announced} records that its header announces")]
    Truncated {
        found: u64,
        /// What the header says.
        announced: u64,
    },
    /// The file goes on too long.
    #[error("there is more after the {announced} records that the header announces")]
    Trailing {
        /// What the header says.
        announced: u64,
    },
    /// A move byte that names no square.
    #[error("move {index} is the byte {found}; expected 10 x row + column, 11 to 88")]
    Move {
        /// The move's number, counted from 1.
        index: usize,
        found: u8,
    },
    /// No move, although more follow.
    #[error("move {index} is missing, but others follow; expected zeros only after the last move")]
    Gap {
        /// The move's number, counted from 1.
        index: usize,
    },
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalRecordedMove),
    /// WTHOR games begin at the usual position.
    #[error("the game begins at {start}; WTHOR can only hold games from the usual start")]
    Start { start: Position },
    /// More records than the header can count.
    #[error("{found} records; the header can count {max}")]
    TooMany {
        /// How many there are.
        found: u64,
        max: u64,
    },
}

/// The day a file was made, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WthorDate {
    pub century: u8,
    pub year: u8,
    pub month: u8,
    pub day: u8,
}

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WthorHeader {
    /// When the file was made.
    pub created: WthorDate,
    /// How many games follow; 0 in files of names.
    pub n_games: u32,
    /// How many names follow; 0 in files of games.
    pub n_names: u16,
    /// The year of the games.
    pub year: u16,
    /// Squares a side: 8, or 0 for 8.
    pub board_size: u8,
    /// 1 for a file of solitaires, 0 otherwise.
    pub kind: u8,
    /// At how many empty squares the theoretical score holds.
    pub depth: u8,
    pub reserved: u8,
}

impl WthorHeader {
    pub const fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Self {
        let [
            c,
            y,
            m,
            d,
            g0,
            g1,
            g2,
            g3,
            n0,
            n1,
            y0,
            y1,
            board_size,
            kind,
            depth,
            reserved,
        ] = *bytes;
        Self {
            created: WthorDate {
                century: c,
                year: y,
                month: m,
                day: d,
            },
            n_games: u32::from_le_bytes([g0, g1, g2, g3]),
            n_names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            board_size,
            kind,
            depth,
            reserved,
        }
    }

    pub const fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let date = self.created;
        let [g0, g1, g2, g3] = self.n_games.to_le_bytes();
        let [n0, n1] = self.n_names.to_le_bytes();
        let [y0, y1] = self.year.to_le_bytes();
        [
            date.century,
            date.year,
            date.month,
            date.day,
            g0,
            g1,
            g2,
            g3,
            n0,
            n1,
            y0,
            y1,
            self.board_size,
            self.kind,
            self.depth,
            self.reserved,
        ]
    }
}

/// A game as stored. Nothing is checked until it is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WthorGame {
    /// Number of the tournament in the `.trn` file.
    pub tournament: u16,
    /// Number of the black player in the `.jou` file.
    pub black: u16,
    /// Number of the white player in the `.jou` file.
    pub white: u16,
    /// Black's discs at the end, empty squares counted for the winner.
    pub black_score: u8,
    /// Black's discs with best play from the header's depth on.
    pub theoretical_score: u8,
    /// 10 × row + column of each move, then zeros.
    pub moves: [u8; MOVES_MAX],
}

/// Where a replayed game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WthorReplay {
    pub position: Position,
    /// How many discs were placed.
    pub n_moves: usize,
}

impl WthorReplay {
    /// Black's final score as WTHOR counts it, if the game is complete.
    pub fn black_score(&self) -> Option<u8> {
        let complete = self.position.board.is_game_over();
        complete.then(|| black_score(self.position))
    }
}

/// Black's discs, the empty squares counted for the side that has more.
fn black_score(position: Position) -> u8 {
    crate::Outcome::of_final(position).black as u8
}

impl WthorGame {
    pub fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Self {
        let [
            t0,
            t1,
            b0,
            b1,
            w0,
            w1,
            black_score,
            theoretical_score,
            rest @ ..,
        ] = *bytes;
        Self {
            tournament: u16::from_le_bytes([t0, t1]),
            black: u16::from_le_bytes([b0, b1]),
            white: u16::from_le_bytes([w0, w1]),
            black_score,
            theoretical_score,
            moves: rest,
        }
    }

    pub fn to_bytes(&self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        bytes[0..2].copy_from_slice(&self.tournament.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.black.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.white.to_le_bytes());
        bytes[6] = self.black_score;
        bytes[7] = self.theoretical_score;
        bytes[8..].copy_from_slice(&self.moves);
        bytes
    }

    /// A record of a game from the usual start; players and tournament are number 0, unknown.
    ///
    /// The score is that of the last position, finished or not, and stands for the theoretical
    /// score too: right at depth 0, where nothing is left to play.
    pub fn from_game(game: &Game) -> Result<Self, WthorError> {
        if game.start() != Position::START {
            return Err(WthorError::Start {
                start: game.start(),
            });
        }
        let mut moves = [0; MOVES_MAX];
        for (slot, square) in moves.iter_mut().zip(game.moves().filter_map(Move::square)) {
            *slot = encode_square(square);
        }
        let score = black_score(game.position());
        Ok(Self {
            tournament: 0,
            black: 0,
            white: 0,
            black_score: score,
            theoretical_score: score,
            moves,
        })
    }

    /// The squares in order, or what is wrong with the first bad byte.
    pub fn squares(&self) -> impl Iterator<Item = Result<Square, WthorError>> {
        let length = self.n_written();
        let written = self.moves[..length].iter().enumerate();
        written.map(|(i, &byte)| {
            decode_square(byte).ok_or(if byte == 0 {
                WthorError::Gap { index: i + 1 }
            } else {
                WthorError::Move {
                    index: i + 1,
                    found: byte,
                }
            })
        })
    }

    /// Slots up to the last that is not zero.
    fn n_written(&self) -> usize {
        let last = self.moves.iter().rposition(|&byte| byte != 0);
        last.map_or(0, |last| last + 1)
    }

    /// Plays the game on a board: the fast way to check it and to see its end.
    pub fn replay(&self) -> Result<WthorReplay, WthorError> {
        self.visit(|_, _, _| {})
    }

    /// Plays the game and shows each position with the move made there and the discs it flips;
    /// passes are not shown. Allocates nothing unless there is an error.
    pub fn visit(
        &self,
        mut see: impl FnMut(Position, Square, Bitboard),
    ) -> Result<WthorReplay, WthorError> {
        let mut board = Board::START;
        let mut side = Side::Black;
        let mut n_moves = 0;
        for square in self.squares() {
            let square = square?;
            n_moves += 1;
            let mut flips = flips_if_empty(board, square);
            if flips.is_empty() && board.legal_moves().is_empty() {
                board = board.swapped();
                side = side.other();
                flips = flips_if_empty(board, square);
            }
            if flips.is_empty() {
                return Err(self.explain());
            }
            see(Position { board, side }, square, flips);
            board = board.play_unchecked(square, flips);
            side = side.other();
        }
        let position = Position { board, side };
        Ok(WthorReplay { position, n_moves })
    }

    /// Plays the game into a `Game`, whose memory is reused. After an error it holds the moves
    /// before the bad one.
    pub fn replay_into(&self, game: &mut Game) -> Result<(), WthorError> {
        game.restart(Position::START);
        for (i, square) in self.squares().enumerate() {
            play_recorded(game, i + 1, Move::Place(square?))?;
        }
        Ok(())
    }

    /// The game, in memory of its own.
    pub fn game(&self) -> Result<Game, WthorError> {
        let mut game = Game::new();
        self.replay_into(&mut game)?;
        Ok(game)
    }

    /// The error that replaying with all checks gives; only called when there is one.
    fn explain(&self) -> WthorError {
        match self.game() {
            Err(error) => error,
            Ok(_) => unreachable!("both replays follow the same rules"),
        }
    }
}

#[inline]
fn flips_if_empty(board: Board, square: Square) -> Bitboard {
    if board.occupied().contains(square) {
        Bitboard::EMPTY
    } else {
        board.flips(square)
    }
}

/// The square of a move byte.
#[inline]
const fn decode_square(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 10, byte % 10);
    if row == 0 || column == 0 {
        return None;
    }
    Square::at(column - 1, row - 1)
}

const fn encode_square(square: Square) -> u8 {
    10 * (square.rank() + 1) + square.file() + 1
}

/// Opens a file of games: reads its header. The games follow by iteration.
pub fn read_wthor<R: Read>(reader: R) -> Result<WthorReader<R>, Problem> {
    let (records, header) = Records::open(reader, |header| u64::from(header.n_games))?;
    if !matches!(header.board_size, 0 | 8) {
        return Err(header_problem(WthorError::BoardSize {
            found: header.board_size,
        }));
    }
    Ok(WthorReader { header, records })
}

/// Games of a `.wtb` file; see [`read_wthor`]. A file that ends too early gives its games and then
/// one problem.
#[derive(Debug)]
pub struct WthorReader<R> {
    header: WthorHeader,
    records: Records<R, GAME_BYTES>,
}

impl<R> WthorReader<R> {
    pub const fn header(&self) -> WthorHeader {
        self.header
    }

    /// Where the game that was read last stands.
    pub const fn place(&self) -> Place {
        self.records.place()
    }
}

impl<R: Read> Iterator for WthorReader<R> {
    type Item = Result<WthorGame, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.records.next_record()?;
        Some(bytes.map(|bytes| WthorGame::from_bytes(&bytes)))
    }
}

/// Writes a file of games; the header's count is set at the end, by [`WthorWriter::finish`].
#[derive(Debug)]
pub struct WthorWriter<W> {
    out: W,
    header: WthorHeader,
    header_at: u64,
    n_games: u64,
}

impl<W: Write + Seek> WthorWriter<W> {
    /// Begins a file at the current place of `out`. Many small writes follow: buffer them.
    pub fn new(mut out: W, header: WthorHeader) -> io::Result<Self> {
        let header_at = out.stream_position()?;
        out.write_all(&header.to_bytes())?;
        Ok(Self {
            out,
            header,
            header_at,
            n_games: 0,
        })
    }

    /// The header, which is written for good at the end: what is known late can be set here.
    pub const fn header_mut(&mut self) -> &mut WthorHeader {
        &mut self.header
    }

    pub fn write(&mut self, game: &WthorGame) -> io::Result<()> {
        self.n_games += 1;
        self.out.write_all(&game.to_bytes())
    }

    /// Completes the header and gives the writer back, flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.header.n_games = u32::try_from(self.n_games).map_err(|_| {
            io::Error::other(WthorError::TooMany {
                found: self.n_games,
                max: u64::from(u32::MAX),
            })
        })?;
        let end = self.out.stream_position()?;
        self.out.seek(SeekFrom::Start(self.header_at))?;
        self.out.write_all(&self.header.to_bytes())?;
        self.out.seek(SeekFrom::Start(end))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A name in a field of fixed length, as stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WthorName<const WIDTH: usize>([u8; WIDTH]);

impl<const WIDTH: usize> WthorName<WIDTH> {
    /// All bytes of the field.
    pub const fn as_bytes(&self) -> &[u8; WIDTH] {
        &self.0
    }

    /// The name up to the first NUL; Latin-1 unless it is UTF-8.
    pub fn to_str(&self) -> Cow<'_, str> {
        let end = self.0.iter().position(|&byte| byte == 0);
        decode(&self.0[..end.unwrap_or(WIDTH)])
    }
}

impl<const WIDTH: usize> From<[u8; WIDTH]> for WthorName<WIDTH> {
    fn from(bytes: [u8; WIDTH]) -> Self {
        Self(bytes)
    }
}

/// Latin-1, cut to the field less one byte: readers expect a NUL at the end.
impl<const WIDTH: usize> From<&str> for WthorName<WIDTH> {
    fn from(name: &str) -> Self {
        let mut bytes = [0; WIDTH];
        for (slot, byte) in bytes.iter_mut().take(WIDTH - 1).zip(encode_latin1(name)) {
            *slot = byte;
        }
        Self(bytes)
    }
}

impl<const WIDTH: usize> fmt::Debug for WthorName<WIDTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}

/// A file of names; a name's number is its index. Small by nature: the header can count 65,535.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WthorNames<const WIDTH: usize> {
    pub header: WthorHeader,
    pub names: Vec<WthorName<WIDTH>>,
}

/// The players of a `.jou` file.
pub type WthorPlayers = WthorNames<PLAYER_BYTES>;
/// The tournaments of a `.trn` file.
pub type WthorTournaments = WthorNames<TOURNAMENT_BYTES>;

impl<const WIDTH: usize> WthorNames<WIDTH> {
    /// Reads a file: the names and what was wrong with it, if anything.
    pub fn read<R: Read>(reader: R) -> Result<(Self, Option<Problem>), Problem> {
        let mut reader = read_wthor_names(reader)?;
        let mut table = Self {
            header: reader.header(),
            names: Vec::new(),
        };
        for name in reader.by_ref() {
            match name {
                Ok(name) => table.names.push(name),
                Err(problem) => return Ok((table, Some(problem))),
            }
        }
        Ok((table, None))
    }

    /// The name with a number.
    pub fn name(&self, number: u16) -> Option<Cow<'_, str>> {
        self.names.get(usize::from(number)).map(WthorName::to_str)
    }

    /// The number of a name, by walking the list.
    pub fn number(&self, name: &str) -> Option<u16> {
        let index = self.names.iter().position(|known| known.to_str() == name)?;
        u16::try_from(index).ok()
    }

    /// Writes the file; the header's count is that of the names.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let n_names = u16::try_from(self.names.len()).map_err(|_| {
            io::Error::other(WthorError::TooMany {
                found: self.names.len() as u64,
                max: u64::from(u16::MAX),
            })
        })?;
        let header = WthorHeader {
            n_names,
            ..self.header
        };
        out.write_all(&header.to_bytes())?;
        self.names
            .iter()
            .try_for_each(|name| out.write_all(name.as_bytes()))
    }
}

/// Opens a file of names with fields of `WIDTH` bytes.
pub fn read_wthor_names<const WIDTH: usize, R: Read>(
    reader: R,
) -> Result<WthorNamesReader<R, WIDTH>, Problem> {
    let (records, header) = Records::open(reader, |header| u64::from(header.n_names))?;
    Ok(WthorNamesReader { header, records })
}

/// Names of a `.jou` or `.trn` file; see [`read_wthor_names`].
#[derive(Debug)]
pub struct WthorNamesReader<R, const WIDTH: usize> {
    header: WthorHeader,
    records: Records<R, WIDTH>,
}

impl<R, const WIDTH: usize> WthorNamesReader<R, WIDTH> {
    pub const fn header(&self) -> WthorHeader {
        self.header
    }
}

impl<R: Read, const WIDTH: usize> Iterator for WthorNamesReader<R, WIDTH> {
    type Item = Result<WthorName<WIDTH>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.records.next_record()?;
        Some(bytes.map(WthorName))
    }
}

/// Records of a fixed size after a header that announces their number.
#[derive(Debug)]
struct Records<R, const WIDTH: usize> {
    reader: R,
    announced: u64,
    found: u64,
    done: bool,
}

impl<R: Read, const WIDTH: usize> Records<R, WIDTH> {
    fn open(
        mut reader: R,
        announced: impl Fn(&WthorHeader) -> u64,
    ) -> Result<(Self, WthorHeader), Problem> {
        let mut bytes = [0; HEADER_BYTES];
        match read_up_to(&mut reader, &mut bytes) {
            Ok(HEADER_BYTES) => {}
            Ok(found) => return Err(header_problem(WthorError::NoHeader { found })),
            Err(error) => return Err(header_problem(error)),
        }
        let header = WthorHeader::from_bytes(&bytes);
        let records = Self {
            reader,
            announced: announced(&header),
            found: 0,
            done: false,
        };
        Ok((records, header))
    }

    fn next_record(&mut self) -> Option<Result<[u8; WIDTH], Problem>> {
        if self.done {
            return None;
        }
        let mut bytes = [0; WIDTH];
        let complete = self.found == self.announced;
        // After the last record one byte is enough to see that there is more.
        let wanted = if complete { 1 } else { WIDTH };
        let read = read_up_to(&mut self.reader, &mut bytes[..wanted]);
        let announced = self.announced;
        let kind: ProblemKind = match read {
            Ok(n) if n == WIDTH && !complete => {
                self.found += 1;
                return Some(Ok(bytes));
            }
            Ok(0) if complete => {
                self.done = true;
                return None;
            }
            Ok(_) if complete => WthorError::Trailing { announced }.into(),
            Ok(_) => WthorError::Truncated {
                found: self.found,
                announced,
            }
            .into(),
            Err(error) => error.into(),
        };
        self.done = true;
        self.found += 1;
        let place = self.place();
        Some(Err(Problem { place, kind }))
    }
}

impl<R, const WIDTH: usize> Records<R, WIDTH> {
    const fn place(&self) -> Place {
        let before = self.found.saturating_sub(1);
        Place {
            record: self.found,
            at: At::Byte(HEADER_BYTES as u64 + before * WIDTH as u64),
        }
    }
}

/// A problem of the header, which is record 0.
fn header_problem(kind: impl Into<ProblemKind>) -> Problem {
    let place = Place {
        record: 0,
        at: At::Byte(0),
    };
    Problem {
        place,
        kind: kind.into(),
    }
}

/// Fills the buffer as far as the source goes.
fn read_up_to(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_transcript;
    use std::io::Cursor;

    fn sample_file() -> Vec<u8> {
        let header = WthorHeader {
            created: WthorDate {
                century: 20,
                year: 26,
                month: 11,
                day: 15,
            },
            year: 2026,
            board_size: 8,
            depth: 24,
            reserved: 7,
            ..WthorHeader::default()
        };
        let mut writer = WthorWriter::new(Cursor::new(Vec::new()), header).unwrap();
        for transcript in ["f5d6c3", "e6f4e3f6g5d6e7f5c5", ""] {
            let game = parse_transcript(transcript).unwrap();
            writer.write(&WthorGame::from_game(&game).unwrap()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn games_read_replay_and_write_back() {
        let file = sample_file();
        assert_eq!(file.len(), HEADER_BYTES + 3 * GAME_BYTES);
        let mut reader = read_wthor(&file[..]).unwrap();
        assert_eq!((reader.header().n_games, reader.header().depth), (3, 24));
        let games: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(games[1].moves[..3], [65, 46, 35]);
        assert_eq!(games[1].black_score, 64);
        assert_eq!(games[1].replay().unwrap().black_score(), Some(64));
        assert_eq!(games[0].replay().unwrap().black_score(), None);
        assert_eq!(games[0].game().unwrap().transcript(), "f5d6c3");
        let mut writer = WthorWriter::new(Cursor::new(Vec::new()), reader.header()).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        assert_eq!(writer.finish().unwrap().into_inner(), file);
    }

    #[test]
    fn truncated_and_overlong_files_give_their_games_and_one_problem() {
        let file = sample_file();
        let problems = |bytes: &[u8]| -> (usize, Vec<String>) {
            let items: Vec<_> = read_wthor(bytes).unwrap().collect();
            let n_games = items.iter().filter(|item| item.is_ok()).count();
            let problems = items.into_iter().filter_map(Result::err);
            (n_games, problems.map(|p| p.to_string()).collect())
        };
        assert_eq!(problems(&file), (3, vec![]));
        let truncated = "record 3, byte 152: the file ends after 2 of the 3 records that its \
                         header announces";
        assert_eq!(
            problems(&file[..file.len() - 1]),
            (2, vec![truncated.to_owned()])
        );
        let longer = [&file[..], b"x"].concat();
        let trailing = "record 4, byte 220: there is more after the 3 records that the header \
                        announces";
        assert_eq!(problems(&longer), (3, vec![trailing.to_owned()]));
    }

    #[test]
    fn bad_headers_say_what_was_expected() {
        let error = |bytes: &[u8]| read_wthor(bytes).map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            error(b"abc"),
            "record 0, byte 0: the file has 3 bytes; expected a header of 16"
        );
        let mut ten = sample_file();
        ten[12] = 10;
        assert_eq!(
            error(&ten),
            "record 0, byte 0: board size 10 is not supported; expected 8 (or 0, which means 8)"
        );
    }

    #[test]
    fn bad_moves_are_named() {
        let game = parse_transcript("f5d6c3").unwrap();
        let good = WthorGame::from_game(&game).unwrap();
        let error = |at: usize, byte: u8| {
            let mut game = good;
            game.moves[at] = byte;
            let error = game.replay().unwrap_err();
            assert_eq!(game.game().unwrap_err(), error);
            error.to_string()
        };
        assert_eq!(
            error(1, 99),
            "move 2 is the byte 99; expected 10 x row + column, 11 to 88"
        );
        assert_eq!(
            error(1, 11),
            "move 2 (\"a1\") is not legal for White; legal: f4 d6 f6"
        );
        assert_eq!(
            error(4, 11),
            "move 4 is missing, but others follow; expected zeros only after the last move"
        );
        let start = Position::START.swapped();
        assert!(WthorGame::from_game(&Game::from_position(start)).is_err());
    }

    #[test]
    fn names_keep_their_bytes() {
        let table = WthorPlayers {
            header: WthorHeader::default(),
            names: vec!["???".into(), "Pérenchies".into(), [0xff; 20].into()],
        };
        let mut bytes = Vec::new();
        table.write_to(&mut bytes).unwrap();
        let (again, problem) = WthorPlayers::read(&bytes[..]).unwrap();
        assert_eq!((again.names, problem), (table.names.clone(), None));
        assert_eq!(table.name(1).as_deref(), Some("Pérenchies"));
        assert_eq!(table.number("Pérenchies"), Some(1));
        assert_eq!(table.names[1].as_bytes()[1], 0xe9);
        let (cut, problem) = WthorPlayers::read(&bytes[..50]).unwrap();
        assert_eq!(cut.names.len(), 1);
        assert!(problem.unwrap().to_string().contains("1 of the 3 records"));
        let long: WthorName<20> = "x".repeat(30)[..].into();
        assert_eq!(long.to_str().len(), 19);
    }
}
