//! What the engine says.

use super::{Glyph, LegalMove, PositionView, Side};
use super::{glyph, legal_move, position_view, side, texts};
use crate::wire;
use app::{
    desk, explain,
    session::{origin_of, square_of},
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How to read a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

/// A move and what follows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The first move, such as `f5`, or `ps`.
    #[serde(rename = "move")]
    pub action: String,
    /// Where; `null` for a pass.
    pub square: Option<u8>,
    /// For the side to move, in centidiscs.
    pub score: i32,
    /// Chess: moves to a forced mate, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// How to read it.
    pub bound: Bound,
    /// The move and the best play after it.
    pub moves: Vec<String>,
    /// The same as players write it.
    pub texts: Vec<String>,
    /// The sign that the move deserves beside the best one; `null` if it is fine.
    pub glyph: Option<Glyph>,
}

/// What a search counted besides its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// Positions left before all their moves were tried; `null` if the engine does not count them.
    pub cutoffs: Option<u64>,
    /// Positions answered by a bound from the table; `null` if the engine does not count them.
    pub bounds_used: Option<u64>,
    /// Look-ups in the table of positions.
    pub probes: u64,
    /// Look-ups that found their position.
    pub hits: u64,
    pub stores: u64,
    /// Written entries that displaced another position of the same search.
    pub replacements: u64,
    /// How full the table is, per thousand.
    pub fill_permille: u16,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Who is to move: scores are this side's.
    pub side: Side,
    /// The position's value for the side to move, in centidiscs.
    pub score: i32,
    /// The same for Black.
    pub black: i32,
    /// Chess: moves to a forced mate, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// Chess: how many of a thousand games the side to move wins, draws and loses, if the engine
    /// says it.
    pub chances: Option<[u16; 3]>,
    /// How to read it.
    pub bound: Bound,
    pub depth: u32,
    /// Plies of the longest line looked at, if the engine says it.
    pub selective_depth: Option<u32>,
    /// Whether the score is proven to the end of the game.
    pub solved: bool,
    /// How likely the search's cuts were right, in percent; 100 is no prediction.
    pub confidence_percent: f32,
    pub nodes: u64,
    pub time_ms: u64,
    /// What else was counted; `null` if nothing was.
    pub statistics: Option<Statistics>,
    pub lines: Vec<Line>,
    /// A short text: `depth 20`, or `solved`.
    pub label: String,
    /// Who found it, with which weights: `Kibitz 0.1.0 (pattern:shipped)`.
    #[ts(optional)]
    pub source: Option<String>,
}

/// What to analyse, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct AnalysisWish {
    /// The node; the current one if left out. Without it, the analysis follows the current node
    /// wherever that goes until it is stopped.
    pub node: Option<u32>,
    /// How many lines; 1 if left out.
    pub lines: Option<u32>,
    /// Values of all legal moves: as many lines as there are moves.
    pub all_moves: Option<bool>,
    /// Stop at this depth.
    pub depth: Option<u32>,
    /// Stop after so many milliseconds.
    pub time_ms: Option<u64>,
    /// What searches: `alphabeta`, `mcts`, or a foreign engine by its name on the shelf; our own as
    /// configured if left out.
    pub engine: Option<String>,
    /// Only these moves are looked at; all if left out. Our own engine looks at all.
    pub only: Option<Vec<String>>,
}

/// Whether analyses stay where they are while the reader walks on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FreezeWish {
    pub frozen: bool,
}

/// What an engine thinks of a move that another engine chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    #[serde(rename = "move")]
    pub action: String,
    /// As players write it.
    pub text: String,
    /// For the side to move, in hundredths.
    pub score: i32,
    pub mate: Option<i32>,
    pub depth: u32,
}

/// Where an analysis stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum AnalysisStatus {
    Running,
    /// It found all it was asked for.
    Finished,
    /// It was stopped or replaced.
    Stopped,
    /// It failed; a notice says why.
    Failed,
}

/// An analysis and its latest report. A report belongs to its session, engine, node and generation:
/// drop one whose generation is smaller than the greatest you have seen of that session and engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisState {
    pub session: String,
    /// What searches: `alphabeta`, `mcts`, or a foreign engine. Each has one analysis for each
    /// session.
    pub engine: String,
    /// What the engine is called.
    pub title: String,
    /// The node that is analysed.
    pub node: u32,
    /// Grows with every analysis that is started.
    pub generation: u64,
    pub status: AnalysisStatus,
    /// How many lines were asked for.
    pub lines: u32,
    /// Whether it follows the current node.
    pub follows: bool,
    /// The moves that it looks at; none means all.
    pub only: Vec<String>,
    /// The latest report; `null` before the first.
    pub report: Option<Report>,
    /// The move that it would play, where it tells no values; as players write it.
    pub choice: Option<String>,
    /// What it thinks of the choices of other engines, beside its own lines.
    pub judgements: Vec<Judgement>,
    /// Positions that it found in tables of endgames, if any.
    pub tablebase_hits: Option<u64>,
    /// What went wrong, as the rest of a sentence that begins with its name.
    pub trouble: Option<String>,
}

// Reports have a percentage that is one of six constants, never NaN.
impl Eq for AnalysisState {}

