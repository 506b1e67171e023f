//! What the searching threads think with: one evaluation and one way of searching for all of them.
//!
//! A change of the settings is put here; the tools of both threads look before every search and
//! make a new engine, with an empty table, when the evaluation is another one.

use super::{DeskError, NoticeLevel, lock};
use crate::{
    AnalystError, Book, BookError, Config, Evaluation, EvaluatorChoice, Home, OpenBook, Origin,
    Tuning, config::EngineName, evaluation::Stamp,
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

/// Shared by the desk and the threads; clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Brain {
    inner: Arc<Mutex<Inner>>,
    listener: Arc<OnceLock<Listener>>,
}

/// Hears, in a sentence, what became of a file of weights or a book that the user has changed.
struct Listener(Box<dyn Fn(NoticeLevel, String) + Send + Sync>);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener").finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Inner {
    choice: EvaluatorChoice,
    /// Shipped weights are unpacked when the first engine needs them, so that the page need not
    /// wait for it.
    evaluation: Option<Evaluation>,
    /// What the file of the weights looked like when it was last read, well or not.
    seen: Option<Stamp>,
    tuning: Tuning,
    opponent: EngineName,
    book: Arc<Book>,
    /// Where the book is if it is the user's own, and what the file looked like when it was last
    /// read, well or not.
    book_file: Option<(PathBuf, Stamp)>,
}

impl Inner {
    fn new(
        config: &Config,
        evaluation: Option<Evaluation>,
        book: Arc<Book>,
        book_file: Option<(PathBuf, Stamp)>,
    ) -> Self {
        let used = evaluation.as_ref().map(|it| it.origin().evaluator);
        let seen = evaluation.as_ref().and_then(Evaluation::stamp);
        Self {
            choice: used.unwrap_or(config.evaluation.evaluator),
            evaluation,
            seen,
            tuning: config.engine.tuning(),
            opponent: config.engine.engine,
            book,
            book_file,
        }
    }
}

