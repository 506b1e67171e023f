//! The one layer between the program and the files that it owns.
//!
//! [`Disk`] is what callers use: a file is read whole, or replaced whole. [`Files`] are the calls
//! of the system below it, one at a time, so that a test can make each of them fail.

#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::{
    ffi::OsString,
    fmt, fs, io,
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading what is there.
    Read,
    /// Writing behind what is there; a missing file is begun, for its owner only.
    Append,
    /// Writing a new file, or one that is emptied first, with the mode that the user's shell gives.
    Create,
    /// The same, but only its owner may read it.
    CreatePrivate,
}

/// A file that was opened through a [`Disk`], so that tests can make any of its calls fail.
pub trait OpenFile: Read + Write + Send {
    /// Waits until the contents are on the device.
    fn sync(&mut self) -> io::Result<()>;
}

/// The calls of a file system that this program makes.
pub trait Files: fmt::Debug + Send + Sync {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>>;
    /// The names in a folder, in no order.
    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>>;
    /// Gives a file another name; whatever had that name is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes a folder that only its owner can look into, and those above it.
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Waits until the names in a folder are on the device.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// The file itself, where the path is a symbolic link.
    fn resolve(&self, path: &Path) -> PathBuf;
}

/// Files as the rest of the program uses them. Clones are the same disk.
#[derive(Debug, Clone)]
pub struct Disk(Arc<dyn Files>);

impl Default for Disk {
    fn default() -> Self {
        Self::real()
    }
}

impl Disk {
    /// The disk of this computer.
    pub fn real() -> Self {
        Self(Arc::new(System))
    }

    /// Other files in its place.
    pub fn over(files: Arc<dyn Files>) -> Self {
        Self(files)
    }

    /// All of a file that has `most` bytes or fewer. A larger one, or a device without end, is an
    /// error and not an exhausted memory.
    pub fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = self.0.open(path, Access::Read)?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let message = format!("it has more than {most} bytes, which no such file needs");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    /// Whether there is a file.
    pub fn exists(&self, path: &Path) -> io::Result<bool> {
        match self.0.open(path, Access::Read) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names in a folder, sorted.
    pub fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut names = self.0.names(folder)?;
        names.sort_unstable();
        Ok(names)
    }

    /// Replaces a file in one step: readers see the old contents or the new, also after a crash in
    /// between. When this returns, the new ones are on the device. A symbolic link stays a link;
    /// the file that it leads to is replaced.
    pub fn replace(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        self.replace_by(path, contents, Access::Create)
    }

    /// [`Disk::replace`] for a file that only its owner may read.
    pub fn replace_private(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        self.replace_by(path, contents, Access::CreatePrivate)
    }

    fn replace_by(&self, path: &Path, contents: &[u8], access: Access) -> io::Result<()> {
        let path = self.0.resolve(path);
        let temporary = temporary_beside(&path);
        let written = self.write_new(&temporary, contents, access);
        if let Err(error) = written.and_then(|()| self.0.rename(&temporary, &path)) {
            // Half a file is of no use; the error that led to it is what matters.
            self.0.remove(&temporary).ok();
            return Err(error);
        }
        self.sync_folder_of(&path)
    }

    fn write_new(&self, path: &Path, contents: &[u8], access: Access) -> io::Result<()> {
        let mut file = self.0.open(path, access)?;
        file.write_all(contents)?;
        file.sync()
    }

    /// Adds bytes at the end of a file and waits until they are on the device.
    pub fn append(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        self.write_new(path, contents, Access::Append)
    }

    /// Removes a file for good. One that is not there is removed already.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        match self.0.remove(path) {
            Ok(()) => self.sync_folder_of(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Gives a file another name.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)?;
        self.sync_folder_of(to)
    }

    /// Makes a folder that only its owner can look into. One that is there stays as it is.
    pub fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.0.make_folder(folder)
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        self.0.sync_folder(folder.unwrap_or(Path::new(".")))
    }
}

/// What the names of unfinished files end with.
pub const TEMPORARY: &str = ".new";

