//! Reviewing many games as one job that the database remembers. It goes on after a kill where it was:
//! every game is reviewed once, and no move that was valued is valued again.

use super::{
    Library, LibraryError, record_of,
    reviews::{kept, limits, line_key, maker, recalled, reports_of},
};
use crate::{
    Analyst,
    explain::{Effort, ExplainError, Explainer, Witness},
    review::{JudgedMove, Voice, placements},
};
use game::{Kind, Source};
use othello::{Game, Position, Square};
use std::sync::{Arc, atomic::AtomicBool};
use store::{Event, GameId, JobStep, KeptJob, KeptState, StoreError};

/// The kinds of these jobs in the database: those of the desk, which goes on with them when it is set
/// up, and those of the terminal, which go on when the command is given again.
pub const REVIEW_JOB: &str = "review";
pub const TERMINAL_JOB: &str = "review in the terminal";

/// Why a job cannot go on. What it has found is kept, and it can be taken up again.
#[derive(Debug, thiserror::Error)]
pub enum ReviewJobError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The engine or the coach failed.
    #[error("game {game}, move {number}: {reason}")]
    Coach {
        game: GameId,
        /// Which move of the game it is, from 1.
        number: u32,
        reason: String,
    },
}

/// What a step of the job came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewStep {
    /// A move was valued, and is on disk.
    Judged,
    /// A game is done with, by its last move, because it was reviewed before, or because it cannot
    /// be reviewed.
    GameDone,
    /// There is no game left.
    Finished,
    /// The search was told to stop; the same move comes again.
    Stopped,
}

/// The game that is being reviewed.
#[derive(Debug)]
struct Current {
    place: u32,
    id: GameId,
    game: Game,
    placed: Vec<(Position, Square)>,
    /// The moves that were looked at, from the end.
    judged: Vec<JudgedMove>,
}

impl Current {
    /// The last move that was not looked at: its number, the position before it, and its square.
    fn next(&self) -> Option<(u32, Position, Square)> {
        let is_known = |number: u32| self.judged.iter().any(|it| it.number == number);
        let moves = self.placed.iter().enumerate().rev();
        let mut moves = moves.map(|(at, (position, square))| (at as u32 + 1, *position, *square));
        moves.find(|(number, ..)| !is_known(*number))
    }
}

/// Reviews of many games, one move at a time.
#[derive(Debug)]
pub struct ReviewJob {
    library: Arc<Library>,
    job: KeptJob,
    effort: Effort,
    current: Option<Current>,
    /// The game that was done with last, if it has a review.
    last: Option<GameId>,
    /// Moves that this run has valued.
    n_valued: u64,
}

impl ReviewJob {
    /// Writes down that these games are to be reviewed, in this order.
    pub fn begin(
        library: Arc<Library>,
        kind: &'static str,
        games: Vec<GameId>,
        effort: Effort,
    ) -> Result<Self, LibraryError> {
        let job = library.begin_job(kind, spec(effort), games)?;
        Ok(Self::of(library, job, effort))
    }

    /// Takes a job up that the database remembers; `None` if it is another kind of work.
    pub fn take_up(library: Arc<Library>, job: KeptJob) -> Option<Self> {
        let is_review = [REVIEW_JOB, TERMINAL_JOB].contains(&&job.kind[..]);
        let effort = read_spec(&job.spec).filter(|_| is_review)?;
        Some(Self::of(library, job, effort))
    }

    const fn of(library: Arc<Library>, job: KeptJob, effort: Effort) -> Self {
        Self {
            library,
            job,
            effort,
            current: None,
            last: None,
            n_valued: 0,
        }
    }

    /// The game that was done with last, if it has a review.
    pub const fn last_reviewed(&self) -> Option<GameId> {
        self.last
    }

    /// The job as it stands now.
    pub const fn job(&self) -> &KeptJob {
        &self.job
    }

    /// How many moves this run has valued.
    pub const fn n_valued(&self) -> u64 {
        self.n_valued
    }

    /// How far it is, as a sentence.
    pub fn message(&self) -> String {
        let KeptJob {
            total,
            done,
            problems,
            ..
        } = self.job;
        let failed = match problems {
            0 => String::new(),
            1 => " One could not be reviewed.".to_owned(),
            n => format!(" {n} could not be reviewed."),
        };
        match &self.current {
            Some(current) => {
                let (judged, moves) = (current.judged.len(), current.placed.len());
                let at = (done + 1).min(total);
                format!("Game {at} of {total}: looked at {judged} of {moves} moves.{failed}")
            }
            None => format!("Reviewed {done} of {total} games.{failed}"),
        }
    }

