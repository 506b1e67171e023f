//! What must hold for any bytes at all. The fuzz targets of `fuzz/` and the seeded run of this test
//! binary share these functions.

use learn::{
    games::GamesReader,
    td::{Trainer, checkpoint},
};

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

/// Reading never panics; games that were read are written as the same bytes, and are legal.
pub(crate) fn games(bytes: &[u8]) {
    let Ok(mut reader) = GamesReader::new(bytes) else {
        return;
    };
    let mut at = reader.end() as usize;
    while let Some(Ok(game)) = reader.next() {
        let written = game.to_bytes();
        assert_eq!(written, bytes[at..at + written.len()]);
        at += written.len();
        assert_eq!(reader.end(), at as u64);
        let source = game.source(false);
        assert_eq!(source.game, game.game());
        assert_eq!(source.values.len(), game.plies().len());
    }
    assert!(reader.next().is_none(), "the end is the end");
}
