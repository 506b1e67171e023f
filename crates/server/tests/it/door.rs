//! Who may come in, and what a refusal looks like.

use crate::client::Site;
use serde_json::json;
use server::Started;

#[test]
fn foreign_names_are_refused_everywhere() {
    let site = Site::new();
    let token = site.server().token();
    let (address, port) = (site.address(), site.address().port());
    for path in ["/", "/api/health", "/api/sessions/current", "/api/events"] {
        let line = format!("GET {path}");
        for host in [
            "evil.example",
            "127.0.0.1",
            "127.0.0.1:1",
            "localhost.evil:80",
        ] {
            let headers = format!("Host: {host}\r\nAuthorization: Bearer {token}\r\n");
            site.raw(&line, &headers, b"").refused(403, "wrong_host");
        }
        for origin in [
            "http://evil.example",
            "null",
            "https://127.0.0.1",
            &format!("https://{address}"),
            &format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        ] {
            let headers =
                format!("Host: {address}\r\nOrigin: {origin}\r\nAuthorization: Bearer {token}\r\n");
            site.raw(&line, &headers, b"").refused(403, "wrong_origin");
        }
        let headers = format!(
            "Host: {address}\r\nSec-Fetch-Site: cross-site\r\nAuthorization: Bearer {token}\r\n"
        );
        site.raw(&line, &headers, b"").refused(403, "wrong_origin");
    }
    // Two hosts are a trick, even if one is right.
    let headers = format!("Host: {address}\r\nHost: evil.example\r\n");
    let answer = site.raw("GET /api/health", &headers, b"");
    assert!(matches!(answer.status, 400 | 403), "{answer:?}");
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
    ] {
        let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
        site.raw("GET /api/health", &headers, b"").ok();
    }
}

#[test]
fn a_token_becomes_a_cookie() {
    let site = Site::new();
    let host = format!("Host: {}\r\n", site.address());
    let json = format!("{host}Content-Type: application/json\r\n");
    site.raw("GET /api/levels", &host, b"")
        .refused(401, "not_logged_in");
    site.raw("POST /api/login", &json, br#"{"token":"wrong"}"#)
        .refused(401, "not_logged_in");
    let body = json!({ "token": site.server().token() }).to_string();
    let answer = site.raw("POST /api/login", &json, body.as_bytes());
    assert_eq!(answer.status, 204);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.contains("; HttpOnly; SameSite=Strict; Path=/"),
        "{cookie}"
    );
    assert!(
        !cookie.contains(site.server().token()),
        "the token stays out of it"
    );
    let pair = cookie.split(';').next().unwrap();
    let with_cookie = format!("{host}Cookie: other=1; {pair}\r\n");
    let levels = site.raw("GET /api/levels", &with_cookie, b"").ok();
    assert!(levels.as_array().is_some_and(|it| !it.is_empty()));
    let forged = format!("{host}Cookie: {pair}0\r\n");
    site.raw("GET /api/levels", &forged, b"")
        .refused(401, "not_logged_in");
    let mut events = site.listen_as(&with_cookie);
    events.of("session");
    let again = site.raw("POST /api/login", &json, body.as_bytes());
    let other = again.header("set-cookie").unwrap().split(';').next();
    let other = format!("{host}Cookie: {}\r\n", other.unwrap());
    let gone = site.raw("POST /api/logout", &with_cookie, b"");
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    // A copy of the cookie is worth nothing any more, and what ran with it has ended.
    site.raw("GET /api/levels", &with_cookie, b"")
        .refused(401, "not_logged_in");
    while events.next().is_some() {}
    // Another browser stays.
    site.raw("GET /api/levels", &other, b"").ok();
}

#[test]
fn an_address_lets_one_browser_in_once() {
    let site = Site::new();
    let json = format!(
        "Host: {}\r\nContent-Type: application/json\r\n",
        site.address()
    );
    let login = |url: &str| {
        assert!(!url.contains(site.server().token()), "{url}");
        let code = url.split("/#code=").nth(1).unwrap();
        let body = json!({ "code": code }).to_string();
        site.raw("POST /api/login", &json, body.as_bytes())
    };
    let printed = site.server().invite().unwrap();
    let opened = site.server().invite().unwrap();
    let asked = site.post("/api/invitations", &json!({})).ok();
    for url in [&printed, &opened, asked["url"].as_str().unwrap()] {
        assert_eq!(login(url).status, 204);
        login(url).refused(401, "not_logged_in");
    }
    let anyone = format!("Host: {}\r\n", site.address());
    site.raw("POST /api/invitations", &anyone, b"")
        .refused(401, "not_logged_in");
}

#[test]
fn guessing_tokens_is_slowed_down_for_those_who_guess() {
    let site = Site::new();
    let headers = format!(
        "Host: {}\r\nContent-Type: application/json\r\n",
        site.address()
    );
    let login = |body: &str| {
        site.raw("POST /api/login", &headers, body.as_bytes())
            .status
    };
    let right = json!({ "token": site.server().token() }).to_string();
    let mut statuses = Vec::new();
    for _ in 0..40 {
        statuses.push(login(r#"{"token":"x"}"#));
        // The owner is never locked out.
        assert_eq!(login(&right), 204);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)));
}

