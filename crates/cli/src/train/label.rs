//! `kibitz train label`: positions of games with values.

use super::{ReadingArgs, beside, write_file};
use crate::{evaluation::read_weights, failure, interrupt};
use anyhow::{Context as _, bail};
use app::{
    input::{SETTINGS_MAX, read_text_bounded},
    training::{Appender, LabelProgress, Plan, Source, label_games, wthor_games},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs::{self, File, OpenOptions},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train label wthor/ --empties 11-16 --exact 16 --out ends.data
  kibitz train label wthor/ --empties 24-56 --deviation 0 --from-later --out openings.data
  kibitz train label wthor/ --empties 17-23 --depth 10 --share 0.2 --out middle.data
  kibitz train label self.games --empties 4-56 --deviation 0 --recorded --exact 0 --out self.data

Positions are appended to the file. The same games, flags and seed give the same positions.
Interrupted, the same command goes on where it stopped: OUT.progress says where that was.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder of WTHOR games (WTH_YYYY.wtb), or a file of kibitz selfplay
    games: PathBuf,
    /// Where to append the valued positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which positions: from so many empty squares to so many
    #[arg(long, value_name = "FROM-TO", value_parser = super::empties_range)]
    empties: RangeInclusive<u32>,
    /// Share of positions that leave the game by a random move
    #[arg(long, value_name = "P", default_value_t = 0.5)]
    deviation: f64,
    /// Solve with at most so many empty squares
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Search the others to this depth; 0 leaves them out
    #[arg(long, value_name = "D", default_value_t = 0)]
    depth: u32,
    /// Give positions before the game's proven one that one's value
    #[arg(long)]
    from_later: bool,
    /// Take the values that self-play noted
    #[arg(long)]
    recorded: bool,
    /// Share of games to take
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    share: f64,
    /// Mark positions of games from this year on as held out
    #[arg(long, value_name = "YEAR", default_value_t = 2018)]
    hold_out_from: u32,
    /// Mark positions of every Nth self-play game as held out; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    hold_out_every: u64,
    /// Where chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Weights for searching, in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let sources = sources(args)?;
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    let plan = Plan {
        empties: args.empties.clone(),
        deviation: args.deviation,
        exact_empties: args.exact,
        depth: args.depth,
        share: args.share,
        from_later: args.from_later,
        recorded: args.recorded,
        seed: args.seed,
    };
    let stop = interrupt::flag()?;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&args.out)
        .with_context(|| format!("cannot open {}", args.out.display()))?;
    let held_out = if args.games.is_dir() {
        format!("from {}", args.hold_out_from)
    } else {
        format!("every {}", args.hold_out_every)
    };
    let plan_text = plan.describe(sources.len(), &held_out, weights.as_deref());
    let mut progress = Progress::open(&args.out, &file, plan_text)?;
    let first = progress.state.games;
    if first > 0 {
        failure::complain(&format!("going on after {first} games"));
    }
    let mut appender = Appender::new(file).with_context(|| args.out.display().to_string())?;
    progress.keep(0, appender.length()?)?;
    let bar = ProgressBar::new(sources.len() as u64).with_style(ProgressStyle::with_template(
        "{wide_bar} {pos} of {len} games, {msg} positions, {eta} left",
    )?);
    bar.set_position(first as u64);
    bar.reset_eta();
    let (mut n_positions, mut failed) = (0, None);
    label_games(
        &sources,
        first,
        &plan,
        weights.as_deref(),
        args.workers.into(),
        |batch, n_games| {
            n_positions += batch.len();
            let kept = appender
                .append(batch)
                .and_then(|()| appender.length())
                .with_context(|| format!("cannot write {}", args.out.display()))
                .and_then(|length| progress.keep(n_games, length));
            bar.set_position(n_games as u64);
            bar.set_message(n_positions.to_string());
            failed = kept.err();
            failed.is_none() && !stop.load(Ordering::Relaxed)
        },
    )?;
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    if progress.state.games < sources.len() {
        bail!(
            "interrupted after {} of {} games; the same command goes on from there",
            progress.state.games,
            sources.len()
        );
    }
    progress.finish()
}

/// How far a labelling has come, in a small file beside the data.
struct Progress {
    path: PathBuf,
    state: LabelProgress,
}

impl Progress {
    /// Begins, or goes on with what an earlier run of the same plan left: a batch that it did not
    /// finish is taken off the data.
    fn open(out: &Path, data: &File, plan: String) -> anyhow::Result<Self> {
        let path = beside(out, ".progress");
        if !path.exists() {
            let state = LabelProgress {
                plan,
                games: 0,
                bytes: 0,
            };
            return Ok(Self { path, state });
        }
        let shown = path.display();
        let text = read_text_bounded(&path, SETTINGS_MAX)?;
        let Some(state) = LabelProgress::from_text(&text) else {
            bail!("{shown} is not the progress of a labelling; remove it to append to the data");
        };
        if state.plan != plan {
            bail!(
                "{} has an unfinished labelling of other games, flags or weights ({}); finish that \
                 first, or remove {shown} to append to what there is",
                out.display(),
                state.plan
            );
        }
        let length = data.metadata()?.len();
        if length < state.bytes {
            bail!(
                "{} has {length} bytes and should have {}; remove {shown} to append to what there \
                 is",
                out.display(),
                state.bytes
            );
        }
        data.set_len(state.bytes)?;
        Ok(Self { path, state })
    }

    fn keep(&mut self, games: usize, bytes: u64) -> anyhow::Result<()> {
        self.state.games = self.state.games.max(games);
        self.state.bytes = bytes;
        write_file(&self.path, self.state.to_text().as_bytes())
    }

    fn finish(self) -> anyhow::Result<()> {
        fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

fn sources(args: &Args) -> anyhow::Result<Vec<Source>> {
    if args.games.is_dir() {
        return Ok(wthor_games(&args.games, args.hold_out_from)?);
    }
    let every = args.hold_out_every;
    let read = args
        .reading
        .read(|reading| reading.self_play_games(&args.games, every));
    Ok(read?)
}
