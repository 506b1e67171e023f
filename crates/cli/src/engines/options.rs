//! `kibitz engines options`: settings as the engine names them.

use super::{Engines, n_threads, now};
use crate::{configured::HomeArgs, failure};
use anyhow::{Context as _, bail};
use app::engines::{Definition, Entry, Id, Overrides, Setting};
use arena::{
    process::{Identity, Language},
    protocol::uci::{Declaration, Domain},
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
    let mut overrides = engines.shelf.overrides(&id)?;
    let definition = engines
        .registry
        .describe(&entry.name, &entry.path)
        .map(|it| it.1);
    let before = overrides.clone();
    change(&mut overrides, args, &identity, definition)?;
    if overrides != before {
        engines.shelf.set_overrides(&id, &overrides)?;
    }
    let used = engines
        .shelf
        .options(&id, &entry, &engines.registry, n_threads())?;
    let rows: Vec<Row<'_>> = identity
        .options
        .iter()
        .map(|option| Row::new(option, &used, definition))
        .collect();
    let mut out = io::stdout().lock();
    if args.json {
        let rows: Vec<_> = rows.iter().map(Row::json).collect();
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
        rows.iter().try_for_each(|row| row.print(&mut out))?;
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

fn change(
    overrides: &mut Overrides,
    args: &Args,
    identity: &Identity,
    definition: Option<&Definition>,
) -> anyhow::Result<()> {
    if args.reset_all {
        *overrides = Overrides::default();
    }
    for name in &args.reset {
        overrides
            .options
            .retain(|it, _| !it.eq_ignore_ascii_case(name));
    }
    match args.profile.as_deref() {
        Some("none") => overrides.profile = None,
        Some(name) => {
            let known = definition.map(|it| &it.profiles);
            if !known.is_some_and(|profiles| profiles.contains_key(name)) {
                let names: Vec<&str> = known
                    .map(|it| it.keys().map(String::as_str).collect())
                    .unwrap_or_default();
                bail!(
                    "there is no profile {name:?} for it; there are: {}",
                    names.join(", ")
                );
            }
            overrides.profile = Some(name.to_owned());
        }
        None => {}
    }
    for text in &args.set {
        let (name, value) = text
            .split_once('=')
            .with_context(|| format!("{text:?} is not NAME=VALUE"))?;
        let (name, value) = (name.trim(), value.trim());
        let Some(declaration) = identity.option(name) else {
            bail!("the engine has no setting {name:?}; without --set they are listed");
        };
        if declaration.domain == Domain::Button {
            bail!("{name} is a button, which has no value to keep");
        }
        // `auto` is ours: it is a number when the engine starts.
        let is_auto =
            value.eq_ignore_ascii_case("auto") && matches!(declaration.domain, Domain::Spin { .. });
        if !is_auto {
            declaration.accept(value)?;
        }
        let name = declaration.name.clone();
        overrides
            .options
            .retain(|it, _| !it.eq_ignore_ascii_case(&name));
        overrides.options.insert(name, Setting(value.to_owned()));
    }
    Ok(())
}

/// A setting as it is shown.
struct Row<'a> {
    option: &'a Declaration,
    value: Option<String>,
    is_changed: bool,
    description: &'a str,
}

impl<'a> Row<'a> {
    fn new(
        option: &'a Declaration,
        used: &[(String, String)],
        definition: Option<&'a Definition>,
    ) -> Self {
        let own = used
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        let value = own
            .map(|(_, value)| value.clone())
            .or_else(|| option.default_text());
        let note = definition.and_then(|it| it.note(&option.name));
        Self {
            option,
            is_changed: value != option.default_text(),
            value,
            description: note.map_or("", |it| it.description.as_str()),
        }
    }

    fn range(&self) -> String {
        match &self.option.domain {
            Domain::Check { .. } => "true or false".to_owned(),
            Domain::Spin { min, max, .. } => format!("{min} to {max}"),
            Domain::Combo { choices, .. } => choices.join(", "),
            Domain::Button => "a button".to_owned(),
            Domain::Text { .. } => "text".to_owned(),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let value = match (&self.value, &self.option.domain) {
            (Some(value), Domain::Text { .. }) if value.is_empty() => "(empty)",
            (Some(value), _) => value,
            (None, _) => "",
        };
        let mark = if self.is_changed { "*" } else { " " };
        let note = match self.description {
            "" => String::new(),
            text => format!("; {text}"),
        };
        writeln!(
            out,
            "{mark} {:<24} {value:<16} ({}){note}",
            self.option.name,
            self.range()
        )
    }

    fn json(&self) -> serde_json::Value {
        let (least, most, choices) = match &self.option.domain {
            Domain::Spin { min, max, .. } => (Some(min), Some(max), None),
            Domain::Combo { choices, .. } => (None, None, Some(choices)),
            _ => (None, None, None),
        };
        json!({
            "name": self.option.name,
            "type": self.option.domain.kind(),
            "value": self.value,
            "default": self.option.default_text(),
            "changed": self.is_changed,
            "min": least,
            "max": most,
            "choices": choices,
            "description": self.description,
        })
    }
}
