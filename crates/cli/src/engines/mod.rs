//! `kibitz engines`: the foreign engines that the user has, can have, and how they are set.

mod bring;
mod list;
mod options;
mod trial;

use crate::{clock::Stopwatch, failure};
use app::{
    Home,
    engines::{Entry, Id, Registry, Shelf, load_registry},
};
use arena::process::{Engine, Keeper, Now};
use std::{path::Path, sync::Arc};

const EXAMPLES: &str = "\
Examples:
  kibitz engines list
  kibitz engines add stockfish --path /usr/games/stockfish
  kibitz engines add edax --path ~/edax/bin/lEdax --protocol nboard --arg=-nboard
  kibitz engines options stockfish --set Hash=256 --set Threads=auto
  kibitz engines test edax
  kibitz analyze --engine edax,alphabeta --moves f5d6c3 --time-ms 2000";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show engines that were added, that were found on the disk, and that can be installed
    List(list::Args),
    /// Download an engine, check it and put it in place
    Install(bring::InstallArgs),
    /// Add a program that is on the disk
    Add(bring::AddArgs),
    /// Remove an engine and its settings; a program that was added by its path stays
    Remove(bring::RemoveArgs),
    /// Start an engine, let it think, stop it, and say what happened
    Test(trial::Args),
    /// Show the settings of an engine, and change them
    Options(options::Args),
    /// Download a network of weights for an engine, try it, and have the engine use it
    Network(bring::NetworkArgs),
    /// Fetch a list of engines by HTTPS
    Update(bring::UpdateArgs),
    /// Allow downloads that you ask for, or forbid them
    Consent(bring::ConsentArgs),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::List(args) => list::run(args),
        Command::Install(args) => bring::install(args),
        Command::Add(args) => bring::add(args),
        Command::Remove(args) => bring::remove(args),
        Command::Test(args) => trial::run(args),
        Command::Options(args) => options::run(args),
        Command::Network(args) => bring::network(args),
        Command::Update(args) => bring::update(args),
        Command::Consent(args) => bring::consent(args),
    }
}

/// The engines of a home, and what is known about engines.
#[derive(Debug)]
pub(crate) struct Engines {
    pub(crate) home: Home,
    pub(crate) shelf: Shelf,
    pub(crate) registry: Registry,
}

impl Engines {
    /// Nothing is made. A list that cannot be used is told and left out.
    pub(crate) fn open(folder: Option<&Path>) -> anyhow::Result<Self> {
        let home = Home::find(folder)?;
        let (registry, errors) = load_registry(&home);
        for error in errors {
            failure::complain(&error.to_string());
        }
        let shelf = Shelf::new(&home);
        Ok(Self {
            home,
            shelf,
            registry,
        })
    }

    /// An engine with its settings, not started yet.
    pub(crate) fn engine(&self, id: &Id, entry: &Entry, now: &Now) -> anyhow::Result<Engine> {
        let options = self.shelf.options(id, entry, &self.registry, n_threads())?;
        let keeper = Keeper::this_program();
        let engine = self
            .shelf
            .engine(id, entry, options, keeper, Arc::clone(now))?;
        Ok(engine)
    }
}

/// One thread for each core but one, which the rest of the computer needs.
pub(crate) fn n_threads() -> u32 {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    (n_cores as u32).saturating_sub(1).max(1)
}

/// The real time, for processes.
pub(crate) fn now() -> Now {
    let watch = Stopwatch::start();
    Arc::new(move || watch.elapsed().as_millis() as u64)
}
