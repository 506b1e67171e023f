//! Checks every fact and count that an explanation states, by the rules alone.

use crate::mailbox::{CORNERS, Mailbox, neighbours};
use coach::{
    Voice,
    explain::{
        Basis, Candidate, Certainty, Claim, Deed, Explanation, Fate, Follow, Judgement, Mistake,
        MistakeClass, Openings, Pair, Reason, SpeaksFor, Telling,
    },
};
use othello::{Bitboard, Move, Position, Side, Square};

/// How many statements of each kind were checked.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) facts: usize,
    pub(crate) counts: usize,
    pub(crate) models: usize,
    pub(crate) trade_offs: usize,
    pub(crate) mistakes: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.facts += other.facts;
        self.counts += other.counts;
        self.models += other.models;
        self.trade_offs += other.trade_offs;
        self.mistakes += other.mistakes;
    }
}

macro_rules! claim_that {
    ($condition:expr) => {
        if !$condition {
            return Err(format!("not true: {}", stringify!($condition)));
        }
    };
}

/// Checks an explanation; what is wrong with it otherwise.
pub(crate) fn check(explanation: &Explanation) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let root = Mailbox::new(explanation.position);
    let silence = explanation.without_reason();
    claim_that!(silence.is_some() != explanation.has_reason());
    check_card(explanation)?;
    for reason in &explanation.reasons {
        let place = |error| format!("{} in {}: {error}", reason.text, explanation.position);
        check_reason(explanation, &root, reason).map_err(place)?;
        match reason.basis {
            Basis::Fact => tally.facts += 1,
            Basis::Count => tally.counts += 1,
            Basis::Model => tally.models += 1,
        }
        tally.trade_offs += usize::from(reason.speaks_for == SpeaksFor::Other);
    }
    Ok(tally)
}

/// The card has three reasons at most, the first for the best move, and none of the evaluation beside
/// what can be seen on the board.
fn check_card(explanation: &Explanation) -> Result<(), String> {
    let card = explanation.card();
    claim_that!(
        card.len() <= 3 && card.len() + explanation.more().len() == explanation.reasons.len()
    );
    let for_best = |reason: &&Reason| reason.speaks_for == SpeaksFor::Best;
    let of_model = |reason: &&Reason| reason.basis == Basis::Model;
    let reasons = &explanation.reasons;
    claim_that!(!explanation.has_reason() || for_best(&&card[0]));
    claim_that!(card.iter().filter(|it| !for_best(it)).count() <= 1);
    let n_models = reasons.iter().filter(of_model).count();
    claim_that!(n_models == 0 || reasons.iter().filter(for_best).all(|it| of_model(&it)));
    // The headline names the squares of its claim, of its line and of the two moves, no others.
    if let (Some(headline), Some(other)) = (explanation.headline(), &explanation.other) {
        // A bare result is the headline only where nothing leads to it.
        let leads = |it: &&Reason| {
            let is_bare = matches!(
                it.claim,
                Claim::EndsBetter { .. } | Claim::GivenAnyway { .. }
            );
            for_best(it) && !is_bare
        };
        let said = card.iter().find(leads).unwrap_or(&card[0]);
        let moves = [&explanation.best, other];
        check_headline(&headline, &said.claim, &said.text, &said.line, moves)?;
    }
    Ok(())
}

/// A headline names the squares of its claim, of its line and of the two moves, and the numbers of its
/// claim; beside them what follows on the other move's line, which is counted again.
fn check_headline(
    headline: &str,
    claim: &Claim,
    text: &str,
    line: &[Move],
    [best, other]: [&Candidate; 2],
) -> Result<(), String> {
    let mut known = vec![best.square, other.square];
    known.extend(named_squares(text));
    known.extend(line.iter().filter_map(|action| action.square()));
    let stated = numbers(text);
    if let Some(follow) = Follow::of(claim, other) {
        let root = Mailbox::new(other.position_after(0));
        let shown = &other.moves[..follow.plies];
        let board = play_all(&root, shown).ok_or("an illegal line")?;
        let edge = Mailbox::edge(&follow.edge.to_string());
        let stable = board.stable(follow.owner);
        let discs = stable.iter().filter(|it| edge.contains(it)).count();
        claim_that!(discs == follow.discs as usize && follow.plies <= 8);
        claim_that!(follow.owner == root.turn.other());
        claim_that!((3..=8).contains(&discs));
        known.extend(shown.iter().filter_map(|action| action.square()));
    }
    claim_that!(named_squares(headline).iter().all(|it| known.contains(it)));
    claim_that!(numbers(headline).iter().all(|it| stated.contains(it)));
    Ok(())
}

fn numbers(text: &str) -> Vec<i32> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse().ok()).collect()
}

fn named_squares(text: &str) -> Vec<Square> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse().ok()).collect()
}

fn check_reason(explanation: &Explanation, root: &Mailbox, reason: &Reason) -> Result<(), String> {
    claim_that!(play_all(root, &reason.line).is_some());
    let best = &explanation.best;
    let other = explanation.other.as_ref();
    let (this, that) = match reason.speaks_for {
        SpeaksFor::Best => (best, other),
        SpeaksFor::Other => (other.ok_or("nobody to speak for")?, Some(best)),
    };
    let text = reason.text.as_str();
    let at = explanation.telling(reason.speaks_for);
    claim_that!(text == reason.claim.sentence(at));
    // The same in the other voice, where only the names differ.
    for side in [Side::Black, Side::White] {
        let spoken = reason.claim.sentence(Telling {
            voice: Voice::You(side),
            ..at
        });
        claim_that!(numbers(&spoken) == numbers(text));
        claim_that!(named_squares(&spoken) == named_squares(text));
        claim_that!(!spoken.contains(&side.to_string()));
    }
    let Some(that) = that else {
        let Claim::OnlyMove { square } = reason.claim else {
            return Err("compared with nothing".to_owned());
        };
        claim_that!(root.legal(root.turn) == [square.index()]);
        return check_text(text, &[square], &[], &[]);
    };
    let duel = Duel {
        root,
        this,
        that,
        mover: root.turn,
    };
    duel.check(&reason.claim, text)
}

/// The board after a line, if every move of it is legal.
fn play_all(root: &Mailbox, line: &[Move]) -> Option<Mailbox> {
    line.iter()
        .try_fold(root.clone(), |at, action| match action {
            Move::Place(square) => at.play(square.index()),
            Move::Pass => at.pass(),
        })
}

struct Duel<'a> {
    root: &'a Mailbox,
    this: &'a Candidate,
    that: &'a Candidate,
    mover: Side,
}

