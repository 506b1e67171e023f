//! What `play`, `gtp` and `nboard` share: the flags that describe a player, and the player.

use crate::{
    adviser::Adviser,
    clock::Stopwatch,
    configured::Configured,
    evaluation::{self, EvaluationArgs},
    failure,
};
use app::{
    Analyst, Book, BookChoice, Control, EngineChoice, OpenBook, Pace, Player, Profile, Seat,
    config::EngineName, explain::EXPLAIN_HASH_MB,
};
use arena::player::{Choice, Failure, Situation};
use game::{Clock, Record, Report, TimeControl};
use othello::Position;
use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

/// The engine's side of `play`, `gtp` and `nboard` after flags and configuration were put together.
#[derive(Debug, clap::Args)]
pub(crate) struct Opponent {
    /// Who plays: a level of `kibitz levels`, such as first_day, club, elo_1400 or full
    #[arg(long, value_name = "NAME")]
    level: Option<Profile>,
    /// What searches; without it, what the configuration says, else alphabeta
    #[arg(long, value_name = "NAME", value_parser = evaluation::engines())]
    engine: Option<EngineName>,
    /// Search threads; without it, what the configuration says, else all for the levels full and max
    /// and one for the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of the transposition table in megabytes; without it, what the configuration says
    /// (tt_mb), else 128
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash_mb: Option<u32>,
    /// Replay: choices follow from this number, on one thread and without the level's time limit
    /// (full counts nodes instead)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// An opening book (JSON) in place of the configured or shipped one; weak levels do
    /// not follow it, hints mark its moves
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Play without an opening book
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

impl Opponent {
    /// The configuration, for what flags leave open.
    pub(crate) fn configured(&self) -> anyhow::Result<Configured> {
        self.evaluation.configured()
    }

    /// The player at its board; of level `default` if none was asked for.
    pub(crate) fn seat(&self, configured: &Configured, default: Profile) -> anyhow::Result<Seat> {
        let usual = configured.config.engine;
        let profile = self.level.unwrap_or(default);
        let threads = match (self.threads, self.seed, usual.threads) {
            (Some(threads), _, _) => threads.into(),
            (None, Some(_), _) => 1,
            (None, None, 0) => {
                let available = std::thread::available_parallelism();
                profile.threads(available.map_or(1, usize::from))
            }
            (None, None, threads) => threads as usize,
        };
        let seed = self.seed.unwrap_or_else(chance);
        let mut analyst = Analyst::with_evaluation(
            &self.evaluation.load(configured)?,
            self.engine.unwrap_or(usual.engine).with_seed(seed),
            self.hash_mb.unwrap_or(usual.tt_mb) as usize,
            threads,
        )?;
        analyst.tune(usual.tuning());
        let book = self.open_book(configured)?;
        Ok(Seat {
            player: Player::new(analyst, profile, book, seed),
            pace: match self.seed {
                Some(_) => Pace::Untimed,
                None => Pace::Own,
            },
        })
    }

    /// The coach beside the person who plays.
    pub(crate) fn adviser(
        &self,
        configured: &Configured,
        player: &Player,
    ) -> anyhow::Result<Adviser> {
        let usual = configured.config.engine;
        let evaluation = self.evaluation.load(configured)?;
        let table_mb = EXPLAIN_HASH_MB as usize;
        let mut analyst =
            Analyst::with_evaluation(&evaluation, EngineChoice::AlphaBeta, table_mb, 1)?;
        analyst.tune(usual.tuning());
        let book = Arc::clone(player.book());
        Ok(Adviser::new(analyst, book, usual.endgame_exact_empties))
    }

    fn open_book(&self, configured: &Configured) -> anyhow::Result<Arc<Book>> {
        let opened = match &self.book {
            Some(path) => OpenBook::read(path)?,
            None if self.no_book => OpenBook::open(&BookChoice::Off, configured.folder())?,
            None => configured.book()?,
        };
        for warning in &opened.warnings {
            failure::complain(warning);
        }
        Ok(opened.book)
    }
}

/// A seed that is another one each time: the standard library's own chance for hash tables.
fn chance() -> u64 {
    // Short enough to be typed again.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Asks a player for its move in a position, by the real clock. `time` is what the player has for
/// it; nobody disturbs it.
pub(crate) fn ask(
    player: &mut dyn arena::player::Player,
    position: Position,
    time: TimeControl,
) -> Result<Choice, Failure> {
    let stop = AtomicBool::new(false);
    ask_until(player, position, time, &stop, &mut |_| {})
}

/// The same until `stop` is set; `observe` is told what the player finds on its way.
pub(crate) fn ask_until(
    player: &mut dyn arena::player::Player,
    position: Position,
    time: TimeControl,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Result<Choice, Failure> {
    let watch = Stopwatch::start();
    let record = Record::new(position.into());
    let mut clock = Clock::new(time);
    clock.start(position.side, 0);
    let control = Control {
        now_ms: &|| watch.elapsed().as_millis() as u64,
        stop,
        observe,
    };
    let situation = Situation::at(&record, record.root(), &clock, control);
    situation.ok_or(Failure::NoAnswer)?.ask(player)
}
