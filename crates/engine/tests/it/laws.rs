//! What must hold for any bytes at all: weights and books are read or refused, and what was read
//! is written and read as the same. The fuzz targets of `fuzz/` and the seeded run of this test
//! binary share these functions.

use engine::{
    book::{Book, Tree},
    checksum::checksum,
    eval::{Evaluator as _, classic::Classic, pattern::Pattern},
};
use othello::{Board, Position};

/// Weights of the pattern evaluation.
pub(crate) fn pattern_weights(bytes: &[u8]) {
    if let Ok(pattern) = Pattern::from_bytes(bytes) {
        let written = pattern.to_bytes().expect("memory can be written to");
        // One at a time: each has tens of megabytes.
        drop(pattern);
        let again = Pattern::from_bytes(&written).expect("own bytes");
        assert_eq!(again.to_bytes().as_ref(), Ok(&written));
    }
}

/// Weights of the classic evaluation: what was read can be computed with.
pub(crate) fn classic_weights(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(classic) = Classic::from_json(&text) {
        let again = Classic::from_json(&classic.to_json()).expect("own text");
        assert_eq!(
            again.weights().map(f64::to_bits),
            classic.weights().map(f64::to_bits)
        );
        assert!(classic.score(Board::START).is_finite());
        assert!(classic.evaluate(&(), Board::START).abs() <= 6400);
    }
}

/// A book is what is whole of a text; what it says is legal, and it reads its own text without a
/// warning.
pub(crate) fn book(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (book, warnings) = Book::from_json(&text);
    assert!(
        warnings.iter().all(|it| it.to_string().len() < 2_000),
        "a warning is a line"
    );
    assert_eq!(Book::from_json(&book.to_json()), (book.clone(), Vec::new()));
    let legal = Position::START.board.legal_moves();
    let found = book.choices(Position::START);
    assert!(found.iter().all(|choice| legal.contains(choice.square)));
}

/// A grown book is read or refused, what was read is written and read as the same, and all of it is
/// met by games from the start. The checksum is also made to fit, so that what it keeps out is
/// tried, too.
pub(crate) fn grown_book(bytes: &[u8]) {
    let mut fitting = bytes.to_vec();
    if let Some((head, body)) = fitting.split_at_mut_checked(Tree::STAMP) {
        head[Tree::STAMP - 8..].copy_from_slice(&checksum(body).to_le_bytes());
    }
    for bytes in [bytes, &fitting] {
        let mut tree = match Tree::from_bytes(bytes) {
            Ok(tree) => tree,
            Err(error) => {
                assert!(error.to_string().len() < 2_000, "an error is a line");
                continue;
            }
        };
        assert_eq!(Tree::from_bytes(&tree.to_bytes()).as_ref(), Ok(&tree));
        let walk = tree.to_book().walk();
        assert_eq!((walk.reached, walk.twins), (tree.len(), 0));
        assert_eq!(walk.illegal, []);
        let values = tree.values();
        for position in tree.plan() {
            assert_eq!(
                tree.entry(&values, position),
                None,
                "it is searched already"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::hold;

    #[test]
    fn pattern_weights_are_read_or_refused() {
        hold(pattern_weights, "pattern_weights", 30);
    }

    #[test]
    fn classic_weights_are_read_or_refused() {
        hold(classic_weights, "classic_weights", 2_000);
    }

    #[test]
    fn books_are_read_as_far_as_they_are_whole() {
        hold(book, "book", 2_000);
    }

    #[test]
    fn grown_books_are_read_or_refused() {
        hold(grown_book, "grown_book", 2_000);
    }
}
