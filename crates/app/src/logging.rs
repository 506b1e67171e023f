//! The log: one JSON object a line, a file a day, old files deleted, and never more than a day's
//! share in a day.

use crate::{Home, LogConfig};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use tracing_appender::{
    non_blocking::{ErrorCounter, WorkerGuard},
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// What one day's file may have. The rest of the day is counted and left out.
const DAY_MAX: u64 = 32 << 20;

/// What all files together may have; the oldest are deleted first, today's never.
const ALL_MAX: u64 = 256 << 20;

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The folder or file cannot be used.
    #[error("cannot write logs to {path}: {source}")]
    Folder { path: String, source: io::Error },
    /// Another part of this process has started a log.
    #[error("a log has been started already")]
    Started,
}

/// Keeps the log going; drop it last, so that everything is written.
#[derive(Debug)]
pub struct Log {
    _guard: WorkerGuard,
}

/// Starts the log of this process.
pub fn start_log(home: &Home, config: &LogConfig) -> Result<Log, LogError> {
    let folder = home.logs();
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("kibitz")
        .filename_suffix("log")
        .max_log_files(config.keep_days as usize)
        .build(&folder)
        .map_err(|error| LogError::Folder {
            path: folder.display().to_string(),
            source: io::Error::other(error),
        })?;
    prune(&folder, ALL_MAX);
    let overrun = Arc::new(OnceLock::new());
    let limited = Limited {
        inner: file,
        most: DAY_MAX,
        // The appender has made today's file, if an earlier run had not.
        written: log_files(&folder).last().map_or(0, |(_, size)| *size),
        day: String::new(),
        left_out: LeftOut::default(),
        overrun: Arc::clone(&overrun),
        n_overrun: 0,
        on_new_day: Box::new(move || prune(&folder, ALL_MAX)),
    };
    let (writer, guard) = tracing_appender::non_blocking(limited);
    // Set once, here; what the writer has seen before that is none.
    let _set = overrun.set(writer.error_counter());
    let json = tracing_subscriber::fmt::layer().json().with_writer(writer);
    tracing_subscriber::registry()
        .with(EnvFilter::new(&config.level))
        .with(json)
        .try_init()
        .map_err(|_| LogError::Started)?;
    Ok(Log { _guard: guard })
}

/// The files of a log with their sizes, the oldest first: their names have the date.
pub(crate) fn log_files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(PathBuf, u64)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_log = name.starts_with("kibitz.") && name.ends_with(".log");
            let size = entry.metadata().ok()?.len();
            is_log.then(|| (entry.path(), size))
        })
        .collect();
    files.sort();
    files
}

/// Deletes the oldest files until the rest is small enough; the newest stays.
fn prune(folder: &Path, most: u64) {
    let files = log_files(folder);
    let mut total: u64 = files.iter().map(|(_, size)| size).sum();
    for (path, size) in files.iter().rev().skip(1).rev() {
        if total <= most {
            break;
        }
        // A file that cannot be deleted is tried again tomorrow.
        if fs::remove_file(path).is_ok() {
            total -= size;
        }
    }
}

#[derive(Debug, Default)]
struct LeftOut {
    lines: u64,
    bytes: u64,
}

/// A writer of log lines that stops at a day's share and tells what it has left out.
struct Limited<W> {
    inner: W,
    most: u64,
    /// Bytes of this day.
    written: u64,
    /// The date of the latest line, as the lines have it.
    day: String,
    left_out: LeftOut,
    /// Counts lines that came faster than they could be written.
    overrun: Arc<OnceLock<ErrorCounter>>,
    n_overrun: usize,
    on_new_day: Box<dyn Fn() + Send>,
}

impl<W: Write> Limited<W> {
    /// Writes a line of our own; it may go beyond the share by these few bytes.
    fn tell(&mut self, timestamp: &str, message: &str) -> io::Result<()> {
        let line = format!(
            "{{\"timestamp\":\"{timestamp}\",\"level\":\"WARN\",\"fields\":{{\"message\":\"{message}\"}},\
             \"target\":\"app::logging\"}}\n"
        );
        self.inner.write_all(line.as_bytes())?;
        self.written += line.len() as u64;
        Ok(())
    }

