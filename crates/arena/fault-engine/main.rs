//! An engine that misbehaves as its first argument says: for the tests of `arena::process`.
//!
//! Without a fault it speaks enough UCI to be thought an engine. With `keep-engine` in front it is a
//! keeper, as the product is.

#![forbid(unsafe_code)]

mod othello_player;

use std::{
    env,
    io::{self, BufRead as _, Write as _},
    process::{ExitCode, Stdio},
    thread,
    time::Duration,
};

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1).peekable();
    if args
        .next_if(|it| it == arena::process::keeper::ARGUMENT)
        .is_some()
    {
        return arena::process::keeper::run(args);
    }
    let fault = args.next().and_then(|it| it.into_string().ok());
    let fault = fault.unwrap_or_default();
    if let Some(player) = othello_player::Player::of(&fault) {
        return player.obey_all();
    }
    let mut engine = Engine {
        fault,
        is_thinking: false,
        n_plies: 0,
    };
    engine.begin();
    engine.obey_all()
}

struct Engine {
    fault: String,
    is_thinking: bool,
    /// Moves of the position that it was told last.
    n_plies: usize,
}

/// The game of the engines that play by a script: White mates. `guesses-right` expects what comes,
/// `guesses-wrong` something else.
const SCRIPT: [&str; 7] = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];

/// Says a line; when nobody listens any more, there is nothing left to do.
fn say(line: &str) {
    say_bytes(format!("{line}\n").as_bytes());
}

fn say_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        leave(7);
    }
}

#[expect(clippy::exit, reason = "an engine that crashes does not tidy up")]
fn leave(code: i32) -> ! {
    std::process::exit(code);
}

#[expect(clippy::disallowed_methods, reason = "to hang is its purpose")]
fn sleep(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

fn hang() -> ! {
    loop {
        sleep(1_000);
    }
}

/// Becomes a shell that does this.
fn shell(script: &str) -> ! {
    #[expect(
        clippy::disallowed_methods,
        reason = "some faults are easier in a shell"
    )]
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script]);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        let _error = command.exec();
    }
    leave(9);
}

/// Starts a process that leaves our group and keeps our output open; its number goes to a file.
fn daemon() {
    let file = env::var("FAULT_PID_FILE").unwrap_or_default();
    let script = format!("echo $$ > '{file}'; exec sleep 600");
    #[expect(clippy::disallowed_methods, reason = "it must be another process")]
    let mut command = std::process::Command::new("setsid");
    command.args(["sh", "-c", &script]).stdin(Stdio::null());
    drop(command.spawn());
    while std::fs::read_to_string(&file).map_or(true, |text| text.trim().is_empty()) {
        sleep(5);
    }
}

/// Without a line end, and not all at once.
fn flood(text: &str) -> ! {
    let block = text.repeat(1 << 12);
    loop {
        say_bytes(block.as_bytes());
    }
}

impl Engine {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// What goes wrong before the first command.
    fn begin(&self) {
        match self.fault.as_str() {
            "crash-at-start" => leave(3),
            "exit-0-at-start" => leave(0),
            "words-and-crash" => {
                drop(writeln!(io::stderr(), "cannot find network.nnue"));
                leave(4);
            }
            "flood-at-start" => flood("I am here\n"),
            "hang-at-start" => hang(),
            "close-input" => {
                shell("exec <&-; echo id name closed; echo uciok; while :; do sleep 1; done")
            }
            "ignore-term" => shell(
                "trap '' TERM; echo uciok; while read -r x; do echo readyok; done; \
                 while :; do sleep 1; done",
            ),
            "errors-for-ever" => loop {
                drop(io::stderr().write_all(&[b'e'; 4096]));
            },
            "daemon" => daemon(),
            "daemon-and-exit" => {
                daemon();
                leave(5);
            }
            "banner" => say("Faulty 1.0 by nobody\n\ninfo string uciok is near"),
            _ => {}
        }
    }

