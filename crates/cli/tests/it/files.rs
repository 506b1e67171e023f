//! What the program says about files that it cannot use.

use crate::{failure, kibitz, scratch, success};
use std::{fs, path::PathBuf};

/// A file that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let file = scratch("files").join(name);
    if file.exists() {
        fs::remove_file(&file).expect("it is ours");
    }
    file
}

#[test]
fn a_missing_file_is_named_once_with_its_reason_once() {
    let missing = fresh("missing/file");
    let missing = missing.to_str().unwrap();
    let plain = scratch("files").join("plain");
    fs::write(&plain, "a file and no folder").unwrap();
    let below = plain.join("below");
    let below = below.to_str().unwrap();
    let out = fresh("never.out");
    let out = out.to_str().unwrap();
    let analyze = ["analyze", "--moves", "f5", "--depth", "1"];
    let commands: Vec<Vec<&str>> = vec![
        [&analyze[..], &["--weights", missing]].concat(),
        [
            &analyze[..],
            &["--evaluator", "classic", "--weights", missing],
        ]
        .concat(),
        vec!["gtp", "--book", missing],
        vec![
            "match",
            "--a",
            "depth=1",
            "--b",
            "depth=2",
            "--openings",
            missing,
        ],
        vec![
            "selfplay",
            "--games",
            "1",
            "--out",
            out,
            "--openings",
            missing,
        ],
        vec!["selfplay", "--games", "1", "--out", missing],
        vec!["convert", missing, out, "--to", "ggf"],
        vec!["train", "label", missing, "--empties", "4-8", "--out", out],
        vec!["train", "fit", missing, "--out", out],
        vec!["train", "check", missing],
        vec!["train", "probcut", missing],
        vec!["train", "order", missing, "--out", out],
        vec!["train", "td", "--dir", below, "--games", "1"],
        vec!["train", "td", "--dir", out, "--config", missing],
        vec!["train", "linear", "--out", out, "--from", missing],
        vec!["serve", "--no-open", "--home", below],
    ];
    for args in commands {
        let (line, code) = failure(&args);
        assert_eq!(code, 1, "{args:?}: {line}");
        let reasons = line.matches("(os error ").count();
        assert_eq!(reasons, 1, "{args:?}: {line}");
        let names = line.matches(missing).count() + line.matches(below).count();
        assert_eq!(names, 1, "{args:?}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn files_without_end_are_refused() {
    let zero = "/dev/zero";
    let out = fresh("endless.out");
    let out = out.to_str().unwrap();
    let analyze = [
        "analyze",
        "--moves",
        "f5",
        "--depth",
        "1",
        "--weights",
        zero,
    ];
    let commands: Vec<Vec<&str>> = vec![
        analyze.to_vec(),
        [&analyze[..], &["--evaluator", "classic"]].concat(),
        vec!["gtp", "--book", zero],
        vec![
            "match",
            "--a",
            "depth=1",
            "--b",
            "depth=2",
            "--openings",
            zero,
        ],
        vec!["selfplay", "--games", "1", "--out", out, "--weights", zero],
        vec!["train", "td", "--dir", out, "--config", zero],
        vec!["train", "linear", "--out", out, "--from", zero],
        vec!["train", "fit", zero, "--out", out],
        vec!["train", "probcut", zero],
    ];
    for args in commands {
        let (line, code) = failure(&args);
        assert_eq!(code, 1, "{args:?}: {line}");
        let is_told = ["it has more than ", "not a data file", "neither a folder"];
        assert!(
            is_told.iter().any(|it| line.contains(it)),
            "{args:?}: {line}"
        );
    }
}

/// A file of three games.
fn games(name: &str) -> PathBuf {
    let games = fresh(name);
    let out = games.to_str().expect("test paths are UTF-8");
    let common = ["selfplay", "--out", out, "--games", "3", "--depth", "1"];
    success(&[&common[..], &["--exact", "6", "--hash-mb", "1"]].concat());
    games
}

#[test]
fn a_cut_file_of_games_is_refused_unless_that_is_allowed() {
    let games = games("cut.games");
    let whole = fs::read(&games).unwrap();
    fs::write(&games, &whole[..whole.len() - 9]).unwrap();
    let data = fresh("cut.data");
    let label = [
        "train",
        "label",
        games.to_str().unwrap(),
        "--recorded",
        "--exact",
        "0",
        "--empties",
        "7-40",
        "--out",
        data.to_str().unwrap(),
    ];
    let (line, code) = failure(&label);
    assert_eq!(code, 1);
    assert!(
        line.contains("cut.games is cut short: 2 whole games, then "),
        "{line}"
    );
    assert!(line.contains("with --allow-cut"), "{line}");
    assert!(!data.exists(), "nothing was begun");
    let run = kibitz(&[&label[..], &["--allow-cut"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("2 whole games"), "{}", run.stderr);

    let whole = fs::read(&data).unwrap();
    fs::write(&data, &whole[..whole.len() - 9]).unwrap();
    let check = ["train", "check", data.to_str().unwrap()];
    let (line, code) = failure(&check);
    assert_eq!(code, 1);
    assert!(
        line.contains("cut.data is cut short: 0 whole positions"),
        "{line}"
    );
}

#[test]
fn damaged_files_of_games_and_positions_are_refused() {
    let games = games("damaged.games");
    let data = fresh("damaged.data");
    let label = [
        "train",
        "label",
        games.to_str().unwrap(),
        "--recorded",
        "--exact",
        "0",
        "--empties",
        "7-40",
        "--out",
        data.to_str().unwrap(),
    ];
    success(&label);
    for (path, command) in [
        (&games, &label[..]),
        (&data, &["train", "check", data.to_str().unwrap()][..]),
    ] {
        let mut bytes = fs::read(path).unwrap();
        let last = bytes.len() - 20;
        bytes[last] ^= 4;
        fs::write(path, bytes).unwrap();
        let (line, code) = failure(command);
        assert_eq!(code, 1);
        assert!(
            line.contains("is damaged: its checksum does not match"),
            "{line}"
        );
    }
}

#[test]
fn files_of_the_first_version_are_read_with_a_warning() {
    let games = games("new.games");
    let data = fresh("new.data");
    let label = [
        "train",
        "label",
        games.to_str().unwrap(),
        "--recorded",
        "--exact",
        "0",
        "--empties",
        "7-40",
        "--out",
        data.to_str().unwrap(),
    ];
    success(&label);
    // The header says 1, and the positions follow it without their block.
    let bytes = fs::read(&data).unwrap();
    let old = [b"KIBITZDATA\0\0\x01\0\0\0", &bytes[24..bytes.len() - 8]].concat();
    let path = fresh("old.data");
    fs::write(&path, old).unwrap();
    let expected = success(&["train", "check", data.to_str().unwrap()]);
    let run = kibitz(&["train", "check", path.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout), (Some(0), expected));
    assert!(run.stderr.contains("without checksums"), "{}", run.stderr);
}
