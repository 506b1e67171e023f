//! `kibitz train check`: how far static values are from those of valued positions.

use super::ReadingArgs;
use crate::evaluation::EvaluationArgs;
use app::{
    Analyst, EngineChoice,
    training::{Checked, StaticError, check},
};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train check fresh.data
  kibitz train check fresh.data --weights my.weights --json

Values from later in a game are left out: they are no measure.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of valued positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Only positions that are held out of training
    #[arg(long)]
    held_out: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let evaluation = args.evaluation.load(&args.evaluation.configured()?)?;
    let analyst = Analyst::with_evaluation(&evaluation, EngineChoice::AlphaBeta, 1, 1)?;
    let Checked { stages, all } = args
        .reading
        .read(|reading| check(&analyst, &args.data, args.held_out, reading))?;
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(
            out,
            "{:>7} {:>9} {:>9} {:>9}",
            "empties", "exact", "searched", "error"
        )?;
    }
    for (first, error) in stages {
        let empties = format!("{first}-{}", first + 1);
        write_row(&mut out, &empties, error, args.json)?;
    }
    write_row(&mut out, "all", all, args.json)?;
    Ok(out.flush()?)
}

fn write_row(
    out: &mut impl Write,
    empties: &str,
    found: StaticError,
    json: bool,
) -> io::Result<()> {
    let StaticError {
        exact, searched, ..
    } = found;
    let error = found.mean();
    if json {
        let row = serde_json::json!({
            "empties": empties,
            "exact": exact,
            "searched": searched,
            "mean_absolute_error_discs": error,
        });
        writeln!(out, "{row}")
    } else {
        writeln!(out, "{empties:>7} {exact:>9} {searched:>9} {error:>9.3}")
    }
}
