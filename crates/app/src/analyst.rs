//! Somebody who can be asked what a position is worth: an engine with the evaluator of choice.

use crate::evaluation::{Evaluation, EvaluatorChoice, Weights};
use engine::{
    Engine, EngineError, LateMoves, Limits,
    eval::{
        classic::{self, Classic},
        pattern::Pattern,
        weights,
    },
    mcts::Mcts,
};
use game::{Bound, Control, Line, Report, Score, Source, Statistics};
use othello::{Area, Board, Position};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Which search looks for the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// Alpha-beta with an exact endgame solver.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search: on one thread, by playouts, without an evaluation.
    Mcts {
        /// Where the chance in playouts comes from.
        seed: u64,
    },
}

/// How an analyst is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings<'a> {
    pub evaluator: EvaluatorChoice,
    pub engine: EngineChoice,
    /// A weights file's contents in place of the shipped weights: patterns are bytes of their own
    /// format, classic weights are JSON.
    pub weights: Option<&'a [u8]>,
    /// Size of the transposition table, or of the tree of a Monte Carlo search, in megabytes.
    pub hash_mb: usize,
    /// Search threads; one is deterministic.
    pub threads: usize,
}

/// How alpha-beta goes about a search, whatever the search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// See [`Limits::aspiration`].
    pub aspiration: u32,
    /// See [`Limits::late_moves`].
    pub late_moves: LateMoves,
}

/// Why there is no analyst.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// The weights of the patterns cannot be used.
    #[error(transparent)]
    Weights(#[from] weights::WeightsError),
    /// The weights of the classic evaluation cannot be used.
    #[error(transparent)]
    ClassicWeights(#[from] classic::WeightsError),
    /// There is no memory for the table, or the threads cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A weights file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    /// What is in a weights file cannot be used.
    #[error("cannot use {path}: {source}")]
    Use { path: String, source: Box<Self> },
    /// The threads of a batch job cannot be started.
    #[error("cannot start the workers: {0}")]
    Workers(#[source] rayon::ThreadPoolBuildError),
}

/// An engine whose search and evaluator were chosen at run time; the choice is made once, not in
/// the tree.
#[derive(Debug)]
pub struct Analyst {
    engine: Kind,
    /// Searches in place of the engine, which then only evaluates.
    mcts: Option<Mcts>,
    /// In place of what limits say, for whoever has a configuration.
    tuning: Option<Tuning>,
    source: Source,
}

#[derive(Debug)]
enum Kind {
    Pattern(Engine<Arc<Pattern>>),
    Classic(Engine<Classic>),
}

/// What a node of a Monte Carlo tree takes.
const MCTS_NODE_BYTES: usize = 48;

impl Analyst {
    /// Sets an analyst up.
    pub fn new(settings: &Settings<'_>) -> Result<Self, AnalystError> {
        let evaluation = match settings.weights {
            Some(bytes) => Evaluation::from_bytes(settings.evaluator, Path::new("given"), bytes)?,
            None => Evaluation::shipped(settings.evaluator)?,
        };
        Self::with_evaluation(
            &evaluation,
            settings.engine,
            settings.hash_mb,
            settings.threads,
        )
    }

    /// Sets an analyst up who shares the weights of others; the rest is as in [`Settings`].
    pub fn with_evaluation(
        evaluation: &Evaluation,
        engine: EngineChoice,
        hash_mb: usize,
        threads: usize,
    ) -> Result<Self, AnalystError> {
        let mcts = match engine {
            EngineChoice::AlphaBeta => None,
            EngineChoice::Mcts { seed } => Some(Mcts {
                seed,
                max_tree_nodes: hash_mb.saturating_mul(1 << 20) / MCTS_NODE_BYTES,
                ..Mcts::default()
            }),
        };
        // The memory and the threads go to the search that runs.
        let (hash_mb, threads) = match mcts {
            None => (hash_mb, threads),
            Some(_) => (1, 1),
        };
        let engine = match &evaluation.weights {
            Weights::Pattern(pattern) => {
                Kind::Pattern(Engine::new(Arc::clone(pattern), hash_mb, threads)?)
            }
            Weights::Classic(classic) => {
                Kind::Classic(Engine::new(classic.clone(), hash_mb, threads)?)
            }
        };
        let source = match mcts {
            None => source("Kibitz", Some(evaluation.origin().to_string())),
            Some(_) => source("Kibitz MCTS", None),
        };
        Ok(Self {
            engine,
            mcts,
            tuning: None,
            source,
        })
    }

    /// Has all later searches go about it like this, whatever their limits say.
    pub const fn tune(&mut self, tuning: Tuning) {
        self.tuning = Some(tuning);
    }

    /// What it was told about that.
    pub const fn tuning(&self) -> Option<Tuning> {
        self.tuning
    }

    /// Has later searches use so many threads; what the table remembers stays. A Monte Carlo search
    /// has one, whatever is said.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), AnalystError> {
        match (&mut self.engine, &self.mcts) {
            (_, Some(_)) => {}
            (Kind::Pattern(engine), None) => engine.set_threads(threads)?,
            (Kind::Classic(engine), None) => engine.set_threads(threads)?,
        }
        Ok(())
    }

    /// How many threads its searches use.
    pub fn threads(&self) -> usize {
        match (&self.engine, &self.mcts) {
            (_, Some(_)) => 1,
            (Kind::Pattern(engine), None) => engine.threads(),
            (Kind::Classic(engine), None) => engine.threads(),
        }
    }

    /// What its reports say of their origin.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    pub const fn engine(&self) -> EngineChoice {
        match &self.mcts {
            None => EngineChoice::AlphaBeta,
            Some(mcts) => EngineChoice::Mcts { seed: mcts.seed },
        }
    }

    /// Searches a position. What the limits mean to a Monte Carlo search: see [`Mcts::search`].
    pub fn search(&mut self, position: Position, limits: &Limits, control: Control<'_>) -> Report {
        let found = self.search_raw(position, limits, control);
        shared_report(&self.source, position, &found)
    }

    /// The same in the engine's own terms, for levels; the observer is told in everybody's.
    pub(crate) fn search_raw(
        &mut self,
        position: Position,
        limits: &Limits,
        control: Control<'_>,
    ) -> engine::Report {
        let Control {
            now_ms,
            stop,
            observe,
        } = control;
        let (board, source) = (position.board, &self.source);
        let control = engine::Control {
            now_ms,
            stop,
            observe: &mut |found| observe(&shared_report(source, position, found)),
        };
        let mut limits = *limits;
        if let Some(tuning) = self.tuning {
            limits.aspiration = tuning.aspiration;
            limits.late_moves = tuning.late_moves;
        }
        let report = match (&self.mcts, &mut self.engine) {
            (Some(mcts), _) => mcts.search(board, &limits, control),
            (None, Kind::Pattern(engine)) => engine.search(board, &limits, control),
            (None, Kind::Classic(engine)) => engine.search(board, &limits, control),
        };
        self.note(&report);
        report
    }

    /// Tells the log of a search.
    fn note(&self, report: &engine::Report) {
        tracing::debug!(
            target: "kibitz::search",
            mcts = self.mcts.is_some(),
            depth = report.depth,
            solved = report.solved,
            nodes = report.nodes,
            nodes_per_second = 1000 * report.nodes / report.time_ms.max(1),
            table_hit_permille = 1000 * report.table.hits / report.table.probes.max(1),
            ms = report.time_ms,
            "search"
        );
    }

    /// The static value of a position in centidiscs.
    pub fn evaluate(&self, board: Board) -> i32 {
        match &self.engine {
            Kind::Pattern(engine) => engine.evaluate(board),
            Kind::Classic(engine) => engine.evaluate(board),
        }
    }

    /// What each part of the board adds to the static value; `None` for an evaluation that has no
    /// such parts, and for a search that uses none.
    pub fn attribute(&self, board: Board) -> Option<BTreeMap<Area, i32>> {
        match (&self.engine, &self.mcts) {
            (Kind::Pattern(engine), None) => Some(engine.evaluator().attribute(board)),
            _ => None,
        }
    }

    /// The static value as a report without a line.
    pub fn static_report(&self, position: Position) -> Report {
        Report {
            score: Score::centi(self.evaluate(position.board)),
            nodes: 1,
            ..Report::new(position.into(), self.source.clone())
        }
    }

    pub fn clear(&mut self) {
        match &mut self.engine {
            Kind::Pattern(engine) => engine.clear(),
            Kind::Classic(engine) => engine.clear(),
        }
    }
}

