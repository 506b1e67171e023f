//! `kibitz engines list`.

use super::Engines;
use crate::configured::HomeArgs;
use app::engines::{Entry, EntryError, Id, Platform, discover};
use serde_json::json;
use std::{
    io::{self, Write},
    path::Path,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let added = engines.shelf.list();
    let search_path = std::env::var_os("PATH");
    let folders = discover::folders(search_path.as_deref(), std::env::home_dir().as_deref());
    let mut found = discover::find(&engines.registry, &folders);
    // What was added is not found anew.
    let is_added = |path: &Path| {
        let is_it = |entry: &Entry| same_file(&entry.path, path);
        added
            .iter()
            .any(|(_, entry)| entry.as_ref().is_ok_and(is_it))
    };
    found.retain(|it| !is_added(&it.path));
    let mut out = io::stdout().lock();
    if args.json {
        let value = json!({
            "added": added.iter().map(|(id, entry)| added_json(id, entry)).collect::<Vec<_>>(),
            "found": found.iter().map(|it| json!({
                "id": it.id.to_string(),
                "path": it.path,
            })).collect::<Vec<_>>(),
            "known": known_json(&engines),
        });
        writeln!(out, "{value}")?;
        return Ok(out.flush()?);
    }
    print_added(&mut out, &added)?;
    if !found.is_empty() {
        writeln!(
            out,
            "\nFound on this computer; add one with kibitz engines add NAME --path FILE"
        )?;
        for it in &found {
            writeln!(out, "  {:<16} {}", it.id, it.path.display())?;
        }
    }
    print_known(&mut out, &engines)?;
    Ok(out.flush()?)
}

/// Whether two paths are one file.
fn same_file(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn print_added(out: &mut impl Write, added: &[(Id, Result<Entry, EntryError>)]) -> io::Result<()> {
    if added.is_empty() {
        writeln!(out, "No engine has been added yet.")?;
    }
    for (id, entry) in added {
        match entry {
            Ok(entry) => writeln!(
                out,
                "{id:<16} {}, {} by {}, {}",
                entry.name,
                entry.game,
                entry.protocol,
                entry.path.display()
            )?,
            Err(error) => writeln!(out, "{id:<16} cannot be used: {error}")?,
        }
    }
    Ok(())
}

fn print_known(out: &mut impl Write, engines: &Engines) -> io::Result<()> {
    let platform = Platform::here();
    writeln!(out, "\nKnown engines (this computer is {platform})")?;
    for (id, definition) in engines.registry.iter() {
        let how = if definition.build(&platform).is_some() {
            "can be installed".to_owned()
        } else {
            format!("from your disk; {}", definition.homepage)
        };
        let (name, game) = (&definition.name, definition.game());
        writeln!(
            out,
            "  {id:<16} {name}, {game}: {}; {how}",
            definition.description
        )?;
    }
    Ok(())
}

fn added_json(id: &Id, entry: &Result<Entry, EntryError>) -> serde_json::Value {
    match entry {
        Ok(entry) => json!({
            "id": id.to_string(),
            "name": entry.name,
            "version": entry.version,
            "game": entry.game.name(),
            "protocol": entry.protocol,
            "path": entry.path,
            "args": entry.args,
            "installed": entry.is_installed(),
        }),
        Err(error) => json!({ "id": id.to_string(), "error": error.to_string() }),
    }
}

fn known_json(engines: &Engines) -> Vec<serde_json::Value> {
    let platform = Platform::here();
    let known = engines.registry.iter().map(|(id, definition)| {
        let build = definition.build(&platform).map(|(key, _)| key);
        json!({
            "id": id.to_string(),
            "name": definition.name,
            "game": definition.game().name(),
            "protocol": definition.protocol.name(),
            "description": definition.description,
            "homepage": definition.homepage,
            "build": build,
        })
    });
    known.collect()
}
