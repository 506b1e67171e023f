//! `kibitz train check`: how far static values are from those of valued positions.

use super::ReadingArgs;
use crate::evaluation::EvaluationArgs;
use app::{
    Analyst, EngineChoice,
    training::{Labelled, Origin},
};
use std::{
    collections::BTreeMap,
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

/// What was found for some positions.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    exact: u64,
    searched: u64,
    error: f64,
}

impl Tally {
    fn add(&mut self, labelled: &Labelled, value: i32) {
        match labelled.origin {
            Origin::Exact => self.exact += 1,
            Origin::Search(_) | Origin::Later => self.searched += 1,
        }
        self.error += f64::from((value - i32::from(labelled.value)).abs()) / 100.0;
    }

    fn mean(self) -> f64 {
        self.error / (self.exact + self.searched).max(1) as f64
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let evaluation = args.evaluation.load(&args.evaluation.configured()?)?;
    let analyst = Analyst::with_evaluation(&evaluation, EngineChoice::AlphaBeta, 1, 1)?;
    let mut stages: BTreeMap<u32, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for path in &args.data {
        let data = args.reading.read(|reading| reading.data(path))?;
        let counts = |l: &&Labelled| l.origin != Origin::Later && (l.held_out || !args.held_out);
        for labelled in data.iter().filter(counts) {
            let value = analyst.evaluate(labelled.board);
            let first = labelled.board.empties().len() / 2 * 2;
            stages.entry(first).or_default().add(labelled, value);
            all.add(labelled, value);
        }
    }
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(
            out,
            "{:>7} {:>9} {:>9} {:>9}",
            "empties", "exact", "searched", "error"
        )?;
    }
    for (first, tally) in stages {
        write_tally(
            &mut out,
            &format!("{first}-{}", first + 1),
            tally,
            args.json,
        )?;
    }
    write_tally(&mut out, "all", all, args.json)?;
    Ok(out.flush()?)
}

fn write_tally(out: &mut impl Write, empties: &str, tally: Tally, json: bool) -> io::Result<()> {
    let Tally {
        exact, searched, ..
    } = tally;
    let error = tally.mean();
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
