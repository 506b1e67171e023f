//! Fetches from a local server that answers as Lichess and Chess.com do, and as they should not.

use super::{Addresses, Fetched, LiveError, Outside, Service, Source, Token, Wish, fetch};
use crate::{
    Home, Patience,
    library::{Filter, Order, Page, Store},
};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// What the server does with a request.
#[derive(Debug, Clone)]
enum Act {
    Answer(String),
    /// So many bytes of an answer, then the connection ends.
    Cut(String, usize),
    /// An answer that is never finished: the connection stays open and silent.
    Stall(String),
    Status(&'static str),
    Redirect(String),
}

/// A request as it came: what was asked for, and the token.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Request {
    path: String,
    token: Option<String>,
}

struct Server {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// The acts are done one after the other, the last one for ever.
    fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("it has one"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for (n, stream) in listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let act = acts[n.min(acts.len() - 1)].clone();
                let seen = Arc::clone(&seen);
                std::thread::spawn(move || drop(answer(stream, &act, &seen)));
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }

    fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|it| it.path).collect()
    }
}

fn answer(stream: TcpStream, act: &Act, seen: &Mutex<Vec<Request>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut path, mut token) = (String::new(), None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some(rest) = line.strip_prefix("GET ") {
            path = rest.split(' ').next().unwrap_or_default().to_owned();
        }
        if line.to_ascii_lowercase().starts_with("authorization:") {
            token = Some(line[14..].trim().to_owned());
        }
    }
    seen.lock().expect("no panic").push(Request { path, token });
    let mut out = stream;
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    match act {
        Act::Answer(body) => {
            let chunk = if body.is_empty() {
                String::new()
            } else {
                chunk(body)
            };
            out.write_all(format!("{chunked}{chunk}0\r\n\r\n").as_bytes())?;
        }
        Act::Cut(body, n) => {
            out.write_all(format!("{chunked}{}", chunk(&body[..*n])).as_bytes())?;
        }
        Act::Stall(body) => {
            out.write_all(format!("{chunked}{}", chunk(body)).as_bytes())?;
            out.flush()?;
            std::thread::park_timeout(Duration::from_secs(300));
        }
        Act::Status(status) => {
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n");
            out.write_all(format!("{head}\r\n").as_bytes())?;
        }
        Act::Redirect(to) => {
            let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n";
            out.write_all(format!("{head}Location: {to}\r\n\r\n").as_bytes())?;
        }
    }
    out.flush()
}

fn pgn(white: &str, result: &str, moves: &str) -> String {
    format!(
        "[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/q7ZvsdUF\"]\n\
         [Date \"2017.12.28\"]\n[White \"{white}\"]\n[Black \"Bob\"]\n[Result \"{result}\"]\n\
         [UTCDate \"2017.12.28\"]\n[UTCTime \"23:52:30\"]\n[Variant \"Standard\"]\n\
         [TimeControl \"300+3\"]\n\n{moves} {result}\n\n\n"
    )
}

const DECEMBER_2017_MS: u64 = 1_514_505_150_384;

/// A line as Lichess writes it: the n-th game, a minute after the one before.
fn line(n: u64) -> String {
    let created = DECEMBER_2017_MS + 60_000 * n;
    let text = pgn(
        &format!("Ann{n}"),
        "1-0",
        "1. e4 { [%eval 0.17] [%clk 0:05:00] } e5 2. Nf3",
    );
    let value = serde_json::json!({
        "id": format!("game{n:04}"), "rated": true, "variant": "standard", "speed": "blitz",
        "perf": "blitz", "createdAt": created, "lastMoveAt": created + 300_000, "status": "mate",
        "players": { "white": { "user": { "name": "Ann", "id": "ann" }, "rating": 1680 } },
        "moves": "e4 e5 Nf3", "pgn": text, "clock": { "initial": 300, "increment": 3 },
    });
    format!("{value}\n")
}

fn lines(range: std::ops::Range<u64>) -> String {
    range.map(line).collect()
}

/// A home with an empty database.
struct Trial {
    home: Home,
    store: Store,
    paused_ms: AtomicU64,
    stop: AtomicBool,
    told: Mutex<Vec<String>>,
    token: Option<Token>,
    may_fetch: bool,
    read: Duration,
    _folder: tempfile::TempDir,
}

