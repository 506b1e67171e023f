//! Who may come in: under our own name, from our own page, with the token or the cookie, and not
//! too often.

use crate::{
    error::{Refusal, shortened},
    passes::{Client, Passes},
    rate::{Bucket, Ration},
    seats::Seat,
    wire::{ErrorCode, Login},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use std::{sync::Arc, time::Duration};
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

/// What every request is checked against before a route sees it.
#[derive(Debug)]
pub(crate) struct Guard {
    port: u16,
    passes: Passes,
    from_page: Bucket,
    from_programs: Bucket,
    /// Logins with a wrong token or code. Right ones never wait for it.
    wrong_logins: Bucket,
    at_once: Semaphore,
    pub(crate) streams: Arc<Semaphore>,
    /// Lines of the log about refused requests: strangers decide how many there are.
    refused: Ration,
    /// Lines of the log about requests, if those are wanted.
    asked: Ration,
}

impl Guard {
    pub(crate) fn new(port: u16, token: String, rate_limit_rps: u32) -> Self {
        let programs = f64::from(rate_limit_rps);
        Self {
            port,
            passes: Passes::new(token),
            from_page: Bucket::new(100.0, 200.0),
            from_programs: Bucket::new(programs, programs.max(1.0)),
            wrong_logins: Bucket::new(5.0, 5.0),
            at_once: Semaphore::new(AT_ONCE),
            streams: Arc::new(Semaphore::new(STREAMS)),
            refused: Ration::new(0.1, 20.0),
            asked: Ration::new(2.0, 1_000.0),
        }
    }

    /// Cookies do not know ports: two servers need two names.
    fn cookie_name(&self) -> String {
        format!("kibitz_{}", self.port)
    }

    /// An address that lets one browser in, once. Its code stands where servers and logs do not
    /// see it.
    pub(crate) fn invite(&self) -> Result<String, getrandom::Error> {
        let code = self.passes.issue(Instant::now())?;
        Ok(format!("http://127.0.0.1:{}/#code={code}", self.port))
    }

    /// The cookie for whoever has the token or a code. Who has a right one is let in however many
    /// wrong ones come at the same time.
    pub(crate) fn login(&self, login: &Login) -> Result<HeaderValue, Refusal> {
        let now = Instant::now();
        let is_right = match login {
            Login::Token(token) => self.passes.is_token(token),
            Login::Code(code) => self.passes.redeem(code, now),
        };
        if !is_right {
            self.log_refusal("a wrong token or code");
            return Err(if self.wrong_logins.take(now) {
                not_logged_in()
            } else {
                too_many()
            });
        }
        let cookie = self.passes.admit().map_err(|_| Refusal::internal())?;
        self.set_cookie(&cookie, "")
    }

    /// The end of a cookie, here and in the browser.
    pub(crate) fn logout(&self, client: &Client) -> Result<HeaderValue, Refusal> {
        self.passes.dismiss(client);
        self.set_cookie("", "; Max-Age=0")
    }

    fn log_refusal(&self, what: &str) {
        if let Some(left_out) = self.refused.spend(Instant::now()) {
            tracing::warn!(what, left_out, "refused");
        }
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
    fn check_pass(&self, headers: &HeaderMap) -> Result<Client, Refusal> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
        let (client, bucket) = if let Some(token) = bearer {
            if !self.passes.is_token(token.trim()) {
                return Err(not_logged_in());
            }
            (Client::Program, &self.from_programs)
        } else {
            let name = self.cookie_name();
            let held = text(header::COOKIE).and_then(|cookies| {
                cookies
                    .split(';')
                    .filter_map(|cookie| cookie.trim().split_once('='))
                    .filter(|(known, _)| *known == name)
                    .find_map(|(_, cookie)| self.passes.browser(cookie))
            });
            (held.ok_or_else(not_logged_in)?, &self.from_page)
        };
        if bucket.take(Instant::now()) {
            Ok(client)
        } else {
            Err(too_many())
        }
    }
}

fn not_logged_in() -> Refusal {
    let message =
        "not logged in: run kibitz again and open the address that it prints, which works once";
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
    let path = shortened(request.uri().path());
    let mut response = match guard.check_names(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            guard.log_refusal(&format!("{method} {path} under a wrong name"));
            refusal.into_response()
        }
    };
    if tracing::enabled!(tracing::Level::DEBUG)
        && let Some(left_out) = guard.asked.spend(Instant::now())
    {
        tracing::debug!(%method, path, status = response.status().as_u16(), left_out);
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    response
}

/// For the API: a pass, and not too many at once.
pub(crate) async fn pass(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let client = guard.check_pass(request.headers())?;
    if let Some(seat) = request.extensions().get::<Arc<Seat>>() {
        seat.trust();
    }
    request.extensions_mut().insert(client);
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
