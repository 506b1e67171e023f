//! A move with the line that is expected after it.

use game::{Bound, Line, Reach, Report, Score};
use othello::{Bitboard, Move, Position, Side, Square};

/// A move that is compared with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub square: Square,
    /// Its value for the side that makes it.
    pub score: Score,
    /// Plies searched, this move included.
    pub depth: u32,
    /// Whether the score is proven.
    pub solved: bool,
    /// The move and the best play after it, checked by the rules; at most as long as the search
    /// was deep.
    pub moves: Vec<Move>,
    /// The positions before the first move and after each.
    positions: Vec<Position>,
}

impl Candidate {
    /// A line of a report about `root`; `None` if it does not begin with a legal placement.
    pub(crate) fn from_line(root: Position, report: &Report, line: &Line) -> Option<Self> {
        let moves = line.moves.iter().filter_map(|action| action.othello());
        let solved = report.solved && line.bound == Bound::Exact;
        Self::new(root, moves, line.score, report.depth, solved)
    }

    /// A move whose value is known from a report about the position after it.
    pub(crate) fn from_reply(root: Position, square: Square, report: &Report) -> Option<Self> {
        let replies = report.lines.first().map_or(&[][..], |line| &line.moves[..]);
        let replies = replies.iter().filter_map(|action| action.othello());
        let moves = std::iter::once(Move::Place(square)).chain(replies);
        let solved = report.solved && report.bound == Bound::Exact;
        Self::new(root, moves, -report.score, report.depth + 1, solved)
    }

    /// A move that ends the game.
    pub(crate) fn final_move(root: Position, square: Square) -> Option<Self> {
        let last = root.play(square).ok()?;
        let score = Score::centi(-100 * last.board.final_score());
        Self::new(root, [Move::Place(square)], score, 1, true)
    }

    /// A move with its line as it was kept; `None` if it does not begin with a legal placement.
    pub fn recalled(root: Position, moves: &[Move], score: Score, reach: Reach) -> Option<Self> {
        Self::new(
            root,
            moves.iter().copied(),
            score,
            reach.depth,
            reach.solved,
        )
    }

    /// Keeps the moves as far as the rules allow them. An analyst may remember more of a line than
    /// it has searched; what lies beyond the depth says nothing about the score.
    fn new(
        root: Position,
        moves: impl IntoIterator<Item = Move>,
        score: Score,
        depth: u32,
        solved: bool,
    ) -> Option<Self> {
        let mut positions = vec![root];
        let mut kept = Vec::new();
        let mut placed = 0;
        let mut at = root;
        for action in moves {
            if placed == depth.max(1) && !solved {
                break;
            }
            let next = match action {
                Move::Place(square) => at.play(square),
                Move::Pass => at.pass(),
            };
            let Ok(next) = next else { break };
            placed += u32::from(action != Move::Pass);
            at = next;
            kept.push(action);
            positions.push(at);
        }
        let square = kept.first()?.square()?;
        Some(Self {
            square,
            score,
            depth,
            solved,
            moves: kept,
            positions,
        })
    }

    /// How far the search looked.
    pub const fn reach(&self) -> Reach {
        Reach {
            solved: self.solved,
            depth: self.depth,
        }
    }

    /// How many more plies the search looked than the line shows; 0 if the line is as long as it
    /// can be. What is proven goes to the end of the game.
    pub(crate) fn missing_plies(&self) -> u32 {
        if self.is_complete() {
            0
        } else if self.solved {
            self.end().board.empties().len()
        } else {
            self.depth.saturating_sub(self.placed())
        }
    }

    /// Discs placed along the line.
    pub(crate) fn placed(&self) -> u32 {
        let placed = self.moves.iter().filter(|action| **action != Move::Pass);
        placed.count() as u32
    }

    /// The same move with another value.
    pub(crate) const fn worth(mut self, score: Score) -> Self {
        self.score = score;
        self
    }

    /// The same move with more of its line.
    pub(crate) fn extended(self, more: impl IntoIterator<Item = Move>) -> Self {
        let moves = self.moves.iter().copied().chain(more);
        let root = self.position_after(0);
        let longer = Self::new(root, moves, self.score, self.depth, self.solved);
        longer.unwrap_or(self)
    }

    /// The position after so many plies of the line, or at its end.
    pub fn position_after(&self, plies: usize) -> Position {
        self.positions[plies.min(self.moves.len())]
    }

    /// The position after the move.
    pub fn after(&self) -> Position {
        self.position_after(1)
    }

    /// The position at the end of the line.
    pub fn end(&self) -> Position {
        self.position_after(self.moves.len())
    }

    /// The squares on which a side plays within so many plies of the line.
    pub(crate) fn played_by(&self, side: Side, plies: usize) -> Bitboard {
        let moves = self.moves.iter().take(plies).enumerate();
        let own = moves.filter(|&(ply, _)| self.positions[ply].side == side);
        own.filter_map(|(_, action)| action.square()).collect()
    }

    /// What the opponent is expected to play.
    pub fn reply(&self) -> Option<Move> {
        self.moves.get(1).copied()
    }

    /// Whether the line goes to the end of the game.
    pub fn is_complete(&self) -> bool {
        self.end().board.is_game_over()
    }
}
