//! A game: a start position, its moves, undo and redo, and how it ended.

use crate::{Bitboard, IllegalMoveError, Position, Side, Square, zobrist};
use std::fmt;

/// What a player does in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc on a square.
    Place(Square),
    /// No legal move: the turn goes over.
    Pass,
}

impl Move {
    /// The square, unless it is a pass.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Place(square) => Some(square),
            Self::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Self {
        Self::Place(square)
    }
}

/// `f5`, or `ps` for a pass.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.pad("ps"),
        }
    }
}

/// How a finished game ended, empty squares counted for the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Black's final disc count.
    pub black: u32,
    /// White's final disc count.
    pub white: u32,
}

impl Outcome {
    /// The outcome of a position where neither side can move.
    pub fn of_final(position: Position) -> Self {
        let for_mover = position.board.final_score();
        let for_black = match position.side {
            Side::Black => for_mover,
            Side::White => -for_mover,
        };
        let black = (64 + for_black) as u32 / 2;
        Self {
            black,
            white: 64 - black,
        }
    }

    /// Who won; `None` is a draw.
    pub fn winner(self) -> Option<Side> {
        match self.black.cmp(&self.white) {
            std::cmp::Ordering::Greater => Some(Side::Black),
            std::cmp::Ordering::Less => Some(Side::White),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The final disc difference for one side.
    pub fn score_for(self, side: Side) -> i32 {
        let difference = self.black as i32 - self.white as i32;
        match side {
            Side::Black => difference,
            Side::White => -difference,
        }
    }
}

/// A move as it was made: what undoing it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Made {
    action: Move,
    flips: Bitboard,
}

/// A game in progress or finished, with everything needed to go back and forth.
///
/// ```
/// use othello::Game;
/// let mut game = Game::new();
/// for name in ["f5", "d6", "c3"] {
///     game.place(name.parse().unwrap()).unwrap();
/// }
/// let hash = game.hash();
/// game.undo();
/// game.redo();
/// assert_eq!(game.hash(), hash);
/// assert_eq!(game.hash(), game.position().hash());
/// assert_eq!(game.transcript(), "f5d6c3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    start: Position,
    position: Position,
    hash: u64,
    /// Moves made; those from `ply` on were undone and can be redone.
    made: Vec<Made>,
    ply: usize,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game from the start position.
    pub fn new() -> Self {
        Self::from_position(Position::START)
    }

    /// A game from any position.
    pub fn from_position(start: Position) -> Self {
        Self {
            start,
            position: start,
            hash: start.hash(),
            made: Vec::new(),
            ply: 0,
        }
    }

    /// Goes back to `start` and forgets all moves, keeping the memory: for replaying many games.
    pub fn restart(&mut self, start: Position) {
        self.start = start;
        self.position = start;
        self.hash = start.hash();
        self.made.clear();
        self.ply = 0;
    }

    /// Where the game began.
    pub const fn start(&self) -> Position {
        self.start
    }

    pub const fn position(&self) -> Position {
        self.position
    }

