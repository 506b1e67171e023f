//! What the coach says.

use super::Side;
use super::{side, squares, texts};
use crate::wire;
use app::{
    desk,
    explain::{self, MistakeClass, Tag, Tension},
    session::square_of,
};
use game::{Move, Position};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a reason rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ReasonKind {
    /// True by the rules, shown by a line.
    Fact,
    /// Something that was counted.
    Count,
    /// What the evaluation attributes to a region.
    Model,
    /// Speaks for the other move.
    TradeOff,
}

/// One sentence of a card, for or against the move, with the squares it speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// What it rests on.
    pub kind: ReasonKind,
    pub text: String,
    /// The squares that it speaks of.
    pub squares: Vec<u8>,
    /// The line that shows it, from the explained node on; empty if there is none.
    pub line: Vec<String>,
}

/// A move in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    #[serde(rename = "move")]
    pub action: String,
    /// Where; `null` for a pass.
    pub square: Option<u8>,
    /// For the side to move, in centidiscs.
    pub score: i32,
    /// The move and the best play after it.
    pub line: Vec<String>,
}

/// Two moves side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub best: Candidate,
    /// The move that it is compared with: the one that was asked about, else the best of those that
    /// are worse; `null` if there is none.
    pub given: Option<Candidate>,
    /// What the given move gives away, in centidiscs; 0 if it is the best.
    pub loss: i32,
}

/// The classes of mistakes that the coach tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum MistakeKind {
    /// Fewer own moves and more replies than after the best move.
    MobilityLeak,
    /// An odd region passes under the opponent's control.
    ParityFlip,
    /// Many more frontier discs than after the best move.
    FrontierBloat,
    /// A move to an X square that lets the opponent take the corner.
    XSquarePoison,
    /// The opponent can take a corner that was shut.
    CornerGiven,
    /// The opponent takes a corner soon, or a corner that it can take stays open.
    CornerOpened,
    /// The best move takes or wins a corner.
    CornerMissed,
    /// The best move leaves the opponent no disc.
    WipeOutMissed,
    /// The best move makes the opponent pass, or keeps the mover from passing.
    PassMissed,
    /// Safe moves run out, or the opponent keeps safe replies.
    SafeMovesSpent,
    /// The mover cannot play in a region any more.
    AccessLost,
    /// The opponent gets the last move.
    ParityLost,
    /// A quiet move that would have waited.
    QuietMoveWasted,
    /// A square that the opponent plays on next.
    SquareLeft,
    /// The best move turns no disc to the outside, this one does.
    LoudMove,
    /// A wall, or a larger frontier.
    WallBuilt,
    /// Fewer safe discs on an edge, an unbalanced edge, or a wedge not played.
    EdgeLost,
    /// Fewer discs that can never be flipped.
    StabilityLost,
    /// A move to an X or C square of an empty corner.
    CornerRisked,
    /// The best move gives a corner up and is better all the same.
    SacrificeMissed,
    /// Fewer moves, or more replies.
    MobilityLost,
    /// The best move stays in a named opening, this one leaves it.
    TheoryLeft,
    /// A proven loss of discs that none of the others explains.
    EndgameMiscount,
    /// A loss that none of the others explains.
    TempoWaste,
}

/// What went wrong with a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Mistake {
    pub kind: MistakeKind,
    /// What people call it, such as "mobility leak".
    pub name: String,
    pub text: String,
    /// The squares that it speaks of.
    pub squares: Vec<u8>,
    /// The line that shows it, from before the move on.
    pub line: Vec<String>,
}

/// How long to look for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Look {
    /// A tenth of a second or two: something to read until the full answer is there.
    First,
    /// Until the verdict holds.
    Full,
}

/// How sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Certainty {
    /// What the deepest search says; or two depths agree about a large difference, which takes three.
    Open,
    /// Depths running agree about the difference of the two moves: two, or three if it is large.
    Stable,
    /// Both values are proven to the end of the game.
    Proven,
}

/// How bad a move was, by the winning chances that it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Less than 5 in 100.
    Fine,
    /// `?!`: 5 in 100 and more.
    Inaccuracy,
    /// `?`: 10 in 100 and more.
    Mistake,
    /// `??`: 20 in 100 and more.
    Blunder,
}

