//! Explaining positions: the coach's questions, answered by our engine.

use crate::Analyst;
use coach::{Attribution, Question};
use engine::{Limits, book::Book};
use game::{Control, Report, Score};
use othello::{Position, Square};
use std::sync::atomic::{AtomicBool, Ordering};

pub use coach::explain::{
    Basis, Branch, Candidate, Certainty, Claim, CornerArrow, ExplainError, Explainer, Explanation,
    FIRST_DEPTH, Feature, FeatureCache, Features, Judgement, Mistake, MistakeClass, MobilityHeat,
    MovePreview, Opening, Openings, OpeningsError, Origin, Overlays, ParityRegion, Reason,
    Recognised, RegionFeature, Row, Severity, SideDelta, SideFeatures, SpeaksFor, StabilityHeat,
    Table, Tag, Tension, winning_chances,
};

/// How bad each line of a report is beside its best one, in their order.
pub fn severities(report: &Report) -> Vec<Severity> {
    let best = report.lines.first().map_or(report.score, |it| it.score);
    let severity = |line: &game::Line| match &report.position {
        game::Position::Othello(position) => {
            let empties = position.board.empties().len();
            Severity::of_scores(best, line.score, empties, report.solved)
        }
        game::Position::Chess(_) => Severity::of_pawns(best, line.score),
    };
    report.lines.iter().map(severity).collect()
}

/// How hard the engine looks at a position that is explained. Nodes rather than time decide, so that
/// the same question gets the same answer on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// At most so many plies from the explained position.
    pub depth: u32,
    /// With at most so many empty squares there the game is solved, if that is quick.
    pub solve_empties: u32,
    /// At most so many nodes for each of the few searches that a comparison takes.
    pub nodes: u64,
    /// The same for a search that solves.
    pub solve_nodes: u64,
    /// At most so long for each of them, whatever the nodes.
    pub time_ms: Option<u64>,
}

impl Default for Effort {
    /// Half a second on an ordinary machine, three where it is hard.
    fn default() -> Self {
        Self {
            depth: 22,
            solve_empties: 24,
            nodes: 6_000_000,
            solve_nodes: 150_000_000,
            time_ms: None,
        }
    }
}

impl Effort {
    /// For something to read at once: a tenth of a second or two.
    pub const FIRST_LOOK: Self = Self {
        depth: 12,
        solve_empties: 16,
        nodes: 150_000,
        solve_nodes: 1_000_000,
        time_ms: None,
    };

    /// For a move that waits for the verdict, as its player does: a second, two where it is hard. The
    /// depth allows three comparisons. The time is for machines four times as slow; with 250 ms in
    /// place of nodes, a busy machine did not come to a second comparison, so that a loss of seven
    /// discs counted half and passed. Of 34 moves that alarm the default effort, with 20 to 46 empty
    /// squares, this one is alarmed by 28, and by no other of 24.
    pub const HELD: Self = Self {
        depth: 18,
        solve_empties: 20,
        nodes: 1_000_000,
        solve_nodes: 20_000_000,
        time_ms: Some(2_000),
    };

    /// For every move of a game, from the last to the first: a whole game in half a minute.
    pub const REVIEW: Self = Self {
        depth: 18,
        solve_empties: 24,
        nodes: 3_000_000,
        solve_nodes: 60_000_000,
        time_ms: None,
    };

    /// Solves as many empty squares as this or as many as the user wants, whichever is more.
    #[must_use]
    pub fn solving(mut self, empties: u32) -> Self {
        self.solve_empties = self.solve_empties.max(empties);
        self
    }
}

/// With so many empty squares solving takes long enough to be shared between threads.
const LONG_SOLVES: u32 = 20;

/// The threads for solving what somebody waits for: two or as many as there are cores, whichever is
/// less.
pub fn waited_for_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(2))
}

/// What the terminal needs for the searches of one explanation, in megabytes: the table of a long
/// analysis takes longer to make than the answer to find.
pub const EXPLAIN_HASH_MB: u32 = 32;

/// The search was told to stop before it had an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct StoppedError;

