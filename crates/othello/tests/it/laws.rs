//! What must hold for any bytes at all: nothing panics, and what reads also writes and reads back
//! equal. The fuzz targets of `fuzz/` and the seeded run of this test binary share these functions.

use othello::Position;
use othello::notation::{
    Format, GgfGame, GgfWriter, ObfEntry, PLAYER_BYTES, Record, TOURNAMENT_BYTES, WthorDirectory,
    WthorGame, WthorNames, WthorWriter, compact_transcript, detect, numbered_transcript,
    parse_transcript, read_ggf, read_obf, read_records, read_transcripts, read_wthor,
};
use std::io::Cursor;

/// A position that reads is the same after writing.
pub(crate) fn position(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
    }
}

/// A game that reads is the same after writing it in either form.
pub(crate) fn transcript(bytes: &[u8]) {
    for game in read_transcripts(bytes).flatten() {
        assert_eq!(
            parse_transcript(&compact_transcript(&game)),
            Ok(game.clone())
        );
        assert_eq!(parse_transcript(&numbered_transcript(&game)), Ok(game));
    }
}

/// A line that reads is the same after writing.
pub(crate) fn obf(bytes: &[u8]) {
    for line in read_obf(bytes).flatten() {
        let text = format!("{line}\n");
        let again: Vec<_> = read_obf(text.as_bytes()).collect();
        assert_eq!(again, [Ok(line)]);
    }
}

/// Games that read are the same, and in the same groups, after writing.
pub(crate) fn ggf(bytes: &[u8]) {
    let games: Vec<GgfGame> = read_ggf(bytes).flatten().collect();
    let mut writer = GgfWriter::new(Vec::new());
    for game in &games {
        writer.write(game).expect("a Vec takes all bytes");
    }
    let written = writer.finish().expect("a Vec takes all bytes");
    let again: Vec<_> = read_ggf(&written[..])
        .map(|game| game.expect("own text"))
        .collect();
    assert_eq!(again, games);
    for game in games {
        let replayed = game.game();
        assert_eq!(Record::try_from(&game).map(|record| record.game), replayed);
    }
}

/// A file without problems is written back byte for byte; both replays agree on every game.
pub(crate) fn wthor_games(bytes: &[u8]) {
    let Ok(mut reader) = read_wthor(bytes) else {
        return;
    };
    let buffer = Cursor::new(Vec::new());
    let mut writer = WthorWriter::new(buffer, reader.header()).expect("a Vec takes all bytes");
    let mut whole = true;
    for item in reader.by_ref() {
        match item {
            Ok(game) => {
                writer.write(&game).expect("a Vec takes all bytes");
                wthor_game(&game);
            }
            Err(_) => whole = false,
        }
    }
    let written = writer.finish().expect("a Vec takes all bytes").into_inner();
    if whole {
        assert_eq!(written, bytes);
    }
}

fn wthor_game(game: &WthorGame) {
    let end = game.replay().map(|replay| replay.position);
    assert_eq!(game.game().map(|game| game.position()), end);
    if let Ok(replayed) = game.game() {
        let again = WthorGame::from_game(&replayed).expect("it begins at the start");
        assert_eq!(again.moves, game.moves);
    }
}

/// Names without problems are written back byte for byte.
pub(crate) fn wthor_names(bytes: &[u8]) {
    names_of_width::<PLAYER_BYTES>(bytes);
    names_of_width::<TOURNAMENT_BYTES>(bytes);
}

fn names_of_width<const WIDTH: usize>(bytes: &[u8]) {
    let Ok((table, problem)) = WthorNames::<WIDTH>::read(bytes) else {
        return;
    };
    for (number, name) in (0..).zip(&table.names) {
        assert_eq!(table.name(number), Some(name.to_str()));
    }
    let mut written = Vec::new();
    table.write_to(&mut written).expect("a Vec takes all bytes");
    if problem.is_none() {
        assert_eq!(written, bytes);
    }
}

/// Whatever the bytes are taken for, each record survives the way into every format that can hold
/// it, less what that format has no place for.
pub(crate) fn convert_detect(bytes: &[u8]) {
    let format = detect(bytes, None);
    let directory = WthorDirectory::default();
    for record in read_records(format, bytes, &directory).flatten() {
        convert(&record, &directory);
    }
}

fn convert(record: &Record, directory: &WthorDirectory) {
    let last = record.game.position();
    assert_eq!(
        one(record, Format::Board).map(|r| r.game.position()),
        Some(last)
    );
    if record.game.ply() > 0 || record.game.start() != Position::START {
        let again = one(record, Format::Transcript).map(|r| r.game);
        assert_eq!(again.as_ref(), Some(&record.game));
    }
    let entry: ObfEntry = record.to_obf().to_string().parse().expect("own text");
    assert_eq!(entry, record.to_obf());
    if record.to_ggf().is_ok() {
        let expected = Record {
            candidates: Vec::new(),
            ..record.clone()
        };
        assert_eq!(one(record, Format::Ggf), Some(expected));
    }
    if let Ok(wthor) = record.to_wthor(directory) {
        let again = Record::from_wthor(&wthor, 0, directory).expect("own game");
        assert_eq!(again.game.transcript(), record.game.transcript());
    }
}

/// The record, written in a text format and read back.
fn one(record: &Record, format: Format) -> Option<Record> {
    let mut written = Vec::new();
    record.write_text(format, &mut written).ok()?;
    let directory = WthorDirectory::default();
    let mut again = read_records(format, &written[..], &directory);
    let first = again.next()?.expect("own text");
    assert!(again.next().is_none(), "one record became two");
    Some(first)
}