/// Why a move is good, or another one is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    pub node: u32,
    /// Who is to move there.
    pub side: Side,
    pub comparison: Comparison,
    /// The move that was asked about, if one was.
    pub asked: Option<String>,
    /// A heading, such as "Why not b2?".
    pub title: String,
    /// What a club player would say aloud; `null` if nothing simple speaks for the best move.
    pub headline: Option<String>,
    /// The headline, or that there is no simple reason, and what the given move costs.
    pub summary: String,
    /// The strongest first, three at most; may be empty.
    pub reasons: Vec<Reason>,
    /// The other reasons, to be shown on request.
    pub more: Vec<Reason>,
    pub certainty: Certainty,
    /// The same in words: "proven", "at depth 18; not proven".
    pub certainty_words: String,
    /// Whether this is a first look, which the full answer may contradict: ask again without `look`.
    pub is_provisional: bool,
    /// Whether the heaviest reason speaks for the other move.
    pub is_trade_off: bool,
    /// Other moves that are known to be as good as the best.
    pub as_good: Vec<String>,
    /// What the asked move cost; `null` if none was asked about.
    pub judgement: Option<MoveJudgement>,
    /// What kinds of mistake the given move was.
    pub mistakes: Vec<Mistake>,
    /// What players count two plies after either move; the greatest change first. Empty if there is
    /// no other move.
    pub features: Vec<FeatureChange>,
    /// The report that all of this was made from.
    pub origin: Origin,
    /// How deep the scores are: `depth 20`, or `solved`.
    pub label: String,
    pub depth: u32,
    /// Whether the scores are proven.
    pub solved: bool,
}

/// What a move cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveJudgement {
    /// What the move costs, in centidiscs.
    pub loss: i32,
    /// The mover's winning chances with the best move, 0 to 1.
    pub chance_before: f32,
    /// With the move itself.
    pub chance_after: f32,
    pub severity: Severity,
}

/// Which report an explanation was made from: one that differs from what is on the screen is stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The analysis that found it; `null` if the coach looked for itself or explained a hint.
    pub generation: Option<u64>,
    pub depth: u32,
    /// Whether its score is proven.
    pub solved: bool,
    /// The engine with its version and weights.
    pub source: String,
    pub nodes: u64,
}

/// The features whose counts stand in the two-ply table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Feature {
    Mobility,
    /// Opposing discs next to empty squares.
    PotentialMobility,
    /// Own discs next to empty squares.
    Frontier,
    /// Discs that cannot be turned any more.
    Stable,
    Corners,
    Discs,
    Parity,
    /// Discs beside empty corners.
    Risk,
}

/// How something that players count changes by a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FeatureChange {
    pub key: Feature,
    /// Such as "Your moves".
    pub name: String,
    pub side: Side,
    /// After the best move and its best reply.
    pub best: i32,
    /// After the given move and its best reply.
    pub given: i32,
}

/// A square of an overlay and how strongly it is shaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Heat {
    pub square: u8,
    pub intensity: f32,
    /// The number behind it, such as how many empty squares are beside a disc.
    pub count: i32,
}

/// A legal move and the moves that both sides have after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveHeat {
    pub square: u8,
    /// From 0, the fewest own moves, to 1, the most.
    pub intensity: f32,
    /// The mover's moves after it, as if it were its turn again.
    pub own: u32,
    /// Moves that the opponent has in answer.
    pub replies: u32,
}

/// A connected set of empty squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ParityRegion {
    pub squares: Vec<u8>,
    /// Whether their number is odd.
    pub is_odd: bool,
    /// Who gets the last move in it if both play there in turn.
    pub controller: Option<Side>,
    /// Squares where somebody has to move soon.
    pub must_move_soon: Vec<u8>,
}

/// What an arrow means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CornerArrowKind {
    /// After the move that side can take the corner, and could not before.
    Opens,
    /// After the move that side cannot take the corner any more.
    Closes,
}

/// A square that opens or closes a corner within two plies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CornerArrow {
    pub from: u8,
    pub corner: u8,
    /// For whom the corner opens or closes.
    pub side: Side,
    pub kind: CornerArrowKind,
}

/// What can be laid over the board of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Overlays {
    pub node: u32,
    /// Whether only the most promising moves were looked at.
    pub is_approximate: bool,
    /// Legal moves by how many moves both sides have afterwards.
    pub mobility: Vec<MoveHeat>,
    /// Regions of so few squares that their parity matters.
    pub parity: Vec<ParityRegion>,
    /// Discs by how safe they are; `count` is 1 for Black and -1 for White.
    pub stability: Vec<Heat>,
    pub corners: Vec<CornerArrow>,
    /// Discs next to an empty square; `count` is how many.
    pub frontier: Vec<Heat>,
}

