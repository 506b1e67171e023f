//! What `solve` and `analyze` share: positions from files and flags, an analyst, rows of output.

use crate::{clock::Stopwatch, configured::Configured, evaluation::EvaluationArgs, position};
use anyhow::{Context as _, bail};
use app::{Analyst, Control, EngineChoice, Limits, explain::waited_for_threads};
use game::{Bound, Reach, Report, Score, Statistics};
use othello::{Move, Position, notation::ObfLine};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// Where positions come from.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// An OBF file, or - for the standard input
    #[arg(value_name = "FILE.obf")]
    file: Option<PathBuf>,
    /// One position: 64 squares and the side to move
    #[arg(long, value_name = "P", conflicts_with = "file")]
    position: Option<String>,
    /// One position: the moves that lead to it
    #[arg(long, value_name = "M", conflicts_with_all = ["file", "position"])]
    moves: Option<String>,
}

/// How hard to think.
#[derive(Debug, clap::Args)]
pub(crate) struct Power {
    /// Search threads; without it, what the configuration says, else one, which gives the same
    /// nodes every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of the transposition table in megabytes; without it, what the configuration says
    /// (tt_mb), else 128; explain and review take no more than they need
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash_mb: Option<u32>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

impl Power {
    /// The home folder that was asked for.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.evaluation.home()
    }

    /// The configuration, for what flags leave open.
    pub(crate) fn configured(&self) -> anyhow::Result<Configured> {
        self.evaluation.configured()
    }

    /// Threads for solving what the user waits for: as asked for, else those that there are.
    pub(crate) fn solving_threads(&self) -> usize {
        self.threads.map_or_else(waited_for_threads, usize::from)
    }

    /// An analyst with this power.
    pub(crate) fn analyst(
        &self,
        configured: &Configured,
        engine: EngineChoice,
    ) -> anyhow::Result<Analyst> {
        self.analyst_with(configured, engine, configured.config.engine.tt_mb)
    }

    /// The same for work that needs no more than so many megabytes of table.
    pub(crate) fn analyst_with(
        &self,
        configured: &Configured,
        engine: EngineChoice,
        enough_mb: u32,
    ) -> anyhow::Result<Analyst> {
        let usual = configured.config.engine;
        let hash_mb = self.hash_mb.unwrap_or(usual.tt_mb.min(enough_mb)) as usize;
        let threads = self
            .threads
            .map_or(usual.threads.max(1) as usize, usize::from);
        let evaluation = self.evaluation.load(configured)?;
        let mut analyst = Analyst::with_evaluation(&evaluation, engine, hash_mb, threads)?;
        analyst.tune(usual.tuning());
        Ok(analyst)
    }
}

/// A position and what its file says of it.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) position: Position,
    /// The best score in the file.
    pub(crate) expected: Option<Score>,
}

impl Source {
    /// The text of `--position` and of `--moves`, for whoever reads them in another way.
    pub(crate) fn texts(&self) -> (Option<&str>, Option<&str>) {
        (self.position.as_deref(), self.moves.as_deref())
    }

    /// Calls `each` with one position after another. A line that is not a position ends it with
    /// an error that names the place.
    pub(crate) fn for_each(
        &self,
        mut each: impl FnMut(Task) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if let Some(text) = self.position.as_deref().or(self.moves.as_deref()) {
            let position = position::parse(text)?.position();
            return each(Task {
                position,
                expected: None,
            });
        }
        let Some(path) = &self.file else {
            bail!("nothing to do: name an OBF file, --position or --moves");
        };
        let reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Box::new(BufReader::new(file))
        };
        for line in othello::notation::read_obf(reader) {
            let line = line.with_context(|| path.display().to_string())?;
            if let ObfLine::Entry(entry) = line {
                let best = entry
                    .moves
                    .iter()
                    .filter(|scored| scored.action != Move::Pass || entry.moves.len() == 1)
                    .filter_map(|scored| Some(Score::centi(scored.score.as_ref()?.centidiscs())))
                    .max();
                each(Task {
                    position: entry.position,
                    expected: best,
                })?;
            }
        }
        Ok(())
    }
}

/// A finished row, as data.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Row {
    pub(crate) index: usize,
    pub(crate) position: String,
    pub(crate) empties: u32,
    /// For the side to move, in centidiscs.
    pub(crate) score: i32,
    pub(crate) bound: &'static str,
    pub(crate) best: Option<String>,
    pub(crate) pv: Vec<String>,
    pub(crate) depth: u32,
    /// How likely each pruning by prediction was right, in percent; `null` without a search.
    pub(crate) selectivity: Option<f32>,
    pub(crate) solved: bool,
    /// `solved`, or `depth 14`.
    #[serde(skip)]
    pub(crate) reach: Reach,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    pub(crate) expected: Option<i32>,
    pub(crate) ok: Option<bool>,
    /// Nothing if nothing was searched.
    pub(crate) statistics: Option<Counted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<RowLine>,
}