fn source(engine: &str, weights: Option<String>) -> Source {
    Source {
        engine: engine.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        weights,
    }
}

/// The engine's report in the shape that all rooms share. Nothing above the engine converts one
/// anywhere else.
pub(crate) fn shared_report(source: &Source, position: Position, found: &engine::Report) -> Report {
    let bound = |bound| match bound {
        engine::Bound::Exact => Bound::Exact,
        engine::Bound::Lower => Bound::Lower,
        engine::Bound::Upper => Bound::Upper,
    };
    let line = |line: &engine::Line| Line {
        score: Score::centi(line.score),
        bound: bound(line.bound),
        moves: line.moves.iter().copied().map(Into::into).collect(),
    };
    Report {
        lines: found.lines.iter().map(line).collect(),
        score: Score::centi(found.score),
        bound: bound(found.bound),
        depth: found.depth,
        solved: found.solved,
        certainty_permille: Some((10.0 * found.selectivity.percent()).round() as u16),
        nodes: found.nodes,
        time_ms: found.time_ms,
        // Monte Carlo search has no table and counts nothing.
        statistics: ((found.table.probes, found.cutoffs) != (0, 0)).then(|| statistics(found)),
        ..Report::new(position.into(), source.clone())
    }
}

const fn statistics(found: &engine::Report) -> Statistics {
    let table = found.table;
    Statistics {
        probes: table.probes,
        hits: table.hits,
        stores: table.stores,
        replacements: table.replacements,
        fill_permille: table.fill_permille as u16,
        cutoffs: Some(found.cutoffs),
        bounds_used: Some(table.bounds_used),
    }
}
