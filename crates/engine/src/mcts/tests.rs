//! What a Monte Carlo search must do whatever its chance is.

use super::*;
use crate::testing::negamax;
use othello::{Position, sample::random_boards};
use std::sync::atomic::{AtomicBool, AtomicU64};

fn search(settings: &Mcts, board: Board, limits: &Limits) -> Report {
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    settings.search(board, limits, control)
}

fn playouts(n: u64) -> Limits {
    Limits {
        nodes: Some(n),
        lines: 64,
        ..Limits::default()
    }
}

fn board(text: &str) -> Board {
    text.parse::<Position>().unwrap().board
}

/// Lines must be playable from the root; a pass stands where one is due.
fn assert_playable(mut board: Board, moves: &[Move]) {
    for action in moves {
        board = match action {
            Move::Place(square) => board.play(*square).unwrap(),
            Move::Pass => {
                assert!(board.must_pass());
                board.swapped()
            }
        };
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    for board in random_boards(31).step_by(97).take(10) {
        let first = search(&Mcts::default(), board, &playouts(300));
        assert_eq!(search(&Mcts::default(), board, &playouts(300)), first);
    }
    let other = Mcts {
        seed: 1,
        ..Mcts::default()
    };
    assert_ne!(
        search(&other, Board::START, &playouts(300)).lines,
        search(&Mcts::default(), Board::START, &playouts(300)).lines
    );
}

#[test]
fn reports_are_playable_and_complete() {
    for board in random_boards(32).step_by(13).take(150) {
        let report = search(&Mcts::default(), board, &playouts(200));
        if board.is_game_over() {
            assert_eq!((report.lines.len(), report.nodes), (0, 0));
            assert_eq!(report.score, 100 * board.final_score());
            assert!(report.solved);
            continue;
        }
        let expected = board.legal_moves().len().max(1);
        assert_eq!(report.lines.len(), expected as usize);
        assert_eq!(report.nodes, 200);
        assert!(!report.solved);
        for line in &report.lines {
            assert_playable(board, &line.moves);
            assert!(line.score.abs() <= 6400);
        }
        let one = Limits {
            lines: 1,
            ..playouts(200)
        };
        assert_eq!(
            search(&Mcts::default(), board, &one).lines,
            report.lines[..1]
        );
    }
}

#[test]
fn takes_a_free_win() {
    // c1 turns White's last disc; everything is Black's.
    let wiped = board("XO------ -------- -------- -------- -------- -------- -------- -------- X");
    let report = search(&Mcts::default(), wiped, &playouts(50));
    assert_eq!(report.best().unwrap().to_string(), "c1");
    assert_eq!((report.score, report.lines[0].moves.len()), (6400, 1));
    // Of several moves only d2 turns both white discs.
    let choice = board("-X------ XOO----- -------- -------- -------- -------- -------- -------- X");
    assert!(choice.legal_moves().len() > 1);
    let report = search(&Mcts::default(), choice, &playouts(300));
    assert_eq!(report.best().unwrap().to_string(), "d2");
    assert_eq!(report.score, 6400);
}

#[test]
fn passes_and_double_passes() {
    // Black cannot move, White can: the only line begins with the pass and has both sides'
    // view right. White plays c1 and Black is gone.
    let pass = board("OX------ -------- -------- -------- -------- -------- -------- -------- X");
    assert!(pass.must_pass());
    let report = search(&Mcts::default(), pass, &playouts(100));
    let moves: Vec<String> = report.lines[0]
        .moves
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        (report.lines.len(), moves),
        (1, vec!["ps".to_owned(), "c1".to_owned()])
    );
    assert_eq!(report.score, -6400);
    // Neither side can move: empty squares are the winner's.
    let over = board("XX------ -------- -------- -------- -------- -------- -------- ------OO O");
    assert!(over.is_game_over());
    let report = search(&Mcts::default(), over, &playouts(100));
    assert_eq!(
        (report.best(), report.score, report.solved),
        (None, 0, true)
    );
}

