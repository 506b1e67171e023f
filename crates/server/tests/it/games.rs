//! Playing, walking, editing, and what survives.

use crate::client::Site;
use serde_json::{Value, json};

fn moves(view: &Value) -> String {
    let tree = view["tree"].as_array().unwrap();
    let node = |id: &Value| tree.iter().find(|it| it["id"] == *id).unwrap();
    let mut words = Vec::new();
    let mut at = node(&view["node"]);
    while let Some(action) = at["move"].as_str() {
        words.push(action.to_owned());
        at = node(&at["parent"]);
    }
    words.reverse();
    words.join(" ")
}

#[test]
fn the_first_view_has_all_that_a_board_needs() {
    let site = Site::new();
    let view = site.view();
    assert_eq!(view["mode"], "play");
    assert_eq!(view["people"], "black");
    // Nobody has been welcomed yet: a newcomer meets the weakest opponent.
    assert_eq!(view["level"], "first_day");
    assert_eq!(
        view["position"],
        json!({
            "kind": "othello",
            "board": "---------------------------OX------XO---------------------------",
            "turn": "black", "black": 2, "white": 2, "empties": 60
        })
    );
    assert_eq!(
        view["legal"][0],
        json!({ "move": "d3", "text": "d3", "square": 19, "flips": [27], "chess": null })
    );
    assert_eq!(view["status"], "Black to move: your turn · 60 empty");
    assert_eq!(view["awaiting"], "human");
    assert_eq!(
        (&view["canUndo"], &view["canRedo"]),
        (&json!(false), &json!(false))
    );
}

#[test]
fn a_new_game_of_a_newcomer_begins_with_the_weakest_opponent_until_one_is_chosen() {
    let site = Site::new();
    let level = || {
        let settings = site.get("/api/settings").ok();
        let levels = site.get("/api/levels").ok();
        let levels = levels.as_array().unwrap();
        let default = levels.iter().find(|it| it["isDefault"] == true).unwrap();
        assert_eq!(settings["play"]["level"], default["name"]);
        (
            settings["isFirstLaunch"].as_bool().unwrap(),
            default["name"].as_str().unwrap().to_owned(),
        )
    };
    let change = |change: &Value| site.send("PUT", "/api/settings", change).ok();
    assert_eq!(level(), (true, "first_day".to_owned()));
    // Who closes the welcome without a choice goes on with whom they began.
    change(&json!({ "welcomed": true }));
    assert_eq!(level(), (false, "first_day".to_owned()));
    // A choice of the level that a file without one means is a choice, too.
    change(&json!({ "welcomed": false, "play": { "level": "elo_1400" } }));
    assert_eq!(level().1, "first_day");
    change(&json!({ "play": { "level": "elo_1400" } }));
    assert_eq!(level(), (false, "elo_1400".to_owned()));
}

#[test]
fn a_whole_game_against_a_level() {
    let site = Site::new();
    let mut events = site.listen();
    assert_eq!(events.next().unwrap()["type"], "settings");
    let view = site
        .post("/api/sessions", &json!({ "level": "elo_400" }))
        .ok();
    let id = view["id"].as_str().unwrap().to_owned();
    let path = format!("/api/sessions/{id}/moves");
    let mut revision = 0;
    let last = loop {
        // Wait for our turn, or for the end.
        let view = events.until(|event| {
            event["type"] == "session"
                && event["data"]["id"] == *id
                && event["data"]["awaiting"] != "engine"
                && event["data"]["revision"].as_u64() > Some(revision)
        })["data"]
            .take();
        revision = view["revision"].as_u64().unwrap();
        assert!(
            view["tree"]
                .as_array()
                .unwrap()
                .iter()
                .all(|node| { view["showValues"] == true || node["value"].is_null() })
        );
        if view["awaiting"] == "nobody" {
            break view;
        }
        let legal = &view["legal"][0]["move"];
        let played = site
            .post(&path, &json!({ "move": legal, "node": view["node"] }))
            .ok();
        revision = revision.max(played["revision"].as_u64().unwrap() - 1);
    };
    let outcome = &last["outcome"];
    assert_eq!(outcome["reason"], "rules");
    let discs = outcome["black"].as_u64().unwrap() + outcome["white"].as_u64().unwrap();
    assert_eq!(discs, 64);
    assert!(last["position"]["turn"].is_null());
    // It can be exported and imported again.
    let exported = site
        .get(&format!("/api/sessions/{id}/export?format=transcript"))
        .ok();
    let text = exported["text"].as_str().unwrap().trim();
    let again = site
        .post(
            "/api/sessions",
            &json!({ "mode": "analyse", "moves": text }),
        )
        .ok();
    assert_eq!(again["position"], last["position"]);
}

