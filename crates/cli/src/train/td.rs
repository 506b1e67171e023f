//! `kibitz train td`: pattern weights from games against itself.

use super::{
    constants::{Config, Flags},
    report::{self, TdReport},
    threads_or_all,
};
use crate::{
    clock::{Stopwatch, stamp},
    failure, interrupt,
    usage::Usage,
};
use anyhow::{Context as _, bail};
use app::{
    Disk, output,
    training::{News, Outside, TdEnd, TdRun, TdSettings},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train td --dir run
  kibitz train td --dir run --resume --out td.weights
  kibitz train td --dir quick --limit depth:2 --games 20000 --epsilon 0:0.15,15000:0.05
  kibitz train td --dir run --config td.toml

DIR gets checkpoint_NNNNNN.bin, logs/training_YYYYMMDD_HHMMSS.log, report.json and report.svg.
Ctrl-C saves a checkpoint. --resume goes on from the newest one with its constants; a file of
--config changes those that it has (lambda = 0.3, limit = \"depth:2\", threads = 2), and flags
change both. Limits in plies or nodes give the same weights every time, on any number of threads,
interrupted or not.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folder of the training
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Go on with the training of the folder, if it has one
    #[arg(long)]
    resume: bool,
    /// Write the weights that `analyze --weights` reads
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Constants from a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Games at the same time; without it, one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// All memory, in megabytes; tables become smaller if need be [default: 600]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory_mb: Option<u32>,
    #[command(flatten)]
    constants: Flags<TdSettings>,
}

const MEMORY_MB: u32 = 600;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let config = args.config.as_deref().map(Config::read).transpose()?;
    let of_config = config.as_ref();
    let threads = threads_or_all(args.threads.or_else(|| of_config?.threads));
    let memory_mb = args.memory_mb.or_else(|| of_config?.memory_mb);
    let mut run = open(args, of_config)?;
    fs::create_dir_all(&args.dir)
        .with_context(|| format!("cannot create {}", args.dir.display()))?;
    let stop = interrupt::flag()?;
    let bar = bar(run.trainer().settings().games, run.trainer().games())?;
    let watch = Stopwatch::start();
    let mut outside = Outside {
        now_us: &|| watch.elapsed().as_micros() as u64,
        stop: &stop,
        observe: &mut |news| show(&bar, news),
    };
    let (end, measured) = run.run(
        threads,
        memory_mb.unwrap_or(MEMORY_MB) as usize,
        &stamp(),
        &mut outside,
    )?;
    bar.finish_and_clear();
    // The training's own share; packing the weights comes after it.
    let cpu_seconds = Usage::now().map(|usage| usage.cpu_seconds);
    if let Some(out) = &args.out {
        output::write(out, &run.trainer().learner().pattern().to_bytes()?)?;
    }
    let report = TdReport::new(&run, &end, &measured, cpu_seconds);
    let named = |name: &str| args.dir.join(name);
    report::write(
        &named("report.json"),
        &named("report.svg"),
        &report,
        &report.figure(),
    )?;
    let mut out = io::stdout().lock();
    for line in report.summary() {
        writeln!(out, "{line}")?;
    }
    match end {
        TdEnd::Finished => Ok(()),
        TdEnd::Interrupted => bail!(
            "interrupted after {} games; --resume goes on from there",
            run.trainer().games()
        ),
        TdEnd::Paused {
            failed,
            games,
            pattern,
        } => bail!(
            "paused after {} games: {failed} of the last {games} failed ({pattern}); --resume goes \
             on in spite of it",
            run.trainer().games()
        ),
    }
}

/// The training to go on with, or a new one.
fn open(args: &Args, config: Option<&Config>) -> anyhow::Result<TdRun> {
    if args.resume
        && let Some((mut run, problems)) = TdRun::resume(Disk::real(), &args.dir)?
    {
        for problem in problems {
            failure::complain(&format!("not used: {problem}"));
        }
        let settings = args
            .constants
            .over(run.trainer().settings().clone(), config)?;
        for change in run.set_settings(settings) {
            failure::complain(&format!("other than before: {change}"));
        }
        return Ok(run);
    }
    let settings = args.constants.over(TdSettings::default(), config)?;
    Ok(TdRun::start(Disk::real(), &args.dir, settings)?)
}

/// A bar on a terminal, nothing elsewhere.
pub(super) fn bar(games: u64, done: u64) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(
        "{wide_bar} {pos} of {len} games, {msg}{per_sec}, {eta} left",
    )?);
    bar.set_position(done);
    bar.reset_eta();
    Ok(bar)
}

/// Progress on the bar, warnings above it, or on the standard error where there is no bar.
pub(super) fn show(bar: &ProgressBar, news: News<'_>) {
    match news {
        News::Progress {
            games,
            error,
            win_rate,
        } => {
            let error = error.map_or_else(String::new, |error| format!("error {error:.3}, "));
            let rate = win_rate.map_or_else(String::new, |rate| {
                format!("{:.0} % against random, ", 100.0 * rate)
            });
            bar.set_message(error + &rate);
            bar.set_position(games);
        }
        News::Warning(text) => bar.suspend(|| failure::complain(text)),
    }
}
