//! `kibitz train`: what it leaves on disk, and what an interruption costs.

use crate::{failure, kibitz, program, success};
use app::training;
use serde_json::Value;
use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
    process::{Child, Stdio},
};

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("a folder of ours");
    }
    fs::create_dir_all(&path).expect("a place for tests");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are UTF-8")
}

/// Small and the same every time, without matches.
const SMALL: [&str; 10] = [
    "--limit",
    "depth:2",
    "--checkpoint-every",
    "40",
    "--batch",
    "16",
    "--detail-every",
    "50",
    "--match-games",
    "0",
];

fn td<'a>(dir: &'a Path, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["train", "td", "--dir", text(dir), "--games", games];
    args.extend(SMALL);
    args.extend(more);
    args
}

fn checkpoint(dir: &Path, games: u64) -> PathBuf {
    dir.join(format!("checkpoint_{games:06}.bin"))
}

/// What a checkpoint has, without the time that it took to get there.
fn learned(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("it was written");
    let mut trainer = training::Trainer::from_checkpoint(&bytes).expect("it is whole");
    trainer.set_elapsed_ms(0);
    trainer.to_checkpoint().expect("there is memory")
}

fn same_training(one: &Path, other: &Path) -> bool {
    learned(one) == learned(other)
}

#[test]
fn the_same_seed_gives_the_same_training_on_any_number_of_threads() {
    let [one, two, other] = ["one", "two", "other"].map(|name| folder(&format!("td-seed-{name}")));
    success(&td(&one, "80", &["--threads", "1"]));
    success(&td(&two, "80", &["--threads", "2"]));
    success(&td(&other, "80", &["--threads", "2", "--seed", "2"]));
    for games in [0, 40, 80] {
        assert!(same_training(
            &checkpoint(&one, games),
            &checkpoint(&two, games)
        ));
    }
    assert!(!same_training(
        &checkpoint(&one, 80),
        &checkpoint(&other, 80)
    ));
}

fn start(args: &[&str]) -> Child {
    program()
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program was built for this test")
}

