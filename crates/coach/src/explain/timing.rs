//! What comes first: squares that both sides want, replies that a move takes away, and moves that
//! can wait.

use super::{
    claim::Claim,
    compare::{Duel, Found},
    events::EVENT_PLIES,
};
use othello::{Bitboard, Move};

/// Opened squares that a sentence may list.
const OPENED_MAX: u32 = 4;

impl Duel<'_> {
    /// Squares and replies that the order of moves decides about.
    pub(super) fn timing(&self, found: &mut Vec<Found>) {
        if !self.comes_first(found) {
            self.key_square(found);
        }
        self.denied_reply(found);
        self.opened_squares(found);
    }

    /// This move now, that one next turn. Whether it was found with the other order impossible: then
    /// the square of this move needs no second sentence.
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

    /// Squares that only that move opens for the opponent: what a player sees on the board.
    fn opened_squares(&self, found: &mut Vec<Found>) {
        let opponent = self.mover.other();
        let (this, that) = (self.this.after(), self.that.after());
        if this.side != opponent || that.side != opponent {
            return;
        }
        let before = self.root.board.swapped().legal_moves();
        let squares = that.board.legal_moves() - this.board.legal_moves() - before;
        // Corners are told as such.
        let squares = squares - Bitboard::CORNERS - self.this.square.bit();
        let n = squares.len();
        // More than a player takes in, and fewer than he minds.
        if !(2..=OPENED_MAX).contains(&n) || !self.loses_replies() {
            return;
        }
        found.push(Found {
            claim: Claim::OpensSquares {
                that: self.that.square,
                squares,
                opponent,
            },
            squares,
            line: self.that_line(1),
            weight: 40 + 75 * n as i32,
        });
    }

    /// Whether that move leaves the opponent more replies than this one.
    fn loses_replies(&self) -> bool {
        self.that.after().board.mobility() > self.this.after().board.mobility()
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
