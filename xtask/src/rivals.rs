//! `cargo xtask bench-rivals`: our engine beside other programs on the same problems, one after the
//! other in every round, on one core where the system can pin. Only ratios within one run mean
//! something. Nothing of what the programs print is read: who solves wrongly must be looked at
//! elsewhere.

use crate::process::{cargo, command, root};
use anyhow::{Context as _, bail, ensure};
use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

const USAGE: &str = "cargo xtask bench-rivals --problems FILE [--rounds N] [--core N] [--program FILE] NAME=COMMAND…
COMMAND is the program of a rival and its arguments, separated by spaces; {} stands for the file of \
problems. For example: --problems f40-49.obf 'edax=../edax/bin/edax -n 1 -solve {}'";

/// The name of our own program in the table.
const OURS: &str = "kibitz";

/// What the flags say.
#[derive(Debug, PartialEq, Eq)]
struct Flags {
    problems: PathBuf,
    rounds: usize,
    core: usize,
    /// In place of a release build.
    program: Option<PathBuf>,
    rivals: Vec<Contestant>,
}

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Contestant {
    name: String,
    words: Vec<String>,
}

impl Flags {
    fn parse(args: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let (mut problems, mut program, mut rivals) = (None, None, Vec::new());
        let (mut rounds, mut core) = (3, 0);
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--problems" => problems = Some(PathBuf::from(value()?)),
                "--program" => program = Some(PathBuf::from(value()?)),
                "--rounds" => rounds = number(&arg, &value()?)?,
                "--core" => core = number(&arg, &value()?)?,
                other => rivals.push(Contestant::parse(other)?),
            }
        }
        ensure!(rounds > 0, "--rounds needs at least 1");
        ensure!(!rivals.is_empty(), "name at least one rival\n{USAGE}");
        Ok(Self {
            problems: problems.with_context(|| format!("--problems is missing\n{USAGE}"))?,
            rounds,
            core,
            program,
            rivals,
        })
    }
}

fn number(flag: &str, text: &str) -> anyhow::Result<usize> {
    text.parse()
        .with_context(|| format!("{flag} needs a number, not {text:?}"))
}

impl Contestant {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let Some((name, line)) = text.split_once('=') else {
            bail!("{text:?} is no rival; expected NAME=COMMAND\n{USAGE}");
        };
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let has_place = words.iter().any(|word| word.contains("{}"));
        ensure!(
            !name.is_empty() && name != OURS,
            "{name:?} cannot name a rival"
        );
        ensure!(!words.is_empty(), "{name} has no command");
        ensure!(
            has_place,
            "the command of {name} has no {{}} for the file of problems"
        );
        Ok(Self {
            name: name.to_owned(),
            words,
        })
    }

    /// Runs it once on one core, if that can be had.
    #[expect(
        clippy::disallowed_methods,
        reason = "the rule is for the product; this measures how long a program takes"
    )]
    fn time(&self, problems: &Path, pin: Option<usize>) -> anyhow::Result<Duration> {
        let problems = problems.to_string_lossy();
        let words = self.words.iter().map(|word| word.replace("{}", &problems));
        let pinned = pin.map(|core| ["taskset".into(), "-c".into(), core.to_string()]);
        let mut words = pinned.into_iter().flatten().chain(words);
        let program = words.next().context("a command has a program")?;
        let mut command = command(Path::new(&program));
        command
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let start = Instant::now();
        let status = command
            .status()
            .with_context(|| format!("cannot start {} ({program})", self.name))?;
        let taken = start.elapsed();
        ensure!(status.success(), "{} failed: {status}", self.name);
        Ok(taken)
    }
}

