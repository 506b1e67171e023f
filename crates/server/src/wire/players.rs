//! Who plays, for the names beside the board.

use crate::wire;
use app::{Session, level_title, session};
use game::Tags;
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
    let player = |of: game::Side, tag: &str| {
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
        black: player(game::Side::Black, Tags::BLACK),
        white: player(game::Side::White, Tags::WHITE),
    }
}
