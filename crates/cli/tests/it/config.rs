//! The commands and the `config.toml` of the home folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{Conversation, failure, kibitz, piped, scratch, success};
use serde_json::Value;
use std::{fs, path::PathBuf};

const CLASSIC: &str = r#"{"mobility": 900, "psqt": 0, "frontier": 0, "parity": 0, "corners": 0,
    "corner_closeness": 0}"#;

/// A home with this configuration and a file of classic weights.
fn home(name: &str, config: &str) -> PathBuf {
    let home = scratch(name);
    fs::write(home.join("config.toml"), config).unwrap();
    fs::write(home.join("mine.json"), CLASSIC).unwrap();
    home
}

/// Each command that reads the configuration, with what it needs besides.
fn commands() -> Vec<(&'static str, Vec<String>)> {
    let openings = scratch("config-openings").join("openings.txt");
    fs::write(&openings, "f5d6\n").unwrap();
    let openings = openings.to_str().unwrap().to_owned();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let mut of_match: Vec<String> = words("--a depth=1 --b depth=1 --openings");
    of_match.push(openings);
    vec![
        ("analyze", words("--moves f5 --depth 1")),
        ("solve", words("--moves f5")),
        ("explain", words("--moves f5 --depth 1")),
        ("play", words("--side both")),
        ("gtp", Vec::new()),
        ("nboard", Vec::new()),
        ("match", of_match),
    ]
}

fn with_home<'a>(command: &'a str, args: &'a [String], home: &'a str) -> Vec<&'a str> {
    let args = args.iter().map(String::as_str);
    [command]
        .into_iter()
        .chain(args)
        .chain(["--home", home])
        .collect()
}

#[test]
fn a_broken_file_stops_every_command_with_line_and_column() {
    let home = home("config-broken", "[engine]\nthreads = = 3\n");
    let home = home.to_str().unwrap();
    for (command, args) in commands() {
        let (line, code) = failure(&with_home(command, &args, home));
        assert!(line.contains("config.toml:2:11: "), "{command}: {line}");
        assert_eq!(code, 1, "{command}");
    }
}

#[test]
fn a_home_that_is_not_there_is_not_made() {
    let home = scratch("config-none").join("nowhere");
    let shown = home.to_str().unwrap();
    for (command, args) in commands()
        .into_iter()
        .filter(|(command, _)| *command != "solve")
    {
        let run = piped(&with_home(command, &args, shown), b"");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
    }
    assert!(!home.exists());
}

#[test]
fn what_is_odd_is_told_and_the_command_goes_on() {
    let home = home(
        "config-odd",
        "[engine]\nthraeds = 3\nevaluator = \"neural\"\n",
    );
    let home = home.to_str().unwrap();
    let run = kibitz(&["analyze", "--moves", "f5", "--depth", "1", "--home", home]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let told: Vec<&str> = run.stderr.lines().collect();
    let [evaluator, threads] = told[..] else {
        panic!("{told:?}");
    };
    assert!(
        evaluator.ends_with(
            "config.toml:3:13: engine.evaluator is \"neural\", but expected one of pattern, \
             classic; the default is used"
        ),
        "{evaluator}"
    );
    assert!(
        threads.ends_with("did you mean engine.threads?"),
        "{threads}"
    );
}

fn static_value(args: &[&str]) -> i64 {
    let place = ["analyze", "--json", "--moves", "f5d6c3d3c4", "--depth", "0"];
    let text = success(&[&place[..], args].concat());
    let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    row["score"].as_i64().unwrap()
}

#[test]
fn the_configured_evaluation_is_used_and_flags_win() {
    let home = home(
        "config-evaluator",
        "[engine]\nevaluator = \"classic\"\nweights = \"mine.json\"\n",
    );
    let (home, file) = (home.to_str().unwrap(), home.join("mine.json"));
    let file = file.to_str().unwrap();
    let mine = static_value(&["--evaluator", "classic", "--weights", file]);
    let classic = static_value(&["--evaluator", "classic"]);
    let pattern = static_value(&[]);
    assert!(mine != classic && mine != pattern);
    assert_eq!(static_value(&["--home", home]), mine);
    let flags = ["--home", home, "--evaluator", "pattern"];
    assert_eq!(
        static_value(&flags),
        pattern,
        "whose shipped weights they are"
    );
}

#[test]
fn weights_that_cannot_be_used_are_told_with_their_file() {
    let home = home(
        "config-bad-weights",
        "[engine]\nevaluator = \"pattern\"\nweights = \"mine.json\"\n",
    );
    let home = home.to_str().unwrap();
    let (line, code) = failure(&["analyze", "--moves", "f5", "--home", home]);
    assert!(line.contains("cannot use "), "{line}");
    assert!(line.contains("mine.json: not a weights file"), "{line}");
    assert_eq!(code, 1);
}

#[test]
fn analyses_solve_from_the_configured_number_of_empty_squares_on() {
    // 14 empty squares.
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let solved = |args: &[&str]| {
        let common = ["analyze", "--json", "--depth", "2", "--position", position];
        let text = success(&[&common[..], args].concat());
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        row["solved"].as_bool().unwrap()
    };
    assert!(solved(&[]), "18 if nothing is configured");
    let home = home("config-exact", "[engine]\nendgame_exact_empties = 4\n");
    let home = home.to_str().unwrap();
    assert!(!solved(&["--home", home]));
    assert!(solved(&["--home", home, "--exact-empties", "16"]));
}

#[test]
fn a_game_is_against_the_configured_level_and_search() {
    let home = home(
        "config-play",
        "[engine]\nengine = \"mcts\"\n[strength]\nprofile = \"elo_400\"\n[play]\npeople = \"both\"\n",
    );
    let home = home.to_str().unwrap();
    let header = |args: &[&str]| {
        let args = [&["play", "--ascii", "--seed", "3", "--home", home], args].concat();
        let run = piped(&args, b"");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout.lines().next().unwrap().to_owned()
    };
    let begin = "Level elo_400, Monte Carlo search, seed 3;";
    assert!(header(&[]).starts_with(begin), "{}", header(&[]));
    let flags = ["--level", "elo_800", "--engine", "alphabeta"];
    assert!(header(&flags).starts_with("Level elo_800, seed 3;"));
}

#[test]
fn the_monte_carlo_search_speaks_both_protocols() {
    let mut gtp = Conversation::start(&["gtp", "--engine", "mcts", "--time-ms", "20"]);
    gtp.say("1 genmove b");
    let answer = gtp.hear();
    assert!(
        ["=1 d3", "=1 c4", "=1 f5", "=1 e6"].contains(&&answer[..]),
        "{answer}"
    );
    gtp.say("2 quit");
    gtp.end();
    // It counts playouts, and without a limit there are so many.
    let mut nboard = Conversation::start(&["nboard", "--engine", "mcts", "--seed", "1"]);
    nboard.say("nboard 2");
    nboard.say("set depth 4");
    nboard.say("hint 1");
    nboard.hear_until("nodestats 100000 ");
    nboard.say("quit");
    nboard.end();
}
