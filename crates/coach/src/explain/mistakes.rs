//! What kind of mistake a move was, and what it cost.

use super::{
    Explainer,
    candidate::Candidate,
    explainer::{ExplainError, check},
    features::{Features, board_of},
    verdict::{AS_GOOD, Certainty, Compared, Wanted, compared, loss},
    winning_chances,
};
use crate::Analyst;
use game::{Glyph, Score};
use othello::{Bitboard, Move, Position, Side, Square, SquareKind};
use std::fmt;

/// The kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MistakeClass {
    /// At least three own moves fewer and two replies more than after the best move.
    MobilityLeak,
    /// An odd region of five or more squares passes under the opponent's control within two plies.
    ParityFlip,
    /// Three or more frontier discs more than after the best move, with 24 or more empty squares.
    FrontierBloat,
    /// A move to an X square that lets the opponent take the corner and costs a disc or more.
    XSquarePoison,
    /// A loss of 0.6 discs or more that none of the others explains.
    TempoWaste,
}

impl MistakeClass {
    pub const fn name(self) -> &'static str {
        match self {
            Self::MobilityLeak => "mobility leak",
            Self::ParityFlip => "parity flip",
            Self::FrontierBloat => "frontier bloat",
            Self::XSquarePoison => "X-square poison",
            Self::TempoWaste => "tempo waste",
        }
    }
}

impl fmt::Display for MistakeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The thresholds of the classes.
mod threshold {
    pub(super) const MOBILITY: i32 = -3;
    pub(super) const OPPONENT_MOBILITY: i32 = 2;
    pub(super) const ODD_REGION_SIZE: u32 = 5;
    pub(super) const FRONTIER: i32 = 3;
    pub(super) const FRONTIER_EMPTIES: u32 = 24;
    pub(super) const POISON: i32 = 100;
    pub(super) const TEMPO: i32 = -60;
}

/// An odd region that changes hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParityFlip {
    /// The region before the move, under the mover's control.
    pub region: Bitboard,
    /// Its largest part after the move and the reply, under the opponent's.
    pub left: Bitboard,
}

/// What a move is judged by: the position after it compared with the position after the best one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// Empty squares before the move.
    pub empties: u32,
    /// The mover's moves, as if it were its turn again: after the played minus after the best move.
    pub mobility: i32,
    /// The opponent's replies, likewise.
    pub opponent_mobility: i32,
    /// The mover's frontier discs, likewise.
    pub frontier: i32,
    /// The corner, if the move is on its X square and the opponent can take it next.
    pub poisoned_corner: Option<Square>,
    /// The region, if one changes hands with the move and the reply.
    pub parity_flip: Option<ParityFlip>,
    /// The played move's score minus the best one's.
    pub score: Score,
}

impl Evidence {
    /// Collects the evidence about `played` where `best` was possible; `None` if one of the moves
    /// is not legal. `reply` is the opponent's expected answer to the played move.
    pub fn of(
        position: Position,
        best: Square,
        played: Square,
        reply: Option<Move>,
        score: Score,
    ) -> Option<Self> {
        let mover = position.side;
        let (with_best, with_played) = (position.play(best).ok()?, position.play(played).ok()?);
        let difference =
            |of: &dyn Fn(Position) -> u32| of(with_played) as i32 - of(with_best) as i32;
        let corner = played.nearest_corner();
        let can_take = with_played.board.legal_moves().contains(corner);
        Some(Self {
            empties: position.board.empties().len(),
            mobility: difference(&|p| board_of(p, mover).mobility()),
            opponent_mobility: difference(&|p| board_of(p, mover.other()).mobility()),
            frontier: difference(&|p| board_of(p, mover).frontier().len()),
            poisoned_corner: (played.kind() == SquareKind::X && can_take).then_some(corner),
            parity_flip: reply.and_then(|reply| parity_flip(position, with_played, reply)),
            score,
        })
    }

    /// The classes that the evidence meets, in their order. A move that is as good as the best is no
    /// mistake, whatever it looks like.
    pub fn classes(&self) -> Vec<MistakeClass> {
        use MistakeClass::{FrontierBloat, MobilityLeak, ParityFlip, TempoWaste, XSquarePoison};
        if -self.score.hundredths() <= AS_GOOD {
            return Vec::new();
        }
        let leak = self.mobility <= threshold::MOBILITY
            && self.opponent_mobility >= threshold::OPPONENT_MOBILITY;
        let bloat =
            self.frontier >= threshold::FRONTIER && self.empties >= threshold::FRONTIER_EMPTIES;
        let poison =
            self.poisoned_corner.is_some() && -self.score.hundredths() >= threshold::POISON;
        let mut classes: Vec<MistakeClass> = [
            (leak, MobilityLeak),
            (self.parity_flip.is_some(), ParityFlip),
            (bloat, FrontierBloat),
            (poison, XSquarePoison),
        ]
        .into_iter()
        .filter_map(|(met, class)| met.then_some(class))
        .collect();
        if classes.is_empty() && self.score.hundredths() <= threshold::TEMPO {
            classes.push(TempoWaste);
        }
        classes
    }
}

/// An odd region of the mover's that the opponent controls after the move and the reply. Control
/// is compared when it is the mover's turn again: it would change with every ply otherwise.
fn parity_flip(before: Position, after: Position, reply: Move) -> Option<ParityFlip> {
    let mover = before.side;
    let later = match reply {
        Move::Place(square) => after.play(square).ok()?,
        Move::Pass => after.pass().ok()?,
    };
    let now = Features::of(later);
    let flip = |region: Bitboard| {
        let parts = now.regions.iter();
        let left = parts
            .filter(|part| part.squares.is_subset(region))
            .max_by_key(|part| (part.size(), std::cmp::Reverse(part.squares)))?;
        (left.controller != mover).then_some(ParityFlip {
            region,
            left: left.squares,
        })
    };
    Features::of(before)
        .regions
        .iter()
        .filter(|region| region.is_odd() && region.size() >= threshold::ODD_REGION_SIZE)
        .filter(|region| region.controller == mover)
        .find_map(|region| flip(region.squares))
}

