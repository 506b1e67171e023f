//! The root: iterative deepening in depth, then in selectivity, several lines on request.

use super::{
    EXACT_LEVEL, Shared, Worker,
    moves::{Candidate, Candidates, Ordering, candidates},
    split,
    tree::{BEST, Found, Reductions, WORST},
};
use crate::{
    analysis::{Bound, Line, Report},
    eval::Evaluator,
    limits::{Goal, Limits, Selectivity},
    table::hash_of,
};
use othello::{Board, Move};
use std::sync::PoisonError;

/// A search to the end begins once the midgame search has come so near to it.
const END_GAP: u32 = 10;

/// With so few squares left the game is solved at once.
const SOLVE_AT_ONCE: u32 = 12;

/// After so many windows that missed, the next one is open on both sides.
const MAX_WINDOWS: usize = 8;

/// One piece of work: to a depth at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    depth: u32,
    level: u8,
}

/// The steps from shallow to deep that the limits ask for.
fn plan(n_empties: u32, limits: &Limits) -> Vec<Step> {
    let wanted = limits.depth.unwrap_or(n_empties).max(1);
    let to_the_end = wanted >= n_empties || n_empties <= limits.exact_empties;
    let last_level = limits.end_selectivity.index();
    if to_the_end && n_empties <= SOLVE_AT_ONCE {
        return vec![Step {
            depth: n_empties,
            level: last_level,
        }];
    }
    let deepest = if to_the_end {
        n_empties - END_GAP
    } else {
        wanted
    };
    let mut steps: Vec<Step> = (1..=deepest)
        .map(|depth| Step {
            depth,
            level: limits.selectivity.index(),
        })
        .collect();
    if to_the_end {
        // With few squares left most of the ladder costs more than it saves.
        let first = if n_empties < 20 { last_level.min(1) } else { 0 };
        let ladder = (first..=last_level)
            .filter(|&level| n_empties >= 20 || level == first || level == last_level);
        steps.extend(ladder.map(|level| Step {
            depth: n_empties,
            level,
        }));
    }
    steps
}

/// Searches a position as the limits say.
pub(crate) fn search<E: Evaluator>(
    shared: &Shared<'_, E>,
    board: Board,
    limits: &Limits,
    elapsed_ms: &dyn Fn() -> u64,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    if board.legal_moves().is_empty() {
        return search_without_moves(shared, board, limits, elapsed_ms, observe);
    }
    let mut root = Root::new(shared, board, limits);
    let mut report = root.first_report();
    for step in plan(board.empties().len(), limits) {
        let Some(lines) = root.run(step) else {
            break;
        };
        report = root.report(step, &lines, elapsed_ms());
        observe(&report);
        // A next step takes longer than all before it; without a good part of the time left it
        // would not finish.
        let too_late = limits
            .time_ms
            .is_some_and(|time| 10 * elapsed_ms() > 6 * time);
        if too_late || root.worker.aborted {
            break;
        }
    }
    root.finish(report, elapsed_ms())
}

/// A pass or a finished game at the root.
fn search_without_moves<E: Evaluator>(
    shared: &Shared<'_, E>,
    board: Board,
    limits: &Limits,
    elapsed_ms: &dyn Fn() -> u64,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    let passed = board.swapped();
    if passed.legal_moves().is_empty() {
        return Report {
            lines: Vec::new(),
            score: 100 * board.final_score(),
            bound: Bound::Exact,
            depth: board.empties().len(),
            selectivity: Selectivity::EXACT,
            solved: true,
            nodes: 1,
            time_ms: elapsed_ms(),
            table: shared.stats(),
        };
    }
    let turned = |mut report: Report| {
        report.score = -report.score;
        report.bound = opposite(report.bound);
        for line in &mut report.lines {
            line.score = -line.score;
            line.bound = opposite(line.bound);
            line.moves.insert(0, Move::Pass);
        }
        report.lines.truncate(1);
        report
    };
    let report = search(shared, passed, limits, elapsed_ms, &mut |report| {
        observe(&turned(report.clone()));
    });
    turned(report)
}

