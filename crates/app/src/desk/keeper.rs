//! The thread that notices when a clock runs out, and writes changed games down.

use super::{Desk, Event, Shared, State};
use std::{
    sync::{Arc, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

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
    loop {
        shared.attend();
        let state = shared.lock();
        if state.is_closing {
            return;
        }
        let now_ms = shared.now_ms();
        let next_ms = state.next_due_ms(now_ms);
        let wait_ms = next_ms.map_or(IDLE_MS, |at| at.saturating_sub(now_ms).clamp(1, IDLE_MS));
        let woken = shared
            .wake
            .wait_timeout(state, Duration::from_millis(wait_ms));
        drop(woken.unwrap_or_else(PoisonError::into_inner));
    }
}

impl State {
    /// When the next clock runs out, or the next game is to be saved or deleted.
    fn next_due_ms(&self, now_ms: u64) -> Option<u64> {
        let sessions = self.sessions.values();
        let flags = sessions.filter_map(|session| session.next_flag_ms(now_ms));
        let saves = self.unsaved.values().map(|it| it.due_ms);
        flags.chain(saves).chain(self.left.values().copied()).min()
    }
}

impl Desk {
    /// Does what the keeper does by itself when it is due: games are saved, clocks looked at, games
    /// that were left untouched deleted. For whoever hands in a clock that does not run by itself.
    pub fn attend(&self) {
        self.shared.attend();
    }
}

impl Shared {
    pub(super) fn tell_clock(&self, state: &State, id: &str) {
        let session = state.sessions.get(id);
        if let Some(clock) = session.and_then(crate::Session::clock) {
            self.tell(Event::Clock {
                session: id.to_owned(),
                clock: clock.clone(),
                now_ms: self.now_ms(),
            });
        }
    }
}
