//! Engines that misbehave: every one is contained, said to be what it is, and gone afterwards.

use arena::{
    process::{
        Deadlines, Engine, Keeper, Language, Limits, Now, Program, Question, Setup, State, Step,
        Trouble,
    },
    thought::Thought,
};
use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_fault-engine").into()
}

fn clock() -> Now {
    #[expect(clippy::disallowed_methods, reason = "real processes take real time")]
    let start = Instant::now();
    Arc::new(move || start.elapsed().as_millis() as u64)
}

/// A step that is expected to fail by its deadline gets little time, all others much: the machine
/// may be busy.
const SHORT_MS: u64 = 400;
const LONG_MS: u64 = 60_000;

const PATIENT: Deadlines = Deadlines {
    greeting_ms: LONG_MS,
    ready_ms: LONG_MS,
    stop_ms: LONG_MS,
    quit_ms: LONG_MS,
    terminate_ms: LONG_MS,
};

fn keeper() -> Keeper {
    Keeper::Program {
        path: program(),
        args: vec![arena::process::keeper::ARGUMENT.into()],
    }
}

fn setup(fault: &str, keeper: Keeper, deadlines: Deadlines) -> Setup {
    let program = Program {
        args: vec![fault.to_owned()],
        ..Program::new(program())
    };
    Setup {
        deadlines,
        keeper,
        ..Setup::new(program, Language::Uci)
    }
}

/// A search that ends by itself.
fn question() -> Question {
    Question::default().with_limits(Limits {
        depth: Some(5),
        ..Limits::default()
    })
}

struct Trial {
    result: Result<Thought, Trouble>,
    engine: Engine,
    states: Arc<Mutex<Vec<State>>>,
}

/// Starts an engine with this fault and asks it one thing.
fn trial(fault: &str, keeper: Keeper, deadlines: Deadlines, stop: bool) -> Trial {
    let mut engine = Engine::new(setup(fault, keeper, deadlines), clock());
    let states = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&states);
    engine.listen(move |state| seen.lock().expect("no panic").push(state));
    let stop = AtomicBool::new(stop);
    let result = engine.think(&question(), &stop, &mut |_| {});
    Trial {
        result,
        engine,
        states,
    }
}

