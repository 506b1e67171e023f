//! What holds for all commands: help, unknown flags, closed pipes.

use crate::{failure, program, success};
use expect_test::expect;
use std::{io::Read as _, process::Stdio};

#[test]
fn help_of_each_command_has_examples() {
    for command in [
        "analyze", "bench", "board", "gtp", "nboard", "perft", "play", "serve", "solve",
    ] {
        let text = success(&[command, "--help"]);
        assert!(text.contains("Examples:\n  kibitz "), "{text}");
        assert!(success(&["--help"]).contains(command));
    }
}

#[test]
fn the_flags_of_serve_work_without_the_word() {
    let (line, code) = failure(&["--port", "many"]);
    assert!(
        line.contains("invalid value 'many' for '--port <N>'"),
        "{line}"
    );
    assert_eq!(code, 2);
    let (line, code) = failure(&["--no-open", "board"]);
    assert!(line.starts_with("kibitz: "), "{line}");
    assert_eq!(code, 2);
}

#[test]
fn unknown_commands_and_flags_exit_with_2() {
    let (line, code) = failure(&["bord"]);
    expect![[r#"
        kibitz: unrecognized subcommand 'bord'; some similar subcommands exist: 'nboard', 'board'; see kibitz --help
    "#]].assert_eq(&line);
    assert_eq!(code, 2);
    let (line, code) = failure(&["board", "--bogus"]);
    expect![[r#"
        kibitz: unexpected argument '--bogus' found; to pass '--bogus' as a value, use '-- --bogus'; see kibitz --help
    "#]].assert_eq(&line);
    assert_eq!(code, 2);
    let (line, code) = failure(&["perft", "--depht", "3"]);
    expect![[r#"
        kibitz: unexpected argument '--depht' found; a similar argument exists: '--depth'; see kibitz --help
    "#]].assert_eq(&line);
    assert_eq!(code, 2);
}

/// As in `kibitz perft --depth 8 | head -1`.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = program()
        .args(["perft", "--depth", "8"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    drop(child.stdout.take());
    let mut stderr = String::new();
    let mut stream = child.stderr.take().expect("piped above");
    stream.read_to_string(&mut stderr).unwrap();
    assert_eq!(stderr, "");
    assert!(child.wait().unwrap().success());
}
