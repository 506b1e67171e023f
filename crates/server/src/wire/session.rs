//! A game as the browser draws it.

use super::{
    EngineName, GameKind, LegalMove, Players, PositionView, analysis_state,
    board::othello_position, engine_name, game_kind, glyph, legal_move, mode, people,
    players::players, position_view, side,
};
use crate::wire;
use app::{
    desk,
    session::{self, Session, discs_of, legal_moves, square_of},
};
use game::{NodeId, Position, Tags, Termination};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The colour of a player or of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    /// Moves first in the usual start position.
    Black,
    White,
}

/// Which sides a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum People {
    /// Black; the engine has White.
    Black,
    /// White; the engine has Black.
    White,
    Both,
    /// The engine plays against itself.
    Nobody,
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// A game against a level; values are hidden until asked for.
    Play,
    /// A board to try things on; values are shown.
    Analyse,
}

/// A draw that a player of chess may claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum DrawClaim {
    /// The position stands on the board for the third time.
    Repetition,
    /// 50 moves of each side without a capture or a pawn's move.
    FiftyMoves,
}

impl DrawClaim {
    const fn of(claim: game::Claim) -> Self {
        match claim {
            game::Claim::Repetition => Self::Repetition,
            game::Claim::FiftyMoves => Self::FiftyMoves,
        }
    }
}

/// Who is expected to do something at the current position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Awaiting {
    Human,
    /// The engine's move; see `thinking` for whether it is at work. It is not after going back to
    /// an earlier position: ask for it with `POST …/engine-move`.
    Engine,
    /// Nobody: the game is over.
    Nobody,
}

/// The move that led to a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LastMove {
    /// Such as `f5`, or `ps` for a pass.
    #[serde(rename = "move")]
    pub action: String,
    /// As players write it.
    pub text: String,
    /// Where; `null` for a pass.
    pub square: Option<u8>,
    /// Where a man of chess stood.
    pub from: Option<u8>,
    /// The discs that it turned.
    pub flips: Vec<u8>,
    pub side: Side,
}

/// A comment on a move in one sign, as in books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Glyph {
    #[serde(rename = "!!")]
    Brilliant,
    #[serde(rename = "!")]
    Good,
    #[serde(rename = "!?")]
    Interesting,
    #[serde(rename = "?!")]
    Dubious,
    #[serde(rename = "?")]
    Mistake,
    #[serde(rename = "??")]
    Blunder,
}

/// What is known about the worth of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NodeValue {
    /// For Black, in centidiscs: what a graph of the game shows.
    pub black: i32,
    /// For the side to move, in centidiscs.
    pub score: i32,
    /// Chess: moves to a forced mate, negative if the side to move is mated.
    pub mate: Option<i32>,
    pub depth: u32,
    /// Whether the score is proven.
    pub solved: bool,
    /// What the move that led here gave away, in centidiscs, where both positions were valued; 0
    /// or more.
    pub loss: Option<i32>,
    /// The sign that the move deserves by what it gave away; `null` if it was fine.
    pub glyph: Option<Glyph>,
}

/// A position in the tree of moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its name in this session; never used again for another one.
    pub id: u32,
    /// Where it comes from; `null` for the start position.
    pub parent: Option<u32>,
    /// What follows it; the first is the main continuation, the others are variations.
    pub children: Vec<u32>,
    /// Moves, passes included, from the start.
    pub ply: u32,
    /// The number that a move list shows, in chess that of both sides' moves; passes have none, and
    /// the start has none.
    pub number: Option<u32>,
    /// The move that led here, `ps` for a pass; `null` for the start.
    #[serde(rename = "move")]
    pub action: Option<String>,
    /// The same as players write it: `f5`, `Nf3`.
    pub text: Option<String>,
    pub side: Option<Side>,
    /// Whether the main line goes through it.
    pub is_main: bool,
    /// What somebody wrote about it; may be several lines.
    pub comment: Option<String>,
    pub glyphs: Vec<Glyph>,
    /// Its worth, if known and to be shown.
    pub value: Option<NodeValue>,
    /// How a reader stands with the mistake that was made here; `null` if nothing was tried.
    pub tried: Option<Tried>,
}

/// How a mistake stands with a reader who is asked to find a better move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Tried {
    /// The reader found a better move.
    Found,
    /// The reader had the answer shown.
    Seen,
}

/// The opening that a line of moves belongs to, by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// Such as `Tiger`.
    pub name: String,
    /// The part of the game that has that name: so many moves from the start.
    pub ply: u32,
    /// Whether the game is still in it at the current position.
    pub is_current: bool,
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OutcomeReason {
    /// Neither side can move.
    Rules,
    /// A clock ran out.
    Time,
    /// A side gave up.
    Resignation,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Black's discs, empty squares counted for the winner; 0 in chess.
    pub black: u32,
    pub white: u32,
    /// Who won; `null` is a draw.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: OutcomeReason,
    pub text: String,
}

