//! What kind of mistake a move was, and what it cost.

use super::{
    Explainer, Openings, Severity, SpeaksFor, Telling,
    candidate::Candidate,
    claim::Claim,
    compare::{Found, claims_for, claims_for_both},
    explainer::{ExplainError, check},
    features::{FeatureCache, board_of},
    parity::{ParityFlip, parity_flip, step},
    verdict::{AS_GOOD, Certainty, Compared, Wanted, compared, loss},
    winning_chances,
};
use crate::{Analyst, Voice};
use game::Score;
use othello::{Bitboard, Move, Position, Square, SquareKind};
use std::fmt;

/// The kinds of mistakes, in the order in which they are named. A move that is as good as the best
/// has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MistakeClass {
    /// At least three own moves fewer and two replies more than after the best move.
    MobilityLeak,
    /// An odd region of five to twelve squares passes under the opponent's control within two plies;
    /// with the best move it does not.
    ParityFlip,
    /// Three or more frontier discs more than after the best move, with 24 or more empty squares.
    FrontierBloat,
    /// A move to an X square that lets the opponent take the corner and costs a disc or more.
    XSquarePoison,
    /// The opponent can take a corner at once that was shut before.
    CornerGiven,
    /// The opponent takes a corner on the expected line, or a corner that it could take stays open.
    CornerOpened,
    /// The best move takes or wins a corner.
    CornerMissed,
    /// The best move ends with no disc of the opponent left.
    WipeOutMissed,
    /// The best move makes the opponent pass, or keeps the mover from passing.
    PassMissed,
    /// After the reply fewer safe moves are left, or the opponent has more safe replies.
    SafeMovesSpent,
    /// After the reply the mover cannot play in a region any more where the opponent can.
    AccessLost,
    /// The opponent gets the last move of the game, or of an odd region.
    ParityLost,
    /// A move that only the mover could make and that would have waited.
    QuietMoveWasted,
    /// A square that the opponent plays on next, and that the best move would have taken or closed;
    /// or the best move's own square, gone after the reply.
    SquareLeft,
    /// The best move turns no disc to the outside, this one does.
    LoudMove,
    /// A wall, or more discs that touch empty squares than after the best move or on its line.
    WallBuilt,
    /// An edge of five with an open C, fewer discs on an edge that can never be flipped, or a wedge
    /// not played.
    EdgeLost,
    /// Fewer discs that can never be flipped.
    StabilityLost,
    /// A move to an X or C square of an empty corner.
    CornerRisked,
    /// The best move gives the opponent a corner or an edge and is better all the same.
    SacrificeMissed,
    /// Fewer own moves or more replies than after the best move, at once or within eight plies.
    MobilityLost,
    /// The best move is one of the opening book or leads to a position that has a name, this one
    /// neither.
    TheoryLeft,
    /// A proven loss of discs that none of the others explains.
    EndgameMiscount,
    /// A proven or stable loss of 0.6 discs or more that none of the others explains.
    TempoWaste,
}

