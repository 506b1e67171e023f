//! How much faster several threads search the middle game than one:
//! `cargo run --release -p engine --example threads -- DEPTH [THREADS [ROUNDS]]`.
//!
//! Sixty positions with 36 empty squares, one after the other from an empty table, in turn with one
//! thread and with several. What one thread needs is always the same number of nodes.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for the terminal that measures time"
)]

use engine::{Control, Engine, Limits, eval::pattern::Pattern};
use othello::{Board, sample::SplitMix64};
use std::{error::Error, sync::atomic::AtomicBool, time::Instant};

const POSITIONS: usize = 60;
const EMPTIES: u32 = 36;
/// Random moves at the beginning of a game, which goes on with the best moves of this depth.
const RANDOM_PLIES: u32 = 6;
const PLAY_DEPTH: u32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u32>());
    let depth = args
        .next()
        .ok_or("usage: threads DEPTH [THREADS [ROUNDS]]")??;
    let threads = args.next().transpose()?.unwrap_or(2) as usize;
    let rounds = args.next().transpose()?.unwrap_or(3);
    let mut engine = Engine::new(Pattern::shipped()?, 256, 1)?;
    let mut random = SplitMix64::new(36);
    let boards: Vec<Board> =
        std::iter::repeat_with(|| board_with(&mut engine, EMPTIES, &mut random))
            .flatten()
            .take(POSITIONS)
            .collect();
    for _ in 0..rounds {
        let (nodes, seconds) = time(&mut engine, &boards, depth);
        engine.set_threads(threads)?;
        let (nodes_many, seconds_many) = time(&mut engine, &boards, depth);
        engine.set_threads(1)?;
        println!(
            "depth {depth}: 1 thread {seconds:.2} s, {nodes} nodes; {threads} threads \
             {seconds_many:.2} s, {nodes_many} nodes ({:.2} times): {:.2} times as fast",
            nodes_many as f64 / nodes as f64,
            seconds / seconds_many
        );
    }
    Ok(())
}

/// Nodes and seconds for all positions.
fn time(engine: &mut Engine<Pattern>, boards: &[Board], depth: u32) -> (u64, f64) {
    let start = Instant::now();
    let nodes = boards
        .iter()
        .map(|&board| searched(engine, board, depth).nodes);
    (nodes.sum(), start.elapsed().as_secs_f64())
}

/// A position of a game that got so far with a move to make.
fn board_with(
    engine: &mut Engine<Pattern>,
    n_empties: u32,
    random: &mut SplitMix64,
) -> Option<Board> {
    let mut board = Board::START;
    while board.empties().len() > n_empties {
        let legal = board.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let square = if board.empties().len() > 60 - RANDOM_PLIES {
            legal.into_iter().nth(random.below(legal.len()) as usize)
        } else {
            let report = searched(engine, board, PLAY_DEPTH);
            report.best().and_then(othello::Move::square)
        };
        board = board.play(square?).ok()?;
    }
    (!board.legal_moves().is_empty()).then_some(board)
}

/// A search from an empty table, so that no position depends on those before it.
fn searched(engine: &mut Engine<Pattern>, board: Board, depth: u32) -> engine::Report {
    engine.clear();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    engine.search(board, &limits, control)
}
