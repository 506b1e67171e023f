//! The tree: what a search thread carries, and the parts that midgame and endgame share.

mod endgame;
mod midgame;
mod moves;
mod probcut;
pub(crate) mod root;

use crate::{endgame::shallow::Shallow, eval::Evaluator, table::Table};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub(crate) use probcut::{EXACT_LEVEL, LEVELS};

/// What all threads of one search share.
pub(crate) struct Shared<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a Table,
    /// Set by whoever wants the search to end; looked at by every thread many times a millisecond.
    pub(crate) stop: &'a AtomicBool,
    /// The moment, on the caller's clock, when the search sets `stop` itself.
    pub(crate) deadline: Option<Deadline<'a>>,
    /// Set `stop` when this many nodes were visited.
    pub(crate) node_limit: u64,
    /// Nodes of all threads as of their last poll.
    pub(crate) nodes_polled: AtomicU64,
}

/// A clock handed in and the reading at which time is up.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    pub(crate) now_ms: &'a (dyn Fn() -> u64 + Sync),
    pub(crate) at_ms: u64,
}

/// One thread of a search.
pub(crate) struct Worker<'a, E> {
    shared: &'a Shared<'a, E>,
    shallow: Shallow,
    nodes: u64,
    nodes_at_poll: u64,
    polls: u32,
    /// The selectivity level in force.
    level: u8,
    /// Once set, every value that comes back is meaningless and nothing is stored.
    aborted: bool,
    /// How deep probes of probes go: their trees are small and need no pruning by guess.
    probing: u8,
}

/// Interior nodes between two looks at the stop flag: about 0.1 ms of work at most.
const POLL_INTERVAL: u32 = 64;

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(shared: &'a Shared<'a, E>) -> Self {
        Self {
            shared,
            shallow: Shallow::new(),
            nodes: 0,
            nodes_at_poll: 0,
            polls: 0,
            level: EXACT_LEVEL,
            aborted: false,
            probing: 0,
        }
    }

    /// Positions visited by this thread.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes + self.shallow.nodes
    }

    /// Counts an interior node and, now and then, looks whether to go on.
    #[inline]
    fn enter(&mut self) {
        self.nodes += 1;
        self.polls += 1;
        if self.polls >= POLL_INTERVAL {
            self.polls = 0;
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        let nodes = self.nodes();
        let fresh = nodes - self.nodes_at_poll;
        self.nodes_at_poll = nodes;
        let total = self.shared.nodes_polled.fetch_add(fresh, Ordering::Relaxed) + fresh;
        let out_of_time = || {
            self.shared
                .deadline
                .is_some_and(|deadline| (deadline.now_ms)() >= deadline.at_ms)
        };
        if total >= self.shared.node_limit || out_of_time() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.aborted |= self.shared.stop.load(Ordering::Relaxed);
    }
}
