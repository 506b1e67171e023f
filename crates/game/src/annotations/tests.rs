use super::*;
use crate::{Position, pgn};

fn chess() -> Record {
    let text =
        b"{Before all} 1. e4 $1 {a} {b} (1. d4 {c} d5 ({pre} 1... Nf6 2. c4) 2. c4) (1. c4) \
                 1... e5 2. Qh5?! Ke7 3. Qxe5# 1-0";
    pgn::read(text, 1).unwrap().into_record().unwrap()
}

fn othello() -> Record {
    let mut record = Record::new(Position::OTHELLO_START);
    let f5 = record.add_text(record.root(), "f5").unwrap();
    let d6 = record.add_text(f5, "d6").unwrap();
    let f6 = record.add_text(f5, "f6").unwrap();
    record.add_text(f6, "e6").unwrap();
    record.note_mut(f6).unwrap().comment = Some("Perpendicular".to_owned());
    record.note_mut(d6).unwrap().eval = Some("+1.50".to_owned());
    record.note_mut(d6).unwrap().time = Some("2.1".to_owned());
    record.note_mut(f6).unwrap().before = Some("or".to_owned());
    record
}

#[test]
fn records_come_back() {
    for record in [chess(), othello()] {
        let bytes = record.annotations().unwrap();
        let mut again = Packed::from(&record).annotated(&bytes).unwrap();
        again.tags = record.tags.clone();
        again.outcome = record.outcome;
        // Places have other numbers; their order as a text is the same.
        assert_eq!(again.annotations(), record.annotations());
        assert_eq!(again.n_nodes(), record.n_nodes());
        let notes = |record: &Record| -> Vec<Note> {
            let moves = record.tour().filter_map(|stop| match stop {
                Stop::Move(id) => Some(record.node(id).unwrap().note.clone()),
                _ => None,
            });
            moves.collect()
        };
        assert_eq!(notes(&again), notes(&record));
    }
    assert_eq!(Record::new(Position::CHESS_START).annotations(), None);
}

#[test]
fn a_game_that_ends_with_a_pass_keeps_it() {
    let board = othello::sample::random_boards(3)
        .find(|board| board.must_pass())
        .unwrap();
    let side = othello::Side::White;
    let start = Position::Othello(othello::Position { board, side });
    let mut record = Record::new(start.clone());
    let pass = record.add(record.root(), start.forced().unwrap()).unwrap();
    record.note_mut(pass).unwrap().comment = Some("must".to_owned());
    let bytes = record.annotations().unwrap();
    let again = Packed::from(&record).annotated(&bytes).unwrap();
    assert_eq!(again.main_line().count(), 1);
    assert_eq!(again.annotations().unwrap(), bytes);
}

#[test]
fn damaged_bytes_are_refused_with_their_place() {
    let record = chess();
    let packed = Packed::from(&record);
    let bytes = record.annotations().unwrap();
    let told = |bytes: &[u8]| packed.annotated(bytes).unwrap_err().to_string();
    assert_eq!(
        told(&[9]),
        "the annotations have version 9; this program knows 1"
    );
    assert_eq!(
        told(&[]),
        "the annotations are damaged at byte 0: expected a version"
    );
    // Every cut and every changed byte gives a record or an error, and never a panic.
    for n in 0..bytes.len() {
        drop(packed.annotated(&bytes[..n]));
        for change in [1, 8, 128, 255] {
            let mut damaged = bytes.clone();
            damaged[n] ^= change;
            drop(packed.annotated(&damaged));
        }
    }
    let open = Op::Open as u8;
    let told = packed.annotated(&[VERSION, 5, 8 + open]).unwrap_err();
    assert!(
        told.to_string()
            .ends_with("expected the end of a variation"),
        "{told}"
    );
}
