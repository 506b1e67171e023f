//! What the coach says.

use super::{Glyph, LegalMove, Report, Side};
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

/// One reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// What it rests on.
    pub kind: ReasonKind,
    /// A sentence.
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
    /// The move.
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
    /// The best move.
    pub best: Candidate,
    /// The move that it is compared with: the one that was asked about, else the second best;
    /// `null` if there is none.
    pub given: Option<Candidate>,
    /// What the given move gives away, in centidiscs; 0 if it is the best.
    pub loss: i32,
}

/// What went wrong with a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Mistake {
    /// Such as `mobilityLeak`, `parityFlip`, `frontierBloat`, `xSquarePoison`, `tempoWaste`.
    pub kind: String,
    /// What people call it, such as "mobility leak".
    pub name: String,
    /// A sentence.
    pub text: String,
    /// The squares that it speaks of.
    pub squares: Vec<u8>,
    /// The line that shows it, from before the move on.
    pub line: Vec<String>,
}

/// Why a move is good, or another one is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Where.
    pub node: u32,
    /// Who is to move there.
    pub side: Side,
    /// The moves.
    pub comparison: Comparison,
    /// The move that was asked about, if one was.
    pub asked: Option<String>,
    /// A heading, such as "Why not b2?".
    pub title: String,
    /// One sentence; says so where there is no simple reason.
    pub summary: String,
    /// The strongest first; may be empty.
    pub reasons: Vec<Reason>,
    /// What kinds of mistake the given move was.
    pub mistakes: Vec<Mistake>,
    /// How deep the scores are: `depth 20`, or `solved`.
    pub label: String,
    /// Plies searched.
    pub depth: u32,
    /// Whether the scores are proven.
    pub solved: bool,
}

/// How something that players count changes by a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FeatureChange {
    /// Such as `mobility`.
    pub key: String,
    /// Such as "Your moves".
    pub name: String,
    /// Whose.
    pub side: Side,
    /// After the best move and its best reply.
    pub best: i32,
    /// After the given move and its best reply.
    pub given: i32,
}

/// *Why not here?*: two plies of a move beside two plies of the best one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Counterfactual {
    /// Where.
    pub node: u32,
    /// The move that was asked about, with its flips.
    pub given: LegalMove,
    /// Both moves.
    pub comparison: Comparison,
    /// What changes; the greatest change first.
    pub features: Vec<FeatureChange>,
    /// A sentence.
    pub text: String,
    /// How deep the scores are.
    pub label: String,
}

/// A square's shade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Heat {
    /// The square.
    pub square: u8,
    /// 0 to 1.
    pub intensity: f32,
    /// The number behind it, such as how many moves the mover has afterwards.
    pub count: i32,
}

/// A connected set of empty squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ParityRegion {
    /// Its squares.
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
    /// The move.
    pub from: u8,
    /// The corner.
    pub corner: u8,
    /// For whom the corner opens or closes.
    pub side: Side,
    /// What it does.
    pub kind: CornerArrowKind,
}

/// What can be laid over the board of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Overlays {
    /// Where.
    pub node: u32,
    /// Whether only the most promising moves were looked at.
    pub is_approximate: bool,
    /// Legal moves by how many moves the mover has afterwards.
    pub mobility: Vec<Heat>,
    /// Empty regions.
    pub parity: Vec<ParityRegion>,
    /// Discs by how safe they are; `count` is 1 for Black and -1 for White.
    pub stability: Vec<Heat>,
    /// Corner tension.
    pub corners: Vec<CornerArrow>,
    /// Discs next to an empty square; `count` is how many.
    pub frontier: Vec<Heat>,
}

/// How thorough a review should be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct ReviewWish {
    /// Plies for each position; a sensible default if left out.
    pub depth: Option<u32>,
}

/// A move of a reviewed game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReviewedMove {
    /// The node that the move led to.
    pub node: u32,
    /// Who made it.
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub action: String,
    /// What would have been best.
    pub best: String,
    /// What it gave away, in centidiscs.
    pub loss: i32,
    /// What it gave away in winning chances, 0 to 1.
    pub chance_loss: Option<f32>,
    /// The sign it deserves.
    pub glyph: Option<Glyph>,
    /// What kinds of mistake it was.
    pub mistakes: Vec<Mistake>,
    /// What the search before the move said.
    pub report: Report,
}

/// A reviewed game, as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The session.
    pub session: String,
    /// Whether all moves are in.
    pub is_complete: bool,
    /// Moves in the order of the game.
    pub moves: Vec<ReviewedMove>,
    /// Nodes of moves that gave away something worth speaking of, in the order of the game.
    pub mistakes: Vec<u32>,
}
