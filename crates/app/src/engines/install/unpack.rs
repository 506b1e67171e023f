//! Archives become files in one folder: never outside of it, never more than there is room for.

use super::inner_path;
use crate::{Disk, engines::Archive};
use std::{
    collections::BTreeSet,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// How large things may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub download_max: u64,
    /// Of all files together.
    pub unpacked_max: u64,
    pub files_max: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            download_max: 1 << 30,
            unpacked_max: 4 << 30,
            files_max: 10_000,
        }
    }
}

/// What is wrong with an archive.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    #[error("the file {name:?} {reason}")]
    Name { name: String, reason: &'static str },
    #[error("{name:?} is a link or a device, and engines need files only")]
    NotAFile { name: String },
    #[error("the file {name:?} is there twice")]
    Twice { name: String },
    #[error("it has more than {megabytes} MB when unpacked")]
    TooLarge { megabytes: u64 },
    #[error("it has more than {0} files")]
    TooMany(u32),
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
    #[error("stopped")]
    Stopped,
}

/// What a decoder may use of the memory.
const MEMORY_MAX: u64 = 256 << 20;

/// The largest window of a zstd archive, as a power of two: 128 MB.
const WINDOW_LOG_MAX: u32 = 27;

/// A long name, or the attributes of a file, in a tar archive.
const EXTRA_MAX: u64 = 64 << 10;

fn damaged(error: impl std::fmt::Display) -> UnpackError {
    UnpackError::Damaged(error.to_string())
}

/// Unpacks an archive into a folder.
pub fn unpack(
    disk: &Disk,
    archive: &Path,
    kind: Archive,
    folder: &Path,
    bounds: &Bounds,
    stop: &AtomicBool,
) -> Result<(), UnpackError> {
    let file = disk.open(archive).map_err(damaged)?;
    let mut out = Out {
        disk,
        folder,
        bounds,
        stop,
        n_bytes: 0,
        paths: BTreeSet::new(),
    };
    match kind {
        Archive::Zip => out.unzip(file),
        Archive::Tar => out.untar(io::BufReader::new(file)),
        Archive::TarGz => out.untar(flate2::read::MultiGzDecoder::new(file)),
        Archive::TarXz => {
            let stream = liblzma::stream::Stream::new_stream_decoder(MEMORY_MAX, 0);
            let stream = stream.map_err(damaged)?;
            out.untar(liblzma::read::XzDecoder::new_stream(file, stream))
        }
        Archive::TarZst => {
            let mut decoder = zstd::Decoder::new(file).map_err(damaged)?;
            decoder.window_log_max(WINDOW_LOG_MAX).map_err(damaged)?;
            out.untar(decoder)
        }
        Archive::Single => Ok(()),
    }
}

/// Where the files go.
struct Out<'a> {
    disk: &'a Disk,
    folder: &'a Path,
    bounds: &'a Bounds,
    stop: &'a AtomicBool,
    n_bytes: u64,
    /// In small letters: some systems do not tell capitals apart.
    paths: BTreeSet<String>,
}

impl Out<'_> {
    fn place(&mut self, name: &str) -> Result<PathBuf, UnpackError> {
        let path = inner_path(name).map_err(|reason| UnpackError::Name {
            name: name.chars().take(80).collect(),
            reason,
        })?;
        if self.paths.len() as u64 >= u64::from(self.bounds.files_max) {
            return Err(UnpackError::TooMany(self.bounds.files_max));
        }
        if !self.paths.insert(path.to_string_lossy().to_lowercase()) {
            let name = name.to_owned();
            return Err(UnpackError::Twice { name });
        }
        Ok(self.folder.join(path))
    }

    fn write(&mut self, name: &str, mut from: impl Read) -> Result<(), UnpackError> {
        let path = self.place(name)?;
        let failed = |source| UnpackError::Write {
            path: path.display().to_string(),
            source,
        };
        let folder = path.parent().unwrap_or(self.folder);
        self.disk.make_folder(folder).map_err(failed)?;
        let mut file = self.disk.create_private(&path).map_err(failed)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(UnpackError::Stopped);
            }
            let n = from.read(&mut buffer).map_err(damaged)?;
            if n == 0 {
                break;
            }
            self.n_bytes += n as u64;
            if self.n_bytes > self.bounds.unpacked_max {
                return Err(self.too_large());
            }
            file.write_all(&buffer[..n]).map_err(failed)?;
        }
        file.sync().map_err(failed)
    }

    const fn too_large(&self) -> UnpackError {
        UnpackError::TooLarge {
            megabytes: self.bounds.unpacked_max >> 20,
        }
    }

    fn unzip(&mut self, file: impl Read + Seek) -> Result<(), UnpackError> {
        let mut archive = zip::ZipArchive::new(file).map_err(damaged)?;
        if archive.len() as u64 > u64::from(self.bounds.files_max) {
            return Err(UnpackError::TooMany(self.bounds.files_max));
        }
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(damaged)?;
            let name = entry.name().map_err(damaged)?.into_owned();
            if entry.is_dir() {
                continue;
            }
            if entry.is_symlink() || !entry.is_file() {
                return Err(UnpackError::NotAFile { name });
            }
            self.write(&name, entry)?;
        }
        Ok(())
    }

    fn untar(&mut self, from: impl Read) -> Result<(), UnpackError> {
        // Headers count, too: an archive of nothing but names is as endless as any other.
        let limit = self.bounds.unpacked_max.saturating_mul(2);
        let mut archive = tar::Archive::new(from.take(limit));
        let mut name: Option<String> = None;
        let mut n_entries = 0;
        // Long names are read by us, since the library would read one of any length into memory.
        for entry in archive.entries().map_err(damaged)?.raw(true) {
            let mut entry = entry.map_err(damaged)?;
            n_entries += 1;
            if n_entries > 4 * u64::from(self.bounds.files_max) {
                return Err(UnpackError::TooMany(self.bounds.files_max));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(UnpackError::Stopped);
            }
            let kind = entry.header().entry_type();
            if kind.is_gnu_longname() {
                let bytes = extra(&mut entry)?;
                let text = String::from_utf8_lossy(&bytes);
                name = Some(text.trim_end_matches('\0').to_owned());
                continue;
            }
            if kind.is_pax_local_extensions() {
                name = pax_path(&extra(&mut entry)?).or(name);
                continue;
            }
            if kind.is_pax_global_extensions() {
                continue;
            }
            let own = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let name = name.take().unwrap_or(own);
            if kind.is_dir() {
                continue;
            }
            // A file with holes would unpack to more than it has.
            if !matches!(kind, tar::EntryType::Regular | tar::EntryType::Continuous) {
                return Err(UnpackError::NotAFile { name });
            }
            self.write(&name, entry)?;
        }
        Ok(())
    }
}

fn extra(entry: &mut impl Read) -> Result<Vec<u8>, UnpackError> {
    let mut bytes = Vec::new();
    entry
        .take(EXTRA_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(damaged)?;
    if bytes.len() as u64 > EXTRA_MAX {
        return Err(damaged("a name in it has no end"));
    }
    Ok(bytes)
}

/// The path in records such as `27 path=folder/file\n`.
fn pax_path(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let found = text.lines().find_map(|line| {
        let (_, record) = line.split_once(' ')?;
        record.strip_prefix("path=")
    });
    found.map(str::to_owned)
}
