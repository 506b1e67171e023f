//! Which reasons come first, and which of them are for the card.

use super::{
    claim::{Claim, Deed},
    events::EVENT_PLIES,
    explainer::{Basis, Reason, SpeaksFor},
};
use crate::Area;
use othello::Square;

/// More reasons than this bury the first.
const CARD_REASONS: usize = 3;

/// What is seen at once comes before what lies far ahead if it counts at least this much.
const NEAR_MIN: f64 = 0.08;
/// What counts less stands behind the parity of a region.
const STRONG_MIN: f64 = 0.1;
/// So many moves fewer are a collapse where hardly one is left.
const COLLAPSE_MIN: i32 = 5;
/// How much more a fact counts than a number when the first word is chosen.
const SHOWN_SHARE: f64 = 3.0;
/// The same for a fact, which shows something on the board.
const NEAR_FACT_MIN: f64 = 0.03;

/// By weight, but what speaks for the best move gets the first word, before what nobody can count at
/// the board; and the card has one reason of a kind and no more than one that speaks for the other
/// move: two ways to say the same teach less than two reasons. Returns how many are for the card;
/// they stand in front.
pub(super) fn rank(reasons: &mut Vec<Reason>) -> usize {
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let speaks = |reason: &Reason| reason.speaks_for == SpeaksFor::Best;
    let (first, is_near_first) = first_word(reasons);
    // A card that speaks only for the worse move would teach the wrong one.
    let Some(first) = first else { return 0 };
    reasons[..=first].rotate_right(1);
    let (mut card, mut more): (Vec<Reason>, Vec<Reason>) = (Vec::new(), Vec::new());
    let heaviest = reasons.iter().filter(|it| speaks(it));
    let heaviest = heaviest.map(|it| it.weight).fold(0.0, f64::max);
    for reason in std::mem::take(reasons) {
        let counts_moves = matches!(reason.claim, Claim::MovesAfterReply { .. });
        let is_square = matches!(reason.claim, Claim::TakesSquareFirst { .. });
        let is_said = card.iter().any(|it| {
            it.claim.theme().covers(reason.claim.theme())
                || counts_moves && it.claim.takes_moves()
                || is_square && it.claim.is_about_order()
        });
        let is_trade_off = reason.speaks_for == SpeaksFor::Other;
        let is_balanced = is_trade_off && card.iter().any(|it| it.speaks_for == SpeaksFor::Other);
        // Beside what a player sees, what lies far ahead only distracts, and the result is told above it.
        let is_far = reason.claim.is_distant() || reason.claim.is_result();
        let is_beside = !card.is_empty() && (is_filler(&reason) || is_far && is_near_first);
        // What the search has weighed and found too light is told where it is a corner or the heaviest.
        let is_light = is_trade_off && !reason.claim.is_about_corner() && reason.weight < heaviest;
        // What weighs next to nothing only distracts as well.
        let is_trifle = !is_trade_off && !card.is_empty() && reason.weight < NEAR_FACT_MIN;
        let is_idle = is_beside || is_light || is_trifle;
        if card.len() < CARD_REASONS && !is_said && !is_balanced && !is_idle {
            card.push(reason);
        } else {
            more.push(reason);
        }
    }
    // Who sees the better move give a corner away wants to hear that we have seen it, too.
    let is_price = |it: &Reason| match it.speaks_for {
        SpeaksFor::Best => matches!(it.claim, Claim::GivenAnyway { .. }),
        SpeaksFor::Other => it.claim.is_price(),
    };
    if card.iter().all(|it| it.speaks_for == SpeaksFor::Best)
        && !card.iter().any(is_price)
        && let Some(price) = more.iter().position(is_price)
    {
        let price = more.remove(price);
        if card.len() == CARD_REASONS {
            more.extend(card.pop());
        }
        card.push(price);
    }
    let n_card = card.len();
    card.append(&mut more);
    *reasons = card;
    n_card
}

