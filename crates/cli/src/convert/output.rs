//! Where the result of a conversion goes.
//!
//! A file is replaced when the new one is complete, and keeps its mode and owner. A symbolic link
//! stays: what it points to is replaced. A pipe or a terminal cannot be replaced; it is written to.

use anyhow::{Context as _, bail};
use othello::notation::Format;
use std::{
    fs::{self, File, FileType, Metadata, OpenOptions},
    io::{self, BufWriter, Cursor, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Whether a name stands for the standard output, which is then written to as it is.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// What takes the converted records.
pub(super) enum Output {
    /// A file beside its final name, which it gets when it is complete.
    File {
        out: BufWriter<File>,
        temporary: Temporary,
        target: PathBuf,
    },
    /// A pipe, a terminal or the like.
    Stream(BufWriter<Box<dyn Write>>),
    /// A stream, but complete only at the end: WTHOR counts its games in front.
    Held(Cursor<Vec<u8>>, Box<dyn Write>),
}

/// A file that is removed unless it was renamed.
pub(super) struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already after the rename, and not worth a message otherwise.
        fs::remove_file(&self.0).ok();
    }
}

impl Output {
    pub(super) fn create(path: &Path, format: Format) -> anyhow::Result<Self> {
        let stream = |out: Box<dyn Write>| match format {
            Format::Wthor => Self::Held(Cursor::default(), out),
            _ => Self::Stream(BufWriter::new(out)),
        };
        if is_stdout(path) {
            return Ok(stream(Box::new(io::stdout())));
        }
        let shown = path.display();
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot write {shown}")),
        };
        match existing {
            Some(metadata) if metadata.is_dir() => bail!("{shown} is a folder; name a file in it"),
            Some(metadata) if is_writable_stream(metadata.file_type()) => {
                let opened = OpenOptions::new().write(true).open(path);
                let file = opened.with_context(|| format!("cannot write {shown}"))?;
                Ok(stream(Box::new(file)))
            }
            Some(metadata) if !metadata.is_file() => {
                bail!("{shown} is neither a file nor a pipe; name a file")
            }
            existing => Self::beside(&target_of(path)?, existing.as_ref()),
        }
    }

    /// A file that takes the place of `target` in the end.
    fn beside(target: &Path, existing: Option<&Metadata>) -> anyhow::Result<Self> {
        let mut name = target
            .file_name()
            .with_context(|| format!("{} is not a file name", target.display()))?
            .to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = target.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if existing.is_some() {
            start_private(&mut options);
        }
        let create = || -> io::Result<_> {
            let file = options.open(&temporary)?;
            let guard = Temporary(temporary.clone());
            if let Some(existing) = existing {
                keep_mode(&file, existing)?;
            }
            Ok((file, guard))
        };
        let (file, guard) =
            create().with_context(|| format!("cannot create {}", temporary.display()))?;
        Ok(Self::File {
            out: BufWriter::new(file),
            temporary: guard,
            target: target.to_owned(),
        })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::File {
                out,
                temporary,
                target,
            } => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.sync_all()?;
                drop(file);
                fs::rename(&temporary.0, target)
            }
            Self::Stream(mut out) => out.flush(),
            Self::Held(bytes, mut out) => {
                out.write_all(bytes.get_ref())?;
                out.flush()
            }
        }
    }
}

/// The name that a file at `path` has after all symbolic links. It need not exist.
fn target_of(path: &Path) -> anyhow::Result<PathBuf> {
    /// What Linux follows, too.
    const LINKS_MAX: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(next) = fs::read_link(&target) else {
            return Ok(target);
        };
        // A relative link counts from its own folder; `with_file_name` takes an absolute one as is.
        target = target.with_file_name(next);
    }
    bail!("{} is a symbolic link that leads nowhere", path.display())
}

#[cfg(unix)]
fn is_writable_stream(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_writable_stream(_kind: FileType) -> bool {
    false
}

/// Nobody else may look into a copy of a file that they may not read.
#[cfg(unix)]
fn start_private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn start_private(_options: &mut OpenOptions) {}

fn keep_mode(file: &File, existing: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (existing.uid(), existing.gid()) {
            // Only the administrator can give a file away; it is replaced all the same.
            fchown(file, Some(existing.uid()), Some(existing.gid())).ok();
        }
    }
    file.set_permissions(existing.permissions())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { out, .. } => out.write(bytes),
            Self::Stream(out) => out.write(bytes),
            Self::Held(held, _) => held.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { out, .. } => out.flush(),
            Self::Stream(out) => out.flush(),
            Self::Held(held, _) => held.flush(),
        }
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File { out, .. } => out.seek(to),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Self::Held(held, _) => held.seek(to),
        }
    }
}
