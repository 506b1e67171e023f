//! A game on the desk: the tree of moves, where somebody stands in it, who plays, and the clock.
//!
//! Pure state: it is told the time and knows no engine, file or thread. What it means to take a
//! move back, to go on, to lose on time, is decided here.

mod save;
mod words;

pub use save::{Header, LoadError, SerialiseError};
pub use words::{discs_of, outcome_text};

use crate::Profile;
use game::{
    AddMoveError, Clock, Glyph, Move, NodeId, Outcome, Position, Reach, Record, Report, Score,
    Side, Termination, TimeControl, TreeError,
};
use std::collections::HashMap;

/// Which sides a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum People {
    /// Black; the engine has White.
    Black,
    /// White; the engine has Black.
    White,
    Both,
}

impl People {
    /// Whether a person plays this side.
    pub fn play(self, side: Side) -> bool {
        match self {
            Self::Black => side == Side::Black,
            Self::White => side == Side::White,
            Self::Both => true,
        }
    }
}

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

/// One step through the game, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    First,
    Previous,
    Next,
    /// To the end of the line.
    Last,
}

/// What a position is worth, as far as somebody has looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// For the side to move.
    pub score: Score,
    pub depth: u32,
    /// Whether it is proven.
    pub solved: bool,
}

impl Value {
    /// The same for Black.
    pub fn for_black(self, side_to_move: Side) -> Score {
        self.score.seen_by(Side::Black, side_to_move)
    }

    /// How far somebody looked.
    pub const fn reach(self) -> Reach {
        Reach {
            solved: self.solved,
            depth: self.depth,
        }
    }
}

/// A move that may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    pub action: Move,
    /// Its square, 0 to 63.
    pub square: u8,
    /// The discs that it turns.
    pub flips: Vec<u8>,
}

/// A move of a person that gave away a lot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blunder {
    /// The place that it led to.
    pub node: NodeId,
    /// What it gave away.
    pub loss: Score,
    /// What would have been best.
    pub best: Move,
    /// How far that was looked at.
    pub reach: Reach,
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
    /// Where the level's chance comes from.
    pub seed: u64,
    pub time_control: TimeControl,
    /// Whether values may be seen from the start.
    pub show_values: bool,
}

/// A wish that this state does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// There is no such place.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The move cannot be made.
    #[error(transparent)]
    Move(AddMoveError),
    /// It is the engine's turn.
    #[error("it is the engine's turn; wait for its move, or take one back")]
    EnginesTurn,
    /// A clock has run out.
    #[error("the game is over: {0}'s time ran out; take a move back or begin a new game")]
    TimeOver(Side),
    /// A comment that is no comment any more.
    #[error("a comment may have {COMMENT_MAX} characters; this one has {0}")]
    LongComment(usize),
    /// All comments together are as long as they may be.
    #[error("the comments of a game may have {COMMENTS_MAX_BYTES} bytes together; shorten some")]
    LongComments,
    /// A title that is no title any more.
    #[error("a title may have {TITLE_MAX} characters; this one has {0}")]
    LongTitle(usize),
    /// The tree is as large as it may be.
    #[error("a game may have {NODES_MAX} positions with its variations; delete some")]
    TooManyNodes,
}

impl From<AddMoveError> for SessionError {
    fn from(error: AddMoveError) -> Self {
        match error {
            AddMoveError::Tree(error) => Self::Tree(error),
            other => Self::Move(other),
        }
    }
}

/// The longest comment, in characters.
pub const COMMENT_MAX: usize = 20_000;

/// All comments of a game together.
pub const COMMENTS_MAX_BYTES: usize = 1 << 20;

/// The longest title, in characters.
pub const TITLE_MAX: usize = 200;

/// Nobody looks at more positions by hand.
pub const NODES_MAX: usize = 20_000;

