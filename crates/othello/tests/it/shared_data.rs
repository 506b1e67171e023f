//! Laws of whole files: what a file says is legal, and it is written back byte for byte. They run on
//! files of our own, and, if asked for, on the public game base and test suites:
//! `KIBITZ_SHARED=DIR cargo test -p othello shared_data -- --ignored`, with the folders `wthor`,
//! `problems` and `xot` in `DIR/data`.

use othello::notation::{
    ObfLine, PLAYER_BYTES, TOURNAMENT_BYTES, WthorDate, WthorGame, WthorHeader, WthorNames,
    WthorWriter, compact_transcript, read_obf, read_transcripts, read_wthor,
};
use othello::sample::SplitMix64;
use othello::{Game, Move};
use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

/// The files of a folder of the data with this extension, in order, with what they are called.
fn files(folder: &str, extension: &str) -> Vec<(String, Vec<u8>)> {
    let shared = std::env::var_os("KIBITZ_SHARED")
        .expect("KIBITZ_SHARED must name the folder that has `data` with the public game base");
    let folder = PathBuf::from(shared).join("data").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display()))
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(extension))
        })
        .collect();
    paths.sort();
    assert!(
        !paths.is_empty(),
        "{} has no .{extension} file",
        folder.display()
    );
    let with_bytes = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a readable file");
        (path.display().to_string(), bytes)
    };
    paths.into_iter().map(with_bytes).collect()
}

/// The number of games of a file and how many of them are complete.
fn games_come_back(name: &str, bytes: &[u8]) -> (usize, usize) {
    let (mut n_games, mut n_complete) = (0, 0);
    let mut game = Game::new();
    let mut reader = read_wthor(bytes).expect("a header");
    let mut writer = WthorWriter::new(Cursor::new(Vec::new()), reader.header()).expect("a Vec");
    for item in reader.by_ref() {
        let wthor = item.unwrap_or_else(|problem| panic!("{name}: {problem}"));
        n_games += 1;
        n_complete += usize::from(check_game(&wthor, &mut game));
        writer.write(&wthor).expect("a Vec takes all bytes");
    }
    let written = writer.finish().expect("a Vec takes all bytes").into_inner();
    assert!(written == bytes, "{name} changed");
    (n_games, n_complete)
}

/// Whether the game is complete; its score is then that of the file.
fn check_game(wthor: &WthorGame, game: &mut Game) -> bool {
    let replay = wthor.replay().expect("legal moves");
    wthor.replay_into(game).expect("legal moves");
    assert_eq!(game.position(), replay.position);
    match replay.black_score() {
        Some(score) => {
            assert_eq!(score, wthor.black_score, "{}", game.transcript());
            true
        }
        None => false,
    }
}

/// The number of names of a file.
fn names_come_back<const WIDTH: usize>(name: &str, bytes: &[u8]) -> usize {
    let (table, problem) = WthorNames::<WIDTH>::read(bytes).expect("a header");
    assert_eq!(problem, None, "{name}");
    let mut written = Vec::new();
    table.write_to(&mut written).expect("a Vec takes all bytes");
    assert!(written == bytes, "{name} changed");
    table.names.len()
}

/// The number of positions of a suite.
fn suite_comes_back(name: &str, bytes: &[u8]) -> usize {
    let mut written = String::new();
    let mut n_entries = 0;
    for line in read_obf(bytes) {
        let line = line.unwrap_or_else(|problem| panic!("{name}: {problem}"));
        if let ObfLine::Entry(entry) = &line {
            assert!(!entry.moves.is_empty(), "{name}");
            n_entries += 1;
        }
        writeln!(written, "{line}").expect("a String takes all text");
    }
    assert_eq!(written.as_bytes(), bytes, "{name} changed");
    n_entries
}

/// The number of openings of eight moves.
fn openings_read(name: &str, bytes: &[u8]) -> usize {
    read_transcripts(bytes)
        .map(|game| game.unwrap_or_else(|problem| panic!("{name}: {problem}")))
        .filter(|game| game.ply() == 8)
        .count()
}

/// Random play of at most `length` moves.
fn played(random: &mut SplitMix64, length: usize) -> Game {
    let mut game = Game::new();
    while !game.is_over() && game.ply() < length {
        let legal = game.position().board.legal_moves();
        let choice = random.below(legal.len().max(1)) as usize;
        let place = legal.into_iter().nth(choice);
        game.play(place.map_or(Move::Pass, Move::Place))
            .expect("a legal move");
    }
    game
}

