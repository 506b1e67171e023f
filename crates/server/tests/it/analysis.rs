//! What the engine and the coach say.

use crate::client::Site;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A position with few empty squares, so that searches are short in any build.
const ENDGAME: &str = "d3c5e6f5f6e3c3d2f3c2c4b5d1f2f4g4g3e2f1c6b4g6e1a3c1d7d6e7h6b3a6h3g5a4h5g2h4f7f8h7e8d8h1h2h8g1b2a1";

fn endgame(site: &Site) -> Value {
    site.post(
        "/api/sessions",
        &json!({ "mode": "analyse", "moves": ENDGAME }),
    )
    .ok()
}

#[test]
fn an_analysis_is_watched_finished_and_remembered() {
    let site = Site::new();
    let view = endgame(&site);
    let mut events = site.listen();
    let wish = json!({ "allMoves": true, "node": view["node"] });
    let answer = site.post("/api/sessions/current/analysis", &wish);
    assert_eq!(answer.status, 202);
    let started = answer.json();
    let generation = started["generation"].as_u64().unwrap();
    let done = events.until(|event| {
        event["type"] == "analysis"
            && event["data"]["generation"] == generation
            && event["data"]["status"] == "finished"
    });
    let report = &done["data"]["report"];
    assert_eq!(report["solved"], true);
    assert_eq!(report["label"], "solved");
    let n_legal = view["legal"].as_array().unwrap().len();
    assert_eq!(report["lines"].as_array().unwrap().len(), n_legal);
    let view = site.view();
    let tree = view["tree"].as_array().unwrap();
    let node = tree.iter().find(|it| it["id"] == view["node"]).unwrap();
    assert_eq!(node["value"]["score"], report["score"]);
    assert_eq!(view["analyses"][0]["report"]["score"], report["score"]);
}

#[test]
fn a_report_tells_what_its_search_has_counted() {
    let site = Site::new();
    let wish = json!({ "mode": "analyse", "moves": "f5d6c3d3c4f4" });
    site.post("/api/sessions", &wish).ok();
    for engine in ["alphabeta", "mcts"] {
        let mut events = site.listen();
        let wish = json!({ "depth": 8, "timeMs": 500, "engine": engine });
        let started = site.post("/api/sessions/current/analysis", &wish).json();
        let done = events.until(|event| {
            event["type"] == "analysis"
                && event["data"]["generation"] == started["generation"]
                && event["data"]["status"] == "finished"
        });
        let report = &done["data"]["report"];
        let counted = |name: &str| report["statistics"][name].as_u64();
        assert!(counted("hits") <= counted("probes"), "{report}");
        assert!(counted("replacements") <= counted("stores"), "{report}");
        assert!(counted("fillPermille") <= Some(1_000), "{report}");
        let is_counted = engine == "alphabeta";
        assert_eq!(counted("cutoffs").is_some(), is_counted, "{report}");
        assert_eq!(counted("probes") > Some(0), is_counted, "{report}");
        assert!(counted("boundsUsed") <= counted("hits"), "{report}");
        let source = report["source"].as_str().unwrap();
        assert_eq!(source.contains("MCTS"), !is_counted, "{source}");
    }
}

#[test]
fn a_report_of_another_position_is_never_shown() {
    let site = Site::new();
    site.post(
        "/api/sessions",
        &json!({ "mode": "analyse", "moves": "f5d6c3d3c4f4" }),
    )
    .ok();
    let mut events = site.listen();
    site.post("/api/sessions/current/analysis", &json!({})).ok();
    let mut nodes = HashMap::new();
    let mut greatest = 0;
    // In the order of the stream generations only grow, each belongs to one node, and what it says
    // is about the side to move there.
    let mut check = |event: &Value| {
        let data = &event["data"];
        let (generation, node) = (data["generation"].as_u64(), data["node"].as_u64());
        assert!(
            generation >= Some(greatest),
            "{greatest} came before {event}"
        );
        greatest = generation.unwrap();
        assert_eq!(*nodes.entry(generation).or_insert(node), node);
        if let Some(side) = data["report"]["side"].as_str() {
            let expected = if node.unwrap() % 2 == 0 {
                "black"
            } else {
                "white"
            };
            assert_eq!(side, expected);
        }
    };
    for step in ["previous", "previous", "next", "first", "last", "previous"] {
        events.until(|event| {
            let is_analysis = event["type"] == "analysis";
            if is_analysis {
                check(event);
            }
            is_analysis && event["data"]["report"].is_object()
        });
        site.post("/api/sessions/current/goto", &json!({ "step": step }))
            .ok();
    }
    let stopped = site.delete("/api/sessions/current/analysis").ok();
    let last = stopped["generation"].clone();
    let stopped = events.until(|event| {
        if event["type"] == "analysis" {
            check(event);
        }
        event["type"] == "analysis" && event["data"]["generation"] == last
    });
    assert_eq!(stopped["data"]["status"], "stopped");
    let gone = site.delete("/api/sessions/current/analysis");
    assert_eq!(gone.status, 204);
}

