//! What can be counted right after two moves and at the ends of their lines.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    compare::{Duel, Found},
    events::keeps,
    features::{FeatureCache, Features, SideFeatures, board_of, weights},
};
use othello::{Bitboard, Board, Position, Side};
use std::sync::Arc;

/// A frontier means little once the board is nearly full.
const FRONTIER_EMPTIES_MIN: u32 = 16;

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

impl Duel<'_> {
    /// What can be counted right after the moves.
    pub(super) fn counts(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
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
            push(claim, squares, weight / self.mobility_share());
        }
        let stable = |side: u32| side as i32 - before.side(mover).stable as i32;
        let gain = Pair {
            this: stable(this.side(mover).stable),
            that: stable(that.side(mover).stable),
        };
        // The discs of a corner that the mover gets anyway are not gained by this move.
        let corner = self.this.square;
        let is_kept = Bitboard::CORNERS.contains(corner) && keeps(self.that, mover, corner);
        // Nor are discs that are the mover's at the end of that line, too.
        let own = board_of(self.this.after(), mover).stable_discs();
        let new = own - board_of(self.root, mover).stable_discs();
        let lasts = 2 * (new & self.that.end().discs(mover)).len() <= new.len();
        if gain.this > 0 && gain.lead() > 0 && !is_kept && lasts {
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

    /// By how much a lead in moves counts less that turns into its contrary along the lines.
    pub(super) fn mobility_share(&self) -> i32 {
        let ahead = |position: Position| {
            let moves = |side| board_of(position, side).mobility() as i32;
            moves(self.mover) - moves(self.mover.other())
        };
        match self.ends() {
            Some((_, here, there)) if ahead(here) < ahead(there) => 3,
            _ => 1,
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
        // What one side gains and the other gains as well is no gain, nor are moves that the reply takes
        // away again.
        let net = moves.lead() - replies.lead();
        let lasts = self.moves_after_replies().is_none_or(|it| it.lead() >= -1);
        if moves.lead() >= 1 && replies.lead() <= -1 && lasts && net > self.least.moves {
            Some((
                Claim::OpensMoves {
                    own_gain: moves.lead() as u32,
                    reply_cut: -replies.lead() as u32,
                },
                own_squares,
                (50 * net).min(400),
            ))
        } else if net < self.least.moves {
            None
        } else if self.is_telling(replies, -replies.lead()) {
            Some((
                Claim::FewerReplies {
                    opponent,
                    replies,
                    that: self.that.square,
                },
                reply_squares,
                (-50 * replies.lead()).min(380),
            ))
        } else if lasts && self.is_telling(moves, moves.lead()) {
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
    pub(super) fn counts_later(&self, found: &mut Vec<Found>, cache: &mut FeatureCache) {
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
        let lasting = self.lasting_corners(this, that);
        if lead >= 1 && self.corners_last() && !lasting.is_empty() {
            let claim = Claim::CornersLater {
                plies,
                mover,
                own,
                theirs,
            };
            push(claim, lasting, weights::CORNER / 2);
        }
        if let Some((claim, discs, weight)) = self.stable_later(&ends, plies, that) {
            push(claim, discs, weight);
        }
        if let Some((claim, weight)) = self.frontier_later(&ends, plies) {
            push(claim, ends.squares(Board::frontier), weight);
        }
    }

    /// Discs that can never be flipped at the ends of both lines, and those that make the difference.
    fn stable_later(
        &self,
        ends: &Ends,
        plies: usize,
        that: Position,
    ) -> Option<(Claim, Bitboard, i32)> {
        let (own, theirs, lead) = ends.pairs(|s| s.stable);
        let (mover, opponent) = (ends.mover, ends.mover.other());
        let stable = |position, side| board_of(position, side).stable_discs();
        // Kept on this line, or the opponent's on that one.
        let (discs, owner, other) = if own.lead() > 0 {
            (
                stable(ends.this, mover) - stable(that, mover),
                mover,
                self.that,
            )
        } else {
            let discs = stable(that, opponent) - stable(ends.this, opponent);
            (discs, opponent, self.this)
        };
        // Discs that have the same owner at the end of the other line were only safe earlier.
        let lasts = 2 * (other.end().discs(owner) & discs).len() < discs.len();
        let claim = Claim::StableLater {
            plies,
            mover,
            own,
            theirs,
        };
        (lead >= self.least.stable && lasts)
            .then(|| (claim, discs, (weights::STABLE * lead).min(250)))
    }

    /// How many moves each side can choose from along the lines.
    pub(super) fn moves_along(&self, found: &mut Vec<Found>) {
        let Some((plies, ..)) = self.ends() else {
            return;
        };
        let sum = |line: &Candidate, side: Side| {
            let positions = (1..=plies).map(|ply| line.position_after(ply));
            let turns = positions.filter(|position| position.side == side);
            turns.map(|position| position.board.mobility() as i32).sum()
        };
        let pair = |side: Side| Pair {
            this: sum(self.this, side),
            that: sum(self.that, side),
        };
        let (own, theirs) = (pair(self.mover), pair(self.mover.other()));
        let lead = own.lead() - theirs.lead();
        if lead >= self.least.later {
            found.push(Found {
                claim: Claim::MovesAlong {
                    plies,
                    mover: self.mover,
                    own,
                    theirs,
                    that: self.that.square,
                },
                squares: self.this.square.bit(),
                line: self.this_line(plies),
                // Nobody can count this at the board: what can be counted there comes first.
                weight: (40 + 6 * lead).min(200),
            });
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
