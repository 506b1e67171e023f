//! What a search counts: laws that hold whatever it searches.

use crate::{engine, sample_size, search};
use engine::{Control, Engine, Limits, Report, eval::pattern::Pattern};
use othello::{Board, sample::random_boards};
use std::sync::atomic::AtomicBool;

fn assert_lawful(report: &Report) {
    let table = report.table;
    assert!(table.hits <= table.probes, "{report:?}");
    assert!(table.bounds_used <= table.hits, "{report:?}");
    assert!(table.replacements <= table.stores, "{report:?}");
    // A node is looked up at most once by itself, stored at most once and left at most once.
    assert!(table.stores <= report.nodes, "{report:?}");
    assert!(report.cutoffs <= report.nodes, "{report:?}");
    assert!(table.fill_permille <= 1000, "{report:?}");
}

/// The board, limits and number of lines of the `i`th of many different searches.
fn question(i: usize, board: Board) -> Limits {
    Limits {
        depth: Some(1 + (i % 7) as u32),
        exact_empties: 10,
        nodes: i.is_multiple_of(11).then_some(300),
        lines: 1 + i % 3,
        goal: if i.is_multiple_of(2) && board.empties().len() < 30 {
            engine::Goal::WinLossDraw
        } else {
            engine::Goal::Score
        },
        ..Limits::default()
    }
}

#[test]
fn sums_agree_in_a_thousand_searches() {
    let mut engine = engine(1);
    let mut sum = [0; 6];
    for (i, board) in random_boards(401).take(sample_size(1_000)).enumerate() {
        if i.is_multiple_of(50) {
            engine.clear();
        }
        let mut previous: Option<Report> = None;
        let last = engine.search(
            board,
            &question(i, board),
            Control {
                now_ms: &|| 0,
                stop: &AtomicBool::new(false),
                observe: &mut |report| {
                    assert_lawful(report);
                    if let Some(previous) = &previous {
                        assert!(previous.nodes <= report.nodes);
                        assert!(previous.cutoffs <= report.cutoffs);
                        assert!(previous.table.probes <= report.table.probes);
                        assert!(previous.table.stores <= report.table.stores);
                    }
                    previous = Some(report.clone());
                },
            },
        );
        assert_lawful(&last);
        let table = last.table;
        for (sum, count) in sum.iter_mut().zip([
            last.cutoffs,
            table.probes,
            table.hits,
            table.bounds_used,
            table.stores,
            table.replacements,
        ]) {
            *sum += count;
        }
    }
    // Replacements take a table that overflows.
    assert!(sum[..5].iter().all(|&count| count > 0), "{sum:?}");
}

#[test]
fn several_threads_count_lawfully() {
    let mut engine = engine(3);
    for (i, board) in random_boards(402).step_by(13).take(40).enumerate() {
        let limits = Limits {
            depth: Some(9),
            ..question(i, board)
        };
        assert_lawful(&search(&mut engine, board, &limits));
    }
}

fn midgame() -> Board {
    random_boards(7)
        .find(|board| board.empties().len() == 34 && board.mobility() > 5)
        .unwrap()
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// The smoke test of a table: the same search again finds what the first one stored.
#[test]
fn the_same_search_again_hits_the_table_and_is_smaller() {
    let mut engine = engine(1);
    let first = search(&mut engine, midgame(), &to_depth(8));
    let again = search(&mut engine, midgame(), &to_depth(8));
    assert_eq!(again.best(), first.best());
    assert!(again.nodes < first.nodes, "{again:?} after {first:?}");
    let rate = |report: &Report| report.table.hits as f64 / report.table.probes.max(1) as f64;
    assert!(rate(&again) > rate(&first), "{again:?} after {first:?}");
    assert!(again.table.bounds_used > 0);
    engine.clear();
    assert_eq!(search(&mut engine, midgame(), &to_depth(8)), first);
}

#[test]
fn a_search_with_a_table_is_smaller_than_one_without() {
    let mut with = engine(1);
    let mut without = Engine::without_table(Pattern::shipped().unwrap()).unwrap();
    let [with, without] = [&mut with, &mut without].map(|engine| {
        let reports = [Board::START, midgame()].map(|board| {
            engine.clear();
            // In a shallower tree hardly a node is deep enough to be kept, and chance decides.
            let report = search(engine, board, &to_depth(12));
            assert_lawful(&report);
            report
        });
        reports.map(|report| (report.nodes, report.table.replacements))
    });
    for (with, without) in with.iter().zip(without) {
        assert!(with.0 < without.0, "{with:?} {without:?}");
        assert_eq!(with.1, 0);
        assert!(without.1 > 0, "eight entries overflow");
    }
}
