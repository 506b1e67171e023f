//! The explorer: what games did in a position, what engines found there, what the book says.

use super::{
    GameKind, GameRow, LegalMove, PositionView, game_kind, legal_move, library::stored_row,
    position_view, side,
};
use crate::wire;
use app::{
    desk,
    library::{Analysis, Continuation, Explorer, OwnResults},
    session::{legal_moves, square_of},
};
use game::{Move, Position, Reach, Score, Source};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Results of the user's own games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OwnTally {
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

/// What an engine found, for the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveValue {
    /// Hundredths of a disc, or of a pawn.
    pub score: i32,
    /// Moves to a mate, negative for the side that is mated; `null` if none is known.
    pub mate: Option<i32>,
    /// `d24`, or that it is solved, in words.
    pub reach: String,
    pub source: String,
}

/// A move of a position that was played, is in the book, or was valued: how the games ended, and
/// what is known about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExploredMove {
    /// As players write it; `null` where games ended.
    #[serde(rename = "move")]
    pub action: Option<String>,
    /// Where it was played, in Othello.
    pub square: Option<u8>,
    /// As it is sent to the server; `null` where games ended.
    pub wire: Option<String>,
    pub games: u64,
    /// Of all games, from 0 to 1.
    pub share: f64,
    pub black: u64,
    pub draws: u64,
    pub white: u64,
    /// What an engine found, if anything is known.
    pub value: Option<MoveValue>,
    /// Its share of the book's weights, from 0 to 1; `null` if the book does not have it.
    pub book: Option<f64>,
    pub own: OwnTally,
    /// A sentence about a move that is often played and bad.
    pub warning: Option<String>,
}

/// What an engine found about a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExploredAnalysis {
    /// For the side to move.
    pub value: MoveValue,
    /// Its line, as players write moves.
    pub line: Vec<String>,
}

/// The opening book of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExploredBook {
    /// What it is called; `null` if there is none.
    pub name: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// Where games are, if a position has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WayBack {
    /// So many moves back …
    pub moves: u32,
    /// … there are so many games.
    pub games: u64,
}

/// What games did in a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExploredPosition {
    pub kind: GameKind,
    /// The position as text: a board and the side to move, or a FEN. After the pass that is due.
    pub text: String,
    /// The same to draw; `null` for a game that the page has no board for.
    pub position: Option<PositionView>,
    pub side: super::Side,
    pub legal: Vec<LegalMove>,
    /// The moves that lead here, as players write them.
    pub path: Vec<String>,
    /// Where the last of them was played, in Othello.
    pub last: Option<u8>,
    /// The opening that this is, or comes from.
    pub opening: Option<String>,
    pub games: u64,
    pub black: u64,
    pub draws: u64,
    pub white: u64,
    /// The most frequent first.
    pub moves: Vec<ExploredMove>,
    pub newest: Vec<GameRow>,
    /// What engines found about the position itself, each engine once.
    pub analyses: Vec<ExploredAnalysis>,
    /// The book that speaks about the game's openings.
    pub book: ExploredBook,
    /// Of the best players, as far as ratings are known.
    pub strongest: Vec<GameRow>,
    /// `null` unless the user has said under which names he or she plays.
    pub own: Option<OwnTally>,
    /// Markdown of the user; empty if there is none.
    pub note: String,
    pub back: Option<WayBack>,
    /// How long it took, in microseconds.
    pub took_us: u64,
}

const fn own(own: OwnResults) -> wire::OwnTally {
    let OwnResults {
        games,
        won,
        drawn,
        lost,
    } = own;
    wire::OwnTally {
        games,
        won,
        drawn,
        lost,
    }
}

