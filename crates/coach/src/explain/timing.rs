//! What comes first: squares that both sides want, replies that a move takes away, and moves that
//! can wait.

use super::{
    claim::Claim,
    compare::{Duel, Found},
    events::EVENT_PLIES,
};
use othello::{Bitboard, Move};

impl Duel<'_> {
    /// Squares and replies that the order of moves decides about.
    pub(super) fn timing(&self, found: &mut Vec<Found>) {
        if !self.comes_first(found) {
            self.key_square(found);
        }
        self.denied_reply(found);
    }

    /// This move now, that one next turn. Whether it was found with the other order impossible: then
    /// the square of this move needs no second sentence.
    fn comes_first(&self, found: &mut Vec<Found>) -> bool {
        let (this, that) = (self.this, self.that);
        // What the opponent could take does not wait.
        let is_safe = !this.after().board.legal_moves().contains(that.square);
        let can_wait = is_safe
            && this.moves.get(2) == Some(&Move::Place(that.square))
            && this.position_after(2).side == self.mover;
        if !can_wait {
            return false;
        }
        let there = that.position_after(2);
        let is_gone = that.moves.len() >= 2
            && there.side == self.mover
            && !there.board.legal_moves().contains(this.square);
        found.push(Found {
            claim: Claim::ComesFirst {
                this: this.square,
                that: that.square,
                is_gone,
            },
            squares: this.square.bit() | that.square.bit(),
            line: self.this_line(3),
            weight: if is_gone { 340 } else { 160 },
        });
        is_gone
    }

    /// A square that both sides want.
    fn key_square(&self, found: &mut Vec<Found>) {
        let (this, that) = (self.this.square, self.that);
        let opponent = self.mover.other();
        let plies = [2, 4].into_iter().find(|&plies| {
            that.moves.get(plies - 1) == Some(&Move::Place(this))
                && that.position_after(plies - 1).side == opponent
        });
        let Some(plies) = plies else { return };
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
            },
            squares: this.bit(),
            line: self.that_line(plies),
            weight: (300 - 50 * plies as i32) / share,
        });
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
            || after.side != opponent
            || after.board.legal_moves().contains(reply)
        {
            return;
        }
        // Soon after this move, too: it was only put off.
        let is_put_off = self
            .this
            .moves
            .iter()
            .take(EVENT_PLIES)
            .any(|it| it.square() == Some(reply));
        if is_put_off {
            return;
        }
        let is_opened = !self.root.board.swapped().legal_moves().contains(reply);
        found.push(Found {
            claim: Claim::DeniesReply {
                that: self.that.square,
                reply,
                opponent,
                is_opened,
            },
            squares: reply.bit(),
            line: self.that_line(2),
            weight: 330,
        });
    }
}
