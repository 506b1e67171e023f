//! Asking servers far away: which addresses are asked, how long is waited, where answers may lead.
//!
//! Nothing here asks by itself: whoever calls has looked whether the user allows it.

use std::time::Duration;
use ureq::{
    Agent, Body,
    http::{HeaderName, Response, Uri, header},
};

/// How long to wait for a server, and how often to come back.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    pub connect: Duration,
    /// For each part of an answer.
    pub read: Duration,
    /// How often in a row an attempt may bring nothing.
    pub attempts: u32,
    /// Waits so many milliseconds before the next attempt.
    pub pause: &'a (dyn Fn(u64) + Sync),
}

impl std::fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patience")
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

impl<'a> Patience<'a> {
    /// What suits a person who waits for a server on the internet.
    pub const fn usual(pause: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self {
            connect: Duration::from_secs(15),
            read: Duration::from_secs(15),
            attempts: 5,
            pause,
        }
    }
}

/// Addresses that lead to other addresses: no more than so many in a row.
const REDIRECTS_MAX: u32 = 5;

/// A server was not asked, or did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The address is not one that is asked.
    #[error("{0}")]
    Address(String),
    #[error("{host} does not answer: {reason}; look at the connection and try again")]
    Unreachable { host: String, reason: String },
}

/// An address may be asked if nobody on the way can change what comes: by HTTPS, or on this computer
/// itself.
pub(crate) fn check_url(url: &str) -> Result<Uri, String> {
    let refused = || format!("{url:?} is not a secure address; expected https://…");
    let uri: Uri = url.parse().map_err(|_| refused())?;
    let host = uri.host().unwrap_or_default();
    let is_loopback = matches!(host, "127.0.0.1" | "[::1]" | "localhost");
    match uri.scheme_str() {
        Some("https") if !host.is_empty() => Ok(uri),
        Some("http") if is_loopback => Ok(uri),
        _ => Err(refused()),
    }
}

/// Whom an address asks, for sentences.
pub(crate) fn host_of(url: &str) -> String {
    let uri: Option<Uri> = url.parse().ok();
    uri.and_then(|it| it.host().map(str::to_owned))
        .unwrap_or_default()
}

pub(crate) fn agent(patience: &Patience<'_>) -> Agent {
    let config = Agent::config_builder()
        // Each address is looked at by us before it is followed.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_connect(Some(patience.connect))
        .timeout_resolve(Some(patience.connect))
        .timeout_recv_response(Some(patience.read))
        .timeout_per_read(Some(patience.read))
        .user_agent(concat!("Kibitz/", env!("CARGO_PKG_VERSION")))
        .build();
    config.new_agent()
}

/// Asks for an address, following where it leads. Headers go to the server that was named; one that
/// it leads to does not get the user's token.
pub(crate) fn get(
    agent: &Agent,
    url: &str,
    headers: &[(HeaderName, String)],
) -> Result<Response<Body>, NetError> {
    let mut uri = check_url(url).map_err(NetError::Address)?;
    let named = uri.authority().cloned();
    for _ in 0..=REDIRECTS_MAX {
        let mut builder = agent.get(&uri);
        let is_named = uri.authority() == named.as_ref();
        for (name, value) in headers {
            if is_named || *name != header::AUTHORIZATION {
                builder = builder.header(name, value);
            }
        }
        let response = builder.call().map_err(|error| NetError::Unreachable {
            host: uri.host().unwrap_or_default().to_owned(),
            reason: error.to_string(),
        })?;
        if !response.status().is_redirection() || response.status().as_u16() == 304 {
            return Ok(response);
        }
        uri = follow(&uri, &response)?;
    }
    Err(NetError::Address(format!(
        "{url} leads to address after address; it was given up"
    )))
}

/// The next address. From a secure one, only to a secure one.
fn follow(from: &Uri, response: &Response<Body>) -> Result<Uri, NetError> {
    let location = response.headers().get(header::LOCATION);
    let text = location.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let full = if text.starts_with('/') {
        let authority = from.authority().map_or("", |it| it.as_str());
        format!(
            "{}://{authority}{text}",
            from.scheme_str().unwrap_or("https")
        )
    } else {
        text.to_owned()
    };
    let next = check_url(&full).map_err(NetError::Address)?;
    if from.scheme_str() == Some("https") && next.scheme_str() != Some("https") {
        let message = format!("{from} leads to {full}, which is not secure; it was given up");
        return Err(NetError::Address(message));
    }
    Ok(next)
}
