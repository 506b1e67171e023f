//! The root: iterative deepening in depth, then in selectivity, several lines on request.

use super::{
    EXACT_LEVEL, Shared, Worker,
    lazy::Task,
    moves::{Candidate, Candidates, Ordering, candidates},
    split,
    tree::{BEST, Found, WORST},
};
use crate::{
    analysis::{Bound, Line, Report},
    endgame::hope::Hope,
    eval::Evaluator,
    limits::{Goal, Limits, Selectivity},
    table::hash_of,
};
use othello::{Board, Move, Square};
use std::collections::VecDeque;

/// How a search comes to the end of the game, by what counts.
#[derive(Debug, Clone, Copy)]
struct Approach {
    /// A search to the end begins once the midgame search has come so near to it.
    gap: u32,
    /// The levels at which it is done before the one that is asked for.
    rungs: &'static [u8],
}

impl Approach {
    /// To prove a score soonest. With few squares left most of the ladder costs more than it saves:
    /// with 20, three rungs in all take 8 % fewer nodes than six (48 positions of our own) and with 23
    /// as many.
    const fn to_a_proof(n_empties: u32) -> Self {
        let rungs: &[u8] = match n_empties {
            0..20 => &[1],
            20..22 => &[1, 3],
            _ => &[0, 1, 2, 3, 4],
        };
        Self { gap: 10, rungs }
    }

    /// To have the best move whenever a limit ends the search. What a search to the end finds that
    /// guesses more than the midgame search before it is worth less than another few plies of that: 6
    /// in place of 10 made 53.9 % ± 1.6 of 600 pairs at 20,000 nodes a move and 54.7 % ± 3.2 of 150 at
    /// 200,000 (8 53.1 %, 4 and 2 as 6), and no bold rungs 51.1 % ± 0.8 of 400 and 52.0 % ± 3.7 of 100.
    /// A proof takes up to 9 % more nodes this way, and with less than 20 squares a quarter more time.
    const fn under_a_limit(n_empties: u32) -> Self {
        let rungs: &[u8] = match n_empties {
            0..20 => &[],
            _ => &[3, 4],
        };
        Self { gap: 6, rungs }
    }
}

/// With so few squares left the game is solved at once.
pub(super) const SOLVE_AT_ONCE: u32 = 12;

/// Reports that are replaced within a millisecond or two are not worth completing their lines.
const COMPLETE_FROM: u64 = 20_000;

/// After so many windows that missed, the next one is open on both sides.
const MAX_WINDOWS: usize = 8;

