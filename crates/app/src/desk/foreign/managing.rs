//! The user's engines: listed, added, installed, set, tried, removed.

use super::{EngineNetwork, Shared, fitting::networks_of, title};
use crate::{
    Patience,
    desk::{Desk, DeskError, Event, Job, JobState, Subject, jobs::Advance, lock},
    engines::{
        Entry, Game, Id, Platform, Registry, Shelf, ShelfError, Trial, Wish, add, discover,
        install::{self, Bounds, InstallError, Progress, World},
        load_registry,
        options::{Change, Row, rows},
        try_out,
    },
    worker::Ticket,
};
use arena::process::{Identity, Language};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// All engines that there are, can be added, or can be installed.
#[derive(Debug, Clone)]
pub struct EnginesView {
    pub added: Vec<EngineEntry>,
    pub known: Vec<KnownEngine>,
    /// Programs on this computer that were not added yet.
    pub found: Vec<discover::Found>,
    /// Whether the user has allowed downloads.
    pub may_download: bool,
    /// What this computer is, for downloads.
    pub platform: String,
    /// Lists of engines that cannot be used, and why.
    pub problems: Vec<String>,
}

/// Where an engine comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineSource {
    /// A program of the user's, added by its path.
    Disk,
    /// Downloaded and checked by us.
    Installed,
}

/// An engine that the user has.
#[derive(Debug, Clone)]
pub struct EngineEntry {
    pub id: Id,
    pub title: String,
    pub game: Game,
    /// `UCI`, `GTP` or `NBoard`.
    pub language: String,
    pub path: PathBuf,
    pub source: EngineSource,
    /// Whether a process of it runs.
    pub is_running: bool,
    /// Why it cannot be used, or what went wrong last.
    pub trouble: Option<String>,
    /// Files of weights that can be installed for it.
    pub networks: Vec<EngineNetwork>,
}

/// An engine that a list describes.
#[derive(Debug, Clone)]
pub struct KnownEngine {
    pub id: Id,
    pub name: String,
    pub game: Game,
    pub description: String,
    pub homepage: String,
    /// The build that fits this computer, if there is a checked one, and its bytes if known.
    pub build: Option<(String, Option<u64>)>,
}

/// The settings of an engine.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    pub id: Id,
    pub title: String,
    pub author: Option<String>,
    /// Settings that go together, by name.
    pub profiles: Vec<String>,
    pub profile: Option<String>,
    pub options: Vec<EngineOption>,
}

/// A setting of an engine, as the engine describes it and as the user has it.
pub type EngineOption = Row;

/// What an engine is asked for by the page: not `process::Engine` itself, which waits.
pub(super) struct Asked {
    pub(super) id: Id,
    pub(super) entry: Entry,
    pub(super) registry: Registry,
}

fn shelf_error(error: ShelfError) -> DeskError {
    match error {
        ShelfError::Exists(_) => DeskError::Conflict(error.to_string()),
        ShelfError::Write { .. } | ShelfError::Remove { .. } => {
            DeskError::Engine(error.to_string())
        }
        other => DeskError::Invalid(other.to_string()),
    }
}

