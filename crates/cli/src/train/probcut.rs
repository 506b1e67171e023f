//! `kibitz train probcut`: how well shallow searches predict deep ones.

use super::ReadingArgs;
use crate::{clock::Stopwatch, evaluation::read_weights, interrupt};
use anyhow::ensure;
use app::{
    output,
    probcut::{Cell, Misfit, Model, Plan, measure_all, sample, tabulate},
};
use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write},
    ops::RangeInclusive,
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz train probcut wthor/ --empties 12-51 --deep 8 --exact 16 --positions 1000 --workers 2
  kibitz train probcut self.games --empties 20-27 --deep 10 --json
  kibitz train probcut self.games ends.data --out probcut.toml

Positions are searched without predictions to --deep plies, those with few empty squares also to
the end. Compared are depths of the same parity.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folders of WTHOR games, files of kibitz selfplay, or files of valued positions
    #[arg(required = true)]
    positions_from: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Which positions: from so many empty squares to so many
    #[arg(long, value_name = "FROM-TO", default_value = "8-51", value_parser = super::empties_range)]
    empties: RangeInclusive<u32>,
    /// So many numbers of empty squares are counted together
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=60))]
    band: u32,
    /// Positions of each band
    #[arg(long, value_name = "N", default_value_t = 1000)]
    positions: usize,
    /// Search so deep
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=30))]
    deep: u32,
    /// Solve with at most so many empty squares
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=30))]
    exact: u32,
    /// Share of positions that leave the game by a random move
    #[arg(long, value_name = "P", default_value_t = 0.5)]
    deviation: f64,
    /// Where chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Weights in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Write the models here, as TOML
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = Plan {
        empties: args.empties.clone(),
        band: args.band,
        positions: args.positions,
        deep: args.deep,
        exact_empties: args.exact,
        deviation: args.deviation,
        seed: args.seed,
    };
    let mut boards = Vec::new();
    for path in &args.positions_from {
        boards.extend(args.reading.read(|reading| reading.positions(path))?);
    }
    let boards = sample(boards, &plan);
    ensure!(
        !boards.is_empty(),
        "there are no positions with {} to {} empty squares",
        args.empties.start(),
        args.empties.end()
    );
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let shows = io::stderr().is_terminal();
    let workers = args.workers.into();
    let measured = measure_all(
        &boards,
        &plan,
        weights.as_deref(),
        workers,
        &stop,
        |n_done| {
            if shows {
                let left =
                    watch.elapsed().as_secs_f64() * (boards.len() - n_done) as f64 / n_done as f64;
                // Progress that cannot be shown is no loss.
                write!(
                    io::stderr(),
                    "\r\x1b[K{n_done} of {} positions, {left:.0} s left",
                    boards.len()
                )
                .ok();
            }
        },
    )?;
    if shows {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    let cells = tabulate(&measured, args.band);
    let findings = Findings {
        n_positions: measured.len(),
        midgame: Fitted::of(&cells, |cell| !cell.is_end),
        end: Fitted::of(&cells, |cell| cell.is_end),
        cells,
    };
    if let Some(path) = &args.out {
        output::write(path, findings.toml().as_bytes())?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&findings.json())?)?;
    } else {
        findings.print(&mut out)?;
    }
    Ok(out.flush()?)
}

/// What was measured, and what describes it.
struct Findings {
    n_positions: usize,
    cells: Vec<Cell>,
    midgame: Option<Fitted>,
    end: Option<Fitted>,
}

/// A model and how good it is.
struct Fitted {
    model: Model,
    misfit: Misfit,
}

impl Fitted {
    fn of(cells: &[Cell], wanted: impl Fn(&Cell) -> bool) -> Option<Self> {
        let cells: Vec<Cell> = cells.iter().copied().filter(wanted).collect();
        let model = Model::fit(&cells)?;
        Some(Self {
            misfit: model.misfit(&cells),
            model,
        })
    }

    /// The six numbers in the order in which the search has them.
    const fn numbers(&self) -> [f64; 6] {
        let ([a, b, c], [d, e, f]) = (self.model.mix, self.model.curve);
        [a, b, c, d, e, f]
    }
}

