//! `kibitz engines install`, `add`, `remove`, `update` and `consent`.

use super::{Engines, now};
use crate::{configured::HomeArgs, interrupt};
use app::{
    Config, ConfigFile, Home, Patience, config,
    engines::{
        Platform, Wish, add as add_program,
        install::{self, Bounds, Progress, World},
    },
};
use arena::process::{Keeper, Language};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::{
    io::{self, Write as _},
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::Duration,
};

#[derive(Debug, clap::Args)]
pub(super) struct InstallArgs {
    /// The engine, as kibitz engines list names it
    id: String,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct NetworkArgs {
    /// The engine, as kibitz engines list names it
    engine: String,
    /// The network; without it, the first that the list describes for the engine
    network: Option<String>,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct AddArgs {
    /// What you want to call it
    name: String,
    /// The program
    #[arg(long, value_name = "FILE")]
    path: PathBuf,
    /// uci, gtp or nboard; without it, the engine is asked
    #[arg(long, value_name = "NAME")]
    protocol: Option<Language>,
    /// An argument that the program is started with, as in --arg=-gtp; may be given more than once
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    arg: Vec<String>,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct RemoveArgs {
    name: String,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct UpdateArgs {
    /// Where the list is: an address that begins with https://
    url: String,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct ConsentArgs {
    /// Forbid downloads again
    #[arg(long)]
    withdraw: bool,
    #[command(flatten)]
    home: HomeArgs,
}

fn wait(ms: u64) {
    std::thread::park_timeout(Duration::from_millis(ms));
}

fn world<'a>(home: &Home, stop: &'a AtomicBool) -> anyhow::Result<World<'a>> {
    let (config, _): (Config, _) = config::load(&home.config_file())?;
    Ok(World {
        may_download: config.network.enabled,
        patience: Patience::usual(&wait),
        bounds: Bounds::default(),
        stop,
        keeper: Keeper::this_program(),
        now: now(),
    })
}

pub(super) fn install(args: &InstallArgs) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let stop = interrupt::flag()?;
    let world = world(&engines.home, &stop)?;
    let bar = bar();
    let mut observe = |progress: Progress| show(&bar, progress);
    let platform = Platform::here();
    let installed = install::install(
        &engines.home,
        &engines.registry,
        &args.id,
        &platform,
        &world,
        &mut observe,
    );
    bar.finish_and_clear();
    let (id, entry) = installed?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            json!({ "id": id.to_string(), "name": entry.name })
        )?;
    } else {
        writeln!(out, "{id} is installed: {}", entry.name)?;
    }
    Ok(out.flush()?)
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::no_length();
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {bytes} of {total_bytes}, {bytes_per_sec}")
    {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, progress: Progress) {
    match progress {
        Progress::Chosen(key) => bar.set_message(format!("downloading {key}")),
        Progress::Downloading { bytes, total } => {
            bar.set_position(bytes);
            if let Some(total) = total {
                bar.set_length(total);
            }
        }
        Progress::Unpacking => bar.set_message("unpacking"),
        Progress::Trying => bar.set_message("trying"),
        Progress::Done => bar.finish_and_clear(),
    }
}

pub(super) fn network(args: &NetworkArgs) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let stop = interrupt::flag()?;
    let world = world(&engines.home, &stop)?;
    let bar = bar();
    let installed = install::install_network(
        &engines.home,
        &engines.registry,
        &args.engine,
        args.network.as_deref(),
        &world,
        &mut |progress| show(&bar, progress),
    );
    bar.finish_and_clear();
    let installed = installed?;
    let (engine, network) = (installed.engine, installed.network);
    let mut out = io::stdout().lock();
    if args.json {
        let path = installed.path.display().to_string();
        let value = json!({ "engine": engine.to_string(), "network": network, "path": path });
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{engine} uses {network} now")?;
    }
    Ok(out.flush()?)
}

pub(super) fn add(args: &AddArgs) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let wish = Wish {
        name: args.name.clone(),
        path: args.path.clone(),
        language: args.protocol,
        args: (!args.arg.is_empty()).then(|| args.arg.clone()),
    };
    let (shelf, registry) = (&engines.shelf, &engines.registry);
    let (id, entry) = add_program(shelf, registry, &wish, &Keeper::this_program(), &now())?;
    let mut out = io::stdout().lock();
    if args.json {
        let value = json!({
            "id": id.to_string(),
            "name": entry.name,
            "protocol": entry.protocol,
            "game": entry.game.name(),
            "path": entry.path,
            "args": entry.args,
        });
        writeln!(out, "{value}")?;
    } else {
        let (name, protocol, game) = (&entry.name, &entry.protocol, entry.game);
        writeln!(out, "{id} is added: {name}, {game} by {protocol}")?;
    }
    Ok(out.flush()?)
}

pub(super) fn remove(args: &RemoveArgs) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    // Also one whose own file is broken can go.
    let listed = engines.shelf.list();
    let broken = listed
        .iter()
        .find(|(id, entry)| id.as_str() == args.name && entry.is_err());
    let id = match broken {
        Some((id, _)) => id.clone(),
        None => engines.shelf.find(&args.name)?.0,
    };
    engines.shelf.remove(&id)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!({ "removed": id.to_string() }))?;
    } else {
        writeln!(out, "{id} is removed")?;
    }
    Ok(out.flush()?)
}

pub(super) fn update(args: &UpdateArgs) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let stop = interrupt::flag()?;
    let world = world(&engines.home, &stop)?;
    let n_engines = install::fetch_registry(&engines.home, &args.url, &world)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "the list has {n_engines} engines; see kibitz engines list"
    )?;
    Ok(out.flush()?)
}

pub(super) fn consent(args: &ConsentArgs) -> anyhow::Result<()> {
    let home = Home::open(args.home.folder())?;
    let mut file = ConfigFile::open(home.config_file());
    file.change(|config| config.network.enabled = !args.withdraw)?;
    let mut out = io::stdout().lock();
    let what = if args.withdraw {
        "nothing is fetched any more"
    } else {
        "engines, lists of engines and games of Lichess and Chess.com may be fetched when you ask \
         for it, and nothing else"
    };
    writeln!(out, "{what}")?;
    Ok(out.flush()?)
}
