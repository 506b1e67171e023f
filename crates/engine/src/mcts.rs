//! Monte Carlo tree search with UCT: another way to choose a move, behind the same limits and
//! reports as the alpha-beta search.
//!
//! Kocsis, Szepesvári, *Bandit based Monte-Carlo Planning* (2006). Each round walks down the tree
//! by upper confidence bounds, adds the leaf's moves, plays the game out with a greedy policy and
//! carries the result back up. The most visited move is the best.

use crate::{Bound, Control, Limits, Line, Report, Selectivity, TableStats};
use othello::{Bitboard, Board, Move, Square, SquareKind, sample::SplitMix64};
use std::sync::atomic::Ordering;

/// Without a limit of nodes or time a search ends after so many playouts.
pub const DEFAULT_PLAYOUTS: u64 = 100_000;

/// Playouts between two looks at the clock and the stop flag: about 0.2 ms.
const POLL_INTERVAL: u64 = 16;

/// The observer is told after so many playouts, then each time their number has doubled.
const FIRST_REPORT: u64 = 1024;

/// How a search explores. Everything it does follows from these numbers and its input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mcts {
    /// The `c` of the confidence bound: higher tries more moves, lower looks deeper.
    pub exploration: f64,
    /// Where the chance in playouts comes from.
    pub seed: u64,
    /// The tree grows to at most so many nodes of 48 bytes, or as far as there is memory; after
    /// that playouts start at the leaves that are there.
    pub max_tree_nodes: usize,
}

impl Default for Mcts {
    fn default() -> Self {
        Self {
            exploration: 1.4,
            seed: 0,
            max_tree_nodes: 1 << 20,
        }
    }
}

impl Mcts {
    /// Searches a position until a limit is met or the stop flag is set.
    ///
    /// Of the limits, `nodes` counts playouts, `time_ms` is the time, `depth` bounds how deep the
    /// tree may grow, and `lines` says how many moves are reported; the others speak of alpha-beta
    /// and mean nothing here. Scores are the mean final result of the playouts through a move:
    /// honest averages, a good deal closer to zero than best play would be.
    pub fn search(&self, board: Board, limits: &Limits, control: Control<'_>) -> Report {
        let Control {
            now_ms,
            stop,
            observe,
        } = control;
        let start_ms = now_ms();
        let elapsed_ms = || now_ms().saturating_sub(start_ms);
        let most_playouts = limits.nodes.unwrap_or(match limits.time_ms {
            Some(_) => u64::MAX,
            None => DEFAULT_PLAYOUTS,
        });
        let is_out_of_time = || limits.time_ms.is_some_and(|limit| elapsed_ms() >= limit);

        let mut tree = Tree::new(self, board, limits.depth.unwrap_or(u32::MAX));
        let mut next_report = FIRST_REPORT;
        let mut playouts = 0;
        if !board.is_game_over() {
            while playouts < most_playouts {
                if playouts.is_multiple_of(POLL_INTERVAL)
                    && (stop.load(Ordering::Relaxed) || is_out_of_time())
                {
                    break;
                }
                tree.playout();
                playouts += 1;
                if playouts == next_report {
                    observe(&tree.report(limits.lines, playouts, elapsed_ms()));
                    next_report *= 2;
                }
            }
        }
        let report = tree.report(limits.lines, playouts, elapsed_ms());
        observe(&report);
        report
    }
}

/// A position of the tree. Sums are those of the side that moved here, which is the one that
/// chooses among its siblings.
#[derive(Debug, Clone)]
struct Node {
    /// Seen by the side to move.
    board: Board,
    /// What led here; the root's means nothing.
    action: Move,
    /// How many children there are; 0 is a leaf or the end of a game.
    n_children: u8,
    /// Whether neither side can move.
    is_over: bool,
    /// Where in the arena the children begin.
    first_child: u32,
    visits: u32,
    /// Sum of rewards, each from 0 (lost) to 1 (won).
    reward: f64,
    /// Sum of final disc differences.
    discs: i64,
}

const _: () = assert!(size_of::<Node>() == 48, "the documentation says so");

