//! Reproducible chance: a small generator, and boards from random play for tests and benchmarks.

use crate::Board;

/// `SplitMix64` (Steele, Lea, Flood 2014): tiny, fast, and the same everywhere for ever.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose whole future follows from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0. The bias of at most `n / 2^64` is of no
    /// consequence for what this is used for.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        ((self.next_u64() as u128 * n as u128) >> 64) as u32
    }

    /// A number in [0, 1).
    #[inline]
    pub const fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Every board of games of random legal moves from the start, game after game, without end.
/// Boards where the side to move must pass and final boards are among them.
pub fn random_boards(seed: u64) -> impl Iterator<Item = Board> {
    let mut random = SplitMix64::new(seed);
    let mut board = Board::START;
    std::iter::from_fn(move || {
        let current = board;
        let legal = current.legal_moves();
        board = if !legal.is_empty() {
            let choice = random.below(legal.len()) as usize;
            let square = legal.into_iter().nth(choice)?;
            current.play_unchecked(square, current.flips(square))
        } else if current.swapped().legal_moves().is_empty() {
            Board::START
        } else {
            current.swapped()
        };
        Some(current)
    })
}
