//! Mixed abuse of a server of our own, on the loopback interface: clients that say nothing, that
//! ask and never read, that flood, guess tokens, send long paths and large files, and streams that
//! their clients never read. Prints how fast the owner is answered meanwhile, and what it costs.
//!
//! ```text
//! cargo run --release -p server --example abuse -- --minutes 30
//! ```
//!
//! The server runs in a process of its own, which this program starts from its own file, so that the
//! memory that is printed is the server's alone.

use app::{ConfigFile, Home};
use server::{Started, start};
use std::{
    error::Error,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Where an attack goes, and how long.
struct Target {
    address: SocketAddr,
    token: String,
    script: String,
    is_over: AtomicBool,
    n_attacks: AtomicU64,
}

impl Target {
    fn goes_on(&self) -> bool {
        self.n_attacks.fetch_add(1, Ordering::Relaxed);
        !self.is_over.load(Ordering::Relaxed)
    }

    fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(5)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        stream
            .set_write_timeout(Some(Duration::from_secs(5)))
            .ok()?;
        Some(stream)
    }

    /// A request; whether it was answered at all.
    fn ask(&self, line: &str, headers: &str, body: &[u8]) -> Option<String> {
        let mut stream = self.connect()?;
        let (host, length) = (self.address, body.len());
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\n\
             Connection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok();
        let mut answer = Vec::new();
        stream.take(1 << 20).read_to_end(&mut answer).ok()?;
        (!answer.is_empty()).then(|| String::from_utf8_lossy(&answer).into_owned())
    }

    fn honest(&self) -> String {
        let token = &self.token;
        format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n")
    }
}

fn pause(ms: u64) {
    std::thread::park_timeout(Duration::from_millis(ms));
}

/// Connections that never ask, a few hundred at a time.
fn silent(target: &Target) {
    while target.goes_on() {
        let held: Vec<_> = (0..300).filter_map(|_| target.connect()).collect();
        pause(2_000);
        drop(held);
    }
}

/// Clients that ask for much and never read.
fn deaf(target: &Target) {
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n",
        target.script, target.address
    );
    let requests = request.repeat(39);
    while target.goes_on() {
        let mut held = Vec::new();
        for mut stream in (0..150).filter_map(|_| target.connect()) {
            stream.write_all(requests.as_bytes()).ok();
            held.push(stream);
        }
        pause(5_000);
    }
}

/// Headers a byte at a time.
fn slow(target: &Target) {
    while target.goes_on() {
        let mut held: Vec<_> = (0..50).filter_map(|_| target.connect()).collect();
        for byte in b"GET / HTTP/1.1\r\nHost: x" {
            for stream in &mut held {
                stream.write_all(&[*byte]).ok();
            }
            pause(200);
        }
    }
}

/// Requests as fast as they are answered, most of them wrong, with paths that are too long.
fn flood(target: &Target) {
    let long = format!("GET /{}.js", "x".repeat(20_000));
    let guess = "Authorization: Bearer guess\r\nContent-Type: application/json\r\n";
    while target.goes_on() {
        target.ask("GET /api/health", "", b"");
        target.ask(&long, "Origin: http://evil.example\r\n", b"");
        target.ask("GET /api/sessions/current", guess, b"");
        target.ask("POST /api/login", guess, br#"{"token":"guess"}"#);
    }
}

/// Files of the greatest size, several at the same time.
fn import(target: &Target) {
    let games = b"f5d6c3d3c4f4c5b3c2e3d2c6\n".repeat((32 << 20) / 25);
    while target.goes_on() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| target.ask("POST /api/import", &target.honest(), &games));
            }
        });
        pause(10_000);
    }
}

/// Streams that nobody reads, of a game that changes all the time.
fn lagging(target: &Target) {
    let (host, honest) = (target.address, target.honest());
    let game = br#"{"mode":"analyse","moves":"d3c5e6f5f6e3c3d2f3c2c4b5d1f2f4g4g3e2f1c6b4g6e1a3"}"#;
    target.ask("POST /api/sessions", &honest, game);
    let text = "x".repeat(19_000);
    let comment = format!("{{\"text\":\"{text}\"}}");
    for node in 1..=24 {
        let line = format!("PUT /api/sessions/current/nodes/{node}/comment");
        target.ask(&line, &honest, comment.as_bytes());
    }
    while target.goes_on() {
        let mut held = Vec::new();
        for mut stream in (0..12).filter_map(|_| target.connect()) {
            write!(
                stream,
                "GET /api/events HTTP/1.1\r\nHost: {host}\r\n{honest}\r\n"
            )
            .ok();
            held.push(stream);
        }
        for i in 0..200 {
            let step = if i % 2 == 0 { "first" } else { "last" };
            let body = format!("{{\"step\":\"{step}\"}}");
            target.ask("POST /api/sessions/current/goto", &honest, body.as_bytes());
            pause(50);
        }
    }
}

/// How long the owner waits for an answer, again and again; and how often there was none.
fn owner(target: &Target) -> (Vec<Duration>, u64) {
    let (mut times, mut lost) = (Vec::new(), 0);
    while !target.is_over.load(Ordering::Relaxed) {
        let began = now();
        match target.ask("GET /api/health", &target.honest(), b"") {
            Some(answer) if answer.starts_with("HTTP/1.1 200") => times.push(began.elapsed()),
            _ => lost += 1,
        }
        pause(20);
    }
    (times, lost)
}

#[expect(clippy::disallowed_methods, reason = "this program measures real time")]
fn now() -> Instant {
    Instant::now()
}

