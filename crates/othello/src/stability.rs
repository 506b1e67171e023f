//! Discs that can never be flipped again, as far as this can be proven quickly.
//!
//! Three sources, as in the strongest endgame solvers: edges by a table of all edge
//! configurations, discs whose four lines are full, and the fix point of "safe on all four lines
//! because the line is full, the board ends or a stable own disc stands next to it". What is
//! reported is truly stable; some discs that are stable for deeper reasons are not reported.

use crate::{Bitboard, Board};

const FILE_A: u64 = Bitboard::FILE_A.0;
const FILE_H: u64 = Bitboard::FILE_H.0;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = 0xff << 56;

impl Board {
    /// Provably stable discs of the side to move.
    pub fn stable_discs(self) -> Bitboard {
        Bitboard(stable(self.mover().0, self.opponent().0))
    }
}

/// Provably stable discs of `own`.
#[inline]
fn stable(own: u64, other: u64) -> u64 {
    let lines = full_lines(own | other);
    let everywhere = lines[0] & lines[1] & lines[2] & lines[3];
    let mut stable = edge_stable(own, other) | (everywhere & own);
    let candidates = own & !(FILE_A | FILE_H | RANK_1 | RANK_8);
    if stable == 0 {
        return 0;
    }
    loop {
        let row = stable << 1 | stable >> 1 | lines[0];
        let column = stable << 8 | stable >> 8 | lines[1];
        let diagonal = stable << 9 | stable >> 9 | lines[2];
        let antidiagonal = stable << 7 | stable >> 7 | lines[3];
        // Only inner squares are candidates, so wrapped shifts land on ignored files.
        let next = stable | (candidates & row & column & diagonal & antidiagonal);
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// Squares whose row, column, diagonal and antidiagonal have no empty square.
#[inline]
fn full_lines(occupied: u64) -> [u64; 4] {
    let empty = !occupied;
    let row = {
        let mut e = empty;
        e |= e >> 1 & !FILE_H;
        e |= e >> 2 & 0x3f3f_3f3f_3f3f_3f3f;
        e |= e >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
        !((e & FILE_A).wrapping_mul(0xff))
    };
    let column = {
        let mut e = empty;
        e |= e.rotate_right(8);
        e |= e.rotate_right(16);
        e |= e.rotate_right(32);
        !e
    };
    [
        row,
        column,
        !smear_diagonal(empty),
        !smear_antidiagonal(empty),
    ]
}

/// Every square that shares an a1–h8 diagonal with one of the set.
#[inline]
fn smear_diagonal(set: u64) -> u64 {
    const RIGHT: [u64; 3] = [!FILE_A, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0];
    const LEFT: [u64; 3] = [!FILE_H, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f];
    let (mut up, mut down) = (set, set);
    for step in 0..3 {
        up |= (up << (9 << step)) & RIGHT[step];
        down |= (down >> (9 << step)) & LEFT[step];
    }
    up | down
}

/// Every square that shares an a8–h1 diagonal with one of the set.
#[inline]
fn smear_antidiagonal(set: u64) -> u64 {
    const RIGHT: [u64; 3] = [!FILE_A, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0];
    const LEFT: [u64; 3] = [!FILE_H, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f];
    let (mut up, mut down) = (set, set);
    for step in 0..3 {
        up |= (up << (7 << step)) & LEFT[step];
        down |= (down >> (7 << step)) & RIGHT[step];
    }
    up | down
}

/// Discs of `own` on the rim that no sequence of moves along their edge can flip.
#[inline]
fn edge_stable(own: u64, other: u64) -> u64 {
    let table = &EDGE_STABLE;
    let lookup = |own: u8, other: u8| u64::from(table[edge_index(own, other)]);
    let top = lookup(own as u8, other as u8);
    let bottom = lookup((own >> 56) as u8, (other >> 56) as u8) << 56;
    let left = spread_file_a(lookup(pack_file_a(own), pack_file_a(other)));
    let right = spread_file_a(lookup(pack_file_a(own >> 7), pack_file_a(other >> 7))) << 7;
    top | bottom | left | right
}

/// File a as a byte, rank 1 in the lowest bit.
#[inline]
fn pack_file_a(b: u64) -> u8 {
    // Multiplying moves the bit of rank r from 8r to 56 + r; no two partial products meet.
    ((b & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The inverse of [`pack_file_a`].
#[inline]
fn spread_file_a(byte: u64) -> u64 {
    // Copies of the byte shifted by 7 per rank put bit r at 8r.
    ((byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & FILE_A) | (byte & 0x80) << 49
}

#[inline]
const fn edge_index(own: u8, other: u8) -> usize {
    TERNARY[own as usize] as usize + 2 * TERNARY[other as usize] as usize
}

/// A byte's bits as base-3 digits.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut power) = (0, 1);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] += power;
            }
            power *= 3;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Stable own discs for each of the 3⁸ edges (digit 1 own, 2 other, 0 empty).
///
/// An edge disc can be flipped only along its edge. So a disc is stable if it keeps its colour
/// whatever the two sides place on the edge's empty squares in whatever order, with or without
/// flips (a placement may be legal because of another line, and then flips nothing here). Filled
/// from the fullest edges down, each is the intersection over all single placements.
static EDGE_STABLE: [u8; 6561] = {
    let mut table = [0; 6561];
    let mut n_empty = 0;
    while n_empty <= 8 {
        let mut index = 0;
        while index < 6561 {
            let (own, other) = edge_of_index(index);
            if (own | other).count_zeros() == n_empty {
                table[index] = edge_stable_after_any_placement(own, other, &table);
            }
            index += 1;
        }
        n_empty += 1;
    }
    table
};

const fn edge_stable_after_any_placement(own: u8, other: u8, table: &[u8; 6561]) -> u8 {
    let mut stable = own;
    let mut square = 0;
    while square < 8 && stable != 0 {
        let bit = 1 << square;
        if (own | other) & bit == 0 {
            let flipped = edge_flips(square, own, other);
            stable &= table[edge_index(own | bit | flipped, other & !flipped)];
            let flipped = edge_flips(square, other, own);
            stable &= table[edge_index(own & !flipped, other | bit | flipped)];
        }
        square += 1;
    }
    stable
}

/// The inverse of [`edge_index`].
const fn edge_of_index(index: usize) -> (u8, u8) {
    let (mut own, mut other, mut rest, mut bit) = (0u8, 0u8, index, 1u16);
    while bit < 256 {
        match rest % 3 {
            1 => own |= bit as u8,
            2 => other |= bit as u8,
            _ => {}
        }
        rest /= 3;
        bit <<= 1;
    }
    (own, other)
}

/// Discs of `other` between `square` and the nearest disc of `own`, on both sides.
const fn edge_flips(square: u32, own: u8, other: u8) -> u8 {
    let mut above = 0;
    let mut bit = (1u8 << square) << 1;
    while other & bit != 0 {
        above |= bit;
        bit <<= 1;
    }
    if own & bit == 0 {
        above = 0;
    }
    let mut below = 0;
    let mut bit = (1u8 << square) >> 1;
    while other & bit != 0 {
        below |= bit;
        bit >>= 1;
    }
    if own & bit == 0 {
        below = 0;
    }
    above | below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Square, sample::random_boards};

    #[test]
    fn file_packing_is_a_bijection() {
        for byte in 0..=255u64 {
            let spread = spread_file_a(byte);
            assert_eq!(spread & !FILE_A, 0);
            assert_eq!(u64::from(pack_file_a(spread)), byte);
            for rank in 0..8 {
                assert_eq!(spread >> (8 * rank) & 1, byte >> rank & 1);
            }
        }
    }

    #[test]
    fn full_lines_equal_a_walk_over_the_lines() {
        for board in random_boards(11).take(4_000) {
            let empties = board.empties();
            let lines = full_lines(board.occupied().0);
            for square in Square::all() {
                let on_line = |kind: usize, other: Square| {
                    let (f, r) = (i32::from(square.file()), i32::from(square.rank()));
                    let (of, or) = (i32::from(other.file()), i32::from(other.rank()));
                    [r == or, f == of, f - r == of - or, f + r == of + or][kind]
                };
                for (kind, line) in lines.iter().enumerate() {
                    let full = !empties.into_iter().any(|e| on_line(kind, e));
                    assert_eq!(line >> square.index() & 1 == 1, full, "{square} {kind}");
                }
            }
        }
    }

    /// Whatever is called stable keeps its colour in every continuation, checked to the end of
    /// the game by brute force on boards with few empty squares.
    #[test]
    fn stable_discs_are_never_flipped() {
        fn survives(board: Board, ours: Bitboard, theirs: Bitboard) -> bool {
            if !ours.is_subset(board.mover()) || !theirs.is_subset(board.opponent()) {
                return false;
            }
            let legal = board.legal_moves();
            if legal.is_empty() {
                let passed = board.swapped();
                return passed.legal_moves().is_empty() || survives(passed, theirs, ours);
            }
            legal
                .into_iter()
                .all(|s| survives(board.play_unchecked(s, board.flips(s)), theirs, ours))
        }
        let mut proven = 0;
        for board in random_boards(12)
            .filter(|b| b.empties().len() <= 6)
            .take(1_500)
        {
            let ours = board.stable_discs();
            let theirs = board.swapped().stable_discs();
            proven += ours.len() + theirs.len();
            assert!(survives(board, ours, theirs), "{board:?}");
        }
        assert!(proven > 20_000, "only {proven} discs claimed");
    }

    #[test]
    fn corners_and_full_boards_are_stable_and_the_start_is_not() {
        assert!(Board::START.stable_discs().is_empty());
        let board = Board::new(Bitboard(0x0103), Bitboard(0x0204)).unwrap();
        assert_eq!(board.stable_discs().to_string(), "a1 b1 a2");
        let full = Board::new(Bitboard(!0 << 32), Bitboard(!0 >> 32)).unwrap();
        assert_eq!(full.stable_discs(), full.mover());
    }
}
