//! Which opening a pair begins with.

use othello::sample::SplitMix64;
use std::sync::{Mutex, PoisonError};

/// In which order openings come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed; when all were used, shuffled anew.
    Random,
}

/// Which opening each pair begins with: the same for every pair of a round, whoever plays it. The
/// answer depends on what the sequence was made of, and on the place alone.
#[derive(Debug)]
pub struct Sequence {
    n_openings: usize,
    order: Order,
    start: u64,
    seed: u64,
    /// The order of the lap that was asked about last: files have many thousands of openings.
    lap: Mutex<Option<(u64, Vec<u32>)>>,
}

impl Sequence {
    /// A sequence of some openings, of which there must be one at least. `start` skips openings at the
    /// beginning.
    pub const fn new(n_openings: usize, order: Order, start: u64, seed: u64) -> Self {
        Self {
            n_openings,
            order,
            start,
            seed,
            lap: Mutex::new(None),
        }
    }

    /// Which of the openings stands at a place.
    pub fn at(&self, place: u64) -> usize {
        let place = place + self.start;
        let n = self.n_openings as u64;
        let (lap, at) = (place / n, (place % n) as usize);
        match self.order {
            Order::Sequential => at,
            Order::Random => {
                let mut known = self.lap.lock().unwrap_or_else(PoisonError::into_inner);
                let (_, order) = match known.take() {
                    Some(it) if it.0 == lap => known.insert(it),
                    _ => {
                        let seed = self.seed.wrapping_add(lap.rotate_left(32));
                        known.insert((lap, shuffled(self.n_openings, seed)))
                    }
                };
                order[at] as usize
            }
        }
    }
}

/// The numbers below `n` in an order that follows from the seed (Fisher and Yates).
pub fn shuffled(n: usize, seed: u64) -> Vec<u32> {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<u32> = (0..n as u32).collect();
    for last in (1..n).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_comes_once_a_lap() {
        let lap = |seed: u64, lap: u64| -> Vec<usize> {
            let sequence = Sequence::new(10, Order::Random, 0, seed);
            (0..10).map(|at| sequence.at(10 * lap + at)).collect()
        };
        let mut first = lap(7, 0);
        assert_ne!(first, lap(7, 1), "shuffled anew");
        assert_ne!(first, lap(8, 0));
        assert_eq!(first, lap(7, 0));
        first.sort_unstable();
        assert_eq!(first, (0..10).collect::<Vec<_>>());
        let sequence = Sequence::new(3, Order::Sequential, 1, 7);
        let places: Vec<usize> = (0..5).map(|at| sequence.at(at)).collect();
        assert_eq!(places, [1, 2, 0, 1, 2]);
        // What was asked before does not matter.
        let sequence = Sequence::new(10, Order::Random, 0, 7);
        let there: Vec<usize> = (0..30).map(|at| sequence.at(at)).collect();
        let mut back: Vec<usize> = (0..30).rev().map(|at| sequence.at(at)).collect();
        back.reverse();
        assert_eq!(there, back);
        assert_eq!(there[..10], lap(7, 0));
    }
}
