//! Everything that speaks for one move and against another, found by counting.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    concepts::open_corners,
    events::{EVENT_PLIES, REGION_MAX, keeps},
    features::{FeatureCache, Features, SideFeatures, board_of, endangered_corner, weights},
};
use game::Score;
use othello::{Bitboard, Board, Move, Position, Side, Square, SquareKind};
use std::sync::Arc;

/// The ends of two lines and what can be counted there.
struct Ends {
    mover: Side,
    /// The end of the first line.
    this: Position,
    counts: [Arc<Features>; 2],
}

impl Ends {
    /// A count of the mover at both ends, the same count of the opponent, and what the first end
    /// is ahead in both together.
    fn pairs(&self, of: fn(&SideFeatures) -> u32) -> (Pair, Pair, i32) {
        let pair = |side| Pair {
            this: of(self.counts[0].side(side)) as i32,
            that: of(self.counts[1].side(side)) as i32,
        };
        let (own, theirs) = (pair(self.mover), pair(self.mover.other()));
        (own, theirs, own.lead() - theirs.lead())
    }

    /// Squares at the end of the first line, as the mover sees the board.
    fn squares(&self, of: fn(Board) -> Bitboard) -> Bitboard {
        of(board_of(self.this, self.mover))
    }
}

/// A claim with what shows it on a board, and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) claim: Claim,
    pub(crate) squares: Bitboard,
    pub(crate) line: Vec<Move>,
    /// Centidiscs by the weights of the features.
    pub(crate) weight: i32,
}

/// A frontier means little once the board is nearly full.
const FRONTIER_EMPTIES_MIN: u32 = 16;
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

    /// Whatever differs at all.
    const ANY: Self = Self {
        moves: 1,
        safe: 1,
        frontier: 1,
        stable: 1,
        later: 1,
    };
}

/// Up to this loss a difference of one is a reason: little is lost, and little is to be seen.
const SMALL_LOSS: i32 = 200;
/// Up to this loss a difference a little below the usual is a reason. A greater loss has greater
/// reasons, and if we do not see them we say so.
const MIDDLING_LOSS: i32 = 400;

/// What speaks for `this` in comparison with `that`; both are moves of the same position.
pub(crate) fn claims_for(
    this: &Candidate,
    that: &Candidate,
    cache: &mut FeatureCache,
) -> Vec<Found> {
    Duel::new(this, that, Least::USUAL).claims(cache)
}

