//! Tournaments: made, played, paused, looked at, written to files.

use super::{
    Answer, Context,
    files::{Parts, turn},
    library::check_length,
    view, with_desk,
};
use crate::{
    error::Refusal,
    extract::{Asked, Body, Place},
    wire::{self, TournamentExport},
};
use app::{
    Desk,
    desk::{DeskError, TournamentView, Wanted},
    tournament::{Tournament, crosstable_csv, game_record, html, json, write_game},
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use futures_util::stream;
use serde::Deserialize;
use std::io::{self, Write as _};
use tokio::sync::mpsc;

/// Characters of the name of a tournament or of an engine in it.
const NAME_MAX: usize = 100;

/// More engines than a table can show.
const ENGINES_MAX: usize = 256;

/// Finished games that are listed at once.
const GAMES_MAX: usize = 200;

/// Parts of a file between the disk and the network, and bytes of each.
const PARTS: usize = 16;
const PART_BYTES: usize = 64 << 10;

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/tunings", get(tunings))
        .route("/api/tournaments", get(all).post(begin))
        .route("/api/tournaments/{id}", get(one))
        .route("/api/tournaments/{id}/boards", get(boards))
        .route("/api/tournaments/{id}/games", get(games))
        .route("/api/tournaments/{id}/games/{pair}/{game}/open", post(open))
        .route("/api/tournaments/{id}/export", get(export))
        .route("/api/tournaments/{id}/pause", post(pause))
        .route("/api/tournaments/{id}/resume", post(resume))
        .route("/api/tournaments/{id}/stop", post(stop))
}

async fn all(State(context): State<Context>) -> Answer<Vec<wire::TournamentSummary>> {
    let all = |desk: &Desk| {
        let listed = desk.tournaments();
        Ok(listed.iter().map(wire::tournament_summary).collect())
    };
    with_desk(context, all).await.map(Json)
}

async fn tunings(State(context): State<Context>) -> Answer<Vec<wire::TuningView>> {
    let all = |desk: &Desk| {
        let listed = desk.tunings();
        let views = listed
            .iter()
            .map(|(kept, found)| wire::tuning_view(kept, found));
        Ok(views.collect())
    };
    with_desk(context, all).await.map(Json)
}

fn check(wish: &wire::TournamentWish) -> Result<(), DeskError> {
    check_length("the name of a tournament", &wish.name, NAME_MAX)?;
    if wish.engines.len() > ENGINES_MAX {
        let n = wish.engines.len();
        let message = format!("at most {ENGINES_MAX} engines take part; these are {n}");
        return Err(DeskError::Invalid(message));
    }
    for engine in &wish.engines {
        check_length("the name of an engine", &engine.name, NAME_MAX)?;
    }
    Ok(())
}

async fn begin(
    State(context): State<Context>,
    Body(wish): Body<wire::TournamentWish>,
) -> Result<Response, Refusal> {
    let begin = move |desk: &Desk| {
        check(&wish)?;
        let made = desk.new_tournament(wire::tournament_settings(wish))?;
        Ok(wire::tournament_view(&made))
    };
    let made = with_desk(context, begin).await?;
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// A wish whose answer is the tournament as it stands then.
async fn shown(
    context: Context,
    wish: impl FnOnce(&Desk) -> Result<TournamentView, DeskError> + Send + 'static,
) -> Answer<wire::TournamentView> {
    let wish = |desk: &Desk| Ok(wire::tournament_view(&wish(desk)?));
    with_desk(context, wish).await.map(Json)
}

async fn one(
    State(context): State<Context>,
    Place(id): Place<u64>,
) -> Answer<wire::TournamentView> {
    shown(context, move |desk| desk.tournament(id)).await
}

async fn pause(
    State(context): State<Context>,
    Place(id): Place<u64>,
) -> Answer<wire::TournamentView> {
    shown(context, move |desk| desk.pause_tournament(id)).await
}

async fn resume(
    State(context): State<Context>,
    Place(id): Place<u64>,
) -> Answer<wire::TournamentView> {
    shown(context, move |desk| desk.resume_tournament(id)).await
}

async fn stop(
    State(context): State<Context>,
    Place(id): Place<u64>,
    Body(wish): Body<wire::TournamentStop>,
) -> Answer<wire::TournamentView> {
    shown(context, move |desk| desk.stop_tournament(id, wish.at_once)).await
}

async fn boards(
    State(context): State<Context>,
    Place(id): Place<u64>,
) -> Answer<wire::TournamentBoards> {
    let boards = move |desk: &Desk| {
        let (settings, seen) = desk.tournament_boards(id)?;
        Ok(wire::tournament_boards(&settings, &seen))
    };
    with_desk(context, boards).await.map(Json)
}

/// Which finished games are wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GamesQuery {
    /// Only between these two engines, by their places.
    a: Option<usize>,
    b: Option<usize>,
    /// Only games that somebody lost by a fault.
    faults: bool,
    from: usize,
    count: usize,
}

