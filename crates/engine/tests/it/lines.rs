//! Lines are as long as their searches are deep.

use crate::{engine, sample_size, search};
use engine::{Goal, Limits, Report, Selectivity};
use othello::{Board, Move, sample::random_boards};

/// Plays a line; the board at its end and how many discs it placed.
fn play(mut board: Board, moves: &[Move]) -> (Board, u32) {
    let mut placed = 0;
    for &action in moves {
        board = match action {
            Move::Place(square) => {
                placed += 1;
                board.play(square).unwrap()
            }
            Move::Pass => {
                assert!(board.must_pass());
                board.swapped()
            }
        };
    }
    (board, placed)
}

/// A pass costs no depth; a line ends early only with the game.
fn assert_complete(board: Board, report: &Report) {
    for line in &report.lines {
        let (end, placed) = play(board, &line.moves);
        assert!(
            placed == report.depth || end.is_game_over(),
            "{board:?}: {placed} of {} plies",
            report.depth
        );
        assert_ne!(line.moves.last(), Some(&Move::Pass), "{board:?}");
        if report.depth >= board.empties().len() {
            assert!(end.is_game_over(), "{board:?} is not played out");
        }
    }
}

fn boards(seed: u64, n: usize) -> impl Iterator<Item = Board> {
    random_boards(seed)
        .step_by(7)
        .filter(|board| !board.is_game_over())
        .take(n)
}

#[test]
fn every_line_goes_to_the_depth_of_its_search() {
    let mut engine = engine(1);
    for (i, board) in boards(301, sample_size(200)).enumerate() {
        for depth in [1, 2, 3, 5, 6, 8] {
            let limits = Limits {
                depth: Some(depth),
                lines: 1 + i % 3,
                ..Limits::default()
            };
            assert_complete(board, &search(&mut engine, board, &limits));
        }
    }
}

#[test]
fn lines_of_deep_and_of_unselective_searches_are_complete() {
    let mut engine = engine(1);
    for board in boards(302, 12) {
        for selectivity in [Selectivity::MIDGAME, Selectivity::EXACT] {
            let limits = Limits {
                depth: Some(if selectivity == Selectivity::EXACT {
                    8
                } else {
                    13
                }),
                selectivity,
                ..Limits::default()
            };
            assert_complete(board, &search(&mut engine, board, &limits));
        }
    }
}

/// Solved, solved for the winner only, and guessed to the end: all lines end with the game.
#[test]
fn lines_of_searches_to_the_end_end_with_the_game() {
    let mut engine = engine(1);
    for n_empties in [1, 4, 9, 12, 13, 15] {
        let boards = random_boards(303).filter(|b| b.empties().len() == n_empties);
        for board in boards.filter(|board| !board.is_game_over()).take(8) {
            for (goal, end_selectivity) in [
                (Goal::Score, Selectivity::EXACT),
                (Goal::WinLossDraw, Selectivity::EXACT),
                (Goal::Score, Selectivity::FASTEST),
            ] {
                let limits = Limits {
                    goal,
                    end_selectivity,
                    lines: 2,
                    ..Limits::default()
                };
                let report = search(&mut engine, board, &limits);
                assert_complete(board, &report);
                if report.solved && goal == Goal::Score {
                    let line = &report.lines[0];
                    let (end, _) = play(board, &line.moves);
                    let sign = if line.moves.len().is_multiple_of(2) {
                        1
                    } else {
                        -1
                    };
                    assert_eq!(100 * sign * end.final_score(), line.score, "{board:?}");
                }
            }
        }
    }
}

/// The work on lines leaves no trace in the search: all its reports are the same however many of
/// them are completed. The next search of the same engine must not differ either.
#[test]
fn completing_lines_changes_no_search() {
    let board = boards(304, 1).next().unwrap();
    let to_depth = |depth| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let mut once = engine(1);
    let direct = search(&mut once, board, &to_depth(10));
    // The same steps, each the last of its own search, in a table that forgets nothing between.
    let mut nodes = Vec::new();
    let mut observed = engine(1);
    let stop = std::sync::atomic::AtomicBool::new(false);
    observed.search(
        board,
        &to_depth(10),
        engine::Control {
            now_ms: &|| 0,
            stop: &stop,
            observe: &mut |report| nodes.push((report.depth, report.nodes)),
        },
    );
    for (depth, nodes) in nodes {
        let mut fresh = engine(1);
        assert_eq!(search(&mut fresh, board, &to_depth(depth)).nodes, nodes);
    }
    assert_eq!(search(&mut engine(1), board, &to_depth(10)), direct);
}
