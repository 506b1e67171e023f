use super::*;
use crate::disk::testing::{Call, Crash, Failure, Fault, Memory};
use learn::settings::MoveLimit;
use std::sync::{Arc, atomic::AtomicBool};

const WEIGHTS: &str = "/training/classic.json";
const STATE: &str = "/training/classic.json.state";

/// A training of a few games that saves after every second one.
fn settings(games: u64) -> Settings {
    Settings {
        games,
        limit: MoveLimit::Depth(1),
        exact_empties: 0,
        batch: 2,
        checkpoint_every: 2,
        match_games: 0,
        ..Settings::default()
    }
}

fn memory() -> Arc<Memory> {
    let memory = Memory::new();
    memory.disk().make_folder(Path::new("/training")).unwrap();
    memory
}

fn begin(memory: &Arc<Memory>, games: u64) -> LinearRun {
    LinearRun::start(memory.disk(), Path::new(WEIGHTS), settings(games), None).unwrap()
}

/// Runs a training to its end; what it warned of.
fn finish(run: &mut LinearRun) -> (Result<bool, TrainingError>, Vec<String>) {
    let mut warnings = Vec::new();
    let end = run.run(
        1,
        &mut Outside {
            now_us: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |news| {
                if let News::Warning(text) = news {
                    warnings.push(text.to_owned());
                }
            },
        },
    );
    (end, warnings)
}

/// What the disk has of state and weights.
fn files(memory: &Memory) -> [Option<Vec<u8>>; 2] {
    [STATE, WEIGHTS].map(|path| memory.contents(Path::new(path)))
}

/// What is on a disk is whole, and the training goes on from it to the same end.
fn goes_on(memory: &Arc<Memory>, expected: &[Option<Vec<u8>>; 2], at: &str) {
    let resumed = LinearRun::resume(memory.disk(), Path::new(WEIGHTS)).unwrap();
    let mut run = resumed.unwrap_or_else(|| begin(memory, 4));
    assert!(finish(&mut run).0.unwrap(), "{at}");
    assert!(files(memory) == *expected, "{at}");
}

#[test]
fn a_training_survives_the_failure_of_any_call() {
    let reference = memory();
    assert!(finish(&mut begin(&reference, 4)).0.unwrap());
    let expected = files(&reference);
    assert!(expected.iter().all(Option::is_some));
    let faults = [
        (Call::Open, Failure::NoDescriptors),
        (Call::Write, Failure::ShortWrite),
        (Call::Sync, Failure::Device),
        (Call::Rename, Failure::NoSpace),
    ];
    let mut n_faults = 0;
    for (call, failure) in faults {
        // One call fails, which is tried again, or two in a row, which is too much.
        for times in [1, 2] {
            for after in 0.. {
                let memory = memory();
                memory.fail(Fault {
                    times,
                    ..Fault::nth(call, after, failure)
                });
                let (end, warnings) = finish(&mut begin(&memory, 4));
                if memory.n_faults() == 0 {
                    break;
                }
                n_faults += memory.n_faults();
                memory.heal();
                let at = format!("{times} {call:?} after {after}");
                assert!(end.is_err() || !warnings.is_empty(), "{at} is answered");
                let crashes = [Crash::NamesLost, Crash::NamesKept].map(|it| memory.after(it));
                for memory in [memory].into_iter().chain(crashes) {
                    goes_on(&memory, &expected, &at);
                }
            }
        }
    }
    assert!(n_faults >= 50, "{n_faults}");
}

#[test]
fn a_saving_in_between_may_fail_and_the_last_one_may_not() {
    let memory = memory();
    memory.fail(Fault {
        times: 2,
        ..Fault::nth(Call::Rename, 0, Failure::NoSpace)
    });
    let (end, warnings) = finish(&mut begin(&memory, 2));
    assert!(end.unwrap());
    assert!(warnings[0].contains("failed once"), "{warnings:?}");
    assert!(
        warnings[1].ends_with("going on until the next time"),
        "{warnings:?}"
    );
    memory.fail(Fault::always(Call::Sync, Failure::NoSpace));
    let message = finish(&mut begin(&memory, 2)).0.unwrap_err().to_string();
    assert!(message.starts_with("cannot save /training/"), "{message}");
}

#[test]
fn a_panic_while_learning_costs_one_game() {
    let memory = memory();
    let mut run = begin(&memory, 6);
    run.learn = |linear, game| {
        let number = linear.games();
        linear.absorb(&[game]);
        assert!(number != 3, "three is too much");
    };
    let (end, warnings) = finish(&mut run);
    assert!(end.unwrap());
    assert_eq!((run.linear().games(), run.linear().failed()), (6, 1));
    assert_eq!(
        warnings,
        ["learning from game 3 panicked (three is too much); going on without it"]
    );
}

#[test]
fn a_panic_while_saving_is_told_and_saving_tried_again() {
    let memory = memory();
    let panicked = AtomicBool::new(false);
    memory.watch(move |call, _| {
        if call == Call::Rename && !panicked.swap(true, Ordering::Relaxed) {
            panic!("no more renaming");
        }
    });
    let (end, warnings) = finish(&mut begin(&memory, 2));
    assert!(end.unwrap());
    assert_eq!(
        warnings,
        [format!(
            "saving {STATE} failed once: panic: no more renaming"
        )]
    );
    assert!(files(&memory).iter().all(Option::is_some));
}
