//! `kibitz train fit`: weights from positions with values.

use super::{
    ReadingArgs,
    report::{self, FitReport},
};
use app::training::{FitPlan, FitSettings, StageError, StagesSettings, fit};
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

impl Args {
    fn plan(&self) -> FitPlan {
        FitPlan {
            data: self.data.clone(),
            settings: StagesSettings {
                stage: FitSettings {
                    ridge: self.ridge,
                    max_iterations: self.iterations,
                },
                smoothing: self.smoothing,
                neighbour_weight: self.neighbour_weight,
                search_weight: self.search_weight,
                later_weight: self.later_weight,
            },
            with_held_out: self.all,
            out: self.out.clone(),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = args.plan();
    let mut out = io::stdout().lock();
    let mut broken = None;
    let mut has_head = false;
    let stages = args.reading.read(|reading| {
        fit(&plan, reading, |error| {
            let head = if has_head {
                Ok(())
            } else {
                print_head(&mut out)
            };
            has_head = true;
            if let Err(closed) = head.and_then(|()| print_stage(&mut out, error)) {
                broken = Some(closed);
            }
        })
    })?;
    let report = FitReport::new(plan.settings, &stages);
    report::write_beside(&args.out, args.report.as_deref(), &report, &report.figure())?;
    match broken {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

pub(super) fn print_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:>7} {:>9} {:>9} {:>9} {:>9}",
        "empties", "train", "error", "held out", "error"
    )
}

pub(super) fn print_stage(out: &mut impl Write, error: StageError) -> io::Result<()> {
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
