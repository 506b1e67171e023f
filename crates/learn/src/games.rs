//! Self-play games with what the players thought, as files that can be appended to.
//!
//! A header (`KIBITZGAMES`, a zero byte, the version as 4 bytes, the length of the settings as 2
//! bytes, the settings as text) and one record a game, all little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | flags: 1 for a start of its own, 2 if White begins there |
//! | 1 | number of placements |
//! | 16 | only with flag 1: Black's and White's discs |
//! | 4 each | a placement: square, how it was chosen, value in centidiscs for its player |
//! | 4 | FNV-1a checksum of the record |
//!
//! Passes follow from the rules. How a move was chosen: 0 given, 1 to 64 a search of so many plies,
//! 254 at random (the value is the static one), 255 solved.
//!
//! The settings are part of the file so that nobody continues it with other ones. A record cut
//! short by a crash is dropped when the file is read or appended to; damage elsewhere is an error.

use crate::{data::Origin, label::Source};
use othello::{Bitboard, Game, Position, Side, Square};
use std::io::{self, Read, Seek, SeekFrom, Write};

const MAGIC: &[u8; 12] = b"KIBITZGAMES\0";
const VERSION: u32 = 1;
const FIXED_HEADER: usize = MAGIC.len() + 4 + 2;
/// A board has no more squares.
const PLIES_MAX: usize = 64;
const SETTINGS_MAX: usize = 4096;

const OWN_START: u8 = 1;
const WHITE_BEGINS: u8 = 2;

/// How a move was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Part of the opening; nobody valued it.
    Given,
    /// At random; the value is the static one of the position.
    Random,
    /// By a search of so many plies.
    Search(u8),
    /// By solving the game.
    Exact,
}

const GIVEN: u8 = 0;
const RANDOM: u8 = 254;
const EXACT: u8 = 255;

/// A placement and what was known before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// Where.
    pub square: Square,
    /// How it was chosen.
    pub choice: Choice,
    /// The position's value for its player, in centidiscs.
    pub value: i16,
}

/// A game as the file has it. Its placements are legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    start: Position,
    plies: Vec<Ply>,
}

/// A placement that the rules do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("placement {number} ({square}) is not legal")]
pub struct IllegalPlyError {
    /// Counted from 1.
    pub number: usize,
    /// Where.
    pub square: Square,
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not one of ours.
    #[error("not a file of self-play games: it does not begin with KIBITZGAMES")]
    NotGames,
    /// Written by a newer program.
    #[error("games format {0} is newer than this program, which reads {VERSION}")]
    Newer(u32),
    /// Longer than any settings are.
    #[error("settings of {0} bytes; expected UTF-8 of at most {SETTINGS_MAX}")]
    Settings(usize),
    /// Made in another way than asked for now.
    #[error("the file was made with other settings: it has {found:?}, asked for was {expected:?}")]
    OtherSettings {
        /// What the file has.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A record that was not written like this.
    #[error("game {number}, which begins at byte {at}, is damaged: {reason}")]
    Damaged {
        /// Counted from 1.
        number: u64,
        /// Where the record begins.
        at: u64,
        /// What is wrong.
        reason: String,
    },
}

impl RecordedGame {
    /// A game of legal placements.
    pub fn new(start: Position, plies: Vec<Ply>) -> Result<Self, IllegalPlyError> {
        let mut game = Game::from_position(start);
        for (index, ply) in plies.iter().enumerate() {
            game.place(ply.square).map_err(|_| IllegalPlyError {
                number: index + 1,
                square: ply.square,
            })?;
        }
        Ok(Self { start, plies })
    }

    /// Where it began.
    pub const fn start(&self) -> Position {
        self.start
    }

    /// Its placements.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves, passes included.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start);
        for ply in &self.plies {
            game.place(ply.square).expect("checked when it was made");
        }
        game
    }

    /// The game as a source of positions: with the first solved value as the proven one, and with
    /// all recorded values.
    pub fn source(&self, held_out: bool) -> Source {
        let mut replay = Game::from_position(self.start);
        let (mut values, mut proven) = (Vec::with_capacity(self.plies.len()), None);
        for ply in &self.plies {
            if replay.position().board.must_pass() {
                replay
                    .play(othello::Move::Pass)
                    .expect("a pass that is due is legal");
            }
            let position = replay.position();
            let origin = match ply.choice {
                Choice::Exact => Some(Origin::Exact),
                Choice::Search(depth) => Some(Origin::Search(depth)),
                Choice::Given | Choice::Random => None,
            };
            values.push(origin.map(|origin| (ply.value, origin)));
            if proven.is_none() && ply.choice == Choice::Exact {
                let sign = match position.side {
                    Side::Black => 1,
                    Side::White => -1,
                };
                proven = Some((
                    position.board.empties().len(),
                    (sign * ply.value / 100) as i8,
                ));
            }
            replay.place(ply.square).expect("checked when it was made");
        }
        Source {
            game: replay,
            proven,
            held_out,
            values,
        }
    }

