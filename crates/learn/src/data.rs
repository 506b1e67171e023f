//! Positions with values, as files that can be appended to.
//!
//! A 16-byte header (`KIBITZDATA`, two zeros, the version as 4 bytes) and one block for each batch
//! that was appended, all little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of positions in the block |
//! | 4 | the same with all bits turned over, so that damage is not taken for a cut |
//! | 20 each | a position: mover, opponent, value in centidiscs, origin, flags |
//! | 8 | [checksum](engine::checksum) of the block up to here |
//!
//! A block that a crash cut short is told, not dropped in silence; the appender takes it off.
//! Version 1 had the same positions without blocks and checksums. It is read and not appended to.

use engine::checksum::checksum;
use othello::{Bitboard, Board};
use std::io::{self, Read, Seek, SeekFrom, Write};

const MAGIC: &[u8; 12] = b"KIBITZDATA\0\0";
const VERSION: u32 = 2;
const WITHOUT_CHECKSUMS: u32 = 1;
const HEADER: usize = 16;
const BLOCK_HEAD: usize = 8;
const RECORD: usize = 20;
const SUM: usize = 8;
/// Positions of a block: what one damaged byte can cost, and what a reader holds unchecked.
const BLOCK_MAX: usize = 1 << 16;

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
    pub board: Board,
    /// Its value for the side to move, in centidiscs.
    pub value: i16,
    /// Where the value is from.
    pub origin: Origin,
    /// Whether the position is kept out of training to measure on.
    pub held_out: bool,
}

/// The end of a file is missing, as after a crash while it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Games or positions before the cut. They are whole.
    pub n_whole: u64,
    /// Where the part begins that is not.
    pub at: u64,
    /// The bytes of that part.
    pub n_bytes: u64,
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
    #[error("data format {0} is newer than this program, which reads up to {VERSION}")]
    Newer(u32),
    /// Of a version that nothing is added to.
    #[error(
        "data format {WITHOUT_CHECKSUMS} has no checksums and is not appended to; name another \
         file: training reads several"
    )]
    WithoutChecksums,
    /// Changed since it was written.
    #[error("the block that begins at byte {at} is damaged: {reason}")]
    Damaged {
        /// Where the block begins.
        at: u64,
        reason: String,
    },
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

/// Whether a file begins like a data file.
pub fn is_data(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// What a data file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The positions of all whole blocks.
    pub positions: Vec<Labelled>,
    /// What is missing at the end.
    pub cut: Option<Cut>,
    /// Whether damage would have been noticed.
    pub has_checksums: bool,
}

/// Reads a file of any version, block by block, so that a foreign one is refused at once.
pub fn read(source: impl Read) -> Result<Contents, DataError> {
    let mut reader = Reader::new(source)?;
    let mut positions = Vec::new();
    let cut = reader.read_all(|block| positions.extend_from_slice(block))?;
    Ok(Contents {
        positions,
        cut,
        has_checksums: reader.version != WITHOUT_CHECKSUMS,
    })
}

/// What comes after a block.
enum After {
    Another,
    End,
    /// So many bytes of a block that should have more.
    Cut(u64),
}

struct Reader<R> {
    source: R,
    version: u32,
    /// Where the next block begins.
    at: u64,
}

impl<R: Read> Reader<R> {
    fn new(mut source: R) -> Result<Self, DataError> {
        let mut header = [0; HEADER];
        if fill(&mut source, &mut header)? < HEADER || !is_data(&header) {
            return Err(DataError::NotData);
        }
        let version = u32::from_le_bytes(std::array::from_fn(|i| header[MAGIC.len() + i]));
        if ![WITHOUT_CHECKSUMS, VERSION].contains(&version) {
            return Err(DataError::Newer(version));
        }
        Ok(Self {
            source,
            version,
            at: HEADER as u64,
        })
    }

    /// Gives away the positions of each block; what is missing at the end.
    fn read_all(&mut self, mut each: impl FnMut(&[Labelled])) -> Result<Option<Cut>, DataError> {
        let mut n_whole = 0;
        loop {
            let (block, after) = if self.version == WITHOUT_CHECKSUMS {
                self.bare_records()?
            } else {
                self.checked_block()?
            };
            n_whole += block.len() as u64;
            each(&block);
            match after {
                After::Another => {}
                After::End => return Ok(None),
                After::Cut(n_bytes) => {
                    return Ok(Some(Cut {
                        n_whole,
                        at: self.at,
                        n_bytes,
                    }));
                }
            }
        }
    }

