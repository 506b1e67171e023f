//! A thread of its own for searches: one at a time, the most urgent first.
//!
//! A more urgent task interrupts a less urgent one, which goes on afterwards where its table let it
//! come to. Analyses may be without end, so they take turns with each other and with what is less
//! urgent. A task that panics is told so, and the thread lives on.

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
    /// Whenever there is time, in steps.
    Batch,
    /// Watched, perhaps without end: in turns with others of its kind and with batches.
    Analysis,
    Ask,
}

/// How a task is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'a> {
    /// Set when the task should end at once.
    pub(crate) stop: &'a AtomicBool,
    /// Whether others wait for their turn: an analysis then ends by itself after a while.
    pub(crate) is_shared: bool,
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
    /// Does it, or a part of it.
    fn run(&mut self, tools: &mut T, turn: Turn<'_>) -> Progress;

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
    /// The order of coming, and for an analysis the order of its latest turns.
    number: u64,
    ticket: Ticket,
    task: Box<dyn Task<T>>,
}

struct Queue<T> {
    waiting: Vec<Entry<T>>,
    running: Option<Running>,
    n_submitted: u64,
    /// Whether the last turn was an analysis's: the next is a batch's, if one waits.
    batch_is_next: bool,
    is_closing: bool,
}

struct Running {
    priority: Priority,
    ticket: Ticket,
    /// Whether it knows that others wait.
    is_shared: bool,
}

impl Running {
    /// Whether it has to make room for a new task now.
    fn gives_way_to(&self, priority: Priority) -> bool {
        let is_endless = self.priority == Priority::Analysis && !self.is_shared;
        self.priority < priority || is_endless
    }
}

impl<T> Queue<T> {
    fn number(&mut self) -> u64 {
        self.n_submitted += 1;
        self.n_submitted
    }

    /// Which task is next: the most urgent, the oldest of equals. After a turn of an analysis, a
    /// batch comes before the next one.
    fn best(&self) -> Option<usize> {
        let rank = |entry: &Entry<T>| match entry.priority {
            Priority::Batch if self.batch_is_next => 2,
            Priority::Batch => 0,
            Priority::Analysis => 1,
            Priority::Ask => 3,
        };
        let waiting = self.waiting.iter().enumerate();
        let best = waiting.max_by_key(|(_, it)| (rank(it), std::cmp::Reverse(it.number)));
        best.map(|(i, _)| i)
    }
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
                batch_is_next: false,
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

    /// Queues a task; it interrupts a less urgent one, and an analysis that does not yet share.
    pub(crate) fn submit(&self, priority: Priority, task: Box<dyn Task<T>>) -> Ticket {
        let ticket = Ticket::default();
        let mut queue = self.shared.lock();
        let number = queue.number();
        queue.waiting.push(Entry {
            priority,
            number,
            ticket: ticket.clone(),
            task,
        });
        if let Some(running) = &queue.running
            && running.gives_way_to(priority)
        {
            running.ticket.hurry();
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
            if let Some(running) = &queue.running {
                running.ticket.cancel();
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
        let (is_outranked, is_shared) = {
            let mut queue = shared.lock();
            let others = queue.waiting.iter().map(|other| other.priority);
            let is_outranked = others.max().is_some_and(|it| {
                it > entry.priority && (it == Priority::Ask || !queue.batch_is_next)
            });
            let is_shared = !queue.waiting.is_empty();
            if let Some(running) = &mut queue.running {
                running.is_shared = is_shared;
            }
            (is_outranked, is_shared)
        };
        let progress = if is_outranked {
            Progress::Again
        } else {
            let turn = Turn {
                stop: &entry.ticket.0.stop,
                is_shared,
            };
            let run = AssertUnwindSafe(|| entry.task.run(&mut tools, turn));
            catch_unwind(run).unwrap_or_else(|panic| {
                // Whatever state the panic left is not worth keeping.
                tools = make_tools();
                entry.task.fail(&crate::player::reason(&*panic));
                Progress::Done
            })
        };
        let mut queue = shared.lock();
        queue.running = None;
        let is_analysis = entry.priority == Priority::Analysis;
        if !is_outranked && entry.priority != Priority::Ask {
            queue.batch_is_next = is_analysis;
        }
        if progress == Progress::Again && !entry.ticket.is_cancelled() && !queue.is_closing {
            if is_analysis {
                entry.number = queue.number();
            }
            queue.waiting.push(entry);
        }
    }
}

/// Waits for the task whose turn it is; `None` once the worker closes.
fn next<T>(shared: &Shared<T>) -> Option<Entry<T>> {
    let mut queue = shared.lock();
    loop {
        if queue.is_closing {
            return None;
        }
        if let Some(i) = queue.best() {
            let entry = queue.waiting.swap_remove(i);
            queue.running = Some(Running {
                priority: entry.priority,
                ticket: entry.ticket.clone(),
                is_shared: false,
            });
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
        fn run(&mut self, runs: &mut u32, turn: Turn<'_>) -> Progress {
            *runs += 1;
            self.say("begins");
            while self.waits && !turn.is_shared && !turn.stop.load(Ordering::SeqCst) {
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
                "batch begins",
                "batch ends",
                "analysis begins",
                "analysis ends"
            ]
        );
        worker.close();
    }

    /// Goes on for ever, in turns; counts the turns that it shared.
    struct Endless(Sender<String>);

    impl Task<u32> for Endless {
        fn run(&mut self, _: &mut u32, turn: Turn<'_>) -> Progress {
            while !turn.is_shared && !turn.stop.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            self.0.send("a turn".to_owned()).ok();
            Progress::Again
        }

        fn fail(&mut self, _: &str) {}
    }

    /// A batch of so many steps.
    struct Steps(u32, Sender<String>);

    impl Task<u32> for Steps {
        fn run(&mut self, _: &mut u32, _: Turn<'_>) -> Progress {
            self.0 -= 1;
            self.1.send("a step".to_owned()).ok();
            if self.0 == 0 {
                Progress::Done
            } else {
                Progress::Again
            }
        }

        fn fail(&mut self, _: &str) {}
    }

    #[test]
    fn a_batch_takes_turns_with_an_analysis_without_end() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        worker.submit(Priority::Analysis, Box::new(Endless(said.clone())));
        worker.submit(Priority::Batch, Box::new(Steps(3, said)));
        let told: Vec<String> = (0..5).map(|_| hear(&heard)).collect();
        let turns = told.iter().filter(|it| *it == "a turn").count();
        assert!((2..=3).contains(&turns), "{told:?}");
        assert!(!told.windows(2).any(|pair| pair == ["a step", "a step"]));
        worker.close();
    }

    #[test]
    fn analyses_without_end_take_turns() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start("test", || 0).unwrap();
        let (other, heard_of_other) = channel();
        worker.submit(Priority::Analysis, Box::new(Endless(said)));
        worker.submit(Priority::Analysis, Box::new(Endless(other)));
        for _ in 0..3 {
            hear(&heard);
            hear(&heard_of_other);
        }
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
