//! PGN: what is read, what is refused and how, and that it comes back.

use game::{Kind, Packed, Record, pgn};
use std::io::Cursor;

fn read(text: &str) -> Record {
    let game = pgn::read(text.as_bytes(), 1).unwrap_or_else(|error| panic!("{error}: {text}"));
    // What was gathered on the way is what a replay gives.
    assert_eq!(game.packed.footprints().unwrap(), game.prints);
    game.into_record().unwrap()
}

fn refused(text: &str) -> String {
    pgn::read(text.as_bytes(), 1).unwrap_err().to_string()
}

const ANNOTATED: &str = r#"[Event "A \"quoted\" \\ name"]
[Site "?"]
[Date "1996.??.??"]
[Round "?"]
[White "Ánn"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2500"]

{About the game} 1. e4 $1 {best
by test} {two} 1... e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 $5 {Alapin}) 2... d6)
(1... e6) 2. Nf3 {[%clk 1:00:00]} 2... Nc6 3. Bb5 a6 ({instead} 3... Nf6 4. O-O)
4. Bxc6 1-0

"#;

#[test]
fn everything_of_the_standard_comes_back() {
    let record = read(ANNOTATED);
    assert_eq!(record.tags.get("Event"), Some("A \"quoted\" \\ name"));
    assert_eq!(record.main_line().count(), 7);
    assert_eq!(record.n_nodes(), 1 + 7 + 4 + 1 + 2);
    assert_eq!(pgn::write(&record).unwrap(), ANNOTATED);
    let again = read(&pgn::write(&record).unwrap());
    assert_eq!(again, record);
}

#[test]
fn many_ways_of_writing_mean_the_same() {
    let plain = read("1. e4 d5 2. exd5 Nf6 3. Nf3 Nxd5 4. Bc4 e6 5. O-O *");
    for text in [
        "1.e4 d5 2.exd5 Nf6 3.Nf3 Nxd5 4.Bc4 e6 5.O-O",
        "1 e4 d5 2 ed5 Nf6 3 Ngf3 Nd5 4 Bf1c4 e6 5 0-0 *",
        "e2e4 d7d5 e4xd5 Ng8f6 Ng1-f3 Nxd5 Bc4 e7e6 O-O",
        "% an escape\n1. e4 d5 2. exd5+ Nf6 3. Nf3 Nxd5 4. Bc4 e6 5. O-O#\n*",
        "1. e4 d5\r\n2. exd5 Nf6 3. Nf3\r\nNxd5 4. Bc4 e6 5. O-O\r\n",
    ] {
        if text.contains("e2e4") {
            // Hyphens are no standard, and are told.
            assert!(refused(text).contains("Ng1-f3"), "{}", refused(text));
            continue;
        }
        let record = read(text);
        assert_eq!(Packed::from(&record), Packed::from(&plain), "{text}");
    }
    let glyphs = read("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 $14 Nf6 += *");
    let numbers: Vec<u8> = glyphs
        .main_line()
        .flat_map(|id| glyphs.node(id).unwrap().note.glyphs.clone())
        .map(|it| it.0)
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 14, 14]);
    let latin = [&b"[White \"J\xf6rg\"]\n1. e4 {sch\xf6n} *"[..]].concat();
    let latin = pgn::read(&latin, 1).unwrap();
    assert_eq!(latin.tags.get("White"), Some("Jörg"));
    let rest = read("1. e4 ; a line with } in it\n1... e5 *");
    assert!(
        pgn::write(&rest)
            .unwrap()
            .contains("; a line with } in it\n")
    );
    let start = "[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 40\"]\n*";
    assert!(
        pgn::write(&read(start))
            .unwrap()
            .contains("[FEN \"8/8/8/8/8/4k3/4p3/4K3 w")
    );
    // Annotators move nothing at all: the rules do not know that, the text is kept.
    let null = read("1. e4 e5 (1... -- 2. d4 {strong}) 2. Nf3 *");
    assert!(pgn::write(&null).unwrap().contains("-- 2. d4 (strong)"));
}

