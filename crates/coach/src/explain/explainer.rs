//! Why one move and not another: the reasons, ranked, with an honest word where there is none.

use super::{
    candidate::Candidate,
    claim::Claim,
    compare::{Found, claims_for_both},
    features::{FeatureCache, weights},
    mistakes::{Judgement, judge},
    ranking::rank,
    refutation::Refutation,
    verdict::{Certainty, Compared, Wanted, compared},
    why::Origin,
    words::Telling,
};
use crate::{Analyst, Area, Attribution, Voice};
use game::{Bound, Line, Report, Score};
use othello::{Bitboard, IllegalMoveError, Move, Position, Side, Square};
use std::fmt;

/// What a reason rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// True by the rules, shown by a line.
    Fact,
    /// A number that anybody can count on the board.
    Count,
    /// What our evaluation attributes to a part of the board.
    Model,
}

/// Which of the two compared moves a reason speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpeaksFor {
    Best,
    Other,
}

/// How a reason is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// A fact that speaks for the better move.
    Fact,
    /// A count that speaks for the better move.
    Count,
    /// A part of the evaluation that speaks for the better move.
    Model,
    /// Whatever speaks for the other move.
    TradeOff,
}

impl Tag {
    /// The word that people see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Count => "count",
            Self::Model => "model",
            Self::TradeOff => "trade-off",
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One claim for or against the move that is asked about, with its weight in the order.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// What is claimed, as data.
    pub claim: Claim,
    /// What it rests on.
    pub basis: Basis,
    /// Which move it speaks for.
    pub speaks_for: SpeaksFor,
    /// One sentence; the move that it speaks for, or against, is its subject.
    pub text: String,
    /// The squares to highlight.
    pub squares: Bitboard,
    /// The moves that show it, from the explained position on.
    pub line: Vec<Move>,
    /// How much it counts, from 0 up; 1 is as much as a corner. What speaks for the worse move counts
    /// a tenth of it: the search has weighed it already.
    pub weight: f64,
}

impl Reason {
    /// How it is to be read.
    pub const fn tag(&self) -> Tag {
        match (self.speaks_for, self.basis) {
            (SpeaksFor::Other, _) => Tag::TradeOff,
            (SpeaksFor::Best, Basis::Fact) => Tag::Fact,
            (SpeaksFor::Best, Basis::Count) => Tag::Count,
            (SpeaksFor::Best, Basis::Model) => Tag::Model,
        }
    }
}

/// Why a move is the best, or better than the one that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub position: Position,
    pub best: Candidate,
    /// What it is compared with: the move that was played, or else the best of those that are worse
    /// by more than a quarter of a disc. `None` if there is no other move, or none is worse.
    pub other: Option<Candidate>,
    /// Other moves that are known to be as good as the best, up to a quarter of a disc.
    pub as_good: Vec<Square>,
    /// The move that was asked about, if one was.
    pub played: Option<Square>,
    /// The report that all of this was made from.
    pub origin: Origin,
    pub certainty: Certainty,
    /// The moves of the opening book at the position.
    pub book: Vec<Square>,
    /// All reasons: those for the card, the heaviest one that speaks for the best move first, then
    /// the others.
    pub reasons: Vec<Reason>,
    /// How many of them are for the card.
    n_card: usize,
    /// How the sides are called.
    voice: Voice,
}

impl Explanation {
    /// The same for somebody else: all sentences call the sides as this voice does.
    #[must_use]
    pub fn spoken(mut self, voice: Voice) -> Self {
        self.voice = voice;
        for place in 0..self.reasons.len() {
            let at = self.telling(self.reasons[place].speaks_for);
            self.reasons[place].text = self.reasons[place].claim.sentence(at);
        }
        self
    }

