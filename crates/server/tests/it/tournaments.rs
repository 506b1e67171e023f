//! Tournaments through the door: begun, watched, paused, stopped, resumed, opened, written to files.

#![expect(
    clippy::disallowed_methods,
    reason = "games take real time, and the tournament is asked until they are over"
)]

use crate::client::Site;
use serde_json::{Value, json};
use std::time::Duration;

fn wish(rounds: u32) -> Value {
    json!({
        "name": "Bots",
        "game": "othello",
        "format": "round-robin",
        "rounds": rounds,
        "games": 2,
        "seeds": 1,
        "seed": 3,
        "concurrency": 2,
        "engines": [
            { "name": "Greedy", "level": "greedy" },
            { "name": "Corners", "level": "corner_lover" },
        ],
    })
}

fn begin(site: &Site, rounds: u32) -> Value {
    let begun = site.post("/api/tournaments", &wish(rounds));
    assert_eq!(begun.status, 201, "{begun:?}");
    begun.json()
}

/// Asks until the tournament is in this state.
fn wait(site: &Site, id: u64, state: &str) -> Value {
    loop {
        let view = site.get(&format!("/api/tournaments/{id}")).ok();
        if view["summary"]["state"] == state {
            return view;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_tournament_is_played_and_its_games_are_opened_and_exported() {
    let site = Site::new();
    let begun = begin(&site, 3);
    assert_eq!(begun["summary"]["id"], 1);
    assert_eq!(begun["summary"]["engines"], json!(["Greedy", "Corners"]));
    let done = wait(&site, 1, "finished");
    assert_eq!(done["summary"]["games"], 6);
    let points: f64 = done["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .sum();
    assert!((points - 6.0).abs() < 1e-9, "{done}");
    assert_eq!(done["crosstable"][0][1]["games"], 6);
    assert_eq!(done["job"], Value::Null);
    let listed = site.get("/api/tournaments").ok();
    assert_eq!(listed[0]["state"], "finished");
    let boards = site.get("/api/tournaments/1/boards").ok();
    assert_eq!(boards["boards"], json!([]));

    let games = site.get("/api/tournaments/1/games?a=0&b=1&count=2").ok();
    assert_eq!(games["total"], 6);
    assert_eq!(games["games"].as_array().unwrap().len(), 2);
    let view = site
        .post("/api/tournaments/1/games/0/1/open", &json!({}))
        .ok();
    assert_eq!(view["mode"], "analyse");
    assert!(view["title"].as_str().unwrap().contains("Bots"), "{view}");
    let again = site
        .post("/api/tournaments/1/games/0/1/open", &json!({}))
        .ok();
    assert_eq!(again["id"], view["id"], "opened once");

    let export = |format: &str| {
        let path = format!("/api/tournaments/1/export?format={format}");
        let answer = site.get(&path);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    };
    assert_eq!(export("ggf").matches("GM[Othello]").count(), 6);
    assert_eq!(export("transcript").lines().count(), 6);
    assert!(export("csv").starts_with("place,engine,games,points"));
    assert!(export("html").contains("<h2>Crosstable</h2>"));
    let whole: Value = serde_json::from_str(&export("json")).unwrap();
    assert_eq!(whole["games"].as_array().unwrap().len(), 6);
}

#[test]
fn it_can_be_paused_stopped_and_resumed_after_a_restart() {
    let mut site = Site::new();
    begin(&site, 400);
    let job = loop {
        let view = site.get("/api/tournaments/1").ok();
        if view["summary"]["pairs"].as_u64().unwrap() > 0 {
            break view["job"]["id"].as_u64().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let boards = site.get("/api/tournaments/1/boards").ok();
    assert!(boards["boards"].as_array().unwrap().len() <= 2);
    // By the list of running work as well as by its own address.
    site.post(&format!("/api/jobs/{job}/pause"), &json!({}))
        .ok();
    assert_eq!(wait(&site, 1, "paused")["job"]["state"], "paused");
    site.post("/api/tournaments/1/resume", &json!({})).ok();
    wait(&site, 1, "running");
    site.post("/api/tournaments/1/stop", &json!({})).ok();
    let stopped = wait(&site, 1, "stopped");
    let pairs = stopped["summary"]["pairs"].as_u64().unwrap();
    assert!(pairs > 0 && pairs < 400, "{pairs}");
    site.post("/api/tournaments/1/stop", &json!({}))
        .refused(409, "conflict");

    site.post("/api/tournaments/1/resume", &json!({})).ok();
    site.stop();
    site.start();
    let kept = wait(&site, 1, "stopped");
    assert!(kept["summary"]["pairs"].as_u64().unwrap() >= pairs);
    site.post("/api/tournaments/1/resume", &json!({})).ok();
    site.post("/api/tournaments/1/stop", &json!({ "atOnce": true }))
        .ok();
    let view = wait(&site, 1, "stopped");
    let texts = view["incidents"].to_string();
    assert!(texts.contains("nothing was lost"), "{texts}");
}

#[test]
fn what_cannot_be_played_is_refused_with_a_reason() {
    let site = Site::new();
    let refused = |change: &dyn Fn(&mut Value), what: &str| {
        let mut wish = wish(1);
        change(&mut wish);
        let message = site.post("/api/tournaments", &wish).refused(422, "invalid");
        assert!(message.contains(what), "{message}");
    };
    refused(&|it| it["engines"] = json!([]), "two players at least");
    refused(&|it| it["engines"][1]["name"] = json!("Greedy"), "called");
    refused(&|it| it["engines"][1]["level"] = json!("nobody"), "nobody");
    refused(&|it| it["time"] = json!("soon"), "not a time control");
    refused(
        &|it| it["openings"] = json!({ "file": "/there/is/nothing.txt" }),
        "nothing.txt",
    );
    refused(&|it| it["rounds"] = json!(0), "at least one round");
    refused(&|it| it["name"] = json!("x".repeat(101)), "100 characters");
    refused(
        &|it| it["tables"] = json!({ "folder": "/tables" }),
        "for chess",
    );
    site.post("/api/tournaments", &json!({ "name": "x" }))
        .refused(400, "malformed");
    site.get("/api/tournaments/7")
        .refused(404, "no_such_tournament");
    site.get("/api/tournaments/7/boards")
        .refused(404, "no_such_tournament");
    site.get("/api/tournaments/x").refused(400, "malformed");
    assert_eq!(site.get("/api/tournaments").ok(), json!([]));
}