#[test]
fn the_engine_moves_first_when_it_is_black() {
    let site = Site::new();
    let mut events = site.listen();
    let wish = json!({ "level": "elo_400", "people": "white" });
    let view = site.post("/api/sessions", &wish).ok();
    assert_eq!(view["awaiting"], "engine");
    let thinking = events.of("thinking");
    assert_eq!(
        (&thinking["state"], &thinking["level"]),
        (&json!("running"), &json!("elo_400"))
    );
    assert!(thinking["report"].is_null(), "values are hidden");
    let view = events
        .until(|event| event["type"] == "session" && event["data"]["lastMove"].is_object())["data"]
        .take();
    assert_eq!(view["lastMove"]["side"], "black");
    assert_eq!(view["awaiting"], "human");
    assert_eq!(view["players"]["black"]["kind"], "engine");
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let site = Site::new();
    let before = site.view();
    let path = "/api/sessions/current/moves";
    let message = site
        .post(path, &json!({ "move": "a1" }))
        .refused(422, "illegal_move");
    assert_eq!(message, "a1 flips no disc; legal: d3 c4 f5 e6");
    site.post(path, &json!({ "move": "z9" }))
        .refused(422, "illegal_move");
    site.post(path, &json!({ "move": "ps" }))
        .refused(422, "illegal_move");
    site.post(path, &json!({ "move": "d4" }))
        .refused(422, "illegal_move");
    site.post(path, &json!({ "move": "f5", "node": 9 }))
        .refused(404, "no_such_node");
    assert_eq!(site.view(), before);
}

#[test]
fn walking_variations_comments_and_signs() {
    let site = Site::new();
    let wish = json!({ "mode": "analyse", "moves": "f5d6c3" });
    let view = site.post("/api/sessions", &wish).ok();
    assert_eq!(moves(&view), "f5 d6 c3");
    let go = |body: &Value| site.post("/api/sessions/current/goto", body).ok();
    assert_eq!(moves(&go(&json!({ "step": "first" }))), "");
    assert_eq!(moves(&go(&json!({ "step": "next" }))), "f5");
    let view = site
        .post("/api/sessions/current/moves", &json!({ "move": "f6" }))
        .ok();
    assert_eq!(moves(&view), "f5 f6");
    let f6 = view["node"].as_u64().unwrap();
    let node = format!("/api/sessions/current/nodes/{f6}");
    site.send(
        "PUT",
        &format!("{node}/comment"),
        &json!({ "text": "sharp" }),
    )
    .ok();
    let view = site
        .send(
            "PUT",
            &format!("{node}/glyphs"),
            &json!({ "glyphs": ["!?"] }),
        )
        .ok();
    let of = |view: &Value, id: u64| {
        let tree = view["tree"].as_array().unwrap().clone();
        tree.into_iter().find(|it| it["id"] == id).unwrap()
    };
    let note = of(&view, f6);
    assert_eq!(
        (&note["comment"], &note["glyphs"]),
        (&json!("sharp"), &json!(["!?"]))
    );
    assert_eq!(note["isMain"], false);
    let view = site
        .post(&format!("{node}/promote"), &json!({ "toMain": true }))
        .ok();
    assert_eq!(of(&view, f6)["isMain"], true);
    let view = site.post("/api/sessions/current/undo", &json!({})).ok();
    assert_eq!(moves(&view), "f5");
    assert_eq!(view["canRedo"], true);
    let view = site.post("/api/sessions/current/redo", &json!({})).ok();
    assert_eq!(moves(&view), "f5 f6");
    let view = site.delete(&node).ok();
    assert_eq!(moves(&view), "f5");
    site.delete(&node).refused(404, "no_such_node");
    site.delete("/api/sessions/current/nodes/0")
        .refused(409, "conflict");
    let glyphs = site.send(
        "PUT",
        &format!("{node}/glyphs"),
        &json!({ "glyphs": ["#"] }),
    );
    glyphs.refused(400, "malformed");
}

