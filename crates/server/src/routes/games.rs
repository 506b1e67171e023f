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
        .route("/api/position", post(check_position))
}

async fn sessions(State(context): State<Context>) -> Answer<Vec<wire::SessionSummary>> {
    let sessions = |desk: &Desk| Ok(desk.sessions()?.into_iter().map(wire::summary).collect());
    with_desk(context, sessions).await.map(Json)
}

async fn new_game(
    State(context): State<Context>,
    Body(wish): Body<wire::NewGame>,
) -> Result<Response, Refusal> {
    let is_own = wish.position.is_some() || wish.moves.is_some();
    let start = match (wish.import, wish.from) {
        (Some(id), None) if !is_own => desk::Start::Import {
            id,
            game: wish.game.unwrap_or(0) as usize,
        },
        (None, Some(from)) if !is_own => desk::Start::Place {
            session: from.session,
            node: from.node,
        },
        (None, None) if !is_own => desk::Start::Usual,
        (None, None) => desk::Start::Moves {
            position: wish.position,
            moves: wish.moves.unwrap_or_default(),
        },
        _ => {
            let message = "a game is imported, goes on from another one, or begins with a \
                           position and moves; choose one";
            return Err(Refusal::new(ErrorCode::Invalid, message));
        }
    };
    let new_game = desk::NewGame {
        kind: wish.kind.map(wire::game_kind_of),
        opponent: wish.opponent.map(|it| desk::OpponentWish {
            engine: it.engine,
            options: it.options.unwrap_or_default(),
            depth: it.depth,
            nodes: it.nodes,
        }),
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

async fn check_position(
    State(context): State<Context>,
    Body(wish): Body<wire::PositionWish>,
) -> Answer<wire::PositionCheck> {
    let check = move |_: &Desk| {
        let checked = desk::check_position(&wish.position)?;
        Ok(wire::PositionCheck {
            problem: checked.problem,
            notes: checked.notes,
            position: checked.position.to_string(),
        })
    };
    with_desk(context, check).await.map(Json)
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
