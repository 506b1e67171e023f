//! The routes: a request in, one wish of the desk, its answer out.

use crate::{
    assets,
    error::Refusal,
    events::Hub,
    extract::{Asked, Body, File, Place},
    guard::{self, Guard},
    passes::{CODE_LIVES, Client},
    rate::{Budget, Share},
    seats::Seat,
    wire::{self, ErrorCode},
};
use app::{
    Desk, Format, PROFILES,
    desk::{self, DeskError, Snapshot},
    diag::{Build, Private},
};
use axum::{
    Extension, Json, Router,
    body::Bytes,
    extract::State,
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse as _, Response},
    routing::{delete, get, post, put},
};
use serde::Deserialize;
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
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            // One file of the greatest size, and smaller ones beside it.
            files: Budget::new(40 << 20),
            answers: Budget::new(24 << 20),
            views: Arc::new(Semaphore::new(VIEWS)),
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
        .route("/api/health", get(health))
        .route("/api/login", post(login));
    let session = Router::new()
        .route("/", get(session).patch(change).delete(delete_session))
        .route("/moves", post(play))
        .route("/best-move", post(best_move))
        .route("/engine-move", post(engine_move))
        .route("/move-now", post(move_now))
        .route("/goto", post(go))
        .route("/undo", post(undo))
        .route("/redo", post(redo))
        .route("/export", get(export))
        .route("/analysis", post(analyse).delete(stop_analysis))
        .route("/hint", post(hint))
        .route("/review", post(start_review).get(review))
        .route("/nodes/{node}", delete(delete_node))
        .route("/nodes/{node}/promote", post(promote))
        .route("/nodes/{node}/comment", put(comment))
        .route("/nodes/{node}/glyphs", put(glyphs))
        .route("/nodes/{node}/preview", post(preview))
        .route("/nodes/{node}/explain", get(explain))
        .route("/nodes/{node}/overlays", get(overlays));
    let closed = Router::new()
        .route("/api/logout", post(logout))
        .route("/api/about", get(about))
        .route("/api/self-test", get(self_test))
        .route("/api/diag", get(diagnostics))
        .route("/api/levels", get(levels))
        .route("/api/settings", get(settings).put(change_settings))
        .route("/api/events", get(events))
        .route("/api/jobs", get(jobs))
        .route("/api/jobs/{job}", delete(cancel_job))
        .route("/api/sessions", get(sessions).post(new_game))
        .nest("/api/sessions/{id}", session)
        .route("/api/import", post(import))
        .route("/api/invitations", post(invite))
        .route("/api/{*rest}", axum::routing::any(nothing_there))
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

async fn nothing_there(uri: axum::http::Uri) -> Refusal {
    Refusal::not_found(uri.path())
}

async fn health() -> Json<wire::Health> {
    Json(wire::Health { ok: true })
}

async fn login(
    State(context): State<Context>,
    Body(login): Body<wire::Login>,
) -> Result<Response, Refusal> {
    let cookie = context.guard.login(&login)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

async fn logout(
    State(context): State<Context>,
    Extension(client): Extension<Client>,
) -> Result<Response, Refusal> {
    let cookie = context.guard.logout(&client)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

async fn invite(State(context): State<Context>) -> Answer<wire::Invitation> {
    let url = context.guard.invite().map_err(|_| Refusal::internal())?;
    Ok(Json(wire::Invitation {
        url,
        expires_s: CODE_LIVES.as_secs(),
    }))
}

async fn about(State(context): State<Context>) -> Json<wire::About> {
    Json(wire::About {
        name: "Kibitz".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        license: env!("CARGO_PKG_LICENSE").to_owned(),
        home: context.desk.home().path().display().to_string(),
        weights: wire::weights(&context.desk.weights()),
    })
}

async fn self_test(State(context): State<Context>) -> Answer<wire::SelfTest> {
    let test = |desk: &Desk| Ok(wire::self_test(&desk.self_test()?));
    with_desk(context, test).await.map(Json)
}

/// What a bug report needs, as a file to save.
async fn diagnostics(State(context): State<Context>) -> Result<Response, Refusal> {
    let build = Build {
        version: env!("CARGO_PKG_VERSION"),
    };
    let collect = move |desk: &Desk| {
        let bundle = desk.diagnostics(build, Private::of_this_user())?;
        bundle
            .zip()
            .map_err(|error| DeskError::Engine(error.to_string()))
    };
    let bytes = with_desk(context, collect).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"kibitz-diag.zip\"",
        ),
    ];
    Ok((headers, bytes).into_response())
}

