//! Five to twelve empty squares: no evaluation, no shared table.

use super::last::{self, ODD_SQUARES, Parity, quadrant};
use crate::stability;
use othello::{
    Bitboard, Board, Square,
    tier::{Child, Children, Kernels, Tier},
};

/// Below this moves are tried in parity order as they come; from here on they are sorted. Sorting
/// from 6 instead of 7 on saves an eighth of the nodes and about 3 % of the time; from 5 on another
/// tenth of the nodes, but costs 5 % more time (FFO 40–44, 50 tournament positions, 20 empties).
pub(crate) const SORTED_FROM: u32 = 6;

/// From so many empty squares on the cache is asked about every child before any is searched. With
/// [`crate::search::tree::SHALLOW_UP_TO`] at 12 it saves 6 % of the nodes and 11 % of the time; from
/// 9 on 4 % and 8 %, from 7 on the nodes are fewer and the time is more (positions of our own, 20
/// empties).
const ENHANCED_FROM: u32 = 8;

/// What this layer keeps between calls: a count and a cache of bounds, one per thread.
#[derive(Debug)]
pub(crate) struct Shallow {
    pub(crate) nodes: u64,
    /// Where [`Shallow::solve_within`] gives up, as a number of nodes.
    stop_at: u64,
    cache: Box<[Cached]>,
    /// Entries of another generation are forgotten.
    generation: u32,
    tier: Tier,
}

/// A position with bounds of its exact score.
#[derive(Debug, Clone, Copy)]
struct Cached {
    board: Board,
    generation: u32,
    lower: i8,
    upper: i8,
    best: Option<Square>,
}

/// Half as many entries cost 3 % more nodes and no time: the memory is nearer.
const CACHE_BITS: u32 = 15;

impl Shallow {
    /// With the kernels that the program uses.
    pub(crate) fn new() -> Self {
        Self::with(Tier::current())
    }

    fn with(tier: Tier) -> Self {
        let vacant = Cached {
            board: Board::new_unchecked(Bitboard::ALL, Bitboard::EMPTY),
            generation: 0,
            lower: -64,
            upper: 64,
            best: None,
        };
        Self {
            nodes: 0,
            stop_at: u64::MAX,
            cache: vec![vacant; 1 << CACHE_BITS].into_boxed_slice(),
            generation: 1,
            tier,
        }
    }

    /// Forgets all bounds, so that node counts do not depend on earlier searches.
    pub(crate) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// The exact score if it lies inside the window, otherwise a bound on its side of it.
    pub(crate) fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        self.bisect::<false>(board, alpha, beta)
    }

    /// The same with about so many nodes at most; nothing if they were not enough. Nodes are looked
    /// at from five empty squares on, so that it takes some forty more at worst.
    pub(crate) fn solve_within(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        nodes: u64,
    ) -> Option<i32> {
        self.stop_at = self.nodes.saturating_add(nodes);
        let score = self.bisect::<true>(board, alpha, beta);
        (!self.must_stop::<true>()).then_some(score)
    }

    /// Whether the nodes of a limited call are used up. Without a limit the question costs nothing.
    #[inline(always)]
    const fn must_stop<const LIMITED: bool>(&self) -> bool {
        LIMITED && self.nodes >= self.stop_at
    }

    fn bisect<const LIMITED: bool>(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        // Null windows halve what is left; nearly all callers have one to begin with.
        let (mut lower, mut upper) = (-64, 64);
        loop {
            let (low, high) = (lower.max(alpha), upper.min(beta));
            if low >= high || self.must_stop::<LIMITED>() {
                return if lower >= beta { lower } else { upper };
            }
            let middle = (low + high - 1).div_euclid(2);
            let score = self.is_above::<LIMITED>(board, middle);
            if score > middle {
                lower = score;
            } else {
                upper = score;
            }
        }
    }

    /// Whether the score is greater than `alpha`, as a bound on that side of it.
    fn is_above<const LIMITED: bool>(&mut self, board: Board, alpha: i32) -> i32 {
        let empties = board.empties();
        let n = empties.len();
        with_kernels!(self.tier, |kernels| {
            if n <= 4 {
                return last::solve(kernels, &mut self.nodes, board, alpha);
            }
            let parity = last::parity_of(empties);
            let legal = board.legal_moves();
            let known = Known { parity, legal };
            Solver::<_, LIMITED>(kernels).child(self, board, Ask { alpha, n }, known)
        })
    }

    /// A child whose remembered bound is already better than `alpha`, and the score that it proves.
    #[inline(always)]
    fn known_refutation(&self, children: &Children, alpha: i32) -> Option<(i32, Option<Square>)> {
        children.as_slice().iter().find_map(|child| {
            let cached = &self.cache[cache_slot(child.board())];
            let score = -i32::from(cached.upper);
            let is_known = cached.board == child.board() && cached.generation == self.generation;
            (is_known && score > alpha).then_some((score, Some(child.square())))
        })
    }

    /// A move that reaches `score`, the exact score of the board; `None` if there is none.
    pub(crate) fn move_reaching(&mut self, board: Board, score: i32) -> Option<Square> {
        board.legal_moves().into_iter().find(|&square| {
            let next = board.play_unchecked(square, board.flips(square));
            -self.is_above::<false>(next, -score) >= score
        })
    }
}