/// The time left. Between two of these the browser counts down by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Clock {
    /// Milliseconds left for Black at the moment this was made.
    pub black_ms: u64,
    /// Milliseconds left for White.
    pub white_ms: u64,
    /// What each move adds.
    pub increment_ms: u64,
    /// Whose clock runs; `null` while it stands still.
    pub running: Option<Side>,
    /// Whose time has run out.
    pub flagged: Option<Side>,
}

/// What a record says about the game as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameTags {
    pub event: Option<String>,
    /// As the file has it.
    pub date: Option<String>,
    /// Black's final score in centidiscs, as the file has it.
    pub result: Option<i32>,
}

/// A move of a person in Play that gave away a lot. What would have been better is not told: ask
/// `…/explain` for that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Blunder {
    /// The node that the move led to; its parent is where to try again.
    pub node: u32,
    #[serde(rename = "move")]
    pub action: String,
}

/// Everything about a session that a screen shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// The session's name in addresses.
    pub id: String,
    /// Grows with every change. Of two views the one with the greater number is newer: drop a view
    /// whose number is smaller than what is on the screen.
    pub revision: u64,
    /// What the user calls it.
    pub title: Option<String>,
    /// Why its last change is not on disk yet, if it is not: a sentence.
    pub not_saved: Option<String>,
    /// Which game is played.
    pub game: GameKind,
    /// What it is for.
    pub mode: Mode,
    /// Which sides a person plays.
    pub people: People,
    pub level: String,
    /// The foreign engine that plays in the place of the level, by its name on the shelf.
    pub opponent: Option<String>,
    /// What searches for the level.
    pub engine: EngineName,
    /// How long the engine may think about a move, in milliseconds; `null` is the level's own time.
    pub move_ms: Option<u64>,
    /// Whether values may be seen now (in Play they are hidden until asked for).
    pub show_values: bool,
    pub node: u32,
    pub position: PositionView,
    /// What may be played there by whoever is to move; empty if a pass is due or the game is over.
    pub legal: Vec<LegalMove>,
    /// Whether the side to move has to pass: play `ps`. Passes of a game against a level are made
    /// by the server.
    pub must_pass: bool,
    /// The move that led there.
    pub last_move: Option<LastMove>,
    /// All positions, parents before children; the first is the start.
    pub tree: Vec<Node>,
    /// The nodes that a move list shows: from the start through the current node to the end of
    /// what was last looked at behind it.
    pub line: Vec<u32>,
    pub opening: Option<Opening>,
    /// Moves of the opening book at the current node, heaviest first; none while values are hidden.
    /// They are marked beside the engine's values, which they do not change.
    pub book: Vec<String>,
    /// A sentence about what is going on, such as "Black to move · 36 empty".
    pub status: String,
    /// How the game ended, if it has at the current node.
    pub outcome: Option<Outcome>,
    /// The clock, if one is used.
    pub clock: Option<Clock>,
    /// Who has to do something.
    pub awaiting: Awaiting,
    /// Whether the engine is choosing its move.
    pub thinking: bool,
    /// Whether `POST …/undo` would do something.
    pub can_undo: bool,
    /// Whether there is a game of a person against an engine to give up.
    pub can_resign: bool,
    /// The draw that the person may claim now, if there is one.
    pub draw_claim: Option<DrawClaim>,
    /// Whether `POST …/redo` would do something.
    pub can_redo: bool,
    pub players: Players,
    pub tags: GameTags,
    /// The last move of a person, if it was a blunder and lies behind the current node.
    pub blunder: Option<Blunder>,
    /// Whether the line shown is a whole game: it ends where the game does, or its record has a
    /// result.
    pub is_finished: bool,
    /// Whether the last move waits with both clocks stopped: it is being looked at, or, if it is
    /// the `blunder`, it waits to be kept (`POST …/keep`) or taken back.
    pub is_held: bool,
    /// Whether the coach may ask about moves that cost much in this game.
    pub asks: bool,
    /// The analyses that run or ran last for the current node, one for each engine.
    pub analyses: Vec<crate::wire::AnalysisState>,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Its name in addresses.
    pub id: String,
    pub revision: u64,
    /// Which game is played.
    pub game: GameKind,
    /// What it is for.
    pub mode: Mode,
    /// Moves on its main line.
    pub plies: u32,
    /// What the user calls it.
    pub title: Option<String>,
    /// The names of Black's and White's players, if it has any.
    pub players: Option<[String; 2]>,
    /// How the game ended, or what is going on in it; for a file that cannot be used, why not.
    pub status: String,
    /// Whether it can be opened; a file of a newer version or a damaged one cannot.
    pub is_usable: bool,
    /// Whether it is what `current` means.
    pub is_current: bool,
}