/// Squares, numbers and a word that a sentence names.
type Told = (Vec<Square>, Vec<i32>, &'static str);

type Counter<'a> = &'a dyn Fn(&Mailbox) -> i32;

impl Duel<'_> {
    fn at(&self, candidate: &Candidate, plies: usize) -> Result<Mailbox, String> {
        if candidate.moves.len() < plies {
            return Err(format!("the line has no {plies} plies"));
        }
        play_all(self.root, &candidate.moves[..plies]).ok_or("an illegal line".to_owned())
    }

    /// Compares a count after so many plies of both lines.
    fn pair(&self, plies: usize, stated: Pair, count: Counter<'_>) -> Result<(), String> {
        let this = count(&self.at(self.this, plies)?);
        let that = count(&self.at(self.that, plies)?);
        if (stated.this, stated.that) == (this, that) {
            Ok(())
        } else {
            Err(format!("stated {stated:?}, counted {this} and {that}"))
        }
    }

    fn check(&self, claim: &Claim, text: &str) -> Result<(), String> {
        let mover = self.mover;
        let opponent = mover.other();
        let (this, that) = (self.this.square, self.that.square);
        let (after_this, after_that) = (self.at(self.this, 1)?, self.at(self.that, 1)?);
        let mobility = |side: Side| move |board: &Mailbox| board.legal(side).len() as i32;
        let frontier = |side: Side| move |board: &Mailbox| board.frontier(side);
        let stable = |side: Side| move |board: &Mailbox| board.stable(side).len() as i32;
        let corners = |side: Side| move |board: &Mailbox| board.corners(side);
        match *claim {
            Claim::OnlyMove { .. } => Err("there is another move".to_owned()),
            Claim::EndsBetter { discs, that: named } => {
                claim_that!(named == that && discs.this > discs.that);
                for (candidate, stated) in [(self.this, discs.this), (self.that, discs.that)] {
                    let end = self.at(candidate, candidate.moves.len())?;
                    claim_that!(end.is_over() && end.final_difference(mover) == stated);
                    if self.root.empties().len() <= 8 {
                        claim_that!(-self.at(candidate, 1)?.solve_from(opponent) == stated);
                    }
                }
                let [a, b] = [discs.this, discs.that].map(|d| [(64 + d) / 2, (64 - d) / 2]);
                let words = [discs.this, discs.that].map(|d| match d {
                    1.. => "wins",
                    0 => "draws",
                    _ => "loses",
                });
                check_text(text, &[this, that], &[a[0], a[1], b[0], b[1]], &words)
            }
            Claim::TakesCorner { corner } => {
                claim_that!(CORNERS.contains(&corner.index()) && this == corner);
                claim_that!(!CORNERS.contains(&that.index()));
                claim_that!(after_this.has(corner.index(), mover));
                check_text(text, &[corner], &[], &["takes the corner"])
            }
            Claim::SecuresCorner { corner } => {
                claim_that!(CORNERS.contains(&corner.index()));
                claim_that!(always_open(&after_this, corner, mover));
                claim_that!(!always_open(&after_that, corner, mover));
                claim_that!(!self.ends_with(self.that, corner, mover)?);
                check_text(text, &[this, corner], &[2], &["gains corner control"])
            }
            Claim::AvoidsXTrap {
                that: named,
                corner,
            } => {
                claim_that!(named == that && beside(that, corner) == Some("X"));
                claim_that!(!self.was_open(corner));
                self.corner_given(corner, opponent, &after_this, &after_that)?;
                check_text(text, &[this, corner], &[], &["avoids an X-square trap"])
            }
            Claim::KeepsCornerShut {
                that: named,
                corner,
                taker,
            } => {
                claim_that!(named == that && taker == opponent);
                // What was open before is not given.
                claim_that!(!self.was_open(corner));
                self.corner_given(corner, opponent, &after_this, &after_that)?;
                check_text(text, &[that, corner], &[], &[&taker.to_string()])
            }
            Claim::StaysAwayFromCorner {
                that: named,
                corner,
            } => {
                claim_that!(named == that && self.root.is_empty(corner.index()));
                let kind = beside(that, corner).ok_or("not beside that corner")?;
                let this_is_beside =
                    CORNERS
                        .into_iter()
                        .filter(|&c| self.root.is_empty(c))
                        .filter(|&c| beside(this, square(c)).is_some())
                        .map(|c| {
                            Ok(square(c) == corner
                                || self.ends_with(self.this, square(c), opponent)?)
                        })
                        .collect::<Result<Vec<bool>, String>>()?;
                claim_that!(!this_is_beside.contains(&true));
                let loses = |line| self.ends_with(line, corner, opponent);
                claim_that!(loses(self.that)? && !loses(self.this)?);
                let words = [kind, "empty", &opponent.to_string()];
                check_text(text, &[that, corner], &[], &words)
            }
            Claim::GivenAnyway { corner, taker } => {
                claim_that!(taker == opponent && !self.was_open(corner));
                self.corner_given(corner, opponent, &after_that, &after_this)?;
                claim_that!(self.ends_with(self.this, corner, opponent)?);
                claim_that!(self.ends_with(self.that, corner, opponent)?);
                let who = opponent.to_string();
                check_text(
                    text,
                    &[this, corner, that],
                    &[],
                    &[&who, "but", &who, "too"],
                )
            }
            Claim::NoReply { opponent: named } => {
                claim_that!(named == opponent && after_this.pass().is_some());
                claim_that!(!after_that.legal(opponent).is_empty());
                check_text(text, &[this], &[], &[&opponent.to_string(), "must pass"])
            }
            Claim::Quiet {
                square: named,
                flips,
            } => {
                let flipped = |s: Square| self.root.flips(s.index(), mover);
                let loud = |s: Square, after: &Mailbox| {
                    flipped(s)
                        .into_iter()
                        .any(|disc| neighbours(disc).any(|near| after.is_empty(near)))
                };
                claim_that!(named == this && flipped(this).len() == flips as usize);
                claim_that!(!loud(this, &after_this) && loud(that, &after_that));
                let number = if flips == 1 { None } else { Some(flips as i32) };
                let numbers: Vec<i32> = number.into_iter().collect();
                check_text(text, &[this], &numbers, &["is quiet"])
            }
            Claim::KeepsOddRegion { region, left } => {
                self.odd_region(region, left)?;
                check_text(
                    text,
                    &[this],
                    &[],
                    &["preserves odd parity in the ", zone(region)],
                )
            }
            Claim::OpensMoves {
                own_gain,
                reply_cut,
            } => {
                let own = mobility(mover)(&after_this) - mobility(mover)(&after_that);
                let cut = mobility(opponent)(&after_that) - mobility(opponent)(&after_this);
                claim_that!((own, cut) == (own_gain as i32, reply_cut as i32));
                claim_that!(own > 0 && cut > 0);
                check_text(text, &[this, that], &[own, cut], &["next", "replies"])
            }
            Claim::FewerReplies {
                opponent: named,
                replies,
                that: other,
            } => {
                claim_that!(named == opponent && other == that && replies.this < replies.that);
                self.pair(1, replies, &mobility(opponent))?;
                let who = opponent.to_string();
                check_text(text, &[this, that], &[replies.this, replies.that], &[&who])
            }
            Claim::MoreMoves {
                mover: named,
                moves,
                that: other,
            } => {
                claim_that!(named == mover && other == that && moves.this > moves.that);
                self.pair(1, moves, &mobility(mover))?;
                let who = mover.to_string();
                check_text(text, &[this, that], &[moves.this, moves.that], &[&who])
            }
            Claim::MoreStable { gain } => {
                let before = stable(mover)(self.root);
                self.pair(1, gain, &|board| stable(mover)(board) - before)?;
                claim_that!(gain.this > 0 && gain.this > gain.that);
                never_flipped(&after_this, mover)?;
                check_text(text, &[this], &[gain.this], &["increases stable discs by"])
            }
            Claim::SmallerFrontier { discs, that: other } => {
                claim_that!(other == that && discs.this < discs.that);
                self.pair(1, discs, &frontier(mover))?;
                check_text(
                    text,
                    &[this, that],
                    &[discs.this, discs.that],
                    &["frontier"],
                )
            }
            Claim::MobilityLater {
                plies,
                mover: named,
                own,
                theirs,
            } => {
                claim_that!(named == mover);
                self.pair(plies, own, &mobility(mover))?;
                self.pair(plies, theirs, &mobility(opponent))?;
                self.later(text, plies, own, theirs, 1, "move")
            }
            Claim::CornersLater {
                plies,
                mover: named,
                own,
                theirs,
            } => {
                claim_that!(named == mover);
                self.pair(plies, own, &corners(mover))?;
                self.pair(plies, theirs, &corners(opponent))?;
                self.later(text, plies, own, theirs, 1, "corner")
            }
            Claim::StableLater {
                plies,
                mover: named,
                own,
                theirs,
            } => {
                claim_that!(named == mover);
                self.pair(plies, own, &stable(mover))?;
                self.pair(plies, theirs, &stable(opponent))?;
                self.later(text, plies, own, theirs, 1, "stable disc")
            }
            Claim::FrontierLater {
                plies,
                mover: named,
                own,
                theirs,
            } => {
                claim_that!(named == mover);
                self.pair(plies, own, &frontier(mover))?;
                self.pair(plies, theirs, &frontier(opponent))?;
                self.later(text, plies, own, theirs, -1, "frontier disc")
            }
            ref concept @ (Claim::ShutsCorner { .. }
            | Claim::LosesCorner { .. }
            | Claim::WinsCorner { .. }
            | Claim::CornerInTheEnd { .. }
            | Claim::EveryReplyGivesCorner { .. }
            | Claim::MustPass { .. }
            | Claim::OnlyReply { .. }
            | Claim::KeepsAccess { .. }
            | Claim::LastMove { .. }
            | Claim::LastInRegion { .. }
            | Claim::BalancesEdge { .. }
            | Claim::EdgeTempo { .. }
            | Claim::Swindle { .. }
            | Claim::CornerSwap { .. }
            | Claim::EdgeSacrifice { .. }
            | Claim::KeepsFreeMove { .. }
            | Claim::TakesSquareFirst { .. }
            | Claim::ComesFirst { .. }
            | Claim::OpensSquares { .. }
            | Claim::DeniesReply { .. }
            | Claim::AvoidsWall { .. }
            | Claim::AvoidsUnbalancedEdge { .. }
            | Claim::Wedge { .. }
            | Claim::MovesAfterReply { .. }
            | Claim::MovesAlong { .. }
            | Claim::SafeMoves { .. }
            | Claim::SafeReplies { .. }
            | Claim::EdgeLater { .. }) => self.concept(concept, text),
            ref prospect @ (Claim::CannotWait { .. }
            | Claim::LosesSquare { .. }
            | Claim::GetsBoth { .. }
            | Claim::CornerCanWait { .. }
            | Claim::LosesMoves { .. }
            | Claim::ClosesSquares { .. }
            | Claim::WedgeLater { .. }
            | Claim::OutOfSafeMoves { .. }
            | Claim::StrongReply { .. }
            | Claim::DiscsInTheEnd { .. }) => self.prospect(prospect, text),
            // What the evaluation thinks cannot be derived from the rules; that it adds up to the
            // score is tested where the evaluation is.
            Claim::ModelPrefers { .. } => {
                claim_that!(text.starts_with("Our evaluation values "));
                Ok(())
            }
        }
    }

    /// Whether a side has a square at the end of a line.
    fn ends_with(&self, line: &Candidate, square: Square, side: Side) -> Result<bool, String> {
        let end = self.at(line, line.moves.len())?;
        Ok(end.has(square.index(), side))
    }

    /// The opponent can take the corner after that move, and not after this one.
    fn corner_given(
        &self,
        corner: Square,
        opponent: Side,
        after_this: &Mailbox,
        after_that: &Mailbox,
    ) -> Result<(), String> {
        claim_that!(CORNERS.contains(&corner.index()));
        claim_that!(after_that.play(corner.index()).is_some());
        claim_that!(after_that.turn == opponent);
        claim_that!(after_this.play(corner.index()).is_none());
        Ok(())
    }

    /// Whether the opponent could take the corner before the move, if it were its turn.
    fn was_open(&self, corner: Square) -> bool {
        let opponent = self.mover.other();
        self.root.legal(opponent).contains(&corner.index())
    }

    /// The ply with which a side takes a corner within eight plies of a line.
    fn taken(&self, line: &Candidate, side: Side, corner: Square) -> Option<usize> {
        let mut at = self.root.clone();
        for (ply, action) in line.moves.iter().take(8).enumerate() {
            if at.turn == side && *action == Move::Place(corner) {
                return Some(ply + 1);
            }
            at = play_all(&at, &[*action])?;
        }
        None
    }

    /// The ply with which a side passes within eight plies of a line.
    fn passes(&self, line: &Candidate, side: Side) -> Option<usize> {
        let mut at = self.root.clone();
        for (ply, action) in line.moves.iter().take(8).enumerate() {
            if at.turn == side && *action == Move::Pass {
                return Some(ply + 1);
            }
            at = play_all(&at, &[*action])?;
        }
        None
    }

    /// Whether a line says what happens with a ply.
    fn reaches(&self, line: &Candidate, plies: usize) -> bool {
        let end = play_all(self.root, &line.moves);
        line.moves.len() >= plies || end.is_some_and(|end| end.is_over())
    }

    /// The board after the reply, the mover's turn.
    fn replied(&self, line: &Candidate) -> Result<Mailbox, String> {
        let board = self.at(line, 2)?;
        claim_that!(board.turn == self.mover);
        Ok(board)
    }

    /// A corner that one line takes with a ply and the other does not within eight.
    fn corner_on_line(
        &self,
        [with, without]: [&Candidate; 2],
        side: Side,
        corner: Square,
        plies: usize,
    ) -> Result<(), String> {
        claim_that!(CORNERS.contains(&corner.index()) && plies <= 8);
        claim_that!(self.taken(with, side, corner) == Some(plies));
        claim_that!(self.taken(without, side, corner).is_none());
        claim_that!(self.reaches(without, plies));
        Ok(())
    }

    /// What the expected reply to that move does, with the squares that the sentence names for it.
    fn deed(&self, deed: Option<Deed>) -> Result<Told, String> {
        let (mover, opponent) = (self.mover, self.mover.other());
        let Some(deed) = deed else {
            return Ok((Vec::new(), Vec::new(), ""));
        };
        let (before, after) = (self.at(self.that, 1)?, self.at(self.that, 2)?);
        let reply = self.that.moves[1].square().ok_or("a pass does nothing")?;
        match deed {
            Deed::HoldsEdge { first, last } => {
                let has = |edge: &[usize; 8], it: Square| edge.contains(&it.index());
                let edge = [
                    "the top edge",
                    "the bottom edge",
                    "the left edge",
                    "the right edge",
                ]
                .map(Mailbox::edge)
                .into_iter()
                .find(|edge| has(edge, first) && has(edge, last))
                .ok_or("on no edge")?;
                let place = |it: Square| edge.iter().position(|&at| at == it.index()).unwrap();
                let run = &edge[place(first)..=place(last)];
                claim_that!(run.len() >= 3 && run.contains(&reply.index()));
                let end = |line: &Candidate| self.at(line, line.moves.len());
                let (here, there) = (end(self.this)?, end(self.that)?);
                for &at in run {
                    claim_that!(after.has(at, opponent) && there.has(at, opponent));
                }
                claim_that!(run.iter().filter(|&&at| !here.has(at, opponent)).count() >= 2);
                Ok((vec![first, last], Vec::new(), "hold"))
            }
            Deed::TakesMoves { squares } => {
                let squares: Vec<Square> = squares.into_iter().collect();
                claim_that!((2..=4).contains(&squares.len()));
                let here = self.replied(self.this)?;
                let next = self.at(self.that, self.that.moves.len().min(4))?;
                for square in &squares {
                    let can = |board: &Mailbox| board.legal(mover).contains(&square.index());
                    claim_that!(can(&before) && can(&here));
                    claim_that!(!can(&after) && !can(&next) && *square != reply);
                }
                Ok((squares, Vec::new(), "away from"))
            }
            Deed::LeavesMoves { moves } => {
                self.replied(self.this)?;
                self.replied(self.that)?;
                self.pair(2, moves, &|board| board.legal(mover).len() as i32)?;
                claim_that!(moves.this > moves.that);
                Ok((Vec::new(), vec![moves.that, moves.this], "instead of"))
            }
            Deed::IsQuiet => {
                let touches = |&disc: &usize| neighbours(disc).any(|near| after.is_empty(near));
                claim_that!(!before.flips(reply.index(), opponent).iter().any(touches));
                Ok((Vec::new(), Vec::new(), "a quiet move"))
            }
        }
    }

    /// The ply with which somebody plays on a square of a line, and who.
    fn played(&self, line: &Candidate, square: Square) -> Result<Option<(usize, Side)>, String> {
        let ply = line.moves.iter().position(|it| *it == Move::Place(square));
        let Some(ply) = ply else { return Ok(None) };
        Ok(Some((ply + 1, self.at(line, ply)?.turn)))
    }

    /// The opponent's one strong reply. How much better it is comes from a search; where a few squares
    /// are empty, it is counted out.
    fn strong_reply(&self, claim: &Claim, text: &str) -> Result<(), String> {
        let Claim::StrongReply {
            that: named,
            reply,
            discs,
            reach,
            deed,
            fate,
        } = *claim
        else {
            return Err("no reply".to_owned());
        };
        let (mover, opponent) = (self.mover, self.mover.other());
        let (this, that) = (self.this.square, self.that.square);
        let (after_this, after_that) = (self.at(self.this, 1)?, self.at(self.that, 1)?);
        claim_that!(named == that && self.that.moves.get(1) == Some(&Move::Place(reply)));
        claim_that!(after_that.turn == opponent && after_this.turn == opponent);
        claim_that!(!CORNERS.contains(&reply.index()));
        let replies = after_that.legal(opponent);
        claim_that!(replies.len() > 1 && replies.contains(&reply.index()));
        claim_that!(discs >= if reach.solved { 2 } else { 3 });
        let is_short = |board: &Mailbox| board.empties().len() <= 8;
        let value =
            |board: &Mailbox, at: usize| board.play(at).map(|next| next.solve_from(opponent));
        if reach.solved && is_short(&after_that) {
            let best = value(&after_that, reply.index()).ok_or("an illegal reply")?;
            let others = replies.into_iter().filter(|&at| at != reply.index());
            let next = others.filter_map(|at| value(&after_that, at)).max();
            claim_that!(next.is_some_and(|next| best - next == discs));
        }
        let can = after_this.legal(opponent).contains(&reply.index());
        let (squares, mut numbers, word) = self.deed(deed)?;
        numbers.insert(0, discs);
        if !reach.solved {
            numbers.insert(1, reach.depth as i32);
        }
        let mut names = [vec![that, reply], squares, vec![this]].concat();
        let becomes = match fate {
            Fate::Shut { for_good } => {
                claim_that!(!can && reply != this);
                claim_that!(for_good != self.ends_with(self.this, reply, opponent)?);
                "cannot play there"
            }
            Fate::Taken => {
                claim_that!(reply == this);
                "takes that square"
            }
            Fate::Fails { discs, answer } => {
                claim_that!(can && discs >= 2);
                let replied = after_this.play(reply.index()).ok_or("an illegal reply")?;
                if let Some(answer) = answer {
                    claim_that!(replied.turn == mover);
                    claim_that!(replied.legal(mover).contains(&answer.index()));
                }
                if reach.solved && is_short(&after_this) {
                    let best = after_this.solve_from(opponent);
                    claim_that!(best - replied.solve_from(opponent) == discs);
                }
                numbers.push(discs);
                names.extend(answer);
                "it would cost"
            }
        };
        check_text(text, &names, &numbers, &["one strong reply", word, becomes])
    }

    /// What the lines lead to on the board.
    fn prospect(&self, claim: &Claim, text: &str) -> Result<(), String> {
        let (mover, opponent) = (self.mover, self.mover.other());
        let (this, that) = (self.this.square, self.that.square);
        let after_this = self.at(self.this, 1)?;
        let line_of = |who: Side| match who == mover {
            true => (self.this, self.that),
            false => (self.that, self.this),
        };
        match *claim {
            Claim::StrongReply { .. } => self.strong_reply(claim, text),
            Claim::CannotWait {
                this: named,
                that: other,
                opponent: who,
                is_taken,
                deed,
            } => {
                claim_that!((named, other, who) == (this, that, opponent));
                let replies = after_this.legal(opponent);
                claim_that!(after_this.turn == opponent && !replies.contains(&that.index()));
                for reply in replies {
                    let next = after_this.play(reply).ok_or("an illegal reply")?;
                    claim_that!(next.legal(mover).contains(&that.index()));
                }
                claim_that!(
                    self.played(self.this, that)?
                        .is_none_or(|(_, by)| by == mover)
                );
                claim_that!(
                    !self
                        .replied(self.that)?
                        .legal(mover)
                        .contains(&this.index())
                );
                claim_that!(
                    self.played(self.that, this)?
                        .is_none_or(|(_, by)| by == opponent)
                );
                claim_that!(is_taken == (self.that.moves[1] == Move::Place(this)));
                claim_that!(is_taken || deed.is_none());
                let (squares, numbers, word) = self.deed(deed)?;
                let mut names = vec![this, that, that, this];
                names.extend(squares);
                names.extend([this, that]);
                check_text(
                    text,
                    &names,
                    &numbers,
                    &["cannot wait", word, "whatever the reply"],
                )
            }
            Claim::LosesSquare {
                square,
                opponent: who,
                plies,
                deed,
            } => {
                claim_that!(who == opponent && plies <= 8 && square != this);
                claim_that!(!CORNERS.contains(&square.index()));
                claim_that!(self.played(self.that, square)? == Some((plies, opponent)));
                claim_that!(
                    self.played(self.this, square)?
                        .is_some_and(|(ply, by)| by == mover && ply <= 10)
                );
                claim_that!(plies == 2 || deed.is_none());
                let (squares, mut numbers, word) = self.deed(deed)?;
                let names = [vec![that, square], squares, vec![this]].concat();
                if plies > 2 {
                    numbers.push(plies as i32);
                }
                let words: [&str; 3] = [&opponent.to_string(), word, &mover.to_string()];
                check_text(text, &names, &numbers, &words)
            }
            Claim::GetsBoth {
                this: named,
                that: other,
                opponent: who,
                follows,
                taken,
                deed,
            } => {
                claim_that!((named, other, who) == (this, that, opponent) && follows <= 10);
                claim_that!(self.played(self.this, that)? == Some((follows, mover)));
                claim_that!(taken == Some(2) || deed.is_none());
                let there = self.played(self.that, this)?;
                let (squares, counted, word) = self.deed(deed)?;
                let names = [vec![this, that, that, this], squares].concat();
                let mut numbers = vec![follows as i32];
                match taken {
                    Some(plies) => {
                        claim_that!(plies <= 10 && there == Some((plies, opponent)));
                        numbers.extend((plies > 2).then_some(plies as i32));
                    }
                    None => {
                        claim_that!(follows <= 5 && self.reaches(self.that, 10));
                        claim_that!(there.is_none_or(|(ply, _)| ply > 10));
                        numbers.push(10);
                    }
                }
                numbers.extend(counted);
                let words: [&str; 3] = [&mover.to_string(), "both", word];
                check_text(text, &names, &numbers, &words)
            }
            Claim::CornerCanWait { corner, plies } => {
                claim_that!(corner == that && CORNERS.contains(&corner.index()) && plies <= 9);
                claim_that!(!after_this.legal(opponent).contains(&corner.index()));
                claim_that!(self.played(self.this, corner)? == Some((plies, mover)));
                let words: [&str; 3] = ["can wait", &opponent.to_string(), &mover.to_string()];
                check_text(text, &[corner, this], &[plies as i32], &words)
            }
            Claim::LosesMoves {
                that: named,
                squares,
                mover: who,
            } => {
                claim_that!((named, who) == (that, mover) && (2..=4).contains(&squares.len()));
                let (here, there) = (self.replied(self.this)?, self.replied(self.that)?);
                let next = self.at(self.that, self.that.moves.len().min(4))?;
                claim_that!(there.legal(mover).len() < here.legal(mover).len());
                let mut names = vec![that];
                for square in squares {
                    let can = |board: &Mailbox| board.legal(mover).contains(&square.index());
                    claim_that!(can(self.root) && can(&here) && !can(&there) && !can(&next));
                    let later = self.played(self.that, square)?;
                    claim_that!(later.is_none_or(|(_, by)| by == opponent));
                    names.push(square);
                }
                names.push(this);
                let who = mover.to_string();
                check_text(text, &names, &[], &[&who, "no longer", &who, "can."])
            }
            Claim::ClosesSquares {
                that: named,
                squares,
                opponent: who,
            } => {
                claim_that!((named, who) == (that, opponent) && (2..=5).contains(&squares.len()));
                let after_that = self.at(self.that, 1)?;
                let (with, without) = (after_that.legal(opponent), after_this.legal(opponent));
                claim_that!(after_that.turn == opponent && with.len() >= without.len() + 2);
                let before = self.root.legal(opponent);
                let mut names = vec![this];
                for square in squares {
                    let at = square.index();
                    claim_that!(before.contains(&at) && with.contains(&at));
                    claim_that!(!without.contains(&at) && !CORNERS.contains(&at));
                    let played = self.played(self.this, square)?;
                    claim_that!(played.is_none_or(|(ply, by)| by == mover || ply > 8));
                    names.push(square);
                }
                names.push(that);
                let who = opponent.to_string();
                check_text(text, &names, &[], &["closes", &who, &who, "can still"])
            }
            Claim::WedgeLater {
                who,
                after,
                square,
                edge,
                plies,
            } => {
                let (line, other) = line_of(who);
                claim_that!(after == line.square && (2..=8).contains(&plies));
                claim_that!(self.played(line, square)? == Some((plies, who)));
                let name = edge.to_string();
                let board = self.at(line, plies)?;
                claim_that!(board.is_wedge(Mailbox::edge(&name), square.index(), who));
                claim_that!(self.ends_with(line, square, who)?);
                claim_that!(!self.ends_with(other, square, who)? && self.reaches(other, plies));
                let soon = self.at(other, other.moves.len().min(8))?;
                claim_that!(!soon.has(square.index(), who));
                let words: [&str; 3] = [&who.to_string(), "between", &name];
                check_text(text, &[after, square], &[plies as i32], &words)
            }
            Claim::OutOfSafeMoves { who, after, plies } => {
                let (other, line) = line_of(who);
                claim_that!(after == line.square && (2..=7).contains(&plies));
                let is_out = |board: &Mailbox| {
                    board.turn == who && !board.legal(who).is_empty() && board.safe(who).is_empty()
                };
                claim_that!(is_out(&self.at(line, plies)?) && self.reaches(other, 8));
                for plies in 1..other.moves.len().min(8) {
                    claim_that!(!is_out(&self.at(other, plies)?));
                }
                let words: [&str; 3] = [&who.to_string(), "out of safe moves", "an X square"];
                check_text(text, &[after], &[plies as i32], &words)
            }
            Claim::DiscsInTheEnd { squares } => {
                let end = |line: &Candidate| self.at(line, line.moves.len());
                let (here, there) = (end(self.this)?, end(self.that)?);
                claim_that!(here.is_over() && there.is_over() && (1..=8).contains(&squares.len()));
                let mut names: Vec<Square> = squares.into_iter().collect();
                let own = |board: &Mailbox, side| {
                    let all = (0..64).filter(|&at| board.has(at, side));
                    all.collect::<Vec<usize>>()
                };
                let (ours, theirs) = (own(&here, mover), own(&there, opponent));
                let mut both = ours.iter().filter(|it| theirs.contains(it));
                claim_that!(names.iter().all(|it| both.next() == Some(&it.index())));
                claim_that!(both.next().is_none());
                names.extend([this, that]);
                let words: [&str; 2] = [&mover.to_string(), &opponent.to_string()];
                check_text(text, &names, &[], &words)
            }
            _ => Err("not about the lines".to_owned()),
        }
    }

    /// What players have names for.
    fn concept(&self, claim: &Claim, text: &str) -> Result<(), String> {
        let (mover, opponent) = (self.mover, self.mover.other());
        let (this, that) = (self.this.square, self.that.square);
        let (after_this, after_that) = (self.at(self.this, 1)?, self.at(self.that, 1)?);
        match *claim {
            Claim::ShutsCorner {
                this: named,
                that: other,
                corner,
                taker,
            } => {
                claim_that!((named, other, taker) == (this, that, opponent));
                claim_that!(self.was_open(corner) && this != corner);
                self.corner_given(corner, opponent, &after_this, &after_that)?;
                let words = [&taker.to_string(), "leaves it open"];
                check_text(text, &[this, corner, that], &[], &words)
            }
            Claim::LosesCorner {
                that: named,
                corner,
                taker,
                plies,
            } => {
                claim_that!(named == that && taker == opponent);
                self.corner_on_line([self.that, self.this], opponent, corner, plies)?;
                let words = [&taker.to_string(), "takes the"];
                check_text(text, &[that, corner], &[plies as i32], &words)
            }
            Claim::WinsCorner {
                this: named,
                corner,
                plies,
            } => {
                claim_that!(named == this && plies > 1);
                self.corner_on_line([self.this, self.that], mover, corner, plies)?;
                check_text(text, &[this, corner], &[plies as i32], &["wins the"])
            }
            Claim::EveryReplyGivesCorner {
                mover: named,
                opponent: other,
            } => {
                claim_that!((named, other) == (mover, opponent));
                let open =
                    |board: &Mailbox| CORNERS.iter().any(|&it| !board.flips(it, mover).is_empty());
                let always = |after: &Mailbox| match after.legal(opponent) {
                    none if none.is_empty() => open(after),
                    replies => replies.iter().all(|&it| open(&after.play(it).unwrap())),
                };
                claim_that!(!open(self.root) && always(&after_this) && !always(&after_that));
                check_text(
                    text,
                    &[this],
                    &[],
                    &["Whatever", &opponent.to_string(), "a corner"],
                )
            }
            Claim::MustPass { who, after, plies } => {
                let (line, other) = match who == opponent {
                    true => (self.this, self.that),
                    false => (self.that, self.this),
                };
                claim_that!(after == line.square && plies <= 8);
                claim_that!(self.passes(line, who) == Some(plies));
                claim_that!(self.passes(other, who).is_none() && self.reaches(other, plies));
                let words = [&who.to_string(), "must pass"];
                check_text(text, &[after], &[plies as i32], &words)
            }
            Claim::OnlyReply {
                opponent: named,
                reply,
            } => {
                claim_that!(named == opponent && after_this.legal(opponent) == [reply.index()]);
                claim_that!(after_that.legal(opponent).len() >= 3);
                check_text(
                    text,
                    &[this, reply],
                    &[],
                    &[&opponent.to_string(), "only one reply"],
                )
            }
            Claim::KeepsAccess {
                region,
                mover: named,
                that: other,
            } => {
                claim_that!(named == mover && other == that && region.len() <= 12);
                let squares: Vec<usize> = region.into_iter().map(Square::index).collect();
                claim_that!(self.root.region(squares[0]) == squares);
                let (here, there) = (self.replied(self.this)?, self.replied(self.that)?);
                let plays =
                    |board: &Mailbox, side| board.legal(side).iter().any(|it| squares.contains(it));
                claim_that!(plays(&here, mover) && !plays(&there, mover));
                claim_that!(plays(&there, opponent));
                for (ply, action) in self.that.moves.iter().enumerate().skip(2) {
                    let is_there = action.square().is_some_and(|it| region.contains(it));
                    claim_that!(!is_there || self.at(self.that, ply)?.turn == opponent);
                }
                let words = [&mover.to_string(), zone(region), &opponent.to_string()];
                check_text(text, &[this, that], &[], &words)
            }
            Claim::LastMove {
                mover: named,
                that: other,
            } => {
                claim_that!(named == mover && other == that);
                for (line, side) in [(self.this, mover), (self.that, opponent)] {
                    let n = line.moves.iter().rposition(|it| *it != Move::Pass).unwrap();
                    claim_that!(self.at(line, line.moves.len())?.is_over());
                    claim_that!(self.at(line, n)?.turn == side);
                }
                let words = [&mover.to_string(), "last move", &opponent.to_string()];
                check_text(text, &[this, that], &[], &words)
            }
            Claim::KeepsFreeMove {
                that: named,
                opponent: other,
            } => {
                claim_that!(named == that && other == opponent);
                let later = self.played(self.this, that)?;
                claim_that!(later.is_none_or(|(_, by)| by == mover));
                for board in [self.root.clone(), self.replied(self.this)?] {
                    claim_that!(board.legal(mover).contains(&that.index()));
                    claim_that!(!board.legal(opponent).contains(&that.index()));
                }
                claim_that!(!after_this.legal(opponent).contains(&that.index()));
                let touches =
                    |&disc: &usize| neighbours(disc).any(|near| after_that.is_empty(near));
                claim_that!(!self.root.flips(that.index(), mover).iter().any(touches));
                check_text(
                    text,
                    &[this, that],
                    &[],
                    &[&opponent.to_string(), "cannot play"],
                )
            }
            Claim::TakesSquareFirst {
                this: named,
                that: other,
                opponent: who,
                plies,
                deed,
            } => {
                claim_that!((named, other, who) == (this, that, opponent) && plies <= 8);
                claim_that!(self.at(self.that, plies - 1)?.turn == opponent);
                claim_that!(self.that.moves[plies - 1] == Move::Place(this));
                let who = opponent.to_string();
                if plies > 2 {
                    claim_that!(deed.is_none());
                    return check_text(text, &[this, that], &[plies as i32], &[&who, "within"]);
                }
                let (squares, numbers, word) = self.deed(deed)?;
                let names = [vec![this, that], squares].concat();
                check_text(text, &names, &numbers, &[&who, "at once", word])
            }
            Claim::ComesFirst {
                this: named,
                that: other,
                is_gone,
                opponent: who,
            } => {
                claim_that!((named, other, who) == (this, that, opponent));
                claim_that!(self.replied(self.this)?.turn == mover);
                let place = self
                    .this
                    .moves
                    .iter()
                    .position(|it| *it == Move::Place(that));
                let place = place.ok_or("never played")?;
                claim_that!(place < 8 && self.at(self.this, place)?.turn == mover);
                let replies = after_this.legal(opponent);
                claim_that!(!replies.contains(&that.index()));
                for reply in replies {
                    let next = after_this.play(reply).ok_or("an illegal reply")?;
                    claim_that!(next.legal(mover).contains(&that.index()));
                }
                let can_still = || -> Result<bool, String> {
                    let there = self.replied(self.that)?;
                    Ok(there.turn != mover || there.legal(mover).contains(&this.index()))
                };
                claim_that!(!is_gone || !can_still()?);
                let later = self.played(self.that, this)?;
                claim_that!(later.is_none_or(|(ply, by)| by == opponent || ply > 12));
                if is_gone {
                    let words = ["comes first", "no longer possible"];
                    check_text(text, &[this, that, that, this], &[], &words)
                } else {
                    claim_that!(after_that.turn == opponent);
                    claim_that!(after_that.legal(opponent).contains(&this.index()));
                    let words: [&str; 3] = ["comes first", &opponent.to_string(), "could play"];
                    check_text(text, &[this, that, this], &[], &words)
                }
            }
            Claim::CornerInTheEnd {
                corner,
                opponent: who,
                is_won,
            } => {
                claim_that!(who == opponent && CORNERS.contains(&corner.index()));
                let end = |line: &Candidate| self.at(line, line.moves.len());
                let (here, there) = (end(self.this)?, end(self.that)?);
                let is_even = here.empties().len() == there.empties().len();
                claim_that!(is_even || here.is_over() && there.is_over());
                claim_that!(there.has(corner.index(), opponent));
                claim_that!(!here.has(corner.index(), opponent));
                claim_that!(is_won == here.has(corner.index(), mover));
                let who = opponent.to_string();
                let words: [&str; 2] = ["expected lines", &who];
                if is_won {
                    check_text(text, &[corner, this, that], &[], &words)
                } else {
                    check_text(text, &[corner, that, this], &[], &words)
                }
            }
            Claim::OpensSquares {
                that: named,
                squares,
                opponent: who,
            } => {
                claim_that!((named, who) == (that, opponent));
                let (with, without) = (after_that.legal(opponent), after_this.legal(opponent));
                claim_that!(after_that.turn == opponent && with.len() >= without.len() + 2);
                let before = self.root.legal(opponent);
                let opened: Vec<Square> = squares.into_iter().collect();
                claim_that!((2..=5).contains(&opened.len()));
                for square in &opened {
                    let at = square.index();
                    claim_that!(with.contains(&at) && !without.contains(&at));
                    claim_that!(!before.contains(&at) && !CORNERS.contains(&at));
                }
                let mut names = vec![that];
                names.extend(opened);
                names.push(this);
                let words: [&str; 3] = ["opens", &opponent.to_string(), "none of them"];
                check_text(text, &names, &[], &words)
            }
            Claim::DeniesReply {
                that: named,
                reply,
                opponent: who,
                is_opened,
                deed,
            } => {
                claim_that!((named, who) == (that, opponent) && reply != this);
                claim_that!(self.that.moves.get(1) == Some(&Move::Place(reply)));
                claim_that!(after_that.turn == opponent);
                claim_that!(after_that.legal(opponent).contains(&reply.index()));
                claim_that!(!after_this.legal(opponent).contains(&reply.index()));
                let later = self.played(self.this, reply)?;
                claim_that!(later.is_none_or(|(ply, by)| by == mover || ply > 12));
                let could = self.root.legal(opponent).contains(&reply.index());
                claim_that!(is_opened != could);
                let who = opponent.to_string();
                let verb = if is_opened { "opens" } else { "allows" };
                let (squares, numbers, word) = self.deed(deed)?;
                let names = [vec![that, reply], squares, vec![this]].concat();
                check_text(text, &names, &numbers, &[verb, &who, word, "cannot"])
            }
            Claim::AvoidsWall { that: named, discs } => {
                claim_that!(named == that && after_that.wall(mover) == discs as usize);
                claim_that!(after_this.wall(mover) == 0 && discs >= 4);
                claim_that!(after_that.frontier(mover) > after_this.frontier(mover));
                check_text(text, &[that], &[discs as i32], &["wall"])
            }
            Claim::AvoidsUnbalancedEdge {
                that: named,
                edge,
                open,
            } => {
                let squares = Mailbox::edge(&edge.to_string());
                claim_that!(named == that);
                claim_that!(after_that.open_c(squares, mover) == Some(open.index()));
                claim_that!(after_this.open_c(squares, mover).is_none());
                claim_that!(self.root.open_c(squares, mover).is_none());
                check_text(
                    text,
                    &[that, open],
                    &[],
                    &[&edge.to_string()[4..], "unbalanced"],
                )
            }
            Claim::Wedge {
                this: named,
                edge,
                opponent: other,
            } => {
                let squares = Mailbox::edge(&edge.to_string());
                claim_that!(named == this && other == opponent);
                claim_that!(after_this.is_wedge(squares, this.index(), mover));
                let words = ["wedges", &opponent.to_string(), &edge.to_string()];
                check_text(text, &[this], &[], &words)
            }
            Claim::MovesAfterReply {
                mover: named,
                moves,
                that: other,
            } => {
                claim_that!(named == mover && other == that && moves.this > moves.that);
                self.replied(self.this)?;
                self.replied(self.that)?;
                self.pair(2, moves, &|board| board.legal(mover).len() as i32)?;
                let words = ["and the reply", &mover.to_string()];
                check_text(text, &[this, that], &[moves.this, moves.that], &words)
            }
            Claim::MovesAlong {
                plies,
                mover: named,
                own,
                theirs,
                that: other,
            } => {
                claim_that!(named == mover && other == that && plies <= 8);
                let sum = |line: &Candidate, side: Side| -> Result<i32, String> {
                    let mut sum = 0;
                    for ply in 1..=plies {
                        let board = self.at(line, ply)?;
                        if board.turn == side {
                            sum += board.legal(side).len() as i32;
                        }
                    }
                    Ok(sum)
                };
                let counted = [
                    sum(self.this, mover)?,
                    sum(self.this, opponent)?,
                    sum(self.that, mover)?,
                    sum(self.that, opponent)?,
                ];
                claim_that!(counted == [own.this, theirs.this, own.that, theirs.that]);
                claim_that!(own.lead() > theirs.lead());
                let numbers = [&[plies as i32], &counted[..]].concat();
                let words: [&str; 2] = [&mover.to_string(), &opponent.to_string()];
                check_text(text, &[this, that], &numbers, &words)
            }
            Claim::SafeMoves {
                mover: named,
                safe,
                that: other,
            } => {
                claim_that!(named == mover && other == that && safe.this > safe.that);
                self.replied(self.this)?;
                self.replied(self.that)?;
                self.pair(2, safe, &|board| board.safe(mover).len() as i32)?;
                if safe.that == 0 {
                    claim_that!(!self.at(self.that, 2)?.legal(mover).is_empty());
                    let words = [&mover.to_string(), "no safe move", "opens a corner"];
                    return check_text(text, &[that, this], &[safe.this], &words);
                }
                let words = [&mover.to_string(), "safe move"];
                check_text(text, &[this, that], &[safe.this, safe.that], &words)
            }
            Claim::SafeReplies {
                opponent: named,
                safe,
                that: other,
            } => {
                claim_that!(named == opponent && other == that && safe.this < safe.that);
                self.pair(1, safe, &|board| board.safe(opponent).len() as i32)?;
                if safe.this == 0 {
                    claim_that!(!after_this.legal(opponent).is_empty());
                    let words = [&opponent.to_string(), "no safe reply", "opens a corner"];
                    return check_text(text, &[this, that], &[safe.that], &words);
                }
                let words = [&opponent.to_string(), "safe repl"];
                check_text(text, &[this, that], &[safe.this, safe.that], &words)
            }
            Claim::EdgeLater {
                plies,
                edge,
                owner,
                discs,
                that: other,
                squares: named,
            } => {
                let squares = Mailbox::edge(&edge.to_string());
                claim_that!(other == that && plies <= 8);
                let sign = if owner == mover { 1 } else { -1 };
                claim_that!(sign * (discs.this - discs.that) > 0);
                self.pair(plies, discs, &|board| {
                    let stable = board.stable(owner);
                    stable.iter().filter(|it| squares.contains(it)).count() as i32
                })?;
                let name = edge.to_string();
                let words = [&owner.to_string(), &name, "for good"];
                let most_first = discs.this > discs.that;
                let (line, [with, without], few) = match most_first {
                    true => (self.this, [this, that], discs.that),
                    false => (self.that, [that, this], discs.this),
                };
                let stable = self.at(line, plies)?.stable(owner);
                let kept: Vec<usize> = stable
                    .into_iter()
                    .filter(|it| squares.contains(it))
                    .collect();
                let told: Vec<Square> = named.into_iter().collect();
                claim_that!(told.iter().map(|it| it.index()).eq(kept.iter().copied()));
                let place = |it: &usize| squares.iter().position(|at| at == it);
                let in_a_row = kept
                    .windows(2)
                    .all(|pair| place(&pair[0]).map(|it| it + 1) == place(&pair[1]));
                let mut names = vec![with];
                if in_a_row && told.len() >= 3 {
                    names.extend([told[0], told[told.len() - 1]]);
                } else {
                    names.extend(told);
                }
                names.push(without);
                let numbers = [plies as i32, few];
                let numbers = if few == 0 { &numbers[..1] } else { &numbers };
                check_text(text, &names, numbers, &words)
            }
            Claim::EdgeSacrifice {
                plies,
                edge,
                discs,
                own,
                theirs,
            } => {
                let squares = Mailbox::edge(&edge.to_string());
                let (here, there) = (self.at(self.this, plies)?, self.at(self.that, plies)?);
                claim_that!(plies <= 8 && here.turn == there.turn);
                self.pair(plies, discs, &|board| {
                    let stable = board.stable(opponent);
                    stable.iter().filter(|it| squares.contains(it)).count() as i32
                })?;
                never_flipped(&here, opponent)?;
                self.pair(plies, own, &|board| board.legal(mover).len() as i32)?;
                self.pair(plies, theirs, &|board| board.legal(opponent).len() as i32)?;
                claim_that!(discs.this - discs.that >= 3 && own.this > theirs.this);
                claim_that!(own.this - theirs.this >= own.that - theirs.that + 4);
                let mut corners = CORNERS.into_iter().filter(|it| squares.contains(it));
                claim_that!(corners.all(|it| !self.was_open(square(it))));
                let owned = |line: &Candidate| -> Result<usize, String> {
                    let end = self.at(line, line.moves.len())?;
                    Ok(squares.iter().filter(|&&it| end.has(it, opponent)).count())
                };
                claim_that!(owned(self.this)? >= owned(self.that)? + 3);
                let numbers = [
                    plies as i32,
                    discs.this,
                    own.this,
                    theirs.this,
                    discs.that,
                    own.that,
                    theirs.that,
                ];
                let words = [&edge.to_string(), &opponent.to_string(), &mover.to_string()];
                let words = words.map(String::as_str);
                check_text(text, &[this, that], &numbers, &words)
            }
            Claim::BalancesEdge { edge } => {
                let squares = Mailbox::edge(&edge.to_string());
                let balanced = |board: &Mailbox| {
                    board.is_empty(squares[0])
                        && board.is_empty(squares[7])
                        && squares[1..7].iter().all(|&it| board.has(it, mover))
                };
                claim_that!(balanced(&after_this) && !balanced(&after_that));
                claim_that!(!balanced(self.root));
                check_text(text, &[this], &[], &["balanced", &edge.to_string()[4..]])
            }
            Claim::EdgeTempo { edge, again } => {
                let squares = Mailbox::edge(&edge.to_string());
                let plays = |side| after_this.legal(side).iter().any(|it| squares.contains(it));
                claim_that!(squares[1..7].contains(&this.index()) && !on_edge(that));
                claim_that!(!plays(opponent) && plays(mover) == again);
                claim_that!(!after_this.legal(opponent).is_empty());
                claim_that!(squares.iter().any(|&it| after_this.is_empty(it)));
                let mut empty = CORNERS.into_iter().filter(|&it| self.root.is_empty(it));
                claim_that!(empty.all(|it| beside(this, square(it)).is_none()));
                let verb = if again {
                    "creeps along"
                } else {
                    "gains a move on"
                };
                let words = [verb, &edge.to_string(), &opponent.to_string()];
                check_text(text, &[this], &[], &words)
            }
            Claim::Swindle { region } => {
                let pair: Vec<usize> = region.into_iter().map(Square::index).collect();
                claim_that!(pair.len() == 2 && self.root.region(pair[0]) == pair);
                let won = |at: Square, after: &Mailbox| {
                    let rest = pair.iter().find(|&&it| it != at.index()).unwrap();
                    pair.contains(&at.index())
                        && after.legal(mover).contains(rest)
                        && !after.legal(opponent).contains(rest)
                };
                claim_that!(won(this, &after_this) && !won(that, &after_that));
                for square in region {
                    let played = self.played(self.this, square)?;
                    claim_that!(played.is_none_or(|(_, by)| by == mover));
                }
                let words = [&opponent.to_string(), zone(region), &mover.to_string()];
                check_text(text, &[this], &[], &words)
            }
            Claim::CornerSwap {
                given,
                taken,
                is_trap,
            } => {
                let first = self.taken(self.this, opponent, given).ok_or("not given")?;
                let second = self.taken(self.this, mover, taken).ok_or("not taken")?;
                claim_that!(second > 1 && self.reaches(self.that, first.max(second)));
                claim_that!(!self.was_open(given) && !self.ends_with(self.that, taken, mover)?);
                let mut corners = CORNERS.into_iter();
                claim_that!(corners.all(|it| self.taken(self.that, mover, square(it)).is_none()));
                let mut words = vec![mover.to_string()];
                if is_trap {
                    claim_that!(beside(this, given) == Some("X"));
                    let names = [
                        "the top edge",
                        "the bottom edge",
                        "the left edge",
                        "the right edge",
                    ];
                    let mut edges = names.into_iter().map(Mailbox::edge);
                    claim_that!(edges.any(|edge| {
                        edge.contains(&given.index())
                            && edge.contains(&taken.index())
                            && self
                                .root
                                .open_c(edge, opponent)
                                .is_some_and(|open| beside(square(open), given) == Some("C"))
                    }));
                    words.insert(0, "Stoner trap".to_owned());
                }
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                check_text(text, &[this, given, taken], &[], &words)
            }
            Claim::LastInRegion { region } => {
                let squares: Vec<usize> = region.into_iter().map(Square::index).collect();
                claim_that!(self.root.region(squares[0]) == squares && squares.len() <= 12);
                claim_that!(region.contains(this) || region.contains(that));
                for (line, side) in [(self.this, mover), (self.that, opponent)] {
                    let end = self.at(line, line.moves.len())?;
                    claim_that!(end.is_over() && squares.iter().all(|&it| !end.is_empty(it)));
                    let inside = |it: &Move| it.square().is_some_and(|it| region.contains(it));
                    let n = line.moves.iter().rposition(inside).unwrap();
                    claim_that!(self.at(line, n)?.turn == side);
                }
                let words = [&mover.to_string(), zone(region), &opponent.to_string()];
                check_text(text, &[this, that], &[], &words)
            }
            _ => Err("not a concept".to_owned()),
        }
    }

    fn odd_region(&self, region: Bitboard, left: Pair) -> Result<(), String> {
        let squares: Vec<usize> = region.into_iter().map(Square::index).collect();
        claim_that!(self.root.region(squares[0]) == squares);
        claim_that!(squares.len() % 2 == 1 && (3..=12).contains(&squares.len()));
        let remaining = |board: &Mailbox| -> Vec<usize> {
            let open = squares.iter().filter(|&&square| board.is_empty(square));
            open.copied().collect()
        };
        let (with_this, with_that) = (self.at(self.this, 2)?, self.at(self.that, 2)?);
        claim_that!(with_this.turn == self.mover && with_that.turn == self.mover);
        let (kept, lost) = (remaining(&with_this), remaining(&with_that));
        claim_that!((kept.len() as i32, lost.len() as i32) == (left.this, left.that));
        claim_that!(kept.len() % 2 == 1 && lost.len() % 2 == 0);
        claim_that!(with_this.region(kept[0]) == kept);
        Ok(())
    }

    /// Counts at the ends of the lines: both with the same side to move, and the lead is what the
    /// claim speaks for.
    fn later(
        &self,
        text: &str,
        plies: usize,
        own: Pair,
        theirs: Pair,
        sign: i32,
        what: &str,
    ) -> Result<(), String> {
        let (here, there) = (self.at(self.this, plies)?, self.at(self.that, plies)?);
        claim_that!(here.turn == there.turn && plies <= 8);
        let lead = (own.this - theirs.this) - (own.that - theirs.that);
        claim_that!(sign * lead > 0);
        let numbers = [plies as i32, own.this, theirs.this, own.that, theirs.that];
        let words = [
            &self.mover.to_string(),
            what,
            &self.mover.other().to_string(),
        ];
        let squares = [self.this.square, self.that.square];
        check_text(text, &squares, &numbers, &words)
    }
}

