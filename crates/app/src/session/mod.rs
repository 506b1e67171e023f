//! A game on the desk: a walk through it (tree, cursor, clock), who plays, and what was found out.
//!
//! Pure state: it is told the time and knows no engine, file or thread. What it means to take a
//! move back, to go on, to lose on time, is decided here. `walk` knows any game; `insight` has what
//! a coach knows beside it; `legal` is what a board of either game needs; `discs` is Othello's.

mod discs;
mod ends;
mod header;
mod held;
mod insight;
mod legal;
mod limits;
mod manner;
mod opponent;
mod people;
mod rated;
mod save;
mod walk;
mod words;

pub use discs::{flips_of, frontier};
pub use header::Header;
pub use insight::{Blunder, Tried, Value};
pub use legal::{ChessStep, LegalMove, legal_moves, origin_of, square_of};
pub use limits::{
    COMMENT_MAX, COMMENTS_MAX_BYTES, Loss, NODES_MAX, SessionError, TITLE_MAX, check_size,
};
pub use manner::Manner;
pub use opponent::Opponent;
pub use people::{People, PlayerKind, PlayerName};
pub use save::{LoadError, SerialiseError};
pub use walk::Step;
pub use words::discs_of;

use crate::Profile;
use coach::explain::Severity;
use game::{
    Clock, Glyph, Kind, Move, NodeId, Outcome, Position, Record, Report, Score, TimeControl,
    TreeError,
};
use insight::Insight;
use limits::comment_bytes;
use rated::Played;
use walk::Walk;

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A game against a level.
    Play,
    /// A board to try things on.
    Analyse,
}

/// Who has to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaiting {
    Human,
    Engine,
    /// Nobody: the game is over.
    Nobody,
}

/// What a new session is made from.
#[derive(Debug, Clone)]
pub struct Setup {
    pub id: String,
    /// The game so far.
    pub record: Record,
    /// Where to stand: so many plies along the main line; its end if left out.
    pub ply: Option<usize>,
    /// What it is for.
    pub mode: Mode,
    /// Which sides a person plays.
    pub people: People,
    pub level: Profile,
    pub manner: Manner,
    /// A foreign engine that plays in the place of the level.
    pub opponent: Option<Opponent>,
    /// Where the level's chance comes from.
    pub seed: u64,
    pub time_control: TimeControl,
    /// Whether values may be seen from the start.
    pub show_values: bool,
}

/// A game on the desk.
#[derive(Debug, Clone)]
pub struct Session {
    id: String,
    revision: u64,
    title: Option<String>,
    walk: Walk,
    mode: Mode,
    people: People,
    level: Profile,
    manner: Manner,
    opponent: Option<Opponent>,
    seed: u64,
    insight: Insight,
    /// How the game that was played here ended, if it has.
    played: Option<Played>,
    /// Where the engine is choosing a move.
    thinking: Option<NodeId>,
    /// Where a move of a person waits to be kept or taken back: nobody moves there meanwhile.
    held: Option<NodeId>,
    /// Whether the coach may ask about moves that cost much.
    asks: bool,
}

