//! What the searching threads think with: one evaluation and one way of searching for all of them.
//!
//! A change of the settings is put here; the tools of both threads look before every search and
//! make a new engine, with an empty table, when the evaluation is another one.

use super::{DeskError, lock};
use crate::{
    AnalystError, Book, BookError, Config, Evaluation, EvaluatorChoice, Home, OpenBook, Origin,
    Tuning, config::EngineName,
};
use std::sync::{Arc, Mutex};

/// Shared by the desk and the threads; clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Brain(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    choice: EvaluatorChoice,
    /// Shipped weights are unpacked when the first engine needs them, so that the page need not
    /// wait for it.
    evaluation: Option<Evaluation>,
    tuning: Tuning,
    opponent: EngineName,
    book: Arc<Book>,
}

impl Inner {
    fn new(config: &Config, evaluation: Option<Evaluation>, book: Arc<Book>) -> Self {
        let used = evaluation.as_ref().map(|it| it.origin().evaluator);
        Self {
            choice: used.unwrap_or(config.evaluation.evaluator),
            evaluation,
            tuning: config.engine.tuning(),
            opponent: config.engine.engine,
            book,
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
        let inner = Inner::new(config, evaluation, book);
        (Self(Arc::new(Mutex::new(inner))), problems)
    }

    /// The book that strong levels play from.
    pub(super) fn book(&self) -> Arc<Book> {
        Arc::clone(&lock(&self.0).book)
    }

    pub(super) fn evaluation(&self) -> Result<Evaluation, AnalystError> {
        let mut inner = lock(&self.0);
        if let Some(evaluation) = &inner.evaluation {
            return Ok(evaluation.clone());
        }
        let evaluation = Evaluation::shipped(inner.choice)?;
        Ok(inner.evaluation.insert(evaluation).clone())
    }

    /// Where the weights came from, without unpacking any.
    pub(super) fn origin(&self) -> Origin {
        let inner = lock(&self.0);
        match &inner.evaluation {
            Some(evaluation) => evaluation.origin().clone(),
            None => Origin {
                evaluator: inner.choice,
                file: None,
            },
        }
    }

    pub(super) fn tuning(&self) -> Tuning {
        lock(&self.0).tuning
    }

    /// What searches for a level.
    pub(super) fn opponent(&self) -> EngineName {
        lock(&self.0).opponent
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
            let opened = open_book(wanted, home);
            let opened = opened.map_err(|error| DeskError::Invalid(error.to_string()))?;
            prepared.book = Some(opened);
        }
        Ok(prepared)
    }

    /// Puts a changed configuration to use: the next search goes by it. The sentences say what is
    /// odd about what was read for it.
    pub(super) fn adopt(&self, config: &Config, prepared: Prepared) -> Vec<String> {
        let mut inner = lock(&self.0);
        let evaluation = prepared.evaluation;
        let evaluation = evaluation.unwrap_or_else(|| inner.evaluation.clone());
        let (book, warnings) = match prepared.book {
            Some(OpenBook { book, warnings }) => (book, warnings),
            None => (Arc::clone(&inner.book), Vec::new()),
        };
        *inner = Inner::new(config, evaluation, book);
        warnings
    }
}

/// What waits for its configuration to be written; what stays as it was is `None`.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The inner `None` is the shipped one.
    evaluation: Option<Option<Evaluation>>,
    book: Option<OpenBook>,
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
