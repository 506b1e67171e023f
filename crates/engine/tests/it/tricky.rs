//! Positions where a search of one ply chooses another move than a search of six: the line and the
//! score at depth 6 stay what was recorded.

use crate::{engine, search};
use engine::Limits;
use othello::{Move, Position};
use std::collections::HashSet;

/// By how many centidiscs a score may move before it counts as another one.
const TOLERANCE: i32 = 20;

struct Tricky {
    position: Position,
    line: [Move; 2],
    score: i32,
}

fn baseline() -> Vec<Tricky> {
    let text = include_str!("../data/tricky.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|text| {
            let fields: Vec<&str> = text.split("; ").collect();
            let [position, line, score] = fields[..] else {
                panic!("{text} is not: board; two moves; score");
            };
            let (first, second) = line.split_once(' ').unwrap();
            Tricky {
                position: position.parse().unwrap(),
                line: [first, second].map(|text| text.parse().unwrap()),
                score: score.parse().unwrap(),
            }
        })
        .collect()
}

#[test]
fn lines_and_scores_at_depth_6_are_as_recorded() {
    let baseline = baseline();
    let different: HashSet<_> = baseline.iter().map(|it| it.position.board).collect();
    assert_eq!((baseline.len(), different.len()), (500, 500));
    let mut engine = engine(1);
    let mut changes = Vec::new();
    for tricky in baseline {
        let mut to_depth = |depth| {
            engine.clear();
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            search(&mut engine, tricky.position.board, &limits)
        };
        let (quick, deep) = (to_depth(1), to_depth(6));
        let moves = &deep.lines[0].moves;
        let same_line = moves.starts_with(&tricky.line);
        let same_score = (deep.score - tricky.score).abs() <= TOLERANCE;
        if !same_line || !same_score || quick.best() == deep.best() {
            let (position, line, score) = (tricky.position, tricky.line, tricky.score);
            changes.push(format!(
                "{position}: {moves:?} {} instead of {line:?} {score}",
                deep.score
            ));
        }
    }
    assert!(
        changes.is_empty(),
        "{} of 500 changed; after a change that is meant, run the example `tricky`:\n{}",
        changes.len(),
        changes.join("\n")
    );
}