impl Trial {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::open(Some(folder.path())).expect("it can be made");
        let store = Store::open(&home.database()).expect("a database");
        Self {
            home,
            store,
            paused_ms: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            told: Mutex::default(),
            token: None,
            may_fetch: true,
            read: Duration::from_secs(20),
            _folder: folder,
        }
    }

    fn fetch(&mut self, server: &Server, wish: &Wish) -> Result<Fetched, LiveError> {
        let paused_ms = &self.paused_ms;
        let pause = |ms: u64| {
            paused_ms.fetch_add(ms, Ordering::Relaxed);
        };
        let told = &self.told;
        let outside = Outside {
            may_fetch: self.may_fetch,
            addresses: Addresses {
                lichess: server.address.clone(),
                chesscom: server.address.clone(),
            },
            token: self.token.clone(),
            patience: Patience {
                connect: Duration::from_secs(20),
                read: self.read,
                attempts: 3,
                pause: &pause,
            },
            stop: &self.stop,
            // February 2018.
            now_ms: &|| 1_518_000_000_000,
            tell: &|progress| {
                let mut told = told.lock().expect("no panic");
                told.push(progress.message.to_owned());
            },
        };
        fetch(&self.home, &mut self.store, wish, &outside)
    }

    fn n_games(&self) -> usize {
        let page = Page { skip: 0, most: 0 };
        let found = self.store.find(&Filter::default(), Order::Added, page);
        found.expect("a database").total
    }
}

fn ann() -> Wish {
    Wish {
        source: Source::player(Service::Lichess, "Ann").expect("a name"),
        since: None,
        anew: false,
    }
}

fn of(source: Source) -> Wish {
    Wish { source, ..ann() }
}

#[test]
fn games_of_a_player_come_in_once_and_later_only_what_is_new() {
    let mut trial = Trial::new();
    let body = format!("{}\n\n{}", lines(0..2), lines(2..3));
    let server = Server::start(vec![Act::Answer(body), Act::Answer(lines(0..5))]);
    let first = trial.fetch(&server, &ann()).expect("it is served");
    assert_eq!((first.report.stored, first.report.duplicates), (3, 0));
    let second = trial.fetch(&server, &ann()).expect("it is served");
    assert_eq!((second.report.stored, second.report.duplicates), (2, 3));
    assert_eq!(trial.n_games(), 5);
    let paths = server.paths();
    assert!(paths[0].starts_with("/api/games/user/Ann?pgnInJson=true"));
    assert!(!paths[0].contains("since="), "{}", paths[0]);
    // Games that went on when the first fetch ended may have begun before it.
    let since = (DECEMBER_2017_MS + 120_000) / 1000 - 14 * 86_400;
    assert!(
        paths[1].contains(&format!("&since={since}000")),
        "{}",
        paths[1]
    );
    let wish = Wish {
        anew: true,
        ..ann()
    };
    trial.fetch(&server, &wish).expect("it is served");
    assert!(!server.paths()[2].contains("since="));
    let wish = Wish {
        since: Some("2018-01-02".parse().expect("a day")),
        ..ann()
    };
    trial.fetch(&server, &wish).expect("it is served");
    assert!(server.paths()[3].contains("&since=1514851200000"));
}

#[test]
fn a_stream_that_is_cut_goes_on_where_it_was() {
    let mut trial = Trial::new();
    let whole = lines(0..4);
    let at = lines(0..2).len() + 40;
    let server = Server::start(vec![
        Act::Cut(whole, at),
        Act::Status("502 Bad Gateway"),
        Act::Answer(lines(1..4)),
    ]);
    let fetched = trial.fetch(&server, &ann()).expect("the third answers");
    assert_eq!((fetched.report.stored, fetched.report.duplicates), (4, 0));
    let since = format!("&since={}", DECEMBER_2017_MS + 60_000);
    assert!(server.paths()[1].contains(&since), "{:?}", server.paths());
    // Killed in the middle, the next run goes on as well: what had come is stored and noted.
    let mut trial = Trial::new();
    let cut = Act::Cut(lines(0..4), at);
    let server = Server::start(vec![cut, Act::Status("404 Not Found")]);
    trial.fetch(&server, &ann()).expect_err("it is gone");
    assert_eq!(trial.n_games(), 2);
}

