//! The user's collection on the desk: the database of games, and files that go into it as jobs.
//!
//! The database may be unusable (damaged, made by a newer version, on a disk that cannot be written
//! to). Then everything that needs it is refused with the reason, and the rest of the desk works.

mod fetching;
mod importing;
mod upload;

pub use fetching::FetchState;
pub use importing::{FileImport, ImportCounts};
pub use upload::{Received, Upload};

use super::{Desk, DeskError, NewGame, NoticeLevel, Shared, Snapshot, Start, lock};
use crate::{
    Home, Mode,
    library::{GameId, Library, ListedGame, record_of},
    worker::Worker,
};
use game::{Kind, Record};
use importing::Imports;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

/// What the desk has of the collection.
pub(super) struct Collection {
    /// Or why it cannot be used; empty until it is opened.
    library: OnceLock<Result<Arc<Library>, String>>,
    /// Reads files one after the other.
    pub(super) importer: Worker<()>,
    /// Asks servers far away, one request after the other.
    pub(super) fetcher: Worker<()>,
    imports: Mutex<Imports>,
    folder: PathBuf,
    /// Stored games that were opened in this run, by their sessions.
    opened: Mutex<HashMap<GameId, String>>,
}

impl Collection {
    pub(super) fn new(home: &Home) -> std::io::Result<Self> {
        Ok(Self {
            library: OnceLock::new(),
            importer: Worker::start(&[("kibitz-importer", 1)], 1, || ())?,
            fetcher: Worker::start(&[("kibitz-fetcher", 1)], 1, || ())?,
            imports: Mutex::default(),
            folder: home.imports(),
            opened: Mutex::default(),
        })
    }

    /// Stops reading files; they go on at the next start.
    pub(super) fn close(&self) {
        self.importer.close();
        self.fetcher.close();
    }
}

impl Shared {
    pub(super) fn library(&self) -> Result<&Arc<Library>, DeskError> {
        match self.collection.library.get() {
            Some(Ok(library)) => Ok(library),
            Some(Err(why)) => Err(DeskError::NoLibrary(why.clone())),
            None => Err(DeskError::NoLibrary("it is not open".to_owned())),
        }
    }
}

/// A stored game with everything that there is to show of it.
#[derive(Debug, Clone)]
pub struct GameDetails {
    pub listed: ListedGame,
    pub record: Record,
    /// The user's note on it.
    pub note: Option<String>,
}

impl Desk {
    /// Opens the database of the home, or makes it, and goes on with what the last run did not
    /// finish. If it cannot be used, that is told, and everything else works.
    pub fn open_collection(&self) {
        let shared = &self.shared;
        let opened = Library::open(&shared.home.database()).map(Arc::new);
        let opened = opened.map_err(|error| error.to_string());
        // Once is enough: the first one stays.
        if shared.collection.library.set(opened).is_err() {
            return;
        }
        match shared.library() {
            Ok(library) => {
                self.keep_reviews_in(library);
                self.go_on_importing();
                self.take_over_games(library);
            }
            Err(error) => shared.notice(NoticeLevel::Error, format!("{error}.")),
        }
    }

    /// The database of games.
    pub fn library(&self) -> Result<&Library, DeskError> {
        Ok(self.shared.library()?)
    }

    /// Opens a stored game in Review. One that was opened before in this run, and is still there, is
    /// shown as it is.
    pub fn open_stored(&self, id: GameId, leaves: Option<String>) -> Result<Snapshot, DeskError> {
        let known = lock(&self.shared.collection.opened).get(&id).cloned();
        if let Some(view) = known.and_then(|known| self.session(&known).ok()) {
            return Ok(view);
        }
        let view = self.new_game(&NewGame {
            mode: Some(Mode::Analyse),
            start: Start::Stored(id),
            leaves,
            ..NewGame::default()
        })?;
        let session = view.session.id().to_owned();
        lock(&self.shared.collection.opened).insert(id, session);
        Ok(view)
    }

    /// A stored game, whole.
    pub fn stored_game(&self, id: GameId) -> Result<GameDetails, DeskError> {
        let library = self.library()?;
        let game = library.game(id)?;
        let record = record_of(&game).map_err(|error| unreadable(id, &error))?;
        let listed = library.listed(&[id])?.pop();
        Ok(GameDetails {
            listed: listed.ok_or(DeskError::NoSuchGame(id))?,
            record,
            note: library.game_note(id)?,
        })
    }
}

fn unreadable(id: GameId, error: &dyn std::fmt::Display) -> DeskError {
    DeskError::Unreadable(format!("game {id} of the database cannot be read: {error}"))
}

impl Shared {
    /// A stored game as the record of a session.
    pub(super) fn stored_record(&self, id: GameId) -> Result<Record, DeskError> {
        let game = self.library()?.game(id)?;
        record_of(&game).map_err(|error| unreadable(id, &error))
    }
}

/// How a session is called that shows a stored game.
pub(super) fn title_of(record: &Record) -> Option<String> {
    use game::Tags;
    let tag = |name| record.tags.get(name).filter(|it| !it.is_empty());
    let name = |name| tag(name).unwrap_or("?");
    if tag(Tags::BLACK).is_none() && tag(Tags::WHITE).is_none() {
        return None;
    }
    // Whoever begins comes first.
    let [first, second] = match record.start().kind() {
        Kind::Othello => [Tags::BLACK, Tags::WHITE],
        Kind::Chess => [Tags::WHITE, Tags::BLACK],
    };
    let players = format!("{} – {}", name(first), name(second));
    let rest = [tag(Tags::EVENT), tag(Tags::DATE)];
    let parts = [Some(players.as_str())].into_iter().chain(rest).flatten();
    let title: String = parts.collect::<Vec<_>>().join(", ");
    Some(title.chars().take(crate::session::TITLE_MAX).collect())
}