    /// How to tell what speaks for one of the moves.
    pub fn telling(&self, speaks_for: SpeaksFor) -> Telling {
        let best = self.best.square;
        let other = self.other.as_ref().map_or(best, |other| other.square);
        let (this, that) = match speaks_for {
            SpeaksFor::Best => (best, other),
            SpeaksFor::Other => (other, best),
        };
        Telling {
            voice: self.voice,
            mover: self.position.side,
            this,
            that,
        }
    }

    pub const fn voice(&self) -> Voice {
        self.voice
    }

    /// The two moves as a report about the position.
    pub fn report(&self) -> Report {
        let line = |candidate: &Candidate| Line {
            score: candidate.score,
            bound: Bound::Exact,
            moves: candidate.moves.iter().copied().map(Into::into).collect(),
        };
        let (best, origin) = (&self.best, &self.origin);
        let both = std::iter::once(best).chain(&self.other);
        Report {
            lines: both.map(line).collect(),
            score: best.score,
            depth: best.depth,
            solved: best.solved,
            nodes: origin.nodes,
            time_ms: origin.time_ms,
            ..Report::new(self.position.into(), origin.source.clone())
        }
    }

    /// What the other move costs; 0 if there is none.
    pub fn loss(&self) -> Score {
        let other = self.other.as_ref();
        other.map_or(Score::ZERO, |other| self.best.score - other.score)
    }

    /// What the played move cost; `None` if no move was asked about.
    pub fn judgement(&self) -> Option<Judgement> {
        let square = self.played?;
        let others = self.other.iter();
        let played = std::iter::once(&self.best)
            .chain(others)
            .find(|candidate| candidate.square == square)?;
        Some(judge(
            self.best.clone(),
            played.clone(),
            self.certainty,
            self.book.clone(),
            self.voice,
        ))
    }

    /// Whether anything speaks for the best move.
    pub fn has_reason(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.speaks_for == SpeaksFor::Best)
    }

    /// Whether something speaks for the best move, and the heaviest reason for the other one.
    pub fn is_trade_off(&self) -> bool {
        if !self.has_reason() {
            return false;
        }
        let heaviest = self
            .reasons
            .iter()
            .max_by(|a, b| a.weight.total_cmp(&b.weight));
        heaviest.is_some_and(|reason| reason.speaks_for == SpeaksFor::Other)
    }

    /// The reasons to show at once, three at most.
    pub fn card(&self) -> &[Reason] {
        &self.reasons[..self.reasons.len().min(self.n_card)]
    }

    /// The others, to be shown on request.
    pub fn more(&self) -> &[Reason] {
        &self.reasons[self.card().len()..]
    }

    /// What to say where nothing simple speaks for the best move: `Search says −4; no simple
    /// reason found.` The number is what the other move costs.
    pub fn without_reason(&self) -> Option<String> {
        if self.has_reason() {
            return None;
        }
        Some(match &self.other {
            Some(other) => {
                let score = other.score - self.best.score;
                format!("Search says {score:#}; no simple reason found.")
            }
            None => "Every legal move is as good.".to_owned(),
        })
    }
}

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError<E: std::error::Error> {
    /// Neither side can move.
    #[error("the game is over: there is no move to explain")]
    GameOver,
    /// A pass needs no explanation.
    #[error("{0} must pass: there is no move to explain")]
    MustPass(othello::Side),
    /// The move that was asked about is not legal.
    #[error("{square} cannot be explained: {error}")]
    Illegal {
        square: Square,
        /// What is wrong with it.
        error: IllegalMoveError,
    },
    /// The analyst gave no answer.
    #[error("the position could not be analysed: {0}")]
    Analyst(E),
    /// The analyst gave an answer without a legal move.
    #[error("the analysis names no legal move; expected at least one line")]
    NoLine,
}

/// Explains positions one after another and remembers what it has counted.
#[derive(Debug, Default)]
pub struct Explainer {
    pub(super) cache: FeatureCache,
}

impl Explainer {
    /// An explainer that has counted nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The features of a position, counted at most once as long as they are remembered.
    pub fn features(&mut self, position: Position) -> std::sync::Arc<super::Features> {
        self.cache.get(position)
    }

