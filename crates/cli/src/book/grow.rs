//! `kibitz book grow`: a book of our own, by searching.

use crate::{clock::Stopwatch, evaluation::EvaluationArgs, failure, interrupt};
use app::{
    Disk,
    book::{Ended, GrownBook, Progress, Recipe, Wish},
};
use game::Score;
use indicatif::{ProgressBar, ProgressStyle};
use othello::Position;
use std::{io::Write, path::PathBuf};

const EXAMPLES: &str = "\
Examples:
  kibitz book grow own.book --positions 2500
  kibitz book grow own.book --minutes 60 --workers 2
  kibitz book export own.book --all > own.json

The file is written every few seconds. Ctrl-C ends the command with all that was searched, and the
same command goes on where it stopped. How many workers there are and where it was stopped makes no
difference to the file.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The grown book; begun if there is none, otherwise continued
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many positions the book is to have [default: as many as come until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = positions)]
    positions: Option<usize>,
    /// How deep each new position is searched [default: as before, at first 14]
    #[arg(long, value_name = "D", value_parser = up_to_60())]
    depth: Option<u32>,
    /// How many moves from the start at most [default: as before, at first 30]
    #[arg(long, value_name = "N", value_parser = up_to_60())]
    plies: Option<u32>,
    /// How long to go on at most
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    minutes: Option<u32>,
    /// Positions searched at the same time
    #[arg(long, value_name = "W", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

fn up_to_60() -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::from(Recipe::MOST))
}

/// Reads how many positions a book may have.
fn positions(text: &str) -> Result<usize, String> {
    let most = Wish::MOST_POSITIONS;
    let number = text.parse().ok().filter(|n| (1..=most).contains(n));
    number.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut book = GrownBook::open(Disk::real(), &args.file)?;
    let evaluation = args.evaluation.load(&args.evaluation.configured()?)?;
    let (n_before, before) = (book.tree().len(), book.tree().source().to_owned());
    let minutes = args.minutes.map(u64::from);
    let wish = Wish {
        positions: args.positions,
        depth: args.depth,
        plies: args.plies,
        until_ms: minutes.map(|it| it * 60_000),
        workers: args.workers.into(),
    };
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let bar = progress_bar(args.positions);
    let ended = book.grow(&evaluation, &wish, &now_ms, &stop, |progress| {
        show(&bar, progress);
    });
    bar.finish_and_clear();
    let ended = ended?;
    let tree = book.tree();
    if n_before > 0 && n_before < tree.len() && before != tree.source() {
        let now = tree.source();
        failure::complain(&format!(
            "the book was begun by {before} and continued by {now}: values of both stand side by side"
        ));
    }
    let why = match ended {
        Ended::Enough => "",
        Ended::OutOfTime => "; the time is over",
        Ended::Stopped => "; stopped, the same command goes on",
        Ended::Complete => "; it is complete, more --plies let it grow on",
    };
    let start = tree.entry(&tree.values(), Position::START);
    let value = start.map_or_else(String::new, |it| {
        let value = Score::centi(it.value);
        format!(", the start is worth {value} to Black")
    });
    writeln!(
        out,
        "{}: {} positions, {} of them new{value}{why}",
        args.file.display(),
        tree.len(),
        tree.len() - n_before
    )?;
    Ok(())
}

/// How far it is where somebody looks on.
fn progress_bar(positions: Option<usize>) -> ProgressBar {
    let (bar, template) = match positions {
        Some(n) => (
            ProgressBar::new(n as u64),
            "{pos} of {len} positions {bar:30} {eta} to go, the start is worth {msg}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} positions in {elapsed}, the start is worth {msg}",
        ),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(bar: &ProgressBar, progress: Progress) {
    let value = progress.value.map(|it| it.to_string());
    bar.set_message(value.unwrap_or_else(|| "?".to_owned()));
    if bar.position() == 0 {
        // What was there before took no time of this run.
        bar.set_position(progress.positions as u64);
        bar.reset_eta();
    }
    bar.set_position(progress.positions as u64);
}