    fn obey_all(&mut self) -> ExitCode {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let word = line.split_whitespace().next().unwrap_or_default();
            if self.is(&format!("crash-on-{word}")) {
                leave(3);
            }
            if self.is(&format!("abort-on-{word}")) {
                std::process::abort();
            }
            if self.is(&format!("hang-on-{word}")) {
                hang();
            }
            if word == "quit" {
                if self.is("ignore-quit") {
                    hang();
                }
                return ExitCode::SUCCESS;
            }
            if word == "position" {
                let moves = line.split_once("moves").map_or("", |(_, moves)| moves);
                self.n_plies = moves.split_whitespace().count();
            }
            if self.fault.starts_with("guesses-") && self.obey_script(&line) {
                continue;
            }
            self.obey(word);
        }
        if self.is("ignore-quit") {
            hang();
        }
        ExitCode::SUCCESS
    }

    fn obey(&mut self, word: &str) {
        match word {
            "uci" => self.introduce(),
            "isready" => say("readyok"),
            "go" => self.go(),
            "stop" if self.is_thinking => self.stop(),
            _ => {}
        }
    }

    /// Whether a command was one for an engine that plays by the script.
    fn obey_script(&mut self, line: &str) -> bool {
        match line.split_whitespace().next() {
            Some("go") if line.contains("ponder") => self.is_thinking = true,
            Some("go") => self.play_script(),
            Some("ponderhit" | "stop") if self.is_thinking => {
                self.is_thinking = false;
                self.play_script();
            }
            _ => return false,
        }
        true
    }

    fn play_script(&self) {
        let word = |at: usize| SCRIPT.get(at).copied().unwrap_or("0000");
        let expected = if self.is("guesses-right") {
            word(self.n_plies + 1)
        } else {
            "a2a3"
        };
        say(&format!(
            "bestmove {} ponder {expected}",
            word(self.n_plies)
        ));
    }

    fn introduce(&self) {
        match self.fault.as_str() {
            "no-uciok" => return,
            "late-uciok" => sleep(5_000),
            "half-uciok" => return say_bytes(b"id name half\nuci"),
            "slow-uciok" => {
                for byte in b"id name slow\nuciok\n" {
                    say_bytes(&[*byte]);
                    sleep(1_000);
                }
            }
            "nul-bytes" => say_bytes(b"id name n\0u\0l\n\0\0\0\nuciok\n"),
            "not-utf8" => say_bytes(b"id name \xff\xfe\xc3(\noption name \xe9 type check\n"),
            "odd-options" => {
                say("option name Hash type spin default 99 min 9 max 1");
                say("option name type spin default type spin default 5");
                say("option name X type nonsense");
                say("option");
                say("option name Style type combo");
            }
            "many-options" => {
                for number in 0..20_000 {
                    say(&format!("option name O{number} type check default true"));
                }
            }
            _ => {}
        }
        say("id name Faulty 1.0");
        say("id author nobody");
        say("option name MultiPV type spin default 1 min 1 max 5");
        say("uciok");
        match self.fault.as_str() {
            "unasked-bestmove" => say("bestmove e2e4"),
            "exit-0-when-idle" => leave(0),
            "double-uciok" => say("uciok\nuciok"),
            _ => {}
        }
    }

    fn go(&mut self) {
        if let Some(ms) = self.fault.strip_prefix("thinks-") {
            sleep(ms.parse().unwrap_or(0));
        }
        say("info depth 1 score cp 13 nodes 20 pv e2e4 e7e5");
        let best = match self.fault.as_str() {
            "illegal-move" => "e2e5",
            "null-move" => "0000",
            "no-move" => "(none)",
            "garbage-move" => "\u{1}%$§",
            "two-bestmoves" => "e2e4\nbestmove d2d4",
            "long-line" => {
                say(&format!("info string {}", "x".repeat(8 << 20)));
                "e2e4"
            }
            "flood-lines" => flood("info depth 1 score cp 1 pv e2e4\n"),
            "flood-without-end" => flood("x"),
            "half-bestmove" => {
                say_bytes(b"bestm");
                hang()
            }
            "crash-while-thinking" => {
                say("info depth 2 score cp 14 nodes 40 pv e2e4");
                leave(3)
            }
            "close-output" => shell("exec >&-; while :; do sleep 1; done"),
            "wrong-bounds" => {
                say("info depth -5 multipv -1 hashfull 5000 nps -3 wdl 9 9 9 score cp 1e9 pv e2e4");
                say("info depth 99999999999 multipv 77 score mate 99999999999 pv e2e4");
                "e2e4"
            }
            "waits-for-stop" | "ignores-stop" | "late-after-stop" | "crash-on-stop"
            | "hang-on-stop" => {
                self.is_thinking = true;
                return;
            }
            _ => "e2e4",
        };
        say(&format!("bestmove {best} ponder e7e5"));
    }

    fn stop(&mut self) {
        match self.fault.as_str() {
            "ignores-stop" => {}
            "late-after-stop" => {
                sleep(5_000);
                say("bestmove e2e4");
            }
            _ => {
                self.is_thinking = false;
                say("bestmove e2e4");
            }
        }
    }
}