impl MistakeClass {
    pub const fn name(self) -> &'static str {
        match self {
            Self::MobilityLeak => "mobility leak",
            Self::ParityFlip => "parity flip",
            Self::FrontierBloat => "frontier bloat",
            Self::XSquarePoison => "X-square poison",
            Self::CornerGiven => "corner given away",
            Self::CornerOpened => "corner opened",
            Self::CornerMissed => "corner missed",
            Self::WipeOutMissed => "wipe-out missed",
            Self::PassMissed => "pass missed",
            Self::SafeMovesSpent => "safe moves spent",
            Self::AccessLost => "access lost",
            Self::ParityLost => "parity lost",
            Self::QuietMoveWasted => "quiet move wasted",
            Self::SquareLeft => "key square left",
            Self::LoudMove => "loud move",
            Self::WallBuilt => "wall built",
            Self::EdgeLost => "edge lost",
            Self::StabilityLost => "stability lost",
            Self::CornerRisked => "corner risked",
            Self::SacrificeMissed => "sacrifice missed",
            Self::MobilityLost => "mobility lost",
            Self::TheoryLeft => "theory left",
            Self::EndgameMiscount => "endgame miscount",
            Self::TempoWaste => "tempo waste",
        }
    }

    /// The class that a claim for the best move puts the played one in; `None` for what is no mistake
    /// by itself.
    const fn of_claim(claim: &Claim) -> Option<Self> {
        Some(match claim {
            Claim::AvoidsXTrap { .. } | Claim::KeepsCornerShut { .. } => Self::CornerGiven,
            Claim::ShutsCorner { .. }
            | Claim::LosesCorner { .. }
            | Claim::CornerInTheEnd { .. } => Self::CornerOpened,
            Claim::TakesCorner { .. }
            | Claim::SecuresCorner { .. }
            | Claim::WinsCorner { .. }
            | Claim::EveryReplyGivesCorner { .. } => Self::CornerMissed,
            Claim::CornersLater { own, .. } if own.this > own.that => Self::CornerMissed,
            Claim::CornersLater { .. } => Self::CornerOpened,
            Claim::CornerSwap { .. } | Claim::EdgeSacrifice { .. } => Self::SacrificeMissed,
            Claim::EndsBetter { discs, .. } if discs.this == 64 => Self::WipeOutMissed,
            Claim::EndsBetter { .. } | Claim::DiscsInTheEnd { .. } => Self::EndgameMiscount,
            Claim::NoReply { .. } | Claim::MustPass { .. } => Self::PassMissed,
            Claim::SafeMoves { .. } | Claim::SafeReplies { .. } | Claim::OutOfSafeMoves { .. } => {
                Self::SafeMovesSpent
            }
            Claim::KeepsAccess { .. } => Self::AccessLost,
            Claim::LastMove { .. }
            | Claim::LastInRegion { .. }
            | Claim::Swindle { .. }
            | Claim::KeepsOddRegion { .. } => Self::ParityLost,
            Claim::KeepsFreeMove { .. } => Self::QuietMoveWasted,
            Claim::TakesSquareFirst { .. }
            | Claim::DeniesReply { .. }
            | Claim::StrongReply { .. }
            | Claim::CannotWait { .. }
            | Claim::LosesSquare { .. }
            | Claim::GetsBoth { .. }
            | Claim::ComesFirst { is_gone: true, .. } => Self::SquareLeft,
            Claim::Quiet { .. } => Self::LoudMove,
            Claim::AvoidsWall { .. } | Claim::SmallerFrontier { .. } => Self::WallBuilt,
            // A wall is of one's own discs, and more than one of them.
            Claim::FrontierLater { own, .. } if own.that >= own.this + 2 => Self::WallBuilt,
            Claim::AvoidsUnbalancedEdge { .. }
            | Claim::BalancesEdge { .. }
            | Claim::EdgeTempo { .. }
            | Claim::EdgeLater { .. }
            | Claim::Wedge { .. }
            | Claim::WedgeLater { .. } => Self::EdgeLost,
            Claim::StableLater { .. } | Claim::MoreStable { .. } => Self::StabilityLost,
            Claim::StaysAwayFromCorner { .. } => Self::CornerRisked,
            Claim::OnlyReply { .. }
            | Claim::OpensMoves { .. }
            | Claim::OpensSquares { .. }
            | Claim::ClosesSquares { .. }
            | Claim::LosesMoves { .. }
            | Claim::MoreMoves { .. }
            | Claim::MovesAfterReply { .. }
            | Claim::MovesAlong { .. }
            | Claim::FewerReplies { .. }
            | Claim::MobilityLater { .. } => Self::MobilityLost,
            Claim::OnlyMove { .. }
            | Claim::FrontierLater { .. }
            | Claim::ModelPrefers { .. }
            | Claim::ComesFirst { .. }
            | Claim::CornerCanWait { .. }
            | Claim::GivenAnyway { .. } => {
                return None;
            }
        })
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
    pub(super) const FRONTIER: i32 = 3;
    pub(super) const FRONTIER_EMPTIES: u32 = 24;
    pub(super) const POISON: i32 = 100;
    pub(super) const TEMPO: i32 = -60;
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
    /// The corner, if the move is on its X square and the opponent can take it next, but could not
    /// have taken it before.
    pub poisoned_corner: Option<Square>,
    /// The region, if one changes hands with the move and the reply.
    pub parity_flip: Option<ParityFlip>,
    /// The played move's score minus the best one's.
    pub score: Score,
}

