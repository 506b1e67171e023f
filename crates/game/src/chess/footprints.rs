//! What a database remembers of a position of chess.

use crate::Footprint;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _, zobrist::Zobrist64};

/// The side to move, the number of men, and six bits of the pawns: a game meets a class a few
/// times at most, and equal positions are of one class.
fn class(position: &Chess) -> u16 {
    let board = position.board();
    let pawns = |color| u64::from(board.pawns() & board.by_color(color));
    // Two odd constants with many bits; the product's upper bits depend on every pawn.
    let mixed = pawns(Color::White).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ pawns(Color::Black)
            .rotate_left(32)
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let men = board.occupied().count() as u16;
    let side = u16::from(position.turn().is_black());
    side << 11 | (men.saturating_sub(1) & 31) << 6 | (mixed >> 58) as u16
}

fn key(position: &Chess) -> u64 {
    let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
    key.0
}

/// The footprint of a position from which no move was made.
pub(crate) fn footprint(position: &Chess) -> Footprint {
    Footprint {
        class: class(position),
        key: key(position),
        next: Footprint::END,
    }
}

/// A position that walks along a game and keeps its key up to date.
pub(crate) struct Steps {
    pub(crate) position: Chess,
    key: u64,
}

impl Steps {
    pub(crate) fn new(position: Chess) -> Self {
        let key = key(&position);
        Self { position, key }
    }

    /// The footprint of where it stands.
    pub(crate) fn footprint(&self, next: u8) -> Footprint {
        Footprint {
            class: class(&self.position),
            key: self.key,
            next,
        }
    }

    /// Makes a legal move.
    pub(crate) fn play(&mut self, action: Move) {
        let updated =
            self.position
                .update_zobrist_hash(Zobrist64(self.key), action, EnPassantMode::Legal);
        self.position.play_unchecked(action);
        self.key = updated.map_or_else(|| key(&self.position), |it| it.0);
    }
}
