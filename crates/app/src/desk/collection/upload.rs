//! A file on its way from the browser to the disk: written as it comes, never whole in memory.

use super::super::{Desk, DeskError, Job, lock};
use crate::disk::{Replacement, TEMPORARY};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Names are cut to this many letters: file systems allow 255 bytes.
const NAME_MAX: usize = 60;

/// Files of names that WTHOR games need beside them, as WTHOR calls them.
pub(super) const WTHOR_NAMES: [&str; 2] = ["WTH.JOU", "WTH.TRN"];

/// A file that is being handed over. One that is dropped before its end leaves nothing.
pub struct Upload {
    desk: Desk,
    /// The folder of this file alone.
    folder: PathBuf,
    path: PathBuf,
    name: String,
    file: Option<Replacement>,
}

impl std::fmt::Debug for Upload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upload").finish_non_exhaustive()
    }
}

/// What became of a file that was handed over.
#[derive(Debug)]
pub enum Received {
    /// Its games are being read.
    Games(Job),
    /// It has the names of WTHOR players or tournaments, which are kept for games to come.
    Names(&'static str),
}

/// The name of a file without folders, with letters that every file system takes.
fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_fit = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ');
    let fit: String = last
        .chars()
        .map(|c| if is_fit(c) { c } else { '_' })
        .collect();
    let fit = fit.trim_matches([' ', '.']);
    // The end says what it is.
    let skipped = fit.chars().count().saturating_sub(NAME_MAX);
    let fit: String = fit.chars().skip(skipped).collect();
    match fit.as_str() {
        "" => "games".to_owned(),
        // Files that end so are unfinished ones of our own.
        fit if fit.ends_with(TEMPORARY) => format!("{fit}_"),
        _ => fit,
    }
}

impl Desk {
    /// Begins to take a file. The name tells the format where the contents do not.
    pub fn begin_upload(&self, name: &str) -> Result<Upload, DeskError> {
        self.shared.lock().check_open()?;
        self.shared.library()?;
        let name = file_name(name);
        let folder = {
            let mut imports = lock(&self.shared.collection.imports);
            imports.new_folder(&self.shared.collection.folder)
        };
        let disk = self.shared.home.disk();
        let path = folder.join(&name);
        let begun = disk
            .make_folder(&folder)
            .and_then(|()| disk.replacement(&path));
        let file = begun.map_err(|source| {
            disk.remove_folder(&folder).ok();
            DeskError::Upload {
                name: name.clone(),
                source,
            }
        })?;
        Ok(Upload {
            desk: self.clone(),
            folder,
            path,
            name,
            file: Some(file),
        })
    }
}

impl Upload {
    /// Writes the next part down.
    pub fn write(&mut self, part: &[u8]) -> Result<(), DeskError> {
        let written = match &mut self.file {
            Some(file) => file.write_all(part),
            None => Err(io::ErrorKind::NotConnected.into()),
        };
        written.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> DeskError {
        let name = self.name.clone();
        DeskError::Upload { name, source }
    }

    /// All parts are there: the games go into the database, as a job.
    pub fn finish(mut self) -> Result<Received, DeskError> {
        let finished = match self.file.take() {
            Some(file) => file.finish(),
            None => Err(io::ErrorKind::NotConnected.into()),
        };
        finished.map_err(|source| self.failed(source))?;
        let upper = self.name.to_uppercase();
        if let Some(names) = WTHOR_NAMES.iter().find(|it| **it == upper) {
            let kept = self.desk.keep_names(&self.path, names);
            return kept.map_err(|source| self.failed(source));
        }
        let job = self.desk.import_file(&self.folder, &self.name)?;
        // The job has the folder from now on.
        self.folder = PathBuf::new();
        Ok(Received::Games(job))
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.file = None;
        if !self.folder.as_os_str().is_empty() {
            // What stays is removed at the next start.
            self.desk
                .shared
                .home
                .disk()
                .remove_folder(&self.folder)
                .ok();
        }
    }
}

impl Desk {
    /// Keeps a file of names where the imports to come find it.
    fn keep_names(&self, path: &Path, names: &'static str) -> io::Result<Received> {
        /// No file of names has as much.
        const MOST: u64 = 16 << 20;
        let disk = self.shared.home.disk();
        let contents = disk.read(path, MOST)?;
        let target = self.shared.collection.folder.join(names);
        disk.replace(&target, &contents)?;
        Ok(Received::Names(names))
    }

    /// Puts the names of WTHOR beside a file of games.
    pub(super) fn lay_names_beside(&self, folder: &Path) {
        const MOST: u64 = 16 << 20;
        let disk = self.shared.home.disk();
        for names in WTHOR_NAMES {
            let kept = self.shared.collection.folder.join(names);
            // Without names, players have numbers: the import is good all the same.
            if let Ok(contents) = disk.read(&kept, MOST) {
                disk.replace(&folder.join(names), &contents).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_stay_in_their_folder() {
        for (name, expected) in [
            ("WTH_2024.wtb", "WTH_2024.wtb"),
            ("../../etc/passwd", "passwd"),
            ("C:\\games\\a.pgn", "a.pgn"),
            ("..", "games"),
            ("a\0b\n.ggf", "a_b_.ggf"),
            ("", "games"),
        ] {
            assert_eq!(file_name(name), expected);
        }
        let long = format!("{}.pgn.zst", "x".repeat(300));
        assert!(file_name(&long).ends_with("x.pgn.zst"));
        assert_eq!(file_name(&long).chars().count(), NAME_MAX);
    }
}
