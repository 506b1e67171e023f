//! The order of moves near the end: how many nodes a move will cost.
//!
//! Nearly every move that is tried first at a node refutes there (95 to 99 of 100), so that what
//! counts is which of the refuting moves has the smallest tree. Two things tell: what is on the
//! edges and in the corners after the move, which is cheap enough for every node
//! ([`border_key`]), and how few replies the mover can leave after each reply of the opponent
//! ([`tree_size`]), which is not. docs/TRAINING.md says how the weights of the border are made.

use othello::{
    Bitboard, Board,
    tier::{Children, Kernels, Tier},
};

/// Squares of an edge and of a corner.
const EDGE_LEN: usize = 8;
const CORNER_LEN: usize = 9;

/// Ways to fill an edge and a corner.
const N_EDGES: usize = 3_usize.pow(EDGE_LEN as u32);
const N_CORNERS: usize = 3_usize.pow(CORNER_LEN as u32);

/// What the file has: a byte for every way to fill an edge, then one for every way to fill a
/// corner. Ways are counted to base three, the digit of the first square lowest: 0 if nobody has the
/// square, 1 the side that has just moved, 2 the side to move. An edge begins at either end, a
/// corner with its corner square, then along an edge, then row by row.
pub(crate) const N_WEIGHTS: usize = N_EDGES + N_CORNERS;

/// What a reply counts in the units of the file, and what an odd quadrant takes off.
pub(crate) const REPLY: i32 = 16;
pub(crate) const ODD: i32 = 2;

/// `kibitz train order` makes it.
const FILE: &[u8; N_WEIGHTS] = include_bytes!("../../../../assets/order.weights");

// Each as long as a power of two, so that an index needs no check.
static EDGES: [i8; N_EDGES.next_power_of_two()] = part(0, N_EDGES);
static CORNERS: [i8; N_CORNERS.next_power_of_two()] = part(N_EDGES, N_CORNERS);

const fn part<const N: usize>(first: usize, len: usize) -> [i8; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < len {
        table[i] = FILE[first + i] as i8;
        i += 1;
    }
    table
}

/// What the discs of one side add to the index of an edge.
static EDGE_DIGITS: [u16; 1 << EDGE_LEN] = digits([0, 1, 2, 3, 4, 5, 6, 7, 8]);

