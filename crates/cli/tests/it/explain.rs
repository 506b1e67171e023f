//! `kibitz explain` as its users meet it.

use crate::{failure, success};
use serde_json::Value;

fn explain(args: &[&str]) -> String {
    let power = ["explain", "--hash-mb", "1", "--depth", "6"];
    success(&[&power[..], args].concat())
}

fn answer(args: &[&str]) -> Value {
    let text = explain(&[&["--json"], args].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_position_is_explained_in_words() {
    let text = explain(&["--moves", "f5d6c3d3c4f4f6f3e6e7d7c6d8f7g5", "--move", "g6"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "White to move, 45 empty, Tiger: Comp'Oth");
    assert!(lines[1].starts_with("Best is ") && lines[1].ends_with("(depth 6)."));
    // Which move is best depends on the weights, but this one has never been.
    let played = lines.iter().find(|line| line.starts_with("Played g6: "));
    assert!(
        played.is_some_and(|line| line.contains("winning chances")),
        "{text}"
    );
    let tags = ["fact ", "count ", "model ", "trade-off "];
    let n_reasons = lines
        .iter()
        .filter(|line| tags.iter().any(|tag| line.starts_with(tag)))
        .count();
    assert!(n_reasons >= 1, "{text}");
    let moves = |line: &str| line.split_whitespace().skip(1).count();
    let ends = &lines[lines.len() - 2..];
    assert!(ends.iter().all(|line| moves(line) >= 6), "{text}");
}

#[test]
fn an_endgame_is_explained_by_its_end() {
    let board = "OX-O-OX-OOX--X--OOOXXO--OXOXOO--OOXOXO--XXOXOO----OOX-O--O-OXX-- X";
    let text = explain(&["--position", board, "--solve-empties", "0"]);
    assert!(
        text.starts_with("Black to move, 23 empty\nBest is "),
        "{text}"
    );
    let full = "OXXOOOXXOOXXXXXXOOOXXOXXOXOXOOXXOOXOXOXXXXOXOOXXXXOOXXOXXOXOXX-- X";
    let text = explain(&["--position", full]);
    assert!(text.contains("(solved)"), "{text}");
}

#[test]
fn json_has_squares_lines_tags_and_texts() {
    let answer = answer(&["--moves", "f5d6c3d3c4", "--move", "b5"]);
    assert_eq!(answer["opening"], "Tiger");
    assert_eq!(answer["judgement"]["played"], "b5");
    let reasons = answer["reasons"].as_array().expect("a list");
    assert!(!reasons.is_empty());
    for reason in reasons {
        let tag = reason["tag"].as_str().expect("a tag");
        assert!(["fact", "count", "model", "trade-off"].contains(&tag));
        assert_eq!(tag == "trade-off", reason["speaks_for"] == "other");
        assert!(reason["squares"].is_array() && reason["line"].is_array());
        assert!(
            reason["text"]
                .as_str()
                .is_some_and(|text| text.ends_with('.'))
        );
    }
    let best = answer["best"]["score"].as_i64().expect("a score");
    let other = answer["other"]["score"].as_i64().expect("a score");
    assert_eq!(answer["loss"].as_i64(), Some(best - other));
}

#[test]
fn what_cannot_be_explained_is_said() {
    let line = |args: &[&str]| failure(&[&["explain"], args].concat());
    let (text, code) = line(&["--moves", "f5", "--move", "a1"]);
    assert_eq!(
        text,
        "kibitz: a1 cannot be explained: a1 flips no disc; legal: f4 d6 f6\n"
    );
    assert_eq!(code, 1);
    let (text, code) = line(&["--moves", "e6f4e3f6g5d6e7f5c5"]);
    assert_eq!(
        text,
        "kibitz: the game is over: there is no move to explain\n"
    );
    assert_eq!(code, 1);
    let (text, code) = line(&[]);
    assert!(
        text.contains("--position") && text.contains("--moves"),
        "{text}"
    );
    assert_eq!(code, 2);
}

/// Where only the evaluation speaks, theory is what a player can act on.
#[test]
fn a_move_that_leaves_theory_is_told_as_such() {
    let text = explain(&["--moves", "f5d6c3d3c4", "--move", "b5"]);
    assert!(text.contains("theory left: f4 stays in theory"), "{text}");
    assert!(!text.contains("wall built"), "{text}");
}
