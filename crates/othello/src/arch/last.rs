//! The last empty squares: flips for which few squares come into question, and the last move, which
//! is forced and counted.

use super::tier::Kernels;
use crate::{Bitboard, Board, Square};

/// The score of a board with one empty square, for who moves, as it must end. Where he cannot move,
/// the opponent's move can only lower the score, and is not counted if that is at most `alpha`
/// already.
#[inline(always)]
pub fn score(mover: Bitboard, square: Square, alpha: i32) -> i32 {
    let discs = 2 * mover.len() as i32;
    let flips = last_flips(square, mover.0);
    if flips > 0 {
        return discs + 2 * flips - 62;
    }
    let unplayed = unplayed_score(discs);
    if unplayed > alpha {
        let flips = last_flips(square, !mover.0 & !square.bit().0);
        if flips > 0 {
            return discs - 2 * flips - 64;
        }
    }
    unplayed
}

/// The score by twice the mover's discs if neither side can move on the last square: it goes to the
/// winner.
#[inline(always)]
pub(super) const fn unplayed_score(discs: i32) -> i32 {
    if discs > 63 { discs - 62 } else { discs - 64 }
}

/// The discs that a move turns. Without an opponent disc next to the square there are none, which is
/// often so with few squares left and quick to see.
#[inline(always)]
pub fn flips_if_near(kernels: impl Kernels, board: Board, square: Square) -> Bitboard {
    if NEIGHBOURS[square.index()] & board.opponent().0 == 0 {
        return Bitboard::EMPTY;
    }
    kernels.flips(board, square)
}

/// The squares next to a square.
pub(super) static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(1 << square).neighbours().0;
        square += 1;
    }
    table
};

/// How many discs the last move turns along one line of a board that is otherwise full: by the
/// mover's place on the line, then by the mover's discs on it. A clear bit is an opponent disc or
/// a square off the board; both only matter if a mover's disc lies beyond.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            table[at][own] = line_flips(at as u32, own as u32);
            own += 1;
        }
        at += 1;
    }
    table
};

/// The discs between a place on a line and the nearest of `own` on either side.
const fn line_flips(at: u32, own: u32) -> u8 {
    let mut flips = 0;
    let above = own >> at >> 1;
    if above != 0 {
        flips += above.trailing_zeros();
    }
    let below = own & ((1 << at) - 1);
    if below != 0 {
        flips += at - 1 - below.ilog2();
    }
    flips as u8
}

/// The diagonal and antidiagonal through each square, without the square.
const DIAGONALS: [[u64; 2]; 64] = {
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
fn last_flips(square: Square, mover: u64) -> i32 {
    static MASKS: [[u64; 2]; 64] = DIAGONALS;
    let (file, rank) = (square.file() as usize & 7, square.rank() as usize & 7);
    let row = (mover >> (rank * 8)) as u8;
    // Multiplications gather a line's bits in the top byte: files by rank, diagonals by file.
    let column = (((mover >> file) & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let [diagonal, antidiagonal] = MASKS[square.index()];
    let diagonal = ((mover & diagonal).wrapping_mul(FILE_A) >> 56) as u8;
    let antidiagonal = ((mover & antidiagonal).wrapping_mul(FILE_A) >> 56) as u8;
    let by_file = &LINE_FLIPS[file];
    i32::from(by_file[row as usize])
        + i32::from(LINE_FLIPS[rank][column as usize])
        + i32::from(by_file[diagonal as usize])
        + i32::from(by_file[antidiagonal as usize])
}

/// What the last move turns, by tables that are asked with the bits of a line side by side, as
/// `pext` puts them: for either side, without a branch.
#[cfg(target_arch = "x86_64")]
pub(super) mod packed {
    use super::{DIAGONALS, FILE_A, line_flips};

    /// The row, column, diagonal and antidiagonal of a square, without the square.
    pub(in super::super) struct Lines {
        pub(in super::super) masks: [u64; 4],
        /// Where the counts of each line begin in [`COUNTS`].
        pub(in super::super) counts: [u16; 4],
    }

    /// For a line of each length and each place on it, by the mover's discs on the other places: the
    /// discs that the mover turns in the low byte, those that the opponent would in the high one.
    pub(in super::super) static COUNTS: [u16; N_COUNTS] = {
        let mut table = [0; N_COUNTS];
        let mut length = 1;
        while length <= 8 {
            let mut at = 0;
            while at < length {
                let n_others = length - 1;
                let mut own = 0;
                while own < 1 << n_others {
                    // A gap for the square itself.
                    let low = own & ((1 << at) - 1);
                    let mover = low | (own ^ low) << 1;
                    let opponent = !mover & ((1 << length) - 1) & !(1 << at);
                    table[first_count(length, at) + own as usize] =
                        line_flips(at, mover) as u16 | (line_flips(at, opponent) as u16) << 8;
                    own += 1;
                }
                at += 1;
            }
            length += 1;
        }
        table
    };

    const N_COUNTS: usize = first_count(9, 0);

    /// Where the counts for a place on a line of a length begin: shorter lines come first.
    const fn first_count(length: u32, at: u32) -> usize {
        let mut first = 0;
        let mut shorter = 1;
        while shorter < length {
            first += shorter << (shorter - 1);
            shorter += 1;
        }
        (first + (at << (length - 1))) as usize
    }

    pub(in super::super) static LINES: [Lines; 64] = {
        let mut table = [const {
            Lines {
                masks: [0; 4],
                counts: [0; 4],
            }
        }; 64];
        let mut square = 0;
        while square < 64 {
            let bit = 1u64 << square;
            let row = (0xff << (square / 8 * 8)) & !bit;
            let column = (FILE_A << (square % 8)) & !bit;
            let [diagonal, antidiagonal] = DIAGONALS[square];
            let masks = [row, column, diagonal, antidiagonal];
            table[square].masks = masks;
            let mut line = 0;
            while line < 4 {
                let at = (masks[line] & (bit - 1)).count_ones();
                let length = masks[line].count_ones() + 1;
                table[square].counts[line] = first_count(length, at) as u16;
                line += 1;
            }
            square += 1;
        }
        table
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{reference, sample::random_boards};

    /// The end of a game by the rules alone.
    fn played_out(board: Board, square: Square) -> i32 {
        let flips = reference::flips(board, square);
        if !flips.is_empty() {
            return -board.play_unchecked(square, flips).final_score();
        }
        let passed = board.swapped();
        let flips = reference::flips(passed, square);
        if !flips.is_empty() {
            return passed.play_unchecked(square, flips).final_score();
        }
        board.final_score()
    }

    #[test]
    fn the_last_move_is_counted_as_the_rules_play_it() {
        for board in random_boards(21)
            .filter(|board| board.empties().len() == 1)
            .take(3_000)
        {
            let square = board.empties().first().unwrap();
            let expected = played_out(board, square);
            assert_eq!(score(board.mover(), square, -65), expected, "{board:?}");
            for alpha in -64..=64 {
                let found = score(board.mover(), square, alpha);
                assert_eq!(found > alpha, expected > alpha, "{board:?} {alpha}");
                assert!(found >= expected, "{board:?} {alpha}");
            }
        }
    }
}
