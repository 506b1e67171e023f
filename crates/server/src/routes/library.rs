//! The games that the user keeps: finding, exploring, notes, words, saved searches.

use super::{Answer, Context, timed, view, with_desk};
use crate::{
    error::Refusal,
    extract::{Asked, Body, Place},
    wire::{self, ErrorCode},
};
use app::{
    Desk,
    desk::DeskError,
    library::{self, Event, Page, Way},
};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::{get, post, put},
};
use serde::Deserialize;

/// Games on a page of a list, at most.
const PAGE_MAX: usize = 500;

/// Games that are chosen at once, at most.
pub(super) const CHOSEN_MAX: usize = 5_000;

/// Characters of a query.
const QUERY_MAX: usize = 2_000;

/// Characters of a note; comments have the same limit.
const NOTE_MAX: usize = 20_000;

/// Characters of a word for games, and of the name of a search or a player.
const TAG_MAX: usize = 60;
const NAME_MAX: usize = 100;
const NAMES_MAX: usize = 50;

/// Newest and strongest games of a position.
const EXPLORED_GAMES_MAX: usize = 50;

/// Games that one job reviews.
const REVIEWED_MAX: u32 = 1_000;

/// Notes that a search gives.
const NOTES_FOUND: usize = 50;

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/api/library", get(state))
        .route("/api/library/me", put(set_names))
        .route("/api/library/fetch", post(fetch))
        .route("/api/library/fetch/token", put(set_token))
        .route("/api/library/games", get(games))
        .route("/api/library/games/{id}", get(game))
        .route("/api/library/games/{id}/open", post(open))
        .route("/api/library/games/{id}/note", put(note_game))
        .route("/api/library/delete", post(delete))
        .route("/api/library/tag", post(tag))
        .route("/api/library/explore", get(explore))
        .route("/api/library/insights", get(insights))
        .route("/api/library/reviews", post(review_many))
        .route("/api/library/note", put(note_position))
        .route("/api/library/notes", get(notes))
        .route(
            "/api/library/searches/{name}",
            put(save_search).delete(forget_search),
        )
}

/// Refuses what is longer than anybody needs.
pub(super) fn check_length(what: &str, text: &str, most: usize) -> Result<(), DeskError> {
    let length = text.chars().count();
    if length > most {
        let message = format!("{what} may have {most} characters; this one has {length}");
        return Err(DeskError::Invalid(message));
    }
    Ok(())
}

fn check_chosen(games: &[u32]) -> Result<(), DeskError> {
    if games.len() > CHOSEN_MAX {
        let n = games.len();
        let message = format!("at most {CHOSEN_MAX} games at once; these are {n}");
        return Err(DeskError::Invalid(message));
    }
    Ok(())
}

async fn state(State(context): State<Context>) -> Answer<wire::LibraryState> {
    let state = |desk: &Desk| {
        let library = match desk.library() {
            Ok(library) => library,
            Err(error) => {
                return Ok(wire::LibraryState {
                    problem: Some(error.to_string()),
                    games: 0,
                    notes: 0,
                    bytes: 0,
                    names: Vec::new(),
                    searches: Vec::new(),
                    fetch: wire::fetch_state(desk.fetch_state()),
                });
            }
        };
        let stats = library.stats()?;
        let mut searches = Vec::new();
        for name in library.saved_searches()? {
            let query = library.saved_search(&name)?.unwrap_or_default();
            searches.push(wire::SavedSearch { name, query });
        }
        Ok(wire::LibraryState {
            problem: None,
            games: stats.games,
            notes: stats.notes,
            bytes: stats.bytes,
            names: library.selves()?,
            searches,
            fetch: wire::fetch_state(desk.fetch_state()),
        })
    };
    with_desk(context, state).await.map(Json)
}

async fn fetch(
    State(context): State<Context>,
    Body(wish): Body<wire::FetchWish>,
) -> Result<Response, Refusal> {
    let wish = wire::fetch_wish(&wish);
    let wish = wish.map_err(|message| Refusal::new(ErrorCode::Invalid, message))?;
    let begin = move |desk: &Desk| Ok(wire::job(&desk.fetch_games(wish)?));
    let job = with_desk(context, begin).await?;
    Ok((StatusCode::ACCEPTED, Json(job)).into_response())
}

async fn set_token(
    State(context): State<Context>,
    Body(wish): Body<wire::TokenWish>,
) -> Answer<wire::FetchState> {
    let set = move |desk: &Desk| {
        let state = desk.set_lichess_token(wish.token.as_deref())?;
        Ok(wire::fetch_state(state))
    };
    with_desk(context, set).await.map(Json)
}

