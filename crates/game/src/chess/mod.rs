//! Chess as far as records and databases need it. The rules are shakmaty's; nobody outside this
//! crate sees its types.

mod bytes;
mod footprints;
mod pattern;

pub(crate) use bytes::{pack, unpack};
pub(crate) use footprints::{Steps, footprint};
pub(crate) use pattern::ChessPattern;

use othello::Side;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, KnownOutcome, Outcome, Position as _,
    Role, Square,
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

    /// The winner, if the rules end the game here; `Some(None)` is a draw. Moves without capture
    /// or pawn move are counted, 75 of each side end a game; repetition is the record's business.
    pub(crate) fn ended(&self) -> Option<Option<Side>> {
        match self.0.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Some(Some(side_of(winner))),
            Outcome::Known(KnownOutcome::Draw) => Some(None),
            Outcome::Unknown => (self.0.halfmoves() >= 150).then_some(None),
        }
    }
}

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

const ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

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

    fn promotion(self) -> Option<Role> {
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
            seen(position, from, to, self.promotion())?
        };
        position.is_legal(found).then_some(found)
    }
}

/// A step from square to square as the board sees it; `None` if nothing stands there.
fn seen(
    position: &Chess,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Option<shakmaty::Move> {
    let board = position.board();
    let role = board.role_at(from)?;
    let capture = board.role_at(to);
    if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
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

/// In coordinates, as engines write it: `g1f3`, `e7e8q`, `e1g1`.
impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.squares();
        if self.0 & Self::CASTLES != 0 {
            let castle = shakmaty::Move::Castle {
                king: from,
                rook: to,
            };
            return f.pad(&UciMove::from_standard(castle).to_string());
        }
        let promotion = self.promotion().map(|it| it.char().to_string());
        f.pad(&format!("{from}{to}{}", promotion.unwrap_or_default()))
    }
}