impl Mailbox {
    /// The value for a side, whoever's turn it is.
    fn solve_from(&self, side: Side) -> i32 {
        if self.turn == side {
            self.solve()
        } else {
            -self.solve()
        }
    }
}

/// Whether a side can take a corner next, whatever the other side does first.
fn always_open(after: &Mailbox, corner: Square, side: Side) -> bool {
    let can = |board: &Mailbox| board.legal(side).contains(&corner.index());
    let replies = after.legal(after.turn);
    if replies.is_empty() {
        return can(after);
    }
    replies
        .into_iter()
        .all(|reply| can(&after.play(reply).unwrap()))
}

fn square(index: usize) -> Square {
    Square::new(index as u8).unwrap()
}

/// `X` or `C` if a square is one of this corner's.
fn beside(near: Square, corner: Square) -> Option<&'static str> {
    let files = near.file().abs_diff(corner.file());
    let ranks = near.rank().abs_diff(corner.rank());
    match (files, ranks) {
        (1, 1) => Some("X"),
        (0, 1) | (1, 0) => Some("C"),
        _ => None,
    }
}

/// Random games from here never flip a disc that was called stable.
fn never_flipped(board: &Mailbox, side: Side) -> Result<(), String> {
    let stable = board.stable(side);
    let mut random = othello::sample::SplitMix64::new(7);
    for _ in 0..3 {
        let mut at = board.clone();
        loop {
            claim_that!(stable.iter().all(|&square| at.has(square, side)));
            let moves = at.legal(at.turn);
            let next = match moves.len() {
                0 => at.pass(),
                n => at.play(moves[random.below(n as u32) as usize]),
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
    }
    Ok(())
}

/// Where a region lies: by the mean of its rows and columns.
fn zone(region: Bitboard) -> &'static str {
    let mean = |of: fn(Square) -> u8| {
        let sum: f64 = region.into_iter().map(|s| f64::from(of(s))).sum();
        let mean = sum / f64::from(region.len());
        match mean {
            low if low < 7.0 / 3.0 - 1e-9 => 0,
            high if high > 14.0 / 3.0 + 1e-9 => 2,
            _ => 1,
        }
    };
    const NAMES: [[&str; 3]; 3] = [
        ["top-left", "top", "top-right"],
        ["left", "centre", "right"],
        ["bottom-left", "bottom", "bottom-right"],
    ];
    NAMES[mean(Square::rank)][mean(Square::file)]
}

/// The sentence names these squares and numbers in this order, no others, and has these words in
/// this order.
fn check_text(
    text: &str,
    squares: &[Square],
    numbers: &[i32],
    words: &[&str],
) -> Result<(), String> {
    let (mut found_squares, mut found_numbers) = (Vec::new(), Vec::new());
    for token in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        if let Ok(number) = token.parse::<i32>() {
            found_numbers.push(number);
        } else if let Ok(square) = token.parse::<Square>() {
            found_squares.push(square);
        }
    }
    if found_squares != squares || found_numbers != numbers {
        return Err(format!(
            "the text names {found_squares:?} {found_numbers:?}, expected {squares:?} {numbers:?}"
        ));
    }
    let mut rest = text;
    for word in words {
        let at = rest
            .find(word)
            .ok_or_else(|| format!("no {word:?} in the text"))?;
        rest = &rest[at + word.len()..];
    }
    Ok(())
}

