//! Published counts from the start, and a pack of twelve positions that are awkward in different
//! ways.

use othello::{Board, PERFT_PACK_SHA256, perft, perft_pack, perft_reference};
use sha2::{Digest as _, Sha256};

/// Depth 1 to 11 from the start, as published.
const FROM_START: [u64; 11] = [
    4,
    12,
    56,
    244,
    1_396,
    8_200,
    55_092,
    390_216,
    3_005_288,
    24_571_284,
    212_258_800,
];

#[test]
fn the_fast_generator_gives_the_published_counts() {
    for (depth, expected) in (1..=9).zip(FROM_START) {
        assert_eq!(perft(Board::START, depth), expected, "depth {depth}");
    }
}

#[test]
fn the_reference_gives_the_published_counts() {
    for (depth, expected) in (1..=6).zip(FROM_START) {
        assert_eq!(
            perft_reference(Board::START, depth),
            expected,
            "depth {depth}"
        );
    }
}

#[test]
#[ignore = "a second in a release build: the two deepest published counts"]
fn the_fast_generator_gives_the_deepest_published_counts() {
    for (depth, expected) in (10..=11).zip(&FROM_START[9..]) {
        assert_eq!(perft(Board::START, depth), *expected, "depth {depth}");
    }
}

#[test]
fn both_generators_give_the_counts_of_the_pack() {
    const REFERENCE_DEPTH: u32 = 5;
    let mut digest = Sha256::new();
    let pack = perft_pack();
    assert_eq!(pack.len(), 12);
    for case in pack {
        let position = case.position;
        for (depth, expected) in (1..).zip(case.counts) {
            let board = position.board;
            assert_eq!(perft(board, depth), expected, "{position} depth {depth}");
            if depth <= REFERENCE_DEPTH {
                assert_eq!(
                    perft_reference(board, depth),
                    expected,
                    "{position} depth {depth}"
                );
            }
            digest.update(format!("{expected}\n"));
        }
    }
    let digest: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, PERFT_PACK_SHA256);
}