impl Findings {
    fn models(&self) -> impl Iterator<Item = (&'static str, &Fitted)> {
        let midgame = self.midgame.as_ref().map(|it| ("midgame", it));
        midgame
            .into_iter()
            .chain(self.end.as_ref().map(|it| ("end", it)))
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} positions; values in discs", self.n_positions)?;
        writeln!(
            out,
            "{:>7} {:>7} {:>5} {:>6} {:>7} {:>7} {:>6} {:>7}",
            "empties", "shallow", "deep", "n", "mean", "sigma", "corr", "model"
        )?;
        for cell in &self.cells {
            let fitted = if cell.is_end {
                &self.end
            } else {
                &self.midgame
            };
            let model = fitted.as_ref().map_or_else(
                || "-".to_owned(),
                |it| {
                    let shallow = f64::from(cell.shallow);
                    format!("{:.3}", it.model.sigma(cell.n_empties, cell.deep, shallow))
                },
            );
            let deep = if cell.is_end {
                "end".to_owned()
            } else {
                format!("{:.0}", cell.deep)
            };
            writeln!(
                out,
                "{:>7.1} {:>7} {deep:>5} {:>6} {:>+7.3} {:>7.3} {:>6.3} {model:>7}",
                cell.n_empties, cell.shallow, cell.n, cell.mean, cell.deviation, cell.correlation
            )?;
        }
        for (name, fitted) in self.models() {
            let Misfit { relative, worst } = fitted.misfit;
            let numbers = fitted.numbers().map(|it| format!("{it:.6}")).join(", ");
            writeln!(
                out,
                "\n// {name}: relative error {:.1} % (root mean square), {:.1} % (worst)",
                100.0 * relative,
                100.0 * worst
            )?;
            let name = name.to_uppercase();
            writeln!(out, "const SIGMA_{name}: [f32; 6] = [{numbers}];")?;
        }
        Ok(())
    }

    fn toml(&self) -> String {
        let mut text = "\
            # Standard deviation in discs of deep minus shallow values:\n\
            # x = mix[0] * empties + mix[1] * deep + mix[2] * shallow\n\
            # sigma = curve[0] * x * x + curve[1] * x + curve[2]\n"
            .to_owned();
        for (name, fitted) in self.models() {
            let Model { mix, curve } = fitted.model;
            let relative = fitted.misfit.relative;
            write!(
                text,
                "\n[{name}]\nmix = {mix:?}\ncurve = {curve:?}\nrelative_error = {relative:?}\n"
            )
            .expect("a String takes all text");
        }
        text
    }

    fn json(&self) -> Json {
        let model = |fitted: &Fitted| JsonModel {
            mix: fitted.model.mix,
            curve: fitted.model.curve,
            relative_error: fitted.misfit.relative,
            worst_error: fitted.misfit.worst,
        };
        Json {
            positions: self.n_positions,
            cells: self
                .cells
                .iter()
                .map(|cell| JsonCell {
                    empties: cell.n_empties,
                    shallow: cell.shallow,
                    deep: cell.deep,
                    end: cell.is_end,
                    positions: cell.n,
                    mean: cell.mean,
                    sigma: cell.deviation,
                    correlation: cell.correlation,
                })
                .collect(),
            midgame: self.midgame.as_ref().map(model),
            end: self.end.as_ref().map(model),
        }
    }
}

#[derive(Debug, serde::Serialize)]
struct Json {
    positions: usize,
    cells: Vec<JsonCell>,
    midgame: Option<JsonModel>,
    end: Option<JsonModel>,
}

#[derive(Debug, serde::Serialize)]
struct JsonCell {
    empties: f64,
    shallow: u32,
    deep: f64,
    end: bool,
    positions: usize,
    mean: f64,
    sigma: f64,
    correlation: f64,
}

#[derive(Debug, serde::Serialize)]
struct JsonModel {
    mix: [f64; 3],
    curve: [f64; 3],
    relative_error: f64,
    worst_error: f64,
}
