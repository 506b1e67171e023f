//! `kibitz tournament`: play, resume, look at and report tournaments.

mod flags;
mod output;
mod run;
mod text;

use crate::configured::HomeArgs;
use anyhow::Context as _;
use app::{
    Home,
    tournament::{Settings, Tournament, html, json},
};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

const EXAMPLES: &str = "\
Examples:
  kibitz tournament run league.toml
  kibitz tournament resume
  kibitz tournament status
  kibitz tournament report 3 --html league.html --games league.pgn
  kibitz tournament cli -engine name=new cmd=./new -engine name=old cmd=./old -each tc=10+0.1 \\
      proto=uci -rounds 500 -games 2 -repeat -openings file=book.epd order=random \\
      -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -concurrency 2 -pgnout games.pgn

A finished pair of games is on the disk before the next one begins. A tournament that was stopped,
killed or cut off by a power failure goes on where it was with `kibitz tournament resume`. The first
Ctrl-C finishes the games under way, the second one leaves at once. docs/TOURNAMENTS.md has recipes
and every setting.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Begin a tournament from a file of settings
    Run(RunArgs),
    /// Play what is not finished yet of a tournament; without a number, of the latest one
    Resume(ResumeArgs),
    /// List the tournaments, or show how one stands
    Status(StatusArgs),
    /// Show everything about a tournament; without a number, about the latest one
    Report(ReportArgs),
    /// Understand the flags of cutechess-cli and fastchess, so that scripts carry over
    Cli(CliArgs),
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Settings of the tournament, in TOML
    file: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, clap::Args)]
struct ResumeArgs {
    /// The number of the tournament
    id: Option<u64>,
    #[command(flatten)]
    out: OutArgs,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, Clone, Default, clap::Args)]
struct OutArgs {
    /// Add the games to this file as they are finished, also after a resume: PGN for chess; GGF for
    /// Othello if the name ends in .ggf, transcripts otherwise
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StatusArgs {
    /// The number of the tournament; without it the latest one, after a list of all
    id: Option<u64>,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, clap::Args)]
struct ReportArgs {
    /// The number of the tournament
    id: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write a page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write all games: PGN for chess; GGF for Othello if the name ends in .ggf, transcripts otherwise
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

const CLI_EXAMPLES: &str = "\
Example:
  kibitz tournament cli -engine name=new cmd=./new -engine name=old cmd=./old -each tc=10+0.1 \\
      proto=uci -rounds 500 -games 2 -repeat -openings file=book.epd order=random \\
      -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -concurrency 2 -pgnout games.pgn

Flags:
  -engine, -each    name, cmd, dir, args, proto (uci, gtp, nboard), conf (an engine that was added),
                    level, tc, st, depth, nodes, timemargin, restart, ponder, option.NAME
  -rounds, -games, -repeat, -tournament, -seeds, -concurrency, -srand, -variant, -event
  -openings         file, order, start, plies
  -sprt             elo0, elo1, alpha, beta, model, trinomial
  -resign, -draw    movecount, score, twosided; movenumber
  -maxmoves, -tb, -tbpieces, -tbignore50, -solve, -ponder, -use-affinity
  -pgnout, -gameout games are added to this file, also after a resume
  -output           format=cutechess or format=fastchess, with -ratinginterval
  -json, -home

Other flags of these programs are refused, or told to change nothing.";

#[derive(Debug, clap::Args)]
#[command(after_help = CLI_EXAMPLES)]
struct CliArgs {
    /// The flags of cutechess-cli and fastchess
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "FLAGS"
    )]
    flags: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Run(args) => {
            let home = Home::open(args.home.folder())?;
            let text = app::input::read_text_bounded(&args.file, app::input::SETTINGS_MAX)?;
            let settings =
                Settings::parse(&text).with_context(|| args.file.display().to_string())?;
            let tournament = Tournament::create(&home, settings)?;
            run::play(&home, tournament, &args.out, &run::Style::ours())
        }
        Command::Resume(args) => {
            let home = Home::open(args.home.folder())?;
            let tournament = Tournament::open(&home, args.id)?;
            run::play(&home, tournament, &args.out, &run::Style::ours())
        }
        Command::Status(args) => status(args),
        Command::Report(args) => report(args),
        Command::Cli(args) => flags::run(&args.flags),
    }
}

fn status(args: &StatusArgs) -> anyhow::Result<()> {
    let home = Home::find(args.home.folder())?;
    let mut out = io::stdout().lock();
    if args.id.is_none() {
        for tournament in Tournament::all(&home) {
            let so_far = match tournament.report() {
                Ok(it) => format!(
                    "{} of {} pairs, {} games",
                    it.pairs, it.pairs_asked, it.games
                ),
                // One that cannot be read does not hide the others.
                Err(error) => error.to_string(),
            };
            let name = &tournament.settings.name;
            writeln!(out, "{:>4}  {name}  {so_far}", tournament.id)?;
        }
        writeln!(out)?;
    }
    let tournament = Tournament::open(&home, args.id)?;
    text::print_short(&mut out, &tournament, &tournament.report()?)?;
    Ok(out.flush()?)
}

fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let home = Home::find(args.home.folder())?;
    let tournament = Tournament::open(&home, args.id)?;
    let report = tournament.report()?;
    if let Some(path) = &args.html {
        write_file(path, html::page(&tournament, &report).as_bytes())?;
    }
    if let Some(path) = &args.games {
        output::Games::export(path, &tournament)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        let json = json::report(&tournament, &report)?;
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
    } else if args.html.is_none() && args.games.is_none() {
        text::print(&mut out, &tournament, &report)?;
    }
    Ok(out.flush()?)
}

fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = app::Disk::real().replace(path, bytes);
    written.with_context(|| format!("cannot write {}", path.display()))
}
