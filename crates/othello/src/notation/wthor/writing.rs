//! Games as bytes.

use super::{WthorError, WthorGame, WthorHeader};
use std::io::{self, Seek, SeekFrom, Write};

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
