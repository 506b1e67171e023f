//! The walls: who may know whom. Changing a table here is an architecture decision; say why in
//! `docs/ARCHITECTURE.md` in the same commit.

use crate::process::{cargo, root};
use serde_json::Value;
use std::{fs, path::Path};

/// Which workspace crates each room may use. Rooms that are not built yet have their row already.
const WALLS: &[(&str, &[&str])] = &[
    ("othello", &[]),
    ("engine", &["othello"]),
    ("learn", &["othello", "engine"]),
    ("game", &["othello"]),
    ("coach", &["othello", "game"]),
    // `othello` directly: GTP and NBoard speak of Othello alone; what both games share is `game`'s.
    ("arena", &["othello", "game"]),
    ("store", &["game", "coach"]),
    (
        "app",
        &[
            "othello", "engine", "learn", "game", "coach", "arena", "store",
        ],
    ),
    ("server", &["app", "game"]),
    // `othello` directly: perft, board and convert speak only of the rules, and an `app` function
    // that hands them through would decide nothing.
    ("cli", &["app", "server", "arena", "game", "othello"]),
];

/// Libraries that are one room's secret.
const SECRETS: &[(&str, &str)] = &[
    ("clap", "cli"),
    ("axum", "server"),
    ("rusqlite", "store"),
    ("postgres", "store"),
    ("shakmaty", "game"),
];

/// Where `unsafe` may stand; every other crate forbids it.
const UNSAFE: &[(&str, &[&str])] = &[("othello", &["src/arch/"])];

fn row<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The packages of the workspace as cargo sees them.
fn packages() -> Vec<Value> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version=1"])
        .output()
        .expect("cargo started this test");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// The crates under `crates/`, with their manifests.
fn rooms() -> Vec<Value> {
    let crates = root().join("crates");
    let mut rooms = packages();
    rooms.retain(|package| Path::new(text(package, "manifest_path")).starts_with(&crates));
    rooms
}

/// Every violation of the two dependency tables by one package.
fn trespasses(package: &Value) -> Vec<String> {
    let name = text(package, "name");
    let mut found = Vec::new();
    for dependency in list(package, "dependencies") {
        let target = text(dependency, "name");
        let in_workspace = dependency["path"].is_string();
        // Tests may borrow from any room; the product may not.
        let in_product = text(dependency, "kind") != "dev";
        let allowed = row(WALLS, name).unwrap_or_default();
        if in_workspace && in_product && !allowed.contains(&target) {
            found.push(format!("{name} must not depend on {target}"));
        }
        if row(SECRETS, target).is_some_and(|owner| owner != name) {
            found.push(format!("{target} is not {name}'s business"));
        }
    }
    found
}

/// Whether the keyword stands in the code, comments and names such as `unsafe_code` aside.
fn has_unsafe(source: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    source
        .lines()
        .filter_map(|line| line.split("//").next())
        .any(|code| code.split(|c| !is_word(c)).any(|word| word == "unsafe"))
}

fn sources_under(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = crate::tidy::files_under(folder);
    files.retain(|path| path.extension().is_some_and(|it| it == "rs"));
    files
}

/// The root files of a package's library and programs.
fn crate_roots(package: &Value) -> Vec<(String, String)> {
    list(package, "targets")
        .iter()
        .filter(|target| {
            list(target, "kind")
                .iter()
                .any(|kind| kind == "lib" || kind == "bin")
        })
        .map(|target| {
            let path = text(target, "src_path");
            (
                path.to_owned(),
                fs::read_to_string(path).expect("a source file"),
            )
        })
        .collect()
}

#[test]
fn every_crate_has_a_row() {
    let rooms = rooms();
    assert!(!rooms.is_empty());
    for package in &rooms {
        let name = text(package, "name");
        assert!(row(WALLS, name).is_some(), "{name} has no row in WALLS");
    }
}

#[test]
fn rooms_keep_their_walls() {
    let found: Vec<String> = rooms().iter().flat_map(trespasses).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn only_named_places_may_be_unsafe() {
    for package in packages() {
        let name = text(&package, "name");
        let Some(places) = row(UNSAFE, name) else {
            for (path, source) in crate_roots(&package) {
                let forbids = source.contains("\n#![forbid(unsafe_code)]\n");
                assert!(forbids, "{path} does not forbid unsafe code");
            }
            continue;
        };
        let folder = root().join("crates").join(name);
        for path in sources_under(&folder) {
            let inside = path.strip_prefix(&folder).expect("found under it");
            let may = places.iter().any(|place| inside.starts_with(place));
            let source = fs::read_to_string(&path).expect("a source file");
            assert!(may || !has_unsafe(&source), "unsafe in {}", path.display());
        }
    }
}

#[test]
fn crates_say_what_they_are_for() {
    for package in packages() {
        for (path, source) in crate_roots(&package) {
            assert!(source.starts_with("//! "), "{path} begins without //!");
        }
    }
}

/// A wall test that cannot fail proves nothing.
#[test]
fn trespassers_are_caught() {
    let package = |name: &str, dependency: Value| {
        let package = serde_json::json!({ "name": name, "dependencies": [dependency] });
        trespasses(&package).len()
    };
    let local = |name: &str| serde_json::json!({ "name": name, "path": "somewhere" });
    let foreign = |name: &str| serde_json::json!({ "name": name });
    assert_eq!(package("othello", local("engine")), 1);
    assert_eq!(package("engine", local("othello")), 0);
    assert_eq!(package("othello", foreign("clap")), 1);
    assert_eq!(package("cli", foreign("clap")), 0);
    let dev = serde_json::json!({ "name": "engine", "path": "somewhere", "kind": "dev" });
    assert_eq!(package("othello", dev), 0);
    assert!(has_unsafe("let x = unsafe { y };"));
    assert!(!has_unsafe(
        "#![forbid(unsafe_code)] // unsafe is forbidden"
    ));
}