#[test]
fn hints_best_moves_and_values_on_request() {
    let site = Site::new();
    let view = endgame(&site);
    let hint = site.post("/api/sessions/current/hint", &json!({})).ok();
    assert_eq!(hint["node"], view["node"]);
    let best = hint["best"]["move"].as_str().unwrap();
    assert!(hint["text"].as_str().unwrap().starts_with(best));
    let after = site
        .post("/api/sessions/current/best-move", &json!({}))
        .ok();
    let parents: Vec<&Value> = after["tree"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["parent"] == view["node"])
        .collect();
    assert_eq!(parents.len(), 1);
    assert_eq!(parents[0]["value"]["loss"].as_i64().unwrap_or(0), 0);
}

#[test]
fn the_coach_explains_and_shows_overlays() {
    let site = Site::new();
    let view = endgame(&site);
    let node = format!("/api/sessions/current/nodes/{}", view["node"]);
    let why = site.get(&format!("{node}/explain")).ok();
    let best = why["comparison"]["best"]["move"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(why["title"], format!("Why {best}?"));
    assert!(!why["summary"].as_str().unwrap().is_empty());
    let legal = view["legal"].as_array().unwrap();
    let other = legal
        .iter()
        .map(|it| it["move"].as_str().unwrap())
        .find(|it| *it != best);
    let other = other.unwrap();
    let why_not = site.get(&format!("{node}/explain?move={other}")).ok();
    assert_eq!(why_not["title"], format!("Why not {other}?"));
    assert_eq!(why_not["comparison"]["given"]["move"], other);
    assert_eq!(why_not["features"].as_array().unwrap().len(), 16);
    let origin = &why_not["origin"];
    assert_eq!(origin["solved"], why_not["solved"]);
    assert!(origin["source"].as_str().unwrap().starts_with("Kibitz"));
    assert_eq!(
        origin["generation"],
        Value::Null,
        "nothing was shown before"
    );
    // A first look is no other answer where the position is solved.
    let first = site.get(&format!("{node}/explain?move={other}&look=first"));
    let first = first.ok();
    assert_eq!(first["isProvisional"], first["certainty"] != "proven");
    assert_eq!(why_not["isProvisional"], false);
    assert_eq!(first["title"], why_not["title"]);
    let overlays = site.get(&format!("{node}/overlays")).ok();
    assert_eq!(
        overlays["stability"].as_array().unwrap().len(),
        4 + ENDGAME.len() / 2
    );
    assert!(!overlays["parity"].as_array().unwrap().is_empty());
    site.get(&format!("{node}/explain?move=d4"))
        .refused(422, "illegal_move");
    site.get(&format!("{node}/counterfactual?move={other}"))
        .refused(404, "not_found");
}

#[test]
fn a_review_values_every_move_and_can_be_cancelled() {
    let site = Site::new();
    endgame(&site);
    let mut events = site.listen();
    let job = site
        .post("/api/sessions/current/review", &json!({ "depth": 1 }))
        .ok();
    let id = job["id"].as_u64().unwrap();
    let total = job["total"].as_u64().unwrap();
    // A first look at every position, then every move.
    let n_moves = ENDGAME.len() / 2;
    assert_eq!(total as usize, 2 * n_moves + 1);
    let cancelled = site.delete(&format!("/api/jobs/{id}")).ok();
    assert!(["cancelled", "finished"].contains(&cancelled["state"].as_str().unwrap()));
    site.post("/api/sessions/current/review", &json!({ "depth": 1 }))
        .ok();
    let done = events.until(|event| event["type"] == "job" && event["data"]["state"] == "finished");
    assert_eq!(done["data"]["done"], total);
    let review = site.get("/api/sessions/current/review").ok();
    assert_eq!(review["isComplete"], true);
    assert_eq!(review["moves"].as_array().unwrap().len(), n_moves);
    assert_eq!(review["graph"].as_array().unwrap().len(), n_moves + 1);
    let judged = review["graph"].as_array().unwrap().iter();
    assert!(judged.clone().all(|point| point["isJudged"] == true));
    assert_eq!(review["summary"].as_array().unwrap().len(), 3);
    let n_of = |side: &str| review[side]["moves"].as_u64().unwrap();
    assert_eq!(n_of("black") + n_of("white"), n_moves as u64);
    let view = site.view();
    assert!(
        view["tree"]
            .as_array()
            .unwrap()
            .iter()
            .all(|node| node["value"].is_object())
    );
    site.post("/api/sessions/current/review", &json!({ "depth": 0 }))
        .refused(422, "invalid");
}

#[test]
fn shutting_down_says_goodbye_and_saves() {
    let mut site = Site::new();
    let view = endgame(&site);
    let mut events = site.listen();
    site.post("/api/sessions/current/analysis", &json!({ "lines": 3 }))
        .ok();
    site.stop();
    events.until(|event| event["type"] == "bye");
    assert_eq!(events.next(), None);
    site.start();
    assert_eq!(site.view()["position"], view["position"]);
}

#[test]
fn a_reason_speaks_of_the_report_that_was_shown() {
    let site = Site::new();
    let moves = "f5d6c3d3c4f4c5b3c2e3d2c6";
    let game = json!({ "mode": "analyse", "moves": moves });
    let view = site.post("/api/sessions", &game).ok();
    let node = view["node"].as_u64().unwrap();
    let mut events = site.listen();
    // As deep as a verdict must be.
    let wish = json!({ "allMoves": true, "depth": 16 });
    site.post("/api/sessions/current/analysis", &wish).ok();
    let done =
        events.until(|event| event["type"] == "analysis" && event["data"]["status"] == "finished");
    let report = &done["data"]["report"];
    assert_eq!(report["depth"], 16);
    let lines = report["lines"].as_array().unwrap();
    let score_of = |action: &Value| {
        let line = lines.iter().find(|line| line["move"] == *action);
        line.unwrap()["score"].clone()
    };
    for (i, line) in lines.iter().enumerate() {
        let action = line["move"].as_str().unwrap();
        let asked = format!("/api/sessions/current/nodes/{node}/explain?move={action}");
        let explanation = site.get(&asked).ok();
        assert_eq!(explanation["label"], "depth 16");
        let comparison = &explanation["comparison"];
        assert_eq!(comparison["best"]["move"], lines[0]["move"]);
        assert_eq!(comparison["best"]["score"], lines[0]["score"]);
        let given = &comparison["given"];
        assert_eq!(given["score"], score_of(&given["move"]));
        if i > 0 {
            assert_eq!(given["move"], action);
        }
        // Everything is of the two compared moves, and of the report on the screen.
        let loss = lines[0]["score"].as_i64().unwrap() - given["score"].as_i64().unwrap();
        assert_eq!(comparison["loss"], loss);
        let origin = &explanation["origin"];
        assert_eq!(origin["generation"], done["data"]["generation"]);
        assert_eq!(origin["depth"], report["depth"]);
        assert_eq!(origin["nodes"], report["nodes"]);
        assert_eq!(origin["solved"], report["solved"]);
    }
    // It is still on the screen when it has been stopped.
    site.delete("/api/sessions/current/analysis").ok();
    let asked = format!("/api/sessions/current/nodes/{node}/explain");
    assert_eq!(site.get(&asked).ok()["label"], "depth 16");
}
