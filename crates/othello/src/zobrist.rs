//! Fixed-seed Zobrist hashing of coloured positions, the key of databases and books.
//!
//! The keys are part of stored files: changing the seed or the generator orphans every database.

use crate::{Bitboard, Position, Side, Square, sample::SplitMix64};

const SEED: u64 = 0x4b69_6269_747a_2101; // "Kibitz!" and a version byte

struct Keys {
    disc: [[u64; 64]; 2],
    /// Both colours of a square at once: what a flip changes.
    flip: [u64; 64],
    white_to_move: u64,
}

static KEYS: Keys = {
    let mut random = SplitMix64::new(SEED);
    let mut disc = [[0; 64]; 2];
    let mut flip = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut side = 0;
        while side < 2 {
            disc[side][square] = random.next_u64();
            side += 1;
        }
        flip[square] = disc[0][square] ^ disc[1][square];
        square += 1;
    }
    Keys {
        disc,
        flip,
        white_to_move: random.next_u64(),
    }
};

/// The hash of a position from scratch.
pub fn hash(position: Position) -> u64 {
    let mut key = turn(position.side);
    for side in Side::BOTH {
        for square in position.discs(side) {
            key ^= KEYS.disc[side.index()][square.index()];
        }
    }
    key
}

/// What a move by `side` changes: XOR it to the hash before to get the hash after, and back.
#[inline]
pub fn move_delta(side: Side, square: Square, flips: Bitboard) -> u64 {
    let mut delta = KEYS.disc[side.index()][square.index()] ^ KEYS.white_to_move;
    for flipped in flips {
        delta ^= KEYS.flip[flipped.index()];
    }
    delta
}

/// What a pass changes.
#[inline]
pub fn pass_delta() -> u64 {
    KEYS.white_to_move
}

#[inline]
fn turn(side: Side) -> u64 {
    match side {
        Side::Black => 0,
        Side::White => KEYS.white_to_move,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct_and_pinned() {
        let all: HashSet<u64> = KEYS
            .disc
            .as_flattened()
            .iter()
            .chain(&KEYS.flip)
            .chain([&KEYS.white_to_move])
            .copied()
            .collect();
        assert_eq!(all.len(), 64 * 3 + 1);
        // Databases depend on this value.
        assert_eq!(hash(Position::START), 4_814_517_841_767_033_896);
    }
}
