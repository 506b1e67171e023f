//! What holds for any bytes.

use learn::games::GamesReader;

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
