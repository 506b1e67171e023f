//! The midgame on several threads: each searches the root by itself, and what it finds reaches the
//! others through the table (lazy SMP).
//!
//! Splitting nodes gains less there: most of them end at a probe or at their first move, and there
//! is nothing to share. The first thread leads: the others search what it is at, give up what it
//! has done, and help at its splits once nothing is left to run ahead to. So that threads do not do
//! the same work at the same time, a move that another one is searching is put off until the
//! brothers are done (Weill, *The ABDADA Distributed Minimax-Search Algorithm*, 1996).

use super::{
    Shared,
    root::{Root, midgame_steps},
};
use crate::{eval::Evaluator, limits::Limits};
use othello::Board;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What threads that search side by side tell each other.
#[derive(Debug)]
pub(crate) struct Lazy {
    /// The depth that the first thread is at.
    lead: AtomicU32,
    /// Hashes of what is being searched right now, each at a place that follows from it.
    busy: Box<[AtomicU64]>,
}

/// The lead once there is nothing to run ahead to.
const OVER: u32 = u32::MAX;

/// More than enough for the few nodes of each thread that are under way.
const BUSY_BITS: u32 = 12;

/// In nodes of less depth a move is done before it pays to put it off. Two threads take 73 M nodes
/// for twenty positions to depth 20 with 3, 75 M with 4 and 5, 78 M with 7; one takes 62 M.
pub(super) const DEFER_FROM: u32 = 4;

impl Lazy {
    /// For a search on one thread there is nothing to tell.
    pub(crate) fn new(n_threads: u64) -> Self {
        let n_slots = if n_threads > 1 { 1 << BUSY_BITS } else { 0 };
        Self {
            lead: AtomicU32::new(0),
            busy: (0..n_slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The first thread begins a midgame search to this depth.
    pub(super) fn lead_to(&self, depth: u32) {
        self.lead.store(depth, Ordering::Relaxed);
    }

    /// The first thread has left the midgame, or all is over.
    pub(super) fn end(&self) {
        self.lead_to(OVER);
    }

    /// Whether a search of this depth is of no use any more.
    #[inline]
    pub(super) fn has_passed(&self, depth: u32) -> bool {
        self.lead.load(Ordering::Relaxed) > depth
    }

    /// Whether threads search side by side.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        !self.busy.is_empty() && self.lead.load(Ordering::Relaxed) != OVER
    }

    /// Says that a position is being searched to this depth until what is returned is dropped;
    /// nothing if a thread is at it already.
    #[inline]
    pub(super) fn begin(&self, hash: u64, depth: u32) -> Option<Busy<'_>> {
        let key = (hash ^ u64::from(depth)) | 1;
        let slot = &self.busy[(hash >> (64 - BUSY_BITS)) as usize];
        if slot.load(Ordering::Relaxed) == key {
            return None;
        }
        slot.store(key, Ordering::Relaxed);
        Some(Busy { slot, key })
    }

    /// The depth that a helper searches next after `done`; nothing if it would be beyond `deepest`.
    fn next(&self, done: u32, deepest: u32) -> Option<u32> {
        let next = self.lead.load(Ordering::Relaxed).max(done + 1);
        (next <= deepest).then_some(next)
    }
}

/// A position that is being searched.
pub(super) struct Busy<'a> {
    slot: &'a AtomicU64,
    key: u64,
}

impl Drop for Busy<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.slot.load(Ordering::Relaxed) == self.key {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}

/// Searches the midgame beside the first thread until that has left it or nothing is left to do.
pub(super) fn run_ahead<E: Evaluator>(shared: &Shared<'_, E>, board: Board, limits: &Limits) {
    let board = if board.legal_moves().is_empty() {
        board.swapped()
    } else {
        board
    };
    let steps = midgame_steps(board, limits);
    let Some(last) = steps.last() else {
        return;
    };
    let lazy = &shared.lazy;
    let mut root = Root::new(shared, board, limits);
    let mut done = 0;
    while let Some(depth) = lazy.next(done, last.depth) {
        if root.run_beside(steps[depth as usize - 1]).is_some() {
            done = depth;
        } else if !lazy.has_passed(depth) {
            break;
        }
    }
    root.retire();
}
