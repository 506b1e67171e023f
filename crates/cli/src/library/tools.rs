//! `kibitz db`: whether the database is sound, and how large it is.

use super::DbFile;
use anyhow::ensure;
use serde_json::json;
use std::io::Write as _;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, clap::Subcommand)]
enum Tool {
    /// Look for damage: the file, the rows, and every position of a sample of games
    Check(CheckArgs),
    /// Count games, names, notes and bytes
    Stats(StatsArgs),
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    db: DbFile,
    /// Replay every N-th game
    #[arg(long, value_name = "N", default_value_t = 100)]
    every: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StatsArgs {
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.tool {
        Tool::Check(args) => check(args),
        Tool::Stats(args) => stats(args),
    }
}

fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let checked = args.db.open()?.check(args.every)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = json!({
            "games": checked.games,
            "replayed": checked.replayed,
            "problems": checked.problems,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        for problem in &checked.problems {
            writeln!(out, "{problem}")?;
        }
        writeln!(
            out,
            "{} games, {} replayed",
            checked.games, checked.replayed
        )?;
    }
    let n = checked.problems.len();
    ensure!(n == 0, "the database has {n} problems");
    Ok(())
}

fn stats(args: &StatsArgs) -> anyhow::Result<()> {
    let stats = args.db.open()?.stats()?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = json!({
            "games": stats.games,
            "names": stats.names,
            "batches": stats.batches,
            "withoutColumns": stats.tail,
            "notes": stats.notes,
            "bytes": stats.bytes,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        let per_game = stats.bytes.checked_div(stats.games).unwrap_or(0);
        writeln!(
            out,
            "games    {} ({} not in columns yet)",
            stats.games, stats.tail
        )?;
        writeln!(out, "names    {}", stats.names)?;
        writeln!(out, "notes    {}", stats.notes)?;
        writeln!(out, "bytes    {} ({per_game} a game)", stats.bytes)?;
    }
    Ok(())
}
