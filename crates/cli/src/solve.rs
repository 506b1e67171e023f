//! `kibitz solve`: exact scores of endgame positions.

use crate::study::{self, Power, Row, Source, Totals};
use app::{EngineChoice, Goal, Limits};
use game::Score;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz solve fforum-40-59.obf
  kibitz solve --threads 2 --json problems.obf
  kibitz solve --all-moves --position \"XX-OOO… X\"
  grep -v '^%' problems.obf | kibitz solve -

A file's scores (OBF: `move:score;`) are compared with ours; a difference makes the exit code 1.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    power: Power,
    /// Score every legal move, not only the best
    #[arg(long)]
    all_moves: bool,
    /// Find only who wins: much faster
    #[arg(long)]
    wld: bool,
    /// Print a JSON object per position and one with the totals
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let configured = args.power.configured()?;
    let mut analyst = args.power.analyst(&configured, EngineChoice::AlphaBeta)?;
    let limits = Limits {
        goal: if args.wld {
            Goal::WinLossDraw
        } else {
            Goal::Score
        },
        lines: if args.all_moves { usize::MAX } else { 1 },
        ..Limits::default()
    };
    let mut totals = Totals::default();
    let mut out = io::stdout().lock();
    args.source.for_each(|task| {
        // Each position on its own, so that its nodes do not depend on those before it.
        analyst.clear();
        let (report, seconds) = study::search(&mut analyst, task.position, &limits);
        let row = Row::new(
            totals.positions + 1,
            &task,
            &report,
            seconds,
            args.all_moves,
        );
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
        } else {
            print_row(&mut out, &row)?;
        }
        out.flush()?;
        totals.add(&row);
        Ok(())
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&totals)?)?;
    } else if totals.positions > 1 {
        writeln!(
            out,
            "{} positions, {} nodes, {:.3} s, {:.1} M nodes/s, {} wrong",
            totals.positions,
            totals.nodes,
            totals.seconds,
            totals.nodes_per_second as f64 / 1e6,
            totals.wrong
        )?;
    }
    if totals.wrong > 0 {
        anyhow::bail!("{} scores differ from the file's", totals.wrong);
    }
    Ok(())
}

fn print_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let verdict = match row.ok {
        Some(true) => " ok".to_owned(),
        Some(false) => {
            let expected = Score::centi(row.expected.unwrap_or(0));
            format!(" WRONG, the file says {expected}")
        }
        None => String::new(),
    };
    let relation = match row.bound {
        "lower" => ">= ",
        "upper" => "<= ",
        _ => "",
    };
    writeln!(
        out,
        "{:>4}  {:>2} empties  {relation}{:>4}{verdict}  {:>14} nodes {:>9.3} s  {}",
        row.index,
        row.empties,
        Score::centi(row.score),
        row.nodes,
        row.seconds,
        row.pv.join(" ")
    )?;
    for line in &row.lines {
        writeln!(
            out,
            "      {:>4}  {}",
            Score::centi(line.score),
            line.pv.join(" ")
        )?;
    }
    Ok(())
}
