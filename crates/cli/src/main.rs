//! The `kibitz` program: flags in, text out. One file per subcommand.

#![forbid(unsafe_code)]

mod convert;

use clap::{Parser, Subcommand};
use std::io::Write as _;
use std::process::ExitCode;

/// Othello engine and coach.
#[derive(Debug, Parser)]
#[command(name = "kibitz", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Convert games and positions between notations
    Convert(convert::Args),
}

fn main() -> ExitCode {
    let Command::Convert(args) = Cli::parse().command;
    match convert::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            writeln!(std::io::stderr(), "kibitz: {error:#}").ok();
            ExitCode::from(1)
        }
    }
}
