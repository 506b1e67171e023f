//! Files as they are published: plain, compressed, or several in an archive.

use super::{
    import::LibraryError,
    reading::{names_beside, names_of},
};
use othello::notation::{Format, WthorDirectory, detect};
use std::{
    borrow::Cow,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
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
    /// Something that has to be unpacked first.
    Archive(&'static str),
}

/// Beginnings of files that are neither text nor games.
const ARCHIVES: [(usize, &[u8], &str); 8] = [
    (
        0,
        &[0x28, 0xb5, 0x2f, 0xfd],
        "compressed with zstd once more",
    ),
    (0, &[0x1f, 0x8b], "compressed with gzip once more"),
    (0, b"BZh", "compressed with bzip2 once more"),
    (0, b"PK\x03\x04", "a zip archive inside of another file"),
    (0, b"\xfd7zXZ\0", "compressed with xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!", "a rar archive"),
    (257, b"ustar", "a tar archive"),
];

/// A file with games, unpacked as it is read.
pub(super) struct Unpacked<'a> {
    /// The file's name, and the name inside of its archive.
    pub(super) name: String,
    /// The same with the path of the file, for people.
    pub(super) label: PathBuf,
    pub(super) head: Vec<u8>,
    pub(super) format: FileFormat,
    pub(super) reader: Box<dyn BufRead + Send + 'a>,
    /// Names of WTHOR in the same archive.
    names: Option<WthorDirectory>,
}

/// A file, or a part of an archive, that cannot be read.
pub(super) struct Unreadable {
    pub(super) file: PathBuf,
    pub(super) reason: String,
}

/// Whoever takes the files of games one after the other.
pub(super) type Visit<'v> =
    &'v mut dyn FnMut(Result<Unpacked<'_>, Unreadable>) -> Result<(), LibraryError>;

impl Unpacked<'_> {
    /// The names of WTHOR that belong to the games.
    pub(super) fn directory(&self, path: &Path) -> WthorDirectory {
        self.names.clone().unwrap_or_else(|| names_beside(path))
    }
}

fn format_of(head: &[u8], name: &str) -> FileFormat {
    let begins = |(at, magic, _): &&(usize, &[u8], &str)| {
        head.get(*at..).is_some_and(|it| it.starts_with(magic))
    };
    if let Some((_, _, what)) = ARCHIVES.iter().find(begins) {
        return FileFormat::Archive(what);
    }
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
    (name, label): (String, PathBuf),
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
        label,
        head,
        format,
        reader: Box::new(BufReader::with_capacity(HEAD_BYTES, whole)),
        names: None,
    })
}

/// Calls `visit` with each file of games that a file consists of: itself, or the members of an
/// archive in their order. One that cannot be read does not keep it from the others.
pub(super) fn members(
    path: &Path,
    file: Counted<std::fs::File>,
    visit: Visit<'_>,
) -> Result<(), LibraryError> {
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let unread = |error: io::Error| Unreadable {
        file: path.to_owned(),
        reason: format!("cannot be read: {error}"),
    };
    let (magic, file) = match beginning(file) {
        Ok(begun) => begun,
        Err(error) => return visit(Err(unread(error))),
    };
    if magic == *b"PK\x03\x04" {
        return zip_members(path, &name, file, visit);
    }
    let plain = |ending: &str| name.strip_suffix(ending).unwrap_or(&name).to_owned();
    let names = (name.clone(), path.to_owned());
    let member = match magic {
        [0x28, 0xb5, 0x2f, 0xfd] => {
            zstd::Decoder::new(file).and_then(|stream| unpacked(names, &plain(".zst"), stream))
        }
        [0x1f, 0x8b, ..] => {
            let stream = flate2::read::MultiGzDecoder::new(file);
            unpacked(names, &plain(".gz"), stream)
        }
        [b'B', b'Z', b'h', _] => {
            let stream = bzip2::read::MultiBzDecoder::new(file);
            unpacked(names, &plain(".bz2"), stream)
        }
        _ => unpacked(names, &name, file),
    };
    visit(member.map_err(unread))
}

/// The first bytes of a file, and the file at its beginning.
fn beginning(mut file: Counted<std::fs::File>) -> io::Result<([u8; 4], Counted<std::fs::File>)> {
    let mut magic = [0; 4];
    let mut n = 0;
    while n < magic.len() {
        match file.read(&mut magic[n..])? {
            0 => break,
            more => n += more,
        }
    }
    file.rewind()?;
    Ok((magic, file))
}

fn zip_members(
    path: &Path,
    name: &str,
    file: Counted<std::fs::File>,
    visit: Visit<'_>,
) -> Result<(), LibraryError> {
    let mut archive = match zip::ZipArchive::new(BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => {
            let file = path.to_owned();
            let reason = format!("cannot be unpacked: {error}");
            return visit(Err(Unreadable { file, reason }));
        }
    };
    let inside = |index: usize, name: Option<zip::result::ZipResult<Cow<'_, str>>>| {
        let name = name.and_then(Result::ok).map(Cow::into_owned);
        name.unwrap_or_else(|| format!("member {}", index + 1))
    };
    let all = 0..archive.len();
    let insides: Vec<String> = all
        .map(|index| inside(index, archive.name_for_index(index)))
        .collect();
    let mut names = [Vec::new(), Vec::new()];
    for (ending, bytes) in [".jou", ".trn"].into_iter().zip(&mut names) {
        let is_it = |it: &String| it.to_ascii_lowercase().ends_with(ending);
        // One that cannot be read is told below.
        if let Some(index) = insides.iter().position(is_it)
            && let Ok(member) = archive.by_index(index)
        {
            member.take(NAMES_MAX).read_to_end(bytes).ok();
        }
    }
    let [players, tournaments] = &names;
    let directory = WthorDirectory {
        players: names_of(Some(&players[..])),
        tournaments: names_of(Some(&tournaments[..])),
    };
    for (index, inside) in insides.into_iter().enumerate() {
        let label = PathBuf::from(format!("{}: {inside}", path.display()));
        let member = match archive.by_index(index) {
            Ok(member) if member.is_dir() => continue,
            Ok(member) => {
                let names = (format!("{name}: {inside}"), label.clone());
                unpacked(names, &inside, member).map_err(|it| it.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        let member = member.map(|mut it| {
            it.names = Some(directory.clone());
            it
        });
        visit(member.map_err(|error| Unreadable {
            file: label,
            reason: format!("cannot be unpacked: {error}"),
        }))?;
    }
    Ok(())
}
