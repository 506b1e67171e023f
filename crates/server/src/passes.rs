//! What lets a client in: the token for programs, a code that works once for a browser, and the
//! cookie that a browser gets for either.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::watch, time::Instant};

/// How long a code may be used.
pub(crate) const CODE_LIVES: Duration = Duration::from_mins(10);

/// Codes that are good at the same time. The oldest one makes room.
const CODES_MAX: usize = 16;

/// Browsers that are logged in at the same time. The one that logged in first makes room.
const BROWSERS_MAX: usize = 64;

/// 32 bytes that nobody can guess, in hexadecimal.
pub(crate) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two texts are equal, in a time that does not depend on where they differ.
fn equal(a: &str, b: &str) -> bool {
    let differences = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// Where a text stands in a list. Every entry is compared, whichever is the right one.
fn find<'a>(list: impl Iterator<Item = &'a str>, wanted: &str) -> Option<usize> {
    let mut found = None;
    for (i, known) in list.enumerate() {
        if equal(known, wanted) {
            found = Some(i);
        }
    }
    found
}

#[derive(Debug)]
struct Code {
    text: String,
    until: Instant,
}

#[derive(Debug)]
struct Browser {
    cookie: String,
    /// Dropped when it logs out: whoever listens ends.
    logged_in: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Held {
    codes: VecDeque<Code>,
    browsers: VecDeque<Browser>,
}

/// All passes of a server. They end with it.
#[derive(Debug)]
pub(crate) struct Passes {
    token: String,
    held: Mutex<Held>,
}

/// What a request showed to be let in, if anything.
#[derive(Debug, Clone)]
pub(crate) enum Client {
    /// A program with the token.
    Program,
    /// A browser with a cookie. Its streams end when the channel closes.
    Browser {
        cookie: String,
        /// Open as long as the cookie is good.
        logged_in: watch::Receiver<()>,
    },
}

impl Client {
    pub(crate) fn is_logged_in(&self) -> bool {
        match self {
            Self::Program => true,
            Self::Browser { logged_in, .. } => logged_in.has_changed().is_ok(),
        }
    }

    /// Returns when this client is not logged in any more.
    pub(crate) async fn logged_out(&mut self) {
        match self {
            Self::Program => std::future::pending().await,
            Self::Browser { logged_in, .. } => while logged_in.changed().await.is_ok() {},
        }
    }
}

impl Passes {
    pub(crate) fn new(token: String) -> Self {
        Self {
            token,
            held: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_token(&self, text: &str) -> bool {
        equal(text, &self.token)
    }

    /// A new code, good once and for [`CODE_LIVES`].
    pub(crate) fn issue(&self, now: Instant) -> Result<String, getrandom::Error> {
        let text = secret()?;
        let codes = &mut self.lock().codes;
        codes.retain(|code| code.until > now);
        while codes.len() >= CODES_MAX {
            codes.pop_front();
        }
        codes.push_back(Code {
            text: text.clone(),
            until: now + CODE_LIVES,
        });
        Ok(text)
    }

    /// Whether this is a good code. It is none any more afterwards.
    pub(crate) fn redeem(&self, text: &str, now: Instant) -> bool {
        let codes = &mut self.lock().codes;
        codes.retain(|code| code.until > now);
        let found = find(codes.iter().map(|code| &*code.text), text);
        found.and_then(|i| codes.remove(i)).is_some()
    }

    /// A cookie for a browser that has shown the token or a code.
    pub(crate) fn admit(&self) -> Result<String, getrandom::Error> {
        let cookie = secret()?;
        let browsers = &mut self.lock().browsers;
        while browsers.len() >= BROWSERS_MAX {
            browsers.pop_front();
        }
        browsers.push_back(Browser {
            cookie: cookie.clone(),
            logged_in: watch::Sender::new(()),
        });
        Ok(cookie)
    }

    /// The browser that holds this cookie.
    pub(crate) fn browser(&self, cookie: &str) -> Option<Client> {
        let browsers = &self.lock().browsers;
        let found = find(browsers.iter().map(|it| &*it.cookie), cookie)?;
        let browser = browsers.get(found)?;
        Some(Client::Browser {
            cookie: browser.cookie.clone(),
            logged_in: browser.logged_in.subscribe(),
        })
    }

    /// The cookie is good no more, and what runs with it ends.
    pub(crate) fn dismiss(&self, client: &Client) {
        if let Client::Browser { cookie, .. } = client {
            let browsers = &mut self.lock().browsers;
            browsers.retain(|browser| !equal(&browser.cookie, cookie));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparing_takes_everything_into_account() {
        assert!(equal("abc", "abc"));
        for other in ["", "ab", "abd", "abcd"] {
            assert!(!equal("abc", other));
        }
    }

    #[test]
    fn a_code_works_once_and_not_for_long() {
        let passes = Passes::new("token".to_owned());
        let now = Instant::now();
        let code = passes.issue(now).unwrap();
        let late = passes.issue(now).unwrap();
        assert!(!passes.redeem("guess", now));
        assert!(passes.redeem(&code, now));
        assert!(!passes.redeem(&code, now));
        assert!(!passes.redeem(&late, now + CODE_LIVES));
    }

    #[test]
    fn neither_codes_nor_cookies_pile_up() {
        let passes = Passes::new("token".to_owned());
        let now = Instant::now();
        let first = passes.issue(now).unwrap();
        let codes: Vec<String> = (0..CODES_MAX).map(|_| passes.issue(now).unwrap()).collect();
        assert!(!passes.redeem(&first, now));
        assert!(codes.iter().all(|code| passes.redeem(code, now)));
        let first = passes.admit().unwrap();
        let others: Vec<String> = (0..BROWSERS_MAX).map(|_| passes.admit().unwrap()).collect();
        assert!(passes.browser(&first).is_none());
        assert!(others.iter().all(|it| passes.browser(it).is_some()));
    }

    #[tokio::test(start_paused = true)]
    async fn logging_out_ends_what_runs_with_the_cookie() {
        let passes = Passes::new("token".to_owned());
        let cookie = passes.admit().unwrap();
        let mut client = passes.browser(&cookie).unwrap();
        let other = passes.admit().unwrap();
        let mut other = passes.browser(&other).unwrap();
        passes.dismiss(&client);
        client.logged_out().await;
        assert!(!client.is_logged_in() && other.is_logged_in());
        assert!(passes.browser(&cookie).is_none());
        let stays = tokio::time::timeout(Duration::from_secs(1), other.logged_out()).await;
        assert!(stays.is_err());
    }
}
