//! A program that is killed at any moment loses nothing that it was told is on disk, and leaves a
//! sound database.
//!
//! The test starts itself again as the program that is killed. `KIBITZ_KILLS` says how often; the
//! suite does it a few times.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the test starts, lets run and kills a program of its own"
)]

use crate::sample::{Chance, games};
use game::Position;
use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use store::{Event, Filter, ImportState, LineKey, Order, Review, Store, Writer, WriterSettings};

const CHILD: &str = "KIBITZ_KILLED_PROGRAM";

/// Games of the file that the program imports.
const GAMES: usize = 3_000;
const CHUNK: usize = 600;

/// What the program was told before it was killed.
#[derive(Default)]
struct Told {
    /// How many records of the file are in.
    imported: u64,
    /// The text of each note, by the number of its game.
    notes: BTreeMap<u32, String>,
    /// How many moves of each review were there.
    reviews: BTreeMap<usize, u64>,
}

fn review(line: LineKey, n_moves: u64) -> Review {
    Review {
        line,
        maker: "a maker".to_owned(),
        is_done: n_moves >= 60,
        at: n_moves as i64,
        opening: String::new(),
        parts: Vec::new(),
        mistakes: Vec::new(),
        data: vec![b'm'; 100 * n_moves as usize],
    }
}

/// The program that is killed: it writes, and says what is on disk.
#[test]
#[ignore = "started by the test below"]
fn program() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    let seed = std::env::var("KIBITZ_KILL_SEED").unwrap();
    let mut chance = Chance(seed.parse().unwrap());
    let writer = Writer::start(Path::new(&path), WriterSettings::new(|| 0)).unwrap();
    let all: Vec<_> = games(21, GAMES).into_iter().map(|it| it.1).collect();
    let say = |text: String| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}").unwrap();
        out.flush().unwrap();
    };
    loop {
        match chance.below(3) {
            0 => {
                let state = writer.with(|store| store.import_state("a file"));
                let mut state = state.unwrap().unwrap().unwrap_or_else(|| ImportState {
                    source: "a file".to_owned(),
                    ..ImportState::default()
                });
                let from = state.records as usize;
                if from >= GAMES {
                    continue;
                }
                let chunk = all[from..(from + CHUNK).min(GAMES)].to_vec();
                state.records += chunk.len() as u64;
                let records = state.records;
                let added = writer.with(move |store| store.add(&chunk, Some(&mut state)));
                added.unwrap().unwrap();
                say(format!("imported {records}"));
            }
            1 => {
                let game = 1 + chance.below(50) as u32;
                let text = format!("note {}", chance.below(1_000_000));
                let event = Event::GameNote {
                    game,
                    text: text.clone(),
                };
                writer.write(event).unwrap();
                say(format!("note {game} {text}"));
            }
            _ => {
                let game = chance.below(40);
                let line = LineKey::of(&all[game].game.packed);
                let known = writer.with(move |store| store.review(line, "a maker"));
                let known = known.unwrap().unwrap().map_or(0, |it| it.at as u64);
                let review = Box::new(review(line, known + 1));
                let event = Event::Review {
                    review,
                    game: None,
                    step: None,
                };
                writer.write(event).unwrap();
                say(format!("review {game} {}", known + 1));
            }
        }
    }
}

/// Lets the program run for a while, kills it, and notes what it was told.
fn run_and_kill(path: &Path, seed: u64, wait: Duration, told: &mut Told) -> usize {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::program", "--ignored", "--nocapture"])
        .env(CHILD, path)
        .env("KIBITZ_KILL_SEED", seed.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(out).lines();
        lines.map_while(Result::ok).collect::<Vec<String>>()
    });
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = reader.join().unwrap();
    let mut n_told = 0;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["imported", records] => told.imported = records.parse().unwrap(),
            ["note", game, ..] => {
                let text = words[2..].join(" ");
                told.notes.insert(game.parse().unwrap(), text);
            }
            ["review", game, n] => {
                told.reviews
                    .insert(game.parse().unwrap(), n.parse().unwrap());
            }
            _ => continue,
        }
        n_told += 1;
    }
    n_told
}

/// Compares the database with what the program was told.
fn look(path: &Path, told: &Told, all: &[store::NewGame]) {
    let store = Store::open(path).unwrap();
    let state = store.import_state("a file").unwrap().unwrap_or_default();
    assert!(state.records >= told.imported, "an import went back");
    let ids = store.find_ids(&Filter::default(), Order::Added).unwrap();
    assert_eq!(ids.len() as u64, state.stored, "games and import disagree");
    for (game, text) in &told.notes {
        let kept = store.game_note(*game).unwrap().unwrap();
        // The next one may be on disk, too, if the kill came before the program could say so.
        assert!(kept == *text || kept.starts_with("note "), "{kept}");
    }
    for (game, n) in &told.reviews {
        let line = LineKey::of(&all[*game].game.packed);
        let kept = store.review(line, "a maker").unwrap().unwrap();
        assert!(
            kept.at as u64 == *n || kept.at as u64 == *n + 1,
            "a step is lost"
        );
        assert_eq!(kept.data.len() as u64, 100 * kept.at as u64);
    }
    let checked = store.check(37).unwrap();
    assert_eq!(checked.problems, Vec::<String>::new());
}

#[test]
fn nothing_acknowledged_is_lost_by_kills() {
    let kills = std::env::var("KIBITZ_KILLS").map_or(6, |it| it.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("games.db");
    let all: Vec<_> = games(21, GAMES).into_iter().map(|it| it.1).collect();
    let mut chance = Chance(5);
    let mut told = Told::default();
    let mut n_told = 0;
    for kill in 0..kills {
        let wait = Duration::from_millis(100 + chance.below(500) as u64);
        n_told += run_and_kill(&path, 100 + kill, wait, &mut told);
        if path.exists() {
            look(&path, &told, &all);
        }
    }
    let imported = told.imported;
    eprintln!("{kills} kills, {n_told} acknowledged, {imported} records imported");
    // The import goes on where it was, and is as if nobody had disturbed it.
    let mut store = Store::open(&path).unwrap();
    let mut state = store.import_state("a file").unwrap().unwrap_or_default();
    "a file".clone_into(&mut state.source);
    let rest = &all[state.records as usize..];
    state.records = GAMES as u64;
    store.add(rest, Some(&mut state)).unwrap();
    let start = Filter {
        position: Some(Position::OTHELLO_START),
        ..Filter::default()
    };
    let found = store.find_ids(&start, Order::Added).unwrap();
    assert_eq!(found.len() as u64, state.stored);
    assert_eq!(state.stored + state.duplicates, GAMES as u64);
}
