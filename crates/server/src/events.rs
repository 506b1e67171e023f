//! The event stream: what changes, to every tab that listens.
//!
//! Ordinary events stand in one ring for all streams, written once. The ring holds so many events
//! and so many bytes; a stream that falls behind gets the whole state anew. Reports of an analysis
//! are different: only the latest of each matters, and ten a second are plenty. So what all streams
//! hold together is the ring, a report of each analysis, and for each stream at most one state and what its connection
//! has not been able to write; `connections` cuts off who does not read at all.

use crate::{
    passes::Client,
    seats::Busy,
    wire::{self, ServerEvent},
};
use app::{
    Desk,
    desk::{AnalysisKey, Event},
};
use axum::body::Bytes;
use futures_util::stream::{self, Stream};
use std::{
    collections::{BTreeMap, VecDeque},
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

/// A stream gets the reports of an analysis no more often than this.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How long a stream may be silent: a comment says that it is still there.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// The last events, numbered from the first one of this run.
#[derive(Debug, Default)]
struct Ring {
    frames: VecDeque<Bytes>,
    bytes: usize,
    /// The number of the first frame that is still here.
    first: u64,
}

/// What a stream that has seen so many events finds.
enum Next {
    Frame(Bytes),
    /// It has seen everything.
    Nothing,
    /// What it should see next is not here any more.
    Behind,
}

impl Ring {
    fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    fn push(&mut self, frame: Bytes) -> u64 {
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

/// The latest report of each analysis, written, with its number.
#[derive(Debug, Default)]
struct Reports {
    n_told: u64,
    latest: BTreeMap<AnalysisKey, (u64, Bytes)>,
}

/// Reports of so many analyses are kept; those of the oldest are in their sessions' views.
const REPORTS_KEPT: usize = 16;

impl Reports {
    fn put(&mut self, key: AnalysisKey, frame: Bytes) {
        self.n_told += 1;
        self.latest.insert(key, (self.n_told, frame));
        if self.latest.len() > REPORTS_KEPT {
            let oldest = self.latest.iter().min_by_key(|(_, (number, _))| *number);
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.map(|key| self.latest.remove(&key));
        }
    }

    /// The oldest report after a number, with its own number.
    fn after(&self, seen: u64) -> Option<(u64, Bytes)> {
        let new = self.latest.values().filter(|(number, _)| *number > seen);
        new.min_by_key(|(number, _)| *number).cloned()
    }
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
        if let Event::Analysis(state) = event {
            let told = wire::analysis_state(&state);
            let frame = frame(&ServerEvent::Analysis(told));
            self.reports
                .send_modify(|reports| reports.put(state.key(), frame));
        } else {
            let frame = frame(&wire::event(event));
            let told = self.lock().push(frame);
            self.told.send_replace(told);
        }
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// A stream for one tab, which begins with everything as it is.
    pub(crate) fn listen(
        &self,
        desk: Desk,
        client: Client,
        held: (OwnedSemaphorePermit, Option<Busy>),
    ) -> impl Stream<Item = Result<Bytes, Infallible>> + use<> {
        // Listening begins before the state is read: nothing falls in between.
        let told = self.told.subscribe();
        let feed = Feed {
            hub: self.clone(),
            seen: self.lock().end(),
            told,
            seen_report: self.reports.borrow().n_told,
            reports: self.reports.subscribe(),
            closing: self.closing.subscribe(),
            client,
            first: VecDeque::new(),
            next_report: Instant::now(),
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

/// An event as it stands in the stream.
fn frame(event: &ServerEvent) -> Bytes {
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
    /// The number of the latest report that this stream has.
    seen_report: u64,
    closing: watch::Receiver<bool>,
    client: Client,
    /// What comes before anything new.
    first: VecDeque<Bytes>,
    next_report: Instant,
    is_over: bool,
    must_catch_up: bool,
    desk: Desk,
    /// The right to be a stream, and the place of its connection.
    _held: (OwnedSemaphorePermit, Option<Busy>),
}

impl Feed {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.must_catch_up {
                self.must_catch_up = false;
                self.seen = self.hub.lock().end();
                let desk = self.desk.clone();
                let state = tokio::task::spawn_blocking(move || everything(&desk));
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
                return Some(frame(&ServerEvent::Bye));
            }
            let next = self.hub.lock().next(self.seen);
            match next {
                Next::Frame(frame) => {
                    self.seen += 1;
                    return Some(frame);
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
        let (next_report, seen_report) = (self.next_report, self.seen_report);
        let reports = &mut self.reports;
        let report = async {
            sleep_until(next_report).await;
            let news = reports.wait_for(|it| it.n_told > seen_report).await;
            news.map(|reports| reports.after(seen_report))
        };
        tokio::select! {
            biased;
            _ = self.closing.wait_for(|closing| *closing) => Some(None),
            () = self.client.logged_out() => None,
            told = self.told.wait_for(|told| *told > seen) => told.is_ok().then_some(None),
            report = report => {
                let report = report.ok()?;
                self.next_report = Instant::now() + REPORT_EVERY;
                Some(report.map(|(number, frame)| {
                    self.seen_report = number;
                    frame
                }))
            }
            () = sleep(ALIVE_EVERY) => Some(Some(Bytes::from_static(b":\n\n"))),
        }
    }
}

/// Everything as it is now.
fn everything(desk: &Desk) -> VecDeque<Bytes> {
    let mut first = VecDeque::new();
    first.push_back(frame(&ServerEvent::Settings(wire::settings(
        &desk.settings(),
    ))));
    for job in desk.jobs() {
        first.push_back(frame(&ServerEvent::Job(wire::job(&job))));
    }
    if let Ok(snapshot) = desk.session("current") {
        let view = wire::session_view(&snapshot);
        first.push_back(frame(&ServerEvent::Session(Box::new(view))));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_analysis_has_its_latest_report_and_none_hides_another() {
        let key = |session: usize| AnalysisKey {
            session: format!("s{session}"),
            engine: app::config::EngineName::AlphaBeta,
        };
        let mut reports = Reports::default();
        reports.put(key(1), Bytes::from_static(b"old"));
        reports.put(key(2), Bytes::from_static(b"other"));
        reports.put(key(1), Bytes::from_static(b"new"));
        let (number, first) = reports.after(0).unwrap();
        let (last, second) = reports.after(number).unwrap();
        assert_eq!((&first[..], &second[..]), (&b"other"[..], &b"new"[..]));
        assert_eq!(reports.after(last), None);
        for session in 0..2 * REPORTS_KEPT {
            reports.put(key(session), Bytes::new());
        }
        assert_eq!(reports.latest.len(), REPORTS_KEPT);
    }

    #[test]
    fn the_ring_is_bounded_in_events_and_in_bytes() {
        let mut ring = Ring::default();
        for _ in 0..3 * KEPT {
            ring.push(Bytes::from_static(b"x"));
        }
        assert_eq!((ring.frames.len(), ring.bytes), (KEPT, KEPT));
        assert_eq!(ring.end(), 3 * KEPT as u64);
        assert!(matches!(ring.next(0), Next::Behind));
        assert!(matches!(ring.next(2 * KEPT as u64), Next::Frame(_)));
        assert!(matches!(ring.next(ring.end()), Next::Nothing));
        for _ in 0..20 {
            ring.push(vec![b'x'; 1 << 20].into());
            assert!(ring.bytes <= KEPT_BYTES);
        }
        assert_eq!(ring.frames.len(), KEPT_BYTES >> 20);
        // An event that is too large for the ring is a reason to get everything anew.
        let before = ring.end();
        ring.push(vec![b'x'; KEPT_BYTES + 1].into());
        assert!(ring.frames.is_empty());
        assert!(matches!(ring.next(before), Next::Behind));
    }
}
