//! Positions that many games of a batch met: what followed, counted with the results, and the games
//! that a reader wants to see first.
//!
//! Every game of a collection meets the first positions. To list a million games so that a reader
//! sees eight of them and some sums takes a tenth of a second; to add the sums of sixty batches
//! takes less than a millisecond.
//!
//! A column has a directory, sorted by key: the number of positions, then key and end of the body
//! of each; then the bodies, numbers of seven bits a byte.

use crate::{GameId, classes::Print, columns::NO_SCORE, games::Row};
use game::{Footprint, Trail, Way};

/// So many games of a batch make a position worth counting. Of rarer ones all games are listed and
/// replayed.
const OFTEN: usize = 8;

/// Games that a position remembers of the newest, and of the strongest.
pub(crate) const REMEMBERED: usize = 8;

/// Results of games, counted for the first player and the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    pub(crate) first: u64,
    pub(crate) draws: u64,
    pub(crate) second: u64,
    /// The sum of the first player's scores.
    pub(crate) discs: i64,
}

impl Tally {
    /// Counts a game, or with -1 takes one away.
    fn count(&mut self, score: i8, by: i64) {
        let change = |n: &mut u64| *n = n.saturating_add_signed(by);
        change(&mut self.games);
        match score {
            NO_SCORE => return,
            0 => change(&mut self.draws),
            1.. => change(&mut self.first),
            _ => change(&mut self.second),
        }
        self.discs += by * i64::from(score);
    }

    pub(crate) fn add(&mut self, score: i8) {
        self.count(score, 1);
    }

    pub(crate) const fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.first += other.first;
        self.draws += other.draws;
        self.second += other.second;
        self.discs += other.discs;
    }
}

/// The move that followed: its first byte, and some bits of the position that it led to, because
/// several moves of chess have one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    next: u8,
    after: u16,
}

impl Step {
    fn of(print: &Print, after: Option<&Print>) -> Self {
        Self {
            next: print.next,
            after: after.map_or(0, |it| it.rest as u16),
        }
    }

    /// Which way of a trail it is, if it is one.
    pub(crate) fn way(self, trail: &Trail) -> Option<usize> {
        let is_it = |way: &Way| way.next == self.next && Print::key(way.key) as u16 == self.after;
        trail.ways.iter().position(is_it)
    }
}

/// A game with what it is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) id: GameId,
    pub(crate) date: u32,
    pub(crate) ratings: u32,
}

impl Seen {
    /// The greatest is the newest.
    pub(crate) const fn age(&self) -> (u32, GameId) {
        (self.date, self.id)
    }

    /// The greatest is the one of the best players.
    pub(crate) const fn strength(&self) -> (u32, u32, GameId) {
        (self.ratings, self.date, self.id)
    }
}

/// What is known about one position in one batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Often {
    pub(crate) steps: Vec<(Step, Tally)>,
    /// The greatest dates first, and of one date the greatest numbers.
    pub(crate) newest: Vec<Seen>,
    pub(crate) strongest: Vec<Seen>,
    /// How many of the games have ratings.
    rated: u64,
    /// Places of games that met another position with the same bits in the class's array.
    pub(crate) others: Vec<u32>,
}

impl Often {
    pub(crate) fn games(&self) -> u64 {
        self.steps.iter().map(|it| it.1.games).sum()
    }

    /// Whether it remembers enough games for a list of so many. After some were deleted, it may not.
    pub(crate) fn remembers(&self, n: usize) -> bool {
        let n = n as u64;
        self.newest.len() as u64 >= n.min(self.games())
            && self.strongest.len() as u64 >= n.min(self.rated)
    }

    fn add(&mut self, step: Step, row: &Row) {
        let score = row.score_cell();
        match self.steps.iter_mut().find(|it| it.0 == step) {
            Some((_, tally)) => tally.add(score),
            None => {
                let mut tally = Tally::default();
                tally.add(score);
                self.steps.push((step, tally));
            }
        }
        let seen = Seen {
            id: row.id,
            date: row.date,
            ratings: row.ratings(),
        };
        remember(&mut self.newest, seen, Seen::age);
        if seen.ratings > 0 {
            self.rated += 1;
            remember(&mut self.strongest, seen, Seen::strength);
        }
    }

