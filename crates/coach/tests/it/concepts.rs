//! What players have names for: an example of each that the coach finds and the checker proves.

use crate::checker::{check, check_judgement};
use coach::{
    Analyst, Attribution, Question,
    explain::{Claim, Explainer, SpeaksFor},
};
use game::{Bound, Line, Report, Score, Source};
use othello::{Move, Position};
use std::convert::Infallible;

/// An analyst who knows two lines of one position.
struct Given {
    root: Position,
    lines: [Vec<Move>; 2],
    solved: bool,
}

impl Given {
    /// As many placements as both lines have.
    fn depth(&self) -> u32 {
        let placed = |line: &Vec<Move>| line.iter().filter(|it| **it != Move::Pass).count();
        self.lines.iter().map(placed).min().unwrap_or(0) as u32
    }
}

impl Analyst for Given {
    type Error = Infallible;

    fn analyse(&mut self, position: Position, _: Question) -> Result<Report, Infallible> {
        let source = Source {
            engine: "Given".to_owned(),
            version: "1".to_owned(),
            weights: None,
        };
        let scores = [Score::centi(400), Score::centi(-400)];
        let lines = self.lines.iter().zip(scores).map(|(moves, score)| Line {
            score,
            bound: Bound::Exact,
            moves: moves.iter().copied().map(Into::into).collect(),
        });
        let is_root = position == self.root;
        Ok(Report {
            lines: if is_root { lines.collect() } else { Vec::new() },
            score: scores[0],
            depth: self.depth(),
            solved: self.solved,
            nodes: 1,
            ..Report::new(position.into(), source)
        })
    }

    fn attribute(&mut self, _: Position) -> Option<Attribution> {
        None
    }
}

/// A concept, the position, the line of the move that shows it, that of another one, whether both
/// go to the end, and whether a claim is about it.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    bool,
    fn(&Claim) -> bool,
);

const EDGE: &str = "-XXXXXX---OXXX--O-XXXXXX-OXXOOXXOXXXXXXXOXXXXO-XO--X------X----- X";
const OPEN: &str = "-----------X-XXX-OOOOOXO-OOXOXXXO-OOOOX-----OOO-----O----------- X";
const LATE: &str = "-XOOOOO---XOXO-OXXOXOXOOXXOXXOXOXXOXOX-OXXXXOOOOXXXXXXOO-OOOOOOO O";

