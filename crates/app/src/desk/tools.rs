//! What the two searching threads work with: engines, made when they are first needed.

use crate::{
    Analyst, AnalystError, Book, EngineChoice, EvaluatorChoice, Player, Profile, Settings,
    config::EngineConfig,
};
use coach::explain::Explainer;

/// The table of the playing engine: levels look a few plies ahead.
const PLAYER_HASH_MB: usize = 16;

/// How many threads a number in the configuration means.
pub(super) fn n_threads(configured: u32) -> usize {
    match configured {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n as usize,
    }
}

fn analyst(hash_mb: usize, threads: usize) -> Result<Analyst, AnalystError> {
    Analyst::new(&Settings {
        evaluator: EvaluatorChoice::Pattern,
        engine: EngineChoice::AlphaBeta,
        weights: None,
        hash_mb,
        threads,
    })
}

/// For the thread that plays.
#[derive(Debug, Default)]
pub(super) struct PlayerTools {
    /// With the number of its threads.
    player: Option<(usize, Player)>,
}

impl PlayerTools {
    /// The player of this level; `available` is how many threads it may take.
    pub(super) fn player(
        &mut self,
        level: Profile,
        seed: u64,
        available: usize,
    ) -> Result<&mut Player, AnalystError> {
        let threads = level.threads(available);
        let kept = self
            .player
            .take()
            .filter(|(made_for, _)| *made_for == threads);
        let (_, player) = self.player.insert(match kept {
            Some(kept) => kept,
            None => {
                let analyst = analyst(PLAYER_HASH_MB, threads)?;
                (threads, Player::new(analyst, level, Book::new(), seed))
            }
        });
        player.become_level(level, seed);
        Ok(player)
    }
}

/// For the thread that analyses.
#[derive(Debug, Default)]
pub(super) struct AnalystTools {
    analyst: Option<(EngineConfig, Analyst)>,
    /// Remembers what it has counted.
    pub(super) explainer: Explainer,
}

impl AnalystTools {
    /// The analyst as configured.
    pub(super) fn analyst(&mut self, config: EngineConfig) -> Result<&mut Analyst, AnalystError> {
        Ok(self.both(config)?.0)
    }

    /// The analyst and the explainer, to be used together.
    pub(super) fn both(
        &mut self,
        config: EngineConfig,
    ) -> Result<(&mut Analyst, &mut Explainer), AnalystError> {
        let kept = self.analyst.take().filter(|(made_for, _)| {
            (made_for.tt_mb, made_for.threads) == (config.tt_mb, config.threads)
        });
        let (_, analyst) = self.analyst.insert(match kept {
            Some(kept) => kept,
            None => (
                config,
                analyst(config.tt_mb as usize, n_threads(config.threads))?,
            ),
        });
        Ok((analyst, &mut self.explainer))
    }
}
