//! Whether this program works on this machine: rules, solver, weights, disk.

use crate::{Analyst, EngineChoice, Evaluation, Home, Limits};
use game::{Control, Score};
use othello::{Board, Position, Symmetry, perft, perft_reference};
use std::sync::atomic::AtomicBool;

/// One thing that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// `rules`, `solver`, `weights` or `disk`.
    pub name: &'static str,
    /// What was found, or what is wrong and what to do about it.
    pub outcome: Result<String, String>,
}

impl Check {
    /// Whether it went well.
    pub const fn is_ok(&self) -> bool {
        self.outcome.is_ok()
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.outcome {
            Ok(found) => write!(f, "✓ {:<8} {found}", self.name),
            Err(problem) => write!(f, "✗ {:<8} {problem}", self.name),
        }
    }
}

/// Tries everything; a fraction of a second. Without a home there is no disk to try.
pub fn run(
    home: Option<&Home>,
    evaluation: &Evaluation,
    now_ms: &(dyn Fn() -> u64 + Sync),
) -> Vec<Check> {
    let mut checks = vec![
        Check {
            name: "rules",
            outcome: rules(),
        },
        Check {
            name: "solver",
            outcome: solver(evaluation, now_ms),
        },
        Check {
            name: "weights",
            outcome: weights(evaluation),
        },
    ];
    if let Some(home) = home {
        checks.push(Check {
            name: "disk",
            outcome: disk(home),
        });
    }
    checks
}

/// Published counts of the start position.
const PERFT: [(u32, u64); 2] = [(6, 8_200), (8, 390_216)];

fn rules() -> Result<String, String> {
    const ADVICE: &str = "this build does not fit this processor; take another one";
    for (depth, expected) in PERFT {
        let found = perft(Board::START, depth);
        if found != expected {
            return Err(format!(
                "{found} move sequences of {depth}, but there are {expected}; {ADVICE}"
            ));
        }
    }
    let (depth, expected) = PERFT[0];
    let slow = perft_reference(Board::START, depth);
    if slow != expected {
        return Err(format!(
            "the plain generator finds {slow} move sequences of {depth}, but there are {expected}; \
             {ADVICE}"
        ));
    }
    Ok("the move generator counts as published".to_owned())
}

/// Number 40 of the usual endgame problems: 20 empty squares, published score.
const PROBLEM: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXXOOOXOOOOOOXX---OOOOX----O--X-------- X";
const PROBLEM_SCORE: i32 = 3_800;

fn solver(evaluation: &Evaluation, now_ms: &(dyn Fn() -> u64 + Sync)) -> Result<String, String> {
    const ADVICE: &str = "send a diagnostics bundle with a bug report";
    let position: Position = PROBLEM
        .parse()
        .map_err(|error| format!("the problem cannot be read: {error}; {ADVICE}"))?;
    let mut analyst = Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, 16, 1)
        .map_err(|error| format!("{error}; close other programs, or lower engine.tt_mb"))?;
    let control = Control {
        now_ms,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    let report = analyst.search(position, &Limits::default(), control);
    if report.solved && report.score == Score::centi(PROBLEM_SCORE) {
        Ok("20 empty squares are solved to the published score".to_owned())
    } else {
        Err(format!(
            "a score of {} where {} is right; {ADVICE}",
            report.score,
            Score::centi(PROBLEM_SCORE)
        ))
    }
}

fn weights(evaluation: &Evaluation) -> Result<String, String> {
    let origin = evaluation.origin();
    let advice = match &origin.file {
        Some(_) => "empty engine.weights in config.toml to use the shipped ones",
        None => "the program file is damaged; install it again",
    };
    let analyst = Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, 1, 1)
        .map_err(|error| format!("{error}; close other programs"))?;
    let boards = othello::sample::random_boards(1).take(64);
    for board in boards.filter(|board| !board.is_game_over()) {
        let value = analyst.evaluate(board);
        if !(-6_400..=6_400).contains(&value) {
            return Err(format!("{origin} values a position at {value}; {advice}"));
        }
        for symmetry in Symmetry::ALL {
            if analyst.evaluate(symmetry.board(board)) != value {
                return Err(format!(
                    "{origin} values mirror images differently; {advice}"
                ));
            }
        }
    }
    Ok(format!(
        "{origin} values positions and their mirror images alike"
    ))
}

fn disk(home: &Home) -> Result<String, String> {
    let path = home.path().join("self-test.tmp");
    let bytes: Vec<u8> = (0..=255).cycle().take(4_096).collect();
    let try_it = || {
        home.disk().replace_private(&path, &bytes)?;
        let read = home.disk().read(&path, 1 << 20)?;
        home.disk().remove(&path)?;
        Ok::<_, std::io::Error>(read == bytes)
    };
    match try_it() {
        Ok(true) => Ok("files are written and read back".to_owned()),
        Ok(false) => Err(
            "a file was read back otherwise than written; check the disk before you play on"
                .to_owned(),
        ),
        Err(error) => Err(format!(
            "{error}; make room in the home folder and let yourself write there, or choose another with --home"
        )),
    }
}

/// Whether this version has been tried in this home; the next call says yes.
pub fn is_due(home: &Home, version: &str) -> bool {
    let path = home.path().join("self-test");
    let tried = home.disk().read(&path, 1 << 10).unwrap_or_default();
    tried != version.as_bytes()
}

/// Remembers that this version works in this home.
pub fn remember(home: &Home, version: &str) -> std::io::Result<()> {
    let path = home.path().join("self-test");
    home.disk().replace_private(&path, version.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvaluatorChoice;

    #[test]
    fn a_whole_program_passes_and_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path())).unwrap();
        let evaluation = Evaluation::shipped(EvaluatorChoice::Pattern).unwrap();
        let checks = run(Some(&home), &evaluation, &|| 0);
        assert_eq!(
            checks.iter().map(|check| check.name).collect::<Vec<_>>(),
            ["rules", "solver", "weights", "disk"]
        );
        for check in &checks {
            assert!(check.is_ok(), "{check}");
        }
        assert!(is_due(&home, "1.0"));
        remember(&home, "1.0").unwrap();
        assert!(!is_due(&home, "1.0"));
        assert!(is_due(&home, "1.1"));
        assert!(!home.path().join("self-test.tmp").exists());
    }

    #[test]
    fn a_home_that_is_gone_fails_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(&folder.path().join("home"))).unwrap();
        std::fs::remove_dir_all(home.path()).unwrap();
        std::fs::write(home.path(), "a file in its place").unwrap();
        let problem = disk(&home).unwrap_err();
        assert!(problem.contains("--home"), "{problem}");
    }
}