impl Evidence {
    /// Collects the evidence about the first move of `played` where that of `best` was possible, with
    /// the opponent's expected answers behind them; `None` if one of the moves is not legal.
    pub fn of(position: Position, best: &[Move], played: &[Move], score: Score) -> Option<Self> {
        let mover = position.side;
        let (with_best, with_played) = (step(position, best, 0)?, step(position, played, 0)?);
        let played_square = played.first()?.square()?;
        let replied = |after, line| step(after, line, 1);
        let flip = replied(with_best, best)
            .zip(replied(with_played, played))
            .and_then(|(kept, lost)| parity_flip(position, kept, lost))
            .filter(|flip| flip.is_shown(position, best, played));
        let difference =
            |of: &dyn Fn(Position) -> u32| of(with_played) as i32 - of(with_best) as i32;
        let corner = played_square.nearest_corner();
        let could_take = position.board.swapped().legal_moves().contains(corner);
        let can_take = !could_take && with_played.board.legal_moves().contains(corner);
        Some(Self {
            empties: position.board.empties().len(),
            mobility: difference(&|p| board_of(p, mover).mobility()),
            opponent_mobility: difference(&|p| board_of(p, mover.other()).mobility()),
            frontier: difference(&|p| board_of(p, mover).frontier().len()),
            poisoned_corner: (played_square.kind() == SquareKind::X && can_take).then_some(corner),
            parity_flip: flip,
            score,
        })
    }

    /// The classes with fixed thresholds that the evidence meets, in their order. A move that is as good as the best is no
    /// mistake, whatever it looks like.
    pub fn classes(&self) -> Vec<MistakeClass> {
        use MistakeClass::{FrontierBloat, MobilityLeak, ParityFlip, XSquarePoison};
        if -self.score.hundredths() <= AS_GOOD {
            return Vec::new();
        }
        let leak = self.mobility <= threshold::MOBILITY
            && self.opponent_mobility >= threshold::OPPONENT_MOBILITY;
        let bloat =
            self.frontier >= threshold::FRONTIER && self.empties >= threshold::FRONTIER_EMPTIES;
        let poison =
            self.poisoned_corner.is_some() && -self.score.hundredths() >= threshold::POISON;
        [
            (leak, MobilityLeak),
            (self.parity_flip.is_some(), ParityFlip),
            (bloat, FrontierBloat),
            (poison, XSquarePoison),
        ]
        .into_iter()
        .filter_map(|(met, class)| met.then_some(class))
        .collect()
    }
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
    /// What is claimed, as data, and which of the two moves it speaks for; `None` for the classes
    /// that have thresholds of their own.
    pub claim: Option<(SpeaksFor, Claim)>,
}

/// A smaller loss is not worth an alert in the middle of a game, whatever it does to winning
/// chances.
const ALERT_LOSS: Score = Score::centi(400);

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
    /// What a club player would say about it; `None` if it cost nothing, or nothing simple is to be
    /// said.
    pub headline: Option<String>,
    /// What kind of mistake it was; none if it cost nothing or nothing fits.
    pub mistakes: Vec<Mistake>,
    /// The moves of the opening book at the position.
    pub book: Vec<Square>,
}

impl Judgement {
    /// The winning chances that the move cost.
    pub fn lost_chances(&self) -> f64 {
        (self.chances[0] - self.chances[1]).max(0.0)
    }

    /// What is said about two moves of one position whose lines are known, without a look at
    /// either: the judgement that was made when they were searched.
    pub fn recalled(
        best: Candidate,
        played: Candidate,
        certainty: Certainty,
        book: Vec<Square>,
        voice: Voice,
    ) -> Self {
        judge(best, played, certainty, book, voice)
    }

