//! Two plies into another move: what is said about them, counted again by the rules.

use crate::{mailbox::Mailbox, truth::analyst};
use app::explain::{Effort, Witness};
use coach::explain::{Branch, ExplainError, Explainer, Feature};
use othello::{Move, Position, Side, notation::parse_transcript, sample::random_boards};
use std::sync::atomic::AtomicBool;

const EFFORT: Effort = Effort {
    depth: 4,
    solve_empties: 6,
    ..Effort::REVIEW
};

/// The board after the branch's two plies, by the rules.
fn replayed(position: Position, branch: &Branch) -> Mailbox {
    let after = Mailbox::new(position).play(branch.square.index()).unwrap();
    match branch.reply {
        Some(Move::Place(square)) => after.play(square.index()).unwrap(),
        Some(Move::Pass) => after.pass().unwrap(),
        None => after,
    }
}

#[test]
fn differences_are_those_of_the_two_positions() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
    let mut explainer = Explainer::new();
    let mut n_rows = 0;
    let boards = random_boards(51).filter(|board| board.mobility() >= 2);
    for board in boards.step_by(37).take(60) {
        let position = Position {
            board,
            side: Side::White,
        };
        for asked in board.legal_moves() {
            let answer = explainer
                .explain(&mut witness, position, Some(asked))
                .unwrap();
            let Some(other) = answer.other.as_ref() else {
                // No move is worse than this one.
                assert_eq!(answer.as_good.len() as u32, board.mobility() - 1);
                continue;
            };
            let table = answer.table().unwrap();
            // Every name and every number is of the two moves that are compared.
            assert_eq!(
                (table.best.square, table.other.square),
                (answer.best.square, other.square)
            );
            assert!([table.best.square, table.other.square].contains(&asked));
            assert!(answer.loss().hundredths() >= 0, "{position} {asked}");
            let is_best = asked == answer.best.square;
            let title = if is_best { "Why" } else { "Why not" };
            assert_eq!(answer.title(), format!("{title} {asked}?"));
            let (best, given) = (
                replayed(position, &table.best),
                replayed(position, &table.other),
            );
            assert_eq!(given, Mailbox::new(table.other.position));
            assert_eq!(table.rows.len(), 2 * Feature::ALL.len());
            for row in &table.rows {
                let counted = |board: &Mailbox| count(board, row.feature, row.side);
                if let (Some(best), Some(given)) = (counted(&best), counted(&given)) {
                    assert_eq!((row.best as i32, row.other as i32), (best, given));
                    n_rows += 1;
                }
            }
        }
    }
    assert!(n_rows > 2_000, "{n_rows}");
}

/// What the slow board counts; `None` for what it does not.
fn count(board: &Mailbox, feature: Feature, side: Side) -> Option<i32> {
    Some(match feature {
        Feature::Mobility => board.legal(side).len() as i32,
        Feature::PotentialMobility => board.frontier(side.other()),
        Feature::Frontier => board.frontier(side),
        Feature::Stable => board.stable(side).len() as i32,
        Feature::Corners => board.corners(side),
        Feature::Discs => board.count(side),
        Feature::Parity | Feature::Risk => return None,
    })
}

#[test]
fn judging_the_best_move_finds_no_fault() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
    let mut explainer = Explainer::new();
    let position = parse_transcript("f5d6c3d3").unwrap().position();
    let explanation = explainer.explain(&mut witness, position, None).unwrap();
    assert_eq!(explanation.judgement(), None);
    let best = explanation.best.square;
    let judgement = explainer.judge(&mut witness, position, best).unwrap();
    assert_eq!(
        (judgement.loss.hundredths(), &judgement.mistakes[..]),
        (0, &[][..])
    );
    assert!(judgement.lost_chances() < 1e-9);
    let again = explainer
        .explain(&mut witness, position, Some(best))
        .unwrap();
    let again = again.judgement().unwrap();
    assert_eq!(
        (again.loss, again.mistakes),
        (judgement.loss, judgement.mistakes)
    );
}

#[test]
fn passes_finished_games_and_illegal_moves_are_refused() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
    let mut explainer = Explainer::new();
    let mut explain = |position, played| explainer.explain(&mut witness, position, played);
    let passing = random_boards(1).find(|board| board.must_pass()).unwrap();
    let over = random_boards(1).find(|board| board.is_game_over()).unwrap();
    let side = Side::Black;
    assert_eq!(
        explain(
            Position {
                board: passing,
                side
            },
            None
        ),
        Err(ExplainError::MustPass(side))
    );
    assert_eq!(
        explain(Position { board: over, side }, None),
        Err(ExplainError::GameOver)
    );
    let a1 = "a1".parse().unwrap();
    assert!(matches!(
        explain(Position::START, Some(a1)),
        Err(ExplainError::Illegal { square, .. }) if square == a1
    ));
}

/// Passes inside of a line, moves that end the game and positions with one move: the corners of the
/// explainer, on boards from random games near their end.
#[test]
fn every_late_position_has_an_explanation_that_is_true() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
    let mut explainer = Explainer::new();
    let late = random_boards(52).filter(|board| board.empties().len() <= 7);
    let mut n_passes = 0;
    for board in late.filter(|board| board.mobility() > 0).take(80) {
        let position = Position {
            board,
            side: Side::Black,
        };
        for played in board.legal_moves() {
            let explanation = explainer
                .explain(&mut witness, position, Some(played))
                .unwrap();
            crate::checker::check(&explanation).unwrap();
            let judgement = explanation.judgement().unwrap();
            crate::checker::check_judgement(position, &judgement).unwrap();
            n_passes += usize::from(explanation.best.moves.contains(&Move::Pass));
        }
    }
    assert!(n_passes > 20, "{n_passes}");
}