impl Brain {
    /// As configured. Weights that cannot be used are replaced by the shipped ones, a book by none;
    /// the sentences say so.
    pub(super) fn new(config: &Config, home: &Home) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let evaluation = load(config, home).unwrap_or_else(|error| {
            problems.push(format!("{error}. The shipped weights are used instead."));
            None
        });
        let book_file = book_file(config, home);
        let book = match open_book(config, home) {
            Ok(opened) => {
                problems.extend(opened.warnings);
                opened.book
            }
            Err(error) => {
                problems.push(format!("{error}. The engine plays without a book."));
                Arc::default()
            }
        };
        let inner = Inner::new(config, evaluation, book, book_file);
        let brain = Self {
            inner: Arc::new(Mutex::new(inner)),
            listener: Arc::default(),
        };
        (brain, problems)
    }

    /// Whom to tell what became of a changed file; the first one stays.
    pub(super) fn tell(&self, listener: impl Fn(NoticeLevel, String) + Send + Sync + 'static) {
        let _first = self.listener.set(Listener(Box::new(listener)));
    }

    /// The book that strong levels play from.
    pub(super) fn book(&self) -> Arc<Book> {
        Arc::clone(&lock(&self.inner).book)
    }

    /// The same for a search that is about to begin. A file that the user has changed is read again,
    /// once; if it cannot be used, the book before stays.
    pub(super) fn fresh_book(&self) -> Arc<Book> {
        self.look_at_book();
        self.book()
    }

    /// The file is read without the lock: the desk must not wait for the disk.
    fn look_at_book(&self) {
        let Some(known) = lock(&self.inner).book_file.clone() else {
            return;
        };
        let path = &known.0;
        let now = Stamp::of(path);
        if now == known.1 {
            return;
        }
        let read = OpenBook::read(path);
        let mut inner = lock(&self.inner);
        if inner.book_file.as_ref() != Some(&known) {
            return;
        }
        inner.book_file = Some((path.clone(), now));
        let (level, told) = match read {
            Ok(OpenBook { book, mut warnings }) => {
                inner.book = book;
                warnings.insert(0, "The book has changed and is in use now.".to_owned());
                (NoticeLevel::Info, warnings)
            }
            Err(error) => {
                let message = format!("The book has changed, but {error}. The one before stays.");
                (NoticeLevel::Warning, vec![message])
            }
        };
        drop(inner);
        for message in told {
            self.say(level, message);
        }
    }

    fn say(&self, level: NoticeLevel, message: String) {
        if let Some(Listener(tell)) = self.listener.get() {
            tell(level, message);
        }
    }

    /// What values positions now. A file of weights that the user has changed is read again, once;
    /// if it does not fit, what was in use stays.
    pub(super) fn evaluation(&self) -> Result<Evaluation, AnalystError> {
        self.look_at_file();
        let mut inner = lock(&self.inner);
        if let Some(evaluation) = &inner.evaluation {
            return Ok(evaluation.clone());
        }
        let evaluation = Evaluation::shipped(inner.choice)?;
        Ok(inner.evaluation.insert(evaluation).clone())
    }

    /// The file is read without the lock: the desk must not wait for the disk.
    fn look_at_file(&self) {
        let (old, seen) = {
            let inner = lock(&self.inner);
            (inner.evaluation.clone(), inner.seen)
        };
        let Some((old, file)) = old
            .as_ref()
            .and_then(|it| Some((it, it.origin().file.as_ref()?)))
        else {
            return;
        };
        let now = Stamp::of(&file.path);
        if Some(now) == seen {
            return;
        }
        let read = Evaluation::load(old.origin().evaluator, Some(&file.path));
        let is_current = |inner: &Inner| {
            inner.seen == seen && inner.evaluation.as_ref().is_some_and(|it| it.is_same(old))
        };
        let mut inner = lock(&self.inner);
        if !is_current(&inner) {
            return;
        }
        inner.seen = Some(now);
        let (level, message) = match read {
            // Touched, and the same as before: tables stay.
            Ok(new) if new.origin() == old.origin() => return,
            Ok(new) => {
                let name = new.origin().to_string();
                inner.evaluation = Some(new);
                let message = format!("The weights file has changed; {name} is in use now.");
                (NoticeLevel::Info, message)
            }
            Err(error) => {
                let name = old.origin();
                let message =
                    format!("The weights file has changed, but {error}. {name} stays in use.");
                (NoticeLevel::Warning, message)
            }
        };
        drop(inner);
        self.say(level, message);
    }

    /// Where the weights came from, without unpacking any.
    pub(super) fn origin(&self) -> Origin {
        let inner = lock(&self.inner);
        match &inner.evaluation {
            Some(evaluation) => evaluation.origin().clone(),
            None => Origin {
                evaluator: inner.choice,
                file: None,
            },
        }
    }

    pub(super) fn tuning(&self) -> Tuning {
        lock(&self.inner).tuning
    }

    /// What searches for a level.
    pub(super) fn opponent(&self) -> EngineName {
        lock(&self.inner).opponent
    }

    /// Makes ready what a changed configuration asks for; nothing is changed yet. Weights
    /// or a book that cannot be used refuse the change.
    pub(super) fn prepare(
        before: &Config,
        wanted: &Config,
        home: &Home,
    ) -> Result<Prepared, DeskError> {
        let mut prepared = Prepared::default();
        if before.evaluation != wanted.evaluation {
            let evaluation = load(wanted, home);
            let evaluation = evaluation.map_err(|error| DeskError::Invalid(error.to_string()))?;
            prepared.evaluation = Some(evaluation);
        }
        if before.book != wanted.book {
            let file = book_file(wanted, home);
            let opened = open_book(wanted, home);
            let opened = opened.map_err(|error| DeskError::Invalid(error.to_string()))?;
            prepared.book = Some((opened, file));
        }
        Ok(prepared)
    }

    /// Puts a changed configuration to use: the next search goes by it. The sentences say what is
    /// odd about what was read for it.
    pub(super) fn adopt(&self, config: &Config, prepared: Prepared) -> Vec<String> {
        let mut inner = lock(&self.inner);
        let evaluation = prepared.evaluation;
        let evaluation = evaluation.unwrap_or_else(|| inner.evaluation.clone());
        let (book, file, warnings) = match prepared.book {
            Some((OpenBook { book, warnings }, file)) => (book, file, warnings),
            None => (Arc::clone(&inner.book), inner.book_file.take(), Vec::new()),
        };
        *inner = Inner::new(config, evaluation, book, file);
        warnings
    }
}

/// What waits for its configuration to be written; what stays as it was is `None`.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The inner `None` is the shipped one.
    evaluation: Option<Option<Evaluation>>,
    book: Option<(OpenBook, Option<(PathBuf, Stamp)>)>,
}

/// The configured book's file as it is now; looked at before it is read, so that a change between
/// the two is seen.
fn book_file(config: &Config, home: &Home) -> Option<(PathBuf, Stamp)> {
    let file = config.book.file(home.path())?;
    let stamp = Stamp::of(&file);
    Some((file, stamp))
}

fn open_book(config: &Config, home: &Home) -> Result<OpenBook, BookError> {
    OpenBook::open(&config.book, home.path())
}

/// The configured file's evaluation; `None` without a file.
fn load(config: &Config, home: &Home) -> Result<Option<Evaluation>, AnalystError> {
    let wanted = &config.evaluation;
    let file = wanted.file(home.path());
    file.map(|file| Evaluation::load(wanted.evaluator, Some(&file)))
        .transpose()
}
