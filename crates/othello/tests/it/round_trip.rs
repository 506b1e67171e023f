//! Round trips of generated records through every notation.

use othello::notation::{
    DiscsText, Format, GAME_BYTES, GgfGame, GgfTag, GgfWriter, HEADER_BYTES, MoveNote, ObfEntry,
    ObfLine, PLAYER_BYTES, Record, ScoredMove, TOURNAMENT_BYTES, WthorDirectory, WthorGame,
    WthorHeader, WthorNames, WthorWriter, compact_transcript, numbered_transcript,
    parse_transcript, read_ggf, read_obf, read_records, read_wthor,
};
use othello::sample::{SplitMix64, random_boards};
use othello::{Game, Move, Position, Side, Square};
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use std::io::Cursor;
use std::num::NonZeroU32;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0..200usize, any::<bool>()).prop_map(|(seed, skip, black)| Position {
        board: random_boards(seed).nth(skip).expect("there is no end"),
        side: Side::BOTH[usize::from(black)],
    })
}

fn games_from(start: Position, seed: u64, length: usize) -> Game {
    let mut random = SplitMix64::new(seed);
    let mut game = Game::from_position(start);
    while !game.is_over() && game.ply() < length {
        let legal = game.position().board.legal_moves();
        let choice = random.below(legal.len().max(1)) as usize;
        let action = legal
            .into_iter()
            .nth(choice)
            .map_or(Move::Pass, Move::Place);
        game.play(action).expect("a legal move");
    }
    game
}

fn starts() -> impl Strategy<Value = Position> {
    prop_oneof![Just(Position::START), positions()]
}

fn games() -> impl Strategy<Value = Game> {
    (starts(), any::<u64>(), 0..70usize).prop_map(|(start, seed, n)| games_from(start, seed, n))
}

fn usual_games() -> impl Strategy<Value = Game> {
    (any::<u64>(), 0..70usize).prop_map(|(seed, n)| games_from(Position::START, seed, n))
}

fn actions() -> impl Strategy<Value = Move> {
    let squares = (0..64u32).prop_map(|index| Move::Place(Square::from_low_bits(index)));
    prop_oneof![9 => squares, 1 => Just(Move::Pass)]
}

fn scored_moves() -> impl Strategy<Value = Vec<ScoredMove>> {
    let score = prop::option::of("[+-]?[0-9]{1,5}(\\.[0-9]{1,4})?");
    let scored = (actions(), score).prop_map(|(action, score)| ScoredMove {
        action,
        score: score.map(|text| text.parse::<DiscsText>().expect("the grammar of a score")),
    });
    prop::collection::vec(scored, 0..12)
}

fn obf_lines() -> impl Strategy<Value = ObfLine> {
    let comment = prop::option::of("[%#]( [a-z;:%#]{1,20})?");
    let entry = (positions(), scored_moves(), comment).prop_map(|(position, moves, comment)| {
        ObfLine::Entry(ObfEntry {
            position,
            moves,
            comment,
        })
    });
    let comment = "([%#]([ -~]{0,20}[!-~])?)?".prop_map(ObfLine::Comment);
    prop_oneof![4 => entry, 1 => comment]
}

fn ggf_games() -> impl Strategy<Value = GgfGame> {
    let tag = ("[A-Za-z0-9]{1,4}", "[^\\]]{0,30}")
        .prop_filter_map("writable", |(name, value)| GgfTag::new(&name, value).ok());
    (any::<u32>(), prop::collection::vec(tag, 0..20)).prop_map(|(count, tags)| GgfGame {
        count: NonZeroU32::new(count % 4),
        tags,
    })
}

fn texts() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[^\\]]{0,20}")
}

fn records() -> impl Strategy<Value = Record> {
    let note = (
        prop::option::of("-?[0-9]\\.[0-9]"),
        prop::option::of("[0-9:.]{1,5}"),
    )
        .prop_map(|(eval, time)| MoveNote { eval, time });
    let notes = prop::collection::vec(note, 1..70);
    let names = [texts(), texts(), texts(), texts(), texts(), texts()];
    let result = prop::option::of(-6_400..=6_400);
    (games(), notes, names, result, scored_moves()).prop_map(
        |(game, mut notes, [black, white, event, date, time, comment], result, candidates)| {
            notes.resize(game.ply(), MoveNote::default());
            if notes.iter().all(|note| *note == MoveNote::default()) {
                notes.clear();
            }
            Record {
                game,
                players: [black, white],
                ratings: [None, Some("1500.5".to_owned())],
                event,
                date,
                time,
                result,
                notes,
                candidates,
                comment,
            }
        },
    )
}