#[test]
fn the_newest_games_are_asked_for_from_the_end() {
    let mut trial = Trial::new();
    let newest = |range: std::ops::Range<u64>| range.rev().map(line).collect::<String>();
    let at = newest(8..10).len() + 5;
    let server = Server::start(vec![Act::Cut(newest(6..10), at), Act::Answer(newest(6..9))]);
    let source = Source::LichessPlayer {
        name: "Ann".to_owned(),
        most: Some(4),
    };
    let fetched = trial.fetch(&server, &of(source)).expect("it is served");
    assert_eq!(fetched.report.stored, 4);
    let paths = server.paths();
    assert!(paths[0].ends_with("&sort=dateDesc&max=4"), "{paths:?}");
    let until = DECEMBER_2017_MS + 8 * 60_000;
    assert!(
        paths[1].ends_with(&format!("&max=2&until={until}")),
        "{paths:?}"
    );
    // Some of the newest are no reason to forget the older ones.
    trial.fetch(&server, &ann()).expect("it is served");
    assert!(!server.paths()[2].contains("since="));
}

#[test]
fn a_server_that_was_asked_too_much_has_a_minute_of_silence() {
    let mut trial = Trial::new();
    let busy = Act::Status("429 Too Many Requests");
    let server = Server::start(vec![busy.clone(), Act::Answer(lines(0..1))]);
    let fetched = trial.fetch(&server, &ann()).expect("it is served");
    assert_eq!(fetched.report.stored, 1);
    assert_eq!(trial.paused_ms.load(Ordering::Relaxed), 60_000);
    let told = trial.told.lock().expect("no panic").join("\n");
    assert!(told.contains("asks for a pause"), "{told}");
    // For ever busy is given up.
    let mut trial = Trial::new();
    let server = Server::start(vec![busy]);
    let error = trial.fetch(&server, &ann()).expect_err("it is busy");
    assert!(matches!(error, LiveError::Busy { .. }), "{error}");
    assert_eq!(server.requests().len(), 6);
    assert_eq!(trial.paused_ms.load(Ordering::Relaxed), 300_000);
}

#[test]
fn what_goes_wrong_is_said_and_what_has_come_is_kept() {
    let good = lines(0..2);
    for (act, expected) in [
        (Act::Status("404 Not Found"), "has no player Ann"),
        (
            Act::Status("401 Unauthorized"),
            "does not let us see player Ann",
        ),
        (Act::Status("500 Oops"), "answered 500"),
        (Act::Status("302 Found"), "is not a secure address"),
        (
            Act::Redirect("http://elsewhere.example/x".to_owned()),
            "is not a secure address",
        ),
        (
            Act::Answer(format!("{good}<html>no game</html>\n")),
            "did not answer as expected",
        ),
        (
            Act::Answer(format!("{good}{{\"id\":3}}\n")),
            "did not answer as expected",
        ),
        (
            Act::Cut(format!("{good}{{\"id\":\"x"), good.len() + 4),
            "was cut off 3 times in a row",
        ),
    ] {
        let mut trial = Trial::new();
        let has_games = matches!(act, Act::Answer(_) | Act::Cut(..));
        let server = Server::start(vec![act.clone()]);
        let error = trial.fetch(&server, &ann()).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}; {act:?}");
        assert_eq!(trial.n_games(), if has_games { 2 } else { 0 }, "{act:?}");
    }
    // A game that cannot be read is told; the others go in.
    let mut trial = Trial::new();
    let bad = line(7).replace("1. e4", "1. e9");
    let other = line(8).replace("Standard", "Atomic");
    let server = Server::start(vec![Act::Answer(format!("{good}{bad}{other}"))]);
    let fetched = trial.fetch(&server, &ann()).expect("it is served");
    assert_eq!((fetched.report.stored, fetched.report.n_problems), (2, 2));
    let problem = &fetched.report.problems[1];
    assert_eq!(problem.place.unwrap().record, 4);
    assert!(problem.message.contains("variant"), "{problem}");
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let mut trial = Trial::new();
    let server = Server::start(vec![Act::Answer("{".repeat(5 << 20))]);
    let error = trial.fetch(&server, &ann()).expect_err("it is no game");
    assert!(matches!(error, LiveError::Odd { .. }), "{error}");
}

