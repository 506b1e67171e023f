//! A thousand requests at once, most of them wrong: each gets the answer that it deserves, and
//! nothing else changes.

use crate::client::{Answer, Site};
use serde_json::json;
use std::sync::Barrier;

/// How many requests of each kind are sent at once.
const EACH: usize = 100;

/// What a client sends, and what it has to hear.
struct Attempt {
    name: &'static str,
    line: &'static str,
    headers: String,
    body: Vec<u8>,
    status: u16,
    code: Option<&'static str>,
}

fn attempts(site: &Site) -> Vec<Attempt> {
    const MOVES: &str = "POST /api/sessions/current/moves";
    const VIEW: &str = "GET /api/sessions/current";
    let address = site.address();
    let honest = site.honest();
    let token = site.server().token();
    let json = format!("{honest}Content-Type: application/json\r\n");
    let attempt = |name, line, headers: &str, body: &[u8], status, code| Attempt {
        name,
        line,
        headers: headers.to_owned(),
        body: body.to_owned(),
        status,
        code: Some(code),
    };
    let evil = format!("Host: evil.example\r\nAuthorization: Bearer {token}\r\n");
    let foreign = format!("{honest}Origin: http://evil.example\r\n");
    let guess = format!("Host: {address}\r\nAuthorization: Bearer guess\r\n");
    let nobody = format!("Host: {address}\r\n");
    let long = format!("{{\"move\":\"{}\"}}", "x".repeat(70_000));
    vec![
        attempt("wrong host", VIEW, &evil, b"", 403, "wrong_host"),
        attempt("wrong origin", VIEW, &foreign, b"", 403, "wrong_origin"),
        attempt("wrong token", VIEW, &guess, b"", 401, "not_logged_in"),
        attempt("no token", VIEW, &nobody, b"", 401, "not_logged_in"),
        attempt("too long", MOVES, &json, long.as_bytes(), 413, "too_large"),
        attempt(
            "out of the page",
            "GET /..%2f..%2f..%2fetc/passwd",
            &honest,
            b"",
            404,
            "not_found",
        ),
        attempt(
            "out of the games",
            "GET /api/sessions/..%2f..%2fconfig",
            &honest,
            b"",
            404,
            "no_such_session",
        ),
        attempt("half JSON", MOVES, &json, b"{\"move\": ", 400, "malformed"),
        attempt(
            "illegal move",
            MOVES,
            &json,
            br#"{"move":"a1"}"#,
            422,
            "illegal_move",
        ),
        Attempt {
            name: "honest",
            line: VIEW,
            headers: honest.clone(),
            body: Vec::new(),
            status: 200,
            code: None,
        },
    ]
}

/// Each client has a socket, and so has the server for those whose turn it is.
#[cfg(unix)]
pub(crate) fn allow_many_sockets() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(4_096, |most| most.min(4_096));
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        setrlimit(Resource::Nofile, limit).unwrap();
    }
}

#[cfg(not(unix))]
pub(crate) const fn allow_many_sockets() {}

#[test]
fn a_thousand_requests_at_once_are_answered_as_they_deserve() {
    allow_many_sockets();
    let site = Site::new();
    // A game in progress, and somebody who watches it.
    let game = json!({ "mode": "analyse", "moves": "f5d6c3d3c4f4" });
    let before = site.post("/api/sessions", &game).ok();
    let mut events = site.listen();
    events.until(|event| event["type"] == "session");
    let kinds = attempts(&site);
    let all: Vec<&Attempt> = kinds.iter().cycle().take(kinds.len() * EACH).collect();
    assert_eq!(all.len(), 1_000);
    // Nobody asks before everybody is there.
    let ready = Barrier::new(all.len());
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let ask = |attempt: &'static str, headers: &str, body: &[u8]| {
            site.raw_after(attempt, headers, body, || {
                ready.wait();
            })
        };
        let clients: Vec<_> = all
            .iter()
            .map(|it| scope.spawn(move || ask(it.line, &it.headers, &it.body)))
            .collect();
        clients.into_iter().map(|it| it.join().unwrap()).collect()
    });
    for (attempt, answer) in all.iter().zip(&answers) {
        let name = attempt.name;
        match attempt.code {
            Some(code) => {
                assert_eq!(answer.status, attempt.status, "{name}: {answer:?}");
                answer.refused(attempt.status, code);
            }
            None => assert_eq!(answer.ok(), before, "{name}"),
        }
    }
    // The game stands as it stood, nobody was told otherwise, and it goes on.
    assert_eq!(site.view(), before);
    let after = site
        .post("/api/sessions/current/moves", &json!({ "move": "c5" }))
        .ok();
    let told = events.of("session");
    assert_eq!(told["revision"], after["revision"]);
}
