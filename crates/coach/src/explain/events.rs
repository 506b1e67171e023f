//! What happens on the expected lines within eight plies, and what players would notice right after
//! the two moves: corners won and lost, passes, safe moves, regions, walls, edges.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    compare::{Duel, Found},
    concepts::{EDGES, WALL_MIN, open_c, open_corners, safe_moves, wall, wedge},
    features::board_of,
};
use othello::{Bitboard, Board, Move, Position, Side, Square};

/// How far along the lines events and counts are looked for. Both lines are known that far, and a
/// person can follow them.
pub(super) const EVENT_PLIES: usize = 8;
/// A difference in moves is a reason from this part of the larger number on.
const TELLING_PART: i32 = 8;
/// Players count the last moves of a game out from about here on.
const COUNTABLE_PLIES: usize = 14;
/// Regions with more squares than this decide nothing yet.
pub(super) const REGION_MAX: u32 = 12;
/// Who can still play where matters with so few empty squares.
const ACCESS_EMPTIES_MAX: u32 = 20;
/// A move in reserve means something once moves run out.
const FREE_EMPTIES_MAX: u32 = 40;
/// An edge has another owner in the end if so many more of its discs are his.
const LASTING_DISCS: i32 = 3;
/// A wall hurts as long as there is much to come.
const WALL_EMPTIES_MIN: u32 = 20;
/// A move builds a wall if so many of its discs are new.
const NEW_IN_WALL: u32 = 2;
/// Safe moves matter once they run out.
const SAFE_FEW: i32 = 5;
const SAFE_EMPTIES_MAX: u32 = 40;

/// Corners that a side takes on a line within eight plies, with the ply of each.
pub(super) fn corners_taken(line: &Candidate, side: Side) -> Vec<(Square, usize)> {
    let moves = line.moves.iter().take(EVENT_PLIES).enumerate();
    moves
        .filter(|&(ply, _)| line.position_after(ply).side == side)
        .filter_map(|(ply, action)| Some((action.square()?, ply + 1)))
        .filter(|&(square, _)| Bitboard::CORNERS.contains(square))
        .collect()
}

/// The ply with which a side passes within eight plies.
fn pass_of(line: &Candidate, side: Side) -> Option<usize> {
    let mut plies = (0..line.moves.len().min(EVENT_PLIES))
        .filter(|&ply| line.moves[ply] == Move::Pass && line.position_after(ply).side == side);
    plies.next().map(|ply| ply + 1)
}

/// How often a side passes along a line.
fn n_passes(line: &Candidate, side: Side) -> usize {
    let plies = 0..line.moves.len();
    plies
        .filter(|&ply| line.moves[ply] == Move::Pass && line.position_after(ply).side == side)
        .count()
}

/// Whether a side has a corner at the end of a line, as far as it is known: a corner that is taken a
/// little later on the other line makes no difference.
pub(super) fn keeps(line: &Candidate, side: Side, corner: Square) -> bool {
    line.end().discs(side).contains(corner)
}

/// Whether the loser of a corner, which falls with this ply of a line, opened it with the move before
/// although a safe one was there: the first move of the line did not lose it.
fn is_given_later(line: &Candidate, corner: Square, ply: usize) -> bool {
    if ply < 3 {
        return false;
    }
    let before = line.position_after(ply - 2).board;
    let was_open = open_corners(before.swapped()).contains(corner);
    !was_open && !safe_moves(before).is_empty()
}

/// Whether a line tells what happens with a ply.
pub(super) fn reaches(line: &Candidate, plies: usize) -> bool {
    line.moves.len() >= plies || line.is_complete()
}

