//! `kibitz board`.

use crate::{failure, success};
use expect_test::expect;

#[test]
fn a_position_from_moves() {
    expect![[r#"
            a b c d e f g h
          ┌─────────────────┐
        1 │                 │ 1
        2 │                 │ 2
        3 │   · ● ○   ·     │ 3
        4 │    (●)● ● ·     │ 4
        5 │   ·   ○ ● ● ·   │ 5
        6 │       ○     ·   │ 6
        7 │                 │ 7
        8 │                 │ 8
          └─────────────────┘
            a b c d e f g h

        White to move
        ● 6, ○ 3, 55 empty
        last move c4 (move 5)

        ● Black
          mobility    9  c2 d2 e2 e3 c5 c6 e6 c7 d7
          potential  10  c2 d2 e2 e3 c5 c6 e6 c7 d7 e7
          frontier    6  c3 c4 d4 e4 e5 f5
          stable      0
          corners     0
          X squares   0
          C squares   0

        ○ White
          mobility    6  b3 f3 f4 b5 g5 g6
          potential  15  b2 c2 d2 b3 e3 f3 b4 f4 g4 b5 c5 g5 e6 f6 g6
          frontier    3  d3 d5 d6
          stable      0
          corners     0
          X squares   0
          C squares   0

        Regions
          odd        55  a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 e3 f3 g3 h3 a4 b4
                         f4 g4 h4 a5 b5 c5 g5 h5 a6 b6 c6 e6 f6 g6 h6 a7 b7 c7 d7 e7 f7 g7 h7 a8
                         b8 c8 d8 e8 f8 g8 h8

        board      ------------------XO------XXX------OXX-----O-------------------- O
        canonical  --------------------XX----OOXO-----XX------X-------------------- O
        hash       0x54cc0e6f10d05e36
    "#]]
    .assert_eq(&success(&["board", "f5d6c3d3c4"]));
}

#[test]
fn ascii_has_no_other_character() {
    let text = success(&["board", "f5", "d6", "--ascii"]);
    assert!(text.is_ascii());
    expect![[r#"
            a b c d e f g h
          +-----------------+
        1 |                 | 1
        2 |                 | 2
        3 |     .           | 3
        4 |     . O X       | 4
        5 |     . O X X     | 5
        6 |     .(O)        | 6
        7 |     .           | 7
        8 |                 | 8
          +-----------------+
            a b c d e f g h

        Black to move
        X 3, O 3, 58 empty
        last move d6 (move 2)

        X Black
          mobility    5  c3 c4 c5 c6 c7
          potential  10  c3 d3 e3 c4 c5 c6 e6 c7 d7 e7
          frontier    3  e4 e5 f5
          stable      0
          corners     0
          X squares   0
          C squares   0

        O White
          mobility    4  f3 f4 g5 f6
          potential   9  d3 e3 f3 f4 g4 g5 e6 f6 g6
          frontier    3  d4 d5 d6
          stable      0
          corners     0
          X squares   0
          C squares   0

        Regions
          even       58  a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 e3 f3 g3 h3
                         a4 b4 c4 f4 g4 h4 a5 b5 c5 g5 h5 a6 b6 c6 e6 f6 g6 h6 a7 b7 c7 d7 e7 f7
                         g7 h7 a8 b8 c8 d8 e8 f8 g8 h8

        board      ---------------------------OX------OXX-----O-------------------- X
        canonical  -------------------X-------XX-----OOO--------------------------- X
        hash       0x9b6f7070aa6fe7b1
    "#]]
    .assert_eq(&text);
}

/// The shortest game: nine moves, then neither side can move.
#[test]
fn a_finished_game_shows_its_outcome() {
    let text = success(&["board", "--ascii", "e6f4e3f6g5d6e7f5c5"]);
    expect![[r#"
            a b c d e f g h
          +-----------------+
        1 |                 | 1
        2 |                 | 2
        3 |         X       | 3
        4 |       X X X     | 4
        5 |    (X)X X X X   | 5
        6 |       X X X     | 6
        7 |         X       | 7
        8 |                 | 8
          +-----------------+
            a b c d e f g h

        Game over: Black wins 64-0
        X 13, O 0, 51 empty
        last move c5 (move 9)

        X Black
          mobility    0
          potential   0
          frontier   12  e3 d4 e4 f4 c5 d5 f5 g5 d6 e6 f6 e7
          stable      0
          corners     0
          X squares   0
          C squares   0

        O White
          mobility    0
          potential  24  d2 e2 f2 c3 d3 f3 g3 b4 c4 g4 h4 b5 h5 b6 c6 g6 h6 c7 d7 f7 g7 d8 e8 f8
          frontier    0
          stable      0
          corners     0
          X squares   0
          C squares   0

        Regions
          odd        51  a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 f3 g3 h3 a4
                         b4 c4 g4 h4 a5 b5 h5 a6 b6 c6 g6 h6 a7 b7 c7 d7 f7 g7 h7 a8 b8 c8 d8 e8
                         f8 g8 h8

        board      --------------------X------XXX----XXXXX----XXX------X----------- O
        canonical  -----------X------XXX----XXXXX----XXX------X-------------------- O
        hash       0xbfdf2491e55d5d59
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_side_without_a_move_must_pass() {
    let board = format!("XO-{} O", "-".repeat(61));
    let text = success(&["board", "--ascii", &board]);
    assert!(text.contains("\nWhite must pass\n"), "{text}");
}

#[test]
fn a_late_position_has_corners_stable_discs_and_regions() {
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    expect![[r#"
            a b c d e f g h
          ┌─────────────────┐
        1 │ ○ · · ○ ○ ○ ○ ● │ 1
        2 │ · ○ ○ ○ ○ ○ ○ ● │ 2
        3 │ ○ ○ ● ● ○ ○ ○ ● │ 3
        4 │ ○ ○ ● ○ ○ ○ ● ● │ 4
        5 │ ○ ○ ○ ○ ○ ○ ● ● │ 5
        6 │ ·   · ○ ○ ○ ○ ● │ 6
        7 │     · · ○ · · ● │ 7
        8 │       ·         │ 8
          └─────────────────┘
            a b c d e f g h

        Black to move
        ● 12, ○ 32, 20 empty

        ● Black
          mobility   10  b1 c1 a2 a6 c6 c7 d7 f7 g7 d8
          potential  13  b1 c1 a2 a6 b6 c6 c7 d7 f7 g7 d8 e8 f8
          frontier    2  h6 h7
          stable      7  h1 h2 h3 h4 h5 h6 h7
          corners     1  h1
          X squares   0
          C squares   2  h2 h7

        ○ White
          mobility    0
          potential   3  g7 g8 h8
          frontier   16  a1 d1 b2 c2 d2 a3 b3 a5 b5 c5 d5 d6 e6 f6 g6 e7
          stable      1  a1
          corners     1  a1
          X squares   2  b2 g2
          C squares   1  g1

        Regions
          odd         3  b1 c1 a2
          odd        17  a6 b6 c6 a7 b7 c7 d7 f7 g7 a8 b8 c8 d8 e8 f8 g8 h8

        board      O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X
        canonical  XXXXXXX-OOOXXO--OOOOOO--OOOOOOO-OOXOOO---OXXO----OOOO---O-OOO--- X
        hash       0xfd92c996f35df742
    "#]]
    .assert_eq(&success(&["board", board]));
}

#[test]
fn json_has_everything() {
    expect![[r#"
        {"board":"---------------------------OX------XXX-------------------------- O","canonical":"---------------------------OX------XXX-------------------------- O","hash":"0xe720f20867498e87","side_to_move":"white","must_pass":false,"game_over":false,"outcome":null,"moves":["f5"],"last_move":"f5","empties":59,"black":{"discs":4,"mobility":{"count":3,"squares":["c3","d3","c4"]},"potential_mobility":{"count":5,"squares":["c3","d3","e3","c4","c5"]},"frontier":{"count":4,"squares":["e4","d5","e5","f5"]},"stable":{"count":0,"squares":[]},"corners":{"count":0,"squares":[]},"x_squares":{"count":0,"squares":[]},"c_squares":{"count":0,"squares":[]}},"white":{"discs":1,"mobility":{"count":3,"squares":["f4","d6","f6"]},"potential_mobility":{"count":13,"squares":["d3","e3","f3","c4","f4","g4","c5","g5","c6","d6","e6","f6","g6"]},"frontier":{"count":1,"squares":["d4"]},"stable":{"count":0,"squares":[]},"corners":{"count":0,"squares":[]},"x_squares":{"count":0,"squares":[]},"c_squares":{"count":0,"squares":[]}},"regions":[{"size":59,"odd":true,"squares":["a1","b1","c1","d1","e1","f1","g1","h1","a2","b2","c2","d2","e2","f2","g2","h2","a3","b3","c3","d3","e3","f3","g3","h3","a4","b4","c4","f4","g4","h4","a5","b5","c5","g5","h5","a6","b6","c6","d6","e6","f6","g6","h6","a7","b7","c7","d7","e7","f7","g7","h7","a8","b8","c8","d8","e8","f8","g8","h8"]}]}
    "#]]
    .assert_eq(&success(&["board", "f5", "--json"]));
}

#[test]
fn json_of_a_finished_game_has_an_outcome() {
    let text = success(&["board", "--json", "e6f4e3f6g5d6e7f5c5"]);
    let facts: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(facts["game_over"], true);
    assert_eq!(
        facts["outcome"],
        serde_json::json!({ "black": 64, "white": 0, "winner": "black" })
    );
    assert_eq!(facts["last_move"], "c5");
}

/// What `board` prints it also reads.
#[test]
fn the_board_string_leads_back_to_the_position() {
    let fact = |args: &[&str], key: &str| {
        let facts: serde_json::Value = serde_json::from_str(&success(args)).unwrap();
        facts[key].as_str().unwrap().to_owned()
    };
    let board = fact(&["board", "--json", "f5d6c3d3c4"], "board");
    assert_eq!(
        fact(&["board", "--json", &board], "hash"),
        fact(&["board", "--json", "f5d6c3d3c4"], "hash")
    );
}

#[test]
fn wrong_moves_and_boards_are_told_in_one_line() {
    let (line, code) = failure(&["board", "f5d6a1"]);
    expect![[r#"
        kibitz: move 3 ("a1") is not legal for Black; legal: c3 c4 c5 c6 c7
    "#]]
    .assert_eq(&line);
    assert_eq!(code, 1);
    let (line, code) = failure(&["board", "---XO--- X"]);
    expect![[r#"
        kibitz: not a position (expected 64 squares and the side to move, or moves such as f5d6c3): expected 64 squares (X, O or -), found 9 in ".--XO--- X"
    "#]].assert_eq(&line);
    assert_eq!(code, 1);
    let (line, code) = failure(&["board", "hello"]);
    expect![[r#"
        kibitz: not a position (expected 64 squares and the side to move, or moves such as f5d6c3): unexpected 'h' at character 1; expected X, *, B (black), O, W (white), - or . (empty)
    "#]].assert_eq(&line);
    assert_eq!(code, 1);
}