impl Node {
    fn new(board: Board, action: Move) -> Self {
        Self {
            board,
            action,
            n_children: 0,
            is_over: board.is_game_over(),
            first_child: 0,
            visits: 0,
            reward: 0.0,
            discs: 0,
        }
    }

    /// The mean reward; a draw for what was never tried.
    fn mean_reward(&self) -> f64 {
        if self.visits == 0 {
            0.5
        } else {
            self.reward / f64::from(self.visits)
        }
    }

    /// The mean final result in centidiscs; a draw for what was never tried.
    fn score(&self) -> i32 {
        if self.visits == 0 {
            0
        } else {
            (100 * self.discs / i64::from(self.visits)) as i32
        }
    }
}

/// All nodes in one vector, siblings together, connected by indices.
struct Tree<'a> {
    settings: &'a Mcts,
    nodes: Vec<Node>,
    random: SplitMix64,
    max_depth: u32,
    /// The nodes of the current round from the root down; kept to reuse its memory.
    path: Vec<u32>,
}

const ROOT: u32 = 0;

/// No position has more.
const MOST_MOVES: usize = 64;

impl<'a> Tree<'a> {
    fn new(settings: &'a Mcts, board: Board, max_depth: u32) -> Self {
        let mut tree = Self {
            settings,
            nodes: vec![Node::new(board, Move::Pass)],
            random: SplitMix64::new(settings.seed),
            max_depth,
            path: Vec::with_capacity(128),
        };
        // Always, whatever the limits: a report needs its moves.
        tree.expand(ROOT);
        tree
    }

    fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    fn children(&self, at: u32) -> std::ops::Range<u32> {
        let node = self.node(at);
        node.first_child..node.first_child + u32::from(node.n_children)
    }

    /// One round: selection, expansion, playout, and the way back.
    fn playout(&mut self) {
        // Step 1. Down to a leaf by the confidence bound.
        let mut at = ROOT;
        self.path.clear();
        self.path.push(at);
        while self.node(at).n_children > 0 {
            at = self.select(at);
            self.path.push(at);
        }
        // Step 2. A leaf that was met before gets its children; the best of them goes on.
        let depth = self.path.len() as u32 - 1;
        if self.node(at).visits > 0 && depth < self.max_depth && self.has_room_for(MOST_MOVES) {
            self.expand(at);
            if self.node(at).n_children > 0 {
                at = self.node(at).first_child;
                self.path.push(at);
            }
        }
        // Step 3. To the end of the game.
        let mut discs = play_out(self.node(at).board, &mut self.random);
        // Step 4. Back up: the result is the side to move's, sums are its opponent's, and each
        // step changes sides, passes included.
        for &at in self.path.iter().rev() {
            discs = -discs;
            let node = &mut self.nodes[at as usize];
            node.visits = node.visits.saturating_add(1);
            node.reward += reward(discs);
            node.discs += i64::from(discs);
        }
    }

    /// The child with the highest upper bound: `Q + c * sqrt(ln N / (n + 1))`.
    fn select(&self, at: u32) -> u32 {
        let log_visits = f64::from(self.node(at).visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, at);
        for child in self.children(at) {
            let node = self.node(child);
            let doubt = (log_visits / (f64::from(node.visits) + 1.0)).sqrt();
            let bound = node.mean_reward() + self.settings.exploration * doubt;
            // Of equals the first: children stand in the order of the playout policy.
            if bound > best.0 {
                best = (bound, child);
            }
        }
        best.1
    }

    /// Whether so many more nodes fit into the limit and into the memory; makes room for them.
    fn has_room_for(&mut self, n: usize) -> bool {
        // Indices are of 32 bits.
        let limit = self.settings.max_tree_nodes.min(u32::MAX as usize);
        n <= limit.saturating_sub(self.nodes.len()) && self.nodes.try_reserve(n).is_ok()
    }

