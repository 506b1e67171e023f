//! Which squares refuted lately: an order that costs next to nothing, for nodes too small to spend
//! evaluations on ordering.

use othello::{Bitboard, Square};

/// Refutations remembered: the last two by the number of empty squares (killers), and how much
/// each square has refuted on the whole (history).
#[derive(Debug, Clone)]
pub(super) struct History {
    killers: [Bitboard; 64],
    weights: [u32; 64],
}

/// Above this all weights are halved, so that old successes fade.
const FULL: u32 = 1 << 24;

/// What a killer and a corner are worth beside the history.
const KILLER: u32 = 1 << 26;
const CORNER: u32 = 1 << 25;

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: [Bitboard::EMPTY; 64],
            weights: [0; 64],
        }
    }

    /// A move that refuted at a node of `depth`.
    #[inline]
    pub(super) fn reward(&mut self, n_empties: u32, square: Square, depth: u32) {
        let killers = &mut self.killers[n_empties as usize & 63];
        if !killers.contains(square) {
            // Two at most: a third starts anew.
            *killers = if killers.len() == 2 {
                square.bit()
            } else {
                *killers | square.bit()
            };
        }
        let weight = &mut self.weights[square.index()];
        *weight += depth * depth;
        if *weight >= FULL {
            for weight in &mut self.weights {
                *weight /= 2;
            }
        }
    }

    /// Takes the most promising square out of a set.
    #[inline]
    pub(super) fn take_next(&self, n_empties: u32, left: &mut Bitboard) -> Option<Square> {
        let killers = self.killers[n_empties as usize & 63];
        let promise = |square: &Square| {
            let mut promise = self.weights[square.index()];
            if killers.contains(*square) {
                promise += KILLER;
            }
            if Bitboard::CORNERS.contains(*square) {
                promise += CORNER;
            }
            promise
        };
        let best = left.into_iter().max_by_key(promise)?;
        left.remove(best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn killers_then_corners_then_history() {
        let mut history = History::new();
        history.reward(20, square("c3"), 2);
        for _ in 0..3 {
            history.reward(30, square("f4"), 2);
        }
        let mut left: Bitboard = ["a1", "c3", "d3", "f4"].map(square).into_iter().collect();
        let mut taken = Vec::new();
        while let Some(next) = history.take_next(20, &mut left) {
            taken.push(next.to_string());
        }
        assert_eq!(taken, ["c3", "a1", "f4", "d3"]);
    }

    #[test]
    fn weights_fade_and_never_overflow() {
        let mut history = History::new();
        history.reward(10, square("b2"), 60);
        for _ in 0..100_000 {
            history.reward(10, square("g7"), 60);
        }
        assert!(history.weights[square("g7").index()] < FULL + 3600);
        assert_eq!(history.weights[square("b2").index()], 0);
    }
}
