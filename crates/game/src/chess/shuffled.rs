//! The 960 start positions of Chess960, by their usual numbers.

use super::ChessPosition;

/// There is no such start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no start position {0}; Chess960 numbers them from 0 to 959, and 518 is the usual one"
)]
pub struct ChessNumberError(pub u32);

/// Where two knights stand on five free squares, in the order of the numbers.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

/// The pieces of the first rank, a to h, as letters.
fn pieces(number: u32) -> [char; 8] {
    let mut rank = [None; 8];
    let (number, light) = (number / 4, (number % 4) as usize);
    let (number, dark) = (number / 4, (number % 4) as usize);
    let (number, queen) = (number / 6, (number % 6) as usize);
    rank[2 * light + 1] = Some('b');
    rank[2 * dark] = Some('b');
    let put = |rank: &mut [Option<char>; 8], free: usize, piece: char| {
        if let Some(square) = rank.iter_mut().filter(|it| it.is_none()).nth(free) {
            *square = Some(piece);
        }
    };
    put(&mut rank, queen, 'q');
    let [first, second] = KNIGHTS[number as usize % KNIGHTS.len()];
    // The second is counted first: putting one changes what is free behind it.
    put(&mut rank, second, 'n');
    put(&mut rank, first, 'n');
    for piece in ['r', 'k', 'r'] {
        put(&mut rank, 0, piece);
    }
    rank.map(|it| it.unwrap_or('r'))
}

impl ChessPosition {
    /// A start position of Chess960.
    pub fn chess960(number: u32) -> Result<Self, ChessNumberError> {
        if number >= 960 {
            return Err(ChessNumberError(number));
        }
        let black: String = pieces(number).iter().collect();
        let white = black.to_ascii_uppercase();
        // By the rooks' own files, which never mean another rook.
        let rooks = black.char_indices().filter(|(_, piece)| *piece == 'r');
        let files: String = rooks
            .map(|(file, _)| char::from(b'a' + file as u8))
            .collect();
        let rights = format!("{}{files}", files.to_ascii_uppercase());
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights} - 0 1");
        fen.parse().map_err(|_| ChessNumberError(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_are_the_published_ones() {
        let rank = |number| pieces(number).iter().collect::<String>();
        assert_eq!(rank(0), "bbqnnrkr");
        assert_eq!(rank(518), "rnbqkbnr");
        assert_eq!(rank(959), "rkrnnqbb");
    }

    #[test]
    fn every_number_is_a_position_of_its_own() {
        let all: HashSet<String> = (0..960)
            .map(|number| ChessPosition::chess960(number).unwrap().to_string())
            .collect();
        assert_eq!(all.len(), 960);
        assert_eq!(
            ChessPosition::chess960(960).unwrap_err(),
            ChessNumberError(960)
        );
        assert_eq!(ChessPosition::chess960(518).unwrap(), ChessPosition::START);
    }
}
