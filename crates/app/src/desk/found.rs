//! What engines find in analyses goes into the database, with who found it: the explorer shows it
//! beside the games, in this run and in later ones.

use super::{AnalysisState, Shared, foreign::Thinker};
use crate::library::Event;
use game::{Bound, Report};
use std::sync::Arc;

/// What looked less far is known again in a moment.
const DEPTH_MIN: u32 = 8;

/// A report and what it says about the positions after its lines' first moves: each line is an
/// analysis of the position that its move leads to, one ply less deep.
fn with_ways(report: &Report) -> Vec<Report> {
    let after = |line: &game::Line| {
        let position = report.position.play(*line.moves.first()?).ok()?;
        // A pass that is due belongs to the position after the move.
        let (position, n_skipped) = match position.forced() {
            Some(pass) if line.moves.len() > 1 => (position.play(pass).ok()?, 2),
            Some(_) => return None,
            None => (position, 1),
        };
        let is_same_side = position.side() == report.position.side();
        let score = if is_same_side {
            line.score
        } else {
            -line.score
        };
        Some(Report {
            score,
            depth: report.depth.saturating_sub(n_skipped as u32),
            solved: report.solved,
            nodes: report.nodes,
            time_ms: report.time_ms,
            lines: vec![game::Line {
                score,
                bound: line.bound,
                moves: line.moves.get(n_skipped..)?.to_vec(),
            }],
            ..Report::new(position, report.source.clone())
        })
    };
    let exact = report.lines.iter().filter(|it| it.bound == Bound::Exact);
    let ways = exact.filter_map(after).filter(|it| !it.position.is_over());
    std::iter::once(report.clone()).chain(ways).collect()
}

impl Shared {
    /// Keeps what an analysis has found when it ends or goes elsewhere. Averages of a Monte Carlo
    /// search are no values of positions and are not kept.
    pub(super) fn keep_analysis(&self, analysis: &AnalysisState) {
        let is_value = match &analysis.engine {
            Thinker::Own(own) => own.gives_values(),
            Thinker::Foreign(_) => true,
        };
        if let Some(report) = analysis.report.as_ref().filter(|_| is_value) {
            // A search among chosen moves says nothing about the position.
            let ways = with_ways(report);
            let skipped = usize::from(!analysis.only.is_empty());
            self.keep_reports(ways.into_iter().skip(skipped), "analysis");
        }
    }

    /// Keeps one report: of a game that an engine values.
    pub(super) fn keep_report(&self, report: &Report) {
        self.keep_reports(std::iter::once(report.clone()), "review");
    }

    fn keep_reports(&self, reports: impl Iterator<Item = Report>, limits: &str) {
        // Without a database there is nothing to keep it in.
        let Ok(library) = self.library() else { return };
        let mut is_any = false;
        for report in reports {
            let is_worth_it = report.solved || report.depth >= DEPTH_MIN;
            if is_worth_it && report.bound == Bound::Exact && !report.lines.is_empty() {
                is_any = true;
                library.record(Event::Analysis {
                    report: Box::new(report),
                    limits: limits.to_owned(),
                });
            }
        }
        if is_any {
            let tell = Arc::clone(&self.outside.listener);
            library.after_writing(move || tell(super::Event::Values));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Kind, Line, Position, Score, Source};

    fn source() -> Source {
        Source {
            engine: "Test".to_owned(),
            version: "1".to_owned(),
            weights: None,
        }
    }

    #[test]
    fn every_line_is_an_analysis_of_the_position_that_it_leads_to() {
        let start = Kind::Chess.start();
        let line = |text: &str, score| {
            let mut at = start.clone();
            let moves = text.split(' ').map(|it| {
                let action = at.parse_move(it).unwrap();
                at = at.play(action).unwrap();
                action
            });
            Line {
                score,
                bound: Bound::Exact,
                moves: moves.collect(),
            }
        };
        let report = Report {
            depth: 12,
            score: Score::centi(30),
            lines: vec![
                line("e4 e5", Score::centi(30)),
                line("d4 d5", Score::mate_in(4)),
            ],
            ..Report::new(start.clone(), source())
        };
        let kept = with_ways(&report);
        assert_eq!(kept.len(), 3);
        assert_eq!(kept[0], report);
        assert_eq!((kept[1].depth, kept[1].score), (11, Score::centi(-30)));
        assert_eq!(kept[2].score, Score::mated_in(4));
        let after: Position = start.play(start.parse_move("d4").unwrap()).unwrap();
        assert_eq!(kept[2].position, after);
        assert_eq!(kept[2].lines[0].moves, report.lines[1].moves[1..]);
    }

    #[test]
    fn a_pass_that_is_due_keeps_the_side() {
        // Black takes everything but one disc that can flip nothing back.
        let text = "-OX----- -------- -------- -------- -------- -------- -------- ------OX X";
        let board: String = text.split(' ').collect::<Vec<_>>()[..8].concat();
        let position = Kind::Othello.parse_position(&format!("{board} X")).unwrap();
        let action = position.parse_move("a1").unwrap();
        let after = position.play(action).unwrap();
        let pass = after.forced().expect("White has no move");
        let next = after.play(pass).unwrap();
        let second = next.parse_move("f8").unwrap();
        let report = Report {
            depth: 10,
            solved: true,
            lines: vec![Line {
                score: Score::centi(6400),
                bound: Bound::Exact,
                moves: vec![action, pass, second],
            }],
            score: Score::centi(6400),
            ..Report::new(position, source())
        };
        let kept = with_ways(&report);
        assert_eq!(kept[1].position, next);
        assert_eq!((kept[1].score, kept[1].depth), (report.score, 8));
        assert_eq!(kept[1].lines[0].moves, [second]);
    }
}