/// A game on the desk.
#[derive(Debug, Clone)]
pub struct Session {
    id: String,
    revision: u64,
    title: Option<String>,
    record: Record,
    cursor: NodeId,
    /// Which child of a place was looked at last: where going forth leads.
    trail: HashMap<NodeId, NodeId>,
    mode: Mode,
    people: People,
    level: Profile,
    seed: u64,
    show_values: bool,
    values: HashMap<NodeId, Value>,
    clock: Option<Clock>,
    /// The clocks, stopped, as they stood when a place was first reached.
    clocks: HashMap<NodeId, Clock>,
    /// Who lost on time, and where.
    flagged: Option<(NodeId, Side)>,
    /// Where the engine is choosing a move.
    thinking: Option<NodeId>,
    blunder: Option<Blunder>,
}

impl Session {
    pub fn new(setup: Setup) -> Self {
        let cursor = match setup.ply {
            None => setup.record.main_end(),
            Some(ply) => {
                let along = setup.record.main_line().take(ply);
                along.last().unwrap_or_else(|| setup.record.root())
            }
        };
        let clock = match setup.time_control {
            TimeControl::Unlimited => None,
            control => Some(Clock::new(control)),
        };
        let mut session = Self {
            id: setup.id,
            revision: 1,
            title: None,
            cursor,
            record: setup.record,
            trail: HashMap::new(),
            mode: setup.mode,
            people: setup.people,
            level: setup.level,
            seed: setup.seed,
            show_values: setup.show_values,
            values: HashMap::new(),
            clock,
            clocks: HashMap::new(),
            flagged: None,
            thinking: None,
            blunder: None,
        };
        session.keep_clock();
        session
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
        &self.record
    }

    pub const fn cursor(&self) -> NodeId {
        self.cursor
    }

    pub fn position(&self) -> &Position {
        // The cursor never stands on a deleted place.
        self.record
            .position(self.cursor)
            .unwrap_or_else(|| self.record.start())
    }

