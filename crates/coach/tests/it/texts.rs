//! What people read: every kind of claim as a sentence.

use coach::{
    Area,
    explain::{Claim, Pair},
};
use expect_test::expect;
use game::Score;
use othello::{Side, Square};

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
        Claim::ModelPrefers {
            area: Area::Corner(a1),
            by: Score::centi(234),
        },
        Claim::ModelPrefers {
            area: Area::Mobility,
            by: Score::centi(50),
        },
    ];
    let text: String = claims.map(|claim| format!("{claim}\n")).concat();
    expect![[r#"
        c4 is the only legal move.
        Best play to the end gives a 36–28 win; after c4 it gives a 31–33 loss.
        Best play to the end gives a 32–32 draw; after c4 it gives a 0–64 loss.
        Takes corner a1, which can never be flipped.
        Gains corner control on a1 safely within 2 plies.
        Avoids an X-square trap near a1.
        b1 would give White corner a1: b1 a1.
        c4 shuts corner a1, which White could take; b1 leaves it open.
        After b1 White takes corner a1 within 4 plies.
        c4 wins corner a1 within 3 plies.
        Whatever White replies, Black can take a corner next.
        After c4 White must pass at ply 6.
        White has only one reply, b2.
        Keeps Black a move in the top-left region; after c4 only White can play there.
        Gives Black the last move of the game; after c4 White has it.
        Keeps b1 for later, where White cannot play.
        Takes b1 first: after c4 White plays there at ply 2.
        c4 builds a wall of 5 discs.
        c4 leaves the top edge unbalanced: five discs beside the open b1.
        b1 wedges between White's discs on the top edge.
        Leaves Black 8 moves after the reply instead of 3 after c4.
        Over 8 plies Black has 31 moves in all to White's 20 instead of 24 to 29 after c4.
        Leaves Black 1 safe move after the reply instead of 0 after c4.
        Leaves White 0 safe replies instead of 4 after c4.
        After 8 plies White has 1 disc on the top edge that can never be flipped instead of 5 after c4.
        Best play to the end gives an 18–46 loss; after c4 it gives an 11–53 loss.
        Opens +1 move next and reduces their replies by 1.
        b2 is an X square beside the empty corner a1.
        b1 is a C square beside the empty corner a1.
        White has no reply and must pass.
        c4 is quiet: the disc it flips does not touch an empty square.
        c4 is quiet: none of the 3 discs it flips touches an empty square.
        Preserves odd parity in the bottom-right region.
        Opens +3 moves next and reduces their replies by 2.
        Leaves White 1 reply instead of 9 after c4.
        Leaves Black 9 moves instead of 4 after c4.
        Increases stable discs by 3 this turn.
        Keeps 6 discs at the frontier instead of 10 after c4.
        Black's moves against White's after 6 plies: 8–4 instead of 5–9.
        Black's corners against White's after 6 plies: 8–4 instead of 5–9.
        Black's stable discs against White's after 6 plies: 8–4 instead of 5–9.
        Black's frontier discs against White's after 6 plies: 4–8 instead of 9–5.
        Our evaluation values the a1 corner 2.3 discs higher at the end of this line.
        Our evaluation values mobility 0.5 discs higher at the end of this line.
    "#]]
    .assert_eq(&text);
}
