//! A checker that accepts everything proves nothing: false statements must be refused.

use crate::checker::check;
use coach::{
    Analyst, Area, Attribution, Question,
    explain::{Basis, Claim, Explainer, Explanation, Fate, Pair, Reason},
};
use game::{Bound, Line, Reach, Report, Score, Source};
use othello::{Position, notation::parse_transcript};
use std::convert::Infallible;

/// Knows every position's moves by their number of replies: enough for reasons by the rules.
struct Counter;

impl Analyst for Counter {
    type Error = Infallible;

    fn analyse(&mut self, position: Position, question: Question) -> Result<Report, Infallible> {
        let mut lines: Vec<Line> = position
            .board
            .legal_moves()
            .into_iter()
            .map(|square| {
                let replies = position.play(square).unwrap().board.mobility();
                Line {
                    score: Score::centi(-100 * replies as i32),
                    bound: Bound::Exact,
                    moves: vec![square.into()],
                }
            })
            .collect();
        lines.sort_by_key(|line| -line.score);
        lines.truncate(question.lines);
        Ok(Report {
            score: lines.first().map_or(Score::ZERO, |line| line.score),
            lines,
            depth: 1,
            nodes: 1,
            ..Report::new(position.into(), source())
        })
    }

    fn attribute(&mut self, _: Position) -> Option<Attribution> {
        None
    }
}

fn source() -> Source {
    Source {
        engine: "Counter".to_owned(),
        version: "1".to_owned(),
        weights: None,
    }
}

/// A position with many counts among its reasons: of those of a game the one that has the most.
fn explanation() -> Explanation {
    let mut game = parse_transcript("f5d6c3d3c4f4f6f3e6e7d7c6d8f7g5").unwrap();
    let mut explainer = Explainer::new();
    let mut explain = |position: Position| {
        // Compared with the move that leaves the most replies.
        let worst = position
            .board
            .legal_moves()
            .into_iter()
            .max_by_key(|&square| position.play(square).unwrap().board.mobility());
        let explanation = explainer.explain(&mut Counter, position, worst);
        explanation.unwrap()
    };
    let n_counts = |it: &Explanation| {
        let reasons = it.reasons.iter();
        reasons.filter(|it| it.basis == Basis::Count).count()
    };
    let mut explanations = vec![explain(game.position())];
    while game.undo().is_some() {
        explanations.push(explain(game.position()));
    }
    explanations.into_iter().max_by_key(n_counts).unwrap()
}

#[test]
fn true_statements_pass() {
    let explanation = explanation();
    let tally = check(&explanation).unwrap();
    assert!(tally.counts >= 2, "{:#?}", explanation.reasons);
    assert_eq!(tally.models, 0);
}

/// Every way to falsify a claim a little, and the text with it.
fn falsified(explanation: &Explanation, reason: &Reason) -> Vec<Reason> {
    let more = |pair: Pair| Pair {
        this: pair.this + 1,
        that: pair.that,
    };
    let claim = match reason.claim {
        Claim::OpensMoves {
            own_gain,
            reply_cut,
        } => Claim::OpensMoves {
            own_gain: own_gain + 1,
            reply_cut,
        },
        Claim::FewerReplies {
            opponent,
            replies,
            that,
        } => Claim::FewerReplies {
            opponent,
            replies: more(replies),
            that,
        },
        Claim::MoreMoves { mover, moves, that } => Claim::MoreMoves {
            mover,
            moves: more(moves),
            that,
        },
        Claim::SmallerFrontier { discs, that } => Claim::SmallerFrontier {
            discs: more(discs),
            that,
        },
        Claim::MoreStable { gain } => Claim::MoreStable { gain: more(gain) },
        Claim::SafeReplies {
            opponent,
            safe,
            that,
        } => Claim::SafeReplies {
            opponent,
            safe: Pair {
                this: safe.this,
                that: safe.that + 1,
            },
            that,
        },
        Claim::Quiet { square, flips } => Claim::Quiet {
            square,
            flips: flips + 1,
        },
        _ => return Vec::new(),
    };
    let wrong_claim = Reason {
        claim,
        text: claim.sentence(explanation.telling(reason.speaks_for)),
        ..reason.clone()
    };
    let wrong_text = Reason {
        text: wrong_claim.text.clone(),
        ..reason.clone()
    };
    let wrong_line = Reason {
        line: [reason.line.clone(), reason.line.clone()].concat(),
        ..reason.clone()
    };
    vec![wrong_claim, wrong_text, wrong_line]
}

#[test]
fn false_statements_are_refused() {
    let explanation = explanation();
    let mut n_refused = 0;
    for (i, reason) in explanation.reasons.iter().enumerate() {
        for false_reason in falsified(&explanation, reason) {
            let mut other = explanation.clone();
            other.reasons[i] = false_reason;
            let verdict = check(&other);
            assert!(verdict.is_err(), "{:?}", other.reasons[i]);
            n_refused += 1;
        }
    }
    assert!(n_refused >= 6, "{:#?}", explanation.reasons);
}

