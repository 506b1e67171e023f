//! A line of moves as bytes, and the footprints of its positions: what a database keeps and finds.
//!
//! A database does not know the rules. It stores [`Packed`] lines, asks for their [`Footprint`]s
//! and compares numbers; a [`Trail`] turns a position that is looked for into the same numbers.

use crate::{Kind, Move, ParsePositionError, Position, Record};
use othello::{Board, Square, Symmetry, zobrist};

/// The start position and main line of a game as bytes. Passes are not written: the rules make
/// them.
///
/// ```
/// use game::{Packed, Position, Record};
/// let mut record = Record::new(Position::OTHELLO_START);
/// let f5 = record.add_text(record.root(), "f5")?;
/// record.add_text(f5, "d6")?;
/// let packed = Packed::from(&record);
/// assert_eq!(packed.moves, [37, 43]);
/// assert_eq!(packed.replay()?.main_moves().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    pub kind: Kind,
    /// The start position, unless it is the usual one of the game.
    pub start: Option<Position>,
    pub moves: Vec<u8>,
}

/// Bytes that are no line of legal moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The start position cannot be read.
    #[error(transparent)]
    Start(#[from] ParsePositionError),
    /// A byte that is no legal move where it stands.
    #[error("move {ply} of the stored game, byte {byte}, is not legal there")]
    Move {
        /// The number of the move, counted from 1.
        ply: usize,
        byte: u8,
    },
}

/// What a database remembers of one position of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// A rough class that equal positions share. An Othello game has at most one position of each
    /// class: the number of discs.
    pub class: u8,
    /// The hash of the least of the position's images.
    pub key: u64,
    /// The move that followed, as it looks on that image; [`Footprint::END`] if none did.
    pub next: u8,
}

impl Footprint {
    /// Stands for the move after the last position.
    pub const END: u8 = u8::MAX;
    /// Classes are smaller than this.
    pub const CLASSES: usize = 65;
}

/// A position that is looked for: its class and key, and the way back from the image that
/// footprints speak of to the board as it was asked about.
#[derive(Debug, Clone, Copy)]
pub struct Trail {
    pub class: u8,
    pub key: u64,
    back: Symmetry,
}

/// The least image of a position, and the symmetries that lead there: more than one where the
/// position is symmetric itself.
fn least_image(board: Board) -> (Board, [bool; 8]) {
    let images = Symmetry::ALL.map(|symmetry| symmetry.board(board));
    let mut least = images[0];
    for image in images {
        if image < least {
            least = image;
        }
    }
    (least, images.map(|image| image == least))
}

/// A forced pass changes nothing that could be looked for: the position after it stands for both.
fn settled(position: othello::Position) -> othello::Position {
    if position.board.must_pass() {
        position.pass().unwrap_or(position)
    } else {
        position
    }
}

fn footprint(position: othello::Position, next: Option<Square>) -> Footprint {
    let (least, ways) = least_image(position.board);
    // Moves that the position's own symmetries turn into each other are one move: the least.
    let images = Symmetry::ALL.into_iter().zip(ways);
    let images = images.filter(|(_, leads)| *leads).map(|(way, _)| way);
    let next = next.and_then(|next| images.map(|way| way.square(next).index() as u8).min());
    Footprint {
        class: position.board.occupied().len() as u8,
        key: zobrist::hash(othello::Position {
            board: least,
            side: position.side,
        }),
        next: next.unwrap_or(Footprint::END),
    }
}

impl Trail {
    /// The numbers of a position.
    pub fn of(position: &Position) -> Self {
        let Position::Othello(position) = position;
        let position = settled(*position);
        let (_, way) = position.board.canonical();
        let Footprint { class, key, .. } = footprint(position, None);
        Self {
            class,
            key,
            back: way.inverse(),
        }
    }

    /// The move of a footprint on the board that was asked about.
    pub fn action(&self, next: u8) -> Option<Move> {
        let square = Square::new(next)?;
        Some(Move::from(self.back.square(square)))
    }
}

impl Packed {
    const fn start_position(&self) -> othello::Position {
        match &self.start {
            Some(Position::Othello(start)) => *start,
            None => othello::Position::START,
        }
    }

    /// Plays the game. `visit` gets each position before a placement with the square that follows,
    /// then the last position.
    fn walk(
        &self,
        mut visit: impl FnMut(othello::Position, Option<Square>),
    ) -> Result<(), UnpackError> {
        let mut position = settled(self.start_position());
        for (index, byte) in self.moves.iter().copied().enumerate() {
            let illegal = || UnpackError::Move {
                ply: index + 1,
                byte,
            };
            let square = Square::new(byte).ok_or_else(illegal)?;
            let next = position.play(square).map_err(|_| illegal())?;
            visit(position, Some(square));
            position = settled(next);
        }
        visit(position, None);
        Ok(())
    }

