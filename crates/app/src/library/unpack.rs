//! Files as they are published: plain, compressed, or several in an archive.

use super::import::{LibraryError, names_beside, names_of};
use othello::notation::{Format, WthorDirectory, detect};
use std::{
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// How much of a file is looked at to tell its format.
const HEAD_BYTES: usize = 1 << 16;

/// Files of names in an archive are read whole; they have at most so many bytes.
const NAMES_MAX: u64 = 16 << 20;

/// Counts what was read of a file.
pub(super) struct Counted<R> {
    inner: R,
    pub(super) n_read: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            n_read: Arc::default(),
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.n_read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.inner.seek(to)?;
        self.n_read.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

/// What a file of games is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileFormat {
    Othello(Format),
    Pgn,
    /// Names of WTHOR, of players or of tournaments.
    Names(&'static str),
}

/// A file with games, unpacked as it is read.
pub(super) struct Unpacked<'a> {
    /// The file's name, and the name inside of its archive.
    pub(super) name: String,
    pub(super) head: Vec<u8>,
    pub(super) format: FileFormat,
    pub(super) reader: Box<dyn BufRead + Send + 'a>,
    /// Names of WTHOR in the same archive.
    names: Option<WthorDirectory>,
}

impl Unpacked<'_> {
    /// The names of WTHOR that belong to the games.
    pub(super) fn directory(&self, path: &Path) -> WthorDirectory {
        self.names.clone().unwrap_or_else(|| names_beside(path))
    }
}

fn format_of(head: &[u8], name: &str) -> FileFormat {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    let is_named = name.to_ascii_lowercase().ends_with(".pgn");
    let is_tagged = matches!(text, [b'[', letter, ..] if letter.is_ascii_alphabetic())
        || text.starts_with(b"1. ")
        || (text.starts_with(b"1.") && text.get(2).is_some_and(u8::is_ascii_alphabetic));
    if is_named || is_tagged {
        return FileFormat::Pgn;
    }
    match detect(head, Some(name)) {
        Format::WthorPlayers => FileFormat::Names("names of players"),
        Format::WthorTournaments => FileFormat::Names("names of tournaments"),
        format => FileFormat::Othello(format),
    }
}

/// A stream with its beginning looked at.
fn unpacked<'a>(
    name: String,
    plain_name: &str,
    reader: impl Read + Send + 'a,
) -> io::Result<Unpacked<'a>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let mut reader = BufReader::with_capacity(HEAD_BYTES, reader);
    (&mut reader)
        .take(HEAD_BYTES as u64)
        .read_to_end(&mut head)?;
    let format = format_of(&head, plain_name);
    let whole = io::Cursor::new(head.clone()).chain(reader);
    Ok(Unpacked {
        name,
        head,
        format,
        reader: Box::new(BufReader::with_capacity(HEAD_BYTES, whole)),
        names: None,
    })
}

/// Calls `visit` with each file of games that a file consists of: itself, or the members of an
/// archive in their order.
pub(super) fn members(
    path: &Path,
    mut file: Counted<std::fs::File>,
    visit: &mut dyn FnMut(Unpacked<'_>) -> Result<(), LibraryError>,
) -> Result<(), LibraryError> {
    let unread = |source| LibraryError::Read {
        path: path.to_owned(),
        source,
    };
    let mut magic = [0; 4];
    let mut n = 0;
    while n < magic.len() {
        match file.read(&mut magic[n..]).map_err(unread)? {
            0 => break,
            more => n += more,
        }
    }
    file.rewind().map_err(unread)?;
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let plain = |ending: &str| name.strip_suffix(ending).unwrap_or(&name).to_owned();
    let member = match magic {
        [0x28, 0xb5, 0x2f, 0xfd] => {
            let stream = zstd::Decoder::new(file).map_err(unread)?;
            unpacked(name.clone(), &plain(".zst"), stream)
        }
        [0x1f, 0x8b, ..] => {
            let stream = flate2::read::MultiGzDecoder::new(file);
            unpacked(name.clone(), &plain(".gz"), stream)
        }
        [b'B', b'Z', b'h', _] => {
            let stream = bzip2::read::MultiBzDecoder::new(file);
            unpacked(name.clone(), &plain(".bz2"), stream)
        }
        [b'P', b'K', 3, 4] => return zip_members(path, &name, file, visit),
        _ => unpacked(name.clone(), &name, file),
    };
    visit(member.map_err(unread)?)
}

fn zip_members(
    path: &Path,
    name: &str,
    file: Counted<std::fs::File>,
    visit: &mut dyn FnMut(Unpacked<'_>) -> Result<(), LibraryError>,
) -> Result<(), LibraryError> {
    let broken = |detail: String| LibraryError::Archive {
        path: path.to_owned(),
        detail,
    };
    let mut archive =
        zip::ZipArchive::new(BufReader::new(file)).map_err(|it| broken(it.to_string()))?;
    let mut names = [Vec::new(), Vec::new()];
    for (ending, bytes) in [".jou", ".trn"].into_iter().zip(&mut names) {
        for index in 0..archive.len() {
            let member = archive.by_index(index);
            let member = member.map_err(|it| broken(it.to_string()))?;
            let inside = member.name().map_err(|it| broken(it.to_string()))?;
            if inside.to_ascii_lowercase().ends_with(ending) {
                let read = member.take(NAMES_MAX).read_to_end(bytes);
                read.map_err(|it| broken(it.to_string()))?;
                break;
            }
        }
    }
    let [players, tournaments] = &names;
    let directory = WthorDirectory {
        players: names_of(Some(&players[..])),
        tournaments: names_of(Some(&tournaments[..])),
    };
    for index in 0..archive.len() {
        let member = archive
            .by_index(index)
            .map_err(|it| broken(it.to_string()))?;
        if member.is_dir() {
            continue;
        }
        let inside = member
            .name()
            .map_err(|it| broken(it.to_string()))?
            .into_owned();
        let unpacked = unpacked(format!("{name}: {inside}"), &inside, member);
        let mut unpacked = unpacked.map_err(|it| broken(it.to_string()))?;
        unpacked.names = Some(directory.clone());
        visit(unpacked)?;
    }
    Ok(())
}
