//! Claims in words: one sentence for a reason, and the headline of a card. A sentence says nothing beyond
//! the claim's own data; the move that it is about is its subject.

use super::{
    Candidate, Claim, Pair, Zone, concepts::EDGES, events::EVENT_PLIES, features::board_of,
    phrases::row_of,
};
use crate::{Area, Voice};
use othello::{Move, Side, Square, SquareKind};

/// Whom a sentence speaks to, and which two moves it compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Telling {
    pub voice: Voice,
    /// Who is to move.
    pub mover: Side,
    /// The move that the claim speaks for.
    pub this: Square,
    /// The move that it is compared with.
    pub that: Square,
}

impl Telling {
    pub(super) const fn own(self) -> &'static str {
        self.voice.name(self.mover)
    }

    pub(super) const fn their(self) -> &'static str {
        self.voice.name(self.mover.other())
    }

    /// `Black has`, `you have`.
    pub(super) fn has(self, side: Side) -> String {
        let verb = self.voice.verb(side, "has", "have");
        format!("{} {verb}", self.voice.name(side))
    }
}

/// What follows a corner that is lost: discs on one of its edges that can never be flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    pub edge: Area,
    pub owner: Side,
    /// How many there are after so many plies of the other move's line, eight at most.
    pub discs: u32,
    pub plies: usize,
}

/// Fewer discs are not worth a sentence.
const FOLLOW_MIN: u32 = 3;
/// Longer lines are not said aloud.
const FOLLOW_PLIES: usize = 6;

impl Follow {
    /// What follows on `that` line if `claim` says that it loses a corner.
    pub fn of(claim: &Claim, that: &Candidate) -> Option<Self> {
        let (Claim::KeepsCornerShut { corner, .. }
        | Claim::AvoidsXTrap { corner, .. }
        | Claim::LosesCorner { corner, .. }) = *claim
        else {
            return None;
        };
        let owner = that.position_after(0).side.other();
        let count = |plies: usize, edge: Area| {
            let stable = board_of(that.position_after(plies), owner).stable_discs();
            (stable & edge.squares()).len()
        };
        let last = that.moves.len().min(EVENT_PLIES);
        if !that.position_after(last).discs(owner).contains(corner) {
            return None;
        }
        let edges = EDGES.into_iter().filter(|it| it.squares().contains(corner));
        let edge = edges.max_by_key(|&edge| count(last, edge))?;
        let discs = count(last, edge);
        if discs < FOLLOW_MIN.max(count(0, edge) + 2) {
            return None;
        }
        let plies = (1..=last).find(|&plies| count(plies, edge) == discs)?;
        (plies <= FOLLOW_PLIES).then_some(Self {
            edge,
            owner,
            discs,
            plies,
        })
    }
}

impl Claim {
    /// The claim as one sentence.
    pub fn sentence(&self, at: Telling) -> String {
        self.corner_sentence(at)
            .or_else(|| self.edge_sentence(at))
            .or_else(|| self.count_sentence(at))
            .or_else(|| self.later_sentence(at))
            .or_else(|| self.order_sentence(at))
            .or_else(|| self.foresight_sentence(at))
            .unwrap_or_else(|| self.turn_sentence(at))
    }

