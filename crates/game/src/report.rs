//! What an analysis says, whoever made it: our engine, a foreign program, a database row.

use crate::Move;
use std::fmt;

/// A value for the side to move in hundredths: centidiscs in Othello.
///
/// ```
/// use game::Score;
/// assert_eq!(Score(600).to_string(), "+6");
/// assert_eq!(Score(-125).to_string(), "-1.25");
/// assert_eq!((-Score(250)).to_string(), "-2.50");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// Hundredths.
    pub const fn centidiscs(self) -> i32 {
        self.0
    }

    /// Whole units: discs in Othello.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl std::ops::Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl std::ops::Sub for Score {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// `+6`, `-1.25`, `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0"),
            whole if whole % 100 == 0 => f.pad(&format!("{:+}", whole / 100)),
            _ => f.pad(&format!("{:+.2}", self.discs())),
        }
    }
}

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

/// What an analysis found out about a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The best lines, best first; none if the game is over.
    pub lines: Vec<Line>,
    /// The value of the position for the side to move: the first line's, or the final score.
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    /// Plies searched.
    pub depth: u32,
    /// Whether the score (or, with a bound, the win, draw or loss) is proven.
    pub solved: bool,
    /// How likely each forward pruning was right, per thousand; `None` if nobody said so.
    pub certainty_permille: Option<u16>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time_ms: u64,
    /// How full the memory of positions was, per thousand; `None` if nobody said so.
    pub table_permille: Option<u16>,
}

impl Report {
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

    /// How far the analysis looked, in words: `solved` or `depth 14`.
    pub fn reach(&self) -> String {
        if self.solved {
            "solved".to_owned()
        } else {
            format!("depth {}", self.depth)
        }
    }
}
