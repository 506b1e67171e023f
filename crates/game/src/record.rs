//! A game with everything that was ever tried in it: a tree of moves with comments.

use crate::{
    Claim, Ending, IllegalMoveError, Move, Outcome, ParseMoveError, Position, Tags, Termination,
};
use std::fmt;

/// How often a position of chess has stood on the board when a draw may be claimed, and when the
/// game is over.
const REPETITIONS_CLAIM: usize = 3;
const REPETITIONS_END: usize = 5;

/// A place in a record: the position before the first move, or after one.
///
/// An id means the same place as long as the record lives, whatever else is edited; ids of
/// deleted places are not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The number, for addresses and databases.
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// So that ids which went out as numbers can come back; the record checks them.
impl From<u32> for NodeId {
    fn from(index: u32) -> Self {
        Self(index)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A numeric annotation glyph as PGN numbers them: 1 is `!`, 2 is `?`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Glyph(pub u8);

impl Glyph {
    /// `!`
    pub const GOOD: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const INTERESTING: Self = Self(5);
    /// `?!`
    pub const DUBIOUS: Self = Self(6);

    /// What people write, where they write something.
    pub const fn symbol(self) -> Option<&'static str> {
        match self.0 {
            1 => Some("!"),
            2 => Some("?"),
            3 => Some("!!"),
            4 => Some("??"),
            5 => Some("!?"),
            6 => Some("?!"),
            _ => None,
        }
    }
}

/// `!`, or `$42` where there is no symbol.
impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.symbol() {
            Some(symbol) => f.pad(symbol),
            None => f.pad(&format!("${}", self.0)),
        }
    }
}

/// What was written down beside a move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    /// Free text before the move: what opens a variation.
    pub before: Option<String>,
    /// Free text after the move; for the root, about the game. Texts that came one by one are
    /// paragraphs, with an empty line between them.
    pub comment: Option<String>,
    /// Annotation glyphs, each once.
    pub glyphs: Vec<Glyph>,
    /// What the player's program thought of it, as the source has it: for the side that moved.
    pub eval: Option<String>,
    /// The time used, as the source has it.
    pub time: Option<String>,
}

impl Note {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A place of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    parent: Option<(NodeId, Move)>,
    children: Vec<NodeId>,
    position: Position,
    /// What was written here.
    pub note: Note,
}

impl Node {
    /// The place before the move; `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent.map(|(parent, _)| parent)
    }

    /// The move that leads here; `None` for the root.
    pub fn action(&self) -> Option<Move> {
        self.parent.map(|(_, action)| action)
    }

    /// The moves tried from here, the main one first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    pub const fn position(&self) -> &Position {
        &self.position
    }
}

/// A place that an edit cannot work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The id is not one of this record, or the place was deleted.
    #[error("the record has no place {0}; it may have been deleted")]
    NoSuchNode(NodeId),
    /// The root has no move that could be deleted or promoted.
    #[error("the start of a record cannot be deleted or promoted")]
    Root,
    /// More places than can be numbered.
    #[error("the record is full")]
    Full,
}

/// A move that cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddMoveError {
    /// There is no such place.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The text is not a move.
    #[error(transparent)]
    Text(#[from] ParseMoveError),
    /// The rules forbid it.
    #[error("{action} is not legal here: {error}")]
    Illegal {
        action: Move,
        error: IllegalMoveError,
    },
}

/// A game: what is known about it, where it began, all moves that were played or tried, and how
/// it ended.
///
/// There is no cursor: several readers may look at different places. Passes are moves of their
/// own, as in [`othello::Game`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What is known about the game as a whole.
    pub tags: Tags,
    /// How the game ended, if that is known; the moves may say otherwise.
    pub outcome: Option<Outcome>,
    /// Places by id; deleted ones leave a hole, so that ids stay stable.
    nodes: Vec<Option<Node>>,
}

impl Record {
    /// The place before the first move, in every record.
    pub const ROOT: NodeId = NodeId(0);

