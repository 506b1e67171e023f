//! How sure a verdict must be: the same depth for both moves, two depths that agree or a proof.

use crate::truth::analyst;
use app::explain::{Effort, Witness};
use coach::{
    Analyst, Attribution, Question,
    explain::{Certainty, Explainer, Explanation, FIRST_DEPTH, Severity},
};
use game::{Bound, Line, Report, Score, Source};
use othello::{Move, Position, notation::parse_transcript};
use std::{convert::Infallible, sync::atomic::AtomicBool};

/// Values the moves of one position by a table of depths, and writes down what it is asked.
struct Script<F> {
    root: Position,
    /// The value of a move at a depth, in centidiscs.
    value: F,
    depth_max: u32,
    /// Whether it proves the position, and whether also the positions after its moves.
    solves: [bool; 2],
    asked: Vec<(u32, u32)>,
}

impl<F: Fn(&str, u32) -> i32> Script<F> {
    fn report(&self, position: Position, depth: u32, lines: Vec<(Move, i32)>) -> Report {
        let source = Source {
            engine: "Script".to_owned(),
            version: "1".to_owned(),
            weights: None,
        };
        let lines: Vec<Line> = lines
            .into_iter()
            .map(|(action, value)| Line {
                score: Score::centi(value),
                bound: Bound::Exact,
                moves: vec![action.into()],
            })
            .collect();
        Report {
            score: lines[0].score,
            lines,
            depth,
            solved: self.solves[usize::from(position != self.root)],
            nodes: 1,
            ..Report::new(position.into(), source)
        }
    }
}

impl<F: Fn(&str, u32) -> i32> Analyst for Script<F> {
    type Error = Infallible;

    fn analyse(&mut self, position: Position, question: Question) -> Result<Report, Infallible> {
        let limit = self.depth_max.saturating_sub(question.plies_played).max(1);
        let depth = question.depth_max.map_or(limit, |max| max.min(limit));
        self.asked.push((question.plies_played, depth));
        let legal = position.board.legal_moves().into_iter();
        if position == self.root {
            let value = |square: othello::Square| (self.value)(&square.to_string(), depth);
            let mut lines: Vec<_> = legal.map(|it| (Move::Place(it), value(it))).collect();
            lines.sort_by_key(|&(_, value)| -value);
            lines.truncate(question.lines);
            return Ok(self.report(position, depth, lines));
        }
        // After a move of the root: which one, the board says.
        let moves = self.root.board.legal_moves().into_iter();
        let played = moves.map(|it| (it, self.root.play(it).unwrap()));
        let found = played.into_iter().find(|&(_, after)| after == position);
        let value = found.map_or(0, |(it, _)| -(self.value)(&it.to_string(), depth + 1));
        let first = legal.map(Move::Place).next().unwrap_or(Move::Pass);
        Ok(self.report(position, depth, vec![(first, value)]))
    }

    fn attribute(&mut self, _: Position) -> Option<Attribution> {
        None
    }
}

/// Black to move; a good number of legal moves.
fn middlegame() -> Position {
    parse_transcript("f5d6c3d3c4f4f6f3e6e7d7c6d8f7")
        .unwrap()
        .position()
}

fn script<F: Fn(&str, u32) -> i32>(value: F, depth_max: u32) -> Script<F> {
    Script {
        root: middlegame(),
        value,
        depth_max,
        solves: [false; 2],
        asked: Vec::new(),
    }
}

fn explain<F: Fn(&str, u32) -> i32>(script: &mut Script<F>, played: Option<&str>) -> Explanation {
    let played = played.map(|it| it.parse().unwrap());
    Explainer::new()
        .explain(script, middlegame(), played)
        .unwrap()
}

fn names() -> Vec<String> {
    let legal = middlegame().board.legal_moves().into_iter();
    legal.map(|square| square.to_string()).collect()
}

#[test]
fn two_moves_are_compared_until_two_depths_agree() {
    let names = names();
    let (first, second) = (names[0].clone(), names[1].clone());
    // Shallow searches prefer the second move, less and less; from 19 on the first is ahead by 3
    // discs.
    let value = |name: &str, depth: u32| match name {
        it if it == first && depth >= 19 => 300,
        it if it == first => [-400, -200, -50][depth as usize - 16],
        it if it == second => 0,
        _ => -900,
    };
    let mut script = script(value, 30);
    let explanation = explain(&mut script, Some(&second));
    assert_eq!(explanation.best.square.to_string(), first);
    assert_eq!(explanation.loss(), Score::centi(300));
    assert_eq!(explanation.certainty, Certainty::Stable);
    // 19 is the first depth that says so, 20 confirms it, and so much is looked at once more.
    assert_eq!(explanation.best.depth, 21);
    assert_eq!(explanation.other.unwrap().depth, 21);
}

