//! `kibitz selfplay`, and what `kibitz train` makes of its games.

use crate::{failure, scratch, success};
use std::{fs, path::Path};

fn args<'a>(out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let out = out.to_str().expect("the name is UTF-8");
    let common = ["selfplay", "--out", out, "--depth", "1", "--exact", "6"];
    [&common[..], &["--hash-mb", "1", "--epsilon", "0.1"], more].concat()
}

/// A file that does not exist yet.
fn fresh(name: &str) -> std::path::PathBuf {
    let file = scratch("selfplay").join(name);
    if file.exists() {
        fs::remove_file(&file).expect("it is ours");
    }
    file
}

#[test]
fn an_interrupted_file_is_continued_without_a_difference() {
    let (whole, parts) = (fresh("whole.games"), fresh("parts.games"));
    success(&args(&whole, &["--games", "6"]));
    success(&args(&parts, &["--games", "3", "--workers", "2"]));
    // A crash in the middle of a record.
    let bytes = fs::read(&parts).unwrap();
    fs::write(&parts, &bytes[..bytes.len() - 30]).unwrap();
    let text = success(&args(&parts, &["--games", "6", "--workers", "3"]));
    assert!(text.starts_with("4 games in "), "{text}");
    assert!(text.ends_with(" has 6 of 6\n"), "{text}");
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
    let text = success(&args(&parts, &["--games", "6"]));
    assert!(text.starts_with("0 games in "), "{text}");
    let (line, code) = failure(&args(&parts, &["--games", "8", "--seed", "2"]));
    assert!(line.contains("made with other settings"), "{line}");
    assert_eq!(code, 1);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
}

#[test]
fn openings_are_played() {
    let file = fresh("openings.games");
    let openings = scratch("selfplay").join("openings.txt");
    fs::write(&openings, "f5d6c4d3c2\nf5f4g3g6f3\n").unwrap();
    let path = openings.to_str().unwrap();
    success(&args(&file, &["--games", "2", "--openings", path]));
    let (line, _) = failure(&args(&file, &["--games", "2"]));
    assert!(line.contains("other settings"), "{line}");
}

#[test]
fn games_become_positions_and_positions_weights() {
    let games = fresh("train.games");
    success(&args(&games, &["--games", "40"]));
    let games = games.to_str().unwrap();
    let label = |name: &str, more: &[&str]| {
        let data = fresh(name);
        let path = data.to_str().unwrap().to_owned();
        let common = ["train", "label", games, "--out", &path, "--deviation", "0"];
        let run = crate::kibitz(&[&common[..], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let contents = app::training::read(fs::File::open(&data).unwrap()).unwrap();
        assert_eq!(contents.cut, None);
        (path, contents.positions.len())
    };
    // One position for each number of empty squares: what the players noted.
    let (recorded, n) = label(
        "recorded.data",
        &["--recorded", "--exact", "0", "--empties", "7-40"],
    );
    assert!((900..=34 * 40).contains(&n), "{n}");
    // Without the notes only what is solved, and the proven positions.
    let (_, n_proven) = label("proven.data", &["--exact", "0", "--empties", "5-40"]);
    assert!((30..=40).contains(&n_proven), "{n_proven}");
    let (_, n_solved) = label("solved.data", &["--exact", "5", "--empties", "5-5"]);
    assert!((30..=40).contains(&n_solved), "{n_solved}");
    let weights = fresh("recorded.weights");
    let weights = weights.to_str().unwrap();
    let fit = [
        "train",
        "fit",
        &recorded,
        "--out",
        weights,
        "--iterations",
        "2",
    ];
    assert_eq!(success(&fit).lines().count(), 31);
    let place = [
        "analyze",
        "--moves",
        "f5d6c3",
        "--depth",
        "2",
        "--hash-mb",
        "1",
    ];
    success(&[&place[..], &["--weights", weights]].concat());
}

#[test]
fn mistakes_are_told_in_one_line() {
    let foreign = scratch("selfplay").join("foreign.games");
    fs::write(&foreign, "not games at all").unwrap();
    let (line, code) = failure(&args(&foreign, &["--games", "1"]));
    assert!(line.contains("does not begin with KIBITZGAMES"), "{line}");
    assert_eq!(code, 1);
    assert_eq!(fs::read(&foreign).unwrap(), b"not games at all");
    let data = scratch("selfplay").join("foreign.data");
    let label = [
        "train",
        "label",
        foreign.to_str().unwrap(),
        "--empties",
        "4-8",
        "--out",
    ];
    let (line, _) = failure(&[&label[..], &[data.to_str().unwrap()]].concat());
    assert!(line.contains("does not begin with KIBITZGAMES"), "{line}");
    let new = fresh("never.games");
    let wrong = [
        "selfplay",
        "--games",
        "1",
        "--epsilon",
        "2",
        "--out",
        new.to_str().unwrap(),
    ];
    let (line, _) = failure(&wrong);
    assert!(line.contains("expected 0 to 1, found 2"), "{line}");
    assert!(!new.exists());
}
