//! What the two searching threads work with: engines, made when they are first needed.

use super::brain::Brain;
use crate::{
    Analyst, AnalystError, EngineChoice, Evaluation, Pace, Player, Profile, Seat,
    config::{EngineConfig, EngineName},
    explain::EXPLAIN_HASH_MB,
    session::Manner,
};
use coach::explain::Explainer;

/// The table of a level that looks a few plies ahead.
const PLAYER_HASH_MB: usize = 16;

/// The table of a level that searches as deep as its time allows.
const FULL_HASH_MB: usize = 64;

/// The coach's table is as large as in the terminal, so that both find the same.
const COACH_HASH_MB: usize = EXPLAIN_HASH_MB as usize;

/// How many threads a number in the configuration means, for all analyses together. One core is left to the browser: on two
/// cores, 95 of 100 frames were drawn within 15.1 ms, and within 16.3 ms with a search on both.
pub(super) fn n_threads(configured: u32) -> usize {
    match configured {
        0 => std::thread::available_parallelism().map_or(1, |cores| cores.get().max(2) - 1),
        n => n as usize,
    }
}

/// The tree of a Monte Carlo search in megabytes: more than the playouts of a minute need.
const MCTS_MB: usize = 64;

/// For the thread that plays.
#[derive(Debug)]
pub(super) struct PlayerTools {
    brain: Brain,
    player: Option<Kept>,
}

/// A player and what it was made for.
#[derive(Debug)]
struct Kept {
    threads: usize,
    hash_mb: usize,
    engine: EngineChoice,
    evaluation: Evaluation,
    seat: Seat,
}

impl PlayerTools {
    pub(super) const fn new(brain: Brain) -> Self {
        Self {
            brain,
            player: None,
        }
    }

    /// The player of this level and manner; `available` is how many threads it may take. Without an
    /// engine of its own it searches with the configured one.
    pub(super) fn player(
        &mut self,
        level: Profile,
        manner: Manner,
        seed: u64,
        available: usize,
    ) -> Result<&mut Seat, AnalystError> {
        let threads = level.threads(available);
        let evaluation = self.brain.evaluation()?;
        let name = manner.engine.unwrap_or_else(|| self.brain.opponent());
        let engine = name.with_seed(seed);
        let hash_mb = match (name, level.depth) {
            (EngineName::Mcts, _) => MCTS_MB,
            (EngineName::AlphaBeta, Some(_)) => PLAYER_HASH_MB,
            (EngineName::AlphaBeta, None) => FULL_HASH_MB,
        };
        let is_fit = |kept: &Kept| {
            (kept.threads, kept.hash_mb, kept.engine) == (threads, hash_mb, engine)
                && kept.evaluation.is_same(&evaluation)
        };
        let kept = self.player.take().filter(is_fit);
        let kept = self.player.insert(match kept {
            Some(kept) => kept,
            None => {
                let analyst = Analyst::with_evaluation(&evaluation, engine, hash_mb, threads)?;
                Kept {
                    threads,
                    hash_mb,
                    engine,
                    evaluation,
                    seat: Seat {
                        player: Player::new(analyst, level, self.brain.book(), seed),
                        pace: Pace::Own,
                    },
                }
            }
        });
        let Seat { player, pace } = &mut kept.seat;
        player.become_level(level, seed);
        player.tune(self.brain.tuning());
        player.open_book(self.brain.fresh_book());
        *pace = manner.pace();
        Ok(&mut kept.seat)
    }
}

/// The lanes of the worker that analyses: each engine has one of its own, so that several can work
/// side by side. Questions and reviews are alpha-beta's.
pub(super) const LANES: [(&str, usize); 2] = [("kibitz-analyst", usize::MAX), ("kibitz-mcts", 1)];

/// The lane of an engine.
pub(super) const fn lane(engine: EngineName) -> usize {
    match engine {
        EngineName::AlphaBeta => 0,
        EngineName::Mcts => 1,
    }
}

/// For a lane that analyses.
#[derive(Debug)]
pub(super) struct AnalystTools {
    brain: Brain,
    /// How many threads a search may use now.
    threads: usize,
    /// The weights that the analysts below were made with.
    evaluation: Option<Evaluation>,
    /// With the megabytes of its table.
    analyst: Option<(u32, Analyst)>,
    /// For verdicts: explanations, hints, alerts, reviews. On one thread and with an empty table the
    /// same question has the same answer, whatever was analysed before.
    coach: Option<Analyst>,
    mcts: Option<Analyst>,
    /// Remembers what it has counted.
    explainer: Explainer,
}

impl AnalystTools {
    pub(super) fn new(brain: Brain) -> Self {
        Self {
            brain,
            threads: 1,
            evaluation: None,
            analyst: None,
            coach: None,
            mcts: None,
            explainer: Explainer::default(),
        }
    }

