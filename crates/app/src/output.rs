//! Where results go whose names the user gives.
//!
//! A file is replaced when the new one is complete, and keeps its mode and owner. A symbolic link
//! stays: what it points to is replaced. A pipe or a terminal cannot be replaced; it is written to.

use crate::disk::{Disk, Kind, Replacement};
use std::{
    fmt,
    io::{self, BufWriter, Cursor, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Why a result has no place.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A folder stands there.
    #[error("{path} is a folder; name a file in it", path = path.display())]
    Folder { path: PathBuf },
    /// Something stands there that takes no results.
    #[error("{path} is neither a file nor a pipe; name a file", path = path.display())]
    Neither { path: PathBuf },
    #[error("cannot write {path}: {source}", path = path.display())]
    System { path: PathBuf, source: io::Error },
}

/// How a result is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From the beginning to the end.
    Forward,
    /// Forwards and backwards, as formats need that count their records in front: a stream gets it all in
    /// the end.
    Seeking,
}

/// What takes a result.
pub struct Output(Inner);

enum Inner {
    /// A file beside its final name, which it gets when it is complete.
    File(Replacement),
    /// A pipe, a terminal or the like.
    Stream(BufWriter<Box<dyn Write>>),
    /// A stream that gets everything in the end.
    Held(Cursor<Vec<u8>>, Box<dyn Write>),
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Inner::File(file) => return f.debug_tuple("Output").field(file).finish(),
            Inner::Stream(_) => "stream",
            Inner::Held(..) => "held stream",
        };
        f.debug_tuple("Output").field(&kind).finish()
    }
}

/// Whether a name stands for the standard output, which is then written to as it is.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Writes a result that is there as a whole.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), OutputError> {
    let mut output = Output::create(&Disk::real(), path, Order::Forward)?;
    let written = output.write_all(contents).and_then(|()| output.finish());
    written.map_err(|source| OutputError::System {
        path: path.to_owned(),
        source,
    })
}

impl Output {
    /// Decides what a name stands for, and opens it.
    pub fn create(disk: &Disk, path: &Path, order: Order) -> Result<Self, OutputError> {
        let stream = |out: Box<dyn Write>| match order {
            Order::Forward => Self(Inner::Stream(BufWriter::new(out))),
            Order::Seeking => Self(Inner::Held(Cursor::default(), out)),
        };
        if is_stdout(path) {
            return Ok(stream(Box::new(io::stdout())));
        }
        let system = |source| OutputError::System {
            path: path.to_owned(),
            source,
        };
        let path = path.to_owned();
        match disk.kind(&path).map_err(&system)? {
            Kind::Missing | Kind::File => {
                let replacement = disk.replacement(&path).map_err(&system)?;
                Ok(Self(Inner::File(replacement)))
            }
            Kind::Stream => Ok(stream(Box::new(disk.stream(&path).map_err(&system)?))),
            Kind::Folder => Err(OutputError::Folder { path }),
            Kind::Other => Err(OutputError::Neither { path }),
        }
    }

    /// Ends the result; a file is in its place only now.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Inner::File(replacement) => replacement.finish(),
            Inner::Stream(mut out) => out.flush(),
            Inner::Held(bytes, mut out) => {
                out.write_all(bytes.get_ref())?;
                out.flush()
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::File(out) => out.write(bytes),
            Inner::Stream(out) => out.write(bytes),
            Inner::Held(held, _) => held.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::File(out) => out.flush(),
            Inner::Stream(out) => out.flush(),
            Inner::Held(held, _) => held.flush(),
        }
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Inner::File(out) => out.seek(to),
            Inner::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Inner::Held(held, _) => held.seek(to),
        }
    }
}
