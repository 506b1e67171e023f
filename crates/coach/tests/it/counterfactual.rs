//! Two plies into another move: what is said about them, counted again by the rules.

use crate::{mailbox::Mailbox, truth::analyst};
use app::explain::{Effort, Witness};
use coach::explain::{Branch, ExplainError, Explainer};
use othello::{Move, Position, Side, notation::parse_transcript, sample::random_boards};
use std::sync::atomic::AtomicBool;

const EFFORT: Effort = Effort {
    depth: 4,
    solve_empties: 6,
    time_ms: None,
};

/// The board after the branch's two plies, by the rules.
fn replayed(position: Position, branch: &Branch) -> Mailbox {
    let after = Mailbox::new(position)
        .play(branch.candidate.square.index())
        .unwrap();
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
    let boards = random_boards(51).filter(|board| board.mobility() >= 2);
    for board in boards.step_by(37).take(60) {
        let position = Position {
            board,
            side: Side::White,
        };
        for asked in board.legal_moves() {
            let answer = explainer
                .counterfactual(&mut witness, position, asked)
                .unwrap();
            assert_eq!(answer.asked.candidate.square, asked);
            assert!(answer.score.hundredths() <= 0, "{position} {asked}");
            if answer.best.candidate.square == asked {
                assert_eq!(answer.asked, answer.best);
            }
            let (here, there) = (
                replayed(position, &answer.asked),
                replayed(position, &answer.best),
            );
            assert_eq!(here, Mailbox::new(answer.asked.position));
            for side in Side::BOTH {
                let difference = |count: &dyn Fn(&Mailbox) -> i32| count(&here) - count(&there);
                let delta = answer.side(side);
                let moves = |board: &Mailbox| board.legal(side).len() as i32;
                assert_eq!(delta.mobility, difference(&moves));
                assert_eq!(delta.frontier, difference(&|board| board.frontier(side)));
                assert_eq!(delta.discs, difference(&|board| board.count(side)));
                assert_eq!(delta.corners, difference(&|board| board.corners(side)));
                let stable = |board: &Mailbox| board.stable(side).len() as i32;
                assert_eq!(delta.stable, difference(&stable));
                let potential = |board: &Mailbox| board.frontier(side.other());
                assert_eq!(delta.potential_mobility, difference(&potential));
            }
        }
    }
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
