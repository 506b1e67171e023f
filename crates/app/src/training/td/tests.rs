use super::*;
use crate::disk::testing::{Call, Failure, Fault, Memory};
use learn::settings::MoveLimit;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64},
};

#[test]
fn memory_is_shared_out() {
    assert_eq!(planned_hash_mb(64, 2, 600), 64);
    assert_eq!(planned_hash_mb(256, 4, 600), 87);
    assert_eq!(planned_hash_mb(64, 2, 100), 1);
}

#[test]
fn durations_are_readable() {
    assert_eq!(duration(12.0), "12 s");
    assert_eq!(duration(3000.0), "50 min");
    assert_eq!(duration(200_000.0), "55 h 33 min");
}

const FOLDER: &str = "/training";

/// A training of a few games that saves after every second one.
fn settings(games: u64) -> Settings {
    Settings {
        games,
        limit: MoveLimit::Depth(1),
        batch: 2,
        checkpoint_every: 2,
        stats_every: 2,
        match_games: 0,
        ..Settings::default()
    }
}

fn memory() -> Arc<Memory> {
    let memory = Memory::new();
    memory.disk().make_folder(Path::new(FOLDER)).unwrap();
    memory
}

fn begin(memory: &Arc<Memory>, games: u64) -> TdRun {
    TdRun::start(memory.disk(), Path::new(FOLDER), settings(games)).unwrap()
}

/// Runs a training to its end; what it warned of.
fn finish(run: &mut TdRun, stamp: &str) -> (Result<TdEnd, TrainingError>, Vec<String>) {
    let mut warnings = Vec::new();
    // A tenth of a second goes by whenever the training looks at the clock.
    let clock = AtomicU64::new(0);
    let end = run.run(
        1,
        600,
        stamp,
        &mut Outside {
            now_us: &|| clock.fetch_add(100_000, Ordering::Relaxed),
            stop: &AtomicBool::new(false),
            observe: &mut |news| {
                if let News::Warning(text) = news {
                    warnings.push(text.to_owned());
                }
            },
        },
    );
    (end.map(|(end, _)| end), warnings)
}

/// A checkpoint without the time that it took to get there: an interrupted training takes longer.
fn learned(memory: &Memory, path: &Path) -> Vec<u8> {
    let bytes = memory.contents(path).unwrap();
    let mut trainer = Trainer::from_checkpoint(&bytes).unwrap();
    trainer.set_elapsed_ms(0);
    trainer.to_checkpoint().unwrap()
}

#[test]
fn a_training_survives_the_failure_of_any_call() {
    let reference = memory();
    finish(&mut begin(&reference, 2), "a").0.unwrap();
    let last = Path::new(FOLDER).join("checkpoint_000002.bin");
    let expected = learned(&reference, &last);
    let faults = [
        (Call::Open, Failure::NoDescriptors),
        (Call::Write, Failure::ShortWrite),
        (Call::Sync, Failure::Device),
        (Call::Rename, Failure::NoSpace),
        (Call::MakeFolder, Failure::ReadOnly),
    ];
    let mut n_faults = 0;
    for (call, failure) in faults {
        for after in 0.. {
            let memory = memory();
            let mut run = begin(&memory, 2);
            memory.fail(Fault::nth(call, after, failure));
            let (end, warnings) = finish(&mut run, "a");
            drop(run);
            if memory.n_faults() == 0 {
                break;
            }
            n_faults += 1;
            memory.heal();
            let at = format!("{call:?} {after}");
            assert!(end.is_err() || !warnings.is_empty(), "{at} is answered");
            // What is there is whole, and the training goes on from it to the same end.
            let resumed = TdRun::resume(memory.disk(), Path::new(FOLDER)).unwrap();
            let mut run = match resumed {
                Some((run, problems)) => {
                    assert!(problems.is_empty(), "{at}: {problems:?}");
                    run
                }
                None => begin(&memory, 2),
            };
            assert_eq!(finish(&mut run, "b").0.unwrap(), TdEnd::Finished, "{at}");
            assert!(learned(&memory, &last) == expected, "{at}");
        }
    }
    assert!(n_faults >= 15, "{n_faults}");
}

#[test]
fn a_panic_while_learning_costs_one_game() {
    let memory = memory();
    let mut run = begin(&memory, 6);
    run.learn = |trainer, batch, tell| {
        for game in batch {
            let (number, is_played) = (trainer.games(), game.is_ok());
            trainer.absorb(vec![game], &mut *tell);
            assert!(number != 3 || !is_played, "three is too much");
        }
    };
    let (end, warnings) = finish(&mut run, "a");
    assert_eq!(end.unwrap(), TdEnd::Finished);
    assert_eq!(run.trainer().games(), 6);
    assert!((run.trainer().total().failed - 1.0).abs() < 1e-9);
    let told = |text: &str| warnings.iter().any(|it| it.contains(text));
    assert!(
        told("learning from game 3 panicked (three is too much)"),
        "{warnings:?}"
    );
    assert!(told("game 3 failed and is skipped"), "{warnings:?}");
}

#[test]
fn a_panic_while_saving_is_told_and_saving_tried_again() {
    let memory = memory();
    let panicked = AtomicBool::new(false);
    memory.watch(move |call, path| {
        let is_last = path.to_string_lossy().contains("checkpoint_000002");
        if call == Call::Rename && is_last && !panicked.swap(true, Ordering::Relaxed) {
            panic!("no more renaming");
        }
    });
    let (end, warnings) = finish(&mut begin(&memory, 2), "a");
    assert_eq!(end.unwrap(), TdEnd::Finished);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].ends_with("failed once: panic: no more renaming"),
        "{warnings:?}"
    );
    let last = Path::new(FOLDER).join("checkpoint_000002.bin");
    assert!(memory.contents(&last).is_some());
}

/// The seconds of the log's lines of statistics.
fn elapsed(memory: &Memory, stamp: &str) -> Vec<u64> {
    let path = Path::new(FOLDER).join(format!("logs/training_{stamp}.log"));
    let text = String::from_utf8(memory.contents(&path).unwrap()).unwrap();
    let lines = text.lines().filter(|line| line.contains("] game "));
    lines
        .map(|line| {
            let (_, rest) = line.split_once("elapsed ").unwrap();
            rest.split(' ').next().unwrap().parse().unwrap()
        })
        .collect()
}

#[test]
fn the_elapsed_time_of_a_resumed_training_goes_on() {
    let memory = memory();
    // Limited in plies: no search looks at the clock, but the training does.
    let mut run = begin(&memory, 4);
    finish(&mut run, "a").0.unwrap();
    let before_ms = run.trainer().elapsed_ms();
    drop(run);
    let resumed = TdRun::resume(memory.disk(), Path::new(FOLDER)).unwrap();
    let (mut run, problems) = resumed.unwrap();
    assert!(problems.is_empty());
    assert_eq!(run.trainer().elapsed_ms(), before_ms);
    run.set_settings(settings(6));
    finish(&mut run, "b").0.unwrap();
    let (before, after) = (elapsed(&memory, "a"), elapsed(&memory, "b"));
    assert_eq!((before.len(), after.len()), (2, 1));
    assert!(after[0] > before[1], "{before:?} {after:?}");
    assert!(run.trainer().elapsed_ms() > before_ms);
}
