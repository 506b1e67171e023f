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

/// Grows a book in a file, of shallow searches.
fn grow(path: &str, flags: &[&str]) -> String {
    success(&[&["book", "grow", path, "--depth", "2"][..], flags].concat())
}

#[test]
fn a_grown_book_repeats_and_is_checked_shown_exported_and_played() {
    let grown = |name: &str, flags: &[&str]| {
        let file = fresh(name);
        let text = grow(file.to_str().unwrap(), flags);
        assert!(
            text.contains(": 60 positions, 60 of them new, the start is worth "),
            "{text}"
        );
        fs::read(&file).unwrap()
    };
    let one = grown("one.book", &["--positions", "60"]);
    let two = grown("two.book", &["--positions", "60", "--workers", "3"]);
    assert!(one == two, "workers make a difference");
    let file = scratch("book").join("two.book");
    let path = file.to_str().unwrap();
    let text = grow(path, &["--positions", "60"]);
    assert!(text.contains(": 60 positions, 0 of them new"), "{text}");
    assert!(fs::read(&file).unwrap() == one, "nothing was to be done");

    assert_eq!(
        success(&["book", "check", path]),
        "60 positions, no faults\n"
    );
    let text = success(&["book", "show", path]);
    assert!(
        text.starts_with("60 positions, searched by Kibitz "),
        "{text}"
    );
    assert!(text.contains("    4 discs       1\n"), "{text}");
    let text = success(&["book", "show", path, "f5"]);
    assert!(text.contains(", searched to depth 2.\n"), "{text}");
    assert!(text.contains("  expanded: d6 "), "{text}");
    // The same from a file that a flag names, of an image, as data.
    let text = success(&["book", "show", "--file", path, "--json", "d3"]);
    let shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(shown["value"].is_number() && shown["depth"] == 2, "{shown}");
    let moves = shown["moves"].as_array().unwrap();
    let c5 = moves.iter().find(|it| it["move"] == "c5").unwrap();
    assert_eq!(
        (&c5["expanded"], &c5["line"][0]),
        (&true.into(), &"c5".into())
    );
    let text = success(&["book", "show", path, "f5f6e6d6c3"]);
    assert_eq!(text, "The position is not in the book.\n");

    let json = success(&["book", "export", path, "--all", "--edition", "7"]);
    assert!(json.starts_with("{\n  \"version\": 7,\n"), "{json}");
    assert!(json.contains("\"weight\""), "no weights");
    let exported = fresh("of-a-tree.json");
    fs::write(&exported, json).unwrap();
    let exported = exported.to_str().unwrap();
    assert_eq!(
        success(&["book", "check", exported]),
        "60 positions, no faults\n"
    );
    // Levels play from either.
    let game = |book: &str| {
        let usual = [
            "gtp",
            "--seed",
            "7",
            "--hash-mb",
            "1",
            "--level",
            "elo_2000",
        ];
        let args = [&usual[..], &["--book", book]].concat();
        let run = piped(&args, b"genmove b\ngenmove w\ngenmove b\nquit\n");
        assert_eq!(run.stderr, "");
        run.stdout
    };
    assert_eq!(game(path), game(exported));
}

#[test]
fn a_growth_that_is_killed_goes_on() {
    let file = fresh("killed.book");
    let path = file.to_str().unwrap();
    let mut command = crate::program();
    command.args(["book", "grow", path, "--depth", "2", "--workers", "2"]);
    let mut child = command
        .stdin(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    while !file.exists() {
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
    let text = success(&["book", "show", path, "--json"]);
    let contents: serde_json::Value = serde_json::from_str(&text).unwrap();
    let n = contents["positions"].as_u64().unwrap();
    assert!(n > 0, "{contents}");
    let wanted = (n + 40).to_string();
    grow(path, &["--positions", &wanted]);
    let whole = fresh("not-killed.book");
    grow(whole.to_str().unwrap(), &["--positions", &wanted]);
    assert!(fs::read(&file).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn what_is_no_grown_book_is_left_alone_and_damage_is_found() {
    let json = small("not-grown.json");
    let before = fs::read(&json).unwrap();
    let (line, code) = failure(&["book", "grow", json.to_str().unwrap()]);
    assert!(line.contains("not-grown.json: not a grown book"), "{line}");
    assert_eq!((code, fs::read(&json).unwrap()), (1, before));

    let file = fresh("damaged.book");
    let path = file.to_str().unwrap();
    grow(path, &["--positions", "9"]);
    let mut damaged = fs::read(&file).unwrap();
    let (line, _) = failure(&["book", "add", path, "f5"]);
    assert!(line.contains("damaged.book is a grown book"), "{line}");
    assert_eq!(fs::read(&file).unwrap(), damaged);
    damaged[100] ^= 1;
    fs::write(&file, &damaged).unwrap();
    for args in [
        vec!["book", "check", path],
        vec!["book", "show", path, "f5"],
        vec!["book", "export", path],
        vec!["book", "grow", path],
    ] {
        let (line, code) = failure(&args);
        assert!(
            line.contains("damaged.book: damaged book: the checksum does not match"),
            "{line}"
        );
        assert_eq!(code, 1);
    }
    assert_eq!(fs::read(&file).unwrap(), damaged);

    let (line, _) = failure(&["book", "show", "no-such.book"]);
    assert!(line.contains("cannot read no-such.book"), "{line}");
    let (line, _) = failure(&["book", "show", "no-such"]);
    assert!(line.contains("not a position"), "{line}");
    let folder = scratch("book");
    let (line, _) = failure(&["book", "grow", folder.to_str().unwrap()]);
    assert!(line.contains("cannot read "), "{line}");
    for flags in [["--positions", "0"], ["--depth", "61"], ["--minutes", "0"]] {
        let run = kibitz(&[&["book", "grow", path][..], &flags].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
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
