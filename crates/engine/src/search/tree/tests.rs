//! Late move reductions, node by node.

use super::*;
use crate::{eval::classic::Classic, testing::with_worker};
use othello::sample::random_boards;

/// The reductions of the first ten moves of a node.
fn reductions(late_moves: LateMoves, depth: u32) -> [u8; 10] {
    let mut reductions = LateRule::of(late_moves).at(depth);
    std::array::from_fn(|_| reductions.next())
}

#[test]
fn late_moves_are_reduced_from_a_depth_on_and_early_ones_never() {
    for depth in 1..=4 {
        for late_moves in LateMoves::ALL {
            assert_eq!(reductions(late_moves, depth), [0; 10], "{late_moves}");
        }
    }
    for depth in 5..60 {
        let conservative = if depth < 7 {
            [0; 10]
        } else {
            [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
        };
        assert_eq!(reductions(LateMoves::Conservative, depth), conservative);
        assert_eq!(
            reductions(LateMoves::Normal, depth),
            [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
        );
        assert_eq!(
            reductions(LateMoves::Aggressive, depth),
            [0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
        );
    }
    let mut none = Reductions::NONE;
    assert!((0..64).all(|_| none.next() == 0));
}

/// A late move that does no better less deep is done with; one that does is searched again, and
/// only the full depth counts.
#[test]
fn a_reduced_move_that_does_better_is_searched_again_at_full_depth() {
    let evaluator = Classic::default();
    let (mut n_done, mut n_kept, mut n_refuted) = (0, 0, 0);
    let boards = random_boards(61)
        .filter(|board| (20..=45).contains(&board.empties().len()) && board.mobility() > 4)
        .take(60);
    for board in boards {
        let state = &evaluator.root(board);
        let moves = candidates(board, board.legal_moves());
        let fresh = |ask: &dyn Fn(&mut Worker<'_, Classic>) -> i32| with_worker(&evaluator, ask);
        let nothing = Found {
            best: i32::MIN,
            square: None,
            alpha: WORST,
        };
        let depth = 5;
        let first = fresh(&|worker| worker.child_value(state, &moves[0], depth, nothing, BEST));
        let found = Found {
            best: first,
            square: Some(moves[0].square),
            alpha: first,
        };
        for child in &moves[1..] {
            for reduction in [1, 2] {
                let value = |depth| {
                    fresh(&|worker| worker.child_value(state, child, depth, found, first + 1))
                };
                let (shallow, full) = (value(depth - u32::from(reduction)), value(depth));
                let reduced = Candidate {
                    reduction,
                    ..*child
                };
                let got =
                    fresh(&|worker| worker.reduced_value(state, &reduced, depth, found, first + 1));
                if shallow <= first {
                    assert_eq!(got, shallow, "{board:?} {}", child.square);
                    n_done += 1;
                } else {
                    assert_eq!(got > first, full > first, "{board:?} {}", child.square);
                    n_kept += u32::from(full > first);
                    n_refuted += u32::from(full <= first);
                }
            }
        }
    }
    assert!(
        n_done > 50 && n_kept > 50 && n_refuted > 10,
        "{n_done} {n_kept} {n_refuted}"
    );
}
