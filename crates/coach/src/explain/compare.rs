//! Everything that speaks for one move and against another, found by counting.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    features::{FeatureCache, board_of, endangered_corner, weights},
    winning_chances,
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

/// A frontier means little once the board is nearly full.
const FRONTIER_EMPTIES_MIN: u32 = 16;
/// Whole-board regions have a parity, but it decides nothing yet.
const PARITY_EMPTIES_MAX: u32 = 28;
/// The differences from which counts are worth mentioning.
const REPLIES_MIN: i32 = 2;
const MOVES_MIN: i32 = 2;
const FRONTIER_MIN: i32 = 2;
const MOBILITY_LATER_MIN: i32 = 3;
const STABLE_LATER_MIN: i32 = 2;
const FRONTIER_LATER_MIN: i32 = 3;

/// What speaks for `this` in comparison with `that`; both are moves of the same position.
pub(crate) fn claims_for(
    this: &Candidate,
    that: &Candidate,
    cache: &mut FeatureCache,
) -> Vec<Found> {
    let mut found = Vec::new();
    let duel = Duel::new(this, that);
    duel.outcome(&mut found);
    duel.corners(&mut found);
    duel.tempo(&mut found);
    duel.parity(&mut found);
    duel.counts(&mut found, cache);
    duel.counts_later(&mut found, cache);
    found
}

struct Duel<'a> {
    this: &'a Candidate,
    that: &'a Candidate,
    root: Position,
    mover: Side,
}

impl<'a> Duel<'a> {
    fn new(this: &'a Candidate, that: &'a Candidate) -> Self {
        let root = this.position_after(0);
        Self {
            this,
            that,
            root,
            mover: root.side,
        }
    }

