//! `kibitz bench`.

use crate::success;
use serde_json::Value;

#[test]
fn json_has_the_fingerprint_and_its_parts() {
    let text = success(&["bench", "--json"]);
    assert_eq!(text.lines().count(), 1);
    let measured: Value = serde_json::from_str(&text).unwrap();
    let rows = measured["positions"].as_array().unwrap();
    let sum: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(measured["nodes"], sum);
    assert_eq!(
        measured["nodes"], measured["fingerprint"],
        "the test of `app` says what to do"
    );
    assert_eq!(measured["threads"], 1);
    assert!(rows.iter().all(|row| row["name"].is_string()));
    assert!(measured["seconds"].is_f64() && measured["nodes_per_second"].is_u64());
}

#[test]
fn another_search_has_another_count_and_no_fingerprint() {
    let nodes = |flags: &[&str]| {
        let text = success(&[&["bench", "--json", "--depth", "8"], flags].concat());
        let measured: Value = serde_json::from_str(&text).unwrap();
        assert!(measured["fingerprint"].is_null());
        let rows = measured["positions"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["depth"] == 8));
        measured["nodes"].as_u64().unwrap()
    };
    let normal = nodes(&[]);
    assert_eq!(nodes(&["--lmr", "normal", "--aspiration-cp", "50"]), normal);
    for other in [
        ["--lmr", "conservative"],
        ["--lmr", "aggressive"],
        ["--aspiration-cp", "6400"],
    ] {
        assert_ne!(nodes(&other), normal, "{other:?}");
    }
    assert!(nodes(&["--no-table"]) > normal);
}
