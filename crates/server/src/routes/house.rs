//! What is about the program and not about a game: who may come in, settings, the event stream.

use super::{Answer, Context, with_desk};
use crate::{
    error::Refusal,
    events::{EventsWish, Held},
    extract::{Asked, Body},
    passes::{CODE_LIVES, Client},
    seats::Seat,
    wire::{self, ErrorCode},
};
use app::{
    Desk, Profile,
    desk::DeskError,
    diag::{Build, Private},
};
use axum::{
    Extension, Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use std::sync::Arc;

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/logout", post(logout))
        .route("/api/invitations", post(invite))
        .route("/api/about", get(about))
        .route("/api/self-test", get(self_test))
        .route("/api/diag", get(diagnostics))
        .route("/api/levels", get(levels))
        .route("/api/you", get(you))
        .route("/api/settings", get(settings).put(change_settings))
        .route("/api/events", get(events))
}

pub(super) async fn nothing_there(uri: axum::http::Uri) -> Refusal {
    Refusal::not_found(uri.path())
}

pub(super) async fn health() -> Json<wire::Health> {
    Json(wire::Health { ok: true })
}

pub(super) async fn login(
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
        let default = desk.settings().config.opponent();
        let levels = Profile::all().map(|profile| wire::level(&profile, &default));
        Ok(levels.collect())
    };
    with_desk(context, levels).await.map(Json)
}

async fn you(State(context): State<Context>) -> Answer<wire::You> {
    let you = |desk: &Desk| {
        Ok(wire::You {
            worth: desk.your_worth()?.map(wire::worth),
        })
    };
    with_desk(context, you).await.map(Json)
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
    Asked(wish): Asked<EventsWish>,
) -> Result<Response, Refusal> {
    let watching = match wish.session.clone() {
        Some(id) => Some(with_desk(context.clone(), move |desk| desk.watch(&id)).await?),
        None => None,
    };
    let Ok(permit) = Arc::clone(&context.guard.streams).try_acquire_owned() else {
        let message = "too many tabs listen; close some";
        return Err(Refusal::new(ErrorCode::Unavailable, message));
    };
    let busy = seat.map(|Extension(seat)| seat.busy());
    let held = Held {
        _permit: permit,
        _busy: busy,
        _watching: watching,
    };
    let stream = context.hub.listen(context.desk.clone(), client, wish, held);
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    Ok((kind, axum::body::Body::from_stream(stream)).into_response())
}