    /// Adds the moves of a leaf, most promising first; nothing if its game is over.
    fn expand(&mut self, at: u32) {
        let node = self.node(at);
        if node.is_over {
            return;
        }
        let board = node.board;
        let first_child = self.nodes.len();
        let legal = board.legal_moves();
        if legal.is_empty() {
            self.nodes.push(Node::new(board.swapped(), Move::Pass));
        }
        for square in legal {
            let next = board.play_unchecked(square, board.flips(square));
            self.nodes.push(Node::new(next, Move::Place(square)));
        }
        self.nodes[first_child..].sort_by_key(|child| {
            let promise = |square| promise(board, square, child.board);
            std::cmp::Reverse(child.action.square().map_or(0, promise))
        });
        let n_children = self.nodes.len() - first_child;
        let node = &mut self.nodes[at as usize];
        node.first_child = first_child as u32;
        node.n_children = n_children as u8;
    }

    /// Children by visits, most first; of equals the more promising.
    fn ranked(&self, at: u32) -> Vec<u32> {
        let mut ranked: Vec<u32> = self.children(at).collect();
        ranked.sort_by_key(|&child| std::cmp::Reverse(self.node(child).visits));
        ranked
    }

    fn report(&self, n_lines: usize, playouts: u64, time_ms: u64) -> Report {
        let root = self.node(ROOT);
        let lines: Vec<Line> = self
            .ranked(ROOT)
            .into_iter()
            .take(n_lines.max(1))
            .map(|child| Line {
                score: self.node(child).score(),
                bound: Bound::Exact,
                moves: self.variation(child),
            })
            .collect();
        let score = match lines.first() {
            Some(best) => best.score,
            None => 100 * root.board.final_score(),
        };
        let empties = root.board.empties().len();
        Report {
            score,
            bound: Bound::Exact,
            depth: match lines.first() {
                // An estimate never counts as searched to the end.
                Some(best) => (best.moves.len() as u32).min(empties.saturating_sub(1)),
                None => empties,
            },
            selectivity: if root.is_over {
                Selectivity::EXACT
            } else {
                Selectivity::FASTEST
            },
            solved: root.is_over,
            lines,
            nodes: playouts,
            time_ms,
            cutoffs: 0,
            table: TableStats::default(),
        }
    }

    /// A root move and the most visited moves after it.
    fn variation(&self, child: u32) -> Vec<Move> {
        let mut moves = vec![self.node(child).action];
        let mut at = child;
        while let Some(&next) = self.ranked(at).first() {
            if self.node(next).visits == 0 {
                break;
            }
            moves.push(self.node(next).action);
            at = next;
        }
        moves
    }
}

/// 0 for a lost game to 1 for a won one, by the final disc difference. Most of it is the result;
/// a tenth either way is its size, so that a won game is still won high and a lost one low.
fn reward(discs: i32) -> f64 {
    0.5 + 0.4 * f64::from(discs.signum()) + 0.1 * f64::from(discs) / 64.0
}

/// Plays to the end: the final score of the side to move. Mostly the most promising move, with
/// enough chance that no two playouts need be the same.
fn play_out(mut board: Board, random: &mut SplitMix64) -> i32 {
    /// How far chance may lift a move above its promise.
    const JITTER: u32 = 6;
    let mut sign = 1;
    loop {
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return sign * board.final_score();
            }
            board = passed;
        } else {
            let mut best = (i32::MIN, board);
            for square in legal {
                let next = board.play_unchecked(square, board.flips(square));
                let key = promise(board, square, next) + random.below(JITTER) as i32;
                if key > best.0 {
                    best = (key, next);
                }
            }
            board = best.1;
        }
        sign = -sign;
    }
}

/// How good a move looks at a glance, in replies that it leaves: few replies are good, corners
/// better, squares next to an empty corner bad.
#[inline]
fn promise(board: Board, square: Square, next: Board) -> i32 {
    if next.mover().is_empty() {
        return 100; // Nothing is left of the opponent.
    }
    let place = match square.kind() {
        SquareKind::Corner => 12,
        SquareKind::X | SquareKind::C if !board.empties().contains(square.nearest_corner()) => 0,
        SquareKind::X => -8,
        SquareKind::C => -4,
        SquareKind::Edge | SquareKind::Inner => 0,
    };
    let replies = next.legal_moves();
    place - (replies.len() + 2 * (replies & Bitboard::CORNERS).len()) as i32
}

#[cfg(test)]
mod tests;
