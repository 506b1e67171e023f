//! Who may come in: under our own name, from our own page, with the token or the cookie, and not
//! too often.

use crate::{error::Refusal, wire::ErrorCode};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::Semaphore, time::Instant};

/// What the page may do: nothing but talk to us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types svelte-trusted-html";

const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Requests at the same time; a person has one mouse.
const AT_ONCE: usize = 64;

/// How long one more waits for its turn.
const TURN: Duration = Duration::from_secs(2);

/// Event streams at the same time: one for each tab.
const STREAMS: usize = 16;

/// A bucket that fills with time; each request takes a drop.
#[derive(Debug)]
struct Bucket {
    per_second: f64,
    most: f64,
    level: Mutex<(f64, Option<Instant>)>,
}

impl Bucket {
    const fn new(per_second: f64, most: f64) -> Self {
        Self {
            per_second,
            most,
            level: Mutex::new((most, None)),
        }
    }

    fn take(&self, now: Instant) -> bool {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let (drops, before) = *level;
        let elapsed = before.map_or(0.0, |before| (now - before).as_secs_f64());
        let drops = elapsed.mul_add(self.per_second, drops).min(self.most);
        let may = drops >= 1.0;
        *level = (if may { drops - 1.0 } else { drops }, Some(now));
        may
    }
}

/// The door.
#[derive(Debug)]
pub(crate) struct Guard {
    port: u16,
    token: String,
    /// What the browser holds in place of the token.
    cookie: String,
    from_page: Bucket,
    from_programs: Bucket,
    logins: Bucket,
    at_once: Semaphore,
    pub(crate) streams: Arc<Semaphore>,
}

/// Whether two texts are equal, in a time that does not depend on where they differ.
fn equal(a: &str, b: &str) -> bool {
    let differences = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && differences == 0
}

impl Guard {
    pub(crate) fn new(port: u16, token: String, cookie: String, rate_limit_rps: u32) -> Self {
        let programs = f64::from(rate_limit_rps);
        Self {
            port,
            token,
            cookie,
            from_page: Bucket::new(100.0, 200.0),
            from_programs: Bucket::new(programs, programs.max(1.0)),
            logins: Bucket::new(5.0, 5.0),
            at_once: Semaphore::new(AT_ONCE),
            streams: Arc::new(Semaphore::new(STREAMS)),
        }
    }

    /// Cookies do not know ports: two servers need two names.
    fn cookie_name(&self) -> String {
        format!("kibitz_{}", self.port)
    }

    /// The cookie for whoever has this token.
    pub(crate) fn login(&self, token: &str) -> Result<HeaderValue, Refusal> {
        if !self.logins.take(Instant::now()) {
            return Err(too_many());
        }
        if !equal(token, &self.token) {
            return Err(not_logged_in());
        }
        self.set_cookie(&self.cookie, "")
    }

    /// The end of the cookie.
    pub(crate) fn logout(&self) -> Result<HeaderValue, Refusal> {
        self.set_cookie("", "; Max-Age=0")
    }

    fn set_cookie(&self, value: &str, more: &str) -> Result<HeaderValue, Refusal> {
        let name = self.cookie_name();
        let text = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/{more}");
        HeaderValue::from_str(&text).map_err(|_| Refusal::internal())
    }

    fn is_ours(&self, authority: &str) -> bool {
        let port = self.port;
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| authority == format!("{name}:{port}"))
    }

    /// Checks what no honest browser on this machine gets wrong.
    fn check_names(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let one = |name: HeaderName| {
            let mut values = headers.get_all(name).iter();
            let first = values.next();
            // Two values mean that somebody plays tricks.
            if values.next().is_some() {
                None
            } else {
                first.and_then(|value| value.to_str().ok())
            }
        };
        if !one(header::HOST).is_some_and(|host| self.is_ours(host)) {
            let message = format!("expected Host: 127.0.0.1:{}", self.port);
            return Err(Refusal::new(ErrorCode::WrongHost, message));
        }
        let wrong_origin = || {
            let message = "only the program's own page may ask";
            Err(Refusal::new(ErrorCode::WrongOrigin, message))
        };
        if headers.contains_key(header::ORIGIN) {
            let origin = one(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(|authority| self.is_ours(authority)) {
                return wrong_origin();
            }
        }
        match one(HeaderName::from_static("sec-fetch-site")) {
            Some("cross-site" | "same-site") => wrong_origin(),
            _ => Ok(()),
        }
    }

    /// Checks cookie or token, and that it is not used too often.
    fn check_pass(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
        let bucket = if let Some(token) = bearer {
            if !equal(token.trim(), &self.token) {
                return Err(not_logged_in());
            }
            &self.from_programs
        } else {
            let name = self.cookie_name();
            let held = text(header::COOKIE).is_some_and(|cookies| {
                cookies
                    .split(';')
                    .filter_map(|cookie| cookie.trim().split_once('='))
                    .any(|(known, value)| known == name && equal(value, &self.cookie))
            });
            if !held {
                return Err(not_logged_in());
            }
            &self.from_page
        };
        if bucket.take(Instant::now()) {
            Ok(())
        } else {
            Err(too_many())
        }
    }
}

fn not_logged_in() -> Refusal {
    let message = "not logged in: open the address that kibitz printed, with its token";
    Refusal::new(ErrorCode::NotLoggedIn, message)
}

fn too_many() -> Refusal {
    Refusal::new(
        ErrorCode::TooManyRequests,
        "too many requests; wait a second",
    )
}

/// For everything: names, and the headers of every answer.
pub(crate) async fn names(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let method: Method = request.method().clone();
    let path = request.uri().path().to_owned();
    let mut response = match guard.check_names(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            tracing::warn!(%method, path, "refused by name");
            refusal.into_response()
        }
    };
    tracing::debug!(%method, path, status = response.status().as_u16());
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    response
}

/// For the API: a pass, and not too many at once.
pub(crate) async fn pass(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    guard.check_pass(request.headers())?;
    let Ok(_permit) = tokio::time::timeout(TURN, guard.at_once.acquire()).await else {
        let message = "too many requests at the same time; wait a second";
        return Err(Refusal::new(ErrorCode::Unavailable, message));
    };
    let mut response = next.run(request).await;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_empty_and_fill() {
        let bucket = Bucket::new(2.0, 3.0);
        let now = Instant::now();
        let taken = (0..5).filter(|_| bucket.take(now)).count();
        assert_eq!(taken, 3);
        let later = now + Duration::from_millis(1_000);
        let taken = (0..5).filter(|_| bucket.take(later)).count();
        assert_eq!(taken, 2);
    }

    #[test]
    fn comparing_takes_everything_into_account() {
        assert!(equal("abc", "abc"));
        for other in ["", "ab", "abd", "abcd"] {
            assert!(!equal("abc", other));
        }
    }
}
