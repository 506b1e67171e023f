//! What people read: every kind of claim as a sentence.

use coach::{
    Area, Voice,
    explain::{Claim, Deed, Fate, Pair, Telling},
};
use expect_test::expect;
use game::{Reach, Score};
use othello::{Side, Square};

const SOLVED: Reach = Reach {
    solved: true,
    depth: 14,
};
const DEPTH_14: Reach = Reach {
    solved: false,
    depth: 14,
};

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn claims_read_as_sentences() {
    let (a1, b2, b1, c4) = (square("a1"), square("b2"), square("b1"), square("c4"));
    let pair = |this, that| Pair { this, that };
    let (mover, opponent) = (Side::Black, Side::White);
    let later = (pair(8, 5), pair(4, 9));
    let claims = [
        Claim::OnlyMove { square: c4 },
        Claim::EndsBetter {
            discs: pair(8, -2),
            that: c4,
        },
        Claim::EndsBetter {
            discs: pair(0, -64),
            that: c4,
        },
        Claim::TakesCorner { corner: a1 },
        Claim::SecuresCorner { corner: a1 },
        Claim::AvoidsXTrap {
            that: b2,
            corner: a1,
        },
        Claim::KeepsCornerShut {
            that: b1,
            corner: a1,
            taker: opponent,
        },
        Claim::ShutsCorner {
            this: c4,
            that: b1,
            corner: a1,
            taker: opponent,
        },
        Claim::LosesCorner {
            that: b1,
            corner: a1,
            taker: opponent,
            plies: 4,
        },
        Claim::WinsCorner {
            this: c4,
            corner: a1,
            plies: 3,
        },
        Claim::EveryReplyGivesCorner { mover, opponent },
        Claim::MustPass {
            who: opponent,
            after: c4,
            plies: 6,
        },
        Claim::OnlyReply {
            opponent,
            reply: b2,
        },
        Claim::KeepsAccess {
            region: [a1, b1, b2].into_iter().collect(),
            mover,
            that: c4,
        },
        Claim::LastMove { mover, that: c4 },
        Claim::KeepsFreeMove { that: b1, opponent },
        Claim::TakesSquareFirst {
            this: b1,
            that: c4,
            opponent,
            plies: 2,
            deed: Some(Deed::HoldsEdge {
                first: b1,
                last: square("e1"),
            }),
        },
        Claim::TakesSquareFirst {
            this: b1,
            that: c4,
            opponent,
            plies: 4,
            deed: None,
        },
        Claim::CannotWait {
            this: b1,
            that: c4,
            opponent,
            is_taken: true,
            deed: Some(Deed::IsQuiet),
        },
        Claim::CannotWait {
            this: b1,
            that: c4,
            opponent,
            is_taken: true,
            deed: Some(Deed::LeavesMoves { moves: pair(7, 1) }),
        },
        Claim::CannotWait {
            this: b1,
            that: c4,
            opponent,
            is_taken: false,
            deed: None,
        },
        Claim::LosesSquare {
            square: b1,
            opponent,
            plies: 4,
            deed: None,
        },
        Claim::LosesSquare {
            square: b1,
            opponent,
            plies: 2,
            deed: Some(Deed::IsQuiet),
        },
        Claim::GetsBoth {
            this: b1,
            that: c4,
            opponent,
            follows: 5,
            taken: Some(6),
            deed: None,
        },
        Claim::GetsBoth {
            this: b1,
            that: c4,
            opponent,
            follows: 3,
            taken: Some(2),
            deed: Some(Deed::IsQuiet),
        },
        Claim::GetsBoth {
            this: b1,
            that: c4,
            opponent,
            follows: 3,
            taken: None,
            deed: None,
        },
        Claim::CornerCanWait {
            corner: a1,
            plies: 3,
        },
        Claim::LosesMoves {
            that: c4,
            squares: [a1, b1].into_iter().collect(),
            mover,
        },
        Claim::ClosesSquares {
            that: c4,
            squares: [a1, b1].into_iter().collect(),
            opponent,
        },
        Claim::WedgeLater {
            who: opponent,
            after: c4,
            square: square("d1"),
            edge: Area::TopEdge,
            plies: 4,
        },
        Claim::OutOfSafeMoves {
            who: mover,
            after: c4,
            plies: 4,
        },
        Claim::DiscsInTheEnd {
            squares: [a1, b1, b2].into_iter().collect(),
        },
        Claim::GivenAnyway {
            corner: a1,
            taker: opponent,
        },
        Claim::ComesFirst {
            this: b1,
            that: c4,
            is_gone: true,
            opponent,
        },
        Claim::ComesFirst {
            this: b1,
            that: c4,
            is_gone: false,
            opponent,
        },
        Claim::CornerInTheEnd {
            corner: a1,
            opponent,
            is_won: true,
        },
        Claim::CornerInTheEnd {
            corner: a1,
            opponent,
            is_won: false,
        },
        Claim::OpensSquares {
            that: c4,
            squares: [a1, b1, b2].into_iter().collect(),
            opponent,
        },
        Claim::DeniesReply {
            that: c4,
            reply: b2,
            opponent,
            is_opened: true,
            deed: Some(Deed::TakesMoves {
                squares: [a1, b1].into_iter().collect(),
            }),
        },
        Claim::DeniesReply {
            that: c4,
            reply: b2,
            opponent,
            is_opened: false,
            deed: None,
        },
        Claim::StrongReply {
            that: c4,
            reply: b2,
            discs: 4,
            reach: SOLVED,
            deed: Some(Deed::IsQuiet),
            fate: Fate::Shut { for_good: true },
        },
        Claim::StrongReply {
            that: c4,
            reply: b1,
            discs: 3,
            reach: DEPTH_14,
            deed: None,
            fate: Fate::Fails {
                discs: 2,
                answer: Some(a1),
            },
        },
        Claim::AvoidsWall { that: c4, discs: 5 },
        Claim::AvoidsUnbalancedEdge {
            that: c4,
            edge: Area::TopEdge,
            open: b1,
        },
        Claim::Wedge {
            this: b1,
            edge: Area::TopEdge,
            opponent,
        },
        Claim::MovesAfterReply {
            mover,
            moves: pair(8, 3),
            that: c4,
        },
        Claim::MovesAlong {
            plies: 8,
            mover,
            own: pair(31, 24),
            theirs: pair(20, 29),
            that: c4,
        },
        Claim::SafeMoves {
            mover,
            safe: pair(1, 0),
            that: c4,
        },
        Claim::SafeReplies {
            opponent,
            safe: pair(0, 4),
            that: c4,
        },
        Claim::EdgeLater {
            plies: 8,
            edge: Area::TopEdge,
            owner: opponent,
            discs: pair(1, 5),
            that: c4,
            squares: ["b1", "c1", "d1", "e1", "f1"]
                .map(square)
                .into_iter()
                .collect(),
        },
        Claim::EndsBetter {
            discs: pair(-28, -42),
            that: c4,
        },
        Claim::OpensMoves {
            own_gain: 1,
            reply_cut: 1,
        },
        Claim::StaysAwayFromCorner {
            that: b2,
            corner: a1,
        },
        Claim::StaysAwayFromCorner {
            that: b1,
            corner: a1,
        },
        Claim::NoReply { opponent },
        Claim::Quiet {
            square: c4,
            flips: 1,
        },
        Claim::Quiet {
            square: c4,
            flips: 3,
        },
        Claim::KeepsOddRegion {
            region: ["g7", "h7", "g8", "h8", "f8"]
                .map(square)
                .into_iter()
                .collect(),
            left: pair(5, 4),
        },
        Claim::OpensMoves {
            own_gain: 3,
            reply_cut: 2,
        },
        Claim::FewerReplies {
            opponent,
            replies: pair(1, 9),
            that: c4,
        },
        Claim::MoreMoves {
            mover,
            moves: pair(9, 4),
            that: c4,
        },
        Claim::MoreStable { gain: pair(3, 0) },
        Claim::SmallerFrontier {
            discs: pair(6, 10),
            that: c4,
        },
        Claim::MobilityLater {
            plies: 6,
            mover,
            own: later.0,
            theirs: later.1,
        },
        Claim::CornersLater {
            plies: 6,
            mover,
            own: later.0,
            theirs: later.1,
        },
        Claim::StableLater {
            plies: 6,
            mover,
            own: later.0,
            theirs: later.1,
        },
        Claim::FrontierLater {
            plies: 6,
            mover,
            own: later.1,
            theirs: later.0,
        },
        Claim::BalancesEdge {
            edge: Area::TopEdge,
        },
        Claim::EdgeTempo {
            edge: Area::TopEdge,
            again: false,
        },
        Claim::EdgeTempo {
            edge: Area::TopEdge,
            again: true,
        },
        Claim::Swindle {
            region: [a1, b1].into_iter().collect(),
        },
        Claim::CornerSwap {
            given: a1,
            taken: square("h1"),
            is_trap: false,
        },
        Claim::CornerSwap {
            given: a1,
            taken: square("h1"),
            is_trap: true,
        },
        Claim::LastInRegion {
            region: [a1, b1].into_iter().collect(),
        },
        Claim::ModelPrefers {
            area: Area::Corner(a1),
            by: Score::centi(234),
        },
        Claim::ModelPrefers {
            area: Area::Mobility,
            by: Score::centi(50),
        },
    ];
    let at = Telling {
        voice: Voice::Colours,
        mover,
        this: square("d3"),
        that: square("c4"),
    };
    let text: String = claims
        .map(|claim| format!("{}\n", claim.sentence(at)))
        .concat();
    expect![[r#"
        c4 is the only legal move.
        d3 wins 36–28 with best play; c4 loses 31–33.
        d3 draws 32–32 with best play; c4 loses 0–64.
        d3 takes the corner, which can never be flipped.
        d3 gains corner control on a1 safely within 2 plies.
        d3 avoids an X-square trap near a1.
        c4 would give White the a1 corner at once.
        d3 shuts the a1 corner, which White could take; c4 leaves it open.
        After c4 White takes the a1 corner within 4 moves.
        d3 wins the a1 corner within 3 moves.
        Whatever White replies to d3, Black can take a corner next.
        After c4 White must pass within 6 moves.
        d3 leaves White only one reply, b2.
        d3 keeps Black a move in the top-left region; after c4 only White can play there.
        d3 gives Black the last move of the game; after c4 White has it.
        d3 keeps c4 in hand: White cannot play there.
        d3 is the square that both want: after c4 White takes it at once and holds b1–e1.
        d3 is the square that both want: after c4 White takes it within 4 moves.
        d3 cannot wait, c4 can: after c4 White takes d3, a quiet move; after d3 Black can still play c4, whatever the reply.
        d3 cannot wait, c4 can: after c4 White takes d3 and leaves Black 1 move instead of 7; after d3 Black can still play c4, whatever the reply.
        d3 cannot wait, c4 can: after c4 and the reply d3 is gone for good; after d3 Black can still play c4, whatever the reply.
        After c4 White takes b1 within 4 moves; after d3 Black gets it.
        After c4 White takes b1 at once, a quiet move; after d3 Black gets it.
        d3 first: Black gets both, c4 follows within 5 moves; after c4 White takes d3 within 6.
        d3 first: Black gets both, c4 follows within 3 moves; after c4 White takes d3 at once, a quiet move.
        d3 first: Black gets both, c4 follows within 3 moves; after c4 d3 does not follow within 10.
        The a1 corner can wait: White cannot take it after d3, and Black gets it within 3 moves.
        After c4 and the reply Black can no longer play a1 or b1; after d3 and the reply Black can.
        d3 closes a1 and b1 to White; after c4 White can still play there.
        After c4 White wedges in between Black's discs at d1 on the top edge within 4 moves.
        After c4 Black runs out of safe moves within 4 moves: each one left opens a corner or is an X square.
        In the end a1, b1 and b2 are Black's after d3 and White's after c4.
        d3 lets White take the a1 corner, but White gets it after c4, too.
        d3 comes first: c4 can wait until the next turn; after c4 and the reply d3 is no longer possible.
        d3 comes first: White cannot play c4, which can wait until the next turn, but could play d3.
        On the expected lines the a1 corner is Black's after d3 and White's after c4.
        On the expected lines the a1 corner is White's after c4, but not after d3.
        c4 opens a1, b1 and b2 for White; d3 opens none of them.
        c4 opens b2: White goes there and takes a1 and b1 away from Black; after d3 White cannot.
        c4 allows b2: White goes there; after d3 White cannot.
        After c4 White has one strong reply, b2, worth 4 discs more than any other (solved): White goes there, a quiet move; after d3 White cannot play there.
        After c4 White has one strong reply, b1, worth 3 discs more than any other (depth 14); after d3 it would cost White 2 discs, because Black answers a1.
        c4 builds a wall of 5 discs with empty squares all along it.
        c4 leaves Black's top edge unbalanced: five discs beside the open b1.
        d3 wedges between White's discs on the top edge.
        After d3 and the reply Black has 8 moves; after c4 and the reply 3.
        d3 keeps Black freer: over the next 8 moves Black has 31 choices to White's 20; after c4 24 to 29.
        After c4 and the reply Black has no safe move: each opens a corner or is an X square; after d3 1 is safe.
        White has no safe reply to d3: each opens a corner or is an X square; after c4 4 are safe.
        After c4 White has b1–f1 on the top edge for good within 8 moves; after d3 only 1.
        d3 loses 18–46 with best play; c4 loses 11–53.
        d3 opens +1 move next and reduces their replies by 1, compared with c4.
        b2 is an X square beside the empty a1 corner, and on the expected line White gets the corner.
        b1 is a C square beside the empty a1 corner, and on the expected line White gets the corner.
        After d3 White has no reply and must pass.
        d3 is quiet: the disc it flips does not touch an empty square.
        d3 is quiet: none of the 3 discs it flips touches an empty square.
        d3 preserves odd parity in the bottom-right region.
        d3 opens +3 moves next and reduces their replies by 2, compared with c4.
        d3 leaves White 1 reply; c4 leaves 9.
        d3 leaves Black 9 moves; c4 leaves 4.
        d3 increases stable discs by 3 this turn.
        d3 leaves Black 6 discs at the frontier; c4 leaves 10.
        6 moves on Black has 8 moves to White's 4 after d3; 5 to 9 after c4.
        6 moves on Black has 8 corners to White's 4 after d3; 5 to 9 after c4.
        6 moves on Black has 8 stable discs to White's 4 after d3; 5 to 9 after c4.
        6 moves on Black has 4 frontier discs to White's 8 after d3; 9 to 5 after c4.
        d3 completes a balanced top edge: six discs between two empty corners.
        d3 gains a move on the top edge: White cannot answer there.
        d3 creeps along the top edge: White cannot play there next, Black could again.
        d3 is a swindle: White cannot follow in the top-left pair, so Black gets both squares.
        d3 gives up the a1 corner, and Black gets the h1 corner for it.
        d3 is a Stoner trap: it gives up the a1 corner, and Black gets the h1 corner for it.
        d3 gives Black the last move in the top-left region; after c4 White plays there last.
        Our evaluation values the a1 corner 2.3 discs higher at the end of this line.
        Our evaluation values mobility 0.5 discs higher at the end of this line.
    "#]]
    .assert_eq(&text);
}
