//! Who plays: which sides a person has, and how both players are called.

use super::{Mode, Session};
use crate::level_title;
use game::{Side, Tags};

/// Which sides a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum People {
    /// Black; the engine has White.
    Black,
    /// White; the engine has Black.
    White,
    Both,
    /// The engine plays against itself.
    Nobody,
}

impl People {
    /// As configurations, files and flags write them.
    pub const NAMES: [(&str, Self); 4] = [
        ("black", Self::Black),
        ("white", Self::White),
        ("both", Self::Both),
        ("none", Self::Nobody),
    ];

    /// Whether a person plays this side.
    pub fn play(self, side: Side) -> bool {
        match self {
            Self::Black => side == Side::Black,
            Self::White => side == Side::White,
            Self::Both => true,
            Self::Nobody => false,
        }
    }
}

/// What kind of player has a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    /// A person at this computer.
    Human,
    /// One of our levels, or a foreign engine.
    Engine,
    /// A name from a recorded game.
    Recorded,
}

/// A player as the user reads of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerName {
    pub kind: PlayerKind,
    pub name: String,
}

impl Session {
    /// Whether a person moves for a side.
    pub fn is_persons(&self, side: Side) -> bool {
        self.mode() == Mode::Analyse || self.people().play(side)
    }

    /// How the engine is called that plays: the foreign one, or the level.
    fn engine_title(&self) -> String {
        let foreign = self.opponent().map(|it| it.name.clone());
        foreign.unwrap_or_else(|| level_title(self.level()))
    }

    /// Who has a side, or had it when the game was played that is reviewed now.
    pub fn player(&self, side: Side) -> PlayerName {
        let recorded = self.record().tags.get(tag_of(side));
        player_of(side, recorded, self.people(), || self.engine_title())
    }
}

/// The tag that has the name of a side's player.
pub(super) const fn tag_of(side: Side) -> &'static str {
    match side {
        Side::Black => Tags::BLACK,
        Side::White => Tags::WHITE,
    }
}

/// Who has a side. A recorded game knows its players by name.
pub(super) fn player_of(
    side: Side,
    recorded: Option<&str>,
    people: People,
    engine: impl FnOnce() -> String,
) -> PlayerName {
    let (kind, name) = match recorded {
        Some(name) => (PlayerKind::Recorded, name.to_owned()),
        None if !people.play(side) => (PlayerKind::Engine, engine()),
        None if people.play(side.other()) => (PlayerKind::Human, side.to_string()),
        None => (PlayerKind::Human, "You".to_owned()),
    };
    PlayerName { kind, name }
}
