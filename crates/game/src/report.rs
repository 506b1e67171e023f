//! What an analysis says, from any source: our engine, a foreign program, a database row.

use crate::{Move, Position, Score};
use othello::Side;
use std::{fmt, sync::atomic::AtomicBool};

/// Whether a score is the value itself or a limit of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or more.
    Lower,
    /// The value is the score or less.
    Upper,
}

/// One of the best moves and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move at the root.
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    /// The move and the best play after it, as far as known; passes included.
    pub moves: Vec<Move>,
}

/// How far an analysis looked: `solved`, or `depth 14`. What is solved goes further than any depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reach {
    /// Whether the value is proven to the end of the game.
    pub solved: bool,
    pub depth: u32,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.solved {
            f.pad("solved")
        } else {
            f.pad(&format!("depth {}", self.depth))
        }
    }
}

/// Who made a report.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// The program and its way of searching: `Kibitz`, `Kibitz MCTS`.
    pub engine: String,
    pub version: String,
    /// What its evaluation learned, by name; `None` if it uses none or does not say.
    pub weights: Option<String>,
}

/// `Kibitz 0.1.0 (pattern:shipped)`.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.engine, self.version)?;
        match &self.weights {
            Some(weights) => write!(f, " ({weights})"),
            None => Ok(()),
        }
    }
}

/// The chances of the side to move, per thousand games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chances {
    pub win_permille: u16,
    pub draw_permille: u16,
    pub loss_permille: u16,
}

/// What a search counted besides its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Look-ups in the table of positions.
    pub probes: u64,
    /// Look-ups that found their position.
    pub hits: u64,
    pub stores: u64,
    /// Written entries that displaced another position of the same search.
    pub replacements: u64,
    /// How full the table is, per thousand.
    pub fill_permille: u16,
    /// Nodes left before all their moves were tried, because one refuted the move before; `None` if
    /// the engine does not count them.
    pub cutoffs: Option<u64>,
    /// Nodes answered by a bound from the table, without a search; `None` if the engine does not
    /// count them.
    pub bounds_used: Option<u64>,
}

/// What an analysis found out about a position: of the deepest work that it finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The position. All scores are those of the side to move there.
    pub position: Position,
    /// Who found it out.
    pub source: Source,
    /// The best lines, best first as the engine orders them; none if the game is over.
    pub lines: Vec<Line>,
    /// The value of the position: the first line's, or the final score.
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    pub depth: u32,
    /// Plies of the longest line looked at; `None` if the engine does not say.
    pub selective_depth: Option<u32>,
    /// Whether the score (or, with a bound, the win, draw or loss) is proven.
    pub solved: bool,
    /// How likely each pruning by prediction was right, per thousand; `None` if the engine does not
    /// say.
    pub certainty_permille: Option<u16>,
    /// How the game will probably end; `None` if the engine does not say.
    pub chances: Option<Chances>,
    pub nodes: u64,
    pub time_ms: u64,
    /// What else was counted; `None` if nothing was.
    pub statistics: Option<Statistics>,
}

impl Report {
    /// A report that says nothing yet: a value of 0 by no search.
    pub const fn new(position: Position, source: Source) -> Self {
        Self {
            position,
            source,
            lines: Vec::new(),
            score: Score::ZERO,
            bound: Bound::Exact,
            depth: 0,
            selective_depth: None,
            solved: false,
            certainty_permille: None,
            chances: None,
            nodes: 0,
            time_ms: 0,
            statistics: None,
        }
    }

    /// Whose scores these are: the side to move.
    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// The value for a side.
    pub fn score_for(&self, side: Side) -> Score {
        self.score.seen_by(side, self.side())
    }

    /// The best move; `None` if the game is over or no line is known.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// The line that begins with a move.
    pub fn line(&self, action: Move) -> Option<&Line> {
        self.lines
            .iter()
            .find(|line| line.moves.first() == Some(&action))
    }

    /// How far the analysis looked.
    pub const fn reach(&self) -> Reach {
        Reach {
            solved: self.solved,
            depth: self.depth,
        }
    }
}

/// The outside world of a search or a player that thinks about a position: a clock, a way to stop, a listener.
pub struct Control<'a> {
    /// Milliseconds since whenever the caller likes.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
    /// Set to end the thinking; it is obeyed within milliseconds.
    pub stop: &'a AtomicBool,
    /// Told after each finished piece of work.
    pub observe: &'a mut dyn FnMut(&Report),
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_reaches_further_than_any_depth() {
        let reach = |solved, depth| Reach { solved, depth };
        assert!(reach(true, 3) > reach(false, 60));
        assert!(reach(false, 15) > reach(false, 14));
        assert_eq!(reach(false, 14).to_string(), "depth 14");
        assert_eq!(reach(true, 14).to_string(), "solved");
    }

    #[test]
    fn scores_belong_to_the_side_to_move() {
        let source = Source {
            engine: "Test".to_owned(),
            version: "1".to_owned(),
            weights: Some("mine".to_owned()),
        };
        assert_eq!(source.to_string(), "Test 1 (mine)");
        let start = Position::OTHELLO_START;
        let position = start.play(start.parse_move("f5").unwrap()).unwrap();
        let report = Report {
            score: Score::centi(200),
            ..Report::new(position, source)
        };
        assert_eq!(report.side(), Side::White);
        assert_eq!(report.score_for(Side::White), Score::centi(200));
        assert_eq!(report.score_for(Side::Black), Score::centi(-200));
    }
}
