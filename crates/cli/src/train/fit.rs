//! `kibitz train fit`: weights from positions with values.

use super::{
    ReadingArgs,
    report::{self, FitReport},
    write_file,
};
use app::training::{FitSettings, Labelled, StageError, StagesSettings, fit_stages};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train fit ends.data middle.data --out my.weights
  kibitz train fit *.data --report reports --out my.weights

Beside the weights, or in the folder of --report, come NAME.report.json and NAME.report.svg: the
errors by stage. An interrupted fit leaves earlier files as they are.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of valued positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pull towards the neighbouring stage, in positions
    #[arg(long, default_value_t = StagesSettings::default().stage.ridge)]
    ridge: f32,
    /// Conjugate-gradient steps per stage and sweep
    #[arg(long, default_value_t = StagesSettings::default().stage.max_iterations)]
    iterations: usize,
    /// Pull towards the mean of both neighbouring stages in a second sweep, in positions (0: none)
    #[arg(long, default_value_t = StagesSettings::default().smoothing)]
    smoothing: f32,
    /// What a neighbouring stage's position counts
    #[arg(long, default_value_t = StagesSettings::default().neighbour_weight)]
    neighbour_weight: f32,
    /// What a searched value counts
    #[arg(long, default_value_t = StagesSettings::default().search_weight)]
    search_weight: f32,
    /// What a value from later in the game counts
    #[arg(long, default_value_t = StagesSettings::default().later_weight)]
    later_weight: f32,
    /// Folder for the report; without it, that of the weights
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Learn from the held-out positions, too: for weights to ship, not to measure
    #[arg(long)]
    all: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut data: Vec<Labelled> = Vec::new();
    for path in &args.data {
        data.extend(args.reading.read(|reading| reading.data(path))?);
    }
    if args.all {
        for labelled in &mut data {
            labelled.held_out = false;
        }
    }
    let settings = StagesSettings {
        stage: FitSettings {
            ridge: args.ridge,
            max_iterations: args.iterations,
        },
        smoothing: args.smoothing,
        neighbour_weight: args.neighbour_weight,
        search_weight: args.search_weight,
        later_weight: args.later_weight,
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:>7} {:>9} {:>9} {:>9} {:>9}",
        "empties", "train", "error", "held out", "error"
    )?;
    let mut broken = None;
    let mut stages = Vec::new();
    let pattern = fit_stages(&data, settings, |error| {
        stages.push(error);
        if let Err(closed) = print_stage(&mut out, error) {
            broken = Some(closed);
        }
    });
    write_file(&args.out, &pattern.to_bytes()?)?;
    let report = FitReport::new(settings, &stages);
    report::write_beside(&args.out, args.report.as_deref(), &report, &report.figure())?;
    match broken {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

fn print_stage(out: &mut impl Write, error: StageError) -> io::Result<()> {
    let first = 2 * error.stage;
    let held_out = if error.n_held_out > 0 {
        format!("{:.3}", error.held_out)
    } else {
        "-".to_owned()
    };
    writeln!(
        out,
        "{:>4}-{:<2} {:>9} {:>9.3} {:>9} {held_out:>9}",
        first,
        first + 1,
        error.n_train,
        error.train,
        error.n_held_out
    )?;
    out.flush()
}
