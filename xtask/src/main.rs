//! The repository's chores: `cargo xtask test` checks everything, `cargo xtask run` starts the
//! program. This crate's own tests check the walls between the rooms and that files are tidy.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal of whoever works on the project"
)]

#[cfg(test)]
mod comments;
mod counts;
mod fuzz;
mod lane;
#[cfg(test)]
mod lengths;
mod process;
mod rivals;
mod steps;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod walls;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
Chores of the Kibitz repository

cargo xtask test           check everything: format, lints, tests, documentation
cargo xtask run -- ARGS    build the page and the release and run `kibitz ARGS`; without ARGS the
                           coach opens in the browser
cargo xtask long           the tests that take minutes and are left out above
cargo xtask fuzz [--seconds N] [TARGET…]
                           every fuzz target for N seconds (needs nightly and cargo-fuzz)
cargo xtask lane [--accept] [--record FILE] [--program FILE]
                           count the instructions of a search (needs valgrind or perf) and fail if
                           they grew by more than 10 % twice in a row
cargo xtask bench-rivals --problems FILE [--rounds N] [--core N] [--program FILE] NAME=COMMAND…
                           solve FILE with us and with other programs in turn, and print ratios
cargo xtask make-pgn plain|annotated N FILE [SEED]
                           write N games of chess by chance, the same for the same seed, for
                           measuring imports and searches
cargo xtask counts         count the instructions of the kernels (needs valgrind)
cargo xtask help           show this text
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("test") => steps::test(),
        Some("long") => steps::long(),
        Some("fuzz") => fuzz::fuzz(args),
        Some("lane") => lane::lane(args),
        Some("bench-rivals") => rivals::bench_rivals(args),
        Some("counts") => counts::counts(),
        Some("make-pgn") => make_pgn(args),
        Some("run") => return run(args.skip_while(|arg| arg == "--").collect()),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => {
            let what = other.map_or("no task".to_owned(), |task| format!("no task {task:?}"));
            eprintln!(
                "xtask: {what}; there are test, long, fuzz, run, lane, bench-rivals, make-pgn, counts and help"
            );
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The generator is an example of `game`, which alone writes PGN.
fn make_pgn(args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.args(["run", "--release", "--package", "game"]);
    command.args(["--example", "make_pgn", "--"]).args(args);
    anyhow::ensure!(command.status()?.success(), "no games were written");
    Ok(())
}

/// The program's exit code becomes ours.
fn run(args: Vec<String>) -> ExitCode {
    if let Err(error) = web::build() {
        eprintln!("xtask: {error:#}");
        return ExitCode::FAILURE;
    }
    let mut command = process::cargo();
    command.args(["run", "--release", "--package", "cli", "--"]);
    command.args(args);
    match command.status() {
        Ok(status) => status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("xtask: cannot start cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
