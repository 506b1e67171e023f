//! Files of names: players and tournaments.

use super::{PLAYER_BYTES, TOURNAMENT_BYTES, WthorError, WthorHeader, reading::Records};
use crate::notation::{
    Problem,
    text::{decode, encode_latin1},
};
use std::{
    borrow::Cow,
    fmt,
    io::{self, Read, Write},
};

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
