//! What may be played at a place, for those who draw the board of either game.

use super::discs;
use game::{Move, Position, Role};

/// A move that may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    pub action: Move,
    /// As players of the game write it: `f5`, `Nf3`.
    pub text: String,
    /// Where a disc is put, or where a man ends, 0 to 63.
    pub square: u8,
    /// Othello: the discs that it turns.
    pub flips: Vec<u8>,
    /// What only moves of chess have.
    pub chess: Option<ChessStep>,
}

/// What only moves of chess have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChessStep {
    /// Where the man stands.
    pub from: u8,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// The rook of castling, another square that means the move.
    pub rook: Option<u8>,
}

/// All moves of a position; none if a pass is due or the game is over by the position alone.
pub fn legal_moves(position: &Position) -> Vec<LegalMove> {
    match position {
        Position::Othello(position) => discs::placements(*position),
        Position::Chess(_) if position.is_over() => Vec::new(),
        Position::Chess(_) => {
            let moves = position.legal_moves();
            moves
                .into_iter()
                .filter_map(|action| step(position, action))
                .collect()
        }
    }
}

fn step(position: &Position, action: Move) -> Option<LegalMove> {
    let chess = action.chess()?;
    Some(LegalMove {
        action,
        text: position.san(action),
        square: chess.to(),
        flips: Vec::new(),
        chess: Some(ChessStep {
            from: chess.from(),
            promotion: chess.promotion(),
            rook: chess.castling_rook(),
        }),
    })
}

/// Where a move puts a disc or a man; `None` for a pass.
pub fn square_of(action: Move) -> Option<u8> {
    match action {
        Move::Othello(action) => action.square().map(|square| square.index() as u8),
        Move::Chess(action) => Some(action.to()),
    }
}

/// Where the man of a move of chess stood.
pub fn origin_of(action: Move) -> Option<u8> {
    action.chess().map(game::ChessMove::from)
}
