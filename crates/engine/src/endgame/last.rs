//! The last four empty squares: most of a solver's nodes are here, so nothing is generic.
//!
//! All functions answer one question: is the score greater than `alpha`? What they return is a
//! bound on that side: at most the exact score if greater, at least the exact score if not.

use othello::{Bitboard, Board, Square, tier::Kernels};

/// How many discs the last move turns along one line of a board that is otherwise full: by the
/// mover's place on the line, then by the mover's discs on it. A clear bit is an opponent disc or
/// a square off the board; both only matter if a mover's disc lies beyond.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            let above = own >> at >> 1;
            if above != 0 {
                table[at][own] += above.trailing_zeros() as u8;
            }
            let below = own & ((1 << at) - 1);
            if below != 0 {
                table[at][own] += (at as u32 - 1 - below.ilog2()) as u8;
            }
            own += 1;
        }
        at += 1;
    }
    table
};

/// The diagonal and antidiagonal through each square, without the square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0usize;
    while square < 64 {
        let mut other = 0usize;
        while other < 64 {
            let (file, rank) = (square as i32 % 8, square as i32 / 8);
            let (other_file, other_rank) = (other as i32 % 8, other as i32 / 8);
            if other != square {
                if file - rank == other_file - other_rank {
                    table[square][0] |= 1 << other;
                }
                if file + rank == other_file + other_rank {
                    table[square][1] |= 1 << other;
                }
            }
            other += 1;
        }
        square += 1;
    }
    table
};

const FILE_A: u64 = Bitboard::FILE_A.0;

/// How many discs the mover turns by playing on the only empty square.
#[inline(always)]
pub(crate) fn count_last_flips(square: Square, mover: u64) -> i32 {
    let (file, rank) = (square.file() as usize & 7, square.rank() as usize & 7);
    let row = (mover >> (rank * 8)) as u8;
    // Multiplications gather a line's bits in the top byte: files by rank, diagonals by file.
    let column = (((mover >> file) & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let [diagonal, antidiagonal] = DIAGONALS[square.index()];
    let diagonal = ((mover & diagonal).wrapping_mul(FILE_A) >> 56) as u8;
    let antidiagonal = ((mover & antidiagonal).wrapping_mul(FILE_A) >> 56) as u8;
    let by_file = &LINE_FLIPS[file];
    i32::from(by_file[row as usize])
        + i32::from(LINE_FLIPS[rank][column as usize])
        + i32::from(by_file[diagonal as usize])
        + i32::from(by_file[antidiagonal as usize])
}

/// One empty square. Where we cannot move, the opponent's move can only lower the score, so it is
/// not counted if that is at most `alpha` already.
#[inline(always)]
fn solve_1(mover: u64, square: Square, alpha: i32) -> i32 {
    let discs = 2 * mover.count_ones() as i32;
    let flips = count_last_flips(square, mover);
    if flips > 0 {
        return discs + 2 * flips - 62;
    }
    // If neither side can move, the square goes to the winner.
    let unplayed = if discs > 63 { discs - 62 } else { discs - 64 };
    if unplayed > alpha {
        let opponent = !mover & !square.bit().0;
        let flips = count_last_flips(square, opponent);
        if flips > 0 {
            return discs - 2 * flips - 64;
        }
    }
    unplayed
}

/// The squares next to a square: without an opponent disc among them a move flips nothing.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(1 << square).neighbours().0;
        square += 1;
    }
    table
};

#[inline(always)]
fn flips(kernels: impl Kernels, board: Board, square: Square) -> Bitboard {
    if NEIGHBOURS[square.index()] & board.opponent().0 == 0 {
        return Bitboard::EMPTY;
    }
    kernels.flips(board, square)
}

/// The best score with two empty squares left, in the order to try.
#[inline(always)]
fn solve_2<K: Kernels>(
    kernels: K,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    squares: [Square; 2],
) -> i32 {
    #[inline(always)]
    fn body<K: Kernels>(
        nodes: &mut u64,
        board: Board,
        alpha: i32,
        (kernels, squares): (K, [Square; 2]),
    ) -> i32 {
        *nodes += 1;
        let best = best_of_2(kernels, nodes, board, alpha, squares);
        if best > i32::MIN {
            return best;
        }
        // A pass: the opponent minimises the same score.
        let best = best_of_2(kernels, nodes, board.swapped(), -alpha - 1, squares);
        if best > i32::MIN {
            -best
        } else {
            board.final_score()
        }
    }
    kernels.enter(body, nodes, board, alpha, (kernels, squares))
}

