//! From the domain to the wire and back. Nothing is decided here.

use crate::wire;
use app::{
    Config, Profile, config,
    desk::{self, DeskError},
    explain::{self, Tag, Tension},
    session::{self, Session, discs_of, legal_moves, outcome_text, square_of},
};
use game::{Glyph, Move, NodeId, Position, Report, Score, Side, Tags, Termination};

pub(crate) const fn side(side: Side) -> wire::Side {
    match side {
        Side::Black => wire::Side::Black,
        Side::White => wire::Side::White,
    }
}

const fn mode(mode: session::Mode) -> wire::Mode {
    match mode {
        session::Mode::Play => wire::Mode::Play,
        session::Mode::Analyse => wire::Mode::Analyse,
    }
}

pub(crate) const fn mode_of(mode: wire::Mode) -> session::Mode {
    match mode {
        wire::Mode::Play => session::Mode::Play,
        wire::Mode::Analyse => session::Mode::Analyse,
    }
}

const fn people(people: session::People) -> wire::People {
    match people {
        session::People::Black => wire::People::Black,
        session::People::White => wire::People::White,
        session::People::Both => wire::People::Both,
    }
}

pub(crate) const fn people_of(people: wire::People) -> session::People {
    match people {
        wire::People::Black => session::People::Black,
        wire::People::White => session::People::White,
        wire::People::Both => session::People::Both,
    }
}

pub(crate) const fn step_of(step: wire::Step) -> session::Step {
    match step {
        wire::Step::First => session::Step::First,
        wire::Step::Previous => session::Step::Previous,
        wire::Step::Next => session::Step::Next,
        wire::Step::Last => session::Step::Last,
    }
}

const GLYPHS: [(wire::Glyph, Glyph); 6] = [
    (wire::Glyph::Brilliant, Glyph::BRILLIANT),
    (wire::Glyph::Good, Glyph::GOOD),
    (wire::Glyph::Interesting, Glyph::INTERESTING),
    (wire::Glyph::Dubious, Glyph::DUBIOUS),
    (wire::Glyph::Mistake, Glyph::MISTAKE),
    (wire::Glyph::Blunder, Glyph::BLUNDER),
];

fn glyph(glyph: Glyph) -> Option<wire::Glyph> {
    let found = GLYPHS.iter().find(|(_, known)| *known == glyph);
    found.map(|&(shown, _)| shown)
}

pub(crate) fn glyph_of(glyph: wire::Glyph) -> Glyph {
    let found = GLYPHS.iter().find(|(known, _)| *known == glyph);
    found.map_or(Glyph(0), |&(_, glyph)| glyph)
}

fn squares(set: impl IntoIterator<Item = impl Into<u8>>) -> Vec<u8> {
    set.into_iter().map(Into::into).collect()
}

pub(crate) fn position_view(position: &Position) -> wire::PositionView {
    let text = position.to_string();
    let board: String = text.chars().take(64).collect();
    let count = |disc: char| board.chars().filter(|&c| c == disc).count() as u32;
    wire::PositionView {
        turn: (!position.is_over()).then(|| side(position.side())),
        black: count('X'),
        white: count('O'),
        empties: count('-'),
        board,
    }
}

pub(crate) fn legal_move(legal: &session::LegalMove) -> wire::LegalMove {
    wire::LegalMove {
        action: legal.action.to_string(),
        square: legal.square,
        flips: legal.flips.clone(),
    }
}

