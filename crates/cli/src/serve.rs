//! `kibitz serve`, and `kibitz` alone: the coach in the browser.

use crate::failure;
use anyhow::Context as _;
use app::{ConfigFile, Home, start_log};
use server::{Started, start};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz
  kibitz serve --port 8080 --no-open
  kibitz serve --home games/mine

Everything stays on this computer. Ctrl-C ends it; the game is saved.";

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
    match start(home, config, args.port)? {
        Started::Here(server) => {
            say(server.url())?;
            show(server.url(), args.no_open);
            server.run().context("the server failed")
        }
        Started::Elsewhere(url) => {
            say(&url)?;
            show(&url, args.no_open);
            Ok(())
        }
    }
}

/// Prints the address at once: somebody may wait for it.
fn say(url: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()
}

fn show(url: &str, no_open: bool) {
    if !no_open && let Err(error) = open::that_detached(url) {
        failure::complain(&format!(
            "cannot open a browser ({error}); open the address above"
        ));
    }
}
