//! The desk tested directly: the clock, chance, the disk and the listener are handed in.

mod chess;
mod faults;
mod jobs;
mod kept;
mod play;
mod played;

use super::*;
use crate::{
    Mode,
    disk::testing::{Call, Crash, Failure, Fault, Memory},
};
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Longer than anything here takes on a busy machine: a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

const CONFIG: &str = "[engine]\ntt_mb = 1\nthreads = 1\n[play]\nblunder_alert = false\n";

/// Everything that was told, in order.
#[derive(Default)]
struct Told {
    events: Mutex<Vec<Event>>,
    news: Condvar,
}

impl Told {
    fn hear(&self, event: Event) {
        lock(&self.events).push(event);
        self.news.notify_all();
    }

    /// Waits for an event, also one that has come already; gives the first that fits.
    fn wait_for<T>(&self, fits: impl Fn(&Event) -> Option<T>) -> T {
        let events = lock(&self.events);
        let none = |events: &mut Vec<Event>| !events.iter().any(|event| fits(event).is_some());
        let waited = self.news.wait_timeout_while(events, PATIENCE, none);
        let (events, _) = waited.unwrap();
        let found = events.iter().find_map(fits);
        found.unwrap_or_else(|| {
            panic!(
                "not told; the last of {} was {:?}",
                events.len(),
                events.last()
            )
        })
    }

    fn forget(&self) {
        lock(&self.events).clear();
    }

    fn notices(&self) -> Vec<(NoticeLevel, String)> {
        let events = lock(&self.events);
        let notices = events.iter().filter_map(|event| match event {
            Event::Notice(level, message) => Some((*level, message.clone())),
            _ => None,
        });
        notices.collect()
    }
}

/// A desk with everything around it.
struct Room {
    memory: Arc<Memory>,
    clock_ms: Arc<AtomicU64>,
    told: Arc<Told>,
    desk: Desk,
}

fn home_on(memory: &Arc<Memory>) -> Home {
    Home::open_on(memory.disk(), PathBuf::from("/kibitz")).unwrap()
}

impl Room {
    fn new() -> Self {
        Self::on(Memory::new(), CONFIG)
    }

    fn on(memory: Arc<Memory>, config: &str) -> Self {
        Self::listening(memory, config, |_| {})
    }

    fn listening(
        memory: Arc<Memory>,
        config: &str,
        also: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Self {
        let home = home_on(&memory);
        if memory.contents(&home.config_file()).is_none() {
            memory.put(&home.config_file(), config.as_bytes());
        }
        let config = ConfigFile::open_on(memory.disk(), home.config_file());
        let clock_ms = Arc::new(AtomicU64::new(1_000));
        let told = Arc::new(Told::default());
        let (read, hear) = (Arc::clone(&clock_ms), Arc::clone(&told));
        let n_seeds = AtomicU64::new(0);
        let outside = Surroundings {
            keeper: arena::process::Keeper::Nobody,
            now_ms: Arc::new(move || read.load(Ordering::SeqCst)),
            chance: Box::new(move || n_seeds.fetch_add(1, Ordering::SeqCst)),
            memory_mb: Some(64),
            listener: Arc::new(move |event| {
                also(&event);
                hear.hear(event);
            }),
        };
        let desk = Desk::open(home, config, outside).unwrap();
        Self {
            memory,
            clock_ms,
            told,
            desk,
        }
    }

    fn pass_ms(&self, ms: u64) {
        self.clock_ms.fetch_add(ms, Ordering::SeqCst);
    }

    /// A board to try things on: no engine replies.
    fn board(&self) -> String {
        let game = NewGame {
            mode: Some(Mode::Analyse),
            ..NewGame::default()
        };
        let begun = self.desk.new_game(&game).unwrap();
        begun.session.id().to_owned()
    }

    fn game(&self, level: &str) -> String {
        let game = NewGame {
            level: Some(level.to_owned()),
            ..NewGame::default()
        };
        let begun = self.desk.new_game(&game).unwrap();
        begun.session.id().to_owned()
    }

    /// The moves of a session as the desk shows them.
    fn moves(&self, id: &str) -> String {
        moves(&self.desk.session(id).unwrap().session)
    }

    /// Waits until the engine has moved and it is a person's turn again, or the game is over.
    fn wait_for_reply(&self, id: &str) -> Snapshot {
        let mut events = lock(&self.told.events);
        loop {
            drop(events);
            let now = self.desk.session(id).unwrap();
            if now.session.awaiting() != crate::session::Awaiting::Engine {
                return now;
            }
            events = lock(&self.told.events);
            let wait = self
                .told
                .news
                .wait_timeout(events, Duration::from_millis(50));
            events = wait.unwrap().0;
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.desk.close().ok();
    }
}

fn moves(session: &Session) -> String {
    let moves = session.record().moves_to(session.cursor());
    let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// How many positions of a game are on a disk.
fn nodes_on(memory: &Arc<Memory>, id: &str) -> usize {
    let mut archive = Archive::open(&home_on(memory)).unwrap();
    let loaded = archive.load(id);
    loaded.map_or(0, |session| session.record().n_nodes())
}

fn file_of(id: &str) -> PathBuf {
    Path::new("/kibitz/sessions").join(format!("{id}.toml"))
}