    /// Explains the best move of a position: against the move that was played, or, if none is
    /// given or the best one was played, against the next one that is worse.
    pub fn explain<A: Analyst>(
        &mut self,
        analyst: &mut A,
        position: Position,
        played: Option<Square>,
    ) -> Result<Explanation, ExplainError<A::Error>> {
        check(position, played)?;
        let found = compared(analyst, position, played, Wanted::Explanation)?;
        Ok(self.told(analyst, position, played, found))
    }

    /// Explains a move that was judged before: the same two moves with the same values.
    pub fn explain_judged<A: Analyst>(
        &mut self,
        analyst: &mut A,
        judgement: &Judgement,
        origin: Origin,
    ) -> Explanation {
        let (best, played) = (&judgement.best, &judgement.played);
        let found = Compared {
            best: best.clone(),
            other: (played.square != best.square).then(|| played.clone()),
            as_good: Vec::new(),
            origin,
            certainty: judgement.certainty,
            book: judgement.book.clone(),
        };
        self.told(analyst, best.position_after(0), Some(played.square), found)
    }

    /// What is to be said about two moves.
    fn told<A: Analyst>(
        &mut self,
        analyst: &mut A,
        position: Position,
        played: Option<Square>,
        found: Compared,
    ) -> Explanation {
        let mut reasons = match &found.other {
            Some(other) => self.reasons(analyst, &found.best, other),
            None if position.board.mobility() == 1 => {
                vec![only_move(position.side, found.best.square)]
            }
            None => Vec::new(),
        };
        let n_card = rank(&mut reasons);
        Explanation {
            position,
            best: found.best,
            other: found.other,
            as_good: found.as_good,
            played,
            origin: found.origin,
            certainty: found.certainty,
            book: found.book,
            reasons,
            n_card,
            voice: Voice::Colours,
        }
    }

    /// What speaks for either move. What only the evaluation sees is said where nothing else speaks
    /// for the best move.
    fn reasons<A: Analyst>(
        &mut self,
        analyst: &mut A,
        best: &Candidate,
        other: &Candidate,
    ) -> Vec<Reason> {
        let refutation = Refutation::of(analyst, best, other);
        let (mut found, against) = claims_for_both(best, other, refutation, &mut self.cache);
        if found.is_empty() {
            found = model_claims(analyst, best, other);
            // What anybody can count comes before what the evaluation says of the same thing.
            let counts_moves = against.iter().any(|it| it.claim.is_about_moves());
            found.retain(|it| !(counts_moves && it.claim.is_about_moves()));
        }
        let mut reasons = Vec::new();
        for (found, this, that, speaks_for) in [
            (found, best, other, SpeaksFor::Best),
            (against, other, best, SpeaksFor::Other),
        ] {
            let at = Telling {
                voice: Voice::Colours,
                mover: this.position_after(0).side,
                this: this.square,
                that: that.square,
            };
            let found = found.into_iter();
            reasons.extend(found.map(|found| reason(found, speaks_for, at)));
        }
        reasons
    }
}

/// How much of its weight a reason keeps that speaks for the worse move.
const OTHER_SHARE: f64 = 0.1;

pub(super) fn check<E: std::error::Error>(
    position: Position,
    played: Option<Square>,
) -> Result<(), ExplainError<E>> {
    if position.board.is_game_over() {
        return Err(ExplainError::GameOver);
    }
    if position.board.must_pass() {
        return Err(ExplainError::MustPass(position.side));
    }
    if let Some(square) = played
        && let Err(error) = position.board.checked_flips(square)
    {
        return Err(ExplainError::Illegal { square, error });
    }
    Ok(())
}

/// The evaluation at the end of a line must be what the search found, up to this, for its parts to
/// explain the score.
const LEAF_TOLERANCE: i32 = 100;
/// Smaller parts are noise of the training.
const PART_MIN: i32 = 50;
/// More areas than this bury the largest.
const PARTS_MAX: usize = 2;