/// A good move, with the words to tell it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Hint {
    /// Where it was asked for.
    pub node: u32,
    /// The best move with its flips; `null` if it is a pass.
    pub best: Option<LegalMove>,
    pub text: String,
    /// What it rests on.
    pub report: Report,
}

/// Moves to look at without making them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewWish {
    /// Moves from the node on, such as `["b2", "a1"]`; passes may be written (`ps`) or left out.
    pub moves: Vec<String>,
}

/// One position of a previewed line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PreviewStep {
    /// The move that led here, `ps` for a pass.
    #[serde(rename = "move")]
    pub action: String,
    /// Where; `null` for a pass.
    pub square: Option<u8>,
    pub side: Side,
    /// Where a man of chess stood.
    pub from: Option<u8>,
    /// As players write it.
    pub text: String,
    /// The discs that it turned.
    pub flips: Vec<u8>,
    /// The position after it.
    pub position: PositionView,
}

/// A line, position by position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    pub node: u32,
    /// Its positions, in order.
    pub steps: Vec<PreviewStep>,
}

const fn bound(bound: game::Bound) -> wire::Bound {
    match bound {
        game::Bound::Exact => wire::Bound::Exact,
        game::Bound::Lower => wire::Bound::Lower,
        game::Bound::Upper => wire::Bound::Upper,
    }
}

pub(crate) fn report(report: &game::Report) -> wire::Report {
    wire::Report {
        side: side(report.side()),
        score: report.score.hundredths(),
        black: report.score_for(game::Side::Black).hundredths(),
        mate: report.score.mate(),
        chances: report
            .chances
            .map(|it| [it.win_permille, it.draw_permille, it.loss_permille]),
        selective_depth: report.selective_depth,
        bound: bound(report.bound),
        depth: report.depth,
        solved: report.solved,
        confidence_percent: report
            .certainty_permille
            .map_or(100.0, |permille| f32::from(permille) / 10.0),
        nodes: report.nodes,
        time_ms: report.time_ms,
        statistics: report.statistics.map(statistics),
        lines: report
            .lines
            .iter()
            .zip(explain::severities(report))
            .filter_map(|(it, severity)| line(it, &report.position, severity))
            .collect(),
        label: report.reach().to_string(),
        source: Some(report.source.to_string()),
    }
}

const fn statistics(counted: game::Statistics) -> wire::Statistics {
    wire::Statistics {
        cutoffs: counted.cutoffs,
        bounds_used: counted.bounds_used,
        probes: counted.probes,
        hits: counted.hits,
        stores: counted.stores,
        replacements: counted.replacements,
        fill_permille: counted.fill_permille,
    }
}

/// A line as players write it, from a position on.
fn line_texts(position: &game::Position, moves: &[game::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for &action in moves {
        texts.push(position.san(action));
        match position.play(action) {
            Ok(next) => position = next,
            Err(_) => break,
        }
    }
    texts
}

fn line(
    line: &game::Line,
    position: &game::Position,
    severity: explain::Severity,
) -> Option<wire::Line> {
    let first = *line.moves.first()?;
    Some(wire::Line {
        action: first.to_string(),
        square: square_of(first),
        score: line.score.hundredths(),
        mate: line.score.mate(),
        bound: bound(line.bound),
        moves: texts(&line.moves),
        texts: line_texts(position, &line.moves),
        glyph: severity.glyph().and_then(glyph),
    })
}

pub(crate) fn analysis_state(state: &desk::AnalysisState) -> wire::AnalysisState {
    let text = |action: game::Move| state.position.san(action);
    wire::AnalysisState {
        session: state.session.clone(),
        engine: state.engine.to_string(),
        title: state.title.clone(),
        node: state.node.index(),
        generation: state.generation,
        status: match state.status {
            desk::AnalysisStatus::Running => wire::AnalysisStatus::Running,
            desk::AnalysisStatus::Finished => wire::AnalysisStatus::Finished,
            desk::AnalysisStatus::Stopped => wire::AnalysisStatus::Stopped,
            desk::AnalysisStatus::Failed => wire::AnalysisStatus::Failed,
        },
        lines: state.lines as u32,
        follows: state.follows,
        only: texts(&state.only),
        report: state.report.as_ref().map(report),
        choice: state.choice.map(&text),
        judgements: state
            .judgements
            .iter()
            .map(|it| wire::Judgement {
                action: it.action.to_string(),
                text: text(it.action),
                score: it.score.hundredths(),
                mate: it.score.mate(),
                depth: it.depth,
            })
            .collect(),
        tablebase_hits: state.tablebase_hits,
        trouble: state.trouble.clone(),
    }
}

pub(crate) fn hint(hint: &desk::Hint) -> wire::Hint {
    wire::Hint {
        node: hint.node.index(),
        best: hint.best.as_ref().map(legal_move),
        text: hint.text.clone(),
        report: report(&hint.report),
    }
}

pub(crate) fn preview(node: u32, steps: &[desk::PreviewStep]) -> wire::Preview {
    let step = |step: &desk::PreviewStep| wire::PreviewStep {
        action: step.action.to_string(),
        square: square_of(step.action),
        side: side(step.side),
        from: origin_of(step.action),
        text: step.text.clone(),
        flips: step.flips.clone(),
        position: position_view(&step.position),
    };
    wire::Preview {
        node,
        steps: steps.iter().map(step).collect(),
    }
}
