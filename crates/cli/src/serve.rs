//! `kibitz serve`, and `kibitz` alone: the coach in the browser.

use crate::{clock::Stopwatch, failure};
use anyhow::Context as _;
use app::{
    Config, ConfigFile, Evaluation, Home, Keeper,
    selftest::{self, Check},
    start_log,
};
use server::{Started, start};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz serve --port 8080 --no-open
  kibitz serve --home games/mine

Without a command, kibitz means kibitz serve. Everything stays on this computer. Ctrl-C ends it; the game is saved.\nThe address that it prints lets one browser in, within ten minutes; kibitz again prints a new one.";

#[derive(Debug, Default, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Listen on this port of the loopback interface; without it, on any free one
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only print the address, open no browser
    #[arg(long)]
    no_open: bool,
    /// Keep settings, games and logs in this folder instead of ~/.kibitz
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let home = Home::open(args.home.as_deref())?;
    let config = ConfigFile::open(home.config_file());
    for warning in config.warnings() {
        failure::complain(warning);
    }
    // Without a log there is less to tell when something goes wrong, but nothing goes wrong by it.
    let log = start_log(&home, &config.config().log);
    if let Err(error) = &log {
        failure::complain(&error.to_string());
    }
    for warning in config.warnings() {
        tracing::warn!(warning, "configuration");
    }
    test_once(&home, config.config());
    match start(home, config, args.port, Keeper::this_program())? {
        Started::Here(server) => {
            let signals = server.watch_for_end()?;
            show(args, || Ok(server.invite()?))?;
            server.run(signals).context("the server failed")
        }
        Started::Elsewhere(other) => show(args, || Ok(other.invite()?)),
    }
}

/// At the first start of a version: whether it works here, in the log and on the standard error.
fn test_once(home: &Home, config: &Config) {
    let version = env!("CARGO_PKG_VERSION");
    if !selftest::is_due(home, version) {
        return;
    }
    let wanted = &config.evaluation;
    let file = wanted.file(home.path());
    // Weights that do not fit are told by the desk, which goes on with the shipped ones.
    let Ok(evaluation) = Evaluation::load(wanted.evaluator, file.as_deref()) else {
        return;
    };
    let watch = Stopwatch::start();
    let checks = selftest::run(Some(home), &evaluation, &|| {
        watch.elapsed().as_millis() as u64
    });
    for check in &checks {
        if check.is_ok() {
            tracing::info!(%check, "self-test");
        } else {
            tracing::error!(%check, "self-test");
        }
        failure::complain(&check.to_string());
    }
    // A test that failed, or could not be remembered, is made again at the next start.
    if checks.iter().all(Check::is_ok) {
        selftest::remember(home, version).ok();
    }
}

/// Prints an address and opens the browser with another one. Each works once: a program that reads
/// the list of processes finds an address that the browser has used already.
fn show(args: &Args, invite: impl Fn() -> anyhow::Result<String>) -> anyhow::Result<()> {
    say(&invite()?)?;
    if !args.no_open
        && let Err(error) = open::that_detached(invite()?)
    {
        failure::complain(&format!(
            "cannot open a browser ({error}); open the address above"
        ));
    }
    Ok(())
}

/// Prints the address at once: a program or the user may wait for it.
fn say(url: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()
}
