//! Who plays, for the names beside the board.

use crate::wire;
use app::{Session, session};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PlayerKind {
    /// A person at this computer.
    Human,
    /// One of our levels.
    Engine,
    /// A name from a recorded game.
    Recorded,
}

/// The name of a player, and whether a person or the engine moves for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlayerInfo {
    /// Who moves for this side.
    pub kind: PlayerKind,
    /// The name to show.
    pub name: String,
}

/// Who plays Black and who plays White.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Players {
    pub black: PlayerInfo,
    pub white: PlayerInfo,
}

pub(super) fn players(session: &Session) -> wire::Players {
    let player = |side| {
        let session::PlayerName { kind, name } = session.player(side);
        wire::PlayerInfo {
            kind: match kind {
                session::PlayerKind::Human => wire::PlayerKind::Human,
                session::PlayerKind::Engine => wire::PlayerKind::Engine,
                session::PlayerKind::Recorded => wire::PlayerKind::Recorded,
            },
            name,
        }
    };
    wire::Players {
        black: player(game::Side::Black),
        white: player(game::Side::White),
    }
}
