//! A walk through a game: the tree of moves, the place where the reader stands, the way that was
//! looked at last, and the clocks. It knows any game and nothing of who plays.

use super::SessionError;
use game::{
    Clock, Move, NodeId, Outcome, Position, Record, Side, Termination, TimeControl, TreeError,
};
use std::collections::HashMap;

/// One step through the game, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    First,
    Previous,
    Next,
    /// To the end of the line.
    Last,
}

/// The end of a game before the rules ended it: a side's time ran out, it resigned, or a draw was
/// claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) node: NodeId,
    /// Who lost; nobody where a draw was claimed.
    pub(super) loser: Option<Side>,
    pub(super) by: Termination,
}

impl Decision {
    pub(super) fn outcome(self) -> Outcome {
        let winner = self.loser.map(Side::other);
        Outcome::decided(winner, self.by)
    }
}

/// Tree, cursor and clock.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    pub(super) record: Record,
    pub(super) cursor: NodeId,
    /// Which child of a place was looked at last: where going forth leads.
    pub(super) trail: HashMap<NodeId, NodeId>,
    pub(super) clock: Option<Clock>,
    /// The clocks, stopped, as they stood when a place was first reached.
    pub(super) clocks: HashMap<NodeId, Clock>,
    /// How the game ended before the rules ended it, and where.
    pub(super) decision: Option<Decision>,
}

impl Walk {
    /// A walk that begins so many plies along the main line, or at its end.
    pub(super) fn new(record: Record, ply: Option<usize>, control: TimeControl) -> Self {
        let cursor = match ply {
            None => record.main_end(),
            Some(ply) => {
                let along = record.main_line().take(ply);
                along.last().unwrap_or_else(|| record.root())
            }
        };
        let clock = match control {
            TimeControl::Unlimited => None,
            control => Some(Clock::new(control)),
        };
        let mut walk = Self {
            record,
            cursor,
            trail: HashMap::new(),
            clock,
            clocks: HashMap::new(),
            decision: None,
        };
        walk.keep_clock();
        walk
    }

    pub(super) fn position(&self) -> &Position {
        // The cursor never stands on a deleted place.
        self.record
            .position(self.cursor)
            .unwrap_or_else(|| self.record.start())
    }

    /// How the game ended at the current place, if not by the rules.
    pub(super) fn decision_here(&self) -> Option<Decision> {
        self.decision.filter(|it| it.node == self.cursor)
    }

    /// Ends the game at the current place: somebody gave up, or, without a loser, claimed a draw.
    pub(super) fn decide(&mut self, loser: Option<Side>, by: Termination, now_ms: u64) {
        self.stop_clock(now_ms);
        self.decision = Some(Decision {
            node: self.cursor,
            loser,
            by,
        });
    }

