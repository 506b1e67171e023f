//! Orders of moves that were found at a node: remembered, because a node is visited again in the next
//! iteration, with another window, as a probe, or by another thread.
//!
//! To value the moves of a node by searches of a few plies took a fifth of all nodes of a midgame
//! search, and what is found the second time is hardly better: to depth 18 remembered orders take
//! a quarter off the nodes, and two threads no longer do the work twice.

use super::moves::MAX_MOVES;
use othello::Square;
use std::sync::atomic::{AtomicU64, Ordering};

/// The orders of the nodes that were ordered last, shared by threads without a lock.
#[derive(Debug)]
pub(crate) struct Orders {
    slots: Box<[Slot]>,
    /// Mixed into every key, so that what was stored with another one is not found.
    salt: u64,
}

/// A key, XORed with the words behind it so that a slot that two threads wrote at a time is
/// nobody's, and a byte for every move: its square plus one, first the move to be searched first.
type Slot = [AtomicU64; 1 + WORDS];

/// Eight moves a word.
const WORDS: usize = 5;

const _: () = assert!(MAX_MOVES <= 8 * WORDS);

/// Slots, 48 bytes each: 3 MB.
const BITS: u32 = 16;

impl Orders {
    pub(crate) fn new() -> Self {
        Self {
            slots: (0..1 << BITS).map(|_| Slot::default()).collect(),
            salt: 0,
        }
    }

    /// Makes all orders those of strangers: searches that follow depend on none before them.
    pub(crate) const fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// Remembers the order of a node's moves.
    pub(super) fn store(&self, hash: u64, squares: impl Iterator<Item = Square>) {
        let mut bytes = [0; 8 * WORDS];
        for (byte, square) in bytes.iter_mut().zip(squares) {
            *byte = square.index() as u8 + 1;
        }
        let [slot_key, slot_words @ ..] = self.slot(hash);
        let mut key = self.key(hash);
        for (slot, bytes) in slot_words.iter().zip(bytes.as_chunks().0) {
            let word = u64::from_le_bytes(*bytes);
            slot.store(word, Ordering::Relaxed);
            key ^= word;
        }
        slot_key.store(key, Ordering::Relaxed);
    }

    /// A node's order, if it is still there.
    pub(super) fn probe(&self, hash: u64) -> Option<Places> {
        let [slot_key, slot_words @ ..] = self.slot(hash);
        let words = slot_words
            .each_ref()
            .map(|word| word.load(Ordering::Relaxed));
        let key = words
            .iter()
            .fold(slot_key.load(Ordering::Relaxed), |key, word| key ^ word);
        if key != self.key(hash) {
            return None;
        }
        let mut places = [0; 64];
        let squares = words.iter().flat_map(|word| word.to_le_bytes());
        for (place, square) in (1..).zip(squares) {
            if let Some(index) = square.checked_sub(1) {
                places[usize::from(index) % 64] = place;
            }
        }
        Some(Places(places))
    }

    fn slot(&self, hash: u64) -> &Slot {
        &self.slots[(hash >> (64 - BITS)) as usize]
    }

    /// Never that of a vacant slot, which is 0 but for chance.
    const fn key(&self, hash: u64) -> u64 {
        hash ^ self.salt
    }
}

/// The place of every square in an order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Places([u8; 64]);

impl Places {
    /// From 1 on. 0 for a move that did not have to be ordered then, because it was searched before:
    /// it comes first.
    pub(super) const fn of(&self, square: Square) -> u8 {
        self.0[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(indices: &[u32]) -> impl Iterator<Item = Square> {
        indices.iter().map(|&index| Square::from_low_bits(index))
    }

    #[test]
    fn an_order_comes_back_to_who_asks_for_the_same_node() {
        let mut orders = Orders::new();
        let hash = 0x1234_5678_9abc_def0;
        assert_eq!(orders.probe(hash), None);
        orders.store(hash, squares(&[63, 0, 19]));
        let places = orders.probe(hash).unwrap();
        let places = squares(&[63, 0, 19, 20]).map(|square| places.of(square));
        assert_eq!(places.collect::<Vec<u8>>(), [1, 2, 3, 0]);
        assert_eq!(orders.probe(hash ^ 1 << 20), None);
        // Another node in the same place.
        orders.store(hash ^ 1 << 20, squares(&[5]));
        assert_eq!(orders.probe(hash), None);
        orders.forget();
        assert_eq!(orders.probe(hash ^ 1 << 20), None);
    }

    #[test]
    fn as_many_moves_as_a_board_can_have_keep_their_places() {
        let orders = Orders::new();
        let all: Vec<u32> = (0..MAX_MOVES as u32).map(|i| (i * 7 + 3) % 64).collect();
        orders.store(9, squares(&all));
        let places = orders.probe(9).unwrap();
        for (place, square) in (1..).zip(squares(&all)) {
            assert_eq!(places.of(square), place);
        }
    }

    #[test]
    fn a_slot_that_was_written_in_part_is_nobodys() {
        let orders = Orders::new();
        orders.store(9, squares(&[1, 2, 3]));
        orders.slot(9)[1].fetch_xor(1, Ordering::Relaxed);
        assert_eq!(orders.probe(9), None);
    }
}
