//! The list of games, and ways to get another one.

use super::{Answer, Context, view, with_desk};
use crate::{
    error::Refusal,
    extract::{Asked, Body, File},
    wire::{self, ErrorCode},
};
use app::{Desk, desk};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{get, post},
};

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/sessions", get(sessions).post(new_game))
        .route("/api/import", post(import))
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