/// Waits for a file that a child is going to write.
#[expect(
    clippy::disallowed_methods,
    reason = "another process has no clock of ours; nothing is concluded from how long it takes"
)]
fn wait_for(path: &Path, child: &mut Child) {
    while !path.exists() {
        if child.try_wait().expect("it is our child").is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Kills a training in a way that it cannot prevent, once its checkpoint of so many games is there, and goes
/// on until all are played. `SIGKILL` on Unix.
fn kill_and_resume(dir: &Path, games: &str, at: u64) {
    let args = td(dir, games, &["--threads", "2", "--resume"]);
    let mut child = start(&args);
    wait_for(&checkpoint(dir, at), &mut child);
    child.kill().expect("it is our child");
    child.wait().expect("it is our child");
    let run = kibitz(&args);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_killed_training_goes_on_as_if_nothing_had_happened() {
    let [whole, killed] = ["whole", "killed"].map(|name| folder(&format!("td-kill-{name}")));
    success(&td(&whole, "200", &["--threads", "1"]));
    kill_and_resume(&killed, "200", 80);
    assert!(same_training(
        &checkpoint(&whole, 200),
        &checkpoint(&killed, 200)
    ));
}

#[test]
#[ignore = "twenty trainings; run with --include-ignored"]
fn twenty_killed_trainings_go_on_as_if_nothing_had_happened() {
    let whole = folder("td-kills-whole");
    success(&td(&whole, "240", &["--threads", "1"]));
    for round in 0..20 {
        let killed = folder("td-kills-killed");
        kill_and_resume(&killed, "240", 40 * (round % 6));
        assert!(
            same_training(&checkpoint(&whole, 240), &checkpoint(&killed, 240)),
            "round {round}"
        );
    }
}

/// What a terminal sends for Ctrl-C, and what a service manager sends.
#[cfg(unix)]
#[test]
fn an_interrupt_saves_and_the_rest_is_the_same() {
    let whole = folder("td-interrupt-whole");
    success(&td(&whole, "240", &["--threads", "1"]));
    for signal in ["-INT", "-TERM"] {
        let dir = folder(&format!("td-interrupt{signal}"));
        let args = td(&dir, "240", &["--threads", "2", "--resume"]);
        let mut child = start(&args);
        wait_for(&checkpoint(&dir, 40), &mut child);
        send(signal, child.id());
        let status = child.wait().expect("it is our child");
        assert_eq!(
            status.code(),
            Some(1),
            "{signal} is no success, and no crash"
        );
        let report = report(&dir.join("report.json"));
        assert_eq!(report["end"], "interrupted");
        let games = report["games"].as_u64().expect("a number");
        assert!((40..240).contains(&games) && checkpoint(&dir, games).exists());
        assert!(dir.join("report.svg").exists());
        let run = kibitz(&args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(same_training(
            &checkpoint(&whole, 240),
            &checkpoint(&dir, 240)
        ));
    }
}

#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the standard library sends no signals"
)]
fn send(signal: &str, process: u32) {
    let status = std::process::Command::new("kill")
        .args([signal, &process.to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(status.success());
}

fn report(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("it was written");
    serde_json::from_str(&text).expect("our own JSON")
}

#[test]
fn a_training_leaves_weights_a_report_and_a_log() {
    let dir = folder("td-results");
    let weights = dir.join("td.weights");
    let out = success(&[
        "train",
        "td",
        "--dir",
        text(&dir),
        "--out",
        text(&weights),
        "--limit",
        "depth:1",
        "--games",
        "40",
        "--stats-every",
        "20",
        "--detail-every",
        "20",
        "--match-games",
        "4",
        "--match-every",
        "40",
        "--match-win-rate",
        "0",
    ]);
    assert!(out.starts_with("finished after 40 games: error "), "{out}");
    let report = report(&dir.join("report.json"));
    assert_eq!(report["training"], "td");
    assert_eq!(report["curve"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["against_random"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["settings"]["lambda"], 0.3);
    assert_eq!(report["settings"]["limit"], "depth:1");
    assert!(report["session"]["update_ms_per_game"].is_f64());
    let svg = fs::read_to_string(dir.join("report.svg")).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.contains("mean error"));
    let logs: Vec<PathBuf> = fs::read_dir(dir.join("logs"))
        .expect("it was made")
        .map(|entry| entry.expect("readable").path())
        .collect();
    let [log] = logs.as_slice() else {
        panic!("one log, not {logs:?}");
    };
    let name = log.file_name().and_then(|name| name.to_str()).unwrap();
    let stamp = name
        .strip_prefix("training_")
        .and_then(|rest| rest.strip_suffix(".log"))
        .unwrap();
    assert!(stamp.len() == 15 && stamp.as_bytes()[8] == b'_', "{stamp}");
    let text_of_log = fs::read_to_string(log).expect("it was written");
    for wanted in [
        "game 20: difference ",
        " left",
        "details to game 40: evaluation mean ",
        "ms a move",
        "checkpoint_000040.bin in ",
        "against random moves: ",
        "end: Finished",
    ] {
        assert!(text_of_log.contains(wanted), "{wanted:?} in {text_of_log}");
    }
    let line = success(&[
        "analyze",
        "--moves",
        "f5d6",
        "--depth",
        "3",
        "--weights",
        text(&weights),
    ]);
    assert!(line.contains("depth 3"), "{line}");
}

#[test]
fn damaged_checkpoints_are_named_and_older_ones_used() {
    let dir = folder("td-damaged");
    success(&td(&dir, "80", &["--threads", "1"]));
    let whole = learned(&checkpoint(&dir, 80));
    let occupied = kibitz(&td(&dir, "80", &[]));
    assert_eq!(occupied.code, Some(1));
    assert!(
        occupied
            .stderr
            .contains("has a training of 80 games: --resume goes on with it"),
        "{}",
        occupied.stderr
    );
    let damage = |games: u64, change: fn(&mut Vec<u8>)| {
        let path = checkpoint(&dir, games);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
    };
    damage(80, |bytes| bytes.truncate(1000));
    let run = kibitz(&td(&dir, "80", &["--resume"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("checkpoint_000080.bin: the checkpoint is cut short"),
        "{}",
        run.stderr
    );
    assert!(
        learned(&checkpoint(&dir, 80)) == whole,
        "made anew from 40 games"
    );
    damage(80, |bytes| bytes[100] ^= 1);
    damage(40, |bytes| bytes[0] = b'X');
    damage(0, |bytes| bytes[24] = 9);
    let run = kibitz(&td(&dir, "80", &["--resume"]));
    assert_eq!(run.code, Some(1));
    for wanted in [
        "no usable checkpoint in ",
        "its checksum does not match",
        "it does not begin with KIBITZ_TD_CHECKPOINT_V1",
        "checkpoint format 9 is newer than this program",
        "for a fresh start",
    ] {
        assert!(run.stderr.contains(wanted), "{wanted:?} in {}", run.stderr);
    }
}

#[test]
fn constants_come_from_flags_and_files() {
    let dir = folder("td-config");
    let config = dir.join("td.toml");
    let run = dir.join("run");
    fs::write(
        &config,
        "limit = \"depth:1\"\ngames = 8\nlambda = 0.5\nthreads = 1\nmatch_games = 0\n",
    )
    .unwrap();
    let args = [
        "train",
        "td",
        "--dir",
        text(&run),
        "--config",
        text(&config),
    ];
    success(&[args.as_slice(), &["--alpha", "0.1"]].concat());
    let settings = &report(&run.join("report.json"))["settings"];
    assert_eq!(settings["lambda"], 0.5);
    assert_eq!(settings["alpha"], 0.1);
    assert_eq!(settings["beta1"], 0.9);
    let resumed = kibitz(&[
        "train",
        "td",
        "--dir",
        text(&run),
        "--resume",
        "--games",
        "16",
    ]);
    assert_eq!(resumed.code, Some(0));
    assert_eq!(
        resumed.stderr, "kibitz: other than before: games 8 -> 16\n",
        "the other constants are the checkpoint's"
    );
    fs::write(&config, "limit = \"depth:1\"\nlamda = 0.5\n").unwrap();
    let wrong = kibitz(&args);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong.stderr.contains("td.toml: unknown setting \"lamda\""),
        "{}",
        wrong.stderr
    );
    let usage = kibitz(&["train", "td", "--dir", text(&run), "--lambda", "2"]);
    assert_eq!(usage.code, Some(2));
    assert!(
        usage.stderr.contains("expected a number from 0 to 1"),
        "{}",
        usage.stderr
    );
}

/// With less memory than the tables want they become smaller, and the training goes on.
#[cfg(target_os = "linux")]
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "only a shell can limit the memory of a process"
)]
fn scarce_memory_makes_tables_smaller() {
    let dir = folder("td-memory");
    let script = format!(
        "ulimit -v 600000; exec '{}' train td --dir '{}' --limit depth:1 --games 2 --match-games 0 \
         --threads 1 --hash-mb 4096 --memory-mb 8000",
        env!("CARGO_BIN_EXE_kibitz"),
        text(&dir)
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("Linux has a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(
        stderr.contains("not enough memory for 4096 MB of table for each of 1 threads"),
        "{stderr}"
    );
}

#[test]
fn linear_training_resumes_and_its_weights_can_be_used() {
    let dir = folder("linear");
    let [whole, parts] = ["whole.json", "parts.json"].map(|name| dir.join(name));
    let train = |out: &Path, more: &[&str]| {
        let args = [
            "train",
            "linear",
            "--out",
            text(out),
            "--limit",
            "depth:1",
            "--match-games",
            "0",
            "--checkpoint-every",
            "20",
        ];
        let run = kibitz(&[args.as_slice(), more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let printed = train(&whole, &["--games", "60", "--threads", "1"]);
    assert!(printed.starts_with("mobility "), "{printed}");
    train(&parts, &["--games", "20"]);
    train(&parts, &["--games", "60", "--resume", "--threads", "2"]);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    assert_eq!(read(&whole), read(&parts), "the weights are the same");
    let report = report(&dir.join("whole.report.json"));
    assert_eq!(report["training"], "linear");
    assert_eq!(report["curve"].as_array().map(Vec::len), Some(3));
    assert!(dir.join("whole.report.svg").exists());
    let value = |weights: &[&str]| {
        let args = [
            "analyze",
            "--moves",
            "f5d6c3",
            "--depth",
            "0",
            "--evaluator",
            "classic",
        ];
        success(&[args.as_slice(), weights].concat())
    };
    value(&["--weights", text(&whole)]);
    fs::write(dir.join("parts.json.state"), "something else").unwrap();
    let run = kibitz(&["train", "linear", "--out", text(&parts), "--resume"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("not the state of a linear training"),
        "{}",
        run.stderr
    );
}

/// Two games to the last square.
const GAMES: [&str; 2] = [
    "f5f6e6f4e3d6g4d3c3h3c4g3g5g6e7d7h5f3h4h6c6f7c7c5c8d8b5c2d2e2f1f2e8f8g8b3c1b6a4a3b4a5e1d1g7h8h7b8a7a6a2b2a1b1g2g1b7a8h1h2",
    "f5d6c5f4e3c6e6f7d7e8f3f6f8c4e7g5c8d8h6c3g4h5g6h7c7d3g7b6a6b5a5h4h3h2g3b4a4e2f1c2f2d2b3d1e1g1b1h8g8a2a3a7b7a8b8c1h1g2b2a1",
];

/// A folder with two games.
fn games(dir: &Path) -> PathBuf {
    let games = dir.join("games");
    fs::create_dir_all(&games).expect("a place for tests");
    let transcripts = dir.join("games.txt");
    fs::write(&transcripts, GAMES.join("\n")).expect("a place for tests");
    let converted = kibitz(&["convert", text(&transcripts), text(&games.join("two.wtb"))]);
    assert_eq!(converted.code, Some(0), "{}", converted.stderr);
    games
}

#[test]
fn shares_and_shifts_of_labels_are_checked() {
    let label = |flags: &[&str]| {
        let always = [
            "train",
            "label",
            "none.games",
            "--empties",
            "4-8",
            "--out",
            "none.data",
        ];
        kibitz(&[&always[..], flags].concat())
    };
    for (flags, expected) in [
        (&["--deviation", "1.5"][..], "expected a share from 0 to 1"),
        (&["--share", "half"], "expected a share from 0 to 1"),
        (
            &["--recorded", "--lambda", "NaN"],
            "expected a share from 0 to 1",
        ),
        (&["--lambda", "0.7"], "--recorded"),
        (&["--shift", "130"], "expected two numbers of centidiscs"),
        (
            &["--shift", "130,-32768"],
            "expected two numbers of centidiscs",
        ),
    ] {
        let run = label(flags);
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{flags:?}: {}", run.stderr);
    }
}

#[test]
fn an_order_of_moves_follows_from_games_and_seed() {
    let dir = folder("order");
    let games = dir.join("self.games");
    let play = ["selfplay", "--games", "12", "--depth", "1", "--exact", "2"];
    success(&[&play[..], &["--hash-mb", "1", "--out", text(&games)]].concat());
    let learn = |name: &str, more: &[&str]| {
        let out = dir.join(name);
        let order = ["train", "order", text(&games), "--out", text(&out)];
        let small = ["--walks", "4", "--hold-out-every", "4"];
        let said = success(&[&order[..], &small, more].concat());
        (said, fs::read(&out).expect("it was written"))
    };
    let (said, one) = learn("one.weights", &["--workers", "1"]);
    assert!(
        said.starts_with("boards of 12 games; learned from "),
        "{said}"
    );
    assert!(!said.contains("NaN"), "{said}");
    let rows: Vec<&str> = said.lines().skip(3).take(6).collect();
    for (row, n_empties) in rows.iter().zip(7..) {
        let columns: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(columns[0], n_empties.to_string(), "{said}");
        assert_eq!(columns.len(), 9, "all were measured: {said}");
    }
    assert_eq!(one.len(), 6_561 + 19_683);
    let (again, two) = learn("two.weights", &["--workers", "2"]);
    assert!(again == said && two == one, "workers change nothing");
    let (_, other) = learn("other.weights", &["--seed", "2"]);
    assert!(other != one, "another seed, other walks");

    let nothing = ["train", "order", text(&games), "--share", "0"];
    let (line, code) = failure(&[&nothing[..], &["--out", text(&dir.join("none"))]].concat());
    let expected = "kibitz: there are too few moves to learn their order from\n";
    assert_eq!((line.as_str(), code), (expected, 1));
}

#[test]
fn an_interrupted_labelling_goes_on_without_duplicates_and_fits_have_reports() {
    let dir = folder("label");
    let games = games(&dir);
    let out = dir.join("some.data");
    let args = [
        "train",
        "label",
        text(&games),
        "--empties",
        "4-8",
        "--exact",
        "8",
        "--out",
        text(&out),
    ];
    success(&args);
    let whole = fs::read(&out).unwrap();
    let positions = training::read(whole.as_slice()).unwrap().positions;
    assert!(!positions.is_empty());
    let progress = dir.join("some.data.progress");
    assert!(!progress.exists(), "a finished labelling needs none");
    // As a killed run leaves it: a batch in part, the last record torn.
    let plan = "games 2 empties 4-8 deviation 0.5 exact 8 depth 0 share 1 later false \
                recorded none shift 0,0 seed 1 held-out from 2018 weights shipped";
    let left = format!("plan {plan}\ngames 0\nbytes 16\n");
    fs::write(&progress, &left).unwrap();
    fs::write(&out, &whole[..whole.len() - 7]).unwrap();
    success(&args);
    assert!(
        fs::read(&out).unwrap() == whole,
        "nothing twice, nothing missing"
    );
    fs::write(&progress, left.replace("seed 1", "seed 2")).unwrap();
    let other = kibitz(&args);
    assert_eq!(other.code, Some(1));
    assert!(
        other
            .stderr
            .contains("an unfinished labelling of other games"),
        "{}",
        other.stderr
    );
    assert!(fs::read(&out).unwrap() == whole);

    let weights = dir.join("some.weights");
    success(&[
        "train",
        "fit",
        text(&out),
        "--iterations",
        "1",
        "--out",
        text(&weights),
    ]);
    let report = report(&dir.join("some.report.json"));
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(30));
    assert_eq!(report["stages"][2]["empties"][0], 4);
    assert!(
        fs::read_to_string(dir.join("some.report.svg"))
            .unwrap()
            .contains("held out")
    );

    // The check of the weights on what they were fitted to, against analyze, position by position.
    let (mut sum, mut n) = (0.0, 0);
    for labelled in positions.iter().take(5) {
        let one = dir.join("one.data");
        let mut file = Cursor::new(Vec::new());
        let mut appender = training::Appender::new(&mut file).unwrap();
        appender.append(&[*labelled]).unwrap();
        fs::write(&one, file.into_inner()).unwrap();
        let checked = success(&[
            "train",
            "check",
            text(&one),
            "--weights",
            text(&weights),
            "--json",
        ]);
        let last: serde_json::Value =
            serde_json::from_str(checked.lines().last().unwrap()).unwrap();
        assert_eq!(
            (&last["empties"], &last["exact"]),
            (&"all".into(), &1.into())
        );
        let (own, other) = (labelled.board.mover().0, labelled.board.opponent().0);
        let board: String = (0..64)
            .map(|i| match (own >> i & 1, other >> i & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            })
            .collect();
        let position = format!("{board} X");
        let analysed = success(&[
            "analyze",
            "--position",
            &position,
            "--depth",
            "0",
            "--weights",
            text(&weights),
            "--json",
        ]);
        let first: serde_json::Value =
            serde_json::from_str(analysed.lines().next().unwrap()).unwrap();
        let value = f64::from(labelled.value);
        let expected = (first["score"].as_f64().unwrap() - value).abs() / 100.0;
        let found = last["mean_absolute_error_discs"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        sum += expected;
        n += 1;
    }
    assert!(n == 5 && sum > 0.0, "weights of one step are not perfect");
}