    fn checked_block(&mut self) -> Result<(Vec<Labelled>, After), DataError> {
        let at = self.at;
        let damaged = |reason: &str| DataError::Damaged {
            at,
            reason: reason.to_owned(),
        };
        let mut bytes = vec![0; BLOCK_HEAD];
        match fill(&mut self.source, &mut bytes)? {
            0 => return Ok((Vec::new(), After::End)),
            n if n < BLOCK_HEAD => return Ok((Vec::new(), After::Cut(n as u64))),
            _ => {}
        }
        let word = |from: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[from + i]));
        let n_positions = word(0) as usize;
        if word(0) != !word(4) || n_positions > BLOCK_MAX {
            return Err(damaged("its length is wrong"));
        }
        let length = BLOCK_HEAD + n_positions * RECORD + SUM;
        bytes.resize(length, 0);
        let n_read = BLOCK_HEAD + fill(&mut self.source, &mut bytes[BLOCK_HEAD..])?;
        if n_read < length {
            return Ok((Vec::new(), After::Cut(n_read as u64)));
        }
        let (block, sum) = bytes.split_at(length - SUM);
        if checksum(block).to_le_bytes() != sum {
            return Err(damaged("its checksum does not match"));
        }
        let positions = self.records(&block[BLOCK_HEAD..])?;
        self.at += length as u64;
        Ok((positions, After::Another))
    }

    /// Version 1: as many records as fit in a block of today.
    fn bare_records(&mut self) -> Result<(Vec<Labelled>, After), DataError> {
        let mut bytes = vec![0; BLOCK_MAX * RECORD];
        let n_read = fill(&mut self.source, &mut bytes)?;
        let whole = n_read / RECORD * RECORD;
        let positions = self.records(&bytes[..whole])?;
        self.at += whole as u64;
        let after = match n_read - whole {
            0 if n_read == bytes.len() => After::Another,
            0 => After::End,
            n_bytes => After::Cut(n_bytes as u64),
        };
        Ok((positions, after))
    }

    fn records(&self, bytes: &[u8]) -> Result<Vec<Labelled>, DataError> {
        let records = bytes.chunks_exact(RECORD).enumerate();
        let positions = records.map(|(index, bytes)| {
            let bytes = bytes.try_into().ok();
            bytes
                .and_then(Labelled::from_bytes)
                .ok_or_else(|| DataError::Damaged {
                    at: self.at,
                    reason: format!("both sides are on a square of its position {}", index + 1),
                })
        });
        positions.collect()
    }
}

