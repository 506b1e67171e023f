//! One game: its moves, its tree, its notes.

use super::{Answer, Context, view, whole_view, with_desk};
use crate::{
    error::Refusal,
    extract::{Asked, Body, Place},
    wire,
};
use app::{Desk, Format, desk};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{delete, get, post, put},
};
use serde::Deserialize;

/// Addresses below that of a game.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/", get(session).patch(change).delete(delete_session))
        .route("/moves", post(play))
        .route("/best-move", post(best_move))
        .route("/engine-move", post(engine_move))
        .route("/move-now", post(move_now))
        .route("/resign", post(resign))
        .route("/claim-draw", post(claim_draw))
        .route("/goto", post(go))
        .route("/undo", post(undo))
        .route("/redo", post(redo))
        .route("/keep", post(keep))
        .route("/export", get(export))
        .route("/nodes/{node}", delete(delete_node))
        .route("/nodes/{node}/promote", post(promote))
        .route("/nodes/{node}/comment", put(comment))
        .route("/nodes/{node}/glyphs", put(glyphs))
        .route("/nodes/{node}/preview", post(preview))
        .route("/nodes/{node}/line", post(keep_line))
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
        asks: change.asks,
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

async fn resign(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.resign(&id)).await
}

async fn claim_draw(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.claim_draw(&id)).await
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

async fn keep(
    State(context): State<Context>,
    Place(id): Place<String>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.keep_move(&id)).await
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

async fn keep_line(
    State(context): State<Context>,
    Place((id, node)): Place<(String, u32)>,
    Body(wish): Body<wire::LineWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| desk.keep_line(&id, node, &wish.moves)).await
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
        wire::ExportFormat::Transcript => desk::ExportFormat::Othello(Format::Transcript),
        wire::ExportFormat::Ggf => desk::ExportFormat::Othello(Format::Ggf),
        wire::ExportFormat::Board => desk::ExportFormat::Othello(Format::Board),
        wire::ExportFormat::Obf => desk::ExportFormat::Othello(Format::Obf),
        wire::ExportFormat::Pgn => desk::ExportFormat::Pgn,
        wire::ExportFormat::Fen => desk::ExportFormat::Fen,
        wire::ExportFormat::Epd => desk::ExportFormat::Epd,
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
