//! The transposition table: what earlier searches found out about a position, shared by threads.
//!
//! An entry is two words, a key and packed data. Both are written without a lock; the key is
//! stored XORed with the data, so a torn pair fails the comparison and reads as absent (Hyatt and
//! Mann, *A Lockless Transposition Table Implementation for Parallel Search*, 2002). The key is a
//! 64-bit hash of the whole board: the chance of a false match in a billion probes is under 10⁻⁹.

use othello::{Board, Square};
use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// A well-mixed 64-bit hash of a board.
#[inline]
pub(crate) fn hash_of(board: Board) -> u64 {
    let mixed = board.mover().0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ board
            .opponent()
            .0
            .wrapping_mul(0xd6e8_feb8_6659_fd93)
            .rotate_left(32);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 29)
}

/// How thorough the search behind an entry was: depth first, then the selectivity level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Draft {
    /// Remaining plies; the number of empty squares or more means to the end.
    pub(crate) depth: u8,
    /// Index into the selectivity ladder; higher is more thorough.
    pub(crate) level: u8,
}

impl Draft {
    /// Whether an entry of this draft answers for `wanted`.
    #[inline]
    pub(crate) const fn covers(self, wanted: Self) -> bool {
        self.depth >= wanted.depth && self.level >= wanted.level
    }
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The value is at least this, in centidiscs.
    pub(crate) lower: i16,
    /// The value is at most this.
    pub(crate) upper: i16,
    /// How thoroughly these were found.
    pub(crate) draft: Draft,
    /// The best move found and the one it replaced.
    pub(crate) moves: [Option<Square>; 2],
}

const NO_MOVE: u64 = 64;
const AGE_BITS: u32 = 7;

impl Entry {
    #[inline]
    fn pack(self, age: u64) -> u64 {
        let square = |s: Option<Square>| s.map_or(NO_MOVE, |s| s.index() as u64);
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.draft.depth) << 32
            | u64::from(self.draft.level) << 40
            | square(self.moves[0]) << 43
            | square(self.moves[1]) << 50
            | age << 57
    }

    #[inline]
    fn unpack(data: u64) -> Self {
        let square = |bits: u64| {
            let index = bits & 0x7f;
            (index < NO_MOVE).then(|| Square::from_low_bits(index as u32))
        };
        Self {
            lower: data as i16,
            upper: (data >> 16) as i16,
            draft: Draft {
                depth: (data >> 32) as u8,
                level: (data >> 40) as u8 & 7,
            },
            moves: [square(data >> 43), square(data >> 50)],
        }
    }
}

#[inline]
const fn age_of(data: u64) -> u64 {
    data >> 57
}

/// A key and its data.
type Slot = [AtomicU64; 2];

const WAYS: usize = 4;

type Bucket = [Slot; WAYS];

const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// A bucket is one of these, so that a look-up waits for the memory once.
const CACHE_LINE: usize = 64;

/// So many searches after [`Table::clear`] find all that those since then have stored: a whole game
/// does not depend on how old the table was at its beginning.
const SEARCHES_AFTER_CLEAR: u64 = 64;

/// There is no memory for a table of the size that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableError {
    /// Megabytes that were asked for.
    pub asked_mb: usize,
    /// Megabytes that there is memory for, by halving; 0 if not even one is left.
    pub available_mb: usize,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            asked_mb,
            available_mb,
        } = self;
        write!(
            f,
            "there is no memory for a transposition table of {asked_mb} MB; "
        )?;
        match available_mb {
            0 => write!(f, "not even 1 MB is left"),
            _ => write!(f, "{available_mb} MB can be had"),
        }
    }
}

impl std::error::Error for TableError {}

/// The table. Shared by reference among threads; one search at a time ages it.
#[derive(Debug)]
pub(crate) struct Table {
    /// The system hands them out as zeros and finds the memory when a page is first touched: a
    /// large table costs nothing until it is used.
    slots: Box<[Slot]>,
    /// Where in `slots` the first bucket begins: on a cache line. A type with that alignment would
    /// have it by itself, but then the standard library writes all the zeros.
    first: usize,
    shift: u32,
    age: u64,
    /// Mixed into every key; a new one makes all entries strangers.
    salt: u64,
}

