//! The routes: a request in, one wish of the desk, its answer out.

mod engine;
mod engines;
mod files;
mod game;
mod games;
mod house;
mod library;
mod tournaments;

use crate::{
    assets,
    error::Refusal,
    events::Hub,
    guard::{self, Guard},
    rate::{Budget, Share},
    wire::{self, ErrorCode},
};
use app::{
    Desk,
    desk::{DeskError, Snapshot},
};
use axum::{
    Json, Router,
    body::Bytes,
    http::header,
    middleware,
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

/// Views that are made at the same time: each is a copy of a game, and a person looks at one.
const VIEWS: usize = 6;

/// How long one more waits for its turn, and an answer for room in memory.
const TURN: Duration = Duration::from_secs(5);

/// What requests may hold in memory, all together.
#[derive(Debug, Clone)]
pub(crate) struct Budgets {
    /// Files that arrive or are being read.
    pub(crate) files: Budget,
    /// Answers that their clients have not taken yet.
    answers: Budget,
    views: Arc<Semaphore>,
    /// Files that go through to the disk or come from there.
    streams: Arc<Semaphore>,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            // One file of the greatest size, and smaller ones beside it.
            files: Budget::new(40 << 20),
            answers: Budget::new(24 << 20),
            views: Arc::new(Semaphore::new(VIEWS)),
            streams: Arc::new(Semaphore::new(files::FILES_AT_ONCE)),
        }
    }
}

/// What every route can use.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) desk: Desk,
    pub(crate) hub: Hub,
    pub(crate) guard: Arc<Guard>,
    pub(crate) budgets: Budgets,
}

type Answer<T> = Result<Json<T>, Refusal>;

pub(crate) fn router(context: Context) -> Router {
    let guard = Arc::clone(&context.guard);
    let open = Router::new()
        .route("/api/health", get(house::health))
        .route("/api/login", post(house::login));
    let closed = house::routes()
        .merge(games::routes())
        .nest("/api/sessions/{id}", game::routes().merge(engine::routes()))
        .merge(engine::jobs())
        .merge(library::routes())
        .merge(files::routes())
        .merge(engines::routes())
        .merge(tournaments::routes())
        .route("/api/{*rest}", axum::routing::any(house::nothing_there))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&guard),
            guard::pass,
        ));
    open.merge(closed)
        .fallback(assets::serve)
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(CatchPanicLayer::custom(|_| {
            tracing::error!("a request panicked");
            Refusal::internal().into_response()
        }))
        .layer(middleware::from_fn_with_state(guard, guard::names))
        .with_state(context)
}

/// Does something that may take a while where it keeps nobody waiting; a panic is an answer.
async fn with_desk<T: Send + 'static>(
    context: Context,
    wish: impl FnOnce(&Desk) -> Result<T, DeskError> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(move || wish(&context.desk)).await;
    match done {
        Ok(answer) => answer.map_err(Refusal::from),
        Err(error) => {
            tracing::error!(%error, "a request panicked");
            Err(Refusal::internal())
        }
    }
}

/// What something gives, and how many microseconds it took.
#[expect(
    clippy::disallowed_methods,
    reason = "the server is where real time enters; it goes to the log and to whoever asked"
)]
fn timed<T>(what: impl FnOnce() -> T) -> (T, u64) {
    let start = std::time::Instant::now();
    let done = what();
    (done, start.elapsed().as_micros() as u64)
}

/// A wish whose answer is the session.
async fn view(
    context: Context,
    wish: impl FnOnce(&Desk) -> Result<Snapshot, DeskError> + Send + 'static,
) -> Result<Response, Refusal> {
    let turn = tokio::time::timeout(TURN, Arc::clone(&context.budgets.views).acquire_owned());
    let Ok(_turn) = turn.await else {
        return Err(busy());
    };
    whole_view(context, wish).await
}

/// The same for a wish that may take a while. A large game is large as JSON, too: it is written on
/// the thread that waits, and is counted until its client has taken it.
async fn whole_view(
    context: Context,
    wish: impl FnOnce(&Desk) -> Result<Snapshot, DeskError> + Send + 'static,
) -> Result<Response, Refusal> {
    let answers = context.budgets.answers.clone();
    let wish = |desk: &Desk| {
        let view = wire::session_view(&wish(desk)?);
        Ok(serde_json::to_vec(&view))
    };
    let text = with_desk(context, wish).await?;
    let text = text.map_err(|_| Refusal::internal())?;
    let share = answers.take(text.len(), TURN).await.ok_or_else(busy)?;
    let held = Bytes::from_owner(Held {
        text,
        _share: share,
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], held).into_response())
}

/// An answer and its share of the memory.
struct Held {
    text: Vec<u8>,
    _share: Share,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

fn busy() -> Refusal {
    let message = "too many requests at the same time; wait a second";
    Refusal::new(ErrorCode::Unavailable, message)
}
