//! `cargo xtask lane`: the instructions of a search from the start, compared with the last recorded
//! ones. Counts repeat on a busy machine, where times do not.
//!
//! The record is a text with a line for each run: commit, tool, instructions, verdict. The machine
//! that runs the lane keeps it (in `target/`, or where `--record` says), because counts depend on
//! the toolchain and on the tool: a file in the repository would be wrong for all but one machine.

use crate::process::{cargo, command, root};
use anyhow::{Context as _, bail, ensure};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// What is measured: the program, iterative deepening from the start, on one thread, nothing from
/// the user's configuration.
const SEARCH: [&str; 8] = [
    "analyze",
    "--moves=",
    "--depth=8",
    "--threads=1",
    "--hash-mb=16",
    "--lines=1",
    "--json",
    "--home=target/lane-home",
];
const RUNS: usize = 3;
/// A change of more than so many percent is told.
const TOLERANCE_PERCENT: u64 = 10;

const INSTALL: &str = "neither valgrind nor perf counts instructions here; install one of them: \
     `apt install valgrind` (Debian, Ubuntu), `dnf install valgrind` (Fedora), or `perf` on a \
     machine whose processor lets it count";

/// The program that counts instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    Callgrind,
    Perf,
}

/// How a run compares with the last good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Within the tolerance, or the first of its kind.
    Same,
    /// Fewer instructions than the tolerance explains: what later runs are compared with.
    Better,
    /// More instructions; the one before was good.
    Worse,
    /// More instructions once again: the lane fails.
    WorseAgain,
}

const VERDICTS: [(&str, Verdict); 4] = [
    ("same", Verdict::Same),
    ("better", Verdict::Better),
    ("worse", Verdict::Worse),
    ("worse-again", Verdict::WorseAgain),
];
const TOOLS: [(&str, Tool); 2] = [("callgrind", Tool::Callgrind), ("perf", Tool::Perf)];

fn name<T: Copy + PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or("", |&(name, _)| name)
}

fn named<T: Copy>(text: &str, names: &[(&str, T)]) -> Option<T> {
    let found = names.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value)
}

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    commit: String,
    tool: Tool,
    instructions: u64,
    verdict: Verdict,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tool, verdict) = (name(self.tool, &TOOLS), name(self.verdict, &VERDICTS));
        let (commit, count) = (&self.commit, self.instructions);
        write!(f, "{commit} {tool} {count} {verdict}")
    }
}

impl Run {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut next = || words.next();
        Some(Self {
            commit: next()?.to_owned(),
            tool: named(next()?, &TOOLS)?,
            instructions: next()?.parse().ok()?,
            verdict: named(next()?, &VERDICTS)?,
        })
    }
}

fn parse(record: &str) -> anyhow::Result<Vec<Run>> {
    let lines = record.lines().zip(1..);
    let runs = lines.map(|(line, number)| {
        let what = "expected `COMMIT TOOL INSTRUCTIONS VERDICT`";
        Run::parse(line).with_context(|| format!("line {number} of the record: {what}: {line:?}"))
    });
    runs.collect()
}

/// Compares with the last good run of the same tool. Runs that were worse stay out of it, so that
/// a regression cannot become the measure by being measured.
fn judge(record: &[Run], tool: Tool, instructions: u64) -> Verdict {
    let mut runs = record.iter().rev().filter(|run| run.tool == tool);
    let is_good = |run: &&Run| matches!(run.verdict, Verdict::Same | Verdict::Better);
    let Some(good) = runs.clone().find(is_good) else {
        return Verdict::Same;
    };
    let percent = |count: u64, percent: u64| u128::from(count) * u128::from(percent);
    let (now, before) = (percent(instructions, 100), good.instructions);
    if now > percent(before, 100 + TOLERANCE_PERCENT) {
        let was_good = runs.next().as_ref().is_some_and(is_good);
        if was_good {
            Verdict::Worse
        } else {
            Verdict::WorseAgain
        }
    } else if now < percent(before, 100 - TOLERANCE_PERCENT) {
        Verdict::Better
    } else {
        Verdict::Same
    }
}

