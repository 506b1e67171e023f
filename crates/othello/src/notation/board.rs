//! Boards as 64 characters and the side to move: `---…OX…XO…--- X`.

use super::excerpt;
use crate::{Bitboard, Board, Position, Side, Square};
use std::{fmt, str::FromStr};

/// Why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not 64 squares before the side.
    #[error("expected 64 squares (X, O or -), found {found} in {text:?}")]
    SquareCount {
        /// How many there were.
        found: usize,
        text: String,
    },
    /// A character that is neither a disc nor an empty square.
    #[error(
        "unexpected {found:?} at character {at}; expected X, *, B (black), O, W (white), - or . (empty)"
    )]
    Square {
        found: char,
        /// Its place, counted from 1.
        at: usize,
    },
    /// No or an unknown side to move.
    #[error("expected the side to move, X or O, after the 64 squares, found {found:?}")]
    Side {
        /// What stood there, shortened.
        found: String,
    },
}

/// The 64 squares from a1 to h1, a2 … h8, a space, and the side to move.
pub fn board_string(board: Board, side: Side) -> String {
    Position { board, side }.to_string()
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            let letter = self.disc_at(square).map_or('-', Side::letter);
            write!(f, "{letter}")?;
        }
        write!(f, " {}", self.side.letter())
    }
}

/// Reads `X`, `*`, `b` as black, `O`, `0`, `w` as white and `-`, `.`, `_` as empty, in either case;
/// white space between rows is ignored. The last character is the side to move.
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut black = Bitboard::EMPTY;
        let mut white = Bitboard::EMPTY;
        let mut n_squares = 0u8;
        let mut side = None;
        for (at, found) in text.chars().enumerate() {
            if found.is_whitespace() {
                continue;
            }
            let disc = match found {
                'X' | 'x' | '*' | 'B' | 'b' => Some(Side::Black),
                'O' | 'o' | '0' | 'W' | 'w' => Some(Side::White),
                '-' | '.' | '_' => None,
                _ if n_squares == 64 => {
                    return Err(ParsePositionError::Side {
                        found: excerpt(&text.chars().skip(at).collect::<String>()),
                    });
                }
                _ => return Err(ParsePositionError::Square { found, at: at + 1 }),
            };
            match (Square::new(n_squares), disc) {
                (Some(square), Some(Side::Black)) => black.insert(square),
                (Some(square), Some(Side::White)) => white.insert(square),
                (Some(_), None) => {}
                (None, Some(mover)) if side.is_none() => {
                    side = Some(mover);
                    continue;
                }
                (None, _) => {
                    return Err(ParsePositionError::SquareCount {
                        found: text.chars().filter(|c| !c.is_whitespace()).count() - 1,
                        text: excerpt(text),
                    });
                }
            }
            n_squares += 1;
        }
        if n_squares < 64 {
            return Err(ParsePositionError::SquareCount {
                found: n_squares as usize,
                text: excerpt(text),
            });
        }
        let Some(side) = side else {
            return Err(ParsePositionError::Side {
                found: String::new(),
            });
        };
        let (mover, opponent) = match side {
            Side::Black => (black, white),
            Side::White => (white, black),
        };
        Ok(Self {
            board: Board::new_unchecked(mover, opponent),
            side,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_boards;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_position_reads_and_writes() {
        assert_eq!(Position::START.to_string(), START);
        assert_eq!(START.parse(), Ok(Position::START));
    }

    #[test]
    fn positions_round_trip_in_every_alphabet() {
        for (i, board) in random_boards(2).take(2_000).enumerate() {
            let side = Side::BOTH[i % 2];
            let position = Position { board, side };
            let text = position.to_string();
            assert_eq!(text.parse(), Ok(position));
            let dots = text.replace('-', ".").replace('X', "*").to_lowercase();
            assert_eq!(dots.parse(), Ok(position));
            let words = text.replace('X', "b").replace('O', "W");
            assert_eq!(words.parse(), Ok(position));
        }
    }

    #[test]
    fn errors_name_the_place() {
        let text = |s: &str| s.parse::<Position>().unwrap_err().to_string();
        assert_eq!(
            text("--- X"),
            "expected 64 squares (X, O or -), found 4 in \"--- X\""
        );
        assert_eq!(
            text(&START.replacen("-", "q", 1)),
            "unexpected 'q' at character 1; expected X, *, B (black), O, W (white), - or . (empty)"
        );
        assert_eq!(
            text(&START[..64]),
            "expected the side to move, X or O, after the 64 squares, found \"\""
        );
        assert!(text(&format!("{START}X")).contains("found 65"));
        assert!(text(&format!("{} ?", &START[..64])).contains("found \"?\""));
        let wide_spaces = format!("\u{3000}{}\u{3000}é?", &START[..64]);
        assert!(text(&wide_spaces).contains("found \"é?\""));
    }
}
