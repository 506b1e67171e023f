//! The tree: what a search thread carries, and the parts that midgame and endgame share.

mod history;
mod moves;
mod probcut;
pub(crate) mod root;
pub(crate) mod split;
pub(crate) mod tree;

use crate::{analysis::TableStats, endgame::shallow::Shallow, eval::Evaluator, table::Table};
use history::History;
use split::{Split, Splits};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};
use tree::LateRule;

pub(crate) use probcut::{EXACT_LEVEL, LEVELS, MIDGAME_LEVEL};

/// What all threads of one search share.
pub(crate) struct Shared<'a, E: Evaluator> {
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a Table,
    /// Set by whoever wants the search to end; looked at by every thread many times a millisecond.
    pub(crate) stop: &'a AtomicBool,
    /// Set by the search itself when it meets a limit.
    pub(crate) halt: AtomicBool,
    /// The moment, on the caller's clock, when time is up.
    pub(crate) deadline: Option<Deadline<'a>>,
    /// Nodes after which the search halts.
    pub(crate) node_limit: u64,
    /// Which moves are reduced.
    pub(crate) late_rule: LateRule,
    /// Nodes of all threads as of their last poll.
    pub(crate) nodes_polled: AtomicU64,
    /// Table statistics of all threads as of their last poll.
    pub(crate) table_stats: Mutex<TableStats>,
    /// What the threads have to give away.
    pub(crate) splits: Splits<E::State>,
    /// Caches of threads between two searches.
    pub(crate) spare: &'a Mutex<Vec<Shallow>>,
}

impl<E: Evaluator> Shared<'_, E> {
    /// Nodes of all threads as of their last poll.
    pub(crate) fn nodes_so_far(&self) -> u64 {
        self.nodes_polled.load(Ordering::Relaxed)
    }
}

/// A clock handed in and the reading at which time is up.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    pub(crate) now_ms: &'a (dyn Fn() -> u64 + Sync),
    pub(crate) at_ms: u64,
}

/// One thread of a search.
pub(crate) struct Worker<'a, E: Evaluator> {
    shared: &'a Shared<'a, E>,
    /// The split that it is working at.
    at: Option<Arc<Split<E::State>>>,
    shallow: Shallow,
    history: History,
    nodes: u64,
    nodes_at_poll: u64,
    /// The selectivity level in force.
    pub(crate) level: u8,
    /// Once set, every value that comes back is meaningless and nothing is stored.
    pub(crate) aborted: bool,
    /// How many probes we are inside of.
    probing: u8,
    table_stats: TableStats,
}

/// Nodes between two looks at the stop flag, about 0.05 ms of work. The last layers do not look, so
/// that a stop waits for one position with eleven empty squares at most: a few milliseconds.
const POLL_INTERVAL: u64 = 512;

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(shared: &'a Shared<'a, E>) -> Self {
        let spare = shared
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let shallow = spare.unwrap_or_else(Shallow::new);
        Self {
            shared,
            at: None,
            nodes: 0,
            nodes_at_poll: shallow.nodes,
            shallow,
            history: History::new(),
            level: EXACT_LEVEL,
            aborted: false,
            probing: 0,
            table_stats: TableStats::default(),
        }
    }

    /// Nodes since the last poll.
    fn unpolled_nodes(&self) -> u64 {
        self.nodes + self.shallow.nodes - self.nodes_at_poll
    }

    /// Reports what was counted and leaves the cache for the next search.
    pub(crate) fn retire(mut self) {
        self.poll();
        self.shared
            .table_stats
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(self.table_stats);
        self.shared
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.shallow);
    }

    /// Counts an interior node and, now and then, looks whether to go on.
    #[inline]
    fn enter(&mut self) {
        self.nodes += 1;
        if self.unpolled_nodes() >= POLL_INTERVAL {
            self.poll();
        }
    }

    /// Shares the node count, watches the limits and looks whether to go on.
    #[cold]
    pub(crate) fn poll(&mut self) {
        let fresh = self.unpolled_nodes();
        self.nodes_at_poll += fresh;
        let total = self.shared.nodes_polled.fetch_add(fresh, Ordering::Relaxed) + fresh;
        let out_of_time = || {
            self.shared
                .deadline
                .is_some_and(|deadline| (deadline.now_ms)() >= deadline.at_ms)
        };
        if total >= self.shared.node_limit || out_of_time() {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
        self.look();
    }

    /// Whether somebody wants this piece of work to end.
    fn look(&mut self) {
        self.aborted |= self.shared.stop.load(Ordering::Relaxed)
            || self.shared.halt.load(Ordering::Relaxed)
            || self.at.as_ref().is_some_and(|split| split.is_cancelled());
    }
}
