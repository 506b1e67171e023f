//! Slow twins and set-ups for the tests of this crate.

use crate::{
    eval::Evaluator,
    limits::LateMoves,
    search::{Counts, Shared, Worker, lazy::Lazy, orders::Orders, split::Splits, tree::LateRule},
    table::Table,
};
use othello::Board;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicU64},
};

/// A worker with an empty table and no limits, for looking at single nodes.
pub(crate) fn with_worker<E: Evaluator, T>(
    evaluator: &E,
    run: impl FnOnce(&mut Worker<'_, E>) -> T,
) -> T {
    let shared = Shared {
        evaluator,
        table: &Table::new(1).unwrap(),
        stop: &AtomicBool::new(false),
        halt: AtomicBool::new(false),
        deadline: None,
        node_limit: u64::MAX,
        late_rule: LateRule::of(LateMoves::Normal),
        nodes_granted: AtomicU64::new(0),
        n_threads: 1,
        nodes_polled: AtomicU64::new(0),
        counts: Mutex::new(Counts::default()),
        splits: Splits::new(),
        lazy: Lazy::new(1),
        orders: &Orders::new(),
        spare: &Mutex::new(Vec::new()),
    };
    run(&mut Worker::new(&shared))
}

/// Full-width negamax without any pruning.
pub(crate) fn negamax(board: Board) -> i32 {
    let legal = board.legal_moves();
    if legal.is_empty() {
        let passed = board.swapped();
        return if passed.legal_moves().is_empty() {
            board.final_score()
        } else {
            -negamax(passed)
        };
    }
    legal
        .into_iter()
        .map(|square| -negamax(board.play_unchecked(square, board.flips(square))))
        .max()
        .expect("there is a legal move")
}
