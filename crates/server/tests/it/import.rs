//! Games from outside.

use crate::client::{Answer, Site};
use serde_json::json;

const BOARD: &str = "---------------------------OX------XO--------------------------- X";

fn import(site: &Site, name: Option<&str>, bytes: &[u8]) -> Answer {
    let query = name.map_or_else(String::new, |name| format!("?name={name}"));
    site.raw(&format!("POST /api/import{query}"), &site.honest(), bytes)
}

/// A WTHOR file with one game of two moves.
fn wthor() -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 15, 1, 0, 0, 0, 0, 0, 0xea, 0x07, 8, 0, 24, 0];
    // Tournament, black, white, real score, theoretical score.
    bytes.extend([0, 0, 0, 0, 0, 0, 32, 32]);
    let mut moves = [0u8; 60];
    // f5 and d6 as row and column.
    moves[..2].copy_from_slice(&[56, 64]);
    bytes.extend(moves);
    bytes
}

#[test]
fn every_notation_is_recognised_and_opened() {
    let site = Site::new();
    let ggf = format!(
        "(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 {} *]B[F5]W[D6];)",
        BOARD.replace('X', "*").trim_end_matches(" *")
    );
    let obf = format!("{BOARD}; F5:+1; D3:+0; % from a book");
    for (bytes, name, format, plies) in [
        (b"f5d6c3".to_vec(), None, "transcripts", 3),
        (b"f5 d6 c3\n".to_vec(), Some("game.txt"), "transcripts", 3),
        (BOARD.as_bytes().to_vec(), None, "board strings", 0),
        (obf.into_bytes(), None, "OBF", 0),
        (ggf.into_bytes(), None, "GGF", 2),
        (wthor(), None, "WTHOR games", 2),
        (wthor(), Some("WTH_2026.wtb"), "WTHOR games", 2),
    ] {
        let found = import(&site, name, &bytes).ok();
        assert_eq!(found["format"], format);
        assert_eq!(
            (&found["total"], &found["nProblems"]),
            (&json!(1), &json!(0)),
            "{format}"
        );
        assert_eq!(found["games"][0]["plies"], plies, "{format}");
        let wish = json!({ "import": found["id"], "game": 0, "mode": "analyse" });
        let view = site.post("/api/sessions", &wish).ok();
        let node = view["tree"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["id"] == view["node"]);
        assert_eq!(node.unwrap()["ply"], plies, "{format}");
    }
}

#[test]
fn names_come_along_and_go_out_again() {
    let site = Site::new();
    let ggf = "(;GM[Othello]PC[Club]DT[2026]PB[Ann]PW[Bob]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    let found = import(&site, None, ggf.as_bytes()).ok();
    assert_eq!(found["games"][0]["title"], "Ann – Bob, Club, 2026");
    let view = site
        .post(
            "/api/sessions",
            &json!({ "import": found["id"], "mode": "analyse" }),
        )
        .ok();
    assert_eq!(
        view["players"]["black"],
        json!({ "kind": "recorded", "name": "Ann" })
    );
    let exported = site.get("/api/sessions/current/export?format=ggf").ok();
    let text = exported["text"].as_str().unwrap();
    assert!(
        text.contains("PB[Ann]PW[Bob]") && text.contains("B[F5]W[D6]"),
        "{text}"
    );
    assert!(exported["fileName"].as_str().unwrap().ends_with(".ggf"));
    let board = site.get("/api/sessions/current/export?format=board").ok();
    assert_eq!(board["text"].as_str().unwrap().trim().len(), 66);
    site.get("/api/sessions/current/export?format=obf").ok();
}

#[test]
fn one_bad_game_does_not_cost_the_others() {
    let site = Site::new();
    let found = import(&site, None, b"f5d6c3\nf5a1\nf5f6\n").ok();
    assert_eq!(
        (&found["total"], &found["nProblems"]),
        (&json!(3), &json!(1))
    );
    let problem = &found["problems"][0];
    assert_eq!(problem["line"], 2);
    assert_eq!(problem["column"], 3);
    let message = problem["message"].as_str().unwrap();
    assert!(
        message.contains("is not legal for White; legal: f4 d6 f6"),
        "{message}"
    );
    // Of the bad game the moves before the wrong one are kept.
    for (game, last) in [(1, "f5"), (2, "f6")] {
        let wish = json!({ "import": found["id"], "game": game, "mode": "analyse" });
        let view = site.post("/api/sessions", &wish).ok();
        assert_eq!(view["lastMove"]["move"], last);
    }
    let wish = json!({ "import": found["id"], "game": 3 });
    site.post("/api/sessions", &wish)
        .refused(404, "no_such_import");
    site.post("/api/sessions", &json!({ "import": "i99" }))
        .refused(404, "no_such_import");
}

#[test]
fn what_is_nothing_is_told() {
    let site = Site::new();
    import(&site, None, b"").refused(422, "unreadable");
    let message = import(&site, None, b"hello world").refused(422, "unreadable");
    assert!(
        message.starts_with("read as transcripts, this has no game: line 1"),
        "{message}"
    );
    import(&site, Some("x.wtb"), b"too short").refused(422, "unreadable");
    import(&site, None, &[0xff; 300]).refused(422, "unreadable");
    let long = vec![b'x'; (32 << 20) + 1];
    import(&site, None, &long).refused(413, "too_large");
    assert_eq!(site.view()["tree"].as_array().unwrap().len(), 1);
}