#[inline(always)]
fn best_of_2(
    kernels: impl Kernels,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    [x1, x2]: [Square; 2],
) -> i32 {
    let mut best = i32::MIN;
    let flipped = flips(kernels, board, x1);
    if !flipped.is_empty() {
        *nodes += 1;
        best = -solve_1(board.opponent().0 ^ flipped.0, x2, -alpha - 1);
        if best > alpha {
            return best;
        }
    }
    let flipped = flips(kernels, board, x2);
    if !flipped.is_empty() {
        *nodes += 1;
        best = best.max(-solve_1(board.opponent().0 ^ flipped.0, x1, -alpha - 1));
    }
    best
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

/// Three empty squares, in the order to try.
#[inline(always)]
fn solve_3<K: Kernels>(
    kernels: K,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    squares: [Square; 3],
) -> i32 {
    #[inline(always)]
    fn body<K: Kernels>(
        nodes: &mut u64,
        board: Board,
        alpha: i32,
        (kernels, squares): (K, [Square; 3]),
    ) -> i32 {
        *nodes += 1;
        let best = best_of_3(kernels, nodes, board, alpha, squares);
        if best > i32::MIN {
            return best;
        }
        let best = best_of_3(kernels, nodes, board.swapped(), -alpha - 1, squares);
        if best > i32::MIN {
            -best
        } else {
            board.final_score()
        }
    }
    kernels.enter(body, nodes, board, alpha, (kernels, squares))
}

#[inline(always)]
fn best_of_3(
    kernels: impl Kernels,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    [x1, x2, x3]: [Square; 3],
) -> i32 {
    let mut best = i32::MIN;
    for (x, rest) in [(x1, [x2, x3]), (x2, [x1, x3]), (x3, [x1, x2])] {
        let flipped = flips(kernels, board, x);
        if !flipped.is_empty() {
            let next = board.play_unchecked(x, flipped);
            best = best.max(-solve_2(kernels, nodes, next, -alpha - 1, rest));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Four empty squares, with their parity.
#[inline(always)]
pub(crate) fn solve_4<K: Kernels>(
    kernels: K,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    parity: Parity,
) -> i32 {
    #[inline(always)]
    fn body<K: Kernels>(
        nodes: &mut u64,
        board: Board,
        alpha: i32,
        (kernels, parity): (K, Parity),
    ) -> i32 {
        *nodes += 1;
        let orders = orders_of_4(board.empties().0, parity);
        let best = best_of_4(kernels, nodes, board, alpha, &orders);
        if best > i32::MIN {
            return best;
        }
        let best = best_of_4(kernels, nodes, board.swapped(), -alpha - 1, &orders);
        if best > i32::MIN {
            -best
        } else {
            board.final_score()
        }
    }
    kernels.enter(body, nodes, board, alpha, (kernels, parity))
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

#[inline(always)]
fn best_of_4(
    kernels: impl Kernels,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    orders: &[Order; 4],
) -> i32 {
    let mut best = i32::MIN;
    for &(x, rest) in orders {
        let flipped = flips(kernels, board, x);
        if !flipped.is_empty() {
            let next = board.play_unchecked(x, flipped);
            best = best.max(-solve_3(kernels, nodes, next, -alpha - 1, rest));
            if best > alpha {
                break;
            }
        }
    }
    best
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
            solve_1(board.mover().0, next(), alpha)
        }
        2 => solve_2(kernels, nodes, board, alpha, [next(), next()]),
        3 => solve_3(kernels, nodes, board, alpha, [next(), next(), next()]),
        _ => solve_4(kernels, nodes, board, alpha, parity_of(empties)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::negamax;
    use othello::{sample::random_boards, tier::Tier};

    #[test]
    fn last_flips_are_counted_like_the_rules_flip() {
        for board in random_boards(21)
            .filter(|b| b.empties().len() == 1)
            .take(3_000)
        {
            let square = board.empties().first().unwrap();
            let expected = board.flips(square).len() as i32;
            assert_eq!(count_last_flips(square, board.mover().0), expected);
        }
    }

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
