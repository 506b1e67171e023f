//! `kibitz train fit`: weights from valued positions.

use anyhow::Context as _;
use app::training::{FitSettings, Labelled, StageError, StagesSettings, fit_stages, read};
use std::{
    fs::{self, File},
    io::{self, BufReader, Write},
    path::PathBuf,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of valued positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pull towards the neighbouring stage, in positions
    #[arg(long, default_value_t = 12.0)]
    ridge: f32,
    /// Conjugate-gradient steps per stage
    #[arg(long, default_value_t = 20)]
    iterations: usize,
    /// What a neighbouring stage's position counts
    #[arg(long, default_value_t = 0.3)]
    neighbour_weight: f32,
    /// What a searched value counts
    #[arg(long, default_value_t = 0.6)]
    search_weight: f32,
    /// What a value from later in the game counts
    #[arg(long, default_value_t = 0.2)]
    later_weight: f32,
    /// Learn from the held-out positions, too: for weights to ship, not to measure
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut data: Vec<Labelled> = Vec::new();
    for path in &args.data {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        data.extend(read(BufReader::new(file)).with_context(|| path.display().to_string())?);
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
    let pattern = fit_stages(&data, settings, |error| {
        if let Err(closed) = print_stage(&mut out, error) {
            broken = Some(closed);
        }
    });
    let bytes = pattern.to_bytes()?;
    let temporary = args.out.with_extension("tmp");
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, &args.out))
        .with_context(|| format!("cannot write {}", args.out.display()))?;
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
