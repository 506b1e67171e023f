//! What players have names for: safe moves, walls, unbalanced edges, wedges.

use crate::Area;
use othello::{Bitboard, Board, Square, SquareKind};

/// The four edges, as areas of the board.
pub(super) const EDGES: [Area; 4] = [
    Area::TopEdge,
    Area::BottomEdge,
    Area::LeftEdge,
    Area::RightEdge,
];

/// Fewer discs in a row are no wall.
pub(super) const WALL_MIN: u32 = 4;

/// Corners that the side to move can take at once.
pub(super) fn open_corners(board: Board) -> Bitboard {
    board.legal_moves() & Bitboard::CORNERS
}

/// Moves of the side to move that open no corner for the other side: it can take none afterwards
/// that it could not have taken before. A move to the X square of an empty corner is not safe either:
/// the corner can be attacked from then on.
pub(super) fn safe_moves(board: Board) -> Bitboard {
    let open_before = open_corners(board.swapped());
    let is_safe = |square: &Square| {
        let is_x = square.kind() == SquareKind::X;
        if is_x && board.empties().contains(square.nearest_corner()) {
            return false;
        }
        let after = board.play_unchecked(*square, board.flips(*square));
        (open_corners(after) - open_before).is_empty()
    };
    board.legal_moves().into_iter().filter(is_safe).collect()
}

/// The longest straight run of at least four discs of the side to move inside of the edges, along a
/// row or a column, with nothing but empty squares along one side of it; no discs if there is none.
pub(super) fn wall(board: Board) -> Bitboard {
    let mut longest = Bitboard::EMPTY;
    for along_row in [true, false] {
        for line in 1..7 {
            for outside in [line - 1, line + 1] {
                let at = |place: u8, line: u8| {
                    if along_row {
                        Square::at(place, line)
                    } else {
                        Square::at(line, place)
                    }
                };
                let mut run = Bitboard::EMPTY;
                for place in 0..8 {
                    let disc = at(place, line).filter(|&it| board.mover().contains(it));
                    let bare = at(place, outside).is_some_and(|it| board.empties().contains(it));
                    match disc {
                        Some(disc) if bare => run.insert(disc),
                        _ => run = Bitboard::EMPTY,
                    }
                    if run.len() >= WALL_MIN && run.len() > longest.len() {
                        longest = run;
                    }
                }
            }
        }
    }
    longest
}

/// The squares of an edge in order.
fn in_order(edge: Area) -> Vec<Square> {
    edge.squares().into_iter().collect()
}

/// The longest row of these discs on an edge that has a square in it.
pub(super) fn run_on(edge: Area, discs: Bitboard, square: Square) -> Bitboard {
    let mut run = Bitboard::EMPTY;
    for at in in_order(edge) {
        if discs.contains(at) {
            run.insert(at);
        } else if run.contains(square) {
            break;
        } else {
            run = Bitboard::EMPTY;
        }
    }
    if run.contains(square) {
        run
    } else {
        Bitboard::EMPTY
    }
}

/// The empty C square of an edge on which the side to move has five discs in a row beside the other
/// C square, both corners empty: a five with an open C.
pub(super) fn open_c(board: Board, edge: Area) -> Option<Square> {
    let squares = in_order(edge);
    let own = |i: usize| board.mover().contains(squares[i]);
    let empty = |i: usize| board.empties().contains(squares[i]);
    if !(empty(0) && empty(7)) {
        return None;
    }
    if (1..=5).all(own) && empty(6) {
        Some(squares[6])
    } else if (2..=6).all(own) && empty(1) {
        Some(squares[1])
    } else {
        None
    }
}

/// The edge that a disc of the side to move wedges into: both of its neighbours there are discs of
/// the other side.
pub(super) fn wedge(board: Board, square: Square) -> Option<Area> {
    EDGES.into_iter().find(|edge| {
        let squares = in_order(*edge);
        let place = squares.iter().position(|&it| it == square);
        place.is_some_and(|i| {
            (1..7).contains(&i)
                && board.mover().contains(square)
                && board.opponent().contains(squares[i - 1])
                && board.opponent().contains(squares[i + 1])
        })
    })
}

/// Whether the side to move has six discs on an edge between two empty corners.
pub(super) fn is_balanced(board: Board, edge: Area) -> bool {
    let squares = in_order(edge);
    let own = |i: usize| board.mover().contains(squares[i]);
    let empty = |i: usize| board.empties().contains(squares[i]);
    empty(0) && empty(7) && (1..=6).all(own)
}