    fn remove(&mut self, step: Step, row: &Row) {
        if let Some((_, tally)) = self.steps.iter_mut().find(|it| it.0 == step) {
            tally.count(row.score_cell(), -1);
        }
        self.steps.retain(|it| it.1.games > 0);
        self.newest.retain(|it| it.id != row.id);
        self.strongest.retain(|it| it.id != row.id);
        self.rated -= u64::from(row.ratings() > 0).min(self.rated);
    }

    fn write(&self, out: &mut Vec<u8>) {
        let seen = |out: &mut Vec<u8>, games: &[Seen]| {
            number(out, games.len() as u64);
            for it in games {
                number(out, it.id.into());
                number(out, it.date.into());
                number(out, it.ratings.into());
            }
        };
        number(out, self.steps.len() as u64);
        for (step, tally) in &self.steps {
            out.push(step.next);
            out.extend_from_slice(&step.after.to_le_bytes());
            for n in [tally.games, tally.first, tally.draws, tally.second] {
                number(out, n);
            }
            number(out, (tally.discs << 1 ^ tally.discs >> 63) as u64);
        }
        seen(out, &self.newest);
        seen(out, &self.strongest);
        number(out, self.rated);
        number(out, self.others.len() as u64);
        for place in &self.others {
            number(out, (*place).into());
        }
    }

    fn read(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let mut often = Self::default();
        for _ in 0..take(bytes)? {
            let (head, rest) = bytes.split_first_chunk::<3>()?;
            *bytes = rest;
            let step = Step {
                next: head[0],
                after: u16::from_le_bytes([head[1], head[2]]),
            };
            let [games, first, draws, second] =
                [take(bytes)?, take(bytes)?, take(bytes)?, take(bytes)?];
            let discs = take(bytes)?;
            let discs = (discs >> 1) as i64 ^ -((discs & 1) as i64);
            let tally = Tally {
                games,
                first,
                draws,
                second,
                discs,
            };
            often.steps.push((step, tally));
        }
        for list in [&mut often.newest, &mut often.strongest] {
            for _ in 0..take(bytes)? {
                list.push(Seen {
                    id: take(bytes)? as GameId,
                    date: take(bytes)? as u32,
                    ratings: take(bytes)? as u32,
                });
            }
        }
        often.rated = take(bytes)?;
        for _ in 0..take(bytes)? {
            often.others.push(take(bytes)? as u32);
        }
        Some(often)
    }
}

/// Puts a game where it belongs among the first ones, if it does.
fn remember<K: Ord>(games: &mut Vec<Seen>, seen: Seen, key: impl Fn(&Seen) -> K) {
    if games.len() == REMEMBERED {
        if games.last().is_none_or(|last| key(last) >= key(&seen)) {
            return;
        }
        games.pop();
    }
    let at = games.partition_point(|it| key(it) > key(&seen));
    games.insert(at, seen);
}

/// Writes a number, seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

/// Bytes of a position in the directory: its key and the end of its body.
const LISTED: usize = 12;

/// The positions of a class, by their keys.
fn write_all(all: &[(u64, Often)]) -> Vec<u8> {
    let mut bodies = Vec::new();
    let mut bytes = Vec::with_capacity(4 + LISTED * all.len());
    bytes.extend_from_slice(&(all.len() as u32).to_le_bytes());
    for (key, often) in all {
        often.write(&mut bodies);
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&(bodies.len() as u32).to_le_bytes());
    }
    bytes.extend_from_slice(&bodies);
    bytes
}

/// A column as it lies in the database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Directory<'a> {
    listed: &'a [[u8; LISTED]],
    bodies: &'a [u8],
}

