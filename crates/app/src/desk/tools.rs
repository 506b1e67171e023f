//! What the two searching threads work with: engines, made when they are first needed.

use crate::{
    Analyst, AnalystError, Book, EngineChoice, EvaluatorChoice, Player, Profile, Settings,
    config::EngineConfig,
};
use coach::explain::Explainer;

/// The table of the playing engine: levels look a few plies ahead.
const PLAYER_HASH_MB: usize = 16;

/// The table for looking at a person's moves while nothing else is asked: ten plies fill little.
const GLANCE_HASH_MB: usize = 8;

/// How many threads a number in the configuration means. One core is left to the browser: on two
/// cores, 95 of 100 frames were drawn within 15.1 ms, and within 16.3 ms with a search on both.
pub(super) fn n_threads(configured: u32) -> usize {
    match configured {
        0 => std::thread::available_parallelism().map_or(1, |cores| cores.get().max(2) - 1),
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
    /// For whoever only plays: the large table is made when somebody asks for something.
    glancing: Option<Analyst>,
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
        self.glancing = None;
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

    /// Whichever analyst there is, or else one with a small table, and the explainer.
    pub(super) fn glance(
        &mut self,
        config: EngineConfig,
    ) -> Result<(&mut Analyst, &mut Explainer), AnalystError> {
        if self.analyst.is_some() {
            return self.both(config);
        }
        let analyst = match &mut self.glancing {
            Some(kept) => kept,
            none => none.insert(analyst(GLANCE_HASH_MB, 1)?),
        };
        Ok((analyst, &mut self.explainer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn looking_at_a_move_makes_no_large_table() {
        let config = Config::default().engine;
        let mut tools = AnalystTools::default();
        tools.glance(config).unwrap();
        assert!(tools.analyst.is_none() && tools.glancing.is_some());
        tools.both(config).unwrap();
        tools.glance(config).unwrap();
        assert!(tools.analyst.is_some() && tools.glancing.is_none());
    }

    #[test]
    fn the_browser_keeps_a_core() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(n_threads(0) < cores || cores == 1);
        assert_eq!(n_threads(3), 3);
    }
}
