//! Files of weights that belong to an engine: downloaded, checked, tried with the engine, put into
//! its folder, and named to it.

use super::{InstallError, Progress, World, download, failed};
use crate::{
    Home,
    disk::Kind,
    engines::{Entry, Id, Network, Overrides, Registry, Setting, Shelf, shelf, try_out},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

/// The folder of networks in an engine's folder.
const FOLDER: &str = "networks";

/// Where a network is until it is known to work.
const STAGING: &str = ".new-network";

/// A network that was installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledNetwork {
    pub engine: Id,
    pub network: String,
    pub path: PathBuf,
}

/// Where a network of an engine lies when it is installed.
pub fn network_path(shelf: &Shelf, id: &Id, network: &Network) -> PathBuf {
    shelf.folder_of(id).join(FOLDER).join(&network.file)
}

/// Whether a network is there and the engine is told to use it.
pub fn is_in_use(shelf: &Shelf, id: &Id, entry: &Entry, network: &Network) -> bool {
    let path = network_path(shelf, id, network);
    let text = path.display().to_string();
    let is_there = shelf.disk().kind(&path).is_ok_and(|it| it == Kind::File);
    let is_named = match &network.option {
        Some(option) => shelf.overrides(id).is_ok_and(|it| {
            let mut options = it.options.iter();
            options.any(|(name, value)| name.eq_ignore_ascii_case(option) && value.0 == text)
        }),
        None => entry.args.contains(&text),
    };
    is_there && is_named
}

/// Tells an engine where its network is: by a setting, or by an argument.
pub(super) fn name_to(
    network: &Network,
    path: &Path,
    entry: &mut Entry,
    overrides: &mut Overrides,
) {
    let text = path.display().to_string();
    if let Some(option) = &network.option {
        overrides
            .options
            .retain(|name, _| !name.eq_ignore_ascii_case(option));
        overrides.options.insert(option.clone(), Setting(text));
    } else if let Some(arg) = &network.arg {
        if let Some(at) = entry.args.iter().position(|it| it == arg) {
            entry.args.drain(at..(at + 2).min(entry.args.len()));
        }
        entry.args.extend([arg.clone(), text]);
    }
}

/// Removes what is half done when it is dropped.
struct Staging<'a> {
    shelf: &'a Shelf,
    folder: PathBuf,
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        // What stays is removed by the next installation.
        self.shelf.disk().remove_folder(&self.folder).ok();
    }
}

/// Installs a network for an engine that the user has: the named one, or the first that its
/// description has.
pub fn install_network(
    home: &Home,
    registry: &Registry,
    engine: &str,
    network: Option<&str>,
    world: &World<'_>,
    observe: &mut dyn FnMut(Progress),
) -> Result<InstalledNetwork, InstallError> {
    let shelf = Shelf::new(home);
    let (id, entry) = shelf.find(engine)?;
    let definition = shelf::definition_of(&entry, &id, registry);
    let networks = definition.map(|it| &it.networks);
    let found = networks.and_then(|all| match network {
        Some(name) => all.get_key_value(name),
        None => all.first_key_value(),
    });
    let (name, network) = found.ok_or_else(|| InstallError::NoNetwork {
        engine: id.clone(),
        known: networks
            .map(|it| it.keys().cloned().collect::<Vec<_>>().join(", "))
            .filter(|it| !it.is_empty())
            .unwrap_or_else(|| "none".to_owned()),
    })?;
    if !world.may_download {
        return Err(InstallError::NoConsent {
            config: home.config_file().display().to_string(),
        });
    }
    observe(Progress::Chosen(name.clone()));
    let disk = shelf.disk();
    let staging = Staging {
        shelf: &shelf,
        folder: shelf.folder_of(&id).join(STAGING),
    };
    disk.remove_folder(&staging.folder)
        .and_then(|()| disk.make_folder(&staging.folder))
        .map_err(failed(&staging.folder))?;
    // Engines may read their network's shape from its name.
    let staged = staging.folder.join(&network.file);
    download::fetch(disk, &network.remote(), &staged, world, observe)?;
    observe(Progress::Trying);
    try_with(&shelf, &id, &entry, registry, network, &staged, world)?;
    if world.stop.load(Ordering::Relaxed) {
        return Err(InstallError::Stopped);
    }
    let path = network_path(&shelf, &id, network);
    put_in_place(&shelf, &id, &entry, network, &staged, &path)?;
    observe(Progress::Done);
    Ok(InstalledNetwork {
        engine: id,
        network: name.clone(),
        path,
    })
}

/// Starts the engine with the network and lets it think.
fn try_with(
    shelf: &Shelf,
    id: &Id,
    entry: &Entry,
    registry: &Registry,
    network: &Network,
    staged: &Path,
    world: &World<'_>,
) -> Result<(), InstallError> {
    let (mut entry, mut overrides) = (entry.clone(), Overrides::default());
    name_to(network, staged, &mut entry, &mut overrides);
    let mut options = shelf.options(id, &entry, registry, 1)?;
    for (name, Setting(value)) in overrides.options {
        options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        options.push((name, value));
    }
    let (keeper, now) = (world.keeper.clone(), Arc::clone(&world.now));
    let mut engine = shelf.engine(id, &entry, options, keeper, now)?;
    try_out(&mut engine, &world.now)
        .map(|_| ())
        .map_err(InstallError::NetworkTrouble)
}

fn put_in_place(
    shelf: &Shelf,
    id: &Id,
    entry: &Entry,
    network: &Network,
    staged: &Path,
    path: &Path,
) -> Result<(), InstallError> {
    let disk = shelf.disk();
    let folder = path.parent().unwrap_or(path);
    disk.make_folder(folder).map_err(failed(folder))?;
    let mut overrides = shelf
        .overrides(id)
        .map_err(|error| InstallError::Shelf(error.into()))?;
    let mut changed = entry.clone();
    name_to(network, path, &mut changed, &mut overrides);
    disk.rename(staged, path).map_err(failed(path))?;
    let told = shelf.set_overrides(id, &overrides).and_then(|()| {
        if changed == *entry {
            return Ok(());
        }
        shelf.write_entry(&shelf.folder_of(id), &changed)
    });
    told.map_err(|error| {
        // A file that nobody names is no use.
        disk.remove(path).ok();
        error.into()
    })
}
