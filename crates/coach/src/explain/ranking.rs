//! Which reasons come first, and which of them are for the card.

use super::{
    claim::Claim,
    explainer::{Basis, Reason, SpeaksFor},
};
use crate::Area;
use othello::Square;

/// More reasons than this bury the first.
const CARD_REASONS: usize = 3;

/// By weight, but what speaks for the best move gets the first word, and the card has one reason of
/// a kind and no more than one that speaks for the other move: two ways to say the same teach less
/// than two reasons. Returns how many are for the card; they stand in front.
pub(super) fn rank(reasons: &mut Vec<Reason>) -> usize {
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let first = reasons
        .iter()
        .position(|reason| reason.speaks_for == SpeaksFor::Best);
    // A card that speaks only for the worse move would teach the wrong one.
    let Some(first) = first else { return 0 };
    reasons[..=first].rotate_right(1);
    let (mut card, mut more): (Vec<Reason>, Vec<Reason>) = (Vec::new(), Vec::new());
    for reason in std::mem::take(reasons) {
        let is_said = card
            .iter()
            .any(|it| it.claim.theme().covers(reason.claim.theme()));
        let is_trade_off = reason.speaks_for == SpeaksFor::Other;
        let is_balanced = is_trade_off && card.iter().any(|it| it.speaks_for == SpeaksFor::Other);
        if card.len() < CARD_REASONS && !is_said && !is_balanced {
            card.push(reason);
        } else {
            more.push(reason);
        }
    }
    let n_card = card.len();
    card.append(&mut more);
    *reasons = card;
    n_card
}

/// What a claim is about: two claims of one theme say nearly the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    Result,
    Corner(Square),
    AnyCorner,
    Pass,
    Safety,
    Mobility,
    Region,
    Quiet,
    Square,
    Order,
    Frontier,
    Edge,
    Stability,
    Model,
}

impl Theme {
    /// Whether a claim of this theme leaves nothing to say for one of another.
    fn covers(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Corner(_), Self::AnyCorner))
    }
}

impl Claim {
    /// Whether it is about how many moves a side has.
    pub(super) fn is_about_moves(&self) -> bool {
        let area = Area::Mobility;
        let is_modelled = matches!(self, Self::ModelPrefers { area: it, .. } if *it == area);
        is_modelled || self.theme() == Theme::Mobility
    }

    const fn theme(&self) -> Theme {
        match *self {
            Self::OnlyMove { .. } | Self::EndsBetter { .. } => Theme::Result,
            Self::TakesCorner { corner }
            | Self::SecuresCorner { corner }
            | Self::AvoidsXTrap { corner, .. }
            | Self::KeepsCornerShut { corner, .. }
            | Self::ShutsCorner { corner, .. }
            | Self::LosesCorner { corner, .. }
            | Self::WinsCorner { corner, .. }
            | Self::StaysAwayFromCorner { corner, .. } => Theme::Corner(corner),
            Self::EveryReplyGivesCorner { .. }
            | Self::CornersLater { .. }
            | Self::CornerSwap { .. } => Theme::AnyCorner,
            Self::NoReply { .. } | Self::MustPass { .. } => Theme::Pass,
            Self::SafeMoves { .. } | Self::SafeReplies { .. } => Theme::Safety,
            Self::OnlyReply { .. }
            | Self::OpensMoves { .. }
            | Self::FewerReplies { .. }
            | Self::MoreMoves { .. }
            | Self::OpensSquares { .. }
            | Self::MovesAfterReply { .. }
            | Self::MovesAlong { .. }
            | Self::MobilityLater { .. } => Theme::Mobility,
            Self::KeepsAccess { .. }
            | Self::LastMove { .. }
            | Self::LastInRegion { .. }
            | Self::Swindle { .. }
            | Self::KeepsOddRegion { .. } => Theme::Region,
            Self::KeepsFreeMove { .. } | Self::Quiet { .. } => Theme::Quiet,
            Self::TakesSquareFirst { .. } | Self::DeniesReply { .. } => Theme::Square,
            Self::ComesFirst { .. } => Theme::Order,
            Self::AvoidsWall { .. } | Self::SmallerFrontier { .. } | Self::FrontierLater { .. } => {
                Theme::Frontier
            }
            Self::AvoidsUnbalancedEdge { .. }
            | Self::BalancesEdge { .. }
            | Self::EdgeTempo { .. }
            | Self::Wedge { .. }
            | Self::EdgeSacrifice { .. } => Theme::Edge,
            Self::EdgeLater { .. } | Self::MoreStable { .. } | Self::StableLater { .. } => {
                Theme::Stability
            }
            Self::ModelPrefers { .. } => Theme::Model,
        }
    }

    /// What the claim rests on.
    pub const fn basis(&self) -> Basis {
        match self {
            Self::OpensMoves { .. }
            | Self::FewerReplies { .. }
            | Self::MoreMoves { .. }
            | Self::MovesAfterReply { .. }
            | Self::MovesAlong { .. }
            | Self::SafeMoves { .. }
            | Self::SafeReplies { .. }
            | Self::EdgeSacrifice { .. }
            | Self::EdgeLater { .. }
            | Self::MoreStable { .. }
            | Self::SmallerFrontier { .. }
            | Self::MobilityLater { .. }
            | Self::CornersLater { .. }
            | Self::StableLater { .. }
            | Self::FrontierLater { .. } => Basis::Count,
            Self::ModelPrefers { .. } => Basis::Model,
            _ => Basis::Fact,
        }
    }
}
