//! The coach at the table of `kibitz play`: hints, reasons, and the question after a move that costs
//! much. By the policy of all verdicts, and with an engine of its own: a weak opponent may have a
//! strong adviser.

use crate::clock::Stopwatch;
use app::{
    Analyst, Book,
    explain::{
        Effort, ExplainError, Explainer, Explanation, StoppedError, Witness, waited_for_threads,
    },
};
use othello::{Position, Square};
use std::sync::{Arc, atomic::AtomicBool};

/// A look at every move of the person: a tenth of a second or two for each of its few searches.
const NODES: u64 = 1_000_000;

pub(crate) struct Adviser {
    analyst: Analyst,
    explainer: Explainer,
    book: Arc<Book>,
    effort: Effort,
}

impl Adviser {
    pub(crate) fn new(analyst: Analyst, book: Arc<Book>, exact_empties: u32) -> Self {
        Self {
            analyst,
            explainer: Explainer::new(),
            book,
            effort: Effort::default().solving(exact_empties),
        }
    }

    /// Why the best move is the best, or what is wrong with another.
    pub(crate) fn explain(
        &mut self,
        position: Position,
        given: Option<Square>,
    ) -> Result<Explanation, ExplainError<StoppedError>> {
        let watch = Stopwatch::start();
        let now_ms = || watch.elapsed().as_millis() as u64;
        let stop = AtomicBool::new(false);
        self.analyst.clear();
        let mut witness = Witness::new(&mut self.analyst, self.effort, &now_ms, &stop)
            .reading(&self.book)
            .solving_on(waited_for_threads());
        self.explainer.explain(&mut witness, position, given)
    }

    /// Whether a move costs so much that its player should be asked about it.
    pub(crate) fn is_alarmed_by(&mut self, position: Position, played: Square) -> bool {
        let stop = AtomicBool::new(false);
        let effort = Effort {
            nodes: NODES,
            solve_nodes: NODES,
            ..self.effort
        };
        self.analyst.clear();
        let mut witness = Witness::new(&mut self.analyst, effort, &|| 0, &stop);
        let judged = self.explainer.judge(&mut witness, position, played);
        judged.is_ok_and(|it| it.is_alarming())
    }
}
