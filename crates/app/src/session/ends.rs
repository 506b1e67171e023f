//! Ends that a player brings about: giving a game up, and claiming a draw.

use super::{Awaiting, Mode, People, Session, SessionError};
use game::{Claim, Side, Termination};

impl Session {
    /// Who lost at the current place before the rules ended the game: on time, or by resigning.
    pub fn lost(&self) -> Option<Side> {
        self.walk.decision_here().and_then(|it| it.loser)
    }

    /// Whether the game ended at the current place before the rules ended it: by time, by resigning or
    /// by a claimed draw.
    pub fn is_decided(&self) -> bool {
        self.walk.decision_here().is_some()
    }

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
        self.decide(Some(side), Termination::Resignation, now_ms);
    }

    /// The draw that a person who is to move may claim here.
    pub fn draw_claim(&self) -> Option<Claim> {
        let is_asked = self.mode == Mode::Play && self.awaiting() == Awaiting::Human;
        let is_end = self.record().children(self.cursor()).is_empty();
        let claim = self.record().claim_at(self.cursor());
        claim.filter(|_| is_asked && is_end)
    }

    /// The person claims the draw that is there.
    pub fn claim_draw(&mut self, now_ms: u64) -> Result<(), SessionError> {
        self.draw_claim().ok_or(SessionError::NothingToClaim)?;
        self.decide(None, Termination::Normal, now_ms);
        Ok(())
    }

    fn decide(&mut self, loser: Option<Side>, by: Termination, now_ms: u64) {
        self.thinking = None;
        self.held = None;
        self.walk.decide(loser, by, now_ms);
        self.note_end();
        self.changed();
    }
}
