//! Why a game ended, in as many words as a report of a tournament needs.

use crate::player::Failure;
use game::{Claim, Ending, Termination};
use std::{fmt, str::FromStr};

/// Why a game ended. [`Termination`] is what records and databases keep of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    Checkmate,
    Stalemate,
    /// Othello: neither side has a move, and the discs were counted.
    Counted,
    /// Chess: nobody has enough to mate with.
    Material,
    /// Chess: fifty moves of each side without capture or pawn move, or 75 where nobody claims.
    FiftyMoves,
    /// Chess: the position stood on the board for the third time, or the fifth where nobody claims.
    Repetition,
    Time,
    IllegalMove,
    Crash,
    NoAnswer,
    Resignation,
    /// One side, or both, thought for long enough that the game was lost.
    LostScore,
    /// Both sides thought for long enough that the game was drawn.
    DrawnScore,
    /// A table of endings knows the result.
    Tablebase,
    /// A solver has computed the result.
    Solved,
    /// The game was as long as it may become.
    Length,
}

/// The name of no reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a reason for the end of a game")]
pub struct ParseReasonError(String);

impl Reason {
    pub const ALL: [Self; 16] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Counted,
        Self::Material,
        Self::FiftyMoves,
        Self::Repetition,
        Self::Time,
        Self::IllegalMove,
        Self::Crash,
        Self::NoAnswer,
        Self::Resignation,
        Self::LostScore,
        Self::DrawnScore,
        Self::Tablebase,
        Self::Solved,
        Self::Length,
    ];

    /// The name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Counted => "counted",
            Self::Material => "material",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::Time => "time",
            Self::IllegalMove => "illegal move",
            Self::Crash => "crash",
            Self::NoAnswer => "no answer",
            Self::Resignation => "resignation",
            Self::LostScore => "lost score",
            Self::DrawnScore => "drawn score",
            Self::Tablebase => "tablebase",
            Self::Solved => "solved",
            Self::Length => "length",
        }
    }

    /// What a record keeps of it.
    pub const fn termination(self) -> Termination {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::Counted
            | Self::Material
            | Self::FiftyMoves
            | Self::Repetition => Termination::Normal,
            Self::Time => Termination::TimeForfeit,
            Self::IllegalMove => Termination::IllegalMove,
            Self::Crash | Self::NoAnswer => Termination::Abandoned,
            Self::Resignation => Termination::Resignation,
            Self::LostScore | Self::DrawnScore | Self::Tablebase | Self::Solved | Self::Length => {
                Termination::Adjudication
            }
        }
    }

    /// Whether a player did something that no player should.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Time | Self::IllegalMove | Self::Crash | Self::NoAnswer
        )
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::NoMoves => Self::Counted,
            Ending::Checkmate => Self::Checkmate,
            Ending::Stalemate => Self::Stalemate,
            Ending::Material => Self::Material,
            Ending::Repetition => Self::Repetition,
            Ending::SeventyFiveMoves => Self::FiftyMoves,
        }
    }
}

impl From<Claim> for Reason {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::Repetition => Self::Repetition,
            Claim::FiftyMoves => Self::FiftyMoves,
        }
    }
}

impl From<&Failure> for Reason {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::Crashed(_) => Self::Crash,
            Failure::TimedOut => Self::Time,
            Failure::Illegal(_) => Self::IllegalMove,
            Failure::NoAnswer | Failure::Stopped => Self::NoAnswer,
            Failure::Resigned => Self::Resignation,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reason {
    type Err = ParseReasonError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| ParseReasonError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for reason in Reason::ALL {
            assert_eq!(reason.name().parse(), Ok(reason));
        }
        assert!("boredom".parse::<Reason>().is_err());
    }
}
