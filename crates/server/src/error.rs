//! One place that turns what went wrong into a status, a code and a sentence.

use crate::wire::{ErrorBody, ErrorCode};
use app::desk::DeskError;
use app::{
    archive::ArchiveError,
    config::ConfigError,
    library::{LibraryError, StoreError},
    session::SessionError,
};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use game::TreeError;

/// A request that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn not_found(path: &str) -> Self {
        let message = format!("there is nothing at {}", shortened(path));
        Self::new(ErrorCode::NotFound, message)
    }

    pub(crate) fn wrong_method() -> Self {
        let message =
            "this address does not understand that method; docs/API.md lists what it does";
        Self::new(ErrorCode::MethodNotAllowed, message)
    }

    /// A mistake of ours.
    pub(crate) fn internal() -> Self {
        let message = "something went wrong in the program; its log has more";
        Self::new(ErrorCode::Internal, message)
    }
}

/// The beginning of a path, fit for a sentence or a line of the log.
pub(crate) fn shortened(path: &str) -> String {
    const SHOWN: usize = 100;
    let mut shown: String = path
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect();
    if path.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

const fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Malformed => StatusCode::BAD_REQUEST,
        ErrorCode::NotLoggedIn => StatusCode::UNAUTHORIZED,
        ErrorCode::WrongHost | ErrorCode::WrongOrigin => StatusCode::FORBIDDEN,
        ErrorCode::NotFound
        | ErrorCode::NoSuchSession
        | ErrorCode::NoSuchNode
        | ErrorCode::NoSuchJob
        | ErrorCode::NoSuchTournament
        | ErrorCode::NoSuchGame
        | ErrorCode::NoSuchImport => StatusCode::NOT_FOUND,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::Conflict => StatusCode::CONFLICT,
        ErrorCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::WrongContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::IllegalMove | ErrorCode::Invalid | ErrorCode::Unreadable => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ErrorCode::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Internal | ErrorCode::NotSaved => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::NoSpace => StatusCode::INSUFFICIENT_STORAGE,
        ErrorCode::Unavailable | ErrorCode::NoLibrary => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = status(self.code);
        let body = ErrorBody {
            code: self.code,
            message: self.message,
        };
        let mut response = (status, Json(body)).into_response();
        if matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// What the disk refused.
fn disk_code(error: &std::io::Error) -> ErrorCode {
    if app::desk::is_full(error) {
        ErrorCode::NoSpace
    } else {
        ErrorCode::NotSaved
    }
}

fn archive_code(error: &ArchiveError) -> ErrorCode {
    match error {
        ArchiveError::Missing(_) => ErrorCode::NoSuchSession,
        ArchiveError::Unusable { .. } | ArchiveError::TooMany(_) => ErrorCode::Conflict,
        ArchiveError::Disk { source, .. } => disk_code(source),
        ArchiveError::Taken(_) | ArchiveError::Serialise(_) => ErrorCode::NotSaved,
    }
}

fn store_code(error: &StoreError) -> ErrorCode {
    match error {
        StoreError::NoSuchGame(_) => ErrorCode::NoSuchGame,
        StoreError::Text { .. } => ErrorCode::Invalid,
        StoreError::Full { .. } => ErrorCode::NoSpace,
        StoreError::ReadOnly { .. } | StoreError::Disk { .. } => ErrorCode::NotSaved,
        StoreError::Busy { .. } | StoreError::Closed => ErrorCode::Unavailable,
        _ => ErrorCode::Internal,
    }
}

fn library_code(error: &LibraryError) -> ErrorCode {
    match error {
        LibraryError::Store(error) => store_code(error),
        LibraryError::Shared(error) => store_code(error),
        LibraryError::Query(_) => ErrorCode::Invalid,
        LibraryError::Record(_) => ErrorCode::Unreadable,
        LibraryError::Write(error) => disk_code(error),
    }
}

impl From<DeskError> for Refusal {
    fn from(error: DeskError) -> Self {
        let code = match &error {
            DeskError::NoSuchSession(_) => ErrorCode::NoSuchSession,
            DeskError::NotSaved(problem) if problem.is_full => ErrorCode::NoSpace,
            DeskError::NotSaved(_) => ErrorCode::NotSaved,
            DeskError::Archive(error) => archive_code(error),
            DeskError::Busy(_) => ErrorCode::Unavailable,
            DeskError::NoSuchJob(_) => ErrorCode::NoSuchJob,
            DeskError::NoSuchTournament(_) => ErrorCode::NoSuchTournament,
            DeskError::NoSuchImport(_) => ErrorCode::NoSuchImport,
            DeskError::Session(error) => match error {
                SessionError::Tree(TreeError::NoSuchNode(_)) => ErrorCode::NoSuchNode,
                SessionError::Tree(_)
                | SessionError::EnginesTurn
                | SessionError::Lost(..)
                | SessionError::NothingToResign
                | SessionError::NothingToClaim
                | SessionError::Drawn
                | SessionError::TooManyNodes
                | SessionError::LongComments => ErrorCode::Conflict,
                SessionError::Move(_) => ErrorCode::IllegalMove,
                SessionError::LongComment(_) | SessionError::LongTitle(_) => ErrorCode::Invalid,
            },
            DeskError::Level(_) | DeskError::Invalid(_) => ErrorCode::Invalid,
            DeskError::Conflict(_) => ErrorCode::Conflict,
            DeskError::IllegalMove(_) => ErrorCode::IllegalMove,
            DeskError::Unreadable(_) => ErrorCode::Unreadable,
            DeskError::Config(ConfigError::Invalid(_)) => ErrorCode::Invalid,
            DeskError::Config(ConfigError::Broken(_)) => ErrorCode::Conflict,
            DeskError::Config(ConfigError::Read { .. } | ConfigError::Write { .. })
            | DeskError::Engine(_) => ErrorCode::Internal,
            DeskError::NoLibrary(_) => ErrorCode::NoLibrary,
            DeskError::NoSuchGame(_) => ErrorCode::NoSuchGame,
            DeskError::Library(error) => library_code(error),
            DeskError::Upload { source, .. } => disk_code(source),
            DeskError::Closing => ErrorCode::Unavailable,
        };
        Self::new(code, error.to_string())
    }
}
