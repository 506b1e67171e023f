//! The library of a program that runs for long: one thread writes, everybody may ask.

use super::{
    ExportFormat, Exported, ImportReport, Importing, LibraryError, QueryError, export, import,
    parse_query,
};
use game::Position;
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};
use store::{
    Analysis, Event, Explored, Filter, Found, GameId, GameNote, Note, Order, Page, Review, Stats,
    Store, StoreError, StoredGame, Writer, WriterSettings,
};

/// Games and notes for the routes of a server: every method is one wish, and may be called from any
/// thread.
#[derive(Debug)]
pub struct Library {
    writer: Writer,
    /// Reads by itself, so that a question never waits for an import.
    reader: Mutex<Store>,
}

fn now_seconds() -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |it| it.as_secs() as i64)
}

/// What an accepted change gives.
type Written = Result<(), Arc<StoreError>>;

impl Library {
    /// Opens the database, or makes it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            writer: Writer::start(path, WriterSettings::new(now_seconds))?,
            reader: Mutex::new(Store::open(path)?),
        })
    }

    fn reader(&self) -> MutexGuard<'_, Store> {
        // A reader has no state that a panic could leave half done.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The query that the user types, or `saved:NAME` for one that was saved.
    pub fn filter(&self, query: &str) -> Result<Filter, LibraryError> {
        let saved = query.trim().strip_prefix("saved:");
        let text = match saved {
            Some(name) => self
                .reader()
                .saved_search(name)?
                .ok_or_else(|| QueryError::Saved(name.to_owned()))?,
            None => query.to_owned(),
        };
        Ok(parse_query(&text)?)
    }

    pub fn find(&self, filter: &Filter, order: Order, page: Page) -> Result<Found, StoreError> {
        self.reader().find(filter, order, page)
    }

    /// What games did in a position.
    pub fn explore(
        &self,
        position: &Position,
        filter: &Filter,
        n_games: usize,
    ) -> Result<Explored, StoreError> {
        self.reader().explore(position, filter, n_games)
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

    pub fn review(&self, id: GameId, maker: &str) -> Result<Option<Review>, StoreError> {
        self.reader().review(id, maker)
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

    /// Writes what nobody waits for, with the next batch.
    pub fn record(&self, event: Event) {
        drop(self.writer.send(event));
    }

    /// Deletes a game; whether it was there.
    pub fn delete(&self, id: GameId) -> Result<bool, LibraryError> {
        Ok(self.writer.with(move |store| store.delete(id))??)
    }

    /// Says under which names the user plays.
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

    /// Writes the games that pass a filter.
    pub fn export(
        &self,
        filter: &Filter,
        format: ExportFormat,
        out: &mut dyn Write,
    ) -> Result<Exported, LibraryError> {
        export(&self.reader(), filter, format, out)
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
        library.set_selves(vec!["Bob".to_owned()]).unwrap();
        assert_eq!((found("own:yes"), found("own:yes ann")), (1, 0));
        let (name, query) = ("mine".to_owned(), Some("own:yes game:chess".to_owned()));
        library.write(Event::Search { name, query }).unwrap();
        assert_eq!(found("saved:mine"), 1);
        assert!(library.filter("saved:other").is_err());
        let mut out = Vec::new();
        let exported = library
            .export(&Filter::default(), ExportFormat::Pgn, &mut out)
            .unwrap();
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