    /// The record's bytes.
    ///
    /// # Panics
    ///
    /// Never: a legal game has at most 64 placements.
    pub fn to_bytes(&self) -> Vec<u8> {
        let n_plies = u8::try_from(self.plies.len()).expect("a board has 64 squares");
        let mut bytes = Vec::with_capacity(record_length(OWN_START, self.plies.len()));
        if self.start == Position::START {
            bytes.extend([0, n_plies]);
        } else {
            let white = match self.start.side {
                Side::Black => 0,
                Side::White => WHITE_BEGINS,
            };
            bytes.extend([OWN_START | white, n_plies]);
            for side in Side::BOTH {
                bytes.extend(self.start.discs(side).0.to_le_bytes());
            }
        }
        for ply in &self.plies {
            let choice = match ply.choice {
                Choice::Given => GIVEN,
                Choice::Random => RANDOM,
                Choice::Exact => EXACT,
                Choice::Search(depth) => depth.clamp(1, PLIES_MAX as u8),
            };
            bytes.extend([ply.square.index() as u8, choice]);
            bytes.extend(ply.value.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// A whole record whose length fits its first two bytes.
    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (body, sum) = bytes.split_at(bytes.len() - 4);
        if checksum(body).to_le_bytes() != sum {
            return Err("its checksum is wrong".to_owned());
        }
        let flags = body[0];
        let (start, plies) = if flags & OWN_START == 0 {
            (Position::START, &body[2..])
        } else {
            let (discs, plies) = body[2..].split_at(16);
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| discs[at + i]));
            let side = if flags & WHITE_BEGINS == 0 {
                Side::Black
            } else {
                Side::White
            };
            let start = Position::from_colours(Bitboard(word(0)), Bitboard(word(8)), side)
                .map_err(|error| error.to_string())?;
            (start, plies)
        };
        let plies = plies
            .chunks_exact(4)
            .map(|ply| {
                let square = Square::new(ply[0])
                    .ok_or_else(|| format!("expected a square below 64, found {}", ply[0]))?;
                let choice = match ply[1] {
                    GIVEN => Choice::Given,
                    RANDOM => Choice::Random,
                    EXACT => Choice::Exact,
                    depth if usize::from(depth) <= PLIES_MAX => Choice::Search(depth),
                    other => {
                        return Err(format!(
                            "expected a depth up to {PLIES_MAX}, 254 or 255, found {other}"
                        ));
                    }
                };
                Ok(Ply {
                    square,
                    choice,
                    value: i16::from_le_bytes([ply[2], ply[3]]),
                })
            })
            .collect::<Result<Vec<_>, String>>()?;
        let game = Self::new(start, plies).map_err(|error| error.to_string())?;
        // A start of its own that is the usual one would have been written without.
        if game.start == Position::START && flags != 0 {
            return Err("the usual start is written in full".to_owned());
        }
        Ok(game)
    }
}

const fn record_length(flags: u8, n_plies: usize) -> usize {
    let start = if flags & OWN_START == 0 { 0 } else { 16 };
    2 + start + 4 * n_plies + 4
}

