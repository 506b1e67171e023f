//! A line of moves as bytes, and the footprints of its positions: what a database keeps and finds.
//!
//! A database does not know the rules. It stores [`Packed`] lines, asks for their [`Footprint`]s
//! and compares numbers; a [`Trail`] turns a position that is looked for into the same numbers.

use crate::{
    Kind, Move, ParsePositionError, Position, Record,
    chess::{self, ChessMove, ChessPosition, Steps},
};
use othello::{Board, Square, Symmetry, zobrist};
use shakmaty::{Chess, Position as _};

/// The start position and main line of a game as bytes: one for each move, two for a queen's move
/// on a diagonal. Passes are not written: the rules make them.
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
    /// class: the number of discs. A chess game has few.
    pub class: u16,
    /// The hash of the position; in Othello of the least of its images.
    pub key: u64,
    /// The first byte of the move that followed, as it looks on that image; [`Footprint::END`] if
    /// none did. Several moves of chess may have one byte; a [`Trail`] tells them apart.
    pub next: u8,
}

impl Footprint {
    /// Stands for the move after the last position.
    pub const END: u8 = u8::MAX;
}

/// A way on from a position that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    pub action: Move,
    /// What footprints have for it.
    pub next: u8,
    /// Class and key of the position that it leads to.
    pub class: u16,
    pub key: u64,
}

/// A position that is looked for: its class and key, and the ways on from it.
#[derive(Debug, Clone)]
pub struct Trail {
    pub class: u16,
    pub key: u64,
    /// All legal moves; in Othello one of those that the position's own symmetries turn into each
    /// other.
    pub ways: Vec<Way>,
    position: Position,
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
        class: position.board.occupied().len() as u16,
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
        let (here, ways, position) = match position {
            Position::Othello(position) => {
                let position = settled(*position);
                (
                    footprint(position, None),
                    othello_ways(position),
                    position.into(),
                )
            }
            Position::Chess(position) => (
                chess::footprint(&position.0),
                chess_ways(&position.0),
                Position::Chess(position.clone()),
            ),
        };
        Self {
            class: here.class,
            key: here.key,
            ways,
            position,
        }
    }

    pub const fn kind(&self) -> Kind {
        self.position.kind()
    }

    /// The position that is looked for, after the pass that was due.
    pub const fn position(&self) -> &Position {
        &self.position
    }
}

fn othello_ways(position: othello::Position) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for square in position.board.legal_moves() {
        let next = footprint(position, Some(square)).next;
        let Ok(after) = position.play(square) else {
            continue;
        };
        let after = footprint(settled(after), None);
        if ways.iter().all(|way| way.next != next) {
            ways.push(Way {
                action: square.into(),
                next,
                class: after.class,
                key: after.key,
            });
        }
    }
    ways
}

fn chess_ways(position: &Chess) -> Vec<Way> {
    let mut bytes = Vec::with_capacity(2);
    let mut way = |action| {
        bytes.clear();
        let next = chess::pack(position, action, &mut bytes);
        let mut after = position.clone();
        after.play_unchecked(action);
        let after = chess::footprint(&after);
        Way {
            action: Move::Chess(ChessMove::of(action)),
            next,
            class: after.class,
            key: after.key,
        }
    };
    position.legal_moves().into_iter().map(&mut way).collect()
}

/// The start of an Othello line; the usual one where there is none, or where it is another game's.
fn othello_start(start: Option<&Position>) -> othello::Position {
    start
        .and_then(Position::othello)
        .unwrap_or(othello::Position::START)
}

pub(crate) fn chess_start(start: Option<&Position>) -> Chess {
    match start {
        Some(Position::Chess(start)) => start.0.clone(),
        _ => Chess::new(),
    }
}