/// The same for the corners at a1, h1, a8 and h8, of which the corner itself is the first digit.
static CORNER_DIGITS: [[u16; 1 << CORNER_LEN]; 4] = [
    digits([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    digits([2, 1, 0, 5, 4, 3, 8, 7, 6]),
    digits([6, 7, 8, 3, 4, 5, 0, 1, 2]),
    digits([8, 7, 6, 5, 4, 3, 2, 1, 0]),
];

/// Sets of squares as numbers to the base of three, where square `i` is digit `places[i]`.
const fn digits<const N: usize>(places: [u32; CORNER_LEN]) -> [u16; N] {
    let mut table = [0; N];
    let mut squares = 0;
    while squares < N {
        let mut i = 0;
        while i < places.len() {
            if squares >> i & 1 == 1 {
                table[squares] += 3_u16.pow(places[i]);
            }
            i += 1;
        }
        squares += 1;
    }
    table
}

/// What edges and corners add to the key of the move that led to this board; a reply is [`REPLY`].
#[inline(always)]
pub(super) fn border_key(kernels: impl Kernels, next: Board) -> i32 {
    let mut key = 0;
    each_way(kernels, next, |edge, corner| {
        key += i32::from(EDGES[edge % EDGES.len()]);
        key += i32::from(CORNERS[corner % CORNERS.len()]);
    });
    key
}

/// How the four edges and the four corners of a board are filled, one of each at a time.
#[inline(always)]
fn each_way(kernels: impl Kernels, next: Board, mut see: impl FnMut(usize, usize)) {
    let own = kernels.border(next.opponent());
    let other = kernels.border(next.mover());
    for (i, corner_digits) in CORNER_DIGITS.iter().enumerate() {
        let digits = |side: u8| usize::from(EDGE_DIGITS[usize::from(side)]);
        let edge = digits(own.edges[i]) + 2 * digits(other.edges[i]);
        let digits = |side: u16| usize::from(corner_digits[usize::from(side) % (1 << CORNER_LEN)]);
        let corner = digits(own.corners[i]) + 2 * digits(other.corners[i]);
        see(edge, corner);
    }
}

/// The places in the file of what the border of a board adds up.
pub(crate) fn places(next: Board) -> [u16; 8] {
    let mut places = [0; 8];
    let mut pairs = places.chunks_exact_mut(2);
    let see = |edge: usize, corner: usize| {
        if let Some(pair) = pairs.next() {
            pair[0] = edge as u16;
            pair[1] = (N_EDGES + corner) as u16;
        }
    };
    with_kernels!(Tier::current(), |kernels| each_way(kernels, next, see));
    places
}

/// The place in the file of the mirror image: an edge read backwards, a corner with ranks for files.
pub(crate) fn mirrored(place: u16) -> u16 {
    const TRANSPOSED: [usize; CORNER_LEN] = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    match usize::from(place).checked_sub(N_EDGES) {
        None => moved::<EDGE_LEN>(place, |i| EDGE_LEN - 1 - i),
        Some(corner) => N_EDGES as u16 + moved::<CORNER_LEN>(corner as u16, |i| TRANSPOSED[i]),
    }
}

/// The number whose digits to base three stand elsewhere.
fn moved<const N: usize>(number: u16, to: impl Fn(usize) -> usize) -> u16 {
    let mut rest = number;
    let mut image = 0;
    for i in 0..N {
        image += rest % 3 * 3_u16.pow(to(i) as u32);
        rest /= 3;
    }
    image
}

/// How large the tree after a move is, about: the fewest replies that the mover can leave after each
/// of the opponent's `replies`, added up. Of more answers than [`Children`] holds some are not seen.
#[inline(always)]
pub(super) fn tree_size<K: Kernels>(kernels: K, next: Board, replies: Bitboard) -> u32 {
    let mut size = 0;
    for reply in replies {
        let board = next.play_unchecked(reply, kernels.flips(next, reply));
        let mut answers = Children::none();
        kernels.children(board, kernels.legal_moves(board), &mut answers);
        let left = answers.as_slice().iter().map(|child| child.replies().len());
        // Without an answer the opponent moves again.
        size += left.min().unwrap_or(MOST_REPLIES);
    }
    size
}

/// What no answer counts.
const MOST_REPLIES: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Square, Symmetry, sample::random_boards};

    #[test]
    fn every_tier_and_symmetry_has_the_same_keys_and_sizes() {
        for board in random_boards(41)
            .filter(|b| b.empties().len() as usize <= Children::MOST)
            .take(500)
        {
            let found: Vec<(i32, u32)> = Tier::available()
                .flat_map(|tier| Symmetry::ALL.map(|symmetry| (tier, symmetry.board(board))))
                .map(|(tier, board)| {
                    with_kernels!(tier, |kernels| (
                        border_key(kernels, board),
                        tree_size(kernels, board, board.legal_moves())
                    ))
                })
                .collect();
            assert!(found.iter().all(|f| *f == found[0]), "{board:?} {found:?}");
        }
    }

    #[test]
    fn a_corner_of_ones_own_makes_a_move_earlier_and_the_square_next_to_it_later() {
        let key = |own: u64| {
            let board = Board::new_unchecked(Bitboard::EMPTY, Bitboard(own));
            with_kernels!(Tier::current(), |kernels| border_key(kernels, board))
        };
        assert!(key(1) < key(0), "{} {}", key(1), key(0));
        assert!(key(1 << 9) > key(0), "{} {}", key(1 << 9), key(0));
    }

    /// Square by square, as the description of the file has it.
    fn places_by_squares(next: Board) -> Vec<u16> {
        let digit = |file: u32, rank: u32| -> u16 {
            let square = Square::from_low_bits(file + 8 * rank);
            u16::from(next.opponent().contains(square))
                + 2 * u16::from(next.mover().contains(square))
        };
        let number = |digits: Vec<u16>| digits.iter().rev().fold(0, |sum, digit| 3 * sum + digit);
        let edges: [Vec<u16>; 4] = [
            (0..8).map(|i| digit(i, 0)).collect(),
            (0..8).map(|i| digit(i, 7)).collect(),
            (0..8).map(|i| digit(0, i)).collect(),
            (0..8).map(|i| digit(7, i)).collect(),
        ];
        let corners = [(0, 0), (7, 0), (0, 7), (7, 7)].map(|(file, rank): (u32, u32)| {
            let at = |i: u32| digit(file.abs_diff(i % 3), rank.abs_diff(i / 3));
            (0..9).map(at).collect::<Vec<u16>>()
        });
        let pairs = edges.into_iter().zip(corners);
        pairs
            .flat_map(|(edge, corner)| [number(edge), N_EDGES as u16 + number(corner)])
            .collect()
    }

    #[test]
    fn every_tier_finds_the_places_that_the_squares_say() {
        for board in random_boards(3).take(2_000) {
            let expected = places_by_squares(board);
            assert_eq!(places(board).to_vec(), expected, "{board:?}");
            for tier in Tier::available() {
                let sum = with_kernels!(tier, |kernels| border_key(kernels, board));
                let weights = expected.iter().map(|&place| FILE[usize::from(place)] as i8);
                assert_eq!(sum, weights.map(i32::from).sum::<i32>(), "{board:?}");
            }
        }
    }

    #[test]
    fn images_of_a_board_have_the_same_places_but_for_mirroring() {
        let least = |board| {
            let mut least = places(board).map(|place| place.min(mirrored(place)));
            least.sort_unstable();
            least
        };
        for board in random_boards(4).take(500) {
            for symmetry in Symmetry::ALL {
                assert_eq!(least(symmetry.board(board)), least(board), "{board:?}");
            }
        }
        for place in 0..N_WEIGHTS as u16 {
            assert_eq!(mirrored(mirrored(place)), place);
        }
    }
}
