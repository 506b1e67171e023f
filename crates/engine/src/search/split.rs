//! Young brothers wait: once a node's first move is searched, the others go to idle threads.
//!
//! Feldmann, *Game Tree Search on Massively Parallel Systems* (1993). A node is split only when
//! a thread has nothing to do, so that busy threads search as one alone would. The owner of a
//! split works at it like its guests, each with its own caches; who waits for guests to finish
//! helps with what they split in turn. A refutation cancels the brothers that are still running.

use super::{
    Shared, Worker,
    history::History,
    lazy::{self, Lazy},
    moves::{Candidate, Candidates, take_best},
    tree::{Found, SHALLOW_UP_TO},
};
use crate::{endgame::hope::Hope, eval::Evaluator, limits::Limits};
use othello::Board;
use std::sync::{
    Arc, Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// A node whose remaining moves any thread may take.
pub(super) struct Split<S> {
    /// The split that its owner was working at.
    parent: Option<Arc<Self>>,
    /// Set by a refutation.
    cancelled: AtomicBool,
    /// Its owner has nothing to do until its guests are done.
    owner_waits: AtomicBool,
    state: S,
    /// Of the node's children.
    depth: u32,
    beta: i32,
    level: u8,
    probing: u8,
    beside: u32,
    /// What the owner had learnt by then; a guest goes on from it.
    history: History,
    work: Mutex<Work>,
}

/// What is left of a split node.
struct Work {
    candidates: Candidates,
    found: Found,
    /// Threads that are searching one of its moves.
    n_running: usize,
}

impl<S> Split<S> {
    /// Whether this split or one it is part of was given up.
    pub(super) fn is_cancelled(&self) -> bool {
        self.and_its_ancestors()
            .any(|split| split.cancelled.load(Ordering::Relaxed))
    }

    fn and_its_ancestors(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Tells one who asks that an owner above waits for its guests, and only one.
    fn has_waiting_owner(&self) -> bool {
        self.and_its_ancestors().any(|split| {
            split.owner_waits.load(Ordering::Relaxed)
                && split.owner_waits.swap(false, Ordering::Relaxed)
        })
    }

    fn is_part_of(&self, other: &Self) -> bool {
        self.and_its_ancestors()
            .any(|split| std::ptr::eq(split, other))
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        locked(&self.work)
    }
}

/// The splits that have moves to give away, and those who look for some.
pub(crate) struct Splits<S> {
    /// Threads that would take any work.
    n_idle: AtomicUsize,
    /// The length of `open`.
    n_open: AtomicUsize,
    open: Mutex<Vec<Arc<Split<S>>>>,
    /// Counts what the sleepers are woken for: a split was opened or finished, or all is over.
    changes: AtomicUsize,
    changed: Condvar,
    is_over: AtomicBool,
}

/// Rounds that a thread without work looks around before it sleeps: a fraction of a millisecond,
/// within which a busy thread nearly always comes by a node to split. A tenth of it left two
/// threads idle for 1.0 instead of 0.6 s of the 27 that FFO 40–49 takes them.
const SPINS: u32 = 20_000;

impl<S> Splits<S> {
    pub(crate) fn new() -> Self {
        Self {
            n_idle: AtomicUsize::new(0),
            n_open: AtomicUsize::new(0),
            open: Mutex::new(Vec::new()),
            changes: AtomicUsize::new(0),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Whether an idle thread would take work off a thread that is busy at `at`.
    #[inline]
    pub(super) fn are_wanted(&self, at: Option<&Split<S>>) -> bool {
        self.n_idle.load(Ordering::Relaxed) > self.n_open.load(Ordering::Relaxed)
            || at.is_some_and(Split::has_waiting_owner)
    }

    /// Sends the helpers home once it is dropped.
    pub(crate) fn end_when_dropped<'a>(&'a self, lazy: &'a Lazy) -> impl Drop {
        End { splits: self, lazy }
    }

    /// The lock shows that no thread is between looking and falling asleep.
    fn announce(&self, open: &MutexGuard<'_, Vec<Arc<Split<S>>>>) {
        self.n_open.store(open.len(), Ordering::Relaxed);
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn open(&self, split: &Arc<Split<S>>) {
        let mut open = locked(&self.open);
        open.push(Arc::clone(split));
        self.announce(&open);
    }

    fn close(&self, split: &Split<S>) {
        let mut open = locked(&self.open);
        open.retain(|other| !std::ptr::eq(Arc::as_ptr(other), split));
        self.n_open.store(open.len(), Ordering::Relaxed);
    }

    /// Waits for work of any kind; nothing once the search is over.
    fn wait_for_any(&self) -> Option<Arc<Split<S>>> {
        self.n_idle.fetch_add(1, Ordering::Relaxed);
        let found = self.wait(|_| true, || self.is_over.load(Ordering::Relaxed));
        self.n_idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Waits for work that helps the guests of a split; nothing once they are gone.
    fn wait_for_guests_of(&self, split: &Split<S>) -> Option<Arc<Split<S>>> {
        let found = self.wait(
            |inner| inner.is_part_of(split),
            || {
                // Said again each time that nothing was found: the last asker's moves may have
                // gone before we were there.
                split.owner_waits.store(true, Ordering::Relaxed);
                split.work().n_running == 0
            },
        );
        split.owner_waits.store(false, Ordering::Relaxed);
        found
    }

    fn wait(
        &self,
        is_welcome: impl Fn(&Split<S>) -> bool,
        is_done: impl Fn() -> bool,
    ) -> Option<Arc<Split<S>>> {
        let mut spins = 0;
        let mut open = locked(&self.open);
        loop {
            let largest = open
                .iter()
                .filter(|split| is_welcome(split))
                .max_by_key(|split| split.depth);
            if let Some(split) = largest {
                return Some(Arc::clone(split));
            }
            if is_done() {
                return None;
            }
            if spins < SPINS {
                let changes = self.changes.load(Ordering::Relaxed);
                drop(open);
                while spins < SPINS && self.changes.load(Ordering::Relaxed) == changes {
                    spins += 1;
                    std::hint::spin_loop();
                }
                open = locked(&self.open);
            } else {
                open = self
                    .changed
                    .wait(open)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Ends a search for its helpers, also when it panicked.
struct End<'a, S> {
    splits: &'a Splits<S>,
    lazy: &'a Lazy,
}

impl<S> Drop for End<'_, S> {
    fn drop(&mut self) {
        self.lazy.end();
        self.splits.is_over.store(true, Ordering::Relaxed);
        self.splits.announce(&locked(&self.splits.open));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the brothers' work outweighs handing it out; one alone is no work for two. To the end
/// this is every node above the shallow layer.
#[inline]
pub(super) const fn pays(depth: u32, to_the_end: bool, n_left: usize) -> bool {
    n_left > 1 && (depth > SHALLOW_UP_TO || depth >= 6 && !to_the_end)
}

/// What a thread does that is not the first of a search: searches the midgame beside it, then helps
/// wherever it can until it is over.
pub(crate) fn help<E: Evaluator>(shared: &Shared<'_, E>, board: Board, limits: &Limits) {
    lazy::search_beside(shared, board, limits);
    let mut worker = Worker::new(shared);
    while let Some(split) = shared.splits.wait_for_any() {
        worker.visit(&split);
    }
    worker.retire();
}

/// Searches all remaining moves, in order, together with the idle threads.
pub(super) fn search_rest<E: Evaluator>(
    worker: &mut Worker<'_, E>,
    state: &E::State,
    candidates: Candidates,
    depth: u32,
    found: Found,
    beta: i32,
) -> Found {
    let splits = &worker.shared.splits;
    let split = Arc::new(Split {
        parent: worker.at.clone(),
        cancelled: AtomicBool::new(false),
        owner_waits: AtomicBool::new(false),
        state: state.clone(),
        depth,
        beta,
        level: worker.level,
        probing: worker.probing,
        beside: worker.beside,
        history: worker.history.clone(),
        work: Mutex::new(Work {
            candidates,
            found,
            n_running: 0,
        }),
    });
    splits.open(&split);
    let outer = worker.at.replace(Arc::clone(&split));
    worker.work_at(&split);
    while let Some(inner) = splits.wait_for_guests_of(&split) {
        worker.visit(&inner);
    }
    // Brothers that were cancelled by our own refutation are no loss; by an ancestor's or by the
    // stop flag they make this node meaningless.
    worker.at = outer;
    worker.aborted = false;
    worker.look();
    split.work().found
}

impl<E: Evaluator> Worker<'_, E> {
    /// Works at another thread's split.
    fn visit(&mut self, split: &Arc<Split<E::State>>) {
        let before = (self.level, self.probing, self.beside);
        let outer = self.at.replace(Arc::clone(split));
        (self.level, self.probing, self.beside) = (split.level, split.probing, split.beside);
        self.history.clone_from(&split.history);
        self.aborted = false;
        self.work_at(split);
        (self.level, self.probing, self.beside) = before;
        self.at = outer;
    }

    /// Searches moves of a split while there are any.
    fn work_at(&mut self, split: &Split<E::State>) {
        while let Some((child, so_far)) = self.take_from(split) {
            let running = Running {
                split,
                splits: &self.shared.splits,
            };
            self.hope = Hope::Refutes;
            let value = self.reduced_value(&split.state, &child, split.depth, so_far, split.beta);
            if !self.aborted && split.work().found.take(child.square, value, split.beta) {
                self.counts.cutoffs += 1;
                split.cancelled.store(true, Ordering::Relaxed);
            }
            drop(running);
        }
    }

    /// The next move of a split and what to search it against. Who takes the last one, or finds that
    /// none are needed, closes the split.
    fn take_from(&self, split: &Split<E::State>) -> Option<(Candidate, Found)> {
        let mut work = split.work();
        if self.aborted || split.is_cancelled() {
            work.candidates.clear();
        }
        let taken = take_best(&mut work.candidates);
        let found = work.found;
        work.n_running += usize::from(taken.is_some());
        let is_empty = work.candidates.is_empty();
        // Waiting threads lock the list before the work.
        drop(work);
        if is_empty {
            self.shared.splits.close(split);
        }
        taken.map(|child| (child, found))
    }
}

/// A thread at work on one move of a split; it counts as such until it is dropped, come what may.
struct Running<'a, S> {
    split: &'a Split<S>,
    splits: &'a Splits<S>,
}

impl<S> Drop for Running<'_, S> {
    fn drop(&mut self) {
        let n_running = {
            let mut work = self.split.work();
            work.n_running -= 1;
            work.n_running
        };
        if n_running == 0 {
            self.splits.announce(&locked(&self.splits.open));
        }
    }
}