    /// Says how many threads the next searches may use.
    pub(super) const fn may_use(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// The analyst as configured.
    pub(super) fn analyst(&mut self, config: EngineConfig) -> Result<&mut Analyst, AnalystError> {
        match config.engine {
            EngineName::AlphaBeta => self.alpha_beta(config),
            EngineName::Mcts => self.monte_carlo(),
        }
    }

    /// The evaluation in use. If it is another one than before, nothing that was made with the old
    /// one stays.
    fn refreshed(&mut self) -> Result<Evaluation, AnalystError> {
        let wanted = self.brain.evaluation()?;
        let is_same = |known: &Evaluation| known.is_same(&wanted);
        if !self.evaluation.as_ref().is_some_and(is_same) {
            self.analyst = None;
            self.coach = None;
            self.mcts = None;
            self.evaluation = Some(wanted.clone());
        }
        Ok(wanted)
    }

    fn alpha_beta(&mut self, config: EngineConfig) -> Result<&mut Analyst, AnalystError> {
        let evaluation = self.refreshed()?;
        let kept = self.analyst.take();
        let kept = kept.filter(|(tt_mb, _)| *tt_mb == config.tt_mb);
        let (_, analyst) = self.analyst.insert(match kept {
            Some(kept) => kept,
            None => {
                let hash_mb = config.tt_mb as usize;
                let analyst = alpha_beta(&evaluation, hash_mb, self.threads)?;
                (config.tt_mb, analyst)
            }
        });
        analyst.set_threads(self.threads)?;
        analyst.tune(self.brain.tuning());
        Ok(analyst)
    }

    /// The coach's analyst with an empty table, and the explainer.
    pub(super) fn coach(&mut self) -> Result<(&mut Analyst, &mut Explainer), AnalystError> {
        let (analyst, explainer) = self.reviewer()?;
        analyst.clear();
        Ok((analyst, explainer))
    }

    /// The same with what the table remembers: what was found at the end of a game helps with the
    /// moves before.
    pub(super) fn reviewer(&mut self) -> Result<(&mut Analyst, &mut Explainer), AnalystError> {
        let evaluation = self.refreshed()?;
        let analyst = match &mut self.coach {
            Some(kept) => kept,
            none => none.insert(alpha_beta(&evaluation, COACH_HASH_MB, 1)?),
        };
        analyst.tune(self.brain.tuning());
        Ok((analyst, &mut self.explainer))
    }

    fn monte_carlo(&mut self) -> Result<&mut Analyst, AnalystError> {
        let evaluation = self.refreshed()?;
        Ok(match &mut self.mcts {
            Some(kept) => kept,
            none => {
                let engine = EngineName::Mcts.with_seed(0);
                none.insert(Analyst::with_evaluation(&evaluation, engine, MCTS_MB, 1)?)
            }
        })
    }
}

fn alpha_beta(
    evaluation: &Evaluation,
    hash_mb: usize,
    threads: usize,
) -> Result<Analyst, AnalystError> {
    Analyst::with_evaluation(evaluation, EngineChoice::AlphaBeta, hash_mb, threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn looking_at_a_move_makes_no_large_table() {
        let folder = tempfile::tempdir().unwrap();
        let home = crate::Home::open(Some(folder.path())).unwrap();
        let (brain, _) = Brain::new(&Config::default(), &home);
        let mut tools = AnalystTools::new(brain);
        tools.coach().unwrap();
        assert!(tools.analyst.is_none() && tools.coach.is_some());
    }

    #[test]
    fn the_browser_keeps_a_core() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(n_threads(0) < cores || cores == 1);
        assert_eq!(n_threads(3), 3);
    }

    #[test]
    fn another_evaluation_reaches_both_threads_with_empty_tables() {
        let folder = tempfile::tempdir().unwrap();
        let home = crate::Home::open(Some(folder.path())).unwrap();
        let before = Config::default();
        let (brain, _) = Brain::new(&before, &home);
        let mut analyst = AnalystTools::new(brain.clone());
        let mut player = PlayerTools::new(brain.clone());
        let board = othello::Board::START.play("f5".parse().unwrap()).unwrap();
        let pattern = analyst.analyst(before.engine).unwrap().evaluate(board);
        player
            .player(Profile::default(), Manner::default(), 1, 1)
            .unwrap();
        let mut wanted = before.clone();
        wanted.evaluation.evaluator = crate::EvaluatorChoice::Classic;
        wanted.engine.aspiration_cp = 200;
        let prepared = Brain::prepare(&before, &wanted, &home).unwrap();
        brain.adopt(&wanted, prepared);
        assert_eq!(brain.origin().to_string(), "classic:shipped");
        let other = analyst.analyst(wanted.engine).unwrap();
        assert_ne!(other.evaluate(board), pattern);
        assert_eq!(other.tuning(), Some(wanted.engine.tuning()));
        player
            .player(Profile::default(), Manner::default(), 1, 1)
            .unwrap();
        let kept = player.player.as_ref().unwrap();
        assert!(kept.evaluation.is_same(&brain.evaluation().unwrap()));
        // A file that cannot be used refuses the change, and what was in use stays.
        wanted.evaluation.weights = "none.json".to_owned();
        let error = Brain::prepare(&before, &wanted, &home).unwrap_err();
        assert!(error.to_string().contains("none.json"), "{error}");
        assert_eq!(brain.origin().to_string(), "classic:shipped");
    }
}