const fn opposite(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}

struct Root<'a, E: Evaluator> {
    worker: Worker<'a, E>,
    board: Board,
    limits: &'a Limits,
    /// All root moves, best first as of the last finished step.
    moves: Vec<Candidate>,
    state: E::State,
    /// The last finished step's value of each line.
    values: Vec<i32>,
}

impl<'a, E: Evaluator> Root<'a, E> {
    fn new(shared: &'a Shared<'a, E>, board: Board, limits: &'a Limits) -> Self {
        let mut worker = Worker::new(shared);
        let state = shared.evaluator.root(board);
        let mut moves = candidates(board, board.legal_moves());
        worker.order(board, &state, &mut moves, Ordering::STATIC, WORST);
        moves.sort_by_key(|candidate| -candidate.key);
        let n_lines = limits.lines.clamp(1, moves.len());
        let values = moves.iter().take(n_lines).map(|m| m.key).collect();
        Self {
            worker,
            board,
            limits,
            state,
            moves: moves.into_iter().collect(),
            values,
        }
    }

    /// What is known before any search: the move that evaluates best.
    fn first_report(&mut self) -> Report {
        let line = Line {
            score: self.values[0],
            bound: Bound::Exact,
            moves: vec![Move::Place(self.moves[0].square)],
        };
        self.make_report(Step { depth: 0, level: 0 }, vec![line], false, 0)
    }

    /// Works a step off; the lines' values, or nothing if it was cut short.
    fn run(&mut self, step: Step) -> Option<Vec<i32>> {
        self.worker.level = step.level;
        let mut values = Vec::new();
        for line in 0..self.values.len() {
            let (at, value) = self.line(step, line)?;
            // The line's move takes its place; the others keep their order.
            self.moves[line..=at].rotate_right(1);
            values.push(value);
        }
        self.values.clone_from(&values);
        Some(values)
    }

    /// The best of the moves from `line` on: where it is and its value.
    fn line(&mut self, step: Step, line: usize) -> Option<(usize, i32)> {
        let to_the_end = step.depth >= self.board.empties().len();
        if to_the_end && self.limits.goal == Goal::WinLossDraw {
            return self.window(step, line, -1, 1);
        }
        if step.depth < 4 && !to_the_end {
            return self.window(step, line, WORST, BEST);
        }
        // Final scores are even: a window from one odd number to the next holds one of them.
        let (guess, mut width) = if to_the_end {
            (200 * (self.values[line] as f32 / 200.0).round() as i32, 100)
        } else {
            (self.values[line], self.limits.half_window())
        };
        let (mut alpha, mut beta) = (guess - width, guess + width);
        for _ in 0..MAX_WINDOWS {
            let (at, value) = self.window(step, line, alpha.max(WORST), beta.min(BEST))?;
            width *= 2;
            if value <= alpha && alpha > WORST {
                beta = value + 1;
                alpha = value - width;
            } else if value >= beta && beta < BEST {
                alpha = value - 1;
                beta = value + width;
                // The move that was too good is searched first again.
                self.moves[line..=at].rotate_right(1);
            } else {
                return Some((at, value));
            }
        }
        // Selective searches of different windows may contradict each other for ever.
        self.window(step, line, WORST, BEST)
    }

    /// Principal variation search over the root moves from `line` on.
    fn window(&mut self, step: Step, line: usize, alpha: i32, beta: i32) -> Option<(usize, i32)> {
        let mut found = Found {
            best: i32::MIN,
            square: None,
            alpha,
        };
        let depth = step.depth - 1;
        let to_the_end = step.depth >= self.board.empties().len();
        for (i, child) in self.moves[line..].iter().enumerate() {
            let value = self
                .worker
                .child_value(&self.state, child, depth, found, beta);
            if self.worker.aborted {
                return None;
            }
            if found.take(child.square, value, beta) {
                break;
            }
            let rest = &self.moves[line + i + 1..];
            let splits = &self.worker.shared.splits;
            if split::pays(step.depth, to_the_end, rest.len()) && splits.are_wanted(None) {
                let mut candidates = Candidates::new();
                for (order, child) in rest.iter().enumerate() {
                    let mut child = *child;
                    child.key = -(order as i32);
                    candidates.push(child);
                }
                found = split::search_rest(
                    &mut self.worker,
                    &self.state,
                    candidates,
                    depth,
                    Reductions::NONE,
                    found,
                    beta,
                );
                if self.worker.aborted {
                    return None;
                }
                break;
            }
        }
        let at = self
            .moves
            .iter()
            .position(|child| Some(child.square) == found.square)?;
        Some((at, found.best))
    }

