//! Foreign engines: listed, added, installed, set, tried, removed.

use super::{Answer, Context, with_desk};
use crate::{
    error::Refusal,
    extract::{Body, Place},
    wire::{self, ErrorCode},
};
use app::{Desk, engines};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::{delete, get, post},
};

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/engines", get(all).post(add))
        .route("/api/engines/consent", post(consent))
        .route("/api/engines/{engine}", delete(remove))
        .route("/api/engines/{engine}/install", post(install))
        .route("/api/engines/{engine}/options", get(options).patch(change))
        .route("/api/engines/{engine}/press", post(press))
        .route(
            "/api/engines/{engine}/networks/{network}",
            post(install_network),
        )
        .route("/api/engines/{engine}/test", post(test))
        .route("/api/engines/{engine}/log", get(log))
}

async fn all(State(context): State<Context>) -> Answer<wire::Engines> {
    let all = |desk: &Desk| Ok(wire::engines(&desk.engines()));
    with_desk(context, all).await.map(Json)
}

async fn add(
    State(context): State<Context>,
    Body(wish): Body<wire::AddEngineWish>,
) -> Result<Response, Refusal> {
    let language = wish.protocol.as_deref().map(str::parse).transpose();
    let language =
        language.map_err(|error| Refusal::new(ErrorCode::Invalid, format!("{error}")))?;
    let wish = engines::Wish {
        name: wish.name,
        path: wish.path.into(),
        language,
        args: wish.args,
    };
    let add = move |desk: &Desk| Ok(wire::engine_entry(&desk.add_engine(&wish)?));
    let added = with_desk(context, add).await?;
    Ok((StatusCode::CREATED, Json(added)).into_response())
}

async fn consent(
    State(context): State<Context>,
    Body(wish): Body<wire::ConsentWish>,
) -> Answer<wire::Engines> {
    let consent = move |desk: &Desk| {
        desk.allow_downloads(wish.allowed)?;
        Ok(wire::engines(&desk.engines()))
    };
    with_desk(context, consent).await.map(Json)
}

async fn remove(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<StatusCode, Refusal> {
    with_desk(context, move |desk| desk.remove_engine(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn install(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    let install = move |desk: &Desk| Ok(wire::job(&desk.install_engine(&id)?));
    let job = with_desk(context, install).await?;
    Ok((StatusCode::ACCEPTED, Json(job)).into_response())
}

async fn install_network(
    State(context): State<Context>,
    Place((id, network)): Place<(String, String)>,
) -> Result<Response, Refusal> {
    let install = move |desk: &Desk| Ok(wire::job(&desk.install_network(&id, &network)?));
    let job = with_desk(context, install).await?;
    Ok((StatusCode::ACCEPTED, Json(job)).into_response())
}

async fn press(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::PressWish>,
) -> Result<StatusCode, Refusal> {
    with_desk(context, move |desk| {
        desk.press_engine_button(&id, &wish.button)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn options(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Answer<wire::EngineOptions> {
    let options = move |desk: &Desk| Ok(wire::engine_options(&desk.engine_options(&id)?));
    with_desk(context, options).await.map(Json)
}

async fn change(
    State(context): State<Context>,
    Place(id): Place<String>,
    Body(wish): Body<wire::EngineOptionsChange>,
) -> Answer<wire::EngineOptions> {
    let change = wire::options_change(wish);
    let change = move |desk: &Desk| {
        let changed = desk.change_engine_options(&id, &change)?;
        Ok(wire::engine_options(&changed))
    };
    with_desk(context, change).await.map(Json)
}

async fn test(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Answer<wire::EngineTrial> {
    let test = move |desk: &Desk| Ok(wire::trial(&desk.test_engine(&id)?));
    with_desk(context, test).await.map(Json)
}

async fn log(State(context): State<Context>, Place(id): Place<String>) -> Answer<wire::EngineLog> {
    let log = move |desk: &Desk| {
        let lines = desk.engine_log(&id)?;
        Ok(wire::EngineLog { lines })
    };
    with_desk(context, log).await.map(Json)
}
