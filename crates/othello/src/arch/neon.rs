//! The kernels with NEON: a board lies in both 64-bit lanes of a register, as it is in the low one and
//! turned by half a turn in the high one. A line that goes down on the first goes up on the second,
//! so that one instruction does both directions of a line. To turn a board is to reverse its bits,
//! for which ARM64 has instructions.

use super::{
    last::{NEIGHBOURS, unplayed_score},
    rays,
    tier::Children,
};
use crate::Square;
use std::arch::aarch64::{
    uint64x2_t, vaddq_u64, vaddvq_u8, vandq_u64, vbicq_u64, vbslq_u64, vcntq_u8, vcombine_u64,
    vcreate_u64, vdupq_n_u64, veorq_u64, vextq_u64, vgetq_lane_u64, vld1q_u64, vmaxvq_u32,
    vmvnq_u8, vornq_u64, vorrq_u64, vqsubq_u64, vrbitq_u8, vreinterpretq_u8_u64,
    vreinterpretq_u32_u64, vreinterpretq_u64_u8, vrev64q_u8, vshlq_n_u64, vshrq_n_u64, vst1q_u64,
    vzip1q_u64,
};

/// Sets of squares for both lanes, readable as one vector.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Lanes([u64; 2]);

/// The rays of a square towards higher indices: those on the board and those on the turned one. They
/// fill one line of a cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays([Lanes; 4]);

static RAYS: [Rays; 64] = {
    let mut table = [Rays([Lanes([0; 2]); 4]); 64];
    let mut square = 0;
    while square < 64 {
        let (here, turned) = (rays::up(square), rays::up(63 - square));
        let mut line = 0;
        while line < 4 {
            table[square].0[line] = Lanes([here[line], turned[line]]);
            line += 1;
        }
        square += 1;
    }
    table
};

/// The set of each square alone.
static SQUARES: [Lanes; 64] = {
    let mut table = [Lanes([0; 2]); 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Lanes([1 << square, 1 << (63 - square)]);
        square += 1;
    }
    table
};

/// Both lanes of a table's entry.
#[target_feature(enable = "neon")]
#[inline]
fn load(lanes: &Lanes) -> uint64x2_t {
    // SAFETY: two numbers are 16 readable bytes.
    unsafe { vld1q_u64(lanes.0.as_ptr()) }
}

/// A set of squares in both lanes.
#[target_feature(enable = "neon")]
#[inline]
fn both(set: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(set), vcreate_u64(set.reverse_bits()))
}

/// What either lane has.
#[target_feature(enable = "neon")]
#[inline]
fn union(v: uint64x2_t) -> u64 {
    vgetq_lane_u64::<0>(v) | vgetq_lane_u64::<1>(v).reverse_bits()
}

/// What either lane has, in both.
#[target_feature(enable = "neon")]
#[inline]
fn union_in_both(v: uint64x2_t) -> uint64x2_t {
    let turned = vrev64q_u8(vrbitq_u8(vreinterpretq_u8_u64(v)));
    let turned = vreinterpretq_u64_u8(turned);
    vorrq_u64(v, vextq_u64::<1>(turned, turned))
}

/// See [`super::portable::legal_moves`].
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    union(reached(both(mover), both(opponent))) & !(mover | opponent)
}

/// The squares beyond rows of opponent discs that begin next to an own disc, each direction in its
/// lane; those with a disc mean nothing.
#[target_feature(enable = "neon")]
#[inline]
fn reached(own: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
    // Opponent discs on file a or h cannot be crossed by a line that has a horizontal part.
    let inner = vandq_u64(other, vdupq_n_u64(0x7e7e_7e7e_7e7e_7e7e));
    // Along a row discs are neighbouring bits: a one that is added to the first of them carries to
    // the square beyond the last.
    let firsts = vandq_u64(inner, vshlq_n_u64::<1>(own));
    let row = vaddq_u64(inner, firsts);
    let file = below::<8, 16>(own, other);
    let diagonals = vorrq_u64(below::<7, 14>(own, inner), below::<9, 18>(own, inner));
    vorrq_u64(vorrq_u64(row, file), diagonals)
}

/// The squares below rows of opponent discs that begin below an own disc, along one line.
///
/// A square is right if, from it upwards, the first that has no opponent disc has an own one. That is
/// known at first of rows of one disc, then of two, of four, and of six, the longest that there are:
/// where the row goes on, what is known of the square there takes the place of what is known here.
/// A choice like that is one instruction. The compiler takes it apart if both sides of it come from
/// shifts by the same distance, which is why pairs are found before they are shifted.
#[target_feature(enable = "neon")]
#[inline]
fn below<const STEP: i32, const TWO_STEPS: i32>(own: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
    let step = |v| vshrq_n_u64::<STEP>(v);
    let two_steps = |v| vshrq_n_u64::<TWO_STEPS>(v);
    let goes_on = step(other);
    let goes_on_twice = step(vandq_u64(other, goes_on));
    let of_one = step(own);
    let of_two = vbslq_u64(goes_on, step(of_one), of_one);
    let of_four = vbslq_u64(goes_on_twice, two_steps(of_two), of_two);
    let of_six = vbslq_u64(goes_on_twice, two_steps(of_four), of_four);
    step(vandq_u64(other, of_six))
}

/// See [`super::portable::flips`].
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn flips(square: Square, mover: u64, opponent: u64) -> u64 {
    union(Discs::of(mover, opponent).flips_upwards(square))
}