    /// The first plies of this line.
    fn this_line(&self, plies: usize) -> Vec<Move> {
        self.this.moves.iter().take(plies).copied().collect()
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
        let proven = |c: &Candidate| c.solved && c.is_complete();
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
            weight: 100 * discs.lead() + weight_of_result(this.score, that.score),
        });
    }

    fn corners(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this.square, self.that.square);
        if this.kind() == SquareKind::Corner && that.kind() != SquareKind::Corner {
            found.push(Found {
                claim: Claim::TakesCorner { corner: this },
                squares: this.bit(),
                line: vec![Move::Place(this)],
                weight: weights::CORNER,
            });
        }
        let secured = secured_corners(self.this.after());
        let secured_anyway = secured_corners(self.that.after()) | that.bit();
        for corner in secured - secured_anyway {
            let line = vec![Move::Place(this), self.reply_to_this(), Move::Place(corner)];
            found.push(Found {
                claim: Claim::SecuresCorner { corner },
                squares: corner.bit(),
                line,
                // Not taken yet.
                weight: weights::CORNER * 3 / 4,
            });
        }
        let open =
            |candidate: &Candidate| candidate.after().board.legal_moves() & Bitboard::CORNERS;
        let given = open(self.that) - open(self.this);
        for corner in given {
            let trap = that.kind() == SquareKind::X && that.nearest_corner() == corner;
            let claim = if trap {
                Claim::AvoidsXTrap { that, corner }
            } else {
                Claim::KeepsCornerShut {
                    that,
                    corner,
                    taker: self.mover.other(),
                }
            };
            found.push(Found {
                claim,
                squares: corner.bit() | that.bit(),
                line: vec![Move::Place(that), Move::Place(corner)],
                weight: weights::CORNER - if trap { weights::X_C_RISK } else { 0 },
            });
        }
        self.away_from_corner(given, found);
    }

    /// That move stands beside an empty corner, this one does not.
    fn away_from_corner(&self, given: Bitboard, found: &mut Vec<Found>) {
        let beside = |square: Square| {
            endangered_corner(square).filter(|&c| self.root.board.empties().contains(c))
        };
        let that = self.that.square;
        let Some(corner) = beside(that) else { return };
        let own = beside(self.this.square);
        if own.is_some() || given.contains(corner) || self.this.square == corner {
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
                weight: weights::MOBILITY * (replies(self.that) + 1),
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
                weight: -weights::FRONTIER * (loud(self.that).len() as i32 + 1),
            });
        }
    }

    fn parity(&self, found: &mut Vec<Found>) {
        if self.root.board.empties().len() > PARITY_EMPTIES_MAX {
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
            if region.len() >= 3 && kept.len() % 2 == 1 && whole && lost.len() % 2 == 0 {
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
                    weight: weights::PARITY * 2,
                });
            }
        }
    }

    /// What can be counted right after the moves.
    fn counts(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
        let (mover, opponent) = (self.mover, self.mover.other());
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
        let moves = Pair {
            this: this.side(mover).mobility as i32,
            that: that.side(mover).mobility as i32,
        };
        let replies = Pair {
            this: this.side(opponent).mobility as i32,
            that: that.side(opponent).mobility as i32,
        };
        let reply_squares = self.that.after().board.legal_moves();
        let own_squares = board_of(self.this.after(), mover).legal_moves();
        if moves.lead() >= 1 && replies.lead() <= -1 {
            push(
                Claim::OpensMoves {
                    own_gain: moves.lead() as u32,
                    reply_cut: -replies.lead() as u32,
                },
                own_squares,
                weights::MOBILITY * (moves.lead() - replies.lead()),
            );
        } else if replies.lead() <= -REPLIES_MIN {
            push(
                Claim::FewerReplies {
                    opponent,
                    replies,
                    that: that_move,
                },
                reply_squares,
                -weights::MOBILITY * replies.lead(),
            );
        } else if moves.lead() >= MOVES_MIN {
            push(
                Claim::MoreMoves {
                    mover,
                    moves,
                    that: that_move,
                },
                own_squares,
                weights::MOBILITY * moves.lead(),
            );
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
        if before.empties >= FRONTIER_EMPTIES_MIN && discs.lead() <= -FRONTIER_MIN {
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

    /// What can be counted at the ends of both lines, cut to the same number of plies so that the
    /// same side is to move.
    fn counts_later(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
        let plies = self.this.moves.len().min(self.that.moves.len());
        let (this, that) = (
            self.this.position_after(plies),
            self.that.position_after(plies),
        );
        let over = |p: Position| p.board.is_game_over();
        if plies < 2 || over(this) || over(that) {
            return;
        }
        let mover = self.mover;
        let (here, there) = (cache.get(this), cache.get(that));
        let pairs = |of: fn(&super::SideFeatures) -> u32| {
            let pair = |side| Pair {
                this: of(here.side(side)) as i32,
                that: of(there.side(side)) as i32,
            };
            (pair(mover), pair(mover.other()))
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
        let at_end = |of: fn(Board) -> Bitboard| of(board_of(this, mover));

        // What lies a few plies ahead counts half of what is there at once.
        let (own, theirs) = pairs(|s| s.mobility);
        let lead = own.lead() - theirs.lead();
        if lead >= MOBILITY_LATER_MIN {
            push(
                Claim::MobilityLater {
                    plies,
                    mover,
                    own,
                    theirs,
                },
                at_end(Board::legal_moves),
                weights::MOBILITY * lead / 2,
            );
        }
        let (own, theirs) = pairs(|s| s.corners);
        let lead = own.lead() - theirs.lead();
        if lead >= 1 {
            push(
                Claim::CornersLater {
                    plies,
                    mover,
                    own,
                    theirs,
                },
                at_end(|board| board.mover() & Bitboard::CORNERS),
                weights::CORNER * lead / 2,
            );
        }
        let (own, theirs) = pairs(|s| s.stable);
        let lead = own.lead() - theirs.lead();
        if lead >= STABLE_LATER_MIN {
            push(
                Claim::StableLater {
                    plies,
                    mover,
                    own,
                    theirs,
                },
                at_end(Board::stable_discs),
                weights::STABLE * lead / 2,
            );
        }
        let (own, theirs) = pairs(|s| s.frontier);
        let lead = own.lead() - theirs.lead();
        if here.empties >= FRONTIER_EMPTIES_MIN && lead <= -FRONTIER_LATER_MIN {
            push(
                Claim::FrontierLater {
                    plies,
                    mover,
                    own,
                    theirs,
                },
                at_end(Board::frontier),
                weights::FRONTIER * lead / 2,
            );
        }
    }
}

/// What it means to win instead of losing: as much as a corner, half of it for a draw.
fn weight_of_result(this: Score, that: Score) -> i32 {
    let chances = |score| winning_chances(score, 0, true);
    (f64::from(weights::CORNER) * (chances(this) - chances(that))).round() as i32
}

/// Corners that the side which has just moved can take next, whatever the reply.
fn secured_corners(after: Position) -> Bitboard {
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
