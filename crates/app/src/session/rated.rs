//! How the game ended that was played here, and what that says about the person who played it.

use super::{Mode, People, Session};
use crate::{Profile, config::EngineName};
use game::{NodeId, Outcome, Position, Side};

/// The end of a game that was played to its end. It stays what it is while the game is reviewed:
/// what a reader tries there was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) node: NodeId,
    pub(super) outcome: Outcome,
    /// Whether it was a whole game of a person against a level's own search, from the start and
    /// without a move taken back.
    pub(super) is_plain: bool,
}

/// A person's points from 0 to 1 against a level.
pub(super) fn points_against(
    level: Profile,
    people: People,
    outcome: Outcome,
) -> Option<(Profile, f64)> {
    let side = match people {
        People::Black => Side::Black,
        People::White => Side::White,
        People::Both | People::Nobody => return None,
    };
    Some((level, outcome.points_for(side)))
}

impl Session {
    /// Whether the line shown is a whole game: it ends where the game does, or its record has a
    /// result.
    pub fn is_finished(&self) -> bool {
        let record = self.record();
        let ends = |&id: &NodeId| {
            record.is_over_at(id) || self.walk.decision.is_some_and(|it| it.node == id)
        };
        record.outcome.is_some() || self.line().last().is_some_and(ends)
    }

    /// Where the game ended that somebody played here, and how; `None` if it goes on.
    pub fn played_end(&self) -> Option<(NodeId, Outcome)> {
        self.played.map(|it| (it.node, it.outcome))
    }

    /// The level and the person's points from 0 to 1, if the game counts for the person's rating.
    pub fn rated_result(&self) -> Option<(Profile, f64)> {
        let played = self.played.filter(|it| it.is_plain)?;
        points_against(self.level, self.people, played.outcome)
    }

    /// Notes that the game has ended at the current place, if it is played and has.
    pub(super) fn note_end(&mut self) {
        if self.mode == Mode::Play
            && self.people != People::Nobody
            && let Some(outcome) = self.outcome()
        {
            self.played = Some(Played {
                node: self.cursor(),
                outcome,
                is_plain: self.is_plain(),
            });
        }
    }

    /// The end of a game whose file does not tell: those of earlier versions. What a reader has
    /// tried since then cannot be told from moves that were taken back.
    pub(super) fn end_by_record(&self) -> Option<Played> {
        let was_played = match self.people {
            People::Black | People::White => true,
            People::Both => self.mode == Mode::Play,
            People::Nobody => false,
        };
        let end = self.record().main_end();
        let decided = self.walk.decision.map(|it| (it.node, it.outcome()));
        let (node, outcome) = decided.or_else(|| Some((end, self.record().outcome_at(end)?)))?;
        was_played.then(|| Played {
            node,
            outcome,
            is_plain: node == end && self.is_plain(),
        })
    }

    fn is_plain(&self) -> bool {
        let record = self.record();
        self.opponent.is_none()
            && matches!(self.people, People::Black | People::White)
            && self.manner.engine != Some(EngineName::Mcts)
            && *record.start() == Position::OTHELLO_START
            && record.n_nodes() == 1 + record.main_line().count()
    }
}
