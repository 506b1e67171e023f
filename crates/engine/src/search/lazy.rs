//! The midgame on several threads: each searches the root by itself, and what it finds reaches the
//! others through the table (lazy SMP).
//!
//! Splitting nodes gains less there: most of them end at a probe or at their first move, and there
//! is nothing to share. The first thread leads: it says which window of the root it searches, and
//! the others search the same one with the same order of root moves. Whoever finishes it first
//! finishes it for all. So that threads do not do the same work at the same time, a move that another
//! one is searching is put off until the brothers are done (Weill, *The ABDADA Distributed
//! Minimax-Search Algorithm*, 1996), and a thread gives up a node that another has finished.

use super::{
    Shared,
    moves::Candidate,
    root::{Root, Step},
};
use crate::{
    eval::Evaluator,
    limits::Limits,
    table::{Draft, Table},
};
use arrayvec::ArrayVec;
use othello::{Board, Square};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU32, AtomicU64, Ordering},
};

/// A window of the root that the first thread searches.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) step: Step,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The root moves, first to be searched first.
    pub(super) moves: Vec<Candidate>,
}

/// What threads that search side by side tell each other.
#[derive(Debug)]
pub(crate) struct Lazy {
    /// How often a window was begun or finished: odd while threads are at one.
    turn: AtomicU32,
    window: Mutex<Window>,
    /// Hashes of what is being searched right now, each at a place that follows from it.
    busy: Box<[AtomicU64]>,
}

/// The window that threads are at, or the last one.
#[derive(Debug, Default)]
struct Window {
    task: Option<Arc<Task>>,
    /// The best move and its value, if another thread than the first has found them.
    found: Option<(Square, i32)>,
}

/// The turn once there is nothing left to do side by side.
const OVER: u32 = u32::MAX;

/// Shallower windows are done before another thread has heard of them.
const TOGETHER_FROM: u32 = 5;

/// More than enough for the few nodes of each thread that are under way.
const BUSY_BITS: u32 = 12;

/// Looks for a new window before the thread lets others have its core.
const SPINS: u32 = 1_000;

/// In nodes of less depth a move is done before it pays to put it off. With 3, 4 and 6 two threads
/// visit as many nodes, 1.2 times those of one (the example `threads`), and 6 has the fewest marks.
pub(super) const DEFER_FROM: u32 = 6;

