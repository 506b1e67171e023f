//! The thread that notices when a clock runs out, and writes changed games down.

use super::{Event, NoticeLevel, Shared, State, lock};
use std::{
    sync::{Arc, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

/// How long a change of no importance (looking at another move) may stay unsaved.
const SAVE_AFTER_MS: u64 = 1_000;

/// Nothing to wait for: look again after this.
const IDLE_MS: u64 = 60_000;

pub(super) fn start(shared: &Arc<Shared>) -> std::io::Result<JoinHandle<()>> {
    let weak = shared.weak();
    std::thread::Builder::new()
        .name("kibitz-keeper".to_owned())
        .spawn(move || {
            // While it waits it holds the desk; `Desk::close` ends it.
            if let Some(shared) = weak.upgrade() {
                keep(&shared);
            }
        })
}

fn keep(shared: &Arc<Shared>) {
    let mut state = shared.lock();
    let mut unsaved_since_ms: Option<u64> = None;
    loop {
        let now_ms = (shared.now_ms)();
        shared.look_at_clocks(&mut state, now_ms);
        if state.unsaved.is_empty() {
            unsaved_since_ms = None;
        } else {
            let since_ms = *unsaved_since_ms.get_or_insert(now_ms);
            let is_due = now_ms.saturating_sub(since_ms) >= SAVE_AFTER_MS;
            if is_due || state.is_closing {
                let ids = std::mem::take(&mut state.unsaved);
                drop(state);
                for id in ids {
                    shared.save(&id);
                }
                state = shared.lock();
                unsaved_since_ms = None;
                continue;
            }
        }
        if state.is_closing {
            return;
        }
        let flags = state.sessions.values();
        let next_flag_ms = flags
            .filter_map(|session| session.next_flag_ms(now_ms))
            .min();
        let next_save_ms = unsaved_since_ms.map(|since_ms| since_ms + SAVE_AFTER_MS);
        let next_ms = [next_flag_ms, next_save_ms].into_iter().flatten().min();
        let wait_ms = next_ms.map_or(IDLE_MS, |at| at.saturating_sub(now_ms).clamp(1, IDLE_MS));
        state = shared
            .wake
            .wait_timeout(state, Duration::from_millis(wait_ms))
            .unwrap_or_else(PoisonError::into_inner)
            .0;
    }
}

impl Shared {
    fn look_at_clocks(self: &Arc<Self>, state: &mut State, now_ms: u64) {
        let fallen: Vec<String> = state
            .sessions
            .iter_mut()
            .filter_map(|(id, session)| session.look_at_clock(now_ms).then(|| id.clone()))
            .collect();
        for id in fallen {
            self.settle(state, &id);
            self.tell_clock(state, &id);
        }
    }

    pub(super) fn tell_clock(&self, state: &State, id: &str) {
        let session = state.sessions.get(id);
        if let Some(clock) = session.and_then(crate::Session::clock) {
            self.tell(Event::Clock {
                session: id.to_owned(),
                clock: clock.clone(),
                now_ms: (self.now_ms)(),
            });
        }
    }

    /// Writes a session down, if what is on disk is older.
    pub(super) fn save(&self, id: &str) {
        let mut saved = lock(&self.saved);
        let (text, revision) = {
            let mut state = self.lock();
            state.unsaved.remove(id);
            let Some(session) = state.sessions.get(id) else {
                return;
            };
            if saved.get(id) == Some(&session.revision()) {
                return;
            }
            (session.to_text((self.now_ms)()), session.revision())
        };
        let path = self.home.sessions().join(format!("{id}.toml"));
        match self.home.disk().replace_private(&path, text.as_bytes()) {
            Ok(()) => {
                saved.insert(id.to_owned(), revision);
            }
            Err(error) => {
                let shown = path.display();
                let message = format!("The game cannot be saved to {shown}: {error}.");
                self.notice(NoticeLevel::Error, message);
            }
        }
    }
}
