//! Engines that think on their opponent's time, by the words that they are told.

use arena::{
    player::Player,
    process::{Engine, Foreign, Keeper, Language, Limits, Now, Program, Setup, Tail},
    referee::{self, Conditions, Played, Reason, World},
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

/// An engine that plays by the script of the fault engine, and what is said with it.
fn player(guesses: &str, now: &Now) -> (Foreign, Tail) {
    let program = Program {
        args: vec![guesses.to_owned()],
        ..Program::new(env!("CARGO_BIN_EXE_fault-engine"))
    };
    let setup = Setup {
        keeper: Keeper::Nobody,
        ..Setup::new(program, Language::Uci)
    };
    let engine = Engine::new(setup, Arc::clone(now));
    let said = engine.conversation();
    let player = Foreign::new(engine, guesses.to_owned(), Limits::default());
    (player.pondering(true), said)
}

/// The scripted game, and what was said with White, who guesses right, and Black, who does not.
fn scripted(ponders: bool) -> (Played, [Vec<String>; 2]) {
    let now = clock();
    let (mut white, white_said) = player("guesses-right", &now);
    let (mut black, black_said) = player("guesses-wrong", &now);
    let control = "60+1".parse().expect("a time control");
    let conditions = Conditions {
        controls: [control; 2],
        ponders,
        ..Conditions::default()
    };
    let world = World {
        now_ms: &*now,
        stop: &AtomicBool::new(false),
        is_wanted: &|| true,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let opening = Record::new(Kind::Chess.start());
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    let played = referee::play(&opening, players, &conditions, &world).expect("it has an end");
    (played, [white_said.lines(), black_said.lines()])
}

fn n_told(lines: &[String], words: &str) -> usize {
    let told = format!("> {words}");
    lines.iter().filter(|line| line.starts_with(&told)).count()
}

#[test]
fn a_right_guess_goes_on_and_a_wrong_one_is_stopped() {
    let (played, [white, black]) = scripted(true);
    assert_eq!(played.reason, Reason::Checkmate);
    assert_eq!(played.outcome.winner, Some(Side::White));
    let moves: Vec<String> = played
        .record
        .main_moves()
        .map(|it| it.to_string())
        .collect();
    assert_eq!(moves.join(" "), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    // White's first move is asked for, the other three come out of its guesses.
    let counts = |lines: &[String]| {
        ["go wtime", "go ponder", "ponderhit", "stop"].map(|words| n_told(lines, words))
    };
    assert_eq!(counts(&white), [1, 3, 3, 0], "{white:#?}");
    // What Black says when it is stopped is no move of the game.
    assert_eq!(counts(&black), [3, 3, 0, 3], "{black:#?}");
}

#[test]
fn nobody_ponders_where_the_referee_does_not_allow_it() {
    let (played, said) = scripted(false);
    assert_eq!(played.reason, Reason::Checkmate);
    for lines in said {
        assert_eq!(n_told(&lines, "go ponder") + n_told(&lines, "ponderhit"), 0);
    }
}
