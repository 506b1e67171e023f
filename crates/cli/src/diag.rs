//! `kibitz diag`: whether the program works here, and what a bug report needs.

use crate::{clock::Stopwatch, evaluation::EvaluationArgs, failure};
use anyhow::{Context as _, bail};
use app::{
    Evaluation, EvaluatorChoice, Home,
    diag::{self, Build, Private, Subject},
    selftest,
};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  kibitz diag                          a summary
  kibitz diag --self-test              rules, solver, weights and disk
  kibitz diag --bundle kibitz.zip      for a bug report; read it before you pass it on

The bundle has no token, no user name and no path into your folders.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write everything into this zip file
    #[arg(long, value_name = "FILE.zip")]
    bundle: Option<PathBuf>,
    /// Only try whether everything works
    #[arg(long, conflicts_with = "bundle")]
    self_test: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // A broken file is what a bundle may be needed for.
    let configured = args.evaluation.configured_or_default();
    let evaluation = match args.evaluation.load(&configured) {
        Ok(evaluation) => evaluation,
        Err(error) if args.self_test => return Err(error),
        Err(error) => {
            failure::complain(&failure::sentence(&error));
            Evaluation::shipped(EvaluatorChoice::Pattern)?
        }
    };
    let home = Home::find(args.evaluation.home())?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let mut out = io::stdout().lock();
    if args.self_test {
        let existing = home.path().is_dir().then_some(&home);
        let checks = selftest::run(existing, &evaluation, &now_ms);
        for check in &checks {
            writeln!(out, "{check}")?;
        }
        if existing.is_none() {
            writeln!(
                out,
                "- disk     there is no home folder yet; the first start makes it"
            )?;
        }
        out.flush()?;
        let n_failed = checks.iter().filter(|check| !check.is_ok()).count();
        if n_failed > 0 {
            bail!("{n_failed} of {} checks failed", checks.len());
        }
        return Ok(());
    }
    let bundle = diag::collect(&Subject {
        home: &home,
        evaluation: &evaluation,
        build: Build {
            version: env!("CARGO_PKG_VERSION"),
        },
        private: Private::of_this_user(),
        now_ms: &now_ms,
    });
    let Some(path) = &args.bundle else {
        for name in [
            "versions.txt",
            "hardware.txt",
            "self-test.txt",
            "performance.txt",
        ] {
            writeln!(out, "{}", bundle.file(name))?;
        }
        return Ok(out.flush()?);
    };
    let names: Vec<&str> = bundle.files().map(|(name, _)| name).collect();
    let names = names.join(", ");
    let bytes = bundle.zip()?;
    let shown = path.display();
    home.disk()
        .replace_private(path, &bytes)
        .with_context(|| format!("cannot write {shown}"))?;
    writeln!(
        out,
        "{shown}: {} kB with {names}",
        bytes.len().div_ceil(1000)
    )?;
    Ok(out.flush()?)
}
