//! Seeded conversations of words that mean something, in an order that does not.

use crate::laws;
use othello::sample::SplitMix64;

const GTP: &[&str] = &[
    "play ",
    "genmove ",
    "undo",
    "b ",
    "w ",
    "black ",
    "f5",
    "d6",
    "c3",
    "pass",
    "time_left ",
    "time_settings ",
    "boardsize ",
    "8 ",
    "0 ",
    "-1 ",
    "1e999 ",
    "#",
    "\t",
    "\r",
    "clear_board",
    "set_game ",
    "komi ",
    "showboard",
    "4294967296 ",
    "known_command ",
    "=",
    "?",
    "quit",
    "7 ",
];

const NBOARD: &[&str] = &[
    "nboard ",
    "set ",
    "game ",
    "depth ",
    "contempt ",
    "move ",
    "hint ",
    "go",
    "ping ",
    "analyze",
    "learn",
    "F5",
    "d6",
    "PA",
    "/",
    "1.5 ",
    "-1 ",
    "nan ",
    "1e999 ",
    "(;GM[Othello]",
    "B[F5]",
    "W[D6/1/2]",
    "BO[8 ",
    "]",
    ";)",
    "\\",
    "\r",
    "4294967296 ",
    "search ",
    "=== ",
    "100%W",
    "quit",
];

const UCI: &[&str] = &[
    "uci",
    "isready",
    "setoption name ",
    "value ",
    "position ",
    "startpos ",
    "fen ",
    "moves ",
    "go ",
    "infinite ",
    "searchmoves ",
    "wtime ",
    "movestogo ",
    "mate ",
    "depth ",
    "e2e4 ",
    "e7e8q ",
    "0000 ",
    "N@f3 ",
    "info ",
    "score ",
    "cp ",
    "lowerbound ",
    "wdl ",
    "1000 0 0 ",
    "multipv ",
    "pv ",
    "string ",
    "currline ",
    "hashfull ",
    "-3 ",
    "99999999999999999999 ",
    "bestmove ",
    "(none) ",
    "ponder ",
    "option name ",
    "type ",
    "spin ",
    "check ",
    "combo ",
    "string ",
    "button ",
    "default ",
    "min ",
    "max ",
    "var ",
    "<empty> ",
    "id name ",
    "uciok",
    "readyok",
    "Hash ",
];

fn conversation(words: &[&str], random: &mut SplitMix64) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(60) {
        match random.below(12) {
            0 => text.push(random.below(256) as u8),
            1 => {
                let c = char::from_u32(random.below(0x11_0000)).unwrap_or(' ');
                text.extend(c.to_string().bytes());
            }
            2..5 => text.push(b'\n'),
            _ => text.extend(words[random.below(words.len() as u32) as usize].bytes()),
        }
    }
    text
}

fn run(law: fn(&[u8]), words: &[&str]) {
    let mut random = SplitMix64::new(11);
    for _ in 0..20_000 {
        law(&conversation(words, &mut random));
    }
}

#[test]
fn gtp_survives_anything() {
    run(laws::gtp, GTP);
}

#[test]
fn nboard_survives_anything() {
    run(laws::nboard, NBOARD);
}

#[test]
fn uci_survives_anything() {
    run(laws::uci, UCI);
}
