//! `kibitz train linear`: the six weights of the classic evaluation from games against itself.

use super::{
    constants::{Config, Flags},
    report::{self, LinearReport},
    td::{bar, show},
    threads_or_all,
};
use crate::{clock::Stopwatch, failure, interrupt};
use anyhow::{Context as _, bail};
use app::{
    Disk,
    input::{WEIGHTS_MAX, read_text_bounded},
    training::{LinearRun, LinearSettings, Outside},
};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train linear --out classic.json
  kibitz train linear --out classic.json --resume --games 5000
  kibitz train linear --out other.json --from classic.json --alpha 0.001 --seed 2
  kibitz analyze --moves f5 --evaluator classic --weights classic.json

Beside OUT come OUT.state, which --resume goes on from, and NAME.report.json and NAME.report.svg.
Ctrl-C keeps what was learned. Limits in plies or nodes give the same weights every time.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Where to write the weights (JSON)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the training that OUT is from, if there is one
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of a file in place of the documented ones
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,
    /// Constants from a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Games at the same time; without it, one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Folder for the report; without it, that of the weights
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    constants: Flags<LinearSettings>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let config = args.config.as_deref().map(Config::read).transpose()?;
    let threads = threads_or_all(args.threads.or_else(|| config.as_ref()?.threads));
    let mut run = open(args, config.as_ref())?;
    let stop = interrupt::flag()?;
    let bar = bar(run.linear().settings().games, run.linear().games())?;
    let watch = Stopwatch::start();
    let mut outside = Outside {
        now_us: &|| watch.elapsed().as_micros() as u64,
        stop: &stop,
        observe: &mut |news| show(&bar, news),
    };
    let finished = run.run(threads, &mut outside)?;
    bar.finish_and_clear();
    let report = LinearReport::new(&run, finished, watch.elapsed().as_secs_f64());
    report::write_beside(&args.out, args.report.as_deref(), &report, &report.figure())?;
    let mut out = io::stdout().lock();
    for (name, weight) in run.weights() {
        writeln!(out, "{name:<17} {weight:>10.3}")?;
    }
    if !finished {
        bail!(
            "interrupted after {} games; --resume goes on from there",
            run.linear().games()
        );
    }
    Ok(())
}

fn open(args: &Args, config: Option<&Config>) -> anyhow::Result<LinearRun> {
    if args.resume
        && let Some(mut run) = LinearRun::resume(Disk::real(), &args.out)?
    {
        let settings = args
            .constants
            .over(run.linear().settings().clone(), config)?;
        for change in run.set_settings(settings) {
            failure::complain(&format!("other than before: {change}"));
        }
        return Ok(run);
    }
    let settings = args.constants.over(LinearSettings::default(), config)?;
    let Some(path) = &args.from else {
        return Ok(LinearRun::start(Disk::real(), &args.out, settings, None)?);
    };
    let text = read_text_bounded(path, WEIGHTS_MAX)?;
    LinearRun::start(Disk::real(), &args.out, settings, Some(&text))
        .with_context(|| format!("cannot use {}", path.display()))
}
