//! What a judged move of a review says about the positions before and after it.

use super::ReviewedMove;
use crate::{explain::Origin, review::GraphPoint};
use coach::explain::Judgement;
use game::{Bound, Line, Move, Reach, Report, Side};

impl ReviewedMove {
    /// What the position after it is worth.
    pub(super) fn point(&self) -> GraphPoint {
        let played = &self.judged.judgement.played;
        let after = played.after();
        let reach = Reach {
            depth: played.depth.saturating_sub(1),
            solved: played.solved,
        };
        let score = played.score.seen_by(after.side, self.judged.side());
        GraphPoint::new(after, score, reach, true)
    }

    /// Where its judgement comes from.
    pub(super) fn origin(&self) -> Origin {
        Origin::of(&self.report())
    }

    pub const fn side(&self) -> Side {
        self.judged.side()
    }

    /// What the search before the move said.
    pub fn report(&self) -> Report {
        let Judgement { best, played, .. } = &self.judged.judgement;
        let line = |candidate: &coach::explain::Candidate| Line {
            score: candidate.score,
            bound: Bound::Exact,
            moves: candidate.moves.iter().copied().map(Move::from).collect(),
        };
        let mut lines = vec![line(best)];
        if played.square != best.square {
            lines.push(line(played));
        }
        Report {
            lines,
            score: best.score,
            depth: best.depth,
            solved: best.solved,
            ..Report::new(self.judged.position.into(), self.source.clone())
        }
    }

    /// What it said about the position after the move; `None` if there is no such position.
    pub(super) fn report_after(&self) -> Option<Report> {
        let played = &self.judged.judgement.played;
        // The position right after the move is the opponent's, even where all it can do is pass.
        let after = self.judged.position.play(self.judged.square()).ok()?;
        Some(Report {
            score: -played.score,
            depth: played.depth.saturating_sub(1),
            solved: played.solved,
            ..Report::new(after.into(), self.source.clone())
        })
    }
}
