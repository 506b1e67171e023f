//! Five to twelve empty squares: no evaluation, no shared table.

use super::{
    hope::Hope,
    last::{self, ODD_SQUARES, Parity, quadrant},
    order,
};
use crate::{search::tree::SHALLOW_UP_TO, stability, table::hash_of};
use othello::{
    Bitboard, Board, Square,
    tier::{Child, Children, Kernels, Tier},
};

/// Below this moves are tried in parity order as they come; from here on they are sorted. Sorting
/// from 6 instead of 7 on saves an eighth of the nodes and about 3 % of the time; from 5 on another
/// tenth of the nodes, but costs 5 % more time (FFO 40–44, 50 tournament positions, 20 empties).
pub(crate) const SORTED_FROM: u32 = 6;

/// From so many empty squares on the cache is asked about every child before any is searched. With
/// [`SHALLOW_UP_TO`] at 12 it saves 6 % of the nodes and 11 % of the time; from
/// 9 on 4 % and 8 %, from 7 on the nodes are fewer and the time is more (positions of our own, 20
/// empties).
const ENHANCED_FROM: u32 = 8;

/// From so many empty squares on the border counts for the order at nodes where a move should
/// refute: 10 % fewer nodes (positions of our own, 22 empties). From 10 on it is 8 % in the same time,
/// within a hundredth or two: looking the border up takes what it saves with 8 and 9.
const BORDER_FROM: u32 = 8;

/// What this layer keeps between calls: a count and a cache of bounds, one per thread.
#[derive(Debug)]
pub(crate) struct Shallow {
    pub(crate) nodes: u64,
    /// Where [`Shallow::solve_within`] gives up, as a number of nodes.
    stop_at: u64,
    cache: Box<[Cached; N_CACHED]>,
    /// Entries of another generation are forgotten.
    generation: u32,
    tier: Tier,
}

/// A position with bounds of its exact score. By its hash, which has 64 bits as in the large table:
/// with the whole board an entry would not be four to a cache line.
#[derive(Debug, Clone, Copy)]
struct Cached {
    hash: u64,
    generation: u32,
    lower: i8,
    upper: i8,
    best: Option<Square>,
}

/// Positions with fewer empty squares than [`DEEP_FROM`] share so many entries, which stay near: 256
/// kilobytes.
const CACHE_BITS: u32 = 14;

/// Positions that cost more to solve have a part of the cache of their own, or those that cost less
/// would drive them out: 4 % less time and 7 % fewer nodes than without. Four times as many entries
/// save another 1 % of the nodes and cost 2 % of the time (20 empties; 3 % and 4 % with 23).
const DEEP_BITS: u32 = 16;
const DEEP_FROM: u32 = 9;

const N_CACHED: usize = (1 << CACHE_BITS) + (1 << DEEP_BITS);

impl Shallow {
    /// With the kernels that the program uses.
    pub(crate) fn new() -> Self {
        Self::with(Tier::current())
    }

    fn with(tier: Tier) -> Self {
        let vacant = Cached {
            hash: 0,
            generation: 0,
            lower: -64,
            upper: 64,
            best: None,
        };
        Self {
            nodes: 0,
            stop_at: u64::MAX,
            cache: vec![vacant; N_CACHED]
                .into_boxed_slice()
                .try_into()
                .expect("an entry for every slot"),
            generation: 1,
            tier,
        }
    }

    /// Forgets all bounds, so that node counts do not depend on earlier searches.
    pub(crate) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// The exact score if it lies inside the window, otherwise a bound on its side of it. `hope` is a
    /// guess that saves time if it is right.
    pub(crate) fn solve(&mut self, board: Board, alpha: i32, beta: i32, hope: Hope) -> i32 {
        self.bisect::<false>(board, alpha, beta, hope)
    }

    /// The same with about so many nodes at most; nothing if they were not enough. Nodes are looked
    /// at from five empty squares on, so that it takes some forty more at worst.
    pub(crate) fn solve_within(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        hope: Hope,
        nodes: u64,
    ) -> Option<i32> {
        self.stop_at = self.nodes.saturating_add(nodes);
        let score = self.bisect::<true>(board, alpha, beta, hope);
        (!self.must_stop::<true>()).then_some(score)
    }

