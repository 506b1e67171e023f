//! A game of 68 bytes, and its replay.

use super::{GAME_BYTES, MOVES_MAX, WthorError};
use crate::notation::problem::play_recorded;
use crate::{Bitboard, Board, Game, Move, Position, Side, Square};

/// A game as stored. Nothing is checked until it is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WthorGame {
    /// Number of the tournament in the `.trn` file.
    pub tournament: u16,
    /// Number of the black player in the `.jou` file.
    pub black: u16,
    /// Number of the white player in the `.jou` file.
    pub white: u16,
    /// Black's discs at the end, empty squares counted for the winner.
    pub black_score: u8,
    /// Black's discs with best play from the header's depth on.
    pub theoretical_score: u8,
    /// 10 × row + column of each move, then zeros.
    pub moves: [u8; MOVES_MAX],
}

/// Where a replayed game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WthorReplay {
    pub position: Position,
    /// How many discs were placed.
    pub n_moves: usize,
}

impl WthorReplay {
    /// Black's final score as WTHOR counts it, if the game is complete.
    pub fn black_score(&self) -> Option<u8> {
        let complete = self.position.board.is_game_over();
        complete.then(|| black_score(self.position))
    }
}

/// Black's discs, the empty squares counted for the side that has more.
fn black_score(position: Position) -> u8 {
    crate::Outcome::of_final(position).black as u8
}

impl WthorGame {
    pub fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Self {
        let [
            t0,
            t1,
            b0,
            b1,
            w0,
            w1,
            black_score,
            theoretical_score,
            rest @ ..,
        ] = *bytes;
        Self {
            tournament: u16::from_le_bytes([t0, t1]),
            black: u16::from_le_bytes([b0, b1]),
            white: u16::from_le_bytes([w0, w1]),
            black_score,
            theoretical_score,
            moves: rest,
        }
    }

    pub fn to_bytes(&self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        bytes[0..2].copy_from_slice(&self.tournament.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.black.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.white.to_le_bytes());
        bytes[6] = self.black_score;
        bytes[7] = self.theoretical_score;
        bytes[8..].copy_from_slice(&self.moves);
        bytes
    }

    /// A record of a game from the usual start; players and tournament are number 0, unknown.
    ///
    /// The score is that of the last position, finished or not, and stands for the theoretical
    /// score too: right at depth 0, where nothing is left to play.
    pub fn from_game(game: &Game) -> Result<Self, WthorError> {
        if game.start() != Position::START {
            return Err(WthorError::Start {
                start: game.start(),
            });
        }
        let mut moves = [0; MOVES_MAX];
        for (slot, square) in moves.iter_mut().zip(game.moves().filter_map(Move::square)) {
            *slot = encode_square(square);
        }
        let score = black_score(game.position());
        Ok(Self {
            tournament: 0,
            black: 0,
            white: 0,
            black_score: score,
            theoretical_score: score,
            moves,
        })
    }

    /// The squares in order, or what is wrong with the first bad byte.
    pub fn squares(&self) -> impl Iterator<Item = Result<Square, WthorError>> {
        let length = self.n_written();
        let written = self.moves[..length].iter().enumerate();
        written.map(|(i, &byte)| {
            decode_square(byte).ok_or(if byte == 0 {
                WthorError::Gap { index: i + 1 }
            } else {
                WthorError::Move {
                    index: i + 1,
                    found: byte,
                }
            })
        })
    }

    /// Slots up to the last that is not zero.
    fn n_written(&self) -> usize {
        let last = self.moves.iter().rposition(|&byte| byte != 0);
        last.map_or(0, |last| last + 1)
    }

    /// Plays the game on a board: the fast way to check it and to see its end.
    pub fn replay(&self) -> Result<WthorReplay, WthorError> {
        self.visit(|_, _, _| {})
    }

    /// Plays the game and shows each position with the move made there and the discs it flips;
    /// passes are not shown. Allocates nothing unless there is an error.
    pub fn visit(
        &self,
        mut see: impl FnMut(Position, Square, Bitboard),
    ) -> Result<WthorReplay, WthorError> {
        let mut board = Board::START;
        let mut side = Side::Black;
        let mut n_moves = 0;
        for square in self.squares() {
            let square = square?;
            n_moves += 1;
            let mut flips = flips_if_empty(board, square);
            if flips.is_empty() && board.legal_moves().is_empty() {
                board = board.swapped();
                side = side.other();
                flips = flips_if_empty(board, square);
            }
            if flips.is_empty() {
                return Err(self.explain());
            }
            see(Position { board, side }, square, flips);
            board = board.play_unchecked(square, flips);
            side = side.other();
        }
        let position = Position { board, side };
        Ok(WthorReplay { position, n_moves })
    }

    /// Plays the game into a `Game`, whose memory is reused. After an error it holds the moves
    /// before the bad one.
    pub fn replay_into(&self, game: &mut Game) -> Result<(), WthorError> {
        game.restart(Position::START);
        for (i, square) in self.squares().enumerate() {
            play_recorded(game, i + 1, Move::Place(square?))?;
        }
        Ok(())
    }

    /// The game, in memory of its own.
    pub fn game(&self) -> Result<Game, WthorError> {
        let mut game = Game::new();
        self.replay_into(&mut game)?;
        Ok(game)
    }

    /// The error that replaying with all checks gives; only called when there is one.
    fn explain(&self) -> WthorError {
        match self.game() {
            Err(error) => error,
            Ok(_) => unreachable!("both replays follow the same rules"),
        }
    }
}

#[inline]
fn flips_if_empty(board: Board, square: Square) -> Bitboard {
    if board.occupied().contains(square) {
        Bitboard::EMPTY
    } else {
        board.flips(square)
    }
}

/// The square of a move byte.
#[inline]
const fn decode_square(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 10, byte % 10);
    if row == 0 || column == 0 {
        return None;
    }
    Square::at(column - 1, row - 1)
}

const fn encode_square(square: Square) -> u8 {
    10 * (square.rank() + 1) + square.file() + 1
}
