//! The public game base and test suites, where a folder of them lies beside the repository; the
//! tests pass without a word where it does not. `KIBITZ_SHARED` names a folder that has `data`.

use othello::Game;
use othello::notation::{
    ObfLine, WthorGame, WthorNames, WthorWriter, read_obf, read_transcripts, read_wthor,
};
use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

fn data_folder() -> Option<PathBuf> {
    if let Some(shared) = std::env::var_os("KIBITZ_SHARED") {
        return Some(PathBuf::from(shared).join("data"));
    }
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data"))
        .find(|data| data.is_dir())
}

/// The files of a folder of the data with this extension, in order; none if there is no data.
fn files(folder: &str, extension: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(data) = data_folder() else {
        return Vec::new();
    };
    let mut paths: Vec<_> = fs::read_dir(data.join(folder))
        .expect("a folder of the data")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(extension))
        })
        .collect();
    paths.sort();
    let with_bytes = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a readable file");
        (path, bytes)
    };
    paths.into_iter().map(with_bytes).collect()
}

#[test]
fn wthor_games_replay_and_come_back_byte_for_byte() {
    let files = files("wthor", "wtb");
    let (mut n_games, mut n_complete) = (0, 0);
    let mut game = Game::new();
    for (path, bytes) in &files {
        let mut reader = read_wthor(&bytes[..]).expect("a header");
        let mut writer = WthorWriter::new(Cursor::new(Vec::new()), reader.header()).expect("a Vec");
        for item in reader.by_ref() {
            let wthor = item.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            n_games += 1;
            n_complete += u32::from(check_game(&wthor, &mut game));
            writer.write(&wthor).expect("a Vec takes all bytes");
        }
        let written = writer.finish().expect("a Vec takes all bytes").into_inner();
        assert!(written == *bytes, "{} changed", path.display());
    }
    if !files.is_empty() {
        assert_eq!((files.len(), n_games), (46, 129_259));
        assert!(n_complete > 125_000, "only {n_complete} complete games");
    }
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

#[test]
fn wthor_names_come_back_byte_for_byte() {
    for (path, bytes) in files("wthor", "jou") {
        names_come_back::<20>(&path, &bytes);
    }
    for (path, bytes) in files("wthor", "trn") {
        names_come_back::<26>(&path, &bytes);
    }
}

fn names_come_back<const WIDTH: usize>(path: &Path, bytes: &[u8]) {
    let (table, problem) = WthorNames::<WIDTH>::read(bytes).expect("a header");
    assert_eq!(problem, None, "{}", path.display());
    let mut written = Vec::new();
    table.write_to(&mut written).expect("a Vec takes all bytes");
    assert!(written == bytes, "{} changed", path.display());
}

#[test]
fn problem_suites_come_back_byte_for_byte() {
    for (path, bytes) in files("problems", "obf") {
        let mut written = String::new();
        for line in read_obf(&bytes[..]) {
            let line = line.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            if let ObfLine::Entry(entry) = &line {
                assert!(!entry.moves.is_empty(), "{}", path.display());
            }
            writeln!(written, "{line}").expect("a String takes all text");
        }
        assert_eq!(written.as_bytes(), bytes, "{} changed", path.display());
    }
}

#[test]
fn openings_read_as_transcripts() {
    for (path, bytes) in files("xot", "txt") {
        let openings = read_transcripts(&bytes[..]);
        let n_read = openings
            .map(|game| game.unwrap_or_else(|problem| panic!("{}: {problem}", path.display())))
            .filter(|game| game.ply() == 8)
            .count();
        assert!(n_read > 3_000, "{}: {n_read}", path.display());
    }
}
