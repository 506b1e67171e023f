//! The same kernels with four directions in the four 64-bit lanes of one AVX2 register.

use super::rays;
use crate::Square;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi64x,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_sub_epi64,
};

/// The four lanes, one direction (and its opposite) each.
pub(super) const SHIFTS: [i64; 4] = [1, 7, 8, 9];

/// The four rays from a square towards higher indices, and the four towards lower ones.
#[repr(align(64))]
pub(super) struct Rays {
    pub(super) up: [u64; 4],
    pub(super) down: [u64; 4],
}

pub(super) static RAYS: [Rays; 64] = {
    let mut table = [const {
        Rays {
            up: [0; 4],
            down: [0; 4],
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        table[square].up = rays::up(square);
        table[square].down = rays::down(square);
        square += 1;
    }
    table
};

/// See [`super::portable::legal_moves`].
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let shift = _mm256_setr_epi64x(SHIFTS[0], SHIFTS[1], SHIFTS[2], SHIFTS[3]);
    let shift2 = _mm256_add_epi64(shift, shift);
    let crossable = _mm256_setr_epi64x(INNER, INNER, !0, INNER);
    let own = _mm256_set1_epi64x(mover as i64);
    let other = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), crossable);

    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, shift));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(other, _mm256_srlv_epi64(down, shift)),
    );
    let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, shift));
    let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    for _ in 0..2 {
        up = _mm256_or_si256(
            up,
            _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)),
        );
        down = _mm256_or_si256(
            down,
            _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)),
        );
    }
    let reached = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    or_lanes(reached) & !(mover | opponent)
}

/// See [`super::portable::flips`].
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: `up` is 32 readable bytes; the unaligned load asks for no more.
    let ray_up = unsafe { _mm256_loadu_si256(rays.up.as_ptr().cast::<__m256i>()) };
    // SAFETY: `down` is 32 readable bytes; the unaligned load asks for no more.
    let ray_down = unsafe { _mm256_loadu_si256(rays.down.as_ptr().cast::<__m256i>()) };
    let own = _mm256_set1_epi64x(mover as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let zero = _mm256_setzero_si256();

    // Upwards the nearest square that is no opponent disc is the lowest bit. If it is ours, the
    // bits of the ray below it flip; `end - 1` has them, and is made 0 where there is no end.
    let stops = _mm256_andnot_si256(other, ray_up);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(nearest, own);
    let none = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(end, _mm256_set1_epi64x(-1)), none);
    let up = _mm256_and_si256(ray_up, below);

    // Downwards the nearest is the highest bit: smear all stops towards lower squares of the ray;
    // the ray's bits that stay clear lie before the nearest stop.
    let shift = _mm256_setr_epi64x(SHIFTS[0], SHIFTS[1], SHIFTS[2], SHIFTS[3]);
    let shift2 = _mm256_add_epi64(shift, shift);
    let stops = _mm256_andnot_si256(other, ray_down);
    let mut beyond = _mm256_srlv_epi64(stops, shift);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, shift));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, shift2));
    beyond = _mm256_or_si256(
        beyond,
        _mm256_srlv_epi64(beyond, _mm256_add_epi64(shift2, shift2)),
    );
    let nearest = _mm256_andnot_si256(beyond, stops);
    let end = _mm256_and_si256(nearest, own);
    let none = _mm256_cmpeq_epi64(end, zero);
    let before = _mm256_andnot_si256(_mm256_or_si256(beyond, nearest), ray_down);
    let down = _mm256_andnot_si256(none, before);

    or_lanes(_mm256_or_si256(up, down))
}

/// The union of the four lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn or_lanes(v: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    let quarter = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    _mm_cvtsi128_si64(quarter) as u64
}
