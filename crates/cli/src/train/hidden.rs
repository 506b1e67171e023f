//! `kibitz train hidden`: a hidden layer on top of fitted weights.

use super::{
    ReadingArgs,
    fit::{print_head, print_stage},
};
use crate::evaluation::read_weights;
use app::training::{EpochError, HiddenPlan, HiddenSettings, hidden};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train hidden *.data --base fitted.weights --out my.weights
  kibitz train hidden *.data --epochs 8 --rate 0.05 --out my.weights
  kibitz train hidden new.data --go-on --rate 0.03 --out my.weights

The layer learns what the fitted weights leave over; a layer that they have already is replaced, or
with --go-on learned further.
The same data, weights and flags give the same layer, with any number of threads.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of valued positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The weights that the layer is put on, in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Where to write the weights and the layer
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often all positions are gone through
    #[arg(long, default_value_t = HiddenSettings::default().epochs)]
    epochs: usize,
    /// Length of the first steps
    #[arg(long, default_value_t = HiddenSettings::default().rate)]
    rate: f32,
    /// Pull towards no layer at all
    #[arg(long, default_value_t = HiddenSettings::default().decay)]
    decay: f32,
    /// How slowly rare configurations move
    #[arg(long, default_value_t = HiddenSettings::default().caution)]
    caution: f32,
    /// What a searched value counts
    #[arg(long, default_value_t = HiddenSettings::default().search_weight)]
    search_weight: f32,
    /// Go on from the layer that the weights have, in place of a new one
    #[arg(long)]
    go_on: bool,
    /// Where chance comes from
    #[arg(long, default_value_t = HiddenSettings::default().seed)]
    seed: u64,
}

impl Args {
    fn plan(&self) -> anyhow::Result<HiddenPlan> {
        Ok(HiddenPlan {
            data: self.data.clone(),
            settings: HiddenSettings {
                epochs: self.epochs,
                rate: self.rate,
                decay: self.decay,
                caution: self.caution,
                search_weight: self.search_weight,
                go_on: self.go_on,
                seed: self.seed,
            },
            base: self.base.as_deref().map(read_weights).transpose()?,
            out: self.out.clone(),
        })
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = args.plan()?;
    let stages = args
        .reading
        .read(|reading| hidden(&plan, reading, &print_epoch))?;
    let mut out = io::stdout().lock();
    print_head(&mut out)?;
    for stage in stages {
        print_stage(&mut out, stage)?;
    }
    Ok(())
}

/// Tells how a pass went. A closed terminal does not end hours of learning.
fn print_epoch(error: EpochError) {
    let (first, last) = error.stages;
    let _closed = writeln!(
        io::stderr(),
        "empties {}-{}, pass {}: error {:.3} of {}, held out {:.3} of {}",
        2 * first,
        2 * last + 1,
        error.epoch,
        error.train,
        error.n_train,
        error.held_out,
        error.n_held_out
    );
}
