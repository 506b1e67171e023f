//! How long things take: `cargo bench -p engine`. For kernels, instruction counts say more:
//! `cargo xtask counts`.

use divan::{Bencher, counter::ItemsCount};
use engine::{
    Control, Engine, Limits,
    eval::{Evaluator as _, pattern::Pattern},
};
use othello::{Board, sample::random_boards};
use std::sync::atomic::AtomicBool;

fn main() {
    divan::main();
}

fn pattern() -> Pattern {
    Pattern::shipped().expect("the shipped weights are sound")
}

fn boards(n_empties: std::ops::RangeInclusive<u32>, n: usize) -> Vec<Board> {
    random_boards(7)
        .filter(|board| n_empties.contains(&board.empties().len()))
        .filter(|board| !board.legal_moves().is_empty())
        .take(n)
        .collect()
}

fn search(engine: &mut Engine<Pattern>, board: Board, limits: &Limits) -> u64 {
    engine.clear();
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    engine.search(board, limits, control).nodes
}

/// A move played and the position after it evaluated, as at the leaves of a search.
#[divan::bench]
fn play_and_evaluate(bencher: Bencher<'_, '_>) {
    let pattern = pattern();
    let boards: Vec<_> = boards(10..=50, 1000)
        .into_iter()
        .map(|board| (board, pattern.root(board)))
        .collect();
    let n_moves: u32 = boards.iter().map(|(board, _)| board.mobility()).sum();
    bencher.counter(ItemsCount::new(n_moves)).bench_local(|| {
        boards.iter().fold(0, |sum, (board, state)| {
            board.legal_moves().into_iter().fold(sum, |sum, square| {
                let flips = board.flips(square);
                let next = board.play_unchecked(square, flips);
                let state = pattern.play(state, square, flips);
                sum + pattern.evaluate(&state, next)
            })
        })
    });
}

/// A midgame search from the start.
#[divan::bench(args = [10, 14, 18])]
fn start_position(bencher: Bencher<'_, '_>, depth: u32) {
    let mut engine = Engine::new(pattern(), 64, 1).expect("one thread needs no pool");
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    bencher.bench_local(|| search(&mut engine, Board::START, &limits));
}

/// Ten positions solved.
#[divan::bench(args = [8, 12, 16])]
fn solve(bencher: Bencher<'_, '_>, n_empties: u32) {
    let boards = boards(n_empties..=n_empties, 10);
    let mut engine = Engine::new(pattern(), 64, 1).expect("one thread needs no pool");
    bencher
        .counter(ItemsCount::new(boards.len()))
        .bench_local(|| {
            boards
                .iter()
                .map(|&board| search(&mut engine, board, &Limits::default()))
                .sum::<u64>()
        });
}
