//! The `kibitz` program as its users meet it: what it prints, and how it fails.

mod analyze;
mod bench;
mod board;
mod gtp;
mod nboard;
mod perft;
mod play;
mod usage;

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
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
    Command::new(env!("CARGO_BIN_EXE_kibitz"))
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
