//! Kernels whose speed needs `unsafe`; each has a safe twin in its test.

use crate::eval::shapes::LANES;

/// The sum of one weight per lane: `weights[offsets[lane] + indices[lane]]`.
#[inline]
pub(crate) fn sum_weights(weights: &[i16], offsets: &[u32; LANES], indices: &[u16; LANES]) -> i32 {
    let mut sum = 0;
    for (&offset, &index) in offsets.iter().zip(indices) {
        sum += i32::from(weights[offset as usize + index as usize]);
    }
    sum
}
