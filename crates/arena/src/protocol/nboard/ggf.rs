//! The part of GGF that `set game` needs: the start position and the moves.
//!
//! A stand-in for the reader of game records in `othello::notation`; everything is behind
//! [`game_of_ggf`].

use crate::protocol::{one_line, parse_move};
use othello::{Game, Move, Position, Side, notation::ParsePositionError};

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// Not the brackets of a game record.
    #[error("expected a game as (;GM[Othello] … ;)")]
    NotAGame,
    /// Another game, or another size of the board.
    #[error("expected Othello on 8 x 8 squares, found {0:?}")]
    OtherGame(String),
    /// The start position is none.
    #[error("start position: {0}")]
    Board(#[from] ParsePositionError),
    /// A move that cannot be made.
    #[error("move {index} ({text:?}): not legal")]
    Move {
        /// Counted from 1.
        index: usize,
        /// What is written.
        text: String,
    },
}

/// The first game of a text. Properties that are not needed are skipped.
pub(super) fn game_of_ggf(text: &str) -> Result<Game, GgfError> {
    let mut rest = text
        .trim_start()
        .strip_prefix("(;")
        .ok_or(GgfError::NotAGame)?;
    let mut game = Game::new();
    let mut n_moves = 0;
    loop {
        rest = rest.trim_start();
        if rest.starts_with(";)") {
            return Ok(game);
        }
        let (name, value, behind) = property(rest).ok_or(GgfError::NotAGame)?;
        rest = behind;
        match name.to_ascii_uppercase().as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(GgfError::OtherGame(short(value)));
            }
            "BO" => game = Game::from_position(board(value)?),
            name @ ("B" | "W") => {
                let side = if name == "B" {
                    Side::Black
                } else {
                    Side::White
                };
                n_moves += 1;
                make_move(&mut game, side, value).ok_or_else(|| GgfError::Move {
                    index: n_moves,
                    text: short(value),
                })?;
            }
            _ => {}
        }
    }
}

/// A name, the value in its brackets, and what follows. A backslash guards a closing bracket.
fn property(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('[')?;
    let mut guarded = false;
    let end = rest.char_indices().find_map(|(at, c)| {
        let closes = c == ']' && !guarded;
        guarded = c == '\\' && !guarded;
        closes.then_some(at)
    })?;
    Some((name.trim(), &rest[..end], &rest[end + 1..]))
}

/// `8 -----… *`: the size, the squares and the side to move.
fn board(value: &str) -> Result<Position, GgfError> {
    match value.trim_start().split_once(char::is_whitespace) {
        Some(("8", squares)) => Ok(squares.parse()?),
        _ => Err(GgfError::OtherGame(short(value))),
    }
}

/// Passes may be written or left out.
fn make_move(game: &mut Game, side: Side, value: &str) -> Option<()> {
    let action = parse_move(value.split('/').next()?.trim())?;
    if game.position().side != side {
        game.play(Move::Pass).ok()?;
    }
    game.play(action).ok()
}

/// Foreign text as it may stand in a message.
fn short(text: &str) -> String {
    one_line(text).chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read() {
        let record = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a\\]b]PW[c]RE[?]TI[15:00]\
             TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
             B[F5]W[F6/1.2/3]B[D3//1]W[c5];)(;next";
        let game = game_of_ggf(record).unwrap();
        assert_eq!(game.transcript(), "f5f6d3c5");
        let rows = "8 ........ ........ ........ ...O*... ...*O... ........ ........ ........ *";
        let spaced = format!("(;GM[Othello] BO[{rows}]\n;)");
        assert_eq!(game_of_ggf(&spaced).unwrap().position(), Position::START);
    }

    #[test]
    fn passes_are_made() {
        let start = format!("(;GM[Othello]BO[8 *O{} O]", "-".repeat(62));
        for moves in ["W[PA]B[C1]", "B[C1]"] {
            let game = game_of_ggf(&format!("{start}{moves};)")).unwrap();
            assert_eq!(game.transcript(), "c1");
            assert_eq!(game.ply(), 2);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "expected a game as (;GM[Othello] … ;)"),
            (
                "(;GM[Othello]B[F5]",
                "expected a game as (;GM[Othello] … ;)",
            ),
            (
                "(;GM[Chess];)",
                "expected Othello on 8 x 8 squares, found \"Chess\"",
            ),
            (
                "(;BO[10 x];)",
                "expected Othello on 8 x 8 squares, found \"10 x\"",
            ),
            ("(;B[F5]W[A1];)", "move 2 (\"A1\"): not legal"),
            ("(;W[F5];)", "move 1 (\"F5\"): not legal"),
            ("(;B[];)", "move 1 (\"\"): not legal"),
            (
                "(;BO[8 -- *];)",
                "start position: expected 64 squares (X, O or -), found 3 in \"-- *\"",
            ),
        ] {
            assert_eq!(game_of_ggf(text).unwrap_err().to_string(), expected);
        }
    }
}
