//! Moves as text.

use super::excerpt;
use crate::Move;
use std::str::FromStr;

/// The text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a move; expected a square such as f5, or ps, pass, pa, -- or @@ to pass")]
pub struct ParseMoveError {
    /// What was read, shortened if long.
    pub text: String,
}

/// A square name, or a pass as the programs of the field write it; either case.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const PASSES: [&str; 5] = ["ps", "pass", "pa", "--", "@@"];
        if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Ok(Self::Pass);
        }
        text.parse().map(Self::Place).map_err(|_| ParseMoveError {
            text: excerpt(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn moves_read_in_every_spelling_and_write_in_one() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(Move::Place(square)));
        }
        for pass in ["ps", "PS", "pass", "Pass", "pa", "PA", "--", "@@"] {
            assert_eq!(pass.parse(), Ok(Move::Pass), "{pass}");
        }
        assert_eq!(Move::Pass.to_string(), "ps");
        assert_eq!(
            "k9".parse::<Move>().unwrap_err().to_string(),
            "\"k9\" is not a move; expected a square such as f5, or ps, pass, pa, -- or @@ to pass"
        );
    }
}
