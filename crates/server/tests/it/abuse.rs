//! Clients that want to do harm: the owner is answered all the same, memory and log stay small.

use crate::client::Site;
use serde_json::json;
use std::{
    io::Write as _,
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Megabytes that the process has had at most. The limits of the server leave room for an engine.
#[cfg(target_os = "linux")]
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<u64>().unwrap() / 1_024
}

/// More than all limits of the server together, and less than any of them multiplied.
#[cfg(target_os = "linux")]
const PEAK_MB: u64 = 300;

/// Moves of a game that is long enough for many comments.
#[cfg(target_os = "linux")]
const LONG: &str = "d3c5e6f5f6e3c3d2f3c2c4b5d1f2f4g4g3e2f1c6b4g6e1a3";

/// A script of the page: more than sockets keep for a client that does not read.
fn script(site: &Site) -> String {
    let page = site.get("/").body;
    let name = page.split('"').find(|it| it.ends_with(".js"));
    name.expect("the page has a script").to_owned()
}

#[test]
fn clients_that_never_read_do_not_keep_the_owner_out() {
    crate::crowd::allow_many_sockets();
    let site = Site::new();
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n",
        script(&site),
        site.address()
    );
    let requests = request.repeat(39);
    let mut silent = Vec::new();
    for i in 0..700 {
        let mut stream = TcpStream::connect(site.address()).unwrap();
        // Some are cut off already while they ask.
        let _sent = stream.write_all(requests.as_bytes());
        silent.push(stream);
        if i % 100 == 99 {
            site.get("/api/health").ok();
            site.view();
        }
    }
    drop(silent);
}

static LOGGED: AtomicUsize = AtomicUsize::new(0);

struct Counter;

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOGGED.fetch_add(bytes.len(), Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn refused_requests_do_not_fill_the_log() {
    let log = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(|| Counter);
    log.try_init().unwrap();
    let site = Site::new();
    let path = format!("GET /{}.js", "x".repeat(30_000));
    let host = format!("Host: {}\r\n", site.address());
    for i in 0..600 {
        let headers = if i % 2 == 0 { "Host: evil\r\n" } else { &host };
        assert!(site.raw(&path, headers, b"").status >= 400);
    }
    let logged = LOGGED.load(Ordering::Relaxed);
    assert!(logged > 0, "nothing was logged at all");
    assert!(logged < 500_000, "{logged} bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn large_files_at_once_do_not_fill_the_memory() {
    let site = Site::new();
    let games = b"f5d6c3d3c4f4\n".repeat((32 << 20) / 13);
    std::thread::scope(|scope| {
        let import = || {
            let answer = site.raw("POST /api/import?name=x.txt", &site.honest(), &games);
            assert!(matches!(answer.status, 200 | 503), "{answer:?}");
            answer.status
        };
        let imports: Vec<_> = (0..16).map(|_| scope.spawn(import)).collect();
        let statuses = imports.into_iter().map(|it| it.join().unwrap());
        assert!(statuses.filter(|status| *status == 200).count() > 0);
    });
    assert!(peak_mb() < PEAK_MB, "{} MB", peak_mb());
}

#[cfg(target_os = "linux")]
#[test]
fn streams_that_nobody_reads_do_not_fill_the_memory() {
    let site = Site::new();
    // A long game with as much text as a game may have.
    let game = json!({ "mode": "analyse", "moves": LONG });
    site.post("/api/sessions", &game).ok();
    let text = "€".repeat(20_000);
    for node in 1..=17 {
        let path = format!("/api/sessions/current/nodes/{node}/comment");
        let answer = site.send("PUT", &path, &json!({ "text": text }));
        assert_eq!(answer.status, 200);
    }
    let lagging: Vec<TcpStream> = (0..16)
        .map(|_| {
            let mut stream = TcpStream::connect(site.address()).unwrap();
            let honest = site.honest();
            write!(stream, "GET /api/events HTTP/1.1\r\n{honest}\r\n").unwrap();
            stream
        })
        .collect();
    for i in 0..280 {
        let step = if i % 2 == 0 { "first" } else { "last" };
        let answer = site.post("/api/sessions/current/goto", &json!({ "step": step }));
        assert_eq!(answer.status, 200);
    }
    assert!(peak_mb() < PEAK_MB, "{} MB", peak_mb());
    drop(lagging);
}
