//! `kibitz train`: from games to weights.

use crate::clock::Stopwatch;
use anyhow::{Context as _, bail};
use app::training::{
    Appender, FitSettings, Labelled, Plan, Source, StageError, StagesSettings, fit_stages,
    label_games, read,
};
use othello::notation::read_wthor;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Write},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Take positions from WTHOR games and value them
    Label(LabelArgs),
    /// Fit weights to valued positions
    Fit(FitArgs),
}

const LABEL_EXAMPLES: &str = "\
Examples:
  kibitz train label wthor/ --empties 11-16 --exact 16 --out ends.data
  kibitz train label wthor/ --empties 24-56 --deviation 0 --from-later --out openings.data
  kibitz train label wthor/ --empties 17-23 --depth 10 --share 0.2 --out middle.data

Positions are appended to the file. The same games, flags and seed give the same positions.";

#[derive(Debug, clap::Args)]
#[command(after_help = LABEL_EXAMPLES)]
struct LabelArgs {
    /// A folder of WTHOR games (WTH_YYYY.wtb)
    games: PathBuf,
    /// Where to append the valued positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which positions: from so many empty squares to so many
    #[arg(long, value_name = "FROM-TO", value_parser = empties_range)]
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
    /// Share of games to take
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    share: f64,
    /// Mark positions of games from this year on as held out
    #[arg(long, value_name = "YEAR", default_value_t = 2018)]
    hold_out_from: u32,
    /// Where chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Weights for searching, in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct FitArgs {
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

fn empties_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parse = || {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Some(from.parse().ok()?..=to.parse().ok()?)
    };
    parse()
        .filter(|range| range.start() <= range.end() && *range.end() <= 60)
        .ok_or_else(|| "expected a range of empty squares up to 60, such as 11-16".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Label(args) => run_label(args),
        Command::Fit(args) => run_fit(args),
    }
}

fn run_label(args: &LabelArgs) -> anyhow::Result<()> {
    let sources = wthor_games(&args.games, args.hold_out_from)?;
    let weights = args.weights.as_deref().map(read_file).transpose()?;
    let plan = Plan {
        empties: args.empties.clone(),
        deviation: args.deviation,
        exact_empties: args.exact,
        depth: args.depth,
        share: args.share,
        from_later: args.from_later,
        seed: args.seed,
    };
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&args.out)
        .with_context(|| format!("cannot open {}", args.out.display()))?;
    let mut appender = Appender::new(file).with_context(|| args.out.display().to_string())?;
    let watch = Stopwatch::start();
    let (mut n_positions, mut failure) = (0, None);
    label_games(
        &sources,
        &plan,
        weights.as_deref(),
        args.workers.into(),
        |batch, n_games| {
            n_positions += batch.len();
            if let Err(error) = appender.append(batch) {
                failure = Some(error);
                return false;
            }
            let seconds = watch.elapsed().as_secs_f64();
            let left = seconds * (sources.len() - n_games) as f64 / n_games as f64;
            // Progress that nobody reads is no loss.
            write!(
                io::stderr(),
                "\r\x1b[K{n_games} of {} games, {n_positions} positions, {left:.0} s left",
                sources.len()
            )
            .ok();
            true
        },
    )?;
    writeln!(io::stderr()).ok();
    match failure {
        Some(error) => Err(error).with_context(|| format!("cannot write {}", args.out.display())),
        None => Ok(()),
    }
}

fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// All games of a folder, by file name, each with the value that its file proves.
fn wthor_games(folder: &Path, hold_out_from: u32) -> anyhow::Result<Vec<Source>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("wtb"))
        })
        .collect();
    paths.sort();
    if paths.is_empty() {
        bail!("no WTHOR games (*.wtb) in {}", folder.display());
    }
    let mut sources = Vec::new();
    for path in paths {
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let reader =
            read_wthor(BufReader::new(file)).with_context(|| path.display().to_string())?;
        let header = reader.header();
        for game in reader {
            let game = game.with_context(|| path.display().to_string())?;
            sources.push(Source {
                game: game.game().with_context(|| path.display().to_string())?,
                proven: (header.depth > 0).then(|| {
                    let black = 2 * i32::from(game.theoretical_score) - 64;
                    (u32::from(header.depth), black as i8)
                }),
                held_out: u32::from(header.year) >= hold_out_from,
            });
        }
    }
    Ok(sources)
}

fn run_fit(args: &FitArgs) -> anyhow::Result<()> {
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
