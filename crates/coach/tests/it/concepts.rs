//! What players have names for: an example of each that the coach finds and the checker proves.

use crate::checker::{check, check_judgement};
use coach::{
    Analyst, Attribution, Question,
    explain::{Claim, Deed, Explainer, SpeaksFor},
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

const CASES: [Case; 34] = [
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
        "--XXXXX-OOOOOX-XOOOOXOXXOOXOOXOXOOOOOOXXXXXOOOXX--XXXXX---XXXXX- X",
        "g2 h8 a1 h7 b1 b7 b8 a8",
        "a1 h7 h8 b8 a8 a7 b1 b7",
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
        "----------X--X--O-XXXX---OXXXO--XOOXX---XOXO-X--XOOOO-----O----- X",
        "e6",
        "f5",
        false,
        |it| matches!(it, Claim::AvoidsWall { .. }),
    ),
    (
        "a corner that differs only where the lines end",
        "---O-X----XOOX---OXOOXX--OOOOXO--OOOXXOOOOXXXXXXO-XOOOXX--XOOXXX X",
        "a5 c1 h4 a3 a8 a4 a2 b2 e1 g1 a1 b1 h1 h3 h2 g2 b7 b8",
        "e1 b7 c1 h2 h4 g2 a2 a3 a4 a5 a8 b8 b2 g1 h1 h3 ps a1 b1",
        true,
        |it| matches!(it, Claim::CornerInTheEnd { is_won: true, .. }),
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
        "b2 a1",
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
        "--X---X---XO-X--X-OOXO--OOXXOOO-OOXXXX--OXOO-X--OXXOXX----X-OO-- X",
        "g2 g6 b2 b3 a2 e2 a8 h1",
        "h3 a8 g3 a2 d1 h4 b2 b1",
        false,
        |it| matches!(it, Claim::CornerSwap { is_trap: false, .. }),
    ),
    (
        "an edge sacrifice",
        "----XO----XXO---XXXOXOO-XXOXXOO-XOXOXOO-XXOOXOO-X-OOXX----O-XXX- X",
        "g1 d1 c1 b1 g7 h1 h6 b7 b2 f2 a8 h8 h7 h5 h3 d8 b8 h4 g2 h2 ps a2 a1",
        "h5 d8 b8 d1 c1 b1 h4 b2 h3 f2 g2 h6 g7 h8 h7 a8 a1 a2 g1 b7 ps h2 h1",
        true,
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
        "a8 h7 b8 a2 a1 g2 h8 b2 h2 h1",
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
        "--OOOO----OOOOX-OOOXXXX--OOXXOX-XOOOXXO-XXOOXOOOX-OOOO----XOOX-- X",
        "b7 h5 a4 h4 h2 a8 b8 h1 h3 g8 b1 a1 g1 b2 a2 ps h8 ps h7 g7",
        "h5 h1 a2 b7 a4 b2 a1 b1 g1 h2 h3 h4 b8 a8 g7 g8 ps h7 h8",
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
        "-XOXXXX-OOOOXX--OOOXOOO-OXOOOOOO-XXOOXOX-XXXXOXX---XX-OX--XO---- X",
        "g8 f8 a5 a7",
        "h3 b8 g8 h1",
        false,
        |it| matches!(it, Claim::SafeMoves { safe, .. } if safe.that == 0),
    ),
    (
        "a move that cannot wait",
        "--OX--XX--OOXXX---OOOXXO--OXOOXO-XOXOXOO-XOOXOXO--OXOOOO--X-XXXO X",
        "d8 b8 b4 b3 a3 h2 b7 a8 a7 a6 a5 a4 b2 a1 e1 f1 b1 a2",
        "b1 d8 b8 a7 b2 a4 b7 a1 a2 h2 b4 e1 f1 a8 b3 a6 a5 a3",
        true,
        |it| matches!(it, Claim::CannotWait { is_taken: true, .. }),
    ),
    (
        "safe moves that run out",
        "--XOOX----OOXXXO---OXXXO-OOOXXXO--OXXOXO--OXXOXO--XXOO-O-XXX-O-- O",
        "e8 g8 b7 a8 b5 a5 b6 a7 c3 a6 a4 b3 b2 a3 a1 b1 h1 g1 a2 ps g7",
        "h1 g1 e8 g8 b7 a8 b5 b6 c3 a5 a4 a6 b1 a1 g7 a3 a7 b2 a2 b3 ps h8",
        true,
        |it| matches!(it, Claim::OutOfSafeMoves { .. }),
    ),
    (
        "a wedge to come",
        "-XXXXXOX--OXXO-XOXXXOXOXOOOOXOOXOXXOXXOXOOXXXOXX--XOOO-X--XO-O-- X",
        "g2 g7 b2 b8 e8 a1 a2 b7 a8 a7 g8 h8",
        "b2 g2 g8 b8 e8 h8 g7 a1 a2 b7 a8 a7",
        true,
        |it| matches!(it, Claim::WedgeLater { .. }),
    ),
    (
        "moves that are lost",
        "--OOOO----XXXO---OXXOOOO-OXOXOOOOOOOOOOO--XXXOXO---XO------X---- O",
        "b1 a3 a4 h2 h1 a6 b2 g1 b6 g7 h7 f7 h8 g2 g8 a1 f8 e8 c8 a2 ps a7 b7",
        "f7 e8 c8 b8 f8 g8 c7 a2 a3 b2 a1 b6 b1 g2 h2 h7 h8 h1 g1 a4 g7 a6",
        false,
        |it| matches!(it, Claim::LosesMoves { .. }),
    ),
    (
        "squares closed to the opponent",
        "------------------XOXX-O--XXXXOO-XXXXOOO---OXOOO--OOOO----X--O-- O",
        "e2 c6 b6 a5 b4 b3 g3 d2 a2 a3 c1 a1 b7 e8 d8 a8 c2 f1 a6",
        "a5 b6 b3 c2 e2 d2 c6 g3 d1 b4 a3 a4 a6 d8 e8 b1 c1 g8 a1",
        false,
        |it| matches!(it, Claim::ClosesSquares { .. }),
    ),
    (
        "a square that changes hands",
        "------------------XO-X----XXXO-----XXOXX---OXOO------O---------- O",
        "h6 h7 c5 f8 e7 e8 e3 h4 f2 g4 g3 d2 e2 c2 b5 h3 g2 d1",
        "c5 e7 e3 g4 h6 h7 h4 h3 f2 b6 g3 c6 c7 e8 d7 c2 d2 d8",
        false,
        |it| matches!(it, Claim::LosesSquare { .. }),
    ),
    (
        "discs that make the result",
        "-XXXXXOX-XXXXOOXOXXXOOOXOOOOOOOXOXXOXXOXOOXXXOXX--XOOX-X--XO-OX- O",
        "b8 e8 h8 g7 a1 a2 b7 a8 a7",
        "a1 a2 b8 e8 b7 a8 a7 g7 h8",
        true,
        |it| matches!(it, Claim::DiscsInTheEnd { .. }),
    ),
    (
        "a corner that falls anyway",
        "----X-----XX----XXXOO---XXXOOO--XXXOOO--XXOOOO---OOXXO---OOO-X-- O",
        "e8 e2 g8 f2 d1 c1 f1 f3 b1 a8 g4 h8 a7 h3 h5 h4 h2 b2 a1",
        "c1 g6 e8 g5 g4 a8 a7 b2 h6 g7 b1 h3 h8 g3 h4 e2 f3 d1 f1",
        false,
        |it| matches!(it, Claim::GivenAnyway { .. }),
    ),
    (
        "a reply that holds an edge",
        "----O-------OO----XXXXO---XXXXX---OOOXXX---O-XX----------------- X",
        "h2 b3 b4 f7 g1 c2 e8 f8 g8 d2 c1 h6 h7 a4 b1 g2 h1 h3",
        "d1 c1 h2 b3 b4 a3 e6 c2 c6 h4 h3 d2 b2 d7 a4 c7 b5 a5",
        false,
        |it| has_deed(it, |deed| matches!(deed, Deed::HoldsEdge { .. })),
    ),
    (
        "a reply that takes moves away",
        "--O-----X-OO----XXOO-X--XOXOXO--XOOOOOOOXXXXXOO-X-XXO----------- X",
        "g4 f2 e3 e2 f7 h4 g3 b2 h3 h2 e1 d1 h7 f1 g7 b7 h6 h8 g8",
        "g3 g4 e2 e3 f2 d1 g2 d8 c8 e8 b7 f1 f7 a8 b8 a1 h4 g7 h6",
        false,
        |it| has_deed(it, |deed| matches!(deed, Deed::TakesMoves { .. })),
    ),
    (
        "a reply that leaves few moves",
        "--O-X-----OO----XXOOOO--XXXXXOX-XXOXOOO-XXXXXOOO-XOXOX--XXXXXXX- X",
        "h7 h8 g7 h5 e2 a7 f2 g1 h3 h4 g3 d1 b1 h2 b2 a1 a2 f1 g2 h1",
        "e2 h3 g7 a7 d1 f1 h4 h5 f2 g1 b2 g3 h2 h1 g2 b1 a2 a1 h7 h8",
        true,
        |it| has_deed(it, |deed| matches!(deed, Deed::LeavesMoves { .. })),
    ),
    (
        "a quiet reply",
        "------------O--O----OO-O--XXXOXO--XXXXOO--XOXXXO--OOOOX--XXXXX-- O",
        "g3 g8 c3 b3 d3 b5 b4 a4 b6 a7 a3 a2 a5 a6 h8 d2 a8 b7 a1 h7",
        "h7 g3 d3 c3 b4 b3 b6 e1 d2 b5 a6 a4 a3 a2 f1 d1 c1 h8 g8 h1",
        false,
        |it| has_deed(it, |deed| matches!(deed, Deed::IsQuiet)),
    ),
    (
        "two moves in the order that gets both",
        "----------XO-----OOO-X---OOOXO--XOXXXO--X-XXX-O-X--------------- O",
        "b6 g5 h6 c7 f6 e3 f2 c1 e2 f1 f7 e7 d7 d8 c8 b8 a4",
        "f6 e3 e2 g5 d7 b6 e7 d1 f1 a3 c7 c1 f2 f7 e1 e8 h6",
        false,
        |it| matches!(it, Claim::GetsBoth { .. }),
    ),
    (
        "a corner that can wait",
        "--O------XXX-X---XXXXX--XXXXXX--OOOXXX--O-OOOO--O----X---------- O",
        "e2 d1 a1 b1 g1 e7 b6 a8 d8 e8 d7 g5 e1 f1 f8 h1 g2 h2 g3 c8",
        "a1 a8 d1 b1 e2 b6 g3 f1 a2 a3 e1 g4 h4 e7 g5 g6 b7 b8 c7 c8",
        false,
        |it| matches!(it, Claim::CornerCanWait { .. }),
    ),
];

/// Whether a claim says that a reply does something of a kind.
fn has_deed(claim: &Claim, is_it: fn(Deed) -> bool) -> bool {
    match *claim {
        Claim::DeniesReply { deed, .. }
        | Claim::GetsBoth { deed, .. }
        | Claim::LosesSquare { deed, .. }
        | Claim::StrongReply { deed, .. }
        | Claim::TakesSquareFirst { deed, .. }
        | Claim::CannotWait { deed, .. } => deed.is_some_and(is_it),
        _ => false,
    }
}

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
