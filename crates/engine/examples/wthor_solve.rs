//! Solves one position of each of many tournament games, says how long that took and, where the
//! file knows the exact value, whether it is right:
//! `cargo run --release -p engine --example wthor_solve -- FOLDER EMPTIES GAMES [HASH_MB]`.
//!
//! Games are taken evenly from all years. The exact value is known with 24 empty squares.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for the terminal that measures time"
)]

use engine::{Control, Engine, Limits, eval::pattern::Pattern};
use othello::{
    Board, Side,
    notation::{WthorGame, read_wthor},
};
use std::{
    error::Error, fs::File, io::BufReader, path::PathBuf, sync::atomic::AtomicBool, time::Instant,
};

/// A position to solve and its value, if the file has it.
struct Task {
    board: Board,
    expected: Option<i32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: wthor_solve FOLDER EMPTIES GAMES [HASH_MB]";
    let (folder, n_empties, n_games) = match args.as_slice() {
        [folder, empties, games, ..] => (folder, empties.parse()?, games.parse()?),
        _ => return Err(usage.into()),
    };
    let hash_mb = args.get(3).map_or(Ok(64), |text| text.parse())?;
    let tasks = tasks(folder, n_empties, n_games)?;
    let mut engine = Engine::new(Pattern::shipped()?, hash_mb, 1)?;
    let mut milliseconds = Vec::with_capacity(tasks.len());
    let (mut checked, mut wrong, mut nodes) = (0, 0, 0);
    for task in &tasks {
        engine.clear();
        let start = Instant::now();
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        let report = engine.search(task.board, &Limits::default(), control);
        milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        nodes += report.nodes;
        if let Some(expected) = task.expected {
            checked += 1;
            if !report.solved || report.score != 100 * expected {
                wrong += 1;
                println!(
                    "{:?}: {} instead of {expected} discs",
                    task.board,
                    report.score / 100
                );
            }
        }
    }
    milliseconds.sort_by(f64::total_cmp);
    let percentile = |p: usize| {
        let at = (milliseconds.len() * p / 100).min(milliseconds.len().saturating_sub(1));
        milliseconds.get(at).copied().unwrap_or_default()
    };
    println!(
        "{} positions with {n_empties} empties: {nodes} nodes, {:.1} s; milliseconds each: median \
         {:.3}, p90 {:.3}, p99 {:.3}, most {:.3}; {checked} values known, {wrong} wrong",
        tasks.len(),
        milliseconds.iter().sum::<f64>() / 1e3,
        percentile(50),
        percentile(90),
        percentile(99),
        percentile(100),
    );
    Ok(())
}

fn tasks(folder: &str, n_empties: u32, n_games: usize) -> Result<Vec<Task>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| {
        path.extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("wtb"))
    });
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let reader = read_wthor(BufReader::new(File::open(path)?))?;
        let depth = reader.header().depth;
        for game in reader {
            all.extend(task(&game?, n_empties, u32::from(depth)));
        }
    }
    let n_games = n_games.min(all.len());
    let step = all.len() / n_games.max(1);
    Ok(all.into_iter().step_by(step.max(1)).take(n_games).collect())
}

/// The game's position with so many empties, if a side can move there.
fn task(game: &WthorGame, n_empties: u32, depth: u32) -> Option<Task> {
    let mut found = None;
    let replay = game.visit(|position, _, _| {
        if position.board.empties().len() == n_empties {
            found = Some(position);
        }
    });
    replay.ok()?;
    let position = found?;
    let for_black = 2 * i32::from(game.theoretical_score) - 64;
    let for_mover = if position.side == Side::Black {
        for_black
    } else {
        -for_black
    };
    Some(Task {
        board: position.board,
        expected: (depth == n_empties).then_some(for_mover),
    })
}
