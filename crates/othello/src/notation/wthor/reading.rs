//! Games, and records of any kind, out of a stream of bytes.

use super::{GAME_BYTES, HEADER_BYTES, WthorError, WthorGame, WthorHeader};
use crate::notation::{At, Place, Problem, ProblemKind};
use std::io::{self, ErrorKind, Read};

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

/// Records of a fixed size after a header that announces their number.
#[derive(Debug)]
pub(super) struct Records<R, const WIDTH: usize> {
    reader: R,
    announced: u64,
    found: u64,
    done: bool,
}

impl<R: Read, const WIDTH: usize> Records<R, WIDTH> {
    pub(super) fn open(
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

    pub(super) fn next_record(&mut self) -> Option<Result<[u8; WIDTH], Problem>> {
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
