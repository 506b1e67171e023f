//! How far static values are from those of valued positions.

use super::{Reading, SourceError};
use crate::Analyst;
use learn::data::{Labelled, Origin};
use std::{collections::BTreeMap, path::PathBuf};

/// What was found for some positions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StaticError {
    /// Positions whose value is proven.
    pub exact: u64,
    /// Positions whose value is from a search.
    pub searched: u64,
    /// Sum of the sizes of the errors, in discs.
    sum: f64,
}

impl StaticError {
    fn add(&mut self, labelled: &Labelled, value: i32) {
        match labelled.origin {
            Origin::Exact => self.exact += 1,
            Origin::Search(_) | Origin::Later => self.searched += 1,
        }
        self.sum += f64::from((value - i32::from(labelled.value)).abs()) / 100.0;
    }

    /// The mean size of the errors, in discs.
    pub fn mean(self) -> f64 {
        self.sum / (self.exact + self.searched).max(1) as f64
    }
}

/// The errors of weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked {
    /// By the smaller of the two numbers of empty squares of a stage.
    pub stages: BTreeMap<u32, StaticError>,
    pub all: StaticError,
}

/// Compares the static values of an analyst with those of the positions in files, or of the
/// held-out ones among them. Values from later in a game are left out: they are no measure.
pub fn check(
    analyst: &Analyst,
    files: &[PathBuf],
    held_out_only: bool,
    reading: &mut Reading<'_>,
) -> Result<Checked, SourceError> {
    let counts = |it: &&Labelled| it.origin != Origin::Later && (it.held_out || !held_out_only);
    let mut checked = Checked::default();
    for path in files {
        for labelled in reading.data(path)?.iter().filter(counts) {
            let value = analyst.evaluate(labelled.board);
            let first = labelled.board.empties().len() / 2 * 2;
            let stage = checked.stages.entry(first).or_default();
            stage.add(labelled, value);
            checked.all.add(labelled, value);
        }
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, Evaluation, EvaluatorChoice};
    use learn::data::Appender;
    use othello::sample::random_boards;

    #[test]
    fn errors_are_counted_by_stage_and_values_from_later_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.data");
        let evaluation = Evaluation::shipped(EvaluatorChoice::Pattern).unwrap();
        let analyst = Analyst::with_evaluation(&evaluation, EngineChoice::AlphaBeta, 1, 1).unwrap();
        let origins = [Origin::Exact, Origin::Search(4), Origin::Later];
        let positions: Vec<Labelled> = random_boards(5)
            .take(60)
            .zip((0..20).flat_map(|_| origins))
            .enumerate()
            .map(|(index, (board, origin))| Labelled {
                board,
                // A disc more than the static value, so that the error is known.
                value: (analyst.evaluate(board) + 100) as i16,
                origin,
                held_out: index < 30,
            })
            .collect();
        let file = std::fs::File::create_new(&path).unwrap();
        Appender::new(file).unwrap().append(&positions).unwrap();
        let mut warnings = Vec::new();
        let mut reading = Reading {
            allow_cut: false,
            warn: &mut |text| warnings.push(text.to_owned()),
        };
        let files = [path];
        let all = check(&analyst, &files, false, &mut reading).unwrap();
        let held_out = check(&analyst, &files, true, &mut reading).unwrap();
        assert_eq!((all.all.exact, all.all.searched), (20, 20));
        assert_eq!((held_out.all.exact, held_out.all.searched), (10, 10));
        assert!((all.all.mean() - 1.0).abs() < 1e-9);
        let counted = |it: &StaticError| it.exact + it.searched;
        assert_eq!(all.stages.values().map(counted).sum::<u64>(), 40);
        assert!(all.stages.keys().all(|first| first % 2 == 0));
        assert!(warnings.is_empty());
    }
}
