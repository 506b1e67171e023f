//! Five to eleven empty squares: no evaluation, no shared table.

use super::last::{self, ODD_SQUARES, Parity, quadrant};
use crate::stability;
use arrayvec::ArrayVec;
use othello::{Bitboard, Board, Square};

/// Below this moves are tried in parity order as they come; from here on they are sorted. Sorting
/// from 6 instead of 7 on saves an eighth of the nodes and about 3 % of the time; from 5 on another
/// tenth of the nodes, but costs 5 % more time (FFO 40–44, 50 tournament positions, 20 empties).
pub(crate) const SORTED_FROM: u32 = 6;

/// What this layer keeps between calls: a count and a cache of bounds, one per thread.
#[derive(Debug)]
pub(crate) struct Shallow {
    pub(crate) nodes: u64,
    /// Where [`Shallow::solve_within`] gives up, as a number of nodes.
    stop_at: u64,
    cache: Box<[Cached]>,
    /// Entries of another generation are forgotten.
    generation: u32,
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
    pub(crate) fn new() -> Self {
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
    #[inline]
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
        match empties.len() {
            0..=4 => last::solve(board, alpha, &mut self.nodes),
            n => self.child::<LIMITED>(board, alpha, last::parity_of(empties), n),
        }
    }

    /// A move that reaches `score`, the exact score of the board; `None` if there is none.
    pub(crate) fn move_reaching(&mut self, board: Board, score: i32) -> Option<Square> {
        board.legal_moves().into_iter().find(|&square| {
            let next = board.play_unchecked(square, board.flips(square));
            -self.is_above::<false>(next, -score) >= score
        })
    }

    #[inline]
    fn child<const LIMITED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
        parity: Parity,
        n: u32,
    ) -> i32 {
        if n == 4 {
            last::solve_4(board, alpha, parity, &mut self.nodes)
        } else if n < SORTED_FROM {
            self.by_parity::<LIMITED>(board, alpha, parity, n)
        } else {
            self.sorted::<LIMITED>(board, alpha, parity, n)
        }
    }

    /// Five empty squares: odd quadrants first, corners first in each half.
    fn by_parity<const LIMITED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
        parity: Parity,
        n: u32,
    ) -> i32 {
        self.nodes += 1;
        if let Some(score) = stability::cutoff(board, alpha, n) {
            return score;
        }
        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return board.final_score();
            }
            return -self.by_parity::<LIMITED>(passed, -alpha - 1, parity, n);
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
                let next = board.play_unchecked(square, board.flips(square));
                let parity = parity ^ quadrant(square);
                best = best.max(-self.child::<LIMITED>(next, -alpha - 1, parity, n - 1));
                if best > alpha || self.must_stop::<LIMITED>() {
                    return best;
                }
            }
        }
        best
    }

    /// Six and more: the reply count orders the moves, and bounds are remembered.
    fn sorted<const LIMITED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
        parity: Parity,
        n: u32,
    ) -> i32 {
        self.nodes += 1;
        if self.must_stop::<LIMITED>() {
            return alpha;
        }
        if let Some(score) = stability::cutoff(board, alpha, n) {
            return score;
        }
        let slot = cache_slot(board);
        let cached = self.cache[slot];
        let mut known_best = None;
        let (mut lower, mut upper) = (-64, 64);
        if cached.board == board && cached.generation == self.generation {
            (lower, upper) = (i32::from(cached.lower), i32::from(cached.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            known_best = cached.best;
        }

        let legal = board.legal_moves();
        if legal.is_empty() {
            let passed = board.swapped();
            if passed.legal_moves().is_empty() {
                return board.final_score();
            }
            return -self.sorted::<LIMITED>(passed, -alpha - 1, parity, n);
        }

        let (best, best_square) =
            self.best_of::<LIMITED>(board, alpha, parity, n, legal, known_best);
        if self.must_stop::<LIMITED>() {
            return best;
        }
        if best > alpha {
            lower = lower.max(best);
        } else {
            upper = upper.min(best);
        }
        self.cache[slot] = Cached {
            board,
            generation: self.generation,
            lower: lower as i8,
            upper: upper as i8,
            best: best_square,
        };
        best
    }

    /// The best of these moves or the first that is good enough, and its score.
    #[inline(always)]
    fn best_of<const LIMITED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
        parity: Parity,
        n: u32,
        mut legal: Bitboard,
        known_best: Option<Square>,
    ) -> (i32, Option<Square>) {
        let mut best = i32::MIN;
        let mut best_square = None;
        // The move that was best before may spare us ordering the others.
        if let Some(square) = known_best {
            let next = board.play_unchecked(square, board.flips(square));
            best = -self.child::<LIMITED>(next, -alpha - 1, parity ^ quadrant(square), n - 1);
            best_square = known_best;
            legal.remove(square);
        }
        if best <= alpha && !self.must_stop::<LIMITED>() {
            let odd = Bitboard(ODD_SQUARES[(parity & 15) as usize]);
            let mut moves = Moves::new();
            for square in legal {
                let next = board.play_unchecked(square, board.flips(square));
                let key = order_key(next) - if odd.contains(square) { 8 } else { 0 };
                moves.push(key, square, next);
            }
            while let Some((square, next)) = moves.take_least() {
                let parity = parity ^ quadrant(square);
                let score = -self.child::<LIMITED>(next, -alpha - 1, parity, n - 1);
                if score > best {
                    best = score;
                    best_square = Some(square);
                }
                if best > alpha || self.must_stop::<LIMITED>() {
                    break;
                }
            }
        }
        (best, best_square)
    }
}

