//! What the tests of grown books share: somebody with an opinion who needs no search.

use super::tree::{Answer, Recipe, Tree};
use othello::{Position, Square};
use std::cmp::Reverse;

/// A made-up opinion that symmetric positions share: the fewer answers, the better, and the
/// discs say something, too.
pub(super) fn opinion(position: Position) -> Answer {
    let score = |square| {
        let next = position.play(square).expect("a legal move");
        let n_answers = next.board.legal_moves().len() as i32;
        let n_discs = next.board.mover().len() as i32;
        (square, -30 * n_answers + 5 * (n_discs * 7 % 11))
    };
    let legal = position.board.legal_moves();
    let mut moves: Vec<(Square, i32)> = legal.into_iter().map(score).collect();
    // Not every move is valued.
    moves.sort_by_key(|it| Reverse(it.1));
    let least = moves.get(4).map(|it| it.1);
    moves.retain(|it| least.is_none_or(|least| it.1 >= least));
    Answer { depth: 3, moves }
}

/// Grows a tree to so many positions.
pub(super) fn grow(tree: &mut Tree, positions: usize) {
    while tree.len() < positions {
        let planned = tree.plan();
        if planned.is_empty() {
            break;
        }
        for position in planned.into_iter().take(positions - tree.len()) {
            let added = tree.add(position, &opinion(position));
            added.expect("what is planned is next to the tree");
        }
    }
}

/// A tree of so many positions, none of them further from the start than `plies`.
pub(super) fn grown(positions: usize, plies: u32) -> Tree {
    let mut tree = Tree::new();
    tree.grow_by(Recipe { depth: 3, plies }, "an opinion");
    grow(&mut tree, positions);
    tree
}
