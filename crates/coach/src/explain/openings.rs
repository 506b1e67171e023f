//! The names of openings, whatever the order of moves and however the board is turned.

use othello::{
    Board, Game, Move, Position,
    notation::{TranscriptError, parse_transcript},
};
use std::{collections::HashMap, sync::OnceLock};

/// A line of moves that players have a name for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub name: String,
    /// The variation, if it has a name of its own.
    pub variation: Option<String>,
    /// Other names in use.
    pub also: Vec<String>,
    /// The moves of the usual order, beginning with f5.
    pub moves: Vec<Move>,
}

impl Opening {
    /// `Tiger: Stephenson`, or the name alone.
    pub fn title(&self) -> String {
        match &self.variation {
            Some(variation) => format!("{}: {variation}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A line of an openings file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    #[error(
        "line {line}: {found} columns; expected moves, name, variation and other names, separated by tabs"
    )]
    Columns {
        /// Its number, counted from 1.
        line: usize,
        /// How many there are.
        found: usize,
    },
    #[error("line {line}: the name is empty")]
    NoName {
        /// Its number, counted from 1.
        line: usize,
    },
    /// Moves that cannot be played.
    #[error("line {line}: {error}")]
    Moves {
        /// Its number, counted from 1.
        line: usize,
        /// What is wrong with them.
        error: TranscriptError,
    },
    /// A position that has a name already.
    #[error("line {line} leads to the same position as {other:?}, up to symmetry")]
    Duplicate {
        /// Its number, counted from 1.
        line: usize,
        /// The title of the one before.
        other: String,
    },
}

/// The opening of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recognised<'a> {
    pub opening: &'a Opening,
    /// How many plies of the game belong to it; what follows is on its own.
    pub plies: usize,
}

/// All named openings, found by position.
#[derive(Debug)]
pub struct Openings {
    list: Vec<Opening>,
    /// Positions up to symmetry; which side is to move follows from the number of discs.
    by_board: HashMap<Board, usize>,
}

static SHIPPED: &str = include_str!("../../../../assets/openings.tsv");

impl Openings {
    /// The openings that the program comes with.
    pub fn shipped() -> Result<Self, OpeningsError> {
        Self::parse(SHIPPED)
    }

