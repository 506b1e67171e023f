//! Everything that speaks for one move and against another, found by counting.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    concepts::open_corners,
    events::{EVENT_PLIES, REGION_MAX, keeps},
    features::{FeatureCache, endangered_corner, weights},
    ranking::Mirror,
    refutation::Refutation,
};
use game::Score;
use othello::{Bitboard, Board, Move, Position, Side, Square, SquareKind};

/// A claim with what shows it on a board, and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) claim: Claim,
    pub(crate) squares: Bitboard,
    pub(crate) line: Vec<Move>,
    /// Centidiscs by the weights of the features.
    pub(crate) weight: i32,
}

impl Found {
    /// Whether a player sees it at the board, and it is not a trifle.
    pub(super) fn is_near(&self) -> bool {
        let weight = f64::from(self.weight) / f64::from(weights::MAX);
        self.claim.is_near(weight, self.line.len())
    }
}

/// What a corner counts that has the same owner in the end of both lines: nothing comes after it.
const FALLS_ANYWAY: i32 = 25;

/// Whole-board regions have a parity, but it decides nothing yet.
const PARITY_EMPTIES_MAX: u32 = 24;

/// The differences from which on counts are worth mentioning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    /// Moves and replies, right after the moves or the reply.
    pub(super) moves: i32,
    pub(super) safe: i32,
    pub(super) frontier: i32,
    /// Stable discs at the ends of the lines.
    pub(super) stable: i32,
    /// Moves and frontier discs at the ends of the lines, and choices along them.
    pub(super) later: i32,
}

impl Least {
    const USUAL: Self = Self {
        moves: 2,
        safe: 2,
        frontier: 2,
        stable: 2,
        later: 3,
    };

    /// A little less than usual, for counts that a reader can check at a glance.
    const LESS: Self = Self {
        moves: 1,
        safe: 1,
        frontier: 2,
        stable: 1,
        later: 2,
    };

    /// Whatever differs at all right after the moves; at the ends of the lines a difference of one
    /// says nothing.
    const ANY: Self = Self {
        moves: 1,
        safe: 1,
        frontier: 1,
        stable: 1,
        later: 2,
    };
}

/// What speaks for `this` in comparison with `that`; both are moves of the same position.
pub(crate) fn claims_for(
    this: &Candidate,
    that: &Candidate,
    cache: &mut FeatureCache,
) -> Vec<Found> {
    Duel::new(this, that, Least::USUAL).claims(cache)
}

/// What speaks for the better of two moves, and what for the other one. What is true of both alike
/// explains nothing (each opens a square, each keeps one in hand) and is left out, unless nothing else
/// speaks for the better one.
pub(crate) fn claims_for_both(
    best: &Candidate,
    other: &Candidate,
    refutation: Option<Refutation>,
    cache: &mut FeatureCache,
) -> (Vec<Found>, Vec<Found>) {
    let mut against = claims_for(other, best, cache);
    // The better move can wait, but the lesson is not that the worse one comes first.
    against.retain(|it| !it.claim.is_about_order());
    let mut found = claims_for_better(best, other, cache);
    let duel = Duel::new(best, other, Least::USUAL);
    if let Some(refutation) = refutation {
        refutation.weigh(&duel, &mut found);
    }
    // A square that the better line plays soon cannot be what is wrong with the move.
    if duel.follows_soon() {
        found.retain(|it| !it.claim.is_price());
    }
    let anyway = given_anyway(best, other, &against);
    against.retain(|it| is_paid(best, other, &it.claim));
    let kinds = |claims: &[Found]| -> Vec<Mirror> {
        let kinds = claims.iter().filter_map(|it| it.claim.mirror());
        kinds.collect()
    };
    let (here, there) = (kinds(&found), kinds(&against));
    let is_both = |it: &Found| {
        let kind = it.claim.mirror();
        kind.is_some_and(|kind| here.contains(&kind) && there.contains(&kind))
    };
    if !found.iter().all(is_both) {
        found.retain(|it| !is_both(it));
        against.retain(|it| !is_both(it));
    }
    if !found.is_empty() {
        found.extend(anyway);
    }
    (found, against)
}