    /// The footprints of all positions, in the order of play.
    pub fn footprints(&self) -> Result<Vec<Footprint>, UnpackError> {
        let mut prints = Vec::with_capacity(self.moves.len() + 1);
        self.walk(|position, next| prints.push(footprint(position, next)))?;
        Ok(prints)
    }

    /// The footprint where the game met this position, if it did. Keys are compared first; that the
    /// boards are the same is then proven.
    pub fn meets(&self, wanted: &Position) -> Result<Option<Footprint>, UnpackError> {
        let Position::Othello(wanted) = wanted;
        let wanted = settled(*wanted);
        let n_discs = wanted.board.occupied().len();
        let (least, _) = least_image(wanted.board);
        let mut met = None;
        self.walk(|position, next| {
            if position.board.occupied().len() == n_discs
                && position.side == wanted.side
                && least_image(position.board).0 == least
            {
                met = Some(footprint(position, next));
            }
        })?;
        Ok(met)
    }

    /// The record of the line, without tags and notes.
    pub fn replay(&self) -> Result<Record, UnpackError> {
        let mut game = othello::Game::from_position(self.start_position());
        for (index, byte) in self.moves.iter().copied().enumerate() {
            let illegal = UnpackError::Move {
                ply: index + 1,
                byte,
            };
            let Some(square) = Square::new(byte) else {
                return Err(illegal);
            };
            if game.place(square).is_err() {
                return Err(illegal);
            }
        }
        Ok(Record::from(&game))
    }
}

impl From<&othello::Game> for Packed {
    fn from(game: &othello::Game) -> Self {
        let start = game.start();
        let squares = game.moves().filter_map(othello::Move::square);
        Self {
            kind: Kind::Othello,
            start: (start != othello::Position::START).then(|| start.into()),
            moves: squares.map(|square| square.index() as u8).collect(),
        }
    }
}

impl From<&Record> for Packed {
    fn from(record: &Record) -> Self {
        Self::from(&record.to_othello_game())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    fn games() -> impl Iterator<Item = othello::Game> {
        let mut random = SplitMix64::new(1);
        let random_game = move |_| {
            let mut game = othello::Game::new();
            loop {
                let moves: Vec<Square> = game.position().board.legal_moves().into_iter().collect();
                if moves.is_empty() {
                    return game;
                }
                let n = random.next_u64() % moves.len() as u64;
                game.place(moves[n as usize]).unwrap();
            }
        };
        (0..200).map(random_game)
    }

    #[test]
    fn a_line_comes_back() {
        for game in games() {
            let packed = Packed::from(&game);
            let again = packed.replay().unwrap().to_othello_game();
            assert_eq!(again.transcript(), game.transcript());
            let prints = packed.footprints().unwrap();
            assert_eq!(prints.len(), packed.moves.len() + 1);
            assert!(prints.windows(2).all(|pair| pair[0].class < pair[1].class));
            assert_eq!(prints.last().unwrap().next, Footprint::END);
        }
    }

    #[test]
    fn symmetric_positions_have_one_footprint_and_their_moves_come_back() {
        for game in games().take(40) {
            let packed = Packed::from(&game);
            packed
                .walk(|position, next| {
                    let print = footprint(position, next);
                    for symmetry in Symmetry::ALL {
                        let image = Position::from(symmetry.position(position));
                        let trail = Trail::of(&image);
                        assert_eq!((trail.class, trail.key), (print.class, print.key));
                        let Some(next) = next else { continue };
                        // The move that comes back leads to the same position up to symmetry.
                        let after = |position: &Position, action| {
                            Trail::of(&position.play(action).unwrap()).key
                        };
                        let back = trail.action(print.next).unwrap();
                        let there = after(&position.into(), Move::from(next));
                        assert_eq!(after(&image, back), there);
                        assert!(packed.meets(&image).unwrap().is_some());
                    }
                })
                .unwrap();
        }
    }

    #[test]
    fn bytes_that_are_no_game_are_refused() {
        let packed = |moves: &[u8]| Packed {
            kind: Kind::Othello,
            start: None,
            moves: moves.to_vec(),
        };
        assert_eq!(
            packed(&[37, 37]).footprints().unwrap_err().to_string(),
            "move 2 of the stored game, byte 37, is not legal there"
        );
        assert!(packed(&[64]).replay().is_err());
        assert!(packed(&[]).footprints().unwrap().len() == 1);
    }
}