/// FNV-1a, 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Whether a file begins like a file of games.
pub fn is_games(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a file game by game.
#[derive(Debug)]
pub struct GamesReader<R> {
    source: R,
    settings: String,
    /// Where the next record begins, and its number.
    at: u64,
    number: u64,
    is_done: bool,
}

impl<R: Read> GamesReader<R> {
    /// Reads the header.
    pub fn new(mut source: R) -> Result<Self, GamesError> {
        let mut header = [0; FIXED_HEADER];
        if fill(&mut source, &mut header)? < FIXED_HEADER || !is_games(&header) {
            return Err(GamesError::NotGames);
        }
        let version = u32::from_le_bytes(std::array::from_fn(|i| header[MAGIC.len() + i]));
        if version != VERSION {
            return Err(GamesError::Newer(version));
        }
        let length = usize::from(u16::from_le_bytes([
            header[FIXED_HEADER - 2],
            header[FIXED_HEADER - 1],
        ]));
        let mut settings = vec![0; length];
        if length > SETTINGS_MAX || fill(&mut source, &mut settings)? < length {
            return Err(GamesError::Settings(length));
        }
        let settings = String::from_utf8(settings).map_err(|_| GamesError::Settings(length))?;
        Ok(Self {
            source,
            at: (FIXED_HEADER + length) as u64,
            settings,
            number: 0,
            is_done: false,
        })
    }

    /// How the games were made.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Where the last whole record ends.
    pub const fn end(&self) -> u64 {
        self.at
    }

    fn read_record(&mut self) -> Result<Option<RecordedGame>, GamesError> {
        let mut bytes = vec![0; 2];
        if fill(&mut self.source, &mut bytes)? < 2 {
            return Ok(None);
        }
        let (flags, n_plies) = (bytes[0], usize::from(bytes[1]));
        let damaged = |reason: String| GamesError::Damaged {
            number: self.number + 1,
            at: self.at,
            reason,
        };
        let is_known = [0, OWN_START, OWN_START | WHITE_BEGINS].contains(&flags);
        if !is_known || n_plies > PLIES_MAX {
            let reason = format!("flags {flags} and {n_plies} placements cannot be");
            return Err(damaged(reason));
        }
        let length = record_length(flags, n_plies);
        bytes.resize(length, 0);
        if fill(&mut self.source, &mut bytes[2..])? < length - 2 {
            return Ok(None);
        }
        let game = RecordedGame::from_bytes(&bytes).map_err(damaged)?;
        self.at += length as u64;
        self.number += 1;
        Ok(Some(game))
    }
}

/// After an error there is nothing more: where the next record begins is not known.
impl<R: Read> Iterator for GamesReader<R> {
    type Item = Result<RecordedGame, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let record = self.read_record().transpose();
        self.is_done = !matches!(record, Some(Ok(_)));
        record
    }
}

