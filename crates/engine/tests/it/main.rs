//! The engine through its door, with the shipped weights.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

mod bench;
mod crafted;
mod laws;
mod lines;
mod oracles;
#[path = "../../../../fuzz/src/seeded.rs"]
mod seeded;
mod settings;
mod solver;
mod statistics;
mod stopping;
mod tricky;

use engine::{Control, Engine, Limits, Report, eval::pattern::Pattern};
use othello::Board;
use std::sync::atomic::AtomicBool;

/// An engine as users have it, with a small table.
fn engine(threads: usize) -> Engine<Pattern> {
    Engine::new(Pattern::shipped().unwrap(), 16, threads).unwrap()
}

/// A search without a listener that is never stopped.
fn search(engine: &mut Engine<Pattern>, board: Board, limits: &Limits) -> Report {
    engine.search(
        board,
        limits,
        Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        },
    )
}

/// How many samples a test takes: `usual`, or what `KIBITZ_SAMPLE` says.
fn sample_size(usual: usize) -> usize {
    std::env::var("KIBITZ_SAMPLE")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}
