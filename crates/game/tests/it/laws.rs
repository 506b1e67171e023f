//! What must hold for any bytes at all where `game` reads. The fuzz targets of `fuzz/` and the
//! seeded runs below share these functions.

use game::{Kind, Packed, Record, pgn};
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
    fn annotations_are_read_or_refused() {
        hold(super::annotations, "annotations", 2_000);
    }
}
