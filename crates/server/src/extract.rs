//! Bodies and query strings, with refusals in our own words.

use crate::{error::Refusal, rate::Share, routes::Context, wire::ErrorCode};
use axum::{
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{header, request::Parts},
};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The longest body that is no file.
const BODY_MAX: usize = 64 << 10;

/// A JSON body. No body at all is read as `{}`.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let declared = request.headers().get(header::CONTENT_TYPE);
        let declared = declared.and_then(|value| value.to_str().ok());
        let kind = declared.and_then(|value| value.split(';').next());
        let is_json = kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        let bytes = within_time(read(request, BODY_MAX)).await?;
        if bytes.is_empty() {
            return parse(b"{}").map(Self);
        }
        if !is_json {
            let message = "expected Content-Type: application/json";
            return Err(Refusal::new(ErrorCode::WrongContentType, message));
        }
        parse(&bytes).map(Self)
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(bytes)
        .map_err(|error| Refusal::new(ErrorCode::Malformed, format!("the body: {error}")))
}

/// A file, with its share of the memory that all files may take.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) share: Share,
}

/// The longest file: the greatest year of tournament games has 1 MB.
const FILE_MAX: usize = 32 << 20;

impl FromRequest<Context> for File {
    type Rejection = Refusal;

    /// Nothing is read before there is room for all of it.
    async fn from_request(request: Request, context: &Context) -> Result<Self, Refusal> {
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > FILE_MAX) {
            return Err(too_large());
        }
        let length = length.unwrap_or(FILE_MAX);
        let share = context.budgets.files.take(length, FILE_TURN).await;
        let Some(share) = share else {
            let message = "other files are being read; try again when they have been";
            return Err(Refusal::new(ErrorCode::Unavailable, message));
        };
        let bytes = within_time(read(request, FILE_MAX)).await?;
        Ok(Self { bytes, share })
    }
}

/// How long a body may take to arrive, from this machine.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// How long a file waits until others have been read.
const FILE_TURN: Duration = Duration::from_secs(60);

fn too_large() -> Refusal {
    Refusal::new(ErrorCode::TooLarge, "the body is too long")
}

async fn within_time<T>(reading: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    tokio::time::timeout(BODY_WITHIN, reading)
        .await
        .map_err(|_| Refusal::new(ErrorCode::TooSlow, "the body took too long to arrive"))?
}

/// The whole body. It is in memory once: what arrives is added to what is there.
async fn read(request: Request, most: usize) -> Result<Vec<u8>, Refusal> {
    let mut parts = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    while let Some(part) = parts.next().await {
        let part =
            part.map_err(|_| Refusal::new(ErrorCode::Malformed, "the body could not be read"))?;
        if bytes.len() + part.len() > most {
            return Err(too_large());
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// What stands behind the `?`.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(asked) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|error| Refusal::new(ErrorCode::Malformed, error.body_text()))?;
        Ok(Self(asked))
    }
}

/// The parts of an address.
#[derive(Debug)]
pub(crate) struct Place<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Place<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let axum::extract::Path(place) = axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map_err(|error| Refusal::new(ErrorCode::Malformed, error.body_text()))?;
        Ok(Self(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;
    use std::convert::Infallible;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_is_given_up() {
        let never = futures_util::stream::pending::<Result<Bytes, Infallible>>();
        let request = Request::new(axum::body::Body::from_stream(never));
        let refused = within_time(read(request, BODY_MAX)).await;
        let expected = Refusal::new(ErrorCode::TooSlow, "the body took too long to arrive");
        assert_eq!(refused, Err(expected));
    }
}