/// Reads as much as there is; how much that was.
pub(crate) fn fill(source: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
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

/// What records can be appended to.
pub trait GrowingFile: Read + Write + Seek {
    /// Cuts everything behind `length` off.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Waits until the contents are on the device.
    fn sync(&mut self) -> io::Result<()>;
}

impl GrowingFile for std::fs::File {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

impl GrowingFile for io::Cursor<Vec<u8>> {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.get_mut().truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: GrowingFile> GrowingFile for &mut F {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        (**self).truncate(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// Appends to a data file, which may be new.
#[derive(Debug)]
pub struct Appender<F>(F);

impl<F: GrowingFile> Appender<F> {
    /// Checks the file, or writes its header, and takes off what a crash left of a last block.
    pub fn new(mut file: F) -> Result<Self, DataError> {
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        let end = if is_cut_short(&mut file, &header)? {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.flush()?;
            HEADER as u64
        } else {
            file.seek(SeekFrom::Start(0))?;
            let mut reader = Reader::new(io::BufReader::new(&mut file))?;
            if reader.version == WITHOUT_CHECKSUMS {
                return Err(DataError::WithoutChecksums);
            }
            reader.read_all(|_| {})?;
            reader.at
        };
        file.truncate(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self(file))
    }

    /// Bytes up to where the next block goes.
    pub fn length(&mut self) -> io::Result<u64> {
        self.0.stream_position()
    }

    /// Adds records as a block, or as several if there are many.
    pub fn append(&mut self, records: &[Labelled]) -> io::Result<()> {
        for records in records.chunks(BLOCK_MAX) {
            let n_positions = records.len() as u32;
            let mut bytes = n_positions.to_le_bytes().to_vec();
            bytes.extend((!n_positions).to_le_bytes());
            bytes.extend(records.iter().flat_map(|record| record.to_bytes()));
            bytes.extend(checksum(&bytes).to_le_bytes());
            self.0.write_all(&bytes)?;
        }
        self.0.flush()
    }

    /// Waits until what was appended is on the device.
    pub fn sync(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

/// Whether a file is empty, or has only the first bytes of its header.
pub(crate) fn is_cut_short(file: &mut (impl Read + Seek), header: &[u8]) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut found = vec![0; header.len()];
    let length = fill(file, &mut found)?;
    Ok(length < header.len() && header.starts_with(&found[..length]))
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

    /// A file of two blocks.
    fn two_blocks() -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let mut appender = Appender::new(&mut file).unwrap();
        appender.append(&records(1)).unwrap();
        appender.append(&records(2)).unwrap();
        file.into_inner()
    }

    /// Fifty positions with their head and checksum.
    const BLOCK: usize = BLOCK_HEAD + 50 * RECORD + SUM;

    #[test]
    fn a_cut_is_told_and_taken_off_by_the_appender() {
        let whole = two_blocks();
        assert_eq!(whole.len(), HEADER + 2 * BLOCK);
        let second = HEADER + BLOCK;
        for n_bytes in [1, 4, BLOCK_HEAD, 300, BLOCK - SUM, BLOCK - 1] {
            let torn = &whole[..second + n_bytes];
            let contents = read(torn).unwrap();
            assert_eq!(contents.positions, records(1));
            let cut = Cut {
                n_whole: 50,
                at: second as u64,
                n_bytes: n_bytes as u64,
            };
            assert_eq!(contents.cut, Some(cut));
            let mut file = Cursor::new(torn.to_vec());
            let mut appender = Appender::new(&mut file).unwrap();
            assert_eq!(appender.length().unwrap(), second as u64);
            appender.append(&records(2)).unwrap();
            assert!(file.into_inner() == whole);
        }
        let contents = read(whole.as_slice()).unwrap();
        assert_eq!((contents.cut, contents.has_checksums), (None, true));
        assert_eq!(contents.positions, [records(1), records(2)].concat());
    }

    #[test]
    fn no_changed_byte_is_accepted() {
        let whole = two_blocks();
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] ^= change;
                assert!(
                    read(damaged.as_slice()).is_err(),
                    "byte {at} changed by {change}"
                );
                assert!(Appender::new(Cursor::new(damaged)).is_err(), "byte {at}");
            }
        }
        let mut damaged = whole;
        damaged[HEADER + BLOCK + 30] ^= 1;
        assert_eq!(
            read(damaged.as_slice()).unwrap_err().to_string(),
            "the block that begins at byte 1032 is damaged: its checksum does not match"
        );
    }

    /// As the first version of the program wrote it.
    fn without_checksums(records: &[Labelled]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(WITHOUT_CHECKSUMS.to_le_bytes());
        bytes.extend(records.iter().flat_map(|record| record.to_bytes()));
        bytes
    }

    #[test]
    fn the_first_version_is_read_and_not_appended_to() {
        let old = without_checksums(&records(3));
        let contents = read(old.as_slice()).unwrap();
        assert_eq!((contents.cut, contents.has_checksums), (None, false));
        assert_eq!(contents.positions, records(3));
        let torn = read(&old[..old.len() - 7]).unwrap();
        let cut = Cut {
            n_whole: 49,
            at: (HEADER + 49 * RECORD) as u64,
            n_bytes: 13,
        };
        assert_eq!(torn.cut, Some(cut));
        let appending = Appender::new(Cursor::new(old.clone()));
        assert!(matches!(appending, Err(DataError::WithoutChecksums)));
        let mut impossible = old;
        impossible[HEADER..HEADER + 16].fill(0xff);
        assert!(matches!(
            read(impossible.as_slice()),
            Err(DataError::Damaged { .. })
        ));
    }

    #[test]
    fn foreign_and_newer_files_are_refused() {
        assert!(matches!(read(&b"PK"[..]), Err(DataError::NotData)));
        assert!(
            matches!(read(io::repeat(0)), Err(DataError::NotData)),
            "and one without end at once"
        );
        let mut bytes = MAGIC.to_vec();
        bytes.extend(7u32.to_le_bytes());
        assert!(matches!(read(bytes.as_slice()), Err(DataError::Newer(7))));
    }
}
