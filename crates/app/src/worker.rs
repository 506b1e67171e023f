//! Threads of their own for searches: one task at a time in each lane, the most urgent first.
//!
//! A lane is an engine with its tools. All lanes together use no more threads than the worker has
//! to give; it says to each task how many it may use. With one thread, lanes take turns.
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
    /// Somebody waits for the answer.
    Ask,
    /// Somebody waits for the first answer, which takes a moment: longer questions make room.
    FirstLook,
}

/// How a task is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'a> {
    /// Set when the task should end at once.
    pub(crate) stop: &'a AtomicBool,
    /// Whether others wait for their turn: an analysis then ends by itself after a while.
    pub(crate) is_shared: bool,
    /// How many threads the task may use.
    pub(crate) threads: usize,
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
    /// Stands still until it is resumed.
    paused: AtomicBool,
    /// Once the task runs, it should end with what it has.
    hurried: AtomicBool,
    stop: AtomicBool,
}

impl Ticket {
    /// Ends the task as soon as it looks at its flag, or before it begins.
    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.stop.store(true, Ordering::SeqCst);
    }

    /// Has the task end with what it has so far; one that has not begun ends as soon as it has
    /// anything.
    pub(crate) fn hurry(&self) {
        self.0.hurried.store(true, Ordering::SeqCst);
        self.0.stop.store(true, Ordering::SeqCst);
    }

    /// Has the task stand still, now or before it begins, until [`Worker::resume`].
    pub(crate) fn pause(&self) {
        self.0.paused.store(true, Ordering::SeqCst);
        self.0.stop.store(true, Ordering::SeqCst);
    }

    /// Has the task make room for another one.
    fn interrupt(&self) {
        self.0.stop.store(true, Ordering::SeqCst);
    }

    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.0.stop
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    fn is_paused(&self) -> bool {
        self.0.paused.load(Ordering::SeqCst)
    }

    /// Lowers the flag before a turn. Whoever raises it does that last, so that one look at the
    /// other flags afterwards misses nothing.
    fn lower(&self) {
        self.0.stop.store(false, Ordering::SeqCst);
        if self.0.hurried.load(Ordering::SeqCst) {
            self.0.stop.store(true, Ordering::SeqCst);
        }
    }
}

struct Entry<T> {
    lane: usize,
    priority: Priority,
    /// The order of coming, and for an analysis the order of its latest turns.
    number: u64,
    ticket: Ticket,
    task: Box<dyn Task<T>>,
}

struct Queue<T> {
    waiting: Vec<Entry<T>>,
    /// What runs in each lane.
    running: Vec<Option<Running>>,
    /// How many threads a task of each lane can use.
    useful: Vec<usize>,
    /// How many threads there are for all lanes.
    n_threads: usize,
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
    threads: usize,
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

    fn free(&self) -> usize {
        let used: usize = self.running.iter().flatten().map(|it| it.threads).sum();
        self.n_threads.saturating_sub(used)
    }

    /// The tasks that wait for a turn and not for the user.
    fn ready(&self) -> impl Iterator<Item = (usize, &Entry<T>)> {
        let waiting = self.waiting.iter().enumerate();
        waiting.filter(|(_, it)| !it.ticket.is_paused())
    }

    /// Whether a task waits in a lane that could begin it.
    fn could_begin(&self, entry: &Entry<T>) -> bool {
        self.running[entry.lane].is_none()
    }

    /// Makes room for a new task: in its lane, or among the threads.
    fn make_room(&self, lane: usize, priority: Priority) {
        let is_in_the_way = |other: usize| match self.running[lane] {
            Some(_) => other == lane,
            None => self.free() == 0,
        };
        for (other, running) in self.running.iter().enumerate() {
            if let Some(running) = running
                && is_in_the_way(other)
                && running.gives_way_to(priority)
            {
                running.ticket.interrupt();
            }
        }
    }

