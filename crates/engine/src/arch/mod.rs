//! Kernels whose speed needs `unsafe`; each has a safe twin in its test.

use crate::eval::shapes::LANES;

/// Where each lane's weights start.
#[derive(Debug, Clone)]
pub struct LaneOffsets {
    offsets: [u32; LANES],
    /// One beyond the furthest weight that any offset and any 16-bit index can name.
    reach: usize,
}

impl LaneOffsets {
    /// Offsets as they are.
    pub fn new(offsets: [u32; LANES]) -> Self {
        let furthest = offsets.iter().max().map_or(0, |&offset| offset as usize);
        Self {
            offsets,
            reach: furthest + usize::from(u16::MAX) + 1,
        }
    }

    /// The offset of every lane.
    pub fn as_array(&self) -> &[u32; LANES] {
        &self.offsets
    }

    /// How many weights a table needs so that no index can leave it.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The sum of one weight per lane. Tried and not kept: gathers (`vpgatherdd`) are no faster,
    /// for the time goes into cache misses.
    ///
    /// # Panics
    ///
    /// If there are fewer weights than [`LaneOffsets::reach`].
    #[inline]
    #[expect(
        unsafe_code,
        reason = "64 bounds checks would cost a tenth of an evaluation"
    )]
    pub(crate) fn sum(&self, weights: &[i16], indices: &[u16; LANES]) -> i32 {
        let weights = &weights[..self.reach];
        // All places first: that much is a few vector additions.
        let mut places = [0; LANES];
        for ((place, &offset), &index) in places.iter_mut().zip(&self.offsets).zip(indices) {
            *place = offset + u32::from(index);
        }
        let mut sums = [0; 4];
        for places in places.chunks_exact(4) {
            for (sum, &place) in sums.iter_mut().zip(places) {
                debug_assert!((place as usize) < weights.len());
                // SAFETY: the slice has `reach` weights, which `new` made greater than the largest
                // offset plus the largest `u16`.
                *sum += i32::from(unsafe { *weights.get_unchecked(place as usize) });
            }
        }
        sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    #[test]
    fn sums_equal_checked_look_ups_even_of_wild_indices() {
        let mut random = SplitMix64::new(1);
        let offsets = LaneOffsets::new(std::array::from_fn(|_| random.below(400_000)));
        let weights: Vec<i16> = (0..offsets.reach())
            .map(|_| random.next_u64() as i16)
            .collect();
        for round in 0..200 {
            let indices: [u16; LANES] = std::array::from_fn(|_| match round {
                0 => u16::MAX,
                _ => random.next_u64() as u16,
            });
            let expected: i32 = (offsets.as_array().iter().zip(indices))
                .map(|(&offset, index)| i32::from(weights[offset as usize + index as usize]))
                .sum();
            assert_eq!(offsets.sum(&weights, &indices), expected);
        }
    }
}
