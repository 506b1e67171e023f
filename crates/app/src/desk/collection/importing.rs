//! Files into the database, one after the other, as jobs that can be paused and cancelled and that
//! go on after a restart.

use super::super::{
    Desk, DeskError, Event, Job, JobState, NoticeLevel, Shared, Subject, jobs::Advance, lock,
};
use crate::{
    Disk,
    disk::TEMPORARY,
    library::{ImportProblem, ImportReport, Importing, Progress as Read},
    worker::{Priority, Progress, Task, Ticket, Turn},
};
use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::{Weak, atomic::Ordering},
};

use super::upload::WTHOR_NAMES;

/// Imports of this run that are remembered, with their problems.
const KEPT: usize = 50;

/// Problems that are remembered one by one, of one import.
const PROBLEMS_MAX: usize = 1_000;

/// What an import has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportCounts {
    /// Records that were read, good ones and bad ones.
    pub read: u64,
    /// Games that were stored.
    pub new: u64,
    /// Games that were there already.
    pub known: u64,
    pub problems: u64,
}

impl ImportCounts {
    pub(super) const fn of(report: &ImportReport) -> Self {
        Self {
            read: report.games,
            new: report.stored,
            known: report.duplicates,
            problems: report.n_problems,
        }
    }

    pub(super) const fn plus(self, more: Self) -> Self {
        Self {
            read: self.read + more.read,
            new: self.new + more.new,
            known: self.known + more.known,
            problems: self.problems + more.problems,
        }
    }
}

/// A file or a source far away whose games are read into the database, or were in this run.
#[derive(Debug, Clone)]
pub struct FileImport {
    pub job: Job,
    pub name: String,
    pub n_bytes: u64,
    pub counts: ImportCounts,
    /// How long it has worked.
    pub worked_ms: u64,
    /// The first thousand problems.
    pub problems: Vec<ImportProblem>,
}

/// What is remembered of an import beside its job.
#[derive(Debug)]
struct Known {
    job: u64,
    name: String,
    n_bytes: u64,
    counts: ImportCounts,
    problems: Vec<ImportProblem>,
}

/// The imports of this run, the oldest first.
#[derive(Debug, Default)]
pub(in super::super) struct Imports {
    known: VecDeque<Known>,
    n_folders: u64,
}

impl Imports {
    /// A folder that nobody has.
    pub(super) fn new_folder(&mut self, parent: &Path) -> PathBuf {
        loop {
            self.n_folders += 1;
            let folder = parent.join(format!("f{}", self.n_folders));
            if !folder.exists() {
                return folder;
            }
        }
    }

    /// Remembers an import that is of no file.
    pub(super) fn begin_named(&mut self, job: u64, name: String) {
        self.begin(Known {
            job,
            name,
            n_bytes: 0,
            counts: ImportCounts::default(),
            problems: Vec::new(),
        });
    }

    fn begin(&mut self, known: Known) {
        if self.known.len() >= KEPT {
            self.known.pop_front();
        }
        self.known.push_back(known);
    }

    pub(super) fn update(&mut self, job: u64, counts: ImportCounts, problems: &[ImportProblem]) {
        if let Some(known) = self.known.iter_mut().find(|it| it.job == job) {
            known.counts = counts;
            let room = PROBLEMS_MAX.saturating_sub(known.problems.len());
            known.problems.extend(problems.iter().take(room).cloned());
        }
    }
}

impl Desk {
    /// The imports of this run, the newest first.
    pub fn file_imports(&self) -> Vec<FileImport> {
        let jobs = self.shared.lock().worked_jobs(self.shared.now_ms());
        let imports = lock(&self.shared.collection.imports);
        let with_job = |known: &Known| {
            let (job, worked_ms) = jobs.iter().find(|(job, _)| job.id == known.job)?;
            Some(FileImport {
                job: job.clone(),
                name: known.name.clone(),
                n_bytes: known.n_bytes,
                counts: known.counts,
                worked_ms: *worked_ms,
                problems: known.problems.clone(),
            })
        };
        imports.known.iter().rev().filter_map(with_job).collect()
    }

    /// Begins to read a file that lies in a folder of its own.
    pub(super) fn import_file(&self, folder: &Path, name: &str) -> Result<Job, DeskError> {
        let shared = &self.shared;
        self.lay_names_beside(folder);
        let path = folder.join(name);
        let n_bytes = std::fs::metadata(&path).map_or(0, |it| it.len());
        let ticket = Ticket::default();
        let job = {
            let mut state = shared.lock();
            state.check_open()?;
            let subject = Subject::Collect {
                name: name.to_owned(),
            };
            let message = "Waits for its turn.".to_owned();
            let job = shared.list_job(&mut state, subject, n_bytes, message, ticket.clone());
            lock(&shared.collection.imports).begin(Known {
                job: job.id,
                name: name.to_owned(),
                n_bytes,
                counts: ImportCounts::default(),
                problems: Vec::new(),
            });
            job
        };
        let task = Box::new(Collector {
            shared: shared.weak(),
            disk: shared.home.disk().clone(),
            job: job.id,
            ticket: ticket.clone(),
            folder: folder.to_owned(),
            path,
            before: ImportCounts::default(),
            goes_on: false,
        });
        let importer = &shared.collection.importer;
        importer.submit_with(ticket, 0, Priority::Batch, task);
        Ok(job)
    }