pub(crate) fn session_view(snapshot: &desk::Snapshot) -> wire::SessionView {
    let session = &snapshot.session;
    let record = session.record();
    let position = session.position();
    let legal: Vec<wire::LegalMove> = legal_moves(position).iter().map(legal_move).collect();
    let shows_values = session.shows_values();
    wire::SessionView {
        id: session.id().to_owned(),
        revision: session.revision(),
        mode: mode(session.mode()),
        people: people(session.people()),
        level: session.level().name.to_owned(),
        show_values: shows_values,
        node: session.cursor().index(),
        must_pass: legal.is_empty() && !position.is_over(),
        position: position_view(position),
        legal,
        last_move: last_move(session),
        tree: tree(session, shows_values),
        line: session.line().iter().map(|id| id.index()).collect(),
        opening: snapshot.opening.as_ref().map(|(name, ply)| wire::Opening {
            name: name.clone(),
            ply: *ply as u32,
            is_current: *ply == record.path(session.cursor()).len().saturating_sub(1),
        }),
        status: session.status(),
        outcome: session.outcome().map(|it| outcome(it, position)),
        clock: session.clock().map(|it| clock(it, snapshot.now_ms)),
        awaiting: match session.awaiting() {
            session::Awaiting::Human => wire::Awaiting::Human,
            session::Awaiting::Engine => wire::Awaiting::Engine,
            session::Awaiting::Nobody => wire::Awaiting::Nobody,
        },
        thinking: session.thinking().is_some(),
        can_undo: session.can_undo(),
        can_redo: session.can_redo(),
        players: players(session),
        tags: wire::GameTags {
            event: record.tags.get(Tags::EVENT).map(str::to_owned),
            date: record.tags.get(Tags::DATE).map(str::to_owned),
            result: record.outcome.and_then(|it| it.black_centidiscs),
        },
        blunder: blunder(session),
        analysis: snapshot
            .analysis
            .as_ref()
            .filter(|_| shows_values)
            .map(analysis_state),
    }
}

fn last_move(session: &Session) -> Option<wire::LastMove> {
    let node = session.record().node(session.cursor())?;
    let action = node.action()?;
    let before = session.record().position(node.parent()?)?;
    Some(wire::LastMove {
        action: action.to_string(),
        square: square_of(action),
        flips: session::flips_of(before, action),
        side: side(before.side()),
    })
}

/// Parents before children, in the order of ids.
fn tree(session: &Session, shows_values: bool) -> Vec<wire::Node> {
    let record = session.record();
    let main: Vec<NodeId> = std::iter::once(record.root())
        .chain(record.main_line())
        .collect();
    let mut ids: Vec<NodeId> = std::iter::once(record.root())
        .chain(record.descendants(record.root()))
        .collect();
    // Plies and numbers of parents are needed for those of children.
    let mut plies = std::collections::HashMap::new();
    ids.sort_unstable();
    ids.iter()
        .filter_map(|&id| {
            let node = record.node(id)?;
            let parent = node.parent();
            let is_pass = node
                .action()
                .is_some_and(|action| square_of(action).is_none());
            let (ply, number) = parent.map_or((0, 0), |parent| {
                let (ply, number) = plies.get(&parent).copied().unwrap_or((0, 0));
                (ply + 1, if is_pass { number } else { number + 1 })
            });
            plies.insert(id, (ply, number));
            let mover = parent.and_then(|parent| Some(record.position(parent)?.side()));
            let value = session.value(id).filter(|_| shows_values);
            Some(wire::Node {
                id: id.index(),
                parent: parent.map(NodeId::index),
                children: node.children().iter().map(|id| id.index()).collect(),
                ply,
                number: (parent.is_some() && !is_pass).then_some(number),
                action: node.action().map(|action| action.to_string()),
                side: mover.map(side),
                is_main: main.contains(&id),
                comment: node.note.comment.clone(),
                glyphs: node
                    .note
                    .glyphs
                    .iter()
                    .filter_map(|&it| glyph(it))
                    .collect(),
                value: value.map(|value| wire::NodeValue {
                    black: value.for_black(node.position().side()).hundredths(),
                    score: value.score.hundredths(),
                    depth: value.depth,
                    solved: value.solved,
                    loss: session.loss(id).map(|loss| loss.hundredths()),
                }),
            })
        })
        .collect()
}

fn players(session: &Session) -> wire::Players {
    let player = |of: Side, tag: &str| {
        if let Some(name) = session.record().tags.get(tag) {
            return wire::PlayerInfo {
                kind: wire::PlayerKind::Recorded,
                name: name.to_owned(),
            };
        }
        let is_human = session.mode() == session::Mode::Analyse || session.people().play(of);
        if is_human {
            wire::PlayerInfo {
                kind: wire::PlayerKind::Human,
                name: if session.people() == session::People::Both {
                    of.to_string()
                } else {
                    "You".to_owned()
                },
            }
        } else {
            wire::PlayerInfo {
                kind: wire::PlayerKind::Engine,
                name: format!("Kibitz, {}", level_title(session.level())),
            }
        }
    };
    wire::Players {
        black: player(Side::Black, Tags::BLACK),
        white: player(Side::White, Tags::WHITE),
    }
}