/// Whether programs can be held on this core.
fn can_pin(core: usize) -> bool {
    let mut command = command(Path::new("taskset"));
    command.args(["-c", &core.to_string(), "true"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

pub(crate) fn bench_rivals(args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let flags = Flags::parse(args)?;
    // The programs start in the root of the repository, wherever we were started.
    let problems = std::path::absolute(&flags.problems)?;
    ensure!(problems.is_file(), "{} is no file", problems.display());
    let program = match &flags.program {
        Some(program) => std::path::absolute(program)?,
        None => {
            let mut build = cargo();
            build.args(["build", "--release", "--package", "cli"]);
            ensure!(build.status()?.success(), "kibitz could not be built");
            root().join("target/release/kibitz")
        }
    };
    let ours = [
        "solve",
        "{}",
        "--threads",
        "1",
        "--home",
        "target/rivals-home",
    ];
    let mut contestants = vec![Contestant {
        name: OURS.to_owned(),
        words: std::iter::once(program.to_string_lossy().into_owned())
            .chain(ours.map(str::to_owned))
            .collect(),
    }];
    contestants.extend(flags.rivals);

    let pin = Some(flags.core).filter(|&core| can_pin(core));
    match pin {
        Some(core) => println!("pinned to core {core}, {} rounds", flags.rounds),
        None => println!("not pinned: there is no taskset; {} rounds", flags.rounds),
    }
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 1..=flags.rounds {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let taken = contestant.time(&problems, pin)?;
            println!(
                "round {round}  {:<12} {:>9.3} s",
                contestant.name,
                taken.as_secs_f64()
            );
            times.push(taken);
        }
    }
    println!("\n{}", table(&contestants, &times));
    Ok(())
}

/// Least and median time of each, and both in terms of ours.
fn table(contestants: &[Contestant], times: &[Vec<Duration>]) -> String {
    let heading = format!(
        "{:<12} {:>9} {:>9} {:>12} {:>12}",
        "", "least s", "median s", "least/ours", "median/ours"
    );
    let figures: Vec<(f64, f64)> = times.iter().map(|times| least_and_median(times)).collect();
    let (our_least, our_median) = figures.first().copied().unwrap_or((f64::NAN, f64::NAN));
    let rows = contestants
        .iter()
        .zip(&figures)
        .map(|(contestant, &(least, median))| {
            format!(
                "{:<12} {least:>9.3} {median:>9.3} {:>12.3} {:>12.3}",
                contestant.name,
                least / our_least,
                median / our_median
            )
        });
    let lines: Vec<String> = std::iter::once(heading).chain(rows).collect();
    lines.join("\n")
}

fn least_and_median(times: &[Duration]) -> (f64, f64) {
    let mut seconds: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |place: usize| seconds.get(place).copied().unwrap_or(f64::NAN);
    (at(0), at(seconds.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &[&str]) -> anyhow::Result<Flags> {
        Flags::parse(text.iter().map(|&word| word.to_owned()))
    }

    #[test]
    fn flags_are_read_and_wrong_ones_are_named() {
        let flags = parse(&["--problems", "a.obf", "--rounds", "5", "x=prog -s {} -t 1"]).unwrap();
        assert_eq!((flags.rounds, flags.core, flags.program), (5, 0, None));
        assert_eq!(flags.rivals[0].words, ["prog", "-s", "{}", "-t", "1"]);
        for (wrong, told) in [
            (vec!["x=prog {}"], "--problems is missing"),
            (vec!["--problems", "a"], "at least one rival"),
            (vec!["--problems", "a", "prog"], "expected NAME=COMMAND"),
            (vec!["--problems", "a", "x=prog"], "has no {}"),
            (
                vec!["--problems", "a", "kibitz=p {}"],
                "cannot name a rival",
            ),
            (
                vec!["--problems", "a", "--rounds", "many"],
                "needs a number",
            ),
            (
                vec!["--problems", "a", "--rounds", "0", "x=p {}"],
                "at least 1",
            ),
            (vec!["--problems"], "needs a value"),
        ] {
            let error = parse(&wrong).unwrap_err().to_string();
            assert!(error.contains(told), "{wrong:?}: {error}");
        }
    }

    #[test]
    fn ratios_are_of_our_own_time() {
        let contestant = |name: &str| Contestant {
            name: name.to_owned(),
            words: vec!["{}".to_owned()],
        };
        let seconds = |times: [f64; 3]| times.map(Duration::from_secs_f64).to_vec();
        let text = table(
            &[contestant("kibitz"), contestant("other")],
            &[seconds([4.0, 2.0, 3.0]), seconds([6.0, 5.0, 9.0])],
        );
        let last: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(last, ["other", "5.000", "6.000", "2.500", "2.000"]);
    }

    #[test]
    fn a_rival_that_fails_is_an_error() {
        let rival = |line: &str| Contestant::parse(line).unwrap();
        let file = Path::new("Cargo.toml");
        assert!(rival("no=no-such-program {}").time(file, None).is_err());
        if cfg!(unix) {
            assert!(rival("bad=cat {}.missing").time(file, None).is_err());
            assert!(rival("good=cat {}").time(file, None).is_ok());
        }
    }
}
