//! `kibitz serve` killed in the middle of everything: what it has acknowledged is there afterwards.
//!
//! Each round starts the program on the same home, plays over HTTP while a second connection
//! listens to events, and kills the program (SIGKILL) at a moment that a seed decides: right after
//! an acknowledgement, or a little later. Every position that an answer or an event showed, the
//! engine's moves among them, must be there in the next round.

use super::http::{self, PATIENCE, TOKEN};
use serde_json::{Value, json};
use std::{
    collections::{BTreeSet, HashMap},
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

/// How many kills; more are for a run by hand.
fn n_kills() -> u64 {
    let wanted = std::env::var("KIBITZ_KILLS").ok();
    wanted.map_or(100, |text| text.parse().expect("KIBITZ_KILLS is a number"))
}

/// Small, fast, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// The positions that were acknowledged, by session: each is the way of moves that leads to it.
type Shown = HashMap<String, BTreeSet<String>>;

/// All positions of a view.
fn ways(view: &Value) -> BTreeSet<String> {
    let mut ways: HashMap<u64, String> = HashMap::new();
    for node in view["tree"].as_array().expect("a view has a tree") {
        let id = node["id"].as_u64().expect("nodes are numbered");
        let parent = node["parent"].as_u64().and_then(|it| ways.get(&it));
        let way = match (parent, node["move"].as_str()) {
            (Some(parent), Some(action)) => format!("{parent} {action}"),
            _ => String::new(),
        };
        ways.insert(id, way);
    }
    ways.into_values().collect()
}

/// The running program, and when to end it.
struct Victim {
    child: Mutex<Child>,
    port: u16,
    /// Acknowledgements of something new that it still lives for.
    left: AtomicI64,
    /// How long it lives after the last one.
    grace: Duration,
    shown: Mutex<Shown>,
    n_acknowledged: AtomicU64,
    /// How many of them were of games where the engine had just moved.
    n_engine: AtomicU64,
}

impl Victim {
    fn start(home: &Path, chance: &mut Chance) -> Arc<Self> {
        let (child, port) = http::start(home, Stdio::inherit());
        Arc::new(Self {
            child: Mutex::new(child),
            port,
            left: AtomicI64::new(2 + chance.below(14) as i64),
            grace: Duration::from_micros(chance.below(3) * chance.below(4_000)),
            shown: Mutex::default(),
            n_acknowledged: AtomicU64::new(0),
            n_engine: AtomicU64::new(0),
        })
    }

    /// A view arrived, whole. It may have been the last thing that the program said.
    fn acknowledge(&self, view: &Value) {
        let id = view["id"].as_str().expect("a view has a name").to_owned();
        let is_news = {
            let mut shown = self.shown.lock().expect("no thread panicked");
            let known = shown.entry(id).or_default();
            let n_before = known.len();
            known.extend(ways(view));
            known.len() > n_before
        };
        if !is_news {
            return;
        }
        self.n_acknowledged.fetch_add(1, Ordering::SeqCst);
        let has_moved = view["mode"] == "play" && view["position"]["turn"] == "black";
        let n_moves = view["tree"].as_array().map_or(0, Vec::len);
        if has_moved && n_moves > 1 {
            self.n_engine.fetch_add(1, Ordering::SeqCst);
        }
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            std::thread::park_timeout(self.grace);
            let mut child = self.child.lock().expect("no thread panicked");
            child.kill().expect("it is ours");
            child.wait().expect("it is ours");
        }
    }

    fn request(&self, line: &str, body: Option<&Value>) -> std::io::Result<Value> {
        let (status, answer) = http::request(self.port, line, body)?;
        assert!((200..300).contains(&status), "{line}: {answer}");
        Ok(answer)
    }

    /// Listens to events until the connection breaks.
    fn listen(self: &Arc<Self>) -> std::io::Result<std::thread::JoinHandle<()>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let port = self.port;
        write!(
            stream,
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        )?;
        let victim = Arc::clone(self);
        Ok(std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let data = line.strip_prefix("data: ");
                let event = data.and_then(|it| serde_json::from_str::<Value>(it).ok());
                if let Some(event) = event.filter(|it| it["type"] == "session") {
                    victim.acknowledge(&event["data"]);
                }
            }
        }))
    }

    /// Plays until the program is dead.
    fn play(&self, chance: &mut Chance) -> std::io::Result<()> {
        let mut view = self.request("GET /api/sessions/current", None)?;
        loop {
            self.acknowledge(&view);
            let id = view["id"].as_str().expect("a view has a name");
            let legal = view["legal"].as_array().expect("a view has moves");
            view = match view["awaiting"].as_str() {
                Some("human") if !legal.is_empty() && chance.below(12) > 0 => {
                    let one = &legal[chance.below(legal.len() as u64) as usize];
                    let path = format!("POST /api/sessions/{id}/moves");
                    self.request(&path, Some(&json!({ "move": one["move"] })))?
                }
                Some("engine") => {
                    std::thread::park_timeout(Duration::from_millis(2));
                    self.request(&format!("GET /api/sessions/{id}"), None)?
                }
                _ => {
                    let mode = ["play", "play", "analyse"][chance.below(3) as usize];
                    let wish = json!({ "level": "elo_400", "people": "black", "mode": mode });
                    self.request("POST /api/sessions", Some(&wish))?
                }
            };
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_program_is_killed() {
    let home = http::home("kill");
    let mut chance = Chance(1);
    let mut before = Shown::new();
    let (mut n_acknowledged, mut n_engine, mut n_positions) = (0, 0, 0);
    for round in 0..n_kills() {
        let victim = Victim::start(&home, &mut chance);
        // A game without a move is not kept when another begins.
        let games = before.iter().filter(|(_, ways)| ways.len() > 1);
        for (id, ways_before) in games {
            let view = victim.request(&format!("GET /api/sessions/{id}"), None);
            let found = ways(&view.expect("it was not killed yet"));
            let lost: Vec<&String> = ways_before.difference(&found).collect();
            assert!(lost.is_empty(), "round {round}: {id} has lost {lost:?}");
            n_positions += ways_before.len();
        }
        let listening = victim.listen().expect("it was not killed yet");
        let ended = victim.play(&mut chance);
        assert!(ended.is_err(), "it plays until it is killed");
        listening.join().expect("the listener does not panic");
        let mut child = victim.child.lock().expect("no thread panicked");
        // An error before the kill would be a failure of the program's own.
        let status = child.wait().expect("it is ours");
        assert!(status.code().is_none(), "it ended by itself: {status}");
        drop(child);
        n_acknowledged += victim.n_acknowledged.load(Ordering::SeqCst);
        n_engine += victim.n_engine.load(Ordering::SeqCst);
        before = std::mem::take(&mut *victim.shown.lock().expect("no thread panicked"));
    }
    println!(
        "{} kills, {n_acknowledged} acknowledgements, {n_engine} of them of an engine's move, \
         {n_positions} positions checked",
        n_kills()
    );
    assert!(n_engine >= n_kills(), "the engine has hardly moved");
}
