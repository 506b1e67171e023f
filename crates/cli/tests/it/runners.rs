//! Tournaments by the flags of other runners, with engines that are not what was asked for.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::{Run, kibitz, scratch};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

/// Knows one option, and dies in colours when it is asked for a move.
const DYING: &str = "#!/bin/sh
while read -r word rest; do case $word in
uci) echo 'id name S'; echo 'option name Hash type spin default 1 min 1 max 64'; echo uciok;;
isready) echo readyok;;
go) printf '\\033[31mno network\\033[0m\\n' >&2; exit 3;;
quit) exit;;
esac; done
";

/// Plays one game, in which White mates, and writes down when it was started and what it was told.
const PLAYING: &str = "#!/bin/sh
echo started >> \"$0.log\"
n=0
while read -r word rest; do case $word in
uci) echo 'option name Hash type spin default 1 min 1 max 64'; echo uciok;;
isready) echo readyok;;
setoption) echo \"$rest\" >> \"$0.log\";;
position) set -- $rest; n=$#;;
go) case $n in
  3) echo bestmove e7e5;; 4) echo bestmove d1h5;; 5) echo bestmove b8c6;; 6) echo bestmove f1c4;;
  7) echo bestmove g8f6;; 8) echo bestmove h5f7;; *) echo bestmove e2e4;;
  esac;;
quit) exit;;
esac; done
";

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    for (name, script) in [("engine.sh", DYING), ("playing.sh", PLAYING)] {
        fs::write(folder.join(name), script).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.join(name), mode).unwrap();
    }
    folder
}

/// `kibitz tournament cli` with these flags, at home in a folder.
fn cli(folder: &Path, flags: &str) -> Run {
    let home = folder.join("home");
    let mut words = vec!["tournament", "cli", "--home", home.to_str().unwrap()];
    words.extend(flags.split_whitespace());
    let run = kibitz(&words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn at_home(folder: &Path, words: &[&str]) -> Run {
    let home = folder.join("home");
    let mut all = words.to_vec();
    all.extend(["--home", home.to_str().unwrap()]);
    kibitz(&all)
}

#[test]
fn options_that_nobody_knows_are_told() {
    let folder = folder("runners-options");
    let dir = folder.display();
    let run = cli(
        &folder,
        &format!(
            "-engine name=a option.Hsh=3 option.Hash=900 -engine name=b -each dir={dir} \
             cmd=./engine.sh proto=uci st=1 -rounds 2 -repeat -output format=fastchess"
        ),
    );
    let told = |words: &str| run.stderr.matches(words).count();
    assert_eq!(told("a has no option \"Hsh\""), 1, "{}", run.stderr);
    assert_eq!(told("Hash cannot be \"900\""), 1, "{}", run.stderr);
    assert!(run.stdout.contains("{White disconnects}"), "{}", run.stdout);
    assert!(
        run.stdout.contains("Results of a vs b (1/move)"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("Ptnml(0-2): [0, 0, 2, 0, 0]"),
        "{}",
        run.stdout
    );
    let report = at_home(&folder, &["tournament", "report"]);
    assert!(
        report.stdout.contains("it last said: no network;"),
        "{}",
        report.stdout
    );
    assert!(
        report.stdout.contains("has no option \"Hsh\""),
        "{}",
        report.stdout
    );
    assert!(!report.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'));
}

#[test]
fn a_tuning_of_nothing_is_refused() {
    let folder = folder("runners-tuning");
    let file = folder.join("tuning.toml");
    let tune = |engine: &str, parameter: &str| {
        let text = format!(
            "game = \"chess\"\nsteps = 3\ntime = \"1+0.1\"\n[engine]\nname = \"x\"\n\
             command = \"{}\"\n[[parameter]]\nname = \"{parameter}\"\nstart = 8\nmin = 1\n\
             max = 64\nstep = 4\n",
            folder.join(engine).display()
        );
        fs::write(&file, text).unwrap();
        at_home(&folder, &["tune", "run", file.to_str().unwrap()])
    };
    let run = tune("engine.sh", "Hsh");
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stderr.contains("it has no option \"Hsh\"; it has Hash"),
        "{}",
        run.stderr
    );
    let run = tune("engine.sh", "Hash");
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stderr.contains("step 1: in both games of a pair"),
        "{}",
        run.stderr
    );
    // One that works is started once for each side, and told the values of every step.
    let run = tune("playing.sh", "Hash");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let told = fs::read_to_string(folder.join("playing.sh.log")).unwrap();
    assert_eq!(told.matches("started").count(), 3, "one to ask it: {told}");
    assert!(told.matches("name Hash value").count() >= 7, "{told}");
}

#[test]
fn games_are_added_to_a_file_also_after_a_resume() {
    let folder = folder("runners-games");
    let games = folder.join("all.txt");
    fs::write(&games, "f5d6\n").unwrap();
    cli(
        &folder,
        &format!(
            "-engine name=a level=greedy -engine name=b level=random -engine name=c level=random \
             -variant othello -repeat -gameout notation=san file={} -output format=cutechess \
             -ratinginterval 2",
            games.display()
        ),
    );
    let whole = fs::read_to_string(&games).unwrap();
    assert_eq!(whole.lines().count(), 7);
    assert!(whole.starts_with("f5d6\n"));
    // As after a kill between the log and the file.
    fs::write(&games, &whole[..whole.len() - 100]).unwrap();
    let resumed = at_home(&folder, &["tournament", "resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(fs::read_to_string(&games).unwrap(), whole);
    // What somebody else has added stays, and nothing comes twice.
    fs::write(&games, format!("{whole}f5f6\n")).unwrap();
    at_home(&folder, &["tournament", "resume"]);
    assert_eq!(
        fs::read_to_string(&games).unwrap(),
        format!("{whole}f5f6\n")
    );
}

#[test]
fn one_bad_log_does_not_hide_the_other_tournaments() {
    let folder = folder("runners-status");
    let flags = "-engine name=a level=greedy -engine name=b level=random -variant othello";
    let run = cli(
        &folder,
        &format!("{flags} -output format=cutechess -ratinginterval 1"),
    );
    assert!(run.stdout.contains("Score of a vs b"), "{}", run.stdout);
    cli(&folder, flags);
    let logs = folder.join("home/tournaments");
    fs::write(logs.join("1/pairs.log"), "something else\n").unwrap();
    let run = at_home(&folder, &["tournament", "status"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("it is left alone"), "{}", run.stdout);
    assert!(
        run.stdout.contains("   2  Tournament  1 of 1 pairs"),
        "{}",
        run.stdout
    );
}

#[test]
fn ratings_need_no_perfect_file() {
    let folder = folder("runners-elo");
    let game = |white: &str, black: &str, moves: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let text = [
        game("A", "B", "1. e4", "1-0"),
        game("C", "A", "1. e4", "0-1"),
        game("B", "C", "1. e4", "1/2-1/2"),
        game("New", "A", "1. e4", "*"),
        game("A", "B", "1. Ke8", "1-0"),
    ];
    let file = folder.join("games.pgn");
    fs::write(&file, text.concat()).unwrap();
    let run = kibitz(&["elo", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].contains("  A  ") && lines[0].contains("2 of 2"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("New"), "{}", run.stdout);
    assert!(
        run.stdout.contains("A: everything or nothing was won"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("1 game without a result was left out"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("1 game that cannot be read was left out"),
        "{}",
        run.stdout
    );
}