#[test]
fn finds_won_endgames() {
    let (mut won, mut seen) = (0, 0);
    for board in random_boards(33) {
        if board.empties().len() != 7 || board.legal_moves().len() < 2 || negamax(board) <= 0 {
            continue;
        }
        let report = search(&Mcts::default(), board, &playouts(1_500));
        let best = report.best().and_then(Move::square).unwrap();
        won += u32::from(-negamax(board.play(best).unwrap()) > 0);
        seen += 1;
        if seen == 100 {
            break;
        }
    }
    assert!(won >= 97, "{won} of {seen}");
}

#[test]
fn beats_random_moves() {
    let mut random = SplitMix64::new(34);
    for game in 0..4 {
        let mut board = Board::START;
        let mut ply = game;
        // We begin every second game; passes are plies, so turns alternate.
        let ours = |ply: u32| ply.is_multiple_of(2);
        while !board.is_game_over() {
            let legal = board.legal_moves();
            board = if legal.is_empty() {
                board.swapped()
            } else {
                let square = if ours(ply) {
                    let report = search(&Mcts::default(), board, &playouts(60));
                    report.best().and_then(Move::square).unwrap()
                } else {
                    legal
                        .into_iter()
                        .nth(random.below(legal.len()) as usize)
                        .unwrap()
                };
                board.play(square).unwrap()
            };
            ply += 1;
        }
        let score = board.final_score() * if ours(ply) { 1 } else { -1 };
        assert!(score > 0, "game {game}: {score}");
    }
}

#[test]
fn memory_is_bounded_and_depth_obeyed() {
    let small = Mcts {
        max_tree_nodes: 200,
        ..Mcts::default()
    };
    let mut tree = Tree::new(&small, Board::START, u32::MAX);
    for _ in 0..2_000 {
        tree.playout();
    }
    assert!(tree.nodes.len() <= 200 && tree.nodes.len() > 100);
    assert_eq!(tree.node(ROOT).visits, 2_000);

    let shallow = Limits {
        depth: Some(2),
        ..playouts(2_000)
    };
    let report = search(&Mcts::default(), Board::START, &shallow);
    assert!(report.lines.iter().all(|line| line.moves.len() <= 2));
}

#[test]
fn visits_add_up() {
    let settings = Mcts::default();
    let mut tree = Tree::new(&settings, Board::START, u32::MAX);
    for _ in 0..3_000 {
        tree.playout();
    }
    for at in 0..tree.nodes.len() as u32 {
        let below: u32 = tree.children(at).map(|c| tree.node(c).visits).sum();
        let node = tree.node(at);
        if node.n_children > 0 {
            // The first visit of a node is a playout of its own.
            let own = u32::from(at != ROOT);
            assert_eq!(node.visits, below + own);
            let discs: i64 = tree.children(at).map(|c| tree.node(c).discs).sum();
            assert!((node.discs + discs).abs() <= 64, "sides alternate");
        }
    }
}

#[test]
fn time_and_stop_are_obeyed() {
    let clock = AtomicU64::new(0);
    let reports = &mut 0;
    let control = Control {
        now_ms: &|| clock.fetch_add(1, Ordering::Relaxed),
        stop: &AtomicBool::new(false),
        observe: &mut |_| *reports += 1,
    };
    let limits = Limits {
        time_ms: Some(200),
        ..Limits::default()
    };
    let report = Mcts::default().search(Board::START, &limits, control);
    // The clock ticks once for each look at it.
    assert!(report.nodes > 2_000 && report.nodes <= 200 * POLL_INTERVAL);
    assert!(*reports >= 2);

    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(true),
        observe: &mut |_| {},
    };
    let report = Mcts::default().search(Board::START, &Limits::default(), control);
    assert_eq!(report.nodes, 0);
    assert!(report.best().is_some(), "a move even without any time");
}

/// A tree that the memory would not hold stops growing and goes on counting.
#[test]
fn a_tree_larger_than_any_memory_is_no_danger() {
    let boundless = Mcts {
        max_tree_nodes: usize::MAX,
        ..Mcts::default()
    };
    let report = search(&boundless, Board::START, &playouts(500));
    assert_eq!(
        report,
        search(&Mcts::default(), Board::START, &playouts(500))
    );
    let mut tree = Tree::new(&boundless, Board::START, u32::MAX);
    assert!(tree.has_room_for(64));
    assert!(!tree.has_room_for(usize::MAX / 4), "refused, not aborted");
}
