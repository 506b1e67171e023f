//! Chess as far as records and databases need it. The rules are shakmaty's; nobody outside this
//! crate sees its types.

mod bytes;
mod footprints;
mod pattern;
mod shuffled;
mod square;

pub(crate) use bytes::{pack, unpack};
pub(crate) use footprints::{Steps, footprint};
pub(crate) use pattern::ChessPattern;
pub use shuffled::ChessNumberError;
pub use square::{Man, Role};

use crate::Ending;
use othello::Side;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Position as _, Square,
    fen::Fen,
    san::{San, SanPlus},
    uci::UciMove,
    zobrist::Zobrist64,
};
use std::{fmt, str::FromStr};

/// A position of chess. Two are equal if the rules on repetition call them so: the counters of
/// moves do not matter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChessPosition(pub(crate) Chess);

/// A move of chess: from, to, what a pawn becomes, and whether it castles (then `to` is the rook's
/// square, as only that tells Chess960 castling from a king's step).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChessMove(u16);

/// The text is no position of chess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a chess position: {reason}; expected a FEN such as \"{START_FEN}\"")]
pub struct ParseFenError {
    text: String,
    reason: String,
}

/// The text is no move of chess in any position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a chess move here: {reason}; expected a legal move such as Nf3 or g1f3")]
pub struct ParseChessMoveError {
    text: String,
    reason: String,
}

/// A move that the rules of chess forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rules of chess do not allow it")]
pub struct IllegalChessMoveError;

const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

impl ChessPosition {
    /// Where games of standard chess begin.
    pub const START: Self = Self(Chess::new());

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        side_of(self.0.turn())
    }

    /// Polyglot's key, where an en-passant square counts only if the capture is legal.
    pub fn hash(&self) -> u64 {
        let key: Zobrist64 = self.0.zobrist_hash(EnPassantMode::Legal);
        key.0
    }

    pub(crate) fn legal_moves(&self) -> Vec<ChessMove> {
        self.0
            .legal_moves()
            .into_iter()
            .map(ChessMove::of)
            .collect()
    }

    pub(crate) fn play(&self, action: ChessMove) -> Result<Self, IllegalChessMoveError> {
        let found = action.on(&self.0).ok_or(IllegalChessMoveError)?;
        let mut next = self.0.clone();
        next.play_unchecked(found);
        Ok(Self(next))
    }

    /// A move in coordinates or in the notation of players.
    pub(crate) fn parse_move(&self, text: &str) -> Result<ChessMove, ParseChessMoveError> {
        let wrong = |reason: String| ParseChessMoveError {
            text: cut(text),
            reason,
        };
        if let Ok(uci) = UciMove::from_str(text)
            && let Ok(found) = uci.to_move(&self.0)
        {
            return Ok(ChessMove::of(found));
        }
        find_san(&self.0, text.as_bytes())
            .map(ChessMove::of)
            .map_err(|reason| wrong(reason.to_owned()))
    }

    /// The move as players write it: `Nf3`, `exd5`, `O-O+`.
    pub(crate) fn san(&self, action: ChessMove) -> Option<String> {
        let found = action.on(&self.0)?;
        Some(SanPlus::from_move(self.0.clone(), found).to_string())
    }

    /// Which rule ends the game here, as far as the position alone can tell: repetition is the
    /// record's business. A mate goes before the count of moves.
    pub(crate) fn ending(&self) -> Option<Ending> {
        // Both ways to have no move by one look for moves: a referee asks after every ply.
        if self.0.legal_moves().is_empty() {
            Some(if self.0.is_check() {
                Ending::Checkmate
            } else {
                Ending::Stalemate
            })
        } else if self.0.is_insufficient_material() {
            Some(Ending::Material)
        } else {
            let is_long = self.0.halfmoves() >= MOVES_END;
            is_long.then_some(Ending::SeventyFiveMoves)
        }
    }

    /// Whether both sides have made fifty moves without a capture or a pawn's move.
    pub(crate) fn is_fifty_moves(&self) -> bool {
        self.0.halfmoves() >= MOVES_CLAIM
    }

    /// Moves of either side since the last capture or pawn's move.
    pub(crate) fn quiet_plies(&self) -> usize {
        self.0.halfmoves() as usize
    }

    /// Whether castling follows the rules of Chess960: kings or rooks began on other squares.
    pub fn is_chess960(&self) -> bool {
        self.0.castles().mode() == CastlingMode::Chess960
    }

    /// The number of the move that comes next, as move lists count.
    pub fn move_number(&self) -> u32 {
        self.0.fullmoves().get()
    }

    /// The key of Polyglot's books: an en-passant square counts if a pawn stands beside, pinned or
    /// not. [`ChessPosition::hash`] counts it only if the capture is legal.
    pub fn polyglot_key(&self) -> u64 {
        let key: Zobrist64 = self.0.zobrist_hash(EnPassantMode::PseudoLegal);
        key.0
    }

    /// How many sequences of so many moves there are.
    pub fn perft(&self, depth: u32) -> u64 {
        shakmaty::perft(&self.0, depth)
    }

    /// A move as engines write it: in Chess960 castling is the king's way to its rook.
    pub fn uci(&self, action: ChessMove) -> String {
        let Some(found) = action.on(&self.0) else {
            return action.to_string();
        };
        found.to_uci(self.0.castles().mode()).to_string()
    }
}

