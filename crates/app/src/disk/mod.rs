//! The one layer between the program and the files that it owns.
//!
//! [`Disk`] is what callers use: a file is read whole, or replaced whole. [`Files`] are the calls
//! of the system below it, one at a time, so that a test can make each of them fail.

#[cfg(any(test, feature = "testing"))]
pub mod testing;

use learn::data::GrowingFile;
use std::{
    ffi::OsString,
    fmt, fs, io,
    io::{BufWriter, Read, Seek, SeekFrom, Write},
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
    /// Reading and writing what is there, from its beginning; a missing file is begun, with the mode
    /// that the user's shell gives.
    Grow,
}

/// What stands at a path, after all symbolic links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Missing,
    File,
    Folder,
    /// A pipe, a terminal or the like: it can be written to and cannot be replaced.
    Stream,
    /// A socket, a disk: nothing that a result belongs into.
    Other,
}

/// A file that was opened through a [`Disk`], so that tests can make any of its calls fail.
pub trait OpenFile: Read + Write + Seek + Send {
    /// Waits until the contents are on the device.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts everything behind `length` off.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

impl GrowingFile for Box<dyn OpenFile> {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        (**self).truncate(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
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
    fn make_new_folder(&self, folder: &Path) -> io::Result<()>;
    /// Removes a folder with everything in it; of links the links, not what they lead to.
    fn remove_folder(&self, folder: &Path) -> io::Result<()>;
    /// Lets the owner of a file run it as a program.
    fn allow_running(&self, path: &Path) -> io::Result<()>;
    /// Waits until the names in a folder are on the device.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// The file itself, where the path is a symbolic link; it need not exist.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// What stands at a path.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// Opens a new file that is to take the place of `target`. It has that file's mode and owner if
    /// `access` does not ask for another mode.
    fn open_in_place_of(
        &self,
        target: &Path,
        temporary: &Path,
        access: Access,
    ) -> io::Result<Box<dyn OpenFile>>;
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
        let mut replacement = self.begin(path, access)?;
        replacement.write_all(contents)?;
        replacement.finish()
    }

    /// [`Disk::replace`] in parts: the file appears under its name when the last one is written.
    pub fn replacement(&self, path: &Path) -> io::Result<Replacement> {
        self.begin(path, Access::Create)
    }