async fn set_names(
    State(context): State<Context>,
    Body(wish): Body<wire::OwnNames>,
) -> Answer<wire::OwnNames> {
    let set = move |desk: &Desk| {
        if wish.names.len() > NAMES_MAX {
            let message = format!("at most {NAMES_MAX} names");
            return Err(DeskError::Invalid(message));
        }
        for name in &wish.names {
            check_length("a name", name, NAME_MAX)?;
        }
        let names = wish.names.iter().map(|it| it.trim().to_owned());
        let library = desk.library()?;
        library.set_selves(names.filter(|it| !it.is_empty()).collect())?;
        Ok(wire::OwnNames {
            names: library.selves()?,
        })
    };
    with_desk(context, set).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GamesQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    order: wire::GamesOrder,
    #[serde(default)]
    skip: usize,
    most: Option<usize>,
}

/// A query of the user as a filter.
pub(super) fn filter(desk: &Desk, query: &str) -> Result<library::Filter, DeskError> {
    check_length("a query", query, QUERY_MAX)?;
    Ok(desk.library()?.filter(query)?)
}

async fn games(
    State(context): State<Context>,
    Asked(query): Asked<GamesQuery>,
) -> Answer<wire::GamesFound> {
    let find = move |desk: &Desk| {
        let page = Page {
            skip: query.skip,
            most: query.most.unwrap_or(100).min(PAGE_MAX),
        };
        let order = wire::order_of(query.order);
        let (listing, took_us) = timed(|| {
            desk.library()?
                .list(&filter(desk, &query.q)?, order, page)
                .map_err(DeskError::from)
        });
        let listing = listing?;
        Ok(wire::GamesFound {
            total: listing.total as u32,
            games: listing.games.iter().map(wire::game_row).collect(),
            took_us,
        })
    };
    with_desk(context, find).await.map(Json)
}

async fn game(State(context): State<Context>, Place(id): Place<u32>) -> Answer<wire::GameDetails> {
    let game = move |desk: &Desk| Ok(wire::game_details(&desk.stored_game(id)?));
    with_desk(context, game).await.map(Json)
}

async fn open(
    State(context): State<Context>,
    Place(id): Place<u32>,
    Body(wish): Body<wire::OpenWish>,
) -> Result<Response, Refusal> {
    let open = move |desk: &Desk| desk.open_stored(id, wish.leaves);
    let mut view = view(context, open).await?;
    *view.status_mut() = StatusCode::CREATED;
    Ok(view)
}

