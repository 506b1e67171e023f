//! Cutting by discs that can never change hands.

use othello::Board;

/// From which alpha on, by empty squares, a stability bound has a fair chance to cut. Below it the
/// stable discs that would be needed are more than positions of that fullness usually have.
const WORTH_TRYING: [i8; 61] = {
    let mut table = [64; 61];
    let mut n = 0;
    while n <= 60 {
        table[n] = match n {
            0..=4 => 64,
            5..=7 => 10,
            8..=10 => 16,
            11..=14 => 6,
            15..=18 => 14,
            19..=22 => 22,
            23..=26 => 30,
            27..=30 => 40,
            _ => 52,
        };
        n += 1;
    }
    table
};

/// An upper bound that is not above `alpha`, if the opponent's stable discs give one.
#[inline]
pub(crate) fn cutoff(board: Board, alpha: i32, n_empties: u32) -> Option<i32> {
    if alpha < i32::from(WORTH_TRYING[(n_empties as usize).min(60)]) {
        return None;
    }
    let bound = 64 - 2 * board.swapped().stable_discs().len() as i32;
    (bound <= alpha).then_some(bound)
}
