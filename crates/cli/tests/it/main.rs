//! The `kibitz` program as its users meet it: what it prints, and how it fails.

mod analyze;
mod bench;
mod board;
mod book;
mod config;
mod convert;
mod diag;
mod engines;
mod explain;
mod fetch;
mod files;
mod gtp;
mod http;
mod kill;
mod levels;
mod library;
#[cfg(unix)]
mod logged;
mod matches;
mod nboard;
mod perft;
mod play;
mod probcut;
mod review;
#[cfg(unix)]
mod runners;
mod selfplay;
mod serve;
mod tournament;
mod train;
mod trained;
mod unsaved;
mod usage;

use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio},
};

/// What a run of the program left behind.
struct Run {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "these tests are about the program itself"
)]
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitz"));
    // The user who runs the tests may have configured something.
    command.env("KIBITZ_HOME", scratch("no-home").join("none"));
    command
}

fn kibitz(args: &[&str]) -> Run {
    let Output {
        status,
        stdout,
        stderr,
    } = program()
        .args(args)
        .output()
        .expect("the program was built for this test");
    Run {
        stdout: String::from_utf8(stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(stderr).expect("messages are UTF-8"),
        code: status.code(),
    }
}

/// A run that is given this to read. The text must be short enough for a pipe's buffer, for it is
/// written before anything is read.
fn piped(args: &[&str], input: &[u8]) -> Run {
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("piped above");
    stdin.write_all(input).expect("it listens");
    drop(stdin);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("it ends");
    Run {
        stdout: String::from_utf8(stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(stderr).expect("messages are UTF-8"),
        code: status.code(),
    }
}

/// A folder for a test's files; what an earlier run left there is replaced.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("cargo made the folder around it");
    folder
}

/// The output of a run that must succeed without a word on the standard error.
fn success(args: &[&str]) -> String {
    let run = kibitz(args);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    run.stdout
}

/// The one line that a failing run says, and its exit code.
fn failure(args: &[&str]) -> (String, i32) {
    let run = kibitz(args);
    assert_eq!(run.stdout, "", "{args:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    (run.stderr, run.code.expect("it was not killed"))
}

/// The program at the other end of a pipe, line by line.
struct Conversation {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
}

impl Conversation {
    fn start(args: &[&str]) -> Self {
        let mut child = program()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        let stdin = child.stdin.take().expect("piped above");
        let stdout = child.stdout.take().expect("piped above");
        Self {
            child,
            stdin,
            stdout: BufReader::new(stdout).lines(),
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("it listens");
    }

    fn hear(&mut self) -> String {
        let line = self.stdout.next().expect("it still talks");
        line.expect("what it says is UTF-8")
    }

    /// The lines up to one that begins with this.
    fn hear_until(&mut self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.hear());
            if heard.last().is_some_and(|line| line.starts_with(start)) {
                return heard;
            }
        }
    }

    /// Closes our end; the program must end well, too.
    fn end(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().expect("it is our child").success());
    }
}
