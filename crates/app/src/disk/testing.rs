//! A disk in memory that fails when it is told to, and forgets in a crash what was not synced.

use super::{Access, Disk, Files, Kind, OpenFile};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsString,
    fmt, io,
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    Any,
    Open,
    /// Reading from an open file.
    Read,
    /// Writing to an open file, or cutting it.
    Write,
    /// Syncing a file or a folder.
    Sync,
    Rename,
    Remove,
    List,
    MakeFolder,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The disk is full.
    NoSpace,
    /// The disk is mounted for reading.
    ReadOnly,
    /// The folder has been deleted.
    Missing,
    /// The process has as many open files as it may.
    NoDescriptors,
    /// The device is broken.
    Device,
    /// One byte is written, then the disk is full.
    ShortWrite,
}

impl Failure {
    pub const ALL: [Self; 6] = [
        Self::NoSpace,
        Self::ReadOnly,
        Self::Missing,
        Self::NoDescriptors,
        Self::Device,
        Self::ShortWrite,
    ];

    fn error(self) -> io::Error {
        match self {
            Self::NoSpace | Self::ShortWrite => io::ErrorKind::StorageFull.into(),
            Self::ReadOnly => io::ErrorKind::ReadOnlyFilesystem.into(),
            Self::Missing => io::ErrorKind::NotFound.into(),
            Self::NoDescriptors => io::Error::from_raw_os_error(24),
            Self::Device => io::Error::from_raw_os_error(5),
        }
    }
}

/// Calls that are to fail.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    pub call: Call,
    /// How many of that kind go well first.
    pub after: u64,
    /// How many fail then.
    pub times: u64,
    pub failure: Failure,
}

impl Fault {
    /// One call fails, after some went well.
    pub const fn nth(call: Call, after: u64, failure: Failure) -> Self {
        Self {
            call,
            after,
            times: 1,
            failure,
        }
    }

    /// Every call of a kind fails from now on.
    pub const fn always(call: Call, failure: Failure) -> Self {
        Self {
            call,
            after: 0,
            times: u64::MAX,
            failure,
        }
    }
}

/// What a crash leaves of names that were not synced. Contents that were not synced are always
/// gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// They are as they were.
    NamesLost,
    /// They are as they are.
    NamesKept,
}

type Hook = Arc<dyn Fn(Call, &Path) + Send + Sync>;

#[derive(Debug, Clone, Default)]
struct Contents {
    now: Vec<u8>,
    synced: Vec<u8>,
}

#[derive(Default)]
struct State {
    folders: BTreeSet<PathBuf>,
    names: BTreeMap<PathBuf, u64>,
    synced_names: BTreeMap<PathBuf, u64>,
    contents: HashMap<u64, Contents>,
    n_files: u64,
    faults: Vec<Fault>,
    n_faults: u64,
    n_calls: HashMap<Call, u64>,
    hook: Option<Hook>,
}

/// The disk in memory. Clones are the same disk.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<State>>);

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").finish_non_exhaustive()
    }
}