/// Moves of both sides without capture or pawn move: when a draw may be claimed, and when the game
/// is over.
const MOVES_CLAIM: u32 = 100;
const MOVES_END: u32 = 150;

/// A move as a game's text has it. Zeros for castling, missing or superfluous signs of capture and
/// check are understood.
pub(crate) fn find_san(position: &Chess, text: &[u8]) -> Result<shakmaty::Move, &'static str> {
    let san = San::from_ascii(text).or(match text {
        [b'0', b'-', b'0', b'-', b'0', ..] => Ok(San::Castle(CastlingSide::QueenSide)),
        [b'0', b'-', b'0', ..] => Ok(San::Castle(CastlingSide::KingSide)),
        _ => Err("it is not written as a move"),
    })?;
    san.to_move(position).or_else(|error| {
        let other = match san {
            San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            } => San::Normal {
                role,
                file,
                rank,
                capture: !capture,
                to,
                promotion,
            },
            other => other,
        };
        let why = match error {
            shakmaty::san::SanError::AmbiguousSan => "several pieces can make it",
            shakmaty::san::SanError::IllegalSan => "the rules do not allow it",
        };
        other.to_move(position).map_err(|_| why)
    })
}

impl FromStr for ChessPosition {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |reason: String| ParseFenError {
            text: cut(text),
            reason,
        };
        let fen = Fen::from_ascii(text.trim().as_bytes()).map_err(|it| wrong(it.to_string()))?;
        let mode = CastlingMode::detect(fen.as_setup());
        let position: Result<Chess, _> = fen.into_position(mode);
        position
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .map(Self)
            .map_err(|error| wrong(error.to_string()))
    }
}

/// Written as a FEN with both counters.
impl fmt::Display for ChessPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fen::from_position(&self.0, EnPassantMode::Legal).fmt(f)
    }
}

const ROLES: [shakmaty::Role; 4] = [
    shakmaty::Role::Knight,
    shakmaty::Role::Bishop,
    shakmaty::Role::Rook,
    shakmaty::Role::Queen,
];

impl ChessMove {
    const CASTLES: u16 = 1 << 15;

    pub(crate) fn of(action: shakmaty::Move) -> Self {
        let from = action.from().map_or(0, |it| it as u16);
        let promotion = action.promotion().and_then(|role| {
            let at = ROLES.iter().position(|it| *it == role)?;
            Some(at as u16 + 1)
        });
        let castles = if action.is_castle() { Self::CASTLES } else { 0 };
        Self(from | (action.to() as u16) << 6 | promotion.unwrap_or(0) << 12 | castles)
    }

    fn squares(self) -> (Square, Square) {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        (square(self.0), square(self.0 >> 6))
    }

    fn becomes(self) -> Option<shakmaty::Role> {
        let number = usize::from(self.0 >> 12 & 7);
        ROLES.get(number.checked_sub(1)?).copied()
    }

    /// The move with everything that the position knows about it, if it is legal there.
    pub(crate) fn on(self, position: &Chess) -> Option<shakmaty::Move> {
        let (from, to) = self.squares();
        let found = if self.0 & Self::CASTLES != 0 {
            shakmaty::Move::Castle {
                king: from,
                rook: to,
            }
        } else {
            seen(position, from, to, self.becomes())?
        };
        position.is_legal(found).then_some(found)
    }
}

/// A step from square to square as the board sees it; `None` if nothing stands there.
fn seen(
    position: &Chess,
    from: Square,
    to: Square,
    promotion: Option<shakmaty::Role>,
) -> Option<shakmaty::Move> {
    let board = position.board();
    let role = board.role_at(from)?;
    let capture = board.role_at(to);
    if role == shakmaty::Role::Pawn && capture.is_none() && from.file() != to.file() {
        return Some(shakmaty::Move::EnPassant { from, to });
    }
    Some(shakmaty::Move::Normal {
        role,
        from,
        capture,
        to,
        promotion,
    })
}

/// In coordinates: `g1f3`, `e7e8q`, `e1g1`. Castling that does not begin on the usual squares is the
/// king's way to its rook, `f1h1`, since its way to the end could be a step.
impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.squares();
        let is_usual = from.file() == File::E && matches!(to.file(), File::A | File::H);
        if self.0 & Self::CASTLES != 0 && is_usual {
            let castle = shakmaty::Move::Castle {
                king: from,
                rook: to,
            };
            return f.pad(&UciMove::from_standard(castle).to_string());
        }
        let promotion = self.becomes().map(|it| it.char().to_string());
        f.pad(&format!("{from}{to}{}", promotion.unwrap_or_default()))
    }
}
