//! Tournaments in the terminal: the same games after any number of kills, and no engine ends one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::{Run, kibitz, program, scratch};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

/// Levels of our engine at small depths play the same games whenever they are asked.
const LEAGUE: &str = r#"
name = "League"
game = "othello"
rounds = ROUNDS
seed = 5
concurrency = 2

[openings]
file = "OPENINGS"
order = "random"

[[engine]]
name = "one"
level = "elo_400"
depth = 1

[[engine]]
name = "two"
depth = 2
evaluator = "classic"

[[engine]]
name = "three"
level = "greedy"
"#;

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn league(folder: &Path, rounds: u32) -> PathBuf {
    let openings = folder.join("openings.txt");
    fs::write(&openings, "f5d6c3\nf5f6e6\nf5d6c5\nf5f4e3\n").unwrap();
    let text = LEAGUE
        .replace("ROUNDS", &rounds.to_string())
        .replace("OPENINGS", openings.to_str().unwrap());
    let file = folder.join("league.toml");
    fs::write(&file, text).unwrap();
    file
}

fn at_home(home: &Path, words: &[&str]) -> Run {
    let mut all = vec!["tournament"];
    all.extend(words);
    all.extend(["--home", home.to_str().unwrap()]);
    let run = kibitz(&all);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

/// Everything of a report but the time that passed.
fn report(home: &Path) -> Value {
    let run = at_home(home, &["report", "--json"]);
    let mut json: Value = serde_json::from_str(&run.stdout).unwrap();
    json.as_object_mut().unwrap().remove("incidents");
    for row in json["standings"].as_array_mut().unwrap() {
        let row = row.as_object_mut().unwrap();
        for key in [
            "thinking_ms",
            "longest_ms",
            "latency_ms",
            "longest_latency_ms",
        ] {
            assert!(row.remove(key).is_some());
        }
    }
    json
}

#[expect(
    clippy::disallowed_methods,
    reason = "the moment of a kill is the point"
)]
fn pause(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

/// Kills a tournament `n_kills` times and compares it with one that nobody disturbed.
fn survives(name: &str, rounds: u32, n_kills: u64) {
    let folder = folder(name);
    let file = league(&folder, rounds);
    let (quiet, killed) = (folder.join("quiet"), folder.join("killed"));
    at_home(&quiet, &["run", file.to_str().unwrap()]);
    let expected = report(&quiet);
    assert_eq!(expected["n_games"], 6 * rounds);
    let mut random = 1_u64;
    for kill in 0..n_kills {
        let mut command = program();
        command.arg("tournament");
        if kill == 0 {
            command.arg("run").arg(&file);
        } else {
            command.args(["resume", "1"]);
        }
        command.arg("--home").arg(&killed);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = killed.join("tournaments/1/tournament.toml");
        while kill == 0 && !begun.exists() {
            pause(1);
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        pause((random >> 33) % 150);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    at_home(&killed, &["resume", "1"]);
    assert_eq!(report(&killed), expected);
}

#[test]
fn a_killed_tournament_has_the_games_of_one_that_was_not() {
    survives("tournament-kills", 8, 6);
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_kills_change_nothing() {
    survives("tournament-hundred-kills", 60, 100);
}

#[test]
fn engines_that_fail_lose_and_the_others_play_on() {
    let folder = folder("tournament-faults");
    let openings = folder.join("openings.txt");
    fs::write(&openings, "f5d6c3\n").unwrap();
    let home = folder.join("home");
    let own = env!("CARGO_BIN_EXE_kibitz");
    let run = kibitz(&[
        "tournament",
        "cli",
        "-engine",
        "name=good",
        &format!("cmd={own}"),
        "args=gtp --level elo_400",
        "-engine",
        "name=level",
        "level=greedy",
        "-engine",
        "name=crash",
        "cmd=/bin/false",
        "-engine",
        "name=leaver",
        "cmd=/bin/true",
        "-each",
        "proto=gtp",
        "tc=60",
        "-games",
        "2",
        "-repeat",
        "-openings",
        &format!("file={}", openings.display()),
        "-gameout",
        folder.join("games.txt").to_str().unwrap(),
        "-json",
        "-home",
        home.to_str().unwrap(),
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["n_games"], 12);
    let faulty = ["crash", "leaver"];
    for game in json["games"].as_array().unwrap() {
        let name = |side: &str| game[side].as_str().unwrap().to_owned();
        let is_faulty = |side: &str| faulty.contains(&name(side).as_str());
        match (is_faulty("black"), is_faulty("white")) {
            (false, false) => assert_eq!(game["reason"], "counted", "{game}"),
            (true, false) => {
                assert_eq!(game["result"], "1-0", "{game}");
                assert!(["crash", "no answer"].contains(&game["reason"].as_str().unwrap()));
            }
            (false, true) => assert_eq!(game["result"], "0-1", "{game}"),
            (true, true) => assert_ne!(game["reason"], "counted", "{game}"),
        }
    }
    let games = fs::read_to_string(folder.join("games.txt")).unwrap();
    assert_eq!(games.lines().count(), 12);
}

#[test]
fn calculators_agree_with_the_known_vectors() {
    let run = kibitz(&[
        "sprt",
        "--penta",
        "365,16618,36229,16974,390",
        "--elo1",
        "2",
        "--model",
        "normalised",
        "--json",
    ]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(
        (json["llr"].as_f64().unwrap() - 2.250_367_7).abs() < 1e-6,
        "{json}"
    );
    let folder = folder("elo");
    let mut pgn = String::new();
    let mut add = |white: &str, black: &str, wins: usize, losses: usize| {
        for (result, n) in [("1-0", wins), ("0-1", losses)] {
            for _ in 0..n {
                for (name, value) in [("White", white), ("Black", black), ("Result", result)] {
                    pgn.extend(["[", name, " \"", value, "\"]\n"]);
                }
                pgn.extend(["\n1. e4 ", result, "\n\n"]);
            }
        }
    };
    for (a, b, won, lost) in [("a", "b", 75, 25), ("b", "c", 75, 25), ("a", "c", 90, 10)] {
        add(a, b, won, lost);
        add(b, a, lost, won);
    }
    let file = folder.join("games.pgn");
    fs::write(&file, pgn).unwrap();
    let run = kibitz(&["elo", file.to_str().unwrap(), "--json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let elo: Vec<i64> = json["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["elo"].as_f64().unwrap().round() as i64)
        .collect();
    assert_eq!(elo, [191, 0, -191]);
    assert!(json["first_move"]["elo"].as_f64().unwrap().abs() < 1e-6);
}
