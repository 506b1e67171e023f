//! What the engine and the coach say about a game, and the jobs that take longer.

use super::{Answer, Context, timed, view, with_desk};
use crate::{
    error::Refusal,
    extract::{Asked, Body, Place},
    wire,
};
use app::{Desk, desk, session::Tried};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::{delete, get, post},
};
use serde::Deserialize;

/// Addresses below that of a game.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/analysis", post(analyse).delete(stop_analysis))
        .route("/analysis/freeze", post(freeze))
        .route("/values", post(value_game))
        .route("/hint", post(hint))
        .route("/review", post(start_review).get(review))
        .route("/nodes/{node}/explain", get(explain))
        .route("/nodes/{node}/overlays", get(overlays))
        .route("/nodes/{node}/attempt", post(attempt))
        .route("/nodes/{node}/where", get(where_to_look))
        .route("/nodes/{node}/answer", post(see_answer).delete(forget_try))
}

/// Addresses of the jobs of all games.
pub(super) fn jobs() -> Router<Context> {
    Router::new()
        .route("/api/jobs", get(all_jobs))
        .route("/api/jobs/{job}", delete(cancel_job))
        .route("/api/jobs/{job}/pause", post(pause_job))
        .route("/api/jobs/{job}/resume", post(resume_job))
}

async fn all_jobs(State(context): State<Context>) -> Answer<Vec<wire::Job>> {
    let jobs = |desk: &Desk| Ok(desk.jobs().iter().map(wire::job).collect());
    with_desk(context, jobs).await.map(Json)
}

async fn cancel_job(State(context): State<Context>, Place(id): Place<u64>) -> Answer<wire::Job> {
    let cancel = move |desk: &Desk| Ok(wire::job(&desk.cancel_job(id)?));
    with_desk(context, cancel).await.map(Json)
}

async fn pause_job(State(context): State<Context>, Place(id): Place<u64>) -> Answer<wire::Job> {
    let pause = move |desk: &Desk| Ok(wire::job(&desk.pause_job(id)?));
    with_desk(context, pause).await.map(Json)
}

async fn resume_job(State(context): State<Context>, Place(id): Place<u64>) -> Answer<wire::Job> {
    let resume = move |desk: &Desk| Ok(wire::job(&desk.resume_job(id)?));
    with_desk(context, resume).await.map(Json)
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
        engine: wish.engine.as_deref().map(thinker).transpose()?,
        only: wish.only.unwrap_or_default(),
    };
    let analyse = move |desk: &Desk| desk.analyse(&id, &wish);
    let state = with_desk(context, analyse).await?;
    let state = wire::analysis_state(&state);
    Ok((StatusCode::ACCEPTED, Json(state)).into_response())
}

async fn stop_analysis(
    State(context): State<Context>,
    Place(id): Place<String>,
    Asked(query): Asked<StopQuery>,
) -> Result<Response, Refusal> {
    let engine = query.engine.as_deref().map(thinker).transpose()?;
    let stop = move |desk: &Desk| desk.stop_analyses(&id, engine.as_ref());
    let stopped = with_desk(context, stop).await?;
    Ok(match stopped.first() {
        Some(state) => Json(wire::analysis_state(state)).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StopQuery {
    /// All engines if left out.
    engine: Option<String>,
}

/// An engine by its name.
fn thinker(name: &str) -> Result<desk::Thinker, Refusal> {
    name.parse().map_err(|error| {
        let message = format!("{name:?} names no engine: {error}");
        Refusal::new(wire::ErrorCode::Invalid, message)
    })
}

async fn value_game(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::ValueGameWish>,
) -> Result<Response, Refusal> {
    let start = move |desk: &Desk| desk.value_game(&id, &wish.engine, wish.move_ms);
    let job = with_desk(context, start).await?;
    Ok((StatusCode::ACCEPTED, Json(wire::job(&job))).into_response())
}

async fn freeze(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::FreezeWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.freeze(&id, wish.frozen)).await
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
    look: Option<wire::Look>,
}

async fn explain(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Asked(query): Asked<MoveQuery>,
) -> Answer<wire::Explanation> {
    let explain = move |desk: &Desk| {
        let look = query.look.map_or(desk::Look::Full, wire::look_of);
        let why = desk.explain(&id, node, query.action.as_deref(), look)?;
        Ok(wire::explanation(node, &why))
    };
    with_desk(context, explain).await.map(Json)
}

async fn attempt(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::AttemptWish>,
) -> Answer<wire::Attempt> {
    let attempt = move |desk: &Desk| Ok(wire::attempt(&desk.attempt(&id, node, &wish.action)?));
    with_desk(context, attempt).await.map(Json)
}

async fn see_answer(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
) -> Result<Response, Refusal> {
    let seen = Some(Tried::Seen);
    view(context, move |desk| desk.set_tried(&id, node, seen)).await
}

async fn forget_try(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.set_tried(&id, node, None)).await
}

async fn where_to_look(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
) -> Answer<wire::WhereToLook> {
    let look = move |desk: &Desk| {
        let squares = desk.where_to_look(&id, node)?;
        Ok(wire::WhereToLook { squares })
    };
    with_desk(context, look).await.map(Json)
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
