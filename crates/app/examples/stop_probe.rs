//! How long an old search goes on after it was replaced or stopped, and whether anything of it is
//! told afterwards:
//!
//! ```sh
//! cargo run --release -p app --example stop_probe -- 300
//! ```
//!
//! An analysis of all moves runs for a while, on a midgame position or while it solves an endgame.
//! Then the session goes to another position, or the analysis is stopped and another one begun.
//! One thread searches for all analyses, so the first report of the new one proves that the old
//! one has ended; the time from the wish to that report is what is printed.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement for the terminal, by a real clock"
)]

use app::{
    ConfigFile, Desk, Home,
    desk::{AnalysisWish, Event, NewGame, Start, Surroundings},
    session::Step,
};
use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
    thread::sleep,
    time::{Duration, Instant},
};

/// A midgame position that can be searched for ever, and one whose solving takes seconds.
const GAMES: [&str; 2] = [
    "f5d6c3d3c4f4c5b3c2e3d2c6",
    "d3c5e6f5f6e3c3d2f3c2c4b5d1f2f4g4g3e2f1c6b4g6e1a3c1d7d6e7h6b3a6h3",
];

/// What the desk tells about analyses: when, which generation, whether with a report.
struct Told {
    at: Instant,
    generation: u64,
    has_report: bool,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds: usize = args.next().map_or(300, |text| text.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("kibitz-stop-{}", std::process::id()));
    let (desk, told) = open(&folder);
    let (replaced, stopped, n_stale) = measure(&desk, &told, rounds);
    desk.close().unwrap();
    std::fs::remove_dir_all(&folder).ok();
    for (name, mut times) in [("replaced", replaced), ("stopped", stopped)] {
        times.sort();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{name}: {} searches, p50 {:.2} ms, p95 {:.2} ms, most {:.2} ms",
            times.len(),
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
    println!("stale reports: {n_stale}");
}

/// A desk with a folder of its own, and what it tells about analyses.
fn open(folder: &Path) -> (Desk, Receiver<Told>) {
    let home = Home::open(Some(folder)).unwrap();
    let config = ConfigFile::open(home.config_file());
    let (sender, told) = channel();
    let start = Instant::now();
    let desk = Desk::open(
        home,
        config,
        Surroundings {
            keeper: app::Keeper::Nobody,
            now_ms: Arc::new(move || start.elapsed().as_millis() as u64),
            chance: Box::new(|| 1),
            memory_mb: None,
            listener: Arc::new(move |event| {
                if let Event::Analysis(state) = event {
                    // The receiver is gone at the end.
                    let _sent = sender.send(Told {
                        at: Instant::now(),
                        generation: state.generation,
                        has_report: state.report.is_some(),
                    });
                }
            }),
        },
    )
    .unwrap();
    (desk, told)
}

/// How long replaced searches went on, and stopped ones, and the number of stale reports.
fn measure(
    desk: &Desk,
    told: &Receiver<Told>,
    rounds: usize,
) -> (Vec<Duration>, Vec<Duration>, usize) {
    let all_moves = AnalysisWish {
        all_moves: true,
        ..AnalysisWish::default()
    };
    let mut replaced = Vec::new();
    let mut stopped = Vec::new();
    let mut n_stale = 0;
    for round in 0..rounds {
        let game = NewGame {
            mode: Some(app::Mode::Analyse),
            start: Start::Moves {
                position: None,
                moves: GAMES[round % 2].to_owned(),
            },
            ..NewGame::default()
        };
        desk.new_game(&game).unwrap();
        let running = desk.analyse("current", &all_moves).unwrap();
        // The first one makes its table before it begins.
        first_report(told, running.generation, Instant::now());
        // Different moments of different iterations.
        sleep(Duration::from_millis(100 + 37 * (round as u64 % 11)));
        let asked = Instant::now();
        let (times, generation) = if round % 4 < 2 {
            desk.step("current", Step::Previous).unwrap();
            let now = desk.session("current").unwrap().analyses.remove(0);
            (&mut replaced, now.generation)
        } else {
            desk.stop_analyses("current", None).unwrap();
            desk.step("current", Step::Previous).unwrap();
            let now = desk.analyse("current", &all_moves).unwrap();
            (&mut stopped, now.generation)
        };
        let (ended, stale) = first_report(told, generation, asked);
        times.push(ended);
        n_stale += stale;
        desk.stop_analyses("current", None).unwrap();
    }
    (replaced, stopped, n_stale)
}

/// How long after `asked` the generation's first report came, and how many reports of older ones
/// came after the generation had been told.
fn first_report(told: &Receiver<Told>, generation: u64, asked: Instant) -> (Duration, usize) {
    let mut has_begun = false;
    let mut n_stale = 0;
    loop {
        let it = told.recv().unwrap();
        if it.generation < generation {
            n_stale += usize::from(has_begun && it.has_report);
            continue;
        }
        has_begun = true;
        if it.has_report {
            return (it.at.saturating_duration_since(asked), n_stale);
        }
    }
}
