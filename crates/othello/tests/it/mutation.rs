//! A short, seeded fuzz run of every parser: valid inputs with random damage, and random bytes.

use crate::laws;
use othello::notation::{Record, WthorGame, WthorHeader, WthorNames, WthorWriter};
use othello::sample::SplitMix64;
use othello::{Game, Position};
use std::fmt::Write as _;
use std::io::Cursor;

const RUNS: u64 = 4_000;

/// Damages `seeds` again and again and holds the law against the result.
fn run(law: fn(&[u8]), seeds: &[Vec<u8>]) {
    seeds.iter().for_each(|seed| law(seed));
    for seed in 0..RUNS {
        let mut random = SplitMix64::new(seed);
        law(&mutated(seeds, &mut random));
        law(&noise(&mut random));
    }
}

fn mutated(seeds: &[Vec<u8>], random: &mut SplitMix64) -> Vec<u8> {
    let pick = |random: &mut SplitMix64| seeds[random.below(seeds.len() as u32) as usize].clone();
    let mut bytes = pick(random);
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        let end = (at + random.below(20) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at, random.next_u64() as u8),
            3 => bytes
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte ^= 1 << random.below(8)),
            4 => bytes.extend_from_within(at..end),
            _ => {
                let other = pick(random);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    bytes
}

/// Bytes that are often meaningful somewhere.
fn noise(random: &mut SplitMix64) -> Vec<u8> {
    const ALPHABET: &[u8] = b"(;)[]GMBWTYabcdefgh12345678XO-*. \n#%:+/ps\0\xff\xe9";
    let length = random.below(200);
    (0..length)
        .map(|_| ALPHABET[random.below(ALPHABET.len() as u32) as usize])
        .collect()
}

fn random_game(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let mut game = Game::new();
    let length = random.below(64) as usize;
    while !game.is_over() && game.ply() < length {
        let legal = game.position().board.legal_moves();
        let choice = random.below(legal.len().max(1)) as usize;
        match legal.into_iter().nth(choice) {
            Some(square) => game.place(square).expect("legal"),
            None => game.play(othello::Move::Pass).expect("due"),
        }
    }
    game
}

fn transcripts() -> Vec<Vec<u8>> {
    (0..8)
        .map(|seed| format!("{}\n# x\n", random_game(seed).transcript()).into_bytes())
        .collect()
}

fn ggf_files() -> Vec<Vec<u8>> {
    let record = |seed| Record {
        players: [Some("Ann".to_owned()), None],
        result: Some(-250),
        ..Record::from(random_game(seed))
    };
    (0..4)
        .map(|seed| {
            let mut bytes = b"2 ".to_vec();
            for ggf in [record(seed), record(seed + 1)].map(|r| r.to_ggf().expect("writable")) {
                ggf.write_to(&mut bytes).expect("a Vec takes all bytes");
            }
            bytes
        })
        .collect()
}

fn obf_files() -> Vec<Vec<u8>> {
    (0..4)
        .map(|seed| {
            let mut text = "% suite\n\n".to_owned();
            for position in [random_game(seed).position(), Position::START] {
                writeln!(text, "{position}; F5:+2; D3:-0.50; --:-127; % c").expect("text");
            }
            text.into_bytes()
        })
        .collect()
}

fn wthor_files() -> Vec<Vec<u8>> {
    let header = WthorHeader {
        created: othello::notation::WthorDate {
            century: 20,
            year: 26,
            month: 11,
            day: 15,
        },
        year: 2026,
        ..WthorHeader::default()
    };
    (0..4)
        .map(|n| {
            let mut writer = WthorWriter::new(Cursor::new(Vec::new()), header).expect("a Vec");
            for seed in 0..n {
                let game = WthorGame::from_game(&random_game(seed)).expect("usual start");
                writer.write(&game).expect("a Vec");
            }
            writer.finish().expect("a Vec").into_inner()
        })
        .collect()
}

fn name_files() -> Vec<Vec<u8>> {
    let mut players = Vec::new();
    WthorNames::<20> {
        header: WthorHeader::default(),
        names: vec!["???".into(), "Ann".into()],
    }
    .write_to(&mut players)
    .expect("a Vec");
    let mut tournaments = Vec::new();
    WthorNames::<26> {
        header: WthorHeader::default(),
        names: vec!["Club".into()],
    }
    .write_to(&mut tournaments)
    .expect("a Vec");
    vec![players, tournaments]
}

#[test]
fn positions() {
    let seeds: Vec<_> = (0..8)
        .map(|seed| random_game(seed).position().to_string().into_bytes())
        .collect();
    run(laws::position, &seeds);
}

#[test]
fn transcript_files() {
    run(laws::transcript, &transcripts());
}

#[test]
fn obf() {
    run(laws::obf, &obf_files());
}

#[test]
fn ggf() {
    run(laws::ggf, &ggf_files());
}

#[test]
fn wthor_games() {
    run(laws::wthor_games, &wthor_files());
}

#[test]
fn wthor_names() {
    run(laws::wthor_names, &name_files());
}

#[test]
fn any_format() {
    let all = [transcripts(), ggf_files(), obf_files(), wthor_files()].concat();
    run(laws::convert_detect, &all);
}
