//! Makes `crates/engine/tests/data/tricky.txt`, the baseline of the test `tricky`, after a change
//! that is meant to change the search or the weights:
//! `cargo run --release --package engine --example tricky > crates/engine/tests/data/tricky.txt`.
//!
//! A position is tricky if the search of one ply and the search of six choose different moves. The
//! positions come from seeded random play, each position once.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use engine::{Control, Engine, Limits, Report, eval::pattern::Pattern};
use othello::{Board, Position, Side, sample::random_boards};
use std::{collections::HashSet, sync::atomic::AtomicBool};

const POSITIONS: usize = 500;
const SEED: u64 = 213;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new(Pattern::shipped()?, 16, 1)?;
    println!(
        "# Made by the example `tricky` of the engine: board; two moves; centidiscs at depth 6"
    );
    let mut seen = HashSet::new();
    let mut n_left = POSITIONS;
    for board in random_boards(SEED) {
        // Depth 6 must stay a search of the middle game, and a single move is no choice.
        if n_left == 0 {
            break;
        }
        if board.empties().len() < 16 || board.mobility() < 2 || !seen.insert(board) {
            continue;
        }
        let quick = searched(&mut engine, board, 1);
        let deep = searched(&mut engine, board, 6);
        if quick.best() == deep.best() {
            continue;
        }
        let line = deep.lines.first().map_or(&[][..], |line| &line.moves);
        if let [first, second, ..] = line {
            let side = Side::Black;
            let position = Position { board, side };
            println!("{position}; {first} {second}; {}", deep.score);
            n_left -= 1;
        }
    }
    Ok(())
}

/// A search from an empty table, so that no position depends on those before it.
fn searched(engine: &mut Engine<Pattern>, board: Board, depth: u32) -> Report {
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
