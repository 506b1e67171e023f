//! The `kibitz` program: flags in, text out. One file per subcommand.
//!
//! What is deliberately absent: anything that a second caller could want. Commands print to the
//! standard output through [`std::io::Write`], so that a closed pipe is an error like any other
//! and ends the program quietly.

#![forbid(unsafe_code)]

mod adviser;
mod analyze;
mod bench;
mod board;
mod book;
mod clock;
mod configured;
mod convert;
mod cpu;
mod diag;
mod elo;
mod engines;
mod evaluation;
mod explain;
mod failure;
mod glicko;
mod gtp;
mod interrupt;
mod levels;
mod library;
mod lines;
mod matches;
mod nboard;
mod openings;
mod opponent;
mod panel;
mod perft;
mod play;
mod position;
mod review;
mod selfplay;
mod serve;
mod solve;
mod study;
mod tournament;
mod train;
mod tune;
mod usage;

use arena::process::keeper;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Othello engine and coach. Without a command, the coach opens in the browser.
#[derive(Debug, Parser)]
#[command(name = "kibitz", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Args,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search positions and show the best lines
    Analyze(analyze::Args),
    /// Count the nodes of a fixed set of searches: proves that a search is unchanged, and times it
    Bench(bench::Args),
    /// Draw a position and count what players count
    Board(board::Args),
    /// Show, check, extend and make opening books
    Book(book::Args),
    /// Convert games and positions between notations
    Convert(convert::Args),
    /// Try whether everything works, and collect what a bug report needs
    Diag(diag::Args),
    /// Check or count the database of games
    Db(library::DbArgs),
    /// Rate the players of files of games, all together
    Elo(elo::EloArgs),
    /// Add, install, set up and try foreign engines
    Engines(Box<engines::Args>),
    /// Say why a move is best, or what was wrong with another
    Explain(explain::Args),
    /// Show what games of the database did in a position
    Explore(library::ExploreArgs),
    /// Fetch games from Lichess and Chess.com into the database
    Fetch(Box<library::FetchArgs>),
    /// List games of the database
    Games(library::GamesArgs),
    /// Speak the Go Text Protocol on the standard input and output
    Gtp(gtp::Args),
    /// Read files of games into the database
    Import(library::ImportArgs),
    /// List the levels and what they are worth, or measure them
    Levels(levels::Args),
    /// Play two set-ups of the engine against each other and say which is better
    Match(Box<matches::Args>),
    /// Speak the NBoard protocol on the standard input and output
    Nboard(nboard::Args),
    /// Count all move sequences of a length: proves and times the move generator
    Perft(perft::Args),
    /// Play against the engine in the terminal
    Play(play::Args),
    /// Look at a whole game: accuracy, turning point, and every mistake with a better move
    Review(review::Args),
    /// Let the engine play itself, to learn from the games
    Selfplay(selfplay::Args),
    /// Open the coach in the browser
    Serve(serve::Args),
    /// Solve endgame positions exactly
    Solve(solve::Args),
    /// Say what wins, draws and losses prove in a sequential test
    Sprt(elo::SprtArgs),
    /// Play engines against each other, and resume that after anything
    Tournament(Box<tournament::Args>),
    /// Tune parameters of an engine by playing (SPSA)
    Tune(tune::Args),
    /// Make evaluation weights
    Train(train::Args),
}

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|it| it == keeper::ARGUMENT).is_some() {
        return keeper::run(words);
    }
    if let Some(complaint) = cpu::complaint() {
        return failure::report(complaint);
    }
    let cli = match Cli::try_parse_from(std::env::args_os().map(position::shield)) {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    let command = cli.command.unwrap_or(Command::Serve(cli.serve));
    match cpu::choose_kernels().and_then(|()| run(&command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if failure::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => failure::report(&failure::sentence(&error)),
    }
}

fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Analyze(args) => analyze::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Board(args) => board::run(args),
        Command::Book(args) => book::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Diag(args) => diag::run(args),
        Command::Db(args) => library::db(args),
        Command::Elo(args) => elo::elo(args),
        Command::Engines(args) => engines::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Explore(args) => library::explore(args),
        Command::Fetch(args) => library::fetch(args),
        Command::Games(args) => library::games(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Import(args) => library::import(args),
        Command::Levels(args) => levels::run(args),
        Command::Match(args) => matches::run(args),
        Command::Nboard(args) => nboard::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Play(args) => play::run(args),
        Command::Review(args) => review::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Sprt(args) => elo::sprt(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Train(args) => train::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
