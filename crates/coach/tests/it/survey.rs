//! Verdicts against the truth: what a verdict says is compared with a search that has all the time it
//! needs.

use crate::truth::{analyst_with, number, tournament_games};
use app::{
    Analyst, Limits,
    explain::{EXPLAIN_HASH_MB, Effort, Witness},
};
use coach::explain::{Certainty, Explainer, Severity};
use game::{Control, Report, Score};
use othello::{Position, Square, sample::SplitMix64};
use std::sync::atomic::AtomicBool;

/// So many plies are the truth where the game cannot be solved.
const DEEP: u32 = 24;
/// With so many empty squares the truth is exact, and a verdict must know who wins below.
const EXACT: u32 = 24;
/// What is called a mistake is looked at still deeper, and solved with so many empty squares.
const DEEPER: u32 = 28;
const EXACT_FOR_MISTAKES: u32 = 26;

/// One in so many proven verdicts is solved again by the oracle; of the others it looks at each.
const CHECKED_PROOFS: usize = 10;

/// What was found out about positions of one kind.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    proven: usize,
    /// What the best moves lose in truth, in centidiscs.
    best_loss: i32,
    /// Best moves that lose more than a quarter of a disc, with what they lose.
    wrong: Vec<(String, i32)>,
    /// Moves called mistakes or worse, and those that cost less than 1.5 discs.
    called: usize,
    called_wrong: Vec<(String, i32)>,
    /// Winners, draws and losses told, and those that are wrong.
    results: usize,
    results_wrong: Vec<String>,
    /// What an explanation took, in milliseconds of processor time.
    times_ms: Vec<u64>,
}

impl Tally {
    fn print(&mut self) {
        self.times_ms.sort_unstable();
        let n = self.times_ms.len().max(1);
        let at = |share: usize| self.times_ms.get(n * share / 100).copied().unwrap_or(0);
        println!(
            "{} positions, {} proven: the best move loses {:.3} discs on average, {} lose something; \
             {} called a mistake or worse, {} of them cost less than 1.5 discs; {} results, {} wrong; \
             ms median {} p95 {} most {}",
            self.positions,
            self.proven,
            f64::from(self.best_loss) / 100.0 / self.positions.max(1) as f64,
            self.wrong.len(),
            self.called,
            self.called_wrong.len(),
            self.results,
            self.results_wrong.len(),
            at(50),
            at(95),
            at(99),
        );
        println!(
            "{:?}\n{:?}\n{:?}",
            self.wrong, self.called_wrong, self.results_wrong
        );
    }
}

/// The processor time of this thread in milliseconds, where the system tells.
fn cpu_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) / 1_000_000
}

/// The value of a position for its side to move, by a search with all the time it needs.
fn truth(analyst: &mut Analyst, position: Position, depth: u32, exact: u32) -> Report {
    let empties = position.board.empties().len();
    let limits = Limits {
        depth: Some(depth),
        exact_empties: exact,
        ..Limits::default()
    };
    let stop = AtomicBool::new(false);
    let control = Control {
        now_ms: &|| 0,
        stop: &stop,
        observe: &mut |_| {},
    };
    let report = analyst.search(position, &limits, control);
    assert!(report.solved || empties > exact);
    report
}

/// What a move costs beside the best one, in centidiscs, both at the same depth.
fn cost_of(
    analyst: &mut Analyst,
    position: Position,
    best: &Report,
    square: Square,
    [depth, exact]: [u32; 2],
) -> i32 {
    if best.best() == Some(square.into()) {
        return 0;
    }
    let after = position.play(square).unwrap();
    let value = if after.board.is_game_over() {
        Score::centi(-100 * after.board.final_score())
    } else {
        -truth(analyst, after, depth - 1, exact).score
    };
    (best.score - value).hundredths().max(0)
}

