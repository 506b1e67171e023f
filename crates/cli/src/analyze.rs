//! `kibitz analyze`: what the engine thinks of positions.

use crate::{
    configured::Configured,
    evaluation, panel,
    study::{self, Power, Row, Source, Totals},
};
use app::{Limits, Selectivity, config::EngineName};
use game::Score;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz analyze --moves f5d6c3 --depth 16 --lines 3
  kibitz analyze --position \"---…OX…--- X\" --time-ms 2000 --threads 2
  kibitz analyze positions.obf --depth 8 --json
  kibitz analyze positions.obf --depth 0        the static evaluation
  kibitz analyze --moves f5 --evaluator classic --weights mine.json
  kibitz analyze --moves f5 --engine mcts --nodes 20000 --seed 7
  kibitz analyze --moves f5d6c3 --engine edax,alphabeta --time-ms 2000 --lines 3
  kibitz analyze --engine stockfish --position \"rnbqkbnr/… w KQkq - 0 1\" --depth 20

To mcts a node is a playout, without limits 100000 of them; it needs no evaluation, searches on
one thread and knows nothing of --exact-empties and --selectivity.

Engines that were added (see kibitz engines list) think at the same time, each about the same; with
more than one, each is also asked about the others' choices. Without a limit they get two seconds.
Engines of chess take --position as FEN and --moves as e2e4 e7e5 or e4 e5; both are checked.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    power: Power,
    /// What searches: alphabeta, mcts, or engines that were added, with commas between them;
    /// without it, what the configuration says, else alphabeta
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    engine: Vec<String>,
    /// Where the chance of mcts comes from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Plies to search; 0 is the static evaluation
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: Option<u32>,
    /// Milliseconds per position
    #[arg(long, value_name = "T")]
    time_ms: Option<u64>,
    /// Nodes per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Solve positions with at most so many empty squares; without it, what the configuration says
    /// (endgame_exact_empties), else 18
    #[arg(long, value_name = "N")]
    exact_empties: Option<u32>,
    /// Pruning by prediction, 0 (most) to 5 (none)
    #[arg(long, value_name = "L", default_value_t = Selectivity::MIDGAME.index(), value_parser = clap::value_parser!(u8).range(0..=5))]
    selectivity: u8,
    /// How many of the best moves to show
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=34))]
    lines: u8,
    /// Print a JSON object per position and one with the totals
    #[arg(long)]
    json: bool,
}

/// Without any limit, alpha-beta thinks this deep.
const DEFAULT_DEPTH: u32 = 14;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let configured = args.power.configured()?;
    let usual = configured.config.engine;
    let engine = match args.engine.as_slice() {
        [] => usual.engine,
        [name] => match evaluation::find(&EngineName::NAMES, name) {
            Some(own) => own,
            None => return args.ask_panel(&configured),
        },
        _ => return args.ask_panel(&configured),
    };
    let mut analyst = args
        .power
        .analyst(&configured, engine.with_seed(args.seed))?;
    let unlimited = args.depth.is_none()
        && args.time_ms.is_none()
        && args.nodes.is_none()
        && engine == EngineName::AlphaBeta;
    let limits = Limits {
        depth: args.depth.or(unlimited.then_some(DEFAULT_DEPTH)),
        time_ms: args.time_ms,
        nodes: args.nodes,
        exact_empties: args.exact_empties.unwrap_or(usual.endgame_exact_empties),
        selectivity: Selectivity::new(args.selectivity).unwrap_or(Selectivity::MIDGAME),
        lines: args.lines.into(),
        ..Limits::default()
    };
    let mut totals = Totals::default();
    let mut out = io::stdout().lock();
    args.source.for_each(|task| {
        analyst.clear();
        let (report, seconds) = if args.depth == Some(0) {
            (analyst.static_report(task.position), 0.0)
        } else {
            study::search(&mut analyst, task.position, &limits)
        };
        let row = Row::new(totals.positions + 1, &task, &report, seconds, true);
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
        } else {
            print_row(&mut out, &row)?;
        }
        totals.add(&row);
        Ok(())
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&totals)?)?;
    }
    Ok(out.flush()?)
}

impl Args {
    /// Several engines, or one that is not ours.
    fn ask_panel(&self, configured: &Configured) -> anyhow::Result<()> {
        let limited = self
            .depth
            .or(self.time_ms.map(|_| 0))
            .or(self.nodes.map(|_| 0));
        let usual = configured.config.engine;
        let plan = panel::Plan {
            names: &self.engine,
            source: &self.source,
            power: &self.power,
            configured,
            seed: self.seed,
            limits: Limits {
                depth: self.depth,
                time_ms: self
                    .time_ms
                    .or(limited.is_none().then_some(DEFAULT_PANEL_MS)),
                nodes: self.nodes,
                exact_empties: self.exact_empties.unwrap_or(usual.endgame_exact_empties),
                selectivity: Selectivity::new(self.selectivity).unwrap_or(Selectivity::MIDGAME),
                lines: self.lines.into(),
                ..Limits::default()
            },
            json: self.json,
        };
        panel::run(&plan)
    }
}

/// Without any limit, each of several engines thinks so long.
const DEFAULT_PANEL_MS: u64 = 2_000;

fn print_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let reach = row.reach;
    // A proof has no predictions.
    let certainty = study::certainty(row.selectivity.filter(|_| !reach.solved));
    writeln!(
        out,
        "{:>4}  {:>2} empties  {}  {reach}{certainty}  {} nodes  {:.3} s",
        row.index,
        row.empties,
        Score::centi(row.score),
        row.nodes,
        row.seconds
    )?;
    for line in &row.lines {
        writeln!(
            out,
            "      {:>6}  {}",
            Score::centi(line.score),
            line.pv.join(" ")
        )?;
    }
    Ok(())
}