fn candidate(candidate: &explain::Candidate) -> wire::Candidate {
    wire::Candidate {
        action: candidate.square.to_string(),
        square: square_of(Move::from(candidate.square)),
        score: candidate.score.hundredths(),
        line: texts(&candidate.moves),
    }
}

pub(super) fn mistakes(judgement: &explain::Judgement) -> Vec<wire::Mistake> {
    let mistakes = judgement.mistakes.iter();
    mistakes
        .map(|mistake| wire::Mistake {
            kind: match mistake.class {
                MistakeClass::MobilityLeak => wire::MistakeKind::MobilityLeak,
                MistakeClass::ParityFlip => wire::MistakeKind::ParityFlip,
                MistakeClass::FrontierBloat => wire::MistakeKind::FrontierBloat,
                MistakeClass::XSquarePoison => wire::MistakeKind::XSquarePoison,
                MistakeClass::TempoWaste => wire::MistakeKind::TempoWaste,
                MistakeClass::CornerGiven => wire::MistakeKind::CornerGiven,
                MistakeClass::CornerOpened => wire::MistakeKind::CornerOpened,
                MistakeClass::CornerMissed => wire::MistakeKind::CornerMissed,
                MistakeClass::WipeOutMissed => wire::MistakeKind::WipeOutMissed,
                MistakeClass::PassMissed => wire::MistakeKind::PassMissed,
                MistakeClass::SafeMovesSpent => wire::MistakeKind::SafeMovesSpent,
                MistakeClass::AccessLost => wire::MistakeKind::AccessLost,
                MistakeClass::ParityLost => wire::MistakeKind::ParityLost,
                MistakeClass::QuietMoveWasted => wire::MistakeKind::QuietMoveWasted,
                MistakeClass::SquareLeft => wire::MistakeKind::SquareLeft,
                MistakeClass::LoudMove => wire::MistakeKind::LoudMove,
                MistakeClass::WallBuilt => wire::MistakeKind::WallBuilt,
                MistakeClass::EdgeLost => wire::MistakeKind::EdgeLost,
                MistakeClass::StabilityLost => wire::MistakeKind::StabilityLost,
                MistakeClass::CornerRisked => wire::MistakeKind::CornerRisked,
                MistakeClass::SacrificeMissed => wire::MistakeKind::SacrificeMissed,
                MistakeClass::MobilityLost => wire::MistakeKind::MobilityLost,
                MistakeClass::TheoryLeft => wire::MistakeKind::TheoryLeft,
                MistakeClass::EndgameMiscount => wire::MistakeKind::EndgameMiscount,
            },
            name: mistake.class.name().to_owned(),
            text: mistake.text.clone(),
            squares: squares(
                mistake
                    .squares
                    .into_iter()
                    .map(|square| square.index() as u8),
            ),
            line: texts(&mistake.line),
        })
        .collect()
}

pub(crate) fn explanation(node: u32, why: &desk::Why) -> wire::Explanation {
    let explanation = &why.explanation;
    let (best, origin) = (&explanation.best, &explanation.origin);
    let table = explanation.table();
    let judgement = explanation.judgement();
    wire::Explanation {
        node,
        side: side(explanation.position.side),
        comparison: wire::Comparison {
            best: candidate(best),
            given: explanation.other.as_ref().map(candidate),
            loss: explanation.loss().hundredths().max(0),
        },
        asked: explanation.played.map(|square| square.to_string()),
        title: explanation.title(),
        headline: explanation.headline(),
        summary: explanation.summary(),
        reasons: explanation.card().iter().map(reason).collect(),
        more: explanation.more().iter().map(reason).collect(),
        certainty: certainty(explanation.certainty),
        certainty_words: explanation.certainty.words(best.reach()),
        is_provisional: why.is_provisional,
        is_trade_off: explanation.is_trade_off(),
        as_good: explanation
            .as_good
            .iter()
            .map(ToString::to_string)
            .collect(),
        mistakes: judgement.as_ref().map_or_else(Vec::new, mistakes),
        judgement: judgement.as_ref().map(|judgement| wire::MoveJudgement {
            loss: judgement.loss.hundredths(),
            chance_before: judgement.chances[0] as f32,
            chance_after: judgement.chances[1] as f32,
            severity: severity(judgement.severity()),
        }),
        features: table.map_or_else(Vec::new, |table| table.rows.iter().map(feature).collect()),
        origin: wire::Origin {
            generation: why.generation,
            depth: origin.reach.depth,
            solved: origin.reach.solved,
            source: origin.source.to_string(),
            nodes: origin.nodes,
        },
        label: best.reach().to_string(),
        depth: best.depth,
        solved: best.solved,
    }
}

