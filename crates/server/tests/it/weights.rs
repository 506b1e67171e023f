//! Weights that the user chooses, the two searches, the self-test and the diagnostics.

use crate::client::Site;
use serde_json::json;

const CLASSIC: &str = r#"{"mobility": 900, "psqt": 0, "frontier": 0, "parity": 0, "corners": 0,
    "corner_closeness": 0}"#;

#[test]
fn chosen_weights_are_checked_used_shown_and_kept() {
    let mut site = Site::new();
    let in_use = |site: &Site| site.get("/api/about").ok()["weights"].clone();
    assert_eq!(in_use(&site)["name"], "pattern:shipped");
    std::fs::write(site.home().join("mine.json"), CLASSIC).unwrap();
    let change = |site: &Site, engine: serde_json::Value| {
        site.send("PUT", "/api/settings", &json!({ "engine": engine }))
    };
    // JSON is no file of patterns: refused with a sentence, and the old ones stay in use.
    let refused = change(&site, json!({ "weights": "mine.json" }));
    let message = refused.refused(422, "invalid");
    assert!(
        message.contains("mine.json: not a weights file"),
        "{message}"
    );
    assert_eq!(in_use(&site)["name"], "pattern:shipped");
    assert_eq!(site.get("/api/settings").ok()["engine"]["weights"], "");
    let wish = json!({ "evaluator": "classic", "weights": "mine.json", "lmr": "aggressive" });
    let changed = change(&site, wish).ok();
    assert_eq!(changed["engine"]["evaluator"], "classic");
    assert_eq!(changed["engine"]["lmr"], "aggressive");
    let used = in_use(&site);
    let name = used["name"].as_str().unwrap();
    assert!(name.starts_with("classic:mine.json#"), "{name}");
    assert!(name.ends_with(used["checksum"].as_str().unwrap()), "{name}");
    // What is found from now on says so.
    site.post("/api/sessions", &json!({ "moves": "f5" })).ok();
    let hint = site.post("/api/sessions/current/hint", &json!({})).ok();
    let source = hint["report"]["source"].as_str().unwrap();
    assert!(source.ends_with(&format!("({name})")), "{source}");
    site.stop();
    site.start();
    assert_eq!(in_use(&site), used, "the next run uses them, too");
}

#[test]
fn weights_that_have_gone_are_replaced_by_the_shipped_ones() {
    let site = Site::with_config(
        "[engine]\nevaluator = \"classic\"\nweights = \"gone.json\"\n[api]\nrate_limit_rps = 100000\n",
    );
    let about = site.get("/api/about").ok();
    assert_eq!(about["weights"]["name"], "classic:shipped");
}

#[test]
fn an_analysis_can_be_asked_of_the_monte_carlo_search() {
    let site = Site::new();
    let game = json!({ "mode": "analyse", "moves": "f5d6c3" });
    site.post("/api/sessions", &game).ok();
    let mut events = site.listen();
    let wish = json!({ "engine": "mcts", "lines": 2 });
    let started = site.post("/api/sessions/current/analysis", &wish).ok();
    let done = events.until(|event| {
        event["type"] == "analysis"
            && event["data"]["generation"] == started["generation"]
            && event["data"]["status"] == "finished"
    });
    let source = done["data"]["report"]["source"].as_str().unwrap();
    assert!(source.starts_with("Kibitz MCTS "), "{source}");
    let wish = json!({ "engine": "oracle" });
    let refused = site.post("/api/sessions/current/analysis", &wish);
    let message = refused.refused(422, "invalid");
    assert!(message.contains("oracle"), "{message}");
}

#[test]
fn a_game_is_played_by_the_engine_that_was_chosen_within_the_time_that_was_chosen() {
    // From a book nothing is searched.
    let mut site = Site::with_config(
        "[engine]\nbook = false\n[play]\nshow_values = true\n[api]\nrate_limit_rps = 100000\n",
    );
    let plain = site.post("/api/sessions", &json!({})).ok();
    assert_eq!(plain["engine"], "alphabeta");
    assert_eq!(plain["moveMs"], serde_json::Value::Null);
    let mut events = site.listen();
    let wish = json!({ "level": "max", "people": "white", "engine": "mcts", "moveMs": 300 });
    let begun = site.post("/api/sessions", &wish).ok();
    let found = events.until(|event| {
        event["type"] == "thinking"
            && event["data"]["session"] == begun["id"]
            && !event["data"]["report"].is_null()
    });
    let source = found["data"]["report"]["source"].as_str().unwrap();
    assert!(source.starts_with("Kibitz MCTS "), "{source}");
    events.until(|event| event["type"] == "session" && event["data"]["awaiting"] == "human");
    site.stop();
    site.start();
    let view = site.view();
    assert_eq!(
        (&view["engine"], &view["moveMs"]),
        (&json!("mcts"), &json!(300))
    );
    assert_eq!(view["clock"], serde_json::Value::Null);
    for (wish, status) in [
        (json!({ "engine": "oracle" }), 400),
        (json!({ "moveMs": 1 }), 422),
        (json!({ "moveMs": 10_000_000 }), 422),
    ] {
        let refused = site.post("/api/sessions", &wish);
        assert_eq!(refused.status, status, "{refused:?}");
    }
}