#[test]
fn a_line_can_be_looked_at_without_making_it() {
    let site = Site::new();
    let path = "/api/sessions/current/nodes/0/preview";
    let preview = site.post(path, &json!({ "moves": ["f5", "d6"] })).ok();
    let steps = preview["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[1]["move"], "d6");
    assert_eq!(steps[1]["side"], "white");
    assert_eq!(steps[1]["position"]["empties"], 58);
    site.post(path, &json!({ "moves": ["f5", "f5"] }))
        .refused(422, "illegal_move");
    assert_eq!(site.view()["tree"].as_array().unwrap().len(), 1);
}

#[test]
fn a_game_survives_a_restart_and_a_damaged_file_does_no_harm() {
    let mut site = Site::new();
    let wish = json!({ "mode": "analyse", "moves": "f5d6c3" });
    let before = site.post("/api/sessions", &wish).ok();
    site.send(
        "PUT",
        "/api/sessions/current/nodes/2/comment",
        &json!({ "text": "keep me" }),
    )
    .ok();
    site.post("/api/sessions/current/goto", &json!({ "node": 2 }))
        .ok();
    site.stop();
    site.start();
    let after = site.view();
    assert_eq!(after["id"], before["id"]);
    assert_eq!(moves(&after), "f5 d6");
    assert_eq!(after["line"].as_array().unwrap().len(), 4);
    assert_eq!(after["tree"][2]["comment"], "keep me");
    assert!(after["revision"].as_u64() > before["revision"].as_u64());
    site.stop();
    let file = site
        .home()
        .join(format!("sessions/{}.toml", after["id"].as_str().unwrap()));
    std::fs::write(&file, "version = 1\ngarbage").unwrap();
    site.start();
    let fresh = site.view();
    assert_ne!(fresh["id"], before["id"], "a new game, not a broken one");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept, "version = 1\ngarbage", "kept for whoever can mend it");
    let listed = site.get("/api/sessions").ok();
    let listed = listed.as_array().unwrap();
    let damaged = listed.iter().find(|it| it["id"] == before["id"]).unwrap();
    assert_eq!(damaged["isUsable"], false);
    let path = format!("/api/sessions/{}", before["id"].as_str().unwrap());
    site.get(&path).refused(409, "conflict");
    assert_eq!(site.delete(&path).status, 204);
    site.get(&path).refused(404, "no_such_session");
}

#[test]
fn settings_are_kept_and_checked() {
    let mut site = Site::with_config(
        "# mine\n[ui]\ntheme = \"dark\"\nshine = 1\n\n[api]\nrate_limit_rps = 1000\n",
    );
    let mut events = site.listen();
    let settings = site.get("/api/settings").ok();
    assert_eq!(settings["ui"]["theme"], "dark");
    assert!(
        settings["warnings"][0]
            .as_str()
            .unwrap()
            .contains("ui.shine")
    );
    let change = json!({ "ui": { "theme": "highContrast" }, "play": { "level": "elo_800" } });
    site.send("PUT", "/api/settings", &change).ok();
    let told = events.until(|event| {
        event["type"] == "settings" && event["data"]["ui"]["theme"] == "highContrast"
    });
    assert_eq!(told["data"]["play"]["level"], "elo_800");
    let wrong = json!({ "play": { "level": "elo_1600" } });
    let message = site
        .send("PUT", "/api/settings", &wrong)
        .refused(422, "invalid");
    assert!(message.contains("elo_400, elo_800"), "{message}");
    let wrong = json!({ "engine": { "ttMb": 0 } });
    site.send("PUT", "/api/settings", &wrong)
        .refused(422, "invalid");
    let levels = site.get("/api/levels").ok();
    let levels = levels.as_array().unwrap();
    let default = levels.iter().find(|it| it["isDefault"] == true).unwrap();
    assert_eq!(default["name"], "elo_800");
    let first = &levels[0];
    assert_eq!(
        (&first["name"], &first["kind"]),
        (&json!("first_day"), &json!("opponent"))
    );
    assert!(first["worth"]["rating"].as_i64().is_some());
    site.stop();
    let text = std::fs::read_to_string(site.home().join("config.toml")).unwrap();
    assert!(
        text.starts_with("# mine\n[ui]\ntheme = \"high_contrast\"\nshine = 1\n"),
        "{text}"
    );
    site.start();
    assert_eq!(site.get("/api/settings").ok()["play"]["level"], "elo_800");
}

#[test]
fn clocks_are_told() {
    let site = Site::new();
    let mut events = site.listen();
    let wish = json!({
        "level": "elo_400",
        "timeControl": { "initialMs": 600_000, "incrementMs": 1_000 }
    });
    let view = site.post("/api/sessions", &wish).ok();
    assert_eq!(view["clock"]["blackMs"], 600_000);
    assert!(
        view["clock"]["running"].is_null(),
        "it starts with the first move"
    );
    site.post("/api/sessions/current/moves", &json!({ "move": "f5" }))
        .ok();
    let told = events
        .until(|event| event["type"] == "clock" && event["data"]["clock"]["running"] == "white");
    // The first move takes no time, and brings the increment.
    assert_eq!(told["data"]["clock"]["blackMs"], 601_000);
    let wrong = json!({ "timeControl": { "initialMs": 5, "incrementMs": 0 } });
    site.post("/api/sessions", &wrong).refused(422, "invalid");
}
