//! A session in sentences.

use super::{Awaiting, Mode, People, Session};
use coach::Voice;
use game::{Outcome, Position, Side, Termination};

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
        if let Some(outcome) = self.outcome() {
            return outcome_text(outcome);
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
            Position::Chess(_) => what,
        }
    }
}

/// How a game ended, in a sentence.
pub fn outcome_text(outcome: Outcome) -> String {
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
        (None, _) => "A draw, 32–32".to_owned(),
    }
}

/// Final discs of Black and White from Black's score.
pub fn discs_of(black_centidiscs: i32) -> (u32, u32) {
    let difference = (black_centidiscs / 100).clamp(-64, 64);
    let black = (64 + difference) as u32 / 2;
    (black, 64 - black)
}
