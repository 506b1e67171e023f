//! Discs on the board as the side to move sees them, and a position that knows its colours.

use crate::{Bitboard, Side, Square, arch, zobrist};

/// The discs of the side to move and of its opponent, without their colours: all that the rules
/// need, and what a search wants.
///
/// ```
/// use othello::Board;
/// let board = Board::START;
/// assert_eq!(board.legal_moves().to_string(), "d3 c4 f5 e6");
/// let next = board.play("f5".parse().unwrap()).unwrap();
/// assert_eq!(next.legal_moves().to_string(), "f4 d6 f6");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    mover: Bitboard,
    opponent: Bitboard,
}

/// Both sides claim the same squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("both sides have a disc on {0}")]
pub struct OverlapError(pub Bitboard);

/// A move that the rules forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMoveError {
    /// There is a disc already.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// No disc would be flipped.
    #[error("{square} flips no disc; legal: {}", list(*legal))]
    FlipsNothing {
        /// The square that was tried.
        square: Square,
        /// What could have been played.
        legal: Bitboard,
    },
    /// A pass although there is a legal move.
    #[error("a pass is not allowed while there are legal moves: {0}")]
    PassWithMoves(Bitboard),
    /// The game has ended: neither side can move.
    #[error("the game is over: neither side can move")]
    GameOver,
}

fn list(squares: Bitboard) -> String {
    if squares.is_empty() {
        "none (pass)".to_owned()
    } else {
        squares.to_string()
    }
}

impl Board {
    /// The start position, Black to move.
    pub const START: Self = Self {
        mover: Bitboard(0x0000_0008_1000_0000),
        opponent: Bitboard(0x0000_0010_0800_0000),
    };

    /// A board from two sets that share no square.
    #[inline]
    pub const fn new(mover: Bitboard, opponent: Bitboard) -> Result<Self, OverlapError> {
        let both = mover.0 & opponent.0;
        if both == 0 {
            Ok(Self { mover, opponent })
        } else {
            Err(OverlapError(Bitboard(both)))
        }
    }

    /// A board from two sets that the caller knows to be disjoint.
    #[inline]
    pub const fn new_unchecked(mover: Bitboard, opponent: Bitboard) -> Self {
        debug_assert!(mover.0 & opponent.0 == 0);
        Self { mover, opponent }
    }

    /// Discs of the side to move.
    #[inline]
    pub const fn mover(self) -> Bitboard {
        self.mover
    }

    /// Discs of the other side.
    #[inline]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    #[inline]
    pub const fn occupied(self) -> Bitboard {
        Bitboard(self.mover.0 | self.opponent.0)
    }

    /// All squares without a disc.
    #[inline]
    pub const fn empties(self) -> Bitboard {
        Bitboard(!(self.mover.0 | self.opponent.0))
    }

    /// Squares where the side to move may play; none means a pass or the end.
    #[inline]
    pub fn legal_moves(self) -> Bitboard {
        Bitboard(arch::legal_moves(self.mover.0, self.opponent.0))
    }

