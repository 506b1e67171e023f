//! Polyglot's opening books of chess: 16 bytes a move, sorted by the key of the position.
//!
//! A book is searched where it lies: books of hundreds of megabytes are common, and a look takes
//! some thirty small reads.

use crate::{ChessMove, ChessPosition, Move, Position};
use std::io::{self, Read, Seek, SeekFrom};

/// Key, move, weight and what learning programs noted.
const RECORD_BYTES: u64 = 16;

/// No position has so many book moves; a file in which one has is no book.
const MOVES_MAX: usize = 512;

/// A move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    pub action: ChessMove,
    /// How good it is, beside the other moves of its position.
    pub weight: u16,
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A file of another kind, or one that was cut.
    #[error("it has {0} bytes; a Polyglot book has 16 for every move")]
    Length(u64),
    #[error("it is not sorted by position (at byte {0}), so it is no Polyglot book")]
    Unsorted(u64),
}

/// A book that is open, and read where it is asked.
#[derive(Debug)]
pub struct Book<R> {
    source: R,
    n_records: u64,
}

struct Entry {
    key: u64,
    code: u16,
    weight: u16,
}

impl<R: Read + Seek> Book<R> {
    /// Opens a book and looks whether it can be one: its length, and whether some dozens of its
    /// records are in order.
    pub fn open(mut source: R) -> Result<Self, BookError> {
        let n_bytes = source.seek(SeekFrom::End(0))?;
        if n_bytes % RECORD_BYTES != 0 {
            return Err(BookError::Length(n_bytes));
        }
        let mut book = Self {
            source,
            n_records: n_bytes / RECORD_BYTES,
        };
        let step = (book.n_records / 64).max(1);
        let mut before = 0;
        let mut at = 0;
        while at < book.n_records {
            let key = book.entry(at)?.key;
            if key < before {
                return Err(BookError::Unsorted(at * RECORD_BYTES));
            }
            before = key;
            at += step;
        }
        Ok(book)
    }

    /// How many moves it has.
    pub const fn len(&self) -> u64 {
        self.n_records
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.n_records == 0
    }

    fn entry(&mut self, number: u64) -> Result<Entry, BookError> {
        self.source.seek(SeekFrom::Start(number * RECORD_BYTES))?;
        let mut bytes = [0; RECORD_BYTES as usize];
        self.source.read_exact(&mut bytes)?;
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = bytes;
        Ok(Entry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_be_bytes([i, j]),
            weight: u16::from_be_bytes([k, l]),
        })
    }

    /// The book's moves at a position, heaviest first. What is no legal move there is left out:
    /// another position may have the same key.
    pub fn moves(&mut self, position: &ChessPosition) -> Result<Vec<BookMove>, BookError> {
        let key = position.polyglot_key();
        let (mut from, mut to) = (0, self.n_records);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.entry(middle)?.key < key {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        let mut found: Vec<BookMove> = Vec::new();
        let mut n_seen = 0;
        while from < self.n_records && n_seen < MOVES_MAX {
            let entry = self.entry(from)?;
            if entry.key != key {
                break;
            }
            if let Some(action) = read_move(position, entry.code)
                && !found.iter().any(|it| it.action == action)
            {
                found.push(BookMove {
                    action,
                    weight: entry.weight,
                });
            }
            from += 1;
            n_seen += 1;
        }
        found.sort_by_key(|it| std::cmp::Reverse(it.weight));
        Ok(found)
    }
}