/// `KIBITZ_WTHOR=DIR cargo test --release -p coach --test it verdicts_hold -- --ignored --nocapture`;
/// `KIBITZ_SURVEY_SOLVED` (12 to 24 empty squares, 2000) and `KIBITZ_SURVEY_DEEP` (25 to 40, 500) say how many
/// positions, `KIBITZ_SURVEY_SEED` which ones.
#[test]
#[ignore = "needs the WTHOR base and an hour"]
fn verdicts_hold_against_the_truth() {
    let games = tournament_games();
    let mut random = SplitMix64::new(u64::from(number("KIBITZ_SURVEY_SEED", 20_261_117)));
    let mut judge = analyst_with(EXPLAIN_HASH_MB as usize);
    let mut oracle = analyst_with(256);
    for (wanted, empties) in [
        (number("KIBITZ_SURVEY_SOLVED", 2000), 12..=24),
        (number("KIBITZ_SURVEY_DEEP", 500), 25..=40),
    ] {
        let mut tally = Tally::default();
        while tally.positions < wanted as usize {
            let game = &games[random.below(games.len() as u32) as usize];
            let n_empties = empties.start() + random.below(empties.end() - empties.start() + 1);
            let mut found = None;
            game.visit(|position, square, _| {
                if position.board.empties().len() == n_empties {
                    found = Some((position, square));
                }
            })
            .unwrap();
            if let Some((position, played)) = found {
                examine(&mut tally, [&mut judge, &mut oracle], position, played);
                if tally.positions.is_multiple_of(20) {
                    tally.print();
                }
            }
        }
        tally.print();
    }
}

fn examine(
    tally: &mut Tally,
    [judge, oracle]: [&mut Analyst; 2],
    position: Position,
    played: Square,
) {
    let stop = AtomicBool::new(false);
    judge.clear();
    let before = cpu_ms();
    let mut witness = Witness::new(judge, Effort::default(), &|| 0, &stop);
    let explanation = Explainer::new().explain(&mut witness, position, Some(played));
    let explanation = explanation.unwrap();
    tally.times_ms.push(cpu_ms() - before);
    let judgement = explanation.judgement().unwrap();
    let place = format!("{position} {played}");
    let is_proven = explanation.certainty == Certainty::Proven;
    if is_proven && !tally.positions.is_multiple_of(CHECKED_PROOFS) {
        // The proof is the truth that the oracle would find, by the same solver.
        tally.positions += 1;
        tally.proven += 1;
        tally.called += usize::from(judgement.severity() >= Severity::Mistake);
        if judgement.severity() >= Severity::Mistake && judgement.loss < Score::centi(150) {
            tally
                .called_wrong
                .push((place, judgement.loss.hundredths()));
        }
        tally.results += if position.board.empties().len() < EXACT {
            2
        } else {
            0
        };
        return;
    }
    let is_called = judgement.severity() >= Severity::Mistake;
    let far @ [depth, exact] = if is_called {
        [DEEPER, EXACT_FOR_MISTAKES]
    } else {
        [DEEP, EXACT]
    };
    let found = truth(oracle, position, depth, exact);
    let (best, told) = (found.score, explanation.best.square);
    let loss = cost_of(oracle, position, &found, told, far);
    let cost = cost_of(oracle, position, &found, played, far);
    tally.positions += 1;
    tally.proven += usize::from(is_proven);
    tally.best_loss += loss;
    if loss > 25 {
        tally.wrong.push((place.clone(), loss));
    }
    if is_called {
        tally.called += 1;
        if cost < 150 {
            tally.called_wrong.push((place.clone(), cost));
        }
    }
    if position.board.empties().len() < EXACT {
        tally.results += 2;
        let sign = |score: Score| score.hundredths().signum();
        let is_right = sign(explanation.best.score) == sign(best)
            && sign(judgement.played.score) == sign(best - Score::centi(cost));
        if !is_right {
            tally.results_wrong.push(place);
        }
    }
}
