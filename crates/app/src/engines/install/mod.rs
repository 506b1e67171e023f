//! Bringing an engine in: choose a build, download it, check it, unpack it, try it, put it in place.
//!
//! Everything happens in a folder beside the engines, which becomes the engine by one rename in the
//! end. Whatever fails before, that folder goes, and nothing has changed.

mod download;
mod network;
mod unpack;

pub use network::{InstalledNetwork, install_network, is_in_use, network_path};
pub use unpack::{Bounds, UnpackError, unpack};

use super::{
    Archive, Build, Definition, Entry, Id, Network, Overrides, Platform, Registry, RegistryError,
    Shelf, ShelfError,
};
use crate::{
    Home,
    disk::Kind,
    net::{NetError, Patience},
};
use arena::process::{Deadlines, Engine, Identity, Keeper, Now, Program, Setup, Trouble};
use std::{
    io,
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// How far an installation has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The build that was chosen, by its key.
    Chosen(String),
    Downloading {
        bytes: u64,
        /// `None` if nobody says.
        total: Option<u64>,
    },
    Unpacking,
    /// It is started and asked who it is.
    Trying,
    Done,
}

/// Why an engine was not installed. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(
        "downloading needs your consent; set enabled = true under [network] in {config}, or run \
         kibitz engines consent"
    )]
    NoConsent { config: String },
    #[error("there is no description of {id}; kibitz engines list shows those that there are")]
    Unknown { id: String },
    #[error(
        "there is no checked download of {name} for this computer ({platform}); get it from \
         {homepage} and add it with kibitz engines add {id} --path FILE"
    )]
    NoBuild {
        id: Id,
        name: String,
        platform: String,
        homepage: String,
    },
    #[error("no list describes such a network for {engine}; it knows {known}")]
    NoNetwork { engine: Id, known: String },
    #[error("the network was downloaded, but with it the engine {0}; it was removed again")]
    NetworkTrouble(Trouble),
    #[error("{0}")]
    Address(String),
    #[error(transparent)]
    Unreachable(NetError),
    #[error(
        "{host} answered {status}; the download may have moved, look for a newer list of engines"
    )]
    Status { host: String, status: u16 },
    #[error(
        "the download was cut off after {bytes} bytes, {attempts} times in a row; try again later"
    )]
    CutOff { bytes: u64, attempts: u32 },
    #[error("the download is larger than {megabytes} MB, which no engine needs; it was given up")]
    TooLarge { megabytes: u64 },
    #[error(
        "the download is not what the list describes (SHA-256 {found}, expected {expected}); it was \
         thrown away. Do not run it from elsewhere before you know why"
    )]
    WrongHash { expected: String, found: String },
    #[error("the download cannot be unpacked: {0}")]
    Unpack(#[from] UnpackError),
    #[error("the archive has no file {binary}; the list of engines may be out of date")]
    NoBinary { binary: String },
    #[error("the engine was unpacked, but {0}; it was removed again")]
    Trouble(Trouble),
    #[error(
        "cannot write {path}: {source}; look at the space on the disk and the rights of the folder"
    )]
    Write { path: String, source: io::Error },
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("stopped; nothing was installed")]
    Stopped,
}

/// The outside world of an installation.
pub struct World<'a> {
    /// Whether the user has allowed downloads.
    pub may_download: bool,
    pub patience: Patience<'a>,
    pub bounds: Bounds,
    pub stop: &'a AtomicBool,
    pub keeper: Keeper,
    pub now: Now,
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("may_download", &self.may_download)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// Names that some systems keep for devices.
const DEVICES: [&str; 7] = ["con", "prn", "aux", "nul", "com1", "lpt1", "clock$"];

