//! Connected groups of empty squares and their parity.

use crate::{Bitboard, Board};

/// A group of empty squares that touch one another in any of the eight directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region(Bitboard);

impl Region {
    pub const fn squares(self) -> Bitboard {
        self.0
    }

    /// How many squares it has.
    pub const fn size(self) -> u32 {
        self.0.len()
    }

    /// Whether that number is odd: the side that enters an odd region first can hope to play last
    /// there.
    pub const fn is_odd(self) -> bool {
        self.size() % 2 == 1
    }
}

impl Board {
    /// The empty regions, ordered by their lowest square.
    pub fn regions(self) -> impl Iterator<Item = Region> {
        let mut left = self.empties();
        std::iter::from_fn(move || {
            let mut region = left.first()?.bit();
            loop {
                let grown = region.dilated() & left;
                if grown == region {
                    break;
                }
                region = grown;
            }
            left = left - region;
            Some(Region(region))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_boards;

    #[test]
    fn regions_partition_the_empties_and_do_not_touch() {
        for board in random_boards(4).take(3_000) {
            let regions: Vec<Region> = board.regions().collect();
            let mut all = Bitboard::EMPTY;
            for region in &regions {
                assert!(!all.intersects(region.squares().dilated()));
                all |= region.squares();
            }
            assert_eq!(all, board.empties());
        }
    }

    #[test]
    fn diagonal_neighbours_belong_together() {
        let empties: Bitboard = ["a1", "b2", "h8", "g8"]
            .iter()
            .map(|s| s.parse().unwrap())
            .collect();
        let board = Board::new(!empties, Bitboard::EMPTY).unwrap();
        let sizes: Vec<_> = board.regions().map(|r| (r.size(), r.is_odd())).collect();
        assert_eq!(sizes, [(2, false), (2, false)]);
    }
}
