//! Files that are read whole: never more of them than memory can bear.
//!
//! A name on a command line can stand for a device or a pipe without end. Every reader says how
//! much its kind of file can have, and stops there.

use crate::disk::Disk;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Weights of any evaluation; the largest there can be have some 30 MB.
pub const WEIGHTS_MAX: u64 = 64 << 20;
/// A book: about two million positions, in JSON or grown.
pub const BOOK_MAX: u64 = 64 << 20;
/// Openings for games, in any notation.
pub const OPENINGS_MAX: u64 = 64 << 20;
/// Settings that a person writes, and small files about the state of something.
pub const SETTINGS_MAX: u64 = 1 << 20;
/// The checkpoint of a training: 24 MB of weights and 97 MB of moments, compressed.
pub const CHECKPOINT_MAX: u64 = 512 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The system says no.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read { path: PathBuf, source: io::Error },
    /// It should be text.
    #[error("cannot use {path}: it is not UTF-8 text (byte {at})", path = path.display())]
    NotText {
        path: PathBuf,
        /// Bytes before the first that cannot be text.
        at: usize,
    },
}

/// Reads a file of at most `limit` bytes from the disk of this computer.
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    read_from(&Disk::real(), path, limit)
}

/// Reads a file of at most `limit` bytes from a disk.
pub fn read_from(disk: &Disk, path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    disk.read(path, limit).map_err(|source| InputError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Reads a text of at most `limit` bytes from the disk of this computer.
pub fn read_text_bounded(path: &Path, limit: u64) -> Result<String, InputError> {
    read_text_from(&Disk::real(), path, limit)
}

/// Reads a text of at most `limit` bytes from a disk.
pub fn read_text_from(disk: &Disk, path: &Path, limit: u64) -> Result<String, InputError> {
    text_of(path, read_from(disk, path, limit)?)
}

/// The text of a file's bytes.
pub(crate) fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, InputError> {
    String::from_utf8(bytes).map_err(|error| InputError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_allowed_is_read_and_one_byte_more_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 2048]).unwrap();
        assert_eq!(read_bounded(&path, 2048).unwrap(), [7; 2048]);
        let message = read_bounded(&path, 2047).unwrap_err().to_string();
        assert!(
            message.contains("file: it has more than 2047 bytes"),
            "{message}"
        );
        std::fs::write(&path, b"ab\xff").unwrap();
        let message = read_text_bounded(&path, 10).unwrap_err().to_string();
        assert!(message.ends_with("not UTF-8 text (byte 2)"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_refused() {
        let error = read_bounded(Path::new("/dev/zero"), 1 << 16).unwrap_err();
        assert!(error.to_string().contains("it has more than 65536 bytes"));
    }
}
