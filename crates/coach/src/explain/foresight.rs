//! What the lines lead to on the board: squares that change hands, wedges, safe moves that run out, and
//! the discs that make the result.

use super::{
    candidate::Candidate,
    claim::Claim,
    compare::{Duel, Found},
    concepts::{safe_moves, wedge},
    events::{EVENT_PLIES, keeps, reaches},
    features::board_of,
};
use othello::{Bitboard, Move, Side, Square};

/// Both moves are the mover's if it plays the second one within so many plies.
const BOTH_PLIES: usize = 10;
/// A move follows soon within so many.
const SOON_PLIES: usize = 5;
/// A corner waits as long as this.
const WAIT_PLIES: usize = 9;
/// More discs than this are not listed.
const LISTED_MAX: u32 = 8;

impl Duel<'_> {
    /// What the lines lead to on the board.
    pub(super) fn foresight(&self, found: &mut Vec<Found>) {
        self.lost_square(found);
        self.gets_both(found);
        self.corner_can_wait(found);
        self.wedges_later(found);
        self.out_of_safe_moves(found);
        self.discs_in_the_end(found);
    }

    /// A square on which the opponent plays along that line, and the mover along this one.
    fn lost_square(&self, found: &mut Vec<Found>) {
        let opponent = self.mover.other();
        let own = self.this.played_by(self.mover, BOTH_PLIES);
        let taken = self.that.moves.iter().take(EVENT_PLIES).enumerate();
        let lost = taken
            .filter(|&(ply, _)| self.that.position_after(ply).side == opponent)
            .filter_map(|(ply, action)| Some((action.square()?, ply + 1)))
            // Corners and the square of this move are told as such.
            .filter(|&(square, _)| !Bitboard::CORNERS.contains(square))
            .filter(|&(square, _)| square != self.this.square)
            .filter(|&(square, _)| own.contains(square))
            // What the mover could have had and did not want decides nothing, nor what the opponent
            // could have after this move as well.
            .filter(|&(square, plies)| !self.could_play(square, plies))
            .filter(|&(square, _)| !self.is_left_to_mover(square));
        // On an edge it decides more, and soon it decides more than later.
        let weight = |(square, plies): (Square, usize)| {
            let is_edge = Bitboard::EDGES.contains(square);
            (270 - 30 * plies as i32) * if is_edge { 3 } else { 2 } / 3
        };
        let Some((square, plies)) = lost.max_by_key(|&it| weight(it)) else {
            return;
        };
        let deed = self.deed().filter(|_| plies == 2);
        found.push(Found {
            claim: Claim::LosesSquare {
                square,
                opponent,
                plies,
                deed,
            },
            squares: square.bit(),
            line: self.that_line(plies),
            weight: weight((square, plies)) + if deed.is_some() { 80 } else { 0 },
        });
    }

    /// Whether the mover could play on a square at one of its turns before this ply of that line, the
    /// first one included if the square is taken later than at once.
    fn could_play(&self, square: Square, plies: usize) -> bool {
        let first = if plies == 2 { 1 } else { 0 };
        let mut turns = (first..plies).map(|ply| self.that.position_after(ply));
        turns.any(|it| it.side == self.mover && it.board.legal_moves().contains(square))
    }

    /// Whether the opponent could play on a square along this line before the mover does.
    fn is_left_to_mover(&self, square: Square) -> bool {
        let moves = self.this.moves.iter();
        let ply = moves.clone().position(|it| *it == Move::Place(square));
        let turns = 1..ply.unwrap_or(self.this.moves.len());
        let mut turns = turns.map(|ply| self.this.position_after(ply));
        turns.any(|it| it.side != self.mover && it.board.legal_moves().contains(square))
    }

    /// Both moves, in the order in which the mover gets both.
    fn gets_both(&self, found: &mut Vec<Found>) {
        let (this, that, opponent) = (self.this, self.that, self.mover.other());
        let ply_of = |line: &Candidate, side: Side, square: Square| {
            let ply = line
                .moves
                .iter()
                .position(|it| *it == Move::Place(square))?;
            (ply < BOTH_PLIES && line.position_after(ply).side == side).then_some(ply + 1)
        };
        let Some(follows) = ply_of(this, self.mover, that.square) else {
            return;
        };
        let taken = ply_of(that, opponent, this.square);
        let is_missed = follows <= SOON_PLIES
            && reaches(that, BOTH_PLIES)
            && !that.played_by(self.mover, usize::MAX).contains(this.square);
        // What the order of moves shows by the rules is told so.
        let is_told = found.iter().any(|it| it.claim.is_about_order());
        if is_told || taken.is_none() && !is_missed {
            return;
        }
        found.push(Found {
            claim: Claim::GetsBoth {
                this: this.square,
                that: that.square,
                opponent,
                follows,
                taken,
                deed: self.deed().filter(|_| taken == Some(2)),
            },
            squares: this.square.bit() | that.square.bit(),
            line: match taken {
                Some(plies) => self.that_line(plies.min(EVENT_PLIES)),
                None => self.this_line(follows),
            },
            weight: taken.map_or(190, |plies| 330 - 10 * plies as i32),
        });
    }

    /// A corner that nobody takes away: the mover gets it later on this line.
    fn corner_can_wait(&self, found: &mut Vec<Found>) {
        let (this, corner) = (self.this, self.that.square);
        let after = this.after();
        let plies = this.moves.iter().take(WAIT_PLIES);
        let plies = plies.clone().position(|it| *it == Move::Place(corner));
        let Some(plies) = plies else { return };
        let is_own = this.position_after(plies).side == self.mover;
        let could = board_of(after, self.mover.other()).legal_moves();
        if !Bitboard::CORNERS.contains(corner) || !is_own || could.contains(corner) {
            return;
        }
        found.push(Found {
            claim: Claim::CornerCanWait {
                corner,
                plies: plies + 1,
            },
            squares: corner.bit(),
            line: self.this_line(plies + 1),
            weight: 260,
        });
    }

    /// Wedges that one side gets along one line only.
    fn wedges_later(&self, found: &mut Vec<Found>) {
        let lines = [
            (self.that, self.this, self.mover.other()),
            (self.this, self.that, self.mover),
        ];
        for (line, other, who) in lines {
            let plays = line.moves.iter().take(EVENT_PLIES).enumerate().skip(1);
            let wedged = plays
                .filter(|&(ply, _)| line.position_after(ply).side == who)
                .filter_map(|(ply, action)| {
                    let square = action.square()?;
                    let board = board_of(line.position_after(ply + 1), who);
                    Some((square, wedge(board, square)?, ply + 1))
                })
                .find(|&(square, _, plies)| {
                    let soon = other.position_after(EVENT_PLIES).discs(who);
                    keeps(line, who, square)
                        && !keeps(other, who, square)
                        && !soon.contains(square)
                        && reaches(other, plies)
                });
            let Some((square, edge, plies)) = wedged else {
                continue;
            };
            found.push(Found {
                claim: Claim::WedgeLater {
                    who,
                    after: line.square,
                    square,
                    edge,
                    plies,
                },
                squares: square.bit(),
                line: line.moves.iter().take(plies).copied().collect(),
                weight: 280 - 15 * plies as i32,
            });
        }
    }

    /// Who runs out of safe moves along one line only.
    fn out_of_safe_moves(&self, found: &mut Vec<Found>) {
        let lines = [
            (self.that, self.this, self.mover),
            (self.this, self.that, self.mover.other()),
        ];
        for (line, other, who) in lines {
            // What is so right after the reply, or for the replies, is counted there.
            let first = if who == self.mover { 3 } else { 2 };
            let is_out = |line: &Candidate, plies: usize| {
                let at = line.position_after(plies);
                let has_moves = at.side == who && !at.board.legal_moves().is_empty();
                has_moves && safe_moves(at.board).is_empty()
            };
            let turns = |line: &Candidate| 1..line.moves.len().min(EVENT_PLIES);
            let Some(plies) = turns(line).find(|&plies| is_out(line, plies)) else {
                continue;
            };
            let is_both = turns(other).any(|plies| is_out(other, plies));
            if plies < first || is_both || !reaches(other, EVENT_PLIES) {
                continue;
            }
            // Where corners even out in the end, it has cost little.
            let share = if self.corners_last() { 1 } else { 3 };
            found.push(Found {
                claim: Claim::OutOfSafeMoves {
                    who,
                    after: line.square,
                    plies,
                },
                squares: line.position_after(plies).board.legal_moves(),
                line: line.moves.iter().take(plies).copied().collect(),
                weight: (430 - 20 * plies as i32) / share,
            });
        }
    }

    /// The discs that make the difference where both games are over.
    fn discs_in_the_end(&self, found: &mut Vec<Found>) {
        if !self.are_complete() {
            return;
        }
        let (mover, opponent) = (self.mover, self.mover.other());
        let (here, there) = (self.this.end(), self.that.end());
        let squares = here.discs(mover) & there.discs(opponent);
        let back = here.discs(opponent) & there.discs(mover);
        if !(1..=LISTED_MAX).contains(&squares.len()) || 2 * back.len() > squares.len() {
            return;
        }
        found.push(Found {
            claim: Claim::DiscsInTheEnd { squares },
            squares,
            line: self.this.moves.clone(),
            weight: 110,
        });
    }
}
