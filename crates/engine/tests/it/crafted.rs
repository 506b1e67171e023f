//! Positions made to have one right answer.

use crate::{engine, search};
use engine::{Bound, Limits};
use othello::{Bitboard, Move, Position, sample::random_boards};

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

fn limits(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// Positions with a corner to take that is worth ten discs more than anything else, proven by
/// solving: the solver takes it always, and a search of four plies hardly ever misses it.
#[test]
fn a_free_corner_is_taken() {
    let mut engine = engine(1);
    let all_moves = Limits {
        lines: usize::MAX,
        ..Limits::default()
    };
    let is_corner = |report: &engine::Report| {
        let square = report.best().and_then(Move::square);
        square.is_some_and(|square| Bitboard::CORNERS.contains(square))
    };
    let (mut n_free, mut n_taken) = (0, 0);
    let boards = random_boards(9).filter(|board| board.empties().len() == 12);
    for board in boards.filter(|b| (b.legal_moves() & Bitboard::CORNERS).len() == 1) {
        let proof = search(&mut engine, board, &all_moves);
        let is_free = proof.lines.len() > 1
            && is_corner(&proof)
            && proof.score >= proof.lines[1].score + 1000;
        if is_free {
            n_free += 1;
            n_taken += u32::from(is_corner(&search(&mut engine, board, &limits(4))));
        }
        if n_free == 50 {
            break;
        }
    }
    assert!(
        n_taken >= 45,
        "{n_taken} of {n_free} free corners were taken"
    );
}

/// The pass is the line's first move and the score is turned.
#[test]
fn a_forced_pass_is_played_and_seen_through() {
    let mut engine = engine(1);
    let boards = random_boards(8).filter(|b| b.must_pass() && b.empties().len() > 5);
    for board in boards.take(20) {
        let report = search(&mut engine, board, &limits(4));
        assert_eq!(report.best(), Some(Move::Pass));
        let other = search(&mut engine, board.swapped(), &limits(4));
        assert_eq!(report.score, -other.score);
        assert_eq!(report.lines[0].moves[1..], other.lines[0].moves[..]);
    }
}

#[test]
fn a_finished_game_has_a_score_and_no_line() {
    let mut text = "X".repeat(20) + &"-".repeat(44);
    text.push_str(" O");
    let board = position(&text).board;
    let report = search(&mut engine(1), board, &limits(5));
    assert_eq!(report.lines, []);
    assert_eq!(report.best(), None);
    assert_eq!((report.score, report.bound), (-6400, Bound::Exact));
    assert!(report.solved);
}

#[test]
fn a_double_pass_ends_the_line() {
    // Black takes the last white discs; neither side can move after that, empties go to Black.
    let text = "XOO-----\
                --------\
                --------\
                --------\
                --------\
                --------\
                --------\
                -------- X";
    let report = search(&mut engine(1), position(text).board, &limits(6));
    assert_eq!(report.best().unwrap().to_string(), "d1");
    assert_eq!(report.score, 6400);
    assert_eq!(report.lines[0].moves.len(), 1);
}

#[test]
fn the_only_move_is_found_at_every_depth() {
    let text = "-OX-----\
                --------\
                --------\
                --------\
                --------\
                --------\
                --------\
                ------O- X";
    let board = position(text).board;
    assert_eq!(board.mobility(), 1);
    for depth in [1, 3, 7] {
        let report = search(&mut engine(1), board, &limits(depth));
        assert_eq!(report.best().unwrap().to_string(), "a1");
    }
}
