//! Exact scores against plain full-width search, symmetries, threads and repetition.

use crate::{engine, sample_size, search};
use engine::{Bound, Goal, Limits};
use othello::{Board, Move, Symmetry, sample::random_boards};

/// Full-width negamax without any pruning.
fn negamax(board: Board) -> i32 {
    let legal = board.legal_moves();
    if legal.is_empty() {
        let passed = board.swapped();
        return if passed.legal_moves().is_empty() {
            board.final_score()
        } else {
            -negamax(passed)
        };
    }
    let children = legal
        .into_iter()
        .map(|square| -negamax(board.play_unchecked(square, board.flips(square))));
    children.max().unwrap()
}

/// Plays a line out; the score at its end for the side to move at its start.
fn score_of_line(mut board: Board, moves: &[Move]) -> i32 {
    let mut sign = 1;
    for &action in moves {
        board = match action {
            Move::Place(square) => board.play(square).unwrap(),
            Move::Pass => {
                assert!(board.must_pass());
                board.swapped()
            }
        };
        sign = -sign;
    }
    assert!(board.is_game_over(), "the line goes to the end");
    sign * board.final_score()
}

#[test]
fn scores_equal_full_width_search_in_all_symmetries() {
    let mut engine = engine(1);
    let boards = random_boards(101).filter(|board| board.empties().len() <= 8);
    for (i, board) in boards.take(sample_size(400)).enumerate() {
        let expected = negamax(board);
        let symmetry = Symmetry::ALL[i % 8];
        for image in [board, symmetry.board(board)] {
            let report = search(&mut engine, image, &Limits::default());
            assert_eq!(report.score, 100 * expected, "{image:?}");
            assert!(report.solved);
            if let Some(line) = report.lines.first() {
                assert_eq!(score_of_line(image, &line.moves), expected, "{image:?}");
            }
        }
    }
}

#[test]
fn every_root_move_gets_its_own_exact_score() {
    let mut engine = engine(1);
    let limits = Limits {
        lines: usize::MAX,
        ..Limits::default()
    };
    let boards = random_boards(102).filter(|b| b.empties().len() == 8 && b.mobility() > 1);
    for board in boards.take(sample_size(60).min(2_000)) {
        let report = search(&mut engine, board, &limits);
        assert_eq!(report.lines.len(), board.mobility() as usize);
        for line in &report.lines {
            let square = line.moves[0].square().unwrap();
            let expected = -negamax(board.play(square).unwrap());
            assert_eq!(line.score, 100 * expected, "{board:?} {square}");
        }
        assert!(report.lines.is_sorted_by_key(|line| -line.score));
    }
}

#[test]
fn win_loss_and_draw_agree_with_the_score() {
    let mut engine = engine(1);
    let limits = Limits {
        goal: Goal::WinLossDraw,
        ..Limits::default()
    };
    for board in random_boards(103)
        .filter(|b| b.empties().len() == 8 && !b.is_game_over())
        .take(sample_size(200).min(5_000))
    {
        let expected = 100 * negamax(board);
        let report = search(&mut engine, board, &limits);
        assert!(report.solved);
        match report.bound {
            Bound::Exact => assert_eq!((report.score, expected), (0, 0), "{board:?}"),
            Bound::Lower => assert!(report.score > 0 && expected >= report.score, "{board:?}"),
            Bound::Upper => assert!(report.score < 0 && expected <= report.score, "{board:?}"),
        }
    }
}

/// The full machinery (table, evaluation, selectivity ladder) against the layers below it.
#[test]
fn threads_and_repetition_change_no_exact_score() {
    let mut one = engine(1);
    let mut several = [engine(2), engine(5)];
    let boards = random_boards(104).filter(|b| b.empties().len() == 15 && b.mobility() > 3);
    for board in boards.take(12) {
        one.clear();
        let first = search(&mut one, board, &Limits::default());
        one.clear();
        let again = search(&mut one, board, &Limits::default());
        assert_eq!(first, again, "one thread is deterministic");
        assert_eq!(
            score_of_line(board, &first.lines[0].moves),
            first.score / 100
        );
        for engine in &mut several {
            engine.clear();
            let parallel = search(engine, board, &Limits::default());
            assert_eq!(parallel.score, first.score, "{board:?}");
            assert_eq!(
                score_of_line(board, &parallel.lines[0].moves),
                first.score / 100
            );
        }
        let turned = search(
            &mut one,
            Symmetry::RotateClockwise.board(board),
            &Limits::default(),
        );
        assert_eq!(turned.score, first.score, "{board:?}");
    }
}

#[test]
fn depth_limited_searches_repeat_exactly() {
    let mut engine = engine(1);
    let limits = Limits {
        depth: Some(9),
        lines: 2,
        ..Limits::default()
    };
    for board in random_boards(105).step_by(7).take(15) {
        engine.clear();
        let first = search(&mut engine, board, &limits);
        engine.clear();
        assert_eq!(search(&mut engine, board, &limits), first);
    }
}