    /// The same for somebody else: all sentences call the sides as this voice does.
    #[must_use]
    pub fn spoken(self, voice: Voice) -> Self {
        judge(self.best, self.played, self.certainty, self.book, voice)
    }

    /// How bad it was. What no two depths agree about counts half, and a large difference that only two
    /// agree about counts 0.7: nobody is blamed for a guess.
    pub fn severity(&self) -> Severity {
        self.severity_in_tenths(match self.certainty {
            Certainty::Open => 5,
            Certainty::Repeated => 7,
            Certainty::Stable | Certainty::Proven => 10,
        })
    }

    fn severity_in_tenths(&self, tenths: i32) -> Severity {
        let lost = self.lost_chances() * f64::from(tenths) / 10.0;
        let discs = self.loss.hundredths() * tenths / 10;
        Severity::of_loss(lost, Score::centi(discs))
    }

    /// Whether the player should hear of the move while the game goes on. To look again costs less than
    /// to be blamed, and there is little time: two depths that agree are enough.
    pub fn is_alarming(&self) -> bool {
        let tenths = if self.certainty == Certainty::Open {
            5
        } else {
            10
        };
        self.loss >= ALERT_LOSS && self.severity_in_tenths(tenths) >= Severity::Mistake
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
            book,
            ..
        } = compared(analyst, position, Some(played), Wanted::Judgement)?;
        let played = match other {
            Some(other) if best.square != played => other,
            _ => best.clone(),
        };
        Ok(judge(best, played, certainty, book, Voice::Colours))
    }
}

/// The judgement of two moves whose lines are known.
pub(super) fn judge(
    best: Candidate,
    played: Candidate,
    certainty: Certainty,
    book: Vec<Square>,
    voice: Voice,
) -> Judgement {
    let position = best.position_after(0);
    let empties = position.board.empties().len();
    // A certain win beside a probable one would look like lost chances.
    let solved = best.solved && played.solved;
    let chances =
        [&best, &played].map(|candidate| winning_chances(candidate.score, empties, solved));
    let score = played.score - best.score;
    let evidence = Evidence::of(position, &best.moves, &played.moves, score);
    let mut mistakes = evidence.map_or_else(Vec::new, |evidence| {
        let classes = evidence.classes().into_iter();
        classes
            .filter_map(|class| describe(class, &evidence, &best, &played, voice))
            .collect()
    });
    let mut headline = None;
    if score.hundredths() <= threshold::TEMPO {
        let (named, first) = named(&best, &played, voice);
        headline = first;
        mistakes.extend(named);
        mistakes.extend(theory(&best, &played, &book));
        // The proven count says least about why: it stands last.
        mistakes.sort_by_key(|mistake| mistake.class == MistakeClass::EndgameMiscount);
        if mistakes.is_empty() && certainty > Certainty::Open {
            mistakes.push(waste(&played, score));
        }
    }
    Judgement {
        loss: loss(&best, &played),
        chances,
        certainty,
        headline,
        mistakes,
        book,
        best,
        played,
    }
}

fn describe(
    class: MistakeClass,
    evidence: &Evidence,
    best: &Candidate,
    played: &Candidate,
    voice: Voice,
) -> Option<Mistake> {
    let mover = best.position_after(0).side;
    let (own, their) = (voice.name(mover), voice.name(mover.other()));
    let (best_move, move_played) = (best.square, played.square);
    let first = |plies: usize| played.moves.iter().take(plies).copied().collect();
    let (text, squares, line) = match class {
        MistakeClass::MobilityLeak => (
            format!(
                "{move_played} leaves {own} {} fewer moves and {their} {} more than {best_move}.",
                -evidence.mobility, evidence.opponent_mobility
            ),
            played.after().board.legal_moves(),
            first(1),
        ),
        MistakeClass::ParityFlip => {
            let region = evidence.parity_flip.map_or(Bitboard::EMPTY, |it| it.region);
            (
                format!(
                    "{move_played} gives parity away: in a region of {} squares {own} would have had the \
                     last move, after the reply {} {} it.",
                    region.len(),
                    their,
                    voice.verb(mover.other(), "has", "have")
                ),
                region,
                first(2),
            )
        }
        MistakeClass::FrontierBloat => (
            format!(
                "{move_played} leaves {} more of {} discs at the frontier than {best_move}.",
                evidence.frontier,
                voice.of(mover)
            ),
            board_of(played.after(), mover).frontier(),
            first(1),
        ),
        MistakeClass::XSquarePoison => {
            let corner = evidence.poisoned_corner.unwrap_or(move_played);
            (
                format!("{move_played} lets {their} take the {corner} corner."),
                corner.bit() | move_played.bit(),
                vec![Move::Place(move_played), Move::Place(corner)],
            )
        }
        // The others are made from claims.
        _ => return None,
    };
    Some(Mistake {
        class,
        text,
        squares,
        line,
        claim: None,
    })
}