#[test]
fn variations_that_begin_alike_stay_apart() {
    for text in [
        "1. e4 e5 (1... e5 2. Nc3 Nc6) 2. Nf3 Nf6 3. d4 *",
        "1. e4 e5 (1... c5 2. Nf3) (1... c5 2. Nf3) (1... c5 2. c3 {Alapin}) 2. Nf3 *",
        "1. e4 (1. e4 {the same} 1... c5 2. Nf3 (2. Nf3 d6) 2... e6) (1. d4) 1... e5 *",
    ] {
        let record = read(text);
        let written = pgn::write(&record).unwrap();
        assert_eq!(written.lines().last(), Some(""), "{written}");
        let moves = written.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(moves, text);
        let bytes = record.annotations().unwrap();
        let again = Packed::from(&record).annotated(&bytes).unwrap();
        assert_eq!(again.n_nodes(), record.n_nodes());
        assert_eq!(again.annotations().unwrap(), bytes);
    }
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let told = refused("[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *");
    assert_eq!(
        told,
        "line 4, column 4: \"Ke3\" at move 2.: the rules do not allow it; expected a move such as Nf3"
    );
    assert!(refused("1. e4 e5 2. Nf3 Nc6 3. Nd2 *").contains("not allow"));
    assert!(refused("1. Nf3 d5 2. d3 d4 3. Nd2 *").contains("several pieces"));
    assert!(refused("1. e4 {never closed").contains("expected }"));
    assert!(refused("1. e4 (1. d4").contains("expected )"));
    assert!(refused("1. e4 ) *").contains("closes no variation"));
    assert!(refused("(1. e4) *").contains("before any move"));
    assert!(refused("1. e4 $300 *").contains("expected $0 to $255"));
    assert!(refused("1. e4 -- *").contains("no such move"));
    assert!(refused("[Event x]\n1. e4 *").contains("is no tag"));
    assert!(refused("[Variant \"Atomic\"]\n1. e4 *").contains("Chess960"));
    assert!(refused("[FEN \"8/8/8\"]\n*").contains("the tag FEN"));
    assert!(refused("1. e4 1-0 e5").contains("ended before"));
    assert!(refused("1. hello *").contains("not written as a move"));
}

#[test]
fn files_are_cut_into_games() {
    let file = "\u{feff}[Event \"1\"]\n[White \"{\"]\n\n1. e4 {a\n\n[inside\n[Event \"inside\n} e5 1-0\n\n\
                [Event \"2\"]\n1. d4 *\n[Event \"3\"]\n\n1. c4 {never closed\n\n[Event \"4\"]\n\n\
                1. Nf3 ; [ { in the rest\n*\n\n1. e4 e5 1/2-1/2\n\n1. g4\n";
    let mut splitter = pgn::Splitter::new(Cursor::new(file));
    let mut buffer = Vec::new();
    let mut found = Vec::new();
    while let Some(slice) = splitter.next_into(&mut buffer).unwrap() {
        let text = std::str::from_utf8(&buffer[slice.range.clone()]).unwrap();
        found.push((slice.line, text.trim().to_owned()));
    }
    let lines: Vec<u64> = found.iter().map(|it| it.0).collect();
    assert_eq!(lines, [1, 10, 12, 16, 21, 23], "{found:#?}");
    assert!(found[0].1.contains("[Event \"inside"));
    assert!(found[2].1.ends_with("never closed"));
    assert_eq!(found[5].1, "1. g4");
}

#[test]
fn games_without_moves_are_games() {
    let cut = |file: &str| -> Vec<String> {
        let mut splitter = pgn::Splitter::new(Cursor::new(file));
        let mut buffer = Vec::new();
        let mut found = Vec::new();
        while let Some(slice) = splitter.next_into(&mut buffer).unwrap() {
            found.push(String::from_utf8(buffer[slice.range.clone()].to_vec()).unwrap());
        }
        found
    };
    let file = "[Event \"1\"]\n[White \"Ann\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                [Event \"2\"]\n[White \"Bob\"]\n\n1. e4 *\n\n[White \"Cid\"]\n\n[White \"Dan\"]\n";
    let found = cut(file);
    let whites: Vec<_> = found
        .iter()
        .map(|it| read(it).tags.get("White").map(str::to_owned))
        .collect();
    let names = ["Ann", "Bob", "Cid", "Dan"].map(|it| Some(it.to_owned()));
    assert_eq!(whites, names, "{found:#?}");
    assert_eq!(read(&found[1]).tags.get("FEN"), None);
    // Tags that stand apart are of one game as long as none comes twice.
    let apart = "[White \"Ann\"]\n\n[WhiteElo \"2000\"]\n\n[Black \"Bob\"]\n\n1. e4 *\n";
    assert_eq!(cut(apart).len(), 1);
}