/// Checks what a judgement says about mistakes.
pub(crate) fn check_judgement(position: Position, judgement: &Judgement) -> Result<Tally, String> {
    let root = Mailbox::new(position);
    let mover = root.turn;
    let after = |candidate: &Candidate| root.play(candidate.square.index()).unwrap();
    let (best, played) = (after(&judgement.best), after(&judgement.played));
    let difference = |count: &dyn Fn(&Mailbox) -> i32| count(&played) - count(&best);
    let own = difference(&|board| board.legal(mover).len() as i32);
    let replies = difference(&|board| board.legal(mover.other()).len() as i32);
    let frontier = difference(&|board| board.frontier(mover));
    let loss = judgement.loss.hundredths();
    let square = judgement.played.square;
    let corner = CORNERS
        .into_iter()
        .find(|&corner| beside(square, self::square(corner)) == Some("X"))
        .filter(|&corner| played.play(corner).is_some())
        .filter(|corner| !root.legal(mover.other()).contains(corner));
    let has = |class| judgement.mistakes.iter().any(|it| it.class == class);

    claim_that!(has(MistakeClass::MobilityLeak) == (loss > 25 && own <= -3 && replies >= 2));
    let bloat = loss > 25 && frontier >= 3 && root.empties().len() >= 24;
    claim_that!(has(MistakeClass::FrontierBloat) == bloat);
    claim_that!(has(MistakeClass::XSquarePoison) == (loss >= 100 && corner.is_some()));
    let lonely = judgement.mistakes.len() == 1;
    let is_sure = judgement.certainty != Certainty::Open;
    claim_that!(!has(MistakeClass::TempoWaste) || (loss >= 60 && lonely && is_sure));
    claim_that!(loss < 60 || !is_sure || !judgement.mistakes.is_empty());
    claim_that!(loss > 25 || judgement.mistakes.is_empty());
    for mistake in &judgement.mistakes {
        let place = |error| format!("{} in {position}: {error}", mistake.text);
        check_mistake(&root, judgement, mistake, [own, replies, frontier]).map_err(place)?;
    }
    Ok(Tally {
        mistakes: judgement.mistakes.len(),
        ..Tally::default()
    })
}

