//! `kibitz engines test`: does an engine do all that it is needed for?

use super::{Engines, now};
use crate::configured::HomeArgs;
use app::engines::try_out;
use serde_json::json;
use std::io::{self, Write as _};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    name: String,
    #[command(flatten)]
    home: HomeArgs,
    /// Also print the conversation with the engine
    #[arg(long)]
    log: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let (id, entry) = engines.shelf.find(&args.name)?;
    let now = now();
    let mut engine = engines.engine(&id, &entry, &now)?;
    let tried = try_out(&mut engine, &now);
    let mut out = io::stdout().lock();
    if args.log {
        for line in engine.conversation().lines() {
            writeln!(out, "{line}")?;
        }
        for line in engine.errors().lines() {
            writeln!(out, "! {line}")?;
        }
    }
    let trial = tried.map_err(|trouble| anyhow::anyhow!("{id} {trouble}"))?;
    let name = trial.identity.name.as_deref().unwrap_or(&entry.name);
    let best = trial.thought.choice().unwrap_or("no move");
    if args.json {
        let value = json!({
            "id": id.to_string(),
            "name": name,
            "author": trial.identity.author,
            "options": trial.identity.options.len(),
            "start_ms": trial.start_ms,
            "best": best,
            "depth": trial.thought.depth,
            "nodes": trial.thought.nodes,
            "stop_ms": trial.stop_ms,
        });
        writeln!(out, "{value}")?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{id} works: {name}")?;
    writeln!(out, "  ready after {} ms", trial.start_ms)?;
    let reach = trial
        .thought
        .depth
        .map_or_else(String::new, |depth| format!(", depth {depth}"));
    writeln!(out, "  plays {best}{reach}")?;
    if let Some(stop_ms) = trial.stop_ms {
        writeln!(out, "  stops within {stop_ms} ms")?;
    }
    Ok(out.flush()?)
}