    /// The discs that a move on an empty square turns; none if it is not legal. What it says of
    /// an occupied square means nothing.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(arch::flips(square, self.mover.0, self.opponent.0))
    }

    /// Plays a move, checked. The result is seen by the other side.
    #[inline]
    pub fn play(self, square: Square) -> Result<Self, IllegalMoveError> {
        self.checked_flips(square)
            .map(|flips| self.play_unchecked(square, flips))
    }

    /// The discs that a legal move turns, or why it is not legal.
    #[inline]
    pub fn checked_flips(self, square: Square) -> Result<Bitboard, IllegalMoveError> {
        if self.occupied().contains(square) {
            return Err(IllegalMoveError::Occupied(square));
        }
        let flips = self.flips(square);
        if flips.is_empty() {
            let legal = self.legal_moves();
            return Err(if legal.is_empty() && self.is_game_over() {
                IllegalMoveError::GameOver
            } else {
                IllegalMoveError::FlipsNothing { square, legal }
            });
        }
        Ok(flips)
    }

    /// Plays a move whose flips the caller has from [`Board::flips`], and which is legal.
    #[inline]
    #[must_use]
    pub const fn play_unchecked(self, square: Square, flips: Bitboard) -> Self {
        debug_assert!(!self.occupied().contains(square));
        debug_assert!(!flips.is_empty() && flips.is_subset(self.opponent));
        Self {
            mover: Bitboard(self.opponent.0 ^ flips.0),
            opponent: Bitboard(self.mover.0 ^ flips.0 ^ square.bit().0),
        }
    }

    /// Takes a move back: `self` is the board after `square` was played and `flips` turned.
    #[inline]
    #[must_use]
    pub const fn undo_unchecked(self, square: Square, flips: Bitboard) -> Self {
        debug_assert!(self.opponent.contains(square) && flips.is_subset(self.opponent));
        Self {
            mover: Bitboard(self.opponent.0 ^ flips.0 ^ square.bit().0),
            opponent: Bitboard(self.mover.0 ^ flips.0),
        }
    }

    /// The same discs seen by the other side: a pass.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
        }
    }

    /// Whether the side to move must pass: it has no move, but the other side has.
    #[inline]
    pub fn must_pass(self) -> bool {
        self.legal_moves().is_empty() && !self.swapped().legal_moves().is_empty()
    }

    /// Whether neither side can move.
    #[inline]
    pub fn is_game_over(self) -> bool {
        self.legal_moves().is_empty() && self.swapped().legal_moves().is_empty()
    }

    /// Discs of the side to move minus discs of its opponent, as they lie.
    #[inline]
    pub const fn disc_difference(self) -> i32 {
        self.mover.len() as i32 - self.opponent.len() as i32
    }

    /// The score of a finished game for the side to move: empty squares go to the winner.
    #[inline]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        let empties = self.empties().len() as i32;
        difference + difference.signum() * empties
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Board({})",
            crate::notation::board_string(*self, Side::Black)
        )
    }
}

/// A [`Board`] together with the colour to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The discs, seen by the side to move.
    pub board: Board,
    /// Whose turn it is.
    pub side: Side,
}

impl Position {
    /// The start position, Black to move.
    pub const START: Self = Self {
        board: Board::START,
        side: Side::Black,
    };

    /// A position from the discs of each colour.
    pub const fn from_colours(
        black: Bitboard,
        white: Bitboard,
        side: Side,
    ) -> Result<Self, OverlapError> {
        let board = match side {
            Side::Black => Board::new(black, white),
            Side::White => Board::new(white, black),
        };
        match board {
            Ok(board) => Ok(Self { board, side }),
            Err(error) => Err(error),
        }
    }

    /// The discs of one colour.
    #[inline]
    pub fn discs(self, side: Side) -> Bitboard {
        if side == self.side {
            self.board.mover
        } else {
            self.board.opponent
        }
    }

    /// The colour of the disc on a square.
    pub fn disc_at(self, square: Square) -> Option<Side> {
        if self.board.mover.contains(square) {
            Some(self.side)
        } else if self.board.opponent.contains(square) {
            Some(self.side.other())
        } else {
            None
        }
    }

    /// Plays a move, checked.
    #[inline]
    pub fn play(self, square: Square) -> Result<Self, IllegalMoveError> {
        Ok(Self {
            board: self.board.play(square)?,
            side: self.side.other(),
        })
    }

    /// Passes, if that is what the rules ask for here.
    pub fn pass(self) -> Result<Self, IllegalMoveError> {
        let legal = self.board.legal_moves();
        if !legal.is_empty() {
            return Err(IllegalMoveError::PassWithMoves(legal));
        }
        if self.board.is_game_over() {
            return Err(IllegalMoveError::GameOver);
        }
        Ok(self.swapped())
    }

    /// The same discs with the other side to move, whether or not a pass is legal.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self {
            board: self.board.swapped(),
            side: self.side.other(),
        }
    }

    /// The Zobrist hash, computed from scratch; [`crate::Game`] keeps it up to date move by move.
    pub fn hash(self) -> u64 {
        zobrist::hash(self)
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}