impl<'a> Directory<'a> {
    /// `None` for bytes that no program wrote.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (n, rest) = bytes.split_first_chunk::<4>()?;
        let n = u32::from_le_bytes(*n) as usize;
        let (listed, bodies) = rest.split_at_checked(LISTED.checked_mul(n)?)?;
        let listed = listed.as_chunks::<LISTED>().0;
        Some(Self { listed, bodies })
    }

    fn key(listed: &[u8; LISTED]) -> u64 {
        listed
            .first_chunk::<8>()
            .map_or(0, |it| u64::from_le_bytes(*it))
    }

    fn end(&self, at: usize) -> usize {
        let end = self.listed.get(at).and_then(|it| it.last_chunk::<4>());
        end.map_or(0, |it| u32::from_le_bytes(*it) as usize)
    }

    fn body(&self, at: usize) -> Option<Often> {
        let from = at.checked_sub(1).map_or(0, |before| self.end(before));
        self.bodies.get(from..self.end(at)).and_then(Often::read)
    }

    /// What is known about a position with this key.
    pub(crate) fn find(&self, key: u64) -> Option<Often> {
        let key = Print::key(key);
        let at = self.listed.binary_search_by_key(&key, Self::key).ok()?;
        self.body(at)
    }

    /// All positions with their keys; `None` if a body cannot be read.
    pub(crate) fn all(&self) -> Option<Vec<(u64, Often)>> {
        let all = self.listed.iter().enumerate();
        all.map(|(at, it)| Some((Self::key(it), self.body(at)?)))
            .collect()
    }
}

/// A position of a game, while columns are made.
struct Met {
    key: u64,
    place: u32,
    step: Step,
}

/// Makes the columns of a batch, class after class. It keeps its memory between them.
pub(crate) struct Maker<'a> {
    rows: &'a [Row],
    prints: &'a [&'a [Print]],
    /// How many positions of the class have these 16 bits: far fewer than all need a second look.
    counts: Vec<u32>,
    met: Vec<Met>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(rows: &'a [Row], prints: &'a [&'a [Print]]) -> Self {
        Self {
            rows,
            prints,
            counts: vec![0; 1 << 16],
            met: Vec::new(),
        }
    }

    /// The column of a class, if it has a frequent position. `cells` are place and hash of all its
    /// positions, in the order of places and of play.
    pub(crate) fn class(
        &mut self,
        class: u16,
        cells: impl ExactSizeIterator<Item = (u32, u32)> + Clone,
    ) -> Option<Vec<u8>> {
        if cells.len() < OFTEN {
            return None;
        }
        let slot = |hash: u32| usize::from(hash as u16);
        for (_, hash) in cells.clone() {
            self.counts[slot(hash)] += 1;
        }
        self.met.clear();
        let mut last = (u32::MAX, 0);
        for (place, hash) in cells.clone() {
            if self.counts[slot(hash)] < OFTEN as u32 {
                continue;
            }
            let prints = self.prints.get(place as usize).copied().unwrap_or_default();
            // A game of chess may have several positions of a class.
            let from = if last.0 == place { last.1 } else { 0 };
            let is_it = |it: &Print| it.class == class && it.hash == hash;
            let later = prints.get(from..).unwrap_or_default();
            let Some(at) = later.iter().position(is_it).map(|at| from + at) else {
                continue;
            };
            last = (place, at + 1);
            let print = &prints[at];
            self.met.push(Met {
                key: print.full_key(),
                place,
                step: Step::of(print, prints.get(at + 1)),
            });
        }
        for (_, hash) in cells {
            self.counts[slot(hash)] = 0;
        }
        // Stable: a game that met a position twice has its first time first.
        self.met.sort_by_key(|it| it.key);
        let all = self.frequent();
        (!all.is_empty()).then(|| write_all(&all))
    }

    fn frequent(&self) -> Vec<(u64, Often)> {
        let mut all = Vec::new();
        for alike in self
            .met
            .chunk_by(|one, other| one.key >> 32 == other.key >> 32)
        {
            for same in alike.chunk_by(|one, other| one.key == other.key) {
                if same.len() < OFTEN {
                    continue;
                }
                let mut often = Often::default();
                let mut last = None;
                for met in same {
                    let row = self.rows.get(met.place as usize);
                    if let Some(row) = row
                        && last.replace(met.place) != Some(met.place)
                    {
                        often.add(met.step, row);
                    }
                }
                let key = same[0].key;
                let others = alike.iter().filter(|it| it.key != key);
                often.others.extend(others.map(|it| it.place));
                often.others.sort_unstable();
                often.others.dedup();
                all.push((key, often));
            }
        }
        all
    }
}