/// What is asked about a board.
#[derive(Debug, Clone, Copy)]
struct Ask {
    /// Whether the score is greater than this.
    alpha: i32,
    /// Empty squares of the board.
    n: u32,
}

impl Ask {
    /// The same question about a child.
    #[inline(always)]
    const fn of_child(self) -> Self {
        Self {
            alpha: -self.alpha - 1,
            n: self.n - 1,
        }
    }

    /// The same question after a pass.
    #[inline(always)]
    const fn passed(self) -> Self {
        Self {
            alpha: -self.alpha - 1,
            n: self.n,
        }
    }
}

/// What a caller knows about a board besides its discs.
#[derive(Debug, Clone, Copy)]
struct Known {
    parity: Parity,
    legal: Bitboard,
}

/// The layers as one tier of processors runs them.
#[derive(Clone, Copy)]
struct Solver<K, const LIMITED: bool>(K);

impl<K: Kernels, const LIMITED: bool> Solver<K, LIMITED> {
    #[inline(always)]
    fn child(self, cache: &mut Shallow, board: Board, ask: Ask, known: Known) -> i32 {
        let Self(kernels) = self;
        if ask.n == 4 {
            last::solve_4(kernels, &mut cache.nodes, board, ask.alpha, known.parity)
        } else if ask.n < SORTED_FROM {
            kernels.enter(Self::by_parity, cache, board, ask, (self, known))
        } else {
            kernels.enter(Self::sorted, cache, board, ask, (self, known))
        }
    }

    /// Five empty squares: odd quadrants first, corners first in each half.
    #[inline(always)]
    fn by_parity(cache: &mut Shallow, board: Board, ask: Ask, (this, known): (Self, Known)) -> i32 {
        cache.nodes += 1;
        let Ask { alpha, n } = ask;
        if let Some(score) = stability::cutoff(board, alpha, n) {
            return score;
        }
        let Known { parity, legal } = known;
        if legal.is_empty() {
            return this.pass(cache, board, ask, parity);
        }
        let odd = Bitboard(ODD_SQUARES[(parity & 15) as usize]);
        let mut best = i32::MIN;
        for group in [
            legal & odd & Bitboard::CORNERS,
            (legal & odd) - Bitboard::CORNERS,
            (legal - odd) & Bitboard::CORNERS,
            legal - odd - Bitboard::CORNERS,
        ] {
            for square in group {
                let next = board.play_unchecked(square, this.0.flips(board, square));
                let known = Known {
                    parity: parity ^ quadrant(square),
                    // The last four squares have no use for it.
                    legal: Bitboard::EMPTY,
                };
                best = best.max(-this.child(cache, next, ask.of_child(), known));
                if best > alpha || cache.must_stop::<LIMITED>() {
                    return best;
                }
            }
        }
        best
    }

    /// A board without a legal move.
    #[inline(always)]
    fn pass(self, cache: &mut Shallow, board: Board, ask: Ask, parity: Parity) -> i32 {
        let passed = board.swapped();
        let legal = self.0.legal_moves(passed);
        if legal.is_empty() {
            return board.final_score();
        }
        -self.child(cache, passed, ask.passed(), Known { parity, legal })
    }

