//! How long searches take in a database, and whether several programs can write at once.
//!
//! `cargo run --release -p store --example measure -- search games.db [N]`: N positions of all
//! stages, alone and with a player and years, and texts.
//! `… -- notes games.db N`: N notes on positions and games, half of each, before searching.
//! `… -- write games.db SECONDS`: mixed events, 500 a second; run several at once.

#![expect(clippy::disallowed_methods, reason = "measures real time")]

use game::{Position, Report, Source, Trail};
use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};
use store::{
    Event, Features, Filter, GameData, MoveCount, NewGame, Order, Page, Store, Writer,
    WriterSettings,
};

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

fn quantiles(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| {
        let index = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(index).map_or(0.0, |it| it.as_secs_f64() * 1e3)
    };
    let (half, most, max) = (at(0.5), at(0.99), at(1.0));
    #[expect(clippy::print_stdout, reason = "a measurement for the terminal")]
    {
        println!("{what}: p50 {half:.2} ms, p99 {most:.2} ms, max {max:.2} ms");
    }
}

/// Positions of random games at random plies.
fn positions(store: &Store, n: usize) -> Result<Vec<(Position, String, u32)>, Box<dyn Error>> {
    let n_games = store.stats()?.games as usize;
    let mut chance = Chance(3);
    let mut found = Vec::with_capacity(n);
    while found.len() < n {
        let Ok(game) = store.game(1 + chance.below(n_games) as u32) else {
            continue;
        };
        let record = game.packed.replay()?;
        let line: Vec<_> = std::iter::once(record.root())
            .chain(record.main_line())
            .collect();
        let position = record.position(line[chance.below(line.len())]);
        let position = position.ok_or("a place of the record")?.clone();
        found.push((position, game.white.clone(), game.date / 10_000));
    }
    Ok(found)
}

/// A pause between two questions: a program of real-time priority that never rests is stopped by
/// the system for a twentieth of every second, which would be measured.
fn rest() {
    std::thread::sleep(Duration::from_micros(500));
}

fn search(path: &Path, n: usize) -> Result<(), Box<dyn Error>> {
    let store = Store::open(path)?;
    let asked = positions(&store, n)?;
    let page = Page { skip: 0, most: 20 };
    for (position, ..) in asked.iter().take(50) {
        store.explore(position, &Filter::default(), 5)?;
    }
    let (mut plain, mut narrow, mut texts, mut cold) = (vec![], vec![], vec![], vec![]);
    let mut noted = vec![];
    for (position, player, year) in &asked {
        rest();
        let start = Instant::now();
        store.explore(position, &Filter::default(), 5)?;
        plain.push(start.elapsed());
        // A name without letters cannot be searched for.
        let player = Some(player.clone()).filter(|it| it.chars().any(char::is_alphanumeric));
        let player = player.unwrap_or_else(|| "a*".to_owned());
        let filter = Filter {
            player: Some(player.clone()),
            years: Some((year.saturating_sub(2), *year)),
            ..Filter::default()
        };
        let start = Instant::now();
        store.explore(position, &filter, 5)?;
        narrow.push(start.elapsed());
        let word = player.split_whitespace().next().map(str::to_owned);
        let filter = Filter {
            text: word.clone(),
            ..Filter::default()
        };
        rest();
        let start = Instant::now();
        store.find(&filter, Order::Newest, page)?;
        texts.push(start.elapsed());
        let start = Instant::now();
        store.search_notes(WORDS[texts.len() % WORDS.len()], 20)?;
        store.search_game_notes(&word.unwrap_or_else(|| "plan".to_owned()), 20)?;
        noted.push(start.elapsed());
    }
    for (position, ..) in &asked {
        rest();
        let start = Instant::now();
        Store::open(path)?.explore(position, &Filter::default(), 5)?;
        cold.push(start.elapsed());
    }
    quantiles("position, warm", plain);
    quantiles("position with player and years, warm", narrow);
    quantiles("text in names, events and notes of games", texts);
    quantiles("notes by their words", noted);
    quantiles("position, database opened anew", cold);
    Ok(())
}

const WORDS: [&str; 8] = [
    "corner",
    "parity",
    "quiet",
    "edge",
    "sacrifice",
    "tempo",
    "plan",
    "wall",
];

