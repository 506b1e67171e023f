//! Giving a game up.

use super::{Awaiting, Mode, People, Session, SessionError};
use game::Side;

impl Session {
    /// Whether a person plays against an engine here and the game goes on.
    pub fn can_resign(&self) -> bool {
        self.mode == Mode::Play
            && matches!(self.people, People::Black | People::White)
            && self.awaiting() != Awaiting::Nobody
            && self.record().children(self.cursor()).is_empty()
    }

    /// The person gives the game up that is played here, whoever's turn it is.
    pub fn resign(&mut self, now_ms: u64) -> Result<(), SessionError> {
        let side = match self.people {
            People::White => Side::White,
            _ => Side::Black,
        };
        if !self.can_resign() {
            return Err(SessionError::NothingToResign);
        }
        self.give_up(side, now_ms);
        Ok(())
    }

    /// A side gives the game up.
    pub fn give_up(&mut self, side: Side, now_ms: u64) {
        self.thinking = None;
        self.held = None;
        self.walk.resign(side, now_ms);
        self.note_end();
        self.changed();
    }
}
