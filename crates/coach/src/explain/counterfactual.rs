//! Why not here? A move and the reply to it, beside the best move and the reply to that.

use super::{
    Explainer, SideDelta,
    candidate::Candidate,
    explainer::{Compared, ExplainError, JUDGEMENT_LINES, candidates, check},
};
use crate::Analyst;
use game::Score;
use othello::{Move, Position, Side, Square};

/// Two plies of one of the compared moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The move with its value.
    pub candidate: Candidate,
    /// The expected reply; `None` if the game ends with the move.
    pub reply: Option<Move>,
    /// The position after both.
    pub position: Position,
}

/// What happens if another move is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterfactual {
    /// The move that was asked about, with its reply.
    pub asked: Branch,
    /// The best move with its reply; the same if the best move was asked about.
    pub best: Branch,
    /// The asked move's score minus the best one's.
    pub score: Score,
    /// Features after the asked move and its reply minus those after the best one and its reply,
    /// for Black and for White.
    pub features: [SideDelta; 2],
}

impl Counterfactual {
    /// The difference of one side's features.
    pub const fn side(&self, side: Side) -> &SideDelta {
        &self.features[side.index()]
    }
}

impl Explainer {
    /// Looks two plies into a move and compares it with the best one.
    pub fn counterfactual<A: Analyst>(
        &mut self,
        analyst: &mut A,
        position: Position,
        asked: Square,
    ) -> Result<Counterfactual, ExplainError<A::Error>> {
        check(position, Some(asked))?;
        let Compared { best, other, .. } =
            candidates(analyst, position, Some(asked), JUDGEMENT_LINES)?;
        let asked = match other {
            Some(other) if best.square != asked => other,
            _ => best.clone(),
        };
        let score = asked.score - best.score;
        let (asked, best) = (branch(asked), branch(best));
        let (with_asked, with_best) = (
            self.cache.get(asked.position),
            self.cache.get(best.position),
        );
        let features = Side::BOTH.map(|side| with_asked.side(side).minus(with_best.side(side)));
        Ok(Counterfactual {
            asked,
            best,
            score,
            features,
        })
    }
}

fn branch(candidate: Candidate) -> Branch {
    Branch {
        reply: candidate.reply(),
        position: candidate.position_after(2),
        candidate,
    }
}