async fn levels(State(context): State<Context>) -> Answer<Vec<wire::Level>> {
    let levels = |desk: &Desk| {
        let default = desk.settings().config.play.level;
        let levels = PROFILES
            .iter()
            .map(|profile| wire::level(profile, &default));
        Ok(levels.collect())
    };
    with_desk(context, levels).await.map(Json)
}

async fn settings(State(context): State<Context>) -> Answer<wire::Settings> {
    let settings = |desk: &Desk| Ok(wire::settings(&desk.settings()));
    with_desk(context, settings).await.map(Json)
}

async fn change_settings(
    State(context): State<Context>,
    Body(change): Body<wire::SettingsChange>,
) -> Answer<wire::Settings> {
    let change = |desk: &Desk| {
        let changed = desk.change_settings(|config| wire::apply(change, config))?;
        Ok(wire::settings(&changed))
    };
    with_desk(context, change).await.map(Json)
}

async fn events(
    State(context): State<Context>,
    Extension(client): Extension<Client>,
    seat: Option<Extension<Arc<Seat>>>,
) -> Result<Response, Refusal> {
    let Ok(permit) = Arc::clone(&context.guard.streams).try_acquire_owned() else {
        let message = "too many tabs listen; close some";
        return Err(Refusal::new(ErrorCode::Unavailable, message));
    };
    let busy = seat.map(|Extension(seat)| seat.busy());
    let held = (permit, busy);
    let stream = context.hub.listen(context.desk.clone(), client, held);
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    Ok((kind, axum::body::Body::from_stream(stream)).into_response())
}

async fn jobs(State(context): State<Context>) -> Answer<Vec<wire::Job>> {
    let jobs = |desk: &Desk| Ok(desk.jobs().iter().map(wire::job).collect());
    with_desk(context, jobs).await.map(Json)
}

async fn cancel_job(State(context): State<Context>, Place(id): Place<u64>) -> Answer<wire::Job> {
    let cancel = move |desk: &Desk| Ok(wire::job(&desk.cancel_job(id)?));
    with_desk(context, cancel).await.map(Json)
}

async fn sessions(State(context): State<Context>) -> Answer<Vec<wire::SessionSummary>> {
    let sessions = |desk: &Desk| Ok(desk.sessions()?.into_iter().map(wire::summary).collect());
    with_desk(context, sessions).await.map(Json)
}

async fn new_game(
    State(context): State<Context>,
    Body(wish): Body<wire::NewGame>,
) -> Result<Response, Refusal> {
    let start = match (wish.import, wish.position, wish.moves) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
            let message = "a game is imported, or begins with a position and moves, not both";
            return Err(Refusal::new(ErrorCode::Invalid, message));
        }
        (Some(id), None, None) => desk::Start::Import {
            id,
            game: wish.game.unwrap_or(0) as usize,
        },
        (None, None, None) => desk::Start::Usual,
        (None, position, moves) => desk::Start::Moves {
            position,
            moves: moves.unwrap_or_default(),
        },
    };
    let new_game = desk::NewGame {
        mode: wish.mode.map(wire::mode_of),
        level: wish.level,
        engine: wish.engine.and_then(wire::engine_name_of),
        move_ms: wish.move_ms,
        people: wish.people.map(wire::people_of),
        time_control: wish
            .time_control
            .map(|clock| (clock.initial_ms, clock.increment_ms)),
        start,
        leaves: wish.leaves,
    };
    let mut view = view(context, move |desk| desk.new_game(&new_game)).await?;
    *view.status_mut() = StatusCode::CREATED;
    Ok(view)
}

async fn session(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.session(&id)).await
}

async fn change(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(change): Body<wire::SessionChange>,
) -> Result<Response, Refusal> {
    let change = desk::Change {
        mode: change.mode.map(wire::mode_of),
        level: change.level,
        people: change.people.map(wire::people_of),
        show_values: change.show_values,
        title: change.title,
    };
    view(context, move |desk| desk.change(&id, &change)).await
}

async fn delete_session(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<StatusCode, Refusal> {
    with_desk(context, move |desk| desk.delete_session(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn play(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::MoveWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.play(&id, wish.node, &wish.action)).await
}

async fn best_move(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    whole_view(context, move |desk| desk.play_best(&id)).await
}

async fn engine_move(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.engine_move(&id)).await
}

async fn move_now(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.move_now(&id)).await
}

async fn go(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::GotoWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| match wish {
        wire::GotoWish::Node(node) => desk.go(&id, node),
        wire::GotoWish::Step(step) => desk.step(&id, wire::step_of(step)),
    })
    .await
}

async fn undo(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.undo(&id)).await
}

async fn redo(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.redo(&id)).await
}

async fn delete_node(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.delete(&id, node)).await
}

async fn promote(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::PromoteWish>,
) -> Result<Response, Refusal> {
    let to_main = wish.to_main.unwrap_or(false);
    view(context, move |desk| desk.promote(&id, node, to_main)).await
}

