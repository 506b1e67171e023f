//! `kibitz levels`: who there is to play against, and what each is worth.

use crate::{clock::Stopwatch, evaluation::EvaluationArgs, failure, interrupt};
use anyhow::Context as _;
use app::{
    Kind, Profile,
    input::{SETTINGS_MAX, read_text_bounded},
    ladder::{self, Ladder, Plan, Results, Row, Worth},
    level_description, level_title,
    matches::End,
    output,
};
use std::{
    io::{self, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

const EXAMPLES: &str = "\
Examples:
  kibitz levels
  kibitz levels --json
  kibitz levels --measure results.tsv                    plays all of it, hours of one core
  kibitz levels --measure results.tsv --only first_day,collector,random,greedy

`play`, `gtp`, `nboard` and `match` take any of the names.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Let the levels play each other and write the results here; results that the file has are
    /// kept, and ratings follow from all of them
    #[arg(long, value_name = "FILE")]
    measure: Option<PathBuf>,
    /// Measure only matches between these levels
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "measure")]
    only: Vec<Profile>,
    /// Pairs of games, colours swapped, between any two levels
    #[arg(long, value_name = "N", default_value_t = 100, requires = "measure", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "measure", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Chance of the openings and of the levels
    #[arg(long, value_name = "N", default_value_t = 1, requires = "measure")]
    seed: u64,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match &args.measure {
        None => print(args, ladder::shipped(), &mut out)?,
        Some(path) => {
            let results = measure(args, path)?;
            let ladder = Ladder::of(&results)
                .with_context(|| format!("{} gives no ratings", path.display()))?;
            print(args, &ladder, &mut out)?;
        }
    }
    Ok(out.flush()?)
}

/// Plays what is missing in the file and writes it down after each match.
fn measure(args: &Args, path: &Path) -> anyhow::Result<Results> {
    let mut results = read(path)?;
    let is_asked = |pair: &[Profile; 2]| {
        args.only.is_empty() || pair.iter().all(|level| args.only.contains(level))
    };
    let mut pairings = ladder::pairings();
    pairings.retain(|pair| is_asked(pair) && results.row(*pair).is_none());
    let configured = args.evaluation.configured()?;
    let plan = Plan {
        evaluation: args.evaluation.load(&configured)?,
        pairs: args.pairs as usize,
        workers: args.workers.into(),
        seed: args.seed,
    };
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let (n_pairings, mut n_done) = (pairings.len(), 0);
    let shows = io::stderr().is_terminal();
    let mut problem = None;
    let end = ladder::measure(&plan, &pairings, &now_ms, &stop, |row| {
        n_done += 1;
        results.0.push(*row);
        if let Err(error) = write(path, args, &results) {
            problem = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
        if shows {
            let seconds = watch.elapsed().as_secs_f64();
            let left = seconds / f64::from(n_done) * (n_pairings as f64 - f64::from(n_done));
            let line = progress(row);
            // Progress that cannot be shown is no loss.
            writeln!(
                io::stderr(),
                "{n_done} of {n_pairings}: {line}, {left:.0} s left"
            )
            .ok();
        }
    })?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    if end == End::Stopped {
        failure::complain("interrupted; the file has what was finished");
    }
    Ok(results)
}

fn progress(row: &Row) -> String {
    let [a, b] = row.levels.map(|level| level.name);
    let games = row.games;
    format!(
        "{a} against {b} won {}, drew {}, lost {}",
        games.wins, games.draws, games.losses
    )
}

/// The results of a file; none if there is no such file yet.
fn read(path: &Path) -> anyhow::Result<Results> {
    let shown = path.display();
    if !path
        .try_exists()
        .with_context(|| format!("cannot read {shown}"))?
    {
        return Ok(Results::default());
    }
    let text = read_text_bounded(path, SETTINGS_MAX)?;
    text.parse().with_context(|| shown.to_string())
}

fn write(path: &Path, args: &Args, results: &Results) -> anyhow::Result<()> {
    let text = format!(
        "# Games between levels: wins, draws and losses of the first. Made by\n\
         # kibitz levels --measure FILE --pairs {} --seed {}\n{results}",
        args.pairs, args.seed
    );
    output::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Every level with what it is worth, weakest first; levels that were not measured come last.
fn listed(ladder: &Ladder) -> Vec<(Profile, Option<Worth>)> {
    let mut levels: Vec<(Profile, Option<Worth>)> = ladder
        .levels()
        .iter()
        .map(|&(profile, worth)| (profile, Some(worth)))
        .collect();
    let others = Profile::all().filter(|level| ladder.worth(level).is_none());
    levels.extend(others.map(|level| (level, None)));
    levels
}

fn print(args: &Args, ladder: &Ladder, out: &mut impl Write) -> anyhow::Result<()> {
    let levels = listed(ladder);
    if args.json {
        let levels: Vec<Json> = levels
            .iter()
            .map(|(level, worth)| json(level, *worth))
            .collect();
        let object = serde_json::json!({ "levels": levels });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{:<13} {:>6}  {:>5}  {:>5}  what makes it weak",
        "level", "rating", "±", "games"
    )?;
    for (level, worth) in levels {
        let (rating, error, games) = worth.map_or_else(
            || ("-".to_owned(), "-".to_owned(), 0),
            |worth| {
                let error = worth.error().to_string();
                (worth.rating.to_string(), error, worth.games)
            },
        );
        writeln!(
            out,
            "{:<13} {rating:>6}  {error:>5}  {games:>5}  {}",
            level.name,
            level_description(&level)
        )?;
    }
    Ok(())
}

/// A level as `--json` prints it.
#[derive(Debug, serde::Serialize)]
struct Json {
    name: &'static str,
    title: String,
    kind: &'static str,
    rating: Option<i32>,
    low: Option<i32>,
    high: Option<i32>,
    games: u64,
    weakness: String,
}

fn json(level: &Profile, worth: Option<Worth>) -> Json {
    Json {
        name: level.name,
        title: level_title(level),
        kind: match level.kind {
            Kind::Opponent => "opponent",
            Kind::Fixed => "fixed",
            Kind::Bot => "bot",
        },
        rating: worth.map(|worth| worth.rating),
        low: worth.map(|worth| worth.low),
        high: worth.map(|worth| worth.high),
        games: worth.map_or(0, |worth| worth.games),
        weakness: level_description(level),
    }
}