impl Table {
    /// A table of the largest power of two of buckets that fits into `megabytes` (at least one).
    pub(crate) fn new(megabytes: usize) -> Result<Self, TableError> {
        let asked_mb = megabytes.max(1);
        let of_megabytes = |size: usize| {
            let wanted = size.saturating_mul(1 << 20) / size_of::<Bucket>();
            Self::of_buckets(1 << wanted.ilog2())
        };
        of_megabytes(asked_mb).ok_or_else(|| TableError {
            asked_mb,
            available_mb: std::iter::successors(Some(asked_mb / 2), |size| Some(size / 2))
                .take_while(|&size| size > 0)
                .find(|&size| of_megabytes(size).is_some())
                .unwrap_or(0),
        })
    }

    /// A table of eight entries.
    pub(crate) fn smallest() -> Result<Self, TableError> {
        Self::of_buckets(2).ok_or(TableError {
            asked_mb: 1,
            available_mb: 0,
        })
    }

    /// `n` is a power of two, at least 2; nothing if there is not so much memory.
    fn of_buckets(n: usize) -> Option<Self> {
        // Room for moving the first bucket to where a cache line begins.
        let n_slots = n.checked_mul(WAYS)?.checked_add(WAYS - 1)?;
        let slots: Box<[Slot]> = bytemuck::try_zeroed_slice_box(n_slots).ok()?;
        let beyond_line = slots.as_ptr().addr() % CACHE_LINE;
        Some(Self {
            first: (CACHE_LINE - beyond_line) % CACHE_LINE / size_of::<Slot>(),
            slots,
            shift: 64 - n.ilog2(),
            age: 1,
            salt: 0,
        })
    }

    /// Forgets everything, mostly without touching the memory: old entries are no longer
    /// recognised and are the first to be replaced, as if their places were vacant.
    pub(crate) fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if (self.age + SEARCHES_AFTER_CLEAR) >> AGE_BITS == 0 {
            self.age += 1;
        } else {
            self.wipe();
        }
    }

    /// Begins a new search: what older ones stored becomes cheap to replace.
    pub(crate) fn advance(&mut self) {
        self.age += 1;
        if self.age >> AGE_BITS != 0 {
            self.wipe();
        }
    }

    fn wipe(&mut self) {
        for slot in &mut self.slots {
            *slot = Slot::default();
        }
        self.age = 1;
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        let at = self.first + WAYS * (hash >> self.shift) as usize;
        self.slots[at..]
            .first_chunk()
            .expect("the table has room for its last bucket")
    }

    /// What is known of the position with this hash.
    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        let key = hash ^ self.salt;
        for [slot_key, slot_data] in self.bucket(hash) {
            let data = slot_data.load(Ordering::Relaxed);
            if slot_key.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores bounds. A position's own entry is tightened or replaced by a more thorough one;
    /// otherwise the least valuable entry of the bucket goes: old ones first, then shallow ones.
    /// Returns whether a current entry of another position was lost.
    pub(crate) fn store(&self, hash: u64, mut entry: Entry) -> bool {
        let bucket = self.bucket(hash);
        let key = hash ^ self.salt;
        let mut victim = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let [slot_key, slot_data] = slot;
            let data = slot_data.load(Ordering::Relaxed);
            if slot_key.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = Entry::unpack(data);
                if old.draft > entry.draft && age_of(data) == self.age {
                    // Keep the thorough bounds, but the newest move.
                    let moves = newest_first(entry.moves[0], old.moves);
                    self.write(slot, key, Entry { moves, ..old });
                    return false;
                }
                if old.draft == entry.draft {
                    let (lower, upper) = (old.lower.max(entry.lower), old.upper.min(entry.upper));
                    // Bounds of different searches with selectivity may contradict each other.
                    if lower <= upper {
                        (entry.lower, entry.upper) = (lower, upper);
                    }
                }
                entry.moves = newest_first(entry.moves[0], old.moves);
                self.write(slot, key, entry);
                return false;
            }
            let value = worth(data, self.age);
            if value < least {
                least = value;
                victim = slot;
            }
        }
        self.write(victim, key, entry);
        least > CURRENT
    }

    /// Entries of the current search per thousand places, from a sample.
    pub(crate) fn fill_permille(&self) -> u32 {
        let sample = self.slots[self.first..].iter().take(1000);
        let current = sample.clone().filter(|[_, data]| {
            let data = data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == self.age
        });
        (1000 * current.count() / sample.count().max(1)) as u32
    }

    #[inline]
    fn write(&self, [slot_key, slot_data]: &Slot, key: u64, entry: Entry) {
        let data = entry.pack(self.age);
        slot_key.store(key ^ data, Ordering::Relaxed);
        slot_data.store(data, Ordering::Relaxed);
    }
}

