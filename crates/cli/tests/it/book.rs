//! `kibitz book`, and who plays from a book.

use crate::{failure, kibitz, piped, scratch, success};
use expect_test::expect;
use std::{fs, path::PathBuf};

/// A place for a file or folder that is not there.
fn fresh(name: &str) -> PathBuf {
    let path = scratch("book").join(name);
    fs::remove_file(&path).ok();
    fs::remove_dir_all(&path).ok();
    path
}

#[test]
fn the_shipped_book_is_shown_checked_and_exported() {
    let text = success(&["book", "show"]);
    assert!(text.contains(" positions, edition "), "{text}");
    assert!(text.contains("    4 discs       1\n"), "{text}");
    let text = success(&["book", "check"]);
    assert!(text.ends_with(" positions, no faults\n"), "{text}");

    // The start is its own image four times over, and all its moves are equal.
    let text = success(&["book", "show", "--json", ""]);
    let entry: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entry["hash"], "42d09a77fb4dec28");
    assert_eq!(entry["moves"].as_array().unwrap().len(), 4);

    // Every value of the plain form is a row and a column.
    let plain = success(&["book", "export"]);
    let plain: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&plain).unwrap();
    assert!(plain.len() > 500);
    for (hash, value) in &plain {
        assert!(u64::from_str_radix(hash, 16).is_ok(), "{hash}");
        let square: [u8; 2] = serde_json::from_value(value.clone()).unwrap();
        assert!(square.iter().all(|&it| it < 8), "{value}");
    }
    let all = success(&["book", "export", "--all"]);
    assert!(all.contains("\"weight\""), "no weights");
    let file = fresh("exported.json");
    fs::write(&file, all).unwrap();
    success(&["book", "check", file.to_str().unwrap()]);
}

#[test]
fn lines_are_added_to_a_file_and_faults_are_found() {
    let file = fresh("mine.json");
    let path = file.to_str().unwrap();
    success(&["book", "add", path, "f5d6c3", "--weight", "2"]);
    let text = success(&["book", "add", path, "f5f6"]);
    assert!(text.ends_with("mine.json: 3 positions\n"), "{text}");
    expect![[r#"
        d6       2   66.7 %
        f6       1   33.3 %
    "#]]
    .assert_eq(&success(&["book", "show", "--file", path, "f5"]));
    // A symmetric position has the symmetric move.
    let text = success(&["book", "show", "--file", path, "d3"]);
    assert!(text.starts_with("c5       2"), "{text}");
    let text = success(&["book", "show", "--file", path, "f5d6c3d3"]);
    assert_eq!(text, "The book has no move here.\n");

    let (line, code) = failure(&["book", "add", path, ""]);
    assert!(line.contains("there is no move to add"), "{line}");
    assert_eq!(code, 1);

    let hash = othello::Position::START.hash();
    let damaged = format!(r#"{{"{hash:x}": [{{"move": "a1"}}, {{"move": "f5"}}], "zz": [0, 0]}}"#);
    fs::write(&file, &damaged).unwrap();
    let run = kibitz(&["book", "check", path]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("\"zz\" is left out"), "{}", run.stdout);
    assert!(run.stdout.contains(": a1 cannot be played at "));
    assert!(run.stderr.contains("the book has faults"), "{}", run.stderr);
    // What would be lost by writing the file again is not touched.
    let (line, _) = failure(&["book", "add", path, "f5"]);
    assert!(line.contains("mend the file first"), "{line}");
    assert_eq!(fs::read_to_string(&file).unwrap(), damaged);
}

#[test]
fn a_made_book_repeats() {
    let make = |name: &str| {
        let file = fresh(name);
        let path = file.to_str().unwrap();
        success(&[
            "book",
            "make",
            path,
            "--positions",
            "20",
            "--depth",
            "2",
            "--edition",
            "3",
        ]);
        let check = success(&["book", "check", path]);
        assert_eq!(check, "20 positions, no faults\n");
        fs::read_to_string(&file).unwrap()
    };
    let book = make("made-1.json");
    assert!(book.starts_with("{\n  \"version\": 3,\n"), "{book}");
    assert_eq!(make("made-2.json"), book);
}

/// A book with one move at the start, and the one after f5 that no search prefers.
fn small(name: &str) -> PathBuf {
    let file = fresh(name);
    let start = othello::Position::START;
    let next = start.play("f5".parse().expect("a square")).expect("a move");
    let (start, next) = (start.hash(), next.hash());
    let text = format!(r#"{{"{start:016x}": [3, 2], "{next:016x}": [3, 5]}}"#);
    fs::write(&file, text).expect("the folder is there");
    file
}

#[test]
fn gtp_plays_from_the_configured_book_and_not_without_one() {
    let file = small("followed.json");
    let home = fresh("book-home");
    fs::create_dir_all(&home).unwrap();
    let configure = |book: &str| {
        fs::write(
            home.join("config.toml"),
            format!("[engine]\nbook = {book}\n"),
        )
        .unwrap();
    };
    let first = |flags: &[&str]| {
        let usual = ["gtp", "--seed", "7", "--hash-mb", "1", "--home"];
        let home = home.to_str().unwrap();
        let level = ["--level", "elo_2000"];
        let args = [&usual[..], &[home], &level, flags].concat();
        let run = piped(&args, b"genmove b\nquit\n");
        assert_eq!(run.stderr, "");
        run.stdout.lines().next().unwrap().to_owned()
    };
    configure(&format!("{:?}", file.to_str().unwrap()));
    assert_eq!(first(&[]), "= c4");
    configure("false");
    let searched = first(&[]);
    configure("true");
    assert_eq!(first(&["--no-book"]), searched);
    assert_eq!(first(&["--book", file.to_str().unwrap()]), "= c4");
    // A seed replays the book's choice, too.
    assert_eq!(first(&[]), first(&[]));
    configure("1");
    let home = home.to_str().unwrap();
    let run = piped(&["gtp", "--home", home], b"quit\n");
    assert!(
        run.stderr
            .contains("engine.book is 1, but expected true, false or the path of a file"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_low_level_is_not_forced_and_hints_mark_the_book() {
    let file = small("marked.json");
    let book = file.to_str().unwrap();
    let game = |flags: &[&str]| {
        let usual = ["play", "--side", "none", "--hash-mb", "1", "--seed", "7"];
        success(&[&usual[..], &["--level", "elo_400"], flags].concat())
    };
    assert_eq!(game(&["--book", book]), game(&["--no-book"]));
    let hint = |flags: &[&str]| {
        let usual = ["play", "--side", "both", "--hash-mb", "1", "--moves", "f5"];
        piped(&[&usual[..], flags].concat(), b"hint\nquit\n").stdout
    };
    let (with, without) = (hint(&["--book", book]), hint(&["--no-book"]));
    assert!(with.contains("In the book: f4."), "{with}");
    // Values are the same.
    assert!(!without.contains("In the book"), "{without}");
    let lines = |text: &str| -> Vec<String> {
        let values = text.lines().skip_while(|it| !it.contains("> "));
        let values = values.filter(|it| !it.starts_with("In the book"));
        values.map(str::to_owned).collect()
    };
    assert_eq!(lines(&with), lines(&without));
}