    /// Takes the task out that is next, if it is this lane's and there is a thread for it.
    fn take(&mut self, lane: usize) -> Option<Entry<T>> {
        let i = self.best()?;
        let free = self.free();
        if self.waiting[i].lane != lane || free == 0 {
            return None;
        }
        let entry = self.waiting.swap_remove(i);
        let mut others: Vec<usize> = self.ready().map(|(_, it)| it.lane).collect();
        others.retain(|&other| other != lane && self.running[other].is_none());
        others.sort_unstable();
        others.dedup();
        let threads = free
            .saturating_sub(others.len())
            .clamp(1, self.useful[lane]);
        self.running[lane] = Some(Running {
            priority: entry.priority,
            ticket: entry.ticket.clone(),
            is_shared: false,
            threads,
        });
        Some(entry)
    }

    /// Has an analysis that could use more threads begin anew with them, when none else wants them.
    fn spread(&self) {
        if self.ready().next().is_some() || self.free() == 0 {
            return;
        }
        for (running, &useful) in self.running.iter().zip(&self.useful) {
            if let Some(running) = running
                && running.priority == Priority::Analysis
                && running.threads < useful
            {
                running.ticket.interrupt();
            }
        }
    }

    /// Whether a task that was picked has to wait for another one, and whether it has to share.
    fn look_again(&mut self, entry: &Entry<T>) -> (bool, bool) {
        let is_full = self.free() == 0;
        let is_rival = |it: &&Entry<T>| it.lane == entry.lane || (is_full && self.could_begin(it));
        let rivals = || self.ready().map(|(_, it)| it).filter(is_rival);
        let is_outranked = rivals()
            .map(|it| it.priority)
            .max()
            .is_some_and(|it| it > entry.priority && (it >= Priority::Ask || !self.batch_is_next));
        let is_shared = rivals().next().is_some();
        if let Some(running) = &mut self.running[entry.lane] {
            running.is_shared = is_shared;
        }
        (is_outranked, is_shared)
    }

    /// Which task is next: the most urgent, the oldest of equals. After a turn of an analysis, a
    /// batch comes before the next one.
    fn best(&self) -> Option<usize> {
        let rank = |entry: &Entry<T>| match entry.priority {
            Priority::Batch if self.batch_is_next => 2,
            Priority::Batch => 0,
            Priority::Analysis => 1,
            Priority::Ask => 3,
            Priority::FirstLook => 4,
        };
        let could_begin = self.ready().filter(|(_, it)| self.could_begin(it));
        let best = could_begin.max_by_key(|(_, it)| (rank(it), std::cmp::Reverse(it.number)));
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

/// The lanes' threads and their queue.
pub(crate) struct Worker<T> {
    shared: Arc<Shared<T>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A lane: its thread's name, and how many threads a task in it can use.
pub(crate) type Lane<'a> = (&'a str, usize);

impl<T> std::fmt::Debug for Worker<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").finish_non_exhaustive()
    }
}