/// What the evaluation that the search really used likes better at the end of `this` line than at
/// the end of `that` one.
fn model_claims<A: Analyst>(analyst: &mut A, this: &Candidate, that: &Candidate) -> Vec<Found> {
    let mut leaf = |candidate: &Candidate| leaf_parts(analyst, candidate);
    let (Some(here), Some(there)) = (leaf(this), leaf(that)) else {
        return Vec::new();
    };
    let differences: Vec<(Area, i32)> = Area::ALL
        .into_iter()
        .filter(|&area| area != Area::Stage)
        .map(|area| (area, here(area) - there(area)))
        .collect();
    // Areas overlap and cancel each other: each counts by its share of what is left of them all.
    let net = (this.score - that.score).hundredths().abs();
    let gains: i32 = differences.iter().map(|(_, by)| by.max(&0)).sum();
    let losses: i32 = differences.iter().map(|(_, by)| -by.min(&0)).sum();
    let all = gains.max(losses).max(net).max(1);
    let mut parts = differences;
    parts.retain(|&(_, by)| by >= PART_MIN);
    parts.sort_by_key(|&(_, by)| -by);
    parts.truncate(PARTS_MAX);
    let found = |(area, by): (Area, i32)| Found {
        claim: Claim::ModelPrefers {
            area,
            by: Score::centi(by),
        },
        squares: area.squares(),
        line: this.moves.clone(),
        // What anybody can see on the board comes before what only the evaluation sees.
        weight: (by * net / all).min(weights::CORNER / 2),
    };
    parts.into_iter().map(found).collect()
}

/// The parts of the evaluation at the end of a line, for the side that chose the line; `None` if
/// they do not add up to what the search said.
fn leaf_parts<A: Analyst>(
    analyst: &mut A,
    candidate: &Candidate,
) -> Option<impl Fn(Area) -> i32 + use<A>> {
    let sign = leaf_sign(candidate);
    let (attribution, gap) = leaf_gap(analyst, candidate)?;
    (gap.abs() <= LEAF_TOLERANCE).then_some(move |area| sign * attribution.part(area).hundredths())
}

/// The evaluation at the end of a line, and how much it differs from the line's score; `None` where
/// the score does not come from an evaluation, or nobody can take it apart.
fn leaf_gap<A: Analyst>(analyst: &mut A, candidate: &Candidate) -> Option<(Attribution, i32)> {
    let end = candidate.end();
    if candidate.solved || end.board.is_game_over() {
        return None;
    }
    let attribution = analyst.attribute(end)?;
    let gap =
        leaf_sign(candidate) * attribution.total().hundredths() - candidate.score.hundredths();
    Some((attribution, gap))
}

/// Values at the end of a line belong to the side to move there.
fn leaf_sign(candidate: &Candidate) -> i32 {
    if candidate.end().side == candidate.position_after(0).side {
        1
    } else {
        -1
    }
}

fn only_move(mover: Side, square: Square) -> Reason {
    let found = Found {
        claim: Claim::OnlyMove { square },
        squares: square.bit(),
        line: vec![Move::Place(square)],
        weight: weights::MAX,
    };
    let at = Telling {
        voice: Voice::Colours,
        mover,
        this: square,
        that: square,
    };
    reason(found, SpeaksFor::Best, at)
}

fn reason(found: Found, speaks_for: SpeaksFor, at: Telling) -> Reason {
    let share = match speaks_for {
        SpeaksFor::Best => 1.0,
        SpeaksFor::Other => OTHER_SHARE,
    };
    Reason {
        basis: found.claim.basis(),
        text: found.claim.sentence(at),
        claim: found.claim,
        speaks_for,
        squares: found.squares,
        line: found.line,
        weight: share * f64::from(found.weight) / f64::from(weights::MAX),
    }
}
