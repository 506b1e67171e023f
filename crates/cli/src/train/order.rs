//! `kibitz train order`: which moves the solver tries first near the end.

use super::ReadingArgs;
use crate::{failure, interrupt};
use app::training::{
    HoldOut, OrderCost, OrderNews, OrderPlan, OrderReport, OrderSettings, OrderTask, Reading, order,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train order wthor/ --out order.weights --workers 2
  kibitz train order self.games --share 0.2 --walks 4 --out order.weights

Walks begin with 20 empty squares: one side claims what a search says and plays well, the other
plays any move. They give boards with 7 to 12 empty squares where some move makes the claim true.
The same games, flags and seed give the same weights. Ctrl-C ends the looking at games; what they gave is learned from.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder of WTHOR games (WTH_YYYY.wtb), or a file of kibitz selfplay
    games: PathBuf,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Share of games to take
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = super::share)]
    share: f64,
    /// Walks from the position of each game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    walks: u32,
    /// Strength of the pull of weights towards zero, in moves
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    ridge: u32,
    /// Steps of the fit
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    iterations: u16,
    /// Measure on games from this year on and do not learn from them
    #[arg(long, value_name = "YEAR", default_value_t = 2018)]
    hold_out_from: u32,
    /// The same with every Nth self-play game; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    hold_out_every: u64,
    /// Where chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    #[command(flatten)]
    reading: ReadingArgs,
}

impl Args {
    fn task(&self) -> anyhow::Result<OrderTask> {
        let hold_out = HoldOut {
            from_year: self.hold_out_from,
            every: self.hold_out_every,
        };
        let read = |reading: &mut Reading<'_>| reading.games(&self.games, hold_out);
        let (games, _) = self.reading.read(read)?;
        Ok(OrderTask {
            games,
            plan: OrderPlan {
                share: self.share,
                walks: self.walks,
                seed: self.seed,
            },
            settings: OrderSettings {
                ridge: self.ridge.into(),
                iterations: self.iterations.into(),
            },
            workers: self.workers.into(),
            out: self.out.clone(),
        })
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let task = args.task()?;
    let n_games = task.games.len();
    let stop = interrupt::flag()?;
    let bar = ProgressBar::new(n_games as u64).with_style(ProgressStyle::with_template(
        "{wide_bar} {pos} of {len} games, {msg}, {eta} left",
    )?);
    let report = order(&task, &stop, |news| match news {
        OrderNews::Games { games, boards } => {
            bar.set_position(games as u64);
            bar.set_message(format!("{boards} boards"));
        }
        OrderNews::Steps(n) => bar.set_message(format!("{n} of {} steps", args.iterations)),
    });
    bar.finish_and_clear();
    let report = report?;
    if report.games < n_games {
        failure::complain(&format!(
            "interrupted after {} of {n_games} games; learned from those",
            report.games
        ));
    }
    let mut out = io::stdout().lock();
    print(&report, &mut out)?;
    Ok(out.flush()?)
}

fn print(report: &OrderReport, out: &mut impl Write) -> io::Result<()> {
    let OrderReport {
        taken,
        odd,
        learned,
        held_out,
        ..
    } = report;
    let boards: usize = learned.iter().map(|cost| cost.boards).sum();
    let moves: usize = learned.iter().map(|cost| cost.moves).sum();
    writeln!(
        out,
        "boards of {taken} games; learned from {boards} boards with {moves} moves\n\
         a square in an odd quadrant adds {odd:.1} where a reply adds 16"
    )?;
    writeln!(
        out,
        "{:>7} {:>8} {:>9} {:>8} {:>7} {:>10} {:>7}",
        "empties", "boards", "moves", "held out", "nodes", "by replies", "learned"
    )?;
    for (learned, held_out) in learned.iter().zip(held_out) {
        writeln!(
            out,
            "{:>7} {:>8} {:>9} {:>8} {}",
            learned.n_empties,
            learned.boards,
            learned.moves,
            held_out.boards,
            measured(held_out)
        )?;
    }
    writeln!(
        out,
        "nodes: until a move refutes, held out, against fewest replies first\n\
         by replies, learned: boards whose first move refutes"
    )
}

/// What was measured on boards that were held out, if there are any.
fn measured(cost: &OrderCost) -> String {
    if cost.boards == 0 {
        return format!("{:>7} {:>10} {:>7}", "-", "-", "-");
    }
    let percent = |part: usize| 100.0 * part as f64 / cost.boards as f64;
    let nodes = cost.learned.nodes as f64 / cost.by_replies.nodes.max(1) as f64;
    format!(
        "{nodes:>7.3} {:>8.1} % {:>5.1} %",
        percent(cost.by_replies.at_once),
        percent(cost.learned.at_once)
    )
}
