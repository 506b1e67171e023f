//! The event stream: what changes, to every tab that listens.
//!
//! Ordinary events go through a channel that keeps the last few; who falls behind gets the whole
//! state anew. Reports of an analysis are different: only the latest matters, and ten a second
//! are plenty.

use crate::{
    convert,
    wire::{AnalysisState, ServerEvent},
};
use app::{Desk, desk::Event};
use axum::response::sse;
use futures_util::stream::{self, Stream};
use std::{collections::VecDeque, convert::Infallible, sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, broadcast, watch},
    time::{Instant, sleep_until},
};

/// Events that a slow tab may be behind.
const KEPT: usize = 256;

/// Between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Where the desk's events go.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    events: broadcast::Sender<Arc<str>>,
    analysis: watch::Sender<Option<Arc<AnalysisState>>>,
    closing: watch::Sender<bool>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            events: broadcast::Sender::new(KEPT),
            analysis: watch::Sender::new(None),
            closing: watch::Sender::new(false),
        }
    }

    /// Tells everybody. Never waits.
    pub(crate) fn tell(&self, event: Event) {
        if let Event::Analysis(state) = event {
            let state = convert::analysis_state(&state);
            self.analysis.send_replace(Some(Arc::new(state)));
        } else if self.events.receiver_count() > 0 {
            let text = text(&convert::event(event));
            // Without a listener there is nobody to miss it.
            let _n_listeners = self.events.send(text);
        }
    }

    /// Ends all streams.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// A stream for one tab, which begins with everything as it is.
    pub(crate) fn listen(
        &self,
        desk: Desk,
        permit: OwnedSemaphorePermit,
    ) -> impl Stream<Item = Result<sse::Event, Infallible>> + use<> {
        let feed = Feed {
            // Listening begins before the state is read: nothing falls in between.
            events: self.events.subscribe(),
            analysis: self.analysis.subscribe(),
            closing: self.closing.subscribe(),
            first: VecDeque::new(),
            next_report: Instant::now(),
            is_over: false,
            must_catch_up: true,
            desk,
            _permit: permit,
        };
        stream::unfold(feed, |mut feed| async move {
            let text = feed.next().await?;
            Some((Ok(sse::Event::default().data(&*text)), feed))
        })
    }
}

fn text(event: &ServerEvent) -> Arc<str> {
    // Plain data with text keys is always JSON.
    serde_json::to_string(event).unwrap_or_default().into()
}

/// One tab's view of what happens.
struct Feed {
    events: broadcast::Receiver<Arc<str>>,
    analysis: watch::Receiver<Option<Arc<AnalysisState>>>,
    closing: watch::Receiver<bool>,
    /// What comes before anything new.
    first: VecDeque<Arc<str>>,
    next_report: Instant,
    is_over: bool,
    must_catch_up: bool,
    desk: Desk,
    _permit: OwnedSemaphorePermit,
}

impl Feed {
    async fn next(&mut self) -> Option<Arc<str>> {
        loop {
            if self.must_catch_up {
                self.must_catch_up = false;
                let desk = self.desk.clone();
                let state = tokio::task::spawn_blocking(move || everything(&desk));
                self.first = state.await.unwrap_or_default();
            }
            if let Some(text) = self.first.pop_front() {
                return Some(text);
            }
            if self.is_over {
                return None;
            }
            let next_report = self.next_report;
            let analysis = &mut self.analysis;
            let report = async {
                sleep_until(next_report).await;
                analysis.changed().await
            };
            tokio::select! {
                biased;
                _ = self.closing.wait_for(|closing| *closing) => {
                    self.is_over = true;
                    return Some(text(&ServerEvent::Bye));
                }
                event = self.events.recv() => match event {
                    Ok(text) => return Some(text),
                    Err(broadcast::error::RecvError::Lagged(_)) => self.must_catch_up = true,
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
                changed = report => {
                    changed.ok()?;
                    self.next_report = Instant::now() + REPORT_EVERY;
                    let state = self.analysis.borrow_and_update().clone();
                    if let Some(state) = state {
                        return Some(text(&ServerEvent::Analysis((*state).clone())));
                    }
                }
            }
        }
    }
}

/// Everything as it is now.
fn everything(desk: &Desk) -> VecDeque<Arc<str>> {
    let mut first = VecDeque::new();
    first.push_back(text(&ServerEvent::Settings(convert::settings(
        &desk.settings(),
    ))));
    for job in desk.jobs() {
        first.push_back(text(&ServerEvent::Job(convert::job(&job))));
    }
    if let Ok(snapshot) = desk.session("current") {
        let view = convert::session_view(&snapshot);
        first.push_back(text(&ServerEvent::Session(Box::new(view))));
    }
    first
}
