//! How a level plays in one game, where the user has chosen it.

use crate::{Pace, Remaining, config::EngineName};

/// What the user has chosen for the engine of a game beside its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Manner {
    /// What searches; as configured if left out.
    pub engine: Option<EngineName>,
    /// How long it may think about a move; the level's own time if left out. It puts no clock on
    /// the person.
    pub move_ms: Option<u64>,
}

impl Manner {
    /// Times for a move that make sense: a tenth of a second to ten minutes.
    pub const MOVE_MS: std::ops::RangeInclusive<u64> = 100..=600_000;

    /// How long its moves take where no clock says otherwise.
    pub fn pace(self) -> Pace {
        let each = |ms| Pace::Clock(Remaining::PerMove { ms });
        self.move_ms.map_or(Pace::Own, each)
    }
}
