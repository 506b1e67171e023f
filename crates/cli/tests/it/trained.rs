//! As a user would: train, put the weights into the settings, play, and look who says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{Conversation, kibitz, scratch};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
};

pub(crate) const TOKEN: &str = "atokenofthetestsandofnothingelse";

/// A request with the token; the answer's JSON.
pub(crate) fn ask(address: &str, method: &str, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let body = body.to_string();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 2"), "{answer}");
    // A long answer may come in pieces; JSON has no line that is only digits.
    let is_size = |line: &&str| u32::from_str_radix(line, 16).is_ok() && !line.starts_with('{');
    let body: String = body.split("\r\n").filter(|line| !is_size(line)).collect();
    serde_json::from_str(&body).unwrap()
}

fn train(args: &[&str]) {
    let run = kibitz(&[&["train"], args].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn weights_of_both_trainings_are_used_in_the_browser_and_named_in_reports() {
    let folder = scratch("trained");
    fs::remove_dir_all(&folder).ok();
    let home = folder.join("home");
    fs::create_dir_all(&home).unwrap();
    let config = format!("[api]\ntoken = \"{TOKEN}\"\nrate_limit_rps = 1000\n");
    fs::write(home.join("config.toml"), config).unwrap();
    let (linear, td) = (home.join("linear.json"), home.join("td.weights"));
    let small = ["--limit", "depth:1", "--games", "4", "--match-games", "0"];
    train(&[&["linear", "--out", linear.to_str().unwrap()], &small[..]].concat());
    let run = folder.join("run");
    let files = [
        "td",
        "--dir",
        run.to_str().unwrap(),
        "--out",
        td.to_str().unwrap(),
    ];
    train(&[&files[..], &small[..]].concat());

    let shown = home.to_str().unwrap();
    let mut server = Conversation::start(&["serve", "--no-open", "--port", "0", "--home", shown]);
    let url = server.hear();
    let address = url.trim_start_matches("http://").split('/').next().unwrap();
    for (evaluator, file) in [("classic", "linear.json"), ("pattern", "td.weights")] {
        let wish = json!({ "engine": { "evaluator": evaluator, "weights": file } });
        ask(address, "PUT", "/api/settings", &wish);
        ask(
            address,
            "POST",
            "/api/sessions",
            &json!({ "people": "both" }),
        );
        let play = json!({ "move": "f5" });
        ask(address, "POST", "/api/sessions/current/moves", &play);
        let hint = ask(address, "POST", "/api/sessions/current/hint", &json!({}));
        let source = hint["report"]["source"].as_str().unwrap();
        assert!(
            source.contains(&format!("({evaluator}:{file}#")),
            "{source}"
        );
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
}
