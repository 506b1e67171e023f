//! Odd regions that change hands with a move.

use super::{events::REGION_MAX, features::Features};
use othello::{Bitboard, Move, Position, Side};

/// A smaller odd region is left to the lines to show.
const SIZE_MIN: u32 = 5;

/// An odd region that changes hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParityFlip {
    /// The region before the move, under the mover's control.
    pub region: Bitboard,
    /// Its largest part after the move and the reply, under the opponent's.
    pub left: Bitboard,
}

impl ParityFlip {
    /// Whether one of the moves or of the replies enters the region, and the lines do not show the
    /// contrary where they fill it.
    pub(super) fn is_shown(&self, position: Position, best: &[Move], played: &[Move]) -> bool {
        let both = best.iter().take(2).chain(played.iter().take(2));
        let mut first = both.filter_map(|it| it.square());
        let last = |line| last_in(position, line, self.region);
        first.any(|it| self.region.contains(it))
            && last(best).is_none_or(|side| side == position.side)
            && last(played).is_none_or(|side| side != position.side)
    }
}

/// The position after one ply of a line.
pub(super) fn step(position: Position, line: &[Move], ply: usize) -> Option<Position> {
    match line.get(ply)? {
        Move::Place(square) => position.play(*square).ok(),
        Move::Pass => position.pass().ok(),
    }
}

/// Who fills a region's last square on a line; `None` if the line does not fill it.
fn last_in(position: Position, line: &[Move], region: Bitboard) -> Option<Side> {
    let (mut at, mut left, mut last) = (position, region, None);
    for (ply, action) in line.iter().enumerate() {
        if let Some(square) = action.square().filter(|&it| left.contains(it)) {
            left = left - square.bit();
            last = Some(at.side);
        }
        at = step(at, line, ply)?;
    }
    last.filter(|_| left.is_empty())
}

/// An odd region of the mover's that the opponent controls after the played move and the reply, and
/// that stays the mover's with the best move and its reply. Control is compared when it is the
/// mover's turn again: it would change with every ply otherwise.
pub(super) fn parity_flip(
    before: Position,
    with_best: Position,
    with_played: Position,
) -> Option<ParityFlip> {
    let mover = before.side;
    let (kept, lost) = (Features::of(with_best), Features::of(with_played));
    let largest = |features: &Features, region: Bitboard| {
        let parts = features.regions.iter();
        parts
            .filter(|part| part.squares.is_subset(region))
            .max_by_key(|part| (part.size(), std::cmp::Reverse(part.squares)))
            .copied()
    };
    let flip = |region: Bitboard| {
        let left = largest(&lost, region)?;
        let stays = largest(&kept, region).is_some_and(|part| part.controller == mover);
        (stays && left.controller != mover).then_some(ParityFlip {
            region,
            left: left.squares,
        })
    };
    let sizes = SIZE_MIN..=REGION_MAX;
    Features::of(before)
        .regions
        .iter()
        .filter(|region| region.is_odd() && sizes.contains(&region.size()))
        .filter(|region| region.controller == mover)
        .find_map(|region| flip(region.squares))
}
