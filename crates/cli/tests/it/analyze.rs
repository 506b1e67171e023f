//! `kibitz analyze` with its evaluators and engines.

use crate::{failure, kibitz, success};
use serde_json::Value;

/// The first position's row.
fn row(args: &[&str]) -> Value {
    let args = [&["analyze", "--json", "--hash-mb", "1"], args].concat();
    let text = success(&args);
    let line = text.lines().next().expect("a row");
    serde_json::from_str(line).expect("a row is JSON")
}

#[test]
fn both_evaluators_search() {
    for evaluator in ["pattern", "classic"] {
        let row = row(&["--evaluator", evaluator, "--moves", "f5", "--depth", "4"]);
        assert_eq!(row["depth"], 4, "{evaluator}");
        assert!(row["best"].is_string(), "{evaluator}");
    }
}

#[test]
fn classic_weights_are_a_json_file() {
    let folder = std::env::temp_dir().join(format!("kibitz-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("weights.json");
    let path = file.to_str().unwrap();
    let value = |weights: &str| {
        std::fs::write(&file, weights).unwrap();
        let evaluation = ["--evaluator", "classic", "--weights", path];
        let place = ["--moves", "f5d6c3d3c4", "--depth", "0"];
        row(&[&evaluation[..], &place[..]].concat())["score"]
            .as_i64()
            .unwrap()
    };
    let weights = |mobility: u32| {
        format!(
            r#"{{"mobility": {mobility}, "psqt": 0, "frontier": 0, "parity": 0, "corners": 0,
                "corner_closeness": 0}}"#
        )
    };
    assert_eq!(value(&weights(0)), 0);
    assert_ne!(value(&weights(1000)), 0);
    std::fs::write(&file, "{\"mobility\": \"much\"}").unwrap();
    let args = [
        "analyze",
        "--evaluator",
        "classic",
        "--weights",
        path,
        "--moves",
        "f5",
    ];
    let (line, code) = failure(&args);
    assert!(line.starts_with("kibitz: cannot use "), "{line}");
    assert_eq!(code, 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mcts_replays_from_its_seed() {
    let search = |seed: &str| {
        let mut row = row(&[
            "--engine", "mcts", "--moves", "f5d6", "--nodes", "500", "--seed", seed, "--lines", "3",
        ]);
        row["seconds"] = Value::Null;
        row
    };
    let first = search("1");
    assert_eq!(first["nodes"], 500);
    assert_eq!(first["lines"].as_array().unwrap().len(), 3);
    assert_eq!(search("1"), first);
    assert_ne!(search("2"), first);
}

#[test]
fn unknown_engines_are_refused() {
    let run = kibitz(&["analyze", "--engine", "oracle", "--moves", "f5"]);
    assert_eq!(run.code, Some(1));
    for words in ["\"oracle\"", "alphabeta and mcts", "kibitz engines list"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
}

#[test]
fn json_says_what_the_search_counted() {
    for command in [
        ["analyze", "--json", "--moves", "f5d6c3d3c4", "--depth=8"],
        ["solve", "--json", "--position", ENDGAME, "--hash-mb=1"],
    ] {
        let text = success(&command);
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let count = |key: &str| row["statistics"][key].as_u64().unwrap();
        assert!(count("hits") <= count("probes"), "{row}");
        assert!(count("bounds_used") <= count("hits"), "{row}");
        assert!(count("replacements") <= count("stores"), "{row}");
        assert!(count("cutoffs") <= row["nodes"].as_u64().unwrap(), "{row}");
        assert!(count("fill_permille") <= 1000, "{row}");
        assert!(count("cutoffs") > 0 && count("stores") > 0, "{row}");
    }
}

/// A position with 14 empty squares, which the solver takes at once.
const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
