//! What the search's settings change, and what they must not.

use crate::{engine, search};
use engine::{LateMoves, Limits, Selectivity};
use othello::{Board, sample::random_boards};

fn boards(seed: u64, n_empties: u32, n: usize) -> Vec<Board> {
    random_boards(seed)
        .filter(|board| board.empties().len() == n_empties && board.mobility() > 3)
        .take(n)
        .collect()
}

/// Nodes of one search after another, each without memory of those before it.
fn nodes(boards: &[Board], limits: &Limits) -> u64 {
    let mut engine = engine(1);
    let each = boards.iter().map(|&board| {
        engine.clear();
        search(&mut engine, board, limits).nodes
    });
    each.sum()
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn bolder_reductions_make_smaller_trees() {
    let boards = boards(201, 40, 40);
    let [conservative, normal, aggressive] = LateMoves::ALL.map(|late_moves| {
        let limits = Limits {
            late_moves,
            ..to_depth(12)
        };
        nodes(&boards, &limits)
    });
    assert!(
        conservative > normal && normal > aggressive,
        "{conservative} {normal} {aggressive}"
    );
}

/// The three ways differ from depth 5 on at the earliest, and without selectivity never.
#[test]
fn nothing_is_reduced_near_the_leaves_or_without_selectivity() {
    let boards = boards(202, 40, 12);
    for limits in [
        // The children of the root are searched one ply less deep.
        to_depth(5),
        Limits {
            selectivity: Selectivity::EXACT,
            ..to_depth(7)
        },
    ] {
        let [conservative, normal, aggressive] = LateMoves::ALL.map(|late_moves| {
            let limits = Limits {
                late_moves,
                ..limits
            };
            nodes(&boards, &limits)
        });
        assert_eq!((conservative, aggressive), (normal, normal), "{limits:?}");
    }
}

/// With 14 empty squares the midgame steps stay above the depth of reductions, so that any node
/// that differed would be one of the search to the end.
#[test]
fn nothing_is_reduced_in_a_search_to_the_end() {
    let boards = boards(203, 14, 12);
    for end_selectivity in [Selectivity::FASTEST, Selectivity::EXACT] {
        let [conservative, normal, aggressive] = LateMoves::ALL.map(|late_moves| {
            let limits = Limits {
                late_moves,
                end_selectivity,
                ..Limits::default()
            };
            nodes(&boards, &limits)
        });
        assert_eq!((conservative, aggressive), (normal, normal));
    }
}

#[test]
fn the_window_decides_how_much_is_searched() {
    let boards = boards(204, 40, 12);
    let counts = [1, Limits::DEFAULT_ASPIRATION, 400, 6400].map(|aspiration| {
        let limits = Limits {
            aspiration,
            ..to_depth(8)
        };
        nodes(&boards, &limits)
    });
    for (i, count) in counts.iter().enumerate() {
        assert!(!counts[..i].contains(count), "{counts:?}");
    }
    // What is out of range is the nearest that is not.
    let beyond = Limits {
        aspiration: u32::MAX,
        ..to_depth(8)
    };
    assert_eq!(nodes(&boards, &beyond), counts[3]);
}

#[test]
fn no_setting_changes_an_exact_score() {
    let mut engine = engine(1);
    for board in boards(205, 16, 4) {
        engine.clear();
        let expected = search(&mut engine, board, &Limits::default());
        assert!(expected.solved);
        for late_moves in LateMoves::ALL {
            for aspiration in [1, 6400] {
                let limits = Limits {
                    late_moves,
                    aspiration,
                    ..Limits::default()
                };
                engine.clear();
                let report = search(&mut engine, board, &limits);
                assert_eq!(
                    (report.score, report.solved),
                    (expected.score, true),
                    "{board:?} {late_moves} {aspiration}"
                );
            }
        }
    }
}

#[test]
fn a_table_that_does_not_fit_is_an_error_that_says_what_does() {
    let pattern = || engine::eval::pattern::Pattern::shipped().unwrap();
    for hash_mb in [usize::MAX, 1 << 40] {
        let error = engine::Engine::new(pattern(), hash_mb, 1).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(&format!("{hash_mb} MB")) && text.contains("MB can be had"),
            "{text}"
        );
    }
    let (_, hash_mb) = engine::Engine::with_table_up_to((), usize::MAX).unwrap();
    assert!(hash_mb > 0);
}