impl Packed {
    /// Plays an Othello game. `visit` gets each position before a placement with the square that
    /// follows, then the last position.
    fn walk(
        &self,
        mut visit: impl FnMut(othello::Position, Option<Square>),
    ) -> Result<(), UnpackError> {
        let mut position = settled(othello_start(self.start.as_ref()));
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

    /// The same for chess; `visit` may end the walk by saying so.
    fn walk_chess(
        &self,
        mut visit: impl FnMut(&Steps, Option<(shakmaty::Move, u8)>) -> bool,
    ) -> Result<(), UnpackError> {
        let mut steps = Steps::new(chess_start(self.start.as_ref()));
        let mut bytes = self.moves.iter();
        for ply in 1.. {
            let Some(byte) = bytes.as_slice().first().copied() else {
                break;
            };
            let action = chess::unpack(&steps.position, &mut bytes)
                .ok_or(UnpackError::Move { ply, byte })?;
            if visit(&steps, Some((action, byte))) {
                return Ok(());
            }
            steps.play(action);
        }
        visit(&steps, None);
        Ok(())
    }

    /// The footprints of all positions, in the order of play.
    pub fn footprints(&self) -> Result<Vec<Footprint>, UnpackError> {
        let mut prints = Vec::with_capacity(self.moves.len() + 1);
        match self.kind {
            Kind::Othello => {
                self.walk(|position, next| prints.push(footprint(position, next)))?;
            }
            Kind::Chess => self.walk_chess(|steps, next| {
                prints.push(steps.footprint(next.map_or(Footprint::END, |it| it.1)));
                false
            })?,
        }
        Ok(prints)
    }

    /// Whether the game met a position, and the move that followed there first; `Some(None)` if it
    /// ended there. The boards themselves are compared.
    pub fn meets(&self, wanted: &Trail) -> Result<Option<Option<Move>>, UnpackError> {
        let mut met = None;
        match &wanted.position {
            Position::Othello(position) if self.kind == Kind::Othello => {
                let (least, _) = least_image(position.board);
                self.walk(|other, next| {
                    if other.side == position.side
                        && other.board.occupied().len() == position.board.occupied().len()
                        && least_image(other.board).0 == least
                    {
                        let byte = footprint(other, next).next;
                        let way = wanted.ways.iter().find(|way| way.next == byte);
                        met = Some(way.map(|way| way.action));
                    }
                })?;
            }
            Position::Chess(ChessPosition(position)) if self.kind == Kind::Chess => {
                self.walk_chess(|steps, next| {
                    if steps.footprint(Footprint::END).key != wanted.key
                        || steps.position != *position
                    {
                        return false;
                    }
                    met = Some(next.map(|(action, _)| Move::Chess(ChessMove::of(action))));
                    true
                })?;
            }
            _ => {}
        }
        Ok(met)
    }

    /// Whether a part of a position stood on the board at some time.
    pub fn shows(&self, pattern: &Pattern) -> Result<bool, UnpackError> {
        let mut is_shown = false;
        match &pattern.0 {
            Shape::Othello(images) if self.kind == Kind::Othello => self.walk(|position, _| {
                is_shown = is_shown || images.iter().any(|image| image.matches(position));
            })?,
            Shape::Chess(pattern) if self.kind == Kind::Chess => self.walk_chess(|steps, _| {
                is_shown = pattern.matches(&steps.position);
                is_shown
            })?,
            _ => {}
        }
        Ok(is_shown)
    }

    /// The record of the line, without tags and notes.
    pub fn replay(&self) -> Result<Record, UnpackError> {
        match self.kind {
            Kind::Othello => {
                let start = othello_start(self.start.as_ref());
                let mut game = othello::Game::from_position(start);
                for (index, byte) in self.moves.iter().copied().enumerate() {
                    let ply = index + 1;
                    let illegal = UnpackError::Move { ply, byte };
                    let Some(square) = Square::new(byte) else {
                        return Err(illegal);
                    };
                    if game.place(square).is_err() {
                        return Err(illegal);
                    }
                }
                Ok(Record::from(&game))
            }
            Kind::Chess => {
                let start = chess_start(self.start.as_ref());
                let mut record = Record::new(Position::Chess(ChessPosition(start)));
                let mut at = record.root();
                self.walk_chess(|_, next| {
                    let Some((action, _)) = next else { return true };
                    // Bytes were checked when they were read.
                    let added = record.add(at, Move::Chess(ChessMove::of(action)));
                    at = added.unwrap_or(at);
                    false
                })?;
                record.outcome = record.outcome_at(at);
                Ok(record)
            }
        }
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
        let start = record.start();
        let mut moves = Vec::new();
        let mut at = start.clone();
        for action in record.main_moves() {
            pack_move(&at, action, &mut moves);
            at = at.play(action).unwrap_or(at);
        }
        Self {
            kind: start.kind(),
            start: (*start != start.kind().start()).then(|| start.clone()),
            moves,
        }
    }
}

/// Appends the bytes of a legal move; a pass has none.
pub(crate) fn pack_move(position: &Position, action: Move, out: &mut Vec<u8>) {
    match (position, action) {
        (_, Move::Othello(action)) => out.extend(action.square().map(|it| it.index() as u8)),
        (Position::Chess(position), Move::Chess(action)) => {
            if let Some(action) = action.on(&position.0) {
                chess::pack(&position.0, action, out);
            }
        }
        (Position::Othello(_), Move::Chess(_)) => {}
    }
}

/// Reads the next move: a pass that is due, or as many bytes as it takes.
pub(crate) fn unpack_move(
    position: &Position,
    bytes: &mut std::slice::Iter<'_, u8>,
) -> Option<Move> {
    if let Some(forced) = position.forced() {
        return Some(forced);
    }
    match position {
        Position::Othello(_) => Some(Square::new(*bytes.next()?)?.into()),
        Position::Chess(position) => {
            let action = chess::unpack(&position.0, bytes)?;
            Some(Move::Chess(ChessMove::of(action)))
        }
    }
}

/// Part of a position: these squares so, the others any; in Othello whichever way the board is
/// turned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Shape);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Othello(Vec<DiscPattern>),
    Chess(chess::ChessPattern),
}

