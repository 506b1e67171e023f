//! Positions that were set up by hand.

use super::DeskError;
use othello::{Bitboard, Position, notation::ParsePositionError};

/// What can be done with a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPosition {
    pub position: Position,
    /// Why nobody can play on from it.
    pub problem: Option<String>,
    /// What is odd about it: a game could not have come here, but it can go on from here.
    pub notes: Vec<String>,
}

/// The squares that have discs in every game.
const CENTRE: u64 = 0x0000_0018_1800_0000;

/// Reads a position (64 squares and the side to move) and says whether one can play on from it.
pub fn check_position(text: &str) -> Result<CheckedPosition, DeskError> {
    let position: Position = text
        .parse()
        .map_err(|error: ParsePositionError| DeskError::Invalid(error.to_string()))?;
    let board = position.board;
    let discs = board.occupied();
    let problem = if discs.is_empty() {
        Some("There are no discs yet.".to_owned())
    } else if board.is_game_over() {
        Some("Neither side can move: the game is over here.".to_owned())
    } else {
        None
    };
    let mut notes = Vec::new();
    if problem.is_none() && board.legal_moves().is_empty() {
        let (side, other) = (position.side, position.side.other());
        notes.push(format!("{side} has no move: {other} moves first."));
    }
    let centre = Bitboard(CENTRE);
    if !discs.is_empty() && !centre.is_subset(discs) {
        notes.push("In a game the four squares in the middle are never empty.".to_owned());
    }
    if !is_connected(discs) {
        notes.push("In a game all discs hang together.".to_owned());
    }
    Ok(CheckedPosition {
        position,
        problem,
        notes,
    })
}

/// Whether all squares of a set can be reached from each other, corners touching.
fn is_connected(set: Bitboard) -> bool {
    let Some(first) = set.first() else {
        return true;
    };
    let mut reached: Bitboard = [first].into_iter().collect();
    loop {
        let grown = (reached.dilated()) & set;
        if grown == reached {
            return reached == set;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(rows: [&str; 8], side: &str) -> CheckedPosition {
        check_position(&format!("{} {side}", rows.concat())).unwrap()
    }

    #[test]
    fn a_position_says_what_is_wrong_or_odd_about_it() {
        let start = check_position(&Position::START.to_string()).unwrap();
        assert_eq!((start.problem, start.notes.len()), (None, 0));
        let empty = "--------";
        let nothing = checked([empty; 8], "X");
        assert!(nothing.problem.unwrap().contains("no discs"));
        let over = checked(
            ["XXXX----", empty, empty, empty, empty, empty, empty, empty],
            "O",
        );
        assert!(over.problem.unwrap().contains("over"));
        let odd = checked(
            [
                "XO------", empty, empty, empty, empty, empty, empty, "------XO",
            ],
            "X",
        );
        assert_eq!(odd.problem, None);
        assert_eq!(odd.notes.len(), 2, "{:?}", odd.notes);
        let passes = checked(
            [
                "XO------", empty, empty, "---OO---", "---OO---", empty, empty, empty,
            ],
            "O",
        );
        assert!(
            passes.notes[0].starts_with("White has no move"),
            "{:?}",
            passes.notes
        );
        assert!(check_position("nonsense").is_err());
    }
}
