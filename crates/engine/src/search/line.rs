//! Lines to the end of their depth: what the table remembers of the best play, and where it has
//! forgotten or never kept it, a small search beside the large one.
//!
//! The table keeps nothing of the last two plies and of the last twelve empty squares. What is
//! searched here leaves no trace: the same tree is searched with and without it.

use super::{
    Worker,
    lazy::Path,
    moves::{Ordering, candidates, take_best},
    root::{Root, SOLVE_AT_ONCE, Step},
    tree::{BEST, Found, WORST},
};
use crate::{
    analysis::{Bound, Line, Report},
    endgame::hope::Hope,
    eval::Evaluator,
    table::hash_of,
};
use othello::{Board, Move, Square};

/// What the end of one line may cost at most: some 20 ms. It takes a table that lost the middle of
/// a deep line to need so many.
const MOST_NODES: u64 = 200_000;

/// A line on its way.
struct Walk {
    board: Board,
    /// Plies that the search went deeper than the line goes by now.
    plies: u32,
    /// The exact score for the side to move in discs, where it is proven.
    score: Option<i32>,
}

impl Walk {
    /// The end of a line as it stands.
    fn along(board: Board, line: &Line, report: &Report) -> Self {
        let is_proven = report.solved && line.bound == Bound::Exact;
        let mut walk = Self {
            board,
            plies: report.depth,
            score: is_proven.then_some(line.score / 100),
        };
        for &action in &line.moves {
            walk.go(action);
        }
        walk
    }

    fn go(&mut self, action: Move) {
        self.score = self.score.map(|score| -score);
        let board = self.board;
        self.board = match action {
            Move::Place(square) => {
                self.plies = self.plies.saturating_sub(1);
                board.play_unchecked(square, board.flips(square))
            }
            Move::Pass => board.swapped(),
        };
    }
}

impl<E: Evaluator> Root<'_, E> {
    /// Lengthens every line as far as the table goes.
    pub(super) fn extend_from_table(&mut self, report: &mut Report, step: Step) {
        self.extend(report, step, false);
    }

    /// Lengthens every line to the report's depth or to the end of the game.
    pub(super) fn complete(&mut self, report: &mut Report, step: Step) {
        self.extend(report, step, true);
    }

    fn extend(&mut self, report: &mut Report, step: Step, may_search: bool) {
        let mut lines = std::mem::take(&mut report.lines);
        for line in &mut lines {
            let mut walk = Walk::along(self.board, line, report);
            self.worker.aside(step.level, |worker| {
                while let Some(action) = worker.next_of_line(&walk, may_search) {
                    line.moves.push(action);
                    walk.go(action);
                }
            });
        }
        report.lines = lines;
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// Does some work that changes nothing of the search: not its counts, caches, history or table.
    fn aside<T>(&mut self, level: u8, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut worker = Self {
            shared: self.shared,
            at: None,
            nodes: 0,
            nodes_at_poll: 0,
            poll_at: 0,
            is_limited: true,
            shallow: self.shared.spare_shallow(),
            history: self.history.clone(),
            level,
            aborted: false,
            hope: Hope::Refutes,
            probing: 0,
            beside: u32::MAX,
            path: Path::new(),
            is_aside: true,
            counts: super::Counts::default(),
        };
        worker.poll_at = worker.count() + MOST_NODES;
        let result = work(&mut worker);
        self.shared.keep_shallow(worker.shallow);
        result
    }

    /// What the table knows to come next; where it knows nothing, what a search finds.
    fn next_of_line(&mut self, walk: &Walk, may_search: bool) -> Option<Move> {
        let board = walk.board;
        let legal = board.legal_moves();
        if legal.is_empty() {
            let is_over = board.swapped().legal_moves().is_empty();
            // A pass that nothing comes after says nothing.
            return (!is_over && walk.plies > 0).then_some(Move::Pass);
        }
        if walk.plies == 0 {
            return None;
        }
        if let Some(score) = walk.score
            && board.empties().len() < SOLVE_AT_ONCE
        {
            let square = self.shallow.move_reaching(board, score)?;
            return Some(Move::Place(square));
        }
        let known = self.shared.table.probe(hash_of(board));
        let square = known
            .and_then(|entry| entry.moves[0])
            .filter(|&square| legal.contains(square))
            .or_else(|| may_search.then(|| self.best_move(walk))?)?;
        Some(Move::Place(square))
    }

    /// The best move at the end of a line by a search of the plies that it lacks.
    fn best_move(&mut self, walk: &Walk) -> Option<Square> {
        let board = walk.board;
        let state = self.shared.evaluator.root(board);
        let mut moves = candidates(board, board.legal_moves());
        self.order(board, &state, &mut moves, Ordering::STATIC, WORST);
        let mut found = Found {
            best: i32::MIN,
            square: None,
            alpha: WORST,
        };
        while let Some(child) = take_best(&mut moves) {
            let value = self.child_value(&state, &child, walk.plies - 1, found, BEST);
            if self.aborted {
                return None;
            }
            if found.take(child.square, value, BEST) {
                break;
            }
        }
        found.square
    }
}
