//! Part of a chess position: some squares so, the others any.

use shakmaty::{Bitboard, Chess, Color, File, Piece, Position as _, Rank, Square};

/// Squares that must have a piece, and squares that must be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChessPattern {
    pieces: Vec<(Square, Piece)>,
    empty: Bitboard,
    turn: Option<Color>,
}

impl ChessPattern {
    /// A board as in a FEN, with `?` for any square, then `w` or `b` if the side to move matters.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or_default();
        let turn = match words.next() {
            None | Some("?" | "-") => None,
            Some("w" | "W") => Some(Color::White),
            Some("b" | "B") => Some(Color::Black),
            Some(other) => return Err(format!("{other:?} is no side; expected w or b")),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 8 {
            let n = rows.len();
            return Err(format!(
                "{n} rows; expected 8, from the eighth to the first"
            ));
        }
        let mut pattern = Self {
            pieces: Vec::new(),
            empty: Bitboard(0),
            turn,
        };
        for (row, rank) in rows.iter().zip(Rank::ALL.into_iter().rev()) {
            let mut file = 0;
            for letter in row.chars() {
                let at = |file: u32| {
                    let file = File::try_from(file as u8).ok()?;
                    Some(Square::from_coords(file, rank))
                };
                let too_long = || format!("row {row:?} has more than 8 squares");
                if let Some(n) = letter.to_digit(10) {
                    for _ in 0..n {
                        pattern.empty.add(at(file).ok_or_else(too_long)?);
                        file += 1;
                    }
                    continue;
                }
                let square = at(file).ok_or_else(too_long)?;
                match (letter, Piece::from_char(letter)) {
                    ('?', _) => {}
                    ('.' | '-', _) => pattern.empty.add(square),
                    (_, Some(piece)) => pattern.pieces.push((square, piece)),
                    (other, None) => {
                        return Err(format!(
                            "{other:?} is no square; expected a piece, a number of empty squares or ?"
                        ));
                    }
                }
                file += 1;
            }
            if file != 8 {
                return Err(format!("row {row:?} has {file} squares; expected 8"));
            }
        }
        Ok(pattern)
    }

    pub(crate) fn matches(&self, position: &Chess) -> bool {
        let board = position.board();
        self.turn.is_none_or(|turn| turn == position.turn())
            && (board.occupied() & self.empty).is_empty()
            && self
                .pieces
                .iter()
                .all(|(square, piece)| board.piece_at(*square) == Some(*piece))
    }
}
