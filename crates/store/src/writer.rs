//! The one thread of a program that writes. Events come from everywhere; they are written in
//! batches, and whoever waits for one is told when it is on disk.

use crate::{
    Features, GameId, JobId, JobStep, KeptState, MoveCount, NewGame, Review, Store, StoreError,
    games::{Known, insert_games},
    jobs, knowledge,
    names::Names,
    notes, reviews,
};
use game::{Position, Report};
use rusqlite::{Connection, TransactionBehavior, params};
use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Something to be written.
#[derive(Debug, Clone)]
pub enum Event {
    Game(Box<NewGame>),
    /// The note of a position; an empty text removes it.
    Note {
        position: Position,
        text: String,
    },
    /// The note of a game; an empty text removes it.
    GameNote {
        game: GameId,
        text: String,
    },
    /// A word that the user gives to a game, or takes away.
    Tag {
        game: GameId,
        tag: String,
        is_set: bool,
    },
    Position(Position),
    /// A report, and what ended the search.
    Analysis {
        report: Box<Report>,
        limits: String,
    },
    Moves(MoveCount),
    Features(Features),
    /// What a review has found so far, of which game of the database if it is of one, and the step
    /// of a job that is done with it.
    Review {
        review: Box<Review>,
        game: Option<GameId>,
        step: Option<JobStep>,
    },
    /// A game of a job is done with.
    JobStep(JobStep),
    JobState {
        job: JobId,
        state: KeptState,
    },
    /// A query under a name; none forgets it.
    Search {
        name: String,
        query: Option<String>,
    },
}

impl Store {
    /// Writes events, all of them or none. They are on disk when this returns.
    pub fn write(&mut self, events: &[Event]) -> Result<(), StoreError> {
        self.durably(|step, names, known| {
            let mut events = events.iter();
            events.try_for_each(|event| write_event(step, names, known, event))
        })
    }

    /// Makes a change, all of it or none. It is on disk when this returns, and survives a power
    /// cut.
    pub(crate) fn durably<T>(
        &mut self,
        change: impl FnOnce(&Connection, &mut Names, &mut Known) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        // The log is synced at this commit.
        let was_synced = self.is_synced;
        let result = self.sync_commits(true).and_then(|()| {
            let step = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = change(&step, &mut self.names, &mut self.known)?;
            step.commit()?;
            Ok(done)
        });
        self.changed();
        let result = self.sync_commits(was_synced).and(result);
        result.map_err(|error| {
            // Numbers of names that were taken back with the transaction must not be used.
            self.names.forget();
            self.known = Known::default();
            self.wrong(&error)
        })
    }

    /// Whether the disk has everything when a commit returns.
    fn sync_commits(&mut self, is_synced: bool) -> rusqlite::Result<()> {
        if self.is_synced != is_synced {
            let level = if is_synced { "FULL" } else { "NORMAL" };
            let sql = format!("PRAGMA synchronous = {level}");
            self.connection.execute_batch(&sql)?;
            self.is_synced = is_synced;
        }
        Ok(())
    }
}

fn write_event(
    step: &Connection,
    names: &mut Names,
    known: &mut Known,
    event: &Event,
) -> rusqlite::Result<()> {
    match event {
        Event::Game(game) => {
            let game = std::slice::from_ref(&**game);
            insert_games(step, names, known, game).map(|_| ())
        }
        Event::Note { position, text } => notes::set(step, position, text),
        Event::GameNote { game, text } => notes::set_of_game(step, *game, text),
        Event::Tag { game, tag, is_set } => knowledge::set_tag(step, names, *game, tag, *is_set),
        Event::Position(position) => knowledge::keep_position(step, position).map(|_| ()),
        Event::Analysis { report, limits } => knowledge::keep_analysis(step, report, limits),
        Event::Moves(count) => knowledge::count_move(step, count),
        Event::Features(features) => knowledge::keep_features(step, features),
        Event::Review {
            review,
            game,
            step: of_job,
        } => reviews::keep(step, review, *game, of_job.as_ref()),
        Event::JobStep(of_job) => jobs::settle(step, of_job),
        Event::JobState { job, state } => jobs::set_state(step, *job, *state),
        Event::Search { name, query } => knowledge::save_search(step, name, query.as_deref()),
    }
}

