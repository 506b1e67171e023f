//! A book made by searching: the positions that good play meets, and the good moves there.

use super::Book;
use othello::{Board, Position, Side, Square};
use std::collections::{BTreeMap, HashMap};

/// What a book is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// How many positions at most.
    pub positions: usize,
    /// No position is further from the start than so many moves.
    pub plies: u32,
    /// A move is in the book if it is at most so many centidiscs worse than the best.
    pub margin: u32,
    /// A move is followed, so that its answer is in the book, if it is at most so much worse.
    pub width: u32,
    /// What a move costs on the way to a position, beside what it gives away: more makes a book
    /// that is broader and less deep.
    pub step: u32,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            positions: 2_500,
            plies: 16,
            margin: 60,
            width: 400,
            step: 40,
        }
    }
}

/// A position that waits for its turn, cheapest first: what the moves to it cost, its discs and its
/// hash, which is the last word among equals.
type Turn = (u32, u32, u64);

/// Makes a book. `look` gives moves of a position with their scores in centidiscs for the side to
/// move, in any order; `None` ends the work, and the book has what was looked at until then.
///
/// The positions are those that are reached by giving away least: both sides' losses add up along
/// the way. Of symmetric positions one is looked at and written down. The same answers make the
/// same book.
pub fn make(recipe: &Recipe, mut look: impl FnMut(Position) -> Option<Vec<(Square, i32)>>) -> Book {
    let mut book = Book::new();
    let mut costs: HashMap<(Board, Side), u32> = HashMap::new();
    let mut queue: BTreeMap<Turn, Position> = BTreeMap::new();
    let start = canonical(Position::START);
    costs.insert((start.board, start.side), 0);
    queue.insert(turn(0, start), start);
    while book.len() < recipe.positions
        && let Some(((cost, ..), position)) = queue.pop_first()
    {
        let Some(moves) = look(position) else {
            break;
        };
        let Some(best) = moves.iter().map(|it| it.1).max() else {
            continue;
        };
        let is_good = |&(_, score): &(Square, i32)| best.abs_diff(score) <= recipe.margin;
        let is_alone = moves.iter().filter(|&it| is_good(it)).count() == 1;
        for (square, score) in moves {
            let loss = best.abs_diff(score);
            if loss <= recipe.margin {
                // A move without a sibling takes the short form of the format.
                let weight = if is_alone { 1 } else { weight(recipe, loss) };
                book.add(position, square, weight);
            }
            let n_plies = position.board.occupied().len() - Board::START.occupied().len();
            if loss > recipe.width || n_plies >= recipe.plies {
                continue;
            }
            let Ok(next) = position.play(square).map(canonical) else {
                continue;
            };
            // A position without a choice needs no book.
            if next.board.legal_moves().len() < 2 {
                continue;
            }
            let cost = cost.saturating_add(loss).saturating_add(recipe.step);
            let known = costs.entry((next.board, next.side)).or_insert(u32::MAX);
            if cost < *known {
                queue.remove(&turn(*known, next));
                *known = cost;
                queue.insert(turn(cost, next), next);
            }
        }
    }
    book
}

fn turn(cost: u32, position: Position) -> Turn {
    (cost, position.board.occupied().len(), position.hash())
}

/// The image that stands for all symmetric ones.
fn canonical(position: Position) -> Position {
    let (_, symmetry) = position.board.canonical();
    symmetry.position(position)
}

/// 10 for the best move, 1 for the worst that is in the book.
fn weight(recipe: &Recipe, loss: u32) -> u32 {
    match recipe.margin {
        0 => 1,
        margin => 1 + 9 * (margin - loss) / margin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up opinion that symmetric positions share: the fewer answers, the better.
    fn opinion(position: Position) -> Vec<(Square, i32)> {
        let legal = position.board.legal_moves();
        let score = |square| {
            let next = position.play(square).unwrap();
            -30 * next.board.legal_moves().len() as i32
        };
        legal
            .into_iter()
            .map(|square| (square, score(square)))
            .collect()
    }

    fn recipe(positions: usize, plies: u32) -> Recipe {
        Recipe {
            positions,
            plies,
            margin: 30,
            width: 60,
            step: 10,
        }
    }

    #[test]
    fn a_book_is_as_large_and_as_deep_as_asked_and_is_reached_from_the_start() {
        let book = make(&recipe(200, 8), |position| Some(opinion(position)));
        assert_eq!(book.len(), 200);
        let walk = book.walk();
        assert_eq!((walk.reached, walk.twins), (200, 0));
        assert_eq!(walk.illegal, []);
        assert!(walk.by_discs.keys().all(|&discs| discs <= 12));
        assert_eq!(walk.by_discs[&4], 1);
        // Small enough to end by itself.
        let small = make(&recipe(1_000_000, 3), |position| Some(opinion(position)));
        assert!(small.walk().by_discs.keys().eq(&[4, 5, 6, 7]));
    }

    #[test]
    fn moves_in_the_book_are_the_best_and_those_near_them() {
        let book = make(&recipe(300, 10), |position| Some(opinion(position)));
        let mut looked = 0;
        make(&recipe(300, 10), |position| {
            let moves = opinion(position);
            let best = moves.iter().map(|it| it.1).max().unwrap();
            for (square, score) in &moves {
                let choices = book.choices(position);
                let found = choices.iter().find(|it| it.square == *square);
                let expected = match best - score {
                    0 if choices.len() == 1 => Some(1),
                    0 => Some(10),
                    30 => Some(1),
                    _ => None,
                };
                assert_eq!(found.map(|it| it.weight), expected, "{position} {square}");
            }
            looked += 1;
            Some(moves)
        });
        assert_eq!(looked, 300);
    }

    #[test]
    fn the_work_can_be_ended_and_repeats() {
        let mut left = 50;
        let book = make(&recipe(200, 8), |position| {
            left -= 1;
            (left >= 0).then(|| opinion(position))
        });
        assert_eq!(book.len(), 50);
        let again = make(&recipe(50, 8), |position| Some(opinion(position)));
        assert_eq!(again, book);
    }
}
