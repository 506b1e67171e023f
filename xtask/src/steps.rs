//! `cargo xtask test`: the steps, in the order in which they find the most for the least time.

use crate::{
    process::{cargo, root},
    web,
};
use anyhow::{Context as _, bail};
use std::{
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// One step of `cargo xtask test`: a command and the name its time is listed under.
pub(crate) struct Step {
    name: &'static str,
    command: Command,
}

impl Step {
    pub(crate) fn new(name: &'static str, mut command: Command, line: &str) -> Self {
        command.args(line.split_whitespace());
        Self { name, command }
    }

    pub(crate) fn arg(mut self, arg: &str) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    fn cannot_start(&self) -> String {
        format!("cannot start {:?}", self.command.get_program())
    }

    fn passed(&self, status: ExitStatus) -> anyhow::Result<()> {
        if status.success() {
            return Ok(());
        }
        bail!("{}: {}", status, shown(&self.command));
    }
}

/// Runs every step up to the first that fails.
///
/// Two lanes run side by side, because no step alone keeps two cores busy: compilers wait for one
/// crate, and tests for processes, disks and browsers.
pub(crate) fn test() -> anyhow::Result<()> {
    // A missing browser is told before the long part, and the pages stand before the program that
    // takes them in.
    let browser = web::browser()?;
    let mut beside = web::checks();
    if cfg!(target_arch = "x86_64") {
        beside.push(portable_kernels());
    }
    // The browser needs the program that is built with the tests.
    let running = vec![tests(), web::end_to_end(&browser, &target_dir())];
    let mut done = Vec::new();
    let result = [
        (web::pages(), Vec::new()),
        (builds(), beside),
        // Tests wait for processes and disks as often as for a processor, which rustdoc can use.
        (running, documentation()),
    ]
    .into_iter()
    .try_for_each(|(lane, beside)| run_lanes(lane, beside, &mut done));
    summarise(&done);
    result?;
    println!("all {} steps passed", done.len());
    Ok(())
}

/// Runs two lanes of steps at the same time. What the second one prints is kept until its step has
/// ended. When a step fails, the other lane ends after the step that it is at.
fn run_lanes(
    lane: Vec<Step>,
    beside: Vec<Step>,
    done: &mut Vec<(&'static str, Duration)>,
) -> anyhow::Result<()> {
    let failed = AtomicBool::new(false);
    let run_all = |steps: Vec<Step>, run: fn(Step) -> anyhow::Result<Duration>| {
        let mut passed = Vec::new();
        for step in steps {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            let name = step.name;
            match run(step) {
                Ok(duration) => passed.push((name, duration)),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return (passed, Err(error.context(format!("step {name:?} failed"))));
                }
            }
        }
        (passed, Ok(()))
    };
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| run_all(beside, run_quietly));
        let first = run_all(lane, run);
        (first, second.join().expect("a lane does not panic"))
    });
    done.extend(first.0);
    done.extend(second.0);
    first.1.and(second.1)
}

/// Parts of the names of ignored tests that need public data from outside of the repository. They
/// fail without it.
const NEED_OUTSIDE_DATA: [&str; 2] = ["shared_data", "tournament_games"];

/// The tests that `test` leaves out because they take minutes. A schedule runs them.
pub(crate) fn long() -> anyhow::Result<()> {
    if cfg!(target_arch = "x86_64") {
        run(portable_kernels().arg("--package=engine"))?;
    }
    let step = Step::new("long tests", cargo(), "test --workspace");
    let step = step.arg("--").arg("--ignored");
    let skip = |step: Step, name| step.arg("--skip").arg(name);
    run(NEED_OUTSIDE_DATA.into_iter().fold(step, skip)).map(|_| ())
}

/// What compiles everything, in the order of what it finds for its time.
fn builds() -> Vec<Step> {
    let cargo_step = |name, line| Step::new(name, cargo(), line);
    vec![
        cargo_step("format", "fmt --all --check"),
        cargo_step("lints", "clippy --workspace --all-targets -- -D warnings"),
        cargo_step("build of the tests", test_runner())
            .arg("--workspace")
            .arg("--no-run"),
    ]
}

fn tests() -> Step {
    Step::new("tests", cargo(), test_runner()).arg("--workspace")
}

fn documentation() -> Vec<Step> {
    let examples = "test --quiet --workspace --doc";
    let pages = "doc --quiet --workspace --no-deps";
    vec![
        Step::new("documentation examples", cargo(), examples),
        Step::new("documentation", cargo(), pages).env("RUSTDOCFLAGS", "-D warnings"),
    ]
}

/// The tests of the rules once more in a build without AVX2, where the portable kernels are the
/// production kernels. Other flags mean other artefacts, hence a target folder of its own. Integration
/// tests alone: with the unit tests the crate would be compiled twice.
///
/// The engine chooses its kernels at run time, and its tests try all of them in the ordinary build; in
/// this build its tests took 100 s of a processor to find what the others find, so that the schedule
/// runs them (`long`).
fn portable_kernels() -> Step {
    Step::new("tests of the x86-64-v2 build", cargo(), test_runner())
        .arg("--package=othello")
        .arg("--test=it")
        .env("RUSTFLAGS", "-C target-cpu=x86-64-v2")
        .env("CARGO_TARGET_DIR", target_dir().join("v2"))
}

/// nextest runs tests in parallel across crates; a machine without it loses only time. Examples
/// and benchmarks are compiled by the lints.
fn test_runner() -> &'static str {
    let installed = cargo()
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if installed {
        "nextest run --status-level fail --final-status-level fail"
    } else {
        // Documentation examples are a step of their own.
        "test --quiet --lib --bins --tests"
    }
}

fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Runs a step and shows what it prints.
pub(crate) fn run(mut step: Step) -> anyhow::Result<Duration> {
    println!("── {}", step.name);
    let (status, duration) = timed(|| step.command.status());
    let status = status.with_context(|| step.cannot_start())?;
    step.passed(status)?;
    println!("   {:.1} s", duration.as_secs_f64());
    Ok(duration)
}

/// Runs a step and shows what it printed when it has ended.
fn run_quietly(mut step: Step) -> anyhow::Result<Duration> {
    let (output, duration) = timed(|| step.command.output());
    let output = output.with_context(|| step.cannot_start())?;
    println!("── beside that: {}", step.name);
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    step.passed(output.status)?;
    println!("   {:.1} s", duration.as_secs_f64());
    Ok(duration)
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a chore really took is what is printed"
)]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default();
    std::iter::once(program)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

fn summarise(done: &[(&str, Duration)]) {
    println!("── summary");
    for (name, duration) in done {
        println!("   {name:<32}{:>8.1} s", duration.as_secs_f64());
    }
}