/// When the writer writes and tidies up.
#[derive(Debug, Clone, Copy)]
pub struct WriterSettings {
    /// Events are written at the latest after this time, or when there are this many.
    pub wait: Duration,
    pub events: usize,
    /// The log is moved into the file when it is larger than this, or after this time.
    pub log_bytes: u64,
    pub log_age: Duration,
    /// Free space is given back to the disk this often.
    pub vacuum_every: Duration,
    /// Seconds since 1970; the writer has no calendar of its own.
    pub now_seconds: fn() -> i64,
}

impl WriterSettings {
    pub const fn new(now_seconds: fn() -> i64) -> Self {
        Self {
            wait: Duration::from_millis(250),
            events: 500,
            log_bytes: 64 << 20,
            log_age: Duration::from_secs(600),
            vacuum_every: Duration::from_secs(14 * 86_400),
            now_seconds,
        }
    }
}

/// How the flushes of a writer went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flushed {
    pub flushes: u64,
    pub events: u64,
    /// Time spent in flushes, waiting for other programs included.
    pub total: Duration,
    pub failures: u64,
}

/// A reason that several waiting people are told.
type Told = Result<(), Arc<StoreError>>;

/// Work for the writing thread that is no event.
type Job = Box<dyn FnOnce(&mut Store) + Send>;

enum Message {
    Event {
        event: Box<Event>,
        reply: Sender<Told>,
        is_urgent: bool,
    },
    Job(Job),
}

/// An event that was handed over.
#[derive(Debug)]
pub struct Ticket(Receiver<Told>);

impl Ticket {
    /// Waits until the event is on disk.
    pub fn wait(self) -> Result<(), Arc<StoreError>> {
        self.0.recv().unwrap_or(Err(Arc::new(StoreError::Closed)))
    }
}

/// A handle of the writing thread. When it is dropped, everything that was handed over is written.
#[derive(Debug)]
pub struct Writer {
    sender: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
    flushed: Arc<Mutex<Flushed>>,
}

impl Writer {
    /// Opens the database and starts the thread.
    pub fn start(path: &Path, settings: WriterSettings) -> Result<Self, StoreError> {
        // A first opening here, so that a database that cannot be used is told at once.
        drop(Store::open(path)?);
        let (sender, receiver) = channel();
        let flushed = Arc::new(Mutex::new(Flushed::default()));
        let shared = Arc::clone(&flushed);
        let path = path.to_owned();
        let run = move || match Store::open(&path) {
            Ok(mut store) => {
                // If that fails, each batch tries again.
                store.sync_commits(true).ok();
                // Whoever reads has a connection of their own. A writer with more memory works, too.
                store.use_little_memory().ok();
                store.leave_log_alone().ok();
                Thread::new(store, settings, shared).run(&receiver);
            }
            Err(error) => refuse_all(&receiver, error),
        };
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(run);
        let thread = thread.map_err(|error| StoreError::Thread(error.to_string()))?;
        Ok(Self {
            sender: Some(sender),
            thread: Some(thread),
            flushed,
        })
    }

    fn hand_over(&self, event: Event, is_urgent: bool) -> Ticket {
        let (reply, ticket) = channel();
        if let Some(sender) = &self.sender {
            let event = Box::new(event);
            // If the thread has gone, so has the other end of the ticket.
            let message = Message::Event {
                event,
                reply,
                is_urgent,
            };
            sender.send(message).ok();
        }
        Ticket(ticket)
    }

    /// Hands an event over; it is written with the next batch.
    pub fn send(&self, event: Event) -> Ticket {
        self.hand_over(event, false)
    }

    /// Writes an event for somebody who waits: the batch is not filled up first.
    pub fn write(&self, event: Event) -> Result<(), Arc<StoreError>> {
        self.hand_over(event, true).wait()
    }

    /// Has the writing thread do something with the database, after what was handed over before.
    pub fn with<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Store) -> R + Send + 'static,
    ) -> Result<R, Arc<StoreError>> {
        let (reply, answer) = channel();
        let job: Job = Box::new(move |store| {
            // Whoever asked may have gone.
            reply.send(job(store)).ok();
        });
        let closed = || Arc::new(StoreError::Closed);
        let sender = self.sender.as_ref().ok_or_else(closed)?;
        sender.send(Message::Job(job)).map_err(|_| closed())?;
        answer.recv().map_err(|_| closed())
    }

    /// The same for whoever does not wait for it. Nothing is done if the thread has gone.
    pub fn then(&self, job: impl FnOnce(&mut Store) + Send + 'static) {
        if let Some(sender) = &self.sender {
            sender.send(Message::Job(Box::new(job))).ok();
        }
    }

    /// How the flushes went so far.
    pub fn flushed(&self) -> Flushed {
        let flushed = self.flushed.lock();
        flushed.map_or_else(|poisoned| *poisoned.into_inner(), |it| *it)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been told to everybody who waited.
            thread.join().ok();
        }
    }
}

