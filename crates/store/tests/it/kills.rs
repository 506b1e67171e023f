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
use store::{
    Event, Filter, ImportState, LineKey, NewGame, Order, Review, Store, Writer, WriterSettings,
};

const CHILD: &str = "KIBITZ_KILLED_PROGRAM";

/// Games of each file that the program imports, one file after the other.
const GAMES: usize = 1_400;
const CHUNK: usize = 600;

/// The program has begun to write.
const BEGUN: &str = "begun";

/// What the program was told before it was killed.
#[derive(Default)]
struct Told {
    /// How many records of each file are in.
    imported: BTreeMap<u64, u64>,
    /// The text of each note, by the number of its game.
    notes: BTreeMap<u32, String>,
    /// What was to be written when the program was killed.
    begun: Option<(u32, String)>,
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

/// The games of a file: those of the first one, played on another day.
fn file_games(all: &[NewGame], file: u64) -> Vec<NewGame> {
    let another_day = |it: &NewGame| {
        let mut game = it.game.clone();
        game.date = 20_000_101 + file as u32;
        NewGame::new(game).unwrap()
    };
    all.iter().map(another_day).collect()
}

/// The file that is being imported, and how far.
fn state_of(store: &Store, file: u64) -> ImportState {
    let source = format!("file {file}");
    let state = store.import_state(&source).unwrap();
    state.unwrap_or_else(|| ImportState {
        source,
        ..ImportState::default()
    })
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
    let mut file = 0;
    say(BEGUN.to_owned());
    loop {
        match chance.below(3) {
            0 => {
                let mut state = writer.with(move |store| state_of(store, file)).unwrap();
                let from = state.records as usize;
                if from >= GAMES {
                    file += 1;
                    continue;
                }
                let chunk = file_games(&all[from..(from + CHUNK).min(GAMES)], file);
                state.records += chunk.len() as u64;
                let records = state.records;
                let added = writer.with(move |store| store.add(&chunk, Some(&mut state)));
                added.unwrap().unwrap();
                say(format!("imported {file} {records}"));
            }
            1 => {
                let game = 1 + chance.below(50) as u32;
                let text = format!("note {}", chance.below(1_000_000));
                let event = Event::GameNote {
                    game,
                    text: text.clone(),
                };
                say(format!("noting {game} {text}"));
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
    let (begun, has_begun) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut lines = Vec::new();
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if line == BEGUN {
                begun.send(()).unwrap();
            }
            lines.push(line);
        }
        lines
    });
    has_begun.recv().unwrap();
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = reader.join().unwrap();
    let mut n_told = 0;
    told.begun = None;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["imported", file, records] => {
                let (file, records) = (file.parse().unwrap(), records.parse().unwrap());
                told.imported.insert(file, records);
            }
            ["noting", game, ..] => {
                told.begun = Some((game.parse().unwrap(), words[2..].join(" ")));
                continue;
            }
            ["note", game, ..] => {
                let text = words[2..].join(" ");
                told.notes.insert(game.parse().unwrap(), text);
                told.begun = None;
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
fn look(path: &Path, told: &mut Told, all: &[NewGame]) {
    let store = Store::open(path).unwrap();
    let mut stored = 0;
    for file in 0.. {
        let state = state_of(&store, file);
        let records = told.imported.get(&file).copied().unwrap_or(0);
        assert!(state.records >= records, "an import went back");
        stored += state.stored;
        if state.records == 0 {
            break;
        }
    }
    let ids = store.find_ids(&Filter::default(), Order::Added).unwrap();
    assert_eq!(ids.len() as u64, stored, "games and imports disagree");
    // The one that was being written may be on disk, too, or not.
    if let Some((game, text)) = told.begun.take()
        && store.game_note(game).unwrap().as_ref() == Some(&text)
    {
        told.notes.insert(game, text);
    }
    for (game, text) in &told.notes {
        assert_eq!(store.game_note(*game).unwrap().as_ref(), Some(text));
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
        let wait = Duration::from_millis(chance.below(400) as u64);
        n_told += run_and_kill(&path, 100 + kill, wait, &mut told);
        look(&path, &mut told, &all);
    }
    let imported: u64 = told.imported.values().sum();
    eprintln!("{kills} kills, {n_told} acknowledged, {imported} records imported");
    assert!(
        imported > 0 && n_told as u64 >= kills,
        "hardly anything was written"
    );
    // The import goes on where it was, and is as if nobody had disturbed it.
    let mut store = Store::open(&path).unwrap();
    let last = told.imported.keys().last().copied().unwrap_or(0);
    let mut state = state_of(&store, last);
    let rest = file_games(&all[state.records as usize..], last);
    state.records = GAMES as u64;
    store.add(&rest, Some(&mut state)).unwrap();
    let start = Filter {
        position: Some(Position::OTHELLO_START),
        ..Filter::default()
    };
    let found = store.find_ids(&start, Order::Added).unwrap();
    let files: Vec<ImportState> = (0..=last + 1).map(|file| state_of(&store, file)).collect();
    let stored: u64 = files.iter().map(|it| it.stored).sum();
    assert_eq!(found.len() as u64, stored);
    assert_eq!(state.stored + state.duplicates, GAMES as u64);
}
