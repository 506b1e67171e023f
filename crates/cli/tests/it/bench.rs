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
