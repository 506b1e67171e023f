//! `kibitz train label`: positions of games with values.

use super::ReadingArgs;
use crate::{evaluation::read_weights, failure, interrupt};
use anyhow::ensure;
use app::{
    Disk,
    training::{HoldOut, LabelRun, LabelTask, Plan, Reading, Shift},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{ops::RangeInclusive, path::PathBuf};

const EXAMPLES: &str = "\
Examples:
  kibitz train label wthor/ --empties 11-16 --exact 16 --out ends.data
  kibitz train label wthor/ --empties 24-56 --deviation 0 --from-later --out openings.data
  kibitz train label wthor/ --empties 17-23 --depth 10 --share 0.2 --out middle.data
  kibitz train label self.games --empties 4-56 --deviation 0 --recorded --lambda 0.7 --exact 0 --out self.data

Positions are appended to the file. The same games, flags and seed give the same positions.
Interrupted, the same command goes on where it stopped: OUT.progress says where that was.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder of WTHOR games (WTH_YYYY.wtb), or a file of kibitz selfplay
    games: PathBuf,
    /// Where to append the valued positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which positions: from so many empty squares to so many
    #[arg(long, value_name = "FROM-TO", value_parser = super::empties_range)]
    empties: RangeInclusive<u32>,
    /// Share of positions that leave the game by a random move
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = super::share)]
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
    /// Mix a noted value with this share of what was found a move later
    #[arg(long, value_name = "L", default_value_t = 0.0, requires = "recorded", value_parser = super::share)]
    lambda: f64,
    /// Centidiscs to add to searched values with an odd and with an even number of empty squares
    #[arg(long, value_name = "ODD,EVEN", default_value = "0,0", allow_hyphen_values = true, value_parser = shift)]
    shift: Shift,
    /// Share of games to take
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = super::share)]
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
    #[command(flatten)]
    reading: ReadingArgs,
}

fn shift(text: &str) -> Result<Shift, String> {
    let parse = || {
        let (odd, even) = text.split_once(',')?;
        let centidiscs = |text: &str| text.trim().parse().ok();
        let (odd, even) = (centidiscs(odd)?, centidiscs(even)?);
        let discs = -6400..=6400;
        (discs.contains(&odd) && discs.contains(&even)).then_some(Shift { odd, even })
    };
    parse().ok_or_else(|| "expected two numbers of centidiscs, such as 130,-40".to_owned())
}

impl Args {
    fn task(&self) -> anyhow::Result<LabelTask> {
        let hold_out = HoldOut {
            from_year: self.hold_out_from,
            every: self.hold_out_every,
        };
        let read = |reading: &mut Reading<'_>| reading.games(&self.games, hold_out);
        let (games, held_out) = self.reading.read(read)?;
        Ok(LabelTask {
            games,
            held_out,
            plan: Plan {
                empties: self.empties.clone(),
                deviation: self.deviation,
                exact_empties: self.exact,
                depth: self.depth,
                share: self.share,
                from_later: self.from_later,
                recorded: self.recorded.then_some(self.lambda),
                shift: self.shift,
                seed: self.seed,
            },
            weights: self.weights.as_deref().map(read_weights).transpose()?,
        })
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let task = args.task()?;
    let stop = interrupt::flag()?;
    let mut run = LabelRun::open(Disk::real(), &args.out, task)?;
    let (first, n_games) = (run.n_done(), run.n_games());
    if first > 0 {
        failure::complain(&format!("going on after {first} games"));
    }
    let bar = ProgressBar::new(n_games as u64).with_style(ProgressStyle::with_template(
        "{wide_bar} {pos} of {len} games, {msg} positions, {eta} left",
    )?);
    bar.set_position(first as u64);
    bar.reset_eta();
    let finished = run.run(args.workers.into(), &stop, |news| {
        bar.set_position(news.games as u64);
        bar.set_message(news.positions.to_string());
    })?;
    bar.finish_and_clear();
    ensure!(
        finished,
        "interrupted after {} of {n_games} games; the same command goes on from there",
        run.n_done()
    );
    Ok(())
}