/// Peak memory of a process in kilobytes, where the system tells it.
fn peak_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().split(' ').next()?.parse().ok());
    peak.unwrap_or(0)
}

fn bytes_in(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|file| match file.metadata() {
            Ok(about) if about.is_dir() => bytes_in(&file.path()),
            Ok(about) => about.len(),
            Err(_) => 0,
        })
        .sum()
}

/// What the command line asks for.
enum Role {
    /// Be the server that is attacked, with this folder as its home, until the input ends.
    Server(PathBuf),
    Attack {
        minutes: f64,
        /// Names of attacks; empty for all.
        only: String,
    },
}

fn role() -> Result<Role, String> {
    let mut args = std::env::args().skip(1);
    let (mut minutes, mut only) = (1.0, String::new());
    while let Some(flag) = args.next() {
        let value = args.next().ok_or(format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--serve" => return Ok(Role::Server(value.into())),
            "--only" => only = value,
            "--minutes" => match value.parse() {
                Ok(given) if (0.01..=120.0).contains(&given) => minutes = given,
                _ => return Err(format!("--minutes {value}: expected 0.01 to 120")),
            },
            _ => return Err(format!("{flag}: expected --minutes N or --only NAMES")),
        }
    }
    Ok(Role::Attack { minutes, only })
}

/// Serves, and tells address and token on a line of the output.
fn serve(folder: &Path) -> Result<(), Box<dyn Error>> {
    let home = Home::open(Some(folder))?;
    std::fs::write(home.config_file(), "[api]\nrate_limit_rps = 100000\n")?;
    let config = ConfigFile::open(home.config_file());
    let log = app::start_log(&home, &config.config().log)?;
    let Started::Here(server) = start(home, config, Some(0), app::Keeper::Nobody)? else {
        return Err("a new folder is served already".into());
    };
    let mut out = std::io::stdout();
    writeln!(out, "{} {}", server.address(), server.token())?;
    out.flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    server.stop()?;
    drop(log);
    Ok(())
}

/// Starts the server and reads where it listens.
#[expect(clippy::disallowed_methods, reason = "the example is its own server")]
fn start_server(folder: &Path) -> Result<(Child, Target), Box<dyn Error>> {
    let mut server = Command::new(std::env::current_exe()?)
        .arg("--serve")
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    let out = server.stdout.take().ok_or("the server has no output")?;
    BufReader::new(out).read_line(&mut line)?;
    let (address, token) = line
        .trim()
        .split_once(' ')
        .ok_or("the server did not start")?;
    let mut target = Target {
        address: address.parse()?,
        token: token.to_owned(),
        script: "/".to_owned(),
        is_over: AtomicBool::new(false),
        n_attacks: AtomicU64::new(0),
    };
    let page = target.ask("GET /", "", b"").unwrap_or_default();
    if let Some(script) = page.split('"').find(|text| text.ends_with(".js")) {
        script.clone_into(&mut target.script);
    }
    Ok((server, target))
}

/// Attacks for so long; gives how long the owner waited each time, and how often in vain.
fn attack(target: &Target, minutes: f64, only: &str) -> (Vec<Duration>, u64) {
    let heard = Mutex::new((Vec::new(), 0));
    std::thread::scope(|scope| {
        let attacks: [(&str, fn(&Target)); 6] = [
            ("silent", silent),
            ("deaf", deaf),
            ("slow", slow),
            ("flood", flood),
            ("import", import),
            ("lagging", lagging),
        ];
        for (name, attack) in attacks {
            if only.is_empty() || only.contains(name) {
                scope.spawn(move || attack(target));
            }
        }
        scope.spawn(|| {
            if let Ok(mut heard) = heard.lock() {
                *heard = owner(target);
            }
        });
        let began = now();
        let end = Duration::from_secs_f64(60.0 * minutes);
        while began.elapsed() < end {
            std::thread::park_timeout(end.saturating_sub(began.elapsed()));
        }
        target.is_over.store(true, Ordering::Relaxed);
    });
    heard.into_inner().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (minutes, only) = match role()? {
        Role::Server(folder) => return serve(&folder),
        Role::Attack { minutes, only } => (minutes, only),
    };
    let folder = tempfile::tempdir()?;
    let (mut server, target) = start_server(folder.path())?;
    let before_kb = peak_kb(server.id());
    let (mut times, lost) = attack(&target, minutes, &only);
    let after_kb = peak_kb(server.id());
    // The server ends when its input does.
    drop(server.stdin.take());
    let end = server.wait()?;
    times.sort_unstable();
    let at = |share: f64| {
        let index = (share * times.len() as f64) as usize;
        let time = times.get(index.min(times.len().saturating_sub(1)));
        time.map_or(f64::NAN, |time| 1000.0 * time.as_secs_f64())
    };
    let (p50, p99, most) = (at(0.5), at(0.99), at(1.0));
    let (before_mb, after_mb) = (before_kb / 1_024, after_kb / 1_024);
    let n_attacks = target.n_attacks.load(Ordering::Relaxed);
    let log = bytes_in(&folder.path().join("logs"));
    let mut out = std::io::stdout().lock();
    writeln!(out, "minutes            {minutes}")?;
    writeln!(out, "rounds of attacks  {n_attacks}")?;
    writeln!(out, "health answers     {} ({lost} without)", times.len())?;
    writeln!(out, "p50 / p99 / max ms {p50:.1} / {p99:.1} / {most:.1}")?;
    writeln!(out, "peak memory MB     {after_mb} ({before_mb} before)")?;
    writeln!(out, "log bytes          {log}")?;
    writeln!(out, "the server ended   {end}")?;
    Ok(())
}
