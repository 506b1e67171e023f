//! The last four empty squares: most of a solver's nodes are here, so nothing is generic.
//!
//! All functions answer one question: is the score greater than `alpha`? What they return is a
//! bound on that side: at most the exact score if greater, at least the exact score if not.

use othello::{Bitboard, Board, Square, last, tier::Kernels};

/// Four empty squares, with their parity.
#[inline(always)]
pub(crate) fn solve_4<K: Kernels>(
    kernels: K,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    parity: Parity,
) -> i32 {
    *nodes += 1;
    kernels.enter(four::<K, false>, nodes, board, alpha, (kernels, parity))
}

#[inline(always)]
fn four<K: Kernels, const PASSED: bool>(
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    (kernels, parity): (K, Parity),
) -> i32 {
    let discs = kernels.discs(board);
    let mut best = i32::MIN;
    for (x, rest) in orders_of_4(board.empties().0, parity) {
        if let Some(turned) = kernels.turned(discs, x) {
            let next = kernels.board(kernels.after(discs, x, turned));
            let score = kernels.enter(three::<K, false>, nodes, next, -alpha - 1, (kernels, rest));
            best = best.max(-score);
            if best > alpha {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    if PASSED {
        return board.final_score();
    }
    -kernels.enter(
        four::<K, true>,
        nodes,
        board.swapped(),
        -alpha - 1,
        (kernels, parity),
    )
}

/// Three empty squares, in the order to try.
#[inline(always)]
fn three<K: Kernels, const PASSED: bool>(
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    (kernels, squares): (K, [Square; 3]),
) -> i32 {
    if !PASSED {
        *nodes += 1;
    }
    let [x1, x2, x3] = squares;
    let discs = kernels.discs(board);
    let mut best = i32::MIN;
    if try_one_of_3(kernels, nodes, discs, alpha, x1, [x2, x3], &mut best)
        || try_one_of_3(kernels, nodes, discs, alpha, x2, [x1, x3], &mut best)
        || try_one_of_3(kernels, nodes, discs, alpha, x3, [x1, x2], &mut best)
        || best > i32::MIN
    {
        return best;
    }
    if PASSED {
        return board.final_score();
    }
    -kernels.enter(
        three::<K, true>,
        nodes,
        board.swapped(),
        -alpha - 1,
        (kernels, squares),
    )
}

#[inline(always)]
fn try_one_of_3<K: Kernels>(
    kernels: K,
    nodes: &mut u64,
    discs: K::Discs,
    alpha: i32,
    x: Square,
    rest: [Square; 2],
    best: &mut i32,
) -> bool {
    if let Some(turned) = kernels.turned(discs, x) {
        let next = kernels.after(discs, x, turned);
        *nodes += 1;
        *best = (*best).max(-two::<K, false>(kernels, nodes, next, -alpha - 1, rest));
    }
    *best > alpha
}

/// Two empty squares, in the order to try.
#[inline(always)]
fn two<K: Kernels, const PASSED: bool>(
    kernels: K,
    nodes: &mut u64,
    discs: K::Discs,
    alpha: i32,
    [x1, x2]: [Square; 2],
) -> i32 {
    let mut best = i32::MIN;
    if let Some(turned) = kernels.turned(discs, x1) {
        *nodes += 1;
        best = -kernels.score_after(discs, turned, x2, -alpha - 1);
        if best > alpha {
            return best;
        }
    }
    if let Some(turned) = kernels.turned(discs, x2) {
        *nodes += 1;
        best = best.max(-kernels.score_after(discs, turned, x1, -alpha - 1));
    }
    if best > i32::MIN {
        return best;
    }
    let board = kernels.board(discs);
    if PASSED {
        return board.final_score();
    }
    -kernels.enter(
        passed_2::<K>,
        nodes,
        board.swapped(),
        -alpha - 1,
        (kernels, [x1, x2]),
    )
}

#[inline(always)]
fn passed_2<K: Kernels>(
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    (kernels, squares): (K, [Square; 2]),
) -> i32 {
    two::<K, true>(kernels, nodes, kernels.discs(board), alpha, squares)
}

/// Quadrants with an odd number of empty squares, as a bit set; see [`parity_of`].
pub(crate) type Parity = u32;

/// Which quadrant a square belongs to, as a bit.
#[inline(always)]
pub(crate) const fn quadrant(square: Square) -> Parity {
    1 << ((square.file() >> 2) | (square.rank() >> 2) << 1)
}

const QUADRANTS: [u64; 4] = [
    0x0000_0000_0f0f_0f0f,
    0x0000_0000_f0f0_f0f0,
    0x0f0f_0f0f_0000_0000,
    0xf0f0_f0f0_0000_0000,
];

/// The squares of the odd quadrants.
pub(crate) static ODD_SQUARES: [u64; 16] = {
    let mut table = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if parity >> quadrant & 1 == 1 {
                table[parity] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        parity += 1;
    }
    table
};

/// The parity of a set of empty squares.
#[inline(always)]
pub(crate) fn parity_of(empties: Bitboard) -> Parity {
    let mut parity = 0;
    for (i, quadrant) in QUADRANTS.iter().enumerate() {
        parity |= ((empties.0 & quadrant).count_ones() & 1) << i;
    }
    parity
}

/// A square and the order of the three that are left after it.
type Order = (Square, [Square; 3]);

/// Parity decides the order here for the next two plies as well: a square that is alone in its
/// quadrant comes before those that are not, now and among the three that are left.
#[inline(always)]
fn orders_of_4(empties: u64, parity: Parity) -> [Order; 4] {
    let odd = empties & ODD_SQUARES[(parity & 15) as usize];
    let lowest = if odd == 0 { empties } else { odd };
    let group = lowest & QUADRANTS[quadrant_index(lowest.trailing_zeros())];
    // The squares to try first. None odd: the pair of one quadrant (or all four of it). Two alone
    // and a pair: those alone. One and three: the one. Four alone: all.
    let first = match (odd == 0, odd == empties) {
        (true, _) => group,
        (false, false) => odd,
        (false, true) if group.count_ones() == 3 => empties ^ group,
        (false, true) => group,
    };
    let [x1, x2, x3, x4] = squares_of(first, empties ^ first);
    if odd == 0 {
        // Pairs: after a square of one pair its partner first.
        [
            (x1, [x2, x3, x4]),
            (x2, [x1, x3, x4]),
            (x3, [x4, x1, x2]),
            (x4, [x3, x1, x2]),
        ]
    } else {
        [
            (x1, [x2, x3, x4]),
            (x2, [x1, x3, x4]),
            (x3, [x1, x2, x4]),
            (x4, [x1, x2, x3]),
        ]
    }
}

/// The four squares of two sets together, those of the first set first.
#[inline(always)]
fn squares_of(first: u64, second: u64) -> [Square; 4] {
    let (mut now, mut later) = (first, second);
    [(); 4].map(|()| {
        if now == 0 {
            (now, later) = (later, 0);
        }
        let square = Square::from_low_bits(now.trailing_zeros());
        now &= now.wrapping_sub(1);
        square
    })
}

/// The quadrant of a square's index.
#[inline(always)]
const fn quadrant_index(square: u32) -> usize {
    ((square >> 2 & 1) | (square >> 4 & 2)) as usize
}

/// Any board with at most four empty squares.
#[inline(always)]
pub(crate) fn solve(kernels: impl Kernels, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
    let empties = board.empties();
    let mut squares = empties.into_iter();
    let mut next = || squares.next().unwrap_or(Square::from_low_bits(0));
    match empties.len() {
        0 => {
            *nodes += 1;
            board.disc_difference()
        }
        1 => {
            *nodes += 1;
            last::score(board.mover(), next(), alpha)
        }
        2 => {
            *nodes += 1;
            two::<_, false>(
                kernels,
                nodes,
                kernels.discs(board),
                alpha,
                [next(), next()],
            )
        }
        3 => three::<_, false>(nodes, board, alpha, (kernels, [next(), next(), next()])),
        _ => solve_4(kernels, nodes, board, alpha, parity_of(empties)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::negamax;
    use othello::{sample::random_boards, tier::Tier};

    #[test]
    fn few_empties_equal_plain_negamax_in_every_window() {
        for board in random_boards(22)
            .filter(|b| b.empties().len() <= 4)
            .take(5_000)
        {
            let expected = negamax(board);
            let mut nodes = 0;
            for (alpha, tier) in
                (-65..=64).flat_map(|alpha| Tier::available().map(move |tier| (alpha, tier)))
            {
                let score = with_kernels!(tier, |kernels| solve(kernels, &mut nodes, board, alpha));
                assert_eq!(score > alpha, expected > alpha, "{board:?} {alpha} {tier}");
                if score > alpha {
                    assert!(score <= expected);
                } else {
                    assert!(score >= expected);
                }
            }
        }
    }
}
