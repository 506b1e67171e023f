//! The event stream: what changes, to every tab that listens.
//!
//! Ordinary events stand in one ring for all streams, written once. The ring holds so many events
//! and so many bytes; a stream that falls behind gets the whole state anew. Reports of an analysis
//! are different: only the latest of each matters (see `reports`). So what all streams
//! hold together is the ring, a report of each analysis, and for each stream at most one state and what its connection
//! has not been able to write; `connections` cuts off who does not read at all.

use crate::{
    passes::Client,
    reports::{Due, Latest, Reports, Seen},
    seats::Busy,
    wire::{self, ServerEvent},
};
use app::{
    Desk,
    desk::{Event, Watching},
};
use axum::body::Bytes;
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, watch},
    time::{Instant, sleep, sleep_until},
};

/// Events that a slow tab may be behind.
const KEPT: usize = 256;

/// The same in bytes.
const KEPT_BYTES: usize = 8 << 20;

/// How long a stream may be silent: a comment says that it is still there.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// Games whose trees are remembered for patches. For others a patch is the whole.
const TREES: usize = 4;

/// What a stream is for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EventsWish {
    /// Only what concerns this session, and what concerns no session; everything if left out.
    pub(crate) session: Option<String>,
    /// Whether a change of a session may come as a patch of its tree.
    patches: bool,
}

impl EventsWish {
    /// For tests: what concerns one session.
    #[cfg(test)]
    pub(crate) fn of_session(session: &str) -> Self {
        Self {
            session: Some(session.to_owned()),
            patches: false,
        }
    }

    pub(crate) fn wants(&self, session: Option<&str>) -> bool {
        match (&self.session, session) {
            (Some(wanted), Some(session)) => wanted == session,
            _ => true,
        }
    }
}

/// What a stream holds as long as it lasts.
pub(crate) struct Held {
    /// The right to be a stream.
    pub(crate) _permit: OwnedSemaphorePermit,
    /// The place of its connection.
    pub(crate) _busy: Option<Busy>,
    /// That its window shows its session.
    pub(crate) _watching: Option<Watching>,
}

/// An event as it stands in the streams.
#[derive(Debug, Clone, Default)]
struct Frame {
    /// The session that it is about; `None` is for everybody.
    session: Option<String>,
    whole: Bytes,
    /// The same for streams that take patches.
    patch: Option<Bytes>,
}

impl Frame {
    fn len(&self) -> usize {
        self.whole.len() + self.patch.as_ref().map_or(0, Bytes::len)
    }
}

/// The last events, numbered from the first one of this run.
#[derive(Debug, Default)]
struct Ring {
    frames: VecDeque<Frame>,
    bytes: usize,
    /// The number of the first frame that is still here.
    first: u64,
    /// The trees that were told last, the latest at the end.
    trees: Vec<Told>,
}

/// The tree of a session as the streams have it.
#[derive(Debug)]
struct Told {
    session: String,
    revision: u64,
    tree: Vec<wire::Node>,
}

/// What a stream that has seen so many events finds.
enum Next {
    Frame(Frame),
    /// It has seen everything.
    Nothing,
    /// What it should see next is not here any more.
    Behind,
}

impl Ring {
    fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// A patch from what was told of a session before, if that is remembered.
    fn patch(&mut self, mut view: wire::SessionView) -> Option<Bytes> {
        let now = Told {
            session: view.id.clone(),
            revision: view.revision,
            tree: std::mem::take(&mut view.tree),
        };
        let known = self.trees.iter().position(|it| it.session == now.session);
        let patch = known.map(|at| {
            let before = self.trees.remove(at);
            let patch = wire::SessionPatch::between(before.revision, &before.tree, &now.tree, view);
            written(&ServerEvent::Patch(Box::new(patch)))
        });
        self.trees.push(now);
        if self.trees.len() > TREES {
            self.trees.remove(0);
        }
        patch
    }

    fn push(&mut self, frame: Frame) -> u64 {
        self.bytes += frame.len();
        self.frames.push_back(frame);
        while self.frames.len() > KEPT || self.bytes > KEPT_BYTES {
            let Some(oldest) = self.frames.pop_front() else {
                break;
            };
            self.bytes -= oldest.len();
            self.first += 1;
        }
        self.end()
    }

