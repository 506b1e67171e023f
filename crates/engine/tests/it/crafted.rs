//! Positions made to have one right answer.

use crate::{engine, search};
use engine::{Bound, Limits};
use othello::{Move, Position, sample::random_boards};

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

fn limits(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// Black may take a1 for nothing; if not, White will.
const FREE_CORNER: &str = "-OX-----\
                           X-------\
                           O-XXX---\
                           ---XO---\
                           ---OX---\
                           --------\
                           --------\
                           -------- X";

#[test]
fn a_free_corner_is_taken() {
    let mut engine = engine(1);
    let board = position(FREE_CORNER).board;
    for depth in [1, 2, 4, 6] {
        let report = search(&mut engine, board, &limits(depth));
        let best = report.best().unwrap().to_string();
        assert_eq!(best, "a1", "depth {depth}");
    }
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
    // Black takes the last white discs; nobody can move after that, empties go to Black.
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