fn check_mistake(
    root: &Mailbox,
    judgement: &Judgement,
    mistake: &Mistake,
    [own, replies, frontier]: [i32; 3],
) -> Result<(), String> {
    claim_that!(play_all(root, &mistake.line).is_some());
    let (best, played) = (&judgement.best, &judgement.played);
    let (square, text) = (played.square, mistake.text.as_str());
    if let Some((speaks_for, claim)) = mistake.claim {
        let (this, that) = match speaks_for {
            SpeaksFor::Best => (best, played),
            SpeaksFor::Other => (played, best),
        };
        let duel = Duel {
            root,
            this,
            that,
            mover: root.turn,
        };
        claim_that!(judgement.loss.hundredths() >= 60);
        claim_that!(class_of(&claim, speaks_for) == Some(mistake.class));
        let said = claim.sentence(Telling {
            voice: Voice::Colours,
            mover: root.turn,
            this: this.square,
            that: that.square,
        });
        check_headline(text, &claim, &said, &mistake.line, [this, that])?;
        return duel.check(&claim, &said);
    }
    match mistake.class {
        MistakeClass::MobilityLeak => {
            check_text(text, &[square, best.square], &[-own, replies], &[])
        }
        MistakeClass::FrontierBloat => check_text(text, &[square, best.square], &[frontier], &[]),
        MistakeClass::XSquarePoison => {
            let x_corner = |&corner: &usize| beside(square, self::square(corner)) == Some("X");
            let corner = self::square(CORNERS.into_iter().find(x_corner).unwrap());
            check_text(text, &[square, corner], &[], &["take the"])
        }
        MistakeClass::ParityFlip => {
            check_parity_flip(root, best, played, mistake.squares)?;
            check_text(text, &[square], &[mistake.squares.len() as i32], &[])
        }
        MistakeClass::TheoryLeft => {
            let openings = Openings::shipped().unwrap();
            let is_known = |it: &Candidate| {
                judgement.book.contains(&it.square) || openings.at(it.after()).is_some()
            };
            claim_that!(is_known(best) && !is_known(played));
            Ok(())
        }
        MistakeClass::TempoWaste => Ok(()),
        _ => Err("a class without a claim".to_owned()),
    }
}