    fn begin_day(&mut self, timestamp: &str) -> io::Result<()> {
        let is_first = self.day.is_empty();
        self.day = day(timestamp).to_owned();
        if is_first {
            return Ok(());
        }
        self.written = 0;
        (self.on_new_day)();
        let LeftOut { lines, bytes } = std::mem::take(&mut self.left_out);
        if lines == 0 {
            return Ok(());
        }
        let message = format!("{lines} lines with {bytes} bytes were left out the day before");
        self.tell(timestamp, &message)
    }

    fn tell_overrun(&mut self, timestamp: &str) -> io::Result<()> {
        let n = self.overrun.get().map_or(0, ErrorCounter::dropped_lines);
        if n == self.n_overrun {
            return Ok(());
        }
        let new = n - self.n_overrun;
        self.n_overrun = n;
        self.tell(
            timestamp,
            &format!("{new} lines came too fast and were left out"),
        )
    }
}

/// A line at a time: that is how events come.
impl<W: Write> Write for Limited<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let timestamp = timestamp(line);
        if day(&timestamp) != self.day {
            self.begin_day(&timestamp)?;
        }
        if self.written + line.len() as u64 > self.most {
            if self.left_out.lines == 0 {
                let megabytes = self.most >> 20;
                let message = format!(
                    "the log of this day has its {megabytes} MB; what follows is counted and left out"
                );
                self.tell(&timestamp, &message)?;
            }
            self.left_out.lines += 1;
            self.left_out.bytes += line.len() as u64;
            return Ok(line.len());
        }
        self.tell_overrun(&timestamp)?;
        self.inner.write_all(line)?;
        self.written += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// When a line was written, as it says itself; empty for a line that does not say.
fn timestamp(line: &[u8]) -> String {
    let after = line.strip_prefix(b"{\"timestamp\":\"").unwrap_or_default();
    let end = after.iter().position(|&byte| byte == b'"').unwrap_or(0);
    String::from_utf8_lossy(&after[..end]).into_owned()
}

/// `2026-11-16` of `2026-11-16T21:40:34Z`.
fn day(timestamp: &str) -> &str {
    timestamp.split('T').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(most: u64) -> Limited<Vec<u8>> {
        Limited {
            inner: Vec::new(),
            most,
            written: 0,
            day: String::new(),
            left_out: LeftOut::default(),
            overrun: Arc::default(),
            n_overrun: 0,
            on_new_day: Box::new(|| {}),
        }
    }

    fn line(day: u32) -> String {
        format!("{{\"timestamp\":\"2026-11-{day}T10:00:00Z\",\"level\":\"INFO\"}}\n")
    }

    #[test]
    fn a_day_has_its_share_and_the_next_day_tells_what_is_missing() {
        let length = line(16).len() as u64;
        let mut log = limited(20 * length);
        for _ in 0..30 {
            log.write_all(line(16).as_bytes()).unwrap();
        }
        let text = String::from_utf8(log.inner.clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 21, "{text}");
        assert!(lines[20].contains("what follows is counted and left out"));
        log.write_all(line(17).as_bytes()).unwrap();
        let text = String::from_utf8(log.inner).unwrap();
        let last: Vec<&str> = text.lines().skip(21).collect();
        let told = format!("10 lines with {} bytes were left out", 10 * length);
        assert!(last[0].contains(&told), "{text}");
        assert_eq!(
            last[1],
            line(17).trim_end(),
            "the new day has its own share"
        );
    }

    #[test]
    fn the_oldest_files_go_first_and_the_newest_stays() {
        let folder = tempfile::tempdir().unwrap();
        for day in 10..14 {
            let name = format!("kibitz.2026-11-{day}.log");
            fs::write(folder.path().join(name), vec![b' '; 100]).unwrap();
        }
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let days = || -> Vec<String> {
            let files = log_files(folder.path()).into_iter();
            let names = files.map(|(path, _)| path.file_name().unwrap().to_owned());
            names.map(|name| name.into_string().unwrap()).collect()
        };
        prune(folder.path(), 250);
        assert_eq!(days(), ["kibitz.2026-11-12.log", "kibitz.2026-11-13.log"]);
        prune(folder.path(), 0);
        assert_eq!(days(), ["kibitz.2026-11-13.log"]);
        assert!(folder.path().join("notes.txt").exists());
    }
}