/// Reads as much as there is; how much that was.
fn fill(source: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut n_read = 0;
    while n_read < bytes.len() {
        match source.read(&mut bytes[n_read..]) {
            Ok(0) => break,
            Ok(n) => n_read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_read)
}

/// What games can be appended to.
pub trait GamesFile: Read + Write + Seek {
    /// Cuts everything behind `length` off.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

impl GamesFile for std::fs::File {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl GamesFile for io::Cursor<Vec<u8>> {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.get_mut().truncate(length as usize);
        Ok(())
    }
}

/// Appends to a file of games, which may be new.
#[derive(Debug)]
pub struct GamesAppender<F> {
    file: F,
    n_games: u64,
}

impl<F: GamesFile> GamesAppender<F> {
    /// Checks the file, or begins it, and goes to the end of the last whole record.
    pub fn new(mut file: F, settings: &str) -> Result<Self, GamesError> {
        let length = u16::try_from(settings.len())
            .ok()
            .filter(|&length| usize::from(length) <= SETTINGS_MAX)
            .ok_or(GamesError::Settings(settings.len()))?;
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend(length.to_le_bytes());
        header.extend(settings.as_bytes());
        let (end, n_games) = if is_cut_short(&mut file, &header)? {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.flush()?;
            (header.len() as u64, 0)
        } else {
            file.seek(SeekFrom::Start(0))?;
            let mut reader = GamesReader::new(io::BufReader::new(&mut file))?;
            if reader.settings() != settings {
                return Err(GamesError::OtherSettings {
                    found: reader.settings().to_owned(),
                    expected: settings.to_owned(),
                });
            }
            reader.by_ref().try_for_each(|game| game.map(drop))?;
            (reader.end(), reader.number)
        };
        file.truncate(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, n_games })
    }

    /// How many games the file has.
    pub const fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Adds a game.
    pub fn append(&mut self, game: &RecordedGame) -> io::Result<()> {
        // One write, so that an interrupted program leaves whole records behind.
        self.file.write_all(&game.to_bytes())?;
        self.file.flush()?;
        self.n_games += 1;
        Ok(())
    }
}

/// Whether a file is empty, or has only the first bytes of its header.
fn is_cut_short(file: &mut (impl Read + Seek), header: &[u8]) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut found = vec![0; header.len()];
    let length = fill(file, &mut found)?;
    Ok(length < header.len() && header.starts_with(&found[..length]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{notation::parse_transcript, sample::SplitMix64};
    use std::io::Cursor;

    /// Random games, every third from a start of its own.
    fn games(seed: u64, n: usize) -> Vec<RecordedGame> {
        let mut random = SplitMix64::new(seed);
        (0..n)
            .map(|i| {
                let start = if i % 3 == 2 {
                    parse_transcript("f5d6c3").unwrap().position()
                } else {
                    Position::START
                };
                let mut game = Game::from_position(start);
                let mut plies = Vec::new();
                while !game.is_over() && plies.len() < 20 + i {
                    let legal = game.position().board.legal_moves();
                    let Some(square) = legal
                        .into_iter()
                        .nth(random.below(legal.len().max(1)) as usize)
                    else {
                        game.play(othello::Move::Pass).unwrap();
                        continue;
                    };
                    game.place(square).unwrap();
                    let choices = [
                        Choice::Given,
                        Choice::Random,
                        Choice::Search(7),
                        Choice::Exact,
                    ];
                    plies.push(Ply {
                        square,
                        choice: choices[random.below(4) as usize],
                        value: random.below(12_800) as i16 - 6_400,
                    });
                }
                RecordedGame::new(start, plies).unwrap()
            })
            .collect()
    }

    fn read_all(bytes: &[u8]) -> Result<Vec<RecordedGame>, GamesError> {
        GamesReader::new(bytes)?.collect()
    }

    fn file_of(games: &[RecordedGame]) -> Cursor<Vec<u8>> {
        let mut appender = GamesAppender::new(Cursor::new(Vec::new()), "seed=1").unwrap();
        for game in games {
            appender.append(game).unwrap();
        }
        appender.file
    }

    #[test]
    fn games_survive_appending_after_a_write_torn_anywhere() {
        let (old, new) = (games(1, 6), games(2, 2));
        let whole = file_of(&old).into_inner();
        let last = whole.len() - old[5].to_bytes().len();
        for length in [last, last + 1, last + 2, last + 30, whole.len() - 1] {
            let file = Cursor::new(whole[..length].to_vec());
            assert_eq!(read_all(file.get_ref()).unwrap(), old[..5]);
            let mut appender = GamesAppender::new(file, "seed=1").unwrap();
            assert_eq!(appender.n_games(), 5);
            for game in &new {
                appender.append(game).unwrap();
            }
            let found = read_all(appender.file.get_ref()).unwrap();
            assert_eq!(found, [&old[..5], &new].concat());
        }
        for length in 0..FIXED_HEADER + "seed=1".len() {
            let file = Cursor::new(whole[..length].to_vec());
            let appender = GamesAppender::new(file, "seed=1").unwrap();
            assert_eq!(appender.n_games(), 0);
        }
    }

    #[test]
    fn damage_foreign_files_and_other_settings_are_told() {
        let file = file_of(&games(3, 4));
        let bytes = file.get_ref();
        let begin = FIXED_HEADER + "seed=1".len();
        for at in begin..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            let found = read_all(&damaged);
            let is_torn = |games: &[RecordedGame]| games.len() < 4;
            assert!(found.map_or(true, |games| is_torn(&games)), "byte {at}");
        }
        let mut damaged = bytes.clone();
        damaged[begin + 7] ^= 1;
        let message = read_all(&damaged).unwrap_err().to_string();
        assert_eq!(
            message,
            "game 1, which begins at byte 24, is damaged: its checksum is wrong"
        );
        assert!(GamesAppender::new(Cursor::new(damaged), "seed=1").is_err());
        assert!(matches!(read_all(b"PK"), Err(GamesError::NotGames)));
        let foreign = GamesAppender::new(Cursor::new(b"PK".to_vec()), "seed=1");
        assert!(matches!(foreign, Err(GamesError::NotGames)));
        let message = GamesAppender::new(file, "seed=2").unwrap_err().to_string();
        assert_eq!(
            message,
            "the file was made with other settings: it has \"seed=1\", asked for was \"seed=2\""
        );
        let mut newer = MAGIC.to_vec();
        newer.extend([9, 0, 0, 0, 0, 0]);
        assert!(matches!(read_all(&newer), Err(GamesError::Newer(9))));
    }

    #[test]
    fn a_source_has_the_values_of_its_positions() {
        for recorded in games(4, 9) {
            let source = recorded.source(true);
            assert_eq!(source.game, recorded.game());
            assert_eq!(source.values.len(), recorded.plies().len());
            let first = recorded
                .plies()
                .iter()
                .position(|ply| ply.choice == Choice::Exact);
            assert_eq!(source.proven.is_some(), first.is_some());
            if let (Some(at), Some((empties, _))) = (first, source.proven) {
                let of_start = recorded.start().board.empties().len();
                assert_eq!(empties, of_start - at as u32);
            }
        }
    }
}