/// What speaks for the better of two moves. Where it is better by little and nothing of the usual
/// size speaks for it, smaller differences do.
pub(crate) fn claims_for_better(
    best: &Candidate,
    other: &Candidate,
    cache: &mut FeatureCache,
) -> Vec<Found> {
    let found = claims_for(best, other, cache);
    if !found.is_empty() {
        return found;
    }
    let least = match (best.score - other.score).hundredths() {
        loss if loss <= SMALL_LOSS => Least::ANY,
        loss if loss <= MIDDLING_LOSS => Least::LESS,
        _ => return found,
    };
    Duel::new(best, other, least).claims(cache)
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
        if this.kind() == SquareKind::Corner && that.kind() != SquareKind::Corner {
            found.push(Found {
                claim: Claim::TakesCorner { corner: this },
                squares: this.bit(),
                line: vec![Move::Place(this)],
                weight: if keeps(self.that, self.mover, this) {
                    weights::CORNER / 8
                } else {
                    weights::CORNER
                },
            });
        }
        let secured = secured_corners(self.this.after());
        let secured_anyway = secured_corners(self.that.after()) | that.bit();
        for corner in secured - secured_anyway - open_corners(self.root.board) {
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
        // A corner that the opponent leaves alone on the expected line, or takes on both, decides less.
        let is_taken = |line: &Candidate| keeps(line, taker, corner);
        let weight = match (is_taken(self.that), is_taken(self.this)) {
            (true, false) => weights::CORNER / self.corner_share(),
            (false, _) => weights::CORNER / 3,
            (true, true) => weights::CORNER / 8,
        };
        found.push(Found {
            claim,
            squares: corner.bit() | that.bit(),
            line: vec![Move::Place(that), Move::Place(corner)],
            weight,
        });
    }

    /// That move stands beside an empty corner, this one does not.
    fn away_from_corner(&self, given: Bitboard, found: &mut Vec<Found>) {
        let beside = |square: Square| {
            endangered_corner(square).filter(|&c| self.root.board.empties().contains(c))
        };
        let that = self.that.square;
        let Some(corner) = beside(that) else { return };
        let own = beside(self.this.square);
        // A square that the better line plays soon cannot be what is wrong with the move.
        let is_next = self
            .this
            .moves
            .iter()
            .take(5)
            .any(|it| it.square() == Some(that));
        if own.is_some() || given.contains(corner) || self.this.square == corner || is_next {
            return;
        }
        let share = if that.kind() == SquareKind::X { 1 } else { 2 };
        found.push(Found {
            claim: Claim::StaysAwayFromCorner { that, corner },
            squares: corner.bit() | that.bit(),
            line: vec![Move::Place(that)],
            weight: -weights::X_C_RISK / share,
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
            if (3..=REGION_MAX).contains(&region.len())
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

    /// What can be counted right after the moves.
    fn counts(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
        let mover = self.mover;
        let before = cache.get(self.root);
        let this = cache.get(self.this.after());
        let that = cache.get(self.that.after());
        let that_move = self.that.square;
        let mut push = |claim, squares, weight| {
            found.push(Found {
                claim,
                squares,
                line: self.this_line(1),
                weight,
            });
        };
        if let Some((claim, squares, weight)) = self.mobility_count(&this, &that) {
            push(claim, squares, weight);
        }
        let stable = |side: u32| side as i32 - before.side(mover).stable as i32;
        let gain = Pair {
            this: stable(this.side(mover).stable),
            that: stable(that.side(mover).stable),
        };
        if gain.this > 0 && gain.lead() > 0 {
            push(
                Claim::MoreStable { gain },
                board_of(self.this.after(), mover).stable_discs(),
                weights::STABLE * gain.lead(),
            );
        }
        let discs = Pair {
            this: this.side(mover).frontier as i32,
            that: that.side(mover).frontier as i32,
        };
        if before.empties >= FRONTIER_EMPTIES_MIN && discs.lead() <= -self.least.frontier {
            push(
                Claim::SmallerFrontier {
                    discs,
                    that: that_move,
                },
                board_of(self.this.after(), mover).frontier(),
                weights::FRONTIER * discs.lead(),
            );
        }
    }

    /// What the moves of both sides after the two moves speak for, with squares and weight.
    fn mobility_count(&self, this: &Features, that: &Features) -> Option<(Claim, Bitboard, i32)> {
        let (mover, opponent) = (self.mover, self.mover.other());
        let moves = Pair {
            this: this.side(mover).mobility as i32,
            that: that.side(mover).mobility as i32,
        };
        let replies = Pair {
            this: this.side(opponent).mobility as i32,
            that: that.side(opponent).mobility as i32,
        };
        let reply_squares = self.this.after().board.legal_moves();
        let own_squares = board_of(self.this.after(), mover).legal_moves();
        if moves.lead() >= 1
            && replies.lead() <= -1
            && moves.lead() - replies.lead() > self.least.moves
        {
            Some((
                Claim::OpensMoves {
                    own_gain: moves.lead() as u32,
                    reply_cut: -replies.lead() as u32,
                },
                own_squares,
                (50 * (moves.lead() - replies.lead())).min(400),
            ))
        } else if self.is_telling(replies, -replies.lead()) {
            Some((
                Claim::FewerReplies {
                    opponent,
                    replies,
                    that: self.that.square,
                },
                reply_squares,
                (-60 * replies.lead()).min(380),
            ))
        } else if self.is_telling(moves, moves.lead()) {
            Some((
                Claim::MoreMoves {
                    mover,
                    moves,
                    that: self.that.square,
                },
                own_squares,
                (50 * moves.lead()).min(300),
            ))
        } else {
            None
        }
    }

    /// What can be counted at the ends of both lines, cut to the same number of plies so that the
    /// same side is to move.
    fn counts_later(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
        let Some((plies, this, that)) = self.ends() else {
            return;
        };
        let mover = self.mover;
        let ends = Ends {
            mover,
            this,
            counts: [cache.get(this), cache.get(that)],
        };
        let line = self.this_line(plies);
        let mut push = |claim, squares, weight| {
            found.push(Found {
                claim,
                squares,
                line: line.clone(),
                weight,
            });
        };

        // What lies a few plies ahead counts half of what is there at once.
        let (own, theirs, lead) = ends.pairs(|s| s.mobility);
        if lead >= self.least.later {
            let claim = Claim::MobilityLater {
                plies,
                mover,
                own,
                theirs,
            };
            push(
                claim,
                ends.squares(Board::legal_moves),
                (25 * lead).min(200),
            );
        }
        let (own, theirs, lead) = ends.pairs(|s| s.corners);
        if lead >= 1 && self.corners_last() {
            let claim = Claim::CornersLater {
                plies,
                mover,
                own,
                theirs,
            };
            // The corners that make the difference: gained on this line, or lost on that one.
            let discs = [that.discs(mover.other()), this.discs(mover)][usize::from(own.lead() > 0)];
            push(claim, discs & Bitboard::CORNERS, weights::CORNER / 2);
        }
        let (own, theirs, lead) = ends.pairs(|s| s.stable);
        if lead >= self.least.stable {
            let claim = Claim::StableLater {
                plies,
                mover,
                own,
                theirs,
            };
            let weight = (weights::STABLE * lead).min(250);
            // The discs that make the difference: kept on this line, or the opponent's on that one.
            let discs = if own.lead() > 0 {
                ends.squares(Board::stable_discs)
            } else {
                board_of(that, mover.other()).stable_discs()
            };
            push(claim, discs, weight);
        }
        if let Some((claim, weight)) = self.frontier_later(&ends, plies) {
            push(claim, ends.squares(Board::frontier), weight);
        }
    }

    /// How far from the opponent's empty squares the discs are at the ends of both lines.
    fn frontier_later(&self, ends: &Ends, plies: usize) -> Option<(Claim, i32)> {
        let (own, theirs, lead) = ends.pairs(|s| s.frontier);
        if ends.counts[0].empties < FRONTIER_EMPTIES_MIN || lead > -self.least.later {
            return None;
        }
        let claim = Claim::FrontierLater {
            plies,
            mover: ends.mover,
            own,
            theirs,
        };
        Some((claim, (weights::FRONTIER * lead / 2).min(150)))
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