/// Takes deleted games out of the column of a class; `None` if nothing changes.
pub(crate) fn without(bytes: &[u8], class: u16, gone: &[(Row, Vec<Print>)]) -> Option<Vec<u8>> {
    let mut all = Directory::new(bytes)?.all()?;
    let mut is_changed = false;
    for (row, prints) in gone {
        for (at, print) in prints.iter().enumerate() {
            let key = print.full_key();
            let is_again = || prints[..at].iter().any(|it| it.is_same(print));
            if print.class != class || is_again() {
                continue;
            }
            if let Ok(index) = all.binary_search_by_key(&key, |it| it.0) {
                all[index]
                    .1
                    .remove(Step::of(print, prints.get(at + 1)), row);
                is_changed = true;
            }
        }
    }
    all.retain(|it| it.1.games() > 0);
    is_changed.then(|| write_all(&all))
}

/// The byte of a move belongs to one way alone: what followed needs no second look.
pub(crate) fn only_way(trail: &Trail, next: u8) -> OnlyWay {
    let mut ways = trail.ways.iter().enumerate().filter(|it| it.1.next == next);
    match (ways.next(), ways.next()) {
        (Some((at, _)), None) => OnlyWay::Way(at as u8),
        (None, _) if next == Footprint::END => OnlyWay::End,
        _ => OnlyWay::Unclear,
    }
}

/// What the first byte of a move tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnlyWay {
    Way(u8),
    End,
    Unclear,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u32, score: i8, ratings: u16) -> Row {
        Row {
            id,
            identity: 0,
            black: 0,
            white: 0,
            event: 0,
            date: 19_900_101 + id,
            score: (score != NO_SCORE).then_some(score),
            length: 60,
            black_elo: ratings,
            white_elo: 0,
        }
    }

    fn print(key: u64, next: u8) -> Print {
        Print::from(&Footprint {
            class: 5,
            key,
            next,
        })
    }

    #[test]
    fn frequent_positions_are_counted_and_others_with_their_bits_are_named() {
        let common = 0x1234_5678_9abc_de00_u64;
        let alike = common ^ 0xff00;
        let rows: Vec<Row> = (1..=30)
            .map(|n| row(n, n as i8 - 15, n as u16 % 3))
            .collect();
        let prints: Vec<Vec<Print>> = (1..=30_u64)
            .map(|n| match n {
                // Twice the same position, then other moves.
                4 => vec![print(common, 1), print(common, 2)],
                9 => vec![print(alike, 3)],
                _ => vec![print(common, (n % 2) as u8), print(n << 50, 0)],
            })
            .collect();
        let prints: Vec<&[Print]> = prints.iter().map(|it| &it[..]).collect();
        let cells: Vec<(u32, u32)> = prints
            .iter()
            .enumerate()
            .flat_map(|(place, prints)| prints.iter().map(move |it| (place as u32, it.hash)))
            .collect();
        let mut maker = Maker::new(&rows, &prints);
        let bytes = maker.class(5, cells.iter().copied()).unwrap();
        let directory = Directory::new(&bytes).unwrap();
        assert_eq!(directory.all().unwrap().len(), 1);
        let often = directory.find(common).unwrap();
        assert!(directory.find(alike).is_none());
        assert_eq!((often.games(), &often.others[..]), (29, &[8][..]));
        assert_eq!(often.newest.len(), REMEMBERED);
        assert_eq!(often.newest[0].id, 30);
        assert_eq!(often.strongest[0].id, 29);
        assert!(often.remembers(REMEMBERED) && !often.remembers(REMEMBERED + 1));
        let draws: u64 = often.steps.iter().map(|it| it.1.draws).sum();
        let discs: i64 = often.steps.iter().map(|it| it.1.discs).sum();
        assert_eq!(
            (draws, discs),
            (1, (1..=30).map(|n| n - 15).sum::<i64>() + 6)
        );
        // A game that goes takes its numbers with it.
        let gone = (rows[29].clone(), prints[29].to_vec());
        let less = without(&bytes, 5, &[gone]).unwrap();
        let often = Directory::new(&less).unwrap().find(common).unwrap();
        assert_eq!((often.games(), often.newest[0].id), (28, 29));
        assert!(!often.remembers(REMEMBERED) && often.remembers(REMEMBERED - 1));
        // Bytes that are cut anywhere are no column, or have no such position, and nothing panics.
        for n in 0..bytes.len() {
            let cut = Directory::new(&bytes[..n]).and_then(|it| it.find(common));
            assert_eq!(cut, None);
        }
    }
}
