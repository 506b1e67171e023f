//! `kibitz levels`, and levels by name wherever one is asked for.

use crate::{failure, piped, scratch, success};
use serde_json::Value;

fn levels() -> Vec<Value> {
    let text = success(&["levels", "--json"]);
    assert_eq!(text.lines().count(), 1);
    let found: Value = serde_json::from_str(&text).expect("it is JSON");
    found["levels"].as_array().expect("a list").clone()
}

fn names() -> Vec<String> {
    let name = |level: &Value| level["name"].as_str().expect("a name").to_owned();
    levels().iter().map(name).collect()
}

#[test]
fn every_level_is_listed_weakest_first_with_its_rating() {
    let levels = levels();
    let ratings: Vec<i64> = levels
        .iter()
        .map(|level| {
            let number = |key: &str| level[key].as_i64().unwrap_or_else(|| panic!("{level}"));
            assert!(number("low") < number("rating") && number("rating") < number("high"));
            assert!(number("games") > 0);
            assert!(level["weakness"].as_str().unwrap().ends_with('.'));
            number("rating")
        })
        .collect();
    assert!(ratings.is_sorted(), "{ratings:?}");
    let text = success(&["levels"]);
    for name in names() {
        assert!(text.contains(&format!("\n{name} ")), "{name}");
    }
}

#[test]
fn any_level_plays_by_name() {
    for name in names() {
        let run = piped(&["play", "--level", &name, "--ascii"], b"quit\n");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.starts_with(&format!("Level {name}, ")));
    }
    let run = piped(
        &["gtp", "--level", "Corner-Lover", "--seed", "3"],
        b"genmove b\nquit\n",
    );
    assert!(run.stdout.starts_with("= "), "{}", run.stdout);
    let run = piped(
        &["nboard", "--level", "first_day"],
        b"nboard 2\nset depth 2\ngo\nquit\n",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn an_unknown_level_lists_the_known_ones() {
    let openings = scratch("levels").join("openings.txt");
    std::fs::write(&openings, "f5d6c3\n").expect("the folder is ours");
    let path = openings.to_str().expect("the name is UTF-8");
    for args in [
        &["play", "--level", "nobody"][..],
        &["gtp", "--level", "nobody"],
        &["nboard", "--level", "nobody"],
        &[
            "match",
            "--a",
            "level=nobody",
            "--b",
            "depth=1",
            "--openings",
            path,
        ],
    ] {
        let (message, _) = failure(args);
        for name in ["nobody", "first_day", "elo_400", "corner_lover", "full"] {
            assert!(message.contains(name), "{name} is missing in {message}");
        }
    }
}

#[test]
fn a_measurement_goes_on_where_it_stopped() {
    let file = scratch("levels").join("results.tsv");
    let path = file.to_str().expect("the name is UTF-8");
    // All matches of the bots are known but one.
    let bots = "greedy\trandom\t6\t0\t4\nmobility\tgreedy\t6\t0\t4\n\
                corner_lover\trandom\t9\t0\t1\nmobility\tcorner_lover\t3\t0\t7\n\
                corner_lover\tgreedy\t8\t0\t2\n";
    std::fs::write(&file, bots).expect("the folder is ours");
    let flags = ["levels", "--measure", path, "--pairs", "2", "--only"];
    let text = success(
        &[
            &flags[..],
            &["random,greedy,corner-lover,mobility", "--json"],
        ]
        .concat(),
    );
    let found: Value = serde_json::from_str(&text).expect("it is JSON");
    let of = |name: &str| {
        let levels = found["levels"].as_array().expect("a list");
        levels
            .iter()
            .find(|it| it["name"] == name)
            .expect("it is listed")
            .clone()
    };
    assert_eq!(of("mobility")["games"], 24);
    assert_eq!(of("elo_400")["rating"], Value::Null, "not measured");
    let written = std::fs::read_to_string(&file).expect("it is there");
    assert!(written.contains("greedy\trandom\t6\t0\t4\n"), "{written}");
    assert!(written.contains("mobility\trandom\t"), "{written}");
    std::fs::write(&file, "greedy\trandom\t6\n").expect("the folder is ours");
    let (message, _) = failure(&["levels", "--measure", path]);
    assert!(
        message.contains("results.tsv: line 1: expected wins"),
        "{message}"
    );
}
