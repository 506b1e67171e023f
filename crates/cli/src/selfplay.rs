//! `kibitz selfplay`: games of the engine against itself, to learn from.

use crate::{clock::Stopwatch, evaluation::read_weights, interrupt, openings};
use anyhow::{Context as _, ensure};
use app::{
    Disk, Limits,
    selfplay::{GamesAppender, SelfPlay, Settings},
};
use std::{
    io::{self, IsTerminal as _, Write as _},
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::Ordering,
};

const EXAMPLES: &str = "\
Examples:
  kibitz selfplay --games 100000 --out self.games --workers 2
  kibitz selfplay --games 5000 --out xot.games --openings xot.txt --random-plies 0 --depth 8
  kibitz selfplay --games 5000 --out new.games --weights new.weights --epsilon 0.05 --seed 2

The file grows game by game. After an interruption the same command goes on where it stopped;
other settings on the same file are refused. kibitz train label reads the games.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many games the file is to have
    #[arg(long, value_name = "N")]
    games: u64,
    /// The file of games; begun if there is none, otherwise continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with openings from a file: transcripts, boards, OBF, GGF or WTHOR
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves at the beginning, or after the opening [default: 8, with openings 0]
    #[arg(long, value_name = "K")]
    random_plies: Option<u32>,
    /// Share of later moves that are random
    #[arg(long, value_name = "E", default_value_t = 0.0)]
    epsilon: f64,
    /// Plies to search [default: 6]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Milliseconds per move; such games do not replay
    #[arg(long, value_name = "T", conflicts_with_all = ["depth", "nodes"])]
    time_ms: Option<u64>,
    /// Play perfectly from so many empty squares on
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact: u32,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Weights in place of the shipped ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Size of each worker's table in megabytes
    #[arg(long, value_name = "M", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash_mb: u32,
}

/// Without any limit, moves are searched this deep.
const DEFAULT_DEPTH: u32 = 6;
/// Without openings, so many random moves make games differ.
const DEFAULT_RANDOM_PLIES: u32 = 8;

impl Args {
    fn settings(&self) -> Settings {
        let is_limited = self.nodes.is_some() || self.time_ms.is_some();
        let random_plies = match self.openings {
            Some(_) => 0,
            None => DEFAULT_RANDOM_PLIES,
        };
        Settings {
            limits: Limits {
                depth: self.depth.or((!is_limited).then_some(DEFAULT_DEPTH)),
                nodes: self.nodes,
                time_ms: self.time_ms,
                exact_empties: self.exact,
                ..Limits::default()
            },
            random_plies: self.random_plies.unwrap_or(random_plies),
            epsilon: self.epsilon,
            seed: self.seed,
        }
    }

    fn self_play(&self) -> anyhow::Result<SelfPlay> {
        ensure!(
            (0.0..=1.0).contains(&self.epsilon),
            "--epsilon is a share: expected 0 to 1, found {}",
            self.epsilon
        );
        let openings = match &self.openings {
            Some(path) => openings::read(path)?,
            None => Vec::new(),
        };
        let weights = self.weights.as_deref().map(read_weights).transpose()?;
        let (settings, hash_mb) = (self.settings(), self.hash_mb as usize);
        let self_play = SelfPlay::new(settings, openings, weights.as_deref(), hash_mb);
        match &self.weights {
            Some(path) => self_play.with_context(|| format!("cannot use {}", path.display())),
            None => Ok(self_play?),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let self_play = args.self_play()?;
    let shown = args.out.display();
    let opened = Disk::real().grow(&args.out);
    let file = opened.with_context(|| format!("cannot open {shown}"))?;
    let mut appender =
        GamesAppender::new(file, &self_play.description()).with_context(|| shown.to_string())?;
    let n_before = appender.n_games();
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let shows = io::stderr().is_terminal();
    let mut failure = None;
    let played = self_play.play(
        n_before..args.games.max(n_before),
        args.workers.into(),
        &|| watch.elapsed().as_millis() as u64,
        &stop,
        |game| {
            if let Err(error) = appender.append(game) {
                failure = Some(error);
                // Games under way are of no use any more.
                stop.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            if shows {
                let seconds = watch.elapsed().as_secs_f64();
                let n_games = appender.n_games();
                let rate = (n_games - n_before) as f64 / seconds.max(1e-9);
                let left = args.games.saturating_sub(n_games) as f64 / rate;
                // Progress that cannot be shown is no loss.
                write!(
                    io::stderr(),
                    "\r\x1b[K{n_games} of {} games, {rate:.1} a second, {left:.0} s left",
                    args.games
                )
                .ok();
            }
            ControlFlow::Continue(())
        },
    );
    if shows {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    let kept = failure.map_or_else(|| appender.sync(), Err);
    kept.with_context(|| format!("cannot write {shown}"))?;
    played?;
    let n_played = appender.n_games() - n_before;
    let seconds = watch.elapsed().as_secs_f64();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{n_played} games in {seconds:.1} s, {:.1} a second; {shown} has {} of {}",
        n_played as f64 / seconds.max(1e-9),
        appender.n_games(),
        args.games
    )?;
    Ok(out.flush()?)
}
