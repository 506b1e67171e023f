//! Which games say something about the person who played them.

use super::{Mode, People, Session};
use crate::{Profile, config::EngineName};
use game::{Outcome, Position, Side};

impl Session {
    /// The level and the person's points from 0 to 1, if this was a whole game of a person against
    /// a level's own search, from the start and without a move taken back.
    pub fn rated_result(&self) -> Option<(Profile, f64)> {
        let side = match self.people {
            People::Black => Side::Black,
            People::White => Side::White,
            People::Both | People::Nobody => return None,
        };
        let record = self.record();
        let is_plain = self.mode == Mode::Play
            && self.manner.engine != Some(EngineName::Mcts)
            && *record.start() == Position::OTHELLO_START
            && record.n_nodes() == 1 + record.main_line().count();
        let end = record.main_end();
        let outcome = match self.walk.lost {
            Some(lost) if lost.node == end => Some(Outcome::lost_by(lost.side, lost.by)),
            _ => record.outcome_at(end),
        };
        outcome
            .filter(|_| is_plain)
            .map(|outcome| (self.level, outcome.points_for(side)))
    }
}