impl Memory {
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// It as a [`Disk`].
    pub fn disk(self: &Arc<Self>) -> Disk {
        let files: Arc<Self> = Arc::clone(self);
        Disk::over(files)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn fail(&self, fault: Fault) {
        self.lock().faults.push(fault);
    }

    /// Takes all faults away.
    pub fn heal(&self) {
        self.lock().faults.clear();
    }

    /// How many calls have failed by a fault.
    pub fn n_faults(&self) -> u64 {
        self.lock().n_faults
    }

    /// How many calls of a kind there were.
    pub fn n_calls(&self, call: Call) -> u64 {
        self.lock().n_calls.get(&call).copied().unwrap_or(0)
    }

    /// Has a function called before each call; it may wait, or look at the disk.
    pub fn watch(&self, hook: impl Fn(Call, &Path) + Send + Sync + 'static) {
        self.lock().hook = Some(Arc::new(hook));
    }

    /// What a file holds.
    pub fn contents(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.lock();
        let id = state.names.get(path)?;
        Some(state.contents.get(id)?.now.clone())
    }

    /// Writes a file past all faults, as another program would.
    pub fn put(&self, path: &Path, contents: &[u8]) {
        let mut state = self.lock();
        let id = state.create(path);
        state.synced_names.insert(path.to_owned(), id);
        let contents = contents.to_vec();
        state.contents.insert(
            id,
            Contents {
                synced: contents.clone(),
                now: contents,
            },
        );
    }

    pub fn paths(&self) -> Vec<PathBuf> {
        self.lock().names.keys().cloned().collect()
    }

    /// Deletes a folder with everything in it, as another program would.
    pub fn delete_folder(&self, folder: &Path) {
        let mut state = self.lock();
        state.folders.retain(|it| !it.starts_with(folder));
        state.names.retain(|it, _| !it.starts_with(folder));
        state.synced_names.retain(|it, _| !it.starts_with(folder));
    }

    /// The disk as a crash at this moment would leave it, without faults.
    pub fn after(&self, crash: Crash) -> Arc<Self> {
        let state = self.lock();
        let names = match crash {
            Crash::NamesLost => state.synced_names.clone(),
            Crash::NamesKept => state.names.clone(),
        };
        let contents = state.contents.iter().map(|(&id, contents)| {
            let synced = contents.synced.clone();
            let now = synced.clone();
            (id, Contents { now, synced })
        });
        let left = State {
            folders: state.folders.clone(),
            synced_names: names.clone(),
            names,
            contents: contents.collect(),
            n_files: state.n_files,
            ..State::default()
        };
        Arc::new(Self(Arc::new(Mutex::new(left))))
    }

    /// Counts a call, and fails it if it is its turn.
    fn enter(&self, call: Call, path: &Path) -> Result<(), Failure> {
        let hook = self.lock().hook.clone();
        if let Some(hook) = hook {
            hook(call, path);
        }
        let mut state = self.lock();
        for kind in [call, Call::Any] {
            *state.n_calls.entry(kind).or_default() += 1;
        }
        let mut failed = None;
        for fault in &mut state.faults {
            if fault.call != call && fault.call != Call::Any {
                continue;
            }
            if fault.after > 0 {
                fault.after -= 1;
            } else if fault.times > 0 {
                fault.times -= 1;
                failed = failed.or(Some(fault.failure));
            }
        }
        match failed {
            Some(failure) => {
                state.n_faults += 1;
                Err(failure)
            }
            None => Ok(()),
        }
    }

    fn enter_plainly(&self, call: Call, path: &Path) -> io::Result<()> {
        self.enter(call, path).map_err(Failure::error)
    }
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl State {
    fn create(&mut self, path: &Path) -> u64 {
        self.n_files += 1;
        self.names.insert(path.to_owned(), self.n_files);
        self.contents.insert(self.n_files, Contents::default());
        self.n_files
    }

    /// Gives a folder another name, with everything in it.
    fn move_folder(&mut self, from: &Path, to: &Path) {
        let moved = |path: &Path| match path.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => to.to_owned(),
            Ok(rest) => to.join(rest),
            Err(_) => path.to_owned(),
        };
        self.folders = self.folders.iter().map(|it| moved(it)).collect();
        let names = std::mem::take(&mut self.names).into_iter();
        self.names = names.map(|(path, id)| (moved(&path), id)).collect();
    }

    fn has_folder_of(&self, path: &Path) -> bool {
        path.parent()
            .is_some_and(|folder| self.folders.contains(folder))
    }
}

impl Files for Memory {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>> {
        self.enter_plainly(Call::Open, path)?;
        let mut state = self.lock();
        if !state.has_folder_of(path) {
            return Err(missing());
        }
        let found = state.names.get(path).copied();
        let id = match (access, found) {
            (Access::Read, None) => return Err(missing()),
            (Access::Read | Access::Append | Access::Grow, Some(id)) => id,
            (Access::Append | Access::Grow, None) => state.create(path),
            (Access::Create | Access::CreatePrivate, Some(id)) => {
                state.contents.entry(id).or_default().now.clear();
                id
            }
            (Access::Create | Access::CreatePrivate, None) => state.create(path),
        };
        Ok(Box::new(MemoryFile {
            disk: self.clone(),
            path: path.to_owned(),
            id,
            at: 0,
            appends: access == Access::Append,
        }))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.enter_plainly(Call::List, folder)?;
        let state = self.lock();
        if !state.folders.contains(folder) {
            return Err(missing());
        }
        let paths = state.names.keys().chain(&state.folders);
        let inside = paths.filter(|path| path.parent() == Some(folder));
        Ok(inside
            .filter_map(|path| Some(path.file_name()?.to_owned()))
            .collect())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.enter_plainly(Call::Rename, from)?;
        let mut state = self.lock();
        if !state.has_folder_of(to) {
            return Err(missing());
        }
        if state.folders.contains(from) {
            state.move_folder(from, to);
            return Ok(());
        }
        let id = state.names.remove(from).ok_or_else(missing)?;
        state.names.insert(to.to_owned(), id);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.enter_plainly(Call::Remove, path)?;
        let removed = self.lock().names.remove(path);
        removed.map(|_| ()).ok_or_else(missing)
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.enter_plainly(Call::MakeFolder, folder)?;
        let mut state = self.lock();
        let all = folder.ancestors().map(Path::to_owned);
        state.folders.extend(all);
        Ok(())
    }