#[test]
fn the_self_test_and_the_bundle_come_over_the_wire() {
    let site = Site::new();
    let tested = site.get("/api/self-test").ok();
    assert_eq!(tested["ok"], true, "{tested}");
    assert_eq!(tested["checks"].as_array().unwrap().len(), 4);
    let bundle = site.get("/api/diag");
    assert_eq!(bundle.status, 200);
    assert_eq!(bundle.header("content-type"), Some("application/zip"));
    assert!(bundle.body.starts_with("PK"), "{bundle:.100?}");
    assert!(bundle.body.contains("replay.sh"));
}

/// The start position, in which a book may say c4.
const BOOK: &str = r#"{"42d09a77fb4dec28": [3, 2]}"#;

#[test]
fn the_book_is_chosen_and_its_moves_are_marked_where_values_are_shown() {
    let site = Site::new();
    let choose = |book: serde_json::Value| {
        let change = json!({ "engine": { "book": book } });
        site.send("PUT", "/api/settings", &change)
    };
    let marked = |mode: &str| {
        let view = site.post("/api/sessions", &json!({ "mode": mode })).ok();
        view["book"].clone()
    };
    assert_eq!(site.get("/api/settings").ok()["engine"]["book"], true);
    assert_eq!(marked("play"), json!([]), "values are hidden");
    assert_eq!(marked("analyse").as_array().unwrap().len(), 4);
    choose(json!(false)).ok();
    assert_eq!(marked("analyse"), json!([]));
    // A file with nothing to play is refused, and what was chosen stays.
    let file = site.home().join("mine.json");
    std::fs::write(&file, r#"{"zz": [0, 0]}"#).unwrap();
    let message = choose(json!("mine.json")).refused(422, "invalid");
    assert!(message.contains("mine.json: book entry"), "{message}");
    assert_eq!(site.get("/api/settings").ok()["engine"]["book"], false);
    std::fs::write(&file, BOOK).unwrap();
    let changed = choose(json!("mine.json")).ok();
    assert_eq!(changed["engine"]["book"], "mine.json");
    assert_eq!(marked("analyse"), json!(["c4"]));
    // A strong level plays it, also after the user has replaced the file.
    let mut events = site.listen();
    let mut first_move = || {
        let wish = json!({ "level": "elo_2000", "people": "white" });
        let begun = site.post("/api/sessions", &wish).ok();
        let mut told = Vec::new();
        let moved = events.until(|event| {
            told.extend(event["data"]["message"].as_str().map(str::to_owned));
            let data = &event["data"];
            let is_this = event["type"] == "session" && data["id"] == begun["id"];
            is_this && data["lastMove"].is_object()
        });
        (moved["data"]["lastMove"]["move"].clone(), told.concat())
    };
    assert_eq!(first_move().0, "c4");
    std::fs::write(&file, BOOK.replace("[3, 2]", r#"[{ "move": "d3" }]"#)).unwrap();
    let (played, told) = first_move();
    assert_eq!(played, "d3");
    assert!(
        told.contains("The book has changed and is in use"),
        "{told}"
    );
    std::fs::write(&file, "no book").unwrap();
    let (played, told) = first_move();
    assert_eq!(played, "d3");
    assert!(told.contains("The one before stays."), "{told}");
}

#[test]
fn a_weights_file_that_is_replaced_while_the_server_runs_is_checked_and_used() {
    let site = Site::new();
    let file = site.home().join("mine.json");
    std::fs::write(&file, CLASSIC).unwrap();
    let wish = json!({ "engine": { "evaluator": "classic", "weights": "mine.json" } });
    site.send("PUT", "/api/settings", &wish).ok();
    site.post("/api/sessions", &json!({ "moves": "f5" })).ok();
    let mut events = site.listen();
    let mut notice = |text: &str| {
        events.until(|event| {
            let message = event["data"]["message"].as_str();
            event["type"] == "notice" && message.is_some_and(|it| it.contains(text))
        })
    };
    let source = || {
        let hint = site.post("/api/sessions/current/hint", &json!({})).ok();
        hint["report"]["source"].as_str().unwrap().to_owned()
    };
    let first = source();
    // Damage is told, and what was in use stays.
    std::fs::write(&file, "{\"mobility\": ").unwrap();
    assert_eq!(source(), first);
    let told = notice("stays in use");
    assert_eq!(told["data"]["level"], "warning", "{told}");
    assert_eq!(source(), first);
    std::fs::write(&file, CLASSIC.replace("900", "1000")).unwrap();
    let second = source();
    assert_ne!(second, first);
    assert!(second.contains("(classic:mine.json#"), "{second}");
    notice("is in use now");
    let about = site.get("/api/about").ok();
    assert!(second.contains(about["weights"]["name"].as_str().unwrap()));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(source(), second);
    notice("cannot read");
}
