//! The library of a program that runs for long: one thread writes, everybody may ask.

use super::{
    ExportFormat, Exported, ImportReport, Importing, Insights, KeptReview, LibraryError,
    PlayedGame, QueryError, export, import, insights, line_key, listing::Lists, parse_query,
    parse_saved, played, recalled, record_of,
};
use crate::{Home, live, review::Voice};
use coach::explain::Openings;
use game::{Kind, Position};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};
use store::{
    Analysis, Event, Explored, Filter, Found, GameId, GameNote, JobId, KeptJob, LineKey, NewGame,
    Note, Order, Page, Review, Stats, Store, StoreError, StoredGame, Writer, WriterSettings,
};

/// Games and notes for the routes of a server: every method is one wish, and may be called from any
/// thread.
#[derive(Debug)]
pub struct Library {
    writer: Writer,
    /// Reads by itself, so that a question never waits for an import.
    reader: Mutex<Store>,
    /// For what takes seconds, so that a short question never waits for it.
    slow_reader: Mutex<Store>,
    pub(super) lists: Lists,
    /// None if those that the program comes with cannot be read; then games have no openings.
    pub(super) openings: Option<Openings>,
}

fn now_seconds() -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |it| it.as_secs() as i64)
}

/// What an accepted change gives.
type Written = Result<(), Arc<StoreError>>;

