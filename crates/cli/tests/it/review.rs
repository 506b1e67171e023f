//! `kibitz review` as its users meet it.

use crate::{failure, scratch, success};
use serde_json::Value;

const MOVES: &str = "f5d6c3d3c4f4f6f3e6e7";

fn review(args: &[&str]) -> String {
    success(&[&["review", "--hash-mb", "1", "--depth", "4"], args].concat())
}

#[test]
fn a_game_is_reviewed_in_words() {
    let text = review(&[MOVES]);
    assert!(text.starts_with("After 10 moves "), "{text}");
    for name in ["whole game", "opening", "middlegame", "endgame"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
    }
}

#[test]
fn json_has_every_move_and_the_sums() {
    let text = review(&[MOVES, "--json"]);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let moves = answer["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 10);
    assert_eq!(answer["summary"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["result"], Value::Null);
    let lost = |side: &str| -> i64 {
        let own = moves.iter().filter(|it| it["side"] == side);
        own.filter_map(|it| it["loss"].as_i64()).sum()
    };
    assert_eq!(answer["black"]["loss"].as_i64(), Some(lost("black")));
    assert_eq!(answer["white"]["loss"].as_i64(), Some(lost("white")));
    for it in moves {
        assert_eq!(it["line_played"][0], it["move"]);
        assert_eq!(it["line_best"][0], it["best"]);
    }
}

#[test]
fn a_file_has_its_games_by_number() {
    let path = scratch("review").join("games.txt");
    std::fs::write(&path, format!("f5d6\n{MOVES}\n")).expect("written");
    let name = path.to_str().expect("a name");
    let text = review(&[name, "--game", "2", "--by", "size"]);
    assert!(text.starts_with("After 10 moves "), "{text}");
    let (text, code) = failure(&["review", name, "--game", "3"]);
    assert!(text.contains("has 2 games; game 3 was asked for"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn what_is_no_game_is_said() {
    let (text, code) = failure(&["review", "f5a1"]);
    assert!(text.contains("move 2 (\"a1\") is not legal"), "{text}");
    assert_eq!(code, 1);
    let (text, _) = failure(&["review", "no/such/file.ggf"]);
    assert!(text.contains("there is no file no/such/file.ggf"), "{text}");
    let (text, _) = failure(&["review", ""]);
    assert!(text.contains("no move to look at"), "{text}");
}