impl Session {
    pub fn new(setup: Setup) -> Self {
        Self {
            id: setup.id,
            revision: 1,
            title: None,
            walk: Walk::new(setup.record, setup.ply, setup.time_control),
            mode: setup.mode,
            people: setup.people,
            level: setup.level,
            manner: setup.manner,
            opponent: setup.opponent,
            seed: setup.seed,
            insight: Insight {
                show_values: setup.show_values,
                ..Insight::default()
            },
            played: None,
            thinking: None,
            held: None,
            asks: true,
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the user calls it.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Grows with every change.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The game with all variations.
    pub const fn record(&self) -> &Record {
        &self.walk.record
    }

    pub const fn cursor(&self) -> NodeId {
        self.walk.cursor
    }

    pub fn position(&self) -> &Position {
        self.walk.position()
    }

    /// Whether nothing was done in it that could be missed.
    pub fn is_untouched(&self) -> bool {
        let root = self.walk.record.node(self.walk.record.root());
        self.walk.record.n_nodes() == 1
            && self.title.is_none()
            && root.is_some_and(|it| it.note.is_empty())
    }

    /// What it is for.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Which sides a person plays.
    pub const fn people(&self) -> People {
        self.people
    }

    pub const fn level(&self) -> &Profile {
        &self.level
    }

    pub const fn manner(&self) -> Manner {
        self.manner
    }

    /// The foreign engine that plays in the place of the level.
    pub const fn opponent(&self) -> Option<&Opponent> {
        self.opponent.as_ref()
    }

    /// Which game is played.
    pub fn kind(&self) -> Kind {
        self.record().start().kind()
    }

    /// Where the level's chance comes from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether values may be seen: always in an analysis, in Play when asked for or once the game
    /// is over.
    pub fn shows_values(&self) -> bool {
        self.mode == Mode::Analyse
            || self.insight.show_values
            || self.awaiting() == Awaiting::Nobody
    }

    /// Where the engine is choosing a move.
    pub const fn thinking(&self) -> Option<NodeId> {
        self.thinking
    }

    /// The last move of a person, if it was a blunder and lies behind the current place: elsewhere
    /// it is not spoken of.
    pub fn blunder(&self) -> Option<&Blunder> {
        let blunder = self.insight.blunder.as_ref()?;
        let path = self.walk.record.path(self.walk.cursor);
        path.contains(&blunder.node).then_some(blunder)
    }

    /// The clock, if one is used.
    pub const fn clock(&self) -> Option<&Clock> {
        self.walk.clock.as_ref()
    }

    /// What a place is worth, if a search has looked, or if the game is over there.
    pub fn value(&self, id: NodeId) -> Option<Value> {
        self.insight.value(self.record(), id)
    }

    /// What the move that led to a place gave away, where both ends were valued.
    pub fn loss(&self, id: NodeId) -> Option<Score> {
        self.insight.loss(self.record(), id)
    }

    /// How bad the move was that led to a place, where both ends were valued.
    pub fn severity(&self, id: NodeId) -> Option<Severity> {
        self.insight.severity(self.record(), id)
    }

    /// Who has to do something at the current place.
    pub fn awaiting(&self) -> Awaiting {
        let position = self.position();
        if self.walk.record.is_over_at(self.walk.cursor) || self.is_decided() {
            Awaiting::Nobody
        } else if self.is_persons(position.side()) {
            Awaiting::Human
        } else {
            Awaiting::Engine
        }
    }

    /// How the game ended, if it has at the current place.
    pub fn outcome(&self) -> Option<Outcome> {
        self.walk.outcome()
    }

    /// The places of the move list: from the start through the current place to the end of what
    /// was last looked at behind it.
    pub fn line(&self) -> Vec<NodeId> {
        self.walk.line()
    }

    /// What may be played at a place.
    pub fn legal(&self, id: NodeId) -> Vec<LegalMove> {
        self.walk
            .record
            .position(id)
            .map_or_else(Vec::new, legal_moves)
    }

    /// Makes a move of a person at a place, or follows it if it is there already. Passes that are
    /// due before or after it are made, too.
    pub fn play(&mut self, at: NodeId, action: Move, now_ms: u64) -> Result<(), SessionError> {
        let position = self
            .walk
            .record
            .position(at)
            .ok_or(TreeError::NoSuchNode(at))?;
        if self.mode == Mode::Play {
            if let Some(decision) = self.walk.decision.filter(|it| it.node == at) {
                return Err(match decision.loser {
                    Some(side) => SessionError::Lost(side, decision.by.into()),
                    None => SessionError::Drawn,
                });
            }
            let mover = match position.forced() {
                Some(_) => position.side().other(),
                None => position.side(),
            };
            if !self.people.play(mover) && !self.walk.record.is_over_at(at) {
                return Err(SessionError::EnginesTurn);
            }
        }
        self.make(at, action, now_ms)
    }

    /// Makes a move at a place, whoever's it is.
    pub fn make(&mut self, at: NodeId, action: Move, now_ms: u64) -> Result<(), SessionError> {
        if self.record().n_nodes() >= NODES_MAX {
            return Err(SessionError::TooManyNodes);
        }
        let is_game = self.mode == Mode::Play;
        self.walk.make(at, action, is_game, now_ms)?;
        if is_game {
            // What is played is the game; a move that it replaces stays beside it as a variation.
            self.walk.record.promote_to_main(self.walk.cursor)?;
            // A game that was lost on time, given up or drawn goes on if its end is taken back.
            self.walk.decision = None;
            self.played = None;
            self.note_end();
        }
        self.thinking = None;
        self.held = None;
        self.changed();
        Ok(())
    }

    /// Goes to a place. The clock of a game stands still until somebody moves again.
    pub fn go(&mut self, id: NodeId, now_ms: u64) -> Result<(), SessionError> {
        if self.walk.record.node(id).is_none() {
            return Err(TreeError::NoSuchNode(id).into());
        }
        if id != self.walk.cursor {
            self.thinking = None;
            self.held = None;
            self.walk.stand(id, now_ms);
            self.changed();
        }
        Ok(())
    }

    /// Takes a step; beyond an end it changes nothing.
    pub fn step(&mut self, step: Step, now_ms: u64) -> Result<(), SessionError> {
        self.go(self.walk.after(step), now_ms)
    }

    /// The place that taking a move back leads to: the last one before here where a person has a
    /// choice.
    fn back(&self) -> Option<NodeId> {
        let path = self.walk.record.path(self.walk.cursor);
        let earlier = path.iter().rev().skip(1).copied();
        earlier.into_iter().find(|&id| self.has_choice(id))
    }

    /// The place that making moves again leads to: the next one where a person has a choice, or
    /// the end.
    fn again(&self) -> Option<NodeId> {
        let mut end = None;
        let mut at = self.walk.cursor;
        while let Some(next) = self.walk.forth(at) {
            if self.has_choice(next) {
                return Some(next);
            }
            end = Some(next);
            at = next;
        }
        end
    }

    fn has_choice(&self, id: NodeId) -> bool {
        let Some(position) = self.walk.record.position(id) else {
            return false;
        };
        self.is_persons(position.side())
            && position.forced().is_none()
            && !self.walk.record.is_over_at(id)
    }

    /// Whether there is a move to take back.
    pub fn can_undo(&self) -> bool {
        self.back().is_some()
    }

    /// Whether there is a move to make again.
    pub fn can_redo(&self) -> bool {
        self.again().is_some()
    }

    /// Goes back to where a person last had a choice. Nothing is deleted. In a game with a clock
    /// the opponent's time comes back; the time that the person has used does not, and it runs on.
    pub fn undo(&mut self, now_ms: u64) -> Result<(), SessionError> {
        let Some(id) = self.back() else {
            return Ok(());
        };
        let runs_on = self.walk.is_running() || self.is_held();
        let left = self.walk.left_after(id);
        self.go(id, now_ms)?;
        if runs_on {
            self.walk.run_on(left, now_ms);
        }
        Ok(())
    }

    /// The way back from [`Session::undo`].
    pub fn redo(&mut self, now_ms: u64) -> Result<(), SessionError> {
        match self.again() {
            Some(id) => self.go(id, now_ms),
            None => Ok(()),
        }
    }

    /// Keeps moves behind a place without going there: as a variation, unless nothing is there yet.
    pub fn keep_line(&mut self, at: NodeId, moves: &[Move]) -> Result<(), SessionError> {
        if self.record().n_nodes() + moves.len() > NODES_MAX {
            return Err(SessionError::TooManyNodes);
        }
        let mut at = at;
        for &action in moves {
            at = self.walk.record.add(at, action)?;
        }
        self.changed();
        Ok(())
    }

    /// Deletes a move and all behind it.
    pub fn delete(&mut self, id: NodeId, now_ms: u64) -> Result<(), SessionError> {
        let cursor = self.cursor();
        self.walk.delete(id, now_ms)?;
        self.insight.retain(&self.walk.record);
        let record = &self.walk.record;
        let is_gone = |node: NodeId| record.node(node).is_none();
        self.played.take_if(|it| is_gone(it.node));
        self.thinking
            .take_if(|node| is_gone(*node) || cursor != self.walk.cursor);
        self.changed();
        Ok(())
    }

    /// Moves a variation up, or all the way to the main line.
    pub fn promote(&mut self, id: NodeId, to_main: bool) -> Result<(), SessionError> {
        if to_main {
            self.walk.record.promote_to_main(id)?;
        } else {
            self.walk.record.promote(id)?;
        }
        self.changed();
        Ok(())
    }

    /// Writes a comment; an empty one takes it away.
    pub fn comment(&mut self, id: NodeId, text: &str) -> Result<(), SessionError> {
        let length = text.chars().count();
        if length > COMMENT_MAX {
            return Err(SessionError::LongComment(length));
        }
        let before = self.walk.record.node(id).ok_or(TreeError::NoSuchNode(id))?;
        let before = before.note.comment.as_ref().map_or(0, String::len);
        let after = comment_bytes(&self.walk.record) - before + text.len();
        if after > COMMENTS_MAX_BYTES && text.len() > before {
            return Err(SessionError::LongComments);
        }
        let note = self
            .walk
            .record
            .note_mut(id)
            .ok_or(TreeError::NoSuchNode(id))?;
        note.comment = (!text.is_empty()).then(|| text.to_owned());
        self.changed();
        Ok(())
    }

    /// Gives it a title; an empty one takes it away.
    pub fn set_title(&mut self, title: &str) -> Result<(), SessionError> {
        let title = title.trim();
        let length = title.chars().count();
        if length > TITLE_MAX {
            return Err(SessionError::LongTitle(length));
        }
        self.title = (!title.is_empty()).then(|| title.to_owned());
        self.changed();
        Ok(())
    }

    /// How the mistake at a place stands with the reader; `None` if it is still to be tried.
    pub fn tried(&self, id: NodeId) -> Option<Tried> {
        self.insight.tried.get(&id).copied()
    }

    /// Remembers how the mistake at a place stands with the reader.
    pub fn set_tried(&mut self, id: NodeId, tried: Option<Tried>) -> Result<(), SessionError> {
        if self.walk.record.node(id).is_none() {
            return Err(TreeError::NoSuchNode(id).into());
        }
        let before = match tried {
            Some(tried) => self.insight.tried.insert(id, tried),
            None => self.insight.tried.remove(&id),
        };
        if before != tried {
            self.changed();
        }
        Ok(())
    }

    /// Sets the signs of a move, each once.
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) -> Result<(), SessionError> {
        let note = self
            .walk
            .record
            .note_mut(id)
            .ok_or(TreeError::NoSuchNode(id))?;
        note.glyphs.clear();
        for &glyph in glyphs {
            if !note.glyphs.contains(&glyph) {
                note.glyphs.push(glyph);
            }
        }
        self.changed();
        Ok(())
    }

    /// Changes what it is for.
    pub fn set_mode(&mut self, mode: Mode, now_ms: u64) {
        self.mode = mode;
        if mode == Mode::Analyse {
            self.thinking = None;
            self.held = None;
            self.walk.stop_clock(now_ms);
        }
        self.changed();
    }

    pub fn set_people(&mut self, people: People) {
        self.people = people;
        self.thinking = None;
        self.held = None;
        self.changed();
    }

    pub fn set_level(&mut self, level: Profile) {
        self.level = level;
        self.changed();
    }

    /// Shows or hides values.
    pub fn set_show_values(&mut self, show: bool) {
        self.insight.show_values = show;
        self.changed();
    }

    /// Notes that the engine chooses a move here, or does no longer.
    pub fn set_thinking(&mut self, thinking: bool) {
        self.thinking = thinking.then_some(self.walk.cursor);
        self.changed();
    }

    /// Notes a blunder, or that there is none.
    pub fn set_blunder(&mut self, blunder: Option<Blunder>) {
        self.insight.blunder = blunder;
        self.changed();
    }

    /// Keeps what a search found out about a place, unless more is known already. Whether it was
    /// news.
    pub fn learn(&mut self, id: NodeId, report: &Report) -> bool {
        self.insight.learn(&self.walk.record, id, report)
    }

    /// Something else than the above changed what a view shows.
    pub fn changed(&mut self) {
        self.revision += 1;
    }

    pub fn stop_clock(&mut self, now_ms: u64) {
        self.walk.stop_clock(now_ms);
        self.changed();
    }

    /// Nothing happens here any more: no clock runs, no engine thinks.
    pub fn stand_still(&mut self, now_ms: u64) {
        self.thinking = None;
        self.held = None;
        self.stop_clock(now_ms);
    }

    /// Looks at the clock; whether a side's time has just run out.
    pub fn look_at_clock(&mut self, now_ms: u64) -> bool {
        let has_fallen = self.walk.look_at_clock(now_ms);
        if has_fallen {
            self.thinking = None;
            self.note_end();
            self.changed();
        }
        has_fallen
    }

    /// When to look at the clock again: the moment that the running time is over.
    pub fn next_flag_ms(&self, now_ms: u64) -> Option<u64> {
        self.walk.next_flag_ms(now_ms)
    }
}

#[cfg(test)]
mod tests;