    fn report(&mut self, step: Step, values: &[i32], time_ms: u64) -> Report {
        let to_the_end = step.depth >= self.board.empties().len();
        let goal = self.limits.goal;
        let bound = |value: i32| match (to_the_end, goal) {
            (true, Goal::WinLossDraw) if value > 0 => Bound::Lower,
            (true, Goal::WinLossDraw) if value < 0 => Bound::Upper,
            _ => Bound::Exact,
        };
        let solved = to_the_end && step.level == EXACT_LEVEL;
        let mut lines: Vec<Line> = values
            .iter()
            .enumerate()
            .map(|(i, &value)| Line {
                score: value,
                bound: bound(value),
                moves: self.variation(
                    i,
                    Some(value).filter(|_| solved && bound(value) == Bound::Exact),
                ),
            })
            .collect();
        // Selective searches of several lines may disagree by a little about their order. The
        // better score is the better move for every reader of the report.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        self.make_report(step, lines, solved, time_ms)
    }

    fn make_report(&self, step: Step, lines: Vec<Line>, solved: bool, time_ms: u64) -> Report {
        Report {
            score: lines.first().map_or(0, |line| line.score),
            bound: lines.first().map_or(Bound::Exact, |line| line.bound),
            lines,
            depth: step.depth,
            selectivity: Selectivity::new(step.level).unwrap_or(Selectivity::EXACT),
            solved,
            nodes: self.worker.shared.nodes_so_far() + self.worker.unpolled_nodes(),
            time_ms,
            table: self.worker.shared.stats(),
        }
    }

    fn finish(mut self, mut report: Report, time_ms: u64) -> Report {
        self.worker.poll();
        let shared = self.worker.shared;
        self.worker.retire();
        report.nodes = shared.nodes_so_far();
        report.time_ms = time_ms;
        report.table = shared.stats();
        report
    }

    /// A root move and the best play after it, as the table remembers it; if `proven` is the
    /// line's exact score, the last moves are worked out.
    fn variation(&mut self, line: usize, proven: Option<i32>) -> Vec<Move> {
        let first = &self.moves[line];
        let mut moves = vec![Move::Place(first.square)];
        let mut board = first.board;
        let mut score = proven.map(|score| -score / 100);
        while let Some(action) = self.next_of_variation(board, score) {
            moves.push(action);
            score = score.map(|score| -score);
            board = match action {
                Move::Place(square) => board.play_unchecked(square, board.flips(square)),
                Move::Pass => board.swapped(),
            };
        }
        moves
    }

    fn next_of_variation(&mut self, board: Board, score: Option<i32>) -> Option<Move> {
        let legal = board.legal_moves();
        if legal.is_empty() {
            let is_over = board.swapped().legal_moves().is_empty();
            return (!is_over).then_some(Move::Pass);
        }
        if let Some(score) = score
            && board.empties().len() < SOLVE_AT_ONCE
        {
            let square = self.worker.shallow.move_reaching(board, score)?;
            return Some(Move::Place(square));
        }
        let entry = self.worker.shared.table.probe(hash_of(board))?;
        let square = entry.moves[0].filter(|&square| legal.contains(square))?;
        Some(Move::Place(square))
    }
}

impl<E: Evaluator> Shared<'_, E> {
    fn stats(&self) -> crate::analysis::TableStats {
        let mut stats = *self
            .table_stats
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        stats.fill_permille = self.table.fill_permille();
        stats
    }
}