/// Which of the reasons, in the order of their weight, gets the first word, and whether a player sees it
/// at the board; `None` if nothing speaks for the best move.
fn first_word(reasons: &[Reason]) -> (Option<usize>, bool) {
    let speaks = |reason: &Reason| reason.speaks_for == SpeaksFor::Best;
    let is_near = |it: &Reason| it.claim.is_near(it.weight, it.line.len());
    let is_strong = |it: &Reason| is_near(it) && it.weight >= STRONG_MIN && !is_filler(it);
    // What can be shown on the board comes before what has to be counted, unless the count is far larger.
    let first_rank = |it: &Reason| match it.basis {
        Basis::Fact => it.weight * SHOWN_SHARE,
        Basis::Count | Basis::Model => it.weight,
    };
    let first = (0..reasons.len())
        .filter(|&at| speaks(&reasons[at]) && is_strong(&reasons[at]))
        .max_by(|&a, &b| first_rank(&reasons[a]).total_cmp(&first_rank(&reasons[b])));
    // Who plays last in a region is what players count out, however far it is; what weighs little comes
    // behind it.
    let is_last = |it: &Reason| matches!(it.claim, Claim::LastInRegion { .. });
    let first = first.or_else(|| reasons.iter().position(|it| speaks(it) && is_last(it)));
    let first = first.or_else(|| reasons.iter().position(|it| speaks(it) && is_near(it)));
    let is_near_first = first.is_some();
    // Of what lies far ahead the discs that make the result say most.
    let is_end = |it: &Reason| matches!(it.claim, Claim::DiscsInTheEnd { .. });
    let first = first.or_else(|| reasons.iter().position(|it| speaks(it) && is_end(it)));
    let is_told = |it: &Reason| !it.claim.is_result() && it.line.len() <= EVENT_PLIES;
    let leads = |it: &Reason| speaks(it) && is_told(it) && !it.claim.is_aside();
    let first = first.or_else(|| reasons.iter().position(leads));
    let first = first.or_else(|| reasons.iter().position(speaks));
    (first, is_near_first)
}

/// A square that changes hands so late only fills a card.
fn is_filler(reason: &Reason) -> bool {
    matches!(reason.claim, Claim::LosesSquare { plies, .. } if plies > 4)
}

/// What may be said of each of two moves with other squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mirror {
    /// The other move opens a square.
    Opens,
    /// The opponent is kept out of a square.
    Shuts,
    /// Squares that the opponent had are closed to it.
    Closes,
    /// The mover loses moves.
    Loses,
    /// A square is taken before the opponent takes it.
    Takes,
    /// A square stays in hand.
    Keeps,
}