fn refuse_all(receiver: &Receiver<Message>, error: StoreError) {
    let error = Arc::new(error);
    for message in receiver {
        if let Message::Event { reply, .. } = message {
            reply.send(Err(Arc::clone(&error))).ok();
        }
    }
}

struct Thread {
    store: Store,
    settings: WriterSettings,
    flushed: Arc<Mutex<Flushed>>,
    events: Vec<Event>,
    replies: Vec<Sender<Told>>,
    /// When the log was moved into the file.
    settled: Instant,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a batch waits for real time, which decides when it is written and not what"
)]
impl Thread {
    fn new(store: Store, settings: WriterSettings, flushed: Arc<Mutex<Flushed>>) -> Self {
        Self {
            store,
            settings,
            flushed,
            events: Vec::new(),
            replies: Vec::new(),
            settled: Instant::now(),
        }
    }

    fn run(mut self, receiver: &Receiver<Message>) {
        let mut deadline: Option<Instant> = None;
        loop {
            let message = match deadline {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => receiver.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            let mut is_due = false;
            match message {
                Ok(Message::Event {
                    event,
                    reply,
                    is_urgent,
                }) => {
                    self.events.push(*event);
                    self.replies.push(reply);
                    is_due = is_urgent || self.events.len() >= self.settings.events;
                    deadline.get_or_insert_with(|| Instant::now() + self.settings.wait);
                }
                Ok(Message::Job(job)) => {
                    self.flush();
                    deadline = None;
                    job(&mut self.store);
                    self.tidy();
                }
                Err(RecvTimeoutError::Timeout) => is_due = true,
                Err(RecvTimeoutError::Disconnected) => {
                    self.flush();
                    return;
                }
            }
            if is_due {
                self.flush();
                deadline = None;
            }
        }
    }

    fn flush(&mut self) {
        let events = std::mem::take(&mut self.events);
        let replies = std::mem::take(&mut self.replies);
        if events.is_empty() {
            return;
        }
        let start = Instant::now();
        let mut n_failed = 0;
        match self.store.write(&events) {
            Ok(()) => {
                for reply in replies {
                    reply.send(Ok(())).ok();
                }
            }
            // One event that cannot be written must not take the others with it.
            Err(_) => {
                for (event, reply) in events.iter().zip(replies) {
                    let told = self.store.write(std::slice::from_ref(event));
                    n_failed += u64::from(told.is_err());
                    reply.send(told.map_err(Arc::new)).ok();
                }
            }
        }
        if let Ok(mut flushed) = self.flushed.lock() {
            flushed.flushes += 1;
            flushed.events += events.len() as u64;
            flushed.total += start.elapsed();
            flushed.failures += n_failed;
        }
        self.tidy();
    }

    /// Moves the log into the file, and gives space back, when that is due. A failure is no
    /// failure of an event: it is tried again after the next batch.
    fn tidy(&mut self) {
        let mut log = self.store.path().as_os_str().to_owned();
        log.push("-wal");
        let log_bytes = std::fs::metadata(log).map_or(0, |it| it.len());
        let is_old = self.settled.elapsed() >= self.settings.log_age;
        if log_bytes > self.settings.log_bytes || is_old {
            self.store.settle_quietly().ok();
            self.settled = Instant::now();
        }
        if is_old {
            let now = (self.settings.now_seconds)();
            let every = self.settings.vacuum_every.as_secs() as i64;
            vacuum(&self.store.connection, now, every).ok();
        }
    }
}

/// Gives free space back to the disk if the last time is long ago.
fn vacuum(c: &Connection, now: i64, every: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO chores(what, at) VALUES ('vacuum', ?1) \
               ON CONFLICT(what) DO UPDATE SET at = ?1 WHERE at + ?2 <= ?1";
    let first = "SELECT count(*) FROM chores WHERE what = 'vacuum'";
    let is_first: i64 = c.query_row(first, [], |row| row.get(0))?;
    let is_due = c.execute(sql, params![now, every])? > 0 && is_first > 0;
    if is_due {
        c.execute_batch("VACUUM")?;
    }
    Ok(())
}