/// The text is no part of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no part of a position: {reason}")]
pub struct ParsePatternError {
    text: String,
    reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DiscPattern {
    black: u64,
    white: u64,
    empty: u64,
    side: Option<othello::Side>,
}

impl DiscPattern {
    fn matches(&self, position: othello::Position) -> bool {
        let [black, white] =
            [othello::Side::Black, othello::Side::White].map(|side| position.discs(side).0);
        self.side.is_none_or(|side| side == position.side)
            && black & self.black == self.black
            && white & self.white == self.white
            && (black | white) & self.empty == 0
    }
}

impl Pattern {
    /// Reads a part of a position. Othello: 64 squares of `X`, `O`, `-` and `?` from a1 on, then the
    /// side to move if it matters. Chess: the board of a FEN with `?` for any square, then `w` or
    /// `b` if it matters.
    pub fn parse(kind: Kind, text: &str) -> Result<Self, ParsePatternError> {
        let wrong = |reason: String| ParsePatternError {
            text: text.chars().take(100).collect(),
            reason,
        };
        match kind {
            Kind::Othello => disc_patterns(text)
                .map(|it| Self(Shape::Othello(it)))
                .map_err(wrong),
            Kind::Chess => chess::ChessPattern::parse(text)
                .map(|it| Self(Shape::Chess(it)))
                .map_err(wrong),
        }
    }

    pub const fn kind(&self) -> Kind {
        match self.0 {
            Shape::Othello(_) => Kind::Othello,
            Shape::Chess(_) => Kind::Chess,
        }
    }
}

/// A pattern of discs and its different images.
fn disc_patterns(text: &str) -> Result<Vec<DiscPattern>, String> {
    let mut letters = text.chars().filter(|it| !it.is_whitespace());
    let (mut black, mut white, mut empty) = (0, 0, 0);
    for index in 0..64 {
        let letter = letters
            .next()
            .ok_or_else(|| format!("{index} squares; expected 64 of X, O, - and ?"))?;
        match letter {
            'X' | 'x' | '*' | 'B' | 'b' => black |= 1_u64 << index,
            'O' | 'o' | 'W' | 'w' => white |= 1_u64 << index,
            '-' | '.' => empty |= 1_u64 << index,
            '?' => {}
            other => return Err(format!("{other:?} is no square; expected X, O, - or ?")),
        }
    }
    let side = match letters.next() {
        None | Some('?') => None,
        Some('X' | 'x' | '*' | 'B' | 'b') => Some(othello::Side::Black),
        Some('O' | 'o' | 'W' | 'w') => Some(othello::Side::White),
        Some(other) => return Err(format!("{other:?} is no side; expected X or O")),
    };
    if letters.next().is_some() {
        return Err("more than 64 squares and a side".to_owned());
    }
    let mut images: Vec<DiscPattern> = Vec::new();
    for symmetry in Symmetry::ALL {
        let turn = |set: u64| {
            let squares = (0..64).filter(|index| set >> index & 1 == 1);
            let turned = squares
                .filter_map(Square::new)
                .map(|it| symmetry.square(it));
            turned.fold(0, |set, it| set | 1_u64 << it.index())
        };
        let image = DiscPattern {
            black: turn(black),
            white: turn(white),
            empty: turn(empty),
            side,
        };
        if !images.contains(&image) {
            images.push(image);
        }
    }
    Ok(images)
}

#[cfg(test)]
mod tests;
