//! Exact scores against what others say: published ones, and a plain alpha-beta that shares no code
//! with the solver, its rules included.

use crate::{engine, search};
use engine::{Goal, Limits};
use othello::{
    Board, Move,
    notation::{ObfLine, read_obf},
    sample::random_boards,
};

/// The published best score and how many moves have it.
fn problems() -> Vec<(Board, i32, Vec<Move>)> {
    let text = include_bytes!("../data/ffo-14-18.obf");
    read_obf(&text[..])
        .filter_map(|line| match line.unwrap() {
            ObfLine::Entry(entry) => {
                let score = |scored: &othello::notation::ScoredMove| {
                    scored.score.as_ref().unwrap().centidiscs()
                };
                let best = entry.moves.iter().map(score).max().unwrap();
                let moves = entry.moves.iter().filter(|scored| score(scored) == best);
                let moves = moves.map(|scored| scored.action).collect();
                Some((entry.position.board, best, moves))
            }
            ObfLine::Comment(_) => None,
        })
        .collect()
}

/// Of positions with 14 to 18 empty squares, where all of the solver takes part.
#[test]
fn published_scores_are_found() {
    let problems = problems();
    assert_eq!(problems.len(), 22);
    let mut engine = engine(1);
    for (board, expected, best) in problems {
        assert!((14..=18).contains(&board.empties().len()));
        engine.clear();
        let report = search(&mut engine, board, &Limits::default());
        assert_eq!((report.score, report.solved), (expected, true), "{board:?}");
        assert!(best.contains(&report.best().unwrap()), "{board:?}");
        let limits = Limits {
            goal: Goal::WinLossDraw,
            ..Limits::default()
        };
        engine.clear();
        let winner = search(&mut engine, board, &limits);
        assert_eq!(winner.score.signum(), expected.signum(), "{board:?}");
    }
}

/// A board of squares in a frame, and nothing but the rules.
#[derive(Clone)]
struct Plain {
    /// 1 is the side to move, -1 the other one, 0 empty, 2 the frame.
    squares: [i8; 100],
}

const DIRECTIONS: [i32; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

impl Plain {
    fn new(board: Board) -> Self {
        let mut squares = [2; 100];
        for index in 0..64u8 {
            let square = othello::Square::new(index).unwrap();
            let at = 11 + usize::from(index / 8) * 10 + usize::from(index % 8);
            squares[at] = if board.mover().contains(square) {
                1
            } else {
                -i8::from(board.opponent().contains(square))
            };
        }
        Self { squares }
    }

    /// The board after a disc on a square, seen by the other side; nothing if it turns none.
    fn play(&self, at: usize) -> Option<Self> {
        if self.squares[at] != 0 {
            return None;
        }
        let mut next = self.squares;
        let mut turns = false;
        for step in DIRECTIONS {
            let walk = |n: i32| (at as i32 + n * step) as usize;
            let length = (1..).find(|&n| self.squares[walk(n)] != -1).unwrap();
            if length > 1 && self.squares[walk(length)] == 1 {
                turns = true;
                for n in 1..length {
                    next[walk(n)] = 1;
                }
            }
        }
        next[at] = 1;
        turns.then(|| Self { squares: next }.turned())
    }

    fn turned(&self) -> Self {
        let squares = self.squares.map(|disc| if disc == 2 { 2 } else { -disc });
        Self { squares }
    }

    fn moves(&self) -> Vec<Self> {
        (11..89).filter_map(|at| self.play(at)).collect()
    }

    /// Discs ahead; a side that is ahead at the end gets the empty squares.
    fn final_score(&self) -> i32 {
        let count = |disc| self.squares.iter().filter(|&&it| it == disc).count() as i32;
        let (ahead, empty) = (count(1) - count(-1), count(0));
        ahead + empty * ahead.signum()
    }

    /// Fail-soft alpha-beta; moves that leave the fewest replies come first.
    fn value(&self, mut alpha: i32, beta: i32) -> i32 {
        let mut moves = self.moves();
        if moves.is_empty() {
            let turned = self.turned();
            return if turned.moves().is_empty() {
                self.final_score()
            } else {
                -turned.value(-beta, -alpha)
            };
        }
        if self.squares.iter().filter(|&&disc| disc == 0).count() > 4 {
            moves.sort_by_cached_key(|next| next.moves().len());
        }
        let mut best = i32::MIN;
        for next in moves {
            best = best.max(-next.value(-beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The plain search proves that a score is neither more nor less.
fn assert_plain_agrees(n_empties: u32, n: usize) {
    let mut engine = engine(1);
    let boards = random_boards(u64::from(500 + n_empties))
        .filter(|board| board.empties().len() == n_empties && !board.is_game_over());
    for board in boards.take(n) {
        let report = search(&mut engine, board, &Limits::default());
        assert!(report.solved);
        let score = report.score / 100;
        let plain = Plain::new(board);
        assert!(plain.value(score - 1, score) >= score, "{board:?} {score}");
        assert!(plain.value(score, score + 1) <= score, "{board:?} {score}");
    }
}

#[test]
fn plain_alpha_beta_agrees_at_9_empty_squares() {
    assert_plain_agrees(9, 500);
}

#[test]
fn plain_alpha_beta_agrees_at_10_empty_squares() {
    assert_plain_agrees(10, 400);
}

#[test]
fn plain_alpha_beta_agrees_at_11_empty_squares() {
    assert_plain_agrees(11, 200);
}

#[test]
fn plain_alpha_beta_agrees_at_12_empty_squares() {
    assert_plain_agrees(12, 100);
}
