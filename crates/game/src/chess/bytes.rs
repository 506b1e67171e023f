//! Moves of chess as bytes: which of the own pieces, counted along the squares, and where it goes
//! in four bits by its kind. A queen on a diagonal takes a second byte. No list of legal moves is
//! needed to write one, which is half of what an import would otherwise do.

use super::seen;
use shakmaty::{CastlingSide, Chess, File, Move, Position as _, Rank, Role, Square};

/// Steps of a knight and of a king, as files and ranks.
const KNIGHT: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// Codes of the king that are no steps.
const SHORT_CASTLE: u8 = 8;
const LONG_CASTLE: u8 = 9;

const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

fn step(from: Square, to: Square) -> (i32, i32) {
    (
        to.file() as i32 - from.file() as i32,
        to.rank() as i32 - from.rank() as i32,
    )
}

fn offset(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = u32::try_from(from.file() as i32 + files).ok()?;
    let rank = u32::try_from(from.rank() as i32 + ranks).ok()?;
    (file < 8 && rank < 8).then(|| Square::from_coords(File::new(file), Rank::new(rank)))
}

fn straight(from: Square, to: Square) -> u8 {
    if from.rank() == to.rank() {
        to.file() as u8
    } else {
        8 + to.rank() as u8
    }
}

/// Appends a legal move and gives its first byte.
pub(crate) fn pack(position: &Chess, action: Move, out: &mut Vec<u8>) -> u8 {
    let from = action.from().unwrap_or(Square::A1);
    let to = action.to();
    let below = u64::from(position.us()) & ((1 << from as u32) - 1);
    let piece = below.count_ones() as u8;
    let (files, ranks) = step(from, to);
    let mut second = None;
    let place = |table: &[(i32, i32); 8]| {
        let at = table.iter().position(|it| *it == (files, ranks));
        at.unwrap_or(0) as u8
    };
    let code = match action {
        Move::Castle { king, rook } if rook < king => LONG_CASTLE,
        Move::Castle { .. } => SHORT_CASTLE,
        _ => match action.role() {
            Role::Pawn => {
                let way = match files {
                    0 => 0,
                    -1 => 1,
                    _ => 2,
                };
                match action.promotion() {
                    // A pawn that promotes has no other moves: the codes are free.
                    Some(role) => {
                        let at = PROMOTIONS.iter().position(|it| *it == role);
                        4 * way + at.unwrap_or(3) as u8
                    }
                    None if ranks.abs() == 2 => 3,
                    None => way,
                }
            }
            Role::Knight => place(&KNIGHT),
            Role::King => place(&KING),
            Role::Rook => straight(from, to),
            Role::Bishop => to.file() as u8 + if files == ranks { 0 } else { 8 },
            Role::Queen if files == 0 || ranks == 0 => straight(from, to),
            Role::Queen => {
                second = Some(to as u8);
                from.file() as u8
            }
        },
    };
    let byte = piece << 4 | code;
    out.push(byte);
    out.extend(second);
    byte
}

/// Reads a move; `None` if the bytes are no legal move here.
pub(crate) fn unpack(position: &Chess, bytes: &mut std::slice::Iter<'_, u8>) -> Option<Move> {
    let byte = *bytes.next()?;
    let (piece, code) = (byte >> 4, byte & 15);
    let from = position.us().into_iter().nth(usize::from(piece))?;
    let at = |file: u8, rank: u8| {
        Square::from_coords(
            File::new(u32::from(file & 7)),
            Rank::new(u32::from(rank & 7)),
        )
    };
    let (file, rank) = (from.file() as u8, from.rank() as u8);
    let line = |code: u8| match code {
        0..8 => at(code, rank),
        _ => at(file, code - 8),
    };
    let forward = position.turn().fold_wb(1, -1);
    let mut promotion = None;
    let to = match position.board().role_at(from)? {
        Role::King if code == SHORT_CASTLE || code == LONG_CASTLE => {
            let side = CastlingSide::from_queen_side(code == LONG_CASTLE);
            return position.castling_moves(side).first().copied();
        }
        Role::King => offset(from, *KING.get(usize::from(code))?)?,
        Role::Knight => offset(from, *KNIGHT.get(usize::from(code))?)?,
        Role::Pawn => {
            let last_step = position.turn().fold_wb(Rank::Seventh, Rank::Second);
            let promotes = from.rank() == last_step;
            if promotes {
                promotion = Some(PROMOTIONS[usize::from(code & 3)]);
            }
            let way = if promotes { code >> 2 } else { code };
            match way {
                0 => offset(from, (0, forward))?,
                1 => offset(from, (-1, forward))?,
                2 => offset(from, (1, forward))?,
                3 => offset(from, (0, 2 * forward))?,
                _ => return None,
            }
        }
        Role::Rook => line(code),
        Role::Queen if code == file => Square::try_from(*bytes.next()?).ok()?,
        Role::Queen => line(code),
        Role::Bishop => {
            let files = i32::from(code & 7) - i32::from(file);
            let ranks = if code < 8 { files } else { -files };
            offset(from, (files, ranks))?
        }
    };
    let action = seen(position, from, to, promotion)?;
    position.is_legal(action).then_some(action)
}
