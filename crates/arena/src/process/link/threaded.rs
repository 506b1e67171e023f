//! Pipes of an engine where nothing can wait for several of them: a thread for each.

use super::{Cut, Gone, Heard, Now, Tail, UNSENT_MAX, read_lines};
use std::{
    collections::VecDeque,
    io::{self, Write as _},
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};

/// Lines that nobody has read yet; of more, the oldest are forgotten.
const UNREAD_MAX: usize = 1 << 20;

#[derive(Debug, Default)]
struct Inbox {
    lines: VecDeque<String>,
    n_bytes: usize,
    gone: Option<Gone>,
}

#[derive(Debug, Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
    /// Whether the engine refuses to be written to.
    is_deaf: std::sync::atomic::AtomicBool,
    n_unsent: AtomicUsize,
    /// Whether everything that it said on its standard error was read.
    errors_ended: std::sync::atomic::AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, line: String) {
        let mut inbox = self.lock();
        inbox.n_bytes += line.len();
        inbox.lines.push_back(line);
        while inbox.n_bytes > UNREAD_MAX {
            let Some(oldest) = inbox.lines.pop_front() else {
                break;
            };
            inbox.n_bytes -= oldest.len();
        }
        drop(inbox);
        self.changed.notify_all();
    }

    fn end(&self, gone: Gone) {
        self.lock().gone.get_or_insert(gone);
        self.changed.notify_all();
    }
}

/// The ends of an engine's pipes.
#[derive(Debug)]
pub(super) struct Pipes {
    /// Gone when the engine's input is closed.
    outbox: Option<Sender<String>>,
    shared: Arc<Shared>,
}

impl Pipes {
    pub(super) fn open(
        stdin: ChildStdin,
        stdout: ChildStdout,
        stderr: ChildStderr,
        now: &Now,
        errors: &Tail,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (outbox, sent) = channel::<String>();
        let writing = Arc::clone(&shared);
        thread::spawn(move || write_lines(stdin, &sent, &writing));
        let (reading, clock) = (Arc::clone(&shared), Arc::clone(now));
        thread::spawn(move || {
            let gone = read_lines(stdout, &*clock, |line| reading.add(line));
            reading.end(gone);
        });
        let (complaining, clock, tail) = (Arc::clone(&shared), Arc::clone(now), errors.clone());
        thread::spawn(move || {
            // Long lines are cut there; that it closes its standard error is its own business.
            let gone = read_lines(Cut(stderr), &*clock, |line| tail.push(&line));
            complaining.errors_ended.store(true, Ordering::Release);
            if gone == Gone::Flood {
                complaining.end(gone);
            }
        });
        Ok(Self {
            outbox: Some(outbox),
            shared,
        })
    }

    /// Whether the engine can be told.
    pub(super) fn send(&mut self, text: &str) -> bool {
        let n_unsent = self
            .shared
            .n_unsent
            .fetch_add(text.len() + 1, Ordering::Relaxed);
        n_unsent + text.len() <= UNSENT_MAX
            && self
                .outbox
                .as_ref()
                .is_some_and(|outbox| outbox.send(format!("{text}\n")).is_ok())
    }

    /// What has come already is found by [`Self::receive`] without waiting.
    #[expect(
        clippy::unused_self,
        reason = "the same door as where pipes are polled"
    )]
    pub(super) const fn glance(&self) {}

    /// Whether a line waits to be taken.
    pub(super) fn has_lines(&self) -> bool {
        !self.shared.lock().lines.is_empty()
    }

    pub(super) fn receive(&mut self, wait: Duration) -> Heard {
        let shared = &self.shared;
        let mut inbox = shared.lock();
        if inbox.lines.is_empty() && inbox.gone.is_none() {
            let waited = shared.changed.wait_timeout(inbox, wait);
            inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if inbox.gone == Some(Gone::Flood) {
            // What it sent is not worth reading.
            inbox.lines.clear();
        }
        if let Some(line) = inbox.lines.pop_front() {
            inbox.n_bytes -= line.len();
            return Heard::Line(line);
        }
        match inbox.gone {
            Some(gone) => Heard::Gone(gone),
            None if shared.is_deaf.load(Ordering::Relaxed) => Heard::Deaf,
            None => Heard::Nothing,
        }
    }

    /// Whether all that it said on its standard error is known.
    pub(super) fn has_heard_errors(&self) -> bool {
        self.shared.errors_ended.load(Ordering::Acquire)
    }

    pub(super) fn close_input(&mut self) {
        self.outbox = None;
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &std::sync::mpsc::Receiver<String>, shared: &Shared) {
    for line in lines {
        if stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            shared.is_deaf.store(true, Ordering::Relaxed);
            shared.changed.notify_all();
            return;
        }
        shared.n_unsent.fetch_sub(line.len(), Ordering::Relaxed);
    }
}