    /// The Zobrist hash of the current position.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// How many moves, passes included, led here.
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The moves that led here, passes included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.made[..self.ply].iter().map(|made| made.action)
    }

    /// Makes a move exactly as given: a pass must be due, and a due pass must be made.
    pub fn play(&mut self, action: Move) -> Result<(), IllegalMoveError> {
        let flips = match action {
            Move::Place(square) => self.position.board.checked_flips(square)?,
            Move::Pass => {
                self.position.pass()?;
                Bitboard::EMPTY
            }
        };
        self.made.truncate(self.ply);
        self.made.push(Made { action, flips });
        self.step_forward(Made { action, flips });
        Ok(())
    }

    /// Places a disc and, if the side to move has no move at all, makes the pass that is due
    /// before it: how transcripts without written passes are read.
    pub fn place(&mut self, square: Square) -> Result<(), IllegalMoveError> {
        match self.position.board.checked_flips(square) {
            Ok(flips) => {
                let made = Made {
                    action: Move::Place(square),
                    flips,
                };
                self.made.truncate(self.ply);
                self.made.push(made);
                self.step_forward(made);
                Ok(())
            }
            Err(error @ IllegalMoveError::FlipsNothing { legal, .. }) if legal.is_empty() => {
                // The error speaks of the side that has no move; if the other side cannot play
                // there either, that side's legal moves are what helps the reader.
                let passed = self.position.swapped();
                passed.board.checked_flips(square)?;
                self.play(Move::Pass).map_err(|_| error)?;
                self.play(Move::Place(square))
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        let made = *self.made.get(self.ply.checked_sub(1)?)?;
        self.ply -= 1;
        let side = self.position.side.other();
        match made.action {
            Move::Place(square) => {
                self.position = Position {
                    board: self.position.board.undo_unchecked(square, made.flips),
                    side,
                };
                self.hash ^= zobrist::move_delta(side, square, made.flips);
            }
            Move::Pass => {
                self.position = self.position.swapped();
                self.hash ^= zobrist::pass_delta();
            }
        }
        Some(made.action)
    }

    /// Makes the last undone move again, unless another was played since.
    pub fn redo(&mut self) -> Option<Move> {
        let made = *self.made.get(self.ply)?;
        self.step_forward(made);
        Some(made.action)
    }

    fn step_forward(&mut self, made: Made) {
        let Position { board, side } = self.position;
        match made.action {
            Move::Place(square) => {
                self.position = Position {
                    board: board.play_unchecked(square, made.flips),
                    side: side.other(),
                };
                self.hash ^= zobrist::move_delta(side, square, made.flips);
            }
            Move::Pass => {
                self.position = self.position.swapped();
                self.hash ^= zobrist::pass_delta();
            }
        }
        self.ply += 1;
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position.board.is_game_over()
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::of_final(self.position))
    }

    /// The placed discs as `f5d6c3…`; passes follow from the rules and are left out.
    pub fn transcript(&self) -> String {
        self.moves()
            .filter_map(Move::square)
            .map(|square| square.to_string())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::SplitMix64;

    /// The shortest game: Black wipes White out in nine moves.
    #[test]
    fn empties_go_to_the_winner() {
        let mut game = Game::new();
        for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
            game.place(name.parse().unwrap()).unwrap();
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.black, outcome.white), (64, 0));
        assert_eq!(outcome.winner(), Some(Side::Black));
        assert_eq!(outcome.score_for(Side::White), -64);
        assert_eq!(
            game.place("a1".parse().unwrap()),
            Err(IllegalMoveError::GameOver)
        );
        assert_eq!(game.play(Move::Pass), Err(IllegalMoveError::GameOver));
    }

    #[test]
    fn a_new_move_after_undo_replaces_the_undone_ones() {
        let mut game = Game::new();
        game.place("f5".parse().unwrap()).unwrap();
        game.place("f6".parse().unwrap()).unwrap();
        assert_eq!(game.undo(), Some(Move::Place("f6".parse().unwrap())));
        game.place("d6".parse().unwrap()).unwrap();
        assert_eq!(game.redo(), None);
        assert_eq!(game.transcript(), "f5d6");
    }

    #[test]
    fn undo_and_redo_walk_the_same_positions_with_the_same_hashes() {
        let mut random = SplitMix64::new(5);
        let mut passes = 0;
        for _ in 0..300 {
            let mut game = Game::new();
            let mut trail = vec![(game.position(), game.hash())];
            while !game.is_over() {
                let legal = game.position().board.legal_moves();
                let action = if legal.is_empty() {
                    passes += 1;
                    Move::Pass
                } else {
                    let n = random.below(legal.len()) as usize;
                    Move::Place(legal.into_iter().nth(n).unwrap())
                };
                game.play(action).unwrap();
                assert_eq!(game.hash(), game.position().hash());
                trail.push((game.position(), game.hash()));
            }
            let end = game.clone();
            for &(position, hash) in trail.iter().rev().skip(1) {
                game.undo().unwrap();
                assert_eq!((game.position(), game.hash()), (position, hash));
            }
            assert_eq!(game.undo(), None);
            while game.redo().is_some() {}
            assert_eq!(game, end);
        }
        assert!(passes > 0, "random games contain passes");
    }

    #[test]
    fn passes_are_refused_when_there_is_a_move() {
        let mut game = Game::new();
        assert!(matches!(
            game.play(Move::Pass),
            Err(IllegalMoveError::PassWithMoves(_))
        ));
    }
}