    fn begin(&self, path: &Path, access: Access) -> io::Result<Replacement> {
        let target = self.0.resolve(path)?;
        match self.0.kind(&target)? {
            Kind::Missing | Kind::File => {}
            Kind::Folder => return Err(io::ErrorKind::IsADirectory.into()),
            Kind::Stream | Kind::Other => {
                let message = "it is a device or a pipe, which cannot be replaced; name a file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        let temporary = temporary_beside(&target);
        let file = self.0.open_in_place_of(&target, &temporary, access)?;
        Ok(Replacement {
            disk: self.clone(),
            out: Some(BufWriter::new(file)),
            temporary,
            target,
        })
    }

    /// What stands at a path, after all symbolic links.
    pub fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.0.kind(path)
    }

    /// Opens a file that is read and appended to.
    pub fn grow(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        self.0.open(path, Access::Grow)
    }

    /// Opens a pipe or the like for writing.
    pub(crate) fn stream(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        self.0.open(path, Access::Append)
    }

    /// Adds bytes at the end of a file and waits until they are on the device.
    pub fn append(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        let mut file = self.0.open(path, Access::Append)?;
        file.write_all(contents)?;
        file.sync()
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

    /// Makes a folder in one that is there. One that is there already is an error: of two programs
    /// only one makes it.
    pub fn make_new_folder(&self, folder: &Path) -> io::Result<()> {
        self.0.make_new_folder(folder)
    }

    /// Removes a folder with everything in it. One that is not there is removed already.
    pub fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        match self.0.remove_folder(folder) {
            Ok(()) => self.sync_folder_of(folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Lets the owner of a file run it as a program, where the system asks for leave.
    pub fn allow_running(&self, path: &Path) -> io::Result<()> {
        self.0.allow_running(path)
    }

    /// Opens a file to read parts of it.
    pub fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        self.0.open(path, Access::Read)
    }

    /// Begins a new file that only its owner may read, under its final name: for folders that are
    /// put in place as a whole.
    pub fn create_private(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        self.0.open(path, Access::CreatePrivate)
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        self.0.sync_folder(folder.unwrap_or(Path::new(".")))
    }
}

/// A new file beside the one whose place it takes when it is finished; dropped before, it is
/// removed.
pub struct Replacement {
    disk: Disk,
    /// Gone when the file is closed.
    out: Option<BufWriter<Box<dyn OpenFile>>>,
    temporary: PathBuf,
    target: PathBuf,
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replacement")
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl Replacement {
    /// Puts the file in its place. When this returns, it is on the device.
    pub fn finish(mut self) -> io::Result<()> {
        let out = self.out()?;
        out.flush()?;
        out.get_mut().sync()?;
        self.close();
        let files = &self.disk.0;
        files.rename(&self.temporary, &self.target)?;
        // The temporary name is gone: nothing is left to remove.
        self.temporary = PathBuf::new();
        self.disk.sync_folder_of(&self.target)
    }

    fn out(&mut self) -> io::Result<&mut BufWriter<Box<dyn OpenFile>>> {
        self.out
            .as_mut()
            .ok_or_else(|| io::Error::other("the file is closed"))
    }

    /// Closes the file without writing what is still in the buffer.
    fn close(&mut self) {
        drop(self.out.take().map(BufWriter::into_parts));
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        self.close();
        if !self.temporary.as_os_str().is_empty() {
            // Half a file is of no use; the error that led to it is what matters.
            self.disk.0.remove(&self.temporary).ok();
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out()?.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out()?.seek(to)
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

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

fn private_folder() -> fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "it has no modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
}

impl Files for System {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>> {
        let mut options = fs::OpenOptions::new();
        match access {
            Access::Read => options.read(true),
            Access::Grow => options.read(true).write(true).create(true).truncate(false),
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
        private_folder().recursive(true).create(folder)
    }

    fn make_new_folder(&self, folder: &Path) -> io::Result<()> {
        private_folder().create(folder)
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir_all(folder)
    }

    #[cfg(unix)]
    fn allow_running(&self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }

    /// Elsewhere a program is known by its name.
    #[cfg(not(unix))]
    fn allow_running(&self, _path: &Path) -> io::Result<()> {
        Ok(())
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

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        /// What Linux follows, too.
        const LINKS_MAX: usize = 40;
        let mut target = path.to_owned();
        for _ in 0..LINKS_MAX {
            let Ok(next) = fs::read_link(&target) else {
                return Ok(target);
            };
            // A relative link counts from its own folder; `with_file_name` takes an absolute one
            // as it is.
            target = target.with_file_name(next);
        }
        Err(io::Error::other("it is a symbolic link that leads nowhere"))
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kind::Missing),
            Err(error) => return Err(error),
        };
        Ok(match metadata.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if is_writable_stream(kind) => Kind::Stream,
            _ => Kind::Other,
        })
    }

    fn open_in_place_of(
        &self,
        target: &Path,
        temporary: &Path,
        access: Access,
    ) -> io::Result<Box<dyn OpenFile>> {
        let existing = fs::metadata(target).ok();
        let (Some(existing), Access::Create) = (existing, access) else {
            return self.open(temporary, access);
        };
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        // Other users must not read a copy of a file that they may not read, not even for a moment.
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let file = options.open(temporary)?;
        if let Err(error) = keep_mode(&file, &existing) {
            fs::remove_file(temporary).ok();
            return Err(error);
        }
        Ok(Box::new(file))
    }
}

#[cfg(unix)]
fn is_writable_stream(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_writable_stream(_kind: fs::FileType) -> bool {
    false
}

fn keep_mode(file: &fs::File, existing: &fs::Metadata) -> io::Result<()> {
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
        // One that leads to no file yet leads to one afterwards.
        fs::remove_file(&real).unwrap();
        Disk::real().replace(&link, b"newer").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"newer");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_mode_and_no_device_is_replaced() {
        use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        for mode in [0o600, 0o640] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Disk::real().replace(&path, b"new").unwrap();
            let kept = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(kept & 0o777, mode);
        }
        // Through a link, so that a program that is wrong replaces that and not the device.
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        let error = Disk::real().replace(&link, b"new").unwrap_err();
        assert!(error.to_string().contains("cannot be replaced"), "{error}");
        let null = fs::metadata("/dev/null").unwrap();
        assert!(null.file_type().is_char_device());
        assert!(Disk::real().replace(folder.path(), b"new").is_err());
        assert_eq!(
            Disk::real().names(folder.path()).unwrap(),
            ["null", "weights"]
        );
    }

    #[test]
    fn a_replacement_that_is_given_up_leaves_nothing() {
        let memory = Memory::new();
        let disk = memory.disk();
        disk.make_folder(Path::new("/kibitz")).unwrap();
        let path = Path::new("/kibitz/games.wtb");
        disk.replace(path, b"old").unwrap();
        let mut replacement = disk.replacement(path).unwrap();
        replacement.write_all(b"0 games").unwrap();
        drop(replacement);
        assert_eq!(memory.contents(path).unwrap(), b"old");
        assert_eq!(memory.paths(), [path]);
        // The number in front is known only in the end.
        let mut replacement = disk.replacement(path).unwrap();
        replacement.write_all(b"0 games").unwrap();
        replacement.rewind().unwrap();
        replacement.write_all(b"7").unwrap();
        replacement.finish().unwrap();
        assert_eq!(memory.contents(path).unwrap(), b"7 games");
        assert_eq!(memory.paths(), [path]);
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
