//! `kibitz engines`, and foreign engines in `analyze` and `match`. Our own program is the foreign
//! engine: it speaks GTP and NBoard.

use crate::{program, scratch};
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Ran {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

/// A home of its own for each test.
struct Place {
    home: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let home = scratch(name).join("home");
        // What an earlier run left would be found.
        drop(std::fs::remove_dir_all(&home));
        Self { home }
    }

    fn run(&self, args: &[&str]) -> Ran {
        let output = program()
            .args(args)
            .env("KIBITZ_HOME", &self.home)
            .output()
            .expect("the program was built for this test");
        Ran {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    fn success(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{args:?}: {}",
            ran.stdout
        );
        ran.stdout
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.success(args)).expect("it is JSON")
    }

    fn failure(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.stdout);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        ran.stderr
    }

    /// Adds our own program as an engine that speaks this.
    fn add(&self, name: &str, protocol: &str) -> String {
        let path = env!("CARGO_BIN_EXE_kibitz");
        let arg = format!("--arg={protocol}");
        let level = ["--arg=--level", "--arg=elo_400"];
        self.success(&[
            "engines",
            "add",
            name,
            "--path",
            path,
            "--protocol",
            protocol,
            &arg,
            level[0],
            level[1],
        ])
    }
}

/// A program of a few lines.
#[cfg(unix)]
fn script(folder: &Path, text: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(folder).expect("the folder is ours");
    let path = folder.join("engine.sh");
    std::fs::write(&path, text).expect("the folder is ours");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    path.to_str().expect("the name is UTF-8").to_owned()
}

/// An engine that knows one move and repeats its settings.
#[cfg(unix)]
const UCI: &str = "#!/bin/sh\nhash=16\nwhile read -r word rest; do case $word in\n\
    uci) echo id name Small 1.5; echo option name Hash type spin default 16 min 1 max 64; \
         echo option name Style type combo default Solid var Solid var Risky; \
         echo option name Clear Hash type button; echo uciok;;\n\
    setoption) hash=${rest##* };;\nisready) echo readyok;;\n\
    go) echo info depth 3 score cp 25 nodes $hash pv e2e4 e7e5; echo bestmove e2e4;;\n\
    quit) exit 0;;\nesac; done\n";

#[test]
fn engines_are_added_listed_tried_and_removed() {
    let place = Place::new("engines-life");
    assert!(
        place
            .success(&["engines", "list"])
            .starts_with("No engine has been added yet.\n")
    );
    assert_eq!(
        place.add("Friend", "gtp"),
        "friend is added: Kibitz, othello by gtp\n"
    );
    let listed = place.json(&["engines", "list", "--json"]);
    assert_eq!(listed["added"][0]["id"], "friend");
    assert_eq!(listed["added"][0]["protocol"], "gtp");
    assert_eq!(listed["added"][0]["installed"], false);
    let tried = place.json(&["engines", "test", "friend", "--json"]);
    assert_eq!(tried["best"].as_str().map(str::len), Some(2));
    assert!(tried["stop_ms"].is_null(), "GTP has no word for it");
    place.success(&["engines", "remove", "friend"]);
    assert!(
        place
            .failure(&["engines", "test", "friend"])
            .contains("there is no engine \"friend\"")
    );
}

#[test]
fn an_nboard_engine_is_tried() {
    let place = Place::new("engines-nboard");
    place.add("board", "nboard");
    let tried = place.json(&["engines", "test", "board", "--json"]);
    assert!(tried["depth"].as_u64().is_some(), "{tried}");
    assert!(tried["stop_ms"].as_u64().is_some(), "{tried}");
    let text = place.success(&["engines", "test", "board", "--log"]);
    assert!(
        text.contains("> nboard 2\n") && text.contains("< pong 1\n"),
        "{text}"
    );
    assert!(text.contains("board works: Kibitz"), "{text}");
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new("engines-wrong");
    let failure = |args: &[&str]| place.failure(&[&["engines"], args].concat());
    assert!(failure(&["add", "x", "--path", "/nowhere"]).contains("there is no file /nowhere"));
    assert!(failure(&["add", "mcts", "--path", "/bin/sh"]).contains("mcts is our own engine"));
    assert!(
        failure(&["add", "../x", "--path", "/bin/sh"]).contains("cannot be the name of an engine")
    );
    assert!(failure(&["install", "nonesuch"]).contains("there is no description of nonesuch"));
    let message = failure(&["install", "stockfish"]);
    assert!(
        message.contains("no checked download of Stockfish for this computer"),
        "{message}"
    );
    assert!(failure(&["update", "https://127.0.0.1:1/x"]).contains("needs your consent"));
    place.success(&["engines", "consent"]);
    assert!(failure(&["update", "http://example.org/x"]).contains("is not a secure address"));
    place.success(&["engines", "consent", "--withdraw"]);
    assert!(failure(&["update", "https://127.0.0.1:1/x"]).contains("needs your consent"));
    let message = place.failure(&["analyze", "--engine", "edax", "--moves", "f5"]);
    assert!(message.contains("there is no engine \"edax\""), "{message}");
    // Nothing was made by all this.
    assert!(!place.home.join("engines").exists());
}

