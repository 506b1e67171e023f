//! How long the overlays of a position take.
//!
//! `cargo run --release -p coach --example overlay_probe` counts all overlays of 1000 positions with
//! at most ten legal moves, from random games, and prints the 50th, 90th and 100th percentile.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a stopwatch for the terminal"
)]

use coach::explain::Overlays;
use othello::{Position, Side, sample::random_boards};
use std::{hint::black_box, time::Instant};

const N_POSITIONS: usize = 1000;

fn main() {
    let positions: Vec<Position> = random_boards(1)
        .filter(|board| (1..=10).contains(&board.mobility()))
        .take(N_POSITIONS)
        .map(|board| Position {
            board,
            side: Side::Black,
        })
        .collect();
    let mut times_us: Vec<f64> = positions
        .into_iter()
        .map(|position| {
            let start = Instant::now();
            black_box(Overlays::of(black_box(position)));
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times_us.sort_by(f64::total_cmp);
    let percentile = |percent: usize| times_us[(N_POSITIONS - 1) * percent / 100];
    println!(
        "overlays of {N_POSITIONS} positions: p50 {:.1} µs, p90 {:.1} µs, most {:.1} µs",
        percentile(50),
        percentile(90),
        percentile(100)
    );
}
