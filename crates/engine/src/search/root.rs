//! The root: iterative deepening.
use super::*;
use othello::Board;

/// Solve exactly. Crude.
pub fn solve<E: Evaluator>(evaluator: &E, table: &Table, board: Board, verbose: bool) -> (i32, u64) {
    let stop = AtomicBool::new(false);
    let shared = Shared { evaluator, table, stop: &stop, deadline: None, node_limit: u64::MAX, nodes_polled: AtomicU64::new(0) };
    let mut w = Worker::new(&shared);
    let st = evaluator.root(board);
    let n = board.empties().len();
    let mut v = 0;
    if n > 14 {
        w.level = 0;
        let mut d = 2 + (n & 1);
        while d + 10 <= n {
            v = w.midgame(board, &st, d, -6400, 6400);
            if verbose { eprintln!("depth {d} {v} nodes {}", w.nodes()); }
            d += 2;
        }
        for level in 0..EXACT_LEVEL {
            w.level = level;
            v = 100 * aspirate(&mut w, board, &st, v);
            if verbose { eprintln!("level {} {v} nodes {}", LEVELS[level as usize].1, w.nodes()); }
            if level == 0 && n < 20 { break; }
        }
    }
    w.level = EXACT_LEVEL;
    let s = aspirate(&mut w, board, &st, v);
    (s, w.nodes())
}

fn aspirate<E: Evaluator>(w: &mut Worker<'_, E>, board: Board, st: &E::State, guess: i32) -> i32 {
    // scores of solved games have the parity of the guess rounded to even
    let guess = 2 * (guess as f32 / 200.0).round() as i32;
    let (mut a, mut b) = (guess - 1, guess + 1);
    let mut step = 2;
    loop {
        let s = w.endgame(board, st, a.max(-64), b.min(64));
        if s <= a && a > -64 { b = s + 1; a = s - step; step *= 2; }
        else if s >= b && b < 64 { a = s - 1; b = s + step; step *= 2; }
        else { return s; }
    }
}