    /// Whether the nodes of a limited call are used up. Without a limit the question costs nothing.
    #[inline(always)]
    const fn must_stop<const LIMITED: bool>(&self) -> bool {
        LIMITED && self.nodes >= self.stop_at
    }

    fn bisect<const LIMITED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        hope: Hope,
    ) -> i32 {
        // Null windows halve what is left; nearly all callers have one to begin with.
        let (mut lower, mut upper) = (-64, 64);
        loop {
            let (low, high) = (lower.max(alpha), upper.min(beta));
            if low >= high || self.must_stop::<LIMITED>() {
                return if lower >= beta { lower } else { upper };
            }
            let middle = (low + high - 1).div_euclid(2);
            let score = self.is_above::<LIMITED>(board, middle, hope);
            if score > middle {
                lower = score;
            } else {
                upper = score;
            }
        }
    }

    /// Whether the score is greater than `alpha`, as a bound on that side of it.
    fn is_above<const LIMITED: bool>(&mut self, board: Board, alpha: i32, hope: Hope) -> i32 {
        let empties = board.empties();
        let n = empties.len();
        with_kernels!(self.tier, |kernels| {
            if n <= 4 {
                return last::solve(kernels, &mut self.nodes, board, alpha);
            }
            let known = Known {
                parity: last::parity_of(empties) | hope.beside_parity(),
                legal: board.legal_moves(),
            };
            Solver::<_, LIMITED>(kernels).child(self, board, Ask { alpha, n }, known)
        })
    }

    /// How large the tree after a move is, about; see [`order::tree_size`].
    pub(crate) fn tree_size(&self, next: Board, replies: Bitboard) -> u32 {
        with_kernels!(self.tier, |kernels| kernels.enter(
            |kernels, next, replies, ()| order::tree_size(kernels, next, replies),
            kernels,
            next,
            replies,
            ()
        ))
    }

    /// What the border of the board after a move says about the size of the tree there, in 16ths of a
    /// reply; see [`order::border_key`].
    pub(crate) fn border_key(&self, next: Board) -> i32 {
        with_kernels!(self.tier, |kernels| kernels.enter(
            |kernels, next, (), ()| order::border_key(kernels, next),
            kernels,
            next,
            (),
            ()
        ))
    }

    /// The best score that a board can have, as far as it is remembered.
    pub(crate) fn upper_bound(&self, board: Board) -> Option<i32> {
        let hash = hash_of(board);
        let cached = &self.cache[cache_slot(hash, board.empties().len())];
        let is_known = cached.hash == hash && cached.generation == self.generation;
        is_known.then_some(i32::from(cached.upper))
    }

    /// A child whose remembered bound is already better than `alpha`, and the score that it proves.
    #[inline(always)]
    fn known_refutation(
        &self,
        children: &Children,
        alpha: i32,
        n: u32,
    ) -> Option<(i32, Option<Square>)> {
        children.as_slice().iter().find_map(|child| {
            let hash = hash_of(child.board());
            let cached = &self.cache[cache_slot(hash, n)];
            let score = -i32::from(cached.upper);
            let is_known = cached.hash == hash && cached.generation == self.generation;
            (is_known && score > alpha).then_some((score, Some(child.square())))
        })
    }

    /// A move that reaches `score`, the exact score of the board; `None` if there is none.
    pub(crate) fn move_reaching(&mut self, board: Board, score: i32) -> Option<Square> {
        board.legal_moves().into_iter().find(|&square| {
            let next = board.play_unchecked(square, board.flips(square));
            -self.is_above::<false>(next, -score, Hope::Refuted) >= score
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
    /// The parity, and beside it the [`Hope`].
    parity: Parity,
    legal: Bitboard,
}

/// The word of [`Known::parity`] after a move.
#[inline(always)]
const fn parity_after(word: Parity, square: Square, is_first: bool) -> Parity {
    let hope = Hope::of_word(word).after_move(is_first);
    word & 15 ^ quadrant(square) | hope.beside_parity()
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
        } else if ask.n >= BORDER_FROM && Hope::of_word(known.parity) == Hope::Refutes {
            kernels.enter(Self::sorted::<true>, cache, board, ask, (self, known))
        } else {
            kernels.enter(Self::sorted::<false>, cache, board, ask, (self, known))
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
        let mut left = legal;
        while let Some(square) = first_by_parity(left, odd) {
            left.remove(square);
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
        let hope = Hope::of_word(parity).passed();
        let parity = parity & 15 | hope.beside_parity();
        -self.child(cache, passed, ask.passed(), Known { parity, legal })
    }

    /// Six and more: the reply count orders the moves, or the border with it, and bounds are
    /// remembered. The two are compiled apart: most nodes have no use for the border, and with its
    /// code in their way they are 8 % slower.
    #[inline(always)]
    fn sorted<const BY_BORDER: bool>(
        cache: &mut Shallow,
        board: Board,
        ask: Ask,
        (this, known): (Self, Known),
    ) -> i32 {
        cache.nodes += 1;
        let Ask { alpha, n } = ask;
        if cache.must_stop::<LIMITED>() {
            return alpha;
        }
        if let Some(score) = stability::cutoff(board, alpha, n) {
            return score;
        }
        let hash = hash_of(board);
        let slot = cache_slot(hash, n);
        let cached = cache.cache[slot];
        let mut known_best = None;
        let (mut lower, mut upper) = (-64, 64);
        if cached.hash == hash && cached.generation == cache.generation {
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

        let (best, best_square) = this.best_of::<BY_BORDER>(cache, board, ask, known, known_best);
        if cache.must_stop::<LIMITED>() {
            return best;
        }
        if best > alpha {
            lower = lower.max(best);
        } else {
            upper = upper.min(best);
        }
        cache.cache[slot] = Cached {
            hash,
            generation: cache.generation,
            lower: lower as i8,
            upper: upper as i8,
            best: best_square,
        };
        best
    }

    /// The best of the legal moves or the first that is good enough, and its score.
    #[inline(always)]
    fn best_of<const BY_BORDER: bool>(
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
                parity: parity_after(parity, square, true),
                legal: kernels.legal_moves(next),
            };
            best = -self.child(cache, next, ask.of_child(), known);
            best_square = known_best;
            legal.remove(square);
        }
        if best <= ask.alpha && !cache.must_stop::<LIMITED>() {
            let mut children = Children::none();
            kernels.children(board, legal, &mut children);
            if ask.n >= ENHANCED_FROM
                && let Some(refutation) = cache.known_refutation(&children, ask.alpha, ask.n - 1)
            {
                return refutation;
            }
            let mut order = Order::EMPTY;
            let bias = Bias::of(board, parity);
            let mut least = if BY_BORDER {
                order.fill(children.as_slice(), |child| bias.border_key(kernels, child))
            } else {
                order.fill(children.as_slice(), |child| bias.key(child))
            };
            while let Some(child) = order.take(least, &children) {
                let square = child.square();
                let known = Known {
                    parity: parity_after(parity, square, best_square.is_none()),
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
                least = order.least();
            }
        }
        (best, best_square)
    }
}

/// Which squares are tried earlier or later, whatever the boards after them are like.
#[derive(Debug, Clone, Copy)]
struct Bias {
    /// The squares of odd quadrants.
    odd: Bitboard,
    /// The squares next to empty corners.
    risky: Bitboard,
}

impl Bias {
    #[inline(always)]
    fn of(board: Board, parity: Parity) -> Self {
        Self {
            odd: Bitboard(ODD_SQUARES[(parity & 15) as usize]),
            risky: (board.empties() & Bitboard::CORNERS).neighbours(),
        }
    }

    /// Lower is better: the opponent's replies, corners counted twice, less the mover's discs on
    /// corners and next to them on the edges once the corner is his; odd quadrants first, squares
    /// next to empty corners last. The latter saves 2 % of the nodes; potential mobility saves
    /// nothing besides, and the mover's own mobility 2 % more, which is less than it costs.
    #[inline(always)]
    fn key(self, child: Child) -> u16 {
        let replies = child.replies();
        let freedom = replies.len() + (replies & Bitboard::CORNERS).len();
        let corners = corner_discs(child.board().opponent()).len();
        let parity = if self.odd.contains(child.square()) {
            8
        } else {
            0
        };
        let risk = if self.risky.contains(child.square()) {
            6
        } else {
            0
        };
        (64 + 16 * freedom - 4 * corners - parity + risk) as u16
    }

    /// The same by what was learned about edges and corners. [`Self::MIDDLE`] keeps it positive.
    #[inline(always)]
    fn border_key(self, kernels: impl Kernels, child: Child) -> u16 {
        let is_odd = self.odd.contains(child.square());
        let parity = if is_odd { order::ODD } else { 0 };
        let replies = order::REPLY * child.replies().len() as i32;
        let border = order::border_key(kernels, child.board());
        (Self::MIDDLE + replies + border - parity) as u16
    }

    /// More than the eight weights of a border can take off; keys have twelve bits.
    const MIDDLE: i32 = 8 * 128 + order::ODD;
}

/// The square to try first: odd quadrants before even ones, corners before others of the same kind.
#[inline(always)]
fn first_by_parity(squares: Bitboard, odd: Bitboard) -> Option<Square> {
    let odd = squares & odd;
    let kind = if odd.is_empty() { squares } else { odd };
    let corners = kind & Bitboard::CORNERS;
    let group = if corners.is_empty() { kind } else { corners };
    group.first()
}

/// Discs on corners, and those beside a corner of the same side along the edge.
#[inline(always)]
fn corner_discs(discs: Bitboard) -> Bitboard {
    let corners = discs.0 & Bitboard::CORNERS.0;
    let west = corners & Bitboard::FILE_A.0;
    let east = corners ^ west;
    let beside = west << 1 | east >> 1 | corners << 8 | corners >> 8;
    Bitboard(corners | beside & discs.0)
}

/// Where a position with `n` empty squares is remembered.
#[inline(always)]
fn cache_slot(hash: u64, n: u32) -> usize {
    let (first, bits) = if n >= DEEP_FROM {
        (1 << CACHE_BITS, DEEP_BITS)
    } else {
        (0, CACHE_BITS)
    };
    first + (hash >> (64 - bits)) as usize
}

/// The order of one node's children, taken by selection: cut-offs make full sorting a waste.
///
/// A key has the child's place in its low bits, so that the least of all keys, which is one vector
/// operation, names the child as well.
struct Order([u16; Children::MOST]);

const _: () = assert!((SHALLOW_UP_TO as usize) < Children::MOST);

impl Order {
    /// A key of no child.
    const TAKEN: u16 = u16::MAX;

    const EMPTY: Self = Self([Self::TAKEN; Children::MOST]);

    /// Gives every child its key, and says which is the least: reading the keys back at once would
    /// wait until all of them have reached the memory.
    #[inline(always)]
    fn fill(&mut self, children: &[Child], key: impl Fn(Child) -> u16) -> u16 {
        let mut least = Self::TAKEN;
        for (at, (place, child)) in self.0.iter_mut().zip(children).enumerate() {
            let key = key(*child) << 4 | at as u16;
            *place = key;
            least = least.min(key);
        }
        least
    }

    /// The child of a key, which is not the least any more. [`Order::TAKEN`] names the last place,
    /// where this layer has no child.
    #[inline(always)]
    fn take(&mut self, key: u16, children: &Children) -> Option<Child> {
        let at = usize::from(key) % Children::MOST;
        self.0[at] = Self::TAKEN;
        children.as_slice().get(at).copied()
    }

    #[inline(always)]
    fn least(&self) -> u16 {
        self.0.iter().fold(Self::TAKEN, |a, &b| a.min(b))
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
                let score = shallow.solve(board, -64, 64, Hope::Refutes);
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
                assert_eq!(
                    shallow.solve(image, -64, 64, Hope::Refuted),
                    expected,
                    "{image:?}"
                );
            }
            // A call that was cut short leaves nothing wrong behind.
            for nodes in [1, 10, 100, 1_000_000] {
                let before = shallow.nodes;
                let score = shallow.solve_within(board, -64, 64, Hope::Refutes, nodes);
                assert!(score.is_none_or(|score| score == expected), "{board:?}");
                assert!(shallow.nodes <= before + nodes + 50, "{board:?} {nodes}");
                assert_eq!(score.is_some(), shallow.nodes < before + nodes);
            }
            for alpha in [expected - 1, expected, 0] {
                let score = shallow.solve(board, alpha, alpha + 1, Hope::Refutes);
                assert_eq!(score > alpha, expected > alpha, "{board:?} {alpha}");
            }
        }
    }
}
