//! How long a UCI engine takes from the word to stop to its answer, start position, endless search.
//!
//! `cargo run --release -p arena --example stop_foreign -- /usr/games/stockfish 200`

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a measurement for a terminal")]

use arena::process::{Engine, Keeper, Language, Now, Program, Question, Setup, keeper};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement needs the real time"
)]
fn clock() -> Instant {
    Instant::now()
}

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).peekable();
    if args.next_if(|it| it == keeper::ARGUMENT).is_some() {
        return keeper::run(args);
    }
    let path = args.next().unwrap_or_else(|| "stockfish".into());
    let rounds = args
        .next()
        .and_then(|it| it.to_str()?.parse().ok())
        .unwrap_or(200_u32);
    let start = clock();
    let now: Now = Arc::new(move || start.elapsed().as_millis() as u64);
    let setup = Setup {
        keeper: Keeper::this_program(),
        ..Setup::new(Program::new(path), Language::Uci)
    };
    let mut engine = Engine::new(setup, now);
    let mut times_us: Vec<u128> = Vec::new();
    for round in 0..rounds {
        let stop = AtomicBool::new(false);
        let mut asked = None;
        std::thread::scope(|scope| {
            let waker = scope.spawn(|| {
                std::thread::park_timeout(Duration::from_millis(u64::from(50 + round % 50)));
                stop.store(true, Ordering::Relaxed);
                clock()
            });
            let thought = engine.think(&Question::default(), &stop, &mut |_| {});
            let answered = clock();
            asked = waker.join().ok();
            match thought {
                Ok(_) => times_us.extend(asked.map(|it| (answered - it).as_micros())),
                Err(trouble) => println!("round {round}: the engine {trouble}"),
            }
        });
    }
    engine.stop();
    times_us.sort_unstable();
    let at = |percent: usize| {
        times_us.get((times_us.len() * percent / 100).min(times_us.len().saturating_sub(1)))
    };
    println!(
        "{} stops, in µs: p50 {:?}, p95 {:?}, p99 {:?}, most {:?}",
        times_us.len(),
        at(50),
        at(95),
        at(99),
        times_us.last()
    );
    ExitCode::SUCCESS
}