impl Library {
    /// Opens a database that must be there.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        drop(Store::open_existing(path)?);
        Self::open(path)
    }

    /// Opens the database, or makes it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            writer: Writer::start(path, WriterSettings::new(now_seconds))?,
            reader: Mutex::new(Store::open(path)?),
            slow_reader: Mutex::new(Store::open(path)?),
            lists: Lists::default(),
            openings: Openings::shipped().ok(),
        })
    }

    pub(super) fn reader(&self) -> MutexGuard<'_, Store> {
        // A reader has no state that a panic could leave half done.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slow_reader(&self) -> MutexGuard<'_, Store> {
        self.slow_reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Who answers a question. Part of a position is looked for by replaying games.
    pub(super) fn reader_for(&self, filter: &Filter) -> MutexGuard<'_, Store> {
        if filter.part.is_some() {
            self.slow_reader()
        } else {
            self.reader()
        }
    }

    /// The query that the user types, with `saved:NAME` for one that was saved.
    pub fn filter(&self, query: &str) -> Result<Filter, LibraryError> {
        parse_saved(query, &|name| self.reader().saved_search(name))
    }

    pub fn find(&self, filter: &Filter, order: Order, page: Page) -> Result<Found, StoreError> {
        self.reader_for(filter).find(filter, order, page)
    }

    /// What games did in a position.
    pub fn explore(
        &self,
        position: &Position,
        filter: &Filter,
        n_games: usize,
    ) -> Result<Explored, StoreError> {
        self.reader_for(filter).explore(position, filter, n_games)
    }

    pub fn game(&self, id: GameId) -> Result<StoredGame, StoreError> {
        self.reader().game(id)
    }

    /// The words that the user gave to a game.
    pub fn tags(&self, id: GameId) -> Result<Vec<String>, StoreError> {
        self.reader().tags(id)
    }

    pub fn note(&self, position: &Position) -> Result<Option<Note>, StoreError> {
        self.reader().note(position)
    }

    pub fn game_note(&self, id: GameId) -> Result<Option<String>, StoreError> {
        self.reader().game_note(id)
    }

    /// Notes on positions and on games that have all these words.
    pub fn search_notes(
        &self,
        text: &str,
        most: usize,
    ) -> Result<(Vec<Note>, Vec<GameNote>), StoreError> {
        let reader = self.reader();
        Ok((
            reader.search_notes(text, most)?,
            reader.search_game_notes(text, most)?,
        ))
    }

    pub fn analyses(&self, position: &Position) -> Result<Vec<Analysis>, StoreError> {
        self.reader().analyses(position)
    }

    /// What a maker ([`super::maker`]) has found about a line of moves, as it is kept.
    pub fn review_of_line(&self, line: LineKey, maker: &str) -> Result<Option<Review>, StoreError> {
        self.reader().review(line, maker)
    }

    /// The best review of an Othello game that is on the desk or anywhere else, ready to be shown:
    /// a finished one before others, then the newest. `None` if its moves were never reviewed.
    pub fn review_of_moves(
        &self,
        game: &othello::Game,
        voice: Voice,
    ) -> Result<Option<KeptReview>, StoreError> {
        let kept = self.reader().best_review(line_key(game))?;
        Ok(kept.and_then(|it| recalled(&it, game, voice)))
    }

    /// The best review of a game of the database.
    pub fn review(&self, id: GameId) -> Result<Option<KeptReview>, LibraryError> {
        let game = self.game(id)?;
        let record = record_of(&game).map_err(LibraryError::Record)?;
        let Some(game) = record.to_othello_game() else {
            return Ok(None);
        };
        Ok(self.review_of_moves(&game, Voice::Colours)?)
    }

    /// What the reviews of all games that pass a filter show together. They are about the player
    /// that the filter names, else about the user, else about everybody.
    pub fn insights(&self, filter: &Filter) -> Result<Insights, StoreError> {
        let reader = self.reader_for(filter);
        let sides = reader.reviewed_sides(filter)?;
        let nothing = Page { skip: 0, most: 0 };
        let total = reader.find(&insights::reviewable(filter), Order::Added, nothing)?;
        Ok(insights::insights(&sides, total.total as u64))
    }

    /// Games that pass a filter and can be reviewed, the newest first: those that have no finished
    /// review yet.
    pub fn to_review(&self, filter: &Filter, most: usize) -> Result<Vec<GameId>, StoreError> {
        self.reader_for(filter)
            .unreviewed(filter, Kind::Othello, most)
    }

    /// Writes down work that goes on after a restart.
    pub fn begin_job(
        &self,
        kind: &'static str,
        spec: String,
        games: Vec<GameId>,
    ) -> Result<KeptJob, LibraryError> {
        let at = now_seconds();
        let begun = self
            .writer
            .with(move |store| store.begin_job(kind, &spec, &games, at))?;
        Ok(begun?)
    }

    /// The jobs that are not over, the oldest first.
    pub fn open_jobs(&self) -> Result<Vec<KeptJob>, StoreError> {
        self.reader().open_jobs()
    }

    pub fn job(&self, id: JobId) -> Result<Option<KeptJob>, StoreError> {
        self.reader().job(id)
    }

    /// The next game of a job: its place and its number.
    pub fn next_of_job(&self, id: JobId) -> Result<Option<(u32, GameId)>, StoreError> {
        self.reader().next_of_job(id)
    }

    /// The games of a job of which nothing came, and why.
    pub fn problems_of_job(&self, id: JobId) -> Result<Vec<(GameId, String)>, StoreError> {
        self.reader().problems_of_job(id)
    }

    /// The query that was saved under a name.
    pub fn saved_search(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.reader().saved_search(name)
    }

    /// The names under which the user plays.
    pub fn selves(&self) -> Result<Vec<String>, StoreError> {
        self.reader().selves()
    }

    pub fn saved_searches(&self) -> Result<Vec<String>, StoreError> {
        self.reader().saved_searches()
    }

    pub fn stats(&self) -> Result<Stats, StoreError> {
        self.reader().stats()
    }

    /// Writes a change for somebody who waits; it is on disk when this returns.
    pub fn write(&self, event: Event) -> Written {
        self.writer.write(event)
    }

    /// The same for those who tell one kind of error.
    pub fn keep(&self, event: Event) -> Result<(), LibraryError> {
        Ok(self.write(event)?)
    }

    /// Gives a word to games, or takes it away: to all of them or to none. Games that are gone are
    /// left out.
    pub fn tag_all(&self, ids: &[GameId], tag: &str, is_set: bool) -> Result<(), LibraryError> {
        let games = self.reader().games(ids)?;
        let events: Vec<Event> = games
            .iter()
            .map(|game| Event::Tag {
                game: game.id,
                tag: tag.to_owned(),
                is_set,
            })
            .collect();
        Ok(self.writer.with(move |store| store.write(&events))??)
    }

    /// Writes what nobody waits for, with the next batch.
    pub fn record(&self, event: Event) {
        drop(self.writer.send(event));
    }

    /// Writes what was handed over, and calls back when it is on disk. The thread that writes calls:
    /// it must not be kept waiting.
    pub fn after_writing(&self, done: impl FnOnce() + Send + 'static) {
        self.writer.then(move |_| done());
    }

    /// Waits until everything that was handed over is on disk.
    pub fn flush(&self) -> Written {
        self.writer.with(|_| ())
    }

    /// The time as the database writes it: seconds since 1970.
    pub fn now_seconds() -> i64 {
        now_seconds()
    }

    /// Writes the note of a position, which is shown wherever the position comes up; an empty text
    /// removes it. It is on disk when this returns.
    pub fn set_note(&self, position: &Position, text: &str) -> Result<(), LibraryError> {
        let (position, text) = (position.clone(), text.to_owned());
        Ok(self.write(Event::Note { position, text })?)
    }

    /// Writes the note of a game; an empty text removes it. It is on disk when this returns.
    pub fn set_game_note(&self, game: GameId, text: &str) -> Result<(), LibraryError> {
        self.game(game)?;
        let text = text.to_owned();
        Ok(self.write(Event::GameNote { game, text })?)
    }

    /// Gives a game a word, or takes it away. It is on disk when this returns.
    pub fn set_tag(&self, game: GameId, tag: &str, is_set: bool) -> Result<(), LibraryError> {
        self.game(game)?;
        let tag = tag.trim().to_owned();
        if tag.is_empty() {
            return Err(QueryError::EmptyTag.into());
        }
        Ok(self.write(Event::Tag { game, tag, is_set })?)
    }

    /// Saves a query under a name, in the place of what it stood for before; one that cannot be
    /// understood is refused. It is on disk when this returns.
    pub fn save_search(&self, name: &str, query: &str) -> Result<(), LibraryError> {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(QueryError::EmptyName.into());
        }
        parse_query(query)?;
        let query = Some(query.to_owned());
        Ok(self.write(Event::Search { name, query })?)
    }

    /// Forgets a saved query. It is off the disk when this returns.
    pub fn forget_search(&self, name: &str) -> Result<(), LibraryError> {
        let (name, query) = (name.trim().to_owned(), None);
        Ok(self.write(Event::Search { name, query })?)
    }

    /// Adds a game; whether it was new. It is on disk when this returns.
    pub fn add(&self, game: NewGame) -> Result<bool, LibraryError> {
        let before = self.stats()?.games;
        self.write(Event::Game(Box::new(game)))?;
        Ok(self.stats()?.games > before)
    }

    /// Writes down games that were played on the desk. Nobody waits for it: they have files.
    pub fn keep_played(&self, games: Vec<PlayedGame>) {
        self.writer.then(move |store| {
            if let Err(error) = played::keep(store, games) {
                tracing::warn!(%error, "a finished game is not in the database");
            }
        });
    }

    /// Whether the games that were finished before there was a database are here.
    pub fn is_taken_over(&self) -> Result<bool, LibraryError> {
        let taken = self
            .writer
            .with(|store| store.fetched_until(played::SOURCE))?;
        Ok(taken?.is_some())
    }

    /// Writes down games that were finished before, and that these are all.
    pub fn take_over(&self, games: Vec<PlayedGame>) {
        let now = now_seconds();
        self.writer.then(move |store| {
            let taken = played::keep(store, games);
            let noted = taken.and_then(|()| store.set_fetched_until(played::SOURCE, now));
            if let Err(error) = noted {
                tracing::warn!(%error, "finished games are not taken over");
            }
        });
    }

    /// Deletes a game with its note, tags and reviews; whether it was there. It is off the disk when
    /// this returns.
    pub fn delete(&self, id: GameId) -> Result<bool, LibraryError> {
        Ok(self.delete_all(vec![id])? > 0)
    }

    /// The same for several games, all of them or none; how many were there.
    pub fn delete_all(&self, ids: Vec<GameId>) -> Result<usize, LibraryError> {
        Ok(self.writer.with(move |store| store.delete(&ids))??)
    }

    /// Says under which names the user plays. It is on disk when this returns.
    pub fn set_selves(&self, names: Vec<String>) -> Result<(), LibraryError> {
        Ok(self.writer.with(move |store| store.set_selves(&names))??)
    }

    /// Reads files into the database; questions are answered meanwhile.
    pub fn import(
        &self,
        files: &[PathBuf],
        outside: Importing<'_>,
    ) -> Result<ImportReport, LibraryError> {
        import(&mut &self.writer, files, outside)
    }

    /// Fetches games from a server far away into the database; questions are answered meanwhile.
    pub fn fetch(
        &self,
        home: &Home,
        wish: &live::Wish,
        outside: &live::Outside<'_>,
    ) -> Result<live::Fetched, live::LiveError> {
        live::fetch(home, &mut &self.writer, wish, outside)
    }

    /// Writes games, in this order.
    pub fn export(
        &self,
        ids: &[GameId],
        format: ExportFormat,
        out: &mut dyn Write,
    ) -> Result<Exported, LibraryError> {
        export(&self.slow_reader(), ids, format, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_and_archives_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let text = b"f5d6c3d3c4\nf5f6e6f4\n";
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.txt.zst"), zstd::encode_all(&text[..], 1).unwrap()).unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(b"f5f4e3f6d3\n").unwrap();
        std::fs::write(path("b.txt.gz"), gz.finish().unwrap()).unwrap();
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bz.write_all(b"f5f4e3f6e6\n").unwrap();
        std::fs::write(path("c.txt.bz2"), bz.finish().unwrap()).unwrap();
        let mut zip = zip::ZipWriter::new(std::fs::File::create(path("d.zip")).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file("x/e.txt", options).unwrap();
        zip.write_all(b"f5d6c4\n").unwrap();
        zip.start_file("f.pgn", options).unwrap();
        zip.write_all(b"1. e4 e5 *\n\n1. d4 d5 *\n").unwrap();
        zip.finish().unwrap();
        let library = Library::open(&path("a.db")).unwrap();
        let outside = Importing {
            tell: &|_| {},
            is_stopped: &|| false,
            anew: false,
        };
        let files = ["a.txt.zst", "b.txt.gz", "c.txt.bz2", "d.zip"].map(path);
        let report = library.import(&files, outside).unwrap();
        assert_eq!((report.stored, report.n_problems), (7, 0), "{report:?}");
        // A damaged file is a problem or an error, and what was stored stays.
        std::fs::write(path("g.gz"), b"\x1f\x8bnothing").unwrap();
        let told = library.import(&[path("g.gz")], outside);
        assert!(told.is_err() || told.unwrap().n_problems > 0);
        assert_eq!(library.stats().unwrap().games, 7);
    }

    #[test]
    fn a_library_imports_finds_and_notes_from_any_thread() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.pgn");
        let text = "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"Bob\"]\n\n1. d4 d5 *\n";
        std::fs::write(&file, text).unwrap();
        let library = Library::open(&folder.path().join("a.db")).unwrap();
        let outside = Importing {
            tell: &|_| {},
            is_stopped: &|| false,
            anew: false,
        };
        let report = library
            .import(std::slice::from_ref(&file), outside)
            .unwrap();
        assert_eq!((report.stored, report.n_problems), (2, 0));
        let page = Page { skip: 0, most: 9 };
        let filter = library.filter("ann").unwrap();
        let found = library.find(&filter, Order::Newest, page).unwrap();
        assert_eq!(found.total, 1);
        let id = found.games[0].id;
        std::thread::scope(|scope| {
            for tag in ["a", "b", "c"] {
                let library = &library;
                scope.spawn(move || {
                    let tag = tag.to_owned();
                    let event = Event::Tag {
                        game: id,
                        tag,
                        is_set: true,
                    };
                    library.write(event).unwrap();
                });
            }
        });
        assert_eq!(library.tags(id).unwrap(), ["a", "b", "c"]);
        let text = "a fine **opening**".to_owned();
        library.write(Event::GameNote { game: id, text }).unwrap();
        assert_eq!(library.search_notes("opening", 5).unwrap().1.len(), 1);
        let found = |query: &str| {
            let filter = library.filter(query).unwrap();
            library.find(&filter, Order::Newest, page).unwrap().total
        };
        assert_eq!(
            (found("text:fine"), found("tag:b"), found("tag:z")),
            (1, 1, 0)
        );
        // One word is of the note, the other of a player's name.
        assert_eq!(
            (found("text:\"fine ann\""), found("text:\"fine bob\"")),
            (1, 0)
        );
        library.set_selves(vec!["Bob".to_owned()]).unwrap();
        assert_eq!((found("own:yes"), found("own:yes ann")), (1, 0));
        let (name, query) = ("mine".to_owned(), Some("own:yes game:chess".to_owned()));
        library.write(Event::Search { name, query }).unwrap();
        assert_eq!((found("saved:mine"), found("saved:mine ann")), (1, 0));
        assert!(library.filter("saved:other").is_err());
        let mut out = Vec::new();
        let ids = library.ids(&Filter::default(), Order::Added).unwrap();
        let exported = library.export(&ids, ExportFormat::Pgn, &mut out).unwrap();
        assert_eq!(exported.games, 2);
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("1. e4 e5 2. Nf3 1-0")
        );
        assert!(library.delete(id).unwrap());
        assert_eq!(found("ann"), 0);
    }
}
