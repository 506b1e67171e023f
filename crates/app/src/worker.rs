//! A thread of its own for searches: one at a time, the most urgent first.
//!
//! A more urgent task interrupts a less urgent one, which goes on afterwards where its table let it
//! come to. A task that panics is told so, and the thread lives on.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

/// How urgent a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Priority {
    /// Whenever there is time.
    Batch,
    Analysis,
    Ask,
}

/// Whether a task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Done,
    /// It was interrupted and wants to go on later.
    Again,
}

/// Something to do with the worker's tools.
pub(crate) trait Task<T>: Send {
    /// Does it, or a part of it. The flag is set when it should end at once.
    fn run(&mut self, tools: &mut T, stop: &AtomicBool) -> Progress;

    /// It panicked; it will not be run again.
    fn fail(&mut self, reason: &str);
}

/// A task from outside: to cancel it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticket(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    cancelled: AtomicBool,
    stop: AtomicBool,
}

impl Ticket {
    /// Ends the task as soon as it looks at its flag, or before it begins.
    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.stop.store(true, Ordering::SeqCst);
    }

    /// Has the task end with what it has so far.
    pub(crate) fn hurry(&self) {
        self.0.stop.store(true, Ordering::SeqCst);
    }

    fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }
}

struct Entry<T> {
    priority: Priority,
    number: u64,
    ticket: Ticket,
    task: Box<dyn Task<T>>,
}

struct Queue<T> {
    waiting: Vec<Entry<T>>,
    running: Option<(Priority, Ticket)>,
    n_submitted: u64,
    is_closing: bool,
}

struct Shared<T> {
    queue: Mutex<Queue<T>>,
    news: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread and its queue.
pub(crate) struct Worker<T> {
    shared: Arc<Shared<T>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl<T> std::fmt::Debug for Worker<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").finish_non_exhaustive()
    }
}