/// A class with what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub class: MistakeClass,
    pub text: String,
    /// The squares to highlight.
    pub squares: Bitboard,
    /// The moves that show it, from the judged position on.
    pub line: Vec<Move>,
}

/// How bad a move was, by the winning chances that it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing to speak of: less than 5 in 100.
    Fine,
    /// `?!`: 5 in 100 and more.
    Inaccuracy,
    /// `?`: 10 in 100 and more.
    Mistake,
    /// `??`: 20 in 100 and more.
    Blunder,
}

impl Severity {
    /// By lost winning chances, from 0 to 1.
    pub fn of(lost: f64) -> Self {
        match lost {
            lost if lost >= 0.20 => Self::Blunder,
            lost if lost >= 0.10 => Self::Mistake,
            lost if lost >= 0.05 => Self::Inaccuracy,
            _ => Self::Fine,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The glyph for a record.
    pub const fn glyph(self) -> Option<Glyph> {
        match self {
            Self::Fine => None,
            Self::Inaccuracy => Some(Glyph::DUBIOUS),
            Self::Mistake => Some(Glyph::MISTAKE),
            Self::Blunder => Some(Glyph::BLUNDER),
        }
    }
}

/// What a played move cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub best: Candidate,
    /// The move that was played; the best one if nothing was better.
    pub played: Candidate,
    /// What it cost, never less than 0.
    pub loss: Score,
    /// The winning chances with the best move and with the one played, from 0 to 1.
    pub chances: [f64; 2],
    /// How sure the comparison of the two moves is.
    pub certainty: Certainty,
    /// What kind of mistake it was; none if it cost nothing or nothing fits.
    pub mistakes: Vec<Mistake>,
}

impl Judgement {
    /// The winning chances that the move cost.
    pub fn lost_chances(&self) -> f64 {
        (self.chances[0] - self.chances[1]).max(0.0)
    }

    /// How bad it was.
    pub fn severity(&self) -> Severity {
        Severity::of(self.lost_chances())
    }
}

impl Explainer {
    /// Judges a move that was played.
    pub fn judge<A: Analyst>(
        &mut self,
        analyst: &mut A,
        position: Position,
        played: Square,
    ) -> Result<Judgement, ExplainError<A::Error>> {
        check(position, Some(played))?;
        let Compared {
            best,
            other,
            certainty,
            ..
        } = compared(analyst, position, Some(played), Wanted::Judgement)?;
        let played = match other {
            Some(other) if best.square != played => other,
            _ => best.clone(),
        };
        Ok(judge(position, best, played, certainty))
    }
}

/// The judgement of two moves whose lines are known.
pub(super) fn judge(
    position: Position,
    best: Candidate,
    played: Candidate,
    certainty: Certainty,
) -> Judgement {
    let empties = position.board.empties().len();
    // A certain win beside a probable one would look like lost chances.
    let solved = best.solved && played.solved;
    let chances =
        [&best, &played].map(|candidate| winning_chances(candidate.score, empties, solved));
    let score = played.score - best.score;
    let evidence = Evidence::of(position, best.square, played.square, played.reply(), score);
    let mistakes = evidence.map_or_else(Vec::new, |evidence| {
        let classes = evidence.classes().into_iter();
        classes
            .map(|class| describe(class, &evidence, &best, &played, position.side))
            .collect()
    });
    Judgement {
        loss: loss(&best, &played),
        chances,
        certainty,
        mistakes,
        best,
        played,
    }
}

fn describe(
    class: MistakeClass,
    evidence: &Evidence,
    best: &Candidate,
    played: &Candidate,
    mover: Side,
) -> Mistake {
    let (best_move, move_played) = (best.square, played.square);
    let first = |plies: usize| played.moves.iter().take(plies).copied().collect();
    let (text, squares, line) = match class {
        MistakeClass::MobilityLeak => (
            format!(
                "{move_played} leaves you {} fewer moves and your opponent {} more than {best_move}.",
                -evidence.mobility, evidence.opponent_mobility
            ),
            played.after().board.legal_moves(),
            first(1),
        ),
        MistakeClass::ParityFlip => {
            let region = evidence.parity_flip.map_or(Bitboard::EMPTY, |it| it.region);
            (
                format!(
                    "A region of {} squares that was yours by parity is {}'s after the reply.",
                    region.len(),
                    mover.other()
                ),
                region,
                first(2),
            )
        }
        MistakeClass::FrontierBloat => (
            format!(
                "{move_played} leaves {} more of your discs at the frontier than {best_move}.",
                evidence.frontier
            ),
            board_of(played.after(), mover).frontier(),
            first(1),
        ),
        MistakeClass::XSquarePoison => {
            let corner = evidence.poisoned_corner.unwrap_or(move_played);
            (
                format!("{move_played} lets {} take corner {corner}.", mover.other()),
                corner.bit() | move_played.bit(),
                vec![Move::Place(move_played), Move::Place(corner)],
            )
        }
        MistakeClass::TempoWaste => (
            format!(
                "{move_played} costs {} without a simple reason.",
                evidence.score.amount_of_discs()
            ),
            move_played.bit(),
            played.moves.clone(),
        ),
    };
    Mistake {
        class,
        text,
        squares,
        line,
    }
}
