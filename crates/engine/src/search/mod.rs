//! The tree: what a search thread carries, and the parts that midgame and endgame share.

mod history;
pub(crate) mod lazy;
mod line;
mod moves;
pub(crate) mod orders;
mod probcut;
pub(crate) mod root;
pub(crate) mod split;
pub(crate) mod tree;

use crate::{
    analysis::TableStats,
    endgame::{hope::Hope, shallow::Shallow},
    eval::Evaluator,
    table::Table,
};
use history::History;
use lazy::{Lazy, Path};
use orders::Orders;
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
    /// Set by the caller to end the search; looked at by every thread many times a millisecond.
    pub(crate) stop: &'a AtomicBool,
    /// Set by the search itself when it meets a limit.
    pub(crate) halt: AtomicBool,
    /// The moment, on the caller's clock, when time is up.
    pub(crate) deadline: Option<Deadline<'a>>,
    /// Nodes after which the search halts.
    pub(crate) node_limit: u64,
    /// Which moves are reduced.
    pub(crate) late_rule: LateRule,
    /// How many of these the threads have been given to visit.
    pub(crate) nodes_granted: AtomicU64,
    /// How many threads there are.
    pub(crate) n_threads: u64,
    /// Nodes of all threads as of their last poll.
    pub(crate) nodes_polled: AtomicU64,
    /// What all threads counted as of their last poll.
    pub(crate) counts: Mutex<Counts>,
    /// What the threads have to give away.
    pub(crate) splits: Splits<E::State>,
    /// What threads tell each other that search side by side.
    pub(crate) lazy: Lazy,
    /// Orders of moves that were found.
    pub(crate) orders: &'a Orders,
    /// Caches of threads between two searches.
    pub(crate) spare: &'a Mutex<Vec<Shallow>>,
}

impl<E: Evaluator> Shared<'_, E> {
    /// Nodes of all threads as of their last poll.
    pub(crate) fn nodes_so_far(&self) -> u64 {
        self.nodes_polled.load(Ordering::Relaxed)
    }

    /// Some more nodes for one thread; nothing once all are given. Without a limit there are always
    /// more.
    fn grant(&self) -> Option<u64> {
        let size = |granted: u64| {
            let left = self.node_limit.saturating_sub(granted);
            (left > 0).then(|| POLL_INTERVAL.min(left.div_ceil(self.n_threads)))
        };
        self.nodes_granted
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |granted| {
                Some(granted + size(granted)?)
            })
            .ok()
            .and_then(size)
    }

    /// What all threads counted as of their last poll.
    fn counted(&self) -> Counts {
        let mut counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.table.fill_permille = self.table.fill_permille();
        counts
    }
}

/// What a search counts besides its nodes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    cutoffs: u64,
    table: TableStats,
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
    /// At so many nodes the worker looks whether to go on.
    poll_at: u64,
    /// Whether nodes are limited, so that the layers that do not poll must count them.
    is_limited: bool,
    /// The selectivity level in force.
    pub(crate) level: u8,
    /// Once set, every value that comes back is meaningless and nothing is stored.
    pub(crate) aborted: bool,
    /// What is expected of the next board that is searched. Nothing but the order of moves depends
    /// on it, so that not everybody who searches a board need say it.
    hope: Hope,
    /// How many probes we are inside of.
    probing: u8,
    /// The turn of the window that it searches side by side with others; a number that no turn passes
    /// if it is alone.
    beside: u32,
    /// The nodes that other threads may finish before it does.
    path: Path,
    /// At work on the end of a line, beside the search: nothing is stored, shared or counted.
    is_aside: bool,
    counts: Counts,
}

