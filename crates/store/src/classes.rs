//! The array of a batch for one class of positions: which games met which position of the class,
//! and what they did there.
//!
//! A byte that says whether it is dense, the number of entries, then planes: the lower 16 bits of
//! each entry's hash, its upper 8 bits, the first byte of the move that followed, and the game's
//! place in the batch as the distance from the entry before. A dense array has an entry for every
//! game and no places; a game that never met the class has the hash zero.
//!
//! The hash is cut to 24 bits: with the class, it tells all but a few positions of a million games
//! apart, and those are found out (see `find`).

use game::Footprint;

/// What a column keeps of a key. Zero means "none", and is not a hash.
pub(crate) const fn hash_of(key: u64) -> u32 {
    let hash = (key >> 40) as u32;
    if hash == 0 { 1 } else { hash }
}

/// A footprint as short as it is needed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Print {
    /// What arrays have of the key.
    pub(crate) hash: u32,
    /// The 32 bits of the key after those: counted positions are told apart by all 56.
    pub(crate) rest: u32,
    pub(crate) class: u16,
    pub(crate) next: u8,
}

impl Print {
    /// What is left of a key: `hash` and `rest`.
    pub(crate) const fn key(key: u64) -> u64 {
        (hash_of(key) as u64) << 32 | (key >> 8) as u32 as u64
    }

    pub(crate) const fn full_key(&self) -> u64 {
        (self.hash as u64) << 32 | self.rest as u64
    }

    /// Whether both are of one position.
    pub(crate) const fn is_same(&self, other: &Self) -> bool {
        self.class == other.class && self.full_key() == other.full_key()
    }
}

impl From<&Footprint> for Print {
    fn from(print: &Footprint) -> Self {
        Self {
            hash: hash_of(print.key),
            rest: (print.key >> 8) as u32,
            class: print.class,
            next: print.next,
        }
    }
}

/// A game's place in its batch with what it did there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) place: u32,
    pub(crate) next: u8,
}

const HEAD: usize = 5;

/// A distance that does not fit into a byte: it follows in two bytes, or in four.
const FAR: u8 = 254;
const FARTHER: u8 = 255;

/// Entries of one class, in the order of places.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    places: Vec<u32>,
    hashes: Vec<u32>,
    nexts: Vec<u8>,
}

impl Entries {
    pub(crate) fn push(&mut self, place: u32, hash: u32, next: u8) {
        self.places.push(place);
        self.hashes.push(hash);
        self.nexts.push(next);
    }

    /// Empties itself and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.hashes.clear();
        self.nexts.clear();
    }

    /// The bytes for a batch of so many games.
    pub(crate) fn to_bytes(&self, n_games: usize) -> Vec<u8> {
        let is_single = self.places.windows(2).all(|pair| pair[0] < pair[1]);
        if is_single && 4 * self.places.len() >= 3 * n_games {
            return self.dense(n_games);
        }
        let n = self.places.len();
        let mut bytes = Vec::with_capacity(HEAD + 5 * n + 16);
        bytes.push(0);
        bytes.extend_from_slice(&(n as u32).to_le_bytes());
        planes(&mut bytes, &self.hashes, &self.nexts);
        let mut last = 0;
        for place in &self.places {
            let distance = place - last;
            last = *place;
            if distance < u32::from(FAR) {
                bytes.push(distance as u8);
            } else if let Ok(distance) = u16::try_from(distance) {
                bytes.push(FAR);
                bytes.extend_from_slice(&distance.to_le_bytes());
            } else {
                bytes.push(FARTHER);
                bytes.extend_from_slice(&distance.to_le_bytes());
            }
        }
        bytes
    }

    fn dense(&self, n_games: usize) -> Vec<u8> {
        let mut hashes = vec![0; n_games];
        let mut nexts = vec![Footprint::END; n_games];
        for ((place, hash), next) in self.places.iter().zip(&self.hashes).zip(&self.nexts) {
            let at = *place as usize;
            if let (Some(cell), Some(move_cell)) = (hashes.get_mut(at), nexts.get_mut(at)) {
                (*cell, *move_cell) = (*hash, *next);
            }
        }
        let mut bytes = Vec::with_capacity(HEAD + 4 * n_games);
        bytes.push(1);
        bytes.extend_from_slice(&(n_games as u32).to_le_bytes());
        planes(&mut bytes, &hashes, &nexts);
        bytes
    }
}

fn planes(bytes: &mut Vec<u8>, hashes: &[u32], nexts: &[u8]) {
    for hash in hashes {
        bytes.extend_from_slice(&(*hash as u16).to_le_bytes());
    }
    bytes.extend(hashes.iter().map(|hash| (hash >> 16) as u8));
    bytes.extend_from_slice(nexts);
}

/// The array of a class, as it lies in the database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class<'a> {
    low: &'a [[u8; 2]],
    high: &'a [u8],
    nexts: &'a [u8],
    /// Distances; `None` for a dense array.
    places: Option<&'a [u8]>,
}