/// A path inside an archive as one inside a folder. The error says what is wrong with it.
pub(crate) fn inner_path(name: &str) -> Result<PathBuf, &'static str> {
    if name.len() > 240 {
        return Err("has a name that is too long");
    }
    if name.contains(|c: char| c.is_control() || c == ':') {
        return Err("has a name with characters that no file needs");
    }
    let name = name.replace('\\', "/");
    if name.starts_with('/') {
        return Err("leads out of its folder");
    }
    let mut path = PathBuf::new();
    for part in name
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
    {
        let stem = part
            .split('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        if part == ".." {
            return Err("leads out of its folder");
        }
        if DEVICES.contains(&stem.as_str()) || part.ends_with(['.', ' ']) {
            return Err("has a name that means something else on some systems");
        }
        path.push(part);
    }
    let is_plain = path
        .components()
        .all(|it| matches!(it, Component::Normal(_)));
    if path.as_os_str().is_empty() || !is_plain {
        return Err("leads out of its folder");
    }
    if path.components().count() > 16 {
        return Err("lies in too many folders");
    }
    Ok(path)
}

/// Installs the engine that a list describes.
pub fn install(
    home: &Home,
    registry: &Registry,
    name: &str,
    platform: &Platform,
    world: &World<'_>,
    observe: &mut dyn FnMut(Progress),
) -> Result<(Id, Entry), InstallError> {
    let unknown = || InstallError::Unknown {
        id: name.chars().take(80).collect(),
    };
    let id: Id = name.parse().map_err(|_| unknown())?;
    let definition = registry.get(&id).ok_or_else(unknown)?;
    let (key, build) = definition
        .build(platform)
        .ok_or_else(|| InstallError::NoBuild {
            id: id.clone(),
            name: definition.name.clone(),
            platform: platform.to_string(),
            homepage: match definition.homepage.as_str() {
                "" => "its makers",
                page => page,
            }
            .to_owned(),
        })?;
    let shelf = Shelf::new(home);
    let folder = shelf.folder_of(&id);
    if shelf
        .disk()
        .kind(&folder)
        .is_ok_and(|it| it != Kind::Missing)
    {
        return Err(ShelfError::Exists(id).into());
    }
    if !world.may_download {
        return Err(InstallError::NoConsent {
            config: home.config_file().display().to_string(),
        });
    }
    observe(Progress::Chosen(key));
    let staging = Staging::begin(&shelf, &id)?;
    let entry = staging.fill(definition, &id, build, world, observe)?;
    if world.stop.load(Ordering::Relaxed) {
        return Err(InstallError::Stopped);
    }
    staging.finish(&folder)?;
    observe(Progress::Done);
    Ok((id, entry))
}

/// The folder in which an engine is put together; dropped before it is finished, it is removed.
struct Staging<'a> {
    shelf: &'a Shelf,
    folder: Option<PathBuf>,
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // The error that led here is what the user needs to know. A disk that fails once may
            // work a moment later; what stays all the same is removed by the next installation.
            let disk = self.shelf.disk();
            disk.remove_folder(folder)
                .or_else(|_| disk.remove_folder(folder))
                .ok();
        }
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> InstallError + '_ {
    move |source| InstallError::Write {
        path: path.display().to_string(),
        source,
    }
}

impl<'a> Staging<'a> {
    fn begin(shelf: &'a Shelf, id: &Id) -> Result<Self, InstallError> {
        // Beginning with a point, it is no engine for anybody who lists them.
        let folder = shelf.folder().join(format!(".new-{id}"));
        let disk = shelf.disk();
        // An installation that was killed may have left it.
        disk.remove_folder(&folder).map_err(failed(&folder))?;
        let staging = Self {
            shelf,
            folder: Some(folder.clone()),
        };
        let files = folder.join("files");
        disk.make_folder(&files).map_err(failed(&files))?;
        Ok(staging)
    }

    fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(""))
    }

    fn fill(
        &self,
        definition: &Definition,
        id: &Id,
        build: &Build,
        world: &World<'_>,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<Entry, InstallError> {
        let disk = self.shelf.disk();
        let binary = inner_path(&build.binary).map_err(|_| InstallError::NoBinary {
            binary: build.binary.clone(),
        })?;
        let (download, files) = (self.folder().join("download"), self.folder().join("files"));
        download::fetch(disk, &build.remote(), &download, world, observe)?;
        observe(Progress::Unpacking);
        let program = files.join(&binary);
        let bounds = &world.bounds;
        if build.extract == Archive::Single {
            let folder = program.parent().unwrap_or(&files);
            disk.make_folder(folder).map_err(failed(folder))?;
            disk.rename(&download, &program).map_err(failed(&program))?;
        } else {
            let unpacked =
                unpack::unpack(disk, &download, build.extract, &files, bounds, world.stop);
            unpacked.map_err(|error| match error {
                UnpackError::Stopped => InstallError::Stopped,
                UnpackError::Write { path, source } => InstallError::Write { path, source },
                other => other.into(),
            })?;
            disk.remove(&download).map_err(failed(&download))?;
        }
        if !disk.kind(&program).is_ok_and(|it| it == Kind::File) {
            let binary = build.binary.clone();
            return Err(InstallError::NoBinary { binary });
        }
        disk.allow_running(&program).map_err(failed(&program))?;
        let mut args = definition.args.clone();
        let network = self.bring_network(definition, &mut args, world, observe)?;
        observe(Progress::Trying);
        let identity = greet(&program, args, definition, world).map_err(InstallError::Trouble)?;
        let mut entry = Entry {
            name: identity.name.unwrap_or_else(|| definition.name.clone()),
            version: definition.version.clone(),
            protocol: definition.protocol.name().to_owned(),
            game: definition.game(),
            path: Path::new("files").join(binary),
            args: definition.args.clone(),
            described_as: Some(id.to_string()),
            url: Some(build.url.clone()),
            sha256: Some(build.sha256.to_ascii_lowercase()),
        };
        if let Some(network) = network {
            let path = network::network_path(self.shelf, id, network);
            let mut overrides = Overrides::default();
            network::name_to(network, &path, &mut entry, &mut overrides);
            self.shelf.write_overrides(self.folder(), &overrides)?;
        }
        self.shelf.write_entry(self.folder(), &entry)?;
        Ok(entry)
    }

    /// Downloads the network of an engine that cannot do without one. Where an argument names it,
    /// the trial is told where it lies now.
    fn bring_network<'b>(
        &self,
        definition: &'b Definition,
        args: &mut Vec<String>,
        world: &World<'_>,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<Option<&'b Network>, InstallError> {
        let first = definition.networks.first_key_value();
        let Some((_, network)) = first.filter(|_| definition.requires_network) else {
            return Ok(None);
        };
        let disk = self.shelf.disk();
        let folder = self.folder().join("networks");
        disk.make_folder(&folder).map_err(failed(&folder))?;
        let path = folder.join(&network.file);
        download::fetch(disk, &network.remote(), &path, world, observe)?;
        if let (None, Some(arg)) = (&network.option, &network.arg) {
            args.extend([arg.clone(), path.display().to_string()]);
        }
        Ok(Some(network))
    }

    fn finish(mut self, target: &Path) -> Result<(), InstallError> {
        let disk = self.shelf.disk();
        disk.rename(self.folder(), target).map_err(failed(target))?;
        self.folder = None;
        Ok(())
    }
}

/// Starts a program and asks who it is.
fn greet(
    path: &Path,
    args: Vec<String>,
    definition: &Definition,
    world: &World<'_>,
) -> Result<Identity, Trouble> {
    let program = Program {
        args,
        ..Program::new(path)
    };
    let setup = Setup {
        keeper: world.keeper.clone(),
        // A list says that it works; one that does not say so soon is not what the list describes.
        deadlines: Deadlines {
            greeting_ms: 5_000,
            ..Deadlines::default()
        },
        ..Setup::new(program, definition.protocol)
    };
    let mut engine = Engine::new(setup, std::sync::Arc::clone(&world.now));
    engine.start()?;
    let identity = engine.identity().clone();
    engine.stop();
    Ok(identity)
}

/// Fetches a list of engines, and keeps it if it can be used.
pub fn fetch_registry(home: &Home, url: &str, world: &World<'_>) -> Result<usize, InstallError> {
    if !world.may_download {
        return Err(InstallError::NoConsent {
            config: home.config_file().display().to_string(),
        });
    }
    let bytes = download::fetch_small(url, world)?;
    let registry = Registry::parse(&String::from_utf8_lossy(&bytes), url)?;
    let path = home.registry_cache();
    home.disk()
        .make_folder(home.path())
        .map_err(failed(home.path()))?;
    home.disk().replace(&path, &bytes).map_err(failed(&path))?;
    Ok(registry.iter().count())
}