    /// Does the next piece of work: one move at most.
    pub fn step(
        &mut self,
        analyst: &mut Analyst,
        explainer: &mut Explainer,
        now_ms: &(dyn Fn() -> u64 + Sync),
        stop: &AtomicBool,
    ) -> Result<ReviewStep, ReviewJobError> {
        let source = analyst.source().clone();
        let mut current = match self.current.take() {
            Some(current) => current,
            None => match self.next(&source)? {
                Next::Review(current) => {
                    // What a review finds depends on its game alone.
                    analyst.clear();
                    *current
                }
                Next::Settled => return Ok(ReviewStep::GameDone),
                Next::None => {
                    let (job, state) = (self.job.id, KeptState::Over);
                    let written = self.library.write(Event::JobState { job, state });
                    written.map_err(LibraryError::from)?;
                    self.job.state = state;
                    return Ok(ReviewStep::Finished);
                }
            },
        };
        if let Some((number, position, square)) = current.next() {
            let mut witness = Witness::new(analyst, self.effort, now_ms, stop);
            match explainer.judge(&mut witness, position, square) {
                Ok(judgement) => current.judged.push(JudgedMove {
                    number,
                    position,
                    judgement,
                }),
                Err(error) => {
                    let game = current.id;
                    self.current = Some(current);
                    return match error {
                        ExplainError::Analyst(_) => Ok(ReviewStep::Stopped),
                        error => Err(ReviewJobError::Coach {
                            game,
                            number,
                            reason: error.to_string(),
                        }),
                    };
                }
            }
            self.n_valued += 1;
        }
        let kept = self.keep(&current, &source);
        let is_done = current.judged.len() == current.placed.len();
        let id = current.id;
        if kept.is_err() || !is_done {
            self.current = Some(current);
        }
        kept?;
        if is_done {
            self.job.done += 1;
            self.last = Some(id);
        }
        Ok(if is_done {
            ReviewStep::GameDone
        } else {
            ReviewStep::Judged
        })
    }

    /// Puts what was found on disk; with the last move, that the game is done.
    fn keep(&self, current: &Current, source: &Source) -> Result<(), LibraryError> {
        let Current {
            place,
            id,
            game,
            judged,
            ..
        } = current;
        let review = kept(game, source, self.effort, judged, Library::now_seconds());
        let step = review.is_done.then(|| self.done(*place, None));
        self.library.write(Event::Review {
            review: Box::new(review),
            game: Some(*id),
            step,
        })?;
        for report in judged.last().iter().flat_map(|it| reports_of(it, source)) {
            let (report, limits) = (Box::new(report), limits(self.effort));
            self.library.record(Event::Analysis { report, limits });
        }
        Ok(())
    }

    const fn done(&self, place: u32, problem: Option<String>) -> JobStep {
        JobStep {
            job: self.job.id,
            place,
            problem,
        }
    }

    /// The next game, with what was found about it before.
    fn next(&mut self, source: &Source) -> Result<Next, LibraryError> {
        let Some((place, id)) = self.library.next_of_job(self.job.id)? else {
            return Ok(Next::None);
        };
        let game = match self.game(id)? {
            Ok(game) => game,
            Err(problem) => {
                let step = self.done(place, Some(problem));
                self.library.write(Event::JobStep(step))?;
                self.job.done += 1;
                self.job.problems += 1;
                self.last = None;
                return Ok(Next::Settled);
            }
        };
        let maker = maker(source, self.effort);
        let known = self.library.review_of_line(line_key(&game), &maker)?;
        let recalled = known
            .as_ref()
            .and_then(|it| recalled(it, &game, Voice::Colours));
        if let (Some(review), Some(true)) = (known, recalled.as_ref().map(|it| it.is_done)) {
            self.library.write(Event::Review {
                review: Box::new(review),
                game: Some(id),
                step: Some(self.done(place, None)),
            })?;
            self.job.done += 1;
            self.last = Some(id);
            return Ok(Next::Settled);
        }
        let mut judged = recalled.map(|it| it.moves).unwrap_or_default();
        judged.reverse();
        Ok(Next::Review(Box::new(Current {
            place,
            id,
            placed: placements(&game),
            game,
            judged,
        })))
    }