fn newest_first(new: Option<Square>, old: [Option<Square>; 2]) -> [Option<Square>; 2] {
    match new {
        None => old,
        Some(_) if new == old[0] => old,
        Some(_) => [new, old[0]],
    }
}

/// An entry of the current search is worth more than any older one.
const CURRENT: u64 = 1 << 16;

/// What an entry is worth keeping: nothing if vacant, little if old.
#[inline]
const fn worth(data: u64, age: u64) -> u64 {
    let current = if age_of(data) == age { CURRENT } else { 0 };
    if data == 0 {
        0
    } else {
        1 + current + (data >> 32 & 0xff) * 8 + (data >> 40 & 7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;

    fn entry(lower: i16, upper: i16, depth: u8) -> Entry {
        Entry {
            lower,
            upper,
            draft: Draft { depth, level: 5 },
            moves: [Square::new(depth % 64), None],
        }
    }

    #[test]
    fn entries_round_trip_and_bounds_tighten() {
        let table = Table::new(1).unwrap();
        for (i, board) in random_boards(51).take(500).enumerate() {
            let hash = hash_of(board);
            table.store(hash, entry(-300, 500, (i % 60) as u8 + 1));
            let found = table.probe(hash).unwrap();
            assert!(found.lower <= found.upper);
        }
        let hash = 0x1234_5678_9abc_def0;
        table.store(hash, entry(-300, 500, 10));
        table.store(hash, entry(-100, 700, 10));
        let found = table.probe(hash).unwrap();
        assert_eq!((found.lower, found.upper), (-100, 500));
        table.store(hash, entry(0, 100, 8));
        let found = table.probe(hash).unwrap();
        assert_eq!((found.lower, found.draft.depth), (-100, 10), "deeper stays");
        assert_eq!(found.moves[0], Square::new(8), "newest move first");
        assert_eq!(table.probe(hash ^ 1), None);
    }

    /// Whatever happened before, a game's worth of searches keeps what it stores.
    #[test]
    fn ages_never_run_out_within_a_game_after_clearing() {
        let hash = 0x1234_5678_9abc_def0;
        let mut table = Table::new(1).unwrap();
        for before in 0..200 {
            table.clear();
            assert_eq!(table.probe(hash), None, "after {before} clearings");
            table.advance();
            table.store(hash, entry(-300, 500, 10));
            for _ in 1..SEARCHES_AFTER_CLEAR {
                table.advance();
            }
            assert!(table.probe(hash).is_some(), "after {before} clearings");
        }
    }

    #[test]
    fn more_memory_than_there_is_gives_an_error_that_says_what_there_is() {
        // Too many bytes to count, to address, and to have.
        for asked_mb in [usize::MAX, usize::MAX >> 20, 1 << 43, 1 << 33] {
            let error = Table::new(asked_mb).unwrap_err();
            assert_eq!(error.asked_mb, asked_mb);
            assert!(error.available_mb > 0 && error.available_mb < asked_mb);
            let text = error.to_string();
            assert!(
                text.contains(&format!("{asked_mb} MB"))
                    && text.contains(&format!("{} MB can be had", error.available_mb)),
                "{text}"
            );
            assert!(Table::new(error.available_mb).is_ok());
        }
    }

    #[test]
    fn buckets_begin_on_cache_lines_and_the_last_one_is_there() {
        for megabytes in [0, 1, 3, 16] {
            let table = Table::new(megabytes).unwrap();
            for hash in [0, u64::MAX, 0x1234_5678_9abc_def0] {
                let bucket: *const Bucket = table.bucket(hash);
                assert_eq!(bucket.addr() % CACHE_LINE, 0, "{megabytes} MB");
                table.store(hash, entry(-300, 500, 10));
                assert!(table.probe(hash).is_some(), "{megabytes} MB");
            }
        }
    }

    #[test]
    fn hashes_of_many_boards_differ() {
        let mut boards: Vec<Board> = random_boards(52).take(200_000).collect();
        boards.sort_unstable();
        boards.dedup();
        let mut hashes: Vec<u64> = boards.iter().map(|&b| hash_of(b)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), boards.len());
    }
}
