//! `kibitz fetch`: against a server on this computer.

use crate::{kibitz, piped, scratch};
use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    path::PathBuf,
};

const LINE: &str = r#"{"id":"abcdefgh","createdAt":1709280000000,"pgn":"[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"}"#;

/// Answers every request with one game of a player, or with a list of no months.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("it has one"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
            let mut first = String::new();
            drop(reader.read_line(&mut first));
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                line.clear();
            }
            let body = if first.contains("/archives") {
                "{\"archives\":[]}".to_owned()
            } else {
                format!("{LINE}\n")
            };
            let length = body.len();
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length:";
            drop(write!(stream, "{head} {length}\r\n\r\n{body}"));
        }
    });
    address
}

/// A home that asks the server of the test, or nobody.
fn home(name: &str, is_allowed: bool) -> PathBuf {
    let home = scratch(name);
    drop(std::fs::remove_dir_all(&home));
    std::fs::create_dir_all(&home).expect("it can be made");
    let address = serve();
    let config = format!(
        "[network]\nenabled = {is_allowed}\nlichess_url = \"{address}\"\nchesscom_url = \"{address}\"\n"
    );
    std::fs::write(home.join("config.toml"), config).expect("it can be written");
    home
}

#[test]
fn games_are_fetched_once_and_only_after_consent() {
    let refusing = home("fetch-refusing", false);
    let refusing = refusing.to_str().expect("UTF-8");
    let run = kibitz(&["fetch", "lichess", "Ann", "--home", refusing]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("needs your consent"), "{}", run.stderr);
    let home = home("fetch", true);
    let home = home.to_str().expect("UTF-8");
    let fetch = |args: &[&str]| -> Value {
        let args = [&["fetch"], args, &["--home", home, "--json"]].concat();
        let run = kibitz(&args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        serde_json::from_str(&run.stdout).expect("it is JSON")
    };
    let first = fetch(&["lichess", "https://lichess.org/@/Ann"]);
    assert_eq!(
        (&first["stored"], &first["duplicates"]),
        (&1.into(), &0.into())
    );
    let second = fetch(&["lichess", "Ann"]);
    assert_eq!(
        (&second["stored"], &second["duplicates"]),
        (&0.into(), &1.into())
    );
    assert_eq!(fetch(&["chesscom", "Ann"])["games"], 0);
    let run = kibitz(&["fetch", "lichess", "a b", "--home", home]);
    assert!(
        run.stderr.contains("is no name of a player"),
        "{}",
        run.stderr
    );
    let run = kibitz(&["fetch", "lichess", "--home", home]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn a_token_comes_from_the_input_and_is_not_told() {
    let home = home("fetch-token", true);
    let text = home.to_str().expect("UTF-8");
    let run = piped(&["fetch", "token", "--home", text], b"lip_secretsecret\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stdout.contains("secret"), "{}", run.stdout);
    let kept = std::fs::read_to_string(home.join("tokens.toml")).expect("it was written");
    assert!(kept.contains("lip_secretsecret"));
    let run = piped(&["fetch", "token", "--home", text], b"no token\n");
    assert_eq!(run.code, Some(1));
    assert!(!run.stderr.contains("no token\""), "{}", run.stderr);
    kibitz(&["fetch", "token", "--forget", "--home", text]);
    assert!(!home.join("tokens.toml").exists());
}
