//! What must hold for any bytes at all. The fuzz targets of `fuzz/` and the seeded run of this test
//! binary share these functions.

use engine::checksum::checksum;
use learn::{
    data::{self, Appender},
    games::GamesReader,
    linear::Linear,
    td::{Trainer, checkpoint},
};
use std::io::Cursor;

/// Bytes are a training or an error, and a training writes bytes that read as the same one. They
/// are read as they are, and as the body of a file with the right checksum: otherwise hardly
/// anything would ever get past that.
pub(crate) fn checkpoint(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), checkpoint::seal(bytes)] {
        if let Ok(trainer) = Trainer::from_checkpoint(&bytes) {
            let written = trainer.to_checkpoint().expect("memory can be written to");
            // One at a time: each is a hundred megabytes.
            drop(trainer);
            let again = Trainer::from_checkpoint(&written).expect("own bytes");
            let twice = again.to_checkpoint().expect("memory can be written to");
            assert!(written == twice);
        }
    }
}

/// Reading never panics; games that were read are legal, and written as the same bytes if they are
/// of the newest version.
pub(crate) fn games(bytes: &[u8]) {
    let Ok(mut reader) = GamesReader::new(bytes) else {
        return;
    };
    let mut at = reader.end() as usize;
    while let Some(Ok(game)) = reader.next() {
        let end = reader.end() as usize;
        if reader.has_checksums() {
            assert_eq!(game.to_bytes(), bytes[at..end]);
        }
        at = end;
        let source = game.source(false);
        assert_eq!(source.game, game.game());
        assert_eq!(source.values.len(), game.plies().len());
    }
    assert!(reader.next().is_none(), "the end is the end");
}

/// Reading never panics, and positions that were read are written and read as the same ones.
pub(crate) fn data(bytes: &[u8]) {
    let Ok(contents) = data::read(bytes) else {
        return;
    };
    let mut file = Cursor::new(Vec::new());
    Appender::new(&mut file)
        .and_then(|mut appender| Ok(appender.append(&contents.positions)?))
        .expect("memory can be written to");
    let again = data::read(file.get_ref().as_slice()).expect("own bytes");
    assert_eq!(again.positions, contents.positions);
    assert_eq!((again.cut, again.has_checksums), (None, true));
}

/// A text is the state of a training or an error, and a state writes text that reads as the same
/// one. It is read as it is, and with the right checksum behind it.
pub(crate) fn linear_state(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let body = text
        .rsplit_once("checksum ")
        .map_or(&*text, |(body, _)| body);
    let sealed = format!("{body}checksum {:016x}\n", checksum(body.as_bytes()));
    for text in [&*text, &sealed] {
        if let Ok(linear) = Linear::from_text(text) {
            let again = Linear::from_text(&linear.to_text()).expect("own text");
            assert_eq!(again, linear);
            // What to do next follows from it, however odd its numbers are.
            let batch = linear.next_batch();
            assert!(batch.start == linear.games() && batch.end >= batch.start);
            assert!(linear.is_done() || !batch.is_empty());
        }
    }
}
