//! Which opening a pair begins with.

use othello::sample::SplitMix64;

/// In which order openings come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed; when all were used, shuffled anew.
    Random,
}

/// Which of `n_openings` the opening with this place in the sequence is: the same for every pair of
/// a round, whoever plays it. `start` skips openings at the beginning. The answer depends on its
/// arguments alone; `n_openings` must not be 0.
pub fn opening_of(place: u64, n_openings: usize, order: Order, start: u64, seed: u64) -> usize {
    let place = place + start;
    let (lap, at) = (
        place / n_openings as u64,
        (place % n_openings as u64) as usize,
    );
    match order {
        Order::Sequential => at,
        Order::Random => shuffled_at(at, n_openings, seed.wrapping_add(lap.rotate_left(32))),
    }
}

/// What stands at a place after a shuffle of the numbers below `n` (Fisher and Yates).
fn shuffled_at(at: usize, n: usize, seed: u64) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<u32> = (0..n as u32).collect();
    for last in (1..n).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
    order[at] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_comes_once_a_lap() {
        let lap = |seed: u64, lap: u64| -> Vec<usize> {
            (0..10)
                .map(|at| opening_of(10 * lap + at, 10, Order::Random, 0, seed))
                .collect()
        };
        let mut first = lap(7, 0);
        assert_ne!(first, lap(7, 1), "shuffled anew");
        assert_ne!(first, lap(8, 0));
        assert_eq!(first, lap(7, 0));
        first.sort_unstable();
        assert_eq!(first, (0..10).collect::<Vec<_>>());
        let places: Vec<usize> = (0..5)
            .map(|at| opening_of(at, 3, Order::Sequential, 1, 7))
            .collect();
        assert_eq!(places, [1, 2, 0, 1, 2]);
    }
}
