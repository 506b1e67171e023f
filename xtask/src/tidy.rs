//! Small things that no other tool looks at.

use crate::process::root;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What is made, not written; in a second work tree `.git` is a file.
const MADE: &[&str] = &[
    ".git",
    "target",
    "node_modules",
    "dist",
    "artifacts",
    "corpus",
    "coverage",
];

const SIZE_LIMIT: u64 = 2 * 1024 * 1024;

/// All files below a folder that somebody wrote.
pub(crate) fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default();
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        if path.is_dir() {
            files.extend(files_under(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// What is wrong with a text file.
fn complaints(path: &Path, text: &str) -> Vec<String> {
    let spaced = path
        .extension()
        .is_some_and(|it| ["rs", "toml", "md"].iter().any(|kind| it == *kind));
    let mut found = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        let mut complain =
            |what: &str| found.push(format!("{}:{}: {what}", path.display(), index + 1));
        if spaced && line.contains('\t') {
            complain("a tab");
        }
        // A carriage return is white space, too.
        if spaced && line.ends_with(char::is_whitespace) {
            complain("trailing white space");
        }
        if machine_path(line) {
            complain("a path of somebody's machine");
        }
    }
    found
}

/// Folders that exist on one machine only. Written in parts, so that this file may be checked.
fn machine_path(line: &str) -> bool {
    ["work", "farm", "root", "home"]
        .iter()
        .any(|folder| line.contains(&format!("/{folder}/")))
}

#[test]
fn files_are_tidy() {
    let mut found = Vec::new();
    for path in files_under(&root()) {
        if let Ok(text) = fs::read_to_string(&path) {
            found.extend(complaints(&path, &text));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn files_are_small() {
    let assets = root().join("assets");
    for path in files_under(&root()) {
        let size = fs::metadata(&path).expect("a readable file").len();
        let allowed = size <= SIZE_LIMIT || path.starts_with(&assets);
        assert!(allowed, "{} has {size} bytes", path.display());
    }
}

/// A check that cannot fail proves nothing.
#[test]
fn untidiness_is_caught() {
    let count = |name: &str, text: &str| complaints(Path::new(name), text).len();
    assert_eq!(count("a.rs", "fn main() {}\n"), 0);
    assert_eq!(count("a.rs", "fn main() {} \n\tx\r\n"), 3);
    assert_eq!(count("a.txt", "fixtures may \n"), 0);
    assert_eq!(count("a.txt", &["", "home", "me"].join("/")), 1);
}
