//! The opponent's one strong reply to a move, and what becomes of that reply after the better move.
//!
//! A square that changes hands on the expected line explains a loss only if the opponent had no other
//! way to take advantage. So the analyst is asked about the second best reply, too.

use super::{
    candidate::Candidate,
    claim::{Claim, Fate},
    compare::{Duel, Found},
    events::keeps,
};
use crate::{Analyst, Question};
use game::{Reach, Report};
use othello::{Bitboard, Move, Position, Square};

/// How deep the replies are compared: the lines of the two moves go further, but a reply that is much
/// better than the others shows at these depths already, in a few hundredths of a second. The smaller
/// lead counts: odd and even depths differ by a disc or two.
const REPLY_DEPTHS: [u32; 2] = [13, 14];
/// With at most so many empty squares replies are solved, if the moves are.
const SOLVED_EMPTIES: u32 = 18;
/// What comes within so many plies comes soon.
const SOON_PLIES: usize = 6;
/// From so many on analysts do not try to solve.
const SEARCHED_EMPTIES: u32 = 27;
/// What fewer plies say is not worth telling.
const DEPTH_MIN: u32 = 9;
/// A reply is the one strong reply if it is this much better than the next, in centidiscs.
const STRONG_LEAD: i32 = 200;
/// The same where it is not proven.
const STRONG_LEAD_OPEN: i32 = 300;
/// It explains a loss of at most so many times its lead: without it the move would still cost the rest.
const EXPLAINED_TIMES: i32 = 2;
/// If the lead is a smaller part of the loss, the expected reply is not what is wrong with the move.
const WEAK_TIMES: i32 = 4;
/// A smaller loss has no refutation.
const LOSS_MIN: i32 = 100;

/// What the opponent has against a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refutation {
    reply: Square,
    /// How much better the reply is than the next one, in centidiscs.
    lead: i32,
    reach: Reach,
    /// Whether every other move costs nearly as much: then the better move is the point, not what is
    /// wrong with the other one.
    is_only_move: bool,
    /// The same reply after the better move; `None` if it is not legal there, or nobody knows.
    after_better: Option<Echo>,
}

/// The reply as an answer to the better move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Echo {
    /// How much it would cost the opponent beside its best reply there, in centidiscs.
    cost: i32,
    /// What the mover answers, if it cannot answer so after the worse move.
    answer: Option<Square>,
}

impl Refutation {
    /// Asks an analyst about the replies to `other`, which is the worse move. `None` if it costs little,
    /// leaves no choice, or nobody answers.
    pub(super) fn of<A: Analyst>(
        analyst: &mut A,
        best: &Candidate,
        other: &Candidate,
    ) -> Option<Self> {
        let after = other.after();
        let has_choice = after.side != best.position_after(0).side && after.board.mobility() > 1;
        if (best.score - other.score).hundredths() < LOSS_MIN || !has_choice {
            return None;
        }
        let expected = other.reply()?.square()?;
        let mut reach = None;
        let mut lead = i32::MAX;
        for depth in REPLY_DEPTHS {
            let report = ask(analyst, after, 2, (depth, 1, other.solved))?;
            lead = lead.min(lead_of(&report, expected)?);
            reach = Some(report.reach());
            if report.solved {
                break;
            }
        }
        let mut refutation = Self {
            reply: expected,
            lead,
            reach: reach?,
            is_only_move: is_only_move(analyst, best, other),
            after_better: None,
        };
        if refutation.is_strong() {
            refutation.after_better = echo(analyst, best, other, expected);
        }
        Some(refutation)
    }

    const fn is_strong(&self) -> bool {
        if self.reach.solved {
            self.lead >= STRONG_LEAD
        } else {
            self.reach.depth >= DEPTH_MIN && self.lead >= STRONG_LEAD_OPEN
        }
    }

    /// Adds what is to be said about the reply, and lets claims that rest on it count less where the
    /// opponent could just as well play another one. `duel` speaks for the better move.
    pub(super) fn weigh(&self, duel: &Duel<'_>, found: &mut Vec<Found>) {
        let loss = (duel.this.score - duel.that.score).hundredths();
        if WEAK_TIMES * self.lead < loss {
            // Whatever else a player sees is nearer to the point.
            if found
                .iter()
                .any(|it| it.is_near() && !it.claim.rests_on_reply())
            {
                found.retain(|it| !it.claim.rests_on_reply());
            }
            for it in found.iter_mut().filter(|it| it.claim.rests_on_reply()) {
                it.weight /= 3;
            }
        }
        if self.is_only_move {
            for it in found.iter_mut().filter(|it| it.claim.blames_other()) {
                it.weight /= 3;
            }
        }
        let Some(fate) = self.fate(duel) else { return };
        if EXPLAINED_TIMES * self.lead < loss {
            return;
        }
        // The same square, without the word that it is the only one.
        found.retain(|it| !matches!(it.claim, Claim::DeniesReply { .. }));
        let line = match fate {
            Fate::Fails { answer, .. } => {
                let moves = [Some(duel.this.square), Some(self.reply), answer];
                moves.into_iter().flatten().map(Move::Place).collect()
            }
            Fate::Shut { .. } | Fate::Taken => duel.that_line(2),
        };
        let discs = self.lead / 100;
        found.push(Found {
            claim: Claim::StrongReply {
                that: duel.that.square,
                reply: self.reply,
                discs,
                reach: self.reach,
                deed: duel.deed(),
                fate,
            },
            squares: self.reply.bit(),
            line,
            weight: 300 + 40 * discs.min(6),
        });
    }

