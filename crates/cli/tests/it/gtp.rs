//! `kibitz gtp`: whole conversations.

use crate::{Conversation, failure, piped, scratch};
use expect_test::expect;
use othello::{Game, Move};

const WEAK: &[&str] = &["gtp", "--level", "elo_400", "--seed", "7", "--hash-mb", "1"];

#[test]
fn a_conversation_with_errors() {
    let input = b"1 protocol_version\n2 name\n3 boardsize 8\n4 boardsize 19\n5 clear_board\n\
        # a remark\n\n6 play b f5\n7 play b a1\n8 play green f6\n9 play w\n10 dance\n\
        \xff\xfe\x00\n11 genmove\n12 undo\n13 undo\n14 known_command genmove\n15 quit\n16 name\n";
    let run = piped(WEAK, input);
    expect![[r#"
        =1 2

        =2 Kibitz

        =3

        ?4 unacceptable size

        =5

        =6

        ?7 illegal move

        ?8 syntax error: expected a colour, b or w

        ?9 syntax error: expected a move, f5 or PASS

        ?10 unknown command

        ? unknown command

        ?11 syntax error: expected a colour, b or w

        =12

        ?13 cannot undo

        =14 true

        =15

    "#]]
    .assert_eq(&run.stdout);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_end_of_input_is_the_end() {
    let run = piped(WEAK, b"name");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "= Kibitz\n\n"));
    let run = piped(WEAK, b"");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
}

/// One process for both colours: more questions than a game has moves, then passes.
#[test]
fn one_engine_plays_both_colours() {
    let play = |seed: &str| {
        let args = [
            "gtp",
            "--level",
            "elo_400",
            "--hash-mb",
            "1",
            "--seed",
            seed,
        ];
        let input = "genmove b\ngenmove w\n".repeat(45);
        let run = piped(&args, input.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let mut game = Game::new();
        for answer in run.stdout.lines().filter(|line| !line.is_empty()) {
            match answer.strip_prefix("= ").unwrap() {
                "PASS" if game.is_over() => {}
                "PASS" => game.play(Move::Pass).unwrap(),
                square => game.play(Move::Place(square.parse().unwrap())).unwrap(),
            }
        }
        assert!(game.is_over());
        game.transcript()
    };
    let game = play("5");
    assert_eq!(play("5"), game, "a seed replays");
    assert_ne!(play("6"), game, "and another one does not");
}

/// The answer's text; a refusal fails the test.
fn ask(engine: &mut Conversation, line: &str) -> String {
    engine.say(line);
    let answer = engine.hear();
    assert_eq!(engine.hear(), "", "an empty line ends it");
    let text = answer.strip_prefix('=');
    let text = text.unwrap_or_else(|| panic!("{line:?} was answered by {answer:?}"));
    text.trim().to_owned()
}

/// As a match runner does it: two processes, a referee, clocks.
#[test]
fn two_engines_play_a_game_on_the_clock() {
    let args = ["gtp", "--threads", "1", "--hash-mb", "4"];
    let mut engines = [Conversation::start(&args), Conversation::start(&args)];
    for engine in &mut engines {
        ask(engine, "clear_board");
        ask(engine, "time_settings 60 0 0");
    }
    let mut game = Game::new();
    while !game.is_over() {
        let side = game.position().side;
        let (colour, index) = (side.letter(), side.index());
        let colour = if colour == 'X' { 'b' } else { 'w' };
        // A clock that is nearly down: moves come at once and are still good ones.
        ask(&mut engines[index], &format!("time_left {colour} 0.6 0"));
        let answer = ask(&mut engines[index], &format!("genmove {colour}"));
        let action = match answer.as_str() {
            "PASS" => Move::Pass,
            square => Move::Place(square.parse().unwrap()),
        };
        game.play(action).unwrap();
        ask(&mut engines[1 - index], &format!("play {colour} {answer}"));
    }
    for mut engine in engines {
        assert_eq!(ask(&mut engine, "quit"), "");
        engine.end();
    }
}

#[test]
fn the_evaluation_is_chosen_by_flags() {
    let file = scratch("gtp-weights").join("weights.json");
    let greedy = r#"{"mobility": 0, "psqt": 0, "frontier": 0, "parity": 900, "corners": 0,
        "corner_closeness": 0}"#;
    std::fs::write(&file, greedy).unwrap();
    let level = [
        "gtp",
        "--level",
        "elo_2300",
        "--seed",
        "7",
        "--hash-mb",
        "1",
    ];
    let evaluation = [
        "--evaluator",
        "classic",
        "--weights",
        file.to_str().unwrap(),
    ];
    let input = b"play b f5\ngenmove w\n";
    let run = piped(&[&level[..], &evaluation].concat(), input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.matches("= ").count(), 1, "{}", run.stdout);
    let (line, code) = failure(&[&level[..], &evaluation[2..]].concat());
    assert!(line.contains("not a weights file"), "{line}");
    assert_eq!(code, 1);
}
