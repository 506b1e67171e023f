//! A reviewed game.

use super::{
    Certainty, Glyph, Mistake, Report, Severity, Side,
    coach::{certainty, mistakes, severity},
    glyph, report, side, texts,
};
use crate::wire;
use app::{
    desk,
    review::{self, Answers, MistakeOrder},
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
    /// Which move of the game it is, from 1; passes are not counted.
    pub number: u32,
    pub side: Side,
    #[serde(rename = "move")]
    pub action: String,
    /// What would have been best.
    pub best: String,
    /// What it gave away, in centidiscs.
    pub loss: i32,
    /// What it gave away in winning chances, 0 to 1.
    pub chance_loss: Option<f32>,
    /// The mover's winning chances with the best move, 0 to 1.
    pub chance_before: f32,
    /// With the move itself.
    pub chance_after: f32,
    pub severity: Severity,
    pub certainty: Certainty,
    pub phase: Phase,
    /// What a club player would say about it; `null` if it cost nothing, or nothing simple is to be
    /// said.
    pub headline: Option<String>,
    /// The sign it deserves.
    pub glyph: Option<Glyph>,
    /// What kinds of mistake it was.
    pub mistakes: Vec<Mistake>,
    /// The move and the best play after it.
    pub played_line: Vec<String>,
    /// The best move and the best play after it.
    pub best_line: Vec<String>,
    /// What the search before the move said.
    pub report: Report,
}

/// The parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// More than 40 empty squares.
    Opening,
    /// 40 to 21 empty squares.
    Middlegame,
    /// 20 empty squares and fewer.
    Endgame,
}

/// What one side lost, in a game or in a part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    pub moves: u32,
    /// What they cost together, in centidiscs.
    pub loss: i32,
    /// 0 to 100; `null` if there was nothing to choose.
    pub accuracy: Option<f32>,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

/// What both sides lost in a part of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PhaseReview {
    pub phase: Phase,
    pub black: Tally,
    pub white: Tally,
}

/// What a position of a reviewed game is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GraphPoint {
    pub node: u32,
    /// For Black, in centidiscs.
    pub black: i32,
    /// Black's winning chances, 0 to 1.
    pub chance: f32,
    pub depth: u32,
    /// Whether it is proven.
    pub solved: bool,
    /// Whether the move that led here was judged; otherwise it is a first look.
    pub is_judged: bool,
}

/// A reviewed game, as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    pub session: String,
    /// Whether all moves are in.
    pub is_complete: bool,
    /// Values of the positions of the line, in its order: first a first look at all, then, from the
    /// end, what the judged moves say.
    pub graph: Vec<GraphPoint>,
    /// Moves in the order of the game. They come in from its end.
    pub moves: Vec<ReviewedMove>,
    /// Nodes of moves that gave away something worth speaking of, in the order of the game.
    pub mistakes: Vec<u32>,
    pub black: Tally,
    pub white: Tally,
    pub phases: Vec<PhaseReview>,
    /// The node of the move that turned the game, once all moves are in; `null` if none did.
    pub turning_point: Option<u32>,
    /// How it went, what turned it, what followed; empty until all moves are in.
    pub summary: Vec<String>,
    /// The same for a reader who is still to try a mistake: it names no better move.
    pub summary_untried: Vec<String>,
}

const fn phase(phase: review::Phase) -> wire::Phase {
    match phase {
        review::Phase::Opening => wire::Phase::Opening,
        review::Phase::Middlegame => wire::Phase::Middlegame,
        review::Phase::Endgame => wire::Phase::Endgame,
    }
}

fn tally(tally: review::Tally) -> wire::Tally {
    wire::Tally {
        moves: tally.moves,
        loss: tally.loss.hundredths(),
        accuracy: tally.accuracy.map(|it| it as f32),
        inaccuracies: tally.inaccuracies,
        mistakes: tally.mistakes,
        blunders: tally.blunders,
    }
}

pub(crate) fn review(review: &desk::Review) -> wire::Review {
    let game = review.game();
    let node = |place: usize| review.moves[place].node.index();
    let in_phase = |it: review::Phase| wire::PhaseReview {
        phase: phase(it),
        black: tally(game.phase(it, game::Side::Black)),
        white: tally(game.phase(it, game::Side::White)),
    };
    let summary = |answers| match review.is_complete {
        true => game.summary(review.voice, answers),
        false => Vec::new(),
    };
    wire::Review {
        session: review.session.clone(),
        is_complete: review.is_complete,
        graph: review.graph.iter().map(graph_point).collect(),
        moves: review.moves.iter().map(reviewed_move).collect(),
        mistakes: game
            .mistakes(MistakeOrder::Game)
            .into_iter()
            .map(node)
            .collect(),
        black: tally(game.side(game::Side::Black)),
        white: tally(game.side(game::Side::White)),
        phases: review::Phase::ALL.map(in_phase).into(),
        turning_point: game
            .turning_point()
            .filter(|_| review.is_complete)
            .map(node),
        summary: summary(Answers::Told),
        summary_untried: summary(Answers::Withheld),
    }
}

fn graph_point((node, point): &(game::NodeId, review::GraphPoint)) -> wire::GraphPoint {
    wire::GraphPoint {
        node: node.index(),
        black: point.black.hundredths(),
        chance: point.chances as f32,
        depth: point.reach.depth,
        solved: point.reach.solved,
        is_judged: point.is_judged,
    }
}

fn reviewed_move(reviewed: &desk::ReviewedMove) -> wire::ReviewedMove {
    let judged = &reviewed.judged;
    let judgement = &judged.judgement;
    wire::ReviewedMove {
        node: reviewed.node.index(),
        number: judged.number,
        side: side(reviewed.side()),
        action: judged.square().to_string(),
        best: judgement.best.square.to_string(),
        loss: judgement.loss.hundredths(),
        chance_loss: Some(judgement.lost_chances() as f32),
        chance_before: judgement.chances[0] as f32,
        chance_after: judgement.chances[1] as f32,
        severity: severity(judgement.severity()),
        certainty: certainty(judgement.certainty),
        phase: phase(judged.phase()),
        headline: judgement.headline.clone(),
        glyph: judgement.severity().glyph().and_then(glyph),
        mistakes: mistakes(judgement),
        played_line: texts(&judgement.played.moves),
        best_line: texts(&judgement.best.moves),
        report: report(&reviewed.report()),
    }
}