fn median(mut counts: [u64; RUNS]) -> u64 {
    counts.sort_unstable();
    counts[RUNS / 2]
}

/// What the flags say.
#[derive(Debug, Default)]
struct Flags {
    record: Option<PathBuf>,
    /// In place of a release build.
    program: Option<PathBuf>,
    /// Take this run as good, whatever it counts.
    accept: bool,
}

impl Flags {
    fn parse(mut args: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut flags = Self::default();
        while let Some(flag) = args.next() {
            let mut path = || {
                let path = args.next().map(PathBuf::from);
                path.with_context(|| format!("{flag} needs a path"))
            };
            match flag.as_str() {
                "--record" => flags.record = Some(path()?),
                "--program" => flags.program = Some(path()?),
                "--accept" => flags.accept = true,
                _ => {
                    bail!("no flag {flag:?}; there are --record FILE, --program FILE and --accept")
                }
            }
        }
        Ok(flags)
    }
}

/// Measures, compares, records, and fails on the second regression in a row.
pub(crate) fn lane(args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let flags = Flags::parse(args)?;
    let path = root().join(flags.record.unwrap_or_else(|| "target/lane.txt".into()));
    let shown = path.display();
    let mut record = match fs::read_to_string(&path) {
        Ok(text) => parse(&text).with_context(|| format!("cannot use {shown}"))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let program = match flags.program {
        Some(program) => program,
        None => build()?,
    };
    let tool = tool()?;
    let mut counts = [0; RUNS];
    for count in &mut counts {
        *count = instructions(tool, &program)?;
    }
    let instructions = median(counts);
    let verdict = if flags.accept {
        Verdict::Same
    } else {
        judge(&record, tool, instructions)
    };
    let run = Run {
        commit: commit(),
        tool,
        instructions,
        verdict,
    };
    println!("{run}");
    record.push(run);
    let lines: Vec<String> = record.iter().map(|run| format!("{run}\n")).collect();
    fs::write(&path, lines.concat()).with_context(|| format!("cannot write {shown}"))?;
    ensure!(
        verdict != Verdict::WorseAgain,
        "the search takes {TOLERANCE_PERCENT} % more instructions than in the last good run, twice \
         in a row; `cargo xtask lane --accept` takes the new count as good"
    );
    Ok(())
}

fn build() -> anyhow::Result<PathBuf> {
    let built = cargo()
        .args(["build", "--release", "--package", "cli"])
        .status()?;
    ensure!(built.success(), "the release does not build");
    Ok(root().join("target/release/kibitz"))
}

fn commit() -> String {
    let output = command(Path::new("git"))
        .args(["rev-parse", "--short", "HEAD"])
        .output();
    let text = output.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    text.ok()
        .filter(|it| !it.is_empty())
        .unwrap_or_else(|| "unknown".to_owned())
}

/// Callgrind where there is one: it counts the same everywhere and needs no rights.
fn tool() -> anyhow::Result<Tool> {
    for tool in [Tool::Callgrind, Tool::Perf] {
        if instructions(tool, Path::new("true")).is_ok() {
            return Ok(tool);
        }
    }
    bail!(INSTALL)
}

fn instructions(tool: Tool, program: &Path) -> anyhow::Result<u64> {
    let (counter, flags): (&str, &[&str]) = match tool {
        Tool::Callgrind => (
            "valgrind",
            &["--tool=callgrind", "--callgrind-out-file=/dev/null"],
        ),
        Tool::Perf => ("perf", &["stat", "-x,", "-e", "instructions:u"]),
    };
    let output = command(Path::new(counter))
        .args(flags)
        .arg(program)
        .args(SEARCH)
        .output()
        .with_context(|| format!("cannot start {counter}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{} failed:\n{text}",
        program.display()
    );
    collected(tool, &text).with_context(|| format!("{counter} printed no count:\n{text}"))
}

/// The count in what a tool prints.
fn collected(tool: Tool, text: &str) -> Option<u64> {
    let mut lines = text.lines();
    match tool {
        Tool::Callgrind => {
            let count = lines.find_map(|line| line.split("Collected : ").nth(1))?;
            count.trim().parse().ok()
        }
        Tool::Perf => {
            let line = lines.find(|line| line.contains("instructions"))?;
            line.split(',').next()?.parse().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the counts one after the other through the lane.
    fn verdicts(counts: &[u64]) -> Vec<Verdict> {
        let mut record = Vec::new();
        for &instructions in counts {
            let verdict = judge(&record, Tool::Callgrind, instructions);
            record.push(Run {
                commit: "abc".to_owned(),
                tool: Tool::Callgrind,
                instructions,
                verdict,
            });
        }
        record.iter().map(|run| run.verdict).collect()
    }

    #[test]
    fn ten_percent_are_allowed_and_the_second_regression_in_a_row_fails() {
        use Verdict::{Better, Same, Worse, WorseAgain};
        assert_eq!(verdicts(&[1000, 1100, 990]), [Same, Same, Same]);
        assert_eq!(verdicts(&[1000, 1101, 1101]), [Same, Worse, WorseAgain]);
        // It stays failed until it is mended or accepted.
        assert_eq!(
            verdicts(&[1000, 2000, 2000, 2000, 1000]),
            [Same, Worse, WorseAgain, WorseAgain, Same]
        );
        // One bad run between good ones is told and nothing more.
        assert_eq!(
            verdicts(&[1000, 2000, 1000, 2000]),
            [Same, Worse, Same, Worse]
        );
        // What was gained is kept.
        assert_eq!(verdicts(&[1000, 899, 1000]), [Same, Better, Worse]);
        assert_eq!(verdicts(&[u64::MAX, u64::MAX]), [Same, Same]);
    }

    #[test]
    fn counts_of_another_tool_are_not_compared() {
        let record = parse("a1 perf 10 same\nb2 callgrind 1000 same\n").unwrap();
        assert_eq!(judge(&record, Tool::Callgrind, 1000), Verdict::Same);
        assert_eq!(judge(&record, Tool::Perf, 1000), Verdict::Worse);
    }

    #[test]
    fn the_record_reads_back_and_a_damaged_one_is_told() {
        let text = "a1 perf 10 better\nb2 callgrind 1000 worse-again\n";
        let runs = parse(text).unwrap();
        let again: Vec<String> = runs.iter().map(|run| format!("{run}\n")).collect();
        assert_eq!(again.concat(), text);
        let error = parse("a1 perf 10 same\nb2 perf ten same\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2 of the record"));
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn the_median_is_taken_and_both_tools_are_read() {
        assert_eq!(median([3, 1, 2]), 2);
        let callgrind = "==7== Events    : Ir\n==7== Collected : 123456\n==7==\n";
        assert_eq!(collected(Tool::Callgrind, callgrind), Some(123_456));
        let perf = "123456,,instructions:u,1000,100.00,,\n";
        assert_eq!(collected(Tool::Perf, perf), Some(123_456));
        let none = "<not supported>,,instructions:u,0,100.00,,\n";
        assert_eq!(collected(Tool::Perf, none), None);
    }

    #[test]
    fn flags_are_read() {
        let parse = |text: &str| Flags::parse(text.split_whitespace().map(str::to_owned));
        let flags = parse("--record a.txt --accept").unwrap();
        assert!(flags.accept && flags.program.is_none());
        assert_eq!(flags.record, Some("a.txt".into()));
        assert!(parse("--record").is_err());
        let error = parse("--fast").unwrap_err().to_string();
        assert!(
            error.starts_with("no flag \"--fast\"; there are"),
            "{error}"
        );
    }
}
