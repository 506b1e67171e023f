//! Calls one kernel many times on fixed boards, for counting its instructions: see
//! `cargo xtask counts`. `kernels NAME CALLS` prints a sum of the results, so that nothing can be
//! optimised away.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use engine::eval::{Evaluator as _, pattern::Pattern};
use othello::{Board, sample::random_boards};
use std::hint::black_box;

/// Kernels by name; `nothing` is what the loop itself costs.
type Kernel = fn(&Pattern, Board) -> u64;
const KERNELS: [(&str, Kernel); 6] = [
    ("nothing", |_, board| board.mover().0),
    ("legal_moves", |_, board| board.legal_moves().0),
    ("flips", |_, board| {
        let square = board.legal_moves().first();
        square.map_or(0, |square| board.flips(square).0)
    }),
    ("stable_discs", |_, board| board.stable_discs().0),
    ("evaluate_from_scratch", |pattern, board| {
        pattern.evaluate(&pattern.root(board), board) as u64
    }),
    ("evaluate_moves", |pattern, board| {
        let state = pattern.root(board);
        board.legal_moves().into_iter().fold(0, |sum, square| {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            let value = pattern.evaluate_after(&state, square, flips, next);
            sum.wrapping_add(value as u64)
        })
    }),
];

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let names = || KERNELS.map(|(name, _)| name).join(", ");
    let name = args.next().unwrap_or_default();
    let kernel = KERNELS.iter().find(|(known, _)| *known == name);
    let (_, kernel) = kernel.ok_or_else(|| format!("no kernel {name:?}; there are {}", names()))?;
    let calls = args.next().and_then(|text| text.parse().ok());
    let calls: usize = calls.ok_or("usage: kernels NAME CALLS")?;

    let pattern = Pattern::shipped().map_err(|error| error.to_string())?;
    let boards: Vec<Board> = random_boards(1).take(1024).collect();
    let sum = (0..calls).fold(0u64, |sum, i| {
        sum.wrapping_add(kernel(&pattern, black_box(boards[i % boards.len()])))
    });
    println!("{name}: {calls} calls, sum {sum}");
    Ok(())
}
