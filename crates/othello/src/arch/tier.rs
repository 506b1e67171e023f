//! Code that is compiled once for each level of a processor and chosen at run time.
//!
//! The kernels that [`crate::Board`] uses are chosen by the build. Where nearly all work of a
//! program is behind one door, it can do better: the code behind that door is generic over
//! [`Kernels`], and [`Tier::current`] says which one the processor can run.
//!
//! A kernel is fast only if it is inlined, and it is inlined only into functions that may use its
//! instructions. So functions behind the door are entered through [`Kernels::enter`], which calls
//! them inside of a function of that kind. Functions that they call without it belong to them if
//! they are marked `#[inline(always)]`.

#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use super::{last, portable};
use crate::{Bitboard, Board, Square};
use std::{fmt, mem::MaybeUninit, str::FromStr, sync::OnceLock};

/// The kernels of one tier. A value exists only where the processor can run them.
pub trait Kernels: Copy + fmt::Debug {
    /// A board in the form in which this tier goes through several moves fastest.
    type Discs: Copy;

    /// The discs that a move turns, at least one.
    type Turned: Copy;

    /// See [`Board::legal_moves`].
    fn legal_moves(self, board: Board) -> Bitboard;

    /// See [`Board::flips`].
    fn flips(self, board: Board, square: Square) -> Bitboard;

    /// The boards after each of these legal moves, from the lowest square to the highest, with the
    /// moves that are legal on them. Moves beyond [`Children::MOST`] are left out. The list must be
    /// empty. It is handed in because the compiler does not always make it where it belongs, and
    /// copying it out costs 3 % of a solver's time.
    fn children(self, board: Board, moves: Bitboard, children: &mut Children);

    /// One side's discs on the four edges and in the four corners of three by three squares.
    #[inline(always)]
    fn border(self, discs: Bitboard) -> Border {
        portable::border(discs.0)
    }

    /// The form for several moves one after the other.
    fn discs(self, board: Board) -> Self::Discs;

    /// The board in its usual form.
    fn board(self, discs: Self::Discs) -> Board;

    /// What a move on an empty square turns; nothing if it is not legal.
    fn turned(self, discs: Self::Discs, square: Square) -> Option<Self::Turned>;

    /// The board after a move, seen by who moves next.
    fn after(self, discs: Self::Discs, square: Square, turned: Self::Turned) -> Self::Discs;

    /// The score of the board after a move that leaves one square, for who moves next, as it must
    /// end; see [`last::score`].
    fn score_after(self, discs: Self::Discs, turned: Self::Turned, left: Square, alpha: i32)
    -> i32;

    /// Calls a function that may use the instructions of this tier. The arguments are four because
    /// a tuple or a closure would go through memory.
    fn enter<F, A, B, C, D, R>(self, function: F, a: A, b: B, c: C, d: D) -> R
    where
        F: FnOnce(A, B, C, D) -> R;
}

/// Discs of one side along the border, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Border {
    /// Ranks 1 and 8 from the a-file on, files a and h from rank 1 on.
    pub edges: [u8; 4],
    /// The nine squares at a1, h1, a8 and h8, from the lowest to the highest.
    pub corners: [u16; 4],
}

/// A board after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Child {
    mover: u64,
    opponent: u64,
    replies: u64,
    /// The set of just this square.
    played: u64,
}

impl Child {
    /// Seen by who moves next.
    #[inline(always)]
    pub const fn board(self) -> Board {
        Board::new_unchecked(Bitboard(self.mover), Bitboard(self.opponent))
    }

    /// The legal moves of [`Child::board`].
    #[inline(always)]
    pub const fn replies(self) -> Bitboard {
        Bitboard(self.replies)
    }

    #[inline(always)]
    pub const fn square(self) -> Square {
        Square::from_low_bits(self.played.trailing_zeros())
    }
}

/// The boards after some moves of one board.
#[derive(Clone, Copy)]
pub struct Children {
    list: [MaybeUninit<Child>; Self::MOST],
    /// So many of the list are written.
    len: usize,
}

impl Children {
    /// As many as fit; a board with fewer empty squares has fewer.
    pub const MOST: usize = 16;

