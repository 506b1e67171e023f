//! The diagnostics bundle: what a bug report needs, in one file, without secrets.
//!
//! Everything is plain text that the user can read before passing it on. Tokens, the user's name
//! and the paths of the user's folders are taken out of every file at the end, in one place
//! (`redact`).

mod machine;
mod redact;
mod replay;

pub use machine::Build;
pub use redact::Private;

use crate::{
    Analyst, AnalystError, EngineChoice, Evaluation, Home, Limits, logging::log_files, selftest,
};
use game::Control;
use othello::Position;
use std::{
    fmt::Write as _,
    io::{self, Cursor, Write as _},
    sync::atomic::AtomicBool,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// What a bundle may have.
const BUNDLE_MAX: usize = 5_000_000;

/// How much of the log goes in.
const LOG_LINES: usize = 5_000;

/// A line of the log beyond this is cut.
const LINE_MAX: usize = 4_000;

/// More than the last lines of any log.
const LOG_BYTES: u64 = 64 << 20;

/// Files by name, in the order in which they are worth reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    files: Vec<(&'static str, String)>,
}

/// Whose bundle it is.
pub struct Subject<'a> {
    /// Where settings, games and logs are. It may not be there yet.
    pub home: &'a Home,
    pub evaluation: &'a Evaluation,
    pub build: Build,
    /// What must not get out.
    pub private: Private,
    /// A clock in milliseconds.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject")
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}

/// Collects everything; a second or less. What cannot be found is said in its place.
pub fn collect(subject: &Subject<'_>) -> Bundle {
    let home = subject.home;
    let config = config_text(home);
    let existing = home.path().is_dir().then_some(home);
    let checks = selftest::run(existing, subject.evaluation, subject.now_ms);
    let checks = checks.iter().fold(String::new(), |mut text, check| {
        let _written = writeln!(text, "{check}");
        text
    });
    let (performance, table) = match measure(subject) {
        Ok(measured) => measured,
        Err(error) => (format!("{error}\n"), format!("{error}\n")),
    };
    let files = vec![
        ("README.txt", README.to_owned()),
        ("self-test.txt", checks),
        ("versions.txt", subject.build.to_string()),
        ("hardware.txt", machine::describe()),
        ("config.toml", redact::config(&config)),
        ("performance.txt", performance),
        ("table.txt", table),
        ("database.txt", database(home)),
        ("replay.sh", replay::script(home)),
        ("log.txt", last_log_lines(home)),
    ];
    let secrets = redact::secrets(&config);
    let clean = |(name, text): (&'static str, String)| {
        let private = &subject.private;
        (name, private.taken_out_of(&text, home.path(), &secrets))
    };
    Bundle {
        files: files.into_iter().map(clean).collect(),
    }
}

const README: &str = "\
Diagnostics of Kibitz, for a bug report. Read the files before you pass them on.

self-test.txt    whether rules, solver, weights and disk work here
versions.txt     the program and the system
hardware.txt     processor and memory
config.toml      the settings, without secrets
performance.txt  a fixed search and its speed
table.txt        what the search's table counted
database.txt     where games are kept
replay.sh        commands that show the latest position again
log.txt          the end of the log

Tokens, your name and the paths of your folders were taken out.
";

impl Bundle {
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.files.iter().map(|(name, text)| (*name, text.as_str()))
    }

    /// A file's text; empty if there is none of that name.
    pub fn file(&self, name: &str) -> &str {
        let found = self.files().find(|(known, _)| *known == name);
        found.map_or("", |(_, text)| text)
    }

    /// The files as one archive of at most 5 MB: if need be, the older half of the log is left
    /// out until it fits.
    pub fn zip(mut self) -> io::Result<Vec<u8>> {
        loop {
            let bytes = self.pack()?;
            let log = self.files.iter_mut().find(|(name, _)| *name == "log.txt");
            match log {
                Some((_, text)) if bytes.len() > BUNDLE_MAX && !text.is_empty() => {
                    let lines: Vec<&str> = text.lines().collect();
                    let newer = lines[lines.len().div_ceil(2)..].join("\n");
                    *text = newer;
                }
                _ => return Ok(bytes),
            }
        }
    }

    fn pack(&self) -> io::Result<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, text) in self.files() {
            archive
                .start_file(name, options)
                .map_err(io::Error::other)?;
            archive.write_all(text.as_bytes())?;
        }
        let cursor = archive.finish().map_err(io::Error::other)?;
        Ok(cursor.into_inner())
    }
}

fn config_text(home: &Home) -> String {
    match home.disk().read(&home.config_file(), 1 << 20) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => format!("# config.toml: {error}\n"),
    }
}

/// What is always searched, so that speeds can be compared: the start position, one thread.
const SNAPSHOT_DEPTH: u32 = 15;
/// A slow machine searches less deep; the report says how deep.
const SNAPSHOT_MS: u64 = 2_000;
const SNAPSHOT_MB: usize = 16;

/// The speed of a fixed search, and what its table counted.
fn measure(subject: &Subject<'_>) -> Result<(String, String), AnalystError> {
    let (engine, mb) = (EngineChoice::AlphaBeta, SNAPSHOT_MB);
    let mut analyst = Analyst::with_evaluation(subject.evaluation, engine, mb, 1)?;
    let control = Control {
        now_ms: subject.now_ms,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    let limits = Limits {
        depth: Some(SNAPSHOT_DEPTH),
        time_ms: Some(SNAPSHOT_MS),
        ..Limits::default()
    };
    let report = analyst.search(Position::START, &limits, control);
    let per_second = 1000 * report.nodes / report.time_ms.max(1);
    let performance = format!(
        "start position, depth {}, one thread, {mb} MB\nweights {}\nnodes {}\nms {}\nnodes a second {per_second}\n",
        report.depth,
        subject.evaluation.origin(),
        report.nodes,
        report.time_ms
    );
    let table = report.statistics.unwrap_or_default();
    let table = format!(
        "probes {}\nhits {}\nstores {}\nreplacements {}\nfilled {} of 1000\n",
        table.probes, table.hits, table.stores, table.replacements, table.fill_permille
    );
    Ok((performance, table))
}

fn database(home: &Home) -> String {
    let n_games = home.disk().names(&home.sessions()).map_or(0, |names| {
        let is_game = |name: &&std::ffi::OsString| name.to_string_lossy().ends_with(".toml");
        names.iter().filter(is_game).count()
    });
    let games = format!("Games on the desk are files: {n_games} in sessions/.\n");
    let path = home.database();
    if !home.disk().exists(&path).unwrap_or(true) {
        return format!("There is no database yet. {games}");
    }
    match store::pragmas(&path) {
        Ok(pragmas) => {
            let lines = pragmas
                .iter()
                .map(|(name, value)| format!("{name} {value}\n"));
            games + &lines.collect::<String>()
        }
        Err(error) => format!("{games}The database cannot be read: {error}\n"),
    }
}

/// The last lines of the log, over as many days as they need.
fn last_log_lines(home: &Home) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (path, _) in log_files(&home.logs()).into_iter().rev() {
        let Ok(bytes) = home.disk().read(&path, LOG_BYTES) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let wanted = LOG_LINES - lines.len();
        let shorten = |line: &str| line.chars().take(LINE_MAX).collect::<String>();
        let newest: Vec<String> = text.lines().rev().take(wanted).map(shorten).collect();
        lines.extend(newest);
        if lines.len() >= LOG_LINES {
            break;
        }
    }
    lines.reverse();
    if lines.is_empty() {
        return "There is no log.\n".to_owned();
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests;