/// Nodes between two looks at the stop flag, about 0.05 ms of work. The last layers do not look, so
/// that a stop waits for one position with twelve empty squares at most: a few milliseconds.
const POLL_INTERVAL: u64 = 512;

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(shared: &'a Shared<'a, E>) -> Self {
        let shallow = shared.spare_shallow();
        let mut worker = Self {
            shared,
            at: None,
            nodes: 0,
            nodes_at_poll: shallow.nodes,
            poll_at: shallow.nodes,
            is_limited: shared.node_limit != u64::MAX,
            shallow,
            history: History::new(),
            level: EXACT_LEVEL,
            aborted: false,
            hope: Hope::Refutes,
            probing: 0,
            beside: u32::MAX,
            path: Path::new(),
            is_aside: false,
            counts: Counts::default(),
        };
        worker.extend_grant();
        worker
    }

    /// All nodes that this worker and its cache have seen.
    #[inline]
    const fn count(&self) -> u64 {
        self.nodes + self.shallow.nodes
    }

    /// Nodes since the last poll.
    fn unpolled_nodes(&self) -> u64 {
        self.count() - self.nodes_at_poll
    }

    /// Reports what was counted and leaves the cache for the next search.
    pub(crate) fn retire(mut self) {
        self.flush();
        self.shared.keep_shallow(self.shallow);
    }

    /// Counts an interior node and, now and then, looks whether to go on.
    #[inline]
    fn enter(&mut self) {
        self.nodes += 1;
        if self.count() >= self.poll_at {
            self.poll();
        }
    }

    /// Shares what was counted, watches the limits and looks whether to go on.
    #[cold]
    pub(crate) fn poll(&mut self) {
        if self.is_aside {
            self.aborted = true;
            return;
        }
        self.flush();
        let out_of_time = || {
            self.shared
                .deadline
                .is_some_and(|deadline| (deadline.now_ms)() >= deadline.at_ms)
        };
        if !self.extend_grant() || out_of_time() {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
        self.look();
        if !self.aborted && self.path.find_done(self.shared.table) {
            self.aborted = true;
        }
    }

    /// Shares what was counted since the last time.
    fn flush(&mut self) {
        let fresh = self.unpolled_nodes();
        self.nodes_at_poll += fresh;
        self.shared.nodes_polled.fetch_add(fresh, Ordering::Relaxed);
        let counts = std::mem::take(&mut self.counts);
        let mut sum = self
            .shared
            .counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        sum.cutoffs += counts.cutoffs;
        sum.table.add(counts.table);
    }

    /// Takes as many more nodes as were used; whether there were enough. Nodes that were visited
    /// without being granted are paid from the next grant.
    fn extend_grant(&mut self) -> bool {
        let count = self.count();
        if !self.is_limited {
            self.poll_at = count + POLL_INTERVAL;
            return true;
        }
        while self.poll_at <= count {
            let Some(nodes) = self.shared.grant() else {
                return false;
            };
            self.poll_at += nodes;
        }
        true
    }

    /// How many nodes a piece of work that does not poll may visit: what was granted to this worker
    /// and its share of what is left. Work without polls may have used some of that already.
    fn nodes_left(&self) -> u64 {
        let shared = self.shared;
        let share = if self.is_aside {
            0
        } else {
            let granted = shared.nodes_granted.load(Ordering::Relaxed);
            shared.node_limit.saturating_sub(granted) / shared.n_threads
        };
        (self.poll_at + share).saturating_sub(self.count())
    }

    /// Ends the search: its nodes are used up.
    #[cold]
    fn run_out_of_nodes(&mut self) {
        if !self.is_aside {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
        self.aborted = true;
    }

    /// Whether this piece of work is to end.
    fn look(&mut self) {
        self.aborted |= self.shared.stop.load(Ordering::Relaxed)
            || self.shared.halt.load(Ordering::Relaxed)
            || self.shared.lazy.has_passed(self.beside)
            || self.at.as_ref().is_some_and(|split| split.is_cancelled());
    }
}

impl<E: Evaluator> Shared<'_, E> {
    /// A cache that an earlier search left, or a new one.
    fn spare_shallow(&self) -> Shallow {
        let spare = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        spare.unwrap_or_else(Shallow::new)
    }

    /// Leaves a cache for the next search.
    fn keep_shallow(&self, shallow: Shallow) {
        self.spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(shallow);
    }
}