/// A name that no other thread and no other running program takes.
fn temporary_beside(path: &Path) -> PathBuf {
    static N_MADE: AtomicU64 = AtomicU64::new(0);
    let n = N_MADE.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{n}{TEMPORARY}", std::process::id()));
    path.with_file_name(name)
}

/// The file system of this computer.
#[derive(Debug)]
struct System;

impl OpenFile for fs::File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

impl Files for System {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>> {
        let mut options = fs::OpenOptions::new();
        match access {
            Access::Read => options.read(true),
            Access::Append => options.append(true).create(true),
            Access::Create | Access::CreatePrivate => {
                options.write(true).create(true).truncate(true)
            }
        };
        #[cfg(unix)]
        if matches!(access, Access::Append | Access::CreatePrivate) {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        Ok(Box::new(options.open(path)?))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let entries = fs::read_dir(folder)?;
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        builder.create(folder)
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        fs::File::open(folder)?.sync_all()
    }

    /// Folders cannot be opened everywhere; there renaming has to be enough.
    #[cfg(not(unix))]
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    fn resolve(&self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let target = is_link.then(|| fs::canonicalize(path).ok()).flatten();
        target.unwrap_or_else(|| path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        testing::{Call, Crash, Failure, Fault, Memory},
        *,
    };

    #[test]
    fn files_are_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::real();
        let path = folder.path().join("a.toml");
        disk.replace_private(&path, b"one").unwrap();
        disk.replace_private(&path, b"two").unwrap();
        disk.append(&path, b", three").unwrap();
        assert_eq!(disk.read(&path, 100).unwrap(), b"two, three");
        assert_eq!(disk.names(folder.path()).unwrap(), ["a.toml"]);
        assert!(disk.read(&path, 9).is_err(), "a limit is a limit");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        disk.rename(&path, &folder.path().join("b")).unwrap();
        disk.remove(&folder.path().join("b")).unwrap();
        disk.remove(&folder.path().join("b")).unwrap();
        assert!(disk.names(folder.path()).unwrap().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let [real, link] = ["real.toml", "link.toml"].map(|name| folder.path().join(name));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        Disk::real().replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
    }

    #[test]
    fn a_replacement_that_fails_at_any_call_leaves_the_old_file_or_the_new() {
        for failure in Failure::ALL {
            for after in 0.. {
                let memory = Memory::new();
                let disk = memory.disk();
                let folder = Path::new("/kibitz");
                let path = folder.join("a.toml");
                disk.make_folder(folder).unwrap();
                disk.replace(&path, b"old").unwrap();
                memory.fail(Fault::nth(Call::Any, after, failure));
                let replaced = disk.replace(&path, b"new");
                if memory.n_faults() == 0 {
                    replaced.unwrap();
                    break;
                }
                // A sync of the folder that failed leaves it open whether the new name is there.
                let found = memory.contents(&path).unwrap();
                assert!(found == b"old" || found == b"new");
                assert!(replaced.is_err());
                for crash in [Crash::NamesLost, Crash::NamesKept] {
                    let found = memory.after(crash).contents(&path);
                    assert!(
                        matches!(found.as_deref(), Some(b"old" | b"new")),
                        "{found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_was_replaced_survives_a_crash_and_unsynced_bytes_do_not() {
        let memory = Memory::new();
        let disk = memory.disk();
        disk.make_folder(Path::new("/kibitz")).unwrap();
        let path = Path::new("/kibitz/a.toml");
        disk.replace(path, b"kept").unwrap();
        for crash in [Crash::NamesLost, Crash::NamesKept] {
            assert_eq!(memory.after(crash).contents(path).unwrap(), b"kept");
        }
        // The testing disk is strict: what was only written is gone.
        let other = Path::new("/kibitz/b.toml");
        let files: &dyn Files = &*memory;
        let mut file = files.open(other, Access::Create).unwrap();
        file.write_all(b"lost").unwrap();
        assert_eq!(memory.after(Crash::NamesLost).contents(other), None);
        let kept = memory.after(Crash::NamesKept).contents(other);
        assert_eq!(kept.unwrap(), b"");
    }
}