    /// Whether nothing was done in it that could be missed.
    pub fn is_untouched(&self) -> bool {
        let root = self.record.node(self.record.root());
        self.record.n_nodes() == 1
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

    /// Where the level's chance comes from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether values may be seen: always in an analysis, in Play when asked for or once the game
    /// is over.
    pub fn shows_values(&self) -> bool {
        self.mode == Mode::Analyse || self.show_values || self.awaiting() == Awaiting::Nobody
    }

    /// Where the engine is choosing a move.
    pub const fn thinking(&self) -> Option<NodeId> {
        self.thinking
    }

    /// The last move of a person, if it was a blunder.
    pub const fn blunder(&self) -> Option<&Blunder> {
        self.blunder.as_ref()
    }

    /// The clock, if one is used.
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Who lost on time at the current place.
    pub fn flagged(&self) -> Option<Side> {
        let (node, side) = self.flagged?;
        (node == self.cursor).then_some(side)
    }

    /// What a place is worth, if somebody has looked, or if the game is over there.
    pub fn value(&self, id: NodeId) -> Option<Value> {
        let position = self.record.position(id)?;
        let Some(outcome) = self.record.outcome_at(id) else {
            return self.values.get(&id).copied();
        };
        let black = Score::centi(outcome.black_centidiscs?);
        Some(Value {
            score: black.seen_by(position.side(), Side::Black),
            depth: 0,
            solved: true,
        })
    }

    /// What the move that led to a place gave away, where both ends were valued.
    pub fn loss(&self, id: NodeId) -> Option<Score> {
        let node = self.record.node(id)?;
        let parent = node.parent()?;
        let mover = self.record.position(parent)?.side();
        let before = self.value(parent)?.score;
        let after = self.value(id)?;
        let after = after.score.seen_by(mover, node.position().side());
        Some((before - after).max(Score::ZERO))
    }

    /// Who has to do something at the current place.
    pub fn awaiting(&self) -> Awaiting {
        let position = self.position();
        if self.record.is_over_at(self.cursor) || self.flagged().is_some() {
            Awaiting::Nobody
        } else if self.mode == Mode::Analyse || self.people.play(position.side()) {
            Awaiting::Human
        } else {
            Awaiting::Engine
        }
    }

    /// How the game ended, if it has at the current place.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.flagged() {
            return Some(Outcome::lost_by(side, Termination::TimeForfeit));
        }
        self.record.outcome_at(self.cursor)
    }

    /// The places of the move list: from the start through the current place to the end of what
    /// was last looked at behind it.
    pub fn line(&self) -> Vec<NodeId> {
        let mut line = self.record.path(self.cursor);
        line.extend(std::iter::successors(self.forth(self.cursor), |&id| {
            self.forth(id)
        }));
        line
    }

    /// Where going forth leads.
    fn forth(&self, id: NodeId) -> Option<NodeId> {
        let children = self.record.children(id);
        let seen = self.trail.get(&id).filter(|id| children.contains(id));
        seen.or(children.first()).copied()
    }

    /// What may be played at a place.
    pub fn legal(&self, id: NodeId) -> Vec<LegalMove> {
        self.record.position(id).map_or_else(Vec::new, legal_moves)
    }

    /// Makes a move of a person at a place, or follows it if it is there already. Passes that are
    /// due before or after it are made, too.
    pub fn play(&mut self, at: NodeId, action: Move, now_ms: u64) -> Result<(), SessionError> {
        let position = self.record.position(at).ok_or(TreeError::NoSuchNode(at))?;
        if self.mode == Mode::Play {
            if let Some((node, side)) = self.flagged
                && node == at
            {
                return Err(SessionError::TimeOver(side));
            }
            let mover = match position.forced() {
                Some(_) => position.side().other(),
                None => position.side(),
            };
            if !self.people.play(mover) && !self.record.is_over_at(at) {
                return Err(SessionError::EnginesTurn);
            }
        }
        self.make(at, action, now_ms)
    }

    /// Makes a move at a place, whoever's it is.
    pub fn make(&mut self, at: NodeId, action: Move, now_ms: u64) -> Result<(), SessionError> {
        if self.record.n_nodes() >= NODES_MAX {
            return Err(SessionError::TooManyNodes);
        }
        let is_elsewhere = at != self.cursor;
        let end = self.record.add_with_pass(at, action)?;
        self.thinking = None;
        if is_elsewhere {
            self.stand(at, now_ms);
        }
        self.press_clock(end, now_ms);
        self.stand_after_move(end);
        self.pass_if_due(now_ms);
        self.changed();
        Ok(())
    }

    /// Makes the pass that is due, if one is: nobody wants to be asked for the only move.
    fn pass_if_due(&mut self, now_ms: u64) {
        let Some(pass) = self.position().forced() else {
            return;
        };
        if let Ok(passed) = self.record.add(self.cursor, pass) {
            self.press_clock(passed, now_ms);
            self.stand_after_move(passed);
        }
    }

    fn stand_after_move(&mut self, id: NodeId) {
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

    /// Goes to a place. The clock of a game stands still until somebody moves again.
    pub fn go(&mut self, id: NodeId, now_ms: u64) -> Result<(), SessionError> {
        if self.record.node(id).is_none() {
            return Err(TreeError::NoSuchNode(id).into());
        }
        if id != self.cursor {
            self.stand(id, now_ms);
            self.changed();
        }
        Ok(())
    }

    fn stand(&mut self, id: NodeId, now_ms: u64) {
        self.thinking = None;
        if let Some(clock) = &mut self.clock {
            clock.stop(now_ms);
        }
        self.cursor = id;
        self.remember_way();
        if let Some(clock) = self.clocks.get(&id) {
            self.clock = Some(clock.clone());
        }
    }

    /// Takes a step; beyond an end it changes nothing.
    pub fn step(&mut self, step: Step, now_ms: u64) -> Result<(), SessionError> {
        let line = self.line();
        let at = line.iter().position(|&id| id == self.cursor).unwrap_or(0);
        let to = match step {
            Step::First => 0,
            Step::Previous => at.saturating_sub(1),
            Step::Next => (at + 1).min(line.len() - 1),
            Step::Last => line.len() - 1,
        };
        self.go(line[to], now_ms)
    }

    /// The place that taking a move back leads to: the last one before here where a person has a
    /// choice.
    fn back(&self) -> Option<NodeId> {
        let path = self.record.path(self.cursor);
        let earlier = path.iter().rev().skip(1).copied();
        earlier.into_iter().find(|&id| self.has_choice(id))
    }

    /// The place that making moves again leads to: the next one where a person has a choice, or
    /// the end.
    fn again(&self) -> Option<NodeId> {
        let mut end = None;
        let mut at = self.cursor;
        while let Some(next) = self.forth(at) {
            if self.has_choice(next) {
                return Some(next);
            }
            end = Some(next);
            at = next;
        }
        end
    }

    fn has_choice(&self, id: NodeId) -> bool {
        let Some(position) = self.record.position(id) else {
            return false;
        };
        let is_human = self.mode == Mode::Analyse || self.people.play(position.side());
        is_human && position.forced().is_none() && !self.record.is_over_at(id)
    }

    /// Whether there is a move to take back.
    pub fn can_undo(&self) -> bool {
        self.back().is_some()
    }

    /// Whether there is a move to make again.
    pub fn can_redo(&self) -> bool {
        self.again().is_some()
    }

    /// Goes back to where a person last had a choice. Nothing is deleted.
    pub fn undo(&mut self, now_ms: u64) -> Result<(), SessionError> {
        match self.back() {
            Some(id) => self.go(id, now_ms),
            None => Ok(()),
        }
    }

    /// The way back from [`Session::undo`].
    pub fn redo(&mut self, now_ms: u64) -> Result<(), SessionError> {
        match self.again() {
            Some(id) => self.go(id, now_ms),
            None => Ok(()),
        }
    }

    /// Deletes a move and all behind it.
    pub fn delete(&mut self, id: NodeId, now_ms: u64) -> Result<(), SessionError> {
        let stands_there = self.record.path(self.cursor).contains(&id);
        let parent = self.record.delete(id)?;
        if stands_there {
            self.stand(parent, now_ms);
        }
        let record = &self.record;
        let lives = |id: &NodeId| record.node(*id).is_some();
        self.trail.retain(|from, to| lives(from) && lives(to));
        self.values.retain(|id, _| lives(id));
        self.clocks.retain(|id, _| lives(id));
        self.blunder.take_if(|blunder| !lives(&blunder.node));
        self.flagged.take_if(|(node, _)| !lives(node));
        self.thinking.take_if(|node| !lives(node));
        self.changed();
        Ok(())
    }

    /// Moves a variation up, or all the way to the main line.
    pub fn promote(&mut self, id: NodeId, to_main: bool) -> Result<(), SessionError> {
        if to_main {
            self.record.promote_to_main(id)?;
        } else {
            self.record.promote(id)?;
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
        let before = self.record.node(id).ok_or(TreeError::NoSuchNode(id))?;
        let before = before.note.comment.as_ref().map_or(0, String::len);
        let after = comment_bytes(&self.record) - before + text.len();
        if after > COMMENTS_MAX_BYTES && text.len() > before {
            return Err(SessionError::LongComments);
        }
        let note = self.record.note_mut(id).ok_or(TreeError::NoSuchNode(id))?;
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

    /// Sets the signs of a move, each once.
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) -> Result<(), SessionError> {
        let note = self.record.note_mut(id).ok_or(TreeError::NoSuchNode(id))?;
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
            if let Some(clock) = &mut self.clock {
                clock.stop(now_ms);
            }
        }
        self.changed();
    }

    pub fn set_people(&mut self, people: People) {
        self.people = people;
        self.thinking = None;
        self.changed();
    }

    pub fn set_level(&mut self, level: Profile) {
        self.level = level;
        self.changed();
    }

    /// Shows or hides values.
    pub fn set_show_values(&mut self, show: bool) {
        self.show_values = show;
        self.changed();
    }

    /// Notes that the engine chooses a move here, or does no longer.
    pub fn set_thinking(&mut self, thinking: bool) {
        self.thinking = thinking.then_some(self.cursor);
        self.changed();
    }

    /// Notes a blunder, or that there is none.
    pub fn set_blunder(&mut self, blunder: Option<Blunder>) {
        self.blunder = blunder;
        self.changed();
    }

    /// Keeps what a search found out about a place, unless more is known already. Whether it was
    /// news.
    pub fn learn(&mut self, id: NodeId, report: &Report) -> bool {
        let value = Value {
            score: report.score,
            depth: report.depth,
            solved: report.solved,
        };
        let is_exact = report.bound == game::Bound::Exact;
        let is_news = self
            .values
            .get(&id)
            .is_none_or(|known| value.reach() >= known.reach() && value != *known);
        let learns = self.record.node(id).is_some() && is_exact && is_news;
        if learns {
            self.values.insert(id, value);
        }
        learns
    }

    /// Something else than the above changed what a view shows.
    pub fn changed(&mut self) {
        self.revision += 1;
    }

    pub fn stop_clock(&mut self, now_ms: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now_ms);
        }
        self.changed();
    }

    /// Nothing happens here any more: no clock runs, no engine thinks.
    pub fn stand_still(&mut self, now_ms: u64) {
        self.thinking = None;
        self.stop_clock(now_ms);
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
        if self.mode == Mode::Analyse {
            return;
        }
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

    /// Looks at the clock; whether somebody's time has just run out.
    pub fn look_at_clock(&mut self, now_ms: u64) -> bool {
        let Some(clock) = &mut self.clock else {
            return false;
        };
        if clock.running().is_none() || self.flagged.is_some_and(|(at, _)| at == self.cursor) {
            return false;
        }
        let Some(side) = clock.flagged(now_ms) else {
            return false;
        };
        clock.stop(now_ms);
        self.flagged = Some((self.cursor, side));
        self.thinking = None;
        self.changed();
        true
    }

    /// When to look at the clock again: the moment that the running time is over.
    pub fn next_flag_ms(&self, now_ms: u64) -> Option<u64> {
        let clock = self.clock.as_ref()?;
        let left = clock.remaining_ms(clock.running()?, now_ms)?;
        Some(now_ms.saturating_add(left))
    }
}