fn reason(reason: &explain::Reason) -> wire::Reason {
    wire::Reason {
        kind: match reason.tag() {
            Tag::Fact => wire::ReasonKind::Fact,
            Tag::Count => wire::ReasonKind::Count,
            Tag::Model => wire::ReasonKind::Model,
            Tag::TradeOff => wire::ReasonKind::TradeOff,
        },
        text: reason.text.clone(),
        squares: squares(
            reason
                .squares
                .into_iter()
                .map(|square| square.index() as u8),
        ),
        line: texts(&reason.line),
    }
}

fn feature(row: &explain::Row) -> wire::FeatureChange {
    wire::FeatureChange {
        key: match row.feature {
            explain::Feature::Mobility => wire::Feature::Mobility,
            explain::Feature::PotentialMobility => wire::Feature::PotentialMobility,
            explain::Feature::Frontier => wire::Feature::Frontier,
            explain::Feature::Stable => wire::Feature::Stable,
            explain::Feature::Corners => wire::Feature::Corners,
            explain::Feature::Discs => wire::Feature::Discs,
            explain::Feature::Parity => wire::Feature::Parity,
            explain::Feature::Risk => wire::Feature::Risk,
        },
        name: row.name.clone(),
        side: side(row.side),
        best: row.best as i32,
        given: row.other as i32,
    }
}

pub(crate) fn overlays(
    node: u32,
    position: &Position,
    overlays: &explain::Overlays,
) -> wire::Overlays {
    let board = position.to_string();
    let colour = |index: u8| match board.as_bytes().get(usize::from(index)) {
        Some(b'X') => 1,
        Some(b'O') => -1,
        _ => 0,
    };
    let mobility = overlays.mobility.iter().map(|heat| wire::MoveHeat {
        square: heat.square.index() as u8,
        intensity: heat.intensity as f32,
        own: heat.mobility,
        replies: heat.replies,
    });
    let stability = overlays.stability.iter().map(|heat| {
        let index = heat.square.index() as u8;
        wire::Heat {
            square: index,
            intensity: heat.permanence as f32,
            count: colour(index),
        }
    });
    let frontier = app::session::frontier(position).into_iter();
    let frontier = frontier.map(|(square, count)| wire::Heat {
        square,
        intensity: f32::from(count) / 8.0,
        count: i32::from(count),
    });
    wire::Overlays {
        node,
        is_approximate: overlays.approximate,
        mobility: mobility.collect(),
        parity: overlays.parity.iter().map(parity_region).collect(),
        stability: stability.collect(),
        corners: overlays.corners.iter().copied().map(corner_arrow).collect(),
        frontier: frontier.collect(),
    }
}

fn parity_region(region: &explain::ParityRegion) -> wire::ParityRegion {
    wire::ParityRegion {
        squares: squares(region.squares.into_iter().map(|it| it.index() as u8)),
        is_odd: region.odd,
        controller: Some(side(region.controller)),
        must_move_soon: squares(region.must_move_soon.into_iter().map(|it| it.index() as u8)),
    }
}

fn corner_arrow(arrow: explain::CornerArrow) -> wire::CornerArrow {
    wire::CornerArrow {
        from: arrow.from.index() as u8,
        corner: arrow.corner.index() as u8,
        side: side(arrow.side),
        kind: match arrow.tension {
            Tension::Opens => wire::CornerArrowKind::Opens,
            Tension::Closes => wire::CornerArrowKind::Closes,
        },
    }
}

pub(crate) const fn look_of(look: wire::Look) -> desk::Look {
    match look {
        wire::Look::First => desk::Look::First,
        wire::Look::Full => desk::Look::Full,
    }
}

pub(super) const fn certainty(certainty: explain::Certainty) -> wire::Certainty {
    match certainty {
        // The words say how far it goes; whoever reads the name alone should not rely on it.
        explain::Certainty::Open | explain::Certainty::Repeated => wire::Certainty::Open,
        explain::Certainty::Stable => wire::Certainty::Stable,
        explain::Certainty::Proven => wire::Certainty::Proven,
    }
}

pub(super) const fn severity(severity: explain::Severity) -> wire::Severity {
    match severity {
        explain::Severity::Fine => wire::Severity::Fine,
        explain::Severity::Inaccuracy => wire::Severity::Inaccuracy,
        explain::Severity::Mistake => wire::Severity::Mistake,
        explain::Severity::Blunder => wire::Severity::Blunder,
    }
}
