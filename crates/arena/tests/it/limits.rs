//! What ends a search: the time that an engine was given, or patience where it was given none.

use arena::{
    player::Player,
    process::{
        Clocks, Deadlines, Engine, Foreign, Keeper, Language, Limits, Now, Program, Question,
        Setup, Trouble,
    },
    referee::{self, Conditions, Played, Reason, Rules, World},
};
use game::{Kind, Record, Side};
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

fn clock() -> Now {
    #[expect(clippy::disallowed_methods, reason = "real processes take real time")]
    let start = Instant::now();
    Arc::new(move || start.elapsed().as_millis() as u64)
}

fn engine(fault: &str, language: Language, now: &Now) -> Engine {
    let program = Program {
        args: vec![fault.to_owned()],
        ..Program::new(env!("CARGO_BIN_EXE_fault-engine"))
    };
    let setup = Setup {
        keeper: Keeper::Nobody,
        deadlines: Deadlines {
            stop_ms: 200,
            ..Deadlines::default()
        },
        ..Setup::new(program, language)
    };
    Engine::new(setup, Arc::clone(now))
}

/// What an engine answers under some limits, and whether it was told to stop.
fn asked(
    fault: &str,
    language: Language,
    limits: Limits,
) -> (Result<Option<String>, Trouble>, bool) {
    let mut engine = engine(fault, language, &clock());
    let question = Question::default().with_limits(limits);
    let thought = engine.think(&question, &AtomicBool::new(false), &mut |_| {});
    let said = engine.conversation().lines();
    let is_stopped = said.iter().any(|it| it == "> stop");
    (thought.map(|it| it.best), is_stopped)
}

fn on_a_clock(left_ms: u64) -> Limits {
    Limits {
        clocks: Some(Clocks {
            side: Side::Black,
            left_ms: [left_ms; 2],
            increment_ms: [0; 2],
            moves_to_go: None,
        }),
        patience_ms: Some(100),
        ..Limits::default()
    }
}

#[test]
fn patience_is_for_engines_without_a_clock() {
    let for_a_move = Limits {
        time_ms: Some(60_000),
        patience_ms: Some(100),
        ..Limits::default()
    };
    for limits in [on_a_clock(600_000), for_a_move] {
        let (best, is_stopped) = asked("thinks-700", Language::Uci, limits);
        assert_eq!(best, Ok(Some("e2e4".to_owned())));
        assert!(!is_stopped, "it had its time");
    }
    for (fault, language) in [
        ("nboard-thinks-1700", Language::NBoard),
        ("gtp-thinks-1700", Language::Gtp),
    ] {
        let (best, _) = asked(fault, language, on_a_clock(600_000));
        assert!(matches!(best, Ok(Some(_))), "{fault}: {best:?}");
    }
}

#[test]
fn nobody_waits_for_ever() {
    let patient = Limits {
        patience_ms: Some(100),
        ..Limits::default()
    };
    for (fault, language) in [
        ("gtp-silent", Language::Gtp),
        ("nboard-silent", Language::NBoard),
    ] {
        let (best, _) = asked(fault, language, patient);
        assert!(best.is_err(), "{fault}: {best:?}");
    }
    let (best, is_stopped) = asked("waits-for-stop", Language::Uci, patient);
    assert!(best.is_ok() && is_stopped, "{best:?}");
}

/// A game between two engines that speak a language, with a time for each move.
fn game_by_the_move(language: Language, seconds: &str) -> Played {
    let now = clock();
    let player = || {
        let engine = engine(language.name(), language, &now);
        Foreign::new(engine, "x".to_owned(), Limits::default())
    };
    let (mut black, mut white) = (player(), player());
    let control = format!("{seconds}/move").parse().expect("a time control");
    let conditions = Conditions {
        controls: [control; 2],
        rules: Rules {
            // The machine may be busy.
            margin_ms: 20_000,
            ..Rules::default()
        },
        ..Conditions::default()
    };
    let world = World {
        now_ms: &*now,
        stop: &AtomicBool::new(false),
        is_wanted: &|| true,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let opening = Record::new(Kind::Othello.start());
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    referee::play(&opening, players, &conditions, &world).expect("it has an end")
}

#[test]
fn games_with_a_time_for_each_move_are_played() {
    for language in [Language::NBoard, Language::Gtp] {
        let played = game_by_the_move(language, "0.02");
        assert_eq!(played.reason, Reason::Counted, "{:?}", played.failure);
    }
}