/// One piece of work: to a depth at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) depth: u32,
    pub(super) level: u8,
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
    let is_limited = limits.nodes.is_some() || limits.time_ms.is_some();
    let approach = if is_limited {
        Approach::under_a_limit(n_empties)
    } else {
        Approach::to_a_proof(n_empties)
    };
    let deepest = if to_the_end {
        n_empties - approach.gap
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
        let rungs = approach.rungs.iter().copied();
        let rungs = rungs.filter(|&level| level < last_level);
        steps.extend(rungs.chain([last_level]).map(|level| Step {
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
    let mut finished = None;
    for step in plan(board.empties().len(), limits) {
        if step.depth >= board.empties().len() {
            shared.lazy.end();
        }
        let Some(lines) = root.run(step) else {
            if root.take_unfinished(&mut report) {
                // There is no time left to search for the end of its line.
                root.extend_from_table(&mut report, step);
                finished = None;
            }
            break;
        };
        report = root.report(step, &lines, elapsed_ms());
        finished = Some(step);
        observe(&report);
        if root.worker.aborted {
            break;
        }
    }
    if let Some(step) = finished {
        root.complete(&mut report, step);
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
            cutoffs: 0,
            table: shared.counted().table,
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

pub(super) struct Root<'a, E: Evaluator> {
    pub(super) worker: Worker<'a, E>,
    pub(super) board: Board,
    limits: &'a Limits,
    /// All root moves, best first as of the last finished step.
    moves: Vec<Candidate>,
    state: E::State,
    /// The last finished step's value of each line.
    values: Vec<i32>,
    /// The best move so far of the step under way, with the least that it is worth.
    ahead: Option<(Square, i32)>,
}

impl<'a, E: Evaluator> Root<'a, E> {
    pub(super) fn new(shared: &'a Shared<'a, E>, board: Board, limits: &'a Limits) -> Self {
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
            ahead: None,
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
        self.ahead = None;
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

    /// Searches a window beside the first thread: the best move and its value, or nothing if it was
    /// cut short.
    pub(super) fn run_beside(&mut self, turn: u32, task: &Task) -> Option<(Square, i32)> {
        self.worker.beside = turn;
        self.worker.aborted = false;
        self.worker.level = task.step.level;
        self.moves.clone_from(&task.moves);
        let (at, value) = self.window(task.step, 0, task.alpha, task.beta)?;
        Some((self.moves[at].square, value))
    }

    pub(super) fn retire(self) {
        self.worker.retire();
    }

    /// The best of the moves from `line` on: where it is and its value.
    fn line(&mut self, step: Step, line: usize) -> Option<(usize, i32)> {
        let to_the_end = step.depth >= self.board.empties().len();
        if to_the_end && self.limits.goal == Goal::WinLossDraw {
            return self.lead_window(step, line, -1, 1);
        }
        if step.depth < 4 && !to_the_end {
            return self.lead_window(step, line, WORST, BEST);
        }
        // Final scores are even: a window from one odd number to the next holds one of them.
        let (guess, mut width) = if to_the_end {
            (200 * (self.values[line] as f32 / 200.0).round() as i32, 100)
        } else {
            (self.values[line], self.limits.half_window())
        };
        let (mut alpha, mut beta) = (guess - width, guess + width);
        for _ in 0..MAX_WINDOWS {
            let (at, value) = self.lead_window(step, line, alpha.max(WORST), beta.min(BEST))?;
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
        self.lead_window(step, line, WORST, BEST)
    }

    /// The same within a window, for this thread and those beside it.
    fn lead_window(
        &mut self,
        step: Step,
        line: usize,
        alpha: i32,
        beta: i32,
    ) -> Option<(usize, i32)> {
        let shared = self.worker.shared;
        let turn = shared.lazy.begin_window(step.depth, || Task {
            step,
            alpha,
            beta,
            moves: self.moves[line..].to_vec(),
        });
        let Some(turn) = turn else {
            return self.window(step, line, alpha, beta);
        };
        self.worker.beside = turn;
        let own = self.window(step, line, alpha, beta);
        self.worker.beside = u32::MAX;
        let found = shared.lazy.end_window(turn);
        if own.is_some() {
            return own;
        }
        let (square, value) = found?;
        self.worker.aborted = false;
        self.worker.look();
        if self.worker.aborted {
            return None;
        }
        if value > alpha {
            self.ahead = Some((square, value));
        }
        Some((self.place_of(square)?, value))
    }

    fn place_of(&self, square: Square) -> Option<usize> {
        self.moves.iter().position(|child| child.square == square)
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
        let shared = self.worker.shared;
        let mut rest: VecDeque<Candidate> = self.moves[line..].iter().copied().collect();
        // A move that another thread is searching is put off once.
        let mut n_fresh = if shared.lazy.is_on() { rest.len() } else { 0 };
        while let Some(child) = rest.pop_front() {
            let mut busy = None;
            if n_fresh > 0 {
                n_fresh -= 1;
                busy = shared.lazy.begin(hash_of(child.board), step.depth);
                if busy.is_none() && found.square.is_some() {
                    rest.push_back(child);
                    continue;
                }
            }
            self.worker.hope = Hope::Refutes;
            let value = self
                .worker
                .child_value(&self.state, &child, depth, found, beta);
            drop(busy);
            if self.worker.aborted {
                return None;
            }
            let refutes = found.take(child.square, value, beta);
            self.ahead = found.above(alpha).or(self.ahead);
            if refutes {
                break;
            }
            if split::pays(step.depth, to_the_end, rest.len()) && shared.splits.are_wanted(None) {
                let mut candidates = Candidates::new();
                for (order, mut child) in rest.drain(..).enumerate() {
                    child.key = -(order as i32);
                    candidates.push(child);
                }
                found = split::search_rest(
                    &mut self.worker,
                    &self.state,
                    candidates,
                    depth,
                    found,
                    beta,
                );
                self.ahead = found.above(alpha).or(self.ahead);
                if self.worker.aborted {
                    return None;
                }
                break;
            }
        }
        Some((self.place_of(found.square?)?, found.best))
    }

    /// A step that was cut short has searched the best move of the step before it first. If it
    /// found a better one by then, that one is played. The rest of the report stays that of the
    /// finished step; with several lines nothing is known about the others. Says whether it did.
    fn take_unfinished(&self, report: &mut Report) -> bool {
        let (Some((square, value)), [line]) = (self.ahead, report.lines.as_mut_slice()) else {
            return false;
        };
        if line.moves.first() == Some(&Move::Place(square)) {
            return false;
        }
        *line = Line {
            score: value,
            bound: Bound::Lower,
            moves: vec![Move::Place(square)],
        };
        (report.score, report.bound) = (line.score, line.bound);
        report.solved = false;
        true
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
            .zip(&self.moves)
            .map(|(&value, first)| Line {
                score: value,
                bound: bound(value),
                moves: vec![Move::Place(first.square)],
            })
            .collect();
        // Selective searches of several lines may disagree by a little about their order. The
        // better score is the better move for every reader of the report.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let mut report = self.make_report(step, lines, solved, time_ms);
        if report.nodes >= COMPLETE_FROM {
            self.complete(&mut report, step);
        } else {
            self.extend_from_table(&mut report, step);
        }
        report
    }

    fn make_report(&mut self, step: Step, lines: Vec<Line>, solved: bool, time_ms: u64) -> Report {
        self.worker.flush();
        let shared = self.worker.shared;
        let counts = shared.counted();
        Report {
            score: lines.first().map_or(0, |line| line.score),
            bound: lines.first().map_or(Bound::Exact, |line| line.bound),
            lines,
            depth: step.depth,
            selectivity: Selectivity::new(step.level).unwrap_or(Selectivity::EXACT),
            solved,
            nodes: shared.nodes_so_far(),
            time_ms,
            cutoffs: counts.cutoffs,
            table: counts.table,
        }
    }

    fn finish(self, mut report: Report, time_ms: u64) -> Report {
        let shared = self.worker.shared;
        self.worker.retire();
        let counts = shared.counted();
        report.nodes = shared.nodes_so_far();
        report.time_ms = time_ms;
        report.cutoffs = counts.cutoffs;
        report.table = counts.table;
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(n_empties: u32, limits: &Limits) -> Vec<(u32, u8)> {
        let steps = plan(n_empties, limits);
        steps.iter().map(|step| (step.depth, step.level)).collect()
    }

    /// Whoever waits for the proof gets it soonest with bold rungs; whoever may be stopped gets no
    /// move from a search that guesses more than the one before it.
    #[test]
    fn a_search_under_a_limit_never_guesses_more_than_before() {
        let midgame = Selectivity::MIDGAME.index();
        let limits = |nodes, time_ms| Limits {
            nodes,
            time_ms,
            ..Limits::default()
        };
        for n_empties in SOLVE_AT_ONCE + 1..=60 {
            for limits in [limits(Some(1000), None), limits(None, Some(1000))] {
                let steps = steps(n_empties, &limits);
                assert!(steps.is_sorted(), "{n_empties}: {steps:?}");
                assert!(steps.iter().all(|&(_, level)| level >= midgame));
                let n_midgame = steps.iter().filter(|(depth, _)| *depth < n_empties).count();
                assert_eq!(n_midgame, n_empties as usize - 6, "{n_empties}: {steps:?}");
                assert_eq!(steps.last(), Some(&(n_empties, EXACT_LEVEL)));
            }
        }
        let proof = steps(30, &limits(None, None));
        assert_eq!(proof.len(), 20 + 6);
        assert_eq!(proof[19..21], [(20, midgame), (30, 0)]);
    }
}
