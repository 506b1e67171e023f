//! The façade: a position and limits in, a report out.

use crate::{
    endgame::shallow::Shallow,
    eval::Evaluator,
    limits::{Limits, Selectivity},
    search::{
        Counts, Deadline, Shared,
        lazy::Lazy,
        orders::Orders,
        root,
        split::{self, Splits},
        tree::LateRule,
    },
    table::{Table, TableError},
};
use othello::{Board, Move};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64},
};

/// Whether a score is the value itself or a limit of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or more.
    Lower,
    /// The value is the score or less.
    Upper,
}

/// One of the best moves and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move at the root, in centidiscs.
    pub score: i32,
    /// How to read the score.
    pub bound: Bound,
    /// The move and the best play after it, passes included: as many moves as the search is deep,
    /// or to the end of the game. Reports of searches that have only just begun may have less, and
    /// so may one whose best move was found in a step that was cut short.
    pub moves: Vec<Move>,
}

/// How the transposition table fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableStats {
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    pub stores: u64,
    /// Written entries that displaced another position of the same search.
    pub replacements: u64,
    /// Found bounds that answered for a node, so that nothing was searched there.
    pub bounds_used: u64,
    /// Entries of this search per thousand places, by sampling.
    pub fill_permille: u32,
}

impl TableStats {
    pub(crate) fn add(&mut self, other: Self) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.stores += other.stores;
        self.replacements += other.replacements;
        self.bounds_used += other.bounds_used;
    }
}

/// What a search found: of the deepest work that it finished. A search that was cut short in the
/// middle of deeper work and had found a better move there says that move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The best lines, best first; none if the game is over.
    pub lines: Vec<Line>,
    /// The value of the position in centidiscs: the first line's, or the final score.
    pub score: i32,
    /// How to read the score.
    pub bound: Bound,
    /// Plies searched; the number of empty squares means to the end.
    pub depth: u32,
    /// How selective that search was.
    pub selectivity: Selectivity,
    /// Whether the score (or the win, draw or loss) is proven.
    pub solved: bool,
    /// Positions visited by the search; finishing its lines is not counted.
    pub nodes: u64,
    /// Time on the clock handed in.
    pub time_ms: u64,
    /// Nodes whose last moves were not tried because one had refuted the move before. The layer
    /// below the table, for 12 empty squares and less, counts none.
    pub cutoffs: u64,
    pub table: TableStats,
}

impl Report {
    /// The best move; `None` if the game is over.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }
}

/// The outside world of a search: a clock, a way to stop it, a listener.
pub struct Control<'a> {
    /// Milliseconds since whenever the caller likes.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
    /// Set it to end the search; it is obeyed within milliseconds.
    pub stop: &'a AtomicBool,
    /// Told after each finished piece of work.
    pub observe: &'a mut dyn FnMut(&Report),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

/// An evaluator, a table and threads, ready to search one position after another.
pub struct Engine<E> {
    evaluator: E,
    memory: Memory,
}

/// What an engine has whatever its evaluator is.
pub struct Memory {
    table: Table,
    orders: Orders,
    /// The threads besides the caller's.
    helpers: Option<rayon::ThreadPool>,
    /// The threads' caches between searches.
    spare: Mutex<Vec<Shallow>>,
}

impl Memory {
    fn new(table: Table, helpers: Option<rayon::ThreadPool>) -> Self {
        Self {
            table,
            orders: Orders::new(),
            helpers,
            spare: Mutex::new(Vec::new()),
        }
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory")
            .field("helpers", &self.helpers)
            .finish_non_exhaustive()
    }
}

impl<E: std::fmt::Debug> std::fmt::Debug for Engine<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("evaluator", &self.evaluator)
            .field("memory", &self.memory)
            .finish()
    }
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The threads could not be started.
    #[error("cannot start {threads} search threads: {source}")]
    Threads {
        /// As many as were asked for.
        threads: usize,
        /// What the system says.
        source: rayon::ThreadPoolBuildError,
    },
}

impl<E> Engine<E> {
    /// An engine on one thread whose table has eight entries, as good as none: for measuring what a
    /// table is worth.
    pub fn without_table(evaluator: E) -> Result<Self, EngineError> {
        let memory = Memory::new(Table::smallest()?, None);
        Ok(Self { evaluator, memory })
    }