fn wthor_bytes() -> impl Strategy<Value = Vec<u8>> {
    let header = prop::array::uniform16(any::<u8>());
    let games = prop::collection::vec(prop::collection::vec(any::<u8>(), GAME_BYTES), 0..5);
    (header, games).prop_map(|(mut header, games)| {
        header[4..8].copy_from_slice(&(games.len() as u32).to_le_bytes());
        header[12] &= 8;
        [&header[..], &games.concat()].concat()
    })
}

fn name_bytes(width: usize) -> impl Strategy<Value = Vec<u8>> {
    let names = prop::collection::vec(prop::collection::vec(any::<u8>(), width), 0..5);
    let header = prop::array::uniform::<_, HEADER_BYTES>(any::<u8>());
    (header, names).prop_map(|(mut header, names)| {
        header[8..10].copy_from_slice(&(names.len() as u16).to_le_bytes());
        [&header[..], &names.concat()].concat()
    })
}

fn read_back(record: &Record, format: Format) -> Record {
    let mut bytes = Vec::new();
    record
        .write_text(format, &mut bytes)
        .expect("a Vec takes all bytes");
    let directory = WthorDirectory::default();
    let mut records = read_records(format, &bytes[..], &directory);
    let first = records.next().expect("one record").expect("own text");
    assert!(records.next().is_none());
    first
}

fn names_come_back<const WIDTH: usize>(bytes: &[u8]) {
    let (table, problem) = WthorNames::<WIDTH>::read(bytes).expect("a header");
    assert_eq!(problem, None);
    let mut written = Vec::new();
    table.write_to(&mut written).expect("a Vec takes all bytes");
    assert_eq!(written, bytes);
}

proptest! {
    #[test]
    fn positions_come_back(position in positions()) {
        assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn transcripts_come_back(game in games()) {
        assert_eq!(parse_transcript(&compact_transcript(&game)), Ok(game.clone()));
        assert_eq!(parse_transcript(&numbered_transcript(&game)), Ok(game.clone()));
        assert_eq!(parse_transcript(&compact_transcript(&game).to_uppercase()), Ok(game));
    }

    #[test]
    fn obf_comes_back(lines in prop::collection::vec(obf_lines(), 0..6)) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let again: Vec<_> = read_obf(text.as_bytes()).map(|line| line.expect("own text")).collect();
        assert_eq!(again, lines);
        let written: String = again.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(written, text);
    }

    #[test]
    fn ggf_comes_back(games in prop::collection::vec(ggf_games(), 0..5)) {
        let mut writer = GgfWriter::new(Vec::new());
        games.iter().for_each(|game| writer.write(game).expect("a Vec takes all bytes"));
        let bytes = writer.finish().expect("a Vec takes all bytes");
        let again: Vec<_> = read_ggf(&bytes[..]).map(|game| game.expect("own text")).collect();
        assert_eq!(again, games);
    }

    #[test]
    fn wthor_games_come_back(game in usual_games()) {
        let wthor = WthorGame::from_game(&game).expect("the usual start");
        assert_eq!(WthorGame::from_bytes(&wthor.to_bytes()), wthor);
        let replay = wthor.replay().expect("legal moves");
        let mut expected = game.clone();
        if expected.moves().next_back() == Some(Move::Pass) {
            expected.undo();
        }
        assert_eq!(replay.position, expected.position());
        assert_eq!(wthor.game().expect("legal moves").transcript(), game.transcript());
    }

    #[test]
    fn wthor_files_come_back(bytes in wthor_bytes()) {
        let mut reader = read_wthor(&bytes[..]).expect("a header");
        let buffer = Cursor::new(Vec::new());
        // The count is set by the writer, not taken from the header.
        let header = WthorHeader { n_games: 0, ..reader.header() };
        let mut writer = WthorWriter::new(buffer, header).expect("a Vec");
        for game in reader.by_ref() {
            writer.write(&game.expect("whole")).expect("a Vec takes all bytes");
        }
        assert_eq!(writer.finish().expect("a Vec takes all bytes").into_inner(), bytes);
    }

    #[test]
    fn wthor_players_come_back(bytes in name_bytes(PLAYER_BYTES)) {
        names_come_back::<PLAYER_BYTES>(&bytes);
    }

    #[test]
    fn wthor_tournaments_come_back(bytes in name_bytes(TOURNAMENT_BYTES)) {
        names_come_back::<TOURNAMENT_BYTES>(&bytes);
    }

    #[test]
    fn records_keep_what_each_format_promises(record in records()) {
        let ggf = read_back(&record, Format::Ggf);
        assert_eq!(ggf, Record { candidates: Vec::new(), ..record.clone() });
        assert_eq!(read_back(&record, Format::Board).game.start(), record.game.position());
        let obf = read_back(&record, Format::Obf);
        assert_eq!(obf.game.start(), record.game.position());
        assert_eq!(obf.candidates, record.candidates);
        if record.game.start() != Position::START || record.game.ply() > 0 {
            assert_eq!(read_back(&record, Format::Transcript).game, record.game);
        }
    }
}