async fn note_game(
    State(context): State<Context>,
    Place(id): Place<u32>,
    Body(wish): Body<wire::NoteWish>,
) -> Result<StatusCode, Refusal> {
    let write = move |desk: &Desk| {
        check_length("a note", &wish.text, NOTE_MAX)?;
        let library = desk.library()?;
        library.game(id)?;
        Ok(library.keep(Event::GameNote {
            game: id,
            text: wish.text,
        })?)
    };
    with_desk(context, write).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete(
    State(context): State<Context>,
    Body(wish): Body<wire::ChosenGames>,
) -> Answer<wire::DeletedGames> {
    let delete = move |desk: &Desk| {
        check_chosen(&wish.games)?;
        let deleted = desk.library()?.delete_all(wish.games)?;
        Ok(wire::DeletedGames {
            deleted: deleted as u32,
        })
    };
    with_desk(context, delete).await.map(Json)
}

async fn tag(
    State(context): State<Context>,
    Body(wish): Body<wire::TagWish>,
) -> Result<StatusCode, Refusal> {
    let tag = move |desk: &Desk| {
        check_chosen(&wish.games)?;
        check_length("a tag", &wish.tag, TAG_MAX)?;
        let tag = wish.tag.trim().to_owned();
        if tag.is_empty() {
            let message = "a tag has at least one letter".to_owned();
            return Err(DeskError::Invalid(message));
        }
        Ok(desk.library()?.tag_all(&wish.games, &tag, wish.is_set)?)
    };
    with_desk(context, tag).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExploreQuery {
    /// A board or a FEN; the usual start if left out.
    start: Option<String>,
    /// The moves from there.
    #[serde(default)]
    moves: String,
    /// Which game, if the start does not say it.
    game: Option<wire::GameKind>,
    /// The query that says which games count.
    #[serde(default)]
    q: String,
    /// Newest and strongest games to give.
    games: Option<usize>,
}

async fn explore(
    State(context): State<Context>,
    Asked(query): Asked<ExploreQuery>,
) -> Answer<wire::ExploredPosition> {
    let explore = move |desk: &Desk| {
        let way = Way {
            start: query.start,
            moves: query.moves,
            kind: query.game.map(wire::game_kind_of),
        };
        check_length("a position", way.start.as_deref().unwrap_or_default(), 200)?;
        check_length("a line of moves", &way.moves, QUERY_MAX)?;
        let n_games = query.games.unwrap_or(8).min(EXPLORED_GAMES_MAX);
        let (explorer, took_us) = timed(|| {
            let filter = filter(desk, &query.q)?;
            let explorer = desk.library()?.explorer(&way, &filter, n_games);
            explorer.map_err(DeskError::from)
        });
        let explorer = explorer?;
        let book = desk.book_moves(&explorer.position);
        Ok(wire::explored(&explorer, &book, took_us))
    };
    with_desk(context, explore).await.map(Json)
}

async fn note_position(
    State(context): State<Context>,
    Body(wish): Body<wire::PositionNote>,
) -> Result<StatusCode, Refusal> {
    let write = move |desk: &Desk| {
        check_length("a note", &wish.text, NOTE_MAX)?;
        check_length("a position", &wish.position, 200)?;
        let position = library::position(&wish.position).ok_or_else(|| {
            let message = "expected a board and the side to move, or a FEN".to_owned();
            DeskError::Invalid(message)
        })?;
        Ok(desk.library()?.keep(Event::Note {
            position,
            text: wish.text,
        })?)
    };
    with_desk(context, write).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InsightsQuery {
    #[serde(default)]
    q: String,
}

async fn insights(
    State(context): State<Context>,
    Asked(query): Asked<InsightsQuery>,
) -> Answer<wire::Insights> {
    let look = move |desk: &Desk| {
        let filter = filter(desk, &query.q)?;
        Ok(wire::insights(&desk.library()?.insights(&filter)?))
    };
    with_desk(context, look).await.map(Json)
}

async fn review_many(
    State(context): State<Context>,
    Body(wish): Body<wire::ReviewManyWish>,
) -> Result<Response, Refusal> {
    let begin = move |desk: &Desk| {
        if !(1..=REVIEWED_MAX).contains(&wish.most) {
            let message = format!("most: expected 1 to {REVIEWED_MAX}");
            return Err(DeskError::Invalid(message));
        }
        let filter = filter(desk, &wish.query)?;
        let games = desk.library()?.to_review(&filter, wish.most as usize)?;
        desk.review_games(games, None)
    };
    let job = with_desk(context, begin).await?;
    Ok((StatusCode::ACCEPTED, Json(wire::job(&job))).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotesQuery {
    q: String,
}

async fn notes(
    State(context): State<Context>,
    Asked(query): Asked<NotesQuery>,
) -> Answer<Vec<wire::FoundNote>> {
    let find = move |desk: &Desk| {
        check_length("a query", &query.q, QUERY_MAX)?;
        let library = desk.library()?;
        let (positions, games) = library.search_notes(&query.q, NOTES_FOUND)?;
        let mut found: Vec<wire::FoundNote> = Vec::new();
        for note in positions {
            found.push(wire::FoundNote {
                position: Some(note.position),
                game: None,
                text: note.text,
            });
        }
        for note in games {
            let game = library.listed(&[note.game])?.pop();
            found.extend(game.map(|game| wire::FoundNote {
                position: None,
                game: Some(wire::game_row(&game)),
                text: note.text,
            }));
        }
        Ok(found)
    };
    with_desk(context, find).await.map(Json)
}

async fn save_search(
    State(context): State<Context>,
    Place(name): Place<String>,
    Body(wish): Body<wire::SearchWish>,
) -> Result<StatusCode, Refusal> {
    let save = move |desk: &Desk| {
        let name = name.trim().to_owned();
        check_length("the name of a search", &name, NAME_MAX)?;
        // One that cannot be understood would be of no use later.
        filter(desk, &wish.query)?;
        Ok(desk.library()?.keep(Event::Search {
            name,
            query: Some(wish.query),
        })?)
    };
    with_desk(context, save).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn forget_search(
    State(context): State<Context>,
    Place(name): Place<String>,
) -> Result<StatusCode, Refusal> {
    let forget =
        move |desk: &Desk| Ok(desk.library()?.keep(Event::Search { name, query: None })?);
    with_desk(context, forget).await?;
    Ok(StatusCode::NO_CONTENT)
}
