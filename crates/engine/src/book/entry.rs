//! What a grown book says: about a position, and as a book that is played from.

use super::{
    Book,
    tree::{Edge, End, MARGIN, Tree, Values, following},
};
use othello::{Position, Square};
use std::cmp::Reverse;

/// A position of a grown book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is worth to the side to move, in centidiscs.
    pub value: i32,
    /// How deep it was searched.
    pub depth: u32,
    /// The moves that have a value, best first, squares in order among equals.
    pub moves: Vec<Branch>,
}

/// A move of such a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    pub square: Square,
    /// What it is worth to who makes it.
    pub value: i32,
    /// How far its value looks ahead: the moves of its line after this position, and the search
    /// at the end of them.
    pub depth: u32,
    /// Whether the position after it is in the book.
    pub is_expanded: bool,
    /// The move and the best ones after it, as far as the book has their positions.
    pub line: Vec<Square>,
}

impl Tree {
    /// What the book says about a position; `None` if it is not there.
    pub fn entry(&self, values: &Values, position: Position) -> Option<Entry> {
        let id = self.find(position)?;
        let node = &self.nodes[id];
        let back = position.board.canonical().1.inverse();
        let branch = |edge: &Edge| {
            let value = self.value(values, id, edge)?;
            let square = back.square(edge.square);
            let (depth, line) = self.line(values, position, square);
            Some(Branch {
                square,
                value,
                depth,
                is_expanded: matches!(edge.end, End::Node(_)),
                line,
            })
        };
        let mut moves: Vec<Branch> = node.edges.iter().filter_map(branch).collect();
        moves.sort_by_key(|it| (Reverse(it.value), it.square));
        Some(Entry {
            value: values.0[id],
            depth: node.depth.into(),
            moves,
        })
    }

    /// The moves from a position on, the given one and then the best, until one leads out of the
    /// tree; and how far the search behind the last of them looked.
    fn line(&self, values: &Values, position: Position, square: Square) -> (u32, Vec<Square>) {
        let (mut position, mut square, mut line) = (position, square, Vec::new());
        loop {
            line.push(square);
            let depth = |id: usize| u32::from(self.nodes[id].depth) + line.len() as u32 - 1;
            let here = self.find(position).map_or(0, depth);
            let next = following(position, square).and_then(|it| Some((it, self.find(it)?)));
            let Some((next, id)) = next else {
                return (here, line);
            };
            let node = &self.nodes[id];
            let best = |edge: &&Edge| self.value(values, id, edge) == Some(values.0[id]);
            let Some(edge) = node.edges.iter().find(best) else {
                return (here, line);
            };
            let back = next.board.canonical().1.inverse();
            (position, square) = (next, back.square(edge.square));
        }
    }

    /// The book that is played from: at every position the moves that are nearly as good as the best,
    /// the best with weight 10, the others with less.
    pub fn to_book(&self) -> Book {
        let values = self.values();
        let mut book = Book::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let good: Vec<(Square, u32)> = node
                .edges
                .iter()
                .filter_map(|edge| {
                    let loss = values.0[id].abs_diff(self.value(&values, id, edge)?);
                    (loss <= MARGIN).then_some((edge.square, loss))
                })
                .collect();
            for &(square, loss) in &good {
                // A move without a sibling takes the short form of the format.
                let weight = if good.len() == 1 { 1 } else { weight(loss) };
                book.add(node.position, square, weight);
            }
        }
        book
    }
}

/// 10 for the best move, 1 for the worst that is in the book.
const fn weight(loss: u32) -> u32 {
    1 + 9 * (MARGIN - loss) / MARGIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::testing::grown;
    use othello::Symmetry;

    #[test]
    fn an_entry_has_values_depths_and_lines_whichever_way_the_board_is_turned() {
        let tree = grown(300, 60);
        let values = tree.values();
        let entry = tree.entry(&values, Position::START).unwrap();
        assert_eq!(entry.moves.len(), 4);
        assert_eq!(entry.moves[0].value, entry.value);
        let after = Position::START.play("f5".parse().unwrap()).unwrap();
        let entry = tree.entry(&values, after).unwrap();
        assert!(entry.moves.iter().any(|it| it.is_expanded));
        for branch in &entry.moves {
            let mut position = after;
            for (at, &square) in branch.line.iter().enumerate() {
                assert!(tree.find(position).is_some(), "move {at}");
                position = following(position, square).unwrap();
            }
            // The search of the last position but one looked three plies further from there.
            assert_eq!(branch.depth as usize, branch.line.len() + 2);
            assert_eq!(branch.is_expanded, branch.line.len() > 1);
            let value = tree.entry(&values, position);
            assert_eq!(value, None, "the line ends where the book does");
        }
        for symmetry in Symmetry::ALL {
            let image = tree.entry(&values, symmetry.position(after)).unwrap();
            let turned = |branch: &Branch| (symmetry.square(branch.square), branch.value);
            let mut expected: Vec<_> = entry.moves.iter().map(turned).collect();
            expected.sort_by_key(|&(square, value)| (Reverse(value), square));
            let found: Vec<_> = image.moves.iter().map(|it| (it.square, it.value)).collect();
            assert_eq!(found, expected);
        }
        assert_eq!(Tree::new().entry(&Tree::new().values(), after), None);
    }

    #[test]
    fn the_book_has_the_best_moves_and_those_near_them() {
        let tree = grown(400, 60);
        let values = tree.values();
        let book = tree.to_book();
        assert_eq!(book.len(), 400);
        let walk = book.walk();
        assert_eq!((walk.reached, walk.twins), (400, 0));
        assert_eq!(walk.illegal, []);
        for node in &tree.nodes {
            let entry = tree.entry(&values, node.position).unwrap();
            let choices = book.choices(node.position);
            for branch in &entry.moves {
                let found = choices.iter().find(|it| it.square == branch.square);
                let expected = match entry.value.abs_diff(branch.value) {
                    0 if choices.len() == 1 => Some(1),
                    loss @ 0..=MARGIN => Some(weight(loss)),
                    _ => None,
                };
                assert_eq!(found.map(|it| it.weight), expected, "{}", node.position);
            }
        }
    }
}
