//! `kibitz import`, `games`, `explore` and `db`.

use crate::{failure, kibitz, scratch, success};
use serde_json::Value;
use std::fs;

const GGF: &str = "(;GM[Othello]PC[GGS]DT[2001.05.17]PB[Ann]PW[Bob]RB[1800]RW[1750]TI[5:00]TY[8]\
                   RE[+10.00]BO[8 ---------------------------O*------*O--------------------------- *]\
                   B[F5//1.5]W[D6//2]B[C3];)";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}

#[test]
fn files_go_in_once_and_every_position_is_found() {
    let folder = scratch("library");
    let (db, games, ggf) = (
        folder.join("a.db"),
        folder.join("a.txt"),
        folder.join("a.ggf"),
    );
    fs::remove_file(&db).ok();
    // The third game is the first one, mirrored; the fourth has an illegal move.
    fs::write(&games, "f5d6c3d3c4\nf5d6c4d3c3\ne6f4c3c4d3\nf5f5\n").unwrap();
    fs::write(&ggf, GGF).unwrap();
    let (db, games, ggf) = (
        db.to_str().unwrap(),
        games.to_str().unwrap(),
        ggf.to_str().unwrap(),
    );
    let told = json(&success(&["import", games, ggf, "--db", db, "--json"]));
    assert_eq!(
        (&told["files"], &told["games"]),
        (&2.into(), &5.into()),
        "{told}"
    );
    assert_eq!(
        (&told["stored"], &told["problems"]),
        (&4.into(), &1.into()),
        "{told}"
    );
    let problem = &told["problemList"][0];
    assert_eq!(
        (&problem["record"], &problem["line"]),
        (&4.into(), &4.into()),
        "{problem}"
    );
    // Again: nothing is read twice.
    let told = json(&success(&["import", games, ggf, "--db", db, "--json"]));
    assert_eq!(
        (&told["stored"], &told["duplicates"]),
        (&0.into(), &4.into()),
        "{told}"
    );

    let explored = json(&success(&[
        "explore", "--moves", "f5d6", "--db", db, "--json",
    ]));
    assert_eq!(explored["games"], 4, "{explored}");
    let moves = explored["moves"].as_array().unwrap();
    let counts: Vec<_> = moves
        .iter()
        .map(|it| (it["move"].as_str(), it["games"].as_u64()))
        .collect();
    assert_eq!(counts, [(Some("c3"), Some(3)), (Some("c4"), Some(1))]);
    // Both orders of moves lead to one position.
    let met = success(&["games", "--position", "f5d6c3d3c4", "--db", db, "--json"]);
    assert_eq!(met.lines().count(), 3, "{met}");
    let ann = json(&success(&[
        "games",
        "ann",
        "year:2001",
        "--db",
        db,
        "--json",
    ]));
    assert_eq!(
        (&ann["white"], &ann["score"]),
        (&"Bob".into(), &10.into()),
        "{ann}"
    );
    assert_eq!(
        success(&["games", "result:white", "--db", db]),
        "0 of 0 games\n"
    );
    let text = success(&["explore", "--moves", "f5d6", "--db", db]);
    assert!(text.contains("c3            3   75.0%"), "{text}");
    assert!(success(&["db", "check", "--db", db]).contains("4 games"));
    assert_eq!(
        json(&success(&["db", "stats", "--db", db, "--json"]))["games"],
        4
    );
}

const PGN: &str = "[Event \"Open\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2001.05.17\"]\n\
                   [Result \"1-0\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 1-0\n\n\
                   [White \"Cid\"]\n\n1. Nf3 Nc6 2. e4 e5 1/2-1/2\n\n\
                   [White \"Dan\"]\n\n1. e4 e5 2. Ke3 *\n";

