//! Files into the database and out of it, streamed: however large they are, a few parts are in
//! memory at once.

use super::{
    Answer, Context,
    library::{CHOSEN_MAX, filter},
    with_desk,
};
use crate::{
    error::Refusal,
    extract::Asked,
    wire::{self, ErrorCode},
};
use app::{
    Desk,
    desk::{DeskError, Received, Upload},
    library::{ExportFormat, GameId},
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use std::{io, sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// Files that are taken or written at the same time.
pub(super) const FILES_AT_ONCE: usize = 2;

/// How long one more waits for its turn.
const TURN: Duration = Duration::from_secs(60);

/// How long a part of a file may take to arrive.
const PART_WITHIN: Duration = Duration::from_secs(30);

/// The longest file: all games of a large server in a month, compressed, have a quarter of it.
const FILE_MAX: u64 = 128 << 30;

/// Parts between the network and the disk.
const PARTS: usize = 16;

/// Bytes that are written to a client at once.
const PART_BYTES: usize = 64 << 10;

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/library/imports", get(imports).post(import))
        .route("/api/library/export", get(export))
}

async fn imports(State(context): State<Context>) -> Answer<Vec<wire::FileImport>> {
    let imports = |desk: &Desk| Ok(desk.file_imports().iter().map(wire::file_import).collect());
    with_desk(context, imports).await.map(Json)
}

pub(super) async fn turn(context: &Context) -> Result<OwnedSemaphorePermit, Refusal> {
    let turn = Arc::clone(&context.budgets.streams).acquire_owned();
    match tokio::time::timeout(TURN, turn).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => {
            let message = "other files are on their way; try again when they have arrived";
            Err(Refusal::new(ErrorCode::Unavailable, message))
        }
    }
}

async fn import(
    State(context): State<Context>,
    Asked(wish): Asked<wire::ImportWish>,
    request: Request,
) -> Result<Response, Refusal> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > FILE_MAX) {
        return Err(Refusal::new(ErrorCode::TooLarge, "the file is too long"));
    }
    let _turn = turn(&context).await?;
    let name = wish.name.unwrap_or_else(|| "games".to_owned());
    let begin = move |desk: &Desk| desk.begin_upload(&name);
    let upload = with_desk(context.clone(), begin).await?;
    let (sender, parts) = mpsc::channel::<Bytes>(PARTS);
    let written = with_desk(context, move |_| write_parts(upload, parts));
    let arrived = async {
        let whole = receive(request, sender).await;
        // Dropping the sender ends the file; a refusal leaves none.
        whole
    };
    let (arrived, written) = tokio::join!(arrived, written);
    let upload = written?;
    arrived?;
    let received = tokio::task::spawn_blocking(move || upload.finish()).await;
    let received = received.map_err(|_| Refusal::internal())??;
    let told = match received {
        Received::Games(job) => wire::FileReceived {
            job: Some(wire::job(&job)),
            note: None,
        },
        Received::Names(names) => wire::FileReceived {
            job: None,
            note: Some(format!(
                "{names} is kept: games of WTHOR that you import from now on have these names."
            )),
        },
    };
    Ok((StatusCode::ACCEPTED, Json(told)).into_response())
}

/// Writes what arrives, on a thread that may wait for the disk.
fn write_parts(mut upload: Upload, mut parts: mpsc::Receiver<Bytes>) -> Result<Upload, DeskError> {
    while let Some(part) = parts.blocking_recv() {
        upload.write(&part)?;
    }
    Ok(upload)
}

/// Hands the body on, part by part.
async fn receive(request: Request, sender: mpsc::Sender<Bytes>) -> Result<(), Refusal> {
    let mut parts = request.into_body().into_data_stream();
    let mut n_bytes = 0;
    loop {
        let part = match tokio::time::timeout(PART_WITHIN, parts.next()).await {
            Err(_) => {
                let message = "the file took too long to arrive";
                return Err(Refusal::new(ErrorCode::TooSlow, message));
            }
            Ok(None) => return Ok(()),
            Ok(Some(Err(_))) => {
                let message = "the file could not be read to its end";
                return Err(Refusal::new(ErrorCode::Malformed, message));
            }
            Ok(Some(Ok(part))) => part,
        };
        n_bytes += part.len() as u64;
        if n_bytes > FILE_MAX {
            return Err(Refusal::new(ErrorCode::TooLarge, "the file is too long"));
        }
        // If the disk has refused, its reason is the answer.
        if sender.send(part).await.is_err() {
            return Ok(());
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    format: wire::GamesFormat,
    /// All games that a query finds …
    #[serde(default)]
    q: String,
    #[serde(default)]
    order: wire::GamesOrder,
    /// … or these alone: numbers with commas between them.
    games: Option<String>,
}

/// The games that are asked for.
fn wanted(desk: &Desk, query: &ExportQuery) -> Result<Arc<Vec<GameId>>, DeskError> {
    let Some(text) = &query.games else {
        let order = wire::order_of(query.order);
        return Ok(desk.library()?.ids(&filter(desk, &query.q)?, order)?);
    };
    let wrong = || {
        let message = format!("games: expected up to {CHOSEN_MAX} numbers with commas between");
        DeskError::Invalid(message)
    };
    let ids = text.split(',').map(|it| it.trim().parse::<GameId>());
    let ids = ids.collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
    if ids.len() > CHOSEN_MAX {
        return Err(wrong());
    }
    Ok(Arc::new(ids))
}

async fn export(
    State(context): State<Context>,
    Asked(query): Asked<ExportQuery>,
) -> Result<Response, Refusal> {
    let turn = turn(&context).await?;
    let format = wire::format_of(query.format);
    let desk = context.desk.clone();
    let ids = with_desk(context, move |desk| wanted(desk, &query)).await?;
    let (sender, parts) = mpsc::channel::<Bytes>(PARTS);
    tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::with_capacity(PART_BYTES, Parts(sender));
        let done = desk
            .library()
            .map_err(|error| error.to_string())
            .and_then(|library| {
                let exported = library.export(&ids, format, &mut out);
                exported.map_err(|error| error.to_string())
            });
        if let Err(error) = done {
            // The client has gone, or finds a file that ends too early.
            tracing::warn!(error, "an export ended early");
        }
    });
    let parts = stream::unfold((parts, turn), async |(mut parts, turn)| {
        let part = parts.recv().await?;
        Some((Ok::<Bytes, io::Error>(part), (parts, turn)))
    });
    let headers = [
        (header::CONTENT_TYPE, content_type(format).to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"kibitz-games.{}\"", format.ending()),
        ),
    ];
    Ok((headers, axum::body::Body::from_stream(parts)).into_response())
}

const fn content_type(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Pgn => "application/x-chess-pgn",
        ExportFormat::Html => "text/html; charset=utf-8",
        ExportFormat::Ggf | ExportFormat::Transcript => "text/plain; charset=utf-8",
    }
}

/// Bytes on their way to a client; whoever writes waits until the client has room.
pub(super) struct Parts(pub(super) mpsc::Sender<Bytes>);

impl io::Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = Bytes::copy_from_slice(bytes);
        self.0
            .blocking_send(part)
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