impl<T: 'static> Worker<T> {
    /// Starts the lanes' threads; their tools are made there, and again after a panic.
    pub(crate) fn start(
        lanes: &[Lane<'_>],
        n_threads: usize,
        make_tools: impl Fn() -> T + Send + Clone + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                waiting: Vec::new(),
                running: lanes.iter().map(|_| None).collect(),
                useful: lanes.iter().map(|&(_, useful)| useful.max(1)).collect(),
                n_threads: n_threads.max(1),
                n_submitted: 0,
                batch_is_next: false,
                is_closing: false,
            }),
            news: Condvar::new(),
        });
        let worker = Self {
            shared,
            threads: Mutex::default(),
        };
        for (lane, (name, _)) in lanes.iter().enumerate() {
            let (for_thread, make_tools) = (Arc::clone(&worker.shared), make_tools.clone());
            let thread = std::thread::Builder::new()
                .name((*name).to_owned())
                .spawn(move || work(&for_thread, lane, &make_tools));
            match thread {
                Ok(thread) => worker.lock_threads().push(thread),
                Err(error) => {
                    worker.close();
                    return Err(error);
                }
            }
        }
        Ok(worker)
    }

    fn lock_threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has later tasks use so many threads together.
    pub(crate) fn set_threads(&self, n_threads: usize) {
        self.shared.lock().n_threads = n_threads.max(1);
        self.shared.news.notify_all();
    }

    /// Queues a task in a lane; it interrupts a less urgent one, and an analysis that does not yet
    /// share.
    pub(crate) fn submit(&self, lane: usize, priority: Priority, task: Box<dyn Task<T>>) -> Ticket {
        let ticket = Ticket::default();
        self.submit_with(ticket.clone(), lane, priority, task);
        ticket
    }

    /// The same with a ticket that was made before.
    pub(crate) fn submit_with(
        &self,
        ticket: Ticket,
        lane: usize,
        priority: Priority,
        task: Box<dyn Task<T>>,
    ) {
        let mut queue = self.shared.lock();
        let number = queue.number();
        queue.make_room(lane, priority);
        queue.waiting.push(Entry {
            lane,
            priority,
            number,
            ticket,
            task,
        });
        self.shared.news.notify_all();
    }

    /// Lets a task go on that was paused.
    pub(crate) fn resume(&self, ticket: &Ticket) {
        // With the queue locked, so that a lane which looks now waits for the news.
        let queue = self.shared.lock();
        ticket.0.paused.store(false, Ordering::SeqCst);
        for entry in &queue.waiting {
            if Arc::ptr_eq(&entry.ticket.0, &ticket.0) {
                queue.make_room(entry.lane, entry.priority);
            }
        }
        self.shared.news.notify_all();
    }

    /// Cancels everything and waits for the threads to end.
    pub(crate) fn close(&self) {
        {
            let mut queue = self.shared.lock();
            queue.is_closing = true;
            queue.waiting.clear();
            for running in queue.running.iter().flatten() {
                running.ticket.cancel();
            }
            self.shared.news.notify_all();
        }
        let threads = std::mem::take(&mut *self.lock_threads());
        for thread in threads {
            // Its panics were caught; there is nothing to hear from it.
            thread.join().ok();
        }
    }
}

fn work<T>(shared: &Shared<T>, lane: usize, make_tools: &dyn Fn() -> T) {
    let mut tools = make_tools();
    while let Some((mut entry, threads)) = next(shared, lane) {
        // First lower the flag, then look: whoever cancels does it the other way round.
        entry.ticket.lower();
        if entry.ticket.is_cancelled() {
            shared.lock().running[lane] = None;
            shared.news.notify_all();
            continue;
        }
        // Something more urgent may have come between picking and lowering the flag.
        let (is_outranked, is_shared) = shared.lock().look_again(&entry);
        let is_outranked = is_outranked || entry.ticket.is_paused();
        let progress = if is_outranked {
            Progress::Again
        } else {
            let turn = Turn {
                stop: &entry.ticket.0.stop,
                is_shared,
                threads,
            };
            let run = AssertUnwindSafe(|| entry.task.run(&mut tools, turn));
            catch_unwind(run).unwrap_or_else(|panic| {
                // Whatever state the panic left is not worth keeping.
                tools = make_tools();
                entry.task.fail(&arena::player::words_of_panic(&*panic));
                Progress::Done
            })
        };
        let mut queue = shared.lock();
        queue.running[lane] = None;
        let is_analysis = entry.priority == Priority::Analysis;
        if !is_outranked && entry.priority < Priority::Ask {
            queue.batch_is_next = is_analysis;
        }
        if progress == Progress::Again && !entry.ticket.is_cancelled() && !queue.is_closing {
            if is_analysis {
                entry.number = queue.number();
            }
            queue.waiting.push(entry);
        }
        queue.spread();
        shared.news.notify_all();
    }
}