    fn corner_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        let (own, their) = (at.own(), at.their());
        let takes = at.voice.verb(at.mover.other(), "takes", "take");
        let gets = at.voice.verb(at.mover.other(), "gets", "get");
        Some(match *self {
            Self::TakesCorner { .. } => {
                format!("{this} takes the corner, which can never be flipped.")
            }
            Self::SecuresCorner { corner } => {
                format!("{this} gains corner control on {corner} safely within 2 plies.")
            }
            Self::AvoidsXTrap { corner, .. } => {
                format!("{this} avoids an X-square trap near {corner}.")
            }
            Self::KeepsCornerShut { corner, .. } => {
                format!("{that} would give {their} the {corner} corner at once.")
            }
            Self::ShutsCorner { corner, .. } => format!(
                "{this} shuts the {corner} corner, which {their} could take; {that} leaves it open."
            ),
            Self::LosesCorner { corner, plies, .. } => {
                format!("After {that} {their} {takes} the {corner} corner within {plies} moves.")
            }
            Self::WinsCorner { corner, plies, .. } => {
                format!("{this} wins the {corner} corner within {plies} moves.")
            }
            Self::CornerInTheEnd { corner, is_won, .. } => {
                let theirs = owned(at.voice, at.mover.other());
                if is_won {
                    let ours = owned(at.voice, at.mover);
                    format!(
                        "On the expected lines the {corner} corner is {ours} after {this} and {theirs} after \
                         {that}."
                    )
                } else {
                    format!(
                        "On the expected lines the {corner} corner is {theirs} after {that}, but not after \
                         {this}."
                    )
                }
            }
            Self::EveryReplyGivesCorner { .. } => {
                let replies = at.voice.verb(at.mover.other(), "replies", "reply");
                format!("Whatever {their} {replies} to {this}, {own} can take a corner next.")
            }
            Self::StaysAwayFromCorner { that, corner } => {
                let kind = match that.kind() {
                    SquareKind::X => "an X square",
                    _ => "a C square",
                };
                format!(
                    "{that} is {kind} beside the empty {corner} corner, and on the expected line {their} {gets} \
                     the corner."
                )
            }
            Self::CornerSwap {
                given,
                taken,
                is_trap,
            } => {
                let gets = at.voice.verb(at.mover, "gets", "get");
                let trap = if is_trap { "is a Stoner trap: it " } else { "" };
                format!(
                    "{this} {trap}gives up the {given} corner, and {own} {gets} the {taken} corner for it."
                )
            }
            _ => return None,
        })
    }

    fn edge_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        let (own, their) = (at.own(), at.their());
        Some(match *self {
            Self::AvoidsWall { discs, .. } => {
                format!("{that} builds a wall of {discs} discs with empty squares all along it.")
            }
            Self::AvoidsUnbalancedEdge { edge, open, .. } => format!(
                "{that} leaves {} {} unbalanced: five discs beside the open {open}.",
                at.voice.of(at.mover),
                bare(edge)
            ),
            Self::BalancesEdge { edge } => format!(
                "{this} completes a balanced {}: six discs between two empty corners.",
                bare(edge)
            ),
            Self::EdgeTempo { edge, again: true } => format!(
                "{this} creeps along {edge}: {their} cannot play there next, {own} could again."
            ),
            Self::EdgeTempo { edge, .. } => {
                format!("{this} gains a move on {edge}: {their} cannot answer there.")
            }
            Self::Wedge { edge, .. } => format!(
                "{this} wedges between {} discs on {edge}.",
                at.voice.of(at.mover.other())
            ),
            Self::EdgeSacrifice {
                plies,
                edge,
                discs,
                own,
                theirs,
            } => format!(
                "{this} sacrifices {edge} for moves: {plies} moves on {} {} there for good, and {} {} to \
                 {}; after {that} {} and {} to {}.",
                at.has(at.mover.other()),
                plural(discs.this, "disc"),
                at.has(at.mover),
                plural(own.this, "move"),
                theirs.this,
                plural(discs.that, "disc"),
                plural(own.that, "move"),
                theirs.that
            ),
            Self::EdgeLater {
                plies,
                edge,
                owner,
                discs,
                squares,
                ..
            } => {
                let is_more = discs.this > discs.that;
                let (with, without) = if is_more { (this, that) } else { (that, this) };
                let few = match discs.this.min(discs.that) {
                    0 => "none".to_owned(),
                    few => format!("only {few}"),
                };
                format!(
                    "After {with} {} {} on {edge} for good within {plies} moves; after {without} {few}.",
                    at.has(owner),
                    row_of(squares)
                )
            }
            _ => return None,
        })
    }

    fn count_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        let (own, their) = (at.own(), at.their());
        Some(match *self {
            Self::OpensMoves {
                own_gain,
                reply_cut,
            } => format!(
                "{this} opens +{own_gain} {} next and reduces their replies by {reply_cut}, compared with \
                 {that}.",
                if own_gain == 1 { "move" } else { "moves" }
            ),
            Self::FewerReplies { replies, .. } => format!(
                "{this} leaves {their} {}; {that} leaves {}.",
                replies_of(replies.this, ""),
                replies.that
            ),
            Self::MoreMoves { moves, .. } => format!(
                "{this} leaves {own} {}; {that} leaves {}.",
                plural(moves.this, "move"),
                moves.that
            ),
            Self::MovesAfterReply { moves, .. } => format!(
                "After {this} and the reply {} {}; after {that} and the reply {}.",
                at.has(at.mover),
                plural(moves.this, "move"),
                moves.that
            ),
            Self::SafeMoves { safe, .. } if safe.that == 0 => format!(
                "After {that} and the reply {} no safe move: each opens a corner or is an X square; after \
                 {this} {} safe.",
                at.has(at.mover),
                are(safe.this)
            ),
            Self::SafeMoves { safe, .. } => format!(
                "After {this} and the reply {} {}; after {that} {}.",
                at.has(at.mover),
                plural(safe.this, "safe move"),
                safe.that
            ),
            Self::SafeReplies { safe, .. } if safe.this == 0 => format!(
                "{} no safe reply to {this}: each opens a corner or is an X square; after {that} {} safe.",
                capital(&at.has(at.mover.other())),
                are(safe.that)
            ),
            Self::SafeReplies { safe, .. } => format!(
                "{this} leaves {their} {}; {that} leaves {}.",
                replies_of(safe.this, "safe "),
                safe.that
            ),
            Self::MoreStable { gain } => {
                format!("{this} increases stable discs by {} this turn.", gain.this)
            }
            Self::SmallerFrontier { discs, .. } => format!(
                "{this} leaves {own} {} at the frontier; {that} leaves {}.",
                plural(discs.this, "disc"),
                discs.that
            ),
            _ => return None,
        })
    }

    /// What is counted along both lines and at their ends.
    fn later_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        Some(match *self {
            Self::MovesAlong {
                plies, own, theirs, ..
            } => {
                let what = if own.lead() >= 0 {
                    format!("keeps {} freer", at.own())
                } else {
                    format!("holds {} back", at.their())
                };
                format!(
                    "{this} {what}: over the next {plies} moves {} {} choices to {} {}; after {that} {} \
                     to {}.",
                    at.has(at.mover),
                    own.this,
                    at.voice.of(at.mover.other()),
                    theirs.this,
                    own.that,
                    theirs.that
                )
            }
            Self::MobilityLater {
                plies, own, theirs, ..
            } => later(at, plies, "move", own, theirs),
            Self::CornersLater {
                plies, own, theirs, ..
            } => later(at, plies, "corner", own, theirs),
            Self::StableLater {
                plies, own, theirs, ..
            } => later(at, plies, "stable disc", own, theirs),
            Self::FrontierLater {
                plies, own, theirs, ..
            } => later(at, plies, "frontier disc", own, theirs),
            Self::ModelPrefers { area, by } => format!(
                "Our evaluation values {area} {} higher at the end of this line.",
                by.amount_of_discs()
            ),
            _ => return None,
        })
    }

    /// What is left: results, turns, regions.
    fn turn_sentence(&self, at: Telling) -> String {
        let Telling { this, that, .. } = at;
        let (own, their) = (at.own(), at.their());
        match *self {
            Self::OnlyMove { square } => format!("{square} is the only legal move."),
            Self::GivenAnyway { corner, .. } => {
                let gets = at.voice.verb(at.mover.other(), "gets", "get");
                format!(
                    "{this} lets {their} take the {corner} corner, but {their} {gets} it after {that}, too."
                )
            }
            Self::EndsBetter { discs, .. } => format!(
                "{this} {} with best play; {that} {}.",
                ends(discs.this),
                ends(discs.that)
            ),
            Self::MustPass { who, after, plies } => format!(
                "After {after} {} must pass within {plies} moves.",
                at.voice.name(who)
            ),
            Self::OnlyReply { reply, .. } => {
                format!("{this} leaves {their} only one reply, {reply}.")
            }
            Self::NoReply { .. } => format!(
                "After {this} {} no reply and must pass.",
                at.has(at.mover.other())
            ),
            Self::KeepsAccess { region, .. } => format!(
                "{this} keeps {own} a move in the {} region; after {that} only {their} can play there.",
                Zone::of(region)
            ),
            Self::LastMove { .. } => format!(
                "{this} gives {own} the last move of the game; after {that} {} it.",
                at.has(at.mover.other())
            ),
            Self::LastInRegion { region } => {
                let plays = at.voice.verb(at.mover.other(), "plays", "play");
                format!(
                    "{this} gives {own} the last move in the {} region; after {that} {their} {plays} there \
                     last.",
                    Zone::of(region)
                )
            }
            Self::Swindle { region } => {
                let gets = at.voice.verb(at.mover, "gets", "get");
                format!(
                    "{this} is a swindle: {their} cannot follow in the {} pair, so {own} {gets} both squares.",
                    Zone::of(region)
                )
            }
            Self::KeepsOddRegion { region, .. } => format!(
                "{this} preserves odd parity in the {} region.",
                Zone::of(region)
            ),
            // The others have been said.
            _ => String::new(),
        }
    }

    /// Of claims in the order of their weight the one to say aloud: a result is told as the cost of the
    /// move, and what leads to it is the reason.
    pub(super) fn to_say_first<'a, T: 'a>(
        mut claims: impl Iterator<Item = &'a T> + Clone,
        claim: impl Fn(&T) -> &Self,
    ) -> Option<&'a T> {
        let first = claims.clone().next();
        claims
            .find(|it| {
                !matches!(
                    claim(it),
                    Self::EndsBetter { .. } | Self::GivenAnyway { .. }
                )
            })
            .or(first)
    }

    /// What a club player would say aloud: what happens, what follows, and what the better move does
    /// about it. `line` shows the claim; `other` is the move that it is compared with.
    pub(super) fn headline(&self, at: Telling, line: &[Move], other: &Candidate) -> String {
        let Telling { this, that, .. } = at;
        let their = at.their();
        let follow = Follow::of(self, other);
        let line = match follow {
            Some(follow) => &other.moves[..follow.plies],
            None => line,
        };
        let names: Vec<String> = line.iter().map(ToString::to_string).collect();
        let line = names.join(" ");
        let after = match follow {
            Some(follow) => format!(
                "after {line} {} discs on {} are {} for good",
                number(follow.discs),
                follow.edge,
                owned(at.voice, follow.owner)
            ),
            None => line.clone(),
        };
        match *self {
            Self::KeepsCornerShut { corner, .. } => {
                format!("{that} hands {their} the {corner} corner: {after}. {this} keeps it shut.")
            }
            Self::AvoidsXTrap { corner, .. } => format!(
                "{that} is the X square beside {corner} and opens that corner: {after}. {this} keeps it \
                 shut."
            ),
            Self::LosesCorner { corner, .. } => {
                let gets = at.voice.verb(at.mover.other(), "gets", "get");
                format!(
                    "After {that} {their} {gets} the {corner} corner: {after}. {this} does not allow it so \
                     soon."
                )
            }
            Self::WinsCorner { corner, .. } => format!("{this} wins the {corner} corner: {line}."),
            Self::SecuresCorner { corner } => format!(
                "After {this} {} cannot keep {} from the {corner} corner: {line}.",
                their,
                at.own()
            ),
            Self::OpensMoves { .. } | Self::OutOfSafeMoves { .. } => {
                self.mobility_headline(at, &line)
            }
            Self::WedgeLater { .. } | Self::LosesSquare { .. } => {
                let sentence = self.sentence(at);
                format!("{}: {line}.", sentence.trim_end_matches('.'))
            }
            Self::CornerSwap { .. } => {
                let sentence = self.sentence(at);
                format!("{}: {line}.", sentence.trim_end_matches('.'))
            }
            Self::AvoidsWall { .. } | Self::AvoidsUnbalancedEdge { .. } => {
                format!("{} {this} does not.", self.sentence(at))
            }
            Self::StaysAwayFromCorner { .. } => self.sentence(at),
            Self::MustPass { who, after, .. } => {
                format!("After {after} {} must pass: {line}.", at.voice.name(who))
            }
            _ => self.sentence(at),
        }
    }
}