/// Which class a claim may be a reason for, by the definitions in `docs/EXPLAIN.md`.
fn class_of(claim: &Claim, speaks_for: SpeaksFor) -> Option<MistakeClass> {
    if speaks_for == SpeaksFor::Other {
        let is_gift = matches!(claim, Claim::LosesCorner { .. });
        return is_gift.then_some(MistakeClass::SacrificeMissed);
    }
    Some(match claim {
        Claim::AvoidsXTrap { .. } | Claim::KeepsCornerShut { .. } => MistakeClass::CornerGiven,
        Claim::ShutsCorner { .. } | Claim::LosesCorner { .. } | Claim::CornerInTheEnd { .. } => {
            MistakeClass::CornerOpened
        }
        Claim::TakesCorner { .. }
        | Claim::SecuresCorner { .. }
        | Claim::WinsCorner { .. }
        | Claim::EveryReplyGivesCorner { .. } => MistakeClass::CornerMissed,
        Claim::CornerSwap { .. } | Claim::EdgeSacrifice { .. } => MistakeClass::SacrificeMissed,
        Claim::EndsBetter { discs, .. } if discs.this == 64 => MistakeClass::WipeOutMissed,
        Claim::EndsBetter { .. } | Claim::DiscsInTheEnd { .. } => MistakeClass::EndgameMiscount,
        Claim::NoReply { .. } | Claim::MustPass { .. } => MistakeClass::PassMissed,
        Claim::SafeMoves { .. } | Claim::SafeReplies { .. } | Claim::OutOfSafeMoves { .. } => {
            MistakeClass::SafeMovesSpent
        }
        Claim::KeepsAccess { .. } => MistakeClass::AccessLost,
        Claim::LastMove { .. }
        | Claim::LastInRegion { .. }
        | Claim::Swindle { .. }
        | Claim::KeepsOddRegion { .. } => MistakeClass::ParityLost,
        Claim::KeepsFreeMove { .. } => MistakeClass::QuietMoveWasted,
        Claim::TakesSquareFirst { .. }
        | Claim::DeniesReply { .. }
        | Claim::StrongReply { .. }
        | Claim::CannotWait { .. }
        | Claim::LosesSquare { .. }
        | Claim::GetsBoth { .. }
        | Claim::ComesFirst { is_gone: true, .. } => MistakeClass::SquareLeft,
        Claim::Quiet { .. } => MistakeClass::LoudMove,
        Claim::FrontierLater { own, .. } if own.that < own.this + 2 => return None,
        Claim::AvoidsWall { .. } | Claim::SmallerFrontier { .. } | Claim::FrontierLater { .. } => {
            MistakeClass::WallBuilt
        }
        Claim::AvoidsUnbalancedEdge { .. }
        | Claim::BalancesEdge { .. }
        | Claim::EdgeTempo { .. }
        | Claim::EdgeLater { .. }
        | Claim::Wedge { .. }
        | Claim::WedgeLater { .. } => MistakeClass::EdgeLost,
        Claim::StableLater { .. } | Claim::MoreStable { .. } => MistakeClass::StabilityLost,
        Claim::StaysAwayFromCorner { .. } => MistakeClass::CornerRisked,
        Claim::CornersLater { own, .. } if own.this > own.that => MistakeClass::CornerMissed,
        Claim::CornersLater { .. } => MistakeClass::CornerOpened,
        Claim::OnlyReply { .. }
        | Claim::OpensMoves { .. }
        | Claim::OpensSquares { .. }
        | Claim::ClosesSquares { .. }
        | Claim::LosesMoves { .. }
        | Claim::MoreMoves { .. }
        | Claim::MovesAfterReply { .. }
        | Claim::MovesAlong { .. }
        | Claim::FewerReplies { .. }
        | Claim::MobilityLater { .. } => MistakeClass::MobilityLost,
        _ => return None,
    })
}