pub(crate) fn session_view(snapshot: &desk::Snapshot) -> wire::SessionView {
    let session = &snapshot.session;
    let record = session.record();
    let position = session.position();
    let legal = legal_moves(position);
    let legal: Vec<wire::LegalMove> = match session.kind() {
        // What the moves before have ended goes on no more.
        game::Kind::Chess if session.outcome().is_some() => Vec::new(),
        _ => legal.iter().map(legal_move).collect(),
    };
    let shows_values = session.shows_values();
    wire::SessionView {
        id: session.id().to_owned(),
        revision: session.revision(),
        title: session.title().map(str::to_owned),
        not_saved: snapshot.not_saved.clone(),
        game: game_kind(session.kind()),
        opponent: session.opponent().map(|it| it.id.to_string()),
        mode: mode(session.mode()),
        people: people(session.people()),
        level: session.level().name.to_owned(),
        engine: engine_name(snapshot.engine),
        move_ms: session.manner().move_ms,
        show_values: shows_values,
        node: session.cursor().index(),
        must_pass: position.forced().is_some(),
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
        book: if shows_values {
            wire::texts(&snapshot.book)
        } else {
            Vec::new()
        },
        status: session.status(),
        outcome: outcome(session),
        clock: session.clock().map(|it| clock(it, snapshot.now_ms)),
        awaiting: match session.awaiting() {
            session::Awaiting::Human => wire::Awaiting::Human,
            session::Awaiting::Engine => wire::Awaiting::Engine,
            session::Awaiting::Nobody => wire::Awaiting::Nobody,
        },
        thinking: session.thinking().is_some(),
        can_undo: session.can_undo(),
        can_resign: session.can_resign(),
        draw_claim: session.draw_claim().map(DrawClaim::of),
        can_redo: session.can_redo(),
        players: players(session),
        tags: game_tags(record),
        blunder: blunder(session),
        is_finished: session.is_finished(),
        is_held: session.is_held(),
        asks: session.asks(),
        analyses: snapshot
            .analyses
            .iter()
            .filter(|_| shows_values)
            .map(analysis_state)
            .collect(),
    }
}

fn game_tags(record: &game::Record) -> wire::GameTags {
    wire::GameTags {
        event: record.tags.get(Tags::EVENT).map(str::to_owned),
        date: record.tags.get(Tags::DATE).map(str::to_owned),
        result: record.outcome.and_then(|it| it.black_centidiscs),
    }
}

fn last_move(session: &Session) -> Option<wire::LastMove> {
    let node = session.record().node(session.cursor())?;
    let action = node.action()?;
    let before = session.record().position(node.parent()?)?;
    Some(wire::LastMove {
        action: action.to_string(),
        text: before.san(action),
        square: square_of(action),
        from: session::origin_of(action),
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
            // A move of chess is a move of both sides.
            let chess = parent.and_then(|it| record.position(it)?.chess());
            let number = chess.map_or(number, game::ChessPosition::move_number);
            let mover = parent.and_then(|parent| Some(record.position(parent)?.side()));
            let value = session.value(id).filter(|_| shows_values);
            Some(wire::Node {
                id: id.index(),
                parent: parent.map(NodeId::index),
                children: node.children().iter().map(|id| id.index()).collect(),
                ply,
                number: (parent.is_some() && !is_pass).then_some(number),
                action: node.action().map(|action| action.to_string()),
                text: parent.and_then(|it| Some(record.position(it)?.san(node.action()?))),
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
                    mate: value.score.mate(),
                    depth: value.depth,
                    solved: value.solved,
                    loss: session.loss(id).map(|loss| loss.hundredths()),
                    glyph: session
                        .severity(id)
                        .and_then(|it| it.glyph())
                        .and_then(glyph),
                }),
                tried: session.tried(id).map(|tried| match tried {
                    session::Tried::Found => wire::Tried::Found,
                    session::Tried::Seen => wire::Tried::Seen,
                }),
            })
        })
        .collect()
}

fn outcome(session: &Session) -> Option<wire::Outcome> {
    let outcome = session.outcome()?;
    let (black, white) = match (outcome.black_centidiscs, session.position()) {
        (Some(centidiscs), _) => discs_of(centidiscs),
        (None, position @ Position::Othello(_)) => {
            let view = othello_position(position);
            (view.black, view.white)
        }
        (None, Position::Chess(_)) => (0, 0),
    };
    Some(wire::Outcome {
        black,
        white,
        winner: outcome.winner.map(side),
        reason: match outcome.termination {
            Termination::TimeForfeit => wire::OutcomeReason::Time,
            Termination::Resignation => wire::OutcomeReason::Resignation,
            _ => wire::OutcomeReason::Rules,
        },
        text: session.outcome_text().unwrap_or_default(),
    })
}

pub(crate) fn clock(clock: &game::Clock, now_ms: u64) -> wire::Clock {
    let left = |side| clock.remaining_ms(side, now_ms).unwrap_or(0);
    wire::Clock {
        black_ms: left(game::Side::Black),
        white_ms: left(game::Side::White),
        increment_ms: match clock.control(game::Side::Black) {
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
    Some(wire::Blunder {
        node: blunder.node.index(),
        action: node.action()?.to_string(),
    })
}

pub(crate) fn summary(summary: desk::Summary) -> wire::SessionSummary {
    wire::SessionSummary {
        id: summary.id,
        revision: summary.revision,
        game: game_kind(summary.kind),
        mode: mode(summary.mode),
        plies: summary.plies as u32,
        title: summary.title,
        players: summary.players,
        status: summary.status,
        is_usable: summary.is_usable,
        is_current: summary.is_current,
    }
}