impl Claim {
    /// The headline of what is said about moves that a side has.
    fn mobility_headline(&self, at: Telling, line: &str) -> String {
        match *self {
            Self::OpensMoves {
                own_gain,
                reply_cut,
            } => format!(
                "{} {own_gain} more {} after {} than after {}, and {} {reply_cut} fewer.",
                capital(&at.has(at.mover)),
                if own_gain == 1 { "move" } else { "moves" },
                at.this,
                at.that,
                at.their()
            ),
            Self::OutOfSafeMoves { who, after, .. } => format!(
                "After {after} {} {} out of safe moves: after {line} each one left opens a corner or is an X \
                 square.",
                at.voice.name(who),
                at.voice.verb(who, "runs", "run")
            ),
            _ => self.sentence(at),
        }
    }
}

/// In words, for what stands behind the name of a square.
const fn number(n: u32) -> &'static str {
    match n {
        0..=2 => "two",
        3 => "three",
        4 => "four",
        5 => "five",
        6 => "six",
        7 => "seven",
        _ => "eight",
    }
}

/// `Black's`, `yours`.
pub(super) const fn owned(voice: Voice, side: Side) -> &'static str {
    voice.verb(side, voice.of(side), "yours")
}

/// `top edge`.
fn bare(edge: Area) -> String {
    edge.to_string().trim_start_matches("the ").to_owned()
}

/// `8 moves on Black has 5 moves to White's 10 after f8, 1 to 11 after c1.`
fn later(at: Telling, plies: usize, what: &str, own: Pair, theirs: Pair) -> String {
    format!(
        "{plies} moves on {} {} to {} {} after {}; {} to {} after {}.",
        at.has(at.mover),
        plural(own.this, what),
        at.voice.of(at.mover.other()),
        theirs.this,
        at.this,
        own.that,
        theirs.that,
        at.that
    )
}

/// A sentence's first word.
fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

pub(super) fn plural(n: i32, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// `1 safe reply`, `2 replies`.
fn replies_of(n: i32, kind: &str) -> String {
    format!("{n} {kind}{}", if n == 1 { "reply" } else { "replies" })
}

/// `1 is`, `3 are`.
fn are(n: i32) -> String {
    format!("{n} {}", if n == 1 { "is" } else { "are" })
}

/// A disc difference as the end of a game: `wins 36–28`.
pub(super) fn ends(difference: i32) -> String {
    let own = (64 + difference) / 2;
    let verb = match difference.signum() {
        1 => "wins",
        -1 => "loses",
        _ => "draws",
    };
    format!("{verb} {own}–{}", 64 - own)
}
