//! Games as bytes.

use super::GgfGame;
use std::io;

impl GgfGame {
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
