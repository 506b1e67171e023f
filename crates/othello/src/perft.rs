//! Counting all move sequences of a length: the classic proof of a move generator.
//!
//! A pass counts as a move; a finished game counts as one sequence at any greater depth.

use crate::{Board, Position, reference};

/// The number of sequences of `depth` moves, by the production kernels.
///
/// ```
/// assert_eq!(othello::perft(othello::Board::START, 6), 8200);
/// ```
pub fn perft(board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_last(board),
        _ => inner(board, depth),
    }
}

/// `depth >= 2`.
fn inner(board: Board, depth: u32) -> u64 {
    let legal = board.legal_moves();
    if legal.is_empty() {
        let passed = board.swapped();
        return if passed.legal_moves().is_empty() {
            1
        } else {
            perft(passed, depth - 1)
        };
    }
    let mut nodes = 0;
    for square in legal {
        let next = board.play_unchecked(square, board.flips(square));
        nodes += if depth == 2 {
            count_last(next)
        } else {
            inner(next, depth - 1)
        };
    }
    nodes
}

/// One move deep nothing need be played: a pass and a finished game count one each.
#[inline]
fn count_last(board: Board) -> u64 {
    u64::from(board.legal_moves().len().max(1))
}

/// The same count by the reference generator and without short cuts.
pub fn perft_reference(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = reference::legal_moves(board);
    if legal.is_empty() {
        let passed = board.swapped();
        return if reference::legal_moves(passed).is_empty() {
            1
        } else {
            perft_reference(passed, depth - 1)
        };
    }
    legal
        .into_iter()
        .map(|square| {
            let flips = reference::flips(board, square);
            let mut mover = board.mover() | flips;
            mover.insert(square);
            let next = Board::new(board.opponent() - flips, mover)
                .expect("a legal move keeps the two sets apart");
            perft_reference(next, depth - 1)
        })
        .sum()
}

/// A position of the [`perft_pack`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerftCase {
    /// What is awkward about it.
    pub name: &'static str,
    /// Where the sequences begin.
    pub position: Position,
    /// The recorded counts for depth 1 to 6.
    pub counts: [u64; 6],
}

/// The SHA-256 of the counts of the [`perft_pack`] in order, depth by depth within a position, each
/// as decimal digits and a line feed.
pub const PERFT_PACK_SHA256: &str =
    "358970153e9af1b0614de6634d9f6ba8e685e2373270ba52fab514272958bb92";

/// Twelve positions that are awkward in different ways, with their counts.
///
/// # Panics
///
/// If the pack in this crate is damaged, which the tests would tell.
pub fn perft_pack() -> Vec<PerftCase> {
    let mut name = "";
    let mut pack = Vec::new();
    for line in include_str!("perft_pack.txt").lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            name = comment;
            continue;
        }
        let (position, rest) = line.split_once(';').expect("board; counts");
        let mut counts = [0; 6];
        let mut texts = rest.split_whitespace();
        for count in &mut counts {
            let text = texts.next().expect("six counts");
            *count = text.parse().expect("a count");
        }
        assert_eq!(texts.next(), None, "six counts");
        let position = position.parse().expect("a board and a side");
        pack.push(PerftCase {
            name,
            position,
            counts,
        });
    }
    pack
}