    /// How the game ended, if it has at the current place.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let decided = self.decision_here().map(Decision::outcome);
        decided.or_else(|| self.record.outcome_at(self.cursor))
    }

    pub(super) fn line(&self) -> Vec<NodeId> {
        let mut line = self.record.path(self.cursor);
        line.extend(std::iter::successors(self.forth(self.cursor), |&id| {
            self.forth(id)
        }));
        line
    }

    /// Where going forth leads.
    pub(super) fn forth(&self, id: NodeId) -> Option<NodeId> {
        let children = self.record.children(id);
        let seen = self.trail.get(&id).filter(|id| children.contains(id));
        seen.or(children.first()).copied()
    }

    /// The place that a step leads to; beyond an end it is the end.
    pub(super) fn after(&self, step: Step) -> NodeId {
        let line = self.line();
        let at = line.iter().position(|&id| id == self.cursor).unwrap_or(0);
        let last = line.len().saturating_sub(1);
        let to = match step {
            Step::First => 0,
            Step::Previous => at.saturating_sub(1),
            Step::Next => (at + 1).min(last),
            Step::Last => last,
        };
        line.get(to).copied().unwrap_or(self.cursor)
    }

    /// Makes a move at a place with the passes that are due before and after it, and stands behind
    /// them. Whether clocks run is the caller's to say.
    pub(super) fn make(
        &mut self,
        at: NodeId,
        action: Move,
        runs_clock: bool,
        now_ms: u64,
    ) -> Result<(), SessionError> {
        let is_elsewhere = at != self.cursor;
        let end = self.record.add_with_pass(at, action)?;
        if is_elsewhere {
            self.stand(at, now_ms);
        }
        self.arrive(end, runs_clock, now_ms);
        // No player wants to be asked for the only move.
        if let Some(pass) = self.position().forced()
            && let Ok(passed) = self.record.add(self.cursor, pass)
        {
            self.arrive(passed, runs_clock, now_ms);
        }
        Ok(())
    }

    fn arrive(&mut self, id: NodeId, runs_clock: bool, now_ms: u64) {
        if runs_clock {
            self.press_clock(id, now_ms);
        }
        self.cursor = id;
        self.remember_way();
        self.keep_clock();
    }

    /// Going forth shall lead along the way that was taken here.
    fn remember_way(&mut self) {
        for pair in self.record.path(self.cursor).windows(2) {
            self.trail.insert(pair[0], pair[1]);
        }
    }

    /// Goes to a place that is there. The clock stands still until the next move.
    pub(super) fn stand(&mut self, id: NodeId, now_ms: u64) {
        self.stop_clock(now_ms);
        self.cursor = id;
        self.remember_way();
        if let Some(clock) = self.clocks.get(&id) {
            self.clock = Some(clock.clone());
        }
    }

    /// Deletes a move and all behind it.
    pub(super) fn delete(&mut self, id: NodeId, now_ms: u64) -> Result<(), TreeError> {
        let stands_there = self.record.path(self.cursor).contains(&id);
        let parent = self.record.delete(id)?;
        if stands_there {
            self.stand(parent, now_ms);
        }
        let record = &self.record;
        let lives = |id: &NodeId| record.node(*id).is_some();
        self.trail.retain(|from, to| lives(from) && lives(to));
        self.clocks.retain(|id, _| lives(id));
        self.decision.take_if(|it| !lives(&it.node));
        Ok(())
    }

    pub(super) fn stop_clock(&mut self, now_ms: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now_ms);
        }
    }

    /// Whether a clock runs.
    pub(super) fn is_running(&self) -> bool {
        self.clock.as_ref().is_some_and(|it| it.running().is_some())
    }

    /// Lets the clock of the side to move run from now on, unless the game is over.
    pub(super) fn run_clock(&mut self, now_ms: u64) {
        let side = self.position().side();
        if !self.record.is_over_at(self.cursor)
            && self.decision_here().is_none()
            && let Some(clock) = &mut self.clock
        {
            clock.start(side, now_ms);
        }
    }

    /// What the mover of a place had left once it had moved along the way to the cursor.
    pub(super) fn left_after(&self, id: NodeId) -> Option<u64> {
        let path = self.record.path(self.cursor);
        let at = path.iter().position(|&it| it == id)?;
        let side = self.record.position(id)?.side();
        self.clocks.get(path.get(at + 1)?)?.remaining_ms(side, 0)
    }

    /// Lets the clock of the side to move run with so much time, or with what it has if that is
    /// less: thinking again about the same move takes time of its own.
    pub(super) fn run_on(&mut self, left_ms: Option<u64>, now_ms: u64) {
        let side = self.position().side();
        if let (Some(clock), Some(left_ms)) = (&self.clock, left_ms) {
            let have = |of: Side| clock.remaining_ms(of, now_ms).unwrap_or(0);
            let left = |of: Side| {
                if of == side {
                    have(of).min(left_ms)
                } else {
                    have(of)
                }
            };
            let left_ms = [left(Side::Black), left(Side::White)];
            self.clock = Some(Clock::with_remaining(clock.control(side), left_ms));
        }
        self.run_clock(now_ms);
    }

    fn keep_clock(&mut self) {
        if let Some(clock) = &self.clock {
            let mut clock = clock.clone();
            // Where it stood when this place was reached; what is spent here comes on top.
            clock.stop(0);
            self.clocks.entry(self.cursor).or_insert(clock);
        }
    }

    /// A move was made: from the first one on, a clock runs.
    fn press_clock(&mut self, to: NodeId, now_ms: u64) {
        let Some(node) = self.record.node(to) else {
            return;
        };
        // Not the current side: a pass may have been made before the move.
        let before = node.parent().and_then(|id| self.record.position(id));
        let mover = before.unwrap_or(node.position()).side();
        let is_over = self.record.is_over_at(to);
        let Some(clock) = &mut self.clock else {
            return;
        };
        if clock.running() != Some(mover) {
            clock.start(mover, now_ms);
        }
        // A flag that fell a moment before its keeper noticed is noticed by the next look.
        let pressed = clock.press(now_ms);
        if pressed.is_err() || is_over {
            clock.stop(now_ms);
        }
        self.clocks.remove(&to);
    }

    /// Looks at the clock; whether a side's time has just run out.
    pub(super) fn look_at_clock(&mut self, now_ms: u64) -> bool {
        let is_known = self.decision_here().is_some();
        let Some(clock) = &mut self.clock else {
            return false;
        };
        if clock.running().is_none() || is_known {
            return false;
        }
        let Some(side) = clock.flagged(now_ms) else {
            return false;
        };
        self.decide(Some(side), Termination::TimeForfeit, now_ms);
        true
    }

    pub(super) fn next_flag_ms(&self, now_ms: u64) -> Option<u64> {
        let clock = self.clock.as_ref()?;
        let left = clock.remaining_ms(clock.running()?, now_ms)?;
        Some(now_ms.saturating_add(left))
    }
}