#[test]
fn every_answer_carries_the_policy() {
    let site = Site::new();
    let refused = site.raw("GET /", "Host: evil.example\r\n", b"");
    for answer in [
        site.get("/"),
        site.get("/api/health"),
        site.get("/api/nothing"),
        refused,
    ] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "));
        assert!(
            policy.ends_with("trusted-types svelte-trusted-html"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    }
}

#[test]
fn the_page_is_there_and_nothing_beside_it() {
    let site = Site::new();
    let page = site.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(
        page.body
            .to_ascii_lowercase()
            .starts_with("<!doctype html>"),
        "{}",
        page.body
    );
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../Cargo.toml",
        "/.git/config",
        "/nothing.js",
        "/server.json",
        "/config.toml",
    ] {
        site.get(path).refused(404, "not_found");
    }
}

#[test]
fn malformed_requests_are_told_what_is_wrong() {
    let site = Site::new();
    let json = format!("{}Content-Type: application/json\r\n", site.honest());
    let moves = "POST /api/sessions/current/moves";
    let message = site
        .raw(moves, &json, b"{\"move\": ")
        .refused(400, "malformed");
    assert!(message.contains("line 1 column"), "{message}");
    let message = site
        .raw(moves, &json, br#"{"move":"f5","nod":1}"#)
        .refused(400, "malformed");
    assert!(message.contains("unknown field `nod`"), "{message}");
    site.raw(moves, &json, b"\xff\xfe")
        .refused(400, "malformed");
    site.raw(moves, &json, b"").refused(400, "malformed");
    site.raw(moves, &site.honest(), br#"{"move":"f5"}"#)
        .refused(415, "wrong_content_type");
    let long = format!("{{\"move\":\"{}\"}}", "x".repeat(70_000));
    site.raw(moves, &json, long.as_bytes())
        .refused(413, "too_large");
    site.get("/api/nothing").refused(404, "not_found");
    site.get("/api/sessions/s99")
        .refused(404, "no_such_session");
    site.get("/api/sessions/..%2f..%2fconfig")
        .refused(404, "no_such_session");
    site.get("/api/sessions/current/nodes/77/overlays")
        .refused(404, "no_such_node");
    site.get("/api/sessions/current/nodes/x/overlays")
        .refused(400, "malformed");
    site.get("/api/sessions/current/export?format=png")
        .refused(400, "malformed");
    site.delete("/api/jobs/5").refused(404, "no_such_job");
    site.raw("PUT /api/sessions", &json, b"{}")
        .refused(405, "method_not_allowed");
    site.raw("POST /index.html", &json, b"{}")
        .refused(405, "method_not_allowed");
    // Nothing of this has disturbed the game.
    assert_eq!(site.view()["tree"].as_array().unwrap().len(), 1);
}

#[test]
fn who_asks_too_often_is_told_to_wait() {
    let site = Site::with_config("");
    let before = site.view();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let ask = || {
            site.post("/api/sessions/current/goto", &json!({ "step": "first" }))
                .status
        };
        let workers: Vec<_> = (0..50)
            .map(|_| scope.spawn(move || (0..20).map(|_| ask()).collect::<Vec<u16>>()))
            .collect();
        workers
            .into_iter()
            .flat_map(|it| it.join().unwrap())
            .collect()
    });
    assert_eq!(statuses.len(), 1_000);
    let count = |wanted: u16| statuses.iter().filter(|&&status| status == wanted).count();
    assert!(count(429) > 0, "the limit of programs is ten a second");
    assert_eq!(count(200) + count(429) + count(503), 1_000, "{statuses:?}");
    // Whoever waits is let in again, and finds everything as it was.
    let after = loop {
        let answer = site.get("/api/sessions/current");
        if answer.status == 200 {
            break answer.json();
        }
        assert_eq!(answer.header("retry-after"), Some("1"));
        std::thread::yield_now();
    };
    assert_eq!(after, before);
}

#[test]
fn a_second_start_finds_the_first() {
    let mut site = Site::new();
    let address = site.address();
    match site.try_start() {
        Started::Elsewhere(found) => {
            assert_eq!(found.address(), address);
            let url = found.invite().unwrap();
            assert!(
                url.starts_with(&format!("http://{address}/#code=")),
                "{url}"
            );
        }
        Started::Here(_) => panic!("two servers for one home"),
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let note = std::fs::metadata(site.home().join("server.json")).unwrap();
        assert_eq!(note.permissions().mode() & 0o777, 0o600);
    }
    site.stop();
    assert!(!site.home().join("server.json").exists());
    // What a killed server leaves behind misleads nobody.
    let stale = format!("{{\"port\":{},\"token\":\"x\"}}", 1);
    std::fs::write(site.home().join("server.json"), stale).unwrap();
    site.start();
    assert_eq!(site.get("/api/levels").status, 200);
}