    #[inline(always)]
    /// An empty list for [`Kernels::children`].
    pub const fn none() -> Self {
        Self {
            list: [const { MaybeUninit::uninit() }; Self::MOST],
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) const fn push(&mut self, child: Child) {
        if self.len < Self::MOST {
            self.list[self.len] = MaybeUninit::new(child);
            self.len += 1;
        }
    }

    /// Where one more can be written, if there is room; call [`Children::wrote`] then.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) fn room_for_one(&mut self) -> Option<*mut Child> {
        Some(self.list.get_mut(self.len)?.as_mut_ptr())
    }

    /// Counts children as written.
    ///
    /// # Safety
    ///
    /// The next `n` places of the list must have been written.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) const unsafe fn wrote(&mut self, n: usize) {
        self.len += n;
    }

    #[inline(always)]
    pub const fn as_slice(&self) -> &[Child] {
        let written: *const MaybeUninit<Child> = self.list.as_ptr();
        // SAFETY: the first `len` places are written, and `len` is at most `MOST`.
        unsafe { std::slice::from_raw_parts(written.cast::<Child>(), self.len) }
    }
}

impl fmt::Debug for Children {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// A child by kernels that look at one move at a time.
#[inline(always)]
fn child(kernels: impl Kernels, board: Board, square: Square) -> Child {
    let next = board.play_unchecked(square, kernels.flips(board, square));
    Child {
        mover: next.mover().0,
        opponent: next.opponent().0,
        replies: kernels.legal_moves(next).0,
        played: square.bit().0,
    }
}

/// Several moves one after the other, by kernels that look at one at a time.
macro_rules! one_move_at_a_time {
    () => {
        type Discs = Board;
        type Turned = Bitboard;

        #[inline(always)]
        fn discs(self, board: Board) -> Board {
            board
        }

        #[inline(always)]
        fn board(self, discs: Board) -> Board {
            discs
        }

        #[inline(always)]
        fn turned(self, discs: Board, square: Square) -> Option<Bitboard> {
            let flips = last::flips_if_near(self, discs, square);
            (!flips.is_empty()).then_some(flips)
        }

        #[inline(always)]
        fn after(self, discs: Board, square: Square, turned: Bitboard) -> Board {
            discs.play_unchecked(square, turned)
        }

        #[inline(always)]
        fn score_after(self, discs: Board, turned: Bitboard, left: Square, alpha: i32) -> i32 {
            last::score(discs.opponent() ^ turned, left, alpha)
        }
    };
}

/// Plain Rust, for every processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Kernels for Portable {
    one_move_at_a_time!();

    #[inline(always)]
    fn legal_moves(self, board: Board) -> Bitboard {
        Bitboard(portable::legal_moves(board.mover().0, board.opponent().0))
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        Bitboard(portable::flips(square, board.mover().0, board.opponent().0))
    }

    #[inline(always)]
    fn children(self, board: Board, moves: Bitboard, children: &mut Children) {
        for square in moves {
            children.push(child(self, board, square));
        }
    }

    #[inline(always)]
    fn enter<F, A, B, C, D, R>(self, function: F, a: A, b: B, c: C, d: D) -> R
    where
        F: FnOnce(A, B, C, D) -> R,
    {
        #[inline]
        fn within<F: FnOnce(A, B, C, D) -> R, A, B, C, D, R>(f: F, a: A, b: B, c: C, d: D) -> R {
            f(a, b, c, d)
        }
        within(function, a, b, c, d)
    }
}