/// A move as the book codes it: to and from by file and row, and what a pawn becomes. Castling is
/// the king's way to its rook.
fn read_move(position: &ChessPosition, code: u16) -> Option<ChessMove> {
    let letter = |bits: u16| char::from(b'a' + (bits & 7) as u8);
    let digit = |bits: u16| char::from(b'1' + (bits & 7) as u8);
    let mut text: String = [code >> 6, code >> 9, code, code >> 3]
        .into_iter()
        .zip([true, false, true, false])
        .map(|(bits, is_file)| if is_file { letter(bits) } else { digit(bits) })
        .collect();
    text.extend(match code >> 12 & 7 {
        0 => None,
        1 => Some('n'),
        2 => Some('b'),
        3 => Some('r'),
        4 => Some('q'),
        _ => return None,
    });
    // Both ways of writing castling are understood.
    match Position::Chess(position.clone()).parse_move(&text) {
        Ok(Move::Chess(action)) => Some(action),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn position(fen: &str) -> ChessPosition {
        fen.parse().unwrap()
    }

    /// The keys of Polyglot's own description of the format.
    #[test]
    fn keys_are_the_published_ones() {
        for (fen, key) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0x463b_9618_1691_fc9c_u64,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                0x823c_9b50_fd11_4196,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
                0x0756_b944_61c5_0fb0,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
                0x662f_afb9_65db_29d4,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
                0x652a_607c_a3f2_42c1,
            ),
            (
                "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
                0x00fd_d303_c946_bdd9,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3c81_23ea_7b06_7637,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
                0x5c3f_9b82_9b27_9560,
            ),
        ] {
            assert_eq!(position(fen).polyglot_key(), key, "{fen}");
        }
    }

    fn record(key: u64, code: u16, weight: u16) -> Vec<u8> {
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    /// A move in the book's code.
    fn code(text: &str) -> u16 {
        let at = |i: usize, base: u8| u16::from(text.as_bytes()[i] - base);
        let promotion = text.chars().nth(4).map_or(0, |it| {
            1 + "nbrq".find(it).expect("a piece that a pawn becomes") as u16
        });
        at(2, b'a') | at(3, b'1') << 3 | at(0, b'a') << 6 | at(1, b'1') << 9 | promotion << 12
    }

    #[test]
    fn moves_are_found_with_castling_and_promotion() {
        let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let promoting = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        let start = ChessPosition::START;
        let mut all = [
            (castling.polyglot_key(), code("e1h1"), 5),
            (castling.polyglot_key(), code("e1a1"), 9),
            (castling.polyglot_key(), code("e1e8"), 7),
            (promoting.polyglot_key(), code("a7a8q"), 3),
            (promoting.polyglot_key(), code("a7a8n"), 1),
            (start.polyglot_key(), code("e2e4"), 100),
            (start.polyglot_key(), code("d2d4"), 200),
        ];
        all.sort_by_key(|(key, ..)| *key);
        let bytes: Vec<u8> = all
            .iter()
            .flat_map(|&(key, code, weight)| record(key, code, weight))
            .collect();
        let mut book = Book::open(Cursor::new(bytes)).unwrap();
        assert_eq!(book.len(), 7);
        let mut told = |position: &ChessPosition| -> Vec<(String, u16)> {
            let moves = book.moves(position).unwrap();
            let told = moves.iter().map(|it| (it.action.to_string(), it.weight));
            told.collect()
        };
        let pair = |text: &str, weight| (text.to_owned(), weight);
        assert_eq!(told(&start), [pair("d2d4", 200), pair("e2e4", 100)]);
        assert_eq!(told(&castling), [pair("e1c1", 9), pair("e1g1", 5)]);
        assert_eq!(told(&promoting), [pair("a7a8q", 3), pair("a7a8n", 1)]);
        assert_eq!(told(&position("8/8/8/8/8/8/k7/7K w - - 0 1")), []);
    }

    #[test]
    fn other_files_are_refused() {
        let told = |bytes: Vec<u8>| Book::open(Cursor::new(bytes)).unwrap_err().to_string();
        assert_eq!(
            told(vec![0; 17]),
            "it has 17 bytes; a Polyglot book has 16 for every move"
        );
        let unsorted = [record(9, 0, 0), record(3, 0, 0)].concat();
        assert!(told(unsorted).starts_with("it is not sorted"));
        assert!(Book::open(Cursor::new(Vec::new())).unwrap().is_empty());
    }
}