/// Waits for a task of a lane whose turn it is, and says how many threads it may use; `None` once
/// the worker closes.
fn next<T>(shared: &Shared<T>, lane: usize) -> Option<(Entry<T>, usize)> {
    let mut queue = shared.lock();
    loop {
        if queue.is_closing {
            return None;
        }
        if let Some(entry) = queue.take(lane) {
            let threads = queue.running[lane].as_ref().map_or(1, |it| it.threads);
            // Another lane may begin its task beside this one.
            shared.news.notify_all();
            return Some((entry, threads));
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
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("analysis", &said)
        });
        worker.submit(0, Priority::Analysis, long);
        assert_eq!(hear(&heard), "analysis begins");
        worker.submit(0, Priority::Batch, talk("batch", &said));
        worker.submit(0, Priority::Ask, talk("ask", &said));
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
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        worker.submit(0, Priority::Analysis, Box::new(Endless(said.clone())));
        worker.submit(0, Priority::Batch, Box::new(Steps(3, said)));
        let told: Vec<String> = (0..5).map(|_| hear(&heard)).collect();
        let turns = told.iter().filter(|it| *it == "a turn").count();
        assert!((2..=3).contains(&turns), "{told:?}");
        assert!(!told.windows(2).any(|pair| pair == ["a step", "a step"]));
        worker.close();
    }

    #[test]
    fn analyses_without_end_take_turns() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        let (other, heard_of_other) = channel();
        worker.submit(0, Priority::Analysis, Box::new(Endless(said)));
        worker.submit(0, Priority::Analysis, Box::new(Endless(other)));
        for _ in 0..3 {
            hear(&heard);
            hear(&heard_of_other);
        }
        worker.close();
    }

    /// Waits until it is stopped; tells its lane and how many threads it may use.
    struct Sitting(&'static str, Sender<String>);

    impl Task<u32> for Sitting {
        fn run(&mut self, _: &mut u32, turn: Turn<'_>) -> Progress {
            self.1.send(format!("{} {}", self.0, turn.threads)).ok();
            while !turn.is_shared && !turn.stop.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            Progress::Again
        }

        fn fail(&mut self, _: &str) {}
    }

    fn two_lanes(n_threads: usize) -> Worker<u32> {
        Worker::start(&[("many", usize::MAX), ("one", 1)], n_threads, || 0).unwrap()
    }

    #[test]
    fn lanes_run_side_by_side_and_share_the_threads() {
        let (said, heard) = channel();
        let worker = two_lanes(3);
        let many = Box::new(Sitting("many", said.clone()));
        worker.submit(0, Priority::Analysis, many);
        assert_eq!(hear(&heard), "many 3");
        let one = worker.submit(1, Priority::Analysis, Box::new(Sitting("one", said)));
        let mut both = [hear(&heard), hear(&heard)];
        both.sort();
        assert_eq!(both, ["many 2", "one 1"]);
        // What one lane gives back the other takes.
        one.cancel();
        assert_eq!(hear(&heard), "many 3");
        worker.close();
    }

    #[test]
    fn with_one_thread_lanes_take_turns_and_never_run_together() {
        let (said, heard) = channel();
        let worker = two_lanes(1);
        for (lane, name) in ["many", "one"].into_iter().enumerate() {
            let task = Box::new(Sitting(name, said.clone()));
            worker.submit(lane, Priority::Analysis, task);
        }
        let told: Vec<String> = (0..8).map(|_| hear(&heard)).collect();
        // The first may have begun and been stopped before the second came.
        let turns = &told[2..];
        assert!(
            turns.windows(2).all(|pair| pair[0] != pair[1]) && told.contains(&"one 1".to_owned()),
            "{told:?}"
        );
        // A question in one lane gets the thread of the other.
        worker.submit(0, Priority::Ask, talk("ask", &said));
        while hear(&heard) != "ask ends" {}
        worker.close();
    }

    #[test]
    fn cancelled_tasks_end_or_never_begin() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("first", &said)
        });
        let first = worker.submit(0, Priority::Ask, long);
        assert_eq!(hear(&heard), "first begins");
        let second = worker.submit(0, Priority::Ask, talk("second", &said));
        worker.submit(0, Priority::Ask, talk("third", &said));
        second.cancel();
        first.cancel();
        let rest: Vec<String> = (0..3).map(|_| hear(&heard)).collect();
        assert_eq!(rest, ["first ends", "third begins", "third ends"]);
        worker.close();
    }

    #[test]
    fn a_panic_is_told_and_survived() {
        let (said, heard) = channel();
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        worker.submit(0, Priority::Ask, talk("panics", &said));
        worker.submit(0, Priority::Ask, talk("next", &said));
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
        let worker = Worker::<u32>::start(&[("test", 1)], 1, || 0).unwrap();
        let long = Box::new(Talk {
            waits: true,
            again: true,
            ..*talk("long", &said)
        });
        worker.submit(0, Priority::Batch, long);
        hear(&heard);
        worker.close();
        assert_eq!(hear(&heard), "long ends");
    }
}
