//! The kernels with AVX-512: any function of three bits in one instruction, leading zeros of every
//! lane, and two moves side by side in the eight lanes of a register.

use super::{
    avx2::{RAYS, SHIFTS, or_lanes},
    last::{
        packed::{COUNTS, LINES},
        unplayed_score,
    },
    tier::{Border, Children},
};
use crate::Square;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_blend_epi32, _mm256_castsi256_si128, _mm256_loadu_si256, _mm256_lzcnt_epi64,
    _mm256_min_epu64, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set1_epi64x,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_sub_epi64, _mm256_ternarylogic_epi64,
    _mm256_testz_si256, _mm256_xor_si256, _pext_u64,
};

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

// Functions of three bits, as the intrinsics number them: bit `4a + 2b + c` is the result.
const A_OR_B_AND_C: i32 = 0b1111_1000;
const A_OR_NOT_B: i32 = 0b1111_0011;
const A_AND_B_AND_C: i32 = 0b1000_0000;
const A_AND_NEITHER: i32 = 0b0001_0000;
const A_XOR_B_XOR_C: i32 = 0b1001_0110;

/// See [`super::portable::legal_moves`].
#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
pub(super) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    let own = _mm256_set1_epi64x(mover as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    or_lanes(reached(own, other)) & !(mover | opponent)
}

/// The squares beyond rows of opponent discs that begin next to an own disc, along each of the four
/// lines; those with a disc mean nothing.
#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
fn reached(own: __m256i, other: __m256i) -> __m256i {
    let shift = _mm256_setr_epi64x(SHIFTS[0], SHIFTS[1], SHIFTS[2], SHIFTS[3]);
    let shift2 = _mm256_add_epi64(shift, shift);
    let crossable = _mm256_setr_epi64x(INNER, INNER, !0, INNER);
    let other = _mm256_and_si256(other, crossable);

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
    _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift))
}

/// See [`super::portable::flips`].
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
pub(super) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
    or_lanes(Discs::of(mover, opponent).flips_by_line(square))
}

/// The discs of both sides, each in all lanes: from move to move nothing needs to leave the
/// registers.
#[derive(Debug, Clone, Copy)]
pub struct Discs {
    own: __m256i,
    other: __m256i,
}

/// Discs that were turned, in all lanes.
#[derive(Debug, Clone, Copy)]
pub struct Turned(__m256i);

impl Discs {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of(mover: u64, opponent: u64) -> Self {
        Self {
            own: _mm256_set1_epi64x(mover as i64),
            other: _mm256_set1_epi64x(opponent as i64),
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn sides(self) -> (u64, u64) {
        (lowest(self.own), lowest(self.other))
    }

    /// The discs that a move turns along each of the four lines.
    #[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
    #[inline]
    fn flips_by_line(self, square: Square) -> __m256i {
        let Self { own, other } = self;
        let rays = &RAYS[square.index()];
        // SAFETY: `up` is 32 readable bytes; the unaligned load asks for no more.
        let ray = unsafe { _mm256_loadu_si256(rays.up.as_ptr().cast::<__m256i>()) };
        let (one, two) = (_mm256_set1_epi64x(1), _mm256_set1_epi64x(2));

        // Upwards: where all but the stops are ones, a one that is added at the bottom carries to
        // the nearest stop. If it is ours, the bits of the ray below it flip: all that the end has
        // more than b1, which is the lowest that a ray upwards can have.
        let passable = _mm256_ternarylogic_epi64::<A_OR_NOT_B>(other, ray, ray);
        let carried = _mm256_add_epi64(passable, one);
        let end = _mm256_ternarylogic_epi64::<A_AND_B_AND_C>(carried, ray, own);
        let up = _mm256_sub_epi64(end, _mm256_min_epu64(end, two));
        let up = _mm256_and_si256(up, ray);

        // Downwards the nearest stop is the highest bit. Where there is none, a1 stands in for it:
        // it is not ours on this ray, and the compiler need not think of shifts by 64. The negative
        // of twice the end has all bits above it, and none where there is no end.
        // SAFETY: `down` is 32 readable bytes; the unaligned load asks for no more.
        let ray = unsafe { _mm256_loadu_si256(rays.down.as_ptr().cast::<__m256i>()) };
        let stops = _mm256_or_si256(_mm256_andnot_si256(other, ray), one);
        let nearest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
        let end = _mm256_and_si256(nearest, _mm256_and_si256(own, ray));
        let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(end, end));

        _mm256_ternarylogic_epi64::<A_OR_B_AND_C>(up, above, ray)
    }