/// What cannot be true of this position at all.
#[test]
fn invented_statements_are_refused() {
    let explanation = explanation();
    let a1 = "a1".parse().unwrap();
    let that = explanation.other.as_ref().unwrap().square;
    let mover = explanation.position.side;
    let opponent = mover.other();
    let this = explanation.best.square;
    let pair = |this, that| Pair { this, that };
    let edge = Area::TopEdge;
    let inventions = [
        Claim::ShutsCorner {
            this,
            that,
            corner: a1,
            taker: opponent,
        },
        Claim::LosesCorner {
            that,
            corner: a1,
            taker: opponent,
            plies: 2,
        },
        Claim::WinsCorner {
            this,
            corner: a1,
            plies: 3,
        },
        Claim::EveryReplyGivesCorner { mover, opponent },
        Claim::MustPass {
            who: opponent,
            after: this,
            plies: 2,
        },
        Claim::OnlyReply {
            opponent,
            reply: a1,
        },
        Claim::KeepsAccess {
            region: explanation.position.board.empties(),
            mover,
            that,
        },
        Claim::LastMove { mover, that },
        Claim::KeepsFreeMove {
            that,
            opponent: mover,
        },
        Claim::TakesSquareFirst {
            this,
            that,
            opponent,
            plies: 4,
            deed: None,
        },
        Claim::CannotWait {
            this,
            that,
            opponent,
            is_taken: true,
            deed: None,
        },
        Claim::LosesSquare {
            square: a1,
            opponent,
            plies: 2,
            deed: None,
        },
        Claim::GetsBoth {
            this,
            that,
            opponent,
            follows: 3,
            taken: Some(2),
            deed: None,
        },
        Claim::CornerCanWait {
            corner: a1,
            plies: 3,
        },
        Claim::LosesMoves {
            that,
            squares: [a1, that].into_iter().collect(),
            mover,
        },
        Claim::ClosesSquares {
            that,
            squares: [a1, that].into_iter().collect(),
            opponent,
        },
        Claim::WedgeLater {
            who: opponent,
            after: that,
            square: a1,
            edge,
            plies: 2,
        },
        Claim::OutOfSafeMoves {
            who: mover,
            after: that,
            plies: 3,
        },
        Claim::DiscsInTheEnd {
            squares: [a1].into_iter().collect(),
        },
        Claim::GivenAnyway {
            corner: a1,
            taker: opponent,
        },
        Claim::ComesFirst {
            this,
            that,
            is_gone: true,
            opponent,
        },
        Claim::CornerInTheEnd {
            corner: a1,
            opponent,
            is_won: true,
        },
        Claim::OpensSquares {
            that,
            squares: [a1].into_iter().collect(),
            opponent,
        },
        Claim::DeniesReply {
            that,
            reply: a1,
            opponent,
            is_opened: false,
            deed: None,
        },
        Claim::StrongReply {
            that,
            reply: a1,
            discs: 9,
            reach: Reach {
                solved: true,
                depth: 14,
            },
            deed: None,
            fate: Fate::Shut { for_good: true },
        },
        Claim::AvoidsWall { that, discs: 7 },
        Claim::AvoidsUnbalancedEdge {
            that,
            edge,
            open: a1,
        },
        Claim::Wedge {
            this,
            edge,
            opponent,
        },
        Claim::MovesAfterReply {
            mover,
            moves: pair(9, 0),
            that,
        },
        Claim::MovesAlong {
            plies: 1,
            mover,
            own: pair(9, 0),
            theirs: pair(0, 9),
            that,
        },
        Claim::SafeMoves {
            mover,
            safe: pair(9, 0),
            that,
        },
        Claim::SafeReplies {
            opponent,
            safe: pair(0, 1),
            that,
        },
        Claim::EdgeLater {
            plies: 1,
            edge,
            owner: mover,
            discs: pair(3, 0),
            that,
            squares: Area::TopEdge.squares(),
        },
        Claim::BalancesEdge { edge },
        Claim::EdgeTempo { edge, again: true },
        Claim::Swindle {
            region: explanation.position.board.empties(),
        },
        Claim::CornerSwap {
            given: a1,
            taken: a1,
            is_trap: false,
        },
        Claim::LastInRegion {
            region: explanation.position.board.empties(),
        },
        Claim::EdgeSacrifice {
            plies: 1,
            edge,
            discs: pair(3, 0),
            own: pair(9, 0),
            theirs: pair(0, 9),
        },
        Claim::OnlyMove {
            square: explanation.best.square,
        },
        Claim::TakesCorner { corner: a1 },
        Claim::SecuresCorner { corner: a1 },
        Claim::AvoidsXTrap { that, corner: a1 },
        Claim::KeepsCornerShut {
            that,
            corner: a1,
            taker: opponent,
        },
        Claim::StaysAwayFromCorner { that, corner: a1 },
        Claim::NoReply { opponent },
        Claim::EndsBetter {
            discs: Pair { this: 4, that: 2 },
            that,
        },
        Claim::KeepsOddRegion {
            region: explanation.position.board.empties(),
            left: Pair { this: 3, that: 2 },
        },
        Claim::CornersLater {
            plies: 1,
            mover: explanation.position.side,
            own: Pair { this: 1, that: 0 },
            theirs: Pair { this: 0, that: 0 },
        },
    ];
    for claim in inventions {
        let mut other = explanation.clone();
        let at = other.telling(other.reasons[0].speaks_for);
        let reason = &mut other.reasons[0];
        reason.claim = claim;
        reason.text = claim.sentence(at);
        assert!(check(&other).is_err(), "{claim:?}");
    }
}

/// Nothing is invented to fill a quota.
#[test]
fn where_nothing_speaks_for_a_move_the_coach_says_so() {
    let mut explanation = explanation();
    explanation.reasons.clear();
    let loss = explanation.loss();
    let text = explanation.without_reason().unwrap();
    assert_eq!(
        text,
        format!(
            "Search says −{}; no simple reason found.",
            loss.hundredths() / 100
        )
    );
}