/// Who controls a region: the only side that can enter it; else the side to move if it is odd.
fn controller(board: &Mailbox, region: &[usize]) -> Side {
    let enters = |side| {
        board
            .legal(side)
            .iter()
            .any(|square| region.contains(square))
    };
    match (enters(board.turn), enters(board.turn.other())) {
        (true, false) => board.turn,
        (false, true) => board.turn.other(),
        _ if region.len() % 2 == 1 => board.turn,
        _ => board.turn.other(),
    }
}

fn check_parity_flip(
    root: &Mailbox,
    best: &Candidate,
    played: &Candidate,
    region: Bitboard,
) -> Result<(), String> {
    let squares: Vec<usize> = region.into_iter().map(Square::index).collect();
    claim_that!(root.region(squares[0]) == squares);
    claim_that!(squares.len() % 2 == 1 && (5..=12).contains(&squares.len()));
    claim_that!(controller(root, &squares) == root.turn);
    // Who controls a largest part of what is left of the region.
    let controllers = |line: &Candidate| -> Option<Vec<Side>> {
        let later = play_all(root, line.moves.get(..2)?)?;
        let parts: Vec<Vec<usize>> = squares
            .iter()
            .filter(|&&square| later.is_empty(square))
            .map(|&square| later.region(square))
            .collect();
        let largest = parts.iter().map(Vec::len).max()?;
        let parts = parts.iter().filter(|part| part.len() == largest);
        Some(parts.map(|part| controller(&later, part)).collect())
    };
    let lost = controllers(played).ok_or("no reply")?;
    let kept = controllers(best).ok_or("no reply to the best move")?;
    claim_that!(lost.contains(&root.turn.other()) && kept.contains(&root.turn));
    // The lines do not show the contrary, and a move or a reply is in the region.
    let is_there = |line: &Candidate| {
        let mut first = line.moves.iter().take(2);
        first.any(|it| it.square().is_some_and(|it| region.contains(it)))
    };
    claim_that!(is_there(best) || is_there(played));
    for (line, side) in [(best, root.turn), (played, root.turn.other())] {
        let end = play_all(root, &line.moves).ok_or("an illegal line")?;
        if squares.iter().any(|&it| end.is_empty(it)) {
            continue;
        }
        let inside = |it: &Move| it.square().is_some_and(|it| region.contains(it));
        let last = line.moves.iter().rposition(inside).ok_or("never entered")?;
        let before = play_all(root, &line.moves[..last]).ok_or("an illegal line")?;
        claim_that!(before.turn == side);
    }
    Ok(())
}

fn on_edge(square: Square) -> bool {
    [square.file(), square.rank()]
        .iter()
        .any(|it| matches!(it, 0 | 7))
}
