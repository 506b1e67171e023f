//! Which sessions are on a screen.
//!
//! A window that begins a new game says which one it leaves, and that one stands still. Another
//! window may show the same game: then it goes on.

use super::{Desk, DeskError, Shared, State};
use std::sync::Arc;

/// A session that a window shows, until this is dropped.
#[derive(Debug)]
pub struct Watching {
    shared: Arc<Shared>,
    session: String,
}

impl Desk {
    /// Counts a window that shows a session, which must be there.
    pub fn watch(&self, id: &str) -> Result<Watching, DeskError> {
        let (mut state, session) = self.with_session(id)?;
        *state.watchers.entry(session.clone()).or_default() += 1;
        Ok(Watching {
            shared: Arc::clone(&self.shared),
            session,
        })
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        if let Some(n) = state.watchers.get_mut(&self.session) {
            *n -= 1;
            if *n == 0 {
                state.watchers.remove(&self.session);
            }
        }
    }
}

impl State {
    /// Whether a window shows the session beside the one that leaves it.
    pub(super) fn is_shown_elsewhere(&self, id: &str) -> bool {
        self.watchers.get(id).is_some_and(|&n| n > 1)
    }
}
