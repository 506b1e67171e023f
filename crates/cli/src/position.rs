//! Positions as users type them: a board string or the moves that lead there.

use anyhow::Context as _;
use othello::{Game, Position, notation::parse_transcript};
use std::ffi::OsString;

/// Reads 64 squares with the side to move, or moves from the start position such as `f5d6c3` or
/// `f5 d6 c3`. Passes may be written (`ps`, `pass`) or left out. No text is the start position.
pub(crate) fn parse(text: &str) -> anyhow::Result<Game> {
    if looks_like_moves(text) {
        return Ok(parse_transcript(text)?);
    }
    let position: Position = text.parse().context(
        "not a position (expected 64 squares and the side to move, or moves such as f5d6c3)",
    )?;
    Ok(Game::from_position(position))
}

/// Keeps a board that begins with an empty square from being taken for a flag: `-` and `.` are the
/// same square, and only one of them looks like a flag.
pub(crate) fn shield(argument: OsString) -> OsString {
    match argument.to_str().and_then(|text| text.strip_prefix('-')) {
        Some(rest) if rest.len() >= ROW - 1 && rest.chars().all(is_board_character) => {
            format!(".{rest}").into()
        }
        _ => argument,
    }
}

/// A user types at least a row of a board.
const ROW: usize = 8;

fn is_board_character(c: char) -> bool {
    c.is_whitespace() || "-._xobw*0".contains(c.to_ascii_lowercase())
}

/// Every move but a pass has a digit, and no board has one.
fn looks_like_moves(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || is_pass(text) || text.contains(|c| matches!(c, '1'..='9'))
}

fn is_pass(text: &str) -> bool {
    text.eq_ignore_ascii_case("ps") || text.eq_ignore_ascii_case("pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        format!("{:#}", parse(text).unwrap_err())
    }

    #[test]
    fn moves_are_read_joined_and_apart() {
        for text in ["f5d6c3", "f5 d6 c3", " F5 D6C3\n"] {
            assert_eq!(parse(text).unwrap().transcript(), "f5d6c3", "{text:?}");
        }
        assert_eq!(parse("").unwrap(), Game::new());
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        let (before, after) = game_with_a_pass();
        let left_out = parse(&format!("{before}{after}")).unwrap();
        for pass in ["ps", "PASS", " pass "] {
            let written = parse(&format!("{before}{pass}{after}")).unwrap();
            assert_eq!(written, left_out);
        }
        assert!(left_out.moves().any(|it| it == othello::Move::Pass));
    }

    /// The moves before and after the first pass of a random game.
    fn game_with_a_pass() -> (String, String) {
        let mut random = othello::sample::SplitMix64::new(1);
        loop {
            let mut game = Game::new();
            while !game.is_over() {
                let board = game.position().board;
                let legal = board.legal_moves();
                if legal.is_empty() {
                    let next = board.swapped().legal_moves().first().unwrap();
                    return (game.transcript(), next.to_string());
                }
                let choice = random.below(legal.len()) as usize;
                game.place(legal.into_iter().nth(choice).unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn boards_are_read_with_their_side() {
        let text = Position::START.to_string();
        assert_eq!(parse(&text).unwrap().position(), Position::START);
        assert_eq!(parse(&text.replace('-', ".")).unwrap(), Game::new());
    }

    #[test]
    fn errors_name_the_move_its_text_and_the_legal_moves() {
        assert_eq!(
            error("f5a1"),
            "move 2 (\"a1\") is not legal for White; legal: f4 d6 f6"
        );
        assert!(error("hello").starts_with("not a position (expected 64 squares"));
    }

    #[test]
    fn boards_are_shielded_and_flags_are_not() {
        let shielded = |text: &str| shield(text.into()).into_string().unwrap();
        assert_eq!(shielded("--XXXXX--OOO X"), ".-XXXXX--OOO X");
        for other in ["--json", "--ascii", "-h", "--", "-", "f5d6", "XO------"] {
            assert_eq!(shielded(other), other);
        }
    }
}