#[test]
fn nothing_is_asked_without_consent_or_beside_another_fetch() {
    let mut trial = Trial::new();
    let server = Server::start(vec![Act::Answer(lines(0..1))]);
    trial.may_fetch = false;
    let error = trial.fetch(&server, &ann()).expect_err("nobody allowed it");
    assert!(error.to_string().contains("needs your consent"), "{error}");
    trial.may_fetch = true;
    let alone = super::alone(&trial.home).expect("nobody else fetches");
    let error = trial.fetch(&server, &ann()).expect_err("one at a time");
    assert!(matches!(error, LiveError::UnderWay), "{error}");
    assert_eq!(server.requests(), []);
    drop(alone);
    trial.fetch(&server, &ann()).expect("it is served");
}

#[test]
fn a_stop_does_not_wait_for_a_silent_server() {
    let mut trial = Trial::new();
    // Without the stop, this would take minutes.
    trial.read = Duration::from_secs(280);
    let server = Server::start(vec![Act::Stall(lines(0..3))]);
    let fetched = std::thread::scope(|scope| {
        let requests = Arc::clone(&server.requests);
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&flag);
        scope.spawn(move || {
            while requests.lock().expect("no panic").is_empty() {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            theirs.store(true, Ordering::SeqCst);
        });
        fetch_until(&mut trial, &server, &flag)
    });
    let fetched = fetched.expect("a stop is no error");
    assert!(fetched.report.is_stopped);
}

/// A fetch with a flag that somebody else raises.
fn fetch_until(
    trial: &mut Trial,
    server: &Server,
    flag: &AtomicBool,
) -> Result<Fetched, LiveError> {
    let outside = Outside {
        may_fetch: true,
        addresses: Addresses {
            lichess: server.address.clone(),
            chesscom: server.address.clone(),
        },
        token: None,
        patience: Patience {
            connect: Duration::from_secs(20),
            read: trial.read,
            attempts: 3,
            pause: &|_| {},
        },
        stop: flag,
        now_ms: &|| 1_518_000_000_000,
        tell: &|_| {},
    };
    fetch(&trial.home, &mut trial.store, &ann(), &outside)
}

#[test]
fn a_token_goes_to_lichess_alone_and_into_no_message() {
    let mut trial = Trial::new();
    trial.token = Some("lip_secretsecret".parse().expect("a token"));
    let other = Server::start(vec![Act::Answer(lines(0..1))]);
    let to = format!("{}/moved", other.address);
    let server = Server::start(vec![Act::Redirect(to), Act::Status("403 Forbidden")]);
    trial.fetch(&server, &ann()).expect("the other one serves");
    assert_eq!(
        server.requests()[0].token.as_deref(),
        Some("Bearer lip_secretsecret")
    );
    assert_eq!(other.requests()[0].token, None);
    let error = trial.fetch(&server, &ann()).expect_err("it is forbidden");
    assert!(!format!("{error} {error:?}").contains("secret"));
    let chesscom = Server::start(vec![Act::Answer("{\"archives\":[]}".to_owned())]);
    let erik = Source::player(Service::ChessCom, "Erik").expect("a name");
    trial.fetch(&chesscom, &of(erik)).expect("it is served");
    assert_eq!(chesscom.requests()[0].token, None);
}

#[test]
fn games_of_a_round_come_in_when_they_have_a_result() {
    let mut trial = Trial::new();
    let over = pgn("Ann", "1/2-1/2", "1. d4 d5");
    let before = pgn("Cid", "*", "1. e4");
    let after = pgn("Cid", "0-1", "1. e4 e5 2. Ke2");
    let round = |follows| of(Source::round("abcdEFG1", follows).expect("a round"));
    let server = Server::start(vec![Act::Answer(format!("{over}{before}"))]);
    let fetched = trial.fetch(&server, &round(false)).expect("it is served");
    assert_eq!((fetched.report.stored, fetched.unfinished), (1, 1));
    assert_eq!(server.paths(), ["/api/broadcast/round/abcdEFG1.pgn"]);
    // Followed, it sends games again with every move, and is asked again when it ends early.
    let server = Server::start(vec![
        Act::Answer(format!("{over}{before}{before}")),
        Act::Answer(format!("{over}{before}{after}{after}")),
    ]);
    let fetched = trial.fetch(&server, &round(true)).expect("it is served");
    assert_eq!((fetched.report.stored, fetched.unfinished), (1, 0));
    assert_eq!(trial.n_games(), 2);
    assert_eq!(
        server.paths(),
        ["/api/stream/broadcast/round/abcdEFG1.pgn"; 2]
    );
}

