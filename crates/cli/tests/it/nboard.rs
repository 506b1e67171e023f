//! `kibitz nboard`: a conversation in which both sides talk at any time.

use crate::Conversation;
use std::io::Write as _;

fn start() -> Conversation {
    Conversation::start(&["nboard", "--threads", "1", "--hash-mb", "4", "--seed", "1"])
}

#[test]
fn a_front_end_is_served() {
    let mut engine = start();
    engine.say("nboard 2");
    engine.say("set depth 3");
    engine.say("move F5");
    engine.say("ping 1");
    let greeting = ["set myname Kibitz", "set myname Kibitz3", "pong 1"];
    assert_eq!(engine.hear_until("pong"), greeting);

    engine.say("hint 3");
    let heard = engine.hear_until("status Waiting");
    let count = |start: &str| heard.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(heard[0], "status Analysing");
    assert!(count("search ") >= 3, "each move gets a line: {heard:?}");
    assert!(count("nodestats ") >= 1, "{heard:?}");
    assert_eq!(count("==="), 0);

    engine.say("go");
    let heard = engine.hear_until("status Waiting");
    let choice = &heard[heard.len() - 2];
    let text = choice.strip_prefix("=== ").expect("the choice");
    let (action, _) = text.split_once('/').expect("its value and time");
    engine.say(&format!("move {action}"));

    engine.say("analyze");
    let heard = engine.hear_until("status Waiting");
    let moves_made: Vec<&str> = heard
        .iter()
        .filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next())
        .collect();
    assert_eq!(moves_made, ["2", "1", "0"]);

    engine.say("learn");
    assert_eq!(engine.hear_until("learned"), ["learned"]);
    engine.end();
}

#[test]
fn the_next_line_stops_a_search() {
    // From a book there would be nothing to stop.
    let mut engine =
        Conversation::start(&["nboard", "--threads", "1", "--hash-mb", "4", "--no-book"]);
    // Far deeper than a user would wait for.
    engine.say("set depth 50");
    engine.say("hint 4");
    engine.hear_until("search ");
    engine.say("ping 7");
    let heard = engine.hear_until("pong 7");
    assert_eq!(heard[heard.len() - 2], "status Waiting");
    engine.say("go");
    engine.hear_until("search ");
    engine.say("ping 8");
    let heard = engine.hear_until("pong 8");
    assert!(
        heard.iter().any(|line| line.starts_with("=== ")),
        "{heard:?}"
    );
    // Nor does the end of the input wait.
    engine.say("go");
    engine.hear_until("status Thinking");
    engine.end();
}

#[test]
fn garbage_is_survived() {
    let mut engine = start();
    engine.stdin.write_all(b"\xff\xfe\x00\n\n").unwrap();
    for line in [
        "dance",
        "set game (;BO[",
        "move Z9",
        "hint many",
        "nboard x",
        "ping 1",
    ] {
        engine.say(line);
    }
    let heard = engine.hear_until("pong 1");
    assert!(
        heard[..heard.len() - 1]
            .iter()
            .all(|line| line.starts_with("status Error: ")),
        "{heard:?}"
    );
    engine.say("quit");
    engine.end();
}

/// Whichever side is to move: the front end draws these values beside Black's.
#[test]
fn analyses_are_black_s() {
    for (discs, side, expected) in [
        ('*', '*', "analysis 0 64.00"),
        ('*', 'O', "analysis 0 64.00"),
        ('O', '*', "analysis 0 -64.00"),
        ('O', 'O', "analysis 0 -64.00"),
    ] {
        let mut engine = start();
        let board: String = (0..63).map(|_| discs).collect();
        engine.say(&format!("set game (;GM[Othello]BO[8 {board}- {side}];)"));
        engine.say("analyze");
        let heard = engine.hear_until("status Waiting");
        assert!(heard.contains(&expected.to_owned()), "{heard:?}");
        engine.end();
    }
}
