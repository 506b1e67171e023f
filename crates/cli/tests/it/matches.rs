//! `kibitz match`.

use crate::{failure, scratch, success};
use serde_json::Value;

const OPENINGS: &str = "f5d6c4d3c2\nf5f4g3g6f3\nf5f6d3c5d6\nf5d6c3f4c5\n";

fn run(folder: &str, args: &[&str]) -> String {
    let openings = scratch(folder).join("openings.txt");
    std::fs::write(&openings, OPENINGS).expect("the folder is ours");
    let path = openings.to_str().expect("the name is UTF-8");
    let common = ["match", "--openings", path];
    success(&[&common[..], args].concat())
}

fn json(folder: &str, args: &[&str]) -> Value {
    let text = run(folder, &[args, &["--json"]].concat());
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).expect("it is JSON")
}

const DEEP: &str = "evaluator=classic,depth=4,hash-mb=1,exact=8";
const SHALLOW: &str = "evaluator=classic,depth=1,hash-mb=1";

#[test]
fn json_adds_up_and_the_workers_do_not_matter() {
    let with_workers = |workers: &str| {
        let mut found = json(
            "match-json",
            &["--a", DEEP, "--b", SHALLOW, "--workers", workers],
        );
        found["seconds"] = 0.into();
        found
    };
    let one = with_workers("1");
    assert_eq!(one, with_workers("3"));
    let number = |key: &str| one[key].as_u64().unwrap();
    assert_eq!(number("pairs"), 4);
    let games = number("wins") + number("draws") + number("losses");
    assert_eq!(games, 8);
    let pairs = one["pentanomial"].as_object().unwrap();
    let n_pairs: u64 = pairs.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(n_pairs, 4);
    let points = number("wins") as f64 + 0.5 * number("draws") as f64;
    assert!((one["score"].as_f64().unwrap() - points / 8.0).abs() < 1e-12);
    assert!(one["mean_disc_difference"].as_f64().unwrap() > 0.0);
    assert_eq!(one["end"], "finished");
    assert_eq!(one["a"], DEEP);
}

#[test]
fn the_other_point_of_view_is_the_other_result() {
    let (one, other) = (
        json("match-view", &["--a", DEEP, "--b", SHALLOW]),
        json("match-view", &["--a", SHALLOW, "--b", DEEP]),
    );
    assert_eq!(one["wins"], other["losses"]);
    assert_eq!(one["draws"], other["draws"]);
    let discs = |it: &Value| it["mean_disc_difference"].as_f64().unwrap();
    assert!((discs(&one) + discs(&other)).abs() < 1e-12);
}

#[test]
fn people_get_a_summary_without_nonsense() {
    for pairs in ["0", "1", "4"] {
        let args = [
            "--a", DEEP, "--b", SHALLOW, "--pairs", pairs, "--sprt", "-5,5",
        ];
        let text = run("match-text", &args);
        assert!(
            text.contains(&format!("{pairs} of {pairs} pairs")),
            "{text}"
        );
        assert!(text.contains("SPRT [-5, 5] logistic Elo  LLR "), "{text}");
        let lower = text.to_lowercase();
        assert!(!lower.contains("nan") && !lower.contains("inf"), "{text}");
    }
}

#[test]
fn a_test_that_has_decided_ends_the_match() {
    let found = json(
        "match-sprt",
        &[
            "--a", DEEP, "--b", SHALLOW, "--sprt", "-150,150", "--alpha", "0.45", "--beta", "0.45",
        ],
    );
    assert_eq!(found["end"], "decided");
    assert_eq!(found["sprt"]["decision"], "H1");
    assert!(found["pairs"].as_u64() < Some(4));
}

#[test]
fn games_are_written() {
    for (name, start) in [("games.txt", "f5"), ("games.ggf", "(;GM[Othello]")] {
        let file = scratch("match-games").join(name);
        let path = file.to_str().unwrap();
        let args = ["--a", DEEP, "--b", SHALLOW, "--pairs", "2", "--games", path];
        run("match-games", &args);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            text.lines().filter(|line| line.starts_with(start)).count(),
            4
        );
        let counted = success(&[
            "convert",
            path,
            file.with_extension("obf").to_str().unwrap(),
        ]);
        assert_eq!(counted, "4 read, 4 written, 0 problems\n");
    }
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = scratch("match-mistakes");
    let openings = folder.join("openings.txt");
    std::fs::write(&openings, OPENINGS).unwrap();
    let openings = openings.to_str().unwrap();
    let common = ["match", "--openings", openings, "--b", SHALLOW];
    let complaint = |args: &[&str]| failure(&[&common[..], args].concat());
    let (line, code) = complaint(&["--a", "dept=3"]);
    assert!(line.contains("there is no key \"dept\""), "{line}");
    assert_eq!(code, 2);
    let (line, code) = complaint(&["--a", DEEP, "--pairs", "9"]);
    assert_eq!(
        (line.as_str(), code),
        (
            "kibitz: expected an opening for each of the 9 pairs, found 4\n",
            1
        )
    );
    let (line, _) = complaint(&["--a", DEEP, "--sprt", "5,0"]);
    assert!(line.contains("elo0 < elo1"), "{line}");
    let (line, _) = complaint(&["--a", "weights=missing.weights,depth=1"]);
    assert!(line.contains("cannot read missing.weights"), "{line}");
    std::fs::write(folder.join("bad.txt"), "f5d6\nf5a1\n").unwrap();
    let bad = folder.join("bad.txt");
    let args = [
        "match",
        "--a",
        DEEP,
        "--b",
        SHALLOW,
        "--openings",
        bad.to_str().unwrap(),
    ];
    let (line, _) = failure(&args);
    assert!(
        line.contains("line 2: move 2 (\"a1\") is not legal"),
        "{line}"
    );
}
