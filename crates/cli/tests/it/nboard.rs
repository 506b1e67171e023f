//! `kibitz nboard`: a conversation in which both sides talk at any time.

use crate::program;
use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start() -> Self {
        let mut child = program()
            .args(["nboard", "--threads", "1", "--hash-mb", "4", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        Self {
            stdin: child.stdin.take().unwrap(),
            stdout: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    /// The lines up to one that begins with this.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.stdout.next().expect("it still talks").unwrap();
            let is_last = line.starts_with(start);
            heard.push(line);
            if is_last {
                return heard;
            }
        }
    }

    fn end(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_front_end_is_served() {
    let mut engine = Engine::start();
    engine.say("nboard 2");
    engine.say("set depth 3");
    engine.say("move F5");
    engine.say("ping 1");
    let greeting = ["set myname Kibitz", "set myname Kibitz3", "pong 1"];
    assert_eq!(engine.until("pong"), greeting);

    engine.say("hint 3");
    let heard = engine.until("status Waiting");
    let count = |start: &str| heard.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(heard[0], "status Analysing");
    assert_eq!(
        count("search "),
        9,
        "three moves at each of three depths: {heard:?}"
    );
    assert!(count("nodestats ") >= 3, "{heard:?}");
    assert_eq!(count("==="), 0);

    engine.say("go");
    let heard = engine.until("status Waiting");
    let choice = &heard[heard.len() - 2];
    let text = choice.strip_prefix("=== ").expect("the choice");
    let (action, _) = text.split_once('/').expect("its value and time");
    engine.say(&format!("move {action}"));

    engine.say("analyze");
    let heard = engine.until("status Waiting");
    let moves_made: Vec<&str> = heard
        .iter()
        .filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next())
        .collect();
    assert_eq!(moves_made, ["2", "1", "0"]);

    engine.say("learn");
    assert_eq!(engine.until("learned"), ["learned"]);
    engine.end();
}

#[test]
fn the_next_line_stops_a_search() {
    let mut engine = Engine::start();
    // Far deeper than anybody would wait for.
    engine.say("set depth 50");
    engine.say("hint 4");
    engine.until("search ");
    engine.say("ping 7");
    let heard = engine.until("pong 7");
    assert_eq!(heard[heard.len() - 2], "status Waiting");
    engine.say("go");
    engine.until("search ");
    engine.say("ping 8");
    let heard = engine.until("pong 8");
    assert!(
        heard.iter().any(|line| line.starts_with("=== ")),
        "{heard:?}"
    );
    // Nor does the end of the input wait.
    engine.say("go");
    engine.until("status Thinking");
    engine.end();
}

#[test]
fn garbage_is_survived() {
    let mut engine = Engine::start();
    engine.stdin.write_all(b"\xff\xfe\x00\n\n").unwrap();
    for line in [
        "dance",
        "set game (;BO[",
        "move Z9",
        "hint many",
        "nboard x",
        "ping 1",
    ] {
        engine.say(line);
    }
    let heard = engine.until("pong 1");
    assert!(
        heard[..heard.len() - 1]
            .iter()
            .all(|line| line.starts_with("status Error: ")),
        "{heard:?}"
    );
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());
}