const CASES: [Case; 19] = [
    (
        "a move that comes first because its square is wanted",
        "--XX-O----OXOO--OOOOXOX-OOOOXXX-OOOOXXXX--OOOOOO----OO---------- O",
        "e1 g1 h4 h3 h2 b1 b2 a1",
        "h4 e1 b1 h2 g2 a6 a7 d7",
        false,
        |it| matches!(it, Claim::ComesFirst { is_gone: true, .. }),
    ),
    (
        "a move that can wait",
        "--XXO-----XXX-----OXOX-X--OXOXXX-OOXOXXX--OXOXXX--OOOO----OOOOO- O",
        "g2 g3 b1 a5 b4 b6 a4 b7",
        "b1 f2 g7 b3 a4 b4 a3 a2",
        false,
        |it| matches!(it, Claim::ComesFirst { is_gone: false, .. }),
    ),
    (
        "a reply that the better move does not allow",
        "--------X-O------XXXXX--OOXOXX--OOOOXX--XOOO-------------------- O",
        "a7 c1 f6 e6 g4 f7 g5 d7",
        "e2 a3 d2 f1 f6 e1 d1 c1",
        false,
        |it| matches!(it, Claim::DeniesReply { .. }),
    ),
    (
        "a quiet move",
        "--XOOOOO---OOOOO-OOOOOOO-OOXOXOOO-OXXOXO---XXXXX----XX-----X---- X",
        "c2 c6 b5 g7 h7 g8 c7 h8",
        "b2 c2 b6 c6 a4 a3 c7 h7",
        false,
        |it| matches!(it, Claim::Quiet { .. }),
    ),
    (
        "safe moves",
        "--XOOOOO---OOOOO-OOOOOOO-OOXOXOOO-OXXOXO---XXXXX----XX-----X---- X",
        "c2 c6 b5 g7 h7 g8 c7 h8",
        "a3 g7 c2 b2 h7 h8 a2 a4",
        false,
        |it| matches!(it, Claim::SafeMoves { .. }),
    ),
    (
        "a wall",
        OPEN,
        "d6 e1 f7 f8 e8 d8 e2 h1",
        "e2 h6 f7 h5 c2 h1 g1 f8",
        false,
        |it| matches!(it, Claim::AvoidsWall { .. }),
    ),
    (
        "a balanced edge",
        "XXXXXXX-XOOOXXOOXOOOXXOXXOOOOOXXXOOXOOXXXOOOOXX-XXXXXXXO--X----- O",
        "h6 h1 h8 g8 f8 e8 d8 b8 a8",
        "a8 b8 h6 h1 h8 g8 f8 e8 d8",
        false,
        |it| matches!(it, Claim::BalancesEdge { .. }),
    ),
    (
        "a five with an open C",
        "----OOO----OOO-OXXXXOOOOXXXXXOXOXXXXOX-OXXOXOXX-X-OOOO-----OOO-- O",
        "c2 b2 a1 c1 a2 g5 a8 b7",
        "h6 g7 g5 g8 b2 a1 c2 c8",
        false,
        |it| matches!(it, Claim::AvoidsUnbalancedEdge { .. }),
    ),
    (
        "a wedge",
        EDGE,
        "a4 b2 f7 d8 a1 a2 b3 g2",
        "b2 a1 a4 h1 b3 g2 g6 h2",
        false,
        |it| matches!(it, Claim::Wedge { .. }),
    ),
    (
        "a Stoner trap",
        "-OOOOO----OOOX-XXXXOOOXXXXOXOXOXOOXXOOXXOOXXOOOXOOOOXXXXXXXXXXXX X",
        "g2 b2 a1 a2 g1 h1",
        "b2 g1 g2 a1 a2 h1",
        false,
        |it| matches!(it, Claim::CornerSwap { is_trap: true, .. }),
    ),
    (
        "a corner swap",
        "--OOO-O---XXXOO---OOOOO---OOOOO---OXXXX----XXXX-------X-------X- X",
        "f1 h5 h1 h8 b1 f8 h2 h7",
        "h2 f1 h3 h1 b3 h6 h5 h4",
        false,
        |it| matches!(it, Claim::CornerSwap { is_trap: false, .. }),
    ),
    (
        "an edge sacrifice",
        OPEN,
        "d6 e1 f7 f8 e8 d8 e2 h1",
        "a3 e2 d7 c1 h7 d6 e1 d1",
        false,
        |it| matches!(it, Claim::EdgeSacrifice { .. }),
    ),
    (
        "creeping",
        EDGE,
        "a4 b2 f7 d8 a1 a2 b3 g2",
        "b2 a1 a4 h1 b3 g2 g6 h2",
        false,
        |it| matches!(it, Claim::EdgeTempo { again: true, .. }),
    ),
    (
        "a tempo gained on an edge",
        "--O-------OXO---X-OOOO--OOOXXX----XXX------OX------------------- X",
        "a5 b3 e1 b5 a2 c6 a6 b6",
        "b2 b3 a5 b6 b5 a1 b7 c6",
        false,
        |it| matches!(it, Claim::EdgeTempo { again: false, .. }),
    ),
    (
        "a swindle",
        "-XXXXXX---XXXX--OXXXXXXXXXXXOXXXOXOOXOXXOXOXXXXXOOOOOXX---XXXXX- X",
        "a8 h2 h1 h8 h7 b8 a2 b2 g2 ps",
        "a2 a1 a8 h2 h1 h8 b8 h7 ps b2",
        false,
        |it| matches!(it, Claim::Swindle { .. }),
    ),
    (
        "a free move",
        OPEN,
        "d6 e1 f7 f8 e8 d8 e2 h1",
        "e2 h6 f7 h5 c2 h1 g1 f8",
        false,
        |it| matches!(it, Claim::KeepsFreeMove { .. }),
    ),
    (
        "a region entered last",
        LATE,
        "a1 g2 a2 b2 a8 g5 h1",
        "g5 h1 a2 a1 b2 g2",
        true,
        |it| matches!(it, Claim::LastInRegion { .. }),
    ),
    (
        "an odd region kept",
        "-XXXXXX---OXXX--OOXXXXXX-OOXOXXXOXOOXXXXOXXXOX-XO-XXOX----X----- X",
        "a4 g7 h8 d8 f8 e8 a8 b8",
        "b2 d8 f8 e8 b8 a8 b7 g7",
        false,
        |it| matches!(it, Claim::KeepsOddRegion { .. }),
    ),
    (
        "poisoned squares",
        "-O------OXO--X---XXOOOO-X-XXOO--XXOOXXXOXOXOOXXOXXOXXXXOXXX-X-O- O",
        "e1 d1",
        "f1 d8",
        false,
        |it| matches!(it, Claim::SafeMoves { safe, .. } if safe.that == 0),
    ),
];

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace()
        .map(|name| name.parse().unwrap())
        .collect()
}

#[test]
fn every_concept_is_found_and_proven() {
    for (concept, board, best, other, solved, is_it) in CASES {
        let root: Position = board.parse().unwrap();
        let lines = [moves(best), moves(other)];
        let played = lines[1][0].square().unwrap();
        let mut given = Given {
            root,
            lines,
            solved,
        };
        let explanation = Explainer::new().explain(&mut given, root, Some(played));
        let explanation = explanation.unwrap();
        check(&explanation).unwrap_or_else(|error| panic!("{concept}: {error}"));
        let judgement = explanation.judgement().unwrap();
        check_judgement(root, &judgement).unwrap_or_else(|error| panic!("{concept}: {error}"));
        let mut for_best = explanation.reasons.iter();
        assert!(
            for_best.any(|it| it.speaks_for == SpeaksFor::Best && is_it(&it.claim)),
            "{concept}: {:#?}",
            explanation.reasons
        );
    }
}