/// What the search counted besides its nodes.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Counted {
    cutoffs: Option<u64>,
    bounds_used: Option<u64>,
    probes: u64,
    hits: u64,
    stores: u64,
    replacements: u64,
    fill_permille: u16,
}

impl From<Statistics> for Counted {
    fn from(statistics: Statistics) -> Self {
        Self {
            cutoffs: statistics.cutoffs,
            bounds_used: statistics.bounds_used,
            probes: statistics.probes,
            hits: statistics.hits,
            stores: statistics.stores,
            replacements: statistics.replacements,
            fill_permille: statistics.fill_permille,
        }
    }
}

/// One line of several.
#[derive(Debug, serde::Serialize)]
pub(crate) struct RowLine {
    pub(crate) r#move: Option<String>,
    pub(crate) score: i32,
    pub(crate) bound: &'static str,
    pub(crate) pv: Vec<String>,
}

/// Sums over all rows.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Totals {
    pub(crate) positions: usize,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    pub(crate) nodes_per_second: u64,
    /// Positions whose score differs from the file's.
    pub(crate) wrong: usize,
}

impl Totals {
    pub(crate) fn add(&mut self, row: &Row) {
        self.positions += 1;
        self.nodes += row.nodes;
        self.seconds += row.seconds;
        self.wrong += usize::from(row.ok == Some(false));
        self.nodes_per_second = (self.nodes as f64 / self.seconds.max(1e-9)) as u64;
    }
}

/// Searches one position and tells a terminal how it goes.
pub(crate) fn search(analyst: &mut Analyst, position: Position, limits: &Limits) -> (Report, f64) {
    let watch = Stopwatch::start();
    let stop = AtomicBool::new(false);
    let show = io::stderr().is_terminal();
    let mut observe = |report: &Report| {
        if show && watch.elapsed().as_millis() > 200 {
            // Progress that cannot be shown is no loss.
            write!(io::stderr(), "\r\x1b[K{}", progress(report)).ok();
        }
    };
    let report = analyst.search(
        position,
        limits,
        Control {
            now_ms: &|| watch.elapsed().as_millis() as u64,
            stop: &stop,
            observe: &mut observe,
        },
    );
    if show {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    (report, watch.elapsed().as_secs_f64())
}

fn progress(report: &Report) -> String {
    format!(
        "{}{}: {} {} ({} M nodes)",
        report.reach(),
        certainty(percent(report)),
        report.score,
        report.best().map_or_else(String::new, |m| m.to_string()),
        report.nodes / 1_000_000
    )
}

/// How likely each pruning by prediction was right.
fn percent(report: &Report) -> Option<f32> {
    let permille = report.certainty_permille?;
    Some(f32::from(permille) / 10.0)
}

/// ` at 87 %` behind a depth; nothing where the report does not say so.
pub(crate) fn certainty(percent: Option<f32>) -> String {
    percent.map_or_else(String::new, |percent| format!(" at {percent} %"))
}

fn names(moves: &[game::Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

const fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

impl Row {
    /// The row of a finished search.
    pub(crate) fn new(
        index: usize,
        task: &Task,
        report: &Report,
        seconds: f64,
        with_lines: bool,
    ) -> Self {
        // A proven win, draw or loss is right if it agrees with the expected score's sign.
        let ok = task
            .expected
            .filter(|_| report.solved)
            .map(|expected| match report.bound {
                Bound::Exact => report.score == expected,
                Bound::Lower => expected >= report.score,
                Bound::Upper => expected <= report.score,
            });
        let lines = report
            .lines
            .iter()
            .filter(|_| with_lines)
            .map(|line| RowLine {
                r#move: line.moves.first().map(ToString::to_string),
                score: line.score.hundredths(),
                bound: bound_name(line.bound),
                pv: names(&line.moves),
            })
            .collect();
        Self {
            index,
            position: task.position.to_string(),
            empties: task.position.board.empties().len(),
            score: report.score.hundredths(),
            bound: bound_name(report.bound),
            best: report.best().map(|m| m.to_string()),
            pv: report
                .lines
                .first()
                .map_or_else(Vec::new, |line| names(&line.moves)),
            depth: report.depth,
            selectivity: percent(report),
            solved: report.solved,
            reach: report.reach(),
            nodes: report.nodes,
            seconds: (seconds * 1e6).round() / 1e6,
            expected: task.expected.map(Score::hundredths),
            ok,
            statistics: report.statistics.map(Counted::from),
            lines,
        }
    }
}