    /// A record without moves.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Tags::default(),
            outcome: None,
            nodes: vec![Some(Node {
                parent: None,
                children: Vec::new(),
                position: start,
                note: Note::default(),
            })],
        }
    }

    /// The place before the first move: [`Record::ROOT`].
    pub const fn root(&self) -> NodeId {
        Self::ROOT
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        self.slot(Self::ROOT).position()
    }

    /// How many places there are, the root included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.iter().flatten().count()
    }

    /// A place, if it exists.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)?.as_ref()
    }

    /// A place's note, to be edited.
    pub fn note_mut(&mut self, id: NodeId) -> Option<&mut Note> {
        self.node_mut(id).map(|node| &mut node.note)
    }

    /// The position at a place, if it exists.
    pub fn position(&self, id: NodeId) -> Option<&Position> {
        self.node(id).map(Node::position)
    }

    /// The places after a place, the main one first; none if it does not exist.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], Node::children)
    }

    /// The places from the root to this one, both included; empty if it does not exist.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = self.node(id).map(|_| id);
        while let Some(id) = at {
            path.push(id);
            at = self.node(id).and_then(Node::parent);
        }
        path.reverse();
        path
    }

    /// The moves that lead to a place as a game of their own, without variations, notes and tags.
    #[must_use]
    pub fn only_to(&self, id: NodeId) -> Self {
        let mut line = Self::new(self.start().clone());
        let mut end = Self::ROOT;
        for action in self.moves_to(id) {
            // What is legal here is legal there.
            let Ok(next) = line.add(end, action) else {
                break;
            };
            end = next;
        }
        line
    }

    /// The moves from the root to a place.
    pub fn moves_to(&self, id: NodeId) -> Vec<Move> {
        let path = self.path(id);
        path.iter()
            .filter_map(|&id| self.node(id)?.action())
            .collect()
    }

    /// The places of the main line after the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_from(Self::ROOT)
    }

    /// The places that follow one along first children, itself excluded.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let first = move |id: NodeId| self.children(id).first().copied();
        std::iter::successors(first(id), move |&id| first(id))
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self.node(id)?.action())
    }

    /// The end of the main line.
    pub fn main_end(&self) -> NodeId {
        self.main_line().last().unwrap_or(Self::ROOT)
    }

    /// Whether a place stands on the main line; the root does.
    pub fn is_main(&self, id: NodeId) -> bool {
        id == Self::ROOT || self.main_line().any(|main| main == id)
    }

    /// All places below one, depth first, main line first; itself excluded.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants {
            record: self,
            stack: self.children(id).iter().rev().copied().collect(),
        }
    }

    /// All moves and variations in the order of a text.
    pub fn tour(&self) -> Tour<'_> {
        Tour {
            record: self,
            todo: vec![Step::After(Self::ROOT)],
        }
    }

    /// The place after a move, if that move was tried from here.
    pub fn child(&self, id: NodeId, action: Move) -> Option<NodeId> {
        self.children(id)
            .iter()
            .copied()
            .find(|&child| self.node(child).and_then(Node::action) == Some(action))
    }

    /// The place that these moves lead to from the root, if it exists.
    pub fn find(&self, moves: &[Move]) -> Option<NodeId> {
        moves
            .iter()
            .try_fold(Self::ROOT, |at, &action| self.child(at, action))
    }

    /// Adds a move after a place, as its last variation; a move that was tried already is not
    /// added again. Gives the place after the move.
    pub fn add(&mut self, id: NodeId, action: Move) -> Result<NodeId, AddMoveError> {
        match self.child(id, action) {
            Some(child) => Ok(child),
            None => self.add_new(id, action),
        }
    }

    /// Adds a move after a place, as a variation of its own even if that move was tried already:
    /// texts may have two variations that begin alike.
    pub fn add_new(&mut self, id: NodeId, action: Move) -> Result<NodeId, AddMoveError> {
        let node = self.node(id).ok_or(TreeError::NoSuchNode(id))?;
        let position = node
            .position
            .play(action)
            .map_err(|error| AddMoveError::Illegal { action, error })?;
        let child = NodeId(u32::try_from(self.nodes.len()).map_err(|_| TreeError::Full)?);
        self.nodes.push(Some(Node {
            parent: Some((id, action)),
            children: Vec::new(),
            position,
            note: Note::default(),
        }));
        if let Some(node) = self.node_mut(id) {
            node.children.push(child);
        }
        Ok(child)
    }

    /// Adds a move as people write it, after the pass that is due if one is.
    pub fn add_text(&mut self, id: NodeId, text: &str) -> Result<NodeId, AddMoveError> {
        let position = self.position(id).ok_or(TreeError::NoSuchNode(id))?;
        self.add_with_pass(id, position.parse_move(text)?)
    }

    /// Adds a move; if the side to move must pass first, its pass is added before.
    pub fn add_with_pass(&mut self, id: NodeId, action: Move) -> Result<NodeId, AddMoveError> {
        let position = self.position(id).ok_or(TreeError::NoSuchNode(id))?;
        let Some(pass) = position.forced().filter(|&pass| pass != action) else {
            return self.add(id, action);
        };
        // Nothing is added unless both can be.
        let both = position.play(pass).and_then(|passed| passed.play(action));
        both.map_err(|error| AddMoveError::Illegal { action, error })?;
        let passed = self.add(id, pass)?;
        self.add(passed, action)
    }

    /// Adds moves one after the other; gives the last place. Moves before an illegal one stay.
    pub fn add_line(
        &mut self,
        id: NodeId,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<NodeId, AddMoveError> {
        moves
            .into_iter()
            .try_fold(id, |at, action| self.add(at, action))
    }

    /// Moves a variation one place up among its siblings; the first stays first.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.reorder(id, |at| at.saturating_sub(1))
    }

    /// Moves a variation one place down among its siblings; the last stays last.
    pub fn demote(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.reorder(id, |at| at + 1)
    }

    /// Makes a place part of the main line: it and all before it become first children.
    pub fn promote_to_main(&mut self, id: NodeId) -> Result<(), TreeError> {
        if self.node(id).is_none() {
            return Err(TreeError::NoSuchNode(id));
        }
        for id in self.path(id).into_iter().skip(1) {
            self.reorder(id, |_| 0)?;
        }
        Ok(())
    }

    /// Deletes a move with all that follows it; gives the place before it.
    pub fn delete(&mut self, id: NodeId) -> Result<NodeId, TreeError> {
        let parent = self.parent_of(id)?;
        let doomed: Vec<NodeId> = self.descendants(id).collect();
        if let Some(node) = self.node_mut(parent) {
            node.children.retain(|&child| child != id);
        }
        for id in doomed.into_iter().chain([id]) {
            self.nodes[id.0 as usize] = None;
        }
        Ok(parent)
    }

    /// Deletes every variation and keeps the main line.
    pub fn delete_variations(&mut self) -> Result<(), TreeError> {
        let main: Vec<NodeId> = std::iter::once(Self::ROOT)
            .chain(self.main_line())
            .collect();
        for id in main {
            let others: Vec<NodeId> = self.children(id).iter().skip(1).copied().collect();
            for child in others {
                self.delete(child)?;
            }
        }
        Ok(())
    }

    /// The outcome as recorded, or else as the rules say at the end of the main line.
    pub fn result(&self) -> Option<Outcome> {
        self.outcome.or_else(|| self.outcome_at(self.main_end()))
    }

    /// The outcome by the rules, if they end the game at a place; `None` if the place does not exist.
    /// The record answers this, and not the position, because the moves before a position may decide
    /// it.
    pub fn outcome_at(&self, id: NodeId) -> Option<Outcome> {
        let position = self.position(id)?;
        let drawn = || Outcome::decided(None, Termination::Normal);
        Outcome::of(position).or_else(|| self.ending_at(id).map(|_| drawn()))
    }

    /// Which rule ends the game at a place; `None` if none does.
    pub fn ending_at(&self, id: NodeId) -> Option<Ending> {
        let position = self.position(id)?;
        position.ending().or_else(|| {
            let is_repeated = self.repetitions(id) >= REPETITIONS_END;
            is_repeated.then_some(Ending::Repetition)
        })
    }

    /// The draw that the side to move may claim at a place; `None` where the game is over.
    pub fn claim_at(&self, id: NodeId) -> Option<Claim> {
        let chess = self.position(id)?.chess()?;
        let claim = if self.repetitions(id) >= REPETITIONS_CLAIM {
            Claim::Repetition
        } else if chess.is_fifty_moves() {
            Claim::FiftyMoves
        } else {
            return None;
        };
        (!self.is_over_at(id)).then_some(claim)
    }

    /// How often the position of a place has stood on the board, this time included. Positions of
    /// Othello never come again, and none of chess does behind a capture or a pawn's move.
    fn repetitions(&self, id: NodeId) -> usize {
        let Some(position @ Position::Chess(chess)) = self.position(id) else {
            return 0;
        };
        let before = |id: &NodeId| self.node(*id).and_then(Node::parent);
        std::iter::successors(Some(id), before)
            .take(chess.quiet_plies() + 1)
            // Those with the same side to move.
            .step_by(2)
            .filter(|it| self.position(*it) == Some(position))
            .count()
    }

    /// Whether the rules end the game at a place.
    pub fn is_over_at(&self, id: NodeId) -> bool {
        self.outcome_at(id).is_some()
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0 as usize)?.as_mut()
    }

    /// A place that is known to exist.
    fn slot(&self, id: NodeId) -> &Node {
        self.node(id)
            .expect("the root is never deleted, and lines are made of children")
    }

    fn parent_of(&self, id: NodeId) -> Result<NodeId, TreeError> {
        let node = self.node(id).ok_or(TreeError::NoSuchNode(id))?;
        node.parent().ok_or(TreeError::Root)
    }

    /// Moves a child to another place among its siblings, as far as there is one.
    fn reorder(&mut self, id: NodeId, to: impl Fn(usize) -> usize) -> Result<(), TreeError> {
        let parent = self.parent_of(id)?;
        let Some(node) = self.node_mut(parent) else {
            return Err(TreeError::NoSuchNode(parent));
        };
        if let Some(at) = node.children.iter().position(|&child| child == id) {
            let to = to(at).min(node.children.len() - 1);
            let child = node.children.remove(at);
            node.children.insert(to, child);
        }
        Ok(())
    }
}