/// Whether a corner that the better move gives away, or leaves open, is lost on its line, and only there;
/// true for claims about something else.
fn is_paid(best: &Candidate, other: &Candidate, claim: &Claim) -> bool {
    let left_open = match claim {
        Claim::ShutsCorner { corner, .. } => Some(*corner),
        _ => None,
    };
    let taker = best.position_after(0).side.other();
    claim
        .price()
        .or(left_open)
        .is_none_or(|corner| keeps(best, taker, corner) && !keeps(other, taker, corner))
}

/// A corner that the better move gives away, but that falls after the other one, too.
fn given_anyway(best: &Candidate, other: &Candidate, against: &[Found]) -> Option<Found> {
    let taker = best.position_after(0).side.other();
    let corner = against
        .iter()
        .filter_map(|it| it.claim.price())
        .find(|&corner| keeps(best, taker, corner) && keeps(other, taker, corner))?;
    let fall = other
        .moves
        .iter()
        .position(|it| it.square() == Some(corner))?;
    Some(Found {
        claim: Claim::GivenAnyway { corner, taker },
        squares: corner.bit(),
        line: other.moves.iter().take(fall + 1).copied().collect(),
        weight: 20,
    })
}

/// A larger loss is not explained by a difference of one.
const SMALL_LOSS_MAX: i32 = 500;

/// What speaks for the better of two moves. Where nothing of the usual size speaks for it, smaller
/// differences do, if little is lost.
fn claims_for_better(best: &Candidate, other: &Candidate, cache: &mut FeatureCache) -> Vec<Found> {
    let mut found = claims_for(best, other, cache);
    if (best.score - other.score).hundredths() > SMALL_LOSS_MAX {
        return found;
    }
    for least in [Least::LESS, Least::ANY] {
        if found.is_empty() {
            found = Duel::new(best, other, least).claims(cache);
        }
    }
    found
}

pub(super) struct Duel<'a> {
    pub(super) this: &'a Candidate,
    pub(super) that: &'a Candidate,
    pub(super) root: Position,
    pub(super) mover: Side,
    pub(super) least: Least,
}

impl<'a> Duel<'a> {
    fn new(this: &'a Candidate, that: &'a Candidate, least: Least) -> Self {
        let root = this.position_after(0);
        Self {
            this,
            that,
            root,
            mover: root.side,
            least,
        }
    }

    fn claims(&self, cache: &mut FeatureCache) -> Vec<Found> {
        let mut found = Vec::new();
        self.outcome(&mut found);
        self.corners(&mut found);
        self.corner_events(&mut found);
        self.corner_in_the_end(&mut found);
        self.edges(&mut found);
        self.forced(&mut found);
        self.tempo(&mut found);
        self.moves_left(&mut found);
        self.moves_along(&mut found);
        self.access(&mut found);
        self.parity(&mut found);
        self.timing(&mut found);
        self.shapes(&mut found);
        self.manoeuvres(&mut found);
        self.foresight(&mut found);
        self.counts(&mut found, cache);
        self.counts_later(&mut found, cache);
        found
    }

    /// The first plies of this line.
    pub(super) fn this_line(&self, plies: usize) -> Vec<Move> {
        self.this.moves.iter().take(plies).copied().collect()
    }

    /// The first plies of that line.
    pub(super) fn that_line(&self, plies: usize) -> Vec<Move> {
        self.that.moves.iter().take(plies).copied().collect()
    }

    /// How far both lines can be compared: eight plies, if both go so far, and the positions there.
    /// The same side is to move in both, and neither game is over.
    pub(super) fn ends(&self) -> Option<(usize, Position, Position)> {
        let plies = self.this.moves.len().min(self.that.moves.len());
        let plies = plies.min(EVENT_PLIES);
        let (this, that) = (
            self.this.position_after(plies),
            self.that.position_after(plies),
        );
        let over = |p: Position| p.board.is_game_over();
        (plies >= 2 && this.side == that.side && !over(this) && !over(that))
            .then_some((plies, this, that))
    }

    /// The expected reply, or any if none is known.
    fn reply_to_this(&self) -> Move {
        let legal = self.this.after().board.legal_moves();
        let any = legal.first().map_or(Move::Pass, Move::Place);
        self.this.reply().unwrap_or(any)
    }

