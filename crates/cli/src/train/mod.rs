//! `kibitz train`: from games to weights. One file per subcommand.

mod fit;
mod label;
mod probcut;
mod source;

use anyhow::Context as _;
use std::{fs, ops::RangeInclusive, path::Path};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Fit weights to valued positions
    Fit(fit::Args),
    /// Take positions from games and value them
    Label(label::Args),
    /// Measure how well shallow searches predict deep ones
    Probcut(probcut::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Fit(args) => fit::run(args),
        Command::Label(args) => label::run(args),
        Command::Probcut(args) => probcut::run(args),
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

/// The contents of a file.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