#[test]
fn values_of_tags_keep_their_quotes_and_backslashes() {
    let value = |line: &str, name: &str| {
        let record = read(&format!("{line}\n\n1. e4 *"));
        let again = read(&pgn::write(&record).unwrap());
        assert_eq!(again.tags.get(name), record.tags.get(name));
        record.tags.get(name).unwrap_or_default().to_owned()
    };
    for (line, expected) in [
        (r#"[White "O Neil "X" jr"]"#, r#"O Neil "X" jr"#),
        (r#"[White "C:\games\new.pgn"]"#, r"C:\games\new.pgn"),
        (r#"[White "C:\games\"]"#, r"C:\games\"),
        (r#"[White "a \"b\" \\ c"]"#, r#"a "b" \ c"#),
        (r#"[White "a "] b"]"#, r#"a "] b"#),
        (r#"[White "Ann" ]  "#, "Ann"),
        (r#"[White "Ann"] [Black "Bob"]"#, "Ann"),
        (r#"[White "Ann"#, ""),
        (r#"[White """]"#, r#"""#),
        (r#"[White ""]"#, ""),
        (r#"[White "Ann""#, "Ann"),
    ] {
        if line.ends_with("\"Ann") {
            assert!(refused(line).contains("is no tag"));
            continue;
        }
        assert_eq!(value(line, "White"), expected, "{line}");
    }
    assert_eq!(value(r#"[White "Ann"] [Black "Bob"]"#, "Black"), "Bob");
    assert_eq!(read(r#"[White "Ann"] 1. e4 *"#).main_line().count(), 1);
}

#[test]
fn a_line_without_an_end_does_not_fill_the_memory() {
    let long = 3 * pgn::GAME_BYTES_MAX;
    for (head, unit) in [
        ("[Event \"1\"]\n\n1. e4 {", "long "),
        ("[Event \"1\"]\n[White \"", "name "),
        ("[Event \"1\"]\n\n1. e4 ; ", "{ ( "),
    ] {
        let mut file = head.as_bytes().to_vec();
        file.extend(unit.as_bytes().repeat(long / unit.len()));
        file.extend(b"} *\n\n[Event \"2\"]\n\n1. d4 *\n");
        let mut splitter = pgn::Splitter::new(std::io::BufReader::new(&file[..]));
        let mut buffer = Vec::new();
        let first = splitter.next_into(&mut buffer).unwrap().unwrap();
        assert!(
            first.is_cut && buffer.len() <= pgn::GAME_BYTES_MAX,
            "{head}"
        );
        assert!(buffer.capacity() <= 4 * pgn::GAME_BYTES_MAX, "{head}");
        buffer.clear();
        let second = splitter.next_into(&mut buffer).unwrap().unwrap();
        let text = std::str::from_utf8(&buffer).unwrap();
        assert!(
            !second.is_cut && text.starts_with("[Event \"2\"]"),
            "{head}: {text}"
        );
        assert_eq!(splitter.next_into(&mut buffer).unwrap(), None);
    }
    let mut file = vec![b' '; long + 100];
    file.extend(b"1. e4 *\n");
    let mut splitter = pgn::Splitter::new(std::io::BufReader::new(&file[..]));
    let mut buffer = Vec::new();
    let only = splitter.next_into(&mut buffer).unwrap().unwrap();
    assert!(!only.is_cut && only.line == 1);
    assert!(buffer.len() <= pgn::GAME_BYTES_MAX && buffer.ends_with(b"1. e4 *\n"));
}

#[test]
fn a_game_that_is_too_long_does_not_fill_the_memory() {
    let mut file = b"[Event \"1\"]\n\n1. e4 {".to_vec();
    file.extend(b"long \n".repeat(1 << 20));
    file.extend(b"} *\n\n[Event \"2\"]\n\n1. d4 *\n");
    let mut splitter = pgn::Splitter::new(Cursor::new(file));
    let mut buffer = Vec::new();
    let first = splitter.next_into(&mut buffer).unwrap().unwrap();
    assert!(first.is_cut && buffer.len() <= pgn::GAME_BYTES_MAX + 100);
    let second = splitter.next_into(&mut buffer).unwrap().unwrap();
    assert!(!second.is_cut);
    assert_eq!(Kind::Chess.start(), *read("1. d4 *").start());
}

#[test]
fn what_a_variation_without_moves_says_belongs_to_the_move_beside_it() {
    let record = read("1. e4 e5 (1... c5 2. Nf3) ({or} 1... ) 2. Nf3 Nc6 *");
    let text = pgn::write(&record).unwrap();
    let moves = text.trim_end().lines().last().unwrap_or_default();
    assert_eq!(moves, "1. e4 e5 {or} (1... c5 2. Nf3) 2. Nf3 Nc6 *");
    let again = pgn::write(&read(&text)).unwrap();
    assert_eq!(again, text);
}