/// A stop on the way through a record as texts write it; see [`Record::tour`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Move(NodeId),
    /// A variation that takes the place of the move before begins, or ends.
    Open,
    Close,
}

/// All moves in the order of a text: each main move, the variations in its place, what follows.
#[derive(Debug, Clone)]
pub struct Tour<'a> {
    record: &'a Record,
    todo: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// A move, with the variations in its place if it is the main one.
    Move(NodeId, bool),
    /// What follows a place.
    After(NodeId),
    Open,
    Close,
}

impl Iterator for Tour<'_> {
    type Item = Stop;

    fn next(&mut self) -> Option<Stop> {
        loop {
            match self.todo.pop()? {
                Step::Open => return Some(Stop::Open),
                Step::Close => return Some(Stop::Close),
                Step::After(id) => {
                    let first = self.record.children(id).first();
                    self.todo.extend(first.map(|it| Step::Move(*it, true)));
                }
                Step::Move(id, is_main) => {
                    self.todo.push(Step::After(id));
                    let parent = self.record.node(id).and_then(Node::parent);
                    let others = parent.map_or(&[][..], |it| self.record.children(it));
                    let others = if is_main { others } else { &[] };
                    for other in others.iter().skip(1).rev() {
                        let variation = [Step::Close, Step::Move(*other, false), Step::Open];
                        self.todo.extend(variation);
                    }
                    return Some(Stop::Move(id));
                }
            }
        }
    }
}

/// Places below one; see [`Record::descendants`].
#[derive(Debug, Clone)]
pub struct Descendants<'a> {
    record: &'a Record,
    stack: Vec<NodeId>,
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.stack.pop()?;
        let children = self.record.children(id).iter().rev();
        self.stack.extend(children.copied());
        Some(id)
    }
}
