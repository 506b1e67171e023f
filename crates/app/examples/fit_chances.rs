//! Fits the constants of `coach::explain::winning_chances` to tournament games.
//!
//! `cargo run --release -p app --example fit_chances -- DIR [GAMES]` reads the `.wtb` files of a
//! folder and takes GAMES of them (600 unless told), evenly spread. For every second number of
//! empty squares it searches the games' positions to depth 8 and finds the scale of a logistic
//! curve, in discs, that makes the results most likely; at the end, a straight line through the
//! scales, each weighted by its number of positions.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]

use app::{Analyst, Control, EngineChoice, EvaluatorChoice, Limits, Settings};
use othello::{
    Game, Side,
    notation::{WthorGame, read_wthor},
};
use std::{error::Error, fs::File, io::BufReader, path::Path, sync::atomic::AtomicBool};

const DEPTH: u32 = 8;

/// A position's score in discs and the points that its side got: 1, ½ or 0.
struct Sample {
    discs: f64,
    points: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("expected a folder with .wtb files")?;
    let n_games: usize = args.next().map_or(Ok(600), |text| text.parse())?;
    let games = every_nth(read_games(Path::new(&folder))?, n_games);
    let mut analyst = Analyst::new(&Settings {
        evaluator: EvaluatorChoice::Pattern,
        engine: EngineChoice::AlphaBeta,
        weights: None,
        hash_mb: 16,
        threads: 1,
    })?;
    println!("empties  positions  scale  log loss");
    let mut fits = Vec::new();
    for empties in (DEPTH + 2..=56).step_by(2) {
        let samples = samples(&games, empties, &mut analyst)?;
        let scale = fit_scale(&samples);
        println!(
            "{empties:>7}  {:>9}  {scale:>5.2}  {:>8.4}",
            samples.len(),
            log_loss(&samples, scale)
        );
        fits.push((f64::from(empties), scale, samples.len() as f64));
    }
    let (base, slope) = line(&fits);
    println!("scale = {base:.3} + {slope:.4} * empties");
    Ok(())
}

fn read_games(folder: &Path) -> Result<Vec<WthorGame>, Box<dyn Error>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|it| it == "wtb"));
    paths.sort();
    let mut games = Vec::new();
    for path in paths {
        for game in read_wthor(BufReader::new(File::open(path)?))? {
            games.push(game?);
        }
    }
    Ok(games)
}

fn every_nth<T>(items: Vec<T>, wanted: usize) -> Vec<T> {
    let step = (items.len() / wanted.max(1)).max(1);
    items.into_iter().step_by(step).collect()
}

/// The games' positions with so many empty squares, valued and with their results.
fn samples(
    games: &[WthorGame],
    empties: u32,
    analyst: &mut Analyst,
) -> Result<Vec<Sample>, Box<dyn Error>> {
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::default()
    };
    let stop = AtomicBool::new(false);
    let mut samples = Vec::new();
    for record in games {
        let Some(position) = position_with(&record.game()?, empties) else {
            continue;
        };
        let control = Control {
            now_ms: &|| 0,
            stop: &stop,
            observe: &mut |_| {},
        };
        let report = analyst.search(position, &limits, control);
        let black = 2 * i32::from(record.black_score) - 64;
        let own = match position.side {
            Side::Black => black,
            Side::White => -black,
        };
        samples.push(Sample {
            discs: report.score.units(),
            points: f64::from(own.signum() + 1) / 2.0,
        });
    }
    Ok(samples)
}

fn position_with(game: &Game, empties: u32) -> Option<othello::Position> {
    let mut game = game.clone();
    loop {
        let board = game.position().board;
        if board.empties().len() == empties && !board.legal_moves().is_empty() {
            return Some(game.position());
        }
        game.undo()?;
    }
}

fn chance(discs: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-discs / scale).exp())
}

fn log_loss(samples: &[Sample], scale: f64) -> f64 {
    let loss = |sample: &Sample| {
        let p = chance(sample.discs, scale).clamp(1e-9, 1.0 - 1e-9);
        -(sample.points * p.ln() + (1.0 - sample.points) * (1.0 - p).ln())
    };
    samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
}

/// The scale with the least log loss. It is convex in 1 / scale, so halving an interval by its
/// thirds finds it.
fn fit_scale(samples: &[Sample]) -> f64 {
    let (mut low, mut high) = (0.005, 5.0);
    for _ in 0..80 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if log_loss(samples, 1.0 / a) < log_loss(samples, 1.0 / b) {
            high = b;
        } else {
            low = a;
        }
    }
    2.0 / (low + high)
}

/// Weighted least squares: intercept and slope.
fn line(points: &[(f64, f64, f64)]) -> (f64, f64) {
    let sum = |of: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let n = sum(&|p| p.2);
    let (x, y) = (sum(&|p| p.0 * p.2) / n, sum(&|p| p.1 * p.2) / n);
    let slope = sum(&|p| p.2 * (p.0 - x) * (p.1 - y)) / sum(&|p| p.2 * (p.0 - x).powi(2));
    (y - slope * x, slope)
}