/// How long all comments are together.
fn comment_bytes(record: &Record) -> usize {
    let all = std::iter::once(record.root()).chain(record.descendants(record.root()));
    all.filter_map(|id| record.node(id)?.note.comment.as_ref())
        .map(String::len)
        .sum()
}

/// Whether a record from outside is small enough to become a game on the desk.
pub fn check_size(record: &Record) -> Result<(), SessionError> {
    if record.n_nodes() > NODES_MAX {
        return Err(SessionError::TooManyNodes);
    }
    if comment_bytes(record) > COMMENTS_MAX_BYTES {
        return Err(SessionError::LongComments);
    }
    Ok(())
}

/// All placements of a position with what they turn.
pub fn legal_moves(position: &Position) -> Vec<LegalMove> {
    let Position::Othello(position) = position;
    let board = position.board;
    board
        .legal_moves()
        .into_iter()
        .map(|square| LegalMove {
            action: square.into(),
            square: square.index() as u8,
            flips: squares(board.flips(square)),
        })
        .collect()
}

/// A set as numbers, for those who do not know bits.
pub(crate) fn squares(set: othello::Bitboard) -> Vec<u8> {
    set.into_iter().map(|square| square.index() as u8).collect()
}

/// Every disc that touches an empty square, with the number of those it touches.
pub fn frontier(position: &Position) -> Vec<(u8, u8)> {
    let Position::Othello(position) = position;
    let board = position.board;
    board
        .occupied()
        .into_iter()
        .filter_map(|square| {
            let touched = square.bit().neighbours() & board.empties();
            (!touched.is_empty()).then(|| (square.index() as u8, touched.len() as u8))
        })
        .collect()
}

/// The discs that the move leading from one position to the next turned.
pub fn flips_of(before: &Position, action: Move) -> Vec<u8> {
    let (Position::Othello(position), Move::Othello(action)) = (before, action);
    action
        .square()
        .map_or_else(Vec::new, |square| squares(position.board.flips(square)))
}

/// The square of a move; `None` for a pass.
pub fn square_of(action: Move) -> Option<u8> {
    let Move::Othello(action) = action;
    action.square().map(|square| square.index() as u8)
}

#[cfg(test)]
mod tests;