    fn next(&self, seen: u64) -> Next {
        let Some(behind) = seen.checked_sub(self.first) else {
            return Next::Behind;
        };
        let index = usize::try_from(behind).unwrap_or(usize::MAX);
        match self.frames.get(index) {
            Some(frame) => Next::Frame(frame.clone()),
            None => Next::Nothing,
        }
    }
}

/// Where the desk's events go.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    ring: Arc<Mutex<Ring>>,
    /// How many events there were.
    told: watch::Sender<u64>,
    reports: watch::Sender<Reports>,
    closing: watch::Sender<bool>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            ring: Arc::default(),
            told: watch::Sender::new(0),
            reports: watch::Sender::new(Reports::default()),
            closing: watch::Sender::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everybody. Never waits.
    pub(crate) fn tell(&self, event: Event) {
        // Without a listener there is nobody to miss it; whoever comes gets everything.
        if self.told.receiver_count() == 0 {
            return;
        }
        if let Event::Analysis(state) = &event {
            let whole = written(&ServerEvent::Analysis(wire::analysis_state(state)));
            let has_lines = |report: &game::Report| !report.lines.is_empty();
            let latest = Latest {
                key: state.key(),
                generation: state.generation,
                has_lines: state.report.as_ref().is_some_and(has_lines),
                frame: whole,
            };
            self.reports.send_modify(|reports| reports.put(latest));
            return;
        }
        let event = wire::event(event);
        let session = session_of(&event).map(str::to_owned);
        let whole = written(&event);
        let told = {
            let mut ring = self.lock();
            let patch = match event {
                ServerEvent::Session(view) => ring.patch(*view),
                _ => None,
            };
            ring.push(Frame {
                session,
                whole,
                patch,
            })
        };
        self.told.send_replace(told);
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// A stream for one tab, which begins with everything as it is.
    pub(crate) fn listen(
        &self,
        desk: Desk,
        client: Client,
        wish: EventsWish,
        held: Held,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> + use<> {
        // Listening begins before the state is read: nothing falls in between.
        let told = self.told.subscribe();
        let feed = Feed {
            hub: self.clone(),
            seen: self.lock().end(),
            told,
            seen_reports: Seen::all_of(&self.reports.borrow()),
            reports: self.reports.subscribe(),
            wish: Arc::new(wish),
            closing: self.closing.subscribe(),
            client,
            first: VecDeque::new(),
            is_over: false,
            must_catch_up: true,
            desk,
            _held: held,
        };
        stream::unfold(feed, |mut feed| async move {
            let frame = feed.next().await?;
            Some((Ok(frame), feed))
        })
    }
}

/// The session that an event is about. Jobs are listed for all sessions together.
fn session_of(event: &ServerEvent) -> Option<&str> {
    match event {
        ServerEvent::Session(view) => Some(&view.id),
        ServerEvent::Patch(patch) => Some(&patch.view.id),
        ServerEvent::Analysis(state) => Some(&state.session),
        ServerEvent::Thinking(thinking) => Some(&thinking.session),
        ServerEvent::Clock { session, .. } => Some(session),
        ServerEvent::Review(review) => Some(&review.session),
        ServerEvent::Current { .. }
        | ServerEvent::Deleted { .. }
        | ServerEvent::Job(_)
        | ServerEvent::Settings(_)
        | ServerEvent::Engines
        | ServerEvent::Tournaments
        | ServerEvent::Values
        | ServerEvent::Notice(_)
        | ServerEvent::Bye => None,
    }
}

/// An event as it stands in the stream.
fn written(event: &ServerEvent) -> Bytes {
    let mut text = b"data: ".to_vec();
    // Plain data with text keys is always JSON, and JSON has no line breaks.
    if serde_json::to_writer(&mut text, event).is_err() {
        return Bytes::new();
    }
    text.extend(b"\n\n");
    text.into()
}

/// One tab's view of what happens.
struct Feed {
    hub: Hub,
    /// Events of the ring that this stream is past.
    seen: u64,
    told: watch::Receiver<u64>,
    reports: watch::Receiver<Reports>,
    seen_reports: Seen,
    wish: Arc<EventsWish>,
    closing: watch::Receiver<bool>,
    client: Client,
    /// What comes before anything new.
    first: VecDeque<Bytes>,
    is_over: bool,
    must_catch_up: bool,
    desk: Desk,
    _held: Held,
}

impl Feed {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.must_catch_up {
                self.must_catch_up = false;
                self.seen = self.hub.lock().end();
                let (desk, wish) = (self.desk.clone(), Arc::clone(&self.wish));
                let state = tokio::task::spawn_blocking(move || everything(&desk, &wish));
                self.first = state.await.unwrap_or_default();
            }
            if let Some(frame) = self.first.pop_front() {
                return Some(frame);
            }
            if self.is_over || !self.client.is_logged_in() {
                return None;
            }
            if *self.closing.borrow() {
                self.is_over = true;
                return Some(written(&ServerEvent::Bye));
            }
            let next = self.hub.lock().next(self.seen);
            match next {
                Next::Frame(frame) => {
                    self.seen += 1;
                    if self.wish.wants(frame.session.as_deref()) {
                        let patch = frame.patch.filter(|_| self.wish.patches);
                        return Some(patch.unwrap_or(frame.whole));
                    }
                }
                Next::Behind => self.must_catch_up = true,
                Next::Nothing => {
                    if let Some(frame) = self.wait().await? {
                        return Some(frame);
                    }
                }
            }
        }
    }

    /// Waits until there is something new: a report, which is given, or something else. `None` is
    /// the end of the stream.
    async fn wait(&mut self) -> Option<Option<Bytes>> {
        let seen = self.seen;
        let (reports, wish, seen_reports) = (&mut self.reports, &self.wish, &mut self.seen_reports);
        let report = async {
            loop {
                let due = seen_reports.next(&reports.borrow_and_update(), wish, Instant::now());
                match due {
                    Due::Now(frame) => return Some(frame),
                    Due::At(due) => tokio::select! {
                        () = sleep_until(due) => {}
                        changed = reports.changed() => changed.ok()?,
                    },
                    Due::Nothing => reports.changed().await.ok()?,
                }
            }
        };
        tokio::select! {
            biased;
            _ = self.closing.wait_for(|closing| *closing) => Some(None),
            () = self.client.logged_out() => None,
            told = self.told.wait_for(|told| *told > seen) => told.is_ok().then_some(None),
            found = report => Some(Some(found?)),
            () = sleep(ALIVE_EVERY) => Some(Some(Bytes::from_static(b":\n\n"))),
        }
    }
}