/// What a claim is about: two claims of one theme say nearly the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    Result,
    Corner(Square),
    AnyCorner,
    Price,
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

    /// What can be true of both moves at once, so that it explains neither; `None` for the others.
    pub(super) const fn mirror(&self) -> Option<Mirror> {
        Some(match self {
            Self::DeniesReply {
                is_opened: true, ..
            }
            | Self::OpensSquares { .. } => Mirror::Opens,
            Self::ClosesSquares { .. } => Mirror::Closes,
            Self::LosesMoves { .. } => Mirror::Loses,
            Self::DeniesReply { .. } => Mirror::Shuts,
            Self::TakesSquareFirst { .. } => Mirror::Takes,
            Self::KeepsFreeMove { .. } => Mirror::Keeps,
            _ => return None,
        })
    }

    /// The corner, if it says that the other move gives one away at once: a price that a player sees
    /// before anything else.
    pub(super) const fn price(&self) -> Option<Square> {
        match self {
            Self::KeepsCornerShut { corner, .. } | Self::AvoidsXTrap { corner, .. } => {
                Some(*corner)
            }
            _ => None,
        }
    }

    /// Whether it says that the other move gives a corner away at once.
    pub(super) const fn is_price(&self) -> bool {
        self.price().is_some()
    }

    /// Whether a player sees it at the board, with this weight and a line of so many plies that shows
    /// it. A bare result is what has to be explained.
    pub(super) fn is_near(&self, weight: f64, plies: usize) -> bool {
        let least = match self.basis() {
            Basis::Fact => NEAR_FACT_MIN,
            Basis::Count | Basis::Model => NEAR_MIN,
        };
        !self.is_distant() && !self.is_result() && plies <= EVENT_PLIES && weight >= least
    }

    /// Whether it says that a reply takes moves away.
    pub(super) const fn takes_moves(&self) -> bool {
        matches!(
            self,
            Self::DeniesReply { deed, .. }
                | Self::TakesSquareFirst { deed, .. }
                | Self::LosesSquare { deed, .. }
                | Self::GetsBoth { deed, .. }
                | Self::CannotWait { deed, .. }
                | Self::StrongReply { deed, .. }
                if matches!(deed, Some(Deed::TakesMoves { .. } | Deed::LeavesMoves { .. }))
        )
    }

    /// Whether it says what the expected reply to the other move does: it explains little where another
    /// reply is as good.
    pub(super) const fn rests_on_reply(&self) -> bool {
        match self {
            Self::DeniesReply { .. } | Self::CannotWait { .. } | Self::LosesMoves { .. } => true,
            Self::ComesFirst { is_gone, .. } => *is_gone,
            Self::TakesSquareFirst { plies, .. } | Self::LosesSquare { plies, .. } => *plies == 2,
            Self::GetsBoth { taken, .. } => matches!(taken, Some(2)),
            _ => false,
        }
    }

    /// Whether it says what is wrong with the other move by itself.
    pub(super) const fn blames_other(&self) -> bool {
        self.is_price()
            || matches!(
                self,
                Self::StaysAwayFromCorner { .. }
                    | Self::AvoidsWall { .. }
                    | Self::AvoidsUnbalancedEdge { .. }
                    | Self::OpensSquares { .. }
                    | Self::SmallerFrontier { .. }
            )
    }

    /// Whether it says which of the two moves comes first.
    pub(super) fn is_about_order(&self) -> bool {
        self.theme() == Theme::Order
    }

    /// Whether it only puts something right that a reader may think.
    const fn is_aside(&self) -> bool {
        matches!(self, Self::GivenAnyway { .. })
    }

    const fn is_result(&self) -> bool {
        matches!(self, Self::EndsBetter { .. })
    }

    /// Whether it is about a corner that falls soon: what a trade-off on the card is about.
    const fn is_about_corner(&self) -> bool {
        let is_corner = matches!(self.theme(), Theme::Corner(_));
        is_corner && !self.is_distant()
    }

    /// Whether it is about the lines as a whole or about where they end: no single move shows it. Having
    /// hardly a move left is seen by everybody.
    const fn is_distant(&self) -> bool {
        if let Self::MobilityLater { own, .. } = self
            && own.that <= 1
            && own.lead() >= COLLAPSE_MIN
        {
            return false;
        }
        matches!(
            self,
            Self::MovesAlong { .. }
                | Self::MobilityLater { .. }
                | Self::FrontierLater { .. }
                | Self::StableLater { .. }
                | Self::CornersLater { .. }
                | Self::CornerInTheEnd { .. }
        )
    }

    const fn theme(&self) -> Theme {
        match *self {
            Self::OnlyMove { .. } | Self::EndsBetter { .. } | Self::DiscsInTheEnd { .. } => {
                Theme::Result
            }
            Self::TakesCorner { corner }
            | Self::SecuresCorner { corner }
            | Self::AvoidsXTrap { corner, .. }
            | Self::KeepsCornerShut { corner, .. }
            | Self::ShutsCorner { corner, .. }
            | Self::LosesCorner { corner, .. }
            | Self::WinsCorner { corner, .. }
            | Self::CornerInTheEnd { corner, .. }
            | Self::StaysAwayFromCorner { corner, .. } => Theme::Corner(corner),
            Self::EveryReplyGivesCorner { .. }
            | Self::CornersLater { .. }
            | Self::CornerSwap { .. } => Theme::AnyCorner,
            Self::GivenAnyway { .. } => Theme::Price,
            Self::NoReply { .. } | Self::MustPass { .. } => Theme::Pass,
            Self::SafeMoves { .. } | Self::SafeReplies { .. } | Self::OutOfSafeMoves { .. } => {
                Theme::Safety
            }
            Self::OnlyReply { .. }
            | Self::OpensMoves { .. }
            | Self::FewerReplies { .. }
            | Self::MoreMoves { .. }
            | Self::OpensSquares { .. }
            | Self::ClosesSquares { .. }
            | Self::LosesMoves { .. }
            | Self::MovesAfterReply { .. }
            | Self::MovesAlong { .. }
            | Self::MobilityLater { .. } => Theme::Mobility,
            Self::KeepsAccess { .. }
            | Self::LastMove { .. }
            | Self::LastInRegion { .. }
            | Self::Swindle { .. }
            | Self::KeepsOddRegion { .. } => Theme::Region,
            Self::KeepsFreeMove { .. } | Self::Quiet { .. } => Theme::Quiet,
            Self::TakesSquareFirst { .. }
            | Self::DeniesReply { .. }
            | Self::LosesSquare { .. }
            | Self::StrongReply { .. } => Theme::Square,
            Self::ComesFirst { .. }
            | Self::CannotWait { .. }
            | Self::GetsBoth { .. }
            | Self::CornerCanWait { .. } => Theme::Order,
            Self::AvoidsWall { .. } | Self::SmallerFrontier { .. } | Self::FrontierLater { .. } => {
                Theme::Frontier
            }
            Self::AvoidsUnbalancedEdge { .. }
            | Self::BalancesEdge { .. }
            | Self::EdgeTempo { .. }
            | Self::Wedge { .. }
            | Self::WedgeLater { .. }
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