    /// The same, read once; `None` if they cannot be read.
    pub fn known() -> Option<&'static Self> {
        static KNOWN: OnceLock<Option<Openings>> = OnceLock::new();
        KNOWN.get_or_init(|| Self::shipped().ok()).as_ref()
    }

    /// Reads an openings file: moves, name, variation and other names (`; ` between them) by tabs;
    /// blank lines and lines that begin with `#` are skipped.
    pub fn parse(text: &str) -> Result<Self, OpeningsError> {
        let mut openings = Self {
            list: Vec::new(),
            by_board: HashMap::new(),
        };
        for (i, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                openings.add(i + 1, line)?;
            }
        }
        Ok(openings)
    }

    fn add(&mut self, line: usize, text: &str) -> Result<(), OpeningsError> {
        let columns: Vec<&str> = text.split('\t').map(str::trim).collect();
        let &[moves, name, variation, also] = &columns[..] else {
            return Err(OpeningsError::Columns {
                line,
                found: columns.len(),
            });
        };
        if name.is_empty() {
            return Err(OpeningsError::NoName { line });
        }
        let game = parse_transcript(moves).map_err(|error| OpeningsError::Moves { line, error })?;
        let (board, _) = game.position().board.canonical();
        if let Some(&other) = self.by_board.get(&board) {
            return Err(OpeningsError::Duplicate {
                line,
                other: self.list[other].title(),
            });
        }
        self.by_board.insert(board, self.list.len());
        self.list.push(Opening {
            name: name.to_owned(),
            variation: (!variation.is_empty()).then(|| variation.to_owned()),
            also: also
                .split("; ")
                .filter(|other| !other.is_empty())
                .map(str::to_owned)
                .collect(),
            moves: game.moves().collect(),
        });
        Ok(())
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Opening> {
        self.list.iter()
    }

    /// The name of a position.
    pub fn at(&self, position: Position) -> Option<&Opening> {
        let (board, _) = position.board.canonical();
        let opening = &self.list[*self.by_board.get(&board)?];
        // A pass could give the same discs to the other side.
        let blacks_turn = opening.moves.len().is_multiple_of(2);
        (blacks_turn == (position.side == othello::Side::Black)).then_some(opening)
    }

    /// The opening of a game: the last of its positions that has a name. Games that do not begin
    /// at the usual position may still come into one.
    pub fn recognise(&self, start: Position, moves: &[Move]) -> Option<Recognised<'_>> {
        let mut game = Game::from_position(start);
        let mut found = None;
        for plies in 0..=moves.len() {
            if plies > 0 && game.play(moves[plies - 1]).is_err() {
                break;
            }
            if let Some(opening) = self.at(game.position()) {
                found = Some(Recognised { opening, plies });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::Symmetry;

    fn moves(text: &str) -> Vec<Move> {
        parse_transcript(text).unwrap().moves().collect()
    }

    fn title(openings: &Openings, text: &str) -> Option<(String, usize)> {
        let found = openings.recognise(Position::START, &moves(text))?;
        Some((found.opening.title(), found.plies))
    }

    #[test]
    fn at_least_eighty_lines_are_legal_and_distinct() {
        let openings = Openings::shipped().unwrap();
        assert!(openings.iter().len() >= 80, "{}", openings.iter().len());
        for opening in openings.iter() {
            assert_eq!(opening.moves[0].to_string(), "f5", "{}", opening.title());
            let mut titles = openings.iter().map(Opening::title);
            assert_eq!(titles.by_ref().filter(|t| *t == opening.title()).count(), 1);
        }
    }

    #[test]
    fn the_longest_prefix_names_the_game() {
        let openings = Openings::shipped().unwrap();
        let named = |text| title(&openings, text);
        assert_eq!(named("f5"), None);
        assert_eq!(named("f5d6"), Some(("Perpendicular".to_owned(), 2)));
        assert_eq!(named("f5d6c3d3c4"), Some(("Tiger".to_owned(), 5)));
        // The last named position counts, not the last move.
        let longer = "f5d6c3d3c4f4f6f3e6e7d7c6d8f7g5h6g4";
        let (name, plies) = named(longer).unwrap();
        assert!(
            plies < moves(longer).len() && name.starts_with("Tiger"),
            "{name} {plies}"
        );
    }

    #[test]
    fn names_survive_symmetry() {
        let openings = Openings::shipped().unwrap();
        for opening in openings.iter() {
            for symmetry in Symmetry::ALL {
                if symmetry.board(Board::START) != Board::START {
                    continue;
                }
                let image: Vec<Move> = opening
                    .moves
                    .iter()
                    .map(|action| match action {
                        Move::Place(square) => Move::Place(symmetry.square(*square)),
                        Move::Pass => Move::Pass,
                    })
                    .collect();
                let found = openings.recognise(Position::START, &image).unwrap();
                assert_eq!((found.opening, found.plies), (opening, image.len()));
            }
        }
    }

    /// A side's two moves in the other order, where that is legal and ends in the same position.
    #[test]
    fn names_survive_transposition() {
        let openings = Openings::shipped().unwrap();
        let mut n_transposed = 0;
        for opening in openings.iter() {
            for i in 0..opening.moves.len().saturating_sub(2) {
                let mut moves = opening.moves.clone();
                moves.swap(i, i + 2);
                let mut game = Game::new();
                let legal = moves.iter().all(|&action| game.play(action).is_ok());
                if legal && openings.at(game.position()) == Some(opening) {
                    let found = openings.recognise(Position::START, &moves).unwrap();
                    assert_eq!((found.opening, found.plies), (opening, moves.len()));
                    n_transposed += 1;
                }
            }
        }
        assert!(n_transposed >= 5, "{n_transposed}");
    }

    #[test]
    fn bad_lines_are_named() {
        let error = |text: &str| Openings::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("# x\nf5 d6\tA"),
            "line 2: 2 columns; expected moves, name, variation and other names, separated by tabs"
        );
        assert!(error("f5a1\tA\t\t").starts_with("line 1: move 2 (\"a1\") is not legal"));
        assert_eq!(error("f5\t\t\t"), "line 1: the name is empty");
        assert_eq!(
            error("f5\tA\tB\t\nd3\tC\t\t"),
            "line 2 leads to the same position as \"A: B\", up to symmetry"
        );
    }
}