impl Lazy {
    /// For a search on one thread there is nothing to tell.
    pub(crate) fn new(n_threads: u64) -> Self {
        let n_slots = if n_threads > 1 { 1 << BUSY_BITS } else { 0 };
        Self {
            turn: AtomicU32::new(0),
            window: Mutex::default(),
            busy: (0..n_slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The first thread begins a window of a midgame search; the turn, or nothing if it searches
    /// alone.
    pub(super) fn begin_window(&self, depth: u32, task: impl FnOnce() -> Task) -> Option<u32> {
        if depth < TOGETHER_FROM || !self.is_on() {
            return None;
        }
        *self.window() = Window {
            task: Some(Arc::new(task())),
            found: None,
        };
        Some(self.turn.fetch_add(1, Ordering::Release) + 1)
    }

    /// The first thread is done with a window; what another one has found of it before.
    pub(super) fn end_window(&self, turn: u32) -> Option<(Square, i32)> {
        let window = self.window();
        self.turn.store(turn + 1, Ordering::Relaxed);
        window.found
    }

    /// A thread beside the first has finished a window.
    fn finish(&self, turn: u32, found: (Square, i32)) {
        let mut window = self.window();
        if self.turn.load(Ordering::Relaxed) == turn {
            window.found = Some(found);
            self.turn.store(turn + 1, Ordering::Relaxed);
        }
    }

    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first thread has left the midgame, or all is over.
    pub(super) fn end(&self) {
        self.turn.store(OVER, Ordering::Relaxed);
    }

    /// Whether what was begun at this turn is of no use any more.
    #[inline]
    pub(super) fn has_passed(&self, turn: u32) -> bool {
        self.turn.load(Ordering::Relaxed) > turn
    }

    /// Whether threads search side by side.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        !self.busy.is_empty() && self.turn.load(Ordering::Relaxed) != OVER
    }

    /// Waits for a window to search; nothing once the first thread has left the midgame.
    fn follow(&self) -> Option<(u32, Arc<Task>)> {
        let mut spins = 0;
        loop {
            let turn = self.turn.load(Ordering::Acquire);
            if turn == OVER {
                return None;
            }
            if turn % 2 == 1 {
                // The task of a later turn may be here already; then this one is over at once.
                return self.window().task.clone().map(|task| (turn, task));
            }
            spins += 1;
            if spins < SPINS {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
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
}

/// A node whose moves are being searched.
#[derive(Debug, Clone, Copy)]
struct Pending {
    hash: u64,
    draft: Draft,
    alpha: i32,
    beta: i32,
}

impl Pending {
    /// What the table says that ends it.
    fn value(&self, table: &Table) -> Option<i32> {
        let entry = table.probe(self.hash)?;
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if !entry.draft.covers(self.draft) {
            None
        } else if lower >= self.beta {
            Some(lower)
        } else {
            (upper <= self.alpha || lower == upper).then_some(upper)
        }
    }
}

/// The nodes from the root to where a thread is that another thread may finish first. What the
/// thread is doing there is of no use from then on: it would go on with moves that nobody needs.
#[derive(Debug)]
pub(super) struct Path {
    pending: ArrayVec<Pending, MOST_PENDING>,
    /// Where on the path another thread was first, and the value that it found.
    done: Option<(usize, i32)>,
}

/// More nodes of [`DEFER_FROM`] plies and more than a line has.
const MOST_PENDING: usize = 128;

impl Path {
    pub(super) const fn new() -> Self {
        Self {
            pending: ArrayVec::new_const(),
            done: None,
        }
    }

    /// Goes into a node; whether there was room.
    #[inline]
    pub(super) fn enter(&mut self, hash: u64, draft: Draft, alpha: i32, beta: i32) -> bool {
        let pending = Pending {
            hash,
            draft,
            alpha,
            beta,
        };
        self.pending.try_push(pending).is_ok()
    }

    /// Leaves the last node; what it is worth if another thread was first there.
    #[inline]
    pub(super) fn leave(&mut self) -> Option<i32> {
        self.pending.pop();
        let (_, value) = self.done.take_if(|(at, _)| *at == self.pending.len())?;
        Some(value)
    }

    /// Whether another thread has finished a node of the path.
    pub(super) fn find_done(&mut self, table: &Table) -> bool {
        let mut pending = self.pending.iter().enumerate();
        self.done = pending.find_map(|(at, pending)| Some((at, pending.value(table)?)));
        self.done.is_some()
    }

    /// Whether another thread has finished the last node.
    #[inline]
    pub(super) fn is_last_done(&mut self, table: &Table) -> bool {
        let at = self.pending.len().wrapping_sub(1);
        let last = self.pending.last();
        self.done = last.and_then(|pending| Some((at, pending.value(table)?)));
        self.done.is_some()
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
pub(super) fn search_beside<E: Evaluator>(shared: &Shared<'_, E>, board: Board, limits: &Limits) {
    let board = if board.legal_moves().is_empty() {
        board.swapped()
    } else {
        board
    };
    let lazy = &shared.lazy;
    let mut root = None;
    while let Some((turn, task)) = lazy.follow() {
        let root = root.get_or_insert_with(|| Root::new(shared, board, limits));
        if let Some(found) = root.run_beside(turn, &task) {
            lazy.finish(turn, found);
        } else if !lazy.has_passed(turn) {
            break;
        }
    }
    if let Some(root) = root {
        root.retire();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Entry;

    fn task() -> Task {
        let step = Step { depth: 9, level: 3 };
        Task {
            step,
            alpha: -50,
            beta: 50,
            moves: Vec::new(),
        }
    }

    #[test]
    fn who_finishes_a_window_first_finishes_it_for_all() {
        let lazy = Lazy::new(2);
        let turn = lazy.begin_window(9, task).unwrap();
        let (followed, _) = lazy.follow().unwrap();
        assert_eq!(followed, turn);
        assert!(!lazy.has_passed(turn));
        let found = (Square::from_low_bits(19), 12);
        lazy.finish(turn, found);
        assert!(lazy.has_passed(turn));
        lazy.finish(turn, (Square::from_low_bits(20), 99));
        assert_eq!(lazy.end_window(turn), Some(found));

        let next = lazy.begin_window(10, task).unwrap();
        assert!(next > turn);
        // Who comes late is not heard.
        lazy.finish(turn, found);
        assert!(!lazy.has_passed(next));
        assert_eq!(lazy.end_window(next), None);
        lazy.end();
        assert!(lazy.follow().is_none());
        assert_eq!(lazy.begin_window(11, task), None);
    }

    #[test]
    fn one_thread_has_nobody_to_tell() {
        assert_eq!(Lazy::new(1).begin_window(9, task), None);
    }

    #[test]
    fn a_node_that_the_table_answers_is_left_with_its_value() {
        let table = Table::smallest().unwrap();
        let draft = |depth| Draft { depth, level: 3 };
        let known = |lower, upper, depth| Entry {
            lower,
            upper,
            draft: draft(depth),
            moves: [None; 2],
        };
        let mut path = Path::new();
        assert!(path.enter(1 << 63 | 5, draft(8), 0, 1));
        assert!(path.enter(7, draft(7), -1, 0));
        assert!(!path.find_done(&table));
        // Not deep enough, and inside of the window.
        table.store(1 << 63 | 5, known(100, 6400, 7));
        table.store(7, known(-6400, 100, 7));
        assert!(!path.find_done(&table) && !path.is_last_done(&table));
        assert_eq!(path.leave(), None);

        assert!(path.enter(7, draft(7), -1, 0));
        table.store(1 << 63 | 5, known(200, 6400, 8));
        assert!(path.find_done(&table));
        // The inner node knows nothing; the outer one has the value.
        assert_eq!(path.leave(), None);
        assert_eq!(path.leave(), Some(200));
        assert_eq!(path.done, None);
    }
}
