//! `kibitz engines options`: settings as the engine names them.

use super::{Engines, n_threads, now};
use crate::{configured::HomeArgs, failure};
use anyhow::{Context as _, bail};
use app::engines::{
    Entry, Id,
    options::{self, Change, Row},
};
use arena::{
    process::{Identity, Language},
    protocol::uci::Domain,
};
use serde_json::json;
use std::io::{self, Write};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    name: String,
    /// Change a setting, as in --set Hash=256; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Make a setting again what the engine says; may be given more than once
    #[arg(long, value_name = "NAME")]
    reset: Vec<String>,
    /// Forget all changes
    #[arg(long)]
    reset_all: bool,
    /// Settings that go together, such as analysis, tournament or quick; none is no profile
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let engines = Engines::open(args.home.folder())?;
    let (id, entry) = engines.shelf.find(&args.name)?;
    if entry.language()? != Language::Uci {
        bail!(
            "{id} speaks {}, which has no settings; it takes them as arguments (kibitz engines add \
             … --arg)",
            entry.protocol
        );
    }
    let identity = identity(&engines, &id, &entry)?;
    let before = engines.shelf.overrides(&id)?;
    let definition = engines
        .registry
        .describe(&entry.name, &entry.path)
        .map(|it| it.1);
    let overrides = change(args)?.apply(&before, &identity, definition)?;
    if overrides != before {
        engines.shelf.set_overrides(&id, &overrides)?;
    }
    let used = engines
        .shelf
        .options(&id, &entry, &engines.registry, n_threads())?;
    let rows = options::rows(&identity, &used, definition);
    let mut out = io::stdout().lock();
    if args.json {
        let rows: Vec<_> = rows.iter().map(json_of).collect();
        let profile = &overrides.profile;
        writeln!(
            out,
            "{}",
            json!({ "id": id.to_string(), "profile": profile, "options": rows })
        )?;
    } else {
        if let Some(profile) = &overrides.profile {
            writeln!(out, "profile {profile}")?;
        }
        rows.iter().try_for_each(|row| print(row, &mut out))?;
    }
    Ok(out.flush()?)
}

/// The engine says what it can be set to.
fn identity(engines: &Engines, id: &Id, entry: &Entry) -> anyhow::Result<Identity> {
    let mut engine = engines.engine(id, entry, &now())?;
    engine
        .start()
        .map_err(|trouble| anyhow::anyhow!("{id} {trouble}"))?;
    let identity = engine.identity().clone();
    for unknown in &engine.ready().unknown {
        failure::complain(&format!("{id} has no setting {unknown:?}; it is left out"));
    }
    for refused in &engine.ready().refused {
        failure::complain(&format!("{refused}; it is left out"));
    }
    engine.stop();
    Ok(identity)
}

/// What the flags ask for.
fn change(args: &Args) -> anyhow::Result<Change> {
    let pair = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .with_context(|| format!("{text:?} is not NAME=VALUE"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    Ok(Change {
        reset_all: args.reset_all,
        reset: args.reset.clone(),
        profile: args
            .profile
            .as_ref()
            .map(|it| (it != "none").then(|| it.clone())),
        set: args.set.iter().map(pair).collect::<anyhow::Result<_>>()?,
    })
}

fn range(domain: &Domain) -> String {
    match domain {
        Domain::Check { .. } => "true or false".to_owned(),
        Domain::Spin { min, max, .. } => format!("{min} to {max}"),
        Domain::Combo { choices, .. } => choices.join(", "),
        Domain::Button => "a button".to_owned(),
        Domain::Text { .. } => "text".to_owned(),
    }
}

fn print(row: &Row, out: &mut impl Write) -> io::Result<()> {
    let value = match (&row.value, &row.option.domain) {
        (Some(value), Domain::Text { .. }) if value.is_empty() => "(empty)",
        (Some(value), _) => value,
        (None, _) => "",
    };
    let mark = if row.is_changed { "*" } else { " " };
    let note = match row.description.as_str() {
        "" => String::new(),
        text => format!("; {text}"),
    };
    let (name, range) = (&row.option.name, range(&row.option.domain));
    writeln!(out, "{mark} {name:<24} {value:<16} ({range}){note}")
}

fn json_of(row: &Row) -> serde_json::Value {
    let (least, most, choices) = match &row.option.domain {
        Domain::Spin { min, max, .. } => (Some(min), Some(max), None),
        Domain::Combo { choices, .. } => (None, None, Some(choices)),
        _ => (None, None, None),
    };
    json!({
        "name": row.option.name,
        "type": row.option.domain.kind(),
        "value": row.value,
        "default": row.option.default_text(),
        "changed": row.is_changed,
        "min": least,
        "max": most,
        "choices": choices,
        "description": row.description,
    })
}