/// Everything as it is now.
fn everything(desk: &Desk, wish: &EventsWish) -> VecDeque<Bytes> {
    let mut first = VecDeque::new();
    first.push_back(written(&ServerEvent::Settings(wire::settings(
        &desk.settings(),
    ))));
    for job in desk.jobs() {
        first.push_back(written(&ServerEvent::Job(wire::job(&job))));
    }
    let session = wish.session.as_deref().unwrap_or("current");
    if let Ok(snapshot) = desk.session(session) {
        let view = wire::session_view(&snapshot);
        first.push_back(written(&ServerEvent::Session(Box::new(view))));
    }
    // A review may have gone on while nobody listened; its last event would never come.
    if wish.session.is_some()
        && let Ok(review) = desk.review(session)
        && !review.graph.is_empty()
    {
        first.push_back(written(&ServerEvent::Review(wire::review(&review))));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(n_bytes: usize) -> Frame {
        Frame {
            whole: vec![b'x'; n_bytes].into(),
            ..Frame::default()
        }
    }

    #[test]
    fn the_ring_is_bounded_in_events_and_in_bytes() {
        let mut ring = Ring::default();
        for _ in 0..3 * KEPT {
            ring.push(frame(1));
        }
        assert_eq!((ring.frames.len(), ring.bytes), (KEPT, KEPT));
        assert_eq!(ring.end(), 3 * KEPT as u64);
        assert!(matches!(ring.next(0), Next::Behind));
        assert!(matches!(ring.next(2 * KEPT as u64), Next::Frame(_)));
        assert!(matches!(ring.next(ring.end()), Next::Nothing));
        for _ in 0..20 {
            ring.push(frame(1 << 20));
            assert!(ring.bytes <= KEPT_BYTES);
        }
        assert_eq!(ring.frames.len(), KEPT_BYTES >> 20);
        // An event that is too large for the ring is a reason to get everything anew.
        let before = ring.end();
        ring.push(frame(KEPT_BYTES + 1));
        assert!(ring.frames.is_empty());
        assert!(matches!(ring.next(before), Next::Behind));
    }
}