    /// What becomes of the reply after the better move; `None` if it is as strong there.
    fn fate(&self, duel: &Duel<'_>) -> Option<Fate> {
        let after = duel.this.after();
        let opponent = duel.mover.other();
        // Corners are told as such.
        if !self.is_strong() || Bitboard::CORNERS.contains(self.reply) || after.side != opponent {
            return None;
        }
        if self.reply == duel.this.square {
            return Some(Fate::Taken);
        }
        // A reply that the opponent makes soon after the better move, too, or as the answer to the same
        // move later, does not tell the two apart.
        let is_soon = duel
            .this
            .played_by(opponent, SOON_PLIES)
            .contains(self.reply);
        let both = [duel.that.square, self.reply].map(Move::Place);
        if is_soon || duel.this.moves.windows(2).any(|it| it == both) {
            return None;
        }
        match self.after_better {
            Some(it) => (it.cost >= STRONG_LEAD).then_some(Fate::Fails {
                discs: it.cost / 100,
                answer: it.answer,
            }),
            None => (!after.board.legal_moves().contains(self.reply)).then(|| Fate::Shut {
                for_good: !keeps(duel.this, opponent, self.reply),
            }),
        }
    }
}

/// Whether the second best move is no better than the other one, up to a third of what that costs; not
/// asked where two lines to the end of the game would take long.
fn is_only_move<A: Analyst>(analyst: &mut A, best: &Candidate, other: &Candidate) -> bool {
    let [_, depth] = REPLY_DEPTHS;
    let root = best.position_after(0);
    let empties = root.board.empties().len();
    if (SOLVED_EMPTIES + 1..SEARCHED_EMPTIES).contains(&empties) {
        return false;
    }
    let lead = ask(analyst, root, 2, (depth + 1, 0, best.solved))
        .and_then(|report| lead_of(&report, best.square));
    let loss = (best.score - other.score).hundredths();
    lead.is_some_and(|lead| 3 * lead >= 2 * loss)
}

/// How much better the expected reply is than the next one; 0 if another reply is as good.
fn lead_of(report: &Report, expected: Square) -> Option<i32> {
    let [first, second] = report.lines.get(..2)? else {
        return None;
    };
    let reply = first.moves.first()?.othello()?.square()?;
    let lead = (first.score - second.score).hundredths();
    Some(if reply == expected { lead } else { 0 })
}

/// The reply to the worse move as an answer to the better one; `None` if it is not legal there.
fn echo<A: Analyst>(
    analyst: &mut A,
    best: &Candidate,
    other: &Candidate,
    reply: Square,
) -> Option<Echo> {
    let after = best.after();
    let replied = after.play(reply).ok()?;
    if replied.board.is_game_over() {
        return None;
    }
    let [_, depth] = REPLY_DEPTHS;
    let whole = ask(analyst, after, 1, (depth, 1, best.solved))?;
    let part = ask(analyst, replied, 1, (depth - 1, 2, best.solved))?;
    let answer = part.lines.first()?.moves.first()?.othello()?.square();
    let answers = other.position_after(2).board.legal_moves();
    let reply_is_worth = -part.score;
    Some(Echo {
        cost: (whole.score - reply_is_worth).hundredths(),
        answer: answer.filter(|&it| !answers.contains(it)),
    })
}

/// Asks about a position so many plies after the explained one. What is solved there is solved here, if
/// that is quick.
fn ask<A: Analyst>(
    analyst: &mut A,
    position: Position,
    lines: usize,
    (depth, plies_played, is_solved): (u32, u32, bool),
) -> Option<Report> {
    let is_quick = is_solved && position.board.empties().len() <= SOLVED_EMPTIES;
    let question = Question {
        lines,
        plies_played,
        depth_max: (!is_quick).then_some(depth),
    };
    analyst.analyse(position, question).ok()
}
