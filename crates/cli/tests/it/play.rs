//! `kibitz play`, with a person made of a pipe.

use crate::{failure, piped};
use expect_test::expect;

fn play(args: &[&str], input: &str) -> String {
    let args = [&["play", "--ascii", "--seed", "7", "--hash-mb", "1"], args].concat();
    let run = piped(&args, input.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    run.stdout
}

/// The output without the spaces after prompts, which no editor likes in a source file.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// The output without the boards.
fn talk(args: &[&str], input: &str) -> String {
    let text = trimmed(&play(args, input));
    let is_talk = |line: &&str| !line.starts_with([' ', '1', '2', '3', '4', '5', '6', '7', '8']);
    let lines: Vec<&str> = text.lines().filter(is_talk).collect();
    lines.join("\n") + "\n"
}

#[test]
fn the_board_is_drawn() {
    let text = play(&["--side", "both"], "");
    expect![[r#"
        Level elo_1400, seed 7; help lists what you can type.

            a b c d e f g h
          +-----------------+
        1 |                 | 1
        2 |                 | 2
        3 |       .         | 3
        4 |     . O X       | 4
        5 |       X O .     | 5
        6 |         .       | 6
        7 |                 | 7
        8 |                 | 8
          +-----------------+
            a b c d e f g h

        Black to move
        X 2, O 2, 60 empty

        Black>
        No moves were made.
    "#]]
    .assert_eq(&trimmed(&text));
}

#[test]
fn wrong_input_gets_one_line_and_another_try() {
    let text = talk(
        &["--side", "both"],
        "z9\na1\npass\n\nundo\nredo\nf5\nmoves\nquit\n",
    );
    expect![[r#"
        Level elo_1400, seed 7; help lists what you can type.


        Black to move
        X 2, O 2, 60 empty

        Black> "z9" is no move and no command; type a move such as f5, or help
        Black> a1 flips no disc; legal: d3 c4 f5 e6
        Black> a pass is not allowed while there are legal moves: d3 c4 f5 e6
        Black> Black> nothing to undo
        Black> nothing to redo
        Black>

        White to move
        X 4, O 1, 59 empty

        White> f5
        White> f5
    "#]]
    .assert_eq(&text);
}

#[test]
fn undo_and_redo_go_to_the_persons_turn() {
    let input = "f5\nmoves\nundo\nmoves\nredo\nmoves\nundo\nundo\nquit\n";
    let text = talk(&["--level", "elo_400"], input);
    let transcripts: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("Black> "))
        .filter(|line| line.starts_with("f5") || line.starts_with("No moves"))
        .collect();
    assert_eq!(transcripts.len(), 4, "{text}");
    assert_eq!(transcripts[0].len(), 4, "{text}");
    assert_eq!(transcripts[1], "No moves were made.");
    assert_eq!(transcripts[2], transcripts[0]);
    assert!(text.contains("nothing to undo"), "{text}");
    let text = talk(&["--level", "elo_400", "--side", "white"], "undo\n");
    assert!(text.contains("White> nothing to undo"), "{text}");
}

#[test]
fn hints_are_by_the_policy_of_all_verdicts() {
    let text = play(&["--moves", "f5d6"], "hint\n");
    let (_, after) = text.split_once("Black> ").unwrap();
    let mut lines = after.lines().filter(|it| !it.starts_with("As good"));
    let first = lines.next().unwrap();
    assert!(first.contains(" is best (at depth "), "{text}");
    let best = first.split(' ').next().unwrap();
    let (score, moves) = lines.next().unwrap().trim().split_once("  ").unwrap();
    score.parse::<f64>().unwrap();
    assert_eq!(moves.split(' ').next(), Some(best), "{text}");
    assert!(moves.split(' ').count() > 10, "{text}");
}

/// A move that costs 17 discs is asked about without the answer, and `why` has it.
#[test]
fn a_move_that_costs_much_is_asked_about_and_explained() {
    let moves = "f5d6c3d3c4f4f6f3e6e7d7g6g5c5b6c6b5c7f8e8f7h6g3b4f2";
    let args = ["--moves", moves, "--side", "white", "--level", "elo_400"];
    let text = play(&args, "why\nb2\nwhy\n");
    assert!(text.contains("Look again? b2 costs much."), "{text}");
    assert!(text.contains("Played b2: "), "{text}");
    assert!(text.contains("Best is e3: "), "{text}");
    assert!(text.contains("blunder"), "{text}");
    let good = play(&args, "why a1\ne3\n");
    assert!(!good.contains("Look again?"), "{good}");
    assert!(good.contains("a1 flips no disc"), "{good}");
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let text = play(&["--side", "none", "--level", "elo_400"], "");
    assert!(text.contains("\nGame over: "), "{text}");
    let moves = text.lines().next_back().unwrap();
    assert!(moves.len() > 60 && moves.len().is_multiple_of(2), "{moves}");
    assert_eq!(play(&["--side", "none", "--level", "elo_400"], ""), text);
}

#[test]
fn a_pass_that_is_due_is_made() {
    // White has no move; Black's c1 then ends the game.
    let board = format!("XO{} O", "-".repeat(62));
    let text = talk(&["--side", "both", "--position", &board], "c1\n");
    expect![[r#"
        Level elo_1400, seed 7; help lists what you can type.


        White must pass
        X 1, O 1, 62 empty

        White has no move and passes.
        Black>

        Game over: Black wins 64-0
        X 3, O 0, 61 empty

        c1
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_book_is_followed_and_its_faults_are_told() {
    let folder = std::env::temp_dir().join(format!("kibitz-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("book.json");
    let hash = othello::Position::START.hash();
    std::fs::write(
        &file,
        format!(r#"{{"{hash:016x}": [3, 2], "nonsense": [2, 3]}}"#),
    )
    .unwrap();
    let path = file.to_str().unwrap();
    let run = piped(
        &[
            "play",
            "--side",
            "white",
            "--level",
            "elo_2000",
            "--book",
            path,
            "--hash-mb",
            "1",
        ],
        b"quit\n",
    );
    assert!(run.stdout.contains("Black plays c4."), "{}", run.stdout);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert_eq!(run.code, Some(0));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn unknown_levels_and_positions_are_refused() {
    let (line, code) = failure(&["play", "--level", "grandmaster"]);
    assert!(line.contains("elo_400"), "{line}");
    assert_eq!(code, 2);
    let (_, code) = failure(&["play", "--moves", "a1"]);
    assert_eq!(code, 1);
}