impl Duel<'_> {
    /// Corners that change hands on the lines.
    pub(super) fn corner_events(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this, self.that);
        let opponent = self.mover.other();
        let share = self.corner_share();
        let weight = |plies: usize| (900 - 40 * plies as i32) / share;
        // Whoever has as many corners in the end has lost none.
        if !self.corners_last() {
            return;
        }
        for (corner, plies) in corners_taken(that, opponent) {
            // What the opponent can take at once is told as a corner that is open; what it could take
            // after this move, too, does not depend on the move.
            let is_open_anyway = open_corners(this.after().board).contains(corner);
            if plies == 2
                || is_open_anyway
                || !reaches(this, plies)
                || keeps(this, opponent, corner)
                || is_given_later(that, corner, plies)
            {
                continue;
            }
            found.push(Found {
                claim: Claim::LosesCorner {
                    that: that.square,
                    corner,
                    taker: opponent,
                    plies,
                },
                squares: corner.bit() | that.square.bit(),
                line: self.that_line(plies),
                weight: weight(plies),
            });
        }
        // What the mover can take already is not won.
        let is_at_hand = |corner| open_corners(self.root.board).contains(corner);
        for (corner, plies) in corners_taken(this, self.mover) {
            let is_kept = keeps(that, self.mover, corner) || is_given_later(this, corner, plies);
            if plies == 1 || !reaches(that, plies) || is_kept || is_at_hand(corner) {
                continue;
            }
            found.push(Found {
                claim: Claim::WinsCorner {
                    this: this.square,
                    corner,
                    plies,
                },
                squares: corner.bit() | this.square.bit(),
                line: self.this_line(plies),
                weight: weight(plies),
            });
        }
    }

    /// A corner that makes the difference where the lines end, later than players look ahead.
    pub(super) fn corner_in_the_end(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this, self.that);
        let (opponent, here, there) = (self.mover.other(), this.end(), that.end());
        let is_even = here.board.empties().len() == there.board.empties().len();
        if !(is_even || self.are_complete()) || !self.corners_last() {
            return;
        }
        // A corner that the opponent takes with the next move after the line is lost as well.
        let hanging = board_of(here, opponent).legal_moves();
        let lost = there.discs(opponent) - here.discs(opponent) - hanging;
        let (won, kept): (Vec<Square>, Vec<Square>) = (lost & Bitboard::CORNERS)
            .into_iter()
            .partition(|&corner| here.discs(self.mover).contains(corner));
        let Some(&corner) = won.first().or(kept.first()) else {
            return;
        };
        let taken = that.moves.iter().position(|it| it.square() == Some(corner));
        found.push(Found {
            claim: Claim::CornerInTheEnd {
                corner,
                opponent,
                is_won: !won.is_empty(),
            },
            squares: corner.bit(),
            line: self.that_line(taken.map_or(that.moves.len(), |ply| ply + 1)),
            // Of what no player sees at the board, the nearest comes first.
            weight: if won.is_empty() { 30 } else { 35 },
        });
    }

    /// Whether this line is ahead in corners where the lines end, too: what evens out there was only
    /// taken earlier.
    pub(super) fn corners_last(&self) -> bool {
        let corners = |line: &Candidate, side| (line.end().discs(side) & Bitboard::CORNERS).len();
        let ahead =
            |line| corners(line, self.mover) as i32 - corners(line, self.mover.other()) as i32;
        ahead(self.this) > ahead(self.that)
    }

    /// Corners that make the difference between two positions of the lines and between their ends:
    /// gained on this line, or lost on that one.
    pub(super) fn lasting_corners(&self, here: Position, there: Position) -> Bitboard {
        let (mover, opponent) = (self.mover, self.mover.other());
        let between = |here: Position, there: Position| {
            let gained = here.discs(mover) - there.discs(mover);
            let lost = there.discs(opponent) - here.discs(opponent);
            (gained | lost) & Bitboard::CORNERS
        };
        between(here, there) & between(self.this.end(), self.that.end())
    }

    /// Whether both lines go to the end of the game.
    pub(super) fn are_complete(&self) -> bool {
        self.this.is_complete() && self.that.is_complete()
    }

    /// By how much what is said about corners counts less: where one is swapped for another within
    /// eight plies, corners do not decide.
    pub(super) fn corner_share(&self) -> i32 {
        let lead = |line: &Candidate| {
            let corners = |side| {
                let discs = line.position_after(EVENT_PLIES).discs(side);
                (discs & Bitboard::CORNERS).len() as i32
            };
            corners(self.mover) - corners(self.mover.other())
        };
        if lead(self.this) > lead(self.that) {
            1
        } else {
            3
        }
    }

    /// Replies that are forced, and turns that are lost.
    pub(super) fn forced(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this, self.that);
        let opponent = self.mover.other();
        for (line, other, who) in [(this, that, opponent), (that, this, self.mover)] {
            // The reply itself is told as such.
            let Some(plies) = pass_of(line, who).filter(|&plies| plies > 2) else {
                continue;
            };
            // Whoever passes as often on the other line, later, loses no move.
            let is_evened = n_passes(other, who) >= n_passes(line, who);
            if !reaches(other, plies) || pass_of(other, who).is_some() || is_evened {
                continue;
            }
            found.push(Found {
                claim: Claim::MustPass {
                    who,
                    after: line.square,
                    plies,
                },
                squares: line.square.bit(),
                line: line.moves.iter().take(plies).copied().collect(),
                weight: 650 - 30 * plies as i32,
            });
        }
        let replies = this.after().board.legal_moves();
        if let (1, Some(reply)) = (replies.len(), replies.first())
            && that.after().board.mobility() >= 3
        {
            found.push(Found {
                claim: Claim::OnlyReply { opponent, reply },
                squares: reply.bit(),
                line: vec![Move::Place(this.square), Move::Place(reply)],
                weight: 420,
            });
        }
        let forces = |after: Position| always_a_corner(after.board);
        if open_corners(self.root.board).is_empty()
            && forces(this.after())
            && !forces(that.after())
            && super::compare::secured_corners(this.after()).is_empty()
            && self.corners_last()
        {
            found.push(Found {
                claim: Claim::EveryReplyGivesCorner {
                    mover: self.mover,
                    opponent,
                },
                squares: this.square.bit(),
                line: self.this_line(1),
                weight: 750,
            });
        }
    }

    /// The positions after both replies, if it is the mover's turn in both.
    fn after_replies(&self) -> Option<(Position, Position)> {
        let is_back =
            |line: &Candidate| line.moves.len() >= 2 && line.position_after(2).side == self.mover;
        (is_back(self.this) && is_back(self.that))
            .then(|| (self.this.position_after(2), self.that.position_after(2)))
    }

    /// The mover's moves after both replies.
    pub(super) fn moves_after_replies(&self) -> Option<Pair> {
        let (here, there) = self.after_replies()?;
        Some(Pair {
            this: here.board.mobility() as i32,
            that: there.board.mobility() as i32,
        })
    }

    /// Whether so many moves more or fewer can be felt: twenty replies or twenty-one are the same to
    /// a player, two or three are not.
    pub(super) fn is_telling(&self, moves: Pair, lead: i32) -> bool {
        lead >= self.least.moves && TELLING_PART * lead >= moves.this.max(moves.that)
    }

    /// Whether a lead in what the mover can do after the expected replies is there after the other
    /// replies, too: on average over all of them, at least a third of it.
    fn holds_after_all(&self, lead: Pair, of: fn(Board) -> Bitboard) -> bool {
        let mean = |line: &Candidate| {
            let board = line.after().board;
            let replies = board.legal_moves();
            let after = |reply| of(board.play_unchecked(reply, board.flips(reply))).len();
            let sum: u32 = replies.into_iter().map(after).sum();
            f64::from(sum) / f64::from(replies.len().max(1))
        };
        3.0 * (mean(self.this) - mean(self.that)) >= f64::from(lead.lead())
    }

    /// What is left to play: safe moves and moves after the reply, safe replies.
    pub(super) fn moves_left(&self, found: &mut Vec<Found>) {
        let (mover, opponent) = (self.mover, self.mover.other());
        let that = self.that.square;
        let pair = |(here, there): (Board, Board), of: fn(Board) -> Bitboard| Pair {
            this: of(here).len() as i32,
            that: of(there).len() as i32,
        };
        let afterwards = (self.this.after().board, self.that.after().board);
        let safe = pair(afterwards, safe_moves);
        let is_late = self.root.board.empties().len() <= SAFE_EMPTIES_MAX;
        let is_few = |left: i32, more: i32| {
            is_late && left <= SAFE_FEW && (more - left >= self.least.safe || left == 0 && more > 0)
        };
        let has_reply = !afterwards.0.legal_moves().is_empty();
        if has_reply && is_few(safe.this, safe.that) {
            found.push(Found {
                claim: Claim::SafeReplies {
                    opponent,
                    safe,
                    that,
                },
                squares: safe_moves(afterwards.0),
                line: self.this_line(1),
                weight: (-60 * safe.lead() + if safe.this == 0 { 210 } else { 0 }).min(560),
            });
        }
        let Some((here, there)) = self.after_replies() else {
            return;
        };
        let boards = (here.board, there.board);
        let safe = pair(boards, safe_moves);
        let has_moves = !there.board.legal_moves().is_empty();
        if has_moves && is_few(safe.that, safe.this) && self.holds_after_all(safe, safe_moves) {
            found.push(Found {
                claim: Claim::SafeMoves { mover, safe, that },
                squares: safe_moves(here.board),
                line: self.this_line(2),
                weight: (70 * safe.lead()).min(260) + if safe.that == 0 { 240 } else { 0 },
            });
        }
        let moves = pair(boards, Board::legal_moves);
        let holds = self.holds_after_all(moves, Board::legal_moves);
        if self.is_telling(moves, moves.lead()) && holds {
            found.push(Found {
                claim: Claim::MovesAfterReply { mover, moves, that },
                squares: here.board.legal_moves(),
                line: self.this_line(2),
                weight: (50 * moves.lead()).min(300) / self.mobility_share(),
            });
        }
    }

    /// Who can still play where, who plays last, and what only one side can play.
    pub(super) fn access(&self, found: &mut Vec<Found>) {
        let (this, that, mover) = (self.this, self.that, self.mover);
        let opponent = mover.other();
        let last_of = |line: &Candidate| {
            let placed = line
                .moves
                .iter()
                .rposition(|action| *action != Move::Pass)?;
            line.is_complete().then(|| line.position_after(placed).side)
        };
        if last_of(this) == Some(mover) && last_of(that) == Some(opponent) {
            found.push(Found {
                claim: Claim::LastMove {
                    mover,
                    that: that.square,
                },
                squares: this.square.bit(),
                line: this.moves.clone(),
                // What a person can count out says more than what lies far ahead.
                weight: match this.moves.len() {
                    plies if plies <= EVENT_PLIES => 300,
                    plies if plies <= COUNTABLE_PLIES => 150,
                    _ => 60,
                },
            });
        }
        let Some((here, there)) = self.after_replies() else {
            return;
        };
        let can = |position: Position, side: Side, squares: Bitboard| {
            board_of(position, side).legal_moves().intersects(squares)
        };
        let spot = that.square.bit();
        let is_free = |position| can(position, mover, spot) && !can(position, opponent, spot);
        let is_shut = !can(this.after(), opponent, spot);
        let flipped = self.root.board.flips(that.square);
        let is_quiet = !flipped.intersects(that.after().board.empties().neighbours());
        let is_late = self.root.board.empties().len() <= FREE_EMPTIES_MAX;
        // What the opponent plays later on this line was not in hand.
        let is_kept = !this.played_by(opponent, usize::MAX).contains(that.square);
        if is_late && is_quiet && is_shut && is_kept && is_free(self.root) && is_free(here) {
            found.push(Found {
                claim: Claim::KeepsFreeMove {
                    that: that.square,
                    opponent,
                },
                squares: spot,
                line: self.this_line(2),
                weight: 260,
            });
        }
        self.region_access([here, there], found);
    }

    /// Regions in which only the opponent can play after that move and its reply.
    fn region_access(&self, [here, there]: [Position; 2], found: &mut Vec<Found>) {
        if self.root.board.empties().len() > ACCESS_EMPTIES_MAX {
            return;
        }
        let (that, mover, opponent) = (self.that, self.mover, self.mover.other());
        let can = |position: Position, side: Side, squares: Bitboard| {
            board_of(position, side).legal_moves().intersects(squares)
        };
        for region in self.root.board.regions().map(|region| region.squares()) {
            // What the opponent opens again later on the line is not lost.
            let comes_back = (2..that.moves.len()).any(|ply| {
                let square = that.moves[ply].square();
                that.position_after(ply).side == mover
                    && square.is_some_and(|it| region.contains(it))
            });
            let is_lost = can(there, opponent, region) && !can(there, mover, region) && !comes_back;
            if region.len() <= REGION_MAX && is_lost && can(here, mover, region) {
                found.push(Found {
                    claim: Claim::KeepsAccess {
                        region,
                        mover,
                        that: that.square,
                    },
                    squares: region,
                    line: self.this_line(2),
                    weight: 450,
                });
            }
        }
    }

    /// Walls and edges: what the shape of the discs gives away.
    pub(super) fn shapes(&self, found: &mut Vec<Found>) {
        let (this, that, mover) = (self.this, self.that, self.mover);
        let own = |line: &Candidate| board_of(line.after(), mover);
        let built = wall(own(that));
        // One that stood there before, or that costs nothing at the frontier, is no reason.
        let n_new = (built - self.root.board.mover()).len();
        let is_wider = own(that).frontier().len() > own(this).frontier().len();
        if self.root.board.empties().len() >= WALL_EMPTIES_MIN
            && built.len() >= WALL_MIN
            && n_new >= NEW_IN_WALL
            && is_wider
            && wall(own(this)).is_empty()
        {
            found.push(Found {
                claim: Claim::AvoidsWall {
                    that: that.square,
                    discs: built.len(),
                },
                squares: built,
                line: self.that_line(1),
                weight: 50 * built.len() as i32,
            });
        }
        for edge in EDGES {
            let Some(open) = open_c(own(that), edge) else {
                continue;
            };
            let elsewhere = [self.root.board, own(this)];
            if elsewhere.iter().all(|&it| open_c(it, edge).is_none()) {
                found.push(Found {
                    claim: Claim::AvoidsUnbalancedEdge {
                        that: that.square,
                        edge,
                        open,
                    },
                    squares: (edge.squares() & own(that).mover()) | open.bit(),
                    line: self.that_line(1),
                    weight: 240,
                });
            }
        }
        if let Some(edge) = wedge(own(this), this.square)
            && wedge(own(that), that.square).is_none()
            && keeps(this, mover, this.square)
            && !keeps(that, mover, this.square)
        {
            found.push(Found {
                claim: Claim::Wedge {
                    this: this.square,
                    edge,
                    opponent: mover.other(),
                },
                squares: (this.square.bit().dilated() & edge.squares()) | this.square.bit(),
                line: self.this_line(1),
                weight: 240,
            });
        }
    }

    /// Discs on an edge that can never be flipped, after the same plies of both lines.
    pub(super) fn edges(&self, found: &mut Vec<Found>) {
        let Some((plies, here, there)) = self.ends() else {
            return;
        };
        let count = |position: Position, owner: Side, edge: Bitboard| {
            (board_of(position, owner).stable_discs() & edge).len() as i32
        };
        // Where an edge is lost for another one, edges do not decide.
        let lead = |position: Position| {
            let kept = |side| count(position, side, Bitboard::EDGES);
            kept(self.mover) - kept(self.mover.other())
        };
        let share = if lead(here) > lead(there) { 1 } else { 3 };
        for owner in [self.mover, self.mover.other()] {
            let sign = if owner == self.mover { 1 } else { -1 };
            let best = EDGES
                .into_iter()
                .map(|edge| {
                    let discs = Pair {
                        this: count(here, owner, edge.squares()),
                        that: count(there, owner, edge.squares()),
                    };
                    (edge, discs)
                })
                .max_by_key(|(_, discs)| sign * discs.lead());
            let Some((edge, discs)) = best.filter(|(_, it)| sign * it.lead() >= self.least.stable)
            else {
                continue;
            };
            // An edge that has the same owner in the end was only taken earlier.
            let owned = |line: &Candidate| (line.end().discs(owner) & edge.squares()).len() as i32;
            let in_the_end = sign * (owned(self.this) - owned(self.that));
            // What the opponent can begin to take right after this move, too, is no difference either.
            let at_once = open_corners(self.this.after().board).intersects(edge.squares());
            if owner != self.mover && at_once {
                continue;
            }
            if in_the_end < LASTING_DISCS.min(sign * discs.lead()) {
                continue;
            }
            let (shown, line) = if owner == self.mover {
                (here, self.this_line(plies))
            } else {
                (there, self.that_line(plies))
            };
            let squares = board_of(shown, owner).stable_discs() & edge.squares();
            found.push(Found {
                claim: Claim::EdgeLater {
                    plies,
                    edge,
                    owner,
                    discs,
                    that: self.that.square,
                    squares,
                },
                squares,
                line,
                weight: (250 + 60 * sign * discs.lead()).min(560) / share,
            });
        }
    }
}

/// Whether the side that has just moved can take a corner next, whatever the reply.
fn always_a_corner(board: Board) -> bool {
    let replies = board.legal_moves();
    if replies.is_empty() {
        return !open_corners(board.swapped()).is_empty();
    }
    replies.into_iter().all(|square| {
        let next = board.play_unchecked(square, board.flips(square));
        !open_corners(next).is_empty()
    })
}