impl Desk {
    /// All engines that there are, can be added, or can be installed. Nothing is started.
    pub fn engines(&self) -> EnginesView {
        let shared = &self.shared;
        let (registry, problems) = load_registry(&shared.home);
        let shelf = Shelf::new(&shared.home);
        let listed = shelf.list();
        let hosts = lock(&shared.hosts);
        let added: Vec<EngineEntry> = listed
            .into_iter()
            .map(|(id, entry)| {
                let is_running = hosts.posts.keys().any(|post| post.id == id);
                let trouble = hosts.troubles.get(&id).cloned();
                let networks = match &entry {
                    Ok(entry) => networks_of(&shelf, &id, entry, &registry),
                    Err(_) => Vec::new(),
                };
                let entry = entry.map_err(|it| it.to_string());
                EngineEntry {
                    networks,
                    ..engine_entry(id, entry, is_running, trouble)
                }
            })
            .collect();
        drop(hosts);
        let platform = Platform::here();
        let known = registry.iter().map(|(id, definition)| KnownEngine {
            id: id.clone(),
            name: definition.name.clone(),
            game: definition.game(),
            description: definition.description.clone(),
            homepage: definition.homepage.clone(),
            build: definition
                .build(&platform)
                .map(|(key, build)| (key, build.size)),
        });
        let search_path = std::env::var_os("PATH");
        let of_user = std::env::home_dir();
        let folders = discover::folders(search_path.as_deref(), of_user.as_deref());
        let mut found = discover::find(&registry, &folders);
        let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        found.retain(|it| !added.iter().any(|own| real(&own.path) == real(&it.path)));
        EnginesView {
            known: known.collect(),
            added,
            found,
            may_download: shared.lock().settings.config.network.enabled,
            platform: platform.to_string(),
            problems: problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// Adds a program after it has said who it is.
    pub fn add_engine(&self, wish: &Wish) -> Result<EngineEntry, DeskError> {
        let shared = &self.shared;
        shared.lock().check_open()?;
        let (registry, _) = load_registry(&shared.home);
        let shelf = Shelf::new(&shared.home);
        let keeper = shared.keeper_program();
        let added = add(&shelf, &registry, wish, &keeper, &shared.process_clock());
        let (id, entry) = added.map_err(|error| match error {
            crate::engines::AddError::Shelf(error) => shelf_error(error),
            other => DeskError::Invalid(other.to_string()),
        })?;
        shared.tell(Event::Engines);
        Ok(engine_entry(id, Ok(entry), false, None))
    }

    /// Removes an engine with its settings; a program that was added by its path stays.
    pub fn remove_engine(&self, id: &str) -> Result<(), DeskError> {
        let shared = &self.shared;
        shared.lock().check_open()?;
        let shelf = Shelf::new(&shared.home);
        // One whose description is damaged can be removed, too.
        let (id, _) = shelf.find_any(id).map_err(shelf_error)?;
        for host in shared.dismiss_engine(&id) {
            host.join();
        }
        shelf.remove(&id).map_err(shelf_error)?;
        shared.tell(Event::Engines);
        Ok(())
    }

    /// The last lines that were said to an engine and by it; none if it was not used in this run.
    pub fn engine_log(&self, id: &str) -> Result<Vec<String>, DeskError> {
        let asked = self.shared.asked(id)?;
        let hosts = lock(&self.shared.hosts);
        let log = hosts.logs.get(&asked.id);
        Ok(log.map(arena::process::Tail::lines).unwrap_or_default())
    }

    /// Starts an engine, lets it think, stops it, and ends it.
    pub fn test_engine(&self, id: &str) -> Result<Trial, DeskError> {
        let shared = &self.shared;
        let asked = shared.asked(id)?;
        let mut seat = shared
            .make_engine(&asked.id, Vec::new(), 1)
            .map_err(DeskError::Engine)?;
        let tried = try_out(seat.engine_mut(), &shared.process_clock());
        let name = title(&asked.entry);
        let mut hosts = lock(&shared.hosts);
        match tried {
            Ok(trial) => {
                hosts.troubles.remove(&asked.id);
                drop(hosts);
                shared.tell(Event::Engines);
                Ok(trial)
            }
            Err(trouble) => {
                let sentence = format!("{name} {trouble}");
                hosts.troubles.insert(asked.id, sentence.clone());
                drop(hosts);
                shared.tell(Event::Engines);
                Err(DeskError::Conflict(sentence))
            }
        }
    }

    /// The settings of an engine, as it names them. It is started for that.
    pub fn engine_options(&self, id: &str) -> Result<EngineOptions, DeskError> {
        let asked = self.shared.asked(id)?;
        let identity = self.identity(&asked)?;
        self.options_of(&asked, &identity)
    }

    /// Changes settings of an engine. Processes of it that run take them when they start next: they
    /// are ended now.
    pub fn change_engine_options(
        &self,
        id: &str,
        change: &Change,
    ) -> Result<EngineOptions, DeskError> {
        let shared = &self.shared;
        let asked = shared.asked(id)?;
        let identity = self.identity(&asked)?;
        let shelf = Shelf::new(&shared.home);
        let before = shelf.overrides(&asked.id);
        let before = before.map_err(|error| DeskError::Engine(error.to_string()))?;
        let changed = change
            .apply(&before, &identity, asked.definition())
            .map_err(|error| DeskError::Invalid(error.to_string()))?;
        if changed != before {
            shelf
                .set_overrides(&asked.id, &changed)
                .map_err(shelf_error)?;
            shared.restart(&asked.id);
        }
        self.options_of(&asked, &identity)
    }

    fn options_of(&self, asked: &Asked, identity: &Identity) -> Result<EngineOptions, DeskError> {
        let shelf = Shelf::new(&self.shared.home);
        let threads = crate::desk::tools::n_threads(0) as u32;
        let used = shelf
            .options(&asked.id, &asked.entry, &asked.registry, threads)
            .map_err(shelf_error)?;
        let overrides = shelf.overrides(&asked.id);
        let overrides = overrides.map_err(|error| DeskError::Engine(error.to_string()))?;
        let definition = asked.definition();
        Ok(EngineOptions {
            id: asked.id.clone(),
            title: title(&asked.entry),
            author: identity.author.clone(),
            profiles: definition
                .map(|it| it.profiles.keys().cloned().collect())
                .unwrap_or_default(),
            profile: overrides.profile,
            options: rows(identity, &used, definition),
        })
    }

    fn identity(&self, asked: &Asked) -> Result<Identity, DeskError> {
        if asked.entry.language().ok() != Some(Language::Uci) {
            return Ok(Identity::default());
        }
        let seat = self.shared.make_engine(&asked.id, Vec::new(), 1);
        let mut seat = seat.map_err(DeskError::Engine)?;
        let engine = seat.engine_mut();
        let name = title(&asked.entry);
        let started = engine.start();
        started.map_err(|trouble| DeskError::Conflict(format!("{name} {trouble}")))?;
        let identity = engine.identity().clone();
        engine.stop();
        Ok(identity)
    }

    /// Allows downloads that the user asks for, or forbids them.
    pub fn allow_downloads(&self, is_allowed: bool) -> Result<(), DeskError> {
        self.change_settings(|config| {
            config.network.enabled = is_allowed;
            Ok(())
        })?;
        self.shared.tell(Event::Engines);
        Ok(())
    }

    /// Begins to install an engine that a list describes; the job tells how far it is.
    pub fn install_engine(&self, id: &str) -> Result<Job, DeskError> {
        let shared = &self.shared;
        let (registry, _) = load_registry(&shared.home);
        let unknown = || DeskError::Invalid(format!("no list describes an engine {id:?}"));
        let id: Id = id.parse().map_err(|_| unknown())?;
        let definition = registry.get(&id).ok_or_else(unknown)?;
        let subject = Subject::Install {
            engine: id.to_string(),
            name: definition.name.clone(),
        };
        let (job, ticket, may_download) = shared.list_install(subject, &definition.name)?;
        let its = Arc::clone(shared);
        let number = job.id;
        let spawned = std::thread::Builder::new()
            .name("kibitz-install".to_owned())
            .spawn(move || its.install(number, &id, &registry, may_download, &ticket));
        if let Err(error) = spawned {
            return Err(DeskError::Engine(format!("no thread: {error}")));
        }
        Ok(job)
    }
}

impl Asked {
    fn definition(&self) -> Option<&crate::engines::Definition> {
        let described = self.registry.describe(&self.entry.name, &self.entry.path);
        described.map(|it| it.1)
    }
}

impl Shared {
    /// Puts an installation on the list of jobs, unless it is under way; with its ticket, and whether
    /// downloads are allowed.
    pub(super) fn list_install(
        &self,
        subject: Subject,
        name: &str,
    ) -> Result<(Job, Ticket, bool), DeskError> {
        let mut state = self.lock();
        state.check_open()?;
        let is_same = |job: &Job| job.subject == subject && !job.state.is_over();
        if state.jobs.iter().any(|it| is_same(&it.job)) {
            let message = format!("{name} is being installed already");
            return Err(DeskError::Conflict(message));
        }
        let ticket = Ticket::default();
        let message = "Choosing a build.".to_owned();
        let job = self.list_job(&mut state, subject, 1, message, ticket.clone());
        Ok((job, ticket, state.settings.config.network.enabled))
    }

    pub(super) fn asked(&self, id: &str) -> Result<Asked, DeskError> {
        self.lock().check_open()?;
        let (id, entry) = Shelf::new(&self.home).find(id).map_err(shelf_error)?;
        let (registry, _) = load_registry(&self.home);
        Ok(Asked {
            id,
            entry,
            registry,
        })
    }

    /// Ends the processes of an engine.
    fn dismiss_engine(&self, id: &Id) -> Vec<super::Host> {
        let mut hosts = lock(&self.hosts);
        let gone: Vec<super::Post> = hosts
            .posts
            .keys()
            .filter(|post| post.id == *id)
            .cloned()
            .collect();
        gone.iter()
            .filter_map(|post| hosts.posts.remove(post))
            .collect()
    }

    /// Has an engine's analyses begin anew, with a process of new settings.
    pub(super) fn restart(self: &Arc<Self>, id: &Id) {
        for host in self.dismiss_engine(id) {
            host.join();
        }
        let mut state = self.lock();
        self.begin_anew(&mut state, &super::Thinker::Foreign(id.clone()));
    }

    fn install(&self, job: u64, id: &Id, registry: &Registry, may_download: bool, ticket: &Ticket) {
        self.job_runs(job);
        let mut observe = |progress: Progress| self.tell_install(job, &progress);
        let platform = Platform::here();
        let done = self.with_world(may_download, ticket, |world| {
            let name = id.as_str();
            install::install(&self.home, registry, name, &platform, world, &mut observe)
        });
        let (state, message) = match done {
            Ok((_, entry)) => (
                JobState::Finished,
                format!("{} is installed.", title(&entry)),
            ),
            Err(InstallError::Stopped) => (
                JobState::Cancelled,
                "Cancelled; nothing was installed.".to_owned(),
            ),
            Err(error) => (JobState::Failed, format!("Nothing was installed: {error}.")),
        };
        self.advance(job, state, None, message);
        self.tell(Event::Engines);
    }

    /// Does something with the outside world of an installation.
    pub(super) fn with_world<T>(
        &self,
        may_download: bool,
        ticket: &Ticket,
        work: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        #[expect(
            clippy::disallowed_methods,
            reason = "a server far away is asked again after real time"
        )]
        let pause = |ms: u64| std::thread::sleep(Duration::from_millis(ms));
        work(&World {
            may_download,
            patience: Patience::usual(&pause),
            bounds: Bounds::default(),
            stop: ticket.stop_flag(),
            keeper: self.keeper_program(),
            now: self.process_clock(),
        })
    }

