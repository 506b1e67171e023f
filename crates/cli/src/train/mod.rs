//! `kibitz train`: from games to weights. One file per way of making them.

mod check;
mod constants;
mod fit;
mod hidden;
mod label;
mod linear;
mod order;
mod plot;
mod probcut;
mod report;
mod td;

use crate::failure;
use app::training::Reading;
use std::ops::RangeInclusive;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Take positions from games and value them
    Label(label::Args),
    /// Fit weights to valued positions
    Fit(fit::Args),
    /// Learn a hidden layer on top of fitted weights
    Hidden(hidden::Args),
    /// Measure the static error of weights on valued positions, by stage
    Check(check::Args),
    /// Measure how well shallow searches predict deep ones
    Probcut(probcut::Args),
    /// Learn which moves the solver tries first near the end
    Order(order::Args),
    /// Learn pattern weights from games against itself: TD(λ)-Leaf
    Td(td::Args),
    /// Learn the six weights of the classic evaluation from games against itself: TD(λ)
    Linear(linear::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Label(args) => label::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Hidden(args) => hidden::run(args),
        Command::Check(args) => check::run(args),
        Command::Probcut(args) => probcut::run(args),
        Command::Order(args) => order::run(args),
        Command::Td(args) => td::run(args),
        Command::Linear(args) => linear::run(args),
    }
}

fn empties_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parse = || {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Some(from.parse().ok()?..=to.parse().ok()?)
    };
    parse()
        .filter(|range| range.start() <= range.end() && *range.end() <= 60)
        .ok_or_else(|| "expected a range of empty squares up to 60, such as 11-16".to_owned())
}

/// From nothing to all of something; a share of 2 or -0.5 would be taken without a word otherwise.
fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a share from 0 to 1, such as 0.5".to_owned())
}

/// How the files of games and positions are read.
#[derive(Debug, Clone, Copy, clap::Args)]
struct ReadingArgs {
    /// Use what is whole of a file whose end is missing; without it, such a file is refused
    #[arg(long)]
    allow_cut: bool,
}

impl ReadingArgs {
    /// Reads with `read`; warnings go to the standard error.
    fn read<T>(self, read: impl FnOnce(&mut Reading<'_>) -> T) -> T {
        read(&mut Reading {
            allow_cut: self.allow_cut,
            warn: &mut failure::complain,
        })
    }
}

/// All cores, unless the user gave a number.
fn threads_or_all(given: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or_else(all, usize::from)
}
