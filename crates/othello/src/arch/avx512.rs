//! The kernels with AVX-512: any function of three bits in one instruction, leading zeros of every
//! lane, and two moves side by side in the eight lanes of a register.

use super::{
    avx2::{RAYS, SHIFTS, or_lanes},
    tier::Children,
};
use crate::Square;
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi64, _mm256_and_si256, _mm256_loadu_si256, _mm256_lzcnt_epi64,
    _mm256_maskz_andnot_epi64, _mm256_maskz_ternarylogic_epi64, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64,
    _mm256_ternarylogic_epi64, _mm256_test_epi64_mask, _mm512_add_epi64, _mm512_and_si512,
    _mm512_castsi256_si512, _mm512_inserti64x4, _mm512_lzcnt_epi64, _mm512_mask_blend_epi64,
    _mm512_mask_set1_epi64, _mm512_maskz_andnot_epi64, _mm512_maskz_ternarylogic_epi64,
    _mm512_or_si512, _mm512_permutex_epi64, _mm512_set1_epi64, _mm512_setr_epi64,
    _mm512_shuffle_epi32, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512,
    _mm512_sub_epi64, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_xor_si512,
};

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

// Functions of three bits, as the intrinsics number them: bit `4a + 2b + c` is the result.
const A_OR_B_AND_C: i32 = 0b1111_1000;
const A_OR_B_AND_NOT_C: i32 = 0b1111_0100;
const A_OR_NOT_B: i32 = 0b1111_0011;
const A_AND_NOT_B_AND_C: i32 = 0b0010_0000;
const A_AND_NEITHER: i32 = 0b0001_0000;
const A_XOR_B_XOR_C: i32 = 0b1001_0110;

/// See [`super::portable::legal_moves`].
#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
pub(super) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    let shift = _mm256_setr_epi64x(SHIFTS[0], SHIFTS[1], SHIFTS[2], SHIFTS[3]);
    let shift2 = _mm256_add_epi64(shift, shift);
    let crossable = _mm256_setr_epi64x(INNER, INNER, !0, INNER);
    let own = _mm256_set1_epi64x(mover as i64);
    let other = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), crossable);

    let grow = |set, by, step| _mm256_ternarylogic_epi64::<A_OR_B_AND_C>(set, by, step);
    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, shift));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, shift));
    up = grow(up, other, _mm256_sllv_epi64(up, shift));
    down = grow(down, other, _mm256_srlv_epi64(down, shift));
    let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, shift));
    let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    for _ in 0..2 {
        up = grow(up, pairs_up, _mm256_sllv_epi64(up, shift2));
        down = grow(down, pairs_down, _mm256_srlv_epi64(down, shift2));
    }
    let reached = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    or_lanes(reached) & !(mover | opponent)
}

/// See [`super::portable::flips`].
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
pub(super) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: `up` is 32 readable bytes; the unaligned load asks for no more.
    let ray = unsafe { _mm256_loadu_si256(rays.up.as_ptr().cast::<__m256i>()) };
    let own = _mm256_set1_epi64x(mover as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let ones = _mm256_set1_epi64x(-1);

    // Upwards: where all but the stops are ones, a one that is added at the bottom carries to the
    // nearest stop. It clears the opponent discs before it, and they flip if the stop is ours.
    let passable = _mm256_ternarylogic_epi64::<A_OR_NOT_B>(other, ray, ray);
    let carried = _mm256_sub_epi64(passable, ones);
    let ends = _mm256_test_epi64_mask(_mm256_and_si256(carried, ray), own);
    let up = _mm256_maskz_ternarylogic_epi64::<A_AND_NOT_B_AND_C>(ends, passable, carried, ray);

    // Downwards the nearest stop is the highest bit. Where there is none, a1 stands in for it: it is
    // not ours on this ray, and the compiler need not think of shifts by 64.
    // SAFETY: `down` is 32 readable bytes; the unaligned load asks for no more.
    let ray = unsafe { _mm256_loadu_si256(rays.down.as_ptr().cast::<__m256i>()) };
    let one = _mm256_set1_epi64x(1);
    let zeros = _mm256_lzcnt_epi64(_mm256_ternarylogic_epi64::<A_OR_B_AND_NOT_C>(
        one, ray, other,
    ));
    let nearest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), zeros);
    let ends = _mm256_test_epi64_mask(nearest, _mm256_and_si256(own, ray));
    let down = _mm256_maskz_andnot_epi64(ends, _mm256_srlv_epi64(ones, zeros), ray);

    or_lanes(_mm256_or_si256(up, down))
}

