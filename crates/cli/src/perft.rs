//! `kibitz perft`: counts move sequences, by the fast generator or the reference.

mod chess;
mod pack;

use crate::{clock::Stopwatch, position};
use anyhow::ensure;
use othello::Board;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz perft --depth 9
  kibitz perft --depth 6 --position f5d6c3 --divide
  kibitz perft --depth 7 --generator reference --json
  kibitz perft --pack
  kibitz perft --game chess --depth 5
  kibitz perft --game chess --depth 4 --position '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'

A pass counts as a move; a finished game counts once at any greater depth.
Known counts from the start: 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose rules
    #[arg(long, value_enum, default_value_t = Game::Othello)]
    game: Game,
    /// Number of moves in a sequence
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(0..=99),
        required_unless_present = "pack"
    )]
    depth: Option<u32>,
    /// Count twelve awkward positions to depth 6 with both generators and compare with the record
    #[arg(long, conflicts_with_all = ["depth", "position", "generator", "divide"])]
    pack: bool,
    /// Where to begin: 64 squares and the side to move, or moves such as f5d6c3; for chess a FEN
    #[arg(long, value_name = "P", default_value = "", hide_default_value = true)]
    position: String,
    /// Which move generator counts
    #[arg(long, value_enum, default_value_t = Generator::Fast)]
    generator: Generator,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    Othello,
    /// Usual chess, and Chess960 where the FEN says so
    Chess,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Generator {
    /// The bitboard kernels
    Fast,
    /// The slow one that walks from square to square
    Reference,
}

impl Generator {
    fn count(self, board: Board, depth: u32) -> u64 {
        match self {
            Self::Fast => othello::perft(board, depth),
            Self::Reference => othello::perft_reference(board, depth),
        }
    }
}

/// One line of the answer.
#[derive(Debug, serde::Serialize)]
struct Row {
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

/// What is behind one first move.
#[derive(Debug, serde::Serialize)]
struct Branch {
    r#move: String,
    nodes: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Some(depth) = args.depth else {
        return pack::run(&mut io::stdout().lock(), args.json);
    };
    let begin = Begin::of(args)?;
    let mut out = io::stdout().lock();
    if args.json {
        let row = measure(args, &begin, depth);
        writeln!(out, "{}", serde_json::to_string(&row)?)?;
    } else if args.divide {
        print_branches(&mut out, &measure(args, &begin, depth))?;
    } else {
        print_table(&mut out, args, &begin, depth)?;
    }
    Ok(())
}

/// Where the counting begins.
enum Begin {
    Othello(Board, Generator),
    Chess(game::ChessPosition),
}

impl Begin {
    fn of(args: &Args) -> anyhow::Result<Self> {
        match args.game {
            Game::Othello => {
                let position = position::parse(&args.position)?.position();
                Ok(Self::Othello(position.board, args.generator))
            }
            Game::Chess => {
                let is_slow = args.generator == Generator::Reference;
                ensure!(!is_slow, "chess has one generator; leave --generator out");
                Ok(Self::Chess(chess::position(&args.position)?))
            }
        }
    }

    fn count(&self, depth: u32) -> u64 {
        match self {
            Self::Othello(board, generator) => generator.count(*board, depth),
            Self::Chess(position) => position.perft(depth),
        }
    }

    fn branches(&self, depth: u32) -> Vec<Branch> {
        match self {
            Self::Othello(board, generator) => branches(*generator, *board, depth),
            Self::Chess(position) => chess::branches(position, depth),
        }
    }

    /// What a game without a first move counts: Othello one, chess none, as its counts are
    /// published.
    const fn least(&self) -> u64 {
        match self {
            Self::Othello(..) => 1,
            Self::Chess(_) => 0,
        }
    }
}

fn measure(args: &Args, begin: &Begin, depth: u32) -> Row {
    let watch = Stopwatch::start();
    let (nodes, divide) = if args.divide {
        let branches = begin.branches(depth);
        let behind = branches.iter().map(|it| it.nodes).sum::<u64>();
        let least = if depth == 0 { 1 } else { begin.least() };
        (behind.max(least), Some(branches))
    } else {
        (begin.count(depth), None)
    };
    let seconds = (watch.elapsed().as_secs_f64() * 1e6).round() / 1e6;
    Row {
        depth,
        nodes,
        seconds,
        divide,
    }
}

fn branches(generator: Generator, board: Board, depth: u32) -> Vec<Branch> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let branch = |r#move: String, next| Branch {
        r#move,
        nodes: generator.count(next, below),
    };
    if board.must_pass() {
        return vec![branch(othello::Move::Pass.to_string(), board.swapped())];
    }
    let legal = board.legal_moves();
    let next = |square| board.play_unchecked(square, board.flips(square));
    legal
        .into_iter()
        .map(|square| branch(square.to_string(), next(square)))
        .collect()
}

fn print_branches(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let width = row.nodes.to_string().len();
    for branch in row.divide.iter().flatten() {
        writeln!(out, "{}  {:>width$}", branch.r#move, branch.nodes)?;
    }
    writeln!(out, "total {}", row.nodes)
}

/// Each depth up to the last, as soon as it is known.
fn print_table(out: &mut impl Write, args: &Args, begin: &Begin, last: u32) -> io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>20} {:>12} {:>10}",
        "depth", "nodes", "seconds", "Mnodes/s"
    )?;
    for depth in last.min(1)..=last {
        let row = measure(args, begin, depth);
        let (nodes, seconds) = (row.nodes, row.seconds);
        let speed = speed(nodes, seconds);
        writeln!(out, "{depth:>5} {nodes:>20} {seconds:>12.6} {speed:>10}")?;
        out.flush()?;
    }
    Ok(())
}

/// Millions of nodes per second; what took less than a microsecond has no speed.
fn speed(nodes: u64, seconds: f64) -> String {
    if seconds > 0.0 {
        format!("{:.1}", nodes as f64 / seconds / 1e6)
    } else {
        "-".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_add_up_to_the_whole_in_both_generators() {
        for board in othello::sample::random_boards(3).take(300) {
            for generator in [Generator::Fast, Generator::Reference] {
                let sum: u64 = branches(generator, board, 3).iter().map(|b| b.nodes).sum();
                let whole = generator.count(board, 3);
                assert_eq!(if board.is_game_over() { 1 } else { sum }, whole);
            }
        }
    }
}