    /// Six and more: the reply count orders the moves, and bounds are remembered.
    #[inline(always)]
    fn sorted(cache: &mut Shallow, board: Board, ask: Ask, (this, known): (Self, Known)) -> i32 {
        cache.nodes += 1;
        let Ask { alpha, n } = ask;
        if cache.must_stop::<LIMITED>() {
            return alpha;
        }
        if let Some(score) = stability::cutoff(board, alpha, n) {
            return score;
        }
        let slot = cache_slot(board);
        let cached = cache.cache[slot];
        let mut known_best = None;
        let (mut lower, mut upper) = (-64, 64);
        if cached.board == board && cached.generation == cache.generation {
            (lower, upper) = (i32::from(cached.lower), i32::from(cached.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            known_best = cached.best;
        }
        if known.legal.is_empty() {
            return this.pass(cache, board, ask, known.parity);
        }

        let (best, best_square) = this.best_of(cache, board, ask, known, known_best);
        if cache.must_stop::<LIMITED>() {
            return best;
        }
        if best > alpha {
            lower = lower.max(best);
        } else {
            upper = upper.min(best);
        }
        cache.cache[slot] = Cached {
            board,
            generation: cache.generation,
            lower: lower as i8,
            upper: upper as i8,
            best: best_square,
        };
        best
    }

    /// The best of the legal moves or the first that is good enough, and its score.
    #[inline(always)]
    fn best_of(
        self,
        cache: &mut Shallow,
        board: Board,
        ask: Ask,
        known: Known,
        known_best: Option<Square>,
    ) -> (i32, Option<Square>) {
        let Self(kernels) = self;
        let Known { parity, mut legal } = known;
        let mut best = i32::MIN;
        let mut best_square = None;
        // The move that was best before may spare us ordering the others.
        if let Some(square) = known_best {
            let next = board.play_unchecked(square, kernels.flips(board, square));
            let known = Known {
                parity: parity ^ quadrant(square),
                legal: kernels.legal_moves(next),
            };
            best = -self.child(cache, next, ask.of_child(), known);
            best_square = known_best;
            legal.remove(square);
        }
        if best <= ask.alpha && !cache.must_stop::<LIMITED>() {
            let odd = Bitboard(ODD_SQUARES[(parity & 15) as usize]);
            let children = kernels.children(board, legal);
            if ask.n >= ENHANCED_FROM
                && let Some(refutation) = cache.known_refutation(&children, ask.alpha)
            {
                return refutation;
            }
            let mut order = Order::of(children.as_slice(), odd);
            while let Some(child) = order.take_least(&children) {
                let square = child.square();
                let known = Known {
                    parity: parity ^ quadrant(square),
                    legal: child.replies(),
                };
                let score = -self.child(cache, child.board(), ask.of_child(), known);
                if score > best {
                    best = score;
                    best_square = Some(square);
                }
                if best > ask.alpha || cache.must_stop::<LIMITED>() {
                    break;
                }
            }
        }
        (best, best_square)
    }
}

/// Lower is better: the opponent's replies, corners counted twice, less the mover's discs on
/// corners and next to them on the edges once the corner is his; odd quadrants first.
#[inline(always)]
fn order_key(child: Child, odd: Bitboard) -> u16 {
    let replies = child.replies();
    let freedom = replies.len() + (replies & Bitboard::CORNERS).len();
    let corners = corner_discs(child.board().opponent()).len();
    let parity = if odd.contains(child.square()) { 8 } else { 0 };
    (64 + 16 * freedom - 4 * corners - parity) as u16
}

/// Discs on corners, and those beside a corner of the same side along the edge.
#[inline(always)]
pub(crate) fn corner_discs(discs: Bitboard) -> Bitboard {
    let corners = discs.0 & Bitboard::CORNERS.0;
    let west = corners & Bitboard::FILE_A.0;
    let east = corners ^ west;
    let beside = west << 1 | east >> 1 | corners << 8 | corners >> 8;
    Bitboard(corners | beside & discs.0)
}

#[inline(always)]
fn cache_slot(board: Board) -> usize {
    (crate::table::hash_of(board) >> (64 - CACHE_BITS)) as usize
}

/// The order of one node's children, taken by selection: cut-offs make full sorting a waste.
///
/// A key has the child's place in its low bits, so that the least of all keys, which is one vector
/// operation, names the child as well.
struct Order([u16; Children::MOST]);

impl Order {
    /// A key of no child.
    const TAKEN: u16 = u16::MAX;

    #[inline(always)]
    fn of(children: &[Child], odd: Bitboard) -> Self {
        let mut keys = [Self::TAKEN; Children::MOST];
        for (at, (key, child)) in keys.iter_mut().zip(children).enumerate() {
            *key = order_key(*child, odd) << 4 | at as u16;
        }
        Self(keys)
    }

    #[inline(always)]
    fn take_least(&mut self, children: &Children) -> Option<Child> {
        let least = self.0.iter().fold(Self::TAKEN, |a, &b| a.min(b));
        if least == Self::TAKEN {
            return None;
        }
        let at = usize::from(least) % Children::MOST;
        self.0[at] = Self::TAKEN;
        children.as_slice().get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::negamax;
    use othello::{Symmetry, sample::random_boards};

    #[test]
    fn every_tier_visits_the_same_nodes() {
        let mut solvers: Vec<Shallow> = Tier::available().map(Shallow::with).collect();
        for board in random_boards(32)
            .filter(|b| (5..=10).contains(&b.empties().len()))
            .take(300)
        {
            let found = solvers.iter_mut().map(|shallow| {
                let score = shallow.solve(board, -64, 64);
                (score, shallow.nodes)
            });
            let found: Vec<(i32, u64)> = found.collect();
            assert!(found.iter().all(|f| *f == found[0]), "{board:?} {found:?}");
        }
    }

    #[test]
    fn scores_equal_plain_negamax_in_all_symmetries() {
        let mut shallow = Shallow::new();
        for board in random_boards(31)
            .filter(|b| (5..=8).contains(&b.empties().len()))
            .take(1_000)
        {
            let expected = negamax(board);
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(shallow.solve(image, -64, 64), expected, "{image:?}");
            }
            // A call that was cut short leaves nothing wrong behind.
            for nodes in [1, 10, 100, 1_000_000] {
                let before = shallow.nodes;
                let score = shallow.solve_within(board, -64, 64, nodes);
                assert!(score.is_none_or(|score| score == expected), "{board:?}");
                assert!(shallow.nodes <= before + nodes + 50, "{board:?} {nodes}");
                assert_eq!(score.is_some(), shallow.nodes < before + nodes);
            }
            for alpha in [expected - 1, expected, 0] {
                let score = shallow.solve(board, alpha, alpha + 1);
                assert_eq!(score > alpha, expected > alpha, "{board:?} {alpha}");
            }
        }
    }
}