/// More names than this bury the first.
const NAMED_MAX: usize = 3;

/// The classes that claims show: what speaks for the best move, the heaviest of each class; and a
/// corner that the best move gives up, if nothing else is to be said. With them the headline.
fn named(best: &Candidate, played: &Candidate, voice: Voice) -> (Vec<Mistake>, Option<String>) {
    let mut cache = FeatureCache::default();
    let (mut found, _) = claims_for_both(best, played, None, &mut cache);
    found.sort_by_key(|found| std::cmp::Reverse((found.is_near(), found.weight)));
    let at = Telling {
        voice,
        mover: best.position_after(0).side,
        this: best.square,
        that: played.square,
    };
    let headline = |found: &Found| found.claim.headline(at, &found.line, played);
    let first = Claim::to_say_first(found.iter(), |it| &it.claim).map(headline);
    let mut mistakes: Vec<Mistake> = Vec::new();
    for found in found {
        let Some(class) = MistakeClass::of_claim(&found.claim) else {
            continue;
        };
        if mistakes.iter().all(|it| it.class != class) {
            mistakes.push(Mistake {
                class,
                text: headline(&found),
                squares: found.squares,
                line: found.line,
                claim: Some((SpeaksFor::Best, found.claim)),
            });
        }
    }
    if mistakes.is_empty() {
        let given = claims_for(played, best, &mut cache).into_iter();
        let corner = given
            .filter(|found| matches!(found.claim, Claim::LosesCorner { .. }))
            .max_by_key(|found| found.weight);
        let at = Telling {
            this: played.square,
            that: best.square,
            ..at
        };
        mistakes.extend(corner.map(|found| Mistake {
            class: MistakeClass::SacrificeMissed,
            text: format!("{} It is worth it.", found.claim.sentence(at)),
            squares: found.squares,
            line: found.line,
            claim: Some((SpeaksFor::Other, found.claim)),
        }));
    }
    mistakes.sort_by_key(|mistake| mistake.class == MistakeClass::EndgameMiscount);
    mistakes.truncate(NAMED_MAX);
    (mistakes, first)
}

/// The best move stays in what is known of the opening, the played one does not: neither is it in the
/// book, nor does it lead to a position that has a name.
fn theory(best: &Candidate, played: &Candidate, book: &[Square]) -> Option<Mistake> {
    let named = |it: &Candidate| Openings::known().and_then(|known| known.at(it.after()));
    let is_known = |it: &Candidate| book.contains(&it.square) || named(it).is_some();
    if !is_known(best) || is_known(played) {
        return None;
    }
    let name = named(best).map_or_else(String::new, |it| format!(" ({})", it.title()));
    Some(Mistake {
        class: MistakeClass::TheoryLeft,
        text: format!(
            "{} stays in theory{name}; {} leaves it.",
            best.square, played.square
        ),
        squares: best.square.bit(),
        line: vec![Move::Place(best.square)],
        claim: None,
    })
}

/// A loss with nothing else to say.
fn waste(played: &Candidate, score: Score) -> Mistake {
    Mistake {
        class: MistakeClass::TempoWaste,
        text: format!(
            "{} costs {} without a simple reason.",
            played.square,
            score.amount_of_discs()
        ),
        squares: played.square.bit(),
        line: played.moves.clone(),
        claim: None,
    }
}
