//! Positions with values, as files that can be appended to.
//!
//! A 16-byte header (`KIBITZDATA` and the version) and 20 bytes a position, little-endian: mover,
//! opponent, value in centidiscs, origin, flags. A record cut short by a crash is dropped when the
//! file is read or appended to.

use othello::{Bitboard, Board};
use std::io::{self, Read, Seek, SeekFrom, Write};

const MAGIC: &[u8; 12] = b"KIBITZDATA\0\0";
const VERSION: u32 = 1;
const HEADER: usize = 16;
const RECORD: usize = 20;

/// How a value came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The exact final score.
    Exact,
    /// A search of so many plies.
    Search(u8),
    /// A proven value that the game had later: right if both sides made no mistake in between.
    Later,
}

const LATER: u8 = u8::MAX;

/// A position and what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labelled {
    /// The position.
    pub board: Board,
    /// Its value for the side to move, in centidiscs.
    pub value: i16,
    /// Where the value is from.
    pub origin: Origin,
    /// Whether the position is kept out of training to measure on.
    pub held_out: bool,
}

/// Why a data file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not one of ours.
    #[error("not a data file: it does not begin with KIBITZDATA")]
    NotData,
    /// Written by a newer program.
    #[error("data format {0} is newer than this program, which reads {VERSION}")]
    Newer(u32),
}

impl Labelled {
    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.board.mover().0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent().0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.value.to_le_bytes());
        bytes[18] = match self.origin {
            Origin::Exact => 0,
            Origin::Search(depth) => depth.clamp(1, LATER - 1),
            Origin::Later => LATER,
        };
        bytes[19] = u8::from(self.held_out);
        bytes
    }

    /// `None` if both sides claim a square: such a record was not written by us.
    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Self> {
        let word = |at: usize| Bitboard(u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i])));
        Some(Self {
            board: Board::new(word(0), word(8)).ok()?,
            value: i16::from_le_bytes([bytes[16], bytes[17]]),
            origin: match bytes[18] {
                0 => Origin::Exact,
                LATER => Origin::Later,
                depth => Origin::Search(depth),
            },
            held_out: bytes[19] & 1 == 1,
        })
    }
}

/// Reads all whole records of a file.
pub fn read(mut source: impl Read) -> Result<Vec<Labelled>, DataError> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    check_header(&bytes)?;
    let records = bytes[HEADER..].chunks_exact(RECORD);
    Ok(records
        .filter_map(|record| Labelled::from_bytes(record.try_into().ok()?))
        .collect())
}

fn check_header(bytes: &[u8]) -> Result<(), DataError> {
    if bytes.len() < HEADER || &bytes[..MAGIC.len()] != MAGIC {
        return Err(DataError::NotData);
    }
    match u32::from_le_bytes(std::array::from_fn(|i| bytes[MAGIC.len() + i])) {
        VERSION => Ok(()),
        newer => Err(DataError::Newer(newer)),
    }
}

/// Appends to a data file, which may be new.
#[derive(Debug)]
pub struct Appender<F>(F);

impl<F: Read + Write + Seek> Appender<F> {
    /// Checks the header, or writes it, and goes to the end of the last whole record.
    pub fn new(mut file: F) -> Result<Self, DataError> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        if length == 0 {
            file.write_all(MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
        } else {
            let mut header = [0; HEADER];
            file.read_exact(&mut header)
                .map_err(|_| DataError::NotData)?;
            check_header(&header)?;
            let whole = (length - HEADER as u64) / RECORD as u64;
            file.seek(SeekFrom::Start(HEADER as u64 + whole * RECORD as u64))?;
        }
        Ok(Self(file))
    }

    /// Bytes up to where the next record goes.
    pub fn length(&mut self) -> io::Result<u64> {
        self.0.stream_position()
    }

    /// Adds records.
    pub fn append(&mut self, records: &[Labelled]) -> io::Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(|r| r.to_bytes()).collect();
        self.0.write_all(&bytes)?;
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;
    use std::io::Cursor;

    fn records(seed: u64) -> Vec<Labelled> {
        random_boards(seed)
            .take(50)
            .enumerate()
            .map(|(i, board)| Labelled {
                board,
                value: i as i16 * 100 - 2500,
                origin: if i % 2 == 0 {
                    Origin::Exact
                } else {
                    Origin::Search(i as u8)
                },
                held_out: i % 3 == 0,
            })
            .collect()
    }

    #[test]
    fn records_survive_appending_after_a_torn_write() {
        let mut file = Cursor::new(Vec::new());
        Appender::new(&mut file)
            .unwrap()
            .append(&records(1))
            .unwrap();
        let torn = file.get_ref().len() - 7;
        file.get_mut().truncate(torn);
        Appender::new(&mut file)
            .unwrap()
            .append(&records(2))
            .unwrap();
        let found = read(file.get_ref().as_slice()).unwrap();
        assert_eq!(found[..49], records(1)[..49]);
        assert_eq!(found[49..], records(2));
    }

    #[test]
    fn foreign_and_newer_files_are_refused() {
        assert!(matches!(read(&b"PK"[..]), Err(DataError::NotData)));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(7u32.to_le_bytes());
        assert!(matches!(read(bytes.as_slice()), Err(DataError::Newer(7))));
    }
}