/// Processes of this test that are still there: nextest runs each test in a process of its own, but
/// cargo does not, so they are told by their fault.
#[cfg(target_os = "linux")]
fn left_over(fault: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("Linux has it");
    let lines = entries.filter_map(|entry| {
        let line = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines
        .filter(|line| line.contains("fault-engine") && line.contains(fault))
        .collect()
}

#[cfg(target_os = "linux")]
fn nothing_is_left_of(fault: &str) {
    // The last entry of a killed group goes a moment after its kill.
    for _ in 0..400 {
        if left_over(fault).is_empty() {
            return;
        }
        std::thread::park_timeout(Duration::from_millis(25));
    }
    panic!("left over: {:?}", left_over(fault));
}

#[cfg(not(target_os = "linux"))]
fn nothing_is_left_of(_fault: &str) {}

/// The most memory that this process has used, in kilobytes.
#[cfg(target_os = "linux")]
fn memory_is_bounded() {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .expect("Linux tells it");
    let kilobytes: u64 = line
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .expect("a number");
    assert!(kilobytes <= 64 << 10, "{line}");
}

#[cfg(not(target_os = "linux"))]
fn memory_is_bounded() {}

/// The engine fails in this way; it is in error, says this, and nothing of it is left.
fn fails(fault: &str, deadlines: Deadlines, stop: bool, expected: &str) {
    for keeper in [keeper(), Keeper::Nobody] {
        let trial = trial(fault, keeper, deadlines, stop);
        let trouble = trial.result.expect_err(fault);
        assert!(
            trouble.to_string().contains(expected),
            "{fault}: {trouble}, expected {expected}"
        );
        assert_eq!(trial.engine.state(), State::Error, "{fault}");
        assert_eq!(trial.engine.trouble(), Some(&trouble));
        drop(trial.engine);
        nothing_is_left_of(fault);
        memory_is_bounded();
    }
}

/// The engine is odd, but can be used, and goes when it is told to.
fn works(fault: &str) -> Vec<Thought> {
    [keeper(), Keeper::Nobody]
        .map(|keeper| {
            let mut trial = trial(fault, keeper, PATIENT, false);
            let thought = trial
                .result
                .unwrap_or_else(|trouble| panic!("{fault}: {trouble}"));
            assert_eq!(trial.engine.state(), State::Idle, "{fault}");
            trial.engine.stop();
            assert_eq!(trial.engine.state(), State::Stopped, "{fault}");
            use State::{Idle, Ready, Starting, Stopped, Thinking};
            let states = trial.states.lock().expect("no panic").clone();
            assert_eq!(states, [Starting, Ready, Thinking, Idle, Stopped]);
            nothing_is_left_of(fault);
            thought
        })
        .into()
}

#[test]
fn an_engine_without_a_fault_answers() {
    for thought in works("no-fault") {
        assert_eq!(thought.best.as_deref(), Some("e2e4"));
        assert_eq!(thought.lines[0].moves, ["e2e4", "e7e5"]);
        assert_eq!((thought.depth, thought.nodes), (Some(1), Some(20)));
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    for keeper in [keeper(), Keeper::Nobody] {
        let mut setup = setup("none", keeper, PATIENT);
        setup.program.path = "/nowhere/engine".into();
        let mut engine = Engine::new(setup, clock());
        let trouble = engine.start().unwrap_err();
        assert_eq!(
            trouble.to_string(),
            "cannot be started: there is no file /nowhere/engine"
        );
        assert_eq!(engine.state(), State::Error);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_no_program_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("not-a-program");
    std::fs::write(&path, "\u{1}\u{2}\u{3}").unwrap();
    for (mode, expected) in [(0o600, "chmod +x"), (0o700, "cannot be started: ")] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        for keeper in [keeper(), Keeper::Nobody] {
            let mut setup = setup("none", keeper, PATIENT);
            setup.program.path.clone_from(&path);
            let trouble = Engine::new(setup, clock()).start().unwrap_err();
            assert!(trouble.to_string().contains(expected), "{trouble}");
        }
    }
}

macro_rules! faults {
    ($($name:ident: $fault:literal, $deadlines:expr, $stop:literal, $expected:literal;)*) => {
        $(
            #[test]
            fn $name() {
                fails($fault, $deadlines, $stop, $expected);
            }
        )*
    };
}

const SHORT_GREETING: Deadlines = Deadlines {
    greeting_ms: SHORT_MS,
    terminate_ms: 2_000,
    ..PATIENT
};
const SHORT_READY: Deadlines = Deadlines {
    ready_ms: SHORT_MS,
    terminate_ms: 2_000,
    ..PATIENT
};
const SHORT_STOP: Deadlines = Deadlines {
    stop_ms: SHORT_MS,
    terminate_ms: 2_000,
    ..PATIENT
};

faults! {
    no_uciok: "no-uciok", SHORT_GREETING, false, "did not answer uci within 400ms; is it an engine that speaks UCI?";
    late_uciok: "late-uciok", SHORT_GREETING, false, "did not answer uci within 400ms";
    half_uciok: "half-uciok", SHORT_GREETING, false, "did not answer uci within 400ms";
    slow_uciok: "slow-uciok", SHORT_GREETING, false, "did not answer uci within 400ms";
    hang_at_start: "hang-at-start", SHORT_GREETING, false, "did not answer uci within 400ms";
    hang_on_uci: "hang-on-uci", SHORT_GREETING, false, "did not answer uci within 400ms";
    hang_on_isready: "hang-on-isready", SHORT_READY, false, "gave no answer within 400ms while it got ready";
    hang_on_position: "hang-on-position", SHORT_READY, false, "gave no answer within 400ms";
    hang_on_go: "hang-on-go", SHORT_STOP, true, "did not stop within 400ms";
    hang_on_stop: "hang-on-stop", SHORT_STOP, true, "did not stop within 400ms";
    ignores_stop: "ignores-stop", SHORT_STOP, true, "did not stop within 400ms";
    late_after_stop: "late-after-stop", SHORT_STOP, true, "did not stop within 400ms";
    half_bestmove: "half-bestmove", SHORT_STOP, true, "did not stop within 400ms";
    close_output: "close-output", PATIENT, false, "closed its output while it thought";
    crash_at_start: "crash-at-start", PATIENT, false, "ended by itself while it started (exit code 3)";
    exit_0_at_start: "exit-0-at-start", PATIENT, false, "ended by itself while it started (exit code 0)";
    words_and_crash: "words-and-crash", PATIENT, false, "(exit code 4); it last said: cannot find network.nnue";
    crash_on_uci: "crash-on-uci", PATIENT, false, "while it started (exit code 3)";
    crash_on_isready: "crash-on-isready", PATIENT, false, "while it got ready (exit code 3)";
    crash_on_position: "crash-on-position", PATIENT, false, "ended by itself";
    crash_on_go: "crash-on-go", PATIENT, false, "while it thought (exit code 3)";
    abort_on_go: "abort-on-go", PATIENT, false, "while it thought (killed by SIGABRT)";
    crash_while_thinking: "crash-while-thinking", PATIENT, false, "while it thought (exit code 3)";
    crash_on_stop: "crash-on-stop", PATIENT, true, "when it was told to stop (exit code 3)";
    exit_0_when_idle: "exit-0-when-idle", PATIENT, false, "ended by itself";
    flood_at_start: "flood-at-start", PATIENT, false, "sent more than 4 MB within moments while it started";
    flood_lines: "flood-lines", PATIENT, false, "sent more than 4 MB within moments while it thought";
    flood_without_end: "flood-without-end", PATIENT, false, "sent a line of more than 64 kB while it thought";
    long_line: "long-line", PATIENT, false, "sent a line of more than 64 kB while it thought";
    errors_for_ever: "errors-for-ever", PATIENT, false, "sent more than 4 MB within moments while it started";
}

/// A shell is needed, and a system where a signal can be ignored.
#[cfg(unix)]
#[test]
fn an_engine_that_closed_its_input_or_ignores_the_request_to_end_is_killed() {
    let ready = Deadlines {
        ready_ms: SHORT_MS,
        terminate_ms: 2_000,
        ..PATIENT
    };
    // By its deadline, or by the first word that does not reach it.
    fails("close-input", ready, false, ", and was ended");
    let stop = Deadlines {
        stop_ms: SHORT_MS,
        terminate_ms: 2_000,
        ..PATIENT
    };
    fails("ignore-term", stop, true, "did not stop within 400ms");
}

#[test]
fn odd_engines_are_used_as_far_as_they_can_be() {
    for fault in [
        "nul-bytes",
        "not-utf8",
        "odd-options",
        "many-options",
        "banner",
        "unasked-bestmove",
        "double-uciok",
        "two-bestmoves",
        "wrong-bounds",
    ] {
        for thought in works(fault) {
            assert_eq!(thought.choice(), Some("e2e4"), "{fault}");
        }
    }
    memory_is_bounded();
}

#[test]
fn moves_that_are_none_are_told_as_they_came() {
    let best = |fault: &str| works(fault).remove(0).best;
    assert_eq!(best("illegal-move").as_deref(), Some("e2e5"));
    assert_eq!(best("garbage-move").as_deref(), Some("%$§"));
    assert_eq!(best("null-move"), None);
    assert_eq!(best("no-move"), None);
}

#[test]
fn a_second_best_move_is_not_taken_for_the_next_answer() {
    let mut engine = Engine::new(setup("two-bestmoves", keeper(), PATIENT), clock());
    let stop = AtomicBool::new(false);
    for _ in 0..3 {
        let thought = engine.think(&question(), &stop, &mut |_| {}).unwrap();
        assert_eq!(thought.best.as_deref(), Some("e2e4"));
    }
}

#[test]
fn a_stop_is_answered_and_the_engine_goes_on() {
    for keeper in [keeper(), Keeper::Nobody] {
        let mut engine = Engine::new(setup("waits-for-stop", keeper, PATIENT), clock());
        for _ in 0..3 {
            let stop = AtomicBool::new(false);
            let endless = Question::default();
            let thought = engine.think(&endless, &stop, &mut |_| {
                stop.store(true, Ordering::Relaxed);
            });
            assert_eq!(thought.unwrap().best.as_deref(), Some("e2e4"));
            assert_eq!(engine.state(), State::Idle);
        }
    }
    nothing_is_left_of("waits-for-stop");
}

#[test]
fn an_engine_that_does_not_quit_is_ended() {
    let deadlines = Deadlines {
        quit_ms: SHORT_MS,
        terminate_ms: 2_000,
        ..PATIENT
    };
    for keeper in [keeper(), Keeper::Nobody] {
        let mut engine = Engine::new(setup("ignore-quit", keeper, deadlines), clock());
        engine.start().unwrap();
        engine.stop();
        assert_eq!(engine.state(), State::Stopped);
        nothing_is_left_of("ignore-quit");
    }
}

#[test]
fn a_failed_engine_is_started_again_three_times_and_others_are_not_disturbed() {
    let time = Arc::new(Mutex::new(0_u64));
    let shown = Arc::clone(&time);
    // A clock that goes on by itself, so that deadlines pass, and that a test can push.
    let real = clock();
    let now: Now = Arc::new(move || *shown.lock().unwrap() + real());
    let mut failing = Engine::new(setup("crash-on-go", keeper(), PATIENT), Arc::clone(&now));
    let mut healthy = Engine::new(setup("no-fault-beside", keeper(), PATIENT), now);
    let stop = AtomicBool::new(false);
    for _ in 0..4 {
        let trouble = failing.think(&question(), &stop, &mut |_| {}).unwrap_err();
        assert!(
            matches!(
                trouble,
                Trouble::Exited {
                    step: Step::Thinking,
                    ..
                }
            ),
            "{trouble}"
        );
        let thought = healthy.think(&question(), &stop, &mut |_| {}).unwrap();
        assert_eq!(thought.best.as_deref(), Some("e2e4"));
        *time.lock().unwrap() += 100_000;
    }
    let trouble = failing.start().unwrap_err();
    assert!(
        matches!(trouble, Trouble::GaveUp { failures: 4, .. }),
        "{trouble}"
    );
    assert!(
        trouble
            .to_string()
            .contains("ended by itself while it thought")
    );
    assert_eq!(failing.state(), State::Error);
    failing.forgive();
    failing.start().unwrap();
    assert_eq!(failing.state(), State::Ready);
}

#[test]
fn right_after_a_failure_there_is_a_pause() {
    let now: Now = Arc::new(|| 5);
    let mut setup = setup("none", keeper(), PATIENT);
    setup.program.path = "/nowhere/engine".into();
    let mut engine = Engine::new(setup, now);
    engine.start().unwrap_err();
    let trouble = engine.start().unwrap_err();
    assert_eq!(
        trouble.to_string(),
        "failed and is started again in 250 ms; it cannot be started: there is no file \
         /nowhere/engine"
    );
}

#[test]
fn an_engine_is_gone_when_it_is_dropped() {
    for keeper in [keeper(), Keeper::Nobody] {
        let mut engine = Engine::new(setup("dropped", keeper, PATIENT), clock());
        engine.start().unwrap();
        drop(engine);
        nothing_is_left_of("dropped");
    }
}

/// What left the group is found by a keeper, on Linux.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_is_ended_too() {
    for fault in ["daemon", "daemon-and-exit"] {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{fault}.pid"));
        drop(std::fs::remove_file(&file));
        let mut setup = setup(fault, keeper(), PATIENT);
        // The fault engine learns of the file by a variable, through a shell that sets it.
        setup.program = Program {
            args: vec![
                format!("FAULT_PID_FILE={}", file.display()),
                program().display().to_string(),
                fault.to_owned(),
            ],
            ..Program::new("/usr/bin/env")
        };
        let mut engine = Engine::new(setup, clock());
        match fault {
            "daemon" => {
                engine.start().unwrap();
                engine.stop();
            }
            _ => {
                let trouble = engine.start().unwrap_err();
                assert!(trouble.to_string().contains("(exit code 5)"), "{trouble}");
            }
        }
        let pid = std::fs::read_to_string(&file).unwrap();
        let process = PathBuf::from("/proc").join(pid.trim());
        for _ in 0..400 {
            if !process.exists() {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(25));
        }
        assert!(
            !process.exists(),
            "{} outlived its engine",
            process.display()
        );
        nothing_is_left_of(fault);
    }
}

/// The test starts itself again as a program that holds an engine, and kills it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_when_we_are_killed() {
    use std::io::BufRead as _;
    const FAULT: &str = "survivor";
    if std::env::var_os("HOLD_AN_ENGINE").is_some() {
        let mut engine = Engine::new(setup(FAULT, keeper(), PATIENT), clock());
        engine.start().unwrap();
        println!("started");
        loop {
            std::thread::park();
        }
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this test is about a process of its own"
    )]
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "faults::nothing_is_left_when_we_are_killed",
            "--nocapture",
        ])
        .env("HOLD_AN_ENGINE", "1")
        .stdout(std::process::Stdio::piped());
    let mut holder = command.spawn().unwrap();
    let mut lines = std::io::BufReader::new(holder.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().contains("started") {}
    assert!(!left_over(FAULT).is_empty());
    holder.kill().unwrap();
    holder.wait().unwrap();
    nothing_is_left_of(FAULT);
}