#[test]
fn chapters_of_a_study_come_in_with_what_was_written_there() {
    let mut trial = Trial::new();
    let chapter = "[Event \"Study: Chapter 1\"]\n[Result \"*\"]\n[Variant \"From Position\"]\n\
                   [FEN \"8/8/8/8/8/5k2/6q1/7K w - - 0 1\"]\n[SetUp \"1\"]\n\n\
                   { Mate. [%csl Gg2][%cal Gf3g2] } *\n\n\n";
    let second = "[Event \"Study: Chapter 2\"]\n[Result \"*\"]\n\n\
                  1. e4 { best by test } ( 1. d4 d5 ( 1... Nf6 ) ) 1... e5 *\n\n\n";
    let body = format!("{chapter}{second}");
    let cut = Act::Cut(body.clone(), chapter.len() + 50);
    let server = Server::start(vec![cut, Act::Answer(body)]);
    let study = of(Source::study("abcdEFG1/ijklMNO2").expect("a study"));
    let fetched = trial.fetch(&server, &study).expect("it is served");
    assert_eq!((fetched.report.stored, fetched.report.n_problems), (2, 0));
    assert!(server.paths()[0].starts_with("/api/study/abcdEFG1/ijklMNO2.pgn?"));
    let again = trial.fetch(&server, &study).expect("it is served");
    assert_eq!((again.report.stored, again.report.duplicates), (0, 2));
}

#[test]
fn months_of_chess_com_are_read_once_when_they_are_over() {
    let mut trial = Trial::new();
    let list = "{\"archives\":[\"https://api.chess.com/pub/player/erik/games/2017/12\",\
                \"https://evil.example/pub/player/erik/games/2018/02\",\
                \"https://api.chess.com/pub/player/erik/games/2018/01\"]}";
    let month = |n: u32| {
        let name = format!("Erik{n}");
        Act::Answer(pgn(&name, "1-0", "1. e4 {[%clk 0:02:59.9]} e5"))
    };
    let list = Act::Answer(list.to_owned());
    let server = Server::start(vec![
        list.clone(),
        month(12),
        Act::Status("429 Too Many Requests"),
        month(1),
        month(2),
        list,
        month(2),
    ]);
    let erik = of(Source::player(Service::ChessCom, "Erik").expect("a name"));
    let fetched = trial.fetch(&server, &erik).expect("it is served");
    assert_eq!(fetched.report.stored, 3);
    assert_eq!(trial.paused_ms.load(Ordering::Relaxed), 60_000);
    let again = trial.fetch(&server, &erik).expect("it is served");
    assert_eq!((again.report.stored, again.report.duplicates), (0, 1));
    let month = |month: &str| format!("/pub/player/erik/games/{month}/pgn");
    let archives = "/pub/player/erik/games/archives".to_owned();
    assert_eq!(
        server.paths(),
        [
            archives.clone(),
            month("2017/12"),
            month("2018/01"),
            month("2018/01"),
            month("2018/02"),
            archives,
            month("2018/02"),
        ]
    );
}

#[test]
fn odd_lists_of_months_are_told() {
    let erik = of(Source::player(Service::ChessCom, "Erik").expect("a name"));
    for body in [
        "[]".to_owned(),
        "{\"archives\":[\"https://api.chess.com/x\"]}".to_owned(),
        "{\"archives\":[\"https://api.chess.com/2018/13\"]}".to_owned(),
        format!("{{\"archives\":[\"{}\"]}}", "x".repeat(2 << 20)),
    ] {
        let mut trial = Trial::new();
        let server = Server::start(vec![Act::Answer(body)]);
        let error = trial.fetch(&server, &erik).expect_err("it is odd");
        assert!(matches!(error, LiveError::Odd { .. }), "{error}");
    }
}
