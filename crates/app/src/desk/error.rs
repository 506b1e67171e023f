//! Refusals, and what went wrong, in sentences.

use crate::{
    archive::ArchiveError,
    config::ConfigError,
    engine_levels::UnknownProfileError,
    library::{LibraryError, StoreError},
    session::SessionError,
};
use game::Position;
use std::io;

/// A wish that was refused.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// No session of that name.
    #[error("there is no session {0:?}; use \"current\" or an id from the list")]
    NoSuchSession(String),
    /// The change is made, but it is not on disk.
    #[error(transparent)]
    NotSaved(#[from] NotSaved),
    #[error(transparent)]
    Archive(ArchiveError),
    /// Too much is asked at once.
    #[error("{0}")]
    Busy(String),
    /// No job of that number.
    #[error("there is no job {0}")]
    NoSuchJob(u64),
    /// No tournament of that number, or not that game in it.
    #[error("{0}")]
    NoSuchTournament(String),
    /// No import of that name, or not that many games in it.
    #[error("{0}")]
    NoSuchImport(String),
    /// The session does not allow it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No level of that name.
    #[error(transparent)]
    Level(#[from] UnknownProfileError),
    #[error("{0}")]
    Conflict(String),
    /// Understood, but not possible at all.
    #[error("{0}")]
    Invalid(String),
    /// The move is against the rules.
    #[error("{0}")]
    IllegalMove(String),
    /// Nothing could be read from the text.
    #[error("{0}")]
    Unreadable(String),
    /// The settings cannot be changed.
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("the engine failed: {0}; the log has more")]
    Engine(String),
    /// The database of games cannot be used, and why.
    #[error("the database of games cannot be used: {0}")]
    NoLibrary(String),
    /// There is no such game in the database.
    #[error("the database has no game {0}; it may have been deleted")]
    NoSuchGame(u32),
    /// The database refuses, or the disk below it.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file that is handed over cannot be written down.
    #[error("{name} cannot be kept while it is read: {source}")]
    Upload { name: String, source: io::Error },
    /// The program is ending.
    #[error("the program is ending")]
    Closing,
}

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSuchGame(id) => Self::NoSuchGame(id),
            other => Self::Library(other.into()),
        }
    }
}

/// What the desk says to work that only Othello has.
pub(super) const NOT_OTHELLO: &str = "this is a game of chess, and the coach and our own engine know Othello alone; ask an engine for \
     chess";

/// The position for work that only Othello has.
pub(super) fn othello_of(position: &Position) -> Result<othello::Position, DeskError> {
    let othello = position.othello();
    othello.ok_or_else(|| DeskError::Invalid(NOT_OTHELLO.to_owned()))
}

/// The desk could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The openings that the program comes with are damaged.
    #[error(transparent)]
    Openings(#[from] coach::explain::OpeningsError),
    /// The games cannot be found.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl From<ArchiveError> for DeskError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Missing(id) => Self::NoSuchSession(id),
            other => Self::Archive(other),
        }
    }
}

/// A change of a game that is made and kept in memory, but is not on disk. The desk tries again by
/// itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotSaved {
    pub session: String,
    /// What happened, what is kept, what to do.
    pub message: String,
    /// Why it is not.
    reason: String,
    /// Whether the disk is full.
    pub is_full: bool,
}

impl NotSaved {
    pub(super) fn new(session: &str, error: &ArchiveError) -> Self {
        let advice = advice(error.disk_error());
        Self {
            session: session.to_owned(),
            message: format!(
                "the last change of game {session} is not on disk: {error}. It is kept in memory, \
                 and Kibitz tries again by itself; {advice} before you end the program"
            ),
            reason: error.to_string(),
            is_full: error.disk_error().is_some_and(is_full),
        }
    }
}

impl NotSaved {
    /// What to say when the program ends, and nothing is tried again.
    fn lost(&self) -> String {
        let Self {
            session, reason, ..
        } = self;
        format!("the last change of game {session} was not saved and is lost: {reason}")
    }
}

/// Whether an error means that the disk is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// What the user can do about an error of the disk.
fn advice(error: Option<&io::Error>) -> &'static str {
    /// As many open files as the process, or the system, may have.
    const NO_DESCRIPTORS: [i32; 2] = [24, 23];
    match error {
        Some(error) if is_full(error) => "free some space on the disk",
        Some(error)
            if matches!(
                error.kind(),
                io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied
            ) =>
        {
            "make the folder writable"
        }
        Some(error)
            if cfg!(unix)
                && error
                    .raw_os_error()
                    .is_some_and(|it| NO_DESCRIPTORS.contains(&it)) =>
        {
            "close some tabs or other programs"
        }
        _ => "see that the folder can be written to",
    }
}

/// Changes that were not on disk when the desk was closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(NotSaved::lost).collect::<Vec<_>>().join("; "))]
pub struct CloseError(pub Vec<NotSaved>);