    /// Goes on with the files that the last run of the program did not finish, and removes what was
    /// never there whole.
    pub(super) fn go_on_importing(&self) {
        let collection = &self.shared.collection;
        let disk = self.shared.home.disk();
        // There is no folder before the first import.
        let Ok(folders) = disk.names(&collection.folder) else {
            return;
        };
        for folder in folders {
            let folder = collection.folder.join(folder);
            if !folder.is_dir() {
                continue;
            }
            let names = disk.names(&folder).unwrap_or_default();
            let names = names.iter().filter_map(|it| it.to_str());
            let is_file = |name: &&str| !name.ends_with(TEMPORARY) && !WTHOR_NAMES.contains(name);
            let whole = names.into_iter().find(is_file).map(str::to_owned);
            let Some(name) = whole else {
                disk.remove_folder(&folder).ok();
                continue;
            };
            if let Err(error) = self.import_file(&folder, &name) {
                let message = format!("{name} cannot be read into the database: {error}");
                self.shared.notice(NoticeLevel::Warning, message);
            }
        }
    }
}

/// Reads one file into the database.
struct Collector {
    shared: Weak<Shared>,
    disk: Disk,
    job: u64,
    ticket: Ticket,
    folder: PathBuf,
    path: PathBuf,
    /// What was done before it was last interrupted.
    before: ImportCounts,
    /// Whether the program ends in the middle: the next one goes on.
    goes_on: bool,
}

impl Task<()> for Collector {
    fn run(&mut self, (): &mut (), turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let library = match shared.library() {
            Ok(library) => library,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        shared.job_runs(self.job);
        let n_told = std::cell::Cell::new(0);
        let tell = |read: Read<'_>| {
            let problems = read.report.problems.get(n_told.get()..).unwrap_or_default();
            n_told.set(read.report.problems.len());
            let counts = self.before.plus(ImportCounts::of(read.report));
            shared.on_collected(self.job, read.read_bytes, counts, problems);
        };
        let outside = Importing {
            tell: &tell,
            is_stopped: &|| turn.stop.load(Ordering::Relaxed),
            anew: false,
        };
        match library.import(std::slice::from_ref(&self.path), outside) {
            Ok(report) if report.is_stopped => {
                self.before = self.before.plus(ImportCounts::of(&report));
                self.goes_on = !shared.is_cancelled(self.job);
                Progress::Again
            }
            // Nothing at all: the reason is the only problem.
            Ok(report) if report.files == 0 => {
                let problem = report.problems.first();
                let reason = problem.map_or("it cannot be read", |it| &it.message);
                let name = self.path.file_name().unwrap_or_default();
                self.fail(&format!("{}: {reason}", name.to_string_lossy()));
                Progress::Done
            }
            Ok(report) => {
                let counts = self.before.plus(ImportCounts::of(&report));
                let problems = report.problems.get(n_told.get()..).unwrap_or_default();
                lock(&shared.collection.imports).update(self.job, counts, problems);
                shared.end_collecting(self.job, JobState::Finished, words(counts));
                self.clear();
                Progress::Done
            }
            Err(error) => {
                self.fail(&error.to_string());
                Progress::Done
            }
        }
    }

    fn fail(&mut self, reason: &str) {
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let path = self.path.display();
        tracing::error!(job = self.job, %path, reason, "an import failed");
        let message = format!("{reason}. What was read before is kept.");
        shared.end_collecting(self.job, JobState::Failed, message);
        self.clear();
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        // Cancelled before it began, or while it stood still or ran.
        if self.ticket.is_cancelled() && !self.goes_on {
            self.clear();
        }
    }
}

impl Collector {
    /// The copy of the file is not needed any more.
    fn clear(&self) {
        if let Err(error) = self.disk.remove_folder(&self.folder) {
            let folder = self.folder.display();
            tracing::warn!(%error, %folder, "the copy of an imported file stays");
        }
    }
}

/// What an import did, as a sentence.
pub(super) fn words(counts: ImportCounts) -> String {
    let ImportCounts {
        read,
        new,
        known,
        problems,
    } = counts;
    format!("Read {read} games: {new} new, {known} already here, {problems} could not be read.")
}

impl Shared {
    fn on_collected(
        &self,
        job: u64,
        read_bytes: u64,
        counts: ImportCounts,
        problems: &[ImportProblem],
    ) {
        lock(&self.collection.imports).update(job, counts, problems);
        let step = Advance {
            state: JobState::Running,
            done: read_bytes,
            message: words(counts),
        };
        let mut state = self.lock();
        if let Some(job) = self.advance_job(&mut state, job, step) {
            self.tell(Event::Job(job));
        }
    }

    pub(super) fn end_collecting(&self, job: u64, job_state: JobState, message: String) {
        let mut state = self.lock();
        let (done, total) = state.job(job).map_or((0, 0), |it| (it.done, it.total));
        let is_finished = job_state == JobState::Finished;
        let step = Advance {
            state: job_state,
            done: if is_finished { total } else { done },
            message,
        };
        if let Some(job) = self.advance_job(&mut state, job, step) {
            self.tell(Event::Job(job));
        }
    }

    /// Whether the user has cancelled a job; a program that ends does not.
    fn is_cancelled(&self, job: u64) -> bool {
        let state = self.lock();
        state
            .job(job)
            .is_some_and(|it| it.state == JobState::Cancelled)
    }
}
