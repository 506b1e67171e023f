//! `kibitz perft`.

use crate::{failure, success};
use expect_test::expect;

/// The line without its seconds, which must be there.
fn without_seconds(json: &str) -> String {
    let (head, seconds) = json.split_once(",\"seconds\":").expect("seconds");
    let digits = seconds.trim_end().trim_end_matches('}');
    assert!(digits.parse::<f64>().expect("a number") >= 0.0);
    head.to_owned()
}

#[test]
fn json_is_one_line_with_depth_nodes_and_seconds() {
    for generator in ["fast", "reference"] {
        let text = success(&["perft", "--depth", "6", "--json", "--generator", generator]);
        assert_eq!(without_seconds(&text), r#"{"depth":6,"nodes":8200"#);
        assert!(text.ends_with("}\n") && text.lines().count() == 1);
    }
}

#[test]
fn the_table_has_a_row_for_each_depth() {
    let text = success(&["perft", "--depth", "8"]);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().take(2).collect())
        .collect();
    let nodes = ["4", "12", "56", "244", "1396", "8200", "55092", "390216"];
    let depths = ["1", "2", "3", "4", "5", "6", "7", "8"];
    assert_eq!(rows.len(), nodes.len());
    for (row, expected) in rows.iter().zip(depths.into_iter().zip(nodes)) {
        assert_eq!((row[0], row[1]), expected);
    }
    let widths: Vec<usize> = text.lines().map(str::len).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
}

#[test]
fn divide_shows_each_first_move() {
    let text = success(&["perft", "--depth", "5", "--position", "f5d6", "--divide"]);
    expect![[r#"
        c3   932
        c4  1220
        c5   955
        c6   512
        c7  1044
        total 4663
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_position_may_be_a_board_that_starts_with_hyphens() {
    let board = "---------------------------OX------XO--------------------------- X";
    let text = success(&["perft", "--depth", "4", "--json", "--position", board]);
    assert_eq!(without_seconds(&text), r#"{"depth":4,"nodes":244"#);
}

#[test]
fn nothing_to_count_is_one() {
    let over = "e6f4e3f6g5d6e7f5c5";
    for extra in [&[][..], &["--divide"][..]] {
        let args = [
            &["perft", "--depth", "3", "--json", "--position", over],
            extra,
        ]
        .concat();
        assert!(success(&args).starts_with(r#"{"depth":3,"nodes":1,"#));
    }
    let text = success(&["perft", "--depth", "0", "--json"]);
    assert_eq!(without_seconds(&text), r#"{"depth":0,"nodes":1"#);
}

#[test]
fn wrong_arguments_are_told_in_one_line() {
    let (line, code) = failure(&["perft", "--depth", "x"]);
    expect![[r#"
        kibitz: invalid value 'x' for '--depth <N>': invalid digit found in string; see kibitz --help
    "#]].assert_eq(&line);
    assert_eq!(code, 2);
    let (line, code) = failure(&["perft"]);
    expect![[r#"
        kibitz: the following required arguments were not provided: --depth <N>; see kibitz --help
    "#]]
    .assert_eq(&line);
    assert_eq!(code, 2);
    let (line, code) = failure(&["perft", "--depth", "3", "--position", "f4"]);
    expect![[r#"
        kibitz: move 1 ("f4") is not legal for Black; legal: d3 c4 f5 e6
    "#]]
    .assert_eq(&line);
    assert_eq!(code, 1);
}

/// The digest of the recorded counts stands here once more, so that it cannot change unnoticed.
const PACK_SHA256: &str = "358970153e9af1b0614de6634d9f6ba8e685e2373270ba52fab514272958bb92";

#[test]
fn the_pack_is_counted_by_both_generators_and_hashed() {
    let text = success(&["perft", "--pack"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 * 12 + 2, "{text}");
    assert!(lines[0].ends_with("X  the start"), "{text}");
    assert_eq!(lines[1], "  4 12 56 244 1396 8200");
    assert_eq!(lines[24], format!("sha256 {PACK_SHA256}"));
    assert_eq!(
        lines[25],
        "12 positions: both generators agree with the record"
    );

    let json = success(&["perft", "--pack", "--json"]);
    assert_eq!(json.lines().count(), 1);
    let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(answer["sha256"], PACK_SHA256);
    assert_eq!(answer["positions"].as_array().map(Vec::len), Some(12));
    assert_eq!(answer["positions"][0]["nodes"][5], 8200);
}

#[test]
fn the_pack_takes_no_position_of_its_own() {
    let (line, code) = failure(&["perft", "--pack", "--depth", "3"]);
    expect![[r#"
        kibitz: the argument '--pack' cannot be used with '--depth <N>'; see kibitz --help
    "#]]
    .assert_eq(&line);
    assert_eq!(code, 2);
}