impl Default for GamesQuery {
    fn default() -> Self {
        Self {
            a: None,
            b: None,
            faults: false,
            from: 0,
            count: 50,
        }
    }
}

async fn games(
    State(context): State<Context>,
    Place(id): Place<u64>,
    Asked(query): Asked<GamesQuery>,
) -> Answer<wire::TournamentGames> {
    let games = move |desk: &Desk| {
        let wanted = Wanted {
            players: query.a.zip(query.b).map(|(a, b)| [a, b]),
            faults: query.faults,
            from: query.from,
            count: query.count.min(GAMES_MAX),
        };
        let found = desk.tournament_games(id, &wanted)?;
        let settings = desk.closed_tournament(id)?.settings;
        Ok(wire::tournament_games(&settings, &found))
    };
    with_desk(context, games).await.map(Json)
}

async fn open(
    State(context): State<Context>,
    Place((id, pair, game)): Place<(u64, u64, usize)>,
    Body(wish): Body<wire::OpenWish>,
) -> Result<Response, Refusal> {
    view(context, move |desk| {
        desk.open_tournament_game(id, pair, game, wish.leaves)
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    format: TournamentExport,
}

async fn export(
    State(context): State<Context>,
    Place(id): Place<u64>,
    Asked(ExportQuery { format }): Asked<ExportQuery>,
) -> Result<Response, Refusal> {
    let turn = turn(&context).await?;
    let tournament = with_desk(context, move |desk| desk.closed_tournament(id)).await?;
    let (sender, parts) = mpsc::channel::<Bytes>(PARTS);
    tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::with_capacity(PART_BYTES, Parts(sender));
        let written = write(&tournament, format, &mut out).and_then(|()| out.flush());
        if let Err(error) = written {
            // The client has gone, or finds a file that ends too early.
            tracing::warn!(%error, "an export of a tournament ended early");
        }
    });
    let parts = stream::unfold((parts, turn), async |(mut parts, turn)| {
        let part = parts.recv().await?;
        Some((Ok::<Bytes, io::Error>(part), (parts, turn)))
    });
    let (kind, ending) = match format {
        TournamentExport::Pgn => ("application/x-chess-pgn", "pgn"),
        TournamentExport::Ggf => ("text/plain; charset=utf-8", "ggf"),
        TournamentExport::Transcript => ("text/plain; charset=utf-8", "txt"),
        TournamentExport::Csv => ("text/csv; charset=utf-8", "csv"),
        TournamentExport::Json => ("application/json", "json"),
        TournamentExport::Html => ("text/html; charset=utf-8", "html"),
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"tournament-{id}.{ending}\""),
        ),
    ];
    Ok((headers, axum::body::Body::from_stream(parts)).into_response())
}

fn write(
    tournament: &Tournament,
    format: TournamentExport,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let report = || tournament.report().map_err(io::Error::other);
    match format {
        TournamentExport::Html => {
            let page = html::page(tournament, &report()?);
            out.write_all(page.as_bytes())
        }
        TournamentExport::Csv => {
            let table = crosstable_csv(&tournament.settings, &report()?);
            out.write_all(table.as_bytes())
        }
        TournamentExport::Json => {
            let whole = json::report(tournament, &report()?).map_err(io::Error::other)?;
            serde_json::to_writer(out, &whole).map_err(io::Error::other)
        }
        TournamentExport::Pgn | TournamentExport::Ggf | TournamentExport::Transcript => {
            let is_transcript = format == TournamentExport::Transcript;
            let mut written = Ok(());
            let read = tournament.for_each_pair(|pair| {
                for number in 0..pair.games.len() {
                    if written.is_ok()
                        && let Some(record) = game_record(&tournament.settings, pair, number)
                    {
                        let text = write_game(&record, is_transcript);
                        written = out.write_all(text.as_bytes());
                    }
                }
            });
            read.map_err(io::Error::other)?;
            written
        }
    }
}
