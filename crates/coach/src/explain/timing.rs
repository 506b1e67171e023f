//! What comes first: squares that both sides want, replies that a move takes away, and moves that
//! can wait.

use super::{
    candidate::Candidate,
    claim::{Claim, Deed, Pair},
    compare::{Duel, Found},
    concepts::{EDGES, run_on},
    events::EVENT_PLIES,
    features::board_of,
};
use othello::{Bitboard, Move};

/// Opened squares that a sentence may list.
const OPENED_MAX: u32 = 5;
/// Fewer discs in a row hold no edge.
const HELD_MIN: u32 = 3;
/// So many of them are the opponent's because of the reply.
const GAINED_MIN: u32 = 2;
/// What comes within so many plies was only put off.
const PUT_OFF_PLIES: usize = 12;
/// As far as a line goes.
const ALL_PLIES: usize = usize::MAX;
/// Moves taken away that a sentence may list.
const TAKEN_MAX: u32 = 4;

impl Duel<'_> {
    /// Squares and replies that the order of moves decides about.
    pub(super) fn timing(&self, found: &mut Vec<Found>) {
        if !self.comes_first(found) && !self.cannot_wait(found) {
            self.key_square(found);
        }
        self.denied_reply(found);
        self.opened_squares(found);
        self.closed_squares(found);
        self.lost_moves(found);
    }

    /// This move now, that one next turn. Whether it was found: then the square of this move needs no
    /// second sentence.
    fn comes_first(&self, found: &mut Vec<Found>) -> bool {
        let (this, that) = (self.this, self.that);
        // What the opponent could take, or take away with some reply, does not wait.
        let after = this.after().board;
        let replies = after.legal_moves();
        let stays = |reply| {
            let next = after.play_unchecked(reply, after.flips(reply));
            next.legal_moves().contains(that.square)
        };
        let is_safe = !replies.contains(that.square) && replies.into_iter().all(stays);
        // The mover really plays there soon, so that nothing is given up.
        let comes_soon = (2..this.moves.len().min(EVENT_PLIES)).any(|ply| {
            this.moves[ply] == Move::Place(that.square)
                && this.position_after(ply).side == self.mover
        });
        if !(is_safe && comes_soon) {
            return false;
        }
        let there = that.position_after(2);
        let is_gone = that.moves.len() >= 2
            && there.side == self.mover
            && !there.board.legal_moves().contains(this.square);
        // What the mover gets later on that line, too, is not gone.
        let comes_back = that.played_by(self.mover, ALL_PLIES).contains(this.square);
        if comes_back {
            return false;
        }
        // Where the opponent cannot have the square, and the mover can have it later, the order of the
        // two moves makes no difference that anybody could see.
        let rivals = that.after();
        let is_contested =
            rivals.side != self.mover && rivals.board.legal_moves().contains(this.square);
        if !is_gone && !is_contested {
            return false;
        }
        found.push(Found {
            claim: Claim::ComesFirst {
                this: this.square,
                that: that.square,
                is_gone,
                opponent: self.mover.other(),
            },
            squares: this.square.bit() | that.square.bit(),
            line: self.this_line(3),
            weight: if is_gone { 340 } else { 300 },
        });
        true
    }

    /// This move now or never, while that one stays possible. Whether it was found.
    fn cannot_wait(&self, found: &mut Vec<Found>) -> bool {
        let (this, that) = (self.this, self.that);
        let opponent = self.mover.other();
        let after = this.after();
        let replies = after.board.legal_moves();
        let stays = |reply| {
            let next = after.board.play_unchecked(reply, after.board.flips(reply));
            next.legal_moves().contains(that.square)
        };
        let can_wait = after.side == opponent
            && !replies.contains(that.square)
            && replies.into_iter().all(stays);
        // Whoever sees the opponent go there later will not believe that it can wait.
        let is_lost = this.played_by(opponent, ALL_PLIES).contains(that.square);
        let there = that.position_after(2);
        let is_gone = that.moves.len() >= 2
            && there.side == self.mover
            && !there.board.legal_moves().contains(this.square)
            && !that.played_by(self.mover, ALL_PLIES).contains(this.square);
        if !can_wait || is_lost || !is_gone {
            return false;
        }
        let is_taken = that.reply() == Some(Move::Place(this.square));
        found.push(Found {
            claim: Claim::CannotWait {
                this: this.square,
                that: that.square,
                opponent,
                is_taken,
                deed: self.deed().filter(|_| is_taken),
            },
            squares: this.square.bit() | that.square.bit(),
            line: self.that_line(2),
            weight: if is_taken { 320 } else { 280 },
        });
        true
    }

    /// What the expected reply to that move does beside standing on its square.
    pub(super) fn deed(&self) -> Option<Deed> {
        let (this, that, opponent) = (self.this, self.that, self.mover.other());
        let reply = that.reply()?.square()?;
        let (before, after) = (that.after(), that.position_after(2));
        let edge = EDGES
            .into_iter()
            .find(|edge| edge.squares().contains(reply));
        if let Some(edge) = edge.filter(|_| !Bitboard::CORNERS.contains(reply)) {
            let run = run_on(edge, after.discs(opponent), reply);
            let is_kept = (run - that.end().discs(opponent)).is_empty();
            let n_gained = (run - this.end().discs(opponent)).len();
            if let (Some(first), Some(last)) = (run.first(), run.into_iter().last())
                && run.len() >= HELD_MIN
                && is_kept
                && n_gained >= GAINED_MIN
            {
                return Some(Deed::HoldsEdge { first, last });
            }
        }
        if after.side != self.mover || this.position_after(2).side != self.mover {
            return None;
        }
        let own = |position| board_of(position, self.mover).legal_moves();
        let next = that.position_after(4);
        let here = own(this.position_after(2));
        let gone = (own(before) & here) - own(after) - own(next) - reply.bit() - this.square.bit();
        let gone = gone - that.played_by(self.mover, ALL_PLIES);
        if (2..=TAKEN_MAX).contains(&gone.len()) && this.moves.len() >= 2 {
            return Some(Deed::TakesMoves { squares: gone });
        }
        let moves = Pair {
            this: here.len() as i32,
            that: own(after).len() as i32,
        };
        if self.is_telling(moves, moves.lead()) {
            return Some(Deed::LeavesMoves { moves });
        }
        let flipped = before.board.flips(reply);
        let is_quiet = !flipped.intersects(after.board.empties().neighbours());
        is_quiet.then_some(Deed::IsQuiet)
    }

    /// A square that both sides want.
    fn key_square(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this.square, self.that);
        let opponent = self.mover.other();
        let plies = [2, 4, 6, 8].into_iter().find(|&plies| {
            that.moves.get(plies - 1) == Some(&Move::Place(this))
                && that.position_after(plies - 1).side == opponent
        });
        let Some(plies) = plies else { return };
        // Who wants a square takes it as soon as possible.
        let is_declined = (2..plies).any(|ply| {
            let before = that.position_after(ply - 1);
            before.board.legal_moves().contains(this)
        });
        if is_declined {
            return;
        }
        // Where that move opens the square, or the opponent answers this one on that one's square,
        // nobody is ahead of anybody.
        let is_wanted = self.root.board.swapped().legal_moves().contains(this);
        let is_mirrored = self.this.reply() == Some(Move::Place(that.square));
        let share = match (is_wanted, is_mirrored) {
            (_, true) => 4,
            (false, false) => 2,
            (true, false) => 1,
        };
        found.push(Found {
            claim: Claim::TakesSquareFirst {
                this,
                that: that.square,
                opponent,
                plies,
                deed: self.deed().filter(|_| plies == 2),
            },
            squares: this.bit(),
            line: self.that_line(plies),
            weight: (60 + 400 / plies as i32) / share,
        });
    }

    /// Whether the mover plays that move's square with its next turn of this line: what that move opens
    /// is open then, too.
    fn is_next(&self) -> bool {
        self.this.moves.get(2) == Some(&Move::Place(self.that.square))
    }

    /// Squares that only that move opens for the opponent: what a player sees on the board.
    fn opened_squares(&self, found: &mut Vec<Found>) {
        let opponent = self.mover.other();
        let (this, that) = (self.this.after(), self.that.after());
        if this.side != opponent || that.side != opponent || self.is_next() {
            return;
        }
        let before = self.root.board.swapped().legal_moves();
        let squares = that.board.legal_moves() - this.board.legal_moves() - before;
        // Corners are told as such, and what the opponent gets soon after this move, too, was only put off.
        let squares = squares - Bitboard::CORNERS - self.this.square.bit();
        let squares = squares - self.this.played_by(opponent, PUT_OFF_PLIES);
        let n = squares.len();
        // More than a player takes in, and fewer than he minds.
        if !(2..=OPENED_MAX).contains(&n) || !self.loses_replies() {
            return;
        }
        // Those on which the opponent does not play decide less.
        let is_used = squares.intersects(self.that.played_by(opponent, PUT_OFF_PLIES));
        let share = if is_used { 1 } else { 2 };
        found.push(Found {
            claim: Claim::OpensSquares {
                that: self.that.square,
                squares,
                opponent,
            },
            squares,
            line: self.that_line(1),
            weight: (40 + 75 * n as i32) / share,
        });
    }

    /// Squares that this move closes to the opponent and that one does not.
    fn closed_squares(&self, found: &mut Vec<Found>) {
        let opponent = self.mover.other();
        let (this, that) = (self.this.after(), self.that.after());
        if this.side != opponent || that.side != opponent || !self.loses_replies() {
            return;
        }
        let before = self.root.board.swapped().legal_moves();
        let squares = (before & that.board.legal_moves()) - this.board.legal_moves();
        let squares = squares - Bitboard::CORNERS - self.this.square.bit();
        // Soon after this move, too: they were only put off.
        let squares = squares - self.this.played_by(opponent, PUT_OFF_PLIES);
        if !(2..=OPENED_MAX).contains(&squares.len()) {
            return;
        }
        found.push(Found {
            claim: Claim::ClosesSquares {
                that: self.that.square,
                squares,
                opponent,
            },
            squares,
            line: self.this_line(1),
            weight: 30 + 70 * squares.len() as i32,
        });
    }

    /// Moves of the mover that are gone after that move and its reply.
    fn lost_moves(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this, self.that);
        let (here, there, next) = (
            this.position_after(2),
            that.position_after(2),
            that.position_after(4),
        );
        let is_back = |line: &Candidate| line.moves.len() >= 2;
        let is_turn = here.side == self.mover && there.side == self.mover;
        if !(is_back(this) && is_back(that) && is_turn) {
            return;
        }
        // What the reply is said to take away is not told twice.
        let is_told = found.iter().any(|it| it.claim.takes_moves());
        let own = |position| board_of(position, self.mover).legal_moves();
        let squares = (own(self.root) & own(here)) - own(there) - own(next);
        let squares = squares - this.square.bit() - that.square.bit();
        let squares = squares - that.played_by(self.mover, ALL_PLIES);
        // Moves that the mover does not make after this move either are no loss.
        let is_used = squares.intersects(this.played_by(self.mover, ALL_PLIES));
        let is_fewer = own(there).len() < own(here).len();
        if is_told || !is_fewer || !is_used || !(2..=TAKEN_MAX).contains(&squares.len()) {
            return;
        }
        found.push(Found {
            claim: Claim::LosesMoves {
                that: that.square,
                squares,
                mover: self.mover,
            },
            squares,
            line: self.that_line(2),
            weight: 90 + 70 * squares.len() as i32,
        });
    }

    /// Whether that move leaves the opponent more replies than this one, by two at least.
    fn loses_replies(&self) -> bool {
        self.that.after().board.mobility() >= self.this.after().board.mobility() + 2
    }

    /// The reply to that move which the opponent cannot make after this one.
    fn denied_reply(&self, found: &mut Vec<Found>) {
        let Some(Move::Place(reply)) = self.that.reply() else {
            return;
        };
        let opponent = self.mover.other();
        let after = self.this.after();
        // Corners are told as such, and a square that is taken as one that both want.
        if Bitboard::CORNERS.contains(reply)
            || reply == self.this.square
            || self.is_next()
            || after.side != opponent
            || after.board.legal_moves().contains(reply)
        {
            return;
        }
        // Later after this move, too: it was only put off.
        if self.this.played_by(opponent, PUT_OFF_PLIES).contains(reply) {
            return;
        }
        let is_opened = !self.root.board.swapped().legal_moves().contains(reply);
        found.push(Found {
            claim: Claim::DeniesReply {
                that: self.that.square,
                reply,
                opponent,
                is_opened,
                deed: self.deed(),
            },
            squares: reply.bit(),
            line: self.that_line(2),
            weight: 330,
        });
    }
}
