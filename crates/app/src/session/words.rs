//! A session in sentences.

use super::{Awaiting, Mode, People, Session};
use coach::Voice;
use game::{Ending, Outcome, Position, Side, Termination};

impl Session {
    /// How the coach speaks of the sides: a person who plays one of them is "you".
    pub const fn voice(&self) -> Voice {
        match self.people() {
            People::Black => Voice::You(Side::Black),
            People::White => Voice::You(Side::White),
            People::Both | People::Nobody => Voice::Colours,
        }
    }

    /// What is going on, in a sentence.
    pub fn status(&self) -> String {
        if let Some(text) = self.outcome_text() {
            return text;
        }
        let position = self.position();
        let side = position.side();
        let what = if position.forced().is_some() {
            format!("{side} has no move and passes")
        } else if self.thinking().is_some() {
            format!("{side} is thinking")
        } else if self.mode() == Mode::Play && self.awaiting() == Awaiting::Human {
            format!("{side} to move: your turn")
        } else {
            format!("{side} to move")
        };
        match position {
            Position::Othello(othello) => {
                format!("{what} · {} empty", othello.board.empties().len())
            }
            Position::Chess(_) => {
                let claim = self.record().claim_at(self.cursor());
                claim.map_or(what.clone(), |it| {
                    format!("{what} · a draw by {it} is there")
                })
            }
        }
    }

    /// How the game ended, in a sentence, if it has at the current place.
    pub fn outcome_text(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let ending = self.record().ending_at(self.cursor());
        let by_rules = ending.filter(|_| outcome.termination == Termination::Normal);
        if self.is_decided()
            && outcome.winner.is_none()
            && let Some(claim) = self.record().claim_at(self.cursor())
        {
            return Some(format!("A draw by {claim}"));
        }
        Some(match (by_rules, outcome.winner) {
            (None | Some(Ending::NoMoves), _) => outcome_text(outcome),
            (Some(ending), Some(winner)) => format!("{winner} wins by {ending}"),
            (Some(ending), None) => format!("A draw by {ending}"),
        })
    }
}

/// How a game ended, in a sentence.
pub(super) fn outcome_text(outcome: Outcome) -> String {
    let discs = outcome.black_centidiscs.map(discs_of);
    let score = |winner: Side| {
        discs.map_or_else(String::new, |(black, white)| match winner {
            Side::Black => format!(" {black}–{white}"),
            Side::White => format!(" {white}–{black}"),
        })
    };
    match (outcome.winner, outcome.termination) {
        (Some(winner), Termination::TimeForfeit) => {
            format!("{winner} wins: {}'s time ran out", winner.other())
        }
        (Some(winner), Termination::Resignation) => {
            format!("{winner} wins: {} resigned", winner.other())
        }
        (Some(winner), _) => format!("{winner} wins{}", score(winner)),
        (None, _) if discs.is_none() => "A draw".to_owned(),
        (None, _) => "A draw, 32–32".to_owned(),
    }
}

/// Final discs of Black and White from Black's score.
pub fn discs_of(black_centidiscs: i32) -> (u32, u32) {
    let difference = (black_centidiscs / 100).clamp(-64, 64);
    let black = (64 + difference) as u32 / 2;
    (black, 64 - black)
}
