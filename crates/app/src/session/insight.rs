//! What was found out about the positions of a game: their values, the last blunder, and whether
//! values may be seen. A value is what a position is worth with best play as far as the search
//! looked, never the average of a Monte Carlo search.

use coach::explain::Severity;
use game::{Bound, Move, NodeId, Position, Reach, Record, Report, Score, Side};
use std::collections::HashMap;

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

/// How a mistake stands with a reader who is asked to find a better move. It belongs to the place
/// before the mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    /// The reader found a better move.
    Found,
    /// The reader had the answer shown.
    Seen,
}

/// Values and the last blunder of a game.
#[derive(Debug, Clone, Default)]
pub(super) struct Insight {
    /// Whether values may be seen in Play.
    pub(super) show_values: bool,
    pub(super) values: HashMap<NodeId, Value>,
    pub(super) blunder: Option<Blunder>,
    /// Mistakes that a reader has tried; the others are still to be tried.
    pub(super) tried: HashMap<NodeId, Tried>,
}

impl Insight {
    /// What a place is worth, if a search has looked, or if the game is over there.
    pub(super) fn value(&self, record: &Record, id: NodeId) -> Option<Value> {
        let position = record.position(id)?;
        let Some(outcome) = record.outcome_at(id) else {
            let known = self.values.get(&id).copied();
            return known.or_else(|| self.behind_pass(record, id));
        };
        let score = match (outcome.black_centidiscs, outcome.winner) {
            (Some(black), _) => Score::centi(black).seen_by(position.side(), Side::Black),
            (None, None) => Score::ZERO,
            // Chess: the side to move is mated.
            (None, Some(_)) => Score::mated_in(0),
        };
        Some(Value {
            score,
            depth: 0,
            solved: true,
        })
    }

    /// Where a side has to pass, the position is worth what it is worth behind the pass.
    fn behind_pass(&self, record: &Record, id: NodeId) -> Option<Value> {
        let pass = record.position(id)?.forced()?;
        let mut children = record.children(id).iter();
        let behind = children.find(|&&it| record.node(it).and_then(|it| it.action()) == Some(pass));
        let value = self.value(record, *behind?)?;
        Some(Value {
            score: -value.score,
            ..value
        })
    }

    /// What the move that led to a place gave away, where both ends were valued.
    pub(super) fn loss(&self, record: &Record, id: NodeId) -> Option<Score> {
        let node = record.node(id)?;
        let parent = node.parent()?;
        let mover = record.position(parent)?.side();
        let before = self.value(record, parent)?.score;
        let after = self.value(record, id)?;
        let after = after.score.seen_by(mover, node.position().side());
        Some((before - after).max(Score::ZERO))
    }

    /// How bad the move was that led to a place, where both ends were valued.
    pub(super) fn severity(&self, record: &Record, id: NodeId) -> Option<Severity> {
        let parent = record.node(id)?.parent()?;
        let (before, after) = (self.value(record, parent)?, self.value(record, id)?);
        let played = before.score - self.loss(record, id)?;
        Some(match record.position(parent)? {
            Position::Othello(position) => Severity::of_scores(
                before.score,
                played,
                position.board.empties().len(),
                before.solved && after.solved,
            ),
            Position::Chess(_) => Severity::of_pawns(before.score, played),
        })
    }

    /// Keeps what a search found, unless more is known already. Whether it was news.
    pub(super) fn learn(&mut self, record: &Record, id: NodeId, report: &Report) -> bool {
        let value = Value {
            score: report.score,
            depth: report.depth,
            solved: report.solved,
        };
        let is_exact = report.bound == Bound::Exact;
        let is_news = self
            .values
            .get(&id)
            .is_none_or(|known| value.reach() >= known.reach() && value != *known);
        let learns = record.node(id).is_some() && is_exact && is_news;
        if learns {
            self.values.insert(id, value);
        }
        learns
    }

    /// Forgets what belongs to places that are gone.
    pub(super) fn retain(&mut self, record: &Record) {
        let lives = |id: &NodeId| record.node(*id).is_some();
        self.values.retain(|id, _| lives(id));
        self.tried.retain(|id, _| lives(id));
        self.blunder.take_if(|blunder| !lives(&blunder.node));
    }
}