fn outcome(outcome: game::Outcome, position: &Position) -> wire::Outcome {
    let (black, white) = match outcome.black_centidiscs {
        Some(centidiscs) => discs_of(centidiscs),
        None => {
            let view = position_view(position);
            (view.black, view.white)
        }
    };
    wire::Outcome {
        black,
        white,
        winner: outcome.winner.map(side),
        reason: match outcome.termination {
            Termination::TimeForfeit => wire::OutcomeReason::Time,
            _ => wire::OutcomeReason::Rules,
        },
        text: outcome_text(outcome),
    }
}

pub(crate) fn clock(clock: &game::Clock, now_ms: u64) -> wire::Clock {
    let left = |side| clock.remaining_ms(side, now_ms).unwrap_or(0);
    wire::Clock {
        black_ms: left(Side::Black),
        white_ms: left(Side::White),
        increment_ms: match clock.control() {
            game::TimeControl::Game { increment_ms, .. } => increment_ms,
            _ => 0,
        },
        running: clock.running().map(side),
        flagged: clock.flagged(now_ms).map(side),
    }
}

fn blunder(session: &Session) -> Option<wire::Blunder> {
    let blunder = session.blunder()?;
    let node = session.record().node(blunder.node)?;
    let before = session.record().position(node.parent()?)?;
    let legal = legal_moves(before);
    let best = legal.iter().find(|it| it.action == blunder.best)?;
    Some(wire::Blunder {
        node: blunder.node.index(),
        action: node.action()?.to_string(),
        loss: blunder.loss.hundredths(),
        best: legal_move(best),
        label: blunder.reach.to_string(),
        solved: blunder.reach.solved,
    })
}

pub(crate) fn summary(summary: desk::Summary) -> wire::SessionSummary {
    wire::SessionSummary {
        id: summary.id,
        revision: summary.revision,
        mode: mode(summary.mode),
        plies: summary.plies as u32,
        status: summary.status,
        is_current: summary.is_current,
    }
}

const fn bound(bound: game::Bound) -> wire::Bound {
    match bound {
        game::Bound::Exact => wire::Bound::Exact,
        game::Bound::Lower => wire::Bound::Lower,
        game::Bound::Upper => wire::Bound::Upper,
    }
}