impl<'a> Class<'a> {
    /// `None` for bytes that no program wrote.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (is_dense, rest) = bytes.split_first()?;
        let (n, rest) = rest.split_first_chunk::<4>()?;
        let n = u32::from_le_bytes(*n) as usize;
        let (low, rest) = rest.split_at_checked(2 * n)?;
        let (high, rest) = rest.split_at_checked(n)?;
        let (nexts, places) = rest.split_at_checked(n)?;
        Some(Self {
            low: low.as_chunks::<2>().0,
            high,
            nexts,
            places: (*is_dense == 0).then_some(places),
        })
    }

    /// The entries with a hash, each game's first, of the games at the places that are wanted.
    pub(crate) fn find(&self, hash: u32, is_wanted: impl Fn(u32) -> bool) -> Vec<Entry> {
        let is_dense = self.places.is_none();
        let low = (hash as u16).to_le_bytes();
        let high = (hash >> 16) as u8;
        let mut found: Vec<usize> = Vec::new();
        // Blocks first: most of them have no match, and comparing a block is a few vector
        // instructions.
        for (block, cells) in self.low.chunks(64).enumerate() {
            if cells.iter().fold(false, |any, cell| any | (*cell == low)) {
                let here = cells.iter().enumerate().filter(|(_, cell)| **cell == low);
                let here = here.map(|(index, _)| 64 * block + index);
                found.extend(here.filter(|index| {
                    self.high.get(*index) == Some(&high) && (!is_dense || is_wanted(*index as u32))
                }));
            }
        }
        if found.is_empty() {
            return Vec::new();
        }
        let mut entries = Vec::with_capacity(found.len());
        let mut places = Places::new(self.places);
        for index in found {
            let place = places.at(index);
            let next = self.nexts.get(index).copied().unwrap_or(Footprint::END);
            let is_first = |last: &Entry| last.place != place;
            if entries.last().is_none_or(is_first) && (is_dense || is_wanted(place)) {
                entries.push(Entry { place, next });
            }
        }
        entries
    }

    /// All entries: place, hash, move.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, u32, u8)> {
        let mut places = Places::new(self.places);
        let cells = self.low.iter().zip(self.high).zip(self.nexts).enumerate();
        let cells = cells.map(move |(index, ((low, high), next))| {
            let hash = u32::from(u16::from_le_bytes(*low)) | u32::from(*high) << 16;
            (places.at(index), hash, *next)
        });
        cells.filter(|(_, hash, _)| *hash != 0)
    }
}

/// Places of entries, asked for in rising order.
struct Places<'a> {
    distances: Option<&'a [u8]>,
    n_read: usize,
    at: u32,
}

impl<'a> Places<'a> {
    const fn new(distances: Option<&'a [u8]>) -> Self {
        Self {
            distances,
            n_read: 0,
            at: 0,
        }
    }

    fn at(&mut self, index: usize) -> u32 {
        let Some(distances) = &mut self.distances else {
            return index as u32;
        };
        while self.n_read <= index {
            let Some((distance, rest)) = distances.split_first() else {
                break;
            };
            *distances = rest;
            let mut step = u32::from(*distance);
            if *distance == FAR
                && let Some((far, rest)) = distances.split_first_chunk::<2>()
            {
                step = u16::from_le_bytes(*far).into();
                *distances = rest;
            } else if *distance == FARTHER
                && let Some((far, rest)) = distances.split_first_chunk::<4>()
            {
                step = u32::from_le_bytes(*far);
                *distances = rest;
            }
            self.at = self.at.saturating_add(step);
            self.n_read += 1;
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(cells: &[(u32, u32, u8)]) -> Entries {
        let mut entries = Entries::default();
        for (place, hash, next) in cells {
            entries.push(*place, *hash, *next);
        }
        entries
    }

    #[test]
    fn entries_come_back_dense_and_sparse() {
        let sparse = [
            (3, 7, 1),
            (3, 0xabcdef, 2),
            (300, 7, 3),
            (9_000, 7, 4),
            (9_000, 7, 5),
            (90_000, 8, 6),
            (90_254, 8, 6),
            (90_507, 8, 6),
        ];
        let bytes = made(&sparse).to_bytes(100_000);
        let class = Class::new(&bytes).unwrap();
        assert_eq!(class.all().collect::<Vec<_>>(), sparse);
        let entry = |place, next| Entry { place, next };
        // A game that met the position twice counts once, with its first move.
        assert_eq!(
            class.find(7, |_| true),
            [entry(3, 1), entry(300, 3), entry(9_000, 4)]
        );
        assert_eq!(class.find(0xabcdef, |_| true), [entry(3, 2)]);
        assert_eq!(class.find(7, |place| place > 300), [entry(9_000, 4)]);
        assert!(class.find(0xabcdee, |_| true).is_empty());
        let dense: Vec<(u32, u32, u8)> = (0..100)
            .filter(|n| n % 10 != 0)
            .map(|n| (n, n % 5 + 1, n as u8))
            .collect();
        let bytes = made(&dense).to_bytes(100);
        assert_eq!(bytes.len(), HEAD + 400);
        let class = Class::new(&bytes).unwrap();
        assert_eq!(class.all().collect::<Vec<_>>(), dense);
        assert_eq!(class.find(3, |_| true).len(), 20);
        assert_eq!(class.find(3, |place| place == 42), [entry(42, 42)]);
        assert!(Class::new(&bytes[..50]).is_none());
    }
}
