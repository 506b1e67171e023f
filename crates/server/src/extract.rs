//! Bodies and query strings, with refusals in our own words.

use crate::{error::Refusal, wire::ErrorCode};
use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::BytesRejection},
    http::{StatusCode, header, request::Parts},
};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A JSON body. No body at all is read as `{}`.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let declared = request.headers().get(header::CONTENT_TYPE);
        let declared = declared.and_then(|value| value.to_str().ok());
        let kind = declared.and_then(|value| value.split(';').next());
        let is_json = kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        let bytes = read(request, state).await?;
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

/// A body of any bytes.
#[derive(Debug)]
pub(crate) struct Raw(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        read(request, state).await.map(Self)
    }
}

/// How long a body may take to arrive, from this machine.
const BODY_WITHIN: Duration = Duration::from_secs(30);

async fn read<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Refusal> {
    tokio::time::timeout(BODY_WITHIN, Bytes::from_request(request, state))
        .await
        .map_err(|_| Refusal::new(ErrorCode::TooSlow, "the body took too long to arrive"))?
        .map_err(|rejection: BytesRejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Refusal::new(ErrorCode::TooLarge, "the body is too long")
            } else {
                Refusal::new(ErrorCode::Malformed, "the body could not be read")
            }
        })
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
    use std::convert::Infallible;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_is_given_up() {
        let never = futures_util::stream::pending::<Result<Bytes, Infallible>>();
        let request = Request::new(axum::body::Body::from_stream(never));
        let refused = Raw::from_request(request, &()).await.map(|_| ());
        let expected = Refusal::new(ErrorCode::TooSlow, "the body took too long to arrive");
        assert_eq!(refused, Err(expected));
    }
}
