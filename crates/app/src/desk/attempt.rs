//! *Find a better move*: what a try at a mistake is worth, without telling the answer.

use super::{
    Desk, DeskError, Look, Snapshot,
    coaching::Subject,
    edits::{parse, position_at},
    error::othello_of,
};
use crate::session::Tried;
use game::{Move, Score};
use othello::{Bitboard, Square};

/// A move that costs no more than this counts as found: players cannot tell such moves apart.
pub const TRY_TOLERANCE: Score = Score::centi(100);

/// What a try was worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// As good as the best move, or nearly so.
    Yes,
    /// Better than the move of the game, and not good enough.
    Better,
    /// No better than the move of the game.
    No,
}

/// A try at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub action: Move,
    pub found: Found,
    /// What it gives away.
    pub loss: Score,
    /// A sentence that does not name a better move.
    pub text: String,
}

impl Desk {
    /// What a move would be worth at a place where another one was played.
    pub fn attempt(&self, id: &str, node: u32, text: &str) -> Result<Attempt, DeskError> {
        let subject = self.subject(id, node)?;
        let action = parse(&subject.position, text)?;
        let Some(square) = action.othello().and_then(othello::Move::square) else {
            let message = "there is nothing to choose where a side has to pass";
            return Err(DeskError::Conflict(message.to_owned()));
        };
        let played = self.reviewed_at(id, node)?;
        let loss = match &played {
            Some(played) if played.best == square => Score::ZERO,
            Some(played) if played.square == square => played.loss,
            _ => {
                let judgement = self.ask_coach(subject, Look::Full, move |at| {
                    at.explainer.judge(&mut at.witness, at.position, square)
                })?;
                judgement.loss
            }
        };
        let attempt = attempt(action, loss, played.as_ref());
        if attempt.found == Found::Yes && played.is_some() {
            self.set_tried(id, node, Some(Tried::Found))?;
        }
        Ok(attempt)
    }

    /// Remembers how the mistake at a place stands with the reader: found, or seen without being
    /// found; `None` is to be tried anew.
    pub fn set_tried(
        &self,
        id: &str,
        node: u32,
        tried: Option<Tried>,
    ) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, _| session.set_tried(node.into(), tried))
    }

    /// A part of the board that has the best move in it, and others, too.
    pub fn where_to_look(&self, id: &str, node: u32) -> Result<Vec<u8>, DeskError> {
        let subject = self.subject(id, node)?;
        let position = othello_of(&subject.position)?;
        let best = match self.reviewed_at(id, node)? {
            Some(played) => played.best,
            None => {
                let explanation = self.ask_coach(subject, Look::Full, |at| {
                    at.explainer.explain(&mut at.witness, at.position, None)
                })?;
                explanation.best.square
            }
        };
        let area = around(best, position.board.legal_moves());
        Ok(area.into_iter().map(|it| it.index() as u8).collect())
    }

    fn subject(&self, id: &str, node: u32) -> Result<Subject, DeskError> {
        let (snapshot, config) = self.look(id)?;
        Ok(Subject {
            position: position_at(&snapshot.session, node.into())?.clone(),
            config,
            known: None,
        })
    }

    /// The move of the review that was played from a place.
    fn reviewed_at(&self, id: &str, node: u32) -> Result<Option<Played>, DeskError> {
        let (state, id) = self.with_session(id)?;
        let found = state.reviewed_from(&id, node.into());
        Ok(found.map(|it| Played {
            square: it.judged.judgement.played.square,
            best: it.judged.judgement.best.square,
            loss: it.judged.judgement.loss,
        }))
    }
}

/// What is known of the move of the game.
struct Played {
    square: Square,
    best: Square,
    loss: Score,
}

fn attempt(action: Move, loss: Score, played: Option<&Played>) -> Attempt {
    let cost = played.map(|it| it.loss);
    let found = if loss <= TRY_TOLERANCE {
        Found::Yes
    } else if cost.is_some_and(|cost| loss < cost - TRY_TOLERANCE) {
        Found::Better
    } else {
        Found::No
    };
    let text = match (found, cost) {
        (Found::Yes, _) if loss == Score::ZERO => format!("{action}: found. Nothing is better."),
        (Found::Yes, _) => {
            format!("{action}: found. It is within a disc of the best move, so it counts.")
        }
        (Found::Better, Some(cost)) => {
            let (saved, all) = (whole(cost - loss), whole(cost));
            format!(
                "{action}: not yet. It saves {saved} of the {all} discs. There is something better."
            )
        }
        _ if played.is_some_and(|it| action == Move::from(it.square)) => {
            format!("{action} is the move of the game. There is something better.")
        }
        _ => format!("{action}: not yet. It saves nothing. There is something better."),
    };
    Attempt {
        action,
        found,
        loss,
        text,
    }
}

/// Discs as a whole number: a player does not count in hundredths.
fn whole(score: Score) -> i32 {
    (score.hundredths() + 50) / 100
}

/// The quarter of the board around a square, or the half where the quarter has no other legal move:
/// a hint that has one move in it is the answer.
fn around(square: Square, legal: Bitboard) -> Bitboard {
    let index = square.index();
    let (left, top) = (index % 8 < 4, index / 8 < 4);
    let part = |is_in: &dyn Fn(usize) -> bool| -> Bitboard {
        Square::all().filter(|it| is_in(it.index())).collect()
    };
    let quarter = part(&|it| (it % 8 < 4) == left && (it / 8 < 4) == top);
    if (quarter & legal).len() > 1 {
        return quarter;
    }
    part(&|it| (it / 8 < 4) == top)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played() -> Played {
        Played {
            square: "g8".parse().unwrap(),
            best: "h4".parse().unwrap(),
            loss: Score::centi(2_330),
        }
    }

    fn tried(text: &str, loss: i32) -> Attempt {
        let square: Square = text.parse().unwrap();
        attempt(square.into(), Score::centi(loss), Some(&played()))
    }

    #[test]
    fn a_try_is_told_by_what_it_saves_and_names_no_better_move() {
        for (text, loss, found, says) in [
            ("h4", 0, Found::Yes, "h4: found. Nothing is better."),
            ("c3", 100, Found::Yes, "so it counts"),
            ("h5", 500, Found::Better, "It saves 18 of the 23 discs"),
            ("b2", 2_300, Found::No, "It saves nothing"),
            ("a1", 4_000, Found::No, "It saves nothing"),
            ("g8", 2_330, Found::No, "the move of the game"),
        ] {
            let attempt = tried(text, loss);
            assert_eq!(attempt.found, found, "{text}");
            assert!(attempt.text.contains(says), "{}", attempt.text);
            assert!(text == "h4" || !attempt.text.contains("h4"));
        }
    }

    #[test]
    fn where_to_look_has_more_than_one_move_in_it_if_there_are_more() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let set = |texts: &[&str]| texts.iter().map(|it| square(it)).collect::<Bitboard>();
        let near = around(square("b2"), set(&["b2", "c3", "h8"]));
        assert_eq!(near.len(), 16);
        assert!(near.contains(square("d4")) && !near.contains(square("e4")));
        let alone = around(square("b2"), set(&["b2", "g2", "h8"]));
        assert_eq!(alone.len(), 32);
        assert!(alone.contains(square("g2")));
    }
}
