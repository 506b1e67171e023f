//! `kibitz train label`: positions of games, with values.

use super::source;
use crate::clock::Stopwatch;
use anyhow::Context as _;
use app::training::{Appender, Plan, Source, label_games};
use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    ops::RangeInclusive,
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train label wthor/ --empties 11-16 --exact 16 --out ends.data
  kibitz train label wthor/ --empties 24-56 --deviation 0 --from-later --out openings.data
  kibitz train label wthor/ --empties 17-23 --depth 10 --share 0.2 --out middle.data
  kibitz train label self.games --empties 4-56 --deviation 0 --recorded --exact 0 --out self.data

Positions are appended to the file. The same games, flags and seed give the same positions.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A folder of WTHOR games (WTH_YYYY.wtb), or a file of kibitz selfplay
    games: PathBuf,
    /// Where to append the valued positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which positions: from so many empty squares to so many
    #[arg(long, value_name = "FROM-TO", value_parser = super::empties_range)]
    empties: RangeInclusive<u32>,
    /// Share of positions that leave the game by a random move
    #[arg(long, value_name = "P", default_value_t = 0.5)]
    deviation: f64,
    /// Solve with at most so many empty squares
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Search the others to this depth; 0 leaves them out
    #[arg(long, value_name = "D", default_value_t = 0)]
    depth: u32,
    /// Give positions before the game's proven one that one's value
    #[arg(long)]
    from_later: bool,
    /// Take the values that self-play noted
    #[arg(long)]
    recorded: bool,
    /// Share of games to take
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    share: f64,
    /// Mark positions of games from this year on as held out
    #[arg(long, value_name = "YEAR", default_value_t = 2018)]
    hold_out_from: u32,
    /// Mark positions of every Nth self-play game as held out; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    hold_out_every: u64,
    /// Where chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Weights for searching, in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let sources = sources(args)?;
    let weights = args.weights.as_deref().map(super::read_file).transpose()?;
    let plan = Plan {
        empties: args.empties.clone(),
        deviation: args.deviation,
        exact_empties: args.exact,
        depth: args.depth,
        share: args.share,
        from_later: args.from_later,
        recorded: args.recorded,
        seed: args.seed,
    };
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&args.out)
        .with_context(|| format!("cannot open {}", args.out.display()))?;
    let mut appender = Appender::new(file).with_context(|| args.out.display().to_string())?;
    let watch = Stopwatch::start();
    let (mut n_positions, mut failure) = (0, None);
    label_games(
        &sources,
        &plan,
        weights.as_deref(),
        args.workers.into(),
        |batch, n_games| {
            n_positions += batch.len();
            if let Err(error) = appender.append(batch) {
                failure = Some(error);
                return false;
            }
            let seconds = watch.elapsed().as_secs_f64();
            let left = seconds * (sources.len() - n_games) as f64 / n_games as f64;
            // Progress that nobody reads is no loss.
            write!(
                io::stderr(),
                "\r\x1b[K{n_games} of {} games, {n_positions} positions, {left:.0} s left",
                sources.len()
            )
            .ok();
            true
        },
    )?;
    writeln!(io::stderr()).ok();
    match failure {
        Some(error) => Err(error).with_context(|| format!("cannot write {}", args.out.display())),
        None => Ok(()),
    }
}

fn sources(args: &Args) -> anyhow::Result<Vec<Source>> {
    if args.games.is_dir() {
        source::wthor_games(&args.games, args.hold_out_from)
    } else {
        source::self_play_games(&args.games, args.hold_out_every)
    }
}