impl<T: 'static> Worker<T> {
    /// Starts the thread; its tools are made there, and again after a panic.
    pub(crate) fn start(
        name: &str,
        make_tools: impl Fn() -> T + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                waiting: Vec::new(),
                running: None,
                n_submitted: 0,
                is_closing: false,
            }),
            news: Condvar::new(),
        });
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&for_thread, &make_tools))?;
        Ok(Self {
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Queues a task; it interrupts a less urgent one.
    pub(crate) fn submit(&self, priority: Priority, task: Box<dyn Task<T>>) -> Ticket {
        let ticket = Ticket::default();
        let mut queue = self.shared.lock();
        queue.n_submitted += 1;
        let number = queue.n_submitted;
        queue.waiting.push(Entry {
            priority,
            number,
            ticket: ticket.clone(),
            task,
        });
        if let Some((running, other)) = &queue.running
            && *running < priority
        {
            other.hurry();
        }
        self.shared.news.notify_one();
        ticket
    }

    /// Cancels everything and waits for the thread to end.
    pub(crate) fn close(&self) {
        {
            let mut queue = self.shared.lock();
            queue.is_closing = true;
            queue.waiting.clear();
            if let Some((_, ticket)) = &queue.running {
                ticket.cancel();
            }
            self.shared.news.notify_one();
        }
        let thread = self.thread.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        // Its panics were caught; there is nothing to hear from it.
        thread.map(JoinHandle::join);
    }
}

fn work<T>(shared: &Shared<T>, make_tools: &dyn Fn() -> T) {
    let mut tools = make_tools();
    while let Some(mut entry) = next(shared) {
        // First lower the flag, then look: whoever cancels does it the other way round.
        entry.ticket.0.stop.store(false, Ordering::SeqCst);
        if entry.ticket.is_cancelled() {
            shared.lock().running = None;
            continue;
        }
        // Something more urgent may have come between picking and lowering the flag.
        let is_outranked = {
            let queue = shared.lock();
            let urgent = queue.waiting.iter().map(|other| other.priority).max();
            urgent.is_some_and(|priority| priority > entry.priority)
        };
        let progress = if is_outranked {
            Progress::Again
        } else {
            let run = AssertUnwindSafe(|| entry.task.run(&mut tools, &entry.ticket.0.stop));
            catch_unwind(run).unwrap_or_else(|panic| {
                // Whatever state the panic left is not worth keeping.
                tools = make_tools();
                entry.task.fail(&crate::player::reason(&*panic));
                Progress::Done
            })
        };
        let mut queue = shared.lock();
        queue.running = None;
        if progress == Progress::Again && !entry.ticket.is_cancelled() && !queue.is_closing {
            queue.waiting.push(entry);
        }
    }
}

/// Waits for the most urgent task, the oldest of equals; `None` once the worker closes.
fn next<T>(shared: &Shared<T>) -> Option<Entry<T>> {
    let mut queue = shared.lock();
    loop {
        if queue.is_closing {
            return None;
        }
        let best = queue
            .waiting
            .iter()
            .enumerate()
            .max_by_key(|(_, entry)| (entry.priority, std::cmp::Reverse(entry.number)))
            .map(|(i, _)| i);
        if let Some(i) = best {
            let entry = queue.waiting.swap_remove(i);
            queue.running = Some((entry.priority, entry.ticket.clone()));
            return Some(entry);
        }
        queue = shared
            .news
            .wait(queue)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Says its name when it begins and when it ends; waits for its flag if told to.
    struct Talk {
        name: &'static str,
        waits: bool,
        again: bool,
        said: Sender<String>,
    }

    impl Task<u32> for Talk {
        fn run(&mut self, runs: &mut u32, stop: &AtomicBool) -> Progress {
            *runs += 1;
            self.say("begins");
            while self.waits && !stop.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            assert!(self.name != "panics", "on purpose");
            self.say("ends");
            if std::mem::take(&mut self.again) {
                self.waits = false;
                Progress::Again
            } else {
                Progress::Done
            }
        }

        fn fail(&mut self, reason: &str) {
            self.say(reason);
        }
    }

    impl Talk {
        fn say(&self, what: &str) {
            self.said.send(format!("{} {what}", self.name)).unwrap();
        }
    }

    fn talk(name: &'static str, said: &Sender<String>) -> Box<Talk> {
        Box::new(Talk {
            name,
            waits: false,
            again: false,
            said: said.clone(),
        })
    }

    fn hear(heard: &Receiver<String>) -> String {
        heard.recv().unwrap()
    }

    #[test]
    fn urgent_tasks_interrupt_and_the_interrupted_go_on() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("analysis", &said)
        });
        worker.submit(Priority::Analysis, long);
        assert_eq!(hear(&heard), "analysis begins");
        worker.submit(Priority::Batch, talk("batch", &said));
        worker.submit(Priority::Ask, talk("ask", &said));
        let rest: Vec<String> = (0..7).map(|_| hear(&heard)).collect();
        assert_eq!(
            rest,
            [
                "analysis ends",
                "ask begins",
                "ask ends",
                "analysis begins",
                "analysis ends",
                "batch begins",
                "batch ends"
            ]
        );
        worker.close();
    }

    #[test]
    fn cancelled_tasks_end_or_never_begin() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("first", &said)
        });
        let first = worker.submit(Priority::Ask, long);
        assert_eq!(hear(&heard), "first begins");
        let second = worker.submit(Priority::Ask, talk("second", &said));
        worker.submit(Priority::Ask, talk("third", &said));
        second.cancel();
        first.cancel();
        let rest: Vec<String> = (0..3).map(|_| hear(&heard)).collect();
        assert_eq!(rest, ["first ends", "third begins", "third ends"]);
        worker.close();
    }

    #[test]
    fn a_panic_is_told_and_survived() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        worker.submit(Priority::Ask, talk("panics", &said));
        worker.submit(Priority::Ask, talk("next", &said));
        let rest: Vec<String> = (0..4).map(|_| hear(&heard)).collect();
        assert_eq!(
            rest,
            [
                "panics begins",
                "panics on purpose",
                "next begins",
                "next ends"
            ]
        );
        worker.close();
    }

    #[test]
    fn closing_ends_what_runs() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("long", &said)
        });
        worker.submit(Priority::Batch, long);
        hear(&heard);
        worker.close();
        assert_eq!(hear(&heard), "long ends");
    }
}
