//! Writes a PGN file of games by chance, the same for the same seed: for measuring imports and
//! searches. Games share openings as games of people do, because every position has its own
//! favourite moves.
//!
//! `cargo run --release -p game --example make_pgn -- plain 200000 games.pgn [SEED]`, or `annotated`
//! in the place of `plain`.

use game::{Glyph, Move, Position, Record, Side, pgn};
use std::{
    error::Error,
    fs::File,
    io::{BufWriter, Write as _},
};

/// A small generator of numbers (SplitMix64).
struct Chance(u64);

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// Small numbers often, large ones seldom.
    fn skewed(&mut self, n: usize) -> usize {
        let n = self.below(n) + 1;
        let n = self.below(n) + 1;
        self.below(n)
    }
}

/// A legal move: the position's favourites most often, so that openings repeat.
fn choice(position: &Position, ply: usize, chance: &mut Chance) -> Option<Move> {
    let mut moves = position.legal_moves();
    let key = position.hash();
    moves.sort_by_cached_key(|action| {
        let text = action.to_string();
        text.bytes()
            .fold(key, |sum, byte| mixed(sum ^ u64::from(byte)))
    });
    // The longer the game, the more it goes its own way.
    let patience = if ply < 16 { 2 } else { 4 };
    let mut at = 0;
    while at + 1 < moves.len() && chance.below(patience) != 0 {
        at += 1;
    }
    moves.get(at).copied()
}

const SYLLABLES: [&str; 16] = [
    "ka", "ro", "mi", "ten", "sa", "lo", "vi", "dra", "pe", "nu", "ber", "gi", "sho", "lan", "wu",
    "tor",
];

fn name(number: usize) -> String {
    let part = |shift: usize| SYLLABLES[(number >> shift) % 16];
    let mut text = format!("{}{}{}, {}{}", part(0), part(4), part(8), part(2), part(6));
    text[..1].make_ascii_uppercase();
    text
}

const WORDS: [&str; 12] = [
    "strong",
    "weak",
    "the pawn",
    "a plan",
    "better",
    "was",
    "needed",
    "here",
    "after",
    "exchange",
    "space",
    "counterplay",
];

fn comment(chance: &mut Chance) -> String {
    if chance.below(2) == 0 {
        let (score, second) = (chance.below(400) as f64 / 100.0 - 2.0, chance.below(60));
        return format!(
            "[%eval {score:.2}] [%clk 0:{:02}:{second:02}]",
            chance.below(60)
        );
    }
    let words: Vec<&str> = (0..=chance.below(7))
        .map(|_| WORDS[chance.below(12)])
        .collect();
    words.join(" ")
}

fn set_tags(record: &mut Record, chance: &mut Chance) {
    let year = 1990 + chance.below(35);
    let date = format!(
        "{year}.{:02}.{:02}",
        1 + chance.below(12),
        1 + chance.below(28)
    );
    let tags = [
        ("Event", format!("{} Open {year}", name(chance.skewed(300)))),
        ("Site", name(chance.skewed(100))),
        ("Date", date),
        ("Round", (1 + chance.below(11)).to_string()),
        ("White", name(chance.skewed(4_000))),
        ("Black", name(chance.skewed(4_000))),
        ("WhiteElo", (1_800 + chance.below(1_000)).to_string()),
        ("BlackElo", (1_800 + chance.below(1_000)).to_string()),
        (
            "ECO",
            format!(
                "{}{:02}",
                char::from(b'A' + chance.below(5) as u8),
                chance.below(100)
            ),
        ),
    ];
    for (name, value) in tags {
        record.tags.set(name, &value);
    }
}

fn made(chance: &mut Chance, is_annotated: bool) -> Result<Record, Box<dyn Error>> {
    let mut record = Record::new(Position::CHESS_START);
    set_tags(&mut record, chance);
    let n_plies = 24 + chance.below(70) + chance.below(40);
    let mut at = record.root();
    for ply in 0..n_plies {
        let Some(position) = record.position(at) else {
            break;
        };
        let Some(action) = choice(position, ply, chance) else {
            break;
        };
        let before = at;
        at = record.add(at, action)?;
        if !is_annotated {
            continue;
        }
        if let Some(note) = record.note_mut(at) {
            note.comment = Some(comment(chance));
            if chance.below(8) == 0 {
                note.glyphs.push(Glyph(1 + chance.below(6) as u8));
            }
        }
        if chance.below(6) == 0 {
            let mut side = before;
            for n in 0..3 {
                let Some(position) = record.position(side) else {
                    break;
                };
                let Some(action) = choice(position, 99, chance) else {
                    break;
                };
                side = record.add(side, action)?;
                if let Some(note) = record.note_mut(side)
                    && n == 0
                    && note.comment.is_none()
                {
                    note.comment = Some(comment(chance));
                }
            }
        }
    }
    let winners = [Some(Side::White), None, Some(Side::Black)];
    let winner = winners[chance.below(3)];
    record.outcome = Some(game::Outcome::decided(winner, game::Termination::Normal));
    Ok(record)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, n, file, rest @ ..] = &args[..] else {
        return Err(
            "expected plain or annotated, a number of games, a file, and maybe a seed".into(),
        );
    };
    let seed = rest.first().map_or(Ok(1), |it| it.parse())?;
    let mut chance = Chance(seed);
    let mut out = BufWriter::new(File::create(file)?);
    for _ in 0..n.parse()? {
        let record = made(&mut chance, kind == "annotated")?;
        out.write_all(pgn::write(&record)?.as_bytes())?;
    }
    Ok(out.flush()?)
}
