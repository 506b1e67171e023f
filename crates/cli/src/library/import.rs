//! `kibitz import`: files of games into the database.

use super::DbFile;
use crate::{clock::Stopwatch, interrupt};
use anyhow::{bail, ensure};
use app::library::{ImportReport, Importing, Progress, import};
use serde_json::{Value, json};
use std::{
    io::{self, Write as _},
    path::PathBuf,
    sync::atomic::Ordering,
};

const EXAMPLES: &str = "\
Examples:
  kibitz import WTH_*.wtb
  kibitz import games.ggf --db games.db --json

WTHOR, GGF, OBF, transcripts and PGN are recognised, also as .zst, .gz, .bz2 and .zip. Names of WTHOR players and tournaments come from
WTH.JOU and WTH.TRN beside the games. Games that are there already are counted, not stored again.
An import that was stopped goes on where it was when it is started again; a file that was read to its
end and has not changed is not read again, unless games were deleted since, or with --again.";

/// Problems that are printed one by one.
const PRINTED_MAX: usize = 20;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files to read
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// Read files from their beginning although they were read before
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let watch = Stopwatch::start();
    let stop = interrupt::flag()?;
    let mut store = args.db.open_or_make()?;
    store.use_little_memory()?;
    let bar = indicatif::ProgressBar::new(1);
    if args.json {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    if let Ok(style) = indicatif::ProgressStyle::with_template(
        "{bar:30} {percent:>3} %  {msg}  {elapsed} gone, {eta} to go",
    ) {
        bar.set_style(style);
    }
    let tell = |progress: Progress<'_>| {
        let (games, name) = (progress.report.games, progress.path.display());
        bar.set_length(progress.total_bytes);
        bar.set_position(progress.read_bytes);
        bar.set_message(format!("{name}: {games} games"));
    };
    let outside = Importing {
        tell: &tell,
        is_stopped: &|| stop.load(Ordering::Relaxed),
        anew: args.again,
    };
    let report = import(&mut store, &args.files, outside)?;
    store.settle()?;
    bar.finish_and_clear();
    let seconds = watch.elapsed().as_secs_f64();
    if let Some(problem) = report.problems.first().filter(|_| report.files == 0) {
        bail!("{}: {problem}", problem.file.display());
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = json!({
            "files": report.files,
            "games": report.games,
            "stored": report.stored,
            "duplicates": report.duplicates,
            "problems": report.n_problems,
            "unread": report.unread,
            "problemList": problems_json(&report),
            "seconds": seconds,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report, seconds)?;
    }
    ensure!(
        !report.is_stopped,
        "stopped; the same command goes on where it was"
    );
    let unread = report.unread;
    ensure!(
        unread == 0,
        "{unread} files could not be read, or not to their end; the others were"
    );
    Ok(())
}

/// The problems of an import, as `--json` has them.
pub(super) fn problems_json(report: &ImportReport) -> Vec<Value> {
    let problems = report.problems.iter().map(|it| {
        json!({
            "file": it.file.display().to_string(),
            "record": it.place.map(|it| it.record),
            "line": it.place.and_then(|it| it.line),
            "column": it.place.and_then(|it| it.column),
            "message": it.message,
        })
    });
    problems.collect()
}

/// The first problems of an import, one a line.
pub(super) fn print_problems(out: &mut impl io::Write, report: &ImportReport) -> io::Result<()> {
    for problem in report.problems.iter().take(PRINTED_MAX) {
        writeln!(out, "{}: {problem}", problem.file.display())?;
    }
    let hidden = report.n_problems.saturating_sub(PRINTED_MAX as u64);
    if hidden > 0 {
        writeln!(out, "… and {hidden} more problems")?;
    }
    Ok(())
}

fn print(out: &mut impl io::Write, report: &ImportReport, seconds: f64) -> io::Result<()> {
    print_problems(out, report)?;
    let ImportReport {
        files,
        games,
        stored,
        duplicates,
        n_problems,
        ..
    } = report;
    writeln!(
        out,
        "{games} games in {files} files: {stored} stored, {duplicates} known already, \
         {n_problems} could not be read ({seconds:.1} s)"
    )
}
