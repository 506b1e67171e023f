//! How a game ended.

use crate::Position;
use othello::Side;
use std::{cmp::Ordering, fmt, str::FromStr};

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// A player gave up.
    Resignation,
    /// A player's time ran out.
    TimeForfeit,
    /// A move that the rules forbid.
    IllegalMove,
    /// A program crashed or hung, or a player left.
    Abandoned,
    /// A person or a program decided it from the outside.
    Adjudication,
}

/// The name of no termination.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a termination; expected normal, resignation, time forfeit, illegal move, abandoned or adjudication"
)]
pub struct ParseTerminationError {
    pub text: String,
}

impl Termination {
    pub const ALL: [Self; 6] = [
        Self::Normal,
        Self::Resignation,
        Self::TimeForfeit,
        Self::IllegalMove,
        Self::Abandoned,
        Self::Adjudication,
    ];

    /// The words of the PGN tag, and ours where PGN has none.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Abandoned => "abandoned",
            Self::Adjudication => "adjudication",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Termination {
    type Err = ParseTerminationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL
            .into_iter()
            .find(|it| it.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| ParseTerminationError {
            text: text.chars().take(40).collect(),
        })
    }
}

/// Which rule ends a game at a place of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Othello: neither side can move.
    NoMoves,
    Checkmate,
    Stalemate,
    /// Neither side has the men to mate.
    Material,
    /// A position stands on the board for the fifth time.
    Repetition,
    /// Both sides have made 75 moves without a capture or a pawn's move.
    SeventyFiveMoves,
}

/// A draw that a player of chess may claim; the game goes on if nobody does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// A position stands on the board for the third time.
    Repetition,
    /// Both sides have made 50 moves without a capture or a pawn's move.
    FiftyMoves,
}

/// As in "a draw by …".
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NoMoves => "neither side can move",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Material => "too little material to mate",
            Self::Repetition => "fivefold repetition",
            Self::SeventyFiveMoves => "75 moves without a capture or a pawn's move",
        })
    }
}

/// As in "a draw by …".
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "the fifty-move rule",
        })
    }
}

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// Black's final score in centidiscs where the game counts discs; empty squares are the
    /// winner's.
    pub black_centidiscs: Option<i32>,
    pub termination: Termination,
}

impl Outcome {
    /// The outcome by the rules, if they end the game at this position, whatever was before it. Where
    /// there is a record, [`Record::outcome_at`](crate::Record::outcome_at) knows more.
    pub fn of(position: &Position) -> Option<Self> {
        if !position.is_over() {
            return None;
        }
        match position {
            Position::Othello(last) => {
                let outcome = othello::Outcome::of_final(*last);
                Some(Self::counted(
                    100 * outcome.score_for(Side::Black),
                    Termination::Normal,
                ))
            }
            Position::Chess(last) => {
                let is_mate = last.ending() == Some(Ending::Checkmate);
                let winner = is_mate.then(|| last.side().other());
                Some(Self::decided(winner, Termination::Normal))
            }
        }
    }

    /// An outcome of a game that does not count discs; no winner is a draw.
    pub const fn decided(winner: Option<Side>, termination: Termination) -> Self {
        Self {
            winner,
            black_centidiscs: None,
            termination,
        }
    }

    /// An outcome in discs: the winner follows from the score.
    pub fn counted(black_centidiscs: i32, termination: Termination) -> Self {
        let winner = match black_centidiscs.cmp(&0) {
            Ordering::Greater => Some(Side::Black),
            Ordering::Less => Some(Side::White),
            Ordering::Equal => None,
        };
        Self {
            winner,
            black_centidiscs: Some(black_centidiscs),
            termination,
        }
    }

    /// A game lost by resignation, time, an illegal move or the like.
    pub const fn lost_by(loser: Side, termination: Termination) -> Self {
        Self::decided(Some(loser.other()), termination)
    }

    /// The points of one side: 1, ½ or 0.
    pub fn points_for(self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_games_have_an_outcome() {
        assert_eq!(Outcome::of(&Position::OTHELLO_START), None);
        let mut game = othello::Game::new();
        for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
            game.place(name.parse().unwrap()).unwrap();
        }
        let outcome = Outcome::of(&game.position().into()).unwrap();
        assert_eq!(outcome.winner, Some(Side::Black));
        assert_eq!(outcome.black_centidiscs, Some(6400));
        assert!(outcome.points_for(Side::White).abs() < 1e-9);
    }

    #[test]
    fn names_round_trip() {
        for termination in Termination::ALL {
            assert_eq!(termination.name().parse(), Ok(termination));
        }
        let error = "mate".parse::<Termination>().unwrap_err().to_string();
        assert!(
            error.starts_with("\"mate\" is not a termination; expected normal"),
            "{error}"
        );
    }
}
