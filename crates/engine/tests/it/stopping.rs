//! Limits and the stop flag: the search ends, and what it says is of finished work.

use crate::{engine, search};
use engine::{Bound, Control, Limits};
use othello::{Board, sample::random_boards};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn midgame() -> Board {
    random_boards(7)
        .find(|board| board.empties().len() == 34 && board.mobility() > 5)
        .unwrap()
}

#[test]
fn a_stop_during_the_search_keeps_the_last_finished_depth() {
    for threads in [1, 2] {
        let stop = AtomicBool::new(false);
        let mut depths = Vec::new();
        let report = engine(threads).search(
            midgame(),
            &Limits::default(),
            Control {
                now_ms: &|| 0,
                stop: &stop,
                observe: &mut |report| {
                    depths.push(report.depth);
                    if report.depth == 6 {
                        stop.store(true, Ordering::Relaxed);
                    }
                },
            },
        );
        assert!(report.depth >= 6, "{threads} threads");
        assert!(!report.solved);
        assert!(depths.is_sorted());
        let best = report.best().unwrap().square().unwrap();
        assert!(midgame().legal_moves().contains(best));
    }
}

/// The best move of the step before comes first in each step, so that one which was found after it
/// is better by the deeper search, whether that could be finished or not.
#[test]
fn a_better_move_of_an_unfinished_step_is_played() {
    let (mut limited, mut whole) = (engine(1), engine(1));
    let (mut n_taken, mut n_confirmed) = (0, 0);
    let boards = random_boards(10).filter(|b| b.empties().len() == 34 && b.mobility() > 5);
    for (board, nodes) in boards
        .take(12)
        .flat_map(|b| (1..30).map(move |n| (b, 400 * n)))
    {
        let mut finished = None;
        limited.clear();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let report = limited.search(
            board,
            &limits,
            Control {
                now_ms: &|| 0,
                stop: &AtomicBool::new(false),
                observe: &mut |report| finished = Some(report.clone()),
            },
        );
        let finished = finished.unwrap();
        assert_eq!(report.depth, finished.depth);
        if report.best() == finished.best() {
            continue;
        }
        assert_eq!(report.bound, Bound::Lower);
        assert_eq!(report.score, report.lines[0].score);
        whole.clear();
        let deeper = Limits {
            depth: Some(finished.depth + 1),
            ..Limits::default()
        };
        n_taken += 1;
        n_confirmed += u32::from(search(&mut whole, board, &deeper).best() != finished.best());
    }
    assert!(n_taken > 10, "{n_taken}");
    assert!(
        10 * n_confirmed >= 9 * n_taken,
        "{n_confirmed} of {n_taken}"
    );
}

#[test]
fn a_stop_before_the_search_still_gives_a_legal_move() {
    let report = engine(1).search(
        midgame(),
        &Limits::default(),
        Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(true),
            observe: &mut |_| {},
        },
    );
    let best = report.best().unwrap().square().unwrap();
    assert!(midgame().legal_moves().contains(best));
}

/// In the midgame, where nodes are looked at all the time, and near the end, where whole layers of
/// the solver look at nothing else.
#[test]
fn node_limits_are_kept_to_within_a_hundred() {
    let mut engine = engine(1);
    for n_empties in [10, 11, 12, 14, 16, 20, 34, 50] {
        let boards = random_boards(8).filter(|b| b.empties().len() == n_empties);
        for board in boards.filter(|board| board.mobility() > 3).take(4) {
            for nodes in [1, 20, 137, 512, 1_000, 3_333, 10_000, 65_537] {
                let limits = Limits {
                    nodes: Some(nodes),
                    lines: 1 + (nodes % 2) as usize,
                    ..Limits::default()
                };
                engine.clear();
                let report = search(&mut engine, board, &limits);
                assert!(
                    report.nodes <= nodes + 100,
                    "{} instead of {nodes} nodes: {board:?}",
                    report.nodes
                );
                // What was not needed is left, and nothing else.
                assert!(
                    report.solved || report.nodes >= nodes,
                    "{} of {nodes} nodes: {board:?}",
                    report.nodes
                );
                let best = report.best().unwrap().square().unwrap();
                assert!(board.legal_moves().contains(best));
            }
        }
    }
}

#[test]
fn threads_share_a_limit_of_nodes() {
    let mut engine = engine(3);
    for nodes in [500, 5_000, 50_000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let report = search(&mut engine, midgame(), &limits);
        assert!(report.nodes <= nodes + 300, "{} nodes", report.nodes);
    }
}

/// A search that ran out of nodes in the solver leaves nothing wrong behind.
#[test]
fn what_a_limited_search_remembers_is_right() {
    let mut limited = engine(1);
    let mut fresh = engine(1);
    for board in random_boards(9)
        .filter(|b| b.empties().len() == 12 && b.mobility() > 2)
        .take(12)
    {
        for nodes in [50, 500, 2_000, 5_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            search(&mut limited, board, &limits);
        }
        fresh.clear();
        assert_eq!(
            search(&mut limited, board, &Limits::default()).score,
            search(&mut fresh, board, &Limits::default()).score,
            "{board:?}"
        );
    }
}

/// Whatever the threads have split among them at that moment is given up.
#[test]
fn several_threads_stop_anywhere_and_the_engine_goes_on() {
    let mut engine = engine(4);
    for nodes in (1..60).map(|step| step * step * 100) {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let report = search(&mut engine, midgame(), &limits);
        let best = report.best().unwrap().square().unwrap();
        assert!(midgame().legal_moves().contains(best), "{nodes} nodes");
    }
    let limits = Limits {
        depth: Some(8),
        ..Limits::default()
    };
    assert_eq!(search(&mut engine, midgame(), &limits).depth, 8);
}

/// The threads search the midgame side by side and the end together; nothing of that may keep one
/// from ending, whatever their number.
#[test]
fn any_number_of_threads_reaches_the_depth() {
    for threads in 1..=5 {
        let mut engine = engine(threads);
        for (board, depth) in random_boards(11)
            .filter(|b| (14..=50).contains(&b.empties().len()) && b.mobility() > 2)
            .take(12)
            .zip([1, 2, 5, 9].into_iter().cycle())
        {
            let limits = Limits {
                depth: Some(depth),
                lines: 1 + threads % 2,
                ..Limits::default()
            };
            engine.clear();
            let report = search(&mut engine, board, &limits);
            assert_eq!(report.depth, depth, "{threads} threads: {board:?}");
            let best = report.best().unwrap().square().unwrap();
            assert!(board.legal_moves().contains(best));
        }
    }
}

/// A clock that advances by a millisecond each time it is read: no real time is involved.
#[test]
fn the_clock_handed_in_ends_a_search() {
    let ticks = AtomicU64::new(0);
    let limits = Limits {
        time_ms: Some(300),
        ..Limits::default()
    };
    let report = engine(1).search(
        midgame(),
        &limits,
        Control {
            now_ms: &|| ticks.fetch_add(1, Ordering::Relaxed),
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        },
    );
    assert!(report.depth > 1);
    let read = ticks.load(Ordering::Relaxed);
    assert!((150..2_000).contains(&read), "{read} readings");
}