/// Four directions in a register: x86-64-v3, processors since about 2015.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    fn detect() -> Option<Self> {
        let has_all = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernels for Avx2 {
    one_move_at_a_time!();

    #[inline(always)]
    fn legal_moves(self, board: Board) -> Bitboard {
        // SAFETY: `self` exists, so that the processor has AVX2.
        Bitboard(unsafe { avx2::legal_moves(board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        // SAFETY: `self` exists, so that the processor has AVX2.
        Bitboard(unsafe { avx2::flips(square, board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn children(self, board: Board, moves: Bitboard, children: &mut Children) {
        for square in moves {
            children.push(child(self, board, square));
        }
    }

    #[inline(always)]
    fn enter<F, A, B, C, D, R>(self, function: F, a: A, b: B, c: C, d: D) -> R
    where
        F: FnOnce(A, B, C, D) -> R,
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline]
        fn within<F: FnOnce(A, B, C, D) -> R, A, B, C, D, R>(f: F, a: A, b: B, c: C, d: D) -> R {
            f(a, b, c, d)
        }
        // SAFETY: `self` exists, so that the processor has these features.
        unsafe { within(function, a, b, c, d) }
    }
}

/// Two moves in a register: x86-64-v4 and counting in vectors, processors since about 2019.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    fn detect() -> Option<Self> {
        let has_all = Avx2::detect().is_some()
            && std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vpopcntdq");
        has_all.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernels for Avx512 {
    type Discs = avx512::Discs;
    type Turned = avx512::Turned;

    #[inline(always)]
    fn border(self, discs: Bitboard) -> Border {
        // SAFETY: `self` exists, so that the processor has BMI2.
        unsafe { avx512::border(discs.0) }
    }

    #[inline(always)]
    fn discs(self, board: Board) -> avx512::Discs {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        unsafe { avx512::Discs::of(board.mover().0, board.opponent().0) }
    }

    #[inline(always)]
    fn board(self, discs: avx512::Discs) -> Board {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        let (mover, opponent) = unsafe { discs.sides() };
        Board::new_unchecked(Bitboard(mover), Bitboard(opponent))
    }

    #[inline(always)]
    fn turned(self, discs: avx512::Discs, square: Square) -> Option<avx512::Turned> {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        unsafe { discs.turned(square) }
    }

    #[inline(always)]
    fn after(self, discs: avx512::Discs, square: Square, turned: avx512::Turned) -> avx512::Discs {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        unsafe { discs.after(square, turned) }
    }

    #[inline(always)]
    fn score_after(
        self,
        discs: avx512::Discs,
        turned: avx512::Turned,
        left: Square,
        alpha: i32,
    ) -> i32 {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        unsafe { discs.score_after(turned, left, alpha) }
    }

    #[inline(always)]
    fn legal_moves(self, board: Board) -> Bitboard {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        Bitboard(unsafe { avx512::legal_moves(board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        Bitboard(unsafe { avx512::flips(square, board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn children(self, board: Board, moves: Bitboard, children: &mut Children) {
        // SAFETY: `self` exists, so that the processor has these features of AVX-512.
        unsafe { avx512::children(board.mover().0, board.opponent().0, moves.0, children) };
    }

    #[inline(always)]
    fn enter<F, A, B, C, D, R>(self, function: F, a: A, b: B, c: C, d: D) -> R
    where
        F: FnOnce(A, B, C, D) -> R,
    {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
        )]
        #[inline]
        fn within<F: FnOnce(A, B, C, D) -> R, A, B, C, D, R>(f: F, a: A, b: B, c: C, d: D) -> R {
            f(a, b, c, d)
        }
        // SAFETY: `self` exists, so that the processor has these features.
        unsafe { within(function, a, b, c, d) }
    }
}

/// Both directions of a line in a register: every ARM64 processor.
#[cfg(target_arch = "aarch64")]
#[derive(Debug, Clone, Copy)]
pub struct Neon;

#[cfg(target_arch = "aarch64")]
impl Kernels for Neon {
    type Discs = neon::Discs;
    type Turned = neon::Turned;

    #[inline(always)]
    fn discs(self, board: Board) -> neon::Discs {
        // SAFETY: NEON is part of ARM64.
        unsafe { neon::Discs::of(board.mover().0, board.opponent().0) }
    }

    #[inline(always)]
    fn board(self, discs: neon::Discs) -> Board {
        // SAFETY: NEON is part of ARM64.
        let (mover, opponent) = unsafe { discs.sides() };
        Board::new_unchecked(Bitboard(mover), Bitboard(opponent))
    }

    #[inline(always)]
    fn turned(self, discs: neon::Discs, square: Square) -> Option<neon::Turned> {
        // SAFETY: NEON is part of ARM64.
        unsafe { discs.turned(square) }
    }

    #[inline(always)]
    fn after(self, discs: neon::Discs, square: Square, turned: neon::Turned) -> neon::Discs {
        // SAFETY: NEON is part of ARM64.
        unsafe { discs.after(square, turned) }
    }

    #[inline(always)]
    fn score_after(
        self,
        discs: neon::Discs,
        turned: neon::Turned,
        left: Square,
        alpha: i32,
    ) -> i32 {
        // SAFETY: NEON is part of ARM64.
        unsafe { discs.score_after(turned, left, alpha) }
    }

    #[inline(always)]
    fn legal_moves(self, board: Board) -> Bitboard {
        // SAFETY: NEON is part of ARM64.
        Bitboard(unsafe { neon::legal_moves(board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        // SAFETY: NEON is part of ARM64.
        Bitboard(unsafe { neon::flips(square, board.mover().0, board.opponent().0) })
    }

    #[inline(always)]
    fn children(self, board: Board, moves: Bitboard, children: &mut Children) {
        // SAFETY: NEON is part of ARM64.
        unsafe { neon::children(board.mover().0, board.opponent().0, moves.0, children) };
    }

    #[inline(always)]
    fn enter<F, A, B, C, D, R>(self, function: F, a: A, b: B, c: C, d: D) -> R
    where
        F: FnOnce(A, B, C, D) -> R,
    {
        Portable.enter(function, a, b, c, d)
    }
}

/// Which kernels are in use, with the proof that they can be.
#[derive(Debug, Clone, Copy)]
pub enum Tier {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

/// What the program was told to use.
static CHOSEN: OnceLock<Tier> = OnceLock::new();

impl Tier {
    /// All that this processor can run, the slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        let portable = Some(Self::Portable(Portable));
        #[cfg(target_arch = "x86_64")]
        let tiers = [
            portable,
            Avx2::detect().map(Self::Avx2),
            Avx512::detect().map(Self::Avx512),
        ];
        #[cfg(target_arch = "aarch64")]
        let tiers = [portable, Some(Self::Neon(Neon))];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let tiers = [portable];
        tiers.into_iter().flatten()
    }

    /// The fastest that this processor can run, unless another was chosen.
    #[inline]
    pub fn current() -> Self {
        *CHOSEN.get_or_init(Self::fastest)
    }

    fn fastest() -> Self {
        Self::available()
            .next_back()
            .unwrap_or(Self::Portable(Portable))
    }

    /// Has the whole program use this tier, for tests and comparisons. The first choice counts;
    /// says whether this was it.
    pub fn choose(self) -> bool {
        CHOSEN.set(self).is_ok()
    }

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "x86-64-v3",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "x86-64-v4",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No tier of this processor has the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this processor has no kernels named {name:?}; it has {}", available.join(", "))]
pub struct UnknownTier {
    /// What was asked for.
    pub name: String,
    pub available: Vec<&'static str>,
}

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Self, UnknownTier> {
        Self::available()
            .find(|tier| tier.name() == name)
            .ok_or_else(|| UnknownTier {
                name: name.to_owned(),
                available: Self::available().map(Self::name).collect(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{reference, sample::random_boards};

    fn agrees_with_the_rules(kernels: impl Kernels) {
        for board in random_boards(2).take(3_000) {
            let legal = reference::legal_moves(board);
            assert_eq!(kernels.legal_moves(board), legal, "{kernels:?} {board:?}");
            for square in board.empties() {
                let expected = reference::flips(board, square);
                assert_eq!(
                    kernels.flips(board, square),
                    expected,
                    "{kernels:?} {board:?}"
                );
            }
            // Odd and even numbers of moves, up to more than there is room for.
            let n_legal = legal.len() as usize;
            for n in [0, 1, n_legal.saturating_sub(1), n_legal] {
                let moves: Bitboard = legal.into_iter().take(n).collect();
                let mut children = Children::none();
                kernels.children(board, moves, &mut children);
                let expected: Vec<Child> = moves
                    .into_iter()
                    .take(Children::MOST)
                    .map(|square| {
                        let next = board.play_unchecked(square, reference::flips(board, square));
                        Child {
                            mover: next.mover().0,
                            opponent: next.opponent().0,
                            replies: reference::legal_moves(next).0,
                            played: square.bit().0,
                        }
                    })
                    .collect();
                assert_eq!(children.as_slice(), expected, "{kernels:?} {board:?}");
            }
        }
    }

    fn finds_the_border(kernels: impl Kernels) {
        let bits = |discs: Bitboard, squares: &[u32]| {
            let bit = |(i, &square): (usize, &u32)| (discs.0 >> square & 1) << i;
            squares.iter().enumerate().map(bit).sum::<u64>()
        };
        for board in random_boards(5).take(1_000) {
            let found = kernels.border(board.mover());
            for (i, (first, step)) in [(0, 1), (56, 1), (0, 8), (7, 8)].into_iter().enumerate() {
                let squares: Vec<u32> = (0..8).map(|at| first + step * at).collect();
                let expected = bits(board.mover(), &squares);
                assert_eq!(u64::from(found.edges[i]), expected, "{kernels:?} {board:?}");
            }
            for (i, first) in [0, 5, 40, 45].into_iter().enumerate() {
                let squares: Vec<u32> = (0..9).map(|at| first + at % 3 + at / 3 * 8).collect();
                let expected = bits(board.mover(), &squares);
                assert_eq!(
                    u64::from(found.corners[i]),
                    expected,
                    "{kernels:?} {board:?}"
                );
            }
        }
    }

    fn goes_through_moves_as_the_rules_do(kernels: impl Kernels) {
        for board in random_boards(3).take(3_000) {
            let discs = kernels.discs(board);
            assert_eq!(kernels.board(discs), board, "{kernels:?}");
            for square in board.empties() {
                let flips = reference::flips(board, square);
                let turned = kernels.turned(discs, square);
                assert_eq!(turned.is_none(), flips.is_empty(), "{kernels:?} {board:?}");
                if let Some(turned) = turned {
                    let next = kernels.board(kernels.after(discs, square, turned));
                    let expected = board.play_unchecked(square, flips);
                    assert_eq!(next, expected, "{kernels:?} {board:?} {square}");
                }
            }
        }
    }

    /// Whatever a caller knows already, the score after a move that leaves one square is what the
    /// last move makes it, or a bound that is enough.
    fn counts_the_last_move(kernels: impl Kernels) {
        for board in random_boards(4)
            .filter(|board| board.empties().len() == 2)
            .take(2_000)
        {
            let discs = kernels.discs(board);
            for square in board.empties() {
                let Some(turned) = kernels.turned(discs, square) else {
                    continue;
                };
                let next = board.play_unchecked(square, reference::flips(board, square));
                let left = next.empties().first().unwrap();
                for alpha in -64..=64 {
                    let score = kernels.score_after(discs, turned, left, alpha);
                    assert_eq!(score, last::score(next.mover(), left, alpha), "{kernels:?}");
                }
            }
        }
    }

    fn check(kernels: impl Kernels) {
        agrees_with_the_rules(kernels);
        finds_the_border(kernels);
        goes_through_moves_as_the_rules_do(kernels);
        counts_the_last_move(kernels);
    }

    #[test]
    fn every_tier_agrees_with_the_rules() {
        for tier in Tier::available() {
            match tier {
                Tier::Portable(kernels) => check(kernels),
                #[cfg(target_arch = "x86_64")]
                Tier::Avx2(kernels) => check(kernels),
                #[cfg(target_arch = "x86_64")]
                Tier::Avx512(kernels) => check(kernels),
                #[cfg(target_arch = "aarch64")]
                Tier::Neon(kernels) => check(kernels),
            }
        }
    }

    #[test]
    fn tiers_are_found_by_their_names_and_others_are_refused() {
        for tier in Tier::available() {
            assert_eq!(tier.name().parse::<Tier>().unwrap().name(), tier.name());
        }
        let error = "z80".parse::<Tier>().unwrap_err();
        assert!(error.to_string().contains("\"z80\"; it has portable"));
    }
}
