//! The opening book in use: the shipped one, a file of the user's, or none.

mod grow;

pub use grow::{Ended, GrowError, GrownBook, Progress, Wish};

use crate::input::{BOOK_MAX, InputError, read_bounded, text_of};
use engine::book::Book;
pub use engine::book::{Branch, Choice, Entry, Recipe, Tree, TreeError, Values, Walk};
use othello::{Position, Square};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Which book is opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BookChoice {
    #[default]
    Shipped,
    Off,
    /// A file, from the home folder if its path does not begin at the root.
    File(String),
}

impl BookChoice {
    /// Where the book is; `None` if it is not in a file.
    pub fn file(&self, home: &Path) -> Option<PathBuf> {
        match self {
            Self::File(path) => Some(home.join(path)),
            Self::Shipped | Self::Off => None,
        }
    }
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file has nothing to play.
    #[error("cannot use {path}: {reason}", path = path.display())]
    Empty { path: PathBuf, reason: String },
    /// A grown book that is damaged, or of a newer program.
    #[error("cannot use {path}: {source}", path = path.display())]
    Grown { path: PathBuf, source: TreeError },
}

/// A book, and what of its file had to be left out.
#[derive(Debug, Clone)]
pub struct OpenBook {
    pub book: Arc<Book>,
    /// In sentences that name the file.
    pub warnings: Vec<String>,
}

impl OpenBook {
    fn whole(book: Arc<Book>) -> Self {
        Self {
            book,
            warnings: Vec::new(),
        }
    }

    /// Opens the chosen book.
    pub fn open(choice: &BookChoice, home: &Path) -> Result<Self, BookError> {
        match choice {
            BookChoice::Off => Ok(Self::whole(Arc::default())),
            BookChoice::Shipped => Ok(Self::whole(shipped())),
            BookChoice::File(path) => Self::read(&home.join(path)),
        }
    }

    /// Reads a file in JSON, or a grown book. JSON that has an entry to play is used as far as it
    /// goes; a grown book is whole or refused.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let bytes = read_bounded(path, BOOK_MAX)?;
        if Tree::is_tree(&bytes) {
            let tree = tree_of(path, &bytes)?;
            return Ok(Self::whole(Arc::new(tree.to_book())));
        }
        let text = text_of(path, bytes)?;
        let (book, found) = Book::from_json(&text);
        if let (true, Some(first)) = (book.is_empty(), found.first()) {
            return Err(BookError::Empty {
                path: path.to_owned(),
                reason: first.to_string(),
            });
        }
        /// A book that is damaged all over is said to be so often enough.
        const MOST_WARNINGS: usize = 5;
        let shown = path.display();
        let told = found.iter().take(MOST_WARNINGS);
        let mut warnings: Vec<String> = told.map(|it| format!("{shown}: {it}")).collect();
        if found.len() > MOST_WARNINGS {
            let more = found.len() - MOST_WARNINGS;
            warnings.push(format!("{shown}: and {more} more"));
        }
        Ok(Self {
            book: Arc::new(book),
            warnings,
        })
    }
}

/// The grown book of a file; `None` if the file is something else.
pub fn read_tree(path: &Path) -> Result<Option<Tree>, BookError> {
    let bytes = read_bounded(path, BOOK_MAX)?;
    let tree = Tree::is_tree(&bytes).then(|| tree_of(path, &bytes));
    tree.transpose()
}

fn tree_of(path: &Path, bytes: &[u8]) -> Result<Tree, BookError> {
    Tree::from_bytes(bytes).map_err(|source| BookError::Grown {
        path: path.to_owned(),
        source,
    })
}

/// Read once, however many players there are.
fn shipped() -> Arc<Book> {
    static SHIPPED: OnceLock<Arc<Book>> = OnceLock::new();
    Arc::clone(SHIPPED.get_or_init(|| Arc::new(Book::shipped())))
}

/// The moves that a book has at a position, heaviest first.
pub fn squares(book: &Book, position: Position) -> Vec<Square> {
    let choices = book.choices(position);
    choices.into_iter().map(|choice| choice.square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_opened_as_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let open = |choice: &BookChoice| OpenBook::open(choice, folder.path());
        assert!(open(&BookChoice::Off).unwrap().book.is_empty());
        let shipped = open(&BookChoice::Shipped).unwrap().book;
        assert!(!shipped.choices(Position::START).is_empty());
        let mine = BookChoice::File("mine.json".to_owned());
        let error = open(&mine).unwrap_err().to_string();
        assert!(error.starts_with("cannot read ") && error.contains("mine.json"));
        let write = |text: &str| std::fs::write(folder.path().join("mine.json"), text).unwrap();
        write("[]");
        let error = open(&mine).unwrap_err().to_string();
        assert!(
            error.contains("mine.json: the book ends early with 0 entries read"),
            "{error}"
        );
        write(r#"{"42d09a77fb4dec28": [2, 3], "x": [1, 1]}"#);
        let opened = open(&mine).unwrap();
        let d3 = "d3".parse().unwrap();
        assert_eq!(squares(&opened.book, Position::START), [d3]);
        let [warning] = &opened.warnings[..] else {
            panic!("{:?}", opened.warnings);
        };
        assert!(warning.contains("mine.json: book entry \"x\" is left out"));
    }
}
