//! `kibitz tune`: parameters of an engine by simultaneous perturbation.

use crate::{configured::HomeArgs, engines, failure};
use anyhow::Context as _;
use app::{
    Home,
    tournament::tuning::{KeptTuning, TuningReport, TuningSettings},
};
use serde_json::json;
use std::{
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

const EXAMPLES: &str = "\
Examples:
  kibitz tune run reductions.toml
  kibitz tune resume
  kibitz tune status --json

Every step plays two settings that differ a little against each other and moves the parameters
towards the winner. A finished step is on the disk before the next one begins; Ctrl-C stops, and
`kibitz tune resume` goes on. docs/TOURNAMENTS.md has a recipe.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Begin a tuning from a file of settings
    Run {
        /// Settings of the tuning, in TOML
        file: PathBuf,
        #[command(flatten)]
        home: HomeArgs,
    },
    /// Play the steps that are missing; without a number, of the latest tuning
    Resume {
        /// The number of the tuning
        id: Option<u64>,
        #[command(flatten)]
        home: HomeArgs,
    },
    /// Show how a tuning stands; without a number, the latest one
    Status {
        /// The number of the tuning
        id: Option<u64>,
        /// Print one JSON object, with the curve of every parameter
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        home: HomeArgs,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Run { file, home } => {
            let home = Home::open(home.folder())?;
            let text = app::input::read_text_bounded(file, app::input::SETTINGS_MAX)?;
            let settings =
                TuningSettings::parse(&text).with_context(|| file.display().to_string())?;
            play(
                &home,
                &KeptTuning::create(&home, settings, &engines::now())?,
            )
        }
        Command::Resume { id, home } => {
            let home = Home::open(home.folder())?;
            play(&home, &KeptTuning::open(&home, *id)?)
        }
        Command::Status { id, json, home } => {
            let home = Home::find(home.folder())?;
            let tuning = KeptTuning::open(&home, *id)?;
            print(&tuning, &tuning.report()?, *json)
        }
    }
}

fn play(home: &Home, tuning: &KeptTuning) -> anyhow::Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if ours.swap(true, Ordering::Relaxed) {
            crate::interrupt::leave();
        }
    })
    .context("cannot listen for interrupts")?;
    let shows = io::stderr().is_terminal();
    failure::complain(&format!(
        "tuning {}, {}; Ctrl-C stops",
        tuning.id, tuning.settings.name
    ));
    let steps = tuning.settings.steps;
    tuning.run(home, &engines::now(), &stop, &|state| {
        if shows {
            let parameters = state.parameters().iter().zip(state.values());
            let values: Vec<String> = parameters
                .map(|(it, value)| format!("{} {value:.2}", it.name))
                .collect();
            // Progress that cannot be shown is no loss.
            write!(
                io::stderr(),
                "\r\x1b[K{} of {steps}: {}",
                state.done(),
                values.join(", ")
            )
            .ok();
        }
    })?;
    if shows {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    print(tuning, &tuning.report()?, false)
}

fn print(tuning: &KeptTuning, report: &TuningReport, is_json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let state = &report.state;
    let rows = state.parameters().iter().zip(state.values());
    if is_json {
        let parameters: Vec<_> = rows
            .enumerate()
            .map(|(at, (it, value))| {
                let curve: Vec<(u64, f64)> = report
                    .curve
                    .iter()
                    .map(|(step, values)| (*step, values[at]))
                    .collect();
                json!({ "name": it.name, "start": it.start, "value": value, "curve": curve })
            })
            .collect();
        let whole = json!({
            "id": tuning.id,
            "name": tuning.settings.name,
            "steps": report.steps,
            "done": state.done(),
            "parameters": parameters,
        });
        writeln!(out, "{whole}")?;
    } else {
        writeln!(
            out,
            "{}, {} of {} steps",
            tuning.settings.name,
            state.done(),
            report.steps
        )?;
        for (it, value) in rows {
            writeln!(out, "  {:<24} {:>10.2} -> {value:.2}", it.name, it.start)?;
        }
    }
    Ok(out.flush()?)
}