const HEADER: WthorHeader = WthorHeader {
    created: WthorDate {
        century: 20,
        year: 26,
        month: 11,
        day: 16,
    },
    n_games: 0,
    n_names: 0,
    year: 2026,
    board_size: 8,
    kind: 0,
    depth: 24,
    reserved: 0,
};

#[test]
fn own_games_replay_and_come_back_byte_for_byte() {
    let mut random = SplitMix64::new(46);
    let mut writer = WthorWriter::new(Cursor::new(Vec::new()), HEADER).expect("a Vec");
    let mut n_over = 0;
    for i in 0..200 {
        // Every fourth game is broken off, as some of the public base are.
        let game = played(&mut random, if i % 4 == 0 { 10 + i / 8 } else { 200 });
        n_over += usize::from(game.is_over());
        let wthor = WthorGame {
            tournament: i as u16,
            black: 2 * i as u16,
            white: 60_000 + i as u16,
            ..WthorGame::from_game(&game).expect("the usual start")
        };
        writer.write(&wthor).expect("a Vec takes all bytes");
    }
    let bytes = writer.finish().expect("a Vec takes all bytes").into_inner();
    assert!((150..200).contains(&n_over), "{n_over}");
    assert_eq!(games_come_back("own games", &bytes), (200, n_over));
}

#[test]
fn own_names_come_back_byte_for_byte() {
    fn table<const WIDTH: usize>(names: &[&str]) -> Vec<u8> {
        let table = WthorNames::<WIDTH> {
            header: HEADER,
            names: names.iter().map(|&name| name.into()).collect(),
        };
        let mut bytes = Vec::new();
        table.write_to(&mut bytes).expect("a Vec takes all bytes");
        bytes
    }
    let names = [
        "",
        "Kibitz",
        "a name that is longer than its place in the file",
    ];
    let players = table::<PLAYER_BYTES>(&names);
    assert_eq!(names_come_back::<PLAYER_BYTES>("own players", &players), 3);
    let tournaments = table::<TOURNAMENT_BYTES>(&names);
    let n_names = names_come_back::<TOURNAMENT_BYTES>("own tournaments", &tournaments);
    assert_eq!(n_names, 3);
}

#[test]
fn the_suite_of_the_repository_comes_back_byte_for_byte() {
    let bytes = include_bytes!("../../../engine/tests/data/ffo-14-18.obf");
    assert_eq!(suite_comes_back("ffo-14-18.obf", bytes), 22);
}

#[test]
fn own_openings_read_as_transcripts() {
    let mut random = SplitMix64::new(8);
    let text: String = (0..100)
        .map(|_| compact_transcript(&played(&mut random, 8)) + "\n")
        .collect();
    assert_eq!(openings_read("own openings", text.as_bytes()), 100);
}

#[test]
#[ignore = "needs the WTHOR base in KIBITZ_SHARED"]
fn wthor_games_replay_and_come_back_byte_for_byte() {
    let files = files("wthor", "wtb");
    let counts = files
        .iter()
        .map(|(name, bytes)| games_come_back(name, bytes));
    let (n_games, n_complete) = counts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    assert_eq!((files.len(), n_games), (46, 129_259));
    assert!(n_complete > 125_000, "only {n_complete} complete games");
}

#[test]
#[ignore = "needs the WTHOR base in KIBITZ_SHARED"]
fn wthor_names_come_back_byte_for_byte() {
    for (name, bytes) in files("wthor", "jou") {
        assert!(names_come_back::<PLAYER_BYTES>(&name, &bytes) > 0, "{name}");
    }
    for (name, bytes) in files("wthor", "trn") {
        let n_names = names_come_back::<TOURNAMENT_BYTES>(&name, &bytes);
        assert!(n_names > 0, "{name}");
    }
}

#[test]
#[ignore = "needs the test suites in KIBITZ_SHARED"]
fn problem_suites_come_back_byte_for_byte() {
    for (name, bytes) in files("problems", "obf") {
        assert!(suite_comes_back(&name, &bytes) > 0, "{name}");
    }
}

#[test]
#[ignore = "needs the XOT openings in KIBITZ_SHARED"]
fn openings_read_as_transcripts() {
    for (name, bytes) in files("xot", "txt") {
        let n_read = openings_read(&name, &bytes);
        assert!(n_read > 3_000, "{name}: {n_read}");
    }
}
