//! A walk through a book: from the start position through all positions that are in it.

use super::Book;
use othello::{Board, Position, Side, Square, Symmetry};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// What a walk through a book met.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Walk {
    /// Entries that were met.
    pub reached: usize,
    /// Entries that no game meets which stays in the book; they may be of another start position.
    pub unreached: usize,
    /// Entries beyond the first of one position: images of it that stand apart.
    pub twins: usize,
    /// Moves that cannot be made where the book has them.
    pub illegal: Vec<(Position, Square)>,
    /// Positions by the number of their discs.
    pub by_discs: BTreeMap<u32, usize>,
}

impl Book {
    /// Walks from the start by every legal move, as long as positions are in the book.
    pub fn walk(&self) -> Walk {
        let mut walk = Walk::default();
        let mut seen: HashSet<(Board, Side)> = HashSet::new();
        let mut queue = VecDeque::from([Position::START]);
        while let Some(position) = queue.pop_front() {
            if !seen.insert((position.board.canonical().0, position.side)) {
                continue;
            }
            let n_entries = self.look_at(position, &mut walk);
            if n_entries == 0 {
                continue;
            }
            walk.reached += n_entries;
            walk.twins += n_entries - 1;
            *walk
                .by_discs
                .entry(position.board.occupied().len())
                .or_default() += 1;
            for square in position.board.legal_moves() {
                let Ok(next) = position.play(square) else {
                    continue;
                };
                let is_stuck = next.board.legal_moves().is_empty();
                queue.push_back(if is_stuck {
                    next.pass().unwrap_or(next)
                } else {
                    next
                });
            }
        }
        walk.unreached = self.entries.len() - walk.reached;
        walk
    }

    /// How many entries a position has; moves that cannot be made are noted.
    fn look_at(&self, position: Position, walk: &mut Walk) -> usize {
        let mut images = HashSet::new();
        let mut n_entries = 0;
        for symmetry in Symmetry::ALL {
            let image = symmetry.position(position);
            let Some(choices) = self.entries.get(&image.hash()) else {
                continue;
            };
            if !images.insert(image.hash()) {
                continue;
            }
            n_entries += 1;
            let legal = image.board.legal_moves();
            let illegal = choices.iter().filter(|it| !legal.contains(it.square));
            walk.illegal.extend(illegal.map(|it| (image, it.square)));
        }
        n_entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn a_walk_tells_what_is_reached_what_is_double_and_what_is_illegal() {
        let start = Position::START;
        let after = start.play(square("f5")).unwrap();
        let far = after.play(square("d6")).unwrap();
        let far = far.play(square("c3")).unwrap();
        let far = far.play(square("d3")).unwrap();
        let mirrored = Symmetry::Transpose.position(after);
        let text = format!(
            r#"{{"{:x}": [4, 5], "{:x}": [5, 3], "{:x}": [{{"move": "a1"}}], "{:x}": [3, 2]}}"#,
            start.hash(),
            after.hash(),
            mirrored.hash(),
            far.hash(),
        );
        let (book, warnings) = Book::from_json(&text);
        assert_eq!(warnings, []);
        let walk = book.walk();
        assert_eq!((walk.reached, walk.unreached, walk.twins), (3, 1, 1));
        assert_eq!(walk.illegal, [(mirrored, square("a1"))]);
        assert_eq!(walk.by_discs, BTreeMap::from([(4, 1), (5, 1)]));
        assert_eq!(Book::new().walk(), Walk::default());
    }
}
