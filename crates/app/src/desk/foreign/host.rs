//! A foreign engine and the thread that talks with it. The thread does one task at a time; a new
//! task ends the one before. After a while without a task the engine is ended, and so is the thread.

use arena::process::Foreign;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

/// An engine that nobody asks for so long is ended: it holds its table all the while.
const IDLE: Duration = Duration::from_secs(60);

/// How a task is called back.
#[derive(Debug, Default)]
pub(in crate::desk) struct Leash {
    is_over: AtomicBool,
    /// What the engine's search looks at.
    stop: AtomicBool,
}

impl Leash {
    /// Ends the task; its engine is told to stop.
    pub(in crate::desk) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Ends the search under way, and not the task: it has something else to ask in between.
    pub(in crate::desk) fn nudge(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Gets ready for another search; whether the task may go on.
    pub(in crate::desk) fn rearm(&self) -> bool {
        self.stop.store(false, Ordering::SeqCst);
        if self.is_over() {
            self.stop.store(true, Ordering::SeqCst);
        }
        !self.is_over()
    }

    pub(in crate::desk) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    pub(in crate::desk) const fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Waits so long, or until the task is ended.
    #[expect(
        clippy::disallowed_methods,
        reason = "a foreign process is given real time to come back"
    )]
    pub(in crate::desk) fn pause(&self, ms: u64) {
        const LOOK_MS: u64 = 20;
        let mut left = ms;
        while left > 0 && !self.is_over() {
            std::thread::sleep(Duration::from_millis(LOOK_MS.min(left)));
            left = left.saturating_sub(LOOK_MS);
        }
    }
}

/// What is done with an engine.
pub(in crate::desk) type Task = Box<dyn FnOnce(&mut Foreign, &Leash) + Send>;

/// Makes the engine, on the thread that will talk with it; or calls it a failure, with its reason.
pub(in crate::desk) type Make = Box<dyn FnOnce() -> Option<Foreign> + Send>;

#[derive(Default)]
struct Mail {
    next: Option<(Task, Arc<Leash>)>,
    running: Option<Arc<Leash>>,
    is_closing: bool,
    /// The thread takes no task any more.
    has_ended: bool,
}

#[derive(Default)]
struct Tray {
    mail: Mutex<Mail>,
    wake: Condvar,
}

impl Tray {
    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread of an engine. Dropped, it ends the engine without waiting for it.
pub(in crate::desk) struct Host {
    tray: Arc<Tray>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

impl Host {
    /// Starts the thread; the engine starts with its first task.
    pub(in crate::desk) fn start(name: &str, make: Make) -> std::io::Result<Self> {
        let tray = Arc::<Tray>::default();
        let its = Arc::clone(&tray);
        let name: String = format!("engine-{name}").chars().take(15).collect();
        let thread = std::thread::Builder::new().name(name).spawn(move || {
            let work = AssertUnwindSafe(|| {
                if let Some(mut engine) = make() {
                    serve(&its, &mut engine);
                    engine.stop();
                }
            });
            // A task that panics has ended its engine; the next one gets another thread.
            if catch_unwind(work).is_err() {
                tracing::error!("the thread of an engine panicked");
            }
            let mut mail = its.lock();
            mail.has_ended = true;
            mail.next = None;
            mail.running = None;
        })?;
        Ok(Self {
            tray,
            thread: Some(thread),
        })
    }

    /// Has a task done, in the place of the one before. `None` if the thread has ended meanwhile.
    pub(in crate::desk) fn submit(&self, task: Task) -> Option<Arc<Leash>> {
        let mut mail = self.tray.lock();
        if mail.has_ended || mail.is_closing {
            return None;
        }
        if let Some(running) = &mail.running {
            running.end();
        }
        let leash = Arc::<Leash>::default();
        mail.next = Some((task, Arc::clone(&leash)));
        self.tray.wake.notify_all();
        Some(leash)
    }

    /// Whether a task is being done, or waits to be.
    pub(in crate::desk) fn is_busy(&self) -> bool {
        let mail = self.tray.lock();
        mail.running.is_some() || mail.next.is_some()
    }

    /// Ends the engine and its thread, without waiting.
    pub(in crate::desk) fn close(&self) {
        let mut mail = self.tray.lock();
        mail.is_closing = true;
        mail.next = None;
        if let Some(running) = &mail.running {
            running.end();
        }
        self.tray.wake.notify_all();
    }

    /// Ends them and waits until they have ended: at most some seconds, for every step of ending an
    /// engine has a deadline.
    pub(in crate::desk) fn join(mut self) {
        self.close();
        // The panic of a task has been told by the task's own end.
        self.thread.take().map(JoinHandle::join);
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.close();
    }
}

fn serve(tray: &Tray, engine: &mut Foreign) {
    loop {
        let (task, leash) = {
            let mut mail = tray.lock();
            mail.running = None;
            loop {
                if mail.is_closing {
                    return;
                }
                if let Some((task, leash)) = mail.next.take() {
                    mail.running = Some(Arc::clone(&leash));
                    break (task, leash);
                }
                let waited = tray.wake.wait_timeout(mail, IDLE);
                let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                mail = woken;
                if timeout.timed_out() && mail.next.is_none() {
                    mail.has_ended = true;
                    return;
                }
            }
        };
        task(engine, &leash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_panicked_takes_no_task() {
        let mut host = Host::start("bad", Box::new(|| panic!("on purpose"))).unwrap();
        host.thread.take().unwrap().join().unwrap();
        assert!(host.submit(Box::new(|_, _| {})).is_none());
        assert!(!host.is_busy());
    }
}
