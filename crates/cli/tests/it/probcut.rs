//! `kibitz train probcut`.

use crate::{failure, scratch, success};
use serde_json::Value;
use std::fs;

/// A file of shallow self-play games, and its name.
fn games(name: &str) -> String {
    let file = scratch("probcut").join(name);
    // A file of an earlier build would be continued, whatever its format.
    fs::remove_file(&file).ok();
    let path = file.to_str().expect("the name is UTF-8").to_owned();
    let shallow = ["--depth", "1", "--exact", "2", "--hash-mb", "1"];
    let common = ["selfplay", "--games", "40", "--out", &path];
    success(&[&common[..], &shallow].concat());
    path
}

#[test]
fn predictions_are_measured_and_described() {
    let (games, model) = (games("json.games"), scratch("probcut").join("model.toml"));
    let plan = [
        "--empties",
        "6-17",
        "--deep",
        "4",
        "--exact",
        "7",
        "--positions",
        "60",
    ];
    let out = ["--out", model.to_str().unwrap(), "--json"];
    let text = success(&[&["train", "probcut", &games][..], &plan, &out].concat());
    let found: Value = serde_json::from_str(&text).unwrap();
    // Bands of 4 to 7, 8 to 11, 12 to 15 and 16 to 19.
    assert_eq!(found["positions"], 4 * 60);
    let cells = found["cells"].as_array().unwrap();
    for cell in cells {
        assert!(cell["sigma"].as_f64().unwrap() > 0.0, "{cell}");
        let correlation = cell["correlation"].as_f64().unwrap();
        assert!((-1.0..=1.0).contains(&correlation), "{cell}");
    }
    let is = |cell: &Value, shallow: u32, deep: f64| {
        cell["end"] == false && cell["shallow"] == shallow && cell["deep"] == deep
    };
    let count = |shallow, deep| cells.iter().filter(|cell| is(cell, shallow, deep)).count();
    assert_eq!((count(0, 2.0), count(1, 3.0), count(2, 4.0)), (4, 4, 4));
    assert_eq!(count(1, 2.0), 0, "only depths of the same parity");
    assert!(cells.iter().any(|cell| cell["end"] == true));
    assert_eq!(found["midgame"]["curve"].as_array().unwrap().len(), 3);
    let toml = fs::read_to_string(&model).unwrap();
    assert!(toml.contains("\n[midgame]\nmix = ["), "{toml}");
}

#[test]
fn people_get_a_table_and_constants() {
    let games = games("text.games");
    let plan = [
        "--empties",
        "12-19",
        "--deep",
        "4",
        "--exact",
        "0",
        "--positions",
        "60",
    ];
    let text = success(&[&["train", "probcut", &games][..], &plan].concat());
    assert!(
        text.starts_with("120 positions; values in discs\nempties shallow"),
        "{text}"
    );
    assert!(text.contains("const SIGMA_MIDGAME: [f32; 6] = ["), "{text}");
    assert!(!text.contains("SIGMA_END"), "nothing was solved");
    assert!(!text.to_lowercase().contains("nan"), "{text}");
}

#[test]
fn mistakes_are_told_in_one_line() {
    let games = games("mistakes.games");
    let (line, code) = failure(&["train", "probcut", &games, "--empties", "0"]);
    let expected = "kibitz: there are no positions with 0 to 0 empty squares\n";
    assert_eq!((line.as_str(), code), (expected, 1));
    let foreign = scratch("probcut").join("foreign");
    fs::write(&foreign, "something else").unwrap();
    let (line, _) = failure(&["train", "probcut", foreign.to_str().unwrap()]);
    assert!(
        line.contains("neither a folder of WTHOR games (*.wtb), nor"),
        "{line}"
    );
}