/// An [`Analyst`] whom the coach can ask.
pub struct Witness<'a> {
    analyst: &'a mut Analyst,
    effort: Effort,
    now_ms: &'a (dyn Fn() -> u64 + Sync),
    stop: &'a AtomicBool,
    known: Option<Report>,
    book: Option<&'a Book>,
    solving_threads: usize,
}

impl std::fmt::Debug for Witness<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Witness")
            .field("analyst", &self.analyst)
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

impl<'a> Witness<'a> {
    /// Asks `analyst`, with a clock and a way to stop the search.
    pub fn new(
        analyst: &'a mut Analyst,
        effort: Effort,
        now_ms: &'a (dyn Fn() -> u64 + Sync),
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            analyst,
            effort,
            now_ms,
            stop,
            known: None,
            book: None,
            solving_threads: 1,
        }
    }

    /// The same with a report that the user has seen already. Where it is deep enough for a verdict
    /// and the position cannot be solved quickly, it is the answer: what is explained is then what
    /// was shown.
    #[must_use]
    pub fn knowing(mut self, report: Report) -> Self {
        self.known = Some(report);
        self
    }

    /// The same with a book that says what theory is.
    #[must_use]
    pub const fn reading(mut self, book: &'a Book) -> Self {
        self.book = Some(book);
        self
    }

    /// The same with so many threads for solving what takes long: what is proven is proven on any
    /// number of them. Searches that prove nothing stay on the analyst's own threads.
    #[must_use]
    pub const fn solving_on(mut self, threads: usize) -> Self {
        self.solving_threads = threads;
        self
    }

    fn search(&mut self, position: Position, limits: &Limits) -> Report {
        let control = Control {
            now_ms: self.now_ms,
            stop: self.stop,
            observe: &mut |_| {},
        };
        let usual = self.analyst.threads();
        let wanted = if limits.exact_empties >= LONG_SOLVES {
            self.solving_threads.max(usual)
        } else {
            usual
        };
        // Without more threads it takes longer.
        let _more = self.analyst.set_threads(wanted);
        let report = self.analyst.search(position, limits, control);
        let _back = self.analyst.set_threads(usual);
        report
    }

    /// What is known about a position, if it is enough to answer the question.
    fn remembered(&self, position: Position, question: Question) -> Option<Report> {
        let report = self.known.as_ref()?;
        let n_moves = position.board.legal_moves().len() as usize;
        let is_quick = position.board.empties().len() <= self.effort.solve_empties;
        let depth = FIRST_DEPTH.min(self.effort.depth);
        let is_enough = report.solved || !is_quick && report.depth >= depth;
        let has_lines = report.lines.len() >= question.lines.clamp(1, n_moves.max(1));
        let is_about = report.position.othello() == Some(position) && question.plies_played == 0;
        (is_about && is_enough && has_lines).then(|| report.clone())
    }
}