/// Writes notes, each of ten words of its own, on positions and games of the database.
fn note(path: &Path, n: usize) -> Result<(), Box<dyn Error>> {
    let mut store = Store::open(path)?;
    let asked = positions(&store, n / 2)?;
    let n_games = store.stats()?.games as usize;
    let mut chance = Chance(9);
    let mut events = Vec::with_capacity(n);
    for (position, ..) in asked {
        let mut text = || {
            let rare = |chance: &mut Chance| format!("w{}", chance.below(50_000));
            let mut words: Vec<String> = (0..9).map(|_| rare(&mut chance)).collect();
            words.push(WORDS[chance.below(WORDS.len())].to_owned());
            words.join(" ")
        };
        let (of_position, of_game) = (text(), text());
        let game = 1 + chance.below(n_games) as u32;
        let (note, other) = (of_position, of_game);
        events.push(Event::Note {
            position,
            text: note,
        });
        events.push(Event::GameNote { game, text: other });
    }
    for some in events.chunks(5_000) {
        store.write(some)?;
    }
    Ok(store.settle()?)
}

/// What a program that plays and analyses has to write down about a position.
fn events(game: &othello::Game, chance: &mut Chance) -> Result<Vec<Event>, Box<dyn Error>> {
    let position = Position::from(game.position());
    let action = position.legal_moves().first().copied();
    let event = match chance.below(10) {
        0 => Event::Note {
            text: format!("note {}", Trail::of(&position).key),
            position,
        },
        1..3 => Event::Position(position),
        3..6 => {
            let source = Source {
                engine: "measure".to_owned(),
                version: "1".to_owned(),
                weights: None,
            };
            let mut report = Report::new(position, source);
            report.depth = 10;
            Event::Analysis {
                report: Box::new(report),
                limits: "depth 10".to_owned(),
            }
        }
        6..9 => match action {
            Some(action) => Event::Moves(MoveCount {
                from: position,
                action,
                wins: 1,
                draws: 0,
                losses: 0,
                score: 200.0,
                novelty: 0.5,
            }),
            None => Event::Position(position),
        },
        _ => Event::Features(Features {
            mobility: position.legal_moves().len() as i32,
            position,
            potential_mobility: 0,
            frontier: 0,
            stability: 0,
            parity: 0,
            corners: 0,
            x_squares: 0,
            version: "1".to_owned(),
        }),
    };
    let mut events = vec![event];
    if action.is_none() {
        let new = NewGame::new(GameData::new(game::Packed::from(game)))?;
        events.push(Event::Game(Box::new(new)));
    }
    Ok(events)
}

fn write(path: &Path, seconds: u64) -> Result<(), Box<dyn Error>> {
    let writer = Writer::start(path, WriterSettings::new(|| 0))?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut chance = Chance(u64::from(std::process::id()));
    let mut tickets = Vec::new();
    let mut game = othello::Game::new();
    while Instant::now() < end {
        for event in events(&game, &mut chance)? {
            tickets.push(writer.send(event));
        }
        let squares: Vec<othello::Square> =
            game.position().board.legal_moves().into_iter().collect();
        match squares.get(chance.below(squares.len())) {
            Some(square) => drop(game.place(*square)),
            None => game = othello::Game::new(),
        }
        // 500 events a second: four programs write 2,000.
        std::thread::sleep(Duration::from_millis(2));
    }
    let n = tickets.len();
    let lost = tickets.into_iter().filter_map(|it| it.wait().err()).count();
    let flushed = writer.flushed();
    let mean = flushed.total.as_secs_f64() * 1e3 / flushed.flushes.max(1) as f64;
    let flushes = flushed.flushes;
    #[expect(clippy::print_stdout, reason = "a measurement for the terminal")]
    {
        println!("{n} events, {lost} refused, {flushes} flushes, {mean:.2} ms a flush");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [what, path, rest @ ..] if what == "search" => {
            let n = rest.first().map_or(Ok(1_000), |it| it.parse())?;
            search(Path::new(path), n)
        }
        [what, path, n] if what == "notes" => note(Path::new(path), n.parse()?),
        [what, path, seconds] if what == "write" => write(Path::new(path), seconds.parse()?),
        _ => Err("expected search DB [N], notes DB N, or write DB SECONDS".into()),
    }
}
