//! `kibitz serve` on a disk that refuses: a move that cannot be saved is answered as such, kept,
//! tried again, and the exit code tells when it was lost in the end.
//!
//! The disk refuses in ways that work for root, too: the tests may run as root, who may write to
//! read-only folders.
#![cfg(target_os = "linux")]

use crate::http::{PATIENCE, current, home, play, request, start};
use serde_json::{Value, json};
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

/// Saves and attempts to save that a test may need before the disk is mended.
const N_NAMES: u64 = 500;

/// How a disk refuses.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// The names of the files that the program is about to write lead to `/dev/full`.
    Full,
    /// A file stands where the folder of the games was.
    NoFolder,
}

impl Trouble {
    fn names(games: &Path, child: &Child) -> impl Iterator<Item = PathBuf> {
        let (games, id) = (games.to_owned(), child.id());
        (0..N_NAMES).map(move |n| games.join(format!("s2.toml.{id}-{n}.new")))
    }

    fn begin(self, home: &Path, child: &Child) {
        let games = home.join("sessions");
        match self {
            Self::Full => {
                for name in Self::names(&games, child) {
                    std::os::unix::fs::symlink("/dev/full", name).expect("a new name");
                }
            }
            Self::NoFolder => {
                fs::rename(&games, home.join("aside")).expect("the folder was made");
                fs::write(&games, "in the way").expect("a new name");
            }
        }
    }

    fn end(self, home: &Path, child: &Child) {
        let games = home.join("sessions");
        match self {
            // The program has removed the ones that it used.
            Self::Full => Self::names(&games, child).for_each(|name| {
                fs::remove_file(name).ok();
            }),
            Self::NoFolder => {
                fs::remove_file(&games).expect("it was made above");
                fs::rename(home.join("aside"), &games).expect("it was moved above");
            }
        }
    }

    const fn answer(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Full => (507, "no_space", "free some space on the disk"),
            Self::NoFolder => (500, "not_saved", "see that the folder can be written to"),
        }
    }
}

fn n_positions(view: &Value) -> usize {
    view["tree"].as_array().expect("a view has a tree").len()
}

/// A server with one saved move whose disk then refuses the second.
fn refused(trouble: Trouble, name: &str) -> (Child, u16, PathBuf) {
    let home = home(name);
    let (child, port) = start(&home, Stdio::piped());
    let wish = json!({ "mode": "analyse" });
    let (status, view) = request(port, "POST /api/sessions", Some(&wish)).expect("an answer");
    assert_eq!((status, &view["id"]), (201, &json!("s2")), "{view}");
    let (status, view) = play(port, "f5");
    assert_eq!((status, &view["notSaved"]), (200, &Value::Null), "{view}");
    trouble.begin(&home, &child);
    let (status, refusal) = play(port, "d6");
    let (wanted, code, advice) = trouble.answer();
    assert_eq!((status, &refusal["code"]), (wanted, &json!(code)));
    let message = refusal["message"].as_str().expect("a sentence");
    assert!(message.contains("not on disk"), "{message}");
    assert!(message.contains("tries again by itself"), "{message}");
    assert!(message.contains(advice), "{message}");
    // The move is kept, and the game says what is wrong.
    let view = current(port);
    assert_eq!(n_positions(&view), 3, "{view}");
    assert_eq!(view["notSaved"], refusal["message"]);
    (child, port, home)
}

#[test]
fn a_move_that_the_disk_refused_is_saved_when_the_disk_is_well_again() {
    for trouble in [Trouble::Full, Trouble::NoFolder] {
        let (mut child, port, home) = refused(trouble, "refused");
        trouble.end(&home, &child);
        let mut waited = Duration::ZERO;
        let step = Duration::from_millis(50);
        while current(port)["notSaved"] != Value::Null {
            assert!(waited < PATIENCE, "{trouble:?}: it does not try again");
            std::thread::park_timeout(step);
            waited += step;
        }
        // What is saved outlives the hardest end.
        child.kill().expect("it runs");
        child.wait().expect("it was killed");
        let (mut child, port) = start(&home, Stdio::null());
        assert_eq!(n_positions(&current(port)), 3, "{trouble:?}");
        child.kill().expect("it runs");
        child.wait().expect("it was killed");
    }
}

#[test]
fn the_exit_code_tells_of_a_move_that_was_never_saved() {
    for trouble in [Trouble::Full, Trouble::NoFolder] {
        let (mut child, _, home) = refused(trouble, "never-saved");
        #[expect(clippy::disallowed_methods, reason = "the signal that ends a program")]
        let sent = std::process::Command::new("kill")
            .arg(child.id().to_string())
            .status();
        assert!(sent.expect("every Unix has kill").success());
        let status = child.wait().expect("it is ours");
        assert_eq!(status.code(), Some(1), "{trouble:?}: {status}");
        let mut told = String::new();
        let mut stderr = child.stderr.take().expect("piped above");
        stderr.read_to_string(&mut told).expect("UTF-8");
        let last = told.lines().last().expect("it says why");
        assert!(
            last.contains("s2 was not saved and is lost"),
            "{trouble:?}: {told}"
        );
        // What was saved before is unharmed.
        trouble.end(&home, &child);
        let (mut child, port) = start(&home, Stdio::null());
        assert_eq!(n_positions(&current(port)), 2, "{trouble:?}");
        child.kill().expect("it runs");
        child.wait().expect("it was killed");
    }
}