    /// A deterministic engine on one thread whose table has `hash_mb` megabytes, or as many halves
    /// of that as there is memory for; with the megabytes that it has. An error says that not even
    /// one megabyte is left.
    pub fn with_table_up_to(evaluator: E, hash_mb: usize) -> Result<(Self, usize), EngineError> {
        let mut size_mb = hash_mb.max(1);
        let table = loop {
            match Table::new(size_mb) {
                Ok(table) => break table,
                Err(TableError { available_mb, .. }) if available_mb > 0 => size_mb = available_mb,
                Err(error) => return Err(error.into()),
            }
        };
        let memory = Memory::new(table, None);
        Ok((Self { evaluator, memory }, size_mb))
    }

    /// The same table and threads with another evaluator. The table may remember values of the
    /// old one until it is cleared.
    pub fn with_evaluator<F>(self, evaluator: F) -> Engine<F> {
        Engine {
            evaluator,
            memory: self.memory,
        }
    }
}

/// The threads besides the caller's.
fn helpers(threads: usize) -> Result<Option<rayon::ThreadPool>, EngineError> {
    (threads > 1)
        .then(|| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads - 1)
                .build()
        })
        .transpose()
        .map_err(|source| EngineError::Threads { threads, source })
}

impl<E: Evaluator> Engine<E> {
    /// An engine with a table of about `hash_mb` megabytes. A search runs on the caller's thread,
    /// alone it is deterministic; more threads wait in a pool to help it.
    pub fn new(evaluator: E, hash_mb: usize, threads: usize) -> Result<Self, EngineError> {
        let memory = Memory::new(Table::new(hash_mb)?, helpers(threads)?);
        Ok(Self { evaluator, memory })
    }

    /// Has later searches use so many threads; the table stays.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if self.threads() != threads.max(1) {
            self.memory.helpers = helpers(threads)?;
        }
        Ok(())
    }

    /// How many threads a search uses.
    pub fn threads(&self) -> usize {
        let helpers = self.memory.helpers.as_ref();
        1 + helpers.map_or(0, rayon::ThreadPool::current_num_threads)
    }

    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets all earlier searches, so that the next one depends on nothing but its input.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.orders.forget();
        let spare = self.memory.spare.get_mut();
        for shallow in spare.unwrap_or_else(PoisonError::into_inner) {
            shallow.forget();
        }
    }

    /// The static value of a position in centidiscs.
    pub fn evaluate(&self, board: Board) -> i32 {
        self.evaluator.evaluate(&self.evaluator.root(board), board)
    }

    /// Searches a position until a limit is met or the stop flag is set.
    pub fn search(&mut self, board: Board, limits: &Limits, control: Control<'_>) -> Report {
        self.memory.table.advance();
        self.evaluator.search(&self.memory, board, limits, control)
    }
}

/// A search with a given evaluation. Every evaluation calls it by its own name
/// ([`Evaluator::search`]), so that the code of the tree is made in this crate, once each.
pub(crate) fn search<E: Evaluator>(
    evaluator: &E,
    memory: &Memory,
    board: Board,
    limits: &Limits,
    control: Control<'_>,
) -> Report {
    let start_ms = (control.now_ms)();
    let helpers = memory.helpers.as_ref();
    let n_threads = 1 + helpers.map_or(0, |helpers| helpers.current_num_threads() as u64);
    let shared = Shared {
        evaluator,
        table: &memory.table,
        stop: control.stop,
        halt: AtomicBool::new(false),
        deadline: limits.time_ms.map(|time_ms| Deadline {
            now_ms: control.now_ms,
            at_ms: start_ms + time_ms,
        }),
        node_limit: limits.nodes.unwrap_or(u64::MAX),
        late_rule: LateRule::of(limits.late_moves),
        nodes_granted: AtomicU64::new(0),
        n_threads,
        nodes_polled: AtomicU64::new(0),
        counts: Mutex::new(Counts::default()),
        splits: Splits::new(),
        lazy: Lazy::new(n_threads),
        orders: &memory.orders,
        spare: &memory.spare,
    };
    let Control {
        now_ms, observe, ..
    } = control;
    let elapsed_ms = || now_ms().saturating_sub(start_ms);
    match helpers {
        None => root::search(&shared, board, limits, &elapsed_ms, observe),
        Some(helpers) => helpers.in_place_scope(|scope| {
            for _ in 0..helpers.current_num_threads() {
                scope.spawn(|_| split::help(&shared, board, limits));
            }
            // The helpers go home however the search ends.
            let _end = shared.splits.end_when_dropped(&shared.lazy);
            root::search(&shared, board, limits, &elapsed_ms, observe)
        }),
    }
}
