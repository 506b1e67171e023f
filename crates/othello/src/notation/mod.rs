//! Text and bytes to positions and games, and back.

mod board;

pub use board::{ParsePositionError, board_string};

/// Foreign text as it may stand in an error message: one line, never long.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut short: String = text.chars().take(LIMIT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