    fn make_new_folder(&self, folder: &Path) -> io::Result<()> {
        self.enter_plainly(Call::MakeFolder, folder)?;
        let is_new = self.lock().folders.insert(folder.to_owned());
        is_new
            .then_some(())
            .ok_or_else(|| io::ErrorKind::AlreadyExists.into())
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        self.enter_plainly(Call::Remove, folder)?;
        if !self.lock().folders.contains(folder) {
            return Err(missing());
        }
        self.delete_folder(folder);
        Ok(())
    }

    fn allow_running(&self, path: &Path) -> io::Result<()> {
        self.enter_plainly(Call::Write, path)?;
        let is_there = self.lock().names.contains_key(path);
        is_there.then_some(()).ok_or_else(missing)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.enter_plainly(Call::Sync, folder)?;
        let mut state = self.lock();
        if !state.folders.contains(folder) {
            return Err(missing());
        }
        let is_inside = |path: &Path| path.parent() == Some(folder);
        state.synced_names.retain(|path, _| !is_inside(path));
        let names: Vec<(PathBuf, u64)> = state
            .names
            .iter()
            .filter(|(path, _)| is_inside(path))
            .map(|(path, &id)| (path.clone(), id))
            .collect();
        state.synced_names.extend(names);
        Ok(())
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let state = self.lock();
        Ok(if state.names.contains_key(path) {
            Kind::File
        } else if state.folders.contains(path) {
            Kind::Folder
        } else {
            Kind::Missing
        })
    }

    fn open_in_place_of(
        &self,
        _target: &Path,
        temporary: &Path,
        access: Access,
    ) -> io::Result<Box<dyn OpenFile>> {
        self.open(temporary, access)
    }
}

struct MemoryFile {
    disk: Memory,
    path: PathBuf,
    id: u64,
    at: usize,
    /// Whether every write goes to the end.
    appends: bool,
}

impl Read for MemoryFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.disk.enter_plainly(Call::Read, &self.path)?;
        let state = self.disk.lock();
        let contents = state.contents.get(&self.id).ok_or_else(missing)?;
        let rest = contents.now.get(self.at..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        drop(state);
        self.at += n;
        Ok(n)
    }
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let entered = self.disk.enter(Call::Write, &self.path);
        let n = match entered {
            Ok(()) => bytes.len(),
            // The rest of the bytes meets a full disk.
            Err(Failure::ShortWrite) if bytes.len() > 1 => {
                self.disk.fail(Fault::nth(Call::Write, 0, Failure::NoSpace));
                1
            }
            Err(failure) => return Err(failure.error()),
        };
        let mut state = self.disk.lock();
        let contents = state.contents.get_mut(&self.id).ok_or_else(missing)?;
        let at = if self.appends {
            contents.now.len()
        } else {
            self.at
        };
        let end = at + n;
        if contents.now.len() < end {
            contents.now.resize(end, 0);
        }
        contents.now[at..end].copy_from_slice(&bytes[..n]);
        drop(state);
        self.at = end;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for MemoryFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let state = self.disk.lock();
        let length = state.contents.get(&self.id).ok_or_else(missing)?.now.len();
        let (from, by) = match to {
            SeekFrom::Start(at) => (0, at as i64),
            SeekFrom::End(by) => (length as i64, by),
            SeekFrom::Current(by) => (self.at as i64, by),
        };
        let at = usize::try_from(from + by).map_err(io::Error::other)?;
        drop(state);
        self.at = at;
        Ok(at as u64)
    }
}

impl OpenFile for MemoryFile {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.disk.enter_plainly(Call::Write, &self.path)?;
        let mut state = self.disk.lock();
        let contents = state.contents.get_mut(&self.id).ok_or_else(missing)?;
        contents.now.resize(length as usize, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.enter_plainly(Call::Sync, &self.path)?;
        let mut state = self.disk.lock();
        let contents = state.contents.get_mut(&self.id).ok_or_else(missing)?;
        contents.synced.clone_from(&contents.now);
        Ok(())
    }
}
