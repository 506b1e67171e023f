//! `kibitz perft --game chess`: what the rules of chess are counted from.

use super::Branch;
use anyhow::Context as _;
use game::{ChessPosition, Position};

/// A FEN; nothing and `startpos` are the usual start.
pub(super) fn position(text: &str) -> anyhow::Result<ChessPosition> {
    match text.trim() {
        "" | "startpos" => Ok(ChessPosition::START),
        fen => fen.parse().context("--position"),
    }
}

/// The count behind each first move.
pub(super) fn branches(position: &ChessPosition, depth: u32) -> Vec<Branch> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let position = Position::Chess(position.clone());
    let behind = |action| {
        let next = position.play(action).ok()?;
        Some(Branch {
            r#move: position.uci(action),
            nodes: next.chess()?.perft(below),
        })
    };
    let moves = position.legal_moves();
    moves.into_iter().filter_map(behind).collect()
}
