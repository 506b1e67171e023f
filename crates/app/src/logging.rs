//! The log: one JSON object a line, a file a day, old files deleted.

use crate::{Home, LogConfig};
use std::io;
use tracing_appender::{
    non_blocking::WorkerGuard,
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The folder or file cannot be used.
    #[error("cannot write logs to {path}: {source}")]
    Folder {
        /// Which.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// Somebody else writes the log of this process.
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
    let (writer, guard) = tracing_appender::non_blocking(file);
    let json = tracing_subscriber::fmt::layer().json().with_writer(writer);
    tracing_subscriber::registry()
        .with(EnvFilter::new(&config.level))
        .with(json)
        .try_init()
        .map_err(|_| LogError::Started)?;
    Ok(Log { _guard: guard })
}