#[cfg(unix)]
#[test]
fn settings_are_shown_changed_checked_and_reset() {
    let place = Place::new("engines-options");
    let path = script(&place.home.join("../programs"), UCI);
    // Nobody says what it speaks: it is asked.
    assert_eq!(
        place.success(&["engines", "add", "small", "--path", &path]),
        "small is added: Small 1.5, chess by uci\n"
    );
    let options =
        |more: &[&str]| place.json(&[&["engines", "options", "small", "--json"], more].concat());
    let shown = options(&["--set", "hash=32", "--set", "Style=risky"]);
    assert_eq!(shown["options"][0]["value"], "32");
    assert_eq!(shown["options"][0]["changed"], true);
    assert_eq!(shown["options"][1]["value"], "risky");
    let failure = |set: &str| place.failure(&["engines", "options", "small", "--set", set]);
    assert!(
        failure("Hash=100")
            .contains("Hash cannot be \"100\"; expected a whole number from 1 to 64")
    );
    assert!(failure("Style=mad").contains("expected one of Solid, Risky"));
    assert!(failure("Clear Hash=1").contains("is a button"));
    assert!(failure("Ash=3").contains("has no setting \"Ash\""));
    assert!(
        place
            .failure(&["engines", "options", "small", "--profile", "x"])
            .contains("no profile")
    );
    let config = place.home.join("engines/small/config.toml");
    assert_eq!(
        std::fs::read_to_string(&config).unwrap(),
        "[options]\nHash = 32\nStyle = \"risky\"\n"
    );
    // They reach the engine, which tells its table as its nodes.
    options(&["--reset", "Style"]);
    let found = place.json(&[
        "analyze",
        "--engine",
        "small",
        "--position",
        "startpos",
        "--json",
    ]);
    assert_eq!(found["engines"][0]["nodes"], 32);
    assert_eq!(options(&["--reset-all"])["options"][0]["changed"], false);
}

#[cfg(unix)]
#[test]
fn chess_positions_go_through_as_they_are() {
    let place = Place::new("engines-chess");
    let path = script(&place.home.join("../programs-chess"), UCI);
    place.success(&[
        "engines",
        "add",
        "small",
        "--path",
        &path,
        "--protocol",
        "uci",
    ]);
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let args = [
        "analyze",
        "--engine",
        "small",
        "--position",
        fen,
        "--depth",
        "3",
    ];
    let text = place.success(&args);
    assert_eq!(
        text,
        "   1  small     e2e4  depth 3  16 nodes\n                   +0.25  e2e4 e7e5\n"
    );
    let message = place.failure(&["analyze", "--engine", "small,alphabeta", "--moves", "e2e4"]);
    assert!(
        message.contains("small plays chess and alphabeta plays othello"),
        "{message}"
    );
}

#[test]
fn engines_look_at_a_position_side_by_side() {
    let place = Place::new("engines-panel");
    place.add("talker", "nboard");
    place.add("mute", "gtp");
    let found = place.json(&[
        "analyze",
        "--engine",
        "talker,mute,alphabeta",
        "--moves",
        "f5d6c3",
        "--time-ms",
        "300",
        "--lines",
        "2",
        "--evaluator",
        "classic",
        "--json",
    ]);
    let engines = found["engines"].as_array().unwrap();
    let names: Vec<&str> = engines
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["talker", "mute", "alphabeta"]);
    assert_eq!(engines[0]["lines"].as_array().unwrap().len(), 2);
    assert!(engines[0]["lines"][0]["score"].is_i64());
    assert!(
        engines[1]["lines"][0]["score"].is_null(),
        "GTP tells no values"
    );
    assert_eq!(engines[2]["lines"].as_array().unwrap().len(), 2);
    assert_eq!(found["moves"], serde_json::json!(["f5", "d6", "c3"]));
    // Who was asked about another's choice tells its value.
    for judgement in found["about_others"].as_array().unwrap() {
        assert_eq!(
            judgement["lines"][0]["pv"][0], judgement["move"],
            "{judgement}"
        );
    }
    // What one language cannot do is told, and the others go on.
    let text = place.success(&[
        "analyze",
        "--engine",
        "mute,alphabeta",
        "--moves",
        "f5",
        "--depth",
        "3",
    ]);
    assert!(text.contains("GTP has no command for a depth"), "{text}");
    assert!(text.contains("only alphabeta gave an answer"), "{text}");
    let message = place.failure(&[
        "analyze", "--engine", "mute", "--moves", "f5", "--depth", "3",
    ]);
    assert!(message.contains("no engine gave an answer"), "{message}");
}

#[test]
fn a_foreign_engine_plays_a_match_against_ours() {
    let place = Place::new("engines-match");
    place.add("talker", "nboard");
    place.add("mute", "gtp");
    let openings = place.home.join("openings.txt");
    std::fs::write(&openings, "f5d6c4d3c2\n").unwrap();
    let openings = openings.to_str().unwrap();
    for side in ["engine=talker,depth=2", "engine=mute,time-ms=20"] {
        let found = place.json(&[
            "match",
            "--a",
            side,
            "--b",
            "evaluator=classic,depth=1,hash-mb=1",
            "--openings",
            openings,
            "--json",
        ]);
        let number = |key: &str| found[key].as_u64().unwrap();
        assert_eq!(
            number("wins") + number("draws") + number("losses"),
            2,
            "{found}"
        );
        assert_eq!(found["end"], "finished");
    }
    let own = "evaluator=classic,depth=1";
    let run = |side: &str| place.run(&["match", "--a", side, "--b", own, "--openings", openings]);
    let message = run("engine=nobody,depth=3").stderr;
    assert!(
        message.contains("there is no engine \"nobody\""),
        "{message}"
    );
    let message = run("engine=talker,level=max").stderr;
    assert!(message.contains("level is for our own engine"), "{message}");
}
