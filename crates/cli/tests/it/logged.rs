//! What the log of a server tells: searches, overlays, and what is odd about the configuration.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{
    Conversation, scratch,
    trained::{TOKEN, ask},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// The events of the log in a home.
fn events(home: &Path) -> Vec<Value> {
    let files = fs::read_dir(home.join("logs")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let text: String = texts.collect();
    let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
    events.collect()
}

#[test]
fn the_debug_log_has_every_search_every_overlay_and_warnings_of_the_configuration() {
    let home = scratch("logged");
    fs::remove_dir_all(&home).ok();
    fs::create_dir_all(&home).unwrap();
    let config =
        format!("[api]\ntoken = \"{TOKEN}\"\n[log]\nlevel = \"debug\"\n[engine]\ntt_bm = 64\n");
    fs::write(home.join("config.toml"), config).unwrap();
    let shown = home.to_str().unwrap();
    let mut server = Conversation::start(&["serve", "--no-open", "--port", "0", "--home", shown]);
    let url = server.hear();
    let address = url.trim_start_matches("http://").split('/').next().unwrap();
    let game = json!({ "people": "both", "moves": "f5d6c3" });
    ask(address, "POST", "/api/sessions", &game);
    let hint = ask(address, "POST", "/api/sessions/current/hint", &json!({}));
    let overlays = "/api/sessions/current/nodes/3/overlays";
    ask(address, "GET", overlays, &json!({}));
    let id = server.child.id().to_string();
    #[expect(clippy::disallowed_methods, reason = "the log is complete at the end")]
    let sent = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(sent.unwrap().success());
    server.child.wait().unwrap();

    let events = events(&home);
    let of = |target: &str| {
        let of_target = |it: &&Value| it["target"] == target && it["level"] == "DEBUG";
        events.iter().filter(of_target).collect::<Vec<_>>()
    };
    // One of the searches is the hint's, and tells the same as its report.
    let searches = of("kibitz::search");
    let (nodes, depth) = (&hint["report"]["nodes"], &hint["report"]["depth"]);
    let is_hint = |it: &&&Value| it["fields"]["nodes"] == *nodes;
    let search = &searches.iter().find(is_hint).unwrap()["fields"];
    assert_eq!(search["depth"], *depth);
    assert_eq!(search["ms"], hint["report"]["timeMs"]);
    let number = |name: &str| search[name].as_u64().unwrap();
    assert!(number("nodes") > 0 && number("nodes_per_second") > 0);
    assert!(number("table_hit_permille") <= 1000);
    let overlays = of("kibitz::overlay");
    assert_eq!(overlays.len(), 1, "{overlays:?}");
    assert!(overlays[0]["fields"]["us"].is_u64(), "{overlays:?}");
    let warned = events.iter().filter(|it| it["level"] == "WARN");
    let told = warned.filter_map(|it| it["fields"]["warning"].as_str());
    let told: Vec<&str> = told.collect();
    assert!(
        told.iter()
            .any(|it| it.contains("did you mean engine.tt_mb?")),
        "{told:?}"
    );
}