    pub(super) fn tell_install(&self, job: u64, progress: &Progress) {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        let (done, message) = match progress {
            Progress::Chosen(key) => (None, format!("Download of the build for {key}.")),
            Progress::Downloading { bytes, total } => {
                let message = match total {
                    Some(total) => {
                        format!("Download {} of {}.", megabytes(*bytes), megabytes(*total))
                    }
                    None => format!("Download {}.", megabytes(*bytes)),
                };
                (Some((*bytes, total.unwrap_or(0))), message)
            }
            Progress::Unpacking => (None, "Unpack; the checksum is right.".to_owned()),
            Progress::Trying => (None, "Start it once.".to_owned()),
            Progress::Done => (None, "In place.".to_owned()),
        };
        self.advance(job, JobState::Running, done, message);
    }

    pub(super) fn advance(
        &self,
        job: u64,
        job_state: JobState,
        done: Option<(u64, u64)>,
        message: String,
    ) {
        let mut state = self.lock();
        let (mut bytes, total) = done.unwrap_or((0, 0));
        if let Some(listed) = state.jobs.iter_mut().find(|it| it.job.id == job) {
            listed.job.total = listed.job.total.max(total);
            // What was downloaded stays downloaded while the next steps go on.
            bytes = bytes.max(listed.job.done);
            if job_state == JobState::Finished {
                bytes = listed.job.total;
            }
        }
        let step = Advance {
            state: job_state,
            done: bytes,
            message,
        };
        if let Some(told) = self.advance_job(&mut state, job, step) {
            self.tell(Event::Job(told));
        }
    }
}

fn engine_entry(
    id: Id,
    entry: Result<Entry, String>,
    is_running: bool,
    trouble: Option<String>,
) -> EngineEntry {
    match entry {
        Ok(entry) => EngineEntry {
            title: title(&entry),
            game: entry.game,
            language: entry
                .language()
                .map_or_else(|_| entry.protocol.clone(), |it| it.to_string()),
            source: if entry.is_installed() {
                EngineSource::Installed
            } else {
                EngineSource::Disk
            },
            path: entry.path,
            id,
            is_running,
            trouble,
            networks: Vec::new(),
        },
        Err(reason) => EngineEntry {
            title: id.to_string(),
            game: Game::Chess,
            language: String::new(),
            path: PathBuf::new(),
            source: EngineSource::Disk,
            id,
            is_running: false,
            trouble: Some(reason),
            networks: Vec::new(),
        },
    }
}
