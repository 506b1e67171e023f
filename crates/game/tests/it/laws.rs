//! What must hold for any bytes at all where `game` reads. The fuzz targets of `fuzz/` and the
//! seeded runs below share these functions.

use game::{ChessPosition, Kind, Move, Packed, Record, epd::Epd, pgn, polyglot::Book};
use std::io::Cursor;

/// A file is cut into games; each is read or refused with a line of the file. A game that was read
/// is written as a text that is read as the same text again.
pub(crate) fn pgn(bytes: &[u8]) {
    let mut splitter = pgn::Splitter::new(Cursor::new(bytes));
    let mut buffer = Vec::new();
    let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    while let Ok(Some(slice)) = splitter.next_into(&mut buffer) {
        match pgn::read(&buffer[slice.range.clone()], slice.line) {
            Ok(game) => {
                let prints = game.packed.footprints().expect("moves that were read");
                assert_eq!(prints, game.prints);
                let record = game.into_record().expect("what was read is a record");
                let once = pgn::write(&record).expect("a game of chess");
                let again = pgn::read(once.as_bytes(), 1).expect("own text");
                let again = again.into_record().expect("as before");
                assert_eq!(pgn::write(&again).expect("as before"), once);
            }
            Err(error) => assert!((1..=n_lines).contains(&error.line), "{error}"),
        }
    }
}

/// Bytes are a game with annotations or are refused. What was read is written as bytes that are read
/// as the same.
pub(crate) fn annotations(bytes: &[u8]) {
    let Some((head, rest)) = bytes.split_first() else {
        return;
    };
    let kind = Kind::ALL[usize::from(head & 1)];
    let n = usize::from(head >> 1).min(rest.len());
    let packed = Packed {
        kind,
        start: None,
        moves: rest[..n].to_vec(),
    };
    let Ok(record) = packed.annotated(&rest[n..]) else {
        return;
    };
    let line = Packed::from(&record);
    let Some(written) = record.annotations() else {
        return;
    };
    let again: Record = line.annotated(&written).expect("own bytes");
    assert_eq!(again.annotations().as_ref(), Some(&written));
    assert_eq!(Packed::from(&again), line);
}

/// Lines are positions of chess or are refused with a column of theirs. What was read is written as
/// a line that is read as the same; so is the position alone.
pub(crate) fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match line.parse::<Epd>() {
            Ok(epd) => {
                let once = epd.to_string();
                let again: Epd = once.parse().expect("own text");
                assert_eq!(again.to_string(), once);
                assert_eq!(again.position, epd.position);
                let fen = epd.position.to_string();
                let same = fen.parse::<ChessPosition>().expect("own text");
                assert_eq!(same.to_string(), fen);
                // What it says is a move or is refused; both are fine.
                epd.best_moves().ok();
                pgn::write(&epd.to_record()).expect("a position of chess");
            }
            Err(error) => assert!(error.column <= line.chars().count() + 1, "{error}"),
        }
    }
}

/// Bytes are a book or are refused. Every move that a book has at a position is legal there.
pub(crate) fn polyglot(bytes: &[u8]) {
    let Ok(mut book) = Book::open(Cursor::new(bytes)) else {
        return;
    };
    let mut position = Kind::Chess.start();
    for _ in 0..8 {
        let chess = position.chess().expect("a game of chess").clone();
        let Ok(moves) = book.moves(&chess) else {
            return;
        };
        assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight));
        for it in &moves {
            assert!(position.play(Move::Chess(it.action)).is_ok());
        }
        let Some(first) = moves.first() else { return };
        position = position
            .play(Move::Chess(first.action))
            .expect("it is legal");
    }
}

#[cfg(test)]
#[path = "../../../../fuzz/src/seeded.rs"]
mod seeded;

#[cfg(test)]
mod tests {
    use super::seeded::hold;

    #[test]
    fn games_are_read_or_refused() {
        hold(super::pgn, "pgn", 2_000);
    }

    #[test]
    fn positions_of_chess_are_read_or_refused() {
        hold(super::epd, "epd", 2_000);
    }

    #[test]
    fn books_of_chess_are_read_or_refused() {
        hold(super::polyglot, "polyglot", 2_000);
    }

    #[test]
    fn annotations_are_read_or_refused() {
        hold(super::annotations, "annotations", 2_000);
    }
}