/// What is found for each ray of a square, as far as it lies on that ray.
#[target_feature(enable = "neon")]
#[inline]
fn along_rays(square: Square, found: impl Fn(uint64x2_t) -> uint64x2_t) -> uint64x2_t {
    let [a, b, c, d] = RAYS[square.index()].0.each_ref();
    let (a, b, c, d) = (load(a), load(b), load(c), load(d));
    // Rays have no square in common, so that to choose by a ray is to add what lies on it, in one
    // instruction. On top of a single ray's share the compiler would make three of it.
    let two = vorrq_u64(vandq_u64(found(a), a), vandq_u64(found(b), b));
    vbslq_u64(d, found(d), vbslq_u64(c, found(c), two))
}

/// The discs of both sides, each in both lanes: from move to move nothing needs to leave the
/// registers.
#[derive(Debug, Clone, Copy)]
pub struct Discs {
    own: uint64x2_t,
    other: uint64x2_t,
}

/// Discs that were turned, in both lanes.
#[derive(Debug, Clone, Copy)]
pub struct Turned(uint64x2_t);

impl Discs {
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn of(mover: u64, opponent: u64) -> Self {
        Self {
            own: both(mover),
            other: both(opponent),
        }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn sides(self) -> (u64, u64) {
        (
            vgetq_lane_u64::<0>(self.own),
            vgetq_lane_u64::<0>(self.other),
        )
    }

    /// The discs that a move turns: those above the square in the low lane, those below it, which
    /// are above it on the turned board, in the high one.
    #[target_feature(enable = "neon")]
    #[inline]
    fn flips_upwards(self, square: Square) -> uint64x2_t {
        let Self { own, other } = self;
        let one = vdupq_n_u64(1);
        let below_the_end = |ray| {
            // Where all but the stops are ones, a one that is added at the bottom carries to the
            // nearest stop. If that is ours, the bits of the ray below it flip.
            let passable = vornq_u64(other, ray);
            let nearest = vaddq_u64(passable, one);
            let end = vandq_u64(vandq_u64(nearest, own), ray);
            vqsubq_u64(end, one)
        };
        along_rays(square, below_the_end)
    }

    /// See [`super::tier::Kernels::turned`].
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn turned(self, square: Square) -> Option<Turned> {
        // Without an opponent disc next to the square there are none, which is quick to see.
        if NEIGHBOURS[square.index()] & vgetq_lane_u64::<0>(self.other) == 0 {
            return None;
        }
        let flips = self.flips_upwards(square);
        if vmaxvq_u32(vreinterpretq_u32_u64(flips)) == 0 {
            return None;
        }
        Some(Turned(union_in_both(flips)))
    }

    /// See [`super::tier::Kernels::after`].
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn after(self, square: Square, Turned(turned): Turned) -> Self {
        let played = load(&SQUARES[square.index()]);
        Self {
            own: veorq_u64(self.other, turned),
            other: vorrq_u64(veorq_u64(self.own, turned), played),
        }
    }

    /// See [`super::tier::Kernels::score_after`].
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn score_after(self, Turned(turned): Turned, left: Square, alpha: i32) -> i32 {
        let mover = veorq_u64(self.other, turned);
        // Every disc is there twice.
        let discs = count(mover);
        let gain = last_flips(left, mover);
        if gain > 0 {
            return discs + 2 * gain - 62;
        }
        let unplayed = unplayed_score(discs);
        if unplayed > alpha {
            // The empty square is on none of its rays.
            let opponent = vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(mover)));
            let loss = last_flips(left, opponent);
            if loss > 0 {
                return discs - 2 * loss - 64;
            }
        }
        unplayed
    }
}

/// How many discs a move on the only empty square turns.
#[target_feature(enable = "neon")]
#[inline]
fn last_flips(square: Square, mover: uint64x2_t) -> i32 {
    let one = vdupq_n_u64(1);
    // Less one, the own discs on a ray lose the lowest and gain what lies below it, which has opponent
    // discs only.
    let below = along_rays(square, |ray| vqsubq_u64(vandq_u64(mover, ray), one));
    count(vbicq_u64(below, mover))
}

/// The bits of both lanes.
#[target_feature(enable = "neon")]
#[inline]
fn count(v: uint64x2_t) -> i32 {
    i32::from(vaddvq_u8(vcntq_u8(vreinterpretq_u8_u64(v))))
}

/// See [`super::tier::Kernels::children`].
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn children(mover: u64, opponent: u64, mut moves: u64, children: &mut Children) {
    let discs = Discs::of(mover, opponent);
    while moves != 0 {
        let square = Square::from_low_bits(moves.trailing_zeros());
        moves &= moves - 1;
        let turned = Turned(union_in_both(discs.flips_upwards(square)));
        let Discs { own, other } = discs.after(square, turned);
        let replies = vbicq_u64(union_in_both(reached(own, other)), vorrq_u64(own, other));
        let played = load(&SQUARES[square.index()]);
        // The fields of a `Child`, two by two.
        let (sides, rest) = (vzip1q_u64(own, other), vzip1q_u64(replies, played));
        let Some(room) = children.room_for_one() else {
            break;
        };
        let room = room.cast::<u64>();
        // SAFETY: there is room for a child, which is four numbers.
        unsafe { vst1q_u64(room, sides) };
        // SAFETY: these four have a third.
        let room = unsafe { room.add(2) };
        // SAFETY: the third and the fourth are left.
        unsafe { vst1q_u64(room, rest) };
        // SAFETY: the place was just written.
        unsafe { children.wrote(1) };
    }
}