impl coach::Analyst for Witness<'_> {
    type Error = StoppedError;

    fn analyse(&mut self, position: Position, question: Question) -> Result<Report, StoppedError> {
        if let Some(report) = self.remembered(position, question) {
            return Ok(report);
        }
        let played = question.plies_played;
        let depth = self.effort.depth.saturating_sub(played);
        let depth = question.depth_max.map_or(depth, |max| depth.min(max));
        // Where solving the position itself took too long, solving it after a move would, too.
        let empties = position.board.empties().len() + played;
        let is_wanted = played == 0 || question.depth_max.is_none();
        let solves = is_wanted && empties <= self.effort.solve_empties;
        let limits = Limits {
            depth: Some(depth.max(1)),
            exact_empties: if solves { empties - played } else { 0 },
            nodes: Some(if solves {
                self.effort.solve_nodes
            } else {
                self.effort.nodes
            }),
            time_ms: self.effort.time_ms,
            lines: question.lines.max(1),
            ..Limits::default()
        };
        let report = self.search(position, &limits);
        if self.stop.load(Ordering::Relaxed) {
            return Err(StoppedError);
        }
        Ok(report)
    }

    fn book_moves(&mut self, position: Position) -> Vec<Square> {
        self.book
            .map_or_else(Vec::new, |book| crate::book::squares(book, position))
    }

    fn attribute(&mut self, position: Position) -> Option<Attribution> {
        let parts = self.analyst.attribute(position.board)?;
        let parts = parts.into_iter();
        Some(Attribution {
            parts: parts
                .map(|(area, part)| (area, Score::centi(part)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, EvaluatorChoice, Settings};
    use coach::Analyst as _;
    use othello::{Board, notation::parse_transcript, sample::random_boards};
    use std::sync::atomic::AtomicU64;

    fn analyst(evaluator: EvaluatorChoice) -> Analyst {
        let settings = Settings {
            evaluator,
            engine: EngineChoice::AlphaBeta,
            weights: None,
            hash_mb: 4,
            threads: 1,
        };
        Analyst::new(&settings).unwrap()
    }

    const EFFORT: Effort = Effort {
        depth: 6,
        solve_empties: 8,
        ..Effort::REVIEW
    };

    #[test]
    fn attributions_add_up_to_the_static_value() {
        let mut analyst = analyst(EvaluatorChoice::Pattern);
        for board in random_boards(71).take(200) {
            let value = analyst.evaluate(board);
            let stop = AtomicBool::new(false);
            let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
            let position = Position {
                board,
                ..Position::START
            };
            let attribution = witness.attribute(position).unwrap();
            assert_eq!(attribution.total(), Score::centi(value));
        }
    }

    #[test]
    fn an_evaluation_that_cannot_be_taken_apart_gives_no_model_reasons() {
        let mut analyst = analyst(EvaluatorChoice::Classic);
        let stop = AtomicBool::new(false);
        let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
        assert_eq!(witness.attribute(Position::START), None);
        let game = parse_transcript("f5d6c3d3c4").unwrap();
        let explanation = Explainer::new().explain(&mut witness, game.position(), None);
        let explanation = explanation.unwrap();
        assert!(explanation.other.is_some());
    }

    /// A millisecond passes with each reading of the clock. With 250 of them for each search the verdict
    /// was another.
    #[test]
    fn a_move_that_waits_is_judged_alike_on_a_slow_machine() {
        let moves = "f5f6e6f4e3d6g4d3c3h3c4g3g5g6e7d7h5f3h4h6c6f7c7c5c8d8b5c2";
        let position = parse_transcript(moves).unwrap().position();
        let stop = AtomicBool::new(false);
        let judged = |clock: &(dyn Fn() -> u64 + Sync)| {
            let mut analyst = analyst(EvaluatorChoice::Pattern);
            let mut witness = Witness::new(&mut analyst, Effort::HELD, clock, &stop);
            let played = "e8".parse().unwrap();
            Explainer::new().judge(&mut witness, position, played)
        };
        let n_readings = AtomicU64::new(0);
        let slow = judged(&|| n_readings.fetch_add(1, Ordering::Relaxed)).unwrap();
        assert!(slow.is_alarming(), "{} {:?}", slow.loss, slow.certainty);
        assert_eq!(slow, judged(&|| 0).unwrap());
        let n_readings = n_readings.into_inner();
        assert!(
            n_readings > 1_000,
            "{n_readings} readings: that is no slow machine"
        );
    }

    #[test]
    fn values_of_a_move_and_of_the_position_after_it_are_of_the_same_depth() {
        let mut analyst = analyst(EvaluatorChoice::Pattern);
        let stop = AtomicBool::new(false);
        let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
        let ask = |plies_played, depth_max| Question {
            lines: 1,
            plies_played,
            depth_max,
        };
        let before = witness.analyse(Position::START, ask(0, None)).unwrap();
        let position = Position::START.play("f5".parse().unwrap()).unwrap();
        let after = witness.analyse(position, ask(1, None)).unwrap();
        assert_eq!((before.depth, after.depth), (6, 5));
        let shallow = witness.analyse(position, ask(1, Some(3))).unwrap();
        assert_eq!(shallow.depth, 3);
    }

    #[test]
    fn a_stopped_search_is_no_answer() {
        let mut analyst = analyst(EvaluatorChoice::Pattern);
        let stop = AtomicBool::new(true);
        let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
        let question = Question::about_root(1);
        let board = Board::START;
        let position = Position {
            board,
            ..Position::START
        };
        assert_eq!(witness.analyse(position, question), Err(StoppedError));
    }
}