    /// See [`super::tier::Kernels::turned`].
    #[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn turned(self, square: Square) -> Option<Turned> {
        let by_line = self.flips_by_line(square);
        if _mm256_testz_si256(by_line, by_line) == 1 {
            return None;
        }
        Some(Turned(or_all(by_line)))
    }

    /// See [`super::tier::Kernels::after`].
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    #[inline]
    pub(super) fn after(self, square: Square, Turned(turned): Turned) -> Self {
        let played = _mm256_set1_epi64x(square.bit().0 as i64);
        Self {
            own: _mm256_xor_si256(self.other, turned),
            other: _mm256_ternarylogic_epi64::<A_XOR_B_XOR_C>(self.own, turned, played),
        }
    }

    /// See [`super::tier::Kernels::score_after`].
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    #[inline]
    pub(super) fn score_after(self, Turned(turned): Turned, left: Square, alpha: i32) -> i32 {
        let mover = lowest(_mm256_xor_si256(self.other, turned));
        let counts = last_counts(mover, left);
        let (gain, loss) = (counts & 0xff, counts >> 8);
        let discs = 2 * mover.count_ones() as i32;
        if gain > 0 {
            return discs + 2 * gain - 62;
        }
        let unplayed = unplayed_score(discs);
        if unplayed > alpha && loss > 0 {
            discs - 2 * loss - 64
        } else {
            unplayed
        }
    }
}

/// How many discs a move on the only empty square turns, and in the high byte how many the opponent
/// would.
#[target_feature(enable = "bmi2")]
#[inline]
fn last_counts(mover: u64, square: Square) -> i32 {
    let lines = &LINES[square.index()];
    let count = |line: usize| {
        let at = _pext_u64(mover, lines.masks[line]) as usize + usize::from(lines.counts[line]);
        // SAFETY: a line has a count for each way to fill its mask, from where it says on.
        i32::from(unsafe { *COUNTS.get_unchecked(at) })
    };
    count(0) + count(1) + count(2) + count(3)
}

#[target_feature(enable = "avx2")]
#[inline]
fn lowest(v: __m256i) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(v)) as u64
}

/// See [`super::tier::Kernels::children`].
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn children(mover: u64, opponent: u64, mut moves: u64, children: &mut Children) {
    let discs = Discs::of(mover, opponent);
    while moves != 0 {
        let square = Square::from_low_bits(moves.trailing_zeros());
        let played = _mm256_set1_epi64x((moves & moves.wrapping_neg()) as i64);
        moves &= moves - 1;
        let turned = or_all(discs.flips_by_line(square));
        let own = _mm256_xor_si256(discs.other, turned);
        let other = _mm256_ternarylogic_epi64::<A_XOR_B_XOR_C>(discs.own, turned, played);
        let replies = or_all(reached(own, other));
        let replies = _mm256_ternarylogic_epi64::<A_AND_NEITHER>(replies, own, other);

        // A lane for each field of a `Child`.
        let child = _mm256_blend_epi32::<0b0000_1100>(own, other);
        let child = _mm256_blend_epi32::<0b0011_0000>(child, replies);
        let child = _mm256_blend_epi32::<0b1100_0000>(child, played);
        let Some(room) = children.room_for_one() else {
            break;
        };
        // SAFETY: there is room for a child, which is 32 bytes.
        unsafe { _mm256_storeu_si256(room.cast::<__m256i>(), child) };
        // SAFETY: the place was just written.
        unsafe { children.wrote(1) };
    }
}

/// The union of all lanes, in all of them.
#[target_feature(enable = "avx2")]
#[inline]
fn or_all(v: __m256i) -> __m256i {
    let v = _mm256_or_si256(v, _mm256_permute4x64_epi64::<0b01_00_11_10>(v));
    _mm256_or_si256(v, _mm256_shuffle_epi32::<0b01_00_11_10>(v))
}

/// See [`super::tier::Kernels::border`].
#[target_feature(enable = "bmi2")]
#[inline]
pub(super) fn border(discs: u64) -> Border {
    let bits = |mask| _pext_u64(discs, mask);
    Border {
        edges: [
            discs as u8,
            (discs >> 56) as u8,
            bits(0x0101_0101_0101_0101) as u8,
            bits(0x8080_8080_8080_8080) as u8,
        ],
        corners: [0, 5, 40, 45].map(|first| bits(0x07_0707 << first) as u16),
    }
}
