//! Who knows how a game ends before its players do: our solver for Othello, tables of endings for
//! chess.

use super::{EntrantError, Settings, TournamentError};
use crate::{Analyst, EngineChoice, Evaluation, EvaluatorChoice, Limits};
use arena::referee::{Oracle, Reason};
use game::{Control, Kind, Outcome, Position, Side, endings::Tables};
use std::sync::{Mutex, PoisonError, atomic::AtomicBool};

/// What the workers of a tournament share to foresee results.
#[derive(Debug)]
pub(super) enum Foresight {
    Nothing,
    /// Othello, from so many empty squares on.
    Solver(Evaluation, u32),
    /// Chess, with whether fifty moves without progress are ignored.
    Tables(Tables, bool),
}

/// Megabytes of the solver's table.
const SOLVER_MB: usize = 16;

impl Foresight {
    pub(super) fn of(settings: &Settings) -> Result<Self, TournamentError> {
        if settings.kind() == Kind::Othello && settings.solve_empties > 0 {
            let evaluation = Evaluation::shipped(EvaluatorChoice::Pattern);
            let evaluation = evaluation.map_err(|source| {
                TournamentError::Entrant(EntrantError::Analyst {
                    name: "solver".to_owned(),
                    source,
                })
            })?;
            return Ok(Self::Solver(evaluation, settings.solve_empties));
        }
        let Some(wanted) = &settings.tablebases else {
            return Ok(Self::Nothing);
        };
        let mut tables = Tables::new(wanted.pieces);
        for folder in &wanted.folders {
            let found = tables.add_folder(folder);
            let found = found.map_err(|source| TournamentError::File {
                path: folder.clone(),
                source,
            })?;
            if found == 0 {
                return Err(TournamentError::Tables(folder.clone()));
            }
        }
        Ok(Self::Tables(tables, wanted.ignore_fifty_moves))
    }

    /// Somebody to be asked by one worker.
    pub(super) fn oracle(&self) -> Option<Box<dyn Oracle + '_>> {
        match self {
            Self::Nothing => None,
            Self::Solver(evaluation, empties) => {
                let made =
                    Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, SOLVER_MB, 1);
                Some(Box::new(Solver {
                    analyst: Mutex::new(made.ok()?),
                    empties: *empties,
                }))
            }
            Self::Tables(tables, ignores_fifty_moves) => Some(Box::new(Endings {
                tables,
                ignores_fifty_moves: *ignores_fifty_moves,
            })),
        }
    }
}

/// Tables of endings, which know the result of every position with few men.
struct Endings<'a> {
    tables: &'a Tables,
    ignores_fifty_moves: bool,
}

impl Oracle for Endings<'_> {
    fn outcome(&self, position: &Position) -> Option<(Outcome, Reason)> {
        let winner = self
            .tables
            .winner(position.chess()?, self.ignores_fifty_moves)?;
        let outcome = Outcome::decided(winner, Reason::Tablebase.termination());
        Some((outcome, Reason::Tablebase))
    }
}

/// Our solver, which knows how games of Othello with few empty squares end.
struct Solver {
    analyst: Mutex<Analyst>,
    empties: u32,
}

impl Oracle for Solver {
    fn outcome(&self, position: &Position) -> Option<(Outcome, Reason)> {
        let position = position.othello()?;
        if position.board.empties().len() > self.empties {
            return None;
        }
        let limits = Limits {
            exact_empties: 60,
            ..Limits::default()
        };
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        let mut analyst = self.analyst.lock().unwrap_or_else(PoisonError::into_inner);
        analyst.clear();
        let score = analyst.search_raw(position, &limits, control).score;
        let for_black = match position.side {
            Side::Black => score,
            Side::White => -score,
        };
        let outcome = Outcome::counted(for_black, Reason::Solved.termination());
        Some((outcome, Reason::Solved))
    }
}