pub(crate) fn explored(
    explorer: &Explorer,
    book: &desk::BookMoves,
    took_us: u64,
) -> wire::ExploredPosition {
    let Explorer {
        position, explored, ..
    } = explorer;
    let all = &explored.all;
    let known = explored.moves.iter().zip(&explorer.warnings);
    let mut moves: Vec<wire::ExploredMove> = known
        .map(|(it, warning)| explored_move(it, warning.as_ref(), position, book, all.games))
        .collect();
    let is_listed = |action: Move| explored.moves.iter().any(|it| it.action == Some(action));
    let unplayed = book.moves.iter().filter(|(action, _)| !is_listed(*action));
    moves.extend(unplayed.map(|(action, _)| unplayed_move(*action, position, book)));
    wire::ExploredPosition {
        kind: game_kind(position.kind()),
        text: position.to_string(),
        position: position.othello().map(|_| position_view(position)),
        side: side(position.side()),
        legal: legal_moves(position).iter().map(legal_move).collect(),
        path: explorer.path.clone(),
        last: explorer.last.and_then(square_of),
        opening: explorer.opening.clone(),
        games: all.games,
        black: all.black,
        draws: all.draws,
        white: all.white,
        moves,
        analyses: analyses(&explored.analyses, position),
        book: wire::ExploredBook {
            name: (!book.book.is_empty()).then(|| book.book.clone()),
            problem: book.problem.clone(),
        },
        newest: explored.newest.iter().map(stored_row).collect(),
        strongest: explored.strongest.iter().map(stored_row).collect(),
        own: explored.own.map(own),
        note: explorer.note.clone().unwrap_or_default(),
        back: explorer.back.map(|(moves, games)| wire::WayBack {
            moves: moves as u32,
            games,
        }),
        took_us,
    }
}

fn explored_move(
    it: &Continuation,
    warning: Option<&String>,
    position: &Position,
    book: &desk::BookMoves,
    n_games: u64,
) -> wire::ExploredMove {
    wire::ExploredMove {
        action: it.action.map(|action| position.san(action)),
        square: it.action.and_then(square_of),
        wire: it.action.map(|action| position.uci(action)),
        games: it.games,
        share: it.games as f64 / n_games.max(1) as f64,
        black: it.black,
        draws: it.draws,
        white: it.white,
        value: it
            .value
            .as_ref()
            .map(|value| move_value(value.score, value.reach, &value.source)),
        book: it.action.and_then(|action| book_share(action, book)),
        own: own(it.own),
        warning: warning.cloned(),
    }
}

/// A move that only the book has.
fn unplayed_move(action: Move, position: &Position, book: &desk::BookMoves) -> wire::ExploredMove {
    wire::ExploredMove {
        action: Some(position.san(action)),
        square: square_of(action),
        wire: Some(position.uci(action)),
        games: 0,
        share: 0.0,
        black: 0,
        draws: 0,
        white: 0,
        value: None,
        book: book_share(action, book),
        own: own(OwnResults::default()),
        warning: None,
    }
}

fn book_share(action: Move, book: &desk::BookMoves) -> Option<f64> {
    let all: u64 = book.moves.iter().map(|it| u64::from(it.1)).sum();
    let (_, weight) = book.moves.iter().find(|it| it.0 == action)?;
    Some(f64::from(*weight) / all.max(1) as f64)
}

fn move_value(score: Score, reach: Reach, source: &Source) -> wire::MoveValue {
    wire::MoveValue {
        score: score.hundredths(),
        mate: score.mate(),
        reach: reach.to_string(),
        source: source.to_string(),
    }
}

/// The deepest word of each engine.
fn analyses(found: &[Analysis], position: &Position) -> Vec<wire::ExploredAnalysis> {
    let mut told: Vec<wire::ExploredAnalysis> = Vec::new();
    for it in found {
        let value = move_value(it.score, it.reach, &it.source);
        // The deepest stand first.
        if told.iter().any(|known| known.value.source == value.source) {
            continue;
        }
        // Another image of the board has other coordinates.
        let is_same = it.position == position.to_string();
        let mut at = position.clone();
        let mut line = Vec::new();
        for word in it.line.split(' ').filter(|_| is_same) {
            let Ok(action) = at.parse_move(word) else {
                break;
            };
            let Ok(after) = at.play(action) else { break };
            line.push(at.san(action));
            at = after;
        }
        told.push(wire::ExploredAnalysis { value, line });
    }
    told
}