/// See [`super::tier::Kernels::children`]: two moves at a time, one in each half of a register.
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn children(mover: u64, opponent: u64, mut moves: u64) -> Children {
    let own = _mm512_set1_epi64(mover as i64);
    let other = _mm512_set1_epi64(opponent as i64);
    let mut children = Children::new();
    while moves != 0 {
        let first = Square::from_low_bits(moves.trailing_zeros());
        let first_bit = moves & moves.wrapping_neg();
        moves ^= first_bit;
        // Without a second move the upper half is about a1, and nobody looks at it.
        let second = Square::from_low_bits(moves.trailing_zeros());
        let second_bit = moves & moves.wrapping_neg();
        moves ^= second_bit;

        let flips = flips_of_two(first, second, own, other);
        let played = _mm512_set1_epi64(first_bit as i64);
        let played = _mm512_mask_set1_epi64(played, UPPER, second_bit as i64);
        let next_own = _mm512_xor_si512(other, flips);
        let next_other = _mm512_ternarylogic_epi64::<A_XOR_B_XOR_C>(own, flips, played);
        let replies = legal_moves_of_two(next_own, next_other);

        // A lane for each field of a `Child`.
        let pair = _mm512_mask_blend_epi64(0b0010_0010, next_own, next_other);
        let pair = _mm512_mask_blend_epi64(0b0100_0100, pair, replies);
        let pair = _mm512_mask_blend_epi64(0b1000_1000, pair, played);
        let Some(room) = children.room_for_two() else {
            break;
        };
        // SAFETY: there is room for two children, which are 64 bytes.
        unsafe { _mm512_storeu_si512(room.cast::<__m512i>(), pair) };
        // SAFETY: both places were just written.
        unsafe { children.wrote(1 + usize::from(second_bit != 0)) };
    }
    children
}

/// The lanes of the second move.
const UPPER: u8 = 0b1111_0000;

/// The discs that two moves turn, each in all lanes of its half.
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips_of_two(first: Square, second: Square, own: __m512i, other: __m512i) -> __m512i {
    let (first, second) = (&RAYS[first.index()], &RAYS[second.index()]);
    let ones = _mm512_set1_epi64(-1);
    // The same as for one move.
    let ray = side_by_side(&first.up, &second.up);
    let passable = _mm512_ternarylogic_epi64::<A_OR_NOT_B>(other, ray, ray);
    let carried = _mm512_sub_epi64(passable, ones);
    let ends = _mm512_test_epi64_mask(_mm512_and_si512(carried, ray), own);
    let up = _mm512_maskz_ternarylogic_epi64::<A_AND_NOT_B_AND_C>(ends, passable, carried, ray);

    let ray = side_by_side(&first.down, &second.down);
    let one = _mm512_set1_epi64(1);
    let zeros = _mm512_lzcnt_epi64(_mm512_ternarylogic_epi64::<A_OR_B_AND_NOT_C>(
        one, ray, other,
    ));
    let nearest = _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), zeros);
    let ends = _mm512_test_epi64_mask(nearest, _mm512_and_si512(own, ray));
    let down = _mm512_maskz_andnot_epi64(ends, _mm512_srlv_epi64(ones, zeros), ray);

    or_within_halves(_mm512_or_si512(up, down))
}

#[target_feature(enable = "avx2,avx512f,avx512dq")]
#[inline]
fn side_by_side(first: &[u64; 4], second: &[u64; 4]) -> __m512i {
    // SAFETY: 32 readable bytes; the unaligned load asks for no more.
    let first = unsafe { _mm256_loadu_si256(first.as_ptr().cast::<__m256i>()) };
    // SAFETY: 32 readable bytes; the unaligned load asks for no more.
    let second = unsafe { _mm256_loadu_si256(second.as_ptr().cast::<__m256i>()) };
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
}

/// The legal moves of two boards, each in all lanes of its half.
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
#[inline]
fn legal_moves_of_two(own: __m512i, all_other: __m512i) -> __m512i {
    let [s0, s1, s2, s3] = SHIFTS;
    let shift = _mm512_setr_epi64(s0, s1, s2, s3, s0, s1, s2, s3);
    let shift2 = _mm512_add_epi64(shift, shift);
    let crossable = _mm512_setr_epi64(INNER, INNER, !0, INNER, INNER, INNER, !0, INNER);
    let other = _mm512_and_si512(all_other, crossable);

    let grow = |set, by, step| _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(set, by, step);
    let mut up = _mm512_and_si512(other, _mm512_sllv_epi64(own, shift));
    let mut down = _mm512_and_si512(other, _mm512_srlv_epi64(own, shift));
    up = grow(up, other, _mm512_sllv_epi64(up, shift));
    down = grow(down, other, _mm512_srlv_epi64(down, shift));
    let pairs_up = _mm512_and_si512(other, _mm512_sllv_epi64(other, shift));
    let pairs_down = _mm512_srlv_epi64(pairs_up, shift);
    for _ in 0..2 {
        up = grow(up, pairs_up, _mm512_sllv_epi64(up, shift2));
        down = grow(down, pairs_down, _mm512_srlv_epi64(down, shift2));
    }
    let reached = _mm512_or_si512(_mm512_sllv_epi64(up, shift), _mm512_srlv_epi64(down, shift));
    let reached = or_within_halves(reached);
    _mm512_ternarylogic_epi64::<A_AND_NEITHER>(reached, own, all_other)
}

/// The union of the four lanes of each half, in all of them.
#[target_feature(enable = "avx2,avx512f")]
#[inline]
fn or_within_halves(v: __m512i) -> __m512i {
    let v = _mm512_or_si512(v, _mm512_permutex_epi64::<0b01_00_11_10>(v));
    _mm512_or_si512(v, _mm512_shuffle_epi32::<0b01_00_11_10>(v))
}