/// Lower is better: the opponent's replies, corners counted twice, less the mover's discs on
/// corners and next to them on the edges once the corner is his.
#[inline]
fn order_key(next: Board) -> i32 {
    let replies = next.legal_moves();
    let freedom = replies.len() + (replies & Bitboard::CORNERS).len();
    64 + 16 * freedom as i32 - 4 * corner_discs(next.opponent()).len() as i32
}

/// Discs on corners, and those beside a corner of the same side along the edge.
#[inline]
pub(crate) fn corner_discs(discs: Bitboard) -> Bitboard {
    let corners = discs.0 & Bitboard::CORNERS.0;
    let west = corners & Bitboard::FILE_A.0;
    let east = corners ^ west;
    let beside = west << 1 | east >> 1 | corners << 8 | corners >> 8;
    Bitboard(corners | beside & discs.0)
}

#[inline]
fn cache_slot(board: Board) -> usize {
    (crate::table::hash_of(board) >> (64 - CACHE_BITS)) as usize
}

/// The moves of one node, taken in order by selection: cut-offs make full sorting a waste.
///
/// A key has the move's place in the lists in its low bits, so that the least of all keys, which is
/// one vector operation, names the move as well.
struct Moves {
    keys: [u16; Self::MOST],
    squares: ArrayVec<Square, { Self::MOST }>,
    boards: ArrayVec<Board, { Self::MOST }>,
}

impl Moves {
    /// More than the empty squares of this layer.
    const MOST: usize = 16;
    /// A key of no move.
    const TAKEN: u16 = u16::MAX;

    #[inline]
    fn new() -> Self {
        Self {
            keys: [Self::TAKEN; Self::MOST],
            squares: ArrayVec::new(),
            boards: ArrayVec::new(),
        }
    }

    #[inline]
    fn push(&mut self, key: i32, square: Square, next: Board) {
        let at = self.squares.len();
        if at < Self::MOST {
            self.keys[at] = (key as u16) << 4 | at as u16;
            self.squares.push(square);
            self.boards.push(next);
        }
    }

    #[inline]
    fn take_least(&mut self) -> Option<(Square, Board)> {
        let least = self.keys.iter().fold(Self::TAKEN, |a, &b| a.min(b));
        if least == Self::TAKEN {
            return None;
        }
        let at = usize::from(least) % Self::MOST;
        self.keys[at] = Self::TAKEN;
        Some((*self.squares.get(at)?, *self.boards.get(at)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::negamax;
    use othello::{Symmetry, sample::random_boards};

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
