//! What strong players count: mobility, potential mobility, frontier.

use crate::{Bitboard, Board};

impl Board {
    /// How many legal moves the side to move has.
    #[inline]
    pub fn mobility(self) -> u32 {
        self.legal_moves().len()
    }

    /// Empty squares next to an opponent disc: where the side to move may get a move.
    #[inline]
    pub const fn potential_moves(self) -> Bitboard {
        Bitboard(self.opponent().neighbours().0 & self.empties().0)
    }

    /// The side to move's discs that touch an empty square.
    #[inline]
    pub const fn frontier(self) -> Bitboard {
        Bitboard(self.empties().neighbours().0 & self.mover().0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bitboard, Board, Square, sample::random_boards};

    fn adjacent(a: Square, b: Square) -> bool {
        a != b && a.file().abs_diff(b.file()) <= 1 && a.rank().abs_diff(b.rank()) <= 1
    }

    #[test]
    fn counts_equal_a_walk_over_all_pairs_of_squares() {
        for board in random_boards(9).take(1_000) {
            let touches =
                |set: Bitboard, s: Square| set.into_iter().any(|other| adjacent(s, other));
            let frontier: Bitboard = board
                .mover()
                .into_iter()
                .filter(|&s| touches(board.empties(), s))
                .collect();
            assert_eq!(board.frontier(), frontier);
            let potential: Bitboard = board
                .empties()
                .into_iter()
                .filter(|&s| touches(board.opponent(), s))
                .collect();
            assert_eq!(board.potential_moves(), potential);
        }
        assert_eq!(Board::START.mobility(), 4);
        assert_eq!(Board::START.potential_moves().len(), 10);
    }
}
