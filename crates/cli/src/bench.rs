//! `kibitz bench`: the nodes of a fixed set of searches, and how fast they went.

use crate::clock::Stopwatch;
use app::{
    LateMoves, Limits,
    bench::{Bench, CASES, Case, FINGERPRINT},
};
use othello::tier::Tier;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz bench
  kibitz bench --json
  kibitz bench --threads 4        for its speed; the count is the same each time on one thread only
  kibitz bench --depth 14 --lmr aggressive --aspiration-cp 200
                                  the same positions with another search, for comparing
  kibitz bench --depth 6 --no-table
                                  what the transposition table is worth
  KIBITZ_KERNELS=x86-64-v3 kibitz bench
                                  with the solver's kernels for older processors: x86-64-v4,
                                  x86-64-v3 or portable (on ARM64 neon or portable); the count is
                                  the same";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Plies for every position, in place of its own depth
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Late move reductions: conservative, normal or aggressive
    #[arg(long, value_name = "NAME", default_value_t = LateMoves::Normal)]
    lmr: LateMoves,
    /// Half of the first window in centidiscs
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT_ASPIRATION, value_parser = aspiration())]
    aspiration_cp: u32,
    /// Search without a transposition table
    #[arg(long, conflicts_with = "threads")]
    no_table: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn aspiration() -> clap::builder::RangedI64ValueParser<u32> {
    let range = Limits::ASPIRATION;
    clap::value_parser!(u32).range(i64::from(*range.start())..=i64::from(*range.end()))
}

impl Args {
    fn limits(&self, case: &Case) -> Limits {
        Limits {
            depth: Some(self.depth.unwrap_or(case.depth)),
            late_moves: self.lmr,
            aspiration: self.aspiration_cp,
            ..Limits::default()
        }
    }

    /// What one thread should count; nothing if the flags ask for another search.
    fn fingerprint(&self) -> Option<u64> {
        let is_recorded = CASES.iter().all(|case| {
            let recorded = Limits {
                depth: Some(case.depth),
                ..Limits::default()
            };
            self.limits(case) == recorded
        });
        (is_recorded && !self.no_table).then_some(FINGERPRINT)
    }
}

/// What was measured, in the shape of its JSON.
#[derive(Debug, Default, serde::Serialize)]
struct Measured {
    threads: u16,
    /// The tier of processors whose kernels the solver uses.
    kernels: &'static str,
    positions: Vec<Row>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    /// What the source says that one thread should count; nothing for another search.
    fingerprint: Option<u64>,
}

#[derive(Debug, serde::Serialize)]
struct Row {
    name: &'static str,
    depth: u32,
    /// Centidiscs for the side to move.
    score: i32,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut bench = if args.no_table {
        Bench::without_table()?
    } else {
        Bench::new(args.threads.into())?
    };
    let mut measured = Measured {
        threads: args.threads,
        kernels: Tier::current().name(),
        fingerprint: args.fingerprint(),
        ..Measured::default()
    };
    for case in &CASES {
        let watch = Stopwatch::start();
        let report = bench.run_within(case, &args.limits(case));
        let row = Row {
            name: case.name,
            depth: report.depth,
            score: report.score,
            nodes: report.nodes,
            seconds: watch.elapsed().as_secs_f64(),
        };
        if !args.json {
            print_row(&mut out, &row)?;
        }
        measured.nodes += row.nodes;
        measured.seconds += row.seconds;
        measured.positions.push(row);
    }
    measured.nodes_per_second = (measured.nodes as f64 / measured.seconds.max(1e-9)) as u64;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&measured)?)?;
    } else {
        print_totals(&mut out, &measured)?;
    }
    Ok(())
}

fn print_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    writeln!(
        out,
        "{:<12} depth {:>2}  {:>7}  {:>12} nodes {:>8.3} s",
        row.name,
        row.depth,
        game::Score::centi(row.score),
        row.nodes,
        row.seconds
    )?;
    out.flush()
}

fn print_totals(out: &mut impl Write, measured: &Measured) -> io::Result<()> {
    writeln!(
        out,
        "{:.3} s, {:.1} M nodes/s, solver {}",
        measured.seconds,
        measured.nodes_per_second as f64 / 1e6,
        measured.kernels
    )?;
    writeln!(out, "Bench: {}", measured.nodes)?;
    if let Some(fingerprint) = measured.fingerprint
        && measured.threads == 1
        && measured.nodes != fingerprint
    {
        writeln!(
            out,
            "not the recorded {fingerprint}: the search has changed"
        )?;
    }
    Ok(())
}