async fn comment(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::CommentWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.comment(&id, node, &wish.text)).await
}

async fn glyphs(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::GlyphsWish>,
) -> Result<Response, Refusal> {
    let glyphs: Vec<_> = wish.glyphs.into_iter().map(wire::glyph_of).collect();
    view(context, move |desk| desk.set_glyphs(&id, node, &glyphs)).await
}

async fn preview(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::PreviewWish>,
) -> Answer<wire::Preview> {
    let preview = move |desk: &Desk| {
        let steps = desk.preview(&id, node, &wish.moves)?;
        Ok(wire::preview(node, &steps))
    };
    with_desk(context, preview).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    format: wire::ExportFormat,
}

async fn export(
    State(context): State<Context>,
    Place(id): Place<String>,
    Asked(query): Asked<ExportQuery>,
) -> Answer<wire::Exported> {
    let format = query.format;
    let notation = match format {
        wire::ExportFormat::Transcript => Format::Transcript,
        wire::ExportFormat::Ggf => Format::Ggf,
        wire::ExportFormat::Board => Format::Board,
        wire::ExportFormat::Obf => Format::Obf,
    };
    let export = move |desk: &Desk| {
        let exported = desk.export(&id, notation)?;
        Ok(wire::Exported {
            format,
            file_name: exported.file_name,
            text: exported.text,
        })
    };
    with_desk(context, export).await.map(Json)
}

async fn analyse(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::AnalysisWish>,
) -> Result<Response, Refusal> {
    let wish = desk::AnalysisWish {
        node: wish.node,
        lines: wish.lines,
        all_moves: wish.all_moves.unwrap_or(false),
        depth: wish.depth,
        time_ms: wish.time_ms,
        engine: wish.engine.and_then(wire::engine_name_of),
    };
    let analyse = move |desk: &Desk| desk.analyse(&id, &wish);
    let state = with_desk(context, analyse).await?;
    let state = wire::analysis_state(&state);
    Ok((StatusCode::ACCEPTED, Json(state)).into_response())
}

async fn stop_analysis(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    let stopped = with_desk(context, move |desk| desk.stop_analysis(&id)).await?;
    Ok(match stopped {
        Some(state) => Json(wire::analysis_state(&state)).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

async fn hint(State(context): State<Context>, Place(id): Place<String>) -> Answer<wire::Hint> {
    let hint = move |desk: &Desk| Ok(wire::hint(&desk.hint(&id)?));
    with_desk(context, hint).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveQuery {
    #[serde(rename = "move")]
    action: Option<String>,
}

async fn explain(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Asked(query): Asked<MoveQuery>,
) -> Answer<wire::Explanation> {
    let explain = move |desk: &Desk| {
        let why = desk.explain(&id, node, query.action.as_deref())?;
        Ok(wire::explanation(node, &why))
    };
    with_desk(context, explain).await.map(Json)
}

async fn overlays(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
) -> Answer<wire::Overlays> {
    let overlays = move |desk: &Desk| {
        let position = desk.position(&id, node)?;
        let (found, us) = timed(|| desk.overlays(&id, node));
        tracing::debug!(target: "kibitz::overlay", us, "overlays");
        Ok(wire::overlays(node, &position, &found?))
    };
    with_desk(context, overlays).await.map(Json)
}

/// What something gives, and how many microseconds it took.
#[expect(
    clippy::disallowed_methods,
    reason = "the server is where real time enters; it only goes to the log"
)]
fn timed<T>(what: impl FnOnce() -> T) -> (T, u64) {
    let start = std::time::Instant::now();
    let done = what();
    (done, start.elapsed().as_micros() as u64)
}

async fn start_review(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::ReviewWish>,
) -> Result<Response, Refusal> {
    let start = move |desk: &Desk| desk.start_review(&id, wish.depth);
    let job = with_desk(context, start).await?;
    Ok((StatusCode::ACCEPTED, Json(wire::job(&job))).into_response())
}

async fn review(State(context): State<Context>, Place(id): Place<String>) -> Answer<wire::Review> {
    let review = move |desk: &Desk| Ok(wire::review(&desk.review(&id)?));
    with_desk(context, review).await.map(Json)
}

async fn import(
    State(context): State<Context>,
    Asked(wish): Asked<wire::ImportWish>,
    file: File,
) -> Answer<wire::ImportResult> {
    let import = move |desk: &Desk| {
        let admission = desk.admit_import(file.bytes.len())?;
        let import = desk.import(&admission, &file.bytes, wish.name.as_deref())?;
        drop(file.share);
        Ok(wire::import(&import))
    };
    with_desk(context, import).await.map(Json)
}