#[test]
fn what_never_settles_is_said_to_be_open() {
    let names = names();
    let value = |name: &str, depth: u32| {
        if name == names[0] {
            300 * (depth as i32 % 2)
        } else {
            -10
        }
    };
    let mut script = script(value, 18);
    let explanation = explain(&mut script, None);
    assert_eq!(explanation.certainty, Certainty::Open);
    assert_eq!(explanation.best.depth, 18);
    let words = explanation.certainty.words(explanation.best.reach());
    assert_eq!(words, "at depth 18; not proven");
    assert!(script.asked.iter().all(|&(_, depth)| depth <= 18));
    assert!(script.asked[0].1 == FIRST_DEPTH && FIRST_DEPTH > 10);
}

#[test]
fn the_other_move_is_the_best_worse_one_and_all_that_are_as_good_are_listed() {
    let names = names();
    assert!(names.len() >= 7, "{names:?}");
    // Six as good up to a quarter of a disc, the seventh worse, the others far behind.
    let value = |name: &str, _: u32| match names.iter().position(|it| it == name) {
        Some(place @ 0..=5) => 200 - 5 * place as i32,
        Some(6) => 100,
        _ => -800,
    };
    let explanation = explain(&mut script(value, 20), None);
    let as_good: Vec<String> = explanation
        .as_good
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(as_good, names[1..6]);
    assert_eq!(explanation.other.unwrap().square.to_string(), names[6]);
    // Nothing is worse: nothing is compared.
    let explanation = explain(&mut script(|_, _| 200, 20), None);
    assert_eq!(explanation.other, None);
    assert_eq!(explanation.as_good.len(), names.len() - 1);
    assert_eq!(
        explanation.without_reason().as_deref(),
        Some("Every legal move is as good.")
    );
}

/// At 19 empties our solver needs a moment; a search of depth 10 called the only winning move an
/// inaccuracy in such positions.
#[test]
fn endgames_are_solved_and_their_lines_go_to_the_end() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, Effort::default(), &|| 0, &stop);
    let boards = [
        "OX-O-OX-OOX--X--OOOXXO--OXOXOO--OOXOXO--XXOXOO--XXOOX-O-OO-OXX-- X",
        "XO-X-XO-OXO--O--OOXOOX--XOXOXX--XXOXOX--OOXOXX--XXXXO-X-OXXXOO-- X",
    ];
    for board in boards {
        let position: Position = board.parse().unwrap();
        for played in position.board.legal_moves() {
            let explanation = Explainer::new().explain(&mut witness, position, Some(played));
            let explanation = explanation.unwrap();
            assert_eq!(explanation.certainty, Certainty::Proven);
            let both = [Some(&explanation.best), explanation.other.as_ref()];
            assert!(both.into_iter().flatten().all(|it| it.is_complete()));
        }
    }
}

/// A proven win beside a search that found nearly as much is no lost game.
#[test]
fn chances_are_compared_like_with_like() {
    let names = names();
    let value = |name: &str, _: u32| if name == names[0] { 200 } else { 150 };
    let judged = |solves| {
        let mut script = script(value, 20);
        script.solves = solves;
        let played = names[1].parse().unwrap();
        let judgement = Explainer::new().judge(&mut script, middlegame(), played);
        judgement.unwrap()
    };
    for (solves, certainty) in [
        ([false, false], Certainty::Stable),
        ([true, false], Certainty::Stable),
        ([true, true], Certainty::Proven),
    ] {
        let judgement = judged(solves);
        assert_eq!(judgement.certainty, certainty);
        assert!(judgement.severity() == Severity::Fine, "{solves:?}");
    }
}

#[test]
fn budgets_of_nodes_make_answers_repeatable() {
    let position = middlegame();
    let answer = || {
        let mut analyst = analyst();
        let stop = AtomicBool::new(false);
        let effort = Effort {
            nodes: 150_000,
            ..Effort::REVIEW
        };
        let mut witness = Witness::new(&mut analyst, effort, &|| 0, &stop);
        Explainer::new()
            .explain(&mut witness, position, None)
            .unwrap()
    };
    assert_eq!(answer(), answer());
}