fn texts(moves: &[impl ToString]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

pub(crate) fn report(report: &Report) -> wire::Report {
    wire::Report {
        side: side(report.side()),
        score: report.score.hundredths(),
        black: report.score_for(Side::Black).hundredths(),
        bound: bound(report.bound),
        depth: report.depth,
        solved: report.solved,
        confidence_percent: report
            .certainty_permille
            .map_or(100.0, |permille| f32::from(permille) / 10.0),
        nodes: report.nodes,
        time_ms: report.time_ms,
        lines: report.lines.iter().filter_map(line).collect(),
        label: report.reach().to_string(),
    }
}

fn line(line: &game::Line) -> Option<wire::Line> {
    let first = *line.moves.first()?;
    Some(wire::Line {
        action: first.to_string(),
        square: square_of(first),
        score: line.score.hundredths(),
        bound: bound(line.bound),
        moves: texts(&line.moves),
    })
}

pub(crate) fn analysis_state(state: &desk::AnalysisState) -> wire::AnalysisState {
    wire::AnalysisState {
        session: state.session.clone(),
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
        report: state.report.as_ref().map(report),
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
        flips: step.flips.clone(),
        position: position_view(&step.position),
    };
    wire::Preview {
        node,
        steps: steps.iter().map(step).collect(),
    }
}

fn candidate(candidate: &explain::Candidate) -> wire::Candidate {
    wire::Candidate {
        action: candidate.square.to_string(),
        square: square_of(Move::from(candidate.square)),
        score: candidate.score.hundredths(),
        line: texts(&candidate.moves),
    }
}

fn mistakes(judgement: &explain::Judgement) -> Vec<wire::Mistake> {
    let mistakes = judgement.mistakes.iter();
    mistakes
        .map(|mistake| wire::Mistake {
            kind: camel(mistake.class.name()),
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

/// `X-square poison` as `xSquarePoison`.
fn camel(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let mut text = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        let first = letters.next().into_iter();
        if text.is_empty() {
            text.extend(first.flat_map(char::to_lowercase));
        } else {
            text.extend(first.flat_map(char::to_uppercase));
        }
        text.extend(letters.flat_map(char::to_lowercase));
    }
    text
}

pub(crate) fn explanation(
    node: u32,
    explanation: &explain::Explanation,
    judgement: Option<&explain::Judgement>,
) -> wire::Explanation {
    let best = &explanation.best;
    let other = explanation.other.as_ref();
    let asked = explanation.played.filter(|&square| square != best.square);
    let loss = explanation.loss().max(Score::ZERO);
    let title = match asked {
        Some(square) => format!("Why not {square}?"),
        None => format!("Why {}?", best.square),
    };
    let summary = explanation.without_reason().unwrap_or_else(|| match other {
        Some(other) if loss > Score::ZERO => format!(
            "{} is {} better than {} ({}).",
            best.square,
            loss.amount_of_discs(),
            other.square,
            best.reach()
        ),
        Some(other) => format!(
            "{} is as good as {} ({}).",
            best.square,
            other.square,
            best.reach()
        ),
        None => format!("{} is the only move.", best.square),
    });
    let reason = |reason: &explain::Reason| wire::Reason {
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
    };
    wire::Explanation {
        node,
        side: side(explanation.position.side),
        comparison: wire::Comparison {
            best: candidate(best),
            given: other.map(candidate),
            loss: loss.hundredths(),
        },
        asked: explanation.played.map(|square| square.to_string()),
        title,
        summary,
        reasons: explanation.reasons.iter().map(reason).collect(),
        mistakes: judgement.map_or_else(Vec::new, mistakes),
        label: best.reach().to_string(),
        depth: best.depth,
        solved: best.solved,
    }
}

pub(crate) fn counterfactual(
    node: u32,
    before: &Position,
    counterfactual: &explain::Counterfactual,
) -> Option<wire::Counterfactual> {
    let asked = &counterfactual.asked;
    let best = &counterfactual.best;
    let is_best = asked.candidate.square == best.candidate.square;
    let legal = legal_moves(before);
    let given = Move::from(asked.candidate.square);
    let given = legal.iter().find(|it| it.action == given)?;
    let loss = (-counterfactual.score).max(Score::ZERO);
    let text = if is_best {
        format!("{} is the best move.", asked.candidate.square)
    } else if loss == Score::ZERO {
        format!(
            "{} is as good as {}.",
            asked.candidate.square, best.candidate.square
        )
    } else {
        format!(
            "{} gives away {} compared with {}.",
            asked.candidate.square,
            loss.amount_of_discs(),
            best.candidate.square
        )
    };
    Some(wire::Counterfactual {
        node,
        given: legal_move(given),
        comparison: wire::Comparison {
            best: candidate(&best.candidate),
            given: (!is_best).then(|| candidate(&asked.candidate)),
            loss: loss.hundredths(),
        },
        features: features(before.side(), counterfactual),
        text,
        label: best.candidate.reach().to_string(),
    })
}

/// What players count after both branches, for the mover and for the other side.
fn features(mover: Side, counterfactual: &explain::Counterfactual) -> Vec<wire::FeatureChange> {
    let after = |position| explain::Features::of(position);
    let (best, given) = (
        after(counterfactual.best.position),
        after(counterfactual.asked.position),
    );
    let mut changes = Vec::new();
    for (of, whose) in [(mover, "Your"), (mover.other(), "Their")] {
        let (best, given) = (best.side(of), given.side(of));
        let mut add = |key: &str, name: &str, best: u32, given: u32| {
            changes.push(wire::FeatureChange {
                key: key.to_owned(),
                name: format!("{whose} {name}"),
                side: side(of),
                best: best as i32,
                given: given as i32,
            });
        };
        add("mobility", "moves", best.mobility, given.mobility);
        add(
            "potentialMobility",
            "potential moves",
            best.potential_mobility,
            given.potential_mobility,
        );
        add("frontier", "frontier discs", best.frontier, given.frontier);
        add("stable", "stable discs", best.stable, given.stable);
        add("corners", "corners", best.corners, given.corners);
        add("discs", "discs", best.discs, given.discs);
        add("parity", "odd regions", best.parity, given.parity);
        add("risk", "risk beside corners", best.x_c_risk, given.x_c_risk);
    }
    // What changes comes first; what does not is still there.
    changes.sort_by_key(|change| std::cmp::Reverse((change.best - change.given).abs()));
    changes
}

pub(crate) fn overlays(
    node: u32,
    position: &Position,
    overlays: &explain::Overlays,
) -> wire::Overlays {
    let square = |square: &dyn Fn() -> usize| square() as u8;
    let board = position.to_string();
    let colour = |index: u8| match board.as_bytes().get(usize::from(index)) {
        Some(b'X') => 1,
        Some(b'O') => -1,
        _ => 0,
    };
    wire::Overlays {
        node,
        is_approximate: overlays.approximate,
        mobility: overlays
            .mobility
            .iter()
            .map(|heat| wire::Heat {
                square: square(&|| heat.square.index()),
                intensity: heat.intensity as f32,
                count: heat.mobility as i32,
            })
            .collect(),
        parity: overlays
            .parity
            .iter()
            .map(|region| wire::ParityRegion {
                squares: squares(region.squares.into_iter().map(|it| it.index() as u8)),
                is_odd: region.odd,
                controller: Some(side(region.controller)),
                must_move_soon: squares(
                    region.must_move_soon.into_iter().map(|it| it.index() as u8),
                ),
            })
            .collect(),
        stability: overlays
            .stability
            .iter()
            .map(|heat| {
                let index = heat.square.index() as u8;
                wire::Heat {
                    square: index,
                    intensity: heat.permanence as f32,
                    count: colour(index),
                }
            })
            .collect(),
        corners: overlays
            .corners
            .iter()
            .map(|arrow| wire::CornerArrow {
                from: arrow.from.index() as u8,
                corner: arrow.corner.index() as u8,
                side: side(arrow.side),
                kind: match arrow.tension {
                    Tension::Opens => wire::CornerArrowKind::Opens,
                    Tension::Closes => wire::CornerArrowKind::Closes,
                },
            })
            .collect(),
        frontier: app::session::frontier(position)
            .into_iter()
            .map(|(square, count)| wire::Heat {
                square,
                intensity: f32::from(count) / 8.0,
                count: i32::from(count),
            })
            .collect(),
    }
}

pub(crate) fn review(review: &desk::Review) -> wire::Review {
    let moves: Vec<wire::ReviewedMove> = review.moves.iter().map(reviewed_move).collect();
    wire::Review {
        session: review.session.clone(),
        is_complete: review.is_complete,
        mistakes: review
            .moves
            .iter()
            .filter(|it| it.judgement.severity().glyph().is_some())
            .map(|it| it.node.index())
            .collect(),
        moves,
    }
}

fn reviewed_move(reviewed: &desk::ReviewedMove) -> wire::ReviewedMove {
    let judgement = &reviewed.judgement;
    wire::ReviewedMove {
        node: reviewed.node.index(),
        side: side(reviewed.side),
        action: reviewed.action.to_string(),
        best: judgement.best.square.to_string(),
        loss: judgement.loss.hundredths(),
        chance_loss: Some(judgement.lost_chances() as f32),
        glyph: judgement.severity().glyph().and_then(glyph),
        mistakes: mistakes(judgement),
        report: report(&reviewed.report()),
    }
}

pub(crate) fn job(job: &desk::Job) -> wire::Job {
    wire::Job {
        id: job.id,
        kind: match job.kind {
            desk::JobKind::Review => wire::JobKind::Review,
        },
        session: job.session.clone(),
        state: match job.state {
            desk::JobState::Waiting => wire::JobState::Waiting,
            desk::JobState::Running => wire::JobState::Running,
            desk::JobState::Finished => wire::JobState::Finished,
            desk::JobState::Cancelled => wire::JobState::Cancelled,
            desk::JobState::Failed => wire::JobState::Failed,
        },
        done: job.done as u32,
        total: job.total as u32,
        message: job.message.clone(),
    }
}

pub(crate) fn event(event: desk::Event) -> wire::ServerEvent {
    use wire::ServerEvent;
    match event {
        desk::Event::Session(snapshot) => ServerEvent::Session(Box::new(session_view(&snapshot))),
        desk::Event::Current(session) => ServerEvent::Current { session },
        desk::Event::Analysis(state) => ServerEvent::Analysis(analysis_state(&state)),
        desk::Event::Thinking(thinking) => ServerEvent::Thinking(wire::Thinking {
            session: thinking.session,
            node: thinking.node.index(),
            state: match thinking.state {
                desk::ThinkingState::Running => wire::ThinkingState::Running,
                desk::ThinkingState::Finished => wire::ThinkingState::Finished,
                desk::ThinkingState::Stopped => wire::ThinkingState::Stopped,
                desk::ThinkingState::Failed => wire::ThinkingState::Failed,
            },
            level: thinking.level.name.to_owned(),
            report: thinking.report.as_ref().map(report),
        }),
        desk::Event::Clock {
            session,
            clock: told,
            now_ms,
        } => ServerEvent::Clock {
            session,
            clock: clock(&told, now_ms),
        },
        desk::Event::Job(told) => ServerEvent::Job(job(&told)),
        desk::Event::Review(told) => ServerEvent::Review(review(&told)),
        desk::Event::Settings(told) => ServerEvent::Settings(settings(&told)),
        desk::Event::Notice(level, message) => ServerEvent::Notice(wire::Notice {
            level: match level {
                desk::NoticeLevel::Info => wire::NoticeLevel::Info,
                desk::NoticeLevel::Warning => wire::NoticeLevel::Warning,
                desk::NoticeLevel::Error => wire::NoticeLevel::Error,
            },
            message,
        }),
    }
}

const THEMES: [(wire::Theme, config::Theme); 4] = [
    (wire::Theme::System, config::Theme::System),
    (wire::Theme::Dark, config::Theme::Dark),
    (wire::Theme::Light, config::Theme::Light),
    (wire::Theme::HighContrast, config::Theme::HighContrast),
];

const OVERLAYS: [(wire::OverlayName, config::OverlayName); 5] = [
    (wire::OverlayName::Mobility, config::OverlayName::Mobility),
    (wire::OverlayName::Parity, config::OverlayName::Parity),
    (wire::OverlayName::Stability, config::OverlayName::Stability),
    (wire::OverlayName::Corners, config::OverlayName::Corners),
    (wire::OverlayName::Frontier, config::OverlayName::Frontier),
];

/// The wire's name of a value; the tables have all of them.
fn shown<W: Copy, D: PartialEq>(value: &D, table: &[(W, D)]) -> Option<W> {
    table
        .iter()
        .find(|(_, known)| known == value)
        .map(|it| it.0)
}

fn meant<W: PartialEq, D: Copy>(value: &W, table: &[(W, D)]) -> Option<D> {
    table
        .iter()
        .find(|(known, _)| known == value)
        .map(|it| it.1)
}

pub(crate) fn settings(view: &desk::SettingsView) -> wire::Settings {
    let Config {
        ui, engine, play, ..
    } = &view.config;
    wire::Settings {
        ui: wire::UiSettings {
            theme: shown(&ui.theme, &THEMES).unwrap_or(wire::Theme::System),
            reduced_motion: ui.reduced_motion,
            overlays: ui
                .overlays
                .iter()
                .filter_map(|it| shown(it, &OVERLAYS))
                .collect(),
            keys: ui.keys.clone(),
        },
        engine: wire::EngineSettings {
            tt_mb: engine.tt_mb,
            threads: engine.threads,
            endgame_exact_empties: engine.endgame_exact_empties,
        },
        play: wire::PlaySettings {
            level: play.level.name.to_owned(),
            people: people(play.people),
            time_control: ((play.initial_ms, play.increment_ms) != (0, 0)).then_some(
                wire::TimeControlWish {
                    initial_ms: play.initial_ms,
                    increment_ms: play.increment_ms,
                },
            ),
            show_values: play.show_values,
            blunder_alert: play.blunder_alert,
        },
        is_first_launch: !ui.welcomed,
        warnings: view.warnings.clone(),
    }
}

/// Puts the wished changes into a configuration.
pub(crate) fn apply(change: wire::SettingsChange, config: &mut Config) -> Result<(), DeskError> {
    if let Some(ui) = change.ui {
        if let Some(theme) = ui.theme.and_then(|theme| meant(&theme, &THEMES)) {
            config.ui.theme = theme;
        }
        if let Some(reduced_motion) = ui.reduced_motion {
            config.ui.reduced_motion = reduced_motion;
        }
        if let Some(overlays) = ui.overlays {
            let overlays = overlays.iter().filter_map(|it| meant(it, &OVERLAYS));
            config.ui.overlays = overlays.collect();
        }
        if let Some(keys) = ui.keys {
            config.ui.keys = keys;
        }
    }
    if let Some(engine) = change.engine {
        if let Some(tt_mb) = engine.tt_mb {
            config.engine.tt_mb = tt_mb;
        }
        if let Some(threads) = engine.threads {
            config.engine.threads = threads;
        }
        if let Some(empties) = engine.endgame_exact_empties {
            config.engine.endgame_exact_empties = empties;
        }
    }
    if let Some(play) = change.play {
        if let Some(level) = play.level {
            config.play.level = level.parse::<Profile>()?;
        }
        if let Some(people) = play.people {
            config.play.people = people_of(people);
        }
        if let Some(clock) = play.time_control {
            (config.play.initial_ms, config.play.increment_ms) =
                (clock.initial_ms, clock.increment_ms);
        }
        if let Some(show_values) = play.show_values {
            config.play.show_values = show_values;
        }
        if let Some(blunder_alert) = play.blunder_alert {
            config.play.blunder_alert = blunder_alert;
        }
    }
    if let Some(welcomed) = change.welcomed {
        config.ui.welcomed = welcomed;
    }
    Ok(())
}

fn level_title(profile: &Profile) -> String {
    match profile.name {
        "max" => "full strength".to_owned(),
        name => name.replace("elo_", "level "),
    }
}

pub(crate) fn level(profile: &Profile, default: &Profile) -> wire::Level {
    let depth = profile.depth.unwrap_or(0);
    let errs = if profile.blunder_probability > 0.0 {
        let percent = 100.0 * profile.blunder_probability;
        format!(", and blunders in {percent} of 100 moves where it can")
    } else {
        ", and never errs on purpose".to_owned()
    };
    let seconds = profile.time_ms as f64 / 1000.0;
    wire::Level {
        name: profile.name.to_owned(),
        title: level_title(profile),
        description: format!("Looks {depth} moves ahead, takes at most {seconds} s{errs}."),
        depth: profile.depth,
        time_ms: profile.time_ms,
        is_default: profile.name == default.name,
    }
}

pub(crate) fn import(import: &desk::Import) -> wire::ImportResult {
    /// What a list can show.
    const MOST: usize = 1_000;
    wire::ImportResult {
        id: import.id.clone(),
        format: import.format.to_owned(),
        total: import.n_games() as u32,
        games: import
            .games(MOST)
            .enumerate()
            .map(|(i, game)| {
                let [black, white] = game.players;
                wire::ImportedGame {
                    game: i as u32,
                    title: game.title,
                    black,
                    white,
                    event: game.event,
                    date: game.date,
                    result: game.discs.map(|(black, white)| format!("{black}–{white}")),
                    plies: game.plies as u32,
                }
            })
            .collect(),
        n_problems: import.n_problems as u32,
        problems: import
            .problems
            .iter()
            .map(|problem| wire::ImportProblem {
                record: problem.record,
                line: problem.line,
                column: problem.column,
                byte: problem.byte,
                message: problem.message.clone(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_keys() {
        assert_eq!(camel("X-square poison"), "xSquarePoison");
        assert_eq!(camel("mobility leak"), "mobilityLeak");
    }
}
