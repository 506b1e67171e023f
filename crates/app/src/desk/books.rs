//! What opening books say about a position, for the explorer: ours for Othello, a Polyglot book of
//! the user's for chess.

use super::{Desk, DeskError};
use crate::{BookChoice, Config};
use game::{Move, Position, polyglot};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

/// The moves of a book at a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookMoves {
    /// What the book is called; empty if there is none for this game.
    pub book: String,
    /// Moves and their weights, heaviest first.
    pub moves: Vec<(Move, u32)>,
    /// Why the book cannot be used.
    pub problem: Option<String>,
}

/// The chess book of a configuration.
fn chess_book(config: &Config, home: &Path) -> Option<PathBuf> {
    (!config.chess_book.is_empty()).then(|| home.join(&config.chess_book))
}

fn open(path: &Path) -> Result<polyglot::Book<BufReader<File>>, String> {
    let failed = |reason: String| format!("the book {} cannot be used: {reason}", path.display());
    let is_file = std::fs::metadata(path)
        .map_err(|error| failed(error.to_string()))?
        .is_file();
    if !is_file {
        return Err(failed("it is no file".to_owned()));
    }
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    polyglot::Book::open(BufReader::new(file)).map_err(|error| failed(error.to_string()))
}

/// Refuses a configuration whose chess book is none.
pub(super) fn check_chess_book(
    before: &Config,
    wanted: &Config,
    home: &Path,
) -> Result<(), DeskError> {
    match chess_book(wanted, home).filter(|_| before.chess_book != wanted.chess_book) {
        Some(path) => open(&path).map(|_| ()).map_err(DeskError::Invalid),
        None => Ok(()),
    }
}

impl Desk {
    /// What the book of a position's game says about it. A book is opened where it lies, so that one
    /// that was replaced is used at once.
    pub fn book_moves(&self, position: &Position) -> BookMoves {
        if let Some(othello) = position.othello() {
            let choices = self.shared.brain.fresh_book().choices(othello);
            let config = &self.shared.lock().settings.config;
            return BookMoves {
                book: match &config.book {
                    BookChoice::Off => String::new(),
                    BookChoice::Shipped => "Kibitz".to_owned(),
                    BookChoice::File(path) => file_name(Path::new(path)),
                },
                moves: choices
                    .iter()
                    .map(|it| (Move::from(it.square), it.weight))
                    .collect(),
                problem: None,
            };
        }
        let path = {
            let state = self.shared.lock();
            chess_book(&state.settings.config, self.shared.home.path())
        };
        let (Some(path), Position::Chess(chess)) = (path, position) else {
            return BookMoves::default();
        };
        let book = file_name(&path);
        let found = open(&path).and_then(|mut it| {
            let moves = it.moves(chess).map_err(|error| error.to_string());
            moves.map_err(|reason| format!("the book {book} cannot be used: {reason}"))
        });
        match found {
            Ok(moves) => BookMoves {
                book,
                moves: moves
                    .iter()
                    .map(|it| (Move::Chess(it.action), u32::from(it.weight)))
                    .collect(),
                problem: None,
            },
            Err(problem) => BookMoves {
                book,
                moves: Vec::new(),
                problem: Some(problem),
            },
        }
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
