//! What is on a board of either game, and what may be done there.

use super::{Side, side};
use crate::wire;
use app::session;
use game::Position;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is on a board; `kind` says of which game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PositionView {
    Othello(OthelloPosition),
    Chess(ChessBoard),
}

/// Which game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum GameKind {
    Othello,
    Chess,
}

/// Men and whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChessBoard {
    /// The whole position, for copying.
    pub fen: String,
    /// 64 characters, capitals white, `-` empty, a1 b1 … h1 a2 … h8.
    pub board: String,
    /// Whose turn it is; `null` when the game is over.
    pub turn: Option<Side>,
    /// The king that is in check.
    pub check: Option<u8>,
    /// Whether castling follows the rules of Chess960.
    pub is_chess960: bool,
}

/// Discs and whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OthelloPosition {
    /// 64 characters, `X` black, `O` white, `-` empty, a1 b1 … h1 a2 … h8.
    pub board: String,
    /// Whose turn it is; `null` when the game is over.
    pub turn: Option<Side>,
    pub black: u32,
    pub white: u32,
    pub empties: u32,
}

/// A move that the side to move may make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    /// Such as `f5`, or `g1f3`.
    #[serde(rename = "move")]
    pub action: String,
    /// As players write it: `f5`, `Nf3`.
    pub text: String,
    /// Where a disc is put or a man ends, 0 to 63.
    pub square: u8,
    /// The discs that it turns.
    pub flips: Vec<u8>,
    /// What only moves of chess have.
    pub chess: Option<ChessStep>,
}

/// What only moves of chess have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChessStep {
    /// Where the man stands.
    pub from: u8,
    /// What a pawn becomes: `q`, `r`, `b` or `n`.
    pub promotion: Option<String>,
    /// The rook of castling, another square that means the move.
    pub rook: Option<u8>,
}

pub(crate) fn position_view(position: &Position) -> wire::PositionView {
    match position {
        Position::Othello(_) => wire::PositionView::Othello(othello_position(position)),
        Position::Chess(chess) => wire::PositionView::Chess(chess_board(position, chess)),
    }
}

pub(crate) const fn game_kind(kind: game::Kind) -> wire::GameKind {
    match kind {
        game::Kind::Othello => wire::GameKind::Othello,
        game::Kind::Chess => wire::GameKind::Chess,
    }
}

pub(crate) const fn game_kind_of(kind: wire::GameKind) -> game::Kind {
    match kind {
        wire::GameKind::Othello => game::Kind::Othello,
        wire::GameKind::Chess => game::Kind::Chess,
    }
}

fn chess_board(position: &Position, chess: &game::ChessPosition) -> wire::ChessBoard {
    let mut board = ['-'; 64];
    for man in chess.men() {
        let letter = man.role.letter();
        let is_white = man.side == game::Side::White;
        board[usize::from(man.square & 63)] = if is_white {
            letter.to_ascii_uppercase()
        } else {
            letter
        };
    }
    wire::ChessBoard {
        fen: chess.to_string(),
        board: board.iter().collect(),
        turn: (!position.is_over()).then(|| side(position.side())),
        check: chess.check(),
        is_chess960: chess.is_chess960(),
    }
}

pub(super) fn othello_position(position: &Position) -> wire::OthelloPosition {
    let text = position.to_string();
    let board: String = text.chars().take(64).collect();
    let count = |disc: char| board.chars().filter(|&c| c == disc).count() as u32;
    wire::OthelloPosition {
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
        text: legal.text.clone(),
        square: legal.square,
        flips: legal.flips.clone(),
        chess: legal.chess.map(|step| wire::ChessStep {
            from: step.from,
            promotion: step.promotion.map(|it| it.letter().to_string()),
            rook: step.rook,
        }),
    }
}