#[test]
fn chess_goes_in_is_found_and_comes_out() {
    let folder = scratch("library-chess");
    let (db, file, out) = (
        folder.join("a.db"),
        folder.join("a.pgn"),
        folder.join("out.pgn"),
    );
    for path in [&db, &out] {
        fs::remove_file(path).ok();
    }
    fs::write(&file, PGN).unwrap();
    let (db, file, out) = (
        db.to_str().unwrap(),
        file.to_str().unwrap(),
        out.to_str().unwrap(),
    );
    let told = json(&success(&["import", file, "--db", db, "--json"]));
    assert_eq!(
        (&told["stored"], &told["problems"]),
        (&2.into(), &1.into()),
        "{told}"
    );
    let problem = &told["problemList"][0];
    let message = problem["message"].as_str().unwrap();
    assert!(message.starts_with("\"Ke3\" at move 2."), "{problem}");
    assert_eq!(problem["line"], 15, "{problem}");
    // Both orders of moves lead to one position.
    let moves = ["explore", "--moves", "e4 e5 Nf3 Nc6", "--db", db, "--json"];
    let explored = json(&success(&moves));
    assert_eq!(explored["games"], 2, "{explored}");
    assert_eq!(
        (&explored["white"], &explored["draws"]),
        (&1.into(), &1.into())
    );
    let start = json(&success(&[
        "explore", "--moves", "", "--game", "chess", "--db", db, "--json",
    ]));
    let first = start["moves"][0]["move"].as_str();
    assert!(matches!(first, Some("e4" | "Nf3")), "{start}");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let met = success(&["games", "--position", fen, "--db", db, "--json"]);
    assert_eq!(met.lines().count(), 2, "{met}");
    assert!(met.contains("\"moves\":\"e4 e5 Nf3 Nc6\""), "{met}");
    let part = "part:????????/????????/??n?????/????????/????????/????????/????????/????????";
    assert_eq!(
        success(&["games", part, "--db", db, "--json"])
            .lines()
            .count(),
        2
    );
    success(&["games", "ann", "--save", "hers", "--db", db]);
    assert_eq!(
        success(&["games", "saved:hers", "--db", db, "--json"])
            .lines()
            .count(),
        1
    );
    success(&["db", "export", out, "--db", db]);
    let text = fs::read_to_string(out).unwrap();
    assert!(
        text.contains("1. e4 {best} 1... e5 (1... c5) 2. Nf3 Nc6 1-0"),
        "{text}"
    );
    assert!(success(&["db", "compact", "--db", db]).contains("bytes before"));
    assert!(success(&["db", "check", "--every", "1", "--db", db]).contains("2 games"));
    success(&["db", "note", "--id", "1", "a sharp game", "--db", db]);
    success(&["db", "note", "--position", fen, "sharp, too", "--db", db]);
    let notes = success(&["db", "notes", "sharp", "--db", db, "--json"]);
    assert_eq!(notes.lines().count(), 2, "{notes}");
    assert!(success(&["db", "notes", "too", "--db", db]).contains("0 games and 1 positions"));
    success(&["db", "me", "Ann", "--db", db]);
    assert_eq!(
        success(&["games", "own:yes", "--db", db, "--json"])
            .lines()
            .count(),
        1
    );
}

#[test]
fn what_cannot_be_used_is_told() {
    let folder = scratch("library-wrong");
    let text = folder.join("text.db");
    fs::write(
        &text,
        "no database at all, whatever its name says ".repeat(99),
    )
    .unwrap();
    let text = text.to_str().unwrap();
    let (told, _) = failure(&["games", "--db", text]);
    assert!(told.contains("is no database"), "{told}");
    let db = folder.join("b.db");
    fs::remove_file(&db).ok();
    let db = db.to_str().unwrap();
    // Whoever only reads makes no database.
    for args in [&["games"][..], &["db", "check"], &["db", "stats"]] {
        let args = [args, &["--db", db]].concat();
        let (told, _) = failure(&args);
        assert!(told.contains("there is no database"), "{told}");
        assert!(!folder.join("b.db").exists());
    }
    let (told, _) = failure(&["import", "no-such-file.wtb", "--db", db]);
    assert!(told.contains("no-such-file.wtb: cannot be read"), "{told}");
    let (told, _) = failure(&["games", "colour:red", "--db", db]);
    assert!(told.contains("unknown key \"colour\""), "{told}");
    assert_eq!(kibitz(&["explore", "--db", db]).code, Some(2));
}

#[test]
fn one_bad_file_is_told_and_the_others_are_read() {
    let folder = scratch("library-some");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let db = path("a.db");
    fs::remove_file(&db).ok();
    let (a, b) = (path("a.pgn"), path("b.pgn"));
    fs::write(&a, "1. e4 e5 *\n").unwrap();
    fs::write(&b, "1. d4 d5 *\n").unwrap();
    let files = [&a[..], "missing.pgn", &b];
    let args = [&["import", "--db", &db, "--json"][..], &files].concat();
    let run = kibitz(&args);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = json(&run.stdout);
    assert_eq!(
        (&told["stored"], &told["files"], &told["unread"]),
        (&2.into(), &2.into(), &1.into()),
        "{told}"
    );
    assert_eq!(told["problemList"][0]["file"], "missing.pgn");
    // What was read is not read again, unless that is wished.
    let again = json(&success(&["import", "--db", &db, "--json", "--again", &a]));
    assert_eq!(
        (&again["games"], &again["duplicates"]),
        (&1.into(), &1.into())
    );
    success(&["db", "delete", "--id", "1", "--db", &db]);
    let back = json(&success(&["import", "--db", &db, "--json", &a]));
    assert_eq!(
        (&back["stored"], &back["duplicates"]),
        (&1.into(), &0.into())
    );
}
