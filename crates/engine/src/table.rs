//! The transposition table: what earlier searches found out about a position, shared by threads.
//!
//! An entry is two words, a key and packed data. Both are written without a lock; the key is
//! stored XORed with the data, so a torn pair fails the comparison and reads as absent (Hyatt and
//! Mann, *A Lockless Transposition Table Implementation for Parallel Search*, 2002). The key is a
//! 64-bit hash of the whole board: the chance of a false match in a billion probes is under 10⁻⁹.

use othello::{Board, Square};
use std::sync::atomic::{AtomicU64, Ordering};

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

#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// So many searches after [`Table::clear`] find all that those since then have stored: a whole game
/// does not depend on how old the table was at its beginning.
const SEARCHES_AFTER_CLEAR: u64 = 64;

fn n_buckets(megabytes: usize) -> usize {
    let wanted = megabytes.max(1).saturating_mul(1 << 20) / size_of::<Bucket>();
    1 << wanted.ilog2()
}

/// The table. Shared by reference among threads; one search at a time ages it.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    shift: u32,
    age: u64,
    /// Mixed into every key; a new one makes all entries strangers.
    salt: u64,
}

impl Table {
    /// A table of the largest power of two of buckets that fits into `megabytes` (at least one).
    pub(crate) fn new(megabytes: usize) -> Self {
        Self::of_buckets(Vec::new(), n_buckets(megabytes))
    }

    /// The same, or nothing if there is not so much memory.
    pub(crate) fn try_new(megabytes: usize) -> Option<Self> {
        let n = n_buckets(megabytes);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(n).ok()?;
        Some(Self::of_buckets(buckets, n))
    }

    fn of_buckets(mut buckets: Vec<Bucket>, n: usize) -> Self {
        buckets.resize_with(n, Bucket::default);
        Self {
            buckets,
            shift: 64 - n.ilog2(),
            age: 1,
            salt: 0,
        }
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
        for slot in self.buckets.iter_mut().flat_map(|b| &mut b.0) {
            *slot = Slot::default();
        }
        self.age = 1;
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[(hash >> self.shift) as usize]
    }

    /// What is known of the position with this hash.
    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        let key = hash ^ self.salt;
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == key && data != 0 {
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
        let mut victim = &bucket.0[0];
        let mut least = u64::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == key && data != 0 {
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
        let sample = self.buckets.iter().take(250).flat_map(|b| &b.0);
        let current = sample.clone().filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == self.age
        });
        (1000 * current.count() / sample.count().max(1)) as u32
    }

    #[inline]
    fn write(&self, slot: &Slot, key: u64, entry: Entry) {
        let data = entry.pack(self.age);
        slot.key.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
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
        let table = Table::new(1);
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
        let mut table = Table::new(1);
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
    fn more_memory_than_there_is_gives_no_table() {
        assert!(Table::try_new(usize::MAX).is_none());
        assert!(Table::try_new(1).is_some());
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
