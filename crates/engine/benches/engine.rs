//! How long things take: `cargo bench -p engine`. For kernels, instruction counts say more:
//! `cargo xtask counts`.

use divan::{Bencher, counter::ItemsCount};
use engine::{
    Control, Engine, Limits,
    eval::{Evaluator, pattern::Pattern},
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

/// All positions four moves after twenty of all stages, evaluated as a search does: moves made,
/// discs turned and indices kept up to date on the way.
#[divan::bench]
fn evaluate_tree(bencher: Bencher<'_, '_>) {
    let pattern = pattern();
    let boards = boards(10..=50, 20);
    let leaves = |board: &Board| {
        let mut tree = Tree::new(&pattern);
        tree.visit(*board, &pattern.root(*board), 4);
        tree
    };
    let n_leaves: u64 = boards.iter().map(|board| leaves(board).n_leaves).sum();
    bencher
        .counter(ItemsCount::new(n_leaves))
        .bench_local(|| boards.iter().map(|board| leaves(board).sum).sum::<i64>());
}

/// A walk over a tree without any pruning.
struct Tree<'a> {
    pattern: &'a Pattern,
    n_leaves: u64,
    sum: i64,
}

impl<'a> Tree<'a> {
    fn new(pattern: &'a Pattern) -> Self {
        Self {
            pattern,
            n_leaves: 0,
            sum: 0,
        }
    }

    fn visit(&mut self, board: Board, state: &<Pattern as Evaluator>::State, depth: u32) {
        let pattern = self.pattern;
        for square in board.legal_moves() {
            let flips = board.flips(square);
            let next = board.play_unchecked(square, flips);
            if depth > 1 {
                self.visit(next, &pattern.play(state, square, flips), depth - 1);
            } else {
                self.n_leaves += 1;
                self.sum += i64::from(pattern.evaluate_after(state, square, flips, next));
            }
        }
    }
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

/// Solves ten positions with `n_empties` empty squares to the end.
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