    /// A game of the database, or why it cannot be reviewed.
    fn game(&self, id: GameId) -> Result<Result<Game, String>, LibraryError> {
        let game = match self.library.game(id) {
            Err(StoreError::NoSuchGame(_)) => return Ok(Err("the game was deleted".to_owned())),
            game => game?,
        };
        if game.packed.kind != Kind::Othello {
            let problem = "the coach reviews Othello alone, and this is a game of chess";
            return Ok(Err(problem.to_owned()));
        }
        let record = match record_of(&game) {
            Ok(record) => record,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let game = record.to_othello_game().filter(|it| it.ply() > 0);
        Ok(game.ok_or_else(|| "the game has no moves".to_owned()))
    }
}

enum Next {
    Review(Box<Current>),
    /// The game needs no look.
    Settled,
    None,
}

fn spec(effort: Effort) -> String {
    let Effort {
        depth,
        solve_empties,
        nodes,
        solve_nodes,
        ..
    } = effort;
    format!("{depth} {solve_empties} {nodes} {solve_nodes}")
}

fn read_spec(text: &str) -> Option<Effort> {
    let mut words = text.split(' ');
    Some(Effort {
        depth: words.next()?.parse().ok()?,
        solve_empties: words.next()?.parse().ok()?,
        nodes: words.next()?.parse().ok()?,
        solve_nodes: words.next()?.parse().ok()?,
        time_ms: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, EvaluatorChoice, Settings};
    use othello::notation::parse_transcript;
    use std::path::Path;
    use store::{Filter, GameData, NewGame, Order};

    const EFFORT: Effort = Effort {
        depth: 2,
        solve_empties: 4,
        nodes: 1_000,
        solve_nodes: 1_000,
        time_ms: None,
    };

    fn game(moves: &str, black: &str, date: u32) -> NewGame {
        let mut game = GameData::new(game::Packed::from(&parse_transcript(moves).unwrap()));
        black.clone_into(&mut game.black);
        "Somebody".clone_into(&mut game.white);
        game.date = date;
        NewGame::new(game).unwrap()
    }

    fn chess() -> NewGame {
        let packed = game::Packed {
            kind: Kind::Chess,
            start: None,
            moves: Vec::new(),
        };
        NewGame::new(GameData::new(packed)).unwrap()
    }

    const GAMES: [(&str, &str, u32); 4] = [
        ("f5d6c3d3c4f4f6f3e6e7d7g6", "Me", 20_240_501),
        ("f5f6e6f4e3d6g4d3c3h3", "Me", 20_240_610),
        // The same moves as the first: valued once.
        ("f5d6c3d3c4f4f6f3e6e7d7g6", "Another", 20_240_611),
        ("f5d6c5f4d3c3", "Me", 20_240_612),
    ];

    fn analyst() -> Analyst {
        let settings = Settings {
            evaluator: EvaluatorChoice::Pattern,
            engine: EngineChoice::AlphaBeta,
            weights: None,
            hash_mb: 1,
            threads: 1,
        };
        Analyst::new(&settings).unwrap()
    }

    fn library(path: &Path) -> Arc<Library> {
        Arc::new(Library::open(path).unwrap())
    }

    #[test]
    fn a_job_that_is_interrupted_again_and_again_values_every_move_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let kept = library(&path);
        for (moves, black, date) in GAMES {
            assert!(kept.add(game(moves, black, date)).unwrap());
        }
        kept.add(chess()).unwrap();
        kept.set_selves(vec!["Me".to_owned()]).unwrap();
        let job = ReviewJob::begin(
            Arc::clone(&kept),
            REVIEW_JOB,
            vec![1, 2, 3, 4, 5, 99],
            EFFORT,
        );
        let job = job.unwrap();
        let id = job.job().id;
        drop((job, kept));
        let (mut n_valued, mut n_runs) = (0, 0);
        let stop = AtomicBool::new(false);
        let mut analyst = analyst();
        'runs: loop {
            // A run of the program that ends after a few steps, in the middle of a game.
            n_runs += 1;
            let kept = library(&path);
            let open = kept.open_jobs().unwrap();
            assert_eq!(open.len(), 1);
            let mut job = ReviewJob::take_up(Arc::clone(&kept), open[0].clone()).unwrap();
            let mut explainer = Explainer::new();
            for _ in 0..5 {
                let step = job.step(&mut analyst, &mut explainer, &|| 0, &stop);
                if step.unwrap() == ReviewStep::Finished {
                    n_valued += job.n_valued();
                    break 'runs;
                }
            }
            n_valued += job.n_valued();
        }
        assert_eq!((n_valued, n_runs > 4), (12 + 10 + 6, true));
        let kept = library(&path);
        let done = kept.job(id).unwrap().unwrap();
        assert_eq!((done.total, done.done, done.problems), (6, 6, 2));
        assert_eq!(done.state, KeptState::Over);
        let problems = kept.problems_of_job(id).unwrap();
        assert!(problems[0].1.contains("chess") && problems[1].1.contains("deleted"));
        for game in 1..=4 {
            let review = kept.review(game).unwrap().unwrap();
            assert!(review.is_done, "game {game}");
            let length = usize::from(kept.game(game).unwrap().length);
            assert_eq!(review.moves.len(), length);
        }
        // What was found helps the explorer, and shows something together.
        let explored = kept.explore(&Kind::Othello.start(), &Filter::default(), 3);
        assert!(explored.unwrap().moves[0].value.is_some());
        let insights = kept
            .insights(&kept.filter("game:othello").unwrap())
            .unwrap();
        assert_eq!((insights.games, insights.total), (3, 4));
        assert_eq!(insights.over_time.len(), 3);
        assert_eq!(insights.months.len(), 2);
        assert_eq!(insights.months[1].name, "2024.06");
        let moves: u64 = insights.phases.iter().map(|it| it.moves).sum();
        assert_eq!(moves, 6 + 5 + 3);
        for bar in insights.classes.iter().chain(&insights.openings) {
            let Some(query) = &bar.query else { continue };
            let filter = kept.filter(&format!("own:yes {query}")).unwrap();
            let page = store::Page { skip: 0, most: 9 };
            let found = kept.find(&filter, Order::Added, page).unwrap();
            assert!(found.total as u64 >= bar.games, "{bar:?}");
        }
        assert!(kept.to_review(&Filter::default(), 9).unwrap().is_empty());
    }
}
