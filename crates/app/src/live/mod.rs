//! Games from Lichess and Chess.com into the database, when the user asks for them.
//!
//! One request at a time, and a minute of silence when a server asks for it. What has come is stored
//! as it comes; a fetch that was stopped, cut or killed goes on where it was. Games that are there
//! already are recognised.

mod asking;
mod chesscom;
mod dates;
mod lichess;
mod source;
#[cfg(test)]
mod tests;
mod tokens;

pub use dates::{Since, SinceError};
pub use source::{Service, Source, SourceError};
pub use tokens::{Token, TokenError, Tokens};

use crate::{
    Home, NetError, Patience,
    library::{ImportReport, Intake, LibraryError, Shelf},
};
use asking::Asker;
use std::{
    fs::File,
    io,
    sync::atomic::{AtomicBool, Ordering},
};

/// Where the services are. Tests and mirrors have other addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    pub lichess: String,
    pub chesscom: String,
}

impl Default for Addresses {
    fn default() -> Self {
        Self {
            lichess: "https://lichess.org".to_owned(),
            chesscom: "https://api.chess.com".to_owned(),
        }
    }
}

/// What is to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub source: Source,
    /// Only games from then on; where the last fetch ended if left out.
    pub since: Option<Since>,
    /// Everything, also what was fetched before.
    pub anew: bool,
}

/// How far a fetch has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// What happens now, as a sentence.
    pub message: &'a str,
    /// Months that were read, of so many; nothing where nobody knows how much there is.
    pub months: Option<(u64, u64)>,
    pub report: &'a ImportReport,
}

/// What a fetch brought.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fetched {
    pub report: ImportReport,
    /// Games of a round that are still being played; they are left out until they have a result.
    pub unfinished: u64,
}

/// The outside world of a fetch.
pub struct Outside<'a> {
    /// Whether the user has allowed requests.
    pub may_fetch: bool,
    pub addresses: Addresses,
    /// The user's token for Lichess, if there is one.
    pub token: Option<Token>,
    pub patience: Patience<'a>,
    pub stop: &'a AtomicBool,
    /// What time it is, in milliseconds since 1970.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
    pub tell: &'a dyn Fn(Progress<'_>),
}

impl std::fmt::Debug for Outside<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside")
            .field("may_fetch", &self.may_fetch)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}

impl Outside<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// Why nothing more comes. What was stored before stays, and the same wish goes on after it.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    #[error(
        "asking Lichess or Chess.com needs your consent; set enabled = true under [network] in \
         {config}, or run kibitz engines consent"
    )]
    NoConsent { config: String },
    #[error("another fetch is under way; games are fetched one request at a time")]
    UnderWay,
    #[error("cannot use {path}: {source}")]
    Lock { path: String, source: io::Error },
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("{host} has no {what}; look at the spelling, and whether it is public")]
    NotFound { host: String, what: String },
    #[error("{host} does not let us see {what} (status {status}); {hint}")]
    Refused {
        host: String,
        what: String,
        status: u16,
        hint: &'static str,
    },
    #[error("{host} asked us to wait again and again; try again in some minutes")]
    Busy { host: String },
    #[error("{host} answered {status}; try again later")]
    Status { host: String, status: u16 },
    #[error("the answer of {host} was cut off {attempts} times in a row; try again later")]
    CutOff { host: String, attempts: u32 },
    #[error("{host} did not answer as expected: {detail}")]
    Odd { host: String, detail: String },
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// Fetches games into a database. A stop is no error: the report says so.
pub fn fetch(
    home: &Home,
    shelf: &mut dyn Shelf,
    wish: &Wish,
    outside: &Outside<'_>,
) -> Result<Fetched, LiveError> {
    if !outside.may_fetch {
        return Err(LiveError::NoConsent {
            config: home.config_file().display().to_string(),
        });
    }
    let _alone = alone(home)?;
    let mut intake = Intake::begin(shelf, &wish.source.name())?;
    let asker = Asker::new(outside, &wish.source);
    let done = match &wish.source {
        Source::LichessPlayer { name, most } => {
            lichess::player(&asker, &mut intake, wish, name, *most)
        }
        Source::LichessRound { id, follows } => lichess::round(&asker, &mut intake, id, *follows),
        Source::LichessStudy { id } => lichess::study(&asker, &mut intake, id),
        Source::ChessComPlayer { name } => chesscom::player(&asker, &mut intake, wish, name),
    };
    // What has come is worth keeping, whatever happened then.
    let stored = intake.store(done.is_ok() && !outside.is_stopped());
    let unfinished = match done {
        Ok(unfinished) => unfinished,
        Err(_) if outside.is_stopped() => 0,
        Err(error) => return Err(error),
    };
    stored?;
    let mut report = intake.report().clone();
    report.is_stopped = outside.is_stopped();
    Ok(Fetched { report, unfinished })
}

/// Whoever holds this is the only one of all programs on this home that asks.
fn alone(home: &Home) -> Result<File, LiveError> {
    let path = home.fetch_lock();
    let failed = |source| LiveError::Lock {
        path: path.display().to_string(),
        source,
    };
    let opened = File::options()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(failed)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(std::fs::TryLockError::WouldBlock) => Err(LiveError::UnderWay),
        Err(std::fs::TryLockError::Error(source)) => Err(failed(source)),
    }
}
