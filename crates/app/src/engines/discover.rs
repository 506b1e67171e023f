//! Engines that are on the disk already.

use super::{Id, Registry};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// A program that looks like a known engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The description that it fits.
    pub id: Id,
    pub path: PathBuf,
}

/// Where engines are put by the systems' own ways of installing, beside the search path.
const USUAL: [&str; 7] = [
    "/usr/games",
    "/usr/local/games",
    "/usr/local/bin",
    "/usr/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/snap/bin",
];

/// The folders in which engines are looked for: the search path, the usual ones, the user's own.
pub fn folders(search_path: Option<&OsStr>, of_user: Option<&Path>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = search_path
        .map(|path| std::env::split_paths(path).collect())
        .unwrap_or_default();
    folders.extend(USUAL.iter().map(PathBuf::from));
    let own = ["bin", ".local/bin", "engines", "Applications"];
    folders.extend(
        of_user
            .iter()
            .flat_map(|home| own.map(|name| home.join(name))),
    );
    let mut seen = BTreeSet::new();
    folders.retain(|folder| folder.is_absolute() && seen.insert(folder.clone()));
    folders
}

/// The programs in these folders that fit a description. Nothing is started.
pub fn find(registry: &Registry, folders: &[PathBuf]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut seen = BTreeSet::new();
    for folder in folders {
        for (id, definition) in registry.iter() {
            for name in &definition.find {
                let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
                // Two names of one file are one engine.
                let Ok(file) = fs::canonicalize(&path) else {
                    continue;
                };
                let can_run = arena::process::Program::new(&path).complaint().is_none();
                if can_run && seen.insert((id.clone(), file)) {
                    found.push(Found {
                        id: id.clone(),
                        path,
                    });
                }
            }
        }
    }
    found
}