    /// What the end of the game says, if both ends are proven.
    fn outcome(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this, self.that);
        // The line shows the result, or there is nothing to show.
        let proven = |c: &Candidate| {
            let end = c.end();
            let difference = 100 * end.board.final_score();
            let shown = Score::centi(difference).seen_by(self.mover, end.side);
            c.solved && c.is_complete() && shown == c.score
        };
        if !(proven(this) && proven(that) && this.score > that.score) {
            return;
        }
        let discs = Pair {
            this: this.score.hundredths() / 100,
            that: that.score.hundredths() / 100,
        };
        found.push(Found {
            claim: Claim::EndsBetter {
                discs,
                that: that.square,
            },
            squares: this.square.bit(),
            line: this.moves.clone(),
            // A result that turns decides; more or fewer discs explain less than what happens on
            // the board.
            weight: if discs.this.signum() == discs.that.signum() {
                (10 * discs.lead()).min(120)
            } else {
                3000 + 10 * discs.lead()
            },
        });
    }

    fn corners(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this.square, self.that.square);
        // A corner that the mover gets on that line, too, is no reason to take it now.
        let is_kept = keeps(self.that, self.mover, this);
        if this.kind() == SquareKind::Corner && that.kind() != SquareKind::Corner && !is_kept {
            found.push(Found {
                claim: Claim::TakesCorner { corner: this },
                squares: this.bit(),
                line: vec![Move::Place(this)],
                weight: weights::CORNER,
            });
        }
        let secured = secured_corners(self.this.after());
        let secured_anyway = secured_corners(self.that.after()) | that.bit();
        for corner in secured - secured_anyway - open_corners(self.root.board) {
            // What the mover gets anyway is not gained by this move.
            let is_missed = keeps(self.this, self.mover.other(), corner);
            if keeps(self.that, self.mover, corner) || is_missed {
                continue;
            }
            let line = vec![Move::Place(this), self.reply_to_this(), Move::Place(corner)];
            found.push(Found {
                claim: Claim::SecuresCorner { corner },
                squares: corner.bit(),
                line,
                // Not taken yet.
                weight: weights::CORNER * 3 / 4,
            });
        }
        let open = |candidate: &Candidate| open_corners(candidate.after().board);
        let given = open(self.that) - open(self.this) - this.bit();
        for corner in given {
            self.corner_given(corner, found);
        }
        self.away_from_corner(given, found);
    }

    /// That move lets the opponent take a corner, this one does not.
    fn corner_given(&self, corner: Square, found: &mut Vec<Found>) {
        let (this, that, taker) = (self.this.square, self.that.square, self.mover.other());
        let was_open = open_corners(self.root.board.swapped()).contains(corner);
        let trap = that.kind() == SquareKind::X && that.nearest_corner() == corner;
        let claim = if was_open {
            Claim::ShutsCorner {
                this,
                that,
                corner,
                taker,
            }
        } else if trap {
            Claim::AvoidsXTrap { that, corner }
        } else {
            Claim::KeepsCornerShut {
                that,
                corner,
                taker,
            }
        };
        // A corner that the opponent has in the end of both lines, or that it leaves alone, decides less.
        let is_lost_in = |line: &Candidate| keeps(line, taker, corner);
        let weight = match [self.that, self.this].map(is_lost_in) {
            _ if keeps(self.that, self.mover, corner) => FALLS_ANYWAY,
            [_, true] => FALLS_ANYWAY,
            [true, false] => weights::CORNER / self.corner_share(),
            [false, false] => weights::CORNER / 3,
        };
        found.push(Found {
            claim,
            squares: corner.bit() | that.bit(),
            line: vec![Move::Place(that), Move::Place(corner)],
            weight,
        });
    }

    /// Whether the mover plays that move within five plies of this line, too.
    fn follows_soon(&self) -> bool {
        let own = self.this.played_by(self.mover, 5);
        own.contains(self.that.square)
    }

    /// That move stands beside an empty corner, this one does not.
    fn away_from_corner(&self, given: Bitboard, found: &mut Vec<Found>) {
        let beside = |square: Square| {
            endangered_corner(square).filter(|&c| self.root.board.empties().contains(c))
        };
        let that = self.that.square;
        let Some(corner) = beside(that) else { return };
        // This move may stand beside another corner, if that one is not lost by it.
        let is_lost_by = |line: &Candidate, corner| keeps(line, self.mover.other(), corner);
        let own = beside(self.this.square).filter(|&it| it == corner || is_lost_by(self.this, it));
        // Players step beside corners all the time; it is a reason where it costs the corner.
        let taker = self.mover.other();
        let is_lost = keeps(self.that, taker, corner) && !keeps(self.this, taker, corner);
        let is_told = given.contains(corner) || self.this.square == corner;
        if own.is_some() || is_told || self.follows_soon() || !is_lost {
            return;
        }
        let share = if that.kind() == SquareKind::X { 1 } else { 2 };
        found.push(Found {
            claim: Claim::StaysAwayFromCorner { that, corner },
            squares: corner.bit() | that.bit(),
            line: vec![Move::Place(that)],
            weight: -5 * weights::X_C_RISK / 2 / share,
        });
    }

    fn tempo(&self, found: &mut Vec<Found>) {
        let replies = |c: &Candidate| c.after().board.legal_moves().len() as i32;
        let passes = |c: &Candidate| c.after().board.must_pass();
        if passes(self.this) && replies(self.that) > 0 {
            found.push(Found {
                claim: Claim::NoReply {
                    opponent: self.mover.other(),
                },
                squares: self.this.square.bit(),
                line: self.this_line(1),
                weight: (80 * (replies(self.that) + 1)).min(700),
            });
        }
        let flips = |c: &Candidate| self.root.board.flips(c.square);
        let loud = |c: &Candidate| flips(c) & c.after().board.empties().neighbours();
        if loud(self.this).is_empty() && !loud(self.that).is_empty() {
            let flipped = flips(self.this);
            found.push(Found {
                claim: Claim::Quiet {
                    square: self.this.square,
                    flips: flipped.len(),
                },
                squares: flipped | self.this.square.bit(),
                line: self.this_line(1),
                weight: (-weights::FRONTIER * (loud(self.that).len() as i32 + 1)).min(200),
            });
        }
    }

    fn parity(&self, found: &mut Vec<Found>) {
        // Where the lines show who plays last, that is told.
        if self.root.board.empties().len() > PARITY_EMPTIES_MAX || self.are_complete() {
            return;
        }
        let (this, that) = (self.this.position_after(2), self.that.position_after(2));
        let turn_is_back = |c: &Candidate, p: Position| c.moves.len() >= 2 && p.side == self.mover;
        if !turn_is_back(self.this, this) || !turn_is_back(self.that, that) {
            return;
        }
        for region in self.root.board.regions().filter(|region| region.is_odd()) {
            let region = region.squares();
            let left = |p: Position| region & p.board.empties();
            let (kept, lost) = (left(this), left(that));
            let whole = this.board.regions().any(|part| part.squares() == kept);
            let is_entered = region.contains(self.this.square) || region.contains(self.that.square);
            if (3..=REGION_MAX).contains(&region.len())
                && is_entered
                && kept.len() % 2 == 1
                && whole
                && lost.len() % 2 == 0
            {
                found.push(Found {
                    claim: Claim::KeepsOddRegion {
                        region,
                        left: Pair {
                            this: kept.len() as i32,
                            that: lost.len() as i32,
                        },
                    },
                    squares: region,
                    line: self.this_line(2),
                    weight: 140,
                });
            }
        }
    }
}

/// Corners that the side which has just moved can take next, whatever the reply.
pub(super) fn secured_corners(after: Position) -> Bitboard {
    let board = after.board;
    let corners = |next: Board| next.legal_moves() & Bitboard::CORNERS;
    let replies = board.legal_moves();
    if replies.is_empty() {
        // The other side must pass, or the game is over and nobody takes anything.
        return corners(board.swapped());
    }
    replies
        .into_iter()
        .map(|square| corners(board.play_unchecked(square, board.flips(square))))
        .fold(Bitboard::CORNERS, |secured, open| secured & open)
}
